"""Which value a row carries: both ways pick one match of each row, every value once, each match equally likely."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.publish.heterogeneous.extraction import by_matching, by_permutation, perfect_matching


@st.composite
def graphs(draw: st.DrawFn) -> Any:
    """Matches as Algorithm 2 makes them: one in each bucket, each place matched once by each bucket."""
    buckets, size = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    matches = np.empty((buckets * size, buckets), dtype=np.int32)
    for own in range(buckets):
        for other in range(buckets):
            order = range(size) if own == other else draw(st.permutations(range(size)))
            matches[own * size : (own + 1) * size, other] = [other * size + place for place in order]
    return matches


@given(graphs(), st.integers(0, 9))
def test_each_row_carries_one_of_its_matches_and_each_value_is_carried_once(matches: Any, seed: int) -> None:
    size = len(matches) // matches.shape[1]
    for carried in (by_permutation(matches, size, Random(seed)), by_matching(matches, Random(seed))):
        assert sorted(carried.tolist()) == list(range(len(matches)))
        assert all(place in row for place, row in zip(carried.tolist(), matches.tolist(), strict=True))


@given(graphs(), st.integers(0, 9))
def test_rows_of_a_bucket_carry_values_of_one_bucket_and_people_see_each_bucket_once(matches: Any, seed: int) -> None:
    mu = matches.shape[1]
    size = len(matches) // mu
    carried = by_permutation(matches, size, Random(seed))
    from_bucket = (carried // size).reshape(mu, size)
    assert all(len(set(row)) == 1 for row in from_bucket.tolist())
    for person in range(len(matches)):
        rows = [row for row in range(len(matches)) if person in matches[row]]
        assert sorted(carried[row] // size for row in rows) == list(range(mu))


@pytest.mark.parametrize("way", ["permutation", "paper"])
def test_each_match_is_equally_likely(way: str) -> None:
    # Three buckets of two, matches that favour nobody by themselves but are not symmetric.
    matches = np.array([[0, 2, 4], [1, 3, 5], [1, 2, 4], [0, 3, 5], [0, 3, 4], [1, 2, 5]], dtype=np.int32)
    draw, times = Random(7), 6000
    found = Counter[tuple[int, int]]()
    for _ in range(times):
        carried = by_permutation(matches, 2, draw) if way == "permutation" else by_matching(matches, draw)
        found.update(enumerate(carried.tolist()))
    edges = {(row, place) for row, places in enumerate(matches.tolist()) for place in places}
    assert set(found) == edges
    # Each edge is Binomial(6000, 1/3): five standard deviations are 183.
    assert all(abs(found[edge] - times / 3) < 183 for edge in edges)


def test_all_matchings_of_a_set_are_disjoint() -> None:
    mu, size = 6, 20
    draw = Random(3)
    places = np.arange(mu * size)
    edges = np.stack([(places + shift * 7) % (mu * size) for shift in range(mu)], axis=1).astype(np.int64)
    used: set[tuple[int, int]] = set()
    left = edges.copy()
    for degree in range(mu, 0, -1):
        taken = perfect_matching(left, degree, draw)
        pairs = set(zip(places.tolist(), left[places, taken].tolist(), strict=True))
        assert len({place for _, place in pairs}) == mu * size
        assert not pairs & used
        used |= pairs
        left[places, taken] = left[:, degree - 1]
    assert used == {(row, place) for row, row_edges in enumerate(edges.tolist()) for place in row_edges}
