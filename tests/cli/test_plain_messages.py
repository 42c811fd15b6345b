"""What a message says is true, and leads to what has to be changed."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pandas as pd
import pytest

from cra_engine import Attribute, DataError, Study, StudyError, attack, read_release, recode, synthesize
from cra_engine.cli.commands import main
from every_command import CALLS


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """Run a command in a folder with a table and its study; status, stdout and stderr."""
    made = synthesize("toy")
    made.data.to_csv(tmp_path / "data.csv", index=False)
    made.study.to_toml(tmp_path / "study.toml")
    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr("sys.argv", ["cra-engine", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        return (ended.value.code or 0, *capsys.readouterr())

    return run


RECODE = ("recode", "data.csv", "--study", "study.toml", "--output", "release.csv")


@pytest.mark.parametrize(
    ("right", "wrong", "place"),
    [
        ("layers", "layer", "attribute.1.layer"),
        ("[[attribute]]", "[[atribute]]", "atribute"),
        ("lower", "low", "attribute.1.low"),
    ],
)
def test_a_misspelt_name_is_what_a_study_file_is_told_of(right, wrong, place):
    text = 'k = 3\n[[attribute]]\nname = "age"\nlower = 0\nupper = 80\nlayers = 3\n'.replace(right, wrong)
    with pytest.raises(StudyError, match=f"'{place}' is not a setting that is known here"):
        Study.from_toml_text(text)


def test_an_output_in_a_folder_that_is_read_is_told_so(said, tmp_path):
    (tmp_path / "o.csv").write_text("age\n")
    status, _, err = said("recode", ".", "--study", "study.toml", "--output", "o.csv")
    assert status == 2
    assert "o.csv lies in the folder ., which is read; give the output another name" in err
    assert "is named twice" in said(*RECODE[:-1], "data.csv")[2]


def test_a_missing_hierarchy_file_is_told_with_who_names_it(said, tmp_path):
    (tmp_path / "study.toml").write_text('k = 3\n[[attribute]]\nname = "sex"\nhierarchy = "sexes.csv"\n')
    status, _, err = said(*RECODE)
    assert status == 2
    assert err.startswith("study.toml, attribute 'sex': sexes.csv cannot be read")


def test_numbers_on_the_command_line_are_asked_for_in_words(said):
    status, _, err = said(*RECODE, "--k", "3.5")
    assert status == 2
    assert err.startswith("Invalid value for '--k': a whole number is needed; see ")
    assert (
        "'--time-limit': a number is needed; see "
        in said("attack", "data.csv", "--study", "study.toml", "--time-limit", "long")[2]
    )


def test_a_command_that_is_nearly_one_is_asked_for_in_whole_sentences(said):
    err = said("saferecode")[2]
    assert err.startswith("No such command 'saferecode'. Did you mean 'safe-recode'")
    assert "? See " in err


def test_settings_of_the_tight_attack_without_it_are_told_to_do_nothing(said):
    assert said(*RECODE)[0] == 0
    attacked = ("attack", "release.csv", "--study", "study.toml")
    status, _, err = said(*attacked, "--seed", "5")
    assert status == 0
    assert "Note: --seed is for the attack with --tight; here it does nothing." in err
    assert "--seed" not in said(*attacked, "--tight", "--seed", "5")[2]
    assert said(*attacked)[2] == ""


def test_the_study_that_readers_of_a_safe_release_need_is_written(said, tmp_path):
    safe = ("safe-recode", "data.csv", "--study", "study.toml", "--epsilon", "0.5", "--output", "safe.csv")
    assert "--study-output writes it" in said(*safe)[1]
    status, out, _ = said(*safe, "--study-output", "safe.toml")
    assert status == 0
    assert "Readers need the study in safe.toml." in out
    study = Study.from_toml(tmp_path / "safe.toml")
    assert study == Study.from_toml(tmp_path / "study.toml").with_epsilon("0.5")
    assert attack(read_release(tmp_path / "safe.csv", study)).parts
    assert said(*safe, "--study-output", "study.toml")[0] == 2


def test_a_name_of_thousands_of_characters_does_not_fill_the_screen(said, tmp_path):
    Study([Attribute("w" * 5000, 0, 90, layers=2)], 3).to_toml(tmp_path / "study.toml")
    (tmp_path / "data.csv").write_text("age\n1\n")
    status, _, text = said(*RECODE)
    assert status == 2
    assert len(text) < 1100
    assert text.startswith("The table has no column 'www")
    assert text.rstrip().endswith("it has: 'age'.")


@pytest.mark.parametrize("name", [name for name, words in CALLS.items() if any(word[:4] == "new-" for word in words)])
def test_no_command_makes_a_file_named_dash(said, tmp_path, name):
    before = {path.name for path in tmp_path.iterdir()}
    command, *options = name.split()
    words = [word for word in options if word not in CALLS[name]]
    words += ["-" if word.startswith("new-") else word for word in CALLS[name]]
    status, out, err = said(command, *words)
    assert (status, out) == (2, "")
    assert err.startswith("- names no file; name the output.")
    assert {path.name for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("command", ["check", "audit", "compare"])
def test_an_answer_that_would_go_nowhere_is_asked_for(said, command):
    status, out, err = said(command, "data.csv", "--study", "study.toml")
    assert (status, out) == (2, "")
    assert "name a page with --output, or have it printed with --json" in err


# ---------------------------------------------------------------- without the libraries that not everybody installs

WITHOUT = (
    "import sys; sys.modules |= {'pyarrow': None, 'distributed': None}; import cra_engine.cli.commands as program; "
)
WITHOUT += "program.main()"
RECODED = ("--study", "study.toml", "--output", "release.csv")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("recode", "none.parquet", *RECODED),
            "none.parquet cannot be read: No such file or directory; correct its name, ",
        ),
        (
            ("recode", "none.csv", *RECODED, "--streaming"),
            "none.csv cannot be read: No such file or directory; correct its name, ",
        ),
        (("audit", "nothing", "--json"), "The folder nothing holds no .parquet file and no .csv file; give the "),
        (("roles", "parts"), "The library pyarrow, which reads and writes Parquet, folders of parts, and tables "),
        (("recode", "parts", *RECODED, "--backend", "dask"), "The library distributed, which a Dask cluster runs on,"),
        (("check", "parts", "--study", "study.toml", "--json", "--scheduler", "tcp://x:1"), "The library distributed,"),
    ],
)
@pytest.mark.usefixtures("said")
def test_what_is_not_there_is_said_before_a_library_that_would_read_it(tmp_path, words, sentence):
    (tmp_path / "nothing").mkdir()
    (tmp_path / "parts").mkdir()
    (tmp_path / "data.csv").rename(tmp_path / "parts" / "data.csv")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *words, "--quiet"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(sentence), done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_part_of_the_program_for_a_cluster_brings_along_what_reads_parts():
    text = (Path(__file__).resolve().parents[2] / "pyproject.toml").read_text("utf-8")
    assert "cra-explorer[streaming]" in tomllib.loads(text)["project"]["optional-dependencies"]["cluster"]


def test_a_table_that_pandas_read_in_one_column_is_told_so():
    read = pd.DataFrame({"id;age": ["1;34", "2;35", "3;36"]})
    with pytest.raises(
        DataError, match=r"no column 'age'.* Its one column holds delimiters: read the file by read_table"
    ):
        recode(read, Study([Attribute("age", 0, 80, 3)], k=2))
