"""Which columns of a released table are its quasi-identifiers: named, proposed, and in doubt."""

import json
import random
from itertools import product

import pandas as pd
import pytest
from typer.testing import CliRunner

from cra_engine import Attribute, CRAError, Roles, Study, recode
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.audits.audit import audit
from cra_engine.audits.quasi_identifiers import quasi_identifiers
from cra_engine.audits.report import audit_html
from cra_engine.cli.commands import app
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.hierarchy_files import hierarchy_text

NUMBERS = ("age", "weight", "pulse")
SEX = FileHierarchy("sex", (("f", "f", "*"), ("m", "m", "*")))
WARD = FileHierarchy("ward", tuple((name, name, "*") for name in ("A", "B", "C")))
STUDY = Study([*(Attribute(name, 0, 64, 2) for name in NUMBERS), SEX, WARD], k=12)


@pytest.fixture(scope="module")
def released():
    """Five quasi-identifiers, two of which never show ``*``: everybody is in a class of a sex and a ward."""
    rng = random.Random(1)
    # Six of the eight corners hold few of each sex and ward, the other two many: only the few show * for all numbers.
    corners = [corner for corner in product((0, 32), repeat=3) if len(set(corner)) > 1]
    few = [(corners[row // 6 % 6], row % 6) for row in range(90)]
    many = [((row // 6 % 2 * 32,) * 3, row % 6) for row in range(240)]
    spread = [
        [*(start + rng.randrange(32) for start in corner), "fm"[own % 2], "ABC"[own // 2]] for corner, own in few + many
    ]
    rows = [[*record, rng.choice(["flu", "burn"])] for record in spread]
    table = recode(pd.DataFrame(rows, columns=[*STUDY.names, "illness"]), STUDY).frame.astype(str)
    assert not (table[["sex", "ward"]] == "*").any().any()
    assert (table[list(NUMBERS)] == "*").all(axis=1).sum() > 20
    return table


def figures(audited):
    """All that is counted of each class; all classes together take a time that no test should depend on."""
    shown = audited.to_dict()
    words = {"warnings", "findings", "supposed", "verdict", "doubtful", "tight", "gs_factor_supposed"}
    return {key: shown[key] for key in shown if key not in words}


def test_named_quasi_identifiers_are_all_used_and_tell_what_the_study_tells(released):
    trees = {attribute.name: attribute for attribute in STUDY.attributes}
    by_study = audit(released, STUDY, time_limit=0)
    by_name = audit(released, hierarchies=trees, qi=STUDY.names, k=12, profile="paper", time_limit=0)
    assert by_name.release.study.names == STUDY.names
    assert figures(by_name) == figures(by_study)
    mine, theirs = TightSystem(by_name.release), TightSystem(by_study.release)
    assert mine.cells == theirs.cells
    assert [h.bounds for h in mine.hypotheses] == [h.bounds for h in theirs.hypotheses]
    assert by_name.doubtful == ()
    assert by_name.release.suppressed == 0


def test_named_without_a_file_they_show_the_same_classes(released):
    by_study = audit(released, STUDY, time_limit=0)
    by_name = audit(released, qi=STUDY.names, k=12, time_limit=0)
    assert sorted(c.size for c in by_name.release.classes) == sorted(c.size for c in by_study.release.classes)
    assert by_name.release.suppressed == by_study.release.suppressed == 0
    assert len(by_name.proposals) == 5
    assert not any("suppressed" in finding for finding in by_name.findings)


def test_left_out_they_are_proposed_and_the_doubt_comes_first(released):
    audited = audit(released, time_limit=0)
    rooted = int((released[list(NUMBERS)] == "*").all(axis=1).sum())
    assert audited.release.study.names == NUMBERS
    assert {"sex", "ward"} <= set(audited.doubtful)
    assert audited.findings[0].startswith("In doubt: whether")
    assert f"the {rooted} records that show * in all others are not suppressed" in audited.findings[0]
    assert f"{rooted} records are suppressed" not in " ".join(audited.findings)
    assert audited.verdict != "ready"
    assert "In doubt" in audit_html(audited)
    assert set(audited.to_dict()["doubtful"]) == set(audited.doubtful)
    certain = [finding for finding in audited.findings if "for certain, known" in finding]
    assert all("are all quasi-identifiers" in finding for finding in certain)


def test_a_column_that_leaves_somebody_alone_is_no_quasi_identifier():
    table = pd.DataFrame(
        {
            "age": ["[0, 20["] * 4 + ["[20, 40["] * 4,
            "town": ["Ulm"] * 4 + ["Bonn"] * 2 + ["Ulm"] * 2,
            "note": ["x"] * 3 + ["y"] + ["x"] * 4,
            "empty": [""] * 8,
        }
    )
    assert quasi_identifiers(table, {}).doubtful == ("town",)


def test_a_column_of_nothing_but_stars_is_left_out_and_said():
    table = pd.DataFrame({"age": ["[0, 20["] * 4 + ["[20, 40["] * 4 + ["*"], "race": ["*"] * 9})
    audited = audit(table)
    assert audited.release.study.names == ("age",)
    assert "The column 'race' shows * in every row; it tells nothing and is left out." in audited.warnings
    assert audit(table, qi=["age", "race"]).release.study.names == ("age",)
    with pytest.raises(CRAError, match="'race' shows \\* in every row"):
        audit(table, qi=["race"])


def test_a_named_column_of_numbers_or_of_one_value_is_taken():
    table = pd.DataFrame(
        {"age": ["[0, 20["] * 4 + ["[20, 40["] * 4, "floor": ["1"] * 4 + ["2"] * 4, "town": ["Ulm"] * 8}
    )
    audited = audit(table, qi=["age", "floor", "town"])
    assert audited.release.study.names == ("age", "floor", "town")
    assert [c.size for c in audited.release.classes] == [4, 4]
    assert audited.release.suppressed == 0


def test_what_cannot_be_named():
    table = pd.DataFrame({"age": ["[0, 20["] * 4 + ["[20, 40["] * 4})
    with pytest.raises(CRAError, match="no column 'size'"):
        audit(table, qi=["size"])
    with pytest.raises(CRAError, match="not among the named"):
        audit(table.assign(sex="f"), hierarchies={"sex": SEX}, qi=["age"])
    study = Study([Attribute("age", 0, 40, 2)], 2)
    with pytest.raises(CRAError, match="leave one of both out"):
        audit(table.assign(sex="f"), study, qi=["age", "sex"])
    assert audit(table, study, qi=["age"]).release.study == study.changed(profile="paper")


def test_the_command_takes_names(tmp_path, released):
    release, output, folder = tmp_path / "release.csv", tmp_path / "report.html", tmp_path / "trees"
    released.to_csv(release, index=False, sep=";")
    folder.mkdir()
    for tree in STUDY.attributes:
        (folder / f"{tree.name}.csv").write_text(hierarchy_text(tree), encoding="utf-8")
    named = [part for name in STUDY.names for part in ("--qi", name)]
    asked = ["audit", str(release), "--output", str(output), "--k", "12", "--time-limit", "0", "--json"]
    result = CliRunner().invoke(app, [*asked, *named, "--hierarchies", str(folder), "--profile", "paper"])
    assert result.exit_code == 0, result.output
    shown = json.loads(result.stdout)
    assert shown["attributes"] == list(STUDY.names)
    assert shown["suppressed"] is None
    proposed = json.loads(CliRunner().invoke(app, asked).stdout)
    assert proposed["findings"][0].startswith("In doubt")
    assert proposed["attributes"] == list(NUMBERS)


DIAGNOSES = ["E11.9", "J06.9", "I10", "M54.5", "K52.9"]


def handed_out(few):
    """A table as this program hands it out: where few rows are suppressed, their diagnoses are hidden, too."""
    rows = [(f"[{low}, {low + 20}[", DIAGNOSES[place]) for low in (20, 40) for place in range(5)]
    if few == "alike":
        rows = [row for row in rows for _ in range(2)]
    return pd.DataFrame([*rows, ("*", "*"), ("*", "*")], columns=["age", "found"])


@pytest.mark.parametrize("few", ["each", "alike"])
def test_diagnoses_that_were_hidden_with_their_rows_are_sensitive_as_they_are_with_the_study(few):
    table = handed_out(few)
    read = quasi_identifiers(table, {})
    assert [one.name for one in read.attributes] == ["age"]
    assert [one.name for one in read.sensitive] == ["found"]
    study = Study([Attribute("age", 20, 60, 2)], 5 if few == "each" else 10).with_roles(Roles(sensitive=["found"]))
    alone, known = audit(table, time_limit=2), audit(table, study, time_limit=2)
    assert "The column 'found' is taken as sensitive: its cells are codes of diagnoses (ICD-10)." in alone.warnings
    assert alone.checked.diversity == known.checked.diversity
    assert alone.release.k == study.k


def test_a_diagnosis_that_is_hidden_alone_or_named_is_known_to_others():
    """A star beside shown intervals is a label of the publisher's, whatever the column looks like."""
    table = handed_out("alike")
    table.loc[[0, 1, 2, 3], "found"] = "*"
    assert [one.name for one in quasi_identifiers(table, {}).attributes] == ["age", "found"]
    named = quasi_identifiers(handed_out("alike"), {}, ["age", "found"])
    assert [one.name for one in named.attributes] == ["age", "found"]
    assert not named.sensitive
