"""Counts by value, and who has what, against all tables with their sensitive values."""

import math
import random
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, prod

import pandas as pd
import pytest

from cra_engine import Attribute, LDiversity, Release, Study, attack, recode, who_has_what
from cra_engine.attacks.refinement.models import ShownModels
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.attacks.tight.values import shown_values
from cra_engine.study.grid import Segment
from oracles.models import FAMILIES, asked_of, literal, random_release


def spreads(number, places):
    """All ways to write a number as a sum of so many."""
    if places == 1:
        yield (number,)
        return
    for first in range(number + 1):
        for rest in spreads(number - first, places - 1):
            yield (first, *rest)


def sub_segments(grid, segment):
    """All boxes inside a box but itself."""
    for state in product(*(range(1, layer + 1) for layer in segment.state)):
        if state == segment.state:
            continue
        ranks = [
            [r for r in range(a.fanout ** (a.layers - layer)) if r // a.fanout ** (at - layer) == rank]
            for a, layer, at, rank in zip(grid.attributes, state, segment.state, segment.ranks, strict=True)
        ]
        yield from (Segment(state, chosen) for chosen in product(*ranks))


def every_filling(part, shown, passes):
    """Per free cell what its records show, for all tables of a class of which no sub-segment passes.

    For models that are not closed of which no half does, which is what is counted, and what is true of more tables: of
    all where the records together do not pass either.
    """
    grid, values, closed = part.release.grid, sorted(shown), part.models.closed
    boxes = [
        [place for place, cell in enumerate(part.free_cells) if grid.holds(box, cell)]
        for box in sub_segments(grid, part.segment)
        if closed or (passes(list(shown.elements())) and sum(box.state) == sum(part.segment.state) - 1)
    ]
    for chosen in product(*(spreads(shown[value], len(part.free_cells)) for value in values)):
        fits = True
        for box in boxes:
            group = [v for v, own in zip(values, chosen, strict=True) for place in box for _ in range(own[place])]
            if group and passes(group):
                fits = False
                break
        if fits:
            yield [dict(zip(values, own, strict=True)) for own in zip(*chosen, strict=True)]


def weight(part, filling, shown, prior):
    """How much tables with this filling weigh together, by the definition of each prior."""
    total = Fraction(1)
    for measure, own in zip(part.cell_measures, filling, strict=True):
        held = sum(own.values())
        ways = Fraction(factorial(held), prod(map(factorial, own.values())))
        if prior == "distinct":
            total *= comb(measure, held) * ways
        elif prior == "assignments":
            total *= ways
        else:
            total *= Fraction(measure**held, factorial(held)) * ways
    return total * (prod(map(factorial, shown.values())) if prior in ("independent", "population") else 1)


def check_counts(seed):
    """Counts, probabilities of single cells and of values of each small class, under each prior."""
    rng, family = random.Random(f"counts by value {seed}"), FAMILIES[seed % len(FAMILIES)]
    while True:
        _, labels, study = random_release(rng, family, most=12, met=False)
        release = Release(study, labels)
        if study.share is None:
            break
    tests, risk = asked_of(study, labels["illness"].tolist())
    least = max(study.k, 0 if risk is None else math.ceil(1 / risk))

    def passes(group):
        return len(group) >= least and family != "enhanced" and all(test(group) for test in tests)

    checked = 0
    for prior in ("distinct", "independent", "assignments"):
        attacked = attack(release, prior=prior)
        for part in attacked.parts:
            rows = release.rows_of(-1 if part.index is None else part.index)
            # What no model asks for is not read, so that tables do not differ by it.
            shown = Counter(labels["illness"].iloc[rows] if part.models.columns else [""] * len(rows))
            cells = len(part.free_cells)
            if part.basic or prod(comb(n + cells - 1, n) for n in shown.values()) > 4000:
                continue
            held = defaultdict(Fraction)
            alone, one_with, there, people = Counter(), Counter(), Counter(), Counter()
            total = Fraction(0)
            for filling in every_filling(part, shown, passes):
                weighed = weight(part, filling, shown, prior)
                total += weighed
                for cell, own in zip(part.free_cells, filling, strict=True):
                    size = sum(own.values())
                    people[cell] += weighed * size
                    alone[cell] += weighed * (size == 1)
                    for value, count in own.items():
                        there[cell, value] += weighed * count
                        one_with[cell, value] += weighed * (size == 1 and count == 1)
                held[tuple(sum(own.values()) for own in filling)] += weighed
            assert part.cra_solutions == total, (seed, prior)
            assert part.lr_solutions >= part.cra_solutions
            assert part.combinations_bounds[0] <= len(held) <= part.combinations_bounds[1] or prior == "distinct"
            if not total:
                continue
            chances = part.cell_probabilities(1)
            for cell, chance in zip(part.free_cells, chances, strict=True):
                assert chance == pytest.approx(float(alone[cell] / total))
                told = part.value_chances(cell)
                if told is None:
                    continue
                checked += 1
                for kind, (belief, with_value) in told.items():
                    value = "".join(map(str, part.models.kinds[kind]))
                    expected = there[cell, value] / people[cell] if people[cell] else 0
                    assert belief == expected, (seed, prior, cell, value)
                    assert with_value == pytest.approx(float(one_with[cell, value] / total))
    return checked


@pytest.mark.parametrize("seed", range(2 * len(FAMILIES)))
def test_counts_by_value_are_those_of_all_tables(seed):
    check_counts(seed)


def test_some_classes_are_counted_by_value():
    assert sum(check_counts(seed) for seed in range(len(FAMILIES))) > 20


@pytest.mark.exhaustive
@pytest.mark.parametrize("start", range(2 * len(FAMILIES), 300 * len(FAMILIES), 4 * len(FAMILIES)))
def test_counts_by_value_of_three_hundred_releases_of_each_family(start):
    for seed in range(start, min(start + 4 * len(FAMILIES), 300 * len(FAMILIES))):
        check_counts(seed)


def tables(release, labels):
    """All tables of cells that lie in their rows' boxes, alike ones once: per row a cell."""
    grid = release.grid
    rows = []
    for row in range(release.records):
        index = int(release.class_of_row[row])
        box = grid.whole if index < 0 else release.classes[index].segment
        rows.append([cell for cell in product(*map(range, grid.shape)) if grid.holds(box, cell)])
    seen = set()
    for chosen in product(*rows):
        named = tuple(sorted(zip(labels["illness"], release.class_of_row.tolist(), chosen, strict=True)))
        if named not in seen:
            seen.add(named)
            yield chosen


def check_against_the_program(seed, most_tables=2_000):
    rng = random.Random(f"the program {seed}")
    family = FAMILIES[seed % len(FAMILIES)]
    while True:
        inner = random.Random(rng.random())
        _, labels, study = random_release(inner, family, most=6)
        release = Release(study, labels)
        many = prod(
            release.grid.size
            if i < 0
            else prod(n.stop - n.start for n in release.grid.nodes(release.classes[i].segment))
            for i in release.class_of_row.tolist()
        )
        if study.share is None and 1 < many <= most_tables:
            break
    values = labels["illness"].tolist()
    lower = [
        [Fraction(int(a.node(1, leaf).lower)) for leaf in range(n)]
        for a, n in zip(study.attributes, release.grid.shape, strict=True)
    ]
    published = labels.to_numpy().tolist()
    counts, there, n = defaultdict(set), defaultdict(Counter), 0
    for chosen in tables(release, labels):
        records = [tuple(lower[axis][leaf] for axis, leaf in enumerate(cell)) for cell in chosen]
        if literal(study, records, values).labels().to_numpy().tolist() != published:
            continue
        n += 1
        held = Counter(chosen)
        for cell in product(*map(range, release.grid.shape)):
            counts[cell].add(held[cell])
        for cell, value in zip(chosen, values, strict=True):
            there[cell][value] += 1
    models = ShownModels.of(release, ["illness"])
    system = TightSystem(release)
    found = shown_values(system, models, lambda: 60.0)
    assert found.finished
    # The program broke ties by the values themselves, where these tables have the lower ends of leaves.
    assert n or system.unordered or len(system.hypotheses) > 1
    assert not found.contradiction
    # Under an average risk a box of fewer than 1 / risk can pass or not, by what lies elsewhere.
    exactly = all(isinstance(model, LDiversity) for model in study.privacy) and models.closed
    # Of states that tie nobody knows which had its turn first: boxes of one that formed no class may bound less.
    before, states = system.formation.before, list(study.lattice.states)
    tied = any(not before(one, other) and not before(other, one) for one, other in combinations(states, 2))
    complete = exactly and not tied and not system.unordered and len(system.hypotheses) == 1
    for cell, kinds in found.possible.items():
        told = {str(models.kinds[kind][0]) for kind in kinds}
        assert set(there[cell]) <= told, (seed, cell)
        if complete:
            assert set(there[cell]) == told, (seed, cell)
            assert (cell in found.alone) == (counts[cell] == {1}), (seed, cell)
        if cell in found.alone:
            assert counts[cell] == {1}, (seed, cell)
    for prior in ("distinct", "assignments"):
        check_one_answer(who_has_what(attack(release, prior=prior), ["illness"]), there, seed)
    return complete


def check_one_answer(who, there, seed):
    """No number about a cell contradicts another, nor what the tables of the program show there."""
    for one in who.cells:
        seen, known = there[one.cell], one.beliefs
        assert set(seen) <= set(one.possible) == set(one.shares) - set(one.excluded), (seed, one)
        assert all(known[value] == 0 == one.alone_with[value] for value in one.excluded), (seed, one)
        assert (sum(known.values()) == 1) if not one.why_unknown else len(known) < len(one.shares), (seed, one)
        assert one.alone_with == known or not one.alone, (seed, one)
        assert sum(one.alone_with.values()) <= 1, (seed, one)
        if len(one.possible) == 1:
            assert known[one.possible[0]] == 1, (seed, one)
        elif one.why_unknown and one.gain:
            most = max(Fraction(seen[v], sum(seen.values())) - share for v, share in one.shares.items())
            assert one.gain <= most, (seed, one)


@pytest.mark.parametrize("seed", range(len(FAMILIES)))
def test_what_is_settled_together_is_what_the_program_allows(seed):
    check_against_the_program(seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("start", range(0, 300 * len(FAMILIES), 3 * len(FAMILIES)))
def test_what_is_settled_together_on_three_hundred_releases_of_each_family(start):
    for seed in range(start, start + 3 * len(FAMILIES)):
        check_against_the_program(seed, most_tables=20_000)


def test_some_of_the_joint_systems_are_complete():
    assert any(check_against_the_program(seed) for seed in range(0, 30, 5))


@pytest.mark.parametrize("sign", [".", ","])
def test_a_value_written_in_two_ways_is_one_value_as_recoding_has_it(sign):
    """Three records of [0, 2[ show 1.5 alone, so that 2-diversity keeps them from a class of their own."""
    study = Study([Attribute("age", 0, 8, layers=3)], k=2, privacy=[LDiversity("dose", 2)])
    doses = [dose.replace(".", sign) for dose in ("1.5", "1.50", "1.5", "2.0", "1.5", "2.0")]
    release = recode(pd.DataFrame({"age": [0, 1, 1, 2, 4, 5], "dose": doses}), study).release
    assert [c.size for c in release.classes] == [2, 4]
    models = ShownModels.of(release)
    assert [models.cap(index) for index in range(2)] == [1, 3]
