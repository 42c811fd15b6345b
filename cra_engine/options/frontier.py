"""Options as points, and the frontier of those that no other one beats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.assess.figure import Figure
from cra_engine.checks.outcome import Finding
from cra_engine.checks.rule import Verdict
from cra_engine.options.measures import GIVEN, KEPT, Measure
from cra_engine.options.option import Option
from cra_engine.utility.loss import MeanLoss

DETAIL, EXPECTED = KEPT["detail"], GIVEN["expected"]
SAME_READER = {"repaired": "local"}  # of neither anything bounds what its choices tell


@dataclass(frozen=True, eq=False)
class Point:
    """One compared option with what it keeps and gives away; numbers and sentences, no record.

    Attributes:
        number: from 1, in the order tried.
        option: the option.
        label: the option in words; k and hierarchies are named where they are not the study's.
        short: the same in a few words, for a drawing.
        figures: per measure its number.
        loss: the mean loss, exactly; None where values are no nodes of the hierarchies.
        verdict: by the rule of the check; None where it was not checked.
        findings: what the check found, the gravest first.
        state: of global recoding, the layers that all records show; else None.
        problem: why it cannot be published, a sentence; empty where it can.
        notes: sentences on what to know, and on numbers that are missing.
        seconds: how long it took.
        table: tells published tables apart: equal where way, hierarchies and all rows are; empty without a table.
    """

    number: int
    option: Option
    label: str
    short: str
    figures: Mapping[str, Figure] = field(default_factory=dict)
    loss: MeanLoss | None = None
    verdict: Verdict | None = None
    findings: tuple[Finding, ...] = ()
    state: tuple[int, ...] | None = None
    problem: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    table: str = ""

    def value(self, key: str) -> float | None:
        """Returns one of its numbers, None where it is not known."""
        figure = self.figures.get(key)
        return None if figure is None else figure.value

    def rank(self, measure: Measure) -> Any:
        """Returns a number by which less is better, None where it is not known; losses are compared exactly."""
        if measure.key == "loss" and self.loss is not None:
            return self.loss
        value = self.value(measure.key)
        # Sums in another order may differ in their last digits.
        return None if value is None else round(value if measure.better == "less" else -value, 9)


def sides(given: Measure) -> tuple[Measure, ...]:
    """Return the measures of risk that an option on the frontier must not be worse on.

    Who knows a person's quasi-identifiers, and who has the release alone: of the latter the measure that is asked for,
    and whom it singles out for certain.
    """
    alone = EXPECTED if given.key == "prosecutor" else given
    return tuple({m.key: m for m in (GIVEN["prosecutor"], alone, GIVEN["certain"])}.values())


def same_table(points: Sequence[Point]) -> dict[int, int]:
    """Return per option's number that of the option that it is the same as: equal tables are one option.

    Of several k that give one table the largest stands for all of them: its promise holds, and it promises most.
    """
    groups: dict[str, list[Point]] = {}
    for point in points:
        if point.table:
            groups.setdefault(point.table, []).append(point)
    same = {point.number: point.number for point in points}
    for equal in groups.values():
        first = max(equal, key=lambda point: (point.option.k, -point.number))
        same.update((point.number, first.number) for point in equal)
    return same


def frontier(points: Sequence[Point], kept: Measure = DETAIL, given: Measure = EXPECTED) -> frozenset[int]:
    """Return the numbers of the options that no other one beats.

    An option is beaten by one that keeps at least as much, is no worse on either side of risk (:func:`sides`), and
    differs. Between different ways to publish also the gain must be no larger, for their readers conclude differently.
    What of a measure is not known beats nothing and is not beaten: of limits the worse one counts where an option
    beats, the better one where it is beaten. Equal tables are one option, named by :func:`same_table`.
    """
    same = same_table(points)
    known = [p for p in points if same[p.number] == p.number and _is_drawn(p, kept, given)]
    beaten = np.flatnonzero(_beats(known, kept, given).any(axis=0)).tolist()
    return frozenset(point.number for place, point in enumerate(known) if place not in beaten)


def better(points: Sequence[Point], than: Point, kept: Measure = DETAIL, given: Measure = EXPECTED) -> list[Point]:
    """Return the options that beat one; see :func:`frontier`; equal tables are none."""
    same = same_table(points)
    if not _is_drawn(than, kept, given):
        return []
    others = [
        p
        for p in points
        if same[p.number] == p.number != same.get(than.number, than.number) and _is_drawn(p, kept, given)
    ]
    beaten = _beats([*others, than], kept, given)[:, -1]
    return [point for point, beats in zip(others, beaten, strict=False) if beats]


def _is_drawn(point: Point, kept: Measure, given: Measure) -> bool:
    return point.rank(kept) is not None and point.rank(given) is not None


def _beats(points: Sequence[Point], kept: Measure, given: Measure) -> NDArray[np.bool_]:
    """Per pair of points whether the first beats the second; shape (points, points)."""
    many = len(points)
    no_worse, less = np.ones((many, many), dtype=bool), np.zeros((many, many), dtype=bool)
    for measure in (kept, *sides(given)):
        ends = [_ends(point, measure) for point in points]
        ranks = _ranks([worst for _, worst in ends] + [best for best, _ in ends])
        worst, best = ranks[:many], ranks[many:]
        no_worse &= worst[:, None] <= best[None, :]
        less |= worst[:, None] < best[None, :]
    readers = np.array([SAME_READER.get(point.option.way.name, point.option.way.name) for point in points])
    gains = _ranks([point.rank(GIVEN["gain"]) for point in points])
    alike = readers[:, None] == readers[None, :]
    return np.asarray(no_worse & less & (alike | (gains[:, None] <= gains[None, :])))


def _ends(point: Point, measure: Measure) -> tuple[Any, Any]:
    """Returns the best and the worst rank that a number may have; None where that is not known."""
    figure = point.figures.get(measure.key)
    if figure is None or figure.sure not in ("bound", "timeout"):
        return point.rank(measure), point.rank(measure)
    best, worst = (figure.lower, figure.upper) if measure.better == "less" else (figure.upper, figure.lower)
    sign = 1 if measure.better == "less" else -1
    return None if best is None else round(sign * best, 9), None if worst is None else round(sign * worst, 9)


def _ranks(values: Sequence[Any]) -> NDArray[np.float64]:
    """Per value its place among them, so that losses are compared exactly and only once each; NaN for None.

    No comparison with NaN holds.
    """
    ranks = np.full(len(values), np.nan)
    known = sorted(((value, place) for place, value in enumerate(values) if value is not None), key=lambda p: p[0])
    rank = -1
    for position, (value, place) in enumerate(known):
        if position == 0 or value != known[position - 1][0]:
            rank += 1
        ranks[place] = rank
    return ranks
