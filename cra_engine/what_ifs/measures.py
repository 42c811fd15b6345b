"""What choices are compared by: what is kept, what is given away, and which choices nothing beats."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.what_ifs.outcome import GivenAway, Kept, Point


@dataclass(frozen=True)
class Measure:
    """A number to compare choices by.

    Attributes:
        key: its short name.
        title: what it is called.
        help: what it is, in a sentence or two.
        value: of a point, so that less is better; None where it is missing.
        shown: the number as it is shown and drawn; None likewise.
    """

    key: str
    title: str
    help: str
    value: Callable[[Point], Any]
    shown: Callable[[Point], float | None]


def _of_kept(read: Callable[[Kept], Any]) -> Callable[[Point], Any]:
    return lambda point: None if point.kept is None else read(point.kept)


def _of_given(read: Callable[[GivenAway], Any]) -> Callable[[Point], Any]:
    return lambda point: None if point.given is None else read(point.given)


def _plain(key: str, title: str, text: str, read: Callable[[Point], float | None], sign: int = 1) -> Measure:
    def value(point: Point) -> float | None:
        number = read(point)
        # Sums in another order may differ in their last digits.
        return None if number is None else round(sign * number, 9)

    return Measure(key, title, text, value, read)


KEPT = {
    measure.key: measure
    for measure in (
        Measure(
            "loss",
            "Information lost",
            "Mean loss of the records, 0 (exact values) to 1 (nothing published); a suppressed record loses all.",
            _of_kept(lambda kept: kept.loss),
            _of_kept(lambda kept: kept.loss.value),
        ),
        _plain(
            "average_size",
            "People per class",
            "Mean number of records that share a published row; smaller classes say more.",
            _of_kept(lambda kept: kept.average_size),
        ),
        _plain(
            "suppressed",
            "Suppressed records",
            "Records published with * in every quasi-identifier.",
            _of_kept(lambda kept: kept.suppressed),
        ),
    )
}


GIVEN = {
    measure.key: measure
    for measure in (
        _plain(
            "expected",
            "People singled out, expected",
            "Expected number of finest cells that hold exactly one person, by the published table alone.",
            _of_given(lambda given: given.expected),
        ),
        _plain(
            "certain",
            "People singled out for certain",
            "Finest cells that hold exactly one person for certain, known without any raw data.",
            _of_given(lambda given: given.certain),
        ),
        _plain(
            "known",
            "Highest risk for whom somebody knows",
            "How likely somebody who knows a person's quasi-identifiers picks that person's record: one in the "
            "smallest class. It is what k promises.",
            _of_given(lambda given: given.known),
        ),
        _plain(
            "likeliest",
            "The likeliest person",
            "The largest probability of a finest cell to hold exactly one person.",
            _of_given(lambda given: given.likeliest),
        ),
        _plain(
            "left",
            "Possible tables left",
            "How many tables of exact values remain possible, as a power of ten; more leave more in the dark.",
            _of_given(lambda given: given.log10_left),
            sign=-1,
        ),
        _plain(
            "alone",
            "People alone in a finest cell",
            "Checked against your own table. It depends on the finest intervals only, not on k or the way of recoding.",
            _of_given(lambda given: given.alone),
        ),
    )
}


def sides(given: Measure) -> tuple[Measure, ...]:
    """The sides of risk that a choice must not be worse on: who knows a person's values, and who has the release alone.

    Of the latter the measure that is asked for, and whom it singles out for certain.
    """
    alone = GIVEN["expected"] if given.key == "known" else given
    return tuple({measure.key: measure for measure in (GIVEN["known"], alone, GIVEN["certain"])}.values())


def same_table(points: Sequence[Point]) -> dict[int, int]:
    """Per number of a point that of the choice that it is the same as: equal tables are one choice.

    Of several k that give one table the largest stands for all of them: its promise holds, and it promises most.
    """
    groups: dict[tuple[bool, str], list[Point]] = {}
    for point in points:
        if point.table:
            groups.setdefault((point.choice.local, point.table), []).append(point)
    found = {point.number: point.number for point in points}
    for equal in groups.values():
        first = max(equal, key=lambda point: (point.choice.k, -point.number))
        found.update((point.number, first.number) for point in equal)
    return found


def frontier(points: Sequence[Point], kept: Measure, given: Measure) -> frozenset[int]:
    """The numbers of the choices that no other one beats.

    A choice is beaten by one that keeps at least as much, is no worse on either side of risk (:func:`sides`), and
    differs. What of a measure is not known beats nothing and is not beaten. Equal tables are one choice, named by
    :func:`same_table`. Local and global recoding are compared apart, since what is known of their attackers is not the
    same.
    """
    one = same_table(points)
    found: set[int] = set()
    for local in (True, False):
        known = [p for p in points if p.choice.local == local and one[p.number] == p.number and _drawn(p, kept, given)]
        if known:
            worth = _ranks(known, (kept, *sides(given)))
            for place, point in enumerate(known):
                no_worse = (worth <= worth[place]).all(axis=1)
                if not (no_worse & (worth < worth[place]).any(axis=1)).any():
                    found.add(point.number)
    return frozenset(found)


def better(points: Sequence[Point], than: Point, kept: Measure, given: Measure) -> Iterator[Point]:
    """The choices that beat ``than``, see :func:`frontier`; equal tables are none."""
    one = same_table(points)
    if not _drawn(than, kept, given):
        return
    rivals = [
        p
        for p in points
        if p.choice.local == than.choice.local
        and one[p.number] == p.number != one.get(than.number, than.number)
        and _drawn(p, kept, given)
    ]
    worth = _ranks([than, *rivals], (kept, *sides(given)))
    for place, point in enumerate(rivals, start=1):
        if (worth[place] <= worth[0]).all() and (worth[place] < worth[0]).any():
            yield point


def outline(places: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Of places in a picture of two measures those that no other is better than in both, from left to right.

    >>> outline([(3, 1), (1, 2), (2, 2)])
    [(1, 2), (3, 1)]
    """
    found: list[tuple[float, float]] = []
    for x, y in sorted(places):
        if not found or y < found[-1][1]:
            found.append((x, y))
    return found


def _drawn(point: Point, kept: Measure, given: Measure) -> bool:
    return kept.value(point) is not None and given.value(point) is not None


def _ranks(points: Sequence[Point], measures: Sequence[Measure]) -> NDArray[np.float64]:
    """Per point and measure its place among the values, so that losses are compared exactly and only once each.

    What is not known is NaN: no comparison with it holds.
    """
    ranks = np.full((len(points), len(measures)), np.nan)
    for column, measure in enumerate(measures):
        known = [(measure.value(point), place) for place, point in enumerate(points)]
        known = sorted((pair for pair in known if pair[0] is not None), key=lambda pair: pair[0])
        rank = -1
        for position, (value, place) in enumerate(known):
            if position == 0 or value != known[position - 1][0]:
                rank += 1
            ranks[place, column] = rank
    return ranks
