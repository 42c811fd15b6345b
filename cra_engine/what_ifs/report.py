"""The report of a what-if: one HTML page that needs nothing else, and the same numbers for ``what-if --json``.

It holds settings and numbers, and no record of the table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from importlib.metadata import version
from importlib.resources import files
from math import ceil, floor
from typing import Any

from cra_engine.reports.filed import day_text
from cra_engine.reports.page import fill
from cra_engine.what_ifs.choices import Choice, finest
from cra_engine.what_ifs.measures import GIVEN, KEPT, frontier, outline, same_table
from cra_engine.what_ifs.outcome import Point, Together, WhatIf
from cra_engine.what_ifs.words import (
    MEANING,
    choice_text,
    comparison,
    headline,
    justification,
    listed_rows,
    recommendation,
    recommended,
    rule_text,
    short_rule,
    together_text,
    value_text,
)

MOST_ROWS = 13
NOT_LISTED = {"left", "alone", "likeliest"}  # in the table of the frontier, for want of room
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 700.0, 210.0, 60.0, 14.0, 12.0, 34.0


def what_if_json(
    result: WhatIf, chosen: Sequence[int] = (), together: Mapping[int, Together] | None = None
) -> dict[str, Any]:
    """What ``what-if --json`` prints: every choice with all its numbers."""
    kept, given = KEPT["loss"], GIVEN["expected"]
    best, same = frontier(result.points, kept, given), same_table(result.points)
    chosen_by = recommended(result, result.present)
    return {
        "records": result.records,
        "attributes": list(result.study.names),
        "complete": result.complete,
        "present": None if result.present is None else result.present.number,
        "chosen": list(chosen),
        "recommended": None if chosen_by is None else chosen_by.number,
        "recommendation": recommendation(result),
        "points": [
            _point(result, point, on_frontier=point.number in best)
            | {"same_as": same[point.number], "why": justification(result, point, kept, given) or None}
            for point in result.points
        ],
        "together": [{"number": number, **asdict(found)} for number, found in (together or {}).items()],
        "warnings": list(result.warnings),
    }


def _point(result: WhatIf, point: Point, *, on_frontier: bool) -> dict[str, Any]:
    choice, kept, given = point.choice, point.kept, point.given
    return {
        "number": point.number,
        "k": choice.k,
        "layers": list(choice.layers),
        "finest": list(result.heights.finest(choice)),
        "recoding": "local" if choice.local else "global",
        "profile": None if choice.profile is None else str(choice.profile),
        "limit": None if choice.limit is None else float(choice.limit),
        "state": None if point.state is None else list(point.state),
        "status": point.status,
        "on_frontier": on_frontier,
        "problem": point.problem,
        "notes": list(point.notes),
        "kept": None
        if kept is None
        else {
            "loss": kept.loss.value,
            "classes": kept.classes,
            "average_size": kept.average_size,
            "suppressed": kept.suppressed,
            "suppressed_share": kept.suppressed_share,
        },
        "given_away": None
        if given is None
        else {
            "known": given.known,
            "certain": given.certain,
            "certain_looked_at": given.certain is not None,
            "expected_isolated": given.expected,
            "expected_isolated_intervals": given.expected_intervals,
            "likeliest": given.likeliest,
            "log10_promised": given.log10_promised,
            "log10_left": given.log10_left,
            "log10_ratio": given.log10_ratio,
            "alone": given.alone,
            "outcomes": given.outcomes,
        },
    }


@dataclass(frozen=True)
class _Mark:
    """A choice in the drawing."""

    x: float
    y: float
    kind: str
    label: str
    title: str


def what_if_html(
    result: WhatIf,
    name: str = "",
    chosen: Sequence[int] = (),
    together: Mapping[int, Together] | None = None,
    *,
    present: Point | None = None,
    on: date | None = None,
) -> str:
    """The report as one self-contained page of paper; names are shown as text, whatever they hold.

    Args:
        result: the comparison.
        name: of the table.
        chosen: numbers of the choices to show in full, two at most.
        together: the attack on all classes together, for chosen ones that it was made for.
        present: the choice in use; the study's own when left out.
        on: the day to write on it; today when left out.
    """
    kept, given = KEPT["loss"], GIVEN["expected"]
    present = result.present if present is None else present
    picked = [result.point(number) for number in dict.fromkeys(chosen)]
    columns = picked or ([] if present is None else [present])
    best = frontier(result.points, kept, given)
    always = [point.number for point in ([*picked, present] if present is not None else picked)]
    rows = listed_rows(result, kept, given, always, MOST_ROWS)
    measures = [*KEPT.values(), *GIVEN.values()]
    listed = [m for m in measures if m.key not in NOT_LISTED]
    return fill(
        files("cra_engine.what_ifs") / "report.html.j2",
        name=name,
        day=day_text(on),
        version=version("cra-explorer"),
        result=result,
        headline=headline(result, kept, given, present),
        recommendation=recommendation(result, present),
        why=[text for point in rows if (text := justification(result, point, kept, given))],
        settings=_settings(result),
        columns=[(point.number, choice_text(result, point.choice), _role(point, present, picked)) for point in columns],
        measures=[(m.title, [value_text(m, point) for point in columns]) for m in measures],
        sentences=comparison(*picked) if len(picked) == 2 else [],
        together=[(number, together_text(found)) for number, found in (together or {}).items()],
        problems=[(point.number, point.problem) for point in columns if point.problem],
        notes=list(dict.fromkeys(note for point in columns for note in point.notes)),
        rows=[
            {
                "number": point.number,
                "k": point.choice.k,
                "rule": short_rule(point.choice),
                "finest": result.heights.finest(point.choice),
                "values": [value_text(m, point) for m in listed],
                "role": _role(point, present, picked) or ("frontier" if point.number in best else ""),
            }
            for point in rows
        ],
        titles=[m.title for m in listed],
        tried=len(result.points),
        failed=sum(point.status == "failed" for point in result.points),
        marks=_marks(result, best, present, picked),
        lines=[_line(result, best, local=local) for local in (True, False)],
        axes=_axes(result),
        size=(WIDTH, HEIGHT),
        meaning=MEANING,
    )


def _role(point: Point, present: Point | None, picked: Sequence[Point]) -> str:
    roles = ["chosen" if len(picked) == 1 else "AB"[i] for i, one in enumerate(picked[:2]) if one is point]
    roles += ["present"] if point is present else []
    return ", ".join(roles)


def _settings(result: WhatIf) -> list[tuple[str, str]]:
    grid, study = result.grid, result.study
    ways = [rule_text(Choice(2, (), profile)) for profile in grid.profiles]
    ways += [rule_text(Choice(2, (), None, limit)) for limit in grid.limits]
    tried = [
        f"{a.name}: {' or '.join(finest(a, n) for n in counts)}"
        for a, counts in zip(study.attributes, grid.layers, strict=True)
    ]
    return [
        ("k", ", ".join(map(str, grid.ks))),
        ("Finest intervals", "; ".join(tried)),
        ("Recoding", "; ".join(ways)),
    ]


# ---------------------------------------------------------------- the drawing


def _drawn(result: WhatIf) -> list[tuple[Point, float, float]]:
    found = []
    for point in result.points:
        lost, away = KEPT["loss"].shown(point), GIVEN["expected"].shown(point)
        if lost is not None and away is not None:
            found.append((point, lost, away))
    return found


def _ranges(result: WhatIf) -> tuple[float, float, float]:
    """The smallest and largest loss, with a margin, and the largest expected number."""
    drawn = _drawn(result)
    low, high = min((x for _, x, _ in drawn), default=0.0), max((x for _, x, _ in drawn), default=1.0)
    margin = max(0.01, (high - low) * 0.06)
    return max(0.0, low - margin), min(1.0, high + margin), max([1.0, *(y for *_, y in drawn)]) * 1.08


def _place(result: WhatIf, lost: float, away: float) -> tuple[float, float]:
    low, high, top = _ranges(result)
    across = LEFT + (lost - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    return across, TOP + (1 - away / top) * (HEIGHT - TOP - BOTTOM)


def _marks(result: WhatIf, best: frozenset[int], present: Point | None, picked: Sequence[Point]) -> list[_Mark]:
    marks = []
    for point, lost, away in _drawn(result):
        role = _role(point, present, picked)
        kind = ("local" if point.choice.local else "global") + ("" if point.number in best else " beaten")
        x, y = _place(result, lost, away)
        marks.append(_Mark(x, y, kind, role, f"{point.number}: {choice_text(result, point.choice)}"))
    # What matters is drawn last, on top.
    return sorted(marks, key=lambda mark: (bool(mark.label), not mark.kind.endswith("beaten")))


def _line(result: WhatIf, best: frozenset[int], *, local: bool) -> str:
    """The frontier as the points of a line."""
    on = [(x, y) for point, x, y in _drawn(result) if point.number in best and point.choice.local == local]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in (_place(result, *place) for place in outline(on)))


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers between two others."""
    step = next(
        (s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500) if (high - low) / s <= most),
        1000,
    )
    return [step * i for i in range(ceil(low / step), floor(high / step) + 1)]


def _axes(result: WhatIf) -> dict[str, list[tuple[float, str]]]:
    low, high, top = _ranges(result)
    return {
        "x": [(_place(result, value, 0)[0], f"{100 * value:.0f} %") for value in _ticks(low, high, 8)],
        "y": [(_place(result, low, value)[1], f"{value:g}") for value in _ticks(0, top, 5)],
    }
