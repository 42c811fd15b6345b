"""What choices are compared by: what is kept, what is given away, and which choices nothing beats."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

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


def frontier(points: Sequence[Point], kept: Measure, given: Measure) -> frozenset[int]:
    """The numbers of the points that no other one beats: none keeps at least as much, gives away no more, and differs.

    Local and global recoding are compared apart, since what is known of their attackers is not the same.
    """
    found: set[int] = set()
    for local in (True, False):
        known = [
            (kept.value(point), given.value(point), point.number)
            for point in points
            if point.choice.local == local and kept.value(point) is not None and given.value(point) is not None
        ]
        best: tuple[Any, Any] | None = None
        for lost, away, number in sorted(known):
            if best is None or away < best[1]:
                best = lost, away
            if best == (lost, away):
                found.add(number)
    return frozenset(found)


def better(points: Sequence[Point], than: Point, kept: Measure, given: Measure) -> Iterator[Point]:
    """The points, recoded in the same way, that keep at least as much, give away no more, and differ from ``than``."""
    lost, away = kept.value(than), given.value(than)
    if lost is None or away is None:
        return
    for point in points:
        one, other = kept.value(point), given.value(point)
        if point.choice.local != than.choice.local or one is None or other is None:
            continue
        if one <= lost and other <= away and (one, other) != (lost, away):
            yield point
