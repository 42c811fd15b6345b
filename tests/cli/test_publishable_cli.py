"""The command ``publishable``: an archive that its own script makes again, or a sentence why there is none."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from cra_engine import Attribute, Roles, Rule, Study, StudyError, check, read_table, safe_recode, synthesize
from cra_engine.checks.project import ACCEPTED, Decision, Project
from cra_engine.cli.commands import main
from cra_engine.files.content import setting_text
from cra_engine.publishable import publishable, settings_of
from cra_engine.publishable.archive import MOST_OF_ROWS, rows_left_out, way_text
from cra_engine.release import read_release_table
from cra_engine.words import percent


@pytest.fixture
def folder(tmp_path):
    made = synthesize("toy")
    made.data.to_csv(tmp_path / "people.csv", index=False)
    made.study.to_toml(tmp_path / "study.toml")
    return tmp_path


def run(monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["cra-engine", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def repeated(folder):
    """Runs the script of the archive ``out`` in an empty folder."""
    empty = folder / "empty"
    empty.mkdir()
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = ["sh", str(folder / "out" / "keep" / "repeat.sh")]
    done = subprocess.run(script, cwd=empty, env=os.environ | {"PATH": programs}, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return empty, done


@pytest.mark.parametrize(
    ("keep", "way"),
    [("weight", "local"), pytest.param("weight=40", "local", marks=pytest.mark.exhaustive), ("weight", "safe")],
)
def test_the_script_makes_the_same_files_in_an_empty_folder(folder, monkeypatch, capsys, keep, way):
    data, out = folder / "people.csv", folder / "out"
    if way == "safe":
        made = synthesize("toy")
        safe_recode(made.data, made.study, 1, seed=1).study.to_toml(folder / "study.toml")
    words = ("--study", folder / "study.toml", "--time-limit", "120", "--keep", keep, "--output", out)
    assert run(monkeypatch, "publishable", data, *words, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert {one["verdict"] for one in told["outcomes"]} == {"ready"}
    written = contents(out)
    assert {*written} >= {"hand-out/release.csv", "hand-out/study/study.toml", "keep/verdict.html", "keep/repeat.sh"}
    assert all(b"seed" not in text for name, text in written.items() if name.startswith("hand-out"))
    empty, done = repeated(folder)
    assert f"{percent(told['outcomes'][0]['kept'], 1)} of the detail of all " in done.stdout.decode() or way == "safe"
    found = Project.from_toml_text(written["keep/settings.toml"].decode()).decisions[-1].what
    assert done.stdout.decode().splitlines()[0] == f"READY: {found}."
    assert contents(empty / "publishable") == written
    # The release is what its settings and the check say of it, judged from the files alone.
    settings = Project.from_toml_text(written["keep/settings.toml"].decode())
    release = read_release_table(written["hand-out/release.csv"], "release.csv")
    assert check(read_table(data), settings.study, release, rule=Rule()).verdict == "ready"
    readers = Study.from_toml(out / "hand-out" / "study" / "study.toml")
    assert readers.names == settings.study.names
    other = folder / "other.csv"
    other.write_text(data.read_text("utf-8").replace("\n", "\n1,1\n", 1), encoding="utf-8")
    again = ("--settings", empty / "settings.toml", "--way", "local", "--output", folder / "new")
    assert run(monkeypatch, "publishable", other, *again) == 2
    assert "other content" in capsys.readouterr().err
    assert not (folder / "new").exists()


def test_the_script_reads_decimals_as_they_were_read(tmp_path, monkeypatch, capsys):
    lines = [
        f"{20 + row * 7 % 60};{1 + row % 7},{100 + row * 37 % 900};{('flu', 'gout')[row % 2]}" for row in range(80)
    ]
    (tmp_path / "people.csv").write_text("\n".join(["age;ferritin;illness", *lines]), encoding="utf-8")
    for place, said in enumerate(("--decimal=comma", "--decimal-of=ferritin=comma")):
        out, again = tmp_path / f"out{place}", tmp_path / f"again{place}"
        assert (
            run(monkeypatch, "publishable", tmp_path / "people.csv", said, "--time-limit", "60", "--output", out) == 0
        )
        script = (out / "keep" / "repeat.sh").read_text(encoding="utf-8")
        words = shlex.split(script.splitlines()[-1])[2:]
        words[words.index("--output") + 1], words[words.index("--settings") + 1] = again, out / "keep" / "settings.toml"
        assert run(monkeypatch, "publishable", tmp_path / "people.csv", *words[1:]) == 0
        assert contents(again) == contents(out)
    assert run(monkeypatch, "publishable", tmp_path / "people.csv", "--decimal-of=x=comma", "--output", "y") == 2
    assert "give a column of the table and comma or point" in capsys.readouterr().err


def test_the_script_reads_a_file_without_a_line_of_names(tmp_path, monkeypatch):
    lines = [f"{20 + row * 7 % 60};{('flu', 'gout')[row % 2]}" for row in range(80)]
    (tmp_path / "people.csv").write_text("\n".join(lines), encoding="utf-8")
    words = ("--name", "age", "--name", "illness", "--time-limit", "60", "--output", tmp_path / "out")
    assert run(monkeypatch, "publishable", tmp_path / "people.csv", *words) == 0
    empty, _ = repeated(tmp_path)
    assert contents(empty / "publishable") == contents(tmp_path / "out")
    assert (empty / "publishable/hand-out/release.csv").read_text("utf-8").count("\n") == 1 + len(lines)


@pytest.mark.parametrize(
    ("names", "told"), [(("age",), "has 2 columns, and the names are 1"), (("age", "age"), "appears twice")]
)
def test_each_column_of_a_file_without_names_is_named_once(tmp_path, monkeypatch, capsys, names, told):
    (tmp_path / "people.csv").write_text("21;flu\n22;gout\n", encoding="utf-8")
    words = [f"--name={name}" for name in names]
    assert run(monkeypatch, "publishable", tmp_path / "people.csv", *words, "--output", tmp_path / "out") == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "options", "told"),
    [("people.parquet", (), "names its columns itself"), ("people.csv", ("--backend", "loky"), "in this process")],
)
def test_names_are_refused_where_they_would_be_a_row_or_be_ignored(tmp_path, monkeypatch, capsys, file, options, told):
    words = ("--name", "age", "--name", "illness", *options, "--output", tmp_path / "out")
    assert run(monkeypatch, "publishable", tmp_path / file, *words) == 2
    assert told in capsys.readouterr().err


def test_as_many_rows_are_left_out_as_a_table_may_have(tmp_path):
    many = tmp_path / "left-out.txt"
    many.write_text("".join(f"{row}{' *' * (row % 2)}\n" for row in range(1, 200_001)), encoding="utf-8")
    rows, hindering, _ = rows_left_out(setting_text(many, many.name, MOST_OF_ROWS))
    assert (len(rows), len(hindering), rows[-1]) == (200_000, 100_000, 200_000)
    with pytest.raises(StudyError, match="Line 2 of the rows to leave out is 'seven'"):
        rows_left_out("7\nseven\n")


def test_thousands_of_rows_that_are_left_out_stand_on_no_command_line(tmp_path, monkeypatch):
    gone = [row for row in range(1, 6001) if row % 2 or row > 5900]
    lines = [f"{20 + row * 7 % 60};{('flu', 'gout')[row // 7 % 2]}" for row in range(6000)]
    (tmp_path / "people.csv").write_text("\n".join(["age;illness", *lines]), encoding="utf-8")
    words = [f"--without-row={row}" for row in gone]
    assert run(monkeypatch, "publishable", tmp_path / "people.csv", *words, "--output", tmp_path / "out") == 0
    empty, _ = repeated(tmp_path)
    written = contents(tmp_path / "out")
    assert contents(empty / "publishable") == written
    assert written["hand-out/release.csv"].count(b"\n") == 1 + 6000 - len(gone)
    assert max(map(len, written["keep/repeat.sh"].splitlines()[-2:])) < 1000


def test_many_cells_that_are_read_as_others_stand_in_a_file_of_the_script(tmp_path, monkeypatch):
    lines = [f"{f'old {row} ü' if row < 30 else 20 + row % 60};{('flu', 'gout')[row // 7 % 2]}" for row in range(400)]
    (tmp_path / "people.csv").write_text("\n".join(["age;illness", *lines]), encoding="utf-8")
    words = [f"--read-as=age=old {row} ü={'' if row % 3 else 70 + row % 5}" for row in range(30)]
    assert run(monkeypatch, "publishable", tmp_path / "people.csv", *words, "--output", tmp_path / "out") == 0
    empty, _ = repeated(tmp_path)
    written = contents(tmp_path / "out")
    assert contents(empty / "publishable") == written
    script = written["keep/repeat.sh"].decode()
    assert script.count("--read-as") == 1
    assert "\nage=old 29 ü=\n" in script


@pytest.mark.parametrize("way", ["local", "global=0.05", "repaired"])
def test_with_its_seed_every_way_makes_the_same_files_twice(folder, monkeypatch, way):
    data = folder / "people.csv"
    words = ("--study", folder / "study.toml", "--time-limit", "60", "--output", folder / "out")
    assert run(monkeypatch, "publishable", data, *words) == 0
    settings = ("--settings", folder / "out" / "keep" / "settings.toml", "--way", way, "--seed", 7)
    for place in ("one", "other"):
        assert run(monkeypatch, "publishable", data, *settings, "--output", folder / place) == 0
    assert contents(folder / "one") == contents(folder / "other")


def test_where_nothing_passes_nothing_is_written(tmp_path, monkeypatch, capsys):
    table = pd.DataFrame({"age": ["21", "23"] * 6, "diagnosis": ["flu"] * 12})
    table.to_csv(tmp_path / "people.csv", index=False)
    study = Study([Attribute("age", 20, 60, 2)], k=3).with_roles(Roles(sensitive=["diagnosis"]))
    study.to_toml(tmp_path / "study.toml")
    words = ("--study", tmp_path / "study.toml", "--output", tmp_path / "out")
    assert run(monkeypatch, "publishable", tmp_path / "people.csv", *words) == 1
    assert "column diagnosis" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv", "study.toml"]


def test_a_folder_that_is_there_stays_as_it_is_and_nobody_waits_for_a_search(folder, monkeypatch, capsys):
    (folder / "out").mkdir()
    monkeypatch.setattr("cra_engine.publishable.publishable", None)
    words = ("--study", folder / "study.toml", "--time-limit", "60", "--output", folder / "out")
    assert run(monkeypatch, "publishable", folder / "people.csv", *words) == 2
    assert "is there already" in capsys.readouterr().err
    assert list((folder / "out").iterdir()) == []


def test_without_a_study_what_is_proposed_is_taken_and_said(tmp_path, monkeypatch, capsys):
    ages = [20 + row * 7 % 60 for row in range(80)]
    illness = [("flu", "gout", "cold")[row % 3] for row in range(80)]
    pd.DataFrame({"age": ages, "illness": illness}).to_csv(tmp_path / "people.csv", index=False)
    out = tmp_path / "out"
    assert run(monkeypatch, "publishable", tmp_path / "people.csv", "--time-limit", "60", "--output", out) == 0
    said = capsys.readouterr()
    assert said.out.startswith("READY: ")
    assert "as proposed: age" in said.err
    assert (out / "hand-out" / "release.csv").read_text("utf-8").startswith("age;illness\n")
    assert "of a single record" not in said.err


def test_a_diagnosis_of_a_single_person_is_told_and_keeps_nothing_back(tmp_path, monkeypatch, capsys):
    ages = [20 + row * 7 % 60 for row in range(80)]
    illness = ["ague" if row == 9 else ("flu", "gout")[row % 2] for row in range(80)]
    pd.DataFrame({"age": ages, "illness": illness}).to_csv(tmp_path / "people.csv", index=False)
    out = tmp_path / "out"
    assert run(monkeypatch, "publishable", tmp_path / "people.csv", "--time-limit", "60", "--output", out) == 0
    assert "Note: 1 value of illness is of a single record (ague): whoever knows" in capsys.readouterr().err
    assert (out / "hand-out" / "release.csv").exists()


@pytest.mark.parametrize("why", ["", "ok, decided by Ada", "The patients agreed to it, decided by Ada"])
def test_settings_publish_what_asks_for_attention_only_as_somebody_accepted_it(tmp_path, monkeypatch, capsys, why):
    """Settings can be written by anybody: they let nothing go out that the page would not."""
    wards = [{7: "burns", 12: "eyes", 28: "ears"}.get(row, ("north", "south")[row % 2]) for row in range(1, 41)]
    rows = [((21, 45)[row % 20 > 9], ward, ("flu", "gout")[row // 2 % 2]) for row, ward in enumerate(wards)]
    pd.DataFrame(rows, columns=["age", "ward", "illness"]).to_csv(tmp_path / "people.csv", index=False)
    data = read_table((tmp_path / "people.csv").read_bytes())
    roles = Roles(sensitive=["illness"], keep=["ward"])
    asks = publishable(data, Study([Attribute("age", 20, 60, 2)], k=5).with_roles(roles)).attention
    settings = settings_of(asks, Rule(), "people.csv", data)
    (finding,) = [one.text for one in asks.checked.findings if one.level != "note"]
    *before, last = settings.decisions
    accepted = [Decision("2026-11-29", f"{ACCEPTED}{finding}", why)] if why else []
    settings = replace(settings, decisions=(*before, *accepted, last))
    (tmp_path / "settings.toml").write_text(settings.to_toml_text(), encoding="utf-8")
    words = ("--settings", tmp_path / "settings.toml", "--way", way_text(asks.choice.way), "--output", tmp_path / "out")
    status, accepts = run(monkeypatch, "publishable", tmp_path / "people.csv", *words), why.startswith("The patients")
    assert status == (0 if accepts else 1)
    assert (tmp_path / "out").exists() == accepts
    assert accepts or capsys.readouterr().out.strip() == f"ATTENTION: {finding}"
    if accepts:
        for path, named in {"keep/verdict.html": True, "hand-out/how-to-read.txt": False}.items():
            text = (tmp_path / "out" / path).read_text("utf-8")
            assert (
                "Not met or not known: nobody likely to stand alone, but about 2 of 40 people (5.0 %). Looked" in text
            )
            assert "The patients agreed to it" in text
            assert ("decided by Ada" in text) == named


@pytest.fixture
def incomes(tmp_path):
    """Sixty people whose exact incomes are sensitive: nobody decided that these are known here alone."""
    rows = [(20 + row * 7 % 40, 20137 + 913 * row) for row in range(60)]
    pd.DataFrame(rows, columns=["age", "income"]).to_csv(tmp_path / "people.csv", index=False)
    study = Study([Attribute("age", 20, 60, 2)], k=5).with_roles(Roles(sensitive=["income"]))
    study.to_toml(tmp_path / "study.toml")
    return tmp_path, ("publishable", tmp_path / "people.csv", "--study", tmp_path / "study.toml", "--time-limit", "60")


def test_what_asks_for_attention_is_taken_with_a_reason_and_a_name(incomes, monkeypatch, capsys):
    folder, words = incomes
    out = folder / "out"
    assert run(monkeypatch, *words, "--output", out) == 1
    asked = capsys.readouterr().err
    assert (
        "it goes out with --reason and --decided-by, by which you accept that this is not met or not known: " in asked
    )
    assert not out.exists()
    why = ("--reason", "The cohort agreed to it.", "--decided-by", "R. Meier")
    assert run(monkeypatch, *words, *why, "--output", out) == 0
    said = capsys.readouterr()
    assert said.out.startswith("ATTENTION: ")
    assert "accept that" not in said.err
    told = "The cohort agreed to it"
    for path, named in {"keep/verdict.html": True, "hand-out/how-to-read.txt": False}.items():
        text = (out / path).read_text("utf-8")
        assert told in text
        assert ("R. Meier" in text) == named
    assert f"{told}, decided by R. Meier" in said.out
    empty, _ = repeated(folder)
    assert contents(empty / "publishable") == contents(out)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--reason", "ok", "--decided-by", "R. Meier"), "three words"),
        (("--reason", "The cohort agreed to it"), "the name of who gives it"),
        (
            ("--reason", "The cohort agreed to it", "--decided-by", "R. Meier", "--take", "2"),
            "--take is of what is Ready",
        ),
    ],
)
def test_a_reason_that_says_nothing_or_is_of_nothing_is_refused_before_the_search(
    incomes, monkeypatch, capsys, options, told
):
    folder, words = incomes
    assert run(monkeypatch, *words, *options, "--output", folder / "out") == 2
    said = capsys.readouterr().err
    assert told in said
    assert "So far" not in said
    assert not (folder / "out").exists()


def test_a_reason_lets_nothing_out_where_nothing_asks_for_attention_alone(folder, monkeypatch, capsys):
    words = ("publishable", folder / "people.csv", "--study", folder / "study.toml", "--time-limit", "60")
    why = ("--reason", "The cohort agreed to it", "--decided-by", "R. Meier")
    assert run(monkeypatch, *words, *why, "--output", folder / "out") == 1
    assert "leave out --reason" in capsys.readouterr().out
    assert not (folder / "out").exists()


def test_who_decides_stands_in_the_verdict_of_what_is_ready(folder, monkeypatch):
    words = ("publishable", folder / "people.csv", "--study", folder / "study.toml", "--time-limit", "60")
    assert run(monkeypatch, *words, "--decided-by", "R. Meier", "--output", folder / "out") == 0
    assert "R. Meier" in (folder / "out/keep/verdict.html").read_text("utf-8")
    assert "R. Meier" not in (folder / "out/hand-out/how-to-read.txt").read_text("utf-8")
    empty, _ = repeated(folder)
    assert contents(empty / "publishable") == contents(folder / "out")
