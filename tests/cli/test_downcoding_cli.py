"""The commands minimal, downcode, effective-anonymity and experiment --simulate: files, JSON, sentences."""

from pathlib import Path

import pandas as pd
import pytest

from json_shapes import fitting

FIGURE_2 = "Old,Rich,note\n1,1,=a\n0,0,b\n1,0,c\n0,0,d\n"
LADDER = "0;0;0-1;*\n1;1;0-1;*\n2;2;2;*\n"
TABLE = "sex;born;course\nF;1986;1\nF;?;1\n?;1986;1\nF;1990;1\nM;1986;1\nM;1986;1\nM;1991;2\n"


@pytest.fixture
def run(run):
    """Run the command line in a folder of its own; its exit status, stdout and stderr."""
    Path("data.csv").write_text(FIGURE_2)
    Path("flag.csv").write_text("0;0;*\n1;1;*\n")
    Path("ladder.csv").write_text(LADDER)
    Path("table.csv").write_text(TABLE)
    for name, columns, file in (("study", ("Old", "Rich"), "flag"), ("rungs", ("a", "b"), "ladder")):
        attributes = [f'[[attribute]]\nname = "{column}"\nhierarchy = "{file}.csv"\n' for column in columns]
        Path(f"{name}.toml").write_text("k = 2\n" + "".join(attributes))
    return run


def found(run, *arguments):
    status, out, err = run(*arguments, "--json")
    assert status == 0, err
    return fitting(arguments[0], out)


MINIMAL = ("minimal", "--keep-order", "data.csv", "--study", "study.toml", "--output", "release.csv")


def test_minimal_publishes_and_lists_every_minimal_release(run):
    result = found(run, *MINIMAL, "--seed", "1", "--all")
    assert list(result) == ["records", "k", "classes", "minimal", "warnings", "releases"]
    assert (result["records"], result["k"], result["classes"], result["minimal"]) == (4, 2, 2, True)
    assert sorted(" ".join("".join(row) for row in rows) for rows in result["releases"]) == [
        "** ** *0 *0",
        "** *0 *0 **",
        "1* 00 1* 00",
    ]
    release = pd.read_csv("release.csv", sep=";", dtype=str)
    assert release[["Old", "Rich"]].to_numpy().tolist() in result["releases"]
    assert release["note"].tolist() == ["'=a", "b", "c", "d"]


def test_minimal_says_it_in_words(run):
    status, out, err = run(*MINIMAL, "--all")
    assert status == 0
    assert out.startswith("4 records, k = 2: 2 classes. Release in release.csv.")
    assert "Minimal release 3 of 3:" in out
    assert "begin with an apostrophe" in err


def test_minimal_keeps_to_another_k(run):
    assert found(run, *MINIMAL, "--k", "4") == {"records": 4, "k": 4, "classes": 1, "minimal": True, "warnings": []}
    assert Path("release.csv").read_text().count("*;*") == 4


def test_downcode_refines_and_checks(run):
    Path("release.csv").write_text("a;b;note\n*;0-1;x\n*;0-1;y\n")
    asked = ("downcode", "release.csv", "--study", "rungs.toml", "--output", "z.csv")
    result = found(run, *asked)
    assert list(result) == ["attack", "refined", "delta_d", "why_not", "predicates", "log10_weights", "disjoint"]
    assert result["why_not"] is None
    assert (result["attack"], result["refined"], result["delta_d"], result["disjoint"]) == ("ladder", 2, 2, True)
    assert result["predicates"] == [["0-1", "1"], ["2", "0"]]
    assert pd.read_csv("z.csv", sep=";", dtype=str)["note"].tolist() == ["x", "y"]
    Path("truth.csv").write_text("a,b\n2,0\n0,1\n")
    result = found(run, *asked, "--data", "truth.csv")
    assert (result["generalizes"], result["isolating"]) == (True, 2)
    status, out, _ = run(*asked, "--data", "truth.csv")
    assert status == 0
    assert "refines 2 records of 2, each in 2 attributes at least" in out
    assert "still generalizes the data; 2 predicates of 2 true of exactly one record" in out
    assert "the release does not tell" in run(*asked)[1]


def test_downcode_says_that_it_found_nothing(run):
    Path("release.csv").write_text("a;b\n0;0\n0;0\n")
    asked = ("downcode", "release.csv", "--study", "rungs.toml", "--output", "z.csv")
    assert found(run, *asked)["predicates"] == []
    assert "Nothing is refined: 1 class shows 0 alone, so that nothing was generalized." in run(*asked)[1]


def test_simulations_have_the_promised_keys(run):
    clusters = found(run, "experiment", "--simulate", "clusters", "--runs", "5", "--seed", "1")
    assert list(clusters)[:7] == [
        *("runs", "fired_clusters", "correct_clusters", "refined_share", "predicates", "isolating", "minimal")
    ]
    assert clusters["runs"] == clusters["minimal"] == 5
    options = ("--records", "6", "--dimensions", "80", "--runs", "2", "--seed", "1", "--alpha", "0.01", "--k", "2")
    ladder = found(run, "experiment", "--simulate", "ladder", *options)
    assert ladder["domain"] == 3600
    assert len(ladder["results"]) == 2
    assert {"collision_free", "recovered", "generalizes"} <= set(ladder["results"][0])
    assert 0 < ladder["strict_share"] < 1
    status, out, err = run("experiment", "--simulate", "clusters", "--runs", "2", "--alpha", "0.1")
    assert status == 0
    assert "2 made-up tables, published and attacked; 2 of the releases are proven minimal" in out
    assert "--alpha plays no part" in err
    assert "12 made-up tables" in run("experiment", "--simulate", "ladder", "--runs", "12", "--records", "4")[1]


EA = ("effective-anonymity", "table.csv")
COLUMNS = ("--qi", "sex", "--qi", "born", "--qi", "course")


def test_effective_anonymity_of_a_table(run):
    result = found(run, *EA, *COLUMNS, "--missing", "?", "--output", "each.csv")
    assert (result["ea"], result["ea_amb"]) == ({"unique": 5, "below": 7}, {"unique": 1, "below": 6})
    each = pd.read_csv("each.csv", sep=";", dtype=str)
    assert list(each.columns) == ["sex", "born", "course", "ea", "ea_amb"]
    assert each["ea"].astype(int).tolist() == [1, 1, 1, 1, 2, 2, 1]
    assert each["ea_amb"].astype(int).tolist() == [3, 4, 5, 2, 3, 3, 1]
    assert found(run, *EA, *COLUMNS, "--missing", "?", "--below", "3")["ea_amb"] == {"unique": 1, "below": 2}
    status, out, _ = run(*EA, *COLUMNS, "--missing", "?")
    assert status == 0
    assert "a missing cell may be anything: 1 unique" in out


def test_effective_anonymity_of_a_release_by_its_study(run):
    Path("shown.csv").write_text("Old;Rich\n1;*\n1;0\n*;1\n")
    result = found(run, "effective-anonymity", "shown.csv", "--study", "study.toml", "--output", "each.csv")
    assert result["ea"] == {"unique": 3, "below": 3}
    assert pd.read_csv("each.csv", sep=";")["ea_amb"].tolist() == [3, 2, 2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*MINIMAL, "--k", "1"), "k is 1"),
        ((*MINIMAL, "--k", "5"), "fewer than k = 5"),
        ((*MINIMAL, "--seed", "-3"), "The seed is -3"),
        (("minimal", "data.csv", "--study", "rungs.toml", "--output", "release.csv"), "no column 'a'"),
        (("minimal", "data.csv", "--study", "study.toml", "--output", "flag.csv"), "flag.csv is named twice"),
        (("minimal", "none.csv", "--study", "study.toml", "--output", "release.csv"), "none.csv"),
        (("downcode", "data.csv", "--study", "rungs.toml", "--output", "release.csv"), "no column 'a'"),
        (
            ("downcode", "rungs.csv", "--study", "rungs.toml", "--data", "four.csv", "--output", "release.csv"),
            "4 rows and the release 2 rows",
        ),
        (("downcode", "rungs.csv", "--study", "rungs.toml", "--output", "rungs.csv"), "rungs.csv is named twice"),
        (("downcode", "rungs.csv", "--study", "rungs.toml", "--k", "3", "--output", "release.csv"), "fewer than k = 3"),
        (("downcode", "rungs.csv", "--study", "wide.toml", "--output", "release.csv"), "hierarchies of two shapes"),
        (("experiment", "--simulate", "ladder", "--alpha", "2"), "alpha is 2"),
        (("experiment", "--simulate", "clusters", "--clusters", "1"), "clusters is 1"),
        (("experiment", "--simulate", "circles"), "circles"),
        ((*EA, "--output", "release.csv"), "Name columns with --qi"),
        ((*EA, *COLUMNS, "--study", "study.toml"), "one of both"),
        ((*EA, *COLUMNS, "--below", "1"), "--below is 1"),
        ((*EA, "--qi", "age", "--output", "release.csv"), "no column 'age'"),
        ((*EA, *COLUMNS, "--output", "table.csv"), "table.csv is named twice"),
        (("effective-anonymity", "measured.csv", "--qi", "a", "--output", "release.csv"), "a column 'ea' already"),
    ],
)
def test_bad_input_is_one_sentence_and_no_file(run, arguments, words):
    Path("rungs.csv").write_text("a;b\n*;0-1\n*;0-1\n")
    Path("four.csv").write_text("a;b\n0;0\n1;0\n0;1\n1;1\n")
    Path("measured.csv").write_text("a;ea\n1;2\n")
    Path("four.csv").write_text("a;b\n" + "0;0\n" * 4)
    Path("wide.toml").write_text('k = 2\n[[attribute]]\nname = "a"\nlower = 0\nupper = 8\nlayers = 4\n')
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before
