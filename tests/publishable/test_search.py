"""The search for a table that may go out: it passes, costs least, says what is in the way, ends when it is told."""

import re
from datetime import date
from decimal import Decimal
from random import Random

import pandas as pd
import pytest
from searched import small_table

from cra_engine import Attribute, CRAError, Roles, Rule, Study, StudyError, check, safe_recode, synthesize
from cra_engine.checks.signed import UNREASONED, UNSIGNED
from cra_engine.patience import Deadline
from cra_engine.publishable import Choice, Space, archive_files, publishable, published_by, search_on, settings_of
from cra_engine.publishable.making import Maker
from cra_engine.publishable.one_search import Search
from cra_engine.study.file_hierarchy import FileHierarchy

WITHIN = 1.05


def tiny_table(seed):
    """Seven people with an age and a ward that is kept: few enough to publish and check all combinations at once."""
    random = Random(seed)
    rows = [
        (random.randrange(20, 60), random.choice(["north", "south"]), random.choice(["flu", "gout"])) for _ in range(7)
    ]
    data = pd.DataFrame(rows, columns=["age", "ward", "diagnosis"]).astype(str)
    study = Study([Attribute("age", 20, 60, 3)], k=2)
    return data, study.with_roles(Roles(sensitive=["diagnosis"], keep=["ward"]))


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
    assert [step.text for step in best.steps] == ["groups of 20 years, 2 groups in all", "as it is (sensitive)"]
    counted = "2 of 2 columns, 20 of 20 rows, 62.5 % of the detail of all 2 columns kept"
    assert best.label == f"{counted}: age in groups of 20 years"
    # [20, 40[ spans 19 of the 32 years from 21 to 53, [40, 60[ spans 13: a mean of half of all. Age counts threefold.
    assert best.cost == pytest.approx((19 + 13) / 32 / 2 * 3 / 4)
    assert found.to_dict()["outcomes"][0]["kept"] == pytest.approx(0.625)


def one_ward(rare):
    """Forty people of two age groups on two wards, but for those whose ward is their own."""
    wards = [rare.get(row, ("north", "south")[row % 2]) for row in range(1, 41)]
    rows = [((21, 45)[row % 20 > 9], ward, ("flu", "gout")[row // 2 % 2]) for row, ward in enumerate(wards)]
    data = pd.DataFrame(rows, columns=["age", "ward", "illness"]).astype(str)
    study = Study([Attribute("age", 20, 60, 2)], k=5)
    return data, study.with_roles(Roles(sensitive=["illness"], keep=["ward"]))


def test_what_keeps_more_than_all_that_is_shown_and_does_not_pass_is_told():
    draw = Random(2)
    rows = [(str(draw.randrange(20, 60)), draw.choice("mf"), draw.choice(("flu", "gout", "cold"))) for _ in range(30)]
    study = Study([Attribute("age", 20, 60, 3), FileHierarchy("sex", (("m", "*"), ("f", "*")), finest=0)], k=5)
    data = pd.DataFrame(rows, columns=["age", "sex", "illness"])
    found = publishable(data, study.with_roles(Roles(sensitive=["illness"])))
    assert found.attention is None
    assert found.dropped
    assert all(one.cost < found.outcomes[0].cost and not one.ready for one in found.dropped)


def test_what_asks_for_attention_and_keeps_more_is_shown_beside_what_is_ready():
    data, study = one_ward({7: "burns", 12: "eyes", 28: "ears"})
    found = publishable(data, study)
    asks = found.attention
    assert asks is not None
    assert asks.checked.verdict == "attention" == check(asks.data, asks.study, asks.frame).verdict
    assert asks.cost < found.outcomes[0].cost - 0.02
    assert "ward" not in asks.gone
    assert not found.dropped  # what was tried besides keeps no more than this one
    why = "Nobody knows who had burns, decided by Ada"
    settings = settings_of(asks, Rule(), "people.csv", data, why=why)
    assert any(one.why == why for one in settings.decisions)
    page = archive_files(published_by(data, settings, asks.choice.way, 3, asks.decided), settings, "people.csv")
    assert why in page["keep/verdict.html"]
    for unsigned, lacks in [
        ("Nobody knows who had burns, decided by A", UNSIGNED),
        ("Nobody knows who had burns.", UNREASONED),
        ("ok, decided by Ada", UNREASONED),
        ("ok", UNREASONED),
    ]:
        with pytest.raises(StudyError, match=re.escape(lacks)):
            settings_of(asks, Rule(), "people.csv", data, why=unsigned)


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
    assert late.warnings[-1] == (
        "Not all was tried: the time ran out. Something may pass all the same; with fewer columns more of it can be "
        "tried."
    )


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(1, 10))])
def test_who_searches_on_goes_on_from_what_is_known(seed, monkeypatch):
    """Stopped after some tables, a search comes to what it finds at once, and publishes none of them all over again."""
    made, honest = [], Maker.make
    monkeypatch.setattr(Maker, "make", lambda maker, choice: made.append(choice) or honest(maker, choice))
    data, study = small_table(seed)
    rule = Rule(alone=Decimal("0.2"))
    whole, at_once = publishable(data, study, rule, time_limit=600), len(made)
    made.clear()
    known = publishable(data, study, rule, time_limit=600, cancelled=lambda: len(made) >= at_once // 3)
    assert not known.complete
    ended = len(made)
    for part in (2, 3):
        known = search_on(known, time_limit=600, cancelled=lambda: len(made) >= part * at_once // 3 < at_once)  # noqa: B023
        assert known.tried >= ended
    assert len(made) <= at_once + 3  # no more than the one that was being made each time it ended
    assert known.complete
    assert [one.cost for one in known.outcomes] == pytest.approx([one.cost for one in whole.outcomes])
    assert known.why_not == whole.why_not
    assert search_on(known) is known


def test_what_took_too_long_has_its_turn_again(monkeypatch):
    """A check that ends without its attack says nothing of a table; with more time it is asked again."""
    data, study = tiny_table(5)
    found = publishable(data, study, Rule(alone=Decimal("0.2")), time_limit=300)
    assert found.complete
    honest = Maker.looked_at

    def without_attack(maker, table):
        within = honest(maker, table)
        return lambda _: within(0.0)

    with monkeypatch.context() as hurried:
        hurried.setattr(Maker, "looked_at", without_attack)
        late = publishable(data, study, Rule(alone=Decimal("0.2")), time_limit=300)
    assert (late.outcomes, late.complete) == ((), False)
    again = search_on(late, time_limit=300)
    assert again.complete
    assert [one.label for one in again.outcomes] == [one.label for one in found.outcomes]


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


def test_what_shows_age_and_sex_together_is_searched_where_tables_show_one_of_them_alone():
    """Four people are neither m nor f: in the way of both columns together, until * stands in their rows."""
    decades = [(str(ten + 7 * row % 10), sex) for ten in (20, 30, 40, 50) for sex in "mf" for row in range(16)]
    people = [*decades, *((age, "d") for age in ("22", "37", "47", "55"))]
    data = pd.DataFrame([(*one, ("flu", "gout")[row % 2]) for row, one in enumerate(people)])
    data.columns = pd.Index(["age", "sex", "illness"])
    three = FileHierarchy("sex", (("m", "*"), ("f", "*"), ("d", "*")), finest=0)
    study = Study([Attribute("age", 20, 60, 3), three], k=5).with_roles(Roles(sensitive=["illness"]))
    search = Search(Space.of(data, study, Rule()), Rule())
    search.start(Deadline(60.0), lambda _: None, lambda _: None)
    space = search.space
    for heights in ((3, 0), (0, 2)):
        search.looked_at(Choice(heights, 5, space.ways[0], ""))
    shown = [column.name for column in space.columns]
    found = [set(shown).difference(one.gone) for one in search.ready]
    assert found
    assert set(shown) not in found
    search.show_more(shown)
    assert set(shown) in [set(shown).difference(one.gone) for one in search.ready]


def test_what_would_have_more_cells_than_the_engine_takes_is_not_tried():
    """Nine columns that say the same would pass as they are, in a grid of 134 million cells; seven have 2 million."""
    names = [f"place{n}" for n in range(9)]
    data = pd.DataFrame({name: [f"town {row % 8}" for row in range(400)] for name in names})
    towns = tuple((f"town {n}", "*") for n in range(8))
    study = Study([FileHierarchy(name, towns, finest=0) for name in names], k=5)
    best = publishable(data, study, time_limit=60).outcomes[0]
    assert len(best.gone) == 2
    assert best.cost == pytest.approx(2 / 9)


def test_a_column_that_was_too_many_before_the_search_counts_as_one_that_the_search_removed():
    data, study = small_table(0)
    without = study.changed(attributes=study.attributes[:1], roles=study.roles.given("weight", "removed"))
    counted = publishable(data, without, removed=["weight"], time_limit=60).outcomes[0]
    plain = publishable(data, without, time_limit=60).outcomes[0]
    assert counted.counts.startswith("3 of 4 columns (without weight)")
    assert counted.frame.equals(plain.frame)
    # Of age, which counts threefold, weight, ward and diagnosis five of six are left to be kept.
    assert 1 - counted.cost == pytest.approx((1 - plain.cost) * 5 / 6)
    # Whoever makes it again from its settings comes to the same figure.
    settings = settings_of(counted, Rule(), "people.csv", data)
    assert published_by(data, settings, counted.choice.way, 3, counted.decided).cost == pytest.approx(counted.cost)
    with pytest.raises(StudyError, match="does not remove 'age'"):
        publishable(data, without, removed=["age"])
