"""The report of a comparison: one HTML page that needs nothing else, and the same numbers for ``compare --json``.

Neither holds a record of the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from importlib.resources import files
from math import isfinite
from typing import Any

from cra_engine.options.compare import Comparison
from cra_engine.options.frontier import DETAIL, EXPECTED, Point, same_table
from cra_engine.options.measures import GIVEN, MEASURES, Measure
from cra_engine.options.option import finest
from cra_engine.options.words import (
    MEANING,
    NOT_PROTECTED,
    WHY_NOT_GLOBAL,
    change,
    headline,
    hindrance,
    justification,
    listed_points,
    name_of,
    recommendation,
    text_of,
    verdict_text,
)
from cra_engine.reports.filed import day_text
from cra_engine.reports.page import fill_template

MOST_ROWS = 18
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 340.0, 210.0, 46.0, 22.0, 20.0, 36.0


def comparison_json(comparison: Comparison, chosen: Sequence[int] = ()) -> dict[str, Any]:
    """Return what ``compare --json`` prints: every option with all its numbers."""
    best, same = comparison.frontier(), same_table(comparison.points)
    recommended, nearest, present = comparison.recommended, comparison.nearest, comparison.present
    return {
        "records": comparison.records,
        "k": comparison.study.k,
        "attributes": list(comparison.study.names),
        "sensitive": comparison.sensitive,
        "complete": comparison.complete,
        "present": None if present is None else present.number,
        "chosen": list(chosen),
        "recommended": None if recommended is None else recommended.number,
        "nearest": None if nearest is None else nearest.number,
        "reason": recommendation(comparison),
        "frontier": sorted(best),
        "options": [
            {
                "number": point.number,
                "label": point.label,
                "way": point.option.way.name,
                "setting": str(point.option.way.setting) or None,
                "k": point.option.k,
                "layers": list(point.option.layers) or None,
                "finest": list(comparison.heights.finest(point.option)) or None,
                "state": None if point.state is None else list(point.state),
                "verdict": point.verdict,
                "findings": [finding.to_dict() for finding in point.findings],
                "on_frontier": point.number in best,
                "same_as": same[point.number],
                "why": justification(comparison, point) or None,
                "problem": point.problem or None,
                "notes": list(point.notes),
                "kept": {key: _figure(point, key) for key, measure in MEASURES.items() if measure.kept},
                "given_away": {key: _figure(point, key) for key in GIVEN},
            }
            for point in comparison.points
        ],
        "warnings": list(comparison.warnings),
    }


def _figure(point: Point, key: str) -> dict[str, Any]:
    figure = point.figures.get(key)
    if figure is None:
        return {"value": None, "lower": None, "upper": None, "sure": "unknown", "note": ""}
    plain = figure.to_dict()
    return {name: "infinite" if isinstance(x, float) and not isfinite(x) else x for name, x in plain.items()}


def comparison_html(
    comparison: Comparison,
    name: str = "",
    chosen: Sequence[int] = (),
    *,
    present: Point | None = None,
    on: date | None = None,
) -> str:
    """Return the report on options as one self-contained page of paper; names are shown as text.

    Args:
        comparison: the comparison.
        name: of the table.
        chosen: numbers of the options to show in full, two at most.
        present: the option in use; the study's own when left out.
        on: the day to write on it; today when left out.
    """
    present = comparison.present if present is None else present
    best, front = comparison.recommended, comparison.frontier()
    picked = [comparison.point(number) for number in dict.fromkeys(chosen)]
    always = [point.number for point in (*picked, present, best, comparison.nearest) if point is not None]
    rows = listed_points(comparison, always, MOST_ROWS)
    shown = [m for m in MEASURES.values() if any(p.value(m.key) is not None for p in rows)]
    return fill_template(
        files("cra_engine.options") / "report.html.j2",
        name=name,
        day=day_text(on),
        version=version("cra-explorer"),
        comparison=comparison,
        recommendation=recommendation(comparison),
        headline=headline(comparison, present=present),
        settings=_settings(comparison),
        measures=shown,
        rows=[
            {
                "point": point,
                "values": [text_of(m, point) for m in shown],
                "verdict": verdict_text(point),
                "role": _role(point, present, picked, best),
                "front": point.number in front,
            }
            for point in rows
            if not point.problem
        ],
        chosen=[(name_of(point), [text_of(m, point) for m in MEASURES.values()]) for point in picked],
        every=list(MEASURES.values()),
        difference=change(picked[0], picked[1]) if len(picked) == 2 else "",
        problems=[(hindrance(point), name_of(point), point.problem) for point in rows if point.problem],
        failed=sum(bool(point.problem) for point in comparison.points),
        why=[text for point in rows if (text := justification(comparison, point))],
        notes=_notes(rows),
        panels=[panel(comparison.points, m, front, set(always)) for m in (EXPECTED, GIVEN["gain"])],
        size=(WIDTH, HEIGHT),
        meaning=(*MEANING, WHY_NOT_GLOBAL, NOT_PROTECTED),
    )


def _role(point: Point, present: Point | None, picked: Sequence[Point], best: Point | None) -> str:
    roles = ["chosen" if len(picked) == 1 else "AB"[i] for i, chosen in enumerate(picked[:2]) if chosen is point]
    roles += ["present"] if point is present else []
    return ", ".join([*roles, *(["recommended"] if point is best else [])])


def _notes(rows: Sequence[Point]) -> list[str]:
    """The points' notes, each once with the numbers that it is of."""
    numbers: dict[str, list[str]] = {}
    for point in rows:
        for note in point.notes:
            numbers.setdefault(note, []).append(str(point.number))
    return [f"No. {', '.join(of)}: {note}" for note, of in numbers.items()]


def _settings(comparison: Comparison) -> list[tuple[str, str]]:
    settings = []
    for grid in filter(None, (comparison.grid, comparison.around)):
        tried = [
            f"{a.name}: {' or '.join(finest(a, n) for n in counts)}"
            for a, counts in zip(comparison.study.attributes, grid.layers, strict=True)
        ]
        settings += [
            ("k", ", ".join(map(str, grid.ks))),
            ("Finest intervals", "; ".join(tried)),
            ("Ways", "; ".join(way.label for way in grid.ways)),
        ]
    return settings


# ---------------------------------------------------------------- the drawing


@dataclass(frozen=True)
class Mark:
    """One option in a drawing of the report."""

    x: float
    y: float
    point: Point
    front: bool
    named: bool


@dataclass(frozen=True)
class Panel:
    """A drawing of options: the detail lost across, another number upwards.

    Attributes:
        title: what goes upwards.
        marks: the options.
        across: ticks across: place and text.
        upwards: ticks upwards; the topmost is infinity where some option has it.
    """

    title: str
    marks: tuple[Mark, ...]
    across: tuple[tuple[float, str], ...]
    upwards: tuple[tuple[float, str], ...]


def panel(points: Sequence[Point], measure: Measure, front: frozenset[int], named: set[int]) -> Panel:
    """Draw options by one measure against the detail lost."""
    known = [(point, point.value(DETAIL.key), point.value(measure.key)) for point in points]
    drawn = [(point, x, y) for point, x, y in known if x is not None and y is not None]
    right = max((x for _, x, _ in drawn), default=1.0) * 1.08 or 1.0
    finite = [y for *_, y in drawn if isfinite(y)]
    endless, most = len(finite) < len(drawn), max([*finite, 1e-9])
    top = most * (1.3 if endless else 1.1)

    def place(x: float, y: float) -> tuple[float, float]:
        up = min(y, top) / top
        return LEFT + x / right * (WIDTH - LEFT - RIGHT), TOP + (1 - up) * (HEIGHT - TOP - BOTTOM)

    few = len(drawn) <= MOST_ROWS
    marks = [Mark(*place(x, y), p, p.number in front, few or p.number in named) for p, x, y in drawn]
    upwards = [(place(0, most * share)[1], f"{most * share:.2g}") for share in (0.0, 0.5, 1.0)]
    if endless:
        upwards.append((place(0, top)[1], "\u221e"))
    across = tuple((place(right * share, 0)[0], f"{100 * right * share:.2g} %") for share in (0.0, 0.33, 0.66, 1.0))
    # What matters is drawn last, on top.
    return Panel(measure.title, tuple(sorted(marks, key=lambda m: (m.named, m.front))), across, tuple(upwards))
