"""The last look at a release: right ones pass, and each way to be wrong is caught."""

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_engine import recode
from cra_engine.cli import commands as cli
from cra_engine.publish.check import ReleaseCheck, ReleaseCheckError, check_release
from cra_engine.study.attribute import Attribute
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.study import Study
from strategies import cases

TOWN = FileHierarchy("town", (("Ulm", "south", "*"), ("Bonn", "west", "*"), ("Aachen", "west", "*")))
NAMED = FileHierarchy("w", (("1", "[0, 2[", "low", "*"), ("3", "[2, 4[", "low", "*"), ("5", "[4, 6[", "high", "*")))
STUDY = Study([Attribute("age", 0, 80, 3), TOWN], 2)
RAW = pd.DataFrame(
    {
        "id": ["p1", "p2", "p3", "p4", "p5"],
        "age": ["5", "19.5", "79", "60", "40"],
        "town": ["Bonn", "Aachen", "Ulm", "Ulm", "Ulm"],
        "score": [0.5, None, 2.0, 3.0, 4.0],
    }
)
GOOD = RAW.assign(age=["[0, 20[", "[0, 20[", "[40, 80[", "[40, 80[", "*"], town=["west", "west", "south", "south", "*"])


def test_a_release_worked_out_by_hand_passes():
    check_release(RAW, STUDY, GOOD)
    check_release(RAW, STUDY, GOOD.astype({"age": "category", "town": "category"}))


def changed(column, row, value):
    table = GOOD.copy()
    table.loc[row, column] = value
    return table


@pytest.mark.parametrize(
    ("published", "found"),
    [
        (GOOD.iloc[:4], "it has 4 records instead of 5"),
        (GOOD[["age", "id", "town", "score"]], "its columns are not those of the table"),
        (changed("id", 2, "p9"), r"column 'id', row 3 \(4 in a spreadsheet\), was changed"),
        (changed("score", 1, 1.0), r"column 'score', row 2 \(3 in a spreadsheet\), was changed"),
        (changed("score", 0, None), r"column 'score', row 1 \(2 in a spreadsheet\), was changed"),
        (
            changed("age", 1, "[20, 40["),
            r"column 'age', row 2 \(3 in a spreadsheet\): '\[20, 40\[' does not cover the raw value",
        ),
        (
            changed("age", 2, "[40, 79["),
            r"column 'age', row 3 \(4 in a spreadsheet\): '\[40, 79\[' is no label of its hierarchy",
        ),
        (changed("age", 2, "79"), r"column 'age', row 3 \(4 in a spreadsheet\): '79' is no label"),
        (changed("age", 2, None), r"column 'age', row 3 \(4 in a spreadsheet\): .* is no label"),
        (
            changed("town", 0, "south"),
            r"column 'town', row 1 \(2 in a spreadsheet\): 'south' does not cover the raw value",
        ),
        (changed("town", 0, "north"), r"column 'town', row 1 \(2 in a spreadsheet\): 'north' is no label"),
        (changed("age", 0, "[0, 40["), "2 of its groups hold fewer than k = 2 records, the smallest 1"),
        (changed("town", 4, "south"), "1 of its groups hold fewer than k = 2 records"),
    ],
)
def test_what_is_wrong_is_caught(published, found):
    with pytest.raises(ReleaseCheckError, match=f"failed its last check and is not handed out: .*{found}"):
        check_release(RAW, STUDY, published)


def test_names_of_intervals_cover_what_they_gather():
    raw = pd.DataFrame({"w": ["1", "3", "5", "5"]})
    study = Study([NAMED], 2)
    check_release(raw, study, pd.DataFrame({"w": ["low", "low", "high", "high"]}))
    with pytest.raises(ReleaseCheckError, match=r"row 2 \(3 in a spreadsheet\): 'high' does not cover"):
        check_release(raw, study, pd.DataFrame({"w": ["low", "high", "high", "high"]}))


def test_pieces_are_judged_together():
    check = ReleaseCheck(STUDY)
    for row in range(5):
        check.add(RAW.iloc[[row]], GOOD.iloc[[row]])
    check.finish()
    check = ReleaseCheck(STUDY)
    check.add(RAW.iloc[:3], GOOD.iloc[:3])
    with pytest.raises(ReleaseCheckError, match="1 of its groups"):
        check.finish()
    with pytest.raises(ReleaseCheckError, match=r"row 4 \(5 in a spreadsheet\): "):
        check.add(RAW.iloc[[3]], changed("age", 3, "[0, 20[").iloc[[3]])


@settings(max_examples=40)
@given(cases(), st.sampled_from(["paper", "arx"]))
def test_every_recoding_passes(case, ties):
    recoding = recode(case.data, case.study, ties=ties)
    check_release(case.data, case.study, recoding.frame)


def test_nothing_is_written_when_the_check_fails(tmp_path, monkeypatch, capsys):
    # A recoding that swaps two records: every group still holds k.
    monkeypatch.chdir(tmp_path)
    RAW.to_csv("data.csv", index=False)
    STUDY.to_toml("study.toml")
    honest = recode

    def swapping(data, study, *, ties):
        made = honest(data, study, ties=ties)
        return replace(made, frame=made.frame.iloc[[2, 1, 0, 3, 4]])

    monkeypatch.setattr("cra_engine.recode", swapping)
    monkeypatch.setattr(
        "sys.argv", ["cra-engine", "recode", "data.csv", "--study", "study.toml", "--output", "out.csv"]
    )
    with pytest.raises(SystemExit) as caught:
        cli.main()
    out, err = capsys.readouterr()
    assert (caught.value.code, out) == (2, "")
    assert "The release failed its last check and is not handed out" in err
    assert not (tmp_path / "out.csv").exists()
