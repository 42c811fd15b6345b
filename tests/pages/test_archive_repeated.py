"""The archive of a table that was taken: its script makes the same files, it opens in Excel, its names."""

import codecs
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from publishing import CHECK, archive, last_found, name_who, plan_lines
from python_calamine import CalamineWorkbook
from visitor import DATA

from cra_dashboard.session import state
from cra_engine.publishable import archive as archives
from cra_engine.release import read_release_table


def assert_script_repeats(session, text, tmp_path):
    page = session.open(CHECK).press("publishable-start").press("publishable-take-0")
    packed = archive(page)
    return assert_repeats({name: packed.read(name) for name in packed.namelist()}, text, tmp_path)


def assert_repeats(files, text, tmp_path):
    """The script among these files makes all of them again."""
    (tmp_path / "my people.csv").write_text(text, encoding="utf-8")
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    (tmp_path / "repeat.sh").write_bytes(files["keep/repeat.sh"])
    run = ["sh", "repeat.sh"]
    done = subprocess.run(run, cwd=tmp_path, env=os.environ | {"PATH": programs}, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    for name, content in files.items():
        assert (tmp_path / "publishable" / name).read_bytes() == content, name
    return files["keep/repeat.sh"].decode()


def test_the_script_makes_the_same_files_of_a_table_whose_decimals_were_asked_for(session, tmp_path):
    lines = [f"{21 + row % 40};{1 + row % 7},{100 + row * 37 % 900};{('flu', 'gout')[row % 2]}" for row in range(60)]
    text = "\n".join(["age;weight;illness", *lines, lines[0]])
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("my people.csv", text.encode())
    session.fill("multiselect", "data-roles", ["age", "weight"]).press("data-decimal-comma")
    assert_script_repeats(session, text, tmp_path)


@pytest.mark.parametrize(
    ("put_in", "first"), [("", "21;50;flu"), ("age;weight;illness\n", "21;50;flu"), ("", "21;;flu")]
)
def test_the_script_makes_the_same_files_of_a_file_without_a_line_of_names(session, tmp_path, put_in, first):
    lines = [f"{21 + row % 40};{50 + row * 7 % 31};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[0] = first
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("my people.csv", "\n".join(lines).encode())
    for place, name in enumerate(("age", "weight", "illness")):
        session.at.text_input[place].set_value(name)
    session.press("data-names-take").fill("multiselect", "data-roles", ["age", "weight"])
    script = assert_script_repeats(session, put_in + "\n".join(lines), tmp_path)
    assert "--name=age --name=weight --name=illness" in script


def test_the_script_makes_the_same_files_where_thousands_of_rows_are_left_out(session, tmp_path):
    lines = [f"{10_000 + row};{21 + row % 40};{('flu', 'gout', 'cold')[row % 3]}" for row in range(240)]
    text = "\n".join(["patient number;age;illness", *lines, *(lines * 12)])
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("my people.csv", text.encode())
    session.fill("multiselect", "data-roles", ["age"])
    page = session.open(CHECK)
    page.press("publishable-twice")
    assert len(page.dataset.left_out["repeating another"]) == 240 * 12
    script = assert_script_repeats(session, text, tmp_path)
    assert max(map(len, script.splitlines())) < 2_000


def test_the_script_makes_the_same_files_where_cells_were_read_as_others(session, tmp_path):
    lines = [f"{21 + row % 40};{('w', 'm')[row % 3 % 2]};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[4], lines[7], lines[9] = "old;w;flu", "33;W;flu", "34;weiblich and 'so';gout"
    lines[12] = "35;weiblich;gout"
    text = "\n".join(["age;sex;illness", *lines])
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("my people.csv", text.encode())
    session.fill("multiselect", "data-roles", ["age", "sex"]).press("data-misfits-out").press("data-alike-merge")
    script = assert_script_repeats(session, text, tmp_path)
    assert all(f"--read-as={told}" in script for told in ("age=old=", "sex=W=w", "sex=weiblich=w"))


def test_a_word_left_as_a_value_is_one_in_the_archive_and_for_its_script(session, tmp_path):
    lines = [f"{21 + row % 40};{('flu', 'gout', 'unknown')[row % 3]}" for row in range(60)]
    text = "\n".join(["age;illness", *lines])
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("my people.csv", text.encode())
    session.fill("multiselect", "data-roles", ["age"]).press("data-unknown-values")
    assert not any(button.key.startswith("data-sensitive-gaps") for button in session.at.button)
    script = assert_script_repeats(session, text, tmp_path)
    assert 'as_values = ["unknown"]' in script
    out = tmp_path / "publishable"
    told, verdict = (out / "hand-out/how-to-read.txt").read_text("utf-8-sig"), (out / "keep/verdict.html").read_text()
    assert "missing" not in told
    assert "“unknown” stays a value" in verdict
    assert "missing values are" not in verdict
    # It is shown, and both illnesses have to be in each group all the same.
    release = read_release_table((out / "hand-out/release.csv").read_bytes(), "release.csv")
    assert "unknown" in set(release["illness"])
    assert release[release["illness"] != "unknown"].groupby("age")["illness"].nunique().min() == 2


def test_the_script_makes_the_same_files_with_the_reasons_of_rows_left_out(session, tmp_path):
    lines = [f"{1000 + row % 60};{21 + row % 40};{('flu', 'gout', 'cold')[row % 3]}" for row in range(66)]
    lines[64:] = ["1004;40;gout", "1005;41;cold"]
    text = "\n".join(["patient number;age;illness", *lines])
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("my people.csv", text.encode())
    session.fill("multiselect", "data-roles", ["age"]).press("data-repeated-patient number")
    script = assert_script_repeats(session, text, tmp_path)
    assert "\n65 with a patient number that stands in a row above\n" in script


def test_the_archive_opens_in_excel_and_its_verdict_says_what_was_decided_before(session):
    lines = [
        f"{21 + row % 40};{('w', 'm')[row % 3 % 2]};{row % 9},{row % 10};{('Süd', 'Nord')[row % 2]}"
        for row in range(60)
    ]
    lines[4], lines[7] = "old;w;1,5;Süd", "33;W;2,5;Nord"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;sex;creatinine;ward", *lines]).encode())
    session.fill("multiselect", "data-roles", ["age", "sex"]).press("data-misfits-out").press("data-alike-merge")
    page = session.open(CHECK).press("publishable-start").press("publishable-take-0")
    packed = archive(page)
    text = packed.read("hand-out/release.csv")
    assert text.startswith(codecs.BOM_UTF8) == (not text.decode("utf-8-sig").isascii())
    release = read_release_table(text, "release.csv")
    book = CalamineWorkbook.from_filelike(io.BytesIO(packed.read("hand-out/release.xlsx")))
    header, *rows = book.get_sheet_by_name("Table").to_python()
    assert (header, len(rows)) == (list(release.columns), len(release))
    at = header.index("creatinine")
    assert [row[at] for row in rows] == [float(cell.replace(",", ".")) for cell in release["creatinine"]]
    # How to read it stands on a sheet, and in a file, in words that nobody has to look up.
    notes = [line for (line,) in book.get_sheet_by_name("How to read").to_python()]
    told = packed.read("hand-out/how-to-read.txt").decode("utf-8-sig")
    assert all(note in told for note in notes)
    groups = {row[header.index("age")] for row in rows} - {"*"}
    assert any(f"{group} stands for: " in line and "to under" in line for group in groups for line in notes)
    assert "release.xlsx" in told
    verdict = packed.read("keep/verdict.html").decode()
    assert f"{len(release)} of 60 records" in verdict
    assert "sex: 1 cell read as other spellings" in verdict
    assert "age: 1 missing value, rows without it are left out" in verdict
    found = last_found(page)
    assert found.thoroughness.split(":")[0] in verdict
    assert f"smallest group: {found.outcomes[0].checked.k}, wanted" in verdict


def test_a_file_keeps_its_own_name_in_the_archive():
    assert archives.file_name("Patienten_Export_2024.xlsx") == "Patienten_Export_2024.xlsx"
    assert archives.file_name("Toy example, e.g. 1.5 people") == "Toy example, e.g. 1.5 people.csv"


def test_what_is_kept_says_that_another_table_was_downloaded_and_the_script_makes_the_same_files(
    session, above, tmp_path
):
    text = "age;plan;illness\n" + "".join(plan_lines({7: "none yet", 24: "own"}))
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("my people.csv", text.encode())
    page = session.press("data-kept-plan").open(CHECK)
    page.press("publishable-start").press("publishable-take-1")
    page.at.download_button(key="publishable-zip").click()
    page.run()
    said = b"another table of these people was downloaded, too"
    assert not any(said in content for content in made(page).values())
    above(state.undo)
    files = made(page.press("publishable-take-0"))
    assert [name for name, content in files.items() if said in content and not name.startswith("keep/")] == []
    assert said in files["keep/verdict.html"]
    assert "another table of these people" in assert_repeats(files, text, tmp_path)


def made(page):
    """The files that the page hands out now."""
    _, files = page.at.session_state[state._RESULTS]["publishable-files"]
    return {name: one.encode() if isinstance(one, str) else one for name, one in files.items()}


def test_the_script_makes_the_same_files_with_the_name_of_who_left_a_value_shown(session, tmp_path):
    lines = [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[9] = "30;ague"
    text = "\n".join(["age;illness", *lines])
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("my people.csv", text.encode())
    page = session.fill("multiselect", "data-roles", ["age"]).open(CHECK)
    page.press("publishable-start").press("publishable-take-0").press("publishable-leave-illness")
    name_who(page, "Ms O'Fictitious")
    files = made(page)
    assert b"<b>Decided by</b> <span>Ms O&#39;Fictitious</span>" in files["keep/verdict.html"]
    assert "--decided-by=" in assert_repeats(files, text, tmp_path)


@pytest.mark.parametrize(
    "answers", [("missing", "only-here-ferritin", "missing-leave-out-age"), ("out", "only-here-ferritin")]
)
def test_the_script_makes_the_same_files_where_a_slip_is_out_and_numbers_are_only_here(session, tmp_path, answers):
    lines = [f"{21 + row % 40};{300 + row * 7},5;{('flu', 'gout', 'cold')[row % 3]}" for row in range(60)]
    lines[3] = "212;90,5;flu"
    text = "\n".join(["age;ferritin;illness", *lines])
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("my people.csv", text.encode())
    session.press(f"data-ages-{answers[0]}")
    for answer in answers[1:]:
        session.press(f"data-{answer}")
    assert_script_repeats(session, text, tmp_path)
