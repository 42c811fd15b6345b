"""``cra-engine heterogeneous`` as people run it: files, JSON, and one sentence for everything that is wrong."""

from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from json_shapes import fitting

TABLE = """name;age;zip;illness
Ann;31;1;flu
Bob;33;2;cold
Cid;45;1;flu
Dee;47;2;cold
Eve;52;3;=gout
"""
QIS = ("--qi", "age", "--qi", "zip", "--categorical", "zip", "--sensitive", "illness")


@pytest.fixture
def run(run: Any) -> Any:
    Path("data.csv").write_text(TABLE)
    return partial(run, "heterogeneous")


def test_the_whole_path_with_graph_queries_and_json(run: Any) -> None:
    Path("q.json").write_text('[{"age": [31, 33], "illness": ["flu"]}, {"zip": [1, "3"]}]')
    wanted = ("--queries", "q.json", "--graph", "graph.csv", "--output", "out.csv", "--json")
    status, out, err = run("data.csv", *QIS, "--l", "2", *wanted)
    assert status == 0
    found = fitting("heterogeneous", out)
    assert list(found) == [
        *("records", "rows", "dummies", "buckets", "bucket_size", "l", "beta", "beta_bound", "method", "extraction"),
        *("partitions", "gcp", "published", "original", "warnings", "naive_bayes", "queries"),
    ]
    assert (found["records"], found["rows"], found["dummies"], found["buckets"], found["bucket_size"]) == (
        5,
        6,
        1,
        2,
        3,
    )
    assert (found["l"], found["beta"], found["method"], found["extraction"]) == (2, None, "HG", "permutation")
    assert found["published"]["repeated"] == 0
    assert set(found["published"]) == set(found["original"]) == {"max_beta", "over", "repeated"}
    assert set(found["naive_bayes"]) == {"classic", "laplace"}
    assert [answer["exact"] for answer in found["queries"]] == [1, 3]
    release = pd.read_csv("out.csv", sep=";", dtype=str)
    assert list(release.columns) == ["age", "zip", "illness"]
    assert sorted(release["illness"]) == ["'=gout", "*", "cold", "cold", "flu", "flu"]
    graph = pd.read_csv("graph.csv", sep=";", dtype=str, keep_default_na=False)
    assert list(graph.columns) == ["row", "own", "bucket", "carries", "matches"]
    assert sorted(graph["own"]) == ["", "0", "1", "2", "3", "4"]
    assert set(graph["bucket"]) == {"0", "1"}
    raw = pd.read_csv("data.csv", sep=";")
    for own, carries, matches, shown in zip(
        graph["own"], graph["carries"], graph["matches"], release["illness"], strict=True
    ):
        assert {own, carries} <= {*matches.split(" "), ""}
        assert shown.lstrip("'") == ("*" if carries == "" else raw["illness"][int(carries)])
    assert "'name'" in err
    assert "apostrophe" in err


def test_people_are_told_what_came_out(run: Any) -> None:
    status, out, err = run(
        "data.csv", *QIS, "--beta", "1.5", "--seed", "3", "--extraction", "paper", "--output", "o.csv"
    )
    assert status == 0
    assert "each person matches" in out
    assert "Naive Bayes guesses" in out
    assert "undo the protection" in err
    assert "does not keep its promise" in err


def test_the_same_seed_gives_the_same_file(run: Any) -> None:
    for output in ("one.csv", "two.csv"):
        assert run("data.csv", *QIS, "--l", "2", "--seed", "1", "--output", output)[0] == 0
    assert Path("one.csv").read_bytes() == Path("two.csv").read_bytes()


def test_numbers_with_decimal_commas_are_asked_about_and_told(run: Any) -> None:
    Path("data.csv").write_text("size;illness\n1,250;a\n900;b\n2,000;a\n1,750;b\n")
    asked = ("data.csv", "--qi", "size", "--sensitive", "illness", "--l", "2", "--output", "out.csv")
    status, _, err = run(*asked)
    assert status == 2
    assert "--decimal" in err
    assert run(*asked, "--decimal", "comma")[0] == 0
    assert "900" in Path("out.csv").read_text()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("--l", "2", "--beta", "1"), "either l"),
        ((), "either l"),
        (("--l", "1"), "l is 1"),
        (("--l", "4"), "take l = 2"),
        (("--beta", "-1"), "beta is -1"),
        (("--beta", "nan"), "beta is 'nan'; give a number"),
        (("--l", "2", "--qi", "height"), "no column 'height'"),
        (("--l", "2", "--qi", "illness"), "both as the sensitive"),
        (("--l", "2", "--queries", "none.json"), "cannot be read"),
        (("--l", "2", "--queries", "data.csv"), "no JSON"),
        (("--l", "2", "--graph", "data.csv"), "named twice"),
        (("--l", "2", "--graph", "out.csv"), "named twice"),
    ],
)
def test_what_is_wrong_is_one_sentence_status_2_and_no_file(run: Any, change: tuple[str, ...], said: str) -> None:
    status, out, err = run("data.csv", *QIS, *change, "--output", "out.csv")
    assert (status, out) == (2, "")
    assert said in err
    assert len([line for line in err.splitlines() if line]) == 1
    assert not Path("out.csv").exists()


def test_a_value_that_holds_the_sign_between_values_is_refused(run: Any) -> None:
    Path("data.csv").write_text('town,illness\n"A | B",x\nC,y\n')
    status, _, err = run("data.csv", "--qi", "town", "--sensitive", "illness", "--l", "2", "--output", "out.csv")
    assert status == 2
    assert "row 1" in err
