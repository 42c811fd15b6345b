"""Make it publishable, on the page Check: outcomes side by side, what has to stay, one archive."""

import codecs
import io
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from python_calamine import CalamineWorkbook
from visitor import DATA

from cra_dashboard.panels.frame import left_out_said
from cra_dashboard.publishable import panel, search, taken
from cra_dashboard.session import decisions, state
from cra_dashboard.session.runs import Runs
from cra_engine import check, read_table, recode
from cra_engine.checks.outcome import Finding
from cra_engine.checks.project import Project
from cra_engine.files.zipped import packed_zip
from cra_engine.options import KEPT, text_of
from cra_engine.publishable import archive as archives
from cra_engine.release import read_release_table
from cra_engine.words import chance_at_most, percent, spoken

CHECK = "pages/check.py"
PEOPLE = "age;illness\n" + "".join(f"{20 + row * 7 % 60};{('flu', 'gout', 'cold')[row % 3]}\n" for row in range(60))


@pytest.fixture
def page(session, monkeypatch):
    monkeypatch.setattr(search, "SECONDS", 60.0)
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("people.csv", PEOPLE.encode())
    return session.open(CHECK)


def plan_lines(rare):
    """Lines of a table in which four people have each plan, but for some whose plan is their own."""
    held = [f"plan {number}" for number in range(12) for _ in range(4)]
    for row, plan in rare.items():
        held.insert(row - 1, plan)
    return [f"{(21, 45)[row % 2]};{plan};{('flu', 'gout')[row // 2 % 2]}\n" for row, plan in enumerate(held)]


def plans(session, rare):
    """Check of such a table."""
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", ("age;plan;illness\n" + "".join(plan_lines(rare))).encode()).press("data-kept-plan")
    return session.open(CHECK)


def test_people_for_whom_a_column_goes_are_named_and_left_out_by_a_button(session):
    page = plans(session, {7: "none yet", 24: "own", 31: "other"})
    page.press("publishable-start")
    told = "plan goes because of 3 people in rows 7, 24 and 31 (8, 25, 32 in a spreadsheet)"
    assert told in page.says("markdown")
    page.press("publishable-without-plan")
    assert page.dataset.left_out == {"so that plan can stay": (7, 24, 31)}
    assert "- **plan**: as it is" in page.says("markdown")
    page.press("publishable-take-0")
    assert (
        "\n7 so that plan can stay\n24 so that plan can stay\n31 so that plan can stay\n"
        in archive(page).read("keep/repeat.sh").decode()
    )
    assert "You left out rows 7, 24 and 31 (8, 25, 32 in a spreadsheet), so that plan can stay." in page.says(
        "markdown"
    )
    assert page.at.button(key="publishable-leave-in").label == "Put all 3 back into the table"
    page.press("publishable-leave-in")
    page.press("publishable-start")
    assert "plan goes because of" in page.says("markdown")


@pytest.mark.parametrize("answer", ["known", "kept"])
def test_a_card_says_which_column_shows_less_for_nothing_told_what_it_holds(session, answer):
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    page.upload("people.csv", ("age;plan;illness\n" + "".join(plan_lines({7: "none yet"}))).encode())
    page.press(f"data-{answer}-plan").open(CHECK).press("publishable-start")
    told = "Less is shown of plan, or nothing, for others may know it, as you answered."
    assert (told in page.says("markdown")) == (answer == "known")


def test_a_search_counts_no_tables_and_says_that_the_best_stand_below_once_they_do(monkeypatch):
    many = SimpleNamespace(progress=search.Sought(ready=(1, 2, 3)), done=False)
    assert re.search(r"\d tables? found|found yet|stand below", search._told(many)) is None
    drawn = []
    monkeypatch.setattr(panel, "RUNS", SimpleNamespace(job=lambda _: many))
    monkeypatch.setattr(panel, "ready_so_far", lambda _: (1,))
    monkeypatch.setattr(panel, "show_outcomes", lambda ready, **_: drawn.append(ready))
    panel.show_so_far((), lambda: None)
    assert drawn
    assert "The best found so far that may go out stand below." in search._told(many)
    assert "None found yet" in search._told(SimpleNamespace(progress=search.Sought()))


def plans_without_names(session, rare):
    """Found tables of such a file in which the columns have no names."""
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    page.upload("bare.csv", "".join(plan_lines(rare)).encode())
    for field, name in zip(page.at.text_input, ("age", "plan", "illness"), strict=True):
        field.set_value(name)
    page.press("data-names-take").press("data-kept-plan")
    return page.open(CHECK).press("publishable-start")


def test_rows_of_a_file_without_names_are_told_by_its_lines(session):
    """Of such a file the first line is a person's, so that a line is where its row is."""
    page = plans_without_names(session, {7: "none yet", 24: "own"})
    table = next(one for one in page.at.expander if one.label.startswith("Which rows")).dataframe[0].value
    assert table["line of your file"].tolist() == [7, 24]


def test_a_spreadsheet_has_the_rows_of_a_file_without_names_where_pages_and_verdict_name_them(session):
    page = plans_without_names(session, {7: "none yet", 24: "own", 31: "other"})
    assert "plan goes because of 3 people in rows 7, 24 and 31, as it seems." in page.says("markdown")
    page.press("publishable-without-plan")
    assert "You left out rows 7, 24 and 31, so that plan can stay." in page.says("markdown")
    page.press("publishable-take-0")
    assert "left out, so that plan can stay: rows 7, 24 and 31" in archive(page).read("keep/verdict.html").decode()
    assert "in a spreadsheet" not in page.says("markdown")
    assert rows_in_verdict(page, "left out, so that plan can stay") == "7, 24, 31"


def test_few_people_in_the_way_of_detail_are_left_out_in_one_of_the_tables_and_named(session):
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start")
    cards = [line for line in page.says("markdown").splitlines() if "**Ready: " in line]
    assert [card.split("Ready: ")[1] for card in cards] == ["keeps most detail**", "leaves out fewest rows**"]
    assert "3 of 3 columns, 48 of 50 rows, 96.0 % of the detail of all 3 columns kept: " in page.says("markdown")
    named = next(one for one in page.at.expander if one.label.startswith("Which rows")).dataframe[0].value
    assert named["row in a spreadsheet"].tolist() == [8, 25]
    assert set(named["what becomes of it"]) == {"left out, so that all others show more"}


def test_what_is_taken_says_what_a_steward_needs_and_is_named_as_they_say(session, monkeypatch):
    called, download = [], taken.download
    monkeypatch.setattr(
        taken, "download", lambda label, data, name, **how: called.append(name) or download(label, data, name, **how)
    )
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start")
    threefold = "In the detail kept, age counts threefold, as hardly any analysis does without it."
    assert threefold in page.says("markdown")
    page.press("publishable-take-0")
    drawn = taken_of(page).drawn
    assert "**Rows published:** 48 of 50." in page.says("success")
    assert "Do not compare who is likely alone here with the table as it came" in page.says("caption")
    folded = page.says("markdown")
    smallest, printed = drawn.checked.k, drawn.checked.whole_rows.smallest
    assert f"smallest group: {smallest}, wanted {drawn.study.k} (with all that is published: {printed})" in folded
    assert f"at most {chance_at_most(drawn.checked.risk.prosecutor_max)}, wanted" in folded
    shared, people = drawn.checked.diversity[0].most_alike
    assert f"in the group most alike {shared} of {people} shown values of illness are the same." in folded
    today = datetime.now().astimezone().date().isoformat()
    (field,) = [one.key for one in page.at.text_input if one.key.startswith("publishable-name")]
    assert re.fullmatch(rf"people publishable {today} [0-9a-f]{{4}}\.zip", called[-1])
    page.fill("text_input", field, "Ward 3: for Ms Ito?")
    assert called[-1] == "Ward 3_ for Ms Ito_.zip"
    assert "publishable-verdict" in [button.key for button in page.at.button]


def test_what_goes_to_the_researcher_is_the_folder_hand_out_of_the_whole_and_nothing_else(session, monkeypatch):
    offered = {}
    monkeypatch.setattr(taken, "download", lambda label, data, name, **_: offered.update({label: (name, data)}))
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start").press("publishable-take-0")
    (name, some), (whole_name, every) = offered.values()
    assert [label.partition(" (")[0] for label in offered] == [
        "Only what goes to the researcher",
        "All of it, for your own files",
    ]
    assert name == whole_name.replace(".zip", " for the researcher.zip")
    sent, whole = (zipfile.ZipFile(io.BytesIO(one)) for one in (some, every))
    assert sent.namelist()
    assert {f"hand-out/{path}": sent.read(path) for path in sent.namelist()} == {
        path: whole.read(path) for path in whole.namelist() if not path.startswith("keep/")
    }


def test_fewer_rows_with_stars_than_a_group_are_told_beside_ready(session):
    """As the table came they are a demand that is not met; here they show no illness."""
    draw = Random(3)
    lines = [
        f"{draw.randrange(20, 80) if row % 16 else draw.randrange(84, 99)};{draw.choice('mf')};{'fgc'[row % 3]}\n"
        for row in range(60)
    ]
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", ("age;sex;illness\n" + "".join(lines)).encode())
    page = session.open(CHECK).press("publishable-start").press("publishable-take-0")
    drawn = taken_of(page).drawn
    stars = int((drawn.checked.frame == "*").all(axis=1).sum())
    assert 0 < stars < drawn.study.k
    assert f"{stars} records are suppressed, fewer than k = {drawn.study.k}." in page.says("markdown")


@pytest.fixture
def above(session, monkeypatch):
    """Do in a run of the page what a button above it does, which AppTest does not see."""
    show, wanted = panel.show, []

    def done_first(give_way):
        while wanted:
            wanted.pop(0)()
        return show(give_way)

    def do(*steps):
        wanted.extend(steps)
        session.run()

    monkeypatch.setattr(panel, "show", done_first)
    return do


def offered(page):
    """Whether the page offers the archive."""
    return any("publishable-zip" in button.proto.id for button in page.at.get("download_button"))


def test_one_undo_takes_back_the_table_that_was_taken_last_and_nothing_else(session, above):
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start").press("publishable-take-0")
    assert offered(page)
    first = archive(page).read("hand-out/release.csv")
    page.press("publishable-take-1")
    assert [page.at.button(key=f"publishable-take-{place}").disabled for place in (0, 1)] == [False, True]
    second = archive(page).read("hand-out/release.csv")
    assert len(second.splitlines()) > len(first.splitlines())
    above(state.undo)
    assert archive(page).read("hand-out/release.csv") == first
    assert "**Rows published:** 48 of 50." in page.says("success")
    assert [page.at.button(key=f"publishable-take-{place}").disabled for place in (0, 1)] == [True, False]
    above(state.undo)
    assert "The table that you took" not in page.says("success")
    assert not offered(page)
    assert "before your" not in page.says("markdown", "caption")  # what was found is what it was
    assert "publishable-take-1" in [button.key for button in page.at.button]


def test_a_table_is_taken_no_longer_once_an_answer_that_it_rests_on_is_taken_back(session, above):
    page = plans(session, {7: "none yet", 24: "own"})
    above(lambda: decisions.decide("illness: missing values of a sensitive column go out empty"))
    page.press("publishable-start").press("publishable-take-0")
    assert offered(page)
    above(lambda: decisions.drop(lambda what: what.startswith("illness: ")))
    assert not offered(page)
    assert "no longer the one to hand out, as something was decided otherwise since" in page.says("markdown")
    assert "The table that you took" not in page.says("success")


def test_an_undo_past_a_search_comes_back_to_the_table_that_was_taken_before(session, above):
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start").press("publishable-take-0")
    first = archive(page).read("hand-out/release.csv")
    above(lambda: decisions.leave_out((1,), "so that something can stay"))
    page.press("publishable-start")
    assert "The table that you took" not in page.says("success")
    page.press("publishable-take-0")
    above(state.undo, state.undo)
    assert "The table that you took" in page.says("success")
    assert archive(page).read("hand-out/release.csv") == first


def test_what_has_to_stay_is_a_decision_that_an_undo_takes_back_with_its_search(session, above):
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start").press("publishable-take-0")
    first = archive(page).read("hand-out/release.csv")
    page.fill("multiselect", "publishable-pins-0", ["plan"])
    assert decisions_of(page)[-1] == "what has to stay: plan"
    page.press("publishable-start")
    assert not offered(page)
    # The search first, then what it heeded: each is a step, and the bar says which.
    labels = []
    above(lambda: labels.append(decisions.last_change()), state.undo)
    assert archive(page).read("hand-out/release.csv") == first
    assert page.at.multiselect(key="publishable-pins-0").value == ["plan"]
    # The cards are those that the table was taken from, and say that they know nothing of what has to stay.
    assert "before your change" in page.says("markdown")
    assert "Found before your last change of what has to stay" in page.says("caption")
    assert "Taken" in {button.label for button in page.at.button}
    above(lambda: labels.append(decisions.last_change()), state.undo)
    assert labels == ["the search anew", "what has to stay: plan"]
    assert page.at.multiselect(key="publishable-pins-1").value == []
    assert offered(page)
    assert not any(one.startswith("what has to stay") for one in decisions_of(page))


@pytest.mark.parametrize("said", ["plan", "age=10", "a=b", "age=10 and plan", "nobody", "age=-1"])
def test_what_has_to_stay_is_read_back_from_what_was_decided(session, above, said):
    page = plans(session, {7: "none yet"})
    found = []
    above(lambda: (decisions.note(f"{decisions.STAYS}{said}"), found.extend(decisions.pins())))
    # A line that names no column, as a file that somebody wrote may have it, holds nothing.
    assert list(map(str, found)) == [said] * (said in ("plan", "age=10"))
    (field,) = [one for one in page.at.multiselect if one.label.startswith("What has to stay")]
    assert field.value == [pin.name for pin in found]


def decisions_of(page):
    """What was decided, as it is noted."""
    return [one.what for one in page.at.session_state[state.DECIDED][1]]


def test_who_takes_back_that_a_diagnosis_was_hidden_reads_again_that_a_single_person_has_it(session, above):
    lines = [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[9] = "30;ague"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    page = session.fill("multiselect", "data-roles", ["age"]).open(CHECK)
    page.press("publishable-start").press("publishable-take-0").press("publishable-leave-illness")
    first = archive(page).read("hand-out/release.csv")
    assert b"ague" in first
    above(state.undo)
    page.press("publishable-hide-illness")
    assert not offered(page)
    above(state.undo)
    assert archive(page).read("hand-out/release.csv") == first
    assert "1 value of illness is of a single record (ague)" in page.says("markdown")
    assert {"publishable-hide-illness", "publishable-take-0"} <= {button.key for button in page.at.button}
    # The open question comes first.
    offers = [button for button in page.at.button if (button.key or "").startswith("publishable-")]
    assert [button.key for button in offers if button.proto.type == "primary"] == ["publishable-hide-illness"]


def test_no_archive_while_data_still_asks_and_all_that_is_to_decide_is_counted(session):
    lines = [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[9], lines[20], lines[41] = "30;ague", "41;", "22;"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    page = session.fill("multiselect", "data-roles", ["age"]).open(CHECK)
    assert "Data still asks 1 question.** Until it is answered" in page.says("markdown")
    page.press("publishable-start").press("publishable-take-0")
    assert not offered(page)
    assert "2 things are yours to decide first, on Data and below." in page.says("warning")
    page.press("publishable-leave-illness")
    assert not offered(page)
    assert "One thing is yours to decide first, on Data." in page.says("warning")
    page.fill("toggle", "check-as-it-was", True)
    assert not any("(CSV)" in one.proto.label for one in page.at.get("download_button"))
    last = max(button.key for button in session.open(DATA).at.button if button.key.startswith("data-sensitive-gaps-"))
    session.press(last)  # published empty: the table stays as it is
    page = session.open(CHECK).press("publishable-take-0")
    assert offered(page)
    assert "yours to decide" not in page.says("success")


def test_diagnoses_of_single_people_are_told_beside_ready_and_hidden_by_a_button(session):
    lines = [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[9], lines[30] = "30;ague", "51;plague"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    page = session.fill("multiselect", "data-roles", ["age"]).open(CHECK).press("publishable-start")
    assert "2 values of illness are of a single record (ague, plague): whoever knows" in page.says("markdown")
    page.press("publishable-take-0")
    assert not offered(page)
    assert "One thing is yours to decide first" in page.says("warning")
    page.press("publishable-hide-illness")
    assert not offered(page)
    assert panel.LET_GO.format("you searched again") in page.says("markdown")
    assert [page.dataset.frame["illness"][row] for row in (9, 30)] == ["*", "*"]
    assert "of a single record" not in page.says("markdown")
    asked = session.open(DATA).says("markdown")
    assert "illness** is sensitive and has" not in asked  # who hid a value is not asked what it means
    page = session.open(CHECK)
    assert "**Ready: " in page.says("markdown")
    packed = archive(page.press("publishable-take-0"))
    assert panel.LET_GO.format("you searched again") not in page.says("markdown")
    assert "ague" not in packed.read("hand-out/release.csv").decode()
    assert "illness: 2 values of 2 people hidden" in packed.read("keep/verdict.html").decode()
    assert "illness: as in the table, or *." in packed.read("hand-out/how-to-read.txt").decode()


def with_ague(session, lines):
    """Check of people of whom one has the ague, with a table that may go out."""
    lines[9] = "30;ague"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    return session.fill("multiselect", "data-roles", ["age"]).open(CHECK).press("publishable-start")


def test_the_next_rarest_diagnosis_hides_with_that_of_a_single_person(session):
    page = with_ague(session, [f"{21 + row % 40};{('flu', 'gout', 'gout')[row % 3]}" for row in range(60)])
    flu = page.dataset.frame["illness"].eq("flu").sum()
    (hide,) = [button.label for button in page.at.button if button.key == "publishable-hide-illness"]
    assert hide == f"Hide ague (1 person) and flu ({flu}), search again"
    told = "Alone behind * it would still tell its row, so the next rarest goes with it"
    assert f"{told}, flu ({flu} people): * in {flu + 1} of 60 rows." in page.says("markdown")
    page.press("publishable-hide-illness")
    assert set(page.dataset.frame["illness"]) == {"*", "gout"}


def test_a_diagnosis_of_a_single_person_left_shown_is_a_decision_that_undo_takes_back(session, above):
    page = with_ague(session, [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)])
    page.press("publishable-take-0")
    assert not offered(page)
    taken = taken_of(page)
    page.press("publishable-leave-illness")
    assert offered(page)
    told = "1 value of illness is of a single record and stays shown, as decided (ague): whoever knows"
    assert told in page.says("markdown")
    assert taken_of(page) is taken
    (decided,) = [one for one in page.at.session_state[state.DECIDED][1] if "left shown" in one.what]
    files = taken.files_with([decided])
    verdict = files["keep/verdict.html"]
    assert "whoever knows that somebody in the table has it knows that row: “ague”" in verdict
    assert "decide yourself" not in verdict
    findings = verdict.partition("Findings, and what to do")[2].partition("<h2>")[0]
    assert f"Note.</b> {told}" in findings
    assert "No demand of the rule stops" not in findings
    assert "decide yourself" in taken.files["keep/verdict.html"]
    assert all(files[path] == taken.files[path] for path in files if path.startswith("hand-out"))
    undone = []
    above(lambda: (undone.append(decisions.last_change()), state.undo()))
    assert undone == ["illness left shown"]
    assert not offered(page)
    assert "publishable-leave-illness" in {button.key for button in page.at.button}


def test_that_a_diagnosis_stays_shown_is_decided_anew_also_where_undo_is_over(session):
    lines = [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)]
    page = with_ague(session, lines).press("publishable-take-0").press("publishable-leave-illness")
    page.open(DATA).upload("others.csv", PEOPLE.replace("illness", "diagnosis").encode())
    page.open(DATA).upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    page.open(CHECK).press("publishable-start")
    assert "stays shown, as decided (ague)" in page.says("markdown")
    page.press("publishable-anew-illness")
    assert "stays shown" not in page.says("markdown")
    assert "publishable-leave-illness" in {button.key for button in page.at.button}


def test_the_table_as_it_came_goes_out_too_once_a_diagnosis_of_a_single_person_is_decided_about(session):
    def files():
        return [one.proto.label for one in page.at.get("download_button")]

    page = with_ague(session, [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)])
    page.press("publishable-take-0").fill("toggle", "check-as-it-was", True)
    assert "The verdict, one page (HTML)" in files()
    assert not any("CSV" in label for label in files())
    page.press("check-leave-illness")
    # Of which of both tables the file is stands on its button: the taken one is offered above.
    assert offered(page)
    assert [label.partition(",")[0].partition(" (")[0] for label in files() if "CSV" in label] == [
        "The table as it came"
    ]
    page.press("check-anew-illness").press("check-hide-illness")
    assert page.dataset.frame["illness"].iloc[9] == "*"


def test_who_takes_a_second_table_of_the_same_people_is_told_to_hand_out_one(session):
    page = plans(session, {7: "none yet", 24: "own"}).press("publishable-start").press("publishable-take-0")
    assert "hand out one only" not in page.says("success")
    page.press("publishable-take-1")
    assert "hand out one only" in page.says("success")
    # That page tells of what Recode publishes, not of these two.
    assert not any("two tables" in link.proto.label for link in page.at.get("page_link"))
    # It is still so when a table of another file was taken meanwhile.
    held = page.dataset.frame.to_csv(sep=";", index=False).encode()
    for name, content in (("others.csv", PEOPLE.encode()), ("people.csv", held)):
        page.open(DATA).upload(name, content)
        page.open(CHECK).press("publishable-start").press("publishable-take-0")
    assert "hand out one only" in page.says("success")


@pytest.mark.parametrize("on_data", [True, False])
def test_rows_that_repeat_another_are_left_out_by_a_button(session, on_data):
    held = [
        f"{10_000 + row};{21 + row % 40};{50 + row * 7 % 31};{('flu', 'gout', 'cold')[row % 3]}\n" for row in range(60)
    ]
    held[20:20] = held[3:4]
    held.append(held[30])  # rows 21 and 62 of the table, its last, repeat others
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", ("patient number;age;weight;illness\n" + "".join(held)).encode())
    assert "2 rows repeat another in every column" in session.says("markdown")
    page = session.open(CHECK)
    assert "2 rows repeat another in every column" in page.says("markdown")
    if on_data:
        session.open(DATA).press("data-repeated-out").open(CHECK).press("publishable-start")
    else:
        page.press("publishable-twice")
    assert "2 rows repeat" not in page.says("markdown")
    assert page.dataset.left_out == {"repeating another": (21, 62)}
    page.press("publishable-take-0")
    named = next(one for one in page.at.expander if one.label.startswith("Which rows")).dataframe[0].value
    out = named[named["what becomes of it"] == "left out, repeating another"]
    assert out["row in a spreadsheet"].tolist() == [22, 63]
    assert out["age"].tolist() == [held[20].split(";")[1], held[61].split(";")[1]]
    packed = archive(page)
    assert "\n21\n62\n" in packed.read("keep/repeat.sh").decode()
    assert len(packed.read("hand-out/release.csv").splitlines()) == 1 + 60


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


def test_rows_stay_whose_missing_value_is_not_shown_and_the_card_says_how_many_of_the_line_above(session):
    lines = [f"{21 + row % 40};{1 + row};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[4], lines[17], lines[30] = "old;5;flu", "?;18;gout", "51;hall;flu"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;room;illness", *lines]).encode())
    page = session.fill("multiselect", "data-roles", ["age", "room"]).press("data-misfits-out")
    page = page.press("data-misfits-out").open(CHECK)
    assert left_out_said(page.dataset, page.study) == "Left out: 3 rows, with missing values."
    page.press("publishable-start")
    cards = page.says("markdown")
    assert "**room**: left out" in cards
    assert "2 rows left out where age says nothing" in cards
    assert "Of 3 rows with missing values 1 stays here: what is missing is not shown." in cards


def test_rows_that_are_lost_are_named_with_the_reason(session):
    lines = [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[4], lines[17] = "old;flu", "?;gout"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    page = session.fill("multiselect", "data-roles", ["age"]).press("data-misfits-out").open(CHECK)
    for button in ("publishable-start", "publishable-take-0"):
        page.press(button)
        fold = next(one for one in page.at.expander if one.label.startswith("Which rows"))
        rows = fold.dataframe[0].value
        out = rows[rows["what becomes of it"] == "left out for missing values"]
        assert out["row in a spreadsheet"].tolist() == [6, 19]
    assert rows_in_verdict(page, "left out for missing values") == "6, 19"
    shown, packed = preview(page)["age"], read_release_table(archive(page).read("hand-out/release.csv"))
    assert set(shown) <= set(packed["age"])
    assert any(
        f"{age} stands for: {spoken(age)}." in one.value.replace("\\", "") for age in shown for one in page.at.caption
    )


def rows_in_verdict(page, why):
    """The rows that a verdict says something became of."""
    verdict = " ".join(re.sub(r"<[^>]+>", " ", archive(page).read("keep/verdict.html").decode()).split())
    return re.search(rf"\d rows? {why}: ([\d, to]+\d)", verdict)[1]


def preview(page):
    """The first rows of a table that was found, as the page shows them."""
    return next(one.value for one in page.at.dataframe if "what becomes of it" not in one.value.columns)


def test_the_script_makes_the_same_files_where_cells_were_read_as_others(session, tmp_path):
    lines = [f"{21 + row % 40};{('w', 'm')[row % 3 % 2]};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[4], lines[7], lines[9] = "old;w;flu", "33;W;flu", "34;weiblich and 'so';gout"
    lines[12] = "35;weiblich;gout"
    text = "\n".join(["age;sex;illness", *lines])
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("my people.csv", text.encode())
    session.fill("multiselect", "data-roles", ["age", "sex"]).press("data-misfits-out").press("data-alike-merge")
    script = assert_script_repeats(session, text, tmp_path)
    assert all(f"--read-as={told}" in script for told in ("age=old=", "sex=W=w", "sex=weiblich=w"))


def assert_script_repeats(session, text, tmp_path):
    page = session.open(CHECK).press("publishable-start").press("publishable-take-0")
    packed = archive(page)
    (tmp_path / "my people.csv").write_text(text, encoding="utf-8")
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    (tmp_path / "repeat.sh").write_bytes(packed.read("keep/repeat.sh"))
    run = ["sh", "repeat.sh"]
    done = subprocess.run(run, cwd=tmp_path, env=os.environ | {"PATH": programs}, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in packed.namelist():
        assert (tmp_path / "publishable" / name).read_bytes() == packed.read(name), name
    return packed.read("keep/repeat.sh").decode()


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
    assert "age: 1 missing value, their rows are left out" in verdict
    found = last_found(page)
    assert found.thoroughness.split(":")[0] in verdict
    assert f"smallest group: {found.outcomes[0].checked.k}, wanted" in verdict


def test_what_asks_for_attention_is_taken_with_a_reason(session):
    page = plans(session, {7: "own"})
    page.press("publishable-start")
    # What is ready stands by itself; what asks somebody to look is folded, with its verdict's word.
    (fold,) = [one for one in page.at.expander if one.label.startswith("Another table keeps")]
    folded = [one.value for one in fold.markdown]
    assert [said for said in folded if said.startswith("**Attention.** ")]
    hidden = [one.value for fold in page.at.expander for one in fold.markdown]
    told = [one.value for one in page.at.markdown if one.value not in hidden]
    assert [said for said in told if "**Ready: " in said]
    assert "Attention" not in "".join(told)
    page.fill("text_input", "publishable-why", "They agreed.")
    page.press("publishable-accept")
    assert "**Attention, accepted.**" in page.says("warning")
    packed = archive(page)
    verdict = packed.read("keep/verdict.html").decode()
    assert "Attention, accepted by decision" in verdict
    line = verdict[verdict.index("<b>Reason</b>") : verdict.index("<b>Date</b>")]
    assert "They agreed." in line
    assert "<b>Date</b> <span></span>" not in verdict
    assert "They agreed." in packed.read("keep/settings.toml").decode()


def test_a_reason_accepts_nothing_that_was_not_to_be_seen(session, monkeypatch):
    page = plans(session, {7: "own"})
    page.press("publishable-start")
    page.fill("text_input", "publishable-why", "They agreed.")
    drawn = archives.published_by

    def drawn_otherwise(*given):
        made = drawn(*given)
        more = Finding("attention", "kept-order", "Something else is to be looked at.")
        return replace(made, checked=replace(made.checked, findings=(*made.checked.findings, more)))

    monkeypatch.setattr(archives, "published_by", drawn_otherwise)
    page.press("publishable-accept")
    assert archive(page) is None
    assert "Something else is to be looked at." in page.says("error")


def last_found(page):
    return list(page.at.session_state["cra_publishable_found"][1].values())[-1]


def taken_of(page):
    """The table that is taken now; None where none is."""
    decided = page.at.session_state[state.DECIDED][1]
    line = next((one.what for one in decided if one.what.startswith(decisions.PUBLISHED)), "")
    kept = page.at.session_state["cra_taken"][1]
    return next((taken for key, taken in reversed(kept.items()) if key[-1] == line), None)


def archive(page):
    taken = taken_of(page)
    return None if taken.problem else zipfile.ZipFile(io.BytesIO(packed_zip(taken.files)))


def assert_one_verdict(page):
    """Of what was found the page speaks alone: no verdict on the table as it came stands below."""
    assert "check-made" not in [box.key for box in page.at.selectbox]
    assert "Looked at" not in page.says("markdown", "success", "warning", "error")


def test_while_a_search_goes_on_the_page_speaks_of_it_alone(page, monkeypatch):
    monkeypatch.setattr(Runs, "ended", lambda *_: False)
    page.press("publishable-start")
    assert_one_verdict(page)
    page.fill("toggle", "check-as-it-was", True)
    assert "Looked at" in page.says("markdown", "success", "warning", "error")


def test_one_of_the_outcomes_is_taken_and_its_archive_passes(page):
    assert "publishable-pins-0" in [one.key for one in page.at.multiselect]  # before the first search, too
    page.press("publishable-start")
    lines = [line for line in page.says("markdown").splitlines() if line.startswith("- **")]
    assert all(line.endswith((" lost", "; not counted")) for line in lines)
    assert any(line.endswith(" % lost") for line in lines)
    kept = [line for line in page.says("markdown").splitlines() if "of the detail of all " in line]
    assert 1 <= len(kept) <= 3
    for word in ("grid", "cell", "finest", "log odds"):
        assert not any(word in line for line in kept)
    assert "As your table would go out" in page.says("markdown")
    assert_one_verdict(page)
    page.press("publishable-take-0")
    assert "The table that you took: " in page.says("success")
    assert_one_verdict(page)
    # The cards gave way to the download, so that it stands where the button was pressed.
    (others,) = [one for one in page.at.expander if one.label.startswith("The tables that were found")]
    assert "publishable-take-0" in [button.key for button in others.button]
    assert "**Ready.**" in page.says("success")
    # The page speaks of what was taken; the verdict before stands behind a switch, and says of which table it is.
    page.fill("toggle", "check-as-it-was", True)
    assert "check-made" in [box.key for box in page.at.selectbox]
    assert "Looked at: **your table, in groups" in page.says("success", "warning", "error")
    packed = archive(page)
    assert "people.csv.csv" not in packed.read("keep/verdict.html").decode()
    assert set(packed.namelist()) == {
        "hand-out/release.csv",
        "hand-out/release.xlsx",
        "hand-out/how-to-read.txt",
        "hand-out/study/study.toml",
        "keep/verdict.html",
        "keep/settings.toml",
        "keep/repeat.sh",
        "keep/README.txt",
    }
    assert "as secret as the table of patients" in packed.read("keep/README.txt").decode()
    assert (
        "Send only the first: the folder **keep** of the second stays with you, as secret as your table."
        in page.says("caption")
    )
    assert "Decided by" not in packed.read("keep/verdict.html").decode()
    assert "Nobody need sign this" in packed.read("keep/verdict.html").decode()
    settings = Project.from_toml_text(packed.read("keep/settings.toml").decode())
    release = read_release_table(packed.read("hand-out/release.csv"), "release.csv")
    assert check(read_table(PEOPLE.encode()), settings.study, release, rule=settings.rule).verdict == "ready"
    # What is taken stays so until it is searched again; that the search heeds what has to stay is said.
    page.fill("multiselect", "publishable-pins-0", ["age"])
    assert offered(page)
    assert "**Search again** heeds it" in page.says("caption")
    assert page.at.number_input(key="publishable-width-age-0").value == 0
    page.press("publishable-start")
    assert not offered(page)


def test_what_was_found_before_a_pin_stays_in_sight_until_the_next_search(page):
    page.press("publishable-start").fill("multiselect", "publishable-pins-0", ["age"])
    assert page.at.number_input(key="publishable-width-age-0").step == 1
    assert "publishable-take-0" in [button.key for button in page.at.button]
    assert not page.at.button(key="publishable-take-0").disabled
    page.fill("number_input", "publishable-width-age-0", 1)
    # What was found stays to be read, says that it is of before, and cannot be taken.
    assert page.at.button(key="publishable-take-0").disabled
    assert "**Ready, before your change: keeps most detail**" in page.says("markdown")
    assert "before your last change of what has to stay" in page.says("caption")
    # No hierarchy has single years, so the search makes them; nobody is like anybody then.
    page.press("publishable-start")
    assert "passes" in page.says("error")  # why is told by how far it came in its time
    assert "publishable-take-0" not in [button.key for button in page.at.button]
    page.fill("number_input", "publishable-width-age-0", 15)
    page.press("publishable-start")
    assert "age**: groups of 15 years" in page.says("markdown")


def test_tables_are_told_apart_by_the_names_of_their_archives(page):
    first = taken_of(page.press("publishable-start").press("publishable-take-0")).called
    page.fill("multiselect", "publishable-pins-0", ["age"]).fill("number_input", "publishable-width-age-0", 10)
    second = taken_of(page.press("publishable-start").press("publishable-take-0"))
    assert first.rsplit(" ", 1)[0] == second.called.rsplit(" ", 1)[0]
    assert first != second.called
    assert second.files["keep/verdict.html"].count("has to stay") == 1  # said once, by the archive itself


def test_a_search_that_is_stopped_before_it_found_anything_says_so_without_alarm(page, monkeypatch):
    honest = search.publishable
    stopped = {"cancelled": lambda: True}
    monkeypatch.setattr(search, "publishable", lambda *given, **named: honest(*given, **named | stopped))
    page.press("publishable-start")
    assert "You stopped the search" in page.says("info")
    assert "Nothing was found" not in page.says("error")


def test_people_in_the_way_of_what_has_to_stay_are_left_out_by_a_button(session):
    held = [f"{21 + row % 5};{'mf'[row // 5 % 2]};{('flu', 'gout')[row // 2 % 2]}\n" for row in range(40)]
    held += [f"{81 + row % 3};m;flu\n" for row in range(4)]
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", ("age;sex;illness\n" + "".join(held)).encode())
    page = session.fill("multiselect", "data-roles", ["age", "sex"]).open(CHECK)
    page.fill("multiselect", "publishable-pins-0", ["age", "sex"]).fill("number_input", "publishable-width-age-0", 10)
    page.press("publishable-start")
    assert "4 people stand in groups too small or too much alike, for what has to stay: age and sex." in page.says(
        "markdown"
    )
    page.press("publishable-without-age and sex")
    assert page.dataset.left_out == {"so that age and sex can stay": (41, 42, 43, 44)}
    assert "publishable-take-0" in [button.key for button in page.at.button]


def test_a_file_keeps_its_own_name_in_the_archive():
    assert archives.file_name("Patienten_Export_2024.xlsx") == "Patienten_Export_2024.xlsx"
    assert archives.file_name("Toy example, e.g. 1.5 people") == "Toy example, e.g. 1.5 people.csv"


def test_a_check_that_gave_way_says_so_and_can_be_had(page, monkeypatch):
    monkeypatch.setattr(Runs, "going", property(lambda _: True))
    page.at.session_state["cra_results"].pop("check-answers")  # as if it had not been answered yet
    page.press("publishable-start").fill("toggle", "check-as-it-was", True)
    assert "the search went first" in page.says("info")
    assert "Stopped" not in page.says("info")
    # What is known without the attack is there to look at.
    sizes = recode(page.dataset.frame, page.study).frame["age"].value_counts().drop("*", errors="ignore")
    assert sizes.min() == sizes.max()
    said = f"{len(sizes)} groups of {sizes.min()} records"
    assert said in page.says("markdown")
    assert [alt for alt in page.alts() if alt.startswith(said)]
    page.press("check-again")
    assert "the search went first" not in page.says("info")
    assert "was not looked at yet" not in page.says("markdown")


def test_where_nothing_passes_the_page_names_rule_and_column(session, monkeypatch):
    monkeypatch.setattr(search, "SECONDS", 60.0)
    same = "age;illness\n" + "".join(f"{20 + row * 7 % 60};flu\n" for row in range(30))
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("people.csv", same.encode())
    session.open(CHECK).press("publishable-start")
    assert "column illness" in session.says("error")
    assert "publishable-take-0" not in [button.key for button in session.at.button]


def test_all_questions_of_data_are_answered_as_advised_at_once(session):
    rows = "".join(
        f"{20 + row * 7 % 60};{'mf'[row % 2]};{('Bern', 'Genf')[row % 3 % 2]};{150 + row % 40};flu{row % 3}\n"
        for row in range(60)
    )
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    page.upload("people.csv", ("age;sex;city;height;illness\n" + rows).encode())
    assert set(page.study.names) == {"age", "sex", "city", "height"}
    page.fill("multiselect", "data-roles", ["age", "height"])
    assert "sex" in page.says("caption") + page.says("markdown")
    page.press("data-advised")
    assert set(page.study.names) >= {"age", "sex", "city", "height"}
    assert "data-advised" not in [button.key for button in page.at.button]


def test_one_release_loses_the_same_detail_on_every_page(session):
    rows = "".join(f"{20 + row * 7 % 60};{'mf'[row % 2]};{('flu', 'gout', 'cold')[row % 3]}\n" for row in range(120))
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", ("age;sex;illness\n" + rows).encode())
    page = session.open(CHECK).press("publishable-start")
    found = last_found(page)
    same = [one for one in found.outcomes if not one.gone and one.choice.way.name in ("local", "safe")]
    assert f"{percent(1 - same[0].cost, 1)} of the detail of all 3 columns kept" in page.says("markdown")
    page.at.session_state["cra_study"] = same[0].study
    page.open("pages/compare.py")
    if "cra_options" not in page.at.session_state:
        page.press("compare-start")
    held = page.at.session_state["cra_options"][1]
    assert text_of(KEPT["detail"], held.present) == percent(same[0].cost, 1)
    assert next(box.value for box in page.at.selectbox if box.label == "What is lost") == "detail"
    assert "Dotted line: best by these two" in page.says("caption")


@pytest.mark.parametrize("another_is_taken", [False, True])
def test_of_a_table_that_is_uploaded_again_the_taken_one_is_back_or_said_to_be_taken_again(page, another_is_taken):
    def upload(name, content):
        page.open(DATA)
        page.upload(name, content.encode())

    def taken():
        page.open(CHECK)
        page.press("publishable-start").press("publishable-take-0")

    taken()
    upload("others.csv", PEOPLE.replace("illness", "diagnosis"))
    if another_is_taken:
        taken()
    upload("people.csv", PEOPLE)
    noted = [one.what for one in page.at.session_state["cra_decisions"][1]]
    said = page.says("success")
    page.open(CHECK)
    here = "The table that you took" in page.says("success")
    assert here is not another_is_taken
    assert ("is to be taken again, on Check" in said) is another_is_taken
    assert any(one.startswith("published as searched for") for one in noted) is here
