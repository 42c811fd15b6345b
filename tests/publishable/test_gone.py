"""Columns, values and groups of people that no row shows any more are named."""

import re
from dataclasses import replace
from decimal import Decimal
from itertools import product

import numpy as np
import pandas as pd
import pytest
from searched import with_gaps

from cra_engine import Attribute, Roles, Rule, Study, StudyError
from cra_engine.options.option import Way
from cra_engine.publishable import Choice, Pin, Space, archive_files, publishable, settings_of
from cra_engine.publishable.choice import AS_IT_IS, Decided
from cra_engine.publishable.gone import GoneGroup, GoneGroups, GroupedColumn, gone_together
from cra_engine.publishable.making import Maker
from cra_engine.study.file_hierarchy import FileHierarchy


@pytest.mark.parametrize("missing", ["leave-out", "category", ""])
def test_a_column_that_says_nothing_in_any_row_goes(missing):
    data, study = with_gaps()
    empty = data.assign(plz="")
    study = study.changed(
        attributes=[one.with_missing(missing) if one.name == "plz" else one for one in study.attributes]
    )
    best = publishable(empty, study, time_limit=60).outcomes[0]
    assert "plz" in best.gone
    assert best.left_out == 0
    with pytest.raises(StudyError, match="'plz' is to stay, and no row has a value of it"):
        publishable(empty, study, pins=[Pin("plz")])


@pytest.mark.parametrize("left", ["sex", "illness"])
def test_a_value_that_is_in_no_row_any_more_is_named(left):
    data = pd.DataFrame(
        {
            "age": [str(20 + row % 20) for row in range(60)],
            "sex": ["d" if row < 2 else "mw"[row // 2 % 2] for row in range(60)],
            "illness": ["rare" if row < 2 else ("flu", "gout")[row % 2] for row in range(60)],
        }
    )
    study = Study([Attribute("age", 20, 40, 2)], k=5).with_roles(Roles(sensitive=["illness"], keep=["sex"]))
    space = Space.of(data, study, Rule(), decided=Decided(without_rows=(1, 2)))
    maker = Maker(space, Rule())
    table = maker.make(Choice((space.columns[0].heights[0], AS_IT_IS), 5, space.ways[0], ""))
    outcome = maker.outcome(table, maker.checked(table, 10.0))
    (said,) = [step.said for step in outcome.steps if step.column == left]
    gone, as_it_is = {"sex": ("d", "as it is"), "illness": ("rare", "as it is (sensitive)")}[left]
    assert said == f"{as_it_is}, but no row shows “{gone}” (all 2 people left out)"
    told = f"In {left} no row shows “{gone}” (all 2 people left out)."
    assert told in outcome.gone_values
    groups = GoneGroups(tuple(GoneGroup(f"group {number}", 130 - number) for number in range(120)), 140)
    group = (
        "120 combinations of values are in no row: group 0 (all 130), group 1 (all 129), group 2 (all 128) and 117 "
        "more. Their 140 people are hidden by *."
    )
    files = archive_files(replace(outcome, gone_groups=groups), settings_of(outcome, Rule(), "a.csv", data), "a.csv")
    summary = "117 more combinations of values in no row"
    opened = (
        str(files["keep/verdict.html"]).partition(f"<details><summary>{summary}</summary>")[2].partition("</details>")
    )
    assert re.findall("<li>(.*)</li>", opened[0]) == [f"group {at}: all {130 - at}" for at in range(3, 120)]
    assert told in files["keep/verdict.html"]
    assert "left out, or" not in told
    read = str(files["hand-out/how-to-read.txt"])
    assert "Whole groups may be among them: that no row shows one does not say that nobody was in it." in read
    assert f"“{gone}”" not in read
    # How many people stand behind * is what the * hides from the readers of the table.
    for one in (group, "group 119: all 11"):
        assert [path for path, content in files.items() if one in str(content)] == ["keep/verdict.html"]


def test_a_group_of_numbers_that_is_in_no_row_any_more_is_named_as_wide_as_it_is_gone():
    """Of people of 20 to 39 all are shown; of those of 60 to 79 half are left out, and two of 90 and 95 as well."""
    ages = [95, 90, *(60 + row for row in range(10)), *(20 + row % 20 for row in range(60))]
    data = pd.DataFrame({"age": map(str, ages), "illness": [("flu", "gout")[row % 2] for row in range(len(ages))]})
    study = Study([Attribute("age", 0, 80, 4, above=True)], k=5).with_roles(Roles(sensitive=["illness"]))

    def said(without):
        space = Space.of(data, study, Rule(), decided=Decided(without_rows=tuple(without)))
        maker = Maker(space, Rule())
        table = maker.make(Choice((space.columns[0].heights[0],), 5, space.ways[0], ""))
        outcome = maker.outcome(table, maker.checked(table, 10.0))
        return next(step.text for step in outcome.steps if step.column == "age")

    assert said([1]).endswith("no row shows 80 and over (all 2 people left out, or hidden for 1)")
    assert said([1, 2]).endswith("no row shows 80 and over (all 2 people left out)")
    assert said([1, 2, *range(3, 8)]).endswith("no row shows 80 and over (all 2 people left out)")
    # Nobody is left from 40 on: in [40, 80[ as in the half of it there were all of these.
    told = "no row shows 40 to under 80 (all 10 people left out) or 80 and over (all 2 people left out)"
    assert said(range(1, 13)).endswith(told)


@pytest.mark.parametrize("listed", [True, False])
def test_a_word_for_nothing_is_named_as_gone_where_it_is_a_group_of_its_own(listed):
    """Of people whose sex is "unknown", which somebody decided to be a value, nothing else would tell."""
    sexes = ["m", "w", "d", *(["unbekannt"] if listed else [])]
    words = ["unbekannt"] * 3 + ["d"] * 2 + ["m", "w"] * 30
    data = pd.DataFrame({"age": [str(20 + row % 20) for row in range(65)], "sex": words})
    sex = FileHierarchy("sex", tuple((one, "*") for one in sexes), finest=0, missing="" if listed else "leave-out")
    study = Study([Attribute("age", 20, 40, 2), sex], k=5)
    space = Space.of(data, study, Rule(), decided=Decided(without_rows=(1, 2, 3, 4, 5)))
    heights = tuple(column.hierarchy.layers for column in space.columns)
    maker = Maker(space, Rule())
    table = maker.make(Choice(heights, 5, space.ways[0], ""))
    told = " ".join(maker.outcome(table, maker.checked(table, 10.0)).gone_values)
    assert "“d” (all 2 people left out)" in told
    assert ("“unbekannt” (all 3 people left out)" in told) == listed


def test_a_whole_group_of_people_that_stands_in_no_row_any_more_is_named_with_their_number():
    women = 9
    data = pd.DataFrame(
        {
            "sex": ["w"] * women + ["m"] * 20 + ["w"] * 20 + ["m"] * 20,
            "age": [60 + row % 20 for row in range(women)] + [65] * 20 + [22] * 20 + [25] * 20,
        }
    )
    sexes, ages = FileHierarchy("sex", (("m", "*"), ("w", "*")), finest=0), Attribute("age", 0, 80, 3)
    columns = [
        GroupedColumn(sexes, (data["sex"] == "w").to_numpy(dtype=np.int64), np.arange(len(data)) < women),
        GroupedColumn(ages, (data["age"] // 20).to_numpy(), np.arange(len(data)) < women),
    ]
    once, there = np.ones(len(data), dtype=np.int64), np.ones(len(data), dtype=bool)
    told = "No row shows sex w together with age {}: all {} such people are hidden by *."
    # The group of 40 years holds the same women as that of 20, and says more.
    found = gone_together(columns, once, 5, there)
    assert (found.more, found.more_told) == ((), "")
    assert found.told == told.format("40 to under 80", women)
    assert gone_together(columns, 2 * once, 5, there).told == told.format("40 to under 80", 2 * women)
    assert found.smaller_told == ""
    for out, where in ((women, "are left out"), (1, "are left out, or hidden by *")):
        left = gone_together(columns, once, 5, np.arange(len(data)) >= out)
        assert left.told == told.format("40 to under 80", women).replace("are hidden by *", where)
    fewer = gone_together(columns, once, women + 1, there)
    assert (fewer.groups, fewer.people, fewer.told) == ((), 0, "")
    assert fewer.smaller_told.startswith("1 combination of values, of fewer than 10 people, is in no row.")
    more = replace(found, smaller=2).smaller_told
    assert more.startswith("2 more combinations of values, each of fewer than 5 people, are in no row.")
    shown = replace(columns[0], hidden=np.arange(len(data)) < women - 1)
    assert gone_together([shown, replace(columns[1], hidden=shown.hidden)], once, 5, there) == GoneGroups(k=5)
    # Of whom the column alone shows nobody nothing is said of both.
    old = (data["age"] >= 60).to_numpy()
    assert gone_together([replace(one, hidden=old) for one in columns], once, 5, there) == GoneGroups(k=5)


@pytest.mark.parametrize("missing", ["leave-out", "category"])
def test_a_group_that_is_gone_as_its_people_are_left_out_is_counted_whoever_left_them_out(missing):
    """Of men of 60 and more two are left out as somebody decided, and one for a missing weight, where that is asked."""
    people = [("m", 70, 60), ("m", 71, 60), ("m", 72, 60)] + [("w", 70, 60)] * 10 + [("m", 30, 60), ("w", 30, 60)] * 10
    data = pd.DataFrame([*people, ("m", 70, 60), ("m", 400, 60)], columns=["sex", "age", "weight"]).astype(str)
    data.loc[2, "weight"] = ""
    sexes = FileHierarchy("sex", (("m", "*"), ("w", "*")), finest=0)
    weights = Attribute("weight", 40, 80, 2, missing=missing)
    study = Study([sexes, Attribute("age", 20, 100, 3), weights], k=3)
    # The last row says nothing that a group holds; the one before it repeats the first.
    space = Space.of(data, study, Rule(3), decided=Decided(without_rows=(1, 2, 34, 35)))
    maker = Maker(space, Rule(3))
    table = maker.make(Choice(tuple(column.hierarchy.layers for column in space.columns), 3, space.ways[0], ""))
    found = maker.gone_groups(table)
    told = "No row shows sex m together with age 60 to under 100: all 3 such people are left out."
    assert (found.told == told) == (missing == "leave-out")


def named_as(box):
    low, high, least, most, _ = box
    return f"age {low} to under {high} together with weight {least} to under {most}"


@pytest.mark.parametrize("way", [Way("local", "paper"), Way("safe", Decimal(1)), Way("global", Decimal("0.05"))])
def test_a_group_that_is_told_to_be_gone_is_gone_as_anybody_would_count(way):
    named = several = fewer = 0
    for seed in range(12):
        drawn = np.random.default_rng(seed)
        data = pd.DataFrame(
            {"age": drawn.integers(0, 80, 60), "weight": np.minimum(drawn.geometric(0.03, 60) + 39, 119)}
        )
        study = Study([Attribute("age", 0, 80, 3), Attribute("weight", 40, 120, 3)], 4)
        space = Space.of(data, study, Rule(4))
        maker = Maker(space, Rule(4), seed)
        heights = tuple(column.hierarchy.layers if column.known else AS_IT_IS for column in space.columns)
        table = maker.make(Choice(heights, 4, way, ""))
        found = maker.gone_groups(table)
        frame, raw = table.frame.astype(str), table.data
        shown = (frame["age"] != "*") & (frame["weight"] != "*")
        gone = []
        widths = list(product((20, 40), (20, 40)))
        boxes = [(*at, *wide) for wide in widths for at in product(range(0, 80, wide[0]), range(40, 120, wide[1]))]
        for low, least, years, kilos in boxes:
            old = raw["age"].between(low, low + years - 1)
            heavy = raw["weight"].between(least, least + kilos - 1)
            seen = (old & (frame["age"] != "*")).any() and (heavy & (frame["weight"] != "*")).any()
            people = (old & heavy).sum()
            if seen and people and not (old & heavy & shown).any():
                gone.append((low, low + years, least, least + kilos, old & heavy))
        # A group within another one is said with it.
        widest = [
            one
            for one in gone
            if not any(
                two[:4] != one[:4] and two[0] <= one[0] and one[1] <= two[1] and two[2] <= one[2] and one[3] <= two[3]
                for two in gone
            )
        ]
        smaller = sum(one[4].sum() < 4 for one in widest)
        assert found.smaller == smaller
        assert (f"{smaller} " in found.smaller_told) == bool(smaller)
        fewer += smaller
        widest = [one for one in widest if one[4].sum() >= 4]
        assert len(found.groups) == len(widest)
        if widest:
            people = sorted((one[4].sum() for one in widest), reverse=True)
            assert [one.people for one in found.groups] == people
            assert {one.group for one in found.groups} == {named_as(one) for one in widest}
            behind = np.logical_or.reduce([one[4] for one in widest]).sum()
            assert found.people == behind
            if len(widest) == 1:
                assert f"all {people[0]} such people" in found.told
            else:
                assert found.told.startswith(f"{len(widest)} combinations of values are in no row: ")
                assert f". Their {behind} people are " in found.told
            named_in = [one.group in found.told for one in found.groups]
            assert named_in == [place < 3 for place in range(len(widest))]
            assert found.more == found.groups[3:]
            several += len(widest) > 1
            named += 1
    assert fewer
    assert (named and several) or way.name != "safe"  # otherwise a group of k people goes out as it is
