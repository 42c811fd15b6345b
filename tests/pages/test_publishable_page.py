"""Make it publishable, on the page Check: the search, how it goes and ends."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from publishing import (
    CHECK,
    assert_one_verdict,
    plans,
)
from visitor import DATA

from cra_dashboard.publishable import panel, search
from cra_dashboard.session.runs import Runs
from cra_engine import recode


def test_a_search_counts_no_tables_and_says_first_that_what_may_go_out_stands_below_once_it_does(monkeypatch):
    clock = {"limit": 60.0, "elapsed": 3.4}
    many = SimpleNamespace(progress=search.Sought(ready=(1, 2, 3)), done=False, **clock)
    assert re.search(r"\d tables? found|found yet|stands below", search._told(many)) is None
    drawn = []
    monkeypatch.setattr(panel, "RUNS", SimpleNamespace(job=lambda _: many))
    monkeypatch.setattr(search.Sought, "placed", lambda _: [1])
    monkeypatch.setattr(panel, "show_outcomes", lambda ready, **_: drawn.append(ready))
    panel.show_so_far(())
    assert drawn
    # First, so that nobody waits who need not.
    assert search._told(many).startswith(":material/check: **What may go out stands below already: take it, or wait")
    none = SimpleNamespace(progress=search.Sought(), **clock)
    assert "None found yet" in search._told(none)
    # A search may end long before its time is over.
    tried = search.Sought(done=12, left=60.0)  # told before a table that takes long
    timed = SimpleNamespace(progress=tried, **clock)
    assert "12 possibilities tried, at most 57 s more." in search._told(timed)
    # From its start on, before the search tells anything of itself, and never less than may come.
    begun = SimpleNamespace(progress=search.Sought(), limit=90.0, elapsed=0.5)
    assert "0 possibilities tried, at most 90 s more." in search._told(begun)
    over = SimpleNamespace(progress=tried, limit=60.0, elapsed=61.0)
    assert "12 possibilities tried; the time is over, and it is ending." in search._told(over)
    # Nor does the button promise what there is not.
    assert (search._stop(many), search._stop(none)) == ("Stop, and show what was found", "Stop, with nothing found yet")
    assert search.RUNS.stop is search._stop


def test_while_a_search_goes_on_a_table_keeps_its_place_and_what_takes_another_ones_is_marked(monkeypatch):
    a, b, c, d, e = (SimpleNamespace(choice=name) for name in "abcde")
    sought, best = search.Sought(), []
    monkeypatch.setattr(search, "best_of", lambda _: tuple(best[-1]))
    # By what they cost, as they are found: the page would show each list in this order.
    for found, places, instead in [
        ([a], {"a": 0}, set()),
        ([b, a], {"a": 0, "b": 1}, set()),
        ([c, b], {"b": 1, "c": 2}, set()),  # where there is room a new one stands behind
        ([c, d, b], {"d": 0, "b": 1, "c": 2}, set()),  # and then in a place where nothing stands
        ([e, c, d], {"d": 0, "e": 1, "c": 2}, {"e"}),
        ([c, d, e], {"d": 0, "e": 1, "c": 2}, {"e"}),
    ]:
        best.append(found)
        assert [one.choice for one in sought.placed()] == list(places)
        assert (sought.places, sought.instead) == (places, instead)


def test_while_a_search_goes_on_the_page_speaks_of_it_alone(page, monkeypatch):
    monkeypatch.setattr(Runs, "ended", lambda *_: False)
    page.press("publishable-start")
    assert_one_verdict(page)
    page.fill("toggle", "check-as-it-was", True)
    assert "Verdict on **your table, in groups**: none yet." in page.says("markdown")


@pytest.mark.parametrize("complete", [True, False])
def test_what_was_found_before_all_was_tried_is_the_best_of_those_tried(session, monkeypatch, complete):
    whole = search.publishable
    cut = {} if complete else {"complete": False, "end": "the time ran out"}
    monkeypatch.setattr(search, "publishable", lambda *what, **how: replace(whole(*what, **how), **cut))
    page = plans(session, {7: "none yet", 24: "own"}).press("publishable-start")
    assert ("**Ready, of those tried: keeps most detail**" in page.says("markdown")) != complete
    assert ("**Ready: keeps most detail**" in page.says("markdown")) == complete


def test_a_search_that_is_stopped_before_it_found_anything_says_so_without_alarm(page, monkeypatch):
    honest = search.publishable
    stopped = {"cancelled": lambda: True}
    monkeypatch.setattr(search, "publishable", lambda *given, **named: honest(*given, **named | stopped))
    page.press("publishable-start")
    assert "You stopped the search" in page.says("info")
    assert "Nothing was found" not in page.says("error")


def test_whoever_wants_more_searches_on_from_what_was_found(page, monkeypatch):
    honest, begun = search.publishable, []

    def stopped(*given, **named):
        begun.append(given)
        return honest(*given, **named | {"cancelled": lambda: True})

    monkeypatch.setattr(search, "publishable", stopped)
    page.press("publishable-start")
    assert not [button for button in page.at.button if button.key == "publishable-take-0"]
    page.press("publishable-on")
    assert [button for button in page.at.button if button.key == "publishable-take-0"]
    assert "was found" not in page.says("caption")  # for something was
    assert len(begun) == 1  # it went on, and did not begin again
    # Where all was tried nothing is left to search on for.
    assert not [button for button in page.at.button if button.key == "publishable-on"]


@pytest.mark.parametrize("complete", [True, False])
def test_who_searched_on_in_vain_reads_so_with_the_seconds_and_who_did_not_reads_nothing(
    session, monkeypatch, complete
):
    whole, found = search.publishable, []

    def first(*what, **how):
        found.append(replace(whole(*what, **how), complete=False, end="the time ran out"))
        return found[-1]

    def more(known, **_):
        end = {"complete": True, "end": ""} if complete else {}
        return replace(known, seconds=known.seconds + 12.3, **end)

    monkeypatch.setattr(search, "publishable", first)
    monkeypatch.setattr(search, "search_on", more)
    page = plans(session, {7: "none yet", 24: "own"}).press("publishable-start")
    assert "better was found" not in page.says("caption")
    page.press("publishable-on")
    in_vain = "In 12 s more nothing better was found. " + ("All was tried." if complete else "Not all was tried: the ")
    assert in_vain in page.says("caption")
    # Whoever begins anew has not searched on.
    page.press("publishable-start")
    assert "better was found" not in page.says("caption")
    monkeypatch.setattr(search, "search_on", lambda known, **_: replace(known, outcomes=known.outcomes[:-1]))
    page.press("publishable-on")
    assert "better was found" not in page.says("caption")


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
