"""Pictures of the tight attack: how many tables are left, and which cells are certain."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.charts.look import axis, chart, marks, texts_fit
from cra_dashboard.charts.ownership import release_outlines
from cra_dashboard.charts.picture import Picture
from cra_dashboard.charts.possibilities import times_ticks
from cra_dashboard.charts.tiled import Shown, cells_mask, segment_outline, tiled_figure
from cra_dashboard.charts.view import View
from cra_dashboard.palette import ALONE, BLANK, CHOSEN, INK, NOBODY, OPEN, OWN, SEVERAL, SUPPRESSED, Mark, known
from cra_dashboard.texts.tight_story import BY_ITSELF, INTERVALS, TOGETHER, holds, relative_error
from cra_engine import Release, TightAttack
from cra_engine.assess.assessment import Assessment
from cra_engine.attacks.solver.views import KnownCells
from cra_engine.study.grid import Cell, Grid
from cra_engine.words import how_many, percent, power, times_fewer

FONT = 13
NEW = "{} new"  # what stands in a cell that was not certain before
_NARROW = 0.5  # decades: the axis shows at least that much


def tables_figure(tight: TightAttack) -> go.Figure:
    """Draw for any page how many times fewer tables each way of reading leaves than the intervals, logarithmic.

    The ratio is drawn: the numbers themselves differ by little beside how large they are. An estimate has an error bar.
    """
    promised, rows = tight.log10_worlds_intervals, _ways(tight)
    gained = [None if value is None else promised - value for _, value in rows]
    names, known = [_wrapped(name) for name, _ in rows], [value for value in gained if value is not None]
    error, colours = 0.0 if tight.counted else tight.log10_worlds_stderr, [SUPPRESSED, OWN, OWN]
    look: dict[str, Any] = {
        "mode": "lines+markers+text",
        "line": {"color": SUPPRESSED, "width": 2, "dash": "dot"},
        "connectgaps": True,
        "text": ["" if value is None else times_fewer(promised, value) for _, value in rows],
        "textposition": "top center",
        "textfont": {"size": FONT + 1, "color": INK},
        "cliponaxis": False,
        "showlegend": False,
        "error_x": {"type": "data", "array": [0, 0, error], "color": OWN, "thickness": 2, "width": 8} if error else {},
    }
    told, edge = [_told(tight, *row) for row in rows], {"width": 2, "color": colours}
    symbols = ["circle-open", "diamond-open", "diamond"]
    dots = marks(gained, names, "tables left", colours, symbols, 14, told=told, edge=edge, **look)
    highest = max(_NARROW, *known)
    # Room for the words above the marks.
    room = [-0.18 * highest, 1.18 * highest]
    across = axis("times fewer tables than the intervals allow", FONT, range=room, **times_ticks(highest))
    up = axis(categoryorder="array", categoryarray=names[::-1], range=[-0.6, 2.6])
    return chart([dots], 260, across, up, margin={"l": 8, "r": 24, "t": 16, "b": 8})


def tables_told(tight: TightAttack) -> str:
    """Say the figure of the numbers of tables in one sentence."""
    return "Possible tables, logarithmic. " + "; ".join(_told(tight, *row) for row in _ways(tight))


def _ways(tight: TightAttack) -> list[tuple[str, float | None]]:
    """Each way of reading the release with how many tables it leaves."""
    return [
        (INTERVALS, tight.log10_worlds_intervals),
        (BY_ITSELF, tight.log10_worlds_per_class),
        (TOGETHER, tight.log10_worlds),
    ]


def _told(tight: TightAttack, name: str, value: float | None) -> str:
    if value is None:
        return f"{name}: not known"
    most = "at most " if tight.relaxed and name != INTERVALS else ""
    if name != TOGETHER:
        return f"{name}: {most}{power(value)} tables"
    kind = "" if tight.counted else f" (estimate, standard error {percent(relative_error(tight))})"
    return f"{name}: {most}{power(value)} tables{kind}"


def _wrapped(name: str) -> str:
    """In two lines: a telephone has little room beside the axis."""
    first, _, last = name.rpartition(" ")
    return f"{first}<br>{last}"


def spans_of(known: KnownCells) -> dict[Cell, tuple[int, int]]:
    """Return for the figure, per cell that may hold somebody, how few and how many people it can hold."""
    return {view.cell: (view.lowest, view.highest) for view in known.cells}


def assessed_figure(assessed: Assessment, grid: Grid, view: View) -> Picture:
    """Draw for any page what an assessment knows of every cell; without the tight attack, certain ones alone."""
    spans = dict.fromkeys(assessed.certain_cells, (1, 1))
    if assessed.tight is not None:
        spans |= spans_of(assessed.tight)
    release = assessed.release if isinstance(assessed.release, Release) else None
    return certain_figure(grid, spans, view, release)


def certain_figure(
    grid: Grid,
    spans: Mapping[Cell, tuple[int, int]],
    view: View,
    release: Release | None = None,
    chosen: Cell | None = None,
    fresh: Collection[Cell] = (),
) -> Picture:
    """Draw what is known of every cell; in a tile of several cells stands how many of them are certain.

    Args:
        grid: the grid of the cells.
        spans: per cell how few and how many people it can hold.
        view: the part of the grid to show.
        release: whose boxes are drawn, where it has the same cells.
        chosen: a cell to outline.
        fresh: cells that were not certain before, where others were.
    """
    certain = [cell for cell, (fewest, most) in spans.items() if fewest == most]
    behind = view.project(cells_mask(grid, certain))
    room = texts_fit(view.columns, [NEW.format(22)])

    def of_cell(x: int, y: int) -> Shown:
        (here,) = view.cells(x, y)
        if here not in spans:
            return BLANK, "", ""
        fewest, most = spans[here]
        mark, text = known(fewest, most)
        if mark is OPEN:
            return mark, text, f"{fewest:,} to {most:,} people"
        told = f"{holds(most)}, for certain"
        if here in fresh:
            return mark, NEW.format(text) if room else text, NEW.format(told + ",")
        return mark, text, told

    def of_several(x: int, y: int) -> Shown:
        number = int(behind[x, y])
        told = f"{how_many(number, 'cell')} with a certain number of people"
        return (some, str(number), told) if number else (BLANK, "", "")

    some = Mark(OWN, "certain cells")
    # Borders alone: what a box fills would change the colours that the legend explains.
    outlines = [replace(one, opacity=0) for one in release_outlines(grid, release, view)]
    if chosen is not None:
        outlines += segment_outline(grid, grid.cell_segment(chosen), view, CHOSEN, "the cell asked about")
    if not view.flat:
        return tiled_figure(grid, view, of_several, outlines, scale=[some])
    return tiled_figure(grid, view, of_cell, outlines, keys=[ALONE, SEVERAL, NOBODY, OPEN])
