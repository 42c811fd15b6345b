"""The comparison as a page that needs nothing else, and as plain data; neither holds a record of the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from math import isfinite
from typing import Any

from cra_engine.defences.comparison import Comparison, Row, shown
from cra_engine.defences.figures import MEASURES, Figure
from cra_engine.reports.filed import day_text
from cra_engine.reports.page import fill

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 340.0, 210.0, 46.0, 22.0, 20.0, 36.0
MEANING = (
    "Exact numbers stand as they are; \u2265 marks a bound (the truth is that or worse), \u2248 an estimate.",
    "? is what is not known, \u221e what has no bound.",
    "Gain: the most by which the recoding's choices move a reader who knows the method, the table and all others.",
    "It is a logarithm of odds between two places of one person. \u221e: some tables that fit are surely excluded.",
    "Gain says nothing of who is in the table, nor of what is open to read: counts, and boxes published earlier.",
    "Singled out: how many finest boxes hold exactly one person, as a reader of the table alone expects.",
    "By regions: the same for somebody who concludes nothing from the choices. Alike: the choices add nothing.",
    "A repaired table is safe only against readers who do not know that it was repaired.",
    "No number here shows that a table gives nothing away.",
)


def comparison_json(found: Comparison) -> dict[str, Any]:
    """What ``compare --json`` prints: every way with all its numbers."""
    best, why = found.recommended
    return {
        "records": found.records,
        "k": found.study.k,
        "attributes": list(found.study.names),
        "sensitive": found.sensitive,
        "complete": found.complete,
        "ways": [
            {
                "number": row.number,
                "name": row.name,
                "label": row.label,
                "problem": row.problem or None,
                "notes": list(row.notes),
                "kept": {m.key: _figure(row.figures.get(m.key)) for m in MEASURES if m.kept},
                "given_away": {m.key: _figure(row.figures.get(m.key)) for m in MEASURES if not m.kept},
            }
            for row in found.rows
        ],
        "frontier": [row.number for row in found.frontier()],
        "recommended": None if best is None else best.number,
        "reason": why,
    }


def _figure(figure: Figure | None) -> dict[str, Any]:
    if figure is None:
        return {"value": None, "sure": "unknown", "note": None}
    value = figure.value if figure.value is None or isfinite(figure.value) else "infinite"
    return {"value": value, "sure": figure.sure, "note": figure.note or None}


def comparison_html(found: Comparison, name: str = "") -> str:
    """The report as HTML.

    Args:
        found: the comparison.
        name: of the table, for the heading.
    """
    best, why = found.recommended
    possible = [row for row in found.rows if not row.problem]
    front = {row.number for row in found.frontier()}
    return fill(
        files("cra_engine.defences") / "report.html.j2",
        name=name,
        day=day_text(None),
        version=version("cra-explorer"),
        found=found,
        why=why,
        best=None if best is None else best.number,
        measures=MEASURES,
        rows=[
            {
                "number": row.number,
                "label": row.label,
                "values": [shown(row.figures.get(m.key)) for m in MEASURES],
                "kind": row.name,
                "marked": best is not None and row.number == best.number,
                "front": row.number in front,
            }
            for row in possible
        ],
        problems=[(row.label, row.problem) for row in found.rows if row.problem],
        notes=[(row.number, note) for row in possible for note in row.notes],
        panels=[
            panel(possible, "expected", "people singled out, expected", front),
            panel(possible, "gain", "gain", front),
        ],
        size=(WIDTH, HEIGHT),
        meaning=MEANING,
    )


@dataclass(frozen=True)
class Mark:
    """One way in a drawing."""

    x: float
    y: float
    number: int
    kind: str
    title: str
    front: bool


@dataclass(frozen=True)
class Panel:
    """A drawing: the query error across, another number upwards.

    Attributes:
        title: what goes upwards.
        marks: the ways.
        across: ticks across: place and text.
        upwards: ticks upwards; the topmost is infinity where some way has it.
    """

    title: str
    marks: tuple[Mark, ...]
    across: tuple[tuple[float, str], ...]
    upwards: tuple[tuple[float, str], ...]


def panel(rows: Sequence[Row], key: str, title: str, front: set[int]) -> Panel:
    """The drawing of one measure against the query error."""
    known = [(row, row.value("query_error"), row.value(key)) for row in rows]
    there = [(row, x, y) for row, x, y in known if x is not None and y is not None]
    right = max((x for _, x, _ in there), default=1.0) * 1.08 or 1.0
    finite = [y for *_, y in there if isfinite(y)]
    endless = len(finite) < len(there)
    top = max([*finite, 1e-9]) * (1.3 if endless else 1.1)

    def place(x: float, y: float) -> tuple[float, float]:
        up = min(y, top) / top
        return LEFT + x / right * (WIDTH - LEFT - RIGHT), TOP + (1 - up) * (HEIGHT - TOP - BOTTOM)

    marks = tuple(
        Mark(*place(x, y), row.number, row.name, f"{row.number}: {row.label}", row.number in front)
        for row, x, y in there
    )
    steps = [max([*finite, 1e-9]) * share for share in (0.0, 0.5, 1.0)]
    upwards = [(place(0, step)[1], f"{step:.2g}") for step in steps]
    if endless:
        upwards.append((place(0, top)[1], "\u221e"))
    across = tuple((place(right * share, 0)[0], f"{right * share:.2g}") for share in (0.0, 0.33, 0.66, 1.0))
    return Panel(title, marks, across, tuple(upwards))
