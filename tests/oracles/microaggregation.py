"""Microaggregation and the rules for sensitive cells, written down as plainly as they are defined, in fractions."""

from collections.abc import Sequence
from fractions import Fraction

Records = Sequence[Sequence[Fraction | int]]


def _distance(one: Sequence[Fraction | int], other: Sequence[Fraction | int], scales: Sequence[Fraction]) -> Fraction:
    return sum((Fraction(a - b) ** 2 / s for a, b, s in zip(one, other, scales, strict=True) if s), Fraction(0))


def variances(records: Records) -> list[Fraction]:
    """Of each column, over the number of records."""
    found = []
    for column in zip(*records, strict=True):
        mean = Fraction(sum(column)) / len(column)
        found.append(sum(((value - mean) ** 2 for value in column), Fraction(0)) / len(column))
    return found


def mdav(records: Records, k: int, scales: Sequence[Fraction] | None = None) -> list[list[int]]:
    """MDAV, the first of equals in the input's order."""
    scales = [Fraction(1)] * len(records[0]) if scales is None else scales
    left = list(range(len(records)))
    clusters = []

    def farthest(point: Sequence[Fraction | int]) -> int:
        return max(left, key=lambda i: (_distance(records[i], point, scales), -i))

    def centroid() -> list[Fraction]:
        return [Fraction(sum(records[i][j] for i in left)) / len(left) for j in range(len(records[0]))]

    def take(around: int) -> None:
        cluster = sorted(left, key=lambda i: (_distance(records[i], records[around], scales), i))[:k]
        clusters.append(sorted(cluster))
        for i in cluster:
            left.remove(i)

    while len(left) >= 3 * k:
        first = farthest(centroid())
        second = farthest(records[first])
        take(first)
        take(second)
    if len(left) >= 2 * k:
        take(farthest(centroid()))
    return [*clusters, left]


def mondrian(records: Records, k: int) -> list[list[int]]:
    """Mondrian by relative range, halves in the order of value, then input."""
    columns = range(len(records[0]))

    def width(rows: Sequence[int], j: int) -> Fraction:
        values = [records[i][j] for i in rows]
        return Fraction(max(values) - min(values))

    everybody = list(range(len(records)))
    spans = [width(everybody, j) for j in columns]

    def split(rows: list[int]) -> list[list[int]]:
        if len(rows) < 2 * k:
            return [rows]
        column = max(columns, key=lambda j: (width(rows, j) / spans[j] if spans[j] else 0, -j))
        ordered = sorted(rows, key=lambda i: (records[i][column], i))
        half = len(rows) // 2
        return split(sorted(ordered[:half])) + split(sorted(ordered[half:]))

    return split(everybody)


def dominated(contributions: Sequence[Fraction | int], n: int, r: Fraction) -> bool | None:
    """Equation 1 of the paper; None where it is undefined."""
    if min(contributions) < 0:
        return None
    ordered = sorted(contributions, reverse=True)
    total = Fraction(sum(ordered))
    return bool(total) and sum(ordered[:n]) / total > r


def close(contributions: Sequence[Fraction | int], p: Fraction) -> bool | None:
    """Equation 2 of the paper; None where it is undefined, not sensitive where nobody else contributes."""
    if min(contributions) < 0:
        return None
    ordered = sorted(contributions, reverse=True)
    return len(ordered) > 1 and sum(ordered[2:]) < p * ordered[0]
