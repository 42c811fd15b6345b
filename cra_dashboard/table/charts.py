"""How the values of a column are spread: one small histogram per column."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import plotly.graph_objects as go

from cra_dashboard import palette
from cra_dashboard.charts.look import LOOK, picture
from cra_dashboard.table.columns import Column
from cra_engine.words import number_text

MAX_BARS = 20
_ROUND = (1, 2, 5)


@dataclass(frozen=True)
class Bars:
    """A histogram as numbers.

    Attributes:
        labels: one per bar: a value, or ``lower to upper`` with upper outside.
        counts: records per bar.
        starts: where each bar begins, as it is written on the axis.
        end: where the last one ends.
        width: of a bar; 0 where each bar is a single value.
    """

    labels: tuple[str, ...]
    counts: tuple[int, ...]
    starts: tuple[Decimal, ...]
    end: Decimal
    width: Decimal


def bars(column: Column) -> Bars:
    """The histogram of a numeric column: a bar per value where there are few, else bars of a round width."""
    values, counts = np.unique(column.values, return_counts=True)
    if len(values) <= MAX_BARS // 2:
        written = tuple(_written(value) for value in values)
        labels = tuple(number_text(value) for value in written)
        return Bars(labels, tuple(int(count) for count in counts), written, written[-1], Decimal(0))
    width = _width(_written(values[-1]) - _written(values[0]))
    # A value on an edge belongs to the bar that begins there, whatever the division of doubles makes of it.
    places = np.floor(values / float(width) + 1e-9).astype(np.int64)
    held = np.zeros(int(places[-1] - places[0]) + 1, dtype=np.int64)
    np.add.at(held, places - places[0], counts)
    starts = tuple(width * (int(places[0]) + place) for place in range(len(held)))
    labels = tuple(f"{number_text(start)} to {number_text(start + width)}" for start in starts)
    return Bars(labels, tuple(int(count) for count in held), starts, starts[-1] + width, width)


def _written(value: Any) -> Decimal:
    return Decimal(str(value.item()))


def _width(span: Decimal) -> Decimal:
    power = Decimal(1).scaleb((span / MAX_BARS).adjusted())
    return next(power * shape for shape in (*_ROUND, 10, 20) if power * shape * (MAX_BARS - 1) >= span)


def histogram(column: Column) -> go.Figure:
    """Draw a column's histogram; empty cells stand apart at the right, grey and hatched."""
    spread = bars(column)
    positions = [place + 0.5 for place in range(len(spread.counts))]
    traces = [
        go.Bar(
            x=positions,
            y=spread.counts,
            customdata=spread.labels,
            hovertemplate="%{customdata}<br>%{y:,} records<extra></extra>",
            name="records",
            width=0.94 if spread.width else 0.7,
        )
    ]
    ticks = _ticks(spread)
    right = len(positions)
    if column.missing:
        right += 2
        traces.append(
            go.Bar(
                x=[right - 0.5],
                y=[column.missing],
                marker={"color": palette.OUTLIER, "pattern": {"shape": "/", "size": 6}},
                hovertemplate="no value<br>%{y:,} records<extra></extra>",
                name="no value",
                width=0.94,
            )
        )
        ticks[right - 0.5] = "none"
    return picture(
        traces,
        **LOOK,
        height=190,
        margin={"l": 4, "r": 12, "t": 8, "b": 4},
        bargap=0,
        showlegend=False,
        xaxis={
            "range": [-0.3, right + 0.3],
            "tickvals": list(ticks),
            "ticktext": list(ticks.values()),
            "tickangle": 0,
            "tickfont": {"size": 13, "color": palette.INK},
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            "automargin": True,
        },
        yaxis={
            "rangemode": "tozero",
            "nticks": 4,
            "tickformat": ",d",
            "tickfont": {"size": 13, "color": palette.INK},
            "fixedrange": True,
            "automargin": True,
        },
    )


def _ticks(spread: Bars) -> dict[float, str]:
    """At most five labels, as many as a narrow picture holds: single values in the bar's middle, else edges."""
    if spread.width:
        edges = [*spread.starts, spread.end]
        places = {float(place): number_text(edge) for place, edge in enumerate(edges)}
    else:
        places = {place + 0.5: label for place, label in enumerate(spread.labels)}
    step = -(-(len(places) - 1) // 4) or 1
    return {place: label for index, (place, label) in enumerate(places.items()) if index % step == 0}


def bar_rows(column: Column) -> list[dict[str, str | int]]:
    """The histogram as a table."""
    spread = bars(column)
    rows: list[dict[str, str | int]] = [
        {"column": column.name, "values": label, "records": count}
        for label, count in zip(spread.labels, spread.counts, strict=True)
    ]
    if column.missing:
        rows.append({"column": column.name, "values": "none", "records": column.missing})
    return rows


def takeaway(column: Column) -> str:
    """The histogram in a sentence, for those who do not see it."""
    spread = bars(column)
    fullest = max(range(len(spread.counts)), key=spread.counts.__getitem__)
    gaps = f"; {column.missing:,} without a value" if column.missing else ""
    return (
        f"Histogram of {column.name}: {len(column.values):,} values from {column.smallest} to {column.largest}, "
        f"the highest bar, {spread.labels[fullest]}, holds {spread.counts[fullest]:,}{gaps}."
    )
