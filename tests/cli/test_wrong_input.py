"""Everything that is wrong gets one sentence and status 2 on the command line, and leaves no file."""

import io
import zipfile
from pathlib import Path

import pytest

from done import process

STUDY = """
k = 3
[[attribute]]
name = "age"
lower = 0
upper = 80
layers = 3
[[attribute]]
name = "weight"
lower = 0
upper = 160
layers = 3
"""


DATA = "id,age,weight\n" + "".join(f"{i},{7 * i % 80},{11 * i % 160}\n" for i in range(30))


LABELS = "age;weight\n" + "[0, 20[;[0, 40[\n" * 3


def zipped():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return content.getvalue()


RECODE_IT = ("recode", "data.csv", "--study", "study.toml", "--output", "out.csv", "--json")


ATTACK_IT = ("attack", "release.csv", "--study", "study.toml", "--json")


LIST_IT = ("attack", "release.csv", "--study", "study.toml", "--json")


SINGLE_IT = ("single-out", "release.csv", "--study", "study.toml", "--json")


MAKE_IT = ("synthesize", "clinic", "--output", "out.csv", "--study", "out.toml")


def data(text):
    return {"data.csv": text}


def study(old, new):
    assert old in STUDY
    return {"study.toml": STUDY.replace(old, new, 1)}


def out_of_domain():
    lines = DATA.splitlines()
    for row, cells in ((4, "x,-1,5"), (9, "x,80,5"), (11, "x,81.5,5"), (20, "x,900,5")):
        lines[row] = cells
    return "\n".join(lines)


WRONG = {
    "k below 2": ({}, (*RECODE_IT, "--k", 1), "k is 1; it must be 2 or more"),
    "k of 0": ({}, (*ATTACK_IT, "--k", 0), "k is 0; it must be 2 or more"),
    "k above the records": ({}, (*RECODE_IT, "--k", 31), "k = 31 is more than the 30 records"),
    "k below 2 in the study": (study("k = 3", "k = 1"), RECODE_IT, "k is 1; it must be 2 or more"),
    "attribute not in the table": (
        data("id,age\n1,2\n3,4\n5,6\n"),
        RECODE_IT,
        "has no column 'weight'; it has: 'id', 'age'",
    ),
    "values outside the domain": (
        data(out_of_domain()),
        RECODE_IT,
        "Column 'age': 4 values outside the domain [0, 80[: -1 in row 4, 80 in row 9, 81.5 in row 11 (5, 10, 12 in a",
    ),
    "text among numbers": (
        data("age,weight\n1,2\nold,4\n5,6\n"),
        RECODE_IT,
        "Column 'age': 1 cell with text where a number is needed: 'old' in row 2",
    ),
    "a letter that was taken for a digit": (
        data("age,weight\n11,2\n3O,4\n52,6\n"),
        RECODE_IT,
        "Column 'age': 1 cell with text where a number is needed: '3O' in row 2",
    ),
    "missing values": (
        data("age,weight\n1,2\n3,\n,6\n5,6\n7,\n"),
        RECODE_IT,
        "Column 'age': 1 missing value in row 3 (4 in a spreadsheet)",
    ),
    "empty file": (data(""), RECODE_IT, "data.csv is empty"),
    "header only": (data("age,weight\n"), RECODE_IT, "The table holds no record"),
    "layers that do not divide": (
        study("upper = 80", "upper = 82"),
        RECODE_IT,
        "Attribute 'age': 82 values cannot be split into 4 equal leaves (3 layers, fanout 2); take upper = 84",
    ),
    "attribute twice": (study('"weight"', '"age"'), RECODE_IT, "Attribute 'age' appears twice in the study"),
    "column twice": (data("age,weight,age\n1,2,3\n"), RECODE_IT, "data.csv: the column name 'age' appears twice"),
    "row too short": (
        data("age,weight\n1,2\n3\n"),
        RECODE_IT,
        "data.csv, row 2 (3 in a spreadsheet): 1 cells where the first line names 2",
    ),
    "an Excel file": (data(zipped()), RECODE_IT, "data.csv is an Excel or zip file, not a CSV text"),
    "broken quotes": (data('age,weight\n1,"2\n'), RECODE_IT, "data.csv is not a well-formed CSV"),
    "a name of two lines": (
        data('"age\n(years)",weight\n1,2\n'),
        RECODE_IT,
        "has no column 'age'; it has: 'age\\n(years)'",
    ),
    "no data file": ({"data.csv": None}, RECODE_IT, "data.csv cannot be read: No such file"),
    "no study file": ({"study.toml": None}, RECODE_IT, "The study file study.toml cannot be read: No such file"),
    "no release file": ({"release.csv": None}, ATTACK_IT, "release.csv cannot be read: No such file"),
    "study is no TOML": ({"study.toml": "k = = 3"}, ATTACK_IT, "study.toml is not valid TOML"),
    "study is a CSV": ({"study.toml": DATA}, ATTACK_IT, "study.toml is not valid TOML"),
    "study is an Excel file": ({"study.toml": zipped()}, ATTACK_IT, "study.toml is not"),
    "study setting misspelt": (study("layers", "leyers"), ATTACK_IT, "'attribute.1.layers' is missing"),
    "a category without its hierarchy": (
        {"study.toml": STUDY + '\n[[attribute]]\nname = "sex"\n'},
        RECODE_IT,
        "the attribute 'sex' has no hierarchy. For categories write hierarchy = \"FILE.csv\"",
    ),
    "study without k": (study("k = 3", ""), ATTACK_IT, "'k' is missing"),
    "unknown profile": (study("k = 3", 'k = 3\nprofile = "x"'), ATTACK_IT, "Profile 'x' is unknown"),
    "too many cells to attack": (
        {
            "study.toml": STUDY.replace("upper = 80", "upper = 4096")
            .replace("upper = 160", "upper = 4096")
            .replace("layers = 3\n", "layers = 12\n"),
            "release.csv": LABELS.splitlines()[0] + "\n" + "[0, 4096[;[0, 4096[\n" * 3,
        },
        ATTACK_IT,
        "take fewer attributes or fewer layers",
    ),
    "a label of another study": (
        {"release.csv": LABELS + "[0, 30[;*\n" * 3},
        ATTACK_IT,
        "Column 'age', row 4 (5 in a spreadsheet): '[0, 30[' is no interval of this study's hierarchy",
    ),
    "a raw table for the release": (
        {"release.csv": DATA},
        ATTACK_IT,
        "Every record shows raw values ('age' among them)",
    ),
    "a class smaller than k": (
        {"release.csv": LABELS + "[20, 40[;*\n" * 2},
        ATTACK_IT,
        "The class age in [20, 40[ of row 4 (5 in a spreadsheet), has 2 records, fewer than k = 3; this is not a",
    ),
    "a release of a smaller k": ({}, (*ATTACK_IT, "--k", 4), "has 3 records, fewer than k = 4"),
    "a release without a column": ({"release.csv": "age\n*\n"}, ATTACK_IT, "The table has no column 'weight'"),
    "an empty release": ({"release.csv": ""}, ATTACK_IT, "release.csv is empty"),
    "a release without records": ({"release.csv": "age;weight\n"}, ATTACK_IT, "The release holds no record"),
    "a class that is not there": ({}, (*LIST_IT, "--list", 1), "There is no class 1; give 0 to 0."),
    "a negative class": ({}, (*LIST_IT, "--list", -2), "There is no class -2; give 0 to 0."),
    "no suppressed records to list": ({}, (*LIST_IT, "--list", -1), "There is no class -1; give 0 to 0."),
    "only suppressed records to list": (
        {"release.csv": "age;weight\n*;*\n"},
        (*LIST_IT, "--list", 0),
        "There is no class 0; there is none, or -1 for the suppressed records.",
    ),
    "raw table of another size": ({}, (*SINGLE_IT, "--data", "data.csv"), "raw table has 30 rows and the release 3"),
    "raw table of other people": (
        data("age,weight\n1,2\n70,4\n5,6\n"),
        (*SINGLE_IT, "--data", "data.csv"),
        "No assignment of the raw table's records to the release's rows fits",
    ),
    "nothing possible": (
        {"release.csv": "age;weight\n" + "[0, 40[;*\n" * 9},
        SINGLE_IT,
        "Class 0: no data satisfy its constraints",
    ),
    "too many releases, said before one is read": (
        {},
        ("compose", *["nothing.csv"] * 21, "--study", "study.toml"),
        "21 releases are more than 20; compose fewer.",
    ),
    "an output folder that is not there": (
        {},
        ("recode", "data.csv", "--study", "study.toml", "--output", "nowhere/out.csv"),
        "nowhere/out.csv cannot be written: No such file",
    ),
    "an output folder that is not there is said before anything is read": (
        {"data.csv": None},
        ("recode", "data.csv", "--study", "study.toml", "--output", "nowhere/out.csv"),
        "nowhere/out.csv cannot be written: No such file",
    ),
    "an output over the input": (
        {},
        ("recode", "data.csv", "--study", "study.toml", "--output", "./data.csv"),
        "data.csv is named twice; give the output a file of its own",
    ),
    "an output that is a folder": (
        {},
        ("recode", "data.csv", "--study", "study.toml", "--output", "."),
        ". cannot be written: Is a directory",
    ),
    "a study that cannot be written": (
        {},
        ("synthesize", "toy", "--output", "out.csv", "--study", "nowhere/out.toml"),
        "nowhere/out.toml cannot be written",
    ),
    "table and study in one file": (
        {},
        ("synthesize", "toy", "--output", "out.csv", "--study", "out.csv"),
        "out.csv is named twice",
    ),
    "no records": ({}, (*MAKE_IT, "--records", 0), "The number of records is 0"),
    "negative seed": ({}, (*MAKE_IT, "--seed", -1), "The seed is -1"),
}


def place(files):
    """The folder with its files; None takes one away."""
    for name, content in ({"data.csv": DATA, "study.toml": STUDY, "release.csv": LABELS} | files).items():
        if isinstance(content, bytes):
            Path(name).write_bytes(content)
        elif content is not None:
            Path(name).write_text(content, encoding="utf-8")


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_in_one_sentence(run, case):
    files, arguments, message = WRONG[case]
    place(files)
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    done = run(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert message in done.err
    assert done.err.count("\n") == 1
    assert done.err.endswith(".\n")
    assert "Traceback" not in done.err
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before  # no output left


def test_the_cases_are_right_but_for_what_is_wrong(run):
    place({})
    for arguments in (RECODE_IT, ATTACK_IT, (*LIST_IT, "--list", 0), SINGLE_IT):
        assert run(*arguments).json
    assert run(*MAKE_IT).status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing",),
        ("attack", "release.csv"),
        (*ATTACK_IT, "--unknown"),
        (*ATTACK_IT, "--k", "five"),
        (*ATTACK_IT, "--ties", "arx"),
        (*LIST_IT, "--list", 0, "--limit", 0),
        (*LIST_IT, "--list"),
        ("recode", "data.csv", "--study", "study.toml"),
        ("synthesize", "nobody", "--output", "out.csv", "--study", "out.toml"),
    ],
)
def test_a_command_that_cannot_be_understood(run, arguments):
    place({})
    done = run(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert done.err.endswith("--help.\n")
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err
    assert not Path("out.csv").exists()


def test_a_process_that_fails_leaves_one_line_and_status_2(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "data.csv").write_bytes(zipped())
    done = process(*RECODE_IT, "-q", cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    said = "data.csv is an Excel or zip file, not a CSV text; save the table as CSV and take that file"
    assert done.err == f"{said}, or give it its own ending, .xlsx.\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv", "study.toml"]
