"""The sweep over the lattice against Algorithms 1 and 2 taken literally."""

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given, settings

from cra_engine.publish.local.recoding import Recoding, recode
from oracles.literal import LiteralARXLR, LiteralRecoding, c1, c2, c3, growth
from shares import first
from strategies import Case, cases, random_case

BATCHES, PER_BATCH = 14, 25  # 350 random studies


def literal(case: Case) -> LiteralRecoding:
    return LiteralARXLR(case.study.attributes, case.study.k, case.records).local_recoding()


def labels(case: Case, recoding: LiteralRecoding) -> list[tuple[str, ...]]:
    """The row labels that a literal recoding publishes, in the table's order."""
    attributes = case.study.attributes
    rows = [("*",) * len(attributes)] * len(case.records)
    for found in recoding.classes:
        label = tuple(
            "*" if layer == a.layers else a.node(layer, rank).label
            for a, layer, rank in zip(attributes, found.state, found.ranks, strict=True)
        )
        for row in found.rows:
            rows[row] = label
    return rows


def assert_same(case: Case, engine: Recoding, expected: LiteralRecoding) -> None:
    got = [[(s.state, s.ranks, size) for s, size in iteration.classes] for iteration in engine.iterations]
    assert [sorted(classes) for classes in got] == [
        [(found.state, found.ranks, len(found.rows)) for found in iteration] for iteration in expected.iterations
    ], case
    assert [iteration.index for iteration in engine.iterations] == list(range(1, len(expected.iterations) + 1))
    assert [iteration.state for iteration in engine.iterations] == [i[0].state for i in expected.iterations]
    left = len(case.records)
    for iteration, classes in zip(engine.iterations, expected.iterations, strict=True):
        assert iteration.before == left
        left -= sum(len(found.rows) for found in classes)
        assert iteration.after == left
    assert engine.suppressed == len(expected.suppressed) == left, case
    assert Counter((c.segment.state, c.segment.ranks, c.size, c.iteration) for c in engine.classes) == Counter(
        (found.state, found.ranks, len(found.rows), index)
        for index, iteration in enumerate(expected.iterations, start=1)
        for found in iteration
    )
    names = list(case.study.names)
    assert list(engine.frame[names].astype(str).itertuples(index=False, name=None)) == labels(case, expected), case


def assert_well_formed(case: Case, engine: Recoding) -> None:
    """What any release must be, checked without either recoder."""
    names = list(case.study.names)
    published = engine.frame
    pd.testing.assert_index_equal(published.index, case.data.index)
    pd.testing.assert_index_equal(published.columns, case.data.columns)
    others = [name for name in case.data.columns if name not in names]
    pd.testing.assert_frame_equal(published[others], case.data[others])
    rows = list(published[names].astype(str).itertuples(index=False, name=None))
    sizes = Counter(rows)
    suppressed = sizes.pop(("*",) * len(names), 0)
    assert all(size >= case.study.k for size in sizes.values()), case
    assert suppressed == engine.suppressed == engine.release.suppressed
    assert sum(sizes.values()) + suppressed == len(case.records) == engine.release.records
    assert sorted(sizes.values()) == sorted(c.size for c in engine.release.classes)
    for record, row in zip(case.records, rows, strict=True):
        for value, label, attribute in zip(record, row, case.study.attributes, strict=True):
            if label != "*":
                lower, upper = label.removeprefix("[").removesuffix("[").split(", ")
                assert float(lower) <= float(value) < float(upper)
            assert attribute.lower <= value < attribute.upper


@pytest.mark.parametrize("batch", first(7, range(BATCHES)))
def test_recode_equals_the_literal_algorithms(batch):
    compound = 0
    for seed in range(batch * PER_BATCH, (batch + 1) * PER_BATCH):
        case = random_case(seed)
        engine, expected = recode(case.data, case.study), literal(case)
        assert_same(case, engine, expected)
        assert_well_formed(case, engine)
        compound += sum(1 for found in expected.classes if max(found.state) > 1)
    assert compound >= PER_BATCH  # the batch is not made of trivial cases


@pytest.mark.exhaustive
def test_each_criterion_decides_ties_and_agrees():
    decided = Counter()
    for seed in range(1000, 1600):
        case = random_case(seed, equal=True, count=2)
        attributes = case.study.attributes
        engine, expected = recode(case.data, case.study), literal(case)
        assert_same(case, engine, expected)
        oracle = LiteralARXLR(attributes, case.study.k, case.records)
        left = list(range(len(case.records)))
        for iteration, classes in zip(engine.iterations, expected.iterations, strict=True):
            chosen = classes[0].state
            loss = growth(attributes, chosen, 1)
            tied = [s for s in oracle.lattice if growth(attributes, s, 1) == loss and oracle.anonymous(s, left)]
            decided["c1"] += any(c1(s) > c1(chosen) for s in tied)
            tied = [s for s in tied if c1(s) == c1(chosen)]
            decided["c2"] += any(c2(attributes, s) > c2(attributes, chosen) for s in tied)
            tied = [s for s in tied if c2(attributes, s) == c2(attributes, chosen)]
            data = [case.records[row] for row in left]
            third = {s: c3(attributes, s, data) for s in tied}
            decided["c3"] += any(value > third[chosen] for value in third.values())
            assert {c.state: c.c3 for c in iteration.tied} == (third if len(tied) > 1 else {})
            gone = {row for found in classes for row in found.rows}
            left = [row for row in left if row not in gone]
    # Not vacuous: each criterion had a say.
    assert min(decided["c1"], decided["c2"], decided["c3"]) >= 5, decided


@pytest.mark.parametrize("seed", range(2000, 2012))
def test_candidates_and_cell_counts_are_what_each_iteration_saw(seed):
    case = random_case(seed)
    engine, expected = recode(case.data, case.study), literal(case)
    oracle = LiteralARXLR(case.study.attributes, case.study.k, case.records)
    left = list(range(len(case.records)))
    for index in range(1, len(expected.iterations) + 2):
        counts = engine.cell_counts(index)
        cells = oracle.boxes((1,) * len(oracle.top), left)
        assert counts.sum() == len(left)
        assert all(counts[cell] == len(rows) for cell, rows in cells.items())
        seen = {c.state: (c.feasible, c.boxes, c.records, c.largest) for c in engine.candidates(index)}
        assert seen == {
            state: (
                bool(full := oracle.anonymous(state, left)),
                len(full),
                sum(len(rows) for rows in full.values()),
                max((len(rows) for rows in oracle.boxes(state, left).values()), default=0),
            )
            for state in oracle.lattice
        }
        if index <= len(expected.iterations):
            gone = {row for found in expected.iterations[index - 1] for row in found.rows}
            left = [row for row in left if row not in gone]
    # Why the sweep stopped: too few records, or nothing but the top.
    feasible = [c.state for c in engine.candidates(len(expected.iterations) + 1) if c.feasible]
    assert feasible == ([oracle.top] if len(left) >= case.study.k else [])


@given(case=cases())
@settings(max_examples=150, derandomize=True)
def test_any_small_table(case):
    engine = recode(case.data, case.study)
    assert_same(case, engine, literal(case))
    assert_well_formed(case, engine)


@given(case=cases())
@settings(max_examples=40, derandomize=True)
def test_the_order_of_the_rows_does_not_matter(case):
    engine = recode(case.data, case.study)
    backwards = recode(case.data.iloc[::-1], case.study)
    assert backwards.release.classes == engine.release.classes
    assert backwards.suppressed == engine.suppressed
    pd.testing.assert_frame_equal(
        backwards.frame.astype(str).iloc[::-1],
        engine.frame.astype(str),
    )
