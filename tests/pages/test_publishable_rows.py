"""Make it publishable, on the page Check: rows that are left out or lost, named where their people are to be found."""

import hashlib
import json
import re
from decimal import Decimal
from random import Random

import pytest
from publishing import CHECK, archive, last_found, offered, plan_lines, plans, rows_in_verdict
from visitor import DATA

from cra_dashboard.panels.frame import left_out_said
from cra_dashboard.session import decisions
from cra_engine.publishable import Pin
from cra_engine.release import read_release_table
from cra_engine.words import spoken

PATIENTS = [
    f"{10_000 + row};{21 + row % 40};{50 + row * 7 % 31};{('flu', 'gout', 'cold')[row % 3]}\n" for row in range(60)
]


def test_people_for_whom_a_column_goes_are_named_and_left_out_by_a_button(session):
    page = plans(session, {7: "none yet", 24: "own", 31: "other"})
    page.press("publishable-start")
    told = "plan goes because of 3 people in rows 7, 24 and 31 (8, 25, 32 in a spreadsheet)"
    assert told in page.says("markdown")
    page.press("publishable-without-plan")
    assert page.dataset.left_out == {"so that plan can stay": (7, 24, 31)}
    assert "| **plan**: as it is" in page.says("markdown")
    page.press("publishable-take-0")
    assert "Without 3 rows." in page.says("success", "warning")
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


def test_few_people_in_the_way_of_detail_are_left_out_in_one_of_the_tables_and_named(session):
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start")
    cards = [line for line in page.says("markdown").splitlines() if "**Ready: " in line]
    assert [card.split("Ready: ")[1] for card in cards] == ["keeps most detail**", "leaves out fewest rows**"]
    assert [one.value for one in page.at.metric][:3] == ["96.0 %", "3 of 3", "48 of 50"]
    fold = next(one for one in page.at.expander if one.label.startswith("Which rows"))
    assert fold.label.replace("\\", "") == "Which rows, and why: 2 left out"
    named, drawn = fold.dataframe[0].value, fold.dataframe[0].proto
    assert drawn.row_height > 64  # or Streamlit wraps nothing
    assert json.loads(drawn.columns)["what becomes of it"]["width"] <= 200
    assert named["row in a spreadsheet"].tolist() == [8, 25]
    assert set(named["what becomes of it"]) == {"left out, so that all others show more"}
    assert "left out so that all others show more, where too few others are like them" in fold.markdown[0].value


def test_people_in_the_way_of_what_has_to_stay_are_left_out_by_a_button(session, above):
    held = [f"{21 + row % 5};{'mf'[row // 5 % 2]};{('flu', 'gout')[row // 2 % 2]}\n" for row in range(40)]
    held += [f"{81 + row % 3};m;flu\n" for row in range(4)]
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", ("age;sex;illness\n" + "".join(held)).encode())
    page = session.fill("multiselect", "data-roles", ["age", "sex"]).open(CHECK)
    above(lambda: decisions.use_pins([Pin("age", Decimal(10)), Pin("sex")]))
    page.press("publishable-start")
    assert "4 people stand in groups too small or too much alike, for what has to stay: age and sex." in page.says(
        "markdown"
    )
    # Above a table that is Ready it is said why it may go out, and beside the button what it takes away.
    assert "**Ready: " in page.says("markdown")
    assert "that is why it is Ready" in page.says("markdown")
    outcomes = last_found(page).outcomes
    assert all({41, 42, 43, 44} <= {*one.suppressed_rows, *one.left_out_rows} for one in outcomes)
    assert "Without them 9.1 % of all rows, and what is rare about them, are missing in every analysis." in page.says(
        "markdown"
    )
    page.press("publishable-without-age and sex")
    assert page.dataset.left_out == {"so that age and sex can stay": (41, 42, 43, 44)}
    assert "publishable-take-0" in [button.key for button in page.at.button]


@pytest.mark.parametrize("on_data", [True, False])
def test_rows_that_repeat_another_are_left_out_by_a_button(session, on_data):
    held = [*PATIENTS]
    held[20:20] = held[3:4]
    held.append(held[30])  # rows 21 and 62 of the table, its last, repeat others
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    content = ("patient number;age;weight;illness\n" + "".join(held)).encode("cp1252")
    session.upload("people.csv", content)
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
    assert hashlib.sha256(content).hexdigest() in packed.read("keep/verdict.html").decode()
    assert "\n21\n62\n" in packed.read("keep/repeat.sh").decode()
    assert len(packed.read("hand-out/release.csv").splitlines()) == 1 + 60


@pytest.mark.parametrize("on_data", [True, False])
def test_whoever_leaves_repeats_out_is_still_asked_about_other_rows_of_one_patient_number(session, on_data):
    held = [*PATIENTS, PATIENTS[30], "10005;26;51;cold\n"]  # 61 repeats, 62 has a number from above
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", ("patient number;age;weight;illness\n" + "".join(held)).encode())
    if on_data:
        page = session.press("data-repeated-out").open(CHECK).press("publishable-start")
    else:
        page = session.open(CHECK).press("publishable-twice")
    assert page.dataset.left_out == {"repeating another": (61,)}
    page.press("publishable-take-0")
    assert "on Data.**" in page.says("warning")
    assert not offered(page)
    session.open(DATA)
    assert "patient number has 60 different values in 61 rows" in session.says("markdown")
    assert "repeats another" not in session.says("markdown")
    session.press("data-repeated-patient number")
    assert session.dataset.left_out == {
        "repeating another": (61,),
        "with a patient number that stands in a row above": (62,),
    }
    assert "different values in 6" not in session.says("markdown")


def test_rows_stay_whose_missing_value_is_not_shown_and_the_card_says_how_many_of_the_line_above(session):
    lines = [f"{21 + row % 40};{1 + row};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[4], lines[17], lines[30] = "old;5;flu", "?;18;gout", "51;hall;flu"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;room;illness", *lines]).encode())
    page = session.fill("multiselect", "data-roles", ["age", "room"]).press("data-misfits-out")
    page = page.press("data-misfits-out").open(CHECK)
    assert left_out_said(page.dataset, page.study) == (
        "Left out: 3 rows, with missing values (Make it publishable keeps those it can)."
    )
    page.press("publishable-start")
    cards = page.says("markdown")
    assert "**Without:** room" in cards
    assert re.search(r"\| 2 of \d+ rows left out: where age says nothing \|", cards)
    assert "Of 3 rows with missing values 1 stays here: what is missing is not shown." in cards


def preview(page):
    """The first rows of a table that was found, as the page shows them."""
    return next(one.value for one in page.at.dataframe if "what becomes of it" not in one.value.columns)


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


def test_groups_of_years_are_shown_as_the_file_has_them_and_said_as_people_do(session):
    draw = Random(4)
    rows = [f"{1 + n % 28:02}.{1 + n % 12:02}.{1940 + draw.randrange(40)};{'fgc'[n % 3]}" for n in range(120)]
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["birth date;illness", *rows]).encode())
    page = session.press("data-first-known-birth date").open(CHECK).press("publishable-start")
    (shown, *_) = [frame.value for frame in page.at.dataframe if "birth date" in frame.value and len(frame.value) == 6]
    interval = re.compile(r"\[(19\d\d)-01-01, (19\d\d)-01-01\[")
    assert all(cell == "*" or interval.fullmatch(cell) for cell in shown["birth date"])
    label = next(cell for cell in shown["birth date"] if cell != "*")
    begin, end = map(int, interval.fullmatch(label).groups())
    assert f"{label} stands for: {begin}\N{EN DASH}{end - 1}." in page.says("caption").replace("\\", "")
    page.press("publishable-take-0")
    assert label in archive(page).read("hand-out/release.csv").decode()
