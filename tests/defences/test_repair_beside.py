"""Repair beside earlier releases: what all of them tell together against listing every table, and targets that hold."""

import random
from itertools import combinations

import pandas as pd
import pytest

from cra_engine import (
    ContradictionError,
    Release,
    RepairTargets,
    Study,
    compose,
    recode,
    repair,
    safe_recode,
    synthesize,
)
from cra_engine.attacks.composition import beside as module
from cra_engine.attacks.composition.beside import beside, earlier_attacks
from cra_engine.attacks.composition.safe_together import compose_safe
from cra_engine.defences.beside import EarlierReleases
from cra_engine.patience import Deadline
from oracles.together import Given, Together
from strategies import make_attribute, random_case

A, B = (3, 2, 9), (2, 2, 11)
CASES = {
    "one attribute": ([Given(((3, 2, 9),), 2), Given(((3, 2, 9),), 3)], 7),
    "two attributes": ([Given((A, B), 2), Given((A, B), 2)], 5),
    "other edges": ([Given(((2, 2, 18), B), 2), Given(((2, 3, 12), B), 2)], 5),
    "ties": ([Given(((2, 2, 9), (2, 2, 9)), 2), Given(((2, 2, 9), (2, 2, 9)), 3)], 6),
}


def changed(release: Release, rng: random.Random) -> Release:
    """Some classes show a box that is as wide as the domain in some attributes."""
    table = release.table.copy().astype(object)
    for place in range(len(release.classes)):
        for attribute in release.attributes:
            if rng.random() < 0.35:
                table.loc[release.rows_of(place), attribute.name] = attribute.layer_nodes[-1][0].label
    return Release(release.study, table)


def held(together: Together, release: Release) -> list[tuple[set[int], int]]:
    """Per class the common cells that its box holds, and its records; the suppressed ones last."""
    rows = []
    for one in release.classes:
        ends = [(node.lower, node.upper) for node in release.grid.nodes(one.segment)]
        inside = {
            place
            for place, cell in enumerate(together.cells)
            if all(
                low <= together.pieces[a][at][0] < high
                for a, (at, (low, high)) in enumerate(zip(cell, ends, strict=True))
            )
        }
        rows.append((inside, one.size))
    return [*rows, (set(range(len(together.cells))), release.suppressed)]


def dealt(counts: tuple[int, ...], rows: list[tuple[set[int], int]]) -> bool:
    """Whether the people of some cells can be dealt to the rows; one person after the other, by augmenting paths."""
    people = [cell for cell, count in enumerate(counts) for _ in range(count)]
    seats = [row for row, (_, size) in enumerate(rows) for _ in range(size)]
    if len(people) != len(seats):
        return False
    taken: dict[int, int] = {}

    def seat(person: int, seen: set[int]) -> bool:
        for place, row in enumerate(seats):
            if place not in seen and people[person] in rows[row][0]:
                seen.add(place)
                if place not in taken or seat(taken[place], seen):
                    taken[place] = person
                    return True
        return False

    return all(seat(person, set()) for person in range(len(people)))


def compared(name: str, most: int, *, complete: bool = True) -> int:
    """Look at some pairs; how many had something that is certain."""
    givens, records = CASES[name]
    rng = random.Random(name)
    together = Together(givens, [records] * 2)
    pairs = [
        (first, second, firsts)
        for _, first, firsts in together.published[0]
        for _, second, seconds in together.published[1]
        if firsts & seconds
    ]
    certain = 0
    for first, plain, givers in rng.sample(pairs, min(most, len(pairs))):
        second = changed(plain, rng)
        rows = held(together, second)
        worlds = [together.worlds[0][giver] for giver in sorted(givers)]
        expected = [world for world in worlds if dealt(tuple(world.tolist()), rows)]
        assert expected
        found = beside(earlier_attacks([first], 10), second, 10)
        assert found.finished
        weights = [together.weight(world) for world in expected]
        for view in found.cells:
            counts = [int(world[together.cells.index(view.cell)]) for world in expected]
            if not complete:  # tables may be left that fit no dealing, and never one too few
                assert view.lowest <= min(counts) <= max(counts) <= view.highest
                continue
            assert (view.lowest, view.highest) == (min(counts), max(counts))
            certain += view.fixed
            if sum(weights):
                one = sum(weight for weight, count in zip(weights, counts, strict=True) if count == 1)
                assert (view.probabilities[1] if len(view.probabilities) > 1 else 0.0) == pytest.approx(
                    one / sum(weights)
                )
    return certain


@pytest.mark.parametrize("name", CASES)
def test_what_the_rows_show_beside_an_earlier_release_against_listing_all_tables(name: str) -> None:
    assert compared(name, 12)


def test_with_many_classes_no_table_is_excluded_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SETS", 0)
    compared("two attributes", 15, complete=False)


def test_of_two_sets_in_the_same_places_the_larger_counts() -> None:
    """A class in a box and a wider class around it, both of which the earlier release leaves in the same cells."""
    age, stay = (make_attribute(name, fanout=2, layers=2, leaf=leaf) for name, leaf in (("age", 18), ("stay", 11)))
    other = make_attribute("age", fanout=3, layers=2, leaf=12)
    first = pd.DataFrame({"age": ["[18, 36["] * 5, "stay": ["[0, 11["] * 2 + ["[11, 22["] * 3})
    second = pd.DataFrame({"age": ["[12, 24["] * 5, "stay": ["[0, 11["] * 2 + ["*"] * 3})
    found = beside(
        earlier_attacks([Release(Study([age, stay], 2), first)], 10), Release(Study([other, stay], 2), second), 10
    )
    assert {view.cell: view.lowest for view in found.cells if view.fixed and view.lowest} == {(2, 0): 2, (2, 1): 3}


def test_records_that_must_be_alike_are_read_as_such() -> None:
    """Six people in four places: no table of people who all differ gives these releases."""
    two = make_attribute("age", fanout=2, layers=2, leaf=2)
    data = pd.DataFrame({"age": [0, 0, 0, 0, 0, 3]})
    first, second = (recode(data, Study([two], k)).release for k in (2, 3))
    made = repair(second, RepairTargets(likeliest=0.9), earlier=[first])
    assert made.together is not None
    assert made.met or made.why_not


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", CASES)
def test_many_more_of_them(name: str) -> None:
    assert compared(name, 400)


def look(seed: int) -> str:
    """One random pair, the later release mended; what became of it."""
    case = random_case(seed, most_records=24)
    two = (case.study.k, case.study.k + 1)
    if two[1] > len(case.data) or len(case.study.attributes) > 2:
        return "left out"
    first, second = (recode(case.data, case.study.with_k(k)).release for k in two)
    allowed = (None, 0.6, 0.4)[seed % 3]
    made = repair(second, RepairTargets(likeliest=allowed), earlier=[first], time_limit=60)
    truth = EarlierReleases.of([first], Deadline(60), second)
    assert made.together is not None
    if made.met:
        again = truth.read(made.release)
        assert again.finished
        assert not again.certain
        assert not made.reading.certain
        assert allowed is None or max(again.likeliest, made.reading.likeliest) <= allowed + 1e-12
        return "changed" if made.steps else "as it was"
    assert made.why_not
    if "The time did not suffice" in made.why_not:
        return "no time"  # on a busy machine
    if "earlier releases alone" in made.why_not:
        assert compose([first]).isolated
        assert not made.steps  # it is not touched in vain
    else:
        assert not made.release.classes
        assert made.together.certain or made.together.likeliest > (allowed or 1) - 1e-12 or made.reading.certain
    return "cannot"


def test_targets_hold_jointly_or_it_says_why_not() -> None:
    assert {look(seed) for seed in range(18)} >= {"changed", "as it was"}


@pytest.mark.exhaustive
def test_two_hundred_pairs() -> None:
    outcomes = [look(seed) for seed in range(420)]
    assert len(outcomes) - outcomes.count("left out") - outcomes.count("no time") >= 200
    assert min(outcomes.count(kind) for kind in ("changed", "as it was", "cannot")) > 10


def test_nobody_is_certain_together_though_each_alone_was_harmless() -> None:
    """Two harmless releases of the toy table isolate three people together; after the repair nobody."""
    toy = synthesize("toy")
    four, seven = (recode(toy.data, toy.study.with_k(k)).release for k in (4, 7))
    assert len(compose([four, seven]).isolated) == 3
    made = repair(seven, earlier=[four])
    assert made.met
    assert made.steps
    assert made.loss > made.loss_before
    assert not made.together.certain
    for attribute in toy.study.attributes:
        for value, label in zip(toy.data[attribute.name], made.frame[attribute.name], strict=True):
            node = attribute.parse(str(label))
            assert node.lower <= int(value) < node.upper  # every row still covers its person


def test_what_cannot_be_helped_is_said() -> None:
    toy = synthesize("toy")  # its k = 3 isolates two people by itself
    first, second = (recode(toy.data, toy.study.with_k(k)).release for k in (3, 6))
    assert compose([first]).isolated
    made = repair(second, earlier=[first])
    assert not made.met
    assert not made.steps
    assert "The earlier releases alone show that 2 cells hold exactly one person for certain" in made.why_not


def test_without_time_it_promises_nothing() -> None:
    toy = synthesize("toy")
    four, seven = (recode(toy.data, toy.study.with_k(k)).release for k in (4, 7))
    made = repair(seven, earlier=[four], time_limit=0)
    assert not made.met
    assert "The time did not suffice" in made.why_not


def test_releases_that_do_not_belong_together_are_refused() -> None:
    toy = synthesize("toy")
    published = recode(toy.data, toy.study).release
    fewer = recode(toy.data.iloc[:-1], toy.study).release
    with pytest.raises(ContradictionError, match="35 records and this one 36"):
        repair(published, RepairTargets(likeliest=0.1), earlier=[fewer])


def test_a_table_is_mended_beside_safe_releases_by_their_counts() -> None:
    toy = synthesize("toy")
    published, mended = recode(toy.data, toy.study.with_k(7)).release, 0
    for seed in range(4):
        one, other = (safe_recode(toy.data, toy.study, 1, seed=seed + turn).release for turn in (0, 50))
        made = repair(published, earlier=[one])
        assert made.met
        assert not made.together.exact  # the coins are not weighed
        mended += bool(made.together_before.certain) and not made.together.certain
        # Two that know nothing of each other settle somebody by themselves, which nothing takes back.
        assert repair(published, earlier=[one, other]).met == (not compose_safe([one, other]).certain)
    assert mended


def test_sets_of_classes_are_those_that_hang_together() -> None:
    toy = synthesize("toy")
    release = recode(toy.data, toy.study).release
    classes = [(one.segment, one.size) for one in release.classes]
    found = {segments for segments, _ in module.hall_sets(release.grid, classes)}
    for one, other in combinations(classes, 2):
        apart = not any(
            release.grid.contains(one[0], release.grid.cell_segment(cell)) for cell in release.grid.cells(other[0])
        )
        assert ((one[0], other[0]) in found) != apart
