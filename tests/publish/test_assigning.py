"""HG, SG and GR on stacks of cost matrices, against a linear program and plain readings."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog

from cra_engine.publish.heterogeneous import assignments
from cra_engine.publish.heterogeneous.assignments import assign

FORBIDDEN = 9


@st.composite
def stacks(draw: st.DrawFn) -> Any:
    """Matrices with many equal costs and some forbidden pairs; an assignment is always there."""
    size = draw(st.integers(1, 5))
    costs = draw(arrays(np.int64, (draw(st.integers(1, 3)), size, size), elements=st.integers(0, FORBIDDEN)))
    costs = costs.astype(np.float64)
    costs[costs == FORBIDDEN] = np.inf
    for matrix in costs:
        way = draw(st.permutations(range(size)))
        matrix[range(size), way] = np.minimum(matrix[range(size), way], 5)
    return costs


def sums(costs: Any, found: Any) -> list[float]:
    return [float(matrix[range(len(row)), row].sum()) for matrix, row in zip(costs, found, strict=True)]


@given(stacks(), st.sampled_from(["HG", "SG", "GR"]))
def test_everybody_gets_a_column_of_its_own_that_is_allowed(costs: Any, method: Any) -> None:
    found = assign(costs, method)
    assert all(sorted(row) == list(range(costs.shape[1])) for row in found.tolist())
    assert np.isfinite(sums(costs, found)).all()


@given(stacks())
def test_hg_is_the_least_sum(costs: Any) -> None:
    size = costs.shape[1]
    least = [min(matrix[range(size), list(way)].sum() for way in permutations(range(size))) for matrix in costs]
    assert sums(costs, assign(costs, "HG")) == least


@pytest.mark.parametrize("seed", range(5))
def test_hg_is_the_optimum_of_the_linear_program(seed: int) -> None:
    size = 9
    costs = np.random.default_rng(seed).random((1, size, size))
    row_sums = np.kron(np.eye(size), np.ones(size))
    column_sums = np.kron(np.ones(size), np.eye(size))
    program = linprog(costs.ravel(), A_eq=np.vstack([row_sums, column_sums]), b_eq=np.ones(2 * size))
    assert sums(costs, assign(costs, "HG")) == pytest.approx([program.fun])


def by_sorting(matrix: Any) -> dict[int, int]:
    """The cheapest pair first, equals by row and column, as far as it comes."""
    pairs = sorted((cost, row, column) for (row, column), cost in np.ndenumerate(matrix) if np.isfinite(cost))
    found: dict[int, int] = {}
    for _, row, column in pairs:
        if row not in found and column not in found.values():
            found[row] = column
    return found


def by_rows(matrix: Any) -> dict[int, int]:
    found: dict[int, int] = {}
    for row, costs in enumerate(matrix):
        free = [column for column in np.flatnonzero(np.isfinite(costs)) if column not in found.values()]
        if free:
            found[row] = min(free, key=lambda column: (costs[column], column))
    return found


@given(stacks())
def test_sg_and_gr_are_greedy_unless_they_are_stuck(costs: Any) -> None:
    for method, greedy in (("SG", by_sorting), ("GR", by_rows)):
        for matrix, row in zip(costs, assign(costs, method), strict=True):
            plain = greedy(matrix)
            if len(plain) == len(matrix):
                assert dict(enumerate(row.tolist())) == plain


@given(stacks())
def test_the_heap_chooses_as_the_small_way_does(costs: Any) -> None:
    small = assignments._cheapest_of_small(costs)
    assert np.stack([assignments._cheapest_by_heap(matrix) for matrix in costs]).tolist() == small.tolist()


def test_large_buckets_take_the_heap_and_lose_nothing() -> None:
    costs = np.random.default_rng(1).random((2, 80, 80)).round(2)
    found = assign(costs, "SG")
    assert [dict(enumerate(row.tolist())) for row in found] == [by_sorting(matrix) for matrix in costs]


def test_a_dead_end_is_left_by_an_augmenting_path() -> None:
    # Row 0 and row 1 take the columns that the last row needs: two changes lead out.
    inf = np.inf
    costs = np.array([[[0.0, 1.0, inf], [inf, 0.0, 1.0], [0.0, inf, inf]]])
    for method in ("SG", "GR"):
        assert assign(costs, method).tolist() == [[1, 2, 0]]  # type: ignore[arg-type]


def test_no_assignment_is_said_so() -> None:
    costs = np.array([[[0.0, np.inf], [0.0, np.inf]]])
    for method in ("HG", "SG", "GR"):
        with pytest.raises(ValueError, match=r"infeasible|no assignment|invalid"):
            assign(costs, method)  # type: ignore[arg-type]
