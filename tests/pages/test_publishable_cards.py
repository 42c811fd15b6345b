"""Make it publishable, on the page Check: what its cards and the table that was taken say to who hands it out."""

import re

import pytest
from publishing import CHECK, PEOPLE, last_found, name_who
from visitor import DATA

from cra_engine.options import UNBOUNDED


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
    assert re.match(r"They are called people publishable [\d-]+ \w+\. Send only", told.replace("\\", ""))


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
