"""MDAV and Mondrian against plain implementations in fractions, on tables full of ties."""

import random
from fractions import Fraction
from math import lcm

import numpy as np
import pytest

from cra_engine.patience import Stopped, stoppable
from cra_engine.publish.microaggregation.mdav import mdav
from cra_engine.publish.microaggregation.mondrian import mondrian
from oracles import microaggregation as plain


def whole(records: list[list[int]]) -> np.ndarray:
    """The records as an array of int64, or of Python ints where that is too small."""
    large = any(abs(value) >= 2**62 for record in records for value in record)
    found = np.empty((len(records), len(records[0])), dtype=object if large else np.int64)
    for row, record in enumerate(records):
        found[row] = record
    return found


def stretched(records: list[list[int]], factor: int) -> list[list[int]]:
    """The records times a factor that keeps their ties, and one off by 1 so that nothing divides all of them."""
    found = [[value * factor for value in record] for record in records]
    found[-1][-1] += factor > 1
    return found


def table(rng: random.Random) -> list[list[int]]:
    """Few different values, so that distances tie; sometimes one record far away, or a column without spread."""
    columns, spread = rng.randint(1, 4), rng.choice([1, 2, 3, 6, 50])
    records = [[rng.randint(-spread, spread) for _ in range(columns)] for _ in range(rng.randint(4, 26))]
    if rng.random() < 0.3:
        records[rng.randrange(len(records))] = [rng.choice([10**4, -(10**4)])] * columns
    if rng.random() < 0.2:
        for record in records:
            record[0] = 3
    return records


@pytest.mark.parametrize("factor", [1, 10**9 + 7, 10**25], ids=["doubles", "int64", "integers"])
def test_both_form_the_clusters_of_the_plain_implementations(factor: int) -> None:
    rng = random.Random(factor)
    for _ in range(200):
        records = stretched(table(rng), factor)
        k = rng.randint(1, min(6, len(records)))
        found = [rows.tolist() for rows in mdav(whole(records), k)]
        assert found == plain.mdav(records, k), (records, k)
        found = [rows.tolist() for rows in mondrian(whole(records), k)]
        assert found == plain.mondrian(records, k), (records, k)


def test_weights_count_as_variances_do() -> None:
    rng = random.Random(5)
    for _ in range(150):
        records = table(rng)
        k = rng.randint(2, min(5, len(records)))
        variances = plain.variances(records)
        over = lcm(*(v.numerator for v in variances if v))
        weights = [int(over / v) if v else 1 for v in variances]
        scaled = [Fraction(1, w) if v else Fraction(0) for v, w in zip(variances, weights, strict=True)]
        found = [rows.tolist() for rows in mdav(whole(records), k, weights)]
        assert found == plain.mdav(records, k, scaled), (records, k)


def test_a_tie_that_floats_do_not_see_is_one() -> None:
    # In tenths 0.3 - 0.1 and 0.5 - 0.3 differ as doubles.
    assert (0.3 - 0.1) ** 2 != (0.5 - 0.3) ** 2
    assert [rows.tolist() for rows in mdav(whole([[3], [1], [5], [100]]), 2)][1] == [0, 1]


def test_records_that_are_all_alike_go_by_their_order() -> None:
    alike = whole([[7, 7]] * 7)
    assert [rows.tolist() for rows in mdav(alike, 2)] == [[0, 1], [2, 3], [4, 5, 6]]
    assert [rows.tolist() for rows in mondrian(alike, 2)] == [[0, 1, 2], [3, 4], [5, 6]]


@pytest.mark.parametrize("method", [mdav, mondrian])
def test_progress_is_told_and_a_wish_to_stop_is_heard(method) -> None:
    values = np.random.default_rng(0).integers(0, 1000, (2000, 2))
    told: list[tuple[int, int]] = []
    method(values, 3, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert {total for _, total in told} == {2000}
    assert len(told) > 3
    with pytest.raises(Stopped), stoppable(lambda: len(told) > 0):
        method(values, 3)
