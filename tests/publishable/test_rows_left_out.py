"""Rows that are left out or suppressed: for which reasons, at what price, and who reads which."""

import re
import time
from dataclasses import replace
from decimal import Decimal

import pandas as pd
import pytest
from searched import archive_of, small_table, with_gaps, with_gaps_in_two_columns, with_plans, without_codes

from cra_engine import CRAError, DataError, Rule, check
from cra_engine.options.option import Way
from cra_engine.publishable import (
    Choice,
    Space,
    Step,
    archive_files,
    best_of,
    publishable,
    published_by,
    rows_not_shown,
    settings_of,
)
from cra_engine.publishable.choice import AS_IT_IS, Decided
from cra_engine.publishable.making import Maker
from cra_engine.publishable.one_search import Search
from cra_engine.publishable.search import _Searches
from cra_engine.words import percent
from shares import first


def test_a_missing_value_leaves_its_row_out_only_where_its_column_is_shown():
    data, study = with_gaps()
    space = Space.of(data, study, Rule())
    maker, (age, plz) = Maker(space, Rule()), [column.heights[0] for column in space.columns]
    shown = maker.make(Choice((age, plz), 5, space.ways[0], ""))
    assert (len(shown.frame), shown.left_out, shown.left_out_rows) == (30, 10, tuple(range(1, 11)))
    (rows,) = [step for step in maker.outcome(shown, maker.checked(shown, 10.0)).steps if not step.column]
    assert rows == Step("", "10 rows left out where plz says nothing", 10 / 40)
    one = without_codes(data, study)
    assert "plz" in one.gone
    assert (len(one.frame), one.left_out, [step for step in one.steps if not step.column]) == (40, 0, [])
    assert one.cost == pytest.approx(sum(step.cost for step in one.steps))


def test_people_who_keep_a_column_away_and_are_too_many_to_leave_out_are_named():
    data, study = with_plans(12, (7, 24, 31))
    found = publishable(data, study)
    assert found.outcomes[0].gone == ("plan",)
    assert [(one.column, one.rows) for one in found.kept_away] == [("plan", (7, 24, 31))]
    told = "plan goes because of 3 people in rows 7, 24 and 31 (8, 25, 32 in a spreadsheet)"
    assert str(found.kept_away[0]).startswith(told)
    without = publishable(data, study, without_rows=(7, 24, 31))
    best = without.outcomes[0]
    assert (best.gone, best.left_out, best.frame["plan"].nunique()) == ((), 3, 12)
    assert Step("", "3 rows left out, as decided", 3 / 51) in best.steps
    assert best.cost < found.outcomes[0].cost
    settings = settings_of(best, Rule(), "people.csv", data)
    drawn = published_by(data, settings, best.choice.way, 3, best.decided)
    assert (drawn.left_out, drawn.cost) == (3, pytest.approx(best.cost))
    assert "\n7\n24\n31\n" in archive_files(drawn, settings, "people.csv")["keep/repeat.sh"]
    with pytest.raises(DataError, match=r"row 52 \(53 in a spreadsheet\) cannot be left out"):
        publishable(data, study, without_rows=(52,))


def test_few_people_in_the_way_of_much_detail_are_left_out_and_the_best_with_all_rows_stands_beside():
    data, study = with_plans(45, (7, 24))
    lefts = []
    found = publishable(data, study, progress=lambda _, __, left: lefts.append(left))
    assert lefts == sorted(lefts, reverse=True)  # of the whole search, also while a part of it has less time
    fewer, every = found.outcomes
    assert (fewer.gone, fewer.left_out_rows, fewer.decided.in_the_way) == ((), (7, 24), (7, 24))
    assert (every.gone, every.left_out) == (("plan",), 0)
    assert (fewer.best_at, every.best_at) == ("keeps most detail", "leaves out fewest rows")
    assert fewer.cost < every.cost - 0.02
    columns = len(data.columns)
    assert fewer.label.startswith(
        f"{columns} of {columns} columns, 180 of 182 rows, {percent(1 - fewer.cost, 1)} of the detail of all {columns} "
    )
    assert every.label.startswith(f"{columns - 1} of {columns} columns (without plan), 182 of 182 rows, ")
    assert Step("", "2 rows left out, so that all others show more", 2 / 182) in fewer.steps
    assert found.kept_away == ()
    assert found.left_out_told.startswith(
        "Left out of outcome 1: rows 7 and 24 (8, 25 in a spreadsheet), 1.1 % of all."
    )
    assert found.left_out_told.endswith("With them nothing was found that passes and keeps as much.")
    both = replace(found, outcomes=(fewer, every, fewer)).left_out_told
    assert both.startswith("Left out of outcomes 1 and 3: rows 7 and 24 ")
    assert both.endswith("With them nothing was found that passes and keeps as much as outcome 1.")
    # The same table without a word of the search: it passes, and so does what is drawn anew.
    assert check(fewer.data, fewer.study, fewer.frame).verdict == "ready"
    drawn = published_by(data, settings_of(fewer, Rule(), "p.csv", data), fewer.choice.way, 5, fewer.decided)
    assert (drawn.ready, drawn.left_out_rows, drawn.cost) == (True, (7, 24), pytest.approx(fewer.cost))


def test_a_row_in_the_way_by_a_column_that_does_not_go_out_stays():
    """One person's ward is missing, another's age: a table without wards leaves out the second alone."""
    data, study = with_gaps_in_two_columns()
    told = []
    found = publishable(data, study, found=told.append)
    assert {("ward" in one.gone, one.decided.in_the_way) for one in told if one.decided.in_the_way} == {
        (False, (65, 66)),
        (True, (65,)),
    }
    both, one = [each for each in found.outcomes if each.decided.in_the_way]
    assert (one.gone, one.left_out_rows, len(one.frame)) == (("ward",), (65,), 65)
    assert Step("", "1 row left out, so that all others show more", 1 / 66) in one.steps
    assert rows_not_shown(one)[-3] == ("left out, so that all others show more", (65,))
    assert found.left_out_told.startswith(
        "Left out of outcome 1: rows 65 and 66 (66, 67 in a spreadsheet), 3.0 % of all; "
        "of outcome 2: row 65 (66 in a spreadsheet), 1.5 % of all. With them nothing was found"
    )
    assert both.cost < one.cost
    again = published_by(data, settings_of(one, Rule(), "p.csv", data), one.choice.way, one.seed, one.decided)
    pd.testing.assert_frame_equal(again.frame, one.frame)
    rows = archive_of(one, data)["keep/repeat.sh"].partition("cat > left-out.txt <<'END_OF_SETTINGS'\n")[2]
    assert rows.partition("END_OF_SETTINGS")[0] == "65 *\n"


@pytest.mark.parametrize("worth", [True, False])
def test_beside_the_best_without_people_in_the_way_stands_what_else_is_best_without_them(monkeypatch, worth):
    data, study = with_plans(45, (7, 24))
    searches = _Searches(data, study, Rule(), (), Decided())

    def found_meanwhile(every, _):
        """With every row something is found that keeps more than one table without them, or all but as much as any."""
        (best,) = searches.without.ready
        assert best.cost < every.worth - 0.02
        searches.without.ready = [*([best] if worth else []), replace(best, cost=every.worth - 0.01)]

    monkeypatch.setattr(Search, "show_more", found_meanwhile)
    searches.searched(time.monotonic(), 60.0, lambda *_: None, lambda _: None, lambda: False)
    assert len(searches.without.ready) == (2 if worth else 0)


@pytest.mark.parametrize("table", [with_plans(45, (7, 24)), with_gaps_in_two_columns()])
def test_no_card_is_ever_replaced_by_one_that_costs_more(table, monkeypatch):
    """With every row something is found at last that keeps all but as much as what was found without a few people."""
    best = publishable(*table, time_limit=60).outcomes[0]
    assert best.decided.in_the_way
    least, cards = [], []

    def shown(outcome):
        cards.append(outcome)
        least.append(best_of(cards)[0].cost)

    def found_at_last(every, _):
        every.ready.append(replace(min(every.ready, key=lambda one: one.cost), cost=best.cost + 0.01))
        every.found(every.ready[-1])

    monkeypatch.setattr(Search, "show_more", found_at_last)
    found = publishable(*table, found=shown, time_limit=60)
    assert least == sorted(least, reverse=True)
    assert found.outcomes[0].cost <= least[-1]
    assert not any(one.decided.in_the_way for one in found.outcomes)  # for next to nothing nobody is


@pytest.mark.parametrize("seed", first(2, [0, 3, 1, 2]))
def test_nobody_is_left_out_for_next_to_nothing(seed):
    found = publishable(*small_table(seed), Rule(alone=Decimal("0.2")), time_limit=60)
    every = [one.cost for one in found.outcomes if not one.decided.in_the_way]
    for one in found.outcomes:
        if one.decided.in_the_way:
            assert len(one.decided.in_the_way) <= 0.05 * found.space.people
            assert one.cost <= min(every, default=1.0) - 0.02
            assert check(one.data, one.study, one.frame, rule=found.rule).verdict == "ready"
    costs = [one.cost for one in found.outcomes]
    assert costs == sorted(costs)


def test_a_row_that_repeats_another_loses_nothing_when_it_is_left_out():
    data, study = with_plans(45, ())
    twice = pd.concat([data, data.iloc[[0, 5]]], ignore_index=True)
    alone, without = publishable(data, study), publishable(twice, study, without_rows=(181, 182))
    assert [one.cost for one in without.outcomes] == [one.cost for one in alone.outcomes]
    best = without.outcomes[0]
    assert Step("", "2 rows left out, repeating another", 0.0) in best.steps
    whole = alone.outcomes[0].label
    assert best.label == whole.replace("180 of 180 rows", "180 of 182 rows") != whole
    # Another row that is left out is lost all the same, repeated or not.
    third = publishable(twice, study, without_rows=(30, 181, 182)).outcomes[0]
    (lost,) = [step for step in third.steps if step.text.startswith("1 row left out, as decided")]
    assert lost.cost == pytest.approx(1 / 180)
    rows = sum(step.cost for step in third.steps if not step.column)
    assert rows == pytest.approx((1 + len(third.decided.in_the_way)) / 180)


def test_rows_that_are_left_out_for_a_reason_are_told_by_it_on_the_card_and_in_the_verdict():
    data, study = with_plans(45, ())
    twice = pd.concat([data, data.iloc[[0]]], ignore_index=True)
    why = {30: "holding no person", 31: "holding no person", 40: "so that plan can stay", 181: "holding no person"}
    best = publishable(twice, study, without_rows=why).outcomes[0]
    assert [step.text for step in best.steps if not step.column and "other rows" not in step.text][:3] == [
        "1 row left out, repeating another",
        "2 rows left out, holding no person",
        "1 row left out, so that plan can stay",
    ]
    verdict = " ".join(re.sub(r"<[^>]+>", " ", archive_of(best, twice)["keep/verdict.html"]).split())
    assert "2 rows left out, holding no person: 31, 32 " in verdict
    assert "1 row left out, so that plan can stay: 41 " in verdict


@pytest.mark.parametrize("way", [Way("local", "paper"), Way("safe", Decimal(1)), Way("global", Decimal("0.05"))])
def test_rows_that_are_suppressed_or_left_out_are_named_as_the_raw_table_has_them(way):
    named = 0
    for seed in range(6):
        data, study = small_table(seed)
        data.insert(0, "who", [f"p{row}" for row in range(1, len(data) + 1)])  # not published, so that rows are known
        space = Space.of(data, study.with_roles(study.roles.given("who", "removed")), Rule())
        heights = tuple(c.hierarchy.layers if c.known else AS_IT_IS for c in space.columns)
        maker = Maker(space, Rule())
        try:
            table = maker.make(Choice(heights, 2, way, "leave-out" if len(space.gaps) > 1 else ""))
        except CRAError:
            continue
        one = maker.outcome(table, maker.checked(table, 5.0))
        hidden = (one.frame[list(one.study.names)] == "*").all(axis=1).to_numpy()
        assert [f"p{row}" for row in one.suppressed_rows] == sorted(
            one.data["who"][hidden], key=lambda who: int(who[1:])
        )
        left = [who for who in data["who"] if who not in set(one.data["who"])]
        assert [f"p{row}" for row in one.left_out_rows] == left
        assert (len(one.suppressed_rows), len(one.left_out_rows)) == (one.suppressed, one.left_out)
        named += one.lost_rows
    assert named


def text_of(files, path):
    held = files[path]
    return held if isinstance(held, str) else held.decode("latin-1")


def test_the_publisher_reads_which_rows_are_left_out_and_the_reader_does_not():
    data, study = with_plans(45, (107, 124))
    twice = pd.concat([data, data.iloc[[0, 1, 2]]], ignore_index=True)
    one = publishable(twice, study, without_rows=(183, 184, 185)).outcomes[0]
    files = archive_of(one, twice)
    verdict = " ".join(re.sub(r"<[^>]+>", " ", files["keep/verdict.html"]).split())
    # As a spreadsheet numbers them, whose first row holds the column names.
    assert "3 rows left out, repeating another: 184 to 186 " in verdict
    assert "2 rows left out, so that all others show more: 108, 125 " in verdict
    # No row stays with * here, and of what was decided each row is called so once.
    assert one.suppressed == 0
    assert "Rows of the raw table that are left out Numbered as a spreadsheet numbers them. For the" in verdict
    assert re.search(r"\d{4}-\d\d-\d\d: 2 rows left out, so that all others show more; [\d.]+ % lost", verdict)
    for path in files:
        if path.startswith("hand-out/") and not path.endswith(".xlsx"):
            assert not re.search(r"\b(107|108|124|125|183|184|186)\b", text_of(files, path)), path
    told = files["hand-out/how-to-read.txt"]
    assert "Of the 185 rows that there were 5 are left out" in told
    assert "or that the publisher left out for another reason, such as a second stay of a person." in told
