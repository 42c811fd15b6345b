"""Clusters without a sensitive cell: what merging loses beside the least of all ways to cluster.

    python benchmarks/compliance.py       a minute

200 tables of nine records and two columns of uneven whole numbers (seeds 0 on), k = 2, rules (1, 0.6) and p = 0.3.
Every way to put the records into clusters that comply is tried.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import mean

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import pandas as pd  # noqa: E402

from cra_engine.criteria.concentration import Dominance, PRule  # noqa: E402
from cra_engine.publish.microaggregation.microaggregate import NotCompliantError, microaggregate  # noqa: E402
from oracles.microaggregation import close, dominated  # noqa: E402

RECORDS, K, MOST, NEAR = 9, 2, Fraction(3, 5), Fraction(3, 10)
Clusters = list[list[int]]


def partitions(rows: list[int]) -> Iterator[Clusters]:
    """All ways to put rows into clusters."""
    if not rows:
        yield []
        return
    for smaller in partitions(rows[1:]):
        yield [[rows[0]], *smaller]
        for at, cluster in enumerate(smaller):
            yield [*smaller[:at], [rows[0], *cluster], *smaller[at + 1 :]]


def complies(clusters: Clusters, table: list[tuple[int, int]]) -> bool:
    """Whether each cluster is large enough, and no cell is sensitive."""
    if min(map(len, clusters)) < K:
        return False
    cells = [[table[row][column] for row in rows] for rows in clusters for column in (0, 1)]
    return not any(dominated(cell, 1, MOST) or close(cell, NEAR) for cell in cells)


def within(clusters: Clusters, table: list[tuple[int, int]]) -> Fraction:
    """The squared distances from the clusters' means."""
    total = Fraction(0)
    for rows in clusters:
        for column in (0, 1):
            values = [table[row][column] for row in rows]
            total += sum((value - Fraction(sum(values), len(values))) ** 2 for value in values)
    return total


def compared(seed: int) -> tuple[Fraction | None, Fraction | None]:
    """The squared error of merging and the least of all, on one table; None where none is found."""
    draw = Random(seed)
    table = [tuple(math.ceil(math.exp(draw.gauss(3, 0.7))) for _ in range(2)) for _ in range(RECORDS)]
    tried = (within(clusters, table) for clusters in partitions(list(range(RECORDS))) if complies(clusters, table))
    least = min(tried, default=None)
    try:
        rules = [Dominance(1, MOST), PRule(NEAR)]
        made = microaggregate(pd.DataFrame(table, columns=["a", "b"]), K, comply=rules)
    except NotCompliantError:
        if least is not None:
            raise
        return None, None
    merged = [rows.tolist() for rows in made.clusters]
    if not complies(merged, table):
        raise AssertionError("A cell is sensitive still.")
    return within(merged, table), least


def main() -> None:
    """Print how often merging loses least, and how much more than that."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", metavar="TABLES", nargs="?", type=int, default=200)
    tables = parser.parse_args().tables
    found = [compared(seed) for seed in range(tables)]
    both = [(float(made), float(least)) for made, least in found if made is not None and least is not None]
    ratios = [made / least for made, least in both]
    best = sum(ratio < 1.000001 for ratio in ratios)
    print(f"{len(both)} of {tables} tables have clusters that comply; merging loses least on {best},")
    print(f"{mean(ratios):.3f} times that on average, {max(ratios):.3f} at most.")


if __name__ == "__main__":
    main()
