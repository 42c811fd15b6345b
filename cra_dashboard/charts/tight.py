"""Pictures of the tight attack: how many tables are left, and which cells are certain."""

from collections.abc import Mapping
from dataclasses import replace

import plotly.graph_objects as go

from cra_dashboard.charts.look import axis, chart, line, marks
from cra_dashboard.charts.possibilities import times_ticks
from cra_dashboard.charts.tiled import Shown, cells_mask, draw, segment_outline
from cra_dashboard.charts.view import View
from cra_dashboard.palette import ALONE, BLANK, CHOSEN, INK, NOBODY, OWN, SEVERAL, SUPPRESSED, Mark
from cra_dashboard.texts.tight_story import BY_ITSELF, INTERVALS, TOGETHER, holds, relative_error
from cra_engine import TightAttack
from cra_engine.study.grid import Cell, Grid
from cra_engine.words import how_many, percent, power, times_fewer

FONT = 13
_FAINT = 0.12  # opacity of what was certain before
_NARROW = 0.5  # decades: the axis shows at least that much


def tables_figure(tight: TightAttack) -> go.Figure:
    """How many times fewer tables each way of reading the release leaves than the intervals, on a logarithmic axis.

    The ratio is drawn: the numbers themselves differ by little beside how large they are. An estimate has an error bar.
    """
    promised = tight.log10_worlds_intervals
    rows = [
        (INTERVALS, tight.log10_worlds_intervals, "circle-open", SUPPRESSED),
        (BY_ITSELF, tight.log10_worlds_per_class, "diamond-open", OWN),
        (TOGETHER, tight.log10_worlds, "diamond", OWN),
    ]
    known = [(name, promised - value) for name, value, _, _ in rows if value is not None]
    names = [_wrapped(name) for name, _ in known]
    traces = [line([value for _, value in known], names, SUPPRESSED, dash="dot")]
    for name, value, symbol, colour in rows:
        error = tight.log10_worlds_stderr if name == TOGETHER and tight.worlds is None else None
        bar = {"type": "data", "array": [error], "color": colour, "thickness": 2, "width": 8} if error else {}
        traces.append(
            marks(
                [None if value is None else promised - value],
                [_wrapped(name)],
                name,
                colour,
                symbol,
                14,
                told=[_told(tight, name, value)],
                edge={"width": 2, "color": colour},
                mode="markers+text",
                text=["" if value is None else times_fewer(promised, value)],
                textposition="top center",
                textfont={"size": FONT + 1, "color": INK},
                cliponaxis=False,
                error_x=bar,
                showlegend=False,
            )
        )
    highest = max(_NARROW, *(value for _, value in known))
    # Room for the words above the marks.
    room = [-0.18 * highest, 1.18 * highest]
    across = axis("times fewer tables than the intervals allow", FONT, range=room, **times_ticks(highest))
    order = [_wrapped(name) for name, *_ in reversed(rows)]
    up = axis(categoryorder="array", categoryarray=order, range=[-0.6, 2.6])
    return chart(traces, 260, across, up, margin={"l": 8, "r": 24, "t": 16, "b": 8})


def told_of_tables(tight: TightAttack) -> str:
    """The picture in one sentence."""
    rows = [
        (INTERVALS, tight.log10_worlds_intervals),
        (BY_ITSELF, tight.log10_worlds_per_class),
        (TOGETHER, tight.log10_worlds),
    ]
    return "Possible tables, logarithmic. " + "; ".join(_told(tight, name, value) for name, value in rows)


def _told(tight: TightAttack, name: str, value: float | None) -> str:
    if value is None:
        return f"{name}: not known"
    most = "at most " if tight.relaxed and name != INTERVALS else ""
    if name != TOGETHER:
        return f"{name}: {most}{power(value)} tables"
    kind = "" if tight.worlds is not None else f" (estimate, standard error {percent(relative_error(tight))})"
    return f"{name}: {most}{power(value)} tables{kind}"


def _wrapped(name: str) -> str:
    """In two lines: a telephone has little room beside the axis."""
    first, _, last = name.rpartition(" ")
    return f"{first}<br>{last}"


def certain_figure(
    grid: Grid,
    certain: Mapping[Cell, int],
    view: View,
    chosen: Cell | None = None,
    before: Mapping[Cell, int] | None = None,
    known_before: str = "for certain by its own class",
    unknown: str = "",
) -> go.Figure:
    """Cells with a certain number of people; where a tile stands for several cells, how many of them are certain.

    Args:
        grid: the grid of the cells.
        certain: number of people per certain cell.
        view: the part of the grid to show.
        chosen: a cell to outline.
        before: cells that were certain before, likewise; in brackets and faint, on single cells only.
        known_before: how these were known, in words.
        unknown: what stands in the others.
    """
    before = before or {}
    behind = view.project(cells_mask(grid, certain))

    def of_cell(x: int, y: int) -> Shown:
        (here,) = view.cells(x, y)
        if here not in before and here not in certain:
            return BLANK, unknown, "not certain" if unknown else ""
        count = before.get(here, certain.get(here, 0))
        mark = ALONE if count == 1 else SEVERAL if count else NOBODY
        if here in before:
            return replace(mark, opacity=_FAINT), f"({count})", f"{holds(count)}, {known_before}"
        return mark, str(count), f"{holds(count)}, for certain"

    def of_several(x: int, y: int) -> Shown:
        number = int(behind[x, y])
        told = f"{how_many(number, 'cell')} with a certain number of people"
        return (some, str(number), told) if number else (BLANK, "", "")

    some = Mark(OWN, "certain cells")
    outlines = [] if chosen is None else segment_outline(grid, grid.cell_segment(chosen), view, CHOSEN)
    if not view.flat:
        return draw(grid, view, of_several, outlines, scale=[some])
    return draw(grid, view, of_cell, outlines, keys=[ALONE, SEVERAL, NOBODY])
