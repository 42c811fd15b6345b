"""BuReL, the homogeneous way to beta-likeness that the heterogeneous paper compares with: classes that publish alike.

Cao and Karras, "Publishing Microdata with a Robust Privacy Guarantee" (PVLDB 5, 2012), in three steps: values into
buckets, sizes of classes by halving, classes filled along a Hilbert curve. Its authors' program was not at hand; what
is taken one way where others are open is said at each step. benchmarks/heterogeneous_figures.py draws it.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.published import Categories, Extents, Interval, Published
from cra_engine.raw.named_columns import read_named_columns

MOST_BITS = 62  # of a place on the curve


class Burel(NamedTuple):
    """What BuReL publishes, with the table that it is of."""

    data: pd.DataFrame
    published: Published


def value_buckets(supports: Sequence[int], beta: Fraction) -> list[list[int]]:
    """Values in ascending order of their supports, cut into the fewest runs that a class may be filled from.

    A run is one where all its records together are at most 1 + beta times those of its rarest value. Of equally few
    cuts the one whose last run is longest, then the one before.

    >>> value_buckets([6, 7, 12], Fraction(2))
    [[0], [1, 2]]
    """
    order = sorted(range(len(supports)), key=lambda value: (supports[value], value))
    fewest, start = [0], [0]
    for end in range(1, len(order) + 1):
        runs = (
            (fewest[first] + 1, first)
            for first in range(end)
            if sum(supports[value] for value in order[first:end]) <= (1 + beta) * supports[order[first]]
        )
        many, first = min(runs)
        fewest.append(many)
        start.append(first)
    buckets: list[list[int]] = []
    end = len(order)
    while end:
        buckets.append(order[start[end] : end])
        end = start[end]
    return buckets[::-1]


def class_sizes(sizes: Sequence[int], most: Sequence[Fraction]) -> list[list[int]]:
    """How many records of each bucket go into each class: all of them, halved as long as both halves may be a class.

    A class may take at most a share ``most`` of its records from a bucket. Where a number is odd, the one that is over
    goes to either half by turns; where these halves may be no classes, all that are over go to the second.
    """
    for turns in (True, False):
        half, over = [], 0
        for size in sizes:
            half.append(size // 2 + (size % 2 and turns and over % 2))
            over += size % 2
        halves = (half, [size - part for size, part in zip(sizes, half, strict=True)])
        if all(
            sum(part) and all(size <= share * sum(part) for size, share in zip(part, most, strict=True))
            for part in halves
        ):
            return [one for part in halves for one in class_sizes(part, most)]
    return [list(sizes)]


def planned_classes(supports: Sequence[int], beta: Fraction) -> tuple[list[list[int]], list[list[int]]]:
    """The values of each bucket, and per class how many records of each bucket it takes.

    Buckets that are as full as beta admits leave no room to round a half, so that hardly any half may be a class. So
    cuts for less than beta are tried too, by tenths of it, and that of most classes taken, of equals the fullest.
    """
    plans = []
    for tenths in range(10, -1, -1):
        runs = value_buckets(supports, beta * tenths / 10)
        most = [(1 + beta) * Fraction(supports[run[0]], sum(supports)) for run in runs]
        plans.append((runs, class_sizes([sum(supports[value] for value in run) for run in runs], most)))
    return max(plans, key=lambda plan: len(plan[1]))


def filled(
    places: NDArray[np.int64],
    buckets: Sequence[Sequence[int]],
    sizes: Sequence[Sequence[int]],
    draw: Callable[[list[int]], int],
) -> list[list[int]]:
    """The rows of each class: around a row drawn of those left, from each bucket the nearest on the curve.

    Args:
        places: per row its place on the curve.
        buckets: the rows of each bucket.
        sizes: per class how many it takes of each bucket.
        draw: draws one of some rows.
    """
    left = [sorted(rows, key=lambda row: (places[row], row)) for rows in buckets]
    classes = []
    for takes in sizes:
        seed = places[draw(sorted(row for rows in left for row in rows))]
        taken = []
        for at, many in enumerate(takes):
            nearest = set(np.argsort(np.abs(places[left[at]] - seed), kind="stable")[:many].tolist())
            taken += [left[at][place] for place in nearest]
            left[at] = [row for place, row in enumerate(left[at]) if place not in nearest]
        classes.append(sorted(taken))
    return classes


def on_curve(data: pd.DataFrame, names: Sequence[str]) -> NDArray[np.int64]:
    """Per row its place on a Hilbert curve through the columns, each spread over the same side, categories by name."""
    from hilbertcurve.hilbertcurve import HilbertCurve  # noqa: PLC0415 - nothing else here needs a development library

    columns = []
    for name in names:
        column = data[name].to_numpy()
        known, codes = np.unique(column if data[name].dtype.kind in "iuf" else column.astype(str), return_inverse=True)
        columns.append((codes, len(known)))
    bits = min(max(1, *((many - 1).bit_length() for _, many in columns)), MOST_BITS // len(columns))
    spread = [codes * (2**bits - 1) // max(many - 1, 1) for codes, many in columns]
    curve = HilbertCurve(bits, len(columns))
    return np.array(curve.distances_from_points(np.stack(spread, axis=1).tolist()), dtype=np.int64)


def burel(data: pd.DataFrame, names: Sequence[str], sensitive: str, beta: Fraction, seed: int) -> Burel:
    """Publish a table by BuReL: all records of a class show the same extents, and their own sensitive values."""
    data = read_named_columns(data, names, sensitive).frame
    values, codes = np.unique(data[sensitive].to_numpy().astype(str), return_inverse=True)
    supports = np.bincount(codes).tolist()
    runs, sizes = planned_classes(supports, beta)
    buckets = [np.flatnonzero(np.isin(codes, run)).tolist() for run in runs]
    classes = filled(on_curve(data, names), buckets, sizes, Random(seed).choice)
    of_row = np.empty(len(data), dtype=np.int64)
    for number, rows in enumerate(classes):
        of_row[rows] = number
    extents = {}
    for name in names:
        parts = [data[name].iloc[rows] for rows in classes]
        extents[name] = Extents(
            tuple(
                Interval(part.min(), part.max(), closed=True)
                if data[name].dtype.kind in "iuf"
                else Categories(frozenset(part.astype(str)))
                for part in parts
            ),
            of_row,
        )
    frame = pd.DataFrame({sensitive: values[codes]})
    groups = tuple(np.array(rows, dtype=np.int64) for rows in classes)
    return Burel(data, Published(frame, extents, groups, np.array([], dtype=np.int64)))
