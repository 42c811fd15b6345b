"""A study begun from a table by the command roles."""

import json
import tomllib

import pytest

from cra_engine import Study, read_table
from cra_engine.raw.contents import inspect, proposed_study

HEAD = "Name;Age;Sex;Postcode;Admitted;Arm;Diagnosis\n"
FAMILY, OWN = ("Meier", "Frei", "Rossi"), ("Ada", "Bo", "Cy", "Di")
ROWS = [
    f"{FAMILY[row % 3]} {OWN[row % 4]};{18 + row * 7 % 70 if row % 40 else ''};{'FM'[row % 2]};"
    f"{('8001', '8045', '8126')[row % 3]};{1 + row % 27:02}.{1 + row % 12:02}.2024;{'ABC'[row % 3]};"
    f"{('flu', 'gout', 'asthma')[row % 5 % 3]}\n"
    for row in range(120)
]


@pytest.fixture
def begun(run, tmp_path):
    """Run the command line in a folder with a table."""
    (tmp_path / "people.csv").write_text(HEAD + "".join(ROWS), encoding="utf-8")
    return run


def test_it_can_be_used_as_it_is_written(begun, tmp_path):
    status, out, err = begun("roles", "people.csv", "--output", "study.toml")
    assert status == 0, err
    assert "Study in study.toml, its hierarchies beside it in Sex.csv and Postcode.csv." in out
    study = Study.from_toml(tmp_path / "study.toml")
    assert study.names == ("Age", "Sex", "Postcode", "Admitted")
    assert (study.roles.remove, study.roles.sensitive, study.roles.keep) == (("Name",), ("Diagnosis",), ())
    assert [one.missing for one in study.attributes] == ["leave-out", "", "", ""]  # 3 rows of 120
    status, _, err = begun("recode", "people.csv", "--study", "study.toml", "--output", "release.csv")
    assert status == 0, err
    assert len(read_table(tmp_path / "release.csv")) == 117


@pytest.mark.parametrize("rows", [120, 30])  # where few values are missing, and where many are
def test_it_is_what_the_dashboard_proposes_but_for_missing_values_which_that_asks_about(begun, tmp_path, rows):
    (tmp_path / "people.csv").write_text(HEAD + "".join(ROWS[:rows]), encoding="utf-8")
    assert begun("roles", "people.csv", "--output", "study.toml")[0] == 0
    written = Study.from_toml(tmp_path / "study.toml")
    proposed = proposed_study(inspect(read_table(tmp_path / "people.csv")))
    assert len(written.names) > 2
    assert written.changed(attributes=[one.with_missing("") for one in written.attributes]) == proposed


def test_each_block_says_what_to_confirm(begun, tmp_path):
    begun("roles", "people.csv", "--output", "study.toml")
    text = (tmp_path / "study.toml").read_text(encoding="utf-8")
    said = text.split("[[attribute]]")
    for name, comments in zip(("Age", "Sex", "Postcode", "Admitted"), said, strict=False):
        assert f"# {name}: " in comments
    assert '# 3 missing values; "leave-out", "category" or "*"?' in text
    assert "# Arm: undecided, and published as it stands until a list below names it" in text
    assert "# Name: removed; its cells look like names of people." in text


def test_one_value_in_several_spellings_is_told(begun, tmp_path):
    rows = "".join(row.replace(";F;", ";weiblich;") if place % 20 == 0 else row for place, row in enumerate(ROWS))
    (tmp_path / "people.csv").write_text(HEAD + rows, encoding="utf-8")
    assert begun("roles", "people.csv", "--output", "study.toml")[0] == 0
    said = " ".join((tmp_path / "study.toml").read_text(encoding="utf-8").replace("# ", "").split())
    assert "One value seems to be written in several ways: weiblich for F. Write them alike in the table first." in said


def test_somebody_can_say_what_others_know(begun, tmp_path):
    status, out, _ = begun(
        "roles", "people.csv", "--qi", "Arm", "--qi", "Age", "--output", "own.toml", "--keep", "--json"
    )
    assert status == 0
    assert Study.from_toml(tmp_path / "own.toml").names == ("Arm", "Age")
    roles = {column["name"]: column["role"] for column in json.loads(out)["columns"]}
    assert (roles["Arm"], roles["Age"], roles["Name"]) == ("quasi-identifier", "quasi-identifier", "removed")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--output", "people.csv"), "people.csv is named twice"),
        (("--output", "there.toml"), "there.toml is there already; give another name"),
        (("--output", "new.toml", "--qi", "Agee"), "The table has no column 'Agee'; it has: 'Name', 'Age'"),
        (("--output", "new.toml", "--qi", "Name"), "The column 'Name' says who somebody is"),
        (("--qi", "Age"), "--qi belongs to a first study"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_nothing_is_written(begun, tmp_path, arguments, sentence):
    (tmp_path / "there.toml").write_text("mine", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    status, out, err = begun("roles", "people.csv", *arguments)
    assert (status, out) == (2, "")
    assert sentence in err
    assert len(err.splitlines()) == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_hierarchy_file_of_somebody_stays(begun, tmp_path):
    (tmp_path / "Sex.csv").write_text("F;woman;*\nM;man;*\n", encoding="utf-8")
    status, _, err = begun("roles", "people.csv", "--output", "study.toml")
    assert status == 2
    assert "Sex.csv is there already and is not the hierarchy that the study would write there" in err
    assert not (tmp_path / "study.toml").exists()


def test_names_that_no_comment_may_hold_and_more_columns_than_a_study_has_room_for(begun, tmp_path):
    names = [f"age {number}\x7f" if number == 3 else f"age {number}" for number in range(9)]
    rows = [";".join(str((row * (7 + number)) % 80) for number in range(9)) for row in range(120)]
    (tmp_path / "wide.csv").write_text("\n".join([";".join(names), *rows]) + "\n", encoding="utf-8")
    status, _, err = begun("roles", "wide.csv", "--output", "wide.toml")
    assert status == 0, err
    assert "There is no room for" in err
    study = Study.from_toml(tmp_path / "wide.toml")
    tomllib.loads((tmp_path / "wide.toml").read_text(encoding="utf-8"))
    assert 4 ** len(study.names) <= 20_000 < 4 ** (len(study.names) + 1)
    assert "age 8" in (tmp_path / "wide.toml").read_text(encoding="utf-8")


def test_nothing_that_others_know_is_said(begun, tmp_path):
    text = "arm,said\n" + "".join(f"{'AB'[row % 2]},{chr(97 + row % 26)}{row}\n" for row in range(40))
    (tmp_path / "codes.csv").write_text(text, encoding="utf-8")
    status, _, err = begun("roles", "codes.csv", "--output", "none.toml")
    assert (status, "name those that they know with --qi" in err) == (2, True)
    status, _, err = begun("roles", "codes.csv", "--qi", "said", "--output", "none.toml")
    assert (status, "The column 'said'" in err) == (2, True)
