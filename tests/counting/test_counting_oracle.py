"""The closed form against full enumeration: first the sum over orthants itself, then whole releases."""

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chances import assert_fits
from cra_engine.attacks.refinement.attack import attack
from cra_engine.counting.convolution import convolve, correlate
from cra_engine.counting.sums import OrthantSum, multisets
from cra_engine.errors import CRAError
from cra_engine.publish.local.recoding import recode
from cra_engine.release import Release
from cra_engine.risk.singling import single_out
from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study
from oracles import polya
from oracles.literal import LiteralARXLR
from oracles.programs import (
    Counted,
    Program,
    Published,
    cell_volumes,
    cells_of,
    class_program,
    count,
    spreads,
    suppressed_program,
    true_counts,
)
from shares import first
from strategies import cases, random_case

MOST_SPREADS = 8_000  # ways to spread the records over the free cells before any constraint: what we enumerate at most


# --- The sum over orthants, volumes and cells chosen freely ---------------------------------------------------------


class OrthantCase:
    """Cells with volumes of their own, spread over orthants; some orthants are empty (taken by earlier classes)."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"orthants {seed}")
        splits = rng.choice([1, 1, 2, 2, 3, 4])
        while True:
            self.fanouts = [rng.choice([1, 2, 2, 2, 3, 4]) for _ in range(splits)]
            self.k = rng.choice([2, 3, 3, 4, 4, 5])
            self.size = rng.randint(self.k, self.k + 3)
            self.orthants = list(product(*map(range, self.fanouts)))
            self.cells = [
                (*orthant, i) for orthant in self.orthants for i in range(rng.choices([0, 1, 2], weights=[2, 6, 2])[0])
            ]
            if self.cells and comb(self.size + len(self.cells) - 1, self.size) <= MOST_SPREADS:
                break
        self.volumes = [rng.randint(1, 6) for _ in self.cells]
        sparse = tuple(
            frozenset(cell for cell in self.cells if cell[i] == child)
            for i, fanout in enumerate(self.fanouts)
            for child in range(fanout)
        )
        program = Program(tuple(self.cells), frozenset(), self.size, (), sparse, self.k)
        self.counted = count(program.cp_sat(), self.volumes)

    def per_orthant(self, values):
        return [
            sum(value for cell, value in zip(self.cells, values, strict=True) if cell[:-1] == orthant)
            for orthant in self.orthants
        ]

    @property
    def data_sets(self) -> OrthantSum:
        return OrthantSum(self.fanouts, self.per_orthant(self.volumes), comb, self.size, self.k - 1)

    @property
    def assignments(self) -> OrthantSum:
        return OrthantSum(self.fanouts, self.per_orthant([1] * len(self.cells)), multisets, self.size, self.k - 1)

    def by_orthant(self, weights) -> list[list[int]]:
        parts = [Counter() for _ in self.orthants]
        for z, weight in zip(self.counted.solutions, weights, strict=True):
            for orthant, records in enumerate(self.per_orthant(z)):
                parts[orthant][records] += weight
        return parts


@pytest.mark.parametrize("batch", first(2, range(8)))
def test_sum_over_orthants_equals_enumeration(batch):
    kinds = Counter()
    for seed in range(batch * 25, (batch + 1) * 25):
        case = OrthantCase(seed)
        where = f"seed {seed}: fanouts {case.fanouts}, k {case.k}, size {case.size}, volumes {case.volumes}"
        for engine, weights in (
            (case.data_sets, case.counted.weights),
            (case.assignments, (1,) * case.counted.combinations),
        ):
            assert engine.total == sum(weights), where
            expected = case.by_orthant(weights)
            for orthant, parts in enumerate(engine.by_orthant):
                assert {n: part for n, part in enumerate(parts) if part} == {
                    n: part for n, part in expected[orthant].items() if part
                }, where
        kinds[len(case.fanouts)] += 1
    assert len(kinds) >= 3


@pytest.mark.parametrize("seed", [1, 7, 9, 20, 33])
def test_orthants_are_drawn_in_proportion(seed):
    case = next(c for c in map(OrthantCase, range(seed * 1000, seed * 1000 + 99)) if 5 <= c.counted.combinations <= 400)
    expected: Counter = Counter()
    for z, weight in zip(case.counted.solutions, case.counted.weights, strict=True):
        expected[tuple(case.per_orthant(z))] += Fraction(weight, case.counted.cra_solutions)
    draws = 4000
    drawn = case.data_sets.sample(np.random.default_rng(seed), draws)
    assert drawn.shape == (draws, len(case.orthants))
    assert_fits(Counter(tuple(row) for row in drawn.tolist()), expected, draws)


def test_a_class_over_a_single_child_holds_no_more_than_the_child():
    # "P" splits into "a" alone, which would have been published by itself with three or more.
    kind = Attribute.from_hierarchy("kind", [["a", "P", "*"], ["c", "Q", "*"], ["d", "Q", "*"]])
    study = Study([Attribute("x", 0, 8, layers=3), kind], k=3)
    release = Release(study, pd.DataFrame([["[0, 4[", "P"]] * 4, columns=["x", "kind"]))
    (part,) = attack(release).parts
    assert part.contradiction
    assert part.cra_solutions == 0
    assert "no data satisfy its constraints" in attack(release).warnings[0]
    assert "classes=1" in repr(attack(release))


def test_an_impossible_class_has_no_data_set():
    # Two children of at most two records cannot hold five.
    nothing = OrthantSum([2], [10, 10], comb, 5, 2)
    assert nothing.total == 0
    assert all(part == 0 for parts in nothing.by_orthant for part in parts)
    with pytest.raises(ValueError, match="0"):
        nothing.sample(np.random.default_rng(0), 1)


@pytest.mark.parametrize(
    ("fanouts", "cells", "size", "k"),
    [
        ([2, 2, 2, 2], 16, 12, 7),
        ([2, 2, 2, 2], 1, 8, 7),
        ([2, 2, 2, 2], 3, 7, 7),
        ([2, 2, 2], 8, 18, 10),
        ([2, 2], 64, 21, 12),
        ([2], 5, 24, 13),
        ([3], 9, 15, 7),
        ([3, 3], 9, 10, 5),
        ([3, 2], 6, 12, 7),
        ([2, 3], 6, 12, 7),
        ([3, 2, 2], 4, 9, 6),
        ([2, 2, 3], 4, 9, 6),
        ([3, 3, 3], 1, 6, 4),
        ([4, 3], 2, 9, 4),
        ([5], 2, 14, 4),
        ([2, 5], 2, 7, 5),
    ],
)
def test_large_boxes_equal_the_symmetric_function_sum(fanouts, cells, size, k):
    orthants, volume = prod(fanouts), 7 * cells
    sums = OrthantSum(fanouts, [cells] * orthants, multisets, size, k - 1)
    assert sums.total == polya.combinations(size, fanouts, k - 1, cells) > 0
    sums = OrthantSum(fanouts, [volume] * orthants, comb, size, k - 1)
    assert sums.total == polya.cra_solutions(size, fanouts, k - 1, volume) > 0
    # All orthants look alike, so each holds its share of the records on average.
    for parts in sums.by_orthant:
        assert sum(parts) == sums.total
        assert sum(n * part for n, part in enumerate(parts)) * orthants == size * sums.total


def arrays(draw_shape, most):
    return draw_shape.flatmap(
        lambda shape: st.lists(st.integers(0, most), min_size=prod(shape), max_size=prod(shape)).map(
            lambda values: np.array(values, dtype=object).reshape(shape)
        )
    )


shapes = st.integers(1, 3).flatmap(lambda n: st.tuples(*[st.lists(st.integers(1, 3), min_size=n, max_size=n)] * 2))


@given(data=st.data(), shape=shapes, most=st.sampled_from([1, 255, 256, 10**30]))
@settings(max_examples=150, derandomize=True)
def test_convolutions_are_the_schoolbook_ones(data, shape, most):
    left, right = (data.draw(arrays(st.just(tuple(s)), most)) for s in shape)
    result = convolve(left, right)
    expected: Counter = Counter()
    for i, j in product(np.ndindex(left.shape), np.ndindex(right.shape)):
        expected[tuple(a + b for a, b in zip(i, j, strict=True))] += left[i] * right[j]
    assert result.shape == tuple(a + b - 1 for a, b in zip(left.shape, right.shape, strict=True))
    assert all(result[place] == expected[place] for place in np.ndindex(result.shape))
    outer = convolve(left, np.ones(right.shape, dtype=object))  # large enough for ``right`` to fit inside
    shifted = correlate(outer, right)
    for shift in np.ndindex(shifted.shape):
        assert shifted[shift] == sum(
            outer[tuple(s + p for s, p in zip(shift, place, strict=True))] * right[place]
            for place in np.ndindex(right.shape)
        )


# --- Classes and suppressed records of releases -----------------------------------------------------------------------


class Attacked:
    """A random release with the engine's attack and, beside it, the paper's programmes."""

    def __init__(self, case, ties="sound") -> None:
        self.case, self.ties = case, ties
        self.attributes, self.k = case.study.attributes, case.study.k
        self.release = recode(case.data, case.study).release
        self.attack = attack(self.release, ties=ties)
        self.published = [Published(c.segment.state, c.segment.ranks, c.size) for c in self.release.classes]

    def pairs(self):
        """Each class and the suppressed with its programme, where it is small enough to enumerate and not one cell."""
        for index, found in enumerate(self.attack.classes):
            assert (found.segment.state, found.segment.ranks) == (
                self.published[index].state,
                self.published[index].ranks,
            )
            if not found.segment.basic:
                yield found, class_program(self.attributes, self.k, self.published, index, ties=self.ties)
        assert (self.attack.suppressed is not None) == (self.release.suppressed > 0)
        if self.release.suppressed:
            yield (
                self.attack.suppressed,
                suppressed_program(self.attributes, self.k, self.published, self.release.suppressed),
            )

    def small(self):
        for found, program in self.pairs():
            if comb(program.total + len(program.free) - 1, program.total) <= MOST_SPREADS:
                yield found, program


def by_cell(cells, program):
    """Positions in ``cells`` of the programme's free cells; the other cells can hold nobody."""
    places = {tuple(cell): i for i, cell in enumerate(cells)}
    assert set(program.free) <= set(places)
    return [places[cell] for cell in program.free]


def assert_repeated_values(found, program) -> None:
    """Where records must repeat values each takes every value independently: n! / prod(z!) * prod(V**z) ways."""
    volumes = found.cell_volumes
    order = by_cell(found.free_cells, program)
    weights = {}
    for solution in program.cp_sat():
        weight = Fraction(1)
        for place, held in zip(order, solution, strict=True):
            weight *= Fraction(volumes[place] ** held, factorial(held))
        weights[tuple(solution)] = weight
    total = sum(weights.values())
    for j in range(program.total + 1):
        engine = found.cell_probabilities(j)
        for position, place in enumerate(order):
            share = sum((w for z, w in weights.items() if z[position] == j), Fraction(0)) / total
            assert engine[place] == pytest.approx(float(share), abs=1e-12)


def assert_equal_to_enumeration(attributes, found, program, counted: Counted) -> None:
    assert {tuple(cell) for cell in found.free_cells} == set(program.free)
    assert found.size == program.total
    assert found.combinations == counted.combinations
    assert found.cra_solutions == counted.cra_solutions
    whole = sum(cell_volumes(attributes, program.cells))
    assert found.lr_solutions == comb(whole, program.total)
    assert type(found.lr_solutions) is type(found.cra_solutions) is type(found.combinations) is int
    assert found.contradiction == (counted.cra_solutions == 0)
    if found.contradiction:
        assert found.ratio == 1 if found.basic else math.isnan(found.ratio)
        assert found.log10_ratio == 0 if found.basic else math.isnan(found.log10_ratio)
        # More records than distinct values: the table repeats rows. Or the paper's order of ties excludes the truth.
        assert found.coincident == (counted.combinations > 0)
        if found.coincident:
            assert "alike in every quasi-identifier" in (found.problem or "")
            assert_repeated_values(found, program)
        else:
            with pytest.raises(CRAError, match="no data satisfy its constraints"):
                found.cell_probabilities(0)
    else:
        assert found.ratio == pytest.approx(float(Fraction(found.lr_solutions, counted.cra_solutions)), rel=1e-12)
        assert 10**found.log10_ratio == pytest.approx(found.ratio, rel=1e-9)
        assert found.ratio >= 1
        order = by_cell(found.free_cells, program)
        totals = [0.0] * len(program.free)
        expected_records = 0.0
        for j in range(program.total + 1):
            engine = found.cell_probabilities(j)
            for position, place in enumerate(order):
                assert engine[place] == pytest.approx(float(counted.cell_probability(position, j)), abs=1e-12)
                totals[position] += engine[place]
                expected_records += j * engine[place]
        assert totals == pytest.approx([1.0] * len(totals), abs=1e-9)
        assert expected_records == pytest.approx(program.total, abs=1e-9)


@pytest.mark.parametrize("batch", first(2, range(16)))
def test_closed_form_equals_enumeration(batch):
    checked, dimensions = 0, set()
    for seed in range(5000 + batch * 15, 5000 + (batch + 1) * 15):
        attacked = Attacked(random_case(seed), ties="sound" if seed % 3 else "paper")
        for found, program in attacked.small():
            counted = count(program.cp_sat(), cell_volumes(attacked.attributes, program.free))
            assert_equal_to_enumeration(attacked.attributes, found, program, counted)
            checked += 1
            dimensions.add(len(attacked.attributes))
    assert checked >= 15
    assert len(dimensions) >= 3


@pytest.mark.parametrize("seed", first(15, range(6000, 6030)))
def test_assignments_are_the_solutions_of_the_whole_system(seed):
    """The bounds on every sub-segment say no more than those on the children."""
    attacked = Attacked(random_case(seed))
    for found, program in attacked.small():
        solutions = program.cp_sat()
        if len(program.cells) <= 8:
            assert solutions == program.brute_force()
        if len(solutions) > 3000:
            continue
        listed = found.assignments(limit=3001, time_limit=60)
        assert listed.complete
        assert listed.combinations == len(solutions)
        order = by_cell(listed.cells, program)
        for z in listed.assignments:
            assert sum(z) == program.total  # nobody in a cell that is not free
        assert sorted(tuple(z[place] for place in order) for z in listed.assignments) == solutions
        order = by_cell(found.free_cells, program)
        for z in solutions[:20]:
            given = [0] * len(found.free_cells)
            for place, records in zip(order, z, strict=True):
                given[place] = records
            assert found.feasible(given)


@pytest.mark.parametrize("seed", range(6050, 6080))
def test_the_constraints_in_words_are_true_and_complete(seed):
    attacked = Attacked(random_case(seed))
    grid = attacked.release.grid
    for found, program in attacked.small():
        if comb(program.total + len(program.cells) - 1, program.total) > 3000:
            continue
        stated = [
            (constraint, [frozenset(grid.cells(segment)) for segment in constraint.segments])
            for constraint in found.constraints()
        ]
        # Whoever knows the stated numbers, and only them, arrives at the solutions of the paper's programme.
        left = [
            counts
            for counts in spreads(program.total, len(program.cells))
            if all(
                constraint.at_least <= sum(n for cell, n in zip(program.cells, counts, strict=True) if cell in segment)
                and sum(n for cell, n in zip(program.cells, counts, strict=True) if cell in segment)
                <= constraint.at_most
                for constraint, segments in stated
                for segment in segments
            )
        ]
        free = [program.cells.index(cell) for cell in program.free]
        assert sorted(tuple(counts[place] for place in free) for counts in left) == program.cp_sat()


@pytest.mark.parametrize("seed", range(6100, 6120))
def test_feasible_means_a_solution_of_the_whole_system(seed):
    attacked = Attacked(random_case(seed))
    rng = random.Random(seed)
    for found, program in attacked.pairs():
        cells = [tuple(cell) for cell in found.free_cells]
        for _ in range(20):
            counts = Counter(rng.choices(cells, k=program.total + rng.choice([0, 0, 0, 1, -1])))
            assert found.feasible([counts[cell] for cell in cells]) == program.holds(counts)


@pytest.mark.parametrize("seed", range(6200, 6212))
def test_samples_are_feasible_and_uniform_over_data_sets(seed):
    attacked = Attacked(random_case(seed))
    tested = 0
    for found, program in attacked.small():
        counted = count(program.cp_sat(), cell_volumes(attacked.attributes, program.free))
        if not 3 <= counted.combinations <= 300 or not counted.cra_solutions or tested == 3:
            continue
        order, draws = by_cell(found.free_cells, program), 2000
        drawn = [tuple(z[place] for place in order) for z in found.sample(draws, seed)]
        assert drawn == [tuple(z[place] for place in order) for z in found.sample(draws, seed)]
        assert len(drawn) == draws
        assert_fits(Counter(drawn), counted.distribution(), draws)
        tested += 1


def test_samples_of_large_classes_are_feasible():
    large = 0
    for seed in range(6300, 6340):
        attacked = Attacked(random_case(seed, fanouts=(2, 3)))
        small = {id(found) for found, _ in attacked.small()}
        for found, program in attacked.pairs():
            if id(found) in small or len(program.free) > 81 or not found.cra_solutions:
                continue
            cells = [tuple(cell) for cell in found.free_cells]
            for z in found.sample(3, seed):
                assert program.holds(dict(zip(cells, z, strict=True)))
            large += 1
    assert large >= 10


def test_records_are_drawn_uniformly_among_all_data_sets():
    """Not only the counts: each raw data set itself comes equally often, also where a cell holds only two values."""
    study = Study([Attribute("weight", 0, 8, 4), Attribute("age", 0, 2, 1)], 3)
    release = recode(pd.DataFrame({"weight": [0, 3, 7], "age": [0, 1, 1]}), study).release
    # 8 * 2 = 16 value pairs; three suppressed, neither half of the weight holds all: C(16,3) - 2 * C(8,3) = 560 - 112.
    suppressed, draws = attack(release).suppressed, 9000
    values = list(product(range(8), range(2)))
    data_sets = [s for s in combinations(values, 3) if len({weight // 4 for weight, _ in s}) == 2]
    assert len(data_sets) == suppressed.cra_solutions == 448
    drawn = Counter(tuple(sorted(world)) for world in suppressed.sample_records(draws, 5))
    assert_fits(drawn, dict.fromkeys(data_sets, Fraction(1, 448)), draws)
    # The counts alone, eight cells of two: what the data sets say of them.
    counts: Counter = Counter()
    for data_set in data_sets:
        held = Counter(weight for weight, _ in data_set)
        counts[tuple(held[weight] for weight in range(8))] += Fraction(1, 448)
    assert [tuple(cell) for cell in suppressed.free_cells] == [(weight, 0) for weight in range(8)]
    assert_fits(Counter(suppressed.sample(draws, 6)), counts, draws)


# --- The truth is among the possibilities ---------------------------------------------------------------------------


@pytest.mark.parametrize("batch", first(2, range(8)))
def test_sound_ties_never_exclude_the_truth(batch):
    compound = 0
    for seed in range(7000 + batch * 30, 7000 + (batch + 1) * 30):
        case = random_case(seed, equal=True if seed % 2 else None)
        attacked = Attacked(case)
        out = single_out(attacked.attack, case.data)
        assert len(out.classes) == len(attacked.attack.classes)
        assert all(result.valid for result in out.classes), case
        assert out.suppressed is None or out.suppressed.valid, case
        # The same with the literal algorithms as the publisher and the literal constraints as the attacker.
        recoding = LiteralARXLR(attacked.attributes, attacked.k, case.records).local_recoding()
        rows = {(found.state, found.ranks): found.rows for found in recoding.classes}
        for index, published in enumerate(attacked.published):
            truth = true_counts(attacked.attributes, case.records, rows[published.state, published.ranks])
            assert class_program(attacked.attributes, attacked.k, attacked.published, index).holds(truth)
            found = attacked.attack.classes[index]
            assert found.feasible([truth.get(tuple(cell), 0) for cell in found.free_cells])
            ones = sum(1 for records in truth.values() if records == 1)
            assert out.classes[index].outcome == ("failed", "one", "many")[min(ones, 2)]
            assert {tuple(cell) for cell in out.classes[index].isolating} == {c for c, n in truth.items() if n == 1}
            compound += not found.segment.basic
        if recoding.suppressed:
            truth = true_counts(attacked.attributes, case.records, recoding.suppressed)
            program = suppressed_program(attacked.attributes, attacked.k, attacked.published, len(recoding.suppressed))
            assert program.holds(truth)
            cells = attacked.attack.suppressed.free_cells
            assert attacked.attack.suppressed.feasible([truth.get(tuple(cell), 0) for cell in cells])
    assert compound >= 25


@pytest.mark.exhaustive
def test_paper_ties_exclude_it_now_and_then():
    excluded = left_open = 0
    for seed in range(8000, 8600):
        case = random_case(seed, equal=True, count=2, fanouts=(2, 3))
        release = recode(case.data, case.study).release
        sound, paper = attack(release), attack(release, ties="paper")
        assert all(result.valid for result in single_out(sound, case.data).classes), case
        excluded += sum(not result.valid for result in single_out(paper, case.data).classes)
        left_open += bool((sound.owner == -2).any())
    assert left_open >= 15
    assert excluded >= 3


@given(case=cases())
@settings(max_examples=60, derandomize=True)
def test_any_small_release_is_counted_right(case):
    attacked = Attacked(case)
    for found, program in attacked.small():
        if comb(program.total + len(program.free) - 1, program.total) > 500:
            continue
        solutions = program.brute_force() if len(program.cells) <= 6 else program.cp_sat()
        counted = count(solutions, cell_volumes(attacked.attributes, program.free))
        assert_equal_to_enumeration(attacked.attributes, found, program, counted)


def test_the_oracles_cells_are_the_grids():
    """The programmes' geometry (interval inclusion) and the grid's (leaf indices) name the same cells."""
    for seed in range(40):
        case = random_case(seed)
        release = recode(case.data, case.study).release
        for c in release.classes:
            nodes = tuple(zip(c.segment.state, c.segment.ranks, strict=True))
            assert cells_of(case.study.attributes, nodes) == set(release.grid.cells(c.segment))
