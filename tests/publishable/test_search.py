"""The search for a table that may go out: it passes, costs least, heeds what has to stay, says what is in the way."""

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import product
from random import Random

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, DataError, Roles, Rule, Study, StudyError, check, safe_recode, synthesize
from cra_engine.checks.project import Decision
from cra_engine.checks.report import check_html
from cra_engine.options.option import LIKELIEST, Way
from cra_engine.publishable import Choice, Pin, Space, Step, archive_files, publishable, published_by, settings_of
from cra_engine.publishable.choice import AS_IT_IS, Decided
from cra_engine.publishable.columns import ChosenColumn
from cra_engine.publishable.gone import GroupedColumn, gone_together
from cra_engine.publishable.handed_out import how_to_read
from cra_engine.publishable.making import Maker
from cra_engine.publishable.outcome import BY_ROLE
from cra_engine.publishable.words import shown_text
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.words import percent
from shares import first

WITHIN = 1.05


def small_table(seed):
    """Some people with age and weight, a ward that is kept and a diagnosis; now and then a missing age."""
    random = Random(seed)
    gaps = seed % 3 == 2
    rows = [
        (
            "" if gaps and random.random() < 0.1 else random.randrange(20, 60),
            random.randrange(40, 120),
            random.choice(["north", "south", "east"][: 2 + seed % 2]),
            random.choice(["flu", "gout", "ulcer"]),
        )
        for _ in range(random.randrange(14, 26))
    ]
    data = pd.DataFrame(rows, columns=["age", "weight", "ward", "diagnosis"]).astype(str)
    study = Study([Attribute("age", 20, 60, 3), Attribute("weight", 40, 120, 2 + seed % 2)], k=2)
    return data, study.with_roles(Roles(sensitive=["diagnosis"], keep=["ward"]))


def tiny_table(seed):
    """Seven people with an age and a ward that is kept: few enough to publish and check all combinations at once."""
    random = Random(seed)
    rows = [
        (random.randrange(20, 60), random.choice(["north", "south"]), random.choice(["flu", "gout"])) for _ in range(7)
    ]
    data = pd.DataFrame(rows, columns=["age", "ward", "diagnosis"]).astype(str)
    study = Study([Attribute("age", 20, 60, 3)], k=2)
    return data, study.with_roles(Roles(sensitive=["diagnosis"], keep=["ward"]))


def with_gaps():
    """Forty people, ten without postal code, who are decided to be left out where it is shown."""
    rows = [
        (21 + row % 4, "" if row < 10 else 1000 + row * 131 % 4000, ("flu", "gout")[row // 2 % 2]) for row in range(40)
    ]
    data = pd.DataFrame(rows, columns=["age", "plz", "illness"]).astype(str)
    study = Study([Attribute("age", 20, 60, 3), Attribute("plz", 0, 8192, 7, missing="leave-out")], k=5)
    return data, study.with_roles(Roles(sensitive=["illness"]))


def without_codes(data, study):
    """The table in which no postal code is shown, as the search has it."""
    space = Space.of(data, study, Rule())
    maker = Maker(space, Rule())
    table = maker.make(Choice((space.columns[0].heights[0], 0), 5, space.ways[0], ""))
    return maker.outcome(table, maker.checked(table, 10.0))


def cheapest_of_all(data, study, rule):
    """The least cost of any combination that the check calls Ready; None where there is none."""
    space = Space.of(data, study, rule)
    maker, least = Maker(space, rule), None
    for choice in space.choices():
        try:
            table = maker.make(choice)
        except CRAError:
            continue
        if (least is None or table.cost < least) and maker.checked(table, 60.0).verdict == "ready":
            least = table.cost
    return least


@pytest.mark.parametrize(
    ("table", "seed"),
    [(tiny_table, 5), *(pytest.param(small_table, seed, marks=pytest.mark.exhaustive) for seed in range(10))],
)
def test_the_outcome_costs_hardly_more_than_the_cheapest_of_all_combinations(table, seed):
    data, study = table(seed)
    rule = Rule(alone=Decimal("0.2"))
    found = publishable(data, study, rule, time_limit=300)
    least = cheapest_of_all(data, study, rule)
    assert found.complete
    assert bool(found.outcomes) == (least is not None)
    for one in found.outcomes:
        again = check(one.data, one.study, one.frame, rule=rule)
        assert again.verdict == "ready"
        assert one.cost == pytest.approx(sum(step.cost for step in one.steps))
    if found.outcomes:
        assert found.outcomes[0].cost <= WITHIN * least + 1e-12
        costs = [one.cost for one in found.outcomes]
        assert costs == sorted(costs)


def test_a_table_that_passes_as_it_is_costs_what_its_recoding_costs():
    data = pd.DataFrame({"age": ["21", "23"] * 5 + ["51", "53"] * 5, "diagnosis": ["flu", "gout"] * 10})
    study = Study([Attribute("age", 20, 60, 2)], k=5).with_roles(Roles(sensitive=["diagnosis"]))
    found = publishable(data, study)
    best = found.outcomes[0]
    assert [step.text for step in best.steps] == ["groups of 20 years", "as it is (sensitive)"]
    counted = "2 of 2 columns, 20 of 20 rows, 62.5 % of the detail of all 2 columns kept"
    assert best.label == f"{counted}: age in groups of 20 years"
    # [20, 40[ spans 19 of the 32 years from 21 to 53, [40, 60[ spans 13: a mean of half of all. Age counts threefold.
    assert best.cost == pytest.approx((19 + 13) / 32 / 2 * 3 / 4)
    assert found.to_dict()["outcomes"][0]["kept"] == pytest.approx(0.625)


def test_what_is_pinned_stays():
    made = synthesize("toy")
    found = publishable(made.data, made.study, pins=[Pin("weight", Decimal(20))], time_limit=60)
    weight = next(column for column in found.space.columns if column.name == "weight")
    assert 0 not in weight.heights
    for one in found.outcomes:
        finest = next(a for a in one.study.attributes if a.name == "weight").layer_nodes[0]
        assert all(node.upper - node.lower <= 20 for node in finest)
    with pytest.raises(StudyError, match="keeps nothing"):
        Pin.of("weight=often")
    with pytest.raises(StudyError, match="finer ones"):
        publishable(made.data, made.study, pins=[Pin("weight", Decimal("0.5"))])
    with pytest.raises(StudyError, match="'height' does not go out"):
        publishable(made.data, made.study, pins=[Pin("height")])


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("way", [Way("local", "paper"), Way("repaired", LIKELIEST), Way("global", Decimal("0.05"))])
def test_no_row_that_is_shown_is_wider_than_what_was_pinned(seed, way):
    random = Random(seed)
    data, study = small_table(3 * seed)
    pins = [Pin("age", Decimal(random.choice([10, 20]))), Pin("weight", Decimal(random.choice([40, 50])))]
    pins = random.sample(pins, 2 - seed)
    space = Space.of(data, study, Rule(), pins)
    maker, made = Maker(space, Rule()), 0
    for choice in space.choices():
        if choice.way.name != way.name or choice.k != space.ks[0]:
            continue
        try:
            table = maker.make(choice)
        except CRAError:
            continue
        made += 1
        names = [attribute.name for attribute in table.made.study.attributes]
        for row in table.frame[names].astype(str).to_dict("records"):
            if set(row.values()) == {"*"}:
                continue
            for pin in pins:
                assert _width_of(row[pin.name]) <= pin.widest
    assert made or way.name == "global"


def _width_of(label):
    lower, upper = map(int, label.strip("[]()").replace(";", ",").split(","))
    return upper - lower


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


def test_a_value_that_was_hidden_by_decision_is_lost_like_one_that_the_search_hides():
    data = pd.DataFrame(
        {"age": [str(20 + row % 20) for row in range(60)], "illness": ["*", *["flu", "gout"] * 29, "flu"]}
    )
    study = Study([Attribute("age", 20, 40, 2)], k=5).with_roles(Roles(sensitive=["illness"]))
    best = publishable(data, study, time_limit=60).outcomes[0]
    (said,) = [step.said for step in best.steps if step.column == "illness"]
    # One of 60 values of a column that counts one of four: age counts threefold.
    assert said == "as it is (sensitive), 1 value hidden as decided; 0.42 % lost"
    assert best.cost == pytest.approx(sum(step.cost for step in best.steps))


def test_values_behind_a_star_are_counted_by_column_whoever_hid_them():
    """Five people of a sex of their own show no year, the oldest of all nothing; two statuses were hidden before."""
    data, study = clinic()
    data.loc[3:7, "sex"] = "d"  # in three decades
    data.loc[[20, 22], "status"] = "*"
    sex = FileHierarchy("sex", (("m", "m", "*"), ("f", "f", "*"), ("d", "d", "*")))
    study = Study([study.attributes[0], sex], 5).with_roles(study.roles)
    space = Space.of(data, study, Rule())
    maker = Maker(space, Rule())
    table = maker.make(Choice((3, 2), 5, space.ways[0], ""))
    one = maker.outcome(table, maker.checked(table, 10.0))
    told = "Values in whose place * stands: 6 of birth year, 1 of sex and 3 of status."
    files = archive_files(one, settings_of(one, Rule(), "people.csv", data), "people.csv")
    assert told in files["hand-out/how-to-read.txt"]
    assert told in files["keep/verdict.html"]
    assert {name: step.text for step in one.steps if (name := step.column)} == {
        "birth year": "groups 10 wide, hidden in 6 rows",
        "sex": "as it is, hidden in 1 row",
        "status": "as it is, hidden in 3 rows, of them 2 hidden as decided",
    }


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


def test_what_is_drawn_from_the_settings_keeps_what_was_decided_and_costs_the_same():
    raw, study = with_gaps()
    one = without_codes(raw, study)
    decided = [Decision("2026-11-28", "plz: 10 missing values, their rows are left out")]
    settings = settings_of(one, Rule(), "people.csv", raw, noted=decided)
    drawn = published_by(raw, settings, one.choice.way, 3, one.decided)
    assert (len(drawn.frame), drawn.left_out) == (40, 0)
    assert drawn.cost == pytest.approx(one.cost)
    assert {step.column: step.text for step in drawn.steps}.items() >= {("plz", "left out")}
    files = archive_files(drawn, settings, "people.csv")
    assert "--removed=plz" in files["keep/repeat.sh"]
    assert "plz: 10 missing values; the column is left out" in files["keep/verdict.html"]


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
    assert said == f"{as_it_is}, but no row is left with “{gone}” (all 2 people left out)"
    told = f"In {left} no row is left with “{gone}” (all 2 people left out)."
    assert told in outcome.gone_values
    group = "No row is left that shows a group of 9."
    files = archive_files(replace(outcome, gone_group=group), settings_of(outcome, Rule(), "a.csv", data), "a.csv")
    assert told in files["keep/verdict.html"]
    assert "left out, or" not in told
    read = str(files["hand-out/how-to-read.txt"])
    assert "Whole groups may be among them: that no row shows one does not say that nobody was in it." in read
    assert f"“{gone}”" not in read
    # How many people stand behind * is what the * hides from the readers of the table.
    assert [path for path, content in files.items() if group in str(content)] == ["keep/verdict.html"]


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
    once = np.ones(len(data), dtype=np.int64)
    told = "No row is left that shows sex w together with age {}: all {} such people stand behind *."
    # The group of 40 years holds the same women as that of 20, and says more.
    assert gone_together(columns, once, 5) == told.format("40 to under 80", women)
    assert gone_together(columns, 2 * once, 5) == told.format("40 to under 80", 2 * women)
    assert gone_together(columns, once, women + 1) == ""
    shown = replace(columns[0], hidden=np.arange(len(data)) < women - 1)
    assert gone_together([shown, replace(columns[1], hidden=shown.hidden)], once, 5) == ""
    # Of whom the column alone shows nobody nothing is said of both.
    old = (data["age"] >= 60).to_numpy()
    assert gone_together([replace(one, hidden=old) for one in columns], once, 5) == ""


@pytest.mark.parametrize("way", [Way("local", "paper"), Way("safe", Decimal(1)), Way("global", Decimal("0.05"))])
def test_a_group_that_is_told_to_be_gone_is_gone_as_anybody_would_count(way):
    named = 0
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
        told = maker.gone_group(table)
        frame, raw = table.frame.astype(str), table.data
        shown = (frame["age"] != "*") & (frame["weight"] != "*")
        most = 0
        widths = list(product((20, 40), (20, 40)))
        boxes = [(*at, *wide) for wide in widths for at in product(range(0, 80, wide[0]), range(40, 120, wide[1]))]
        for low, least, years, kilos in boxes:
            old = raw["age"].between(low, low + years - 1)
            heavy = raw["weight"].between(least, least + kilos - 1)
            seen = (old & (frame["age"] != "*")).any() and (heavy & (frame["weight"] != "*")).any()
            people = (old & heavy).sum()
            if seen and people >= 4 and not (old & heavy & shown).any():
                most = max(most, people)
        assert (f"all {most} such people" in told) == bool(most) == bool(told)
        named += bool(told)
    assert named or way.name != "safe"  # otherwise a group of k people goes out as it is


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


def test_a_width_without_a_unit_is_no_number_of_people():
    def width(attribute, layers=2):
        column = ChosenColumn(attribute.name, attribute, (attribute.layers,), open_gaps=False, known=True)
        return shown_text(column, layers, "", silent=False)

    assert width(Attribute("Alter", 0, 80, 3)) == "groups of 40 years instead of 20 years"
    assert width(Attribute("weight", 0, 80, 3, unit="kg")) == "groups of 40 kg instead of 20 kg"
    assert width(Attribute("weight", 0, 80, 3)) == "groups 40 wide instead of 20 wide"
    # As fine as a person agreed to, nothing has to be explained.
    assert width(Attribute("Alter", 0, 80, 3), 3) == "groups of 20 years"
    narrow = Attribute("creatinine", 0, 1.28, 3, resolution=0.01)
    assert width(narrow, 3) == "groups 0.32 wide, such as 0.64 to under 0.96"


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Step("age", "groups of 20 years", 0.035), "groups of 20 years; 3.5 % lost"),
        (Step("sex", "as it is", 0.0), "as it is; nothing lost"),
        (Step("name", BY_ROLE, 0.0), "removed beforehand; not counted"),
    ],
)
def test_what_every_step_loses_is_told_in_one_form(step, said):
    assert step.said == said


def one_ward(rare):
    """Forty people of two age groups on two wards, but for those whose ward is their own."""
    wards = [rare.get(row, ("north", "south")[row % 2]) for row in range(1, 41)]
    rows = [((21, 45)[row % 20 > 9], ward, ("flu", "gout")[row // 2 % 2]) for row, ward in enumerate(wards)]
    data = pd.DataFrame(rows, columns=["age", "ward", "illness"]).astype(str)
    study = Study([Attribute("age", 20, 60, 2)], k=5)
    return data, study.with_roles(Roles(sensitive=["illness"], keep=["ward"]))


def with_plans(number, own):
    """Four people have each plan, two of each age: too few for a group, so that plans go out as they are or not at all.

    Some have a plan of their own, by their rows from 1.
    """
    plans = [f"plan {place} {'ab'[place % 2]}" for place in range(number) for _ in range(4)]
    for row in own:
        plans.insert(row - 1, f"own {row}")
    rows = [((21, 45)[row % 2], plan, ("flu", "gout")[row // 2 % 2]) for row, plan in enumerate(plans)]
    data = pd.DataFrame(rows, columns=["age", "plan", "illness"]).astype(str)
    return data, Study([Attribute("age", 20, 60, 2)], k=5).with_roles(Roles(sensitive=["illness"], keep=["plan"]))


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
    # The same table without a word of the search: it passes, and so does what is drawn anew.
    assert check(fewer.data, fewer.study, fewer.frame).verdict == "ready"
    drawn = published_by(data, settings_of(fewer, Rule(), "p.csv", data), fewer.choice.way, 5, fewer.decided)
    assert (drawn.ready, drawn.left_out_rows, drawn.cost) == (True, (7, 24), pytest.approx(fewer.cost))


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


def archive_of(outcome, data, noted=()):
    settings = settings_of(outcome, Rule(), "people.csv", data, noted=noted)
    return archive_files(published_by(data, settings, outcome.choice.way, 3, outcome.decided), settings, "people.csv")


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
    for path in files:
        if path.startswith("hand-out/") and not path.endswith(".xlsx"):
            assert not re.search(r"\b(107|108|124|125|183|184|186)\b", text_of(files, path)), path
    told = files["hand-out/how-to-read.txt"]
    assert "Of the 185 rows that there were 5 are left out" in told
    assert "or that the publisher left out for another reason, such as a second stay of a person." in told


def test_a_verdict_has_one_measure_of_what_is_kept_in_front_and_says_its_weights():
    data, study = with_plans(45, (7, 24))
    one = publishable(data, study).outcomes[0]
    page = archive_of(one, data)["keep/verdict.html"]
    front, others = page.split("<details><summary>Other measures</summary>")
    assert f'>Detail kept</td><td class="long">{percent(1 - one.cost, 1)}</td>' in front
    # Age counts threefold beside a plan and an illness.
    shares = "of all detail age is 60.0 %, plan is 20.0 % and illness is 20.0 %"
    assert f"{shares}; age counts threefold, as hardly any analysis does without it" in front
    for name in ("Information lost", "Precision lost", "Entropy lost", "Discernibility"):
        assert name not in front
        assert name in others


@pytest.mark.parametrize(
    ("missing", "as_decided"),
    [("category", "published as a category of their own"), ("*", "published as * from the start")],
)
def test_a_verdict_does_not_say_of_cells_that_they_are_published_where_they_are_not(missing, as_decided):
    data, study = clinic()
    data["sex"] = ["", *data["sex"][1:]]
    noted = [
        Decision("2026-01-01", f"sex: 1 missing value, {as_decided}"),
        Decision("2026-01-01", "birth year: 2 missing values, published as a category of their own"),
    ]
    sex = sexes().with_missing(missing)
    study = Study([study.attributes[0], sex], 5).with_roles(study.roles)
    one = publishable(data, study, pins=[Pin("sex")], without_rows=(1,), time_limit=60).outcomes[0]
    asked = [step.text for step in one.steps if "NULL (1 missing value)" in step.text]
    assert len(asked) == (missing == "category")
    told = archive_of(one, data, noted)["keep/verdict.html"]
    assert ("In sex no row is left with NULL (1 missing value)." in told) == (missing == "category")
    assert "sex: 1 missing value, whose rows are left out, or hidden, in the end" in told
    assert "sex: 1 missing value, published" not in told


def test_how_to_read_explains_the_cells_of_its_table_and_no_others():
    data, study = with_plans(45, ())
    one = publishable(data, study).outcomes[0]
    told = archive_of(one, data)["hand-out/how-to-read.txt"]
    cells = {cell for name in one.frame.columns for cell in one.frame[name].astype(str)}
    explained = re.findall(r"^(\S.*) stands for: ", told, re.MULTILINE)
    assert explained
    assert set(explained) <= cells
    shown = set(one.frame["age"].astype(str))
    (line,) = [line for line in told.split("The columns")[1].splitlines() if line.startswith("age: ")]
    assert set(line.removeprefix("age: ").split("; ")) == shown
    # The sign that nobody knows who has not seen it before, by a group of this table.
    label, end = re.search(r"^(\[\d+, (\d+)\[) stands for: ", told, re.MULTILINE).groups()
    assert f"The sign [ at the end of a group says that the value before it, such as {end} in {label}, is no" in told
    assert "not shown" not in told


def test_how_to_read_explains_the_word_that_data_puts_for_missing_values():
    data, study = with_plans(45, ())
    one = publishable(data, study).outcomes[0]
    told = "no entry stands for: the value is missing in the table, a value like any other."
    assert told not in how_to_read(one)
    named = one.frame.assign(illness=["no entry", *one.frame["illness"][1:]])
    assert told in how_to_read(replace(one, checked=replace(one.checked, frame=named)))


def test_how_to_read_says_of_groups_without_a_value_that_they_show_none_where_there_are_any():
    data, study = with_plans(45, ())
    one = publishable(data, study).outcomes[0]
    assert "Each such group shows at least 2 different values of illness." in how_to_read(one)
    frame = one.frame.copy()
    known = frame[[name for name in one.study.names if name in frame]].astype(str)
    frame.loc[(known == known.iloc[0]).all(axis=1), "illness"] = "*"
    hidden = replace(one, checked=replace(one.checked, frame=frame))
    told = (
        "Each such group shows at least 2 different values of illness; a group of which no value is known shows none."
    )
    assert told in how_to_read(hidden)


def test_how_to_read_says_what_the_names_of_values_that_no_row_shows_are_for():
    data, study = clinic()
    other = FileHierarchy("sex", (("f", "f", "*"), ("m", "m", "*"), ("divers", "divers", "*")))
    study = study.changed(attributes=[study.attributes[0], other])
    one = publishable(data, study, pins=[Pin("sex")], time_limit=60).outcomes[0]
    files = archive_of(one, data)
    assert "not shown 1" in files["hand-out/study/sex.csv"]
    assert "A value that no row shows is “not shown 1” or the like: programs need" in files["hand-out/how-to-read.txt"]


def test_how_to_read_tells_a_group_of_days_by_its_first_and_its_last():
    born = pd.date_range("1930-01-01", "1969-12-31", periods=120).strftime("%Y-%m-%d")
    data = pd.DataFrame({"born": born, "illness": ["flu", "gout", "cold"] * 40})
    study = Study([Attribute("born", date(1930, 1, 1), date(1970, 1, 1), 3, unit="year")], k=5)
    one = publishable(data, study.with_roles(Roles(sensitive=["illness"]))).outcomes[0]
    told = archive_of(one, data)["hand-out/how-to-read.txt"]
    assert re.search(
        r"^\[1930-01-01, 19\d\d-01-01\[ stands for: 1 January 1930 to 31 December 19\d\d\.$", told, re.MULTILINE
    )


def test_sensitive_values_of_single_records_are_told_in_the_verdict():
    data, study = with_plans(45, ())
    data.loc[9, "illness"] = "ague"
    page = archive_of(publishable(data, study).outcomes[0], data)["keep/verdict.html"]
    assert "1 value of illness is of a single record (ague): whoever knows" in page
    numbers = data.assign(illness=[str(row) for row in range(len(data))])
    assert "of a single record" not in check_html(check(numbers, study))


def test_a_study_that_asks_nothing_of_a_column_with_empty_cells_is_told():
    data, study = with_plans(45, ())
    data["status"] = [("yes", "no", "")[row // 4 % 3] for row in range(len(data))]
    roles = Roles(sensitive=["illness", "status"], keep=["plan"])
    one = publishable(data, study.with_roles(roles)).outcomes[0]
    page = archive_of(one, data)["keep/verdict.html"]
    asks = "asks for different values of illness alone: status has empty cells, which it cannot count"
    assert asks in page


def test_what_asks_for_attention_and_keeps_more_is_shown_beside_what_is_ready():
    data, study = one_ward({7: "burns", 12: "eyes", 28: "ears"})
    found = publishable(data, study)
    asks = found.attention
    assert asks is not None
    assert asks.checked.verdict == "attention" == check(asks.data, asks.study, asks.frame).verdict
    assert asks.cost < found.outcomes[0].cost - 0.02
    assert "ward" not in asks.gone
    assert found.dropped
    assert all(one.cost < found.outcomes[0].cost and not one.ready for one in found.dropped)
    settings = settings_of(asks, Rule(), "people.csv", data, why="Nobody knows who had burns.")
    assert any(one.why == "Nobody knows who had burns." for one in settings.decisions)
    page = archive_files(published_by(data, settings, asks.choice.way, 3, asks.decided), settings, "people.csv")
    assert "Nobody knows who had burns." in page["keep/verdict.html"]


def test_a_table_of_which_a_safe_release_is_out_is_not_published_beside_it():
    made = synthesize("toy")
    first = safe_recode(made.data, made.study, "0.5", seed=1)
    later = safe_recode(made.data, made.study, "0.5", seed=2, earlier=first.release)
    with pytest.raises(StudyError, match="a release of the same people that is out already"):
        publishable(made.data, later.study)


def test_epsilon_is_not_said_to_cover_settings_that_were_found_by_looking():
    made = synthesize("toy")
    found = publishable(made.data, made.study)
    ways = [one.choice.way.name for one in found.outcomes]
    assert ("found by looking at the table" in " ".join(found.warnings)) == ("safe" in ways)
    safe = publishable(made.data, safe_recode(made.data, made.study, 1, seed=1).study)
    names = {one.choice.way.name for one in safe.outcomes}
    assert names
    assert ("found by looking at the table" in " ".join(safe.warnings)) == ("safe" in names)


def test_where_nothing_passes_the_rule_and_the_column_are_named():
    data = pd.DataFrame({"age": ["21", "23"] * 6, "diagnosis": ["flu"] * 12})
    study = Study([Attribute("age", 20, 60, 2)], k=3).with_roles(Roles(sensitive=["diagnosis"]))
    found = publishable(data, study)
    assert (found.outcomes, found.complete) == ((), True)
    assert "different sensitive values in every group (column diagnosis)" in found.why_not
    assert [one.code for one in found.hindrances] == ["all-suppressed"]
    assert found.to_dict()["findings"][0]["code"] == "all-suppressed"


def test_a_search_that_is_cancelled_hands_over_what_it_found():
    made, found = synthesize("toy"), []
    result = publishable(made.data, made.study, found=found.append, cancelled=lambda: bool(found))
    assert [one.label for one in result.outcomes] == [found[0].label]
    assert not result.complete
    assert result.warnings[-1].startswith("Not all was tried: the search was stopped.")
    assert publishable(made.data, made.study, time_limit=0).end == "the time ran out"
    late = publishable(made.data, made.study, time_limit=0)
    assert late.why_not.startswith("Nothing was found that passes.")
    assert (
        late.warnings[-1]
        == "Not all was tried: the time ran out. Something may pass all the same: give it more time, or fewer columns."
    )


def test_a_sensitive_column_that_names_people_is_named():
    data = pd.DataFrame({"age": ["21", "23", "45", "47"] * 6, "mail": [f"p{n}@example.org" for n in range(24)]})
    study = Study([Attribute("age", 20, 60, 2)], k=3).with_roles(Roles(sensitive=["mail"]))
    found = publishable(data, study)
    assert (found.outcomes, found.complete) == ((), True)
    assert "the rule of nothing that says who somebody is (column mail)" in found.why_not


def test_who_is_alone_by_kept_columns_decides_which_of_them_go_out():
    ward = ["A", "B"] * 12
    room = [f"r{n // 2}" for n in range(22)] + ["r90", "r91"]
    table = {"age": ["21", "23", "45", "47"] * 6, "ward": ward, "room": room, "illness": ["flu", "gout", "cold"] * 8}
    study = Study([Attribute("age", 20, 60, 2)], k=3).with_roles(Roles(sensitive=["illness"], keep=["ward", "room"]))
    found = publishable(pd.DataFrame(table), study)
    for one in found.outcomes:
        assert "room" not in one.study.roles.keep  # every ward and room together is one person's


def clinic(outlier="1914"):
    """People of three decades and two sexes, two of whom are older than all others; in some nobody knows the status."""
    rows = [
        (str(1950 + 10 * (row % 3) + row % 7), "mf"[row // 3 % 2], ("flu", "gout", "")[row // 6 % 3])
        for row in range(72)
    ]
    data = pd.DataFrame([*rows, (outlier, "m", "flu")], columns=["birth year", "sex", "status"])
    study = Study([Attribute("birth year", 1940, 1980, 3, below=True), sexes()], k=5)
    return data, study.with_roles(Roles(sensitive=["status"]))


def sexes():
    return FileHierarchy("sex", (("m", "m", "*"), ("f", "f", "*")))


def test_rows_in_the_way_of_what_has_to_stay_are_left_out_and_told():
    data, study = clinic()
    pins = [Pin("birth year", Decimal(10)), Pin("sex")]
    found = publishable(data, study, pins=pins, time_limit=60)
    best = found.outcomes[0]
    assert best.decided.in_the_way == (73,)
    assert best.left_out_rows == (73,)
    assert all(pin.stays_in(best.study, best.gone) for pin in pins)
    assert [step.text for step in best.steps if not step.column] == [
        "1 row left out, so that what has to stay can stay"
    ]
    assert f", 72 of 73 rows, {percent(1 - best.cost, 1)} of the detail of " in best.label
    assert any(told.startswith("Left out of outcome") and "row 73 (74 in" in told for told in found.warnings)
    again = published_by(data, settings_of(best, Rule(), "clinic.csv", data), best.choice.way, best.seed, best.decided)
    assert again.ready
    pd.testing.assert_frame_equal(again.frame, best.frame)
    # Without the outlier nothing is left out.
    assert not publishable(*clinic("1955"), pins=pins, time_limit=60).outcomes[0].left_out


def test_where_many_stand_in_the_way_of_what_has_to_stay_leaving_them_out_is_offered():
    data, study = clinic()
    more = pd.DataFrame({"birth year": ["1945"] * 4, "sex": ["f"] * 4, "status": ["flu"] * 4})
    data, pins = pd.concat([data, more], ignore_index=True), [Pin("birth year", Decimal(10)), Pin("sex")]
    found = publishable(data, study, pins=pins, time_limit=60)
    assert all(not one.decided.in_the_way for one in found.outcomes)
    away = found.kept_away[0]
    assert away.stays
    assert away.rows == (73, 74, 75, 76, 77)
    assert (
        str(away) == "5 people stand in groups too small or too much alike, for what has to stay: birth year and sex."
    )
    left = publishable(data, study, pins=pins, without_rows=away.rows, time_limit=60)
    assert left.outcomes[0].cost < min((one.cost for one in found.outcomes), default=1)


def test_a_date_of_birth_counts_as_age_whatever_it_is_called():
    held = pd.DataFrame(
        {
            "Geburtsdatum": [f"{1930 + row}-03-0{1 + row % 9}" for row in range(60)],
            "wann": [f"{1930 + row}-04-0{1 + row % 9}" for row in range(60)],
            "visit": [f"2020-04-0{1 + row % 9}" for row in range(60)],
            "illness": ["flu", "gout"] * 30,
        }
    )
    years = date(1930, 1, 1), date(1994, 1, 1)
    study = Study([Attribute(name, *years, 4, unit="year") for name in ("Geburtsdatum", "wann")], 3)
    space = Space.of(held, study.with_roles(Roles(sensitive=["illness"], keep=["visit"])), Rule())
    assert space.weights == {"Geburtsdatum": 3, "wann": 3, "visit": 1, "illness": 1}
    assert space.basic == ("Geburtsdatum", "wann")


def test_missing_values_shown_as_a_star_are_said_where_they_cost():
    data, study = clinic("1955")
    data.loc[[3, 9], "sex"] = ""
    space = Space.of(data, study, Rule())
    maker = Maker(space, Rule())
    table = maker.make(Choice((0, 2), 5, space.ways[0], "*"))
    (sex,) = (step for step in maker.outcome(table, maker.checked(table, 10.0)).steps if step.column == "sex")
    assert sex.text == "as it is, hidden in 2 rows"
    assert sex.cost > 0


def test_a_pin_makes_the_intervals_that_it_asks_for():
    data, study = clinic("1955")
    for width in (5, 10, 8):
        found = publishable(
            data, study.with_roles(study.roles), pins=[Pin("birth year", Decimal(width))], time_limit=60
        )
        finest = next(a for a in found.space.columns if a.name == "birth year").hierarchy.layer_nodes[0]
        assert {node.upper - node.lower for node in finest if not node.coded} == {width}
