"""How the values of a column are spread: numbers, texts and dates."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from html import escape
from itertools import pairwise
from math import gcd
from typing import Any

import numpy as np
import plotly.graph_objects as go

from cra_dashboard import palette
from cra_dashboard.charts.look import LOOK, axis, picture, whole_ticks
from cra_dashboard.palette import OWN, STOLEN
from cra_engine.raw.contents import Column
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import number_text

MAX_BARS = 20
MOST_NAMES, LONGEST_NAME = 14, 24  # texts that get a bar each, and characters of one beside it
MOST_TICKS = 5  # of numbers, in a narrow picture
HEIGHT, NO_VALUE = 340, "none"
_ROUND = (1, 2, 5)


@dataclass(frozen=True)
class Bars:
    """The histogram of a column of Data as numbers.

    Attributes:
        labels: one per bar: a value, a text, a period of time, or ``lower to upper`` with upper outside. Of values at
            steps that are equal, as whole numbers are, those that nobody has between two have a bar, too.
        counts: records per bar.
        starts: where each bar begins, as it is written on the axis; empty for texts and periods.
        end: where the last one ends.
        width: of a bar; 0 where each bar is a single value.
        most: records of the commonest value among those that the last bar holds together; 0 where it holds one.
    """

    labels: tuple[str, ...]
    counts: tuple[int, ...]
    starts: tuple[Decimal, ...]
    end: Decimal
    width: Decimal
    most: int = 0


def bars(column: Column) -> Bars:
    """Count the histogram of a column of Data: a bar per value, text or period if few, else bars of a round width."""
    if not column.numeric:
        return _of_texts(column.counted if column.holds else column.counted[:MOST_NAMES], column.counted)
    values, counts = np.unique(column.values, return_counts=True)
    if len(values) <= MAX_BARS // 2:
        held_by = {_written(value): int(count) for value, count in zip(values, counts, strict=True)}
        written = _at_equal_steps(tuple(held_by)) or tuple(held_by)
        labels = tuple(number_text(value) for value in written)
        return Bars(labels, tuple(held_by.get(value, 0) for value in written), written, written[-1], Decimal(0))
    width = _width(_written(values[-1]) - _written(values[0]))
    # A value on an edge belongs to the bar that begins there, whatever the division of doubles makes of it.
    places = np.floor(values / float(width) + 1e-9).astype(np.int64)
    held = np.zeros(int(places[-1] - places[0]) + 1, dtype=np.int64)
    np.add.at(held, places - places[0], counts)
    starts = tuple(width * (int(places[0]) + place) for place in range(len(held)))
    labels = tuple(f"{number_text(start)} to {number_text(start + width)}" for start in starts)
    return Bars(labels, tuple(int(count) for count in held), starts, starts[-1] + width, width)


def _at_equal_steps(values: Sequence[Decimal]) -> tuple[Decimal, ...]:
    """All values at equal steps among which these are; none where these are too many."""
    finest = min(Decimal(0), *values, key=lambda value: int(value.as_tuple().exponent))
    unit = Decimal(1).scaleb(int(finest.as_tuple().exponent))
    step = unit * gcd(*(int((value - values[0]) / unit) for value in values))
    places = int((values[-1] - values[0]) / step) + 1 if step else 1
    return tuple(values[0] + step * place for place in range(places)) if places <= MAX_BARS else ()


def _of_texts(shown: Sequence[tuple[str, int]], every: Sequence[tuple[str, int]]) -> Bars:
    rest = every[len(shown) :]
    if rest:
        shown = [*shown, (f"{len(rest):,} others", sum(count for _, count in rest))]
    texts, counts = tuple(text for text, _ in shown), tuple(count for _, count in shown)
    return Bars(texts, counts, (), Decimal(0), Decimal(0), max((count for _, count in rest), default=0))


def apart_from_bars(column: Column) -> list[tuple[str, int]]:
    """Return what Data's histogram shows beside a column's bars: codes beside numbers, and gaps."""
    codes = list(column.counted) if column.numeric else []
    return [*codes, *([(NO_VALUE, column.missing)] if column.missing else [])]


def _written(value: Any) -> Decimal:
    return Decimal(str(value.item()))


def _width(span: Decimal) -> Decimal:
    power = Decimal(1).scaleb((span / MAX_BARS).adjusted())
    return next(power * shape for shape in (*_ROUND, 10, 20) if power * shape * (MAX_BARS - 1) >= span)


def shows_thin(column: Column, k: int) -> bool:
    """Return whether Data's histogram of a column has a bar of fewer than k records."""
    return any(_thin(bars(column), k))


def _thin(spread: Bars, k: int) -> list[bool]:
    counts = (*spread.counts[:-1], spread.most) if spread.most else spread.counts
    return [0 < count < k for count in counts]


def histogram(column: Column, k: int = 0, groups: Hierarchy | None = None) -> go.Figure:
    """Draw a column's histogram on Data; bars below k records are hatched, codes and, grey, empty cells stand apart.

    Args:
        column: numbers stand along the page, texts and periods of time below each other.
        k: a bar of fewer records is marked; 0 for none.
        groups: its hierarchy, whose unit stands at the axis.
    """
    spread, beside = bars(column), apart_from_bars(column)
    down = not column.numeric
    places = [place + 0.5 for place in range(len(spread.counts))]
    thin = _thin(spread, k)
    traces = []
    each = " each" * (0 < spread.most < k)
    for marked, name in ((False, "k records or more"), (True, f"fewer than k = {k} records{each}")):
        chosen = [place for place, is_thin in enumerate(thin) if is_thin == marked]
        if chosen or not marked:
            traces.append(
                _bar(
                    [places[place] for place in chosen],
                    [spread.counts[place] for place in chosen],
                    [spread.labels[place] for place in chosen],
                    name,
                    {"color": STOLEN, "pattern": {"shape": "\\", "size": 6}} if marked else {"color": OWN},
                    width=0.94 if spread.width else 0.7,
                    down=down,
                )
            )
    ends = [len(places) + 1.5 + place for place in range(len(beside))]
    for end, (label, count) in zip(ends, beside, strict=True):
        empty = label == NO_VALUE
        marker: dict[str, Any] = {"color": palette.SUPPRESSED if empty else OWN}
        named = "no value" if empty else label
        traces.append(_bar([end], [count], [named], named, marker, width=0.94, down=down))
    unit = groups.measure if groups else ""
    ticks = _ticks(spread) | dict(zip(ends, (label for label, _ in beside), strict=True))
    last = (ends or places or [0.5])[-1] + 0.5
    along = axis(
        "" if down else f"{column.name} ({unit})" if unit else column.name,
        13,
        range=[last + 0.3, -0.3] if down else [-0.3, last + 0.3],
        tickvals=list(ticks),
        ticktext=[_short(text) for text in ticks.values()],
        tickangle=0,
        showgrid=False,
    )
    most = max([*spread.counts, *(count for _, count in beside)], default=0)
    records = axis("records", 13, rangemode="tozero", tickformat=",d", **whole_ticks(most, 4))
    across, up = (records, along) if down else (along, records)
    return picture(
        traces,
        **LOOK,
        height=max(HEIGHT, 70 + 22 * len(ticks)) if down else HEIGHT,
        margin={"l": 4, "r": 12, "t": 8, "b": 4},
        bargap=0,
        showlegend=any(thin),
        xaxis=across,
        yaxis=up,
    )


def _bar(
    places: Sequence[float],
    counts: Sequence[int],
    labels: Sequence[str],
    name: str,
    marker: dict[str, Any],
    *,
    width: float,
    down: bool,
) -> go.Bar:
    ends = {"x": counts, "y": places, "orientation": "h"} if down else {"x": places, "y": counts}
    hover = (
        "%{customdata}<br>%{x:,} records<extra></extra>" if down else "%{customdata}<br>%{y:,} records<extra></extra>"
    )
    return go.Bar(
        **ends,
        customdata=[escape(label) for label in labels],
        hovertemplate=hover,
        name=name,
        marker=marker,
        width=width,
        showlegend="records" in name,
    )


def _short(text: str) -> str:
    """A text as an axis has room for it; no markup."""
    return escape(text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…", quote=False)


def _ticks(spread: Bars) -> dict[float, str]:
    """Labels below the bars: of numbers at most :data:`MOST_TICKS`, round and at equal steps; all texts and periods."""
    starts, each = spread.starts, {place + 0.5: label for place, label in enumerate(spread.labels)}
    step = spread.width or (starts[1] - starts[0] if len(starts) > 1 else Decimal(0))
    uneven = not spread.width and any(after - before != step for before, after in pairwise(starts))
    if not starts or uneven or (not spread.width and len(starts) <= MOST_TICKS):
        return each
    apart = _round_step(spread.end - starts[0])
    first = (starts[0] / apart).to_integral_value(ROUND_CEILING) * apart
    ticks = [first + apart * place for place in range(int((spread.end - first) / apart) + 1)]
    middle = 0.0 if spread.width else 0.5
    return {float((tick - starts[0]) / step) + middle: number_text(tick) for tick in ticks}


def _round_step(span: Decimal) -> Decimal:
    """The smallest round step of which :data:`MOST_TICKS` at most end within any span so long."""
    power = Decimal(1).scaleb((span / MOST_TICKS).adjusted())
    return next(power * shape for shape in (*_ROUND, 10, 20) if power * shape * MOST_TICKS > span)


def bars_told(column: Column, k: int = 0, groups: Hierarchy | None = None) -> str:
    """Say below Data's histogram of a column what a bar is, and what is hatched; as for :func:`histogram`."""
    spread, unit = bars(column), groups.measure if groups else ""
    width = spread.width
    wide = f"; it is {f'{number_text(width)} {unit}'.rstrip()} wide" if width else ""
    even = " even when rounded like this" * bool(wide)
    each = ", of the others each by itself" * (0 < spread.most < k)
    hatched = f" Hatched: fewer than k = {k}, who stand out{even}{each}." if shows_thin(column, k) else ""
    return f"Each bar counts records{wide}.{hatched}"


def bar_rows(column: Column) -> list[dict[str, str | int]]:
    """Return the histogram of a column of Data as a table."""
    spread = bars(column)
    held = [*zip(spread.labels, spread.counts, strict=True), *apart_from_bars(column)]
    return [{"column": column.name, "values": label, "records": count} for label, count in held]


def takeaway(column: Column) -> str:
    """Say the histogram of a column of Data in a sentence, for those who do not see it."""
    spread = bars(column)
    gaps = f"; {column.missing:,} without a value" if column.missing else ""
    if not spread.counts:
        return f"Histogram of {column.name}: no values{gaps}."
    fullest = max(range(len(spread.counts)), key=spread.counts.__getitem__)
    span = f"values from {column.smallest} to {column.largest}" if column.numeric else "values"
    codes = f"; {sum(count for _, count in column.counted):,} coded" if column.numeric and column.counted else ""
    held = len(column.values) if column.numeric else sum(spread.counts)
    return (
        f"Histogram of {column.name}: {held:,} {span}, "
        f"the highest bar, {spread.labels[fullest]}, holds {spread.counts[fullest]:,}{codes}{gaps}."
    )
