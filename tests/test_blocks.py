"""What is computed block by block against numpy on the whole, and how much memory recoding takes."""

import math
import tracemalloc
from collections import Counter
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cra_engine.blocks
import cra_engine.publish.local.sweep
import cra_engine.release
import cra_engine.study.leaf_reader
from cra_engine import Attribute, Release, recode
from cra_engine.blocks import blocks, combined, counted, looked_up
from cra_engine.raw.cells import CellCounts, RawValues
from cra_engine.raw.synthesis import synthetic_study
from cra_engine.study.grid import Grid
from strategies import make_attribute, random_case


@given(st.integers(0, 50), st.integers(1, 12))
def test_blocks_cover_everything_once(length, size):
    rows = [row for block in blocks(length, size) for row in range(length)[block]]
    assert rows == list(range(length))
    assert all(len(range(length)[block]) <= size for block in blocks(length, size))


@given(st.data(), st.lists(st.sampled_from([1, 2, 3, 60, 127, 128, 300]), min_size=1, max_size=4))
def test_many_columns_become_one_number_as_in_numpy(data, sizes):
    rows = data.draw(st.lists(st.tuples(*(st.integers(0, size - 1) for size in sizes)), min_size=1, max_size=9))
    columns = [np.array(column, dtype=np.int16) for column in zip(*rows, strict=True)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cra_engine.blocks, "blocks", lambda length, size=4: blocks(length, min(size, 4)))
        numbers = combined(columns, sizes)
        assert numbers.tolist() == np.ravel_multi_index(columns, sizes).tolist()
        if math.prod(sizes) < 10_000:
            assert (
                counted(numbers, math.prod(sizes)).tolist() == np.bincount(numbers, minlength=math.prod(sizes)).tolist()
            )
            table = np.arange(math.prod(sizes))[::-1].copy()
            assert looked_up(table, numbers).tolist() == table[numbers].tolist()


@given(st.lists(st.lists(st.integers(0, 15), max_size=8), max_size=6))
def test_cells_counted_in_pieces_are_the_cells_of_the_whole(pieces):
    cells = CellCounts(Grid([Attribute("a", 0, 40, 3), Attribute("b", 0, 40, 3)]))
    for piece in pieces:
        cells.add(np.array(piece, dtype=np.int32))
    whole = [code for piece in pieces for code in piece]
    present, first, counts = np.unique(np.array(whole, dtype=int), return_index=True, return_counts=True)
    assert cells.records == len(whole)
    assert np.flatnonzero(cells.counts).tolist() == present.tolist()
    assert cells.counts[present].tolist() == counts.tolist()
    assert cells.first_rows[present].tolist() == first.tolist()


@given(
    st.lists(
        st.lists(st.tuples(st.integers(-3, 12), st.integers(0, 7)), min_size=1, max_size=8), min_size=1, max_size=8
    ),
    st.lists(st.booleans(), min_size=8, max_size=8),
    st.sampled_from([np.int64, np.float64, str]),
)
def test_different_values_of_what_remains(pieces, remaining, kind):
    found = RawValues([0])
    for piece in pieces:
        values, cells = zip(*piece, strict=True)
        found.add(
            0, np.array([kind(value) for value in values], dtype=object if kind is str else kind), np.array(cells)
        )
    expected = {value for piece in pieces for value, cell in piece if remaining[cell]}
    assert found.distinct(np.array(remaining)) == [len(expected)]


def test_a_gap_is_a_value_of_its_own_also_where_a_block_holds_nothing_else():
    found = RawValues([0])
    found.add(0, np.array([np.nan, np.nan]), np.array([3, 1]))
    found.add(0, np.array([5.0, np.nan, 7.0]), np.array([1, 2, 3]))
    # By hand: cell 0 holds nothing, cell 1 a gap and 5, cell 2 a gap, cell 3 a gap and 7.
    assert [found.distinct(np.arange(4) == cell) for cell in range(4)] == [[0], [2], [1], [2]]


@given(
    st.sampled_from([(2, 1, 3), (2, 6, 2), (3, 4, 5), (10, 3, 2)]),
    st.sampled_from(["1", "0.1"]),
    st.lists(st.one_of(st.floats(-10, 1200), st.just(math.nan)), min_size=1, max_size=20),
    st.sampled_from([np.float64, np.int64]),
)
def test_comparing_with_each_edge_is_a_binary_search(shape, step, values, kind):
    fanout, layers, leaf = shape
    attribute = make_attribute("x", fanout=fanout, layers=layers, leaf=leaf, lower="7", step=step)
    numbers = np.nan_to_num(values).astype(kind) if kind is np.int64 else np.array(values)
    found = []
    for edges in (0, 10_000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cra_engine.study.leaf_reader, "FEW_EDGES", edges)
            found.append(attribute.reader.locate(numbers).tolist())
    assert found[0] == found[1]


WHOLE_TYPES = [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64]


@given(
    st.sampled_from([(2, 1, 3), (2, 6, 2), (3, 4, 5), (10, 3, 2)]),
    st.sampled_from(["-20", "7", "0", "36.5"]),
    st.sampled_from(["1", "0.5", "0.1", "3"]),
    st.lists(st.integers(-40, 300), min_size=1, max_size=20),
    st.sampled_from(WHOLE_TYPES),
)
def test_whole_numbers_are_looked_up_where_they_would_be_found(shape, lower, step, values, kind):
    fanout, layers, leaf = shape
    attribute = make_attribute("x", fanout=fanout, layers=layers, leaf=leaf, lower=lower, step=step)
    info = np.iinfo(kind)
    numbers = np.array([value for value in values if info.min <= value <= info.max], dtype=kind)
    found = attribute.reader.locate_whole(numbers) if len(numbers) else None
    inside = all(attribute.lower <= int(value) < attribute.upper for value in numbers)
    listed = Decimal(lower) % 1 == 0 and attribute.upper % 1 == 0 and 1 % Decimal(step) == 0
    assert (found is not None) == (len(numbers) > 0 and inside and listed)
    if found is not None:
        nodes = attribute.layer_nodes[0]
        assert all(nodes[at].lower <= int(v) < nodes[at].upper for at, v in zip(found, numbers, strict=True))


@pytest.mark.parametrize("seed", range(5100, 5112))
def test_many_states_are_looked_at_together_as_one_by_one(seed):
    case = random_case(seed)
    cells = recode(case.data, case.study).cells
    states = case.study.lattice.states
    for least in (1, case.study.k):
        expected = []
        for state in states:
            held = Counter()
            for ranks, count in zip(
                zip(*cells.grid.box_ranks(state, cells.leaves), strict=True), cells.counts.tolist(), strict=True
            ):
                held[ranks] += count
            sizes = [size for _, size in sorted(held.items()) if size >= least]
            filled = cells.filled(state, least)
            assert filled.sizes.tolist() == sizes
            assert cells.grid.ranks_of(state, filled.codes).tolist() == [
                list(r) for r, n in sorted(held.items()) if n >= least
            ]
            assert cells.counts[filled.inside].sum() == sum(sizes)
            expected.append(sum(sizes))
        assert cells.held(np.array(states), least).tolist() == expected


@pytest.mark.parametrize("at_once", [(0, 0, 1 << 18), (1 << 30, 1 << 30, 1 << 30), (1 << 30, 1 << 14, 1), (5, 40, 99)])
@pytest.mark.parametrize("seed", range(5200, 5206))
def test_how_far_ahead_is_looked_changes_nothing(seed, at_once, monkeypatch):
    case = random_case(seed)
    expected = recode(case.data, case.study).iterations
    for name, most in zip(("FEW_CELLS", "PAIRS", "BOXES"), at_once, strict=True):
        monkeypatch.setattr(cra_engine.publish.local.sweep, name, most)
    assert recode(case.data, case.study).iterations == expected


@pytest.mark.parametrize("seed", range(5000, 5012))
def test_labels_are_counted_or_sorted_with_the_same_result(seed, monkeypatch):
    case = random_case(seed)
    recoding = recode(case.data, case.study)
    assert [(found.segment, found.size) for found in recoding.classes] == [
        (found.segment, found.size) for found in recoding.release.classes
    ]
    assert recoding.suppressed == recoding.release.suppressed
    monkeypatch.setattr(cra_engine.release, "MAX_COUNTED", 0)
    tables = [recoding.frame, recoding.frame.astype(str), recoding.frame.astype(str).astype("category")]
    for table in tables:
        other = Release(case.study, table)
        assert other.classes == recoding.release.classes
        assert other.class_of_row.tolist() == recoding.release.class_of_row.tolist()


@pytest.mark.parametrize("kind", ["numbers", "with text"])
def test_recoding_takes_less_memory_than_the_table(kind):
    records = 400_000
    study, rng = synthetic_study("hospitals", 4, 7), np.random.default_rng(3)
    data = pd.DataFrame(
        {
            a.name: np.round(float(a.lower) + rng.integers(0, a.values, records) * float(a.resolution), 4)
            for a in study.attributes
        }
    )
    if kind == "with text":
        data["note"] = pd.Series(rng.integers(0, 10**9, records)).astype(str)
    size = data.memory_usage(index=False, deep=True).sum()
    recode(data.head(1000), study)  # whatever is made once and kept
    tracemalloc.start()
    try:
        recoding = recode(data, study)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert recoding.records == records
    assert peak <= size  # both together at most twice the table
