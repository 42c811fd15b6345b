"""What each part of the attack rules out, one stop after the other, for one box or for all of them."""

import math
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

from cra_dashboard.playground.outcome import ALL, SUPPRESSED, Outcome
from cra_engine import words
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.tight.fillings import FillingsLeft, fillings_left

FEW = 60  # ways to spread a box's people over its cells that are drawn as ghosts

_ORDER = (
    "The publisher takes the cheapest box first, so everybody knows which came earlier, unless two cost the same. The "
    "next step uses that."
)
_NEVER = "What was never published held fewer than k, across boxes too."
# Of one box, and of all together.
STOPS = (
    ("The box", "The people of the box can be anywhere inside it."),
    ("The order", _ORDER),
    ("Stolen cells", "An earlier box took everybody in the cells that it shares with this one."),
    ("Halves", "Had k people lain in one half, that half would have been the box."),
    ("Boxes never published", _NEVER),
)
STOPS_OF_ALL = (
    ("The boxes", "The people of each box can be anywhere inside it."),
    ("The order", _ORDER),
    ("Stolen cells", "Where two boxes overlap, the earlier one took everybody."),
    ("Halves", "Had k people lain in one half of a box, that half would have been the box."),
    ("Boxes never published", _NEVER),
)

Span = tuple[int, int]


def elimination(outcome: Outcome, number: int) -> dict[str, Any]:
    """The stops of the attack, as plain data for the page.

    Args:
        outcome: of the scene.
        number: of a box, :data:`SUPPRESSED`, or :data:`ALL`.
    """
    if number == ALL:
        return _all(outcome)
    index = None if number == SUPPRESSED else outcome.formed[number]
    part = next(part for part in outcome.attack.parts if part.index == index)
    return _one(outcome, part, number)


def _one(outcome: Outcome, part: ClassAttack, number: int) -> dict[str, Any]:
    release = outcome.attack.release
    grid, cells = release.grid, release.grid.cells(part.segment)
    left = None if outcome.tight is None else fillings_left(outcome.tight, part)
    free = math.comb(sum(part.cell_volumes), part.size)
    counts: list[tuple[int | None, str]] = [
        (part.lr_solutions, "exact"),
        (part.lr_solutions, "exact"),
        (free, "exact"),
        (part.cra_solutions, "exact"),
        _together(part, left),
    ]
    spans = [_everywhere(outcome, part, cells)] * 2
    spans.append({cell: span for cell, span in spans[0].items() if part.may_fill(outcome.base.cell(cell))})
    spans.append(_by_halves(outcome, part))
    spans.append(_by_all(outcome, part, left))
    ghosts = _ghosts(outcome, part, left)
    return {
        "number": number,
        "title": "The suppressed people" if part.index is None else f"Box {number}",
        "size": part.size,
        "box": outcome.box(part.segment),
        "cells": [outcome.base.number((cell[0], cell[1])) for cell in cells],
        "ghosts": ghosts,
        "stops": [
            _stop(said, count, how, before, span)
            for said, (count, how), before, span in zip(
                STOPS, counts, [None, *(count for count, _ in counts[:-1])], spans, strict=True
            )
        ],
    } | {"basic": grid.cell_segment(cells[0]) == part.segment}


def _stop(
    said: tuple[str, str], count: int | None, how: str, before: int | None, spans: dict[int, Span]
) -> dict[str, Any]:
    """One stop; a count that is not exact says so."""
    name, text = said
    fewer = words.fewer(before, count) if count and before is not None else ""
    return {
        "name": name,
        "text": text,
        "count": "not finished in time"
        if count is None
        else ("at most " if how == "bound" else "") + words.count(count),
        "fewer": fewer,
        "exact": how == "exact" and count is not None,
        "spans": [[cell, low, high] for cell, (low, high) in sorted(spans.items())],
    }


def _together(part: ClassAttack, left: FillingsLeft | None) -> tuple[int | None, str]:
    """Tables of one box that are left when all are taken together."""
    if part.basic:
        return part.cra_solutions, "exact"
    if left is None:
        return part.cra_solutions, "bound"
    return left.tables, "exact" if left.exact else "bound"


def _everywhere(outcome: Outcome, part: ClassAttack, cells: Sequence[tuple[int, ...]]) -> dict[int, Span]:
    if len(cells) == 1:
        return {outcome.base.number((cells[0][0], cells[0][1])): (part.size, part.size)}
    return {outcome.base.number((cell[0], cell[1])): (0, part.size) for cell in cells}


def _by_halves(outcome: Outcome, part: ClassAttack) -> dict[int, Span]:
    if part.contradiction and not part.coincident:
        return {}
    return {outcome.base.number((cell[0], cell[1])): span for cell, span in part.count_ranges.items()}


def _by_all(outcome: Outcome, part: ClassAttack, left: FillingsLeft | None) -> dict[int, Span]:
    if left is None or not any(left.left):
        alone = _by_halves(outcome, part)
        if outcome.tight is None:
            return alone
        # The whole cell's limits hold for this box's share of it from above.
        return {cell: (low, min(high, outcome.cells[cell][1])) for cell, (low, high) in alone.items()}
    held = [filling for filling, kept in zip(left.fillings, left.left, strict=True) if kept]
    return {
        outcome.base.number((cell[0], cell[1])): (min(counts), max(counts))
        for cell, counts in zip(left.cells, zip(*held, strict=True), strict=True)
    }


def _ghosts(outcome: Outcome, part: ClassAttack, left: FillingsLeft | None) -> list[dict[str, Any]]:
    """Every way to spread the people over the box, with the stop that rules it out; empty where they are many."""
    cells = outcome.attack.release.grid.cells(part.segment)
    if len(cells) == 1 or math.comb(part.size + len(cells) - 1, part.size) > FEW:
        return []
    kept = None if left is None else dict(zip(left.fillings, left.left, strict=True))
    ghosts = []
    for chosen in combinations_with_replacement(range(len(cells)), part.size):
        counts = [chosen.count(position) for position in range(len(cells))]
        filling = tuple(count for cell, count in zip(cells, counts, strict=True) if part.may_fill(cell))
        if sum(filling) < part.size:
            stop = 2
        elif not part.feasible(filling):
            stop = 3
        elif kept is not None and not kept[filling]:
            stop = 4
        else:
            stop = 5
        ghosts.append({"counts": counts, "stop": stop})
    return ghosts


def _all(outcome: Outcome) -> dict[str, Any]:
    """All boxes and the suppressed people: the products of their numbers, and what is left of them together."""
    parts = outcome.attack.parts
    tight = outcome.tight
    products = [math.prod(part.lr_solutions for part in parts)]
    products += [products[0], math.prod(math.comb(sum(part.cell_volumes), part.size) for part in parts)]
    products += [math.prod(part.cra_solutions for part in parts)]
    counts: list[tuple[int | None, str]] = [(count, "exact") for count in products]
    if tight is None or tight.worlds is None:
        counts.append((products[-1], "bound"))
    else:
        counts.append((tight.worlds, "bound" if tight.relaxed else "exact"))
    steps: list[dict[int, Span]] = [{}, {}, {}, {}]
    for part in parts:
        cells = outcome.attack.release.grid.cells(part.segment)
        everywhere = _everywhere(outcome, part, cells)
        free = {c: span for c, span in everywhere.items() if part.may_fill(outcome.base.cell(c))}
        for spans, more in zip(steps, (everywhere, everywhere, free, _by_halves(outcome, part)), strict=True):
            for cell, (low, high) in more.items():
                least, most = spans.get(cell, (0, 0))
                spans[cell] = (least + low, most + high)
    steps.append({cell: (low, high) for cell, (low, high, _) in enumerate(outcome.cells)})
    shape = outcome.base.shape
    return {
        "number": ALL,
        "title": "All boxes together",
        "size": outcome.attack.release.records,
        "box": [0, shape[0], 0, shape[1]],
        "cells": list(range(shape[0] * shape[1])),
        "ghosts": [],
        "basic": False,
        "stops": [
            _stop(said, count, how, before, span)
            for said, (count, how), before, span in zip(
                STOPS_OF_ALL, counts, [None, *(count for count, _ in counts[:-1])], steps, strict=True
            )
        ],
    }
