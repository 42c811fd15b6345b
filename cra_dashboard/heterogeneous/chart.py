"""Pictures: buckets with the matches of one person or row, queries."""

from html import escape
from math import ceil, sqrt
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from cra_dashboard.charts.look import HEIGHT, UNFADED, axis, chart, line, marks, ring, texts_fit
from cra_dashboard.heterogeneous.story import Looked
from cra_dashboard.palette import CHOSEN, INK, ISOLATED, OWN, STOLEN, SUPPRESSED
from cra_engine import Heterogeneous

FONT = 14
MOST_PLACES = 3000  # beyond, only the matches are drawn
MOST_LINES = 12
MOST_NAMED = 8
LONGEST = 11  # characters of a value in one line
WIDE = 60  # dots across


def _positions(made: Heterogeneous) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where each place of a part is drawn: buckets as blocks, side by side and row by row."""
    buckets, size = made.buckets, made.bucket_size
    if buckets <= MOST_NAMED:
        across, wide = buckets, max(1, WIDE // buckets - 2)
    else:
        wide = ceil(sqrt(size))
        across = max(1, min(buckets, WIDE // (wide + 1)))
    wide = min(wide, size)
    tall = ceil(size / wide)
    place = np.arange(buckets * size)
    bucket, inside = place // size, place % size
    x = (bucket % across) * (wide + 2) + inside % wide
    y = -((bucket // across) * (tall + 1.6) + inside // wide)
    return x.astype(float), y.astype(float)


def buckets_figure(made: Heterogeneous, looked: Looked, *, rows: bool) -> go.Figure:
    """Draw Heterogeneous's buckets with one person's rows (``rows``) or one row's people joined to it.

    Each dot is a place: a person and the row made from that person's record. Its ``customdata`` is the place.
    """
    x, y = _positions(made)
    records = made.places[looked.part]
    few = len(records) <= MOST_PLACES
    drawn = np.arange(len(records)) if few else np.array(sorted({looked.own, *looked.others}))
    real, dummies = drawn[records[drawn] >= 0], drawn[records[drawn] < 0]
    column = made.data[made.sensitive].to_numpy()
    told = [f"person {record}: {escape(str(column[record]))}" for record in records[real].tolist()]
    faint = {"marker": {"opacity": 0.45}}
    traces = [
        marks(x[real], y[real], "a person and their row", SUPPRESSED, size=6, told=told, of=real.tolist(), opacity=0.45)
    ]
    if len(dummies):
        thin = {"width": 1.5, "color": SUPPRESSED}
        told = ["a dummy"] * len(dummies)
        traces.append(marks(x[dummies], y[dummies], "dummies", SUPPRESSED, "x-thin", 7, told=told, edge=thin))
    if len(looked.others) <= MOST_LINES:
        across = [at for place in looked.others for at in (x[looked.own], x[place], None)]
        traces.append(
            line(across, [at for place in looked.others for at in (y[looked.own], y[place], None)], CHOSEN, 1.5)
        )
    twice = [place for place, value in zip(looked.others, looked.values, strict=True) if value in looked.marked]
    once = [place for place in looked.others if place not in twice]
    what = "a row that matches" if rows else "a person who may be behind it"
    value_at = dict(zip(looked.others, looked.values, strict=True))
    for places, colour, symbol, name in (
        (once, CHOSEN, "circle", what),
        (twice, STOLEN, "diamond", f"{what}, {'value seen twice' if made.beta is None else 'value above beta'}"),
    ):
        named = [escape(value_at[place] or "*") for place in places]
        if places:
            traces.append(marks(x[places], y[places], name, colour, symbol, 13, told=named, of=places))
    name = "the person" if rows else "the row"
    traces.append(ring([x[looked.own]], [y[looked.own]], OWN, name=name))
    for place, trace in enumerate(traces):
        trace.update(selected=UNFADED["selected"], unselected=UNFADED["unselected"] if place else faint)
    names, below = _names(made, looked, x, y)
    bare = {"visible": False, "fixedrange": True}
    return chart(
        traces,
        HEIGHT,
        bare,
        bare,
        margin={"l": 30, "r": 30, "t": 10, "b": 10 + below},
        clickmode="event+select",
        annotations=names,
    )


def _names(
    made: Heterogeneous, looked: Looked, x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[list[dict[str, Any]], int]:
    """The buckets by name and below each the value at the match in it, off the dots; and how many pixels these take."""
    if made.buckets > MOST_NAMED:
        return [], 0
    size = made.bucket_size
    at = {place // size: value or "*" for place, value in zip(looked.others, looked.values, strict=True)}
    values = {bucket: wrap(value, LONGEST) for bucket, value in at.items()}
    deep = (FONT + 4) * max(map(len, values.values()), default=0)
    staggered = not texts_fit(made.buckets, [line for lines in values.values() for line in lines])
    named = []
    for bucket in range(made.buckets):
        middle = float(x[bucket * size : (bucket + 1) * size].mean())
        text = {"x": middle, "showarrow": False, "font": {"size": FONT, "color": INK}}
        named.append(text | {"y": float(y.max()) + 0.8, "text": f"bucket {bucket + 1}", "yanchor": "bottom"})
        if bucket in values:
            below = {"y": float(y.min()) - 0.8, "yanchor": "top"}
            # A line leads to what stands lower, for want of room on a telephone.
            low = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1.5, "arrowcolor": SUPPRESSED, "ax": 0, "ay": deep}
            below |= low if staggered and bucket % 2 else {}
            named.append(text | below | {"text": "<br>".join(map(escape, values[bucket]))})
    return named, deep * (1 + staggered)


def queries_figure(answers: pd.DataFrame) -> go.Figure:
    """Draw on Heterogeneous what the release answers to each query against the truth; on the line it is right."""
    exact, estimates = answers["Exact"], answers["Estimate"]
    most = float(max(exact.max(), estimates.max()))
    told = [f"exactly {one}, answered {other:.1f}" for one, other in zip(exact, estimates, strict=True)]
    traces = [
        line([0, most], [0, most], INK, 1.5, "dot", name="right", showlegend=True),
        marks(exact, estimates, "a query", ISOLATED, size=8, told=told, opacity=0.7),
    ]
    return chart(traces, 380, axis("people who fit"), axis("answer of the release"))
