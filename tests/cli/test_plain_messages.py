"""What a message says is true, and leads to what has to be changed."""

import pytest

from cra_engine import Attribute, Study, StudyError, attack, read_release, synthesize
from cra_engine.cli.commands import main


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
