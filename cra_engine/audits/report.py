"""The audit's report: one HTML file that needs nothing else, with the same numbers as ``Audit.to_dict()``."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from importlib.resources import files
from math import log10
from typing import Any

from cra_engine.attacks.prior import WRITTEN_OUT
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.audits.findings import advice, predicate, tables_left
from cra_engine.audits.outcome import Audit
from cra_engine.audits.shown_labels import extent
from cra_engine.checks.demands import demands_of
from cra_engine.checks.report import TITLES, meaning_of
from cra_engine.expected import expect
from cra_engine.reports.filed import CheckedFile, day_text
from cra_engine.reports.page import fill_template
from cra_engine.study.grid import Cell
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import between, count, number_text, percent, power, quotient, short_percent

MOST_CELLS = 200  # rows of the table of cells
FIRST_CELLS, FIRST_CLASSES = 12, 12  # of them and of the classes on the page itself; the rest is folded
MOST_DRAWN = 40  # leaves per side of the drawn grid


@dataclass(frozen=True)
class _Bar:
    """A class's possible tables: lengths in percent of the longest."""

    name: str
    promised: float
    left: float
    text: str


@dataclass(frozen=True)
class _Square:
    """A cell of the drawn grid, with what is said of it."""

    x: float
    y: float
    title: str
    probability: float
    certain: bool


def audit_html(audited: Audit, name: str = "", given: Sequence[CheckedFile] = (), *, on: date | None = None) -> str:
    """Return the audit's report as one self-contained page; labels of the table are shown as text.

    Args:
        audited: the audit.
        name: of the table, for the title.
        given: the files that were looked at, with their SHA-256.
        on: the day to write on it; today when left out.

    >>> import pandas as pd
    >>> from cra_engine import audit
    >>> audited = audit(pd.DataFrame({"age": ["[0, 20[", "[0, 20[", "[20, 40[", "[20, 40["]}))
    >>> "people.csv" in audit_html(audited, "people.csv")
    True
    """
    expect(audited, Audit, "audit_html(audited)")
    release = audited.release
    chances = audited.chances
    cells = [(predicate(release, cell), percent(p), cell in audited.isolated) for cell, p in chances[:MOST_CELLS]]
    parts = sorted(audited.attack.parts, key=lambda part: -_depth(part, audited))
    rows = [_row(part, audited) for part in parts]
    return fill_template(
        files("cra_engine.audits") / "report.html.j2",
        name=name,
        audit=audited,
        release=release,
        factor=number_text(release.gs_factor),
        conditional=audited.conditional,
        attributes=[_describe(a, audited) for a in release.attributes],
        verdict=TITLES[audited.verdict],
        meaning=meaning_of(audited.checked),
        demands=demands_of(audited.checked),
        day=day_text(on),
        version=version("cra-explorer"),
        given=given,
        classes=rows[:FIRST_CLASSES],
        more_classes=rows[FIRST_CLASSES:],
        bars=_bars(audited),
        chances=cells[:FIRST_CELLS],
        more_chances=cells[FIRST_CELLS:],
        more_cells=max(0, len(chances) - MOST_CELLS),
        drawing=_drawing(audited, dict(chances)),
        together=None if audited.tight is None or audited.tight.log10_worlds is None else audited.tight.log10_worlds,
        advice=advice(audited),
        tables=tables_left(audited),
        power=power,
    )


def _describe(attribute: Hierarchy, audited: Audit) -> dict[str, str]:
    guessed = {p.hierarchy.name for p in audited.proposals}
    return {
        "name": attribute.name,
        "domain": extent(attribute) if attribute.numeric else "categories",
        "layers": ", ".join(f"{attribute.nodes_in(layer):,}" for layer in range(1, attribute.layers + 1)),
        "sure": "guessed, see above" if attribute.name in guessed else "given",
    }


def _row(part: ClassAttack, audited: Audit) -> dict[str, Any]:
    claimed = _is_claimed(audited) and not part.contradiction
    box = "everything" if part.index is None else audited.release.grid.describe(part.segment)
    promised = _promised(part)
    left = promised if part.basic else between(*part.cra_bounds) if claimed else ""
    return {
        "name": "suppressed" if part.index is None else str(part.index),
        "size": part.size,
        "box": box,
        "promised": promised,
        "left": left if claimed else "not known",
        "fewer": _fewer(part) if claimed else "not known",
    }


def _promised(part: ClassAttack) -> str:
    """Two of a hundred thousand digits: working out all of them takes longer than the attack."""
    return power(part.log10_lr) if part.size > WRITTEN_OUT else count(part.lr_solutions)


def _is_claimed(audited: Audit) -> bool:
    """True where anything is concluded from the order of formation."""
    return not audited.contradicted and audited.assessment.recoding == "local"


def _depth(part: ClassAttack, audited: Audit) -> float:
    """Returns how deep the attack cuts into a class, to sort by."""
    return 0.0 if part.basic or part.contradiction or not _is_claimed(audited) else part.log10_ratio


def _fewer(part: ClassAttack) -> str:
    if part.basic:
        return "1"
    lower, upper = part.cra_bounds
    return ("" if lower == upper else "at least ") + quotient(part.lr_solutions, upper)


def _bars(audited: Audit) -> list[_Bar]:
    parts = [p for p in audited.attack.parts if not p.basic and not p.contradiction and _is_claimed(audited)]
    parts = sorted(parts, key=lambda part: -_depth(part, audited))[:FIRST_CLASSES]
    longest = max((p.log10_lr for p in parts), default=0.0)
    if not longest:
        return []
    return [
        _Bar(
            "suppressed" if p.index is None else f"class {p.index}",
            100 * max(p.log10_lr, 0.0) / longest,
            100 * log10(max(p.cra_bounds[1], 1)) / longest,
            f"{_promised(p)} → {between(*p.cra_bounds)}",
        )
        for p in parts
    ]


def _drawing(audited: Audit, chances: dict[Cell, float]) -> dict[str, Any] | None:
    """The grid of two quasi-identifiers, a square per cell; None for others, too many, or no chances."""
    grid = audited.release.grid
    if len(grid.shape) != 2 or max(grid.shape) > MOST_DRAWN or not chances:
        return None
    side = min(36.0, 640 / max(grid.shape))
    squares = [
        _Square(
            cell[0] * side,
            (grid.shape[1] - 1 - cell[1]) * side,
            f"{predicate(audited.release, cell)}: {percent(p)}",
            min(max(p, 0.0), 1.0),
            cell in audited.isolated,
        )
        for cell, p in sorted(chances.items())
    ]
    across, upwards = (f"{a.name}, {extent(a)}" if a.numeric else a.name for a in grid.attributes)
    return {
        "side": side,
        "width": side * grid.shape[0],
        "height": side * grid.shape[1],
        "columns": [side * place for place in range(grid.shape[0] + 1)],
        "rows": [side * place for place in range(grid.shape[1] + 1)],
        "squares": squares,
        "across": across,
        "upwards": upwards,
        "certain": sum(square.certain for square in squares),
        "digits": side >= 28,
        "percent": short_percent,
    }
