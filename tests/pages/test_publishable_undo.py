"""Undo on the page Check: what it takes back of tables that were taken, and of what has to stay."""

from decimal import Decimal

import pytest
from publishing import CHECK, archive, offered, plans

from cra_dashboard.publishable import search
from cra_dashboard.session import decisions, state
from cra_engine.publishable import Pin


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
    assert page.at.metric[2].value == "48 of 50"
    assert [page.at.button(key=f"publishable-take-{place}").disabled for place in (0, 1)] == [True, False]
    above(state.undo)
    assert "The table that you took" not in page.says("success")
    assert not offered(page)
    assert "before your" not in page.says("markdown", "caption")  # what was found is what it was
    assert "publishable-take-1" in [button.key for button in page.at.button]


@pytest.mark.parametrize("key", ["publishable-readers", "publishable-zip"])
def test_another_table_of_the_same_people_is_spoken_of_where_it_was_downloaded_and_nowhere_else(session, above, key):
    said = "You have downloaded another table of these people: hand out one only."
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start").press("publishable-take-0")
    above(state.undo)
    page.press("publishable-take-1")
    assert offered(page)
    assert said not in page.says("warning"), "the first was taken, and nobody has it"
    page.at.download_button(key=key).click()
    assert said not in page.run().says("warning"), "it is this one"
    above(state.undo)
    assert not offered(page)
    page.press("publishable-take-0")
    assert said in page.says("warning").replace("*", "")
    assert "another table" not in page.says("success")


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
    labels = []
    above(
        lambda: decisions.leave_out((1,), "so that something can stay"), lambda: labels.append(decisions.last_change())
    )
    assert labels == ["1 row left out"]
    page.press("publishable-start")
    assert "The table that you took" not in page.says("success")
    page.press("publishable-take-0")
    above(state.undo, state.undo)
    assert "The table that you took" in page.says("success")
    assert archive(page).read("hand-out/release.csv") == first


def test_of_two_tables_that_were_taken_one_after_the_other_it_is_said_which_is_taken_back(session, above):
    page = plans(session, {7: "own"}).press("publishable-start").press("publishable-take-0")
    first = archive(page).read("hand-out/release.csv")
    page.press("publishable-take-1")
    assert archive(page).read("hand-out/release.csv") != first
    labels = []
    above(lambda: labels.append(decisions.last_change()), state.undo)
    assert archive(page).read("hand-out/release.csv") == first
    above(lambda: labels.append(decisions.last_change()), state.undo)
    assert labels == ["the table taken in place of the one before", "the table that was taken"]
    assert not offered(page)


def decisions_of(page):
    """What was decided, as it is noted."""
    return [one.what for one in page.at.session_state[state.DECIDED][1]]


def test_a_width_is_given_changed_and_taken_away_again(page):
    page.fill("multiselect", "publishable-pins-0", ["age"])
    for width in (15, None, 30, None):
        pin = Pin("age", None if width is None else Decimal(width))
        page.fill("selectbox", "publishable-width-age-0", pin)
        assert decisions_of(page)[-1] == f"what has to stay: age{f'={width}' if width else ''}"
        page.open(CHECK)
        assert page.at.selectbox(key="publishable-width-age-0").value == pin


def test_what_has_to_stay_is_a_decision_that_an_undo_takes_back_with_its_search(session, above, monkeypatch):
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start").press("publishable-take-0")
    first = archive(page).read("hand-out/release.csv")
    page.fill("multiselect", "publishable-pins-0", ["plan"])
    assert decisions_of(page)[-1] == "what has to stay: plan"
    monkeypatch.setattr(search, "SECONDS", 1.0)  # whatever this search finds, it is taken back
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
