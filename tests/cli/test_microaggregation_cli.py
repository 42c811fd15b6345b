"""The commands microaggregate and sensitive-cells: files, JSON, sentences."""

import json
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

from cra_engine import read_table
from cra_engine.cli import microaggregation
from oracles import microaggregation as plain

IRIS = Path(__file__).resolve().parents[2] / "sample_data" / "iris.csv"
NAMES = ["sepal_length", "sepal_width", "petal_length", "petal_width", "class"]


def made(run, *arguments):
    status, out, err = run("microaggregate", "--keep-order", IRIS, *arguments, "--output", "release.csv", "--json")
    assert status == 0, err
    return json.loads(out)


@pytest.mark.parametrize(
    ("k", "cells", "dominance", "p"),
    [(2, 375, 375, 375), (3, 250, 250, 9), (4, 185, 9, 0), (5, 150, 0, 0), (6, 125, 0, 0)],
)
def test_iris_has_the_cells_of_the_specification(run, k, cells, dominance, p) -> None:
    found = made(run, "--k", k)
    assert (found["records"], found["k"], found["method"], found["columns"]) == (150, k, "mdav", NAMES)
    assert found["cells"] == cells
    assert [(rule["rule"], rule["n"], rule["value"]) for rule in found["rules"]] == [
        ("dominance", 2, "0.6"),
        ("p", None, "0.6"),
    ]
    assert [rule["sensitive"] for rule in found["rules"]] == [dominance, p]
    assert [len(rule["cells"]) for rule in found["rules"]] == [dominance, p]


@pytest.mark.parametrize(("k", "clusters"), [(2, 64), (3, 32), (4, 32), (5, 22), (6, 16)])
def test_iris_has_the_mondrian_clusters_of_the_specification(run, k, clusters) -> None:
    found = made(run, "--k", k, "--method", "mondrian")
    assert len(found["clusters"]) == clusters


def test_the_json_says_what_the_raw_table_says(run) -> None:
    """Every cell is judged once more in fractions, and every published value is the mean of its cluster."""
    found = made(run, "--k", 3, "--dominance", "1,0.45", "--p", "0.6", "--dominance", "2,0.7")
    table = read_table(IRIS)
    values = {name: [Fraction(cell) for cell in table[name]] for name in NAMES}
    expected: list[list] = [[], [], []]
    release = read_table("release.csv")
    for number, cluster in enumerate(found["clusters"]):
        assert cluster["size"] == len(cluster["rows"]) >= 3
        for name in NAMES:
            cell = [values[name][row] for row in cluster["rows"]]
            for at, said in enumerate(
                (
                    plain.dominated(cell, 1, Fraction("0.45")),
                    plain.dominated(cell, 2, Fraction("0.7")),
                    plain.close(cell, Fraction("0.6")),
                )
            ):
                if said:
                    expected[at].append([number, name])
            assert {float(release[name][row]) for row in cluster["rows"]} == {float(sum(cell) / len(cell))}
    assert [rule["value"] for rule in found["rules"]] == ["0.45", "0.7", "0.6"]
    assert [rule["cells"] for rule in found["rules"]] == expected
    assert sorted(row for cluster in found["clusters"] for row in cluster["rows"]) == list(range(150))
    assert [rule["undefined"] for rule in found["rules"]] == [0, 0, 0]
    for estimate in found["estimates"]:
        rows = found["clusters"][estimate["cell"][0]]["rows"]
        cell = sorted((values[estimate["cell"][1]][row] for row in rows), reverse=True)
        truth = values[estimate["cell"][1]][estimate["whom"]]
        assert truth == cell[0]
        assert estimate["lower"] <= float(truth) <= estimate["upper"]
        assert estimate["error"] == pytest.approx(float(sum(cell[2:]) / cell[0]))


def test_compliant_ends_with_no_sensitive_cell_and_tells_the_price(run) -> None:
    found = made(run, "--k", 3, "--compliant")
    assert [rule["sensitive"] for rule in found["rules"]] == [0, 0]
    assert found["clusters_unmerged"] == 50 > len(found["clusters"])
    assert found["loss_unmerged"] < found["loss"] < 1
    status, out, _ = run("microaggregate", "--keep-order", IRIS, "--k", 3, "--compliant", "--output", "again.csv")
    assert status == 0
    assert "50 clusters before" in out


def test_sensitive_cells_of_the_release_are_those_of_its_clusters(run) -> None:
    found = made(run, "--k", 4)
    by = [part for name in NAMES for part in ("--by", name)]
    status, out, err = run("sensitive-cells", IRIS, "--release", "release.csv", *by, "--json")
    assert status == 0, err
    again = json.loads(out)
    assert sorted(c["rows"] for c in again["classes"]) == sorted(c["rows"] for c in found["clusters"])
    assert [rule["sensitive"] for rule in again["rules"]] == [9, 0]
    assert again["cells"] == 185


def test_sensitive_cells_of_a_recoded_release(run) -> None:
    Path("data.csv").write_text("age;income\n30;90\n31;10\n32;5\n60;20\n61;21\n99;7\n")
    Path("release.csv").write_text("age;income\n[30, 40[;90\n[30, 40[;10\n[30, 40[;5\n[60, 70[;20\n[60, 70[;21\n*;7\n")
    status, out, _ = run(
        "sensitive-cells", "data.csv", "--release", "release.csv", "--by", "age", "--column", "income", "--json"
    )
    assert status == 0
    found = json.loads(out)
    assert found["classes"] == [{"rows": [0, 1, 2], "size": 3}, {"rows": [3, 4], "size": 2}]
    assert found["rules"][1]["cells"] == [[0, "income"], [1, "income"]]
    assert found["estimates"][0] == {
        "cell": [0, "income"],
        "who": 1,
        "whom": 0,
        "lower": 85,
        "upper": 95,
        "error": 5 / 90,
    }
    status, out, _ = run("sensitive-cells", "data.csv", "--release", "release.csv", "--by", "age", "--column", "income")
    assert "row 2 could conclude that row 1 has 85 to 95; the upper end is 5.56 % above the truth" in out


def test_negative_numbers_are_never_called_safe(run) -> None:
    Path("data.csv").write_text("x;y\n1;-5\n2;3\n9;4\n8;1\n")
    status, out, err = run("microaggregate", "--keep-order", "data.csv", "--k", "2", "--output", "out.csv")
    assert status == 0
    assert "undefined (negative numbers), not safe" in out
    status, out, err = run(
        "microaggregate", "--keep-order", "data.csv", "--k", "2", "--compliant", "--output", "none.csv"
    )
    assert (status, out) == (2, "")
    assert "'y'" in err
    assert not Path("none.csv").exists()


def test_text_columns_stay_and_are_named(run) -> None:
    Path("data.csv").write_text('name,x,day\nAnn,1,2024-01-02\n=Bob,2,2024-01-03\nCem,"2,5",2024-01-04\n')
    status, _, err = run("microaggregate", "--keep-order", "data.csv", "--k", "2", "--output", "out.csv")
    assert status == 0, err
    assert "'name', 'day'" in err
    assert "formula" in err
    release = read_table("out.csv")
    assert release["name"].tolist() == ["Ann", "'=Bob", "Cem"]
    assert release["x"].astype(float).tolist() == pytest.approx([5.5 / 3] * 3)


def test_numbers_that_need_a_word_get_it(run) -> None:
    Path("data.csv").write_text("x;t\n1,250;2,100\n1,500;a\n2,000;b\n")
    status, _, err = run(
        "microaggregate", "--keep-order", "data.csv", "--k", "2", "--output", "out.csv", "--column", "x"
    )
    assert status == 2
    assert "--decimal" in err
    status, _, err = run(
        "microaggregate",
        "--keep-order",
        "data.csv",
        "--k",
        2,
        "--output",
        "out.csv",
        "--column",
        "x",
        "--decimal",
        "comma",
    )
    assert status == 0, err
    assert read_table("out.csv")["x"].astype(float).tolist() == pytest.approx([4.75 / 3] * 3)
    assert read_table("out.csv")["t"].tolist() == ["2,100", "a", "b"]


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (["--k", "1"], "k is 1"),
        (["--k", "151"], "151"),
        (["--k", "3", "--column", "petals"], "no column 'petals'"),
        (["--k", "3", "--dominance", "0,0.6"], "n = 0"),
        (["--k", "3", "--dominance", "2,1.6"], "from 0 to 1"),
        (["--k", "3", "--dominance", "2"], "N,R"),
        (["--k", "3", "--p", "0"], "above 0"),
        (["--k", "3", "--p", "-1"], "above 0"),
        (["--k", "3", "--p", "x"], "p is 'x'; give a number"),
        (["--k", "3", "--compliant", "--dominance", "2,0.01"], "one cluster of all"),
    ],
)
def test_bad_input_is_one_sentence_status_2_and_no_file(run, arguments, match) -> None:
    status, out, err = run("microaggregate", "--keep-order", IRIS, *arguments, "--output", "out.csv")
    assert (status, out) == (2, "")
    assert match in err
    assert err.count("\n") == 1
    assert not Path("out.csv").exists()


def test_an_output_over_the_input_is_refused(run) -> None:
    Path("data.csv").write_text("x\n1\n2\n")
    assert run("microaggregate", "--keep-order", "data.csv", "--k", "2", "--output", "data.csv")[0] == 2
    assert Path("data.csv").read_text() == "x\n1\n2\n"


@pytest.mark.parametrize(
    ("release", "by", "match"),
    [
        ("x\n1\n", "x", "same records in the same order"),
        ("x\n1\n2\n3\n", "y", "no column 'y'"),
    ],
)
def test_releases_that_do_not_belong_to_the_table(run, release, by, match) -> None:
    Path("data.csv").write_text("x\n1\n2\n3\n")
    Path("release.csv").write_text(release)
    status, out, err = run("sensitive-cells", "data.csv", "--release", "release.csv", "--by", by, "--json")
    assert (status, out) == (2, "")
    assert match in err


def test_the_published_table_keeps_rows_and_other_columns(run) -> None:
    table = pd.DataFrame({"id": ["c", "a", "b", "d"], "x": [5, 1, 2, 6], "note": ["", "m", "", "n"]})
    table.to_csv("data.csv", index=False)
    assert run("microaggregate", "--keep-order", "data.csv", "--k", "2", "--output", "out.csv")[0] == 0
    release = read_table("out.csv")
    assert list(release.columns) == ["id", "x", "note"]
    assert release["id"].tolist() == ["c", "a", "b", "d"]
    assert release["x"].astype(float).tolist() == [5.5, 1.5, 1.5, 5.5]


@pytest.mark.parametrize(
    ("method", "most", "said"), [("mdav", 149, True), ("mdav", 150, False), ("mondrian", 1, False)]
)
def test_of_many_records_mdav_is_said_to_be_quadratic(method, most, said, run, monkeypatch):
    monkeypatch.setattr(microaggregation, "MANY", most)
    status, _, err = run("microaggregate", IRIS, "--k", 5, "--method", method, "--output", "release.csv")
    assert status == 0
    assert ("MDAV looks at all 150 records again for each cluster" in err) == said
    assert ("--method mondrian takes seconds" in err) == said
