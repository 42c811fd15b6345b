"""Make it publishable, on the page Check: what its cards and the table that was taken say to who hands it out."""

import re
from threading import Event
from types import SimpleNamespace

import pytest
from publishing import (
    CHECK,
    PEOPLE,
    last_found,
    name_who,
    plan_lines,
)
from streamlit.testing.v1 import AppTest
from visitor import DATA

from cra_dashboard.publishable import cards, search
from cra_dashboard.session.runs import Runs
from cra_engine.options import KEPT, UNBOUNDED, text_of
from cra_engine.publishable import Step
from cra_engine.words import percent


@pytest.fixture
def found(session):
    """What a search found of sixty people."""
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("people.csv", PEOPLE.encode())
    return session.open(CHECK).press("publishable-start")


def test_which_k_was_used_stands_beside_the_button_and_on_each_card(found):
    (link,) = [one.proto for one in found.at.get("page_link") if "k = " in one.proto.label]
    assert (link.label, link.page) == ("Groups of at least k = 5", "hierarchies")
    assert "like at least 4 others" in link.help
    assert "proposes 5" in link.help
    told = [one.value.replace("\\", "") for one in found.at.caption if one.value.startswith("k = ")]
    outcomes = last_found(found).outcomes
    assert [int(re.match(r"k = (\d+): in each group at least \1 people", one)[1]) for one in told] == [
        one.study.k for one in outcomes
    ]


def test_ready_stands_beside_no_infinity_and_what_bounds_the_choices_is_one_click_away(found):
    outcomes = last_found(found).outcomes
    assert "local" in {one.choice.way.name for one in outcomes}
    assert "\u221e" not in found.says("markdown", "caption")
    captions = [one for one in found.at.caption if one.value.startswith("k = ")]
    for caption, outcome in zip(captions, outcomes, strict=True):
        assert (caption.help.replace("\\", "") == UNBOUNDED) == (outcome.choice.way.name == "local")


def test_as_many_demands_are_listed_as_are_counted(found):
    (counted,) = [one for one in found.at.markdown if "it meets all" in one.value]
    count = int(re.search(r"all (\d+) demands", counted.value)[1])
    assert count == len([line for line in counted.help.splitlines() if line.startswith("1. ")])
    assert "1. Enough rows that fit no group" in counted.help


def test_what_is_handed_out_is_named_in_a_sentence(found):
    found.press("publishable-take-0")
    (told,) = [one.value for one in found.at.caption if "Send only the first" in one.value]
    assert re.match(r"Both file names begin with people publishable [\d-]+ \w+\. Send only", told.replace("\\", ""))


def test_who_decides_is_offered_for_the_tables_of_one_file_alone(found):
    name_who(found.press("publishable-take-0"), "Ada Fictitious")
    found.press("publishable-start").press("publishable-take-0")  # another archive of the same file
    assert offered_for(found) == "Ada Fictitious"
    other = PEOPLE.replace("gout", "croup")
    found.open(DATA).fill("radio", "data-from", "Upload a table").upload("others.csv", other.encode())
    found.open(CHECK).press("publishable-start").press("publishable-take-0")
    assert offered_for(found) == ""


def offered_for(page):
    """The name that is offered where it is asked who decides."""
    page.press("publishable-who")
    return page.at.text_input(key="decided-by").value


ROWS = """
from types import SimpleNamespace
import pandas as pd
from cra_dashboard.publishable.cards import show_first_rows
show_first_rows(SimpleNamespace(frame=pd.DataFrame({"town": ["A", {!r}], "illness": [{!r}, "flu"]})), "a table")
"""


@pytest.mark.parametrize(
    ("town", "illness", "told"),
    [
        ("NULL", "no entry", ["NULL and no entry stand for the same: the value is missing in the table."]),
        ("B", "no entry", ["no entry stands for: the value is missing in the table."]),
        ("B", "cold", []),
    ],
)
def test_below_first_rows_stands_what_their_words_for_missing_values_say(town, illness, told):
    at = AppTest.from_string(ROWS.replace("{!r}", repr(town), 1).replace("{!r}", repr(illness), 1)).run()
    assert not at.exception
    assert [one.value.replace("\\", "") for one in at.caption] == told


def test_cards_of_a_search_that_goes_on_stand_in_their_places(page, monkeypatch):
    page.press("publishable-start")
    assert "New here" not in page.says("markdown")
    _, job = page.at.session_state["cra_jobs"]["publishable"]
    best = search.best_of(job.progress.ready)
    monkeypatch.setattr(Runs, "ended", lambda *_: False)
    monkeypatch.setattr(job, "_done", Event())
    # The cheapest was found last, where another one had stood: at the end of the search it comes first.
    job.progress.places = {best[0].choice: search.MOST_OUTCOMES - 1}
    job.progress.instead = {best[0].choice}
    page.run()
    places = [f"publishable-take-{place}" for place in (*range(len(best) - 1), search.MOST_OUTCOMES - 1)]
    assert [one.key for one in page.at.button if one.key.startswith("publishable-take-")] == places
    ready = [one for one in page.says("markdown").split("\n") if "**Ready: " in one]
    assert [one.rpartition(": ")[2] for one in ready] == [f"{one.best_at}**" for one in (*best[1:], best[0])]
    assert ["New here" in one for one in ready] == [False] * (len(best) - 1) + [True]


KASSEN = ("AOK", "Barmer", "DAK", "TK", "IKK")


@pytest.mark.parametrize("answer", ["known", "kept"])
def test_a_card_says_which_column_shows_less_for_nothing_told_what_it_holds(session, answer):
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    lines = [f"{line.rstrip()};{KASSEN[row * 7 % 5]}\n" for row, line in enumerate(plan_lines({7: "none yet"}, 4))]
    page.upload("people.csv", ("age;plan;illness;Krankenkasse\n" + "".join(lines)).encode())
    # An insurer is nothing that a table is for, and its name tells what it is.
    assert "Krankenkasse" in page.study.names
    page.press(f"data-{answer}-plan").open(CHECK).press("publishable-start")
    assert "Less is shown of Krankenkasse" not in page.says("markdown")
    assert "and Krankenkasse, or nothing" not in page.says("markdown")
    told = "Less is shown of plan, or nothing, for others may know it, as you answered."
    assert (told in page.says("markdown")) == (answer == "known")


def test_one_release_loses_the_same_detail_on_every_page(session):
    rows = "".join(f"{20 + row * 7 % 60};{'mf'[row % 2]};{('flu', 'gout', 'cold')[row % 3]}\n" for row in range(120))
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", ("age;sex;illness\n" + rows).encode())
    page = session.open(CHECK).press("publishable-start")
    found = last_found(page)
    # What counts more of the detail kept is called so once, above the cards.
    assert page.says("markdown").count("threefold") == 1
    assert "Of the detail age and sex count threefold." in page.says("markdown")
    same = [one for one in found.outcomes if not one.gone and one.choice.way.name in ("local", "safe")]
    assert percent(1 - same[0].cost, 1) in [one.value for one in page.at.metric if one.label == "Detail kept"]
    page.at.session_state["cra_study"] = same[0].study
    page.open("pages/compare.py")
    if "cra_options" not in page.at.session_state:
        page.press("compare-start")
    held = page.at.session_state["cra_options"][1]
    assert text_of(KEPT["detail"], held.present) == percent(same[0].cost, 1)
    assert next(box.value for box in page.at.selectbox if box.label == "What is lost") == "detail"
    assert "Filled: Ready. Hollow: not." in page.says("caption")


CARD = """
from dataclasses import replace
from cra_dashboard.publishable import cards
from cra_engine import synthesize
from cra_engine.checks.outcome import Finding
from cra_engine.publishable import Step, publishable
made = synthesize("toy")
one = publishable(made.data, made.study).outcomes[0]
notes = [Finding("note", code, f"{code} is told.") for code in ("also", "certain", "few-suppressed", "undecided")]
steps = (Step("ward", "as it is, but no row shows “eyes” (1 person left out)", 0.0), Step("age", "groups", 0.1))
steps += (Step("illness", "as it is (sensitive), 4 values hidden as decided", 0.0),)
checked = replace(one.checked, findings=notes, diversity=())
one = replace(one, checked=checked, hardly=("age", "ward"), gone=(), steps=steps)
cards.show_outcome(one)
"""


def test_a_card_names_what_hardly_shows_what_is_lost_with_rows_and_where_more_notes_are(monkeypatch):
    for part, told in {"made_by": ["k = 2"], "loose_pins": {}, "rows_that_stay": ""}.items():
        monkeypatch.setattr(cards, part, lambda _, told=told: told)
    monkeypatch.setattr(cards.decisions, "known_untold", list)
    at = AppTest.from_string(CARD, default_timeout=60).run()
    assert not at.exception
    told = [one.value.replace("\\", "") for one in at.markdown]
    (hardly,) = [one.partition("**Hardly shown:** ")[2] for one in told if "Hardly" in one]
    assert hardly == "age and ward: one group alone, or * in half of the rows or more."
    (table,) = [one for one in told if "goes out as" in one]
    assert "left out:" not in table
    assert re.search(r"\*\*ward\*\*: .*\| with\srows \|", table)
    assert re.search(r"\*\*illness\*\*: .*\| not\scounted \|", table)  # no row takes along what somebody hid before
    (notes,) = [one for one in at.markdown if ":material/info:" in one.value]
    where = "2 more notes with the demands “enough rows that fit no group” and “a role for every column”."
    assert notes.value.replace("\\", "") == f":material/info: also is told. certain is told. {where}"
    assert notes.help == "- few-suppressed is told.\n- undecided is told."


@pytest.mark.parametrize(
    ("steps", "told", "lost"),
    [
        ([(0.0, 2, "repeating another")], "2 of 12 rows left out: repeating another", "nothing"),
        ([(0.1, 1, "where age says nothing")], "1 of 11 rows left out: where age says nothing", "10.0 %"),
        (
            [
                (0.0, 2, "repeating another"),
                (0.004, 1003, "as decided"),
                (0.015, 1, "where age is *"),
                (0.03, 6, "so that more is"),
                (0.0, 0, ""),
            ],
            "1,012 of 1,022 rows left out: 2 repeating another, 1,003 as decided, 1 where age is *, 6 so that more is",
            "4.9 %",
        ),
    ],
)
def test_a_card_tells_all_rows_that_are_left_out_in_one_line_with_what_they_lose_together(steps, told, lost):
    left_out = sum(rows for _, rows, _ in steps)
    said = [Step("", "", *one) for one in steps]
    outcome = SimpleNamespace(steps=said, left_out=left_out, checked=SimpleNamespace(records=10))
    assert (cards.rows_left_out(outcome).text, cards.rows_left_out(outcome).lost) == (told, lost)


def test_below_its_columns_a_card_says_how_it_was_made_and_which_rows_show_little(monkeypatch):
    study = SimpleNamespace(k=2)
    monkeypatch.setattr(cards.state, "results_key", lambda: ("", study))
    steps = [Step("", "2 rows left out, repeating another", 0.0, 2), Step("", "missing values shown as *", 0.0)]
    way = SimpleNamespace(way=SimpleNamespace(name="global"))
    outcome = SimpleNamespace(study=study, choice=way, steps=steps, suppressed=3, suppressed_told="with * in age")
    assert cards.made_by(outcome) == [
        "k = 2: in each group at least 2 people look alike",
        "the same groups for all rows",
        "missing values shown as *",
        "3 rows with * in age",
    ]


def test_a_card_says_in_words_what_local_recoding_makes_of_groups(found):
    told = [one.value.replace("\\", "") for one in found.at.caption if one.value.startswith("k = ")]
    ways = [one.choice.way.name for one in last_found(found).outcomes]
    assert "local" in ways
    assert [way == "local" for way in ways] == ["groups may be coarser in some rows (ARX-LR)" in one for one in told]


def test_below_first_rows_one_group_of_each_column_is_explained():
    rows = ROWS.replace('"town": ["A", {!r}], "illness": [{!r}, "flu"]', '"age": ["[20, 40["], "kg": ["[60, 80["]')
    at = AppTest.from_string(rows).run()
    assert [one.value.replace("\\", "") for one in at.caption] == [
        "[20, 40[ stands for: 20 to under 40; [60, 80[ stands for: 60 to under 80."
    ]
