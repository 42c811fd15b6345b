"""Rounded counts, hidden rests and refusals on every table of a small world: the numbers of docs/counts.md.

python benchmarks/other_counts.py
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Hashable
from itertools import combinations
from math import exp
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from cra_engine.defences.gains import Table, every_table, with_one_moved  # noqa: E402

CELLS, PEOPLE, K = 4, 6, 2
Release = Hashable


def exact(table: Table) -> Release:
    """Cells of k or more people with their counts; the others are left out, and their sum can be worked out."""
    return tuple(n if n >= K else None for n in table)


def rounded_down(table: Table) -> Release:
    """Counts rounded down to multiples of k; how many are left out is not said."""
    return tuple(n // K * K for n in table)


def to_the_nearest(table: Table) -> Release:
    """Counts rounded to the nearest multiple of k, up where two are as near."""
    return tuple((n + K // 2) // K * K for n in table)


def in_pairs(cells: tuple[int, int]) -> Callable[[Table], Release]:
    """Counts of two wider cells, rounded down: another table of the same people."""

    def published(table: Table) -> Release:
        wide = (table[cells[0]] + table[cells[1]], sum(table) - table[cells[0]] - table[cells[1]])
        return tuple(n // K * K for n in wide)

    return published


def excluded(publish: Callable[[Table], Release], every: list[Table]) -> tuple[int, int]:
    """How many moves of one person lead to a table that gives another release, and how many there are."""
    pairs = [(table, other) for table in every for other in with_one_moved(table)]
    return sum(publish(table) != publish(other) for table, other in pairs), len(pairs)


def alone(publish: list[Callable[[Table], Release]], every: list[Table]) -> tuple[int, int]:
    """In how many of the releases, put together, some cell holds exactly one person for certain."""
    by_release = defaultdict(list)
    for table in every:
        by_release[tuple(one(table) for one in publish)].append(table)
    found = sum(
        any({table[cell] for table in fitting} == {1} for cell in range(len(fitting[0])))
        for fitting in by_release.values()
    )
    return found, len(by_release)


def refusing(every: list[Table]) -> Callable[[Table], Release]:
    """Exact counts, but a refusal where they would settle somebody by themselves."""
    by_release = defaultdict(list)
    for table in every:
        by_release[exact(table)].append(table)

    def published(table: Table) -> Release:
        fitting = by_release[exact(table)]
        return "refused" if any({t[c] for t in fitting} == {1} for c in range(CELLS)) else exact(table)

    return published


def noise(epsilon: float) -> float:
    """The mean error of one count with two-sided geometric noise, where a move of one person may tell epsilon."""
    share = exp(-epsilon / 2)
    return 2 * share / (1 - share * share)


def main() -> None:
    """Print the table."""
    every = list(every_table(CELLS, PEOPLE))
    print(f"{len(every)} tables of {PEOPLE} people in {CELLS} cells, k = {K}")
    ways = {
        "exact": exact,
        "rounded down": rounded_down,
        "to the nearest": to_the_nearest,
        "exact, or a refusal": refusing(every),
    }
    for name, publish in ways.items():
        gone, moves = excluded(publish, every)
        single, releases = alone([publish], every)
        print(f"| {name} | {gone:,} of {moves:,} ({100 * gone / moves:.0f} %) | {single:,} of {releases:,} |")
    halves = [in_pairs(pair) for pair in combinations(range(CELLS), 2) if 0 in pair]
    for number in (1, 2, 3):
        single, releases = alone([rounded_down, *halves[:number]], every)
        print(f"| rounded down, and {number} table(s) of pairs of cells | | {single:,} of {releases:,} |")
    for epsilon in (0.5, 1, 2):
        print(f"noise, epsilon {epsilon}: a count is off by {noise(epsilon):.1f} on average")


if __name__ == "__main__":
    main()
