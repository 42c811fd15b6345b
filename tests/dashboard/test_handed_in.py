"""What students hand in: the page, thirty of them as a table, and files that are no such page."""

import csv
import io

import pytest
from typer.testing import CliRunner

from cra_dashboard import program
from cra_dashboard.lessons.files import all_lessons
from cra_dashboard.lessons.handed_in import HandedIn, certain_in, handed_in, page_to_hand_in, table_of_pages
from cra_engine import CRAError

FIRST = next(iter(all_lessons().values()))


def test_a_page_says_what_was_done_and_is_read_back():
    told = HandedIn(done={"1": len(FIRST.step)}, right=3, answered=4, scene="toy-k3-m1.4", certain=1)
    text = page_to_hand_in(told)
    assert handed_in(text) == told
    assert "3 right, 1 wrong" in text
    assert "playground.html#toy-k3-m1.4" in text
    assert "1 person stands alone for certain" in text
    assert f"{len(FIRST.step)} of {len(FIRST.step)} steps" in text
    assert "http" not in text


def test_the_scene_is_counted_by_the_engine():
    assert certain_in("toy-k3", 300) == 2  # as every page says of the toy
    assert certain_in("toy-k3-m99.0") is None
    assert certain_in("toy-k50") is None


def test_thirty_pages_are_a_table_and_what_is_none_is_said(tmp_path):
    for number in range(30):
        told = HandedIn(done={"1": number % (len(FIRST.step) + 1)}, right=number, answered=30)
        (tmp_path / f"student {number:02}.html").write_text(page_to_hand_in(told), encoding="utf-8")
    (tmp_path / "=cmd.html").write_text("<p>my homework</p>", encoding="utf-8")
    (tmp_path / "worse.html").write_bytes(b"\xff\x00" * 1000)
    lying = page_to_hand_in(HandedIn(done={}, right=1, answered=1)).replace('"right":1', '"right":"<b>"')
    (tmp_path / "zz.html").write_text(lying, encoding="utf-8")
    done = CliRunner().invoke(program.app, ["--handed-in", str(tmp_path)])
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(io.StringIO(done.stdout), delimiter=";"))
    assert len(rows) == 33
    assert rows[0]["file"] == "'=cmd.html"
    good = [row for row in rows if not row["problem"]]
    assert [row["right"] for row in good] == [str(number) for number in range(30)]
    assert [row["wrong"] for row in good] == [str(30 - number) for number in range(30)]
    assert good[len(FIRST.step)]["lessons done"] == "1"
    assert {row["problem"] for row in rows} == {
        "",
        "This is no page that the CRA Explorer made to be handed in; ask for it once more.",
    }


@pytest.mark.parametrize("text", ["", '<script id="handed-in" type="application/json">[</script>', "[" * 100_000])
def test_what_is_no_page_is_a_sentence(text):
    with pytest.raises(CRAError, match="ask for it once more"):
        handed_in(text)


def test_a_name_comes_first_and_any_other_file_is_named_with_its_problem(tmp_path):
    text = page_to_hand_in(HandedIn(done={}, right=1, answered=2))
    (tmp_path / "handed-in-Zoë.html").write_text(text.replace('"right":1', '"name":"Zoë","right":1'), encoding="utf-8")
    (tmp_path / "handed-in.html").write_text(text, encoding="utf-8")
    (tmp_path / "long.html").write_text(text.replace('"right":1', f'"name":"{"a" * 81}","right":1'), encoding="utf-8")
    (tmp_path / "homework.pdf").write_bytes(b"%PDF-1.7")
    (tmp_path / "folder.html").mkdir()
    (tmp_path / ".DS_Store").write_bytes(b"\x00")
    done = CliRunner().invoke(program.app, ["--handed-in", str(tmp_path)])
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(io.StringIO(done.stdout), delimiter=";"))
    assert next(iter(rows[0])) == "name"
    assert {row["file"]: row["name"] for row in rows if not row["problem"]} == {
        "handed-in-Zoë.html": "Zoë",
        "handed-in.html": "",
    }
    problems = {row["file"]: row["problem"] for row in rows if row["problem"]}
    assert list(problems) == ["folder.html", "homework.pdf", "long.html"]
    assert "is no page (.html)" in problems["homework.pdf"]
    assert "is no page (.html)" in problems["folder.html"]


def test_a_folder_without_pages_is_a_sentence(tmp_path):
    done = CliRunner().invoke(program.app, ["--handed-in", str(tmp_path)])
    assert done.exit_code == 2
    assert "is no folder with pages" in done.output
    assert table_of_pages([]).empty
