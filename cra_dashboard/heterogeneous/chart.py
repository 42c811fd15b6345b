"""Pictures: buckets with the matches of one person or row, losses side by side, guesses, queries."""

from collections.abc import Mapping
from html import escape
from math import ceil, sqrt
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from cra_dashboard.charts.look import HEIGHT, axis, framed, ring, upright
from cra_dashboard.heterogeneous.story import Looked
from cra_dashboard.palette import CHOSEN, INK, ISOLATED, OWN, STOLEN, SUPPRESSED
from cra_engine import Heterogeneous

FONT = 14
MOST_PLACES = 3000  # beyond, only the matches are drawn
MOST_LINES = 12
MOST_NAMED = 8
WIDE = 60  # dots across


def _positions(made: Heterogeneous) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """Where each place of a part is drawn: buckets as blocks, side by side and row by row; and the blocks in a row."""
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
    return x.astype(float), y.astype(float), across


def buckets_figure(made: Heterogeneous, looked: Looked, *, rows: bool) -> go.Figure:
    """The buckets with one person's rows (``rows``) or one row's people joined to it.

    Each dot is a place: a person and the row made from that person's record. Its ``customdata`` is the place.
    """
    x, y, across = _positions(made)
    records = made.places[looked.part]
    figure = go.Figure()
    few = len(records) <= MOST_PLACES
    drawn = np.arange(len(records)) if few else np.array(sorted({looked.own, *looked.others}))
    real = drawn[records[drawn] >= 0]
    column = made.data[made.sensitive].to_numpy()
    figure.add_scatter(
        x=x[real],
        y=y[real],
        mode="markers",
        name="people and their rows",
        marker={"size": 6, "color": SUPPRESSED, "opacity": 0.45},
        customdata=real[:, None].tolist(),
        hovertext=[f"person {record}: {escape(str(column[record]))}" for record in records[real].tolist()],
        hoverinfo="text",
    )
    dummies = drawn[records[drawn] < 0]
    if len(dummies):
        figure.add_scatter(
            x=x[dummies],
            y=y[dummies],
            mode="markers",
            name="dummies",
            marker={"size": 7, "color": SUPPRESSED, "symbol": "x-thin", "line": {"width": 1.5, "color": SUPPRESSED}},
            hovertext=["a dummy"] * len(dummies),
            hoverinfo="text",
        )
    if len(looked.others) <= MOST_LINES:
        ends = [(x[looked.own], x[place], None, y[looked.own], y[place], None) for place in looked.others]
        figure.add_scatter(
            x=[at for end in ends for at in end[:3]],
            y=[at for end in ends for at in end[3:]],
            mode="lines",
            line={"color": CHOSEN, "width": 1.5},
            hoverinfo="skip",
            showlegend=False,
        )
    twice = [place for place, value in zip(looked.others, looked.values, strict=True) if value in looked.marked]
    once = [place for place in looked.others if place not in twice]
    what = "a row that matches" if rows else "a person it may be"
    value_at = dict(zip(looked.others, looked.values, strict=True))
    for places, colour, symbol, name in (
        (once, CHOSEN, "circle", what),
        (twice, STOLEN, "diamond", f"{what}, {'value seen twice' if made.beta is None else 'value above beta'}"),
    ):
        if places:
            named = [value_at[place] or "*" for place in places]
            figure.add_scatter(
                x=x[places],
                y=y[places],
                mode="markers+text" if len(looked.others) <= MOST_NAMED else "markers",
                name=name,
                text=[escape(value) for value in named],
                textposition="bottom center",
                textfont={"size": FONT, "color": INK},
                marker={"size": 13, "color": colour, "symbol": symbol},
                customdata=[[place] for place in places],
                hovertext=[escape(value) for value in named],
                hoverinfo="text",
                cliponaxis=False,
            )
    name = "the person" if rows else "the row's own record"
    figure.add_trace(ring([x[looked.own]], [y[looked.own]], OWN, name=name))
    figure.update_traces(selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 0.45}})
    for trace in figure.data[1:]:
        trace.update(unselected={"marker": {"opacity": 1}})
    layout = framed(HEIGHT)
    layout["margin"] = {"l": 30, "r": 30, "t": 10, "b": 34}
    figure.update_layout(
        **layout, clickmode="event+select", xaxis=_bare(), yaxis=_bare(), annotations=_names(made, x, y, across)
    )
    return figure


def _names(made: Heterogeneous, x: NDArray[np.float64], y: NDArray[np.float64], across: int) -> list[dict[str, Any]]:
    if made.buckets > MOST_NAMED:
        return []
    size = made.bucket_size
    return [
        {"x": float(x[b * size : (b + 1) * size].mean()), "y": float(y.max()) + 0.8, "text": f"bucket {b + 1}"}
        | {"showarrow": False, "yanchor": "bottom", "font": {"size": FONT, "color": INK}}
        for b in range(across)
    ]


def losses_figure(losses: pd.DataFrame) -> go.Figure:
    """GCP by method: each row its own matches, and groups that publish alike."""
    method, own, alike = losses.columns
    figure = go.Figure()
    for name in losses[method]:
        pair = losses[losses[method] == name].iloc[0]
        figure.add_scatter(
            x=[pair[own], pair[alike]], y=[name, name], mode="lines", line={"color": SUPPRESSED, "width": 2},
            hoverinfo="skip", showlegend=False,
        )  # fmt: skip
    for column, colour, symbol in ((own, OWN, "circle"), (alike, STOLEN, "diamond")):
        figure.add_scatter(
            x=losses[column],
            y=losses[method],
            mode="markers",
            name=column,
            marker={"size": 13, "color": colour, "symbol": symbol},
            hovertext=[f"{column}: {share:.4f}" for share in losses[column]],
            hoverinfo="text",
        )
    figure.update_layout(
        **framed(240),
        xaxis=axis("lost (GCP), 0 to 1", rangemode="tozero"),
        yaxis=axis(autorange="reversed", type="category"),
    )
    return figure


def guesses_figure(shares: Mapping[str, float], baseline: float) -> go.Figure:
    """The share that the learner guesses right, beside the share that everybody can guess."""
    figure = go.Figure()
    names = list(shares)
    figure.add_scatter(
        x=[100 * share for share in shares.values()],
        y=names,
        mode="markers",
        marker={"size": 14, "color": [OWN, OWN, STOLEN], "symbol": ["circle", "circle-open", "diamond"]},
        hovertext=[f"{name}: {100 * share:.1f} % right" for name, share in shares.items()],
        hoverinfo="text",
        showlegend=False,
    )
    note = {"x": 100 * baseline, "y": 1, "yref": "paper", "text": "always the most frequent value", "showarrow": False}
    layout = framed(240)
    layout["margin"] |= {"t": 30}
    figure.update_layout(
        **layout,
        xaxis=axis("guessed right, %", rangemode="tozero"),
        yaxis=axis(autorange="reversed", type="category"),
        shapes=[upright(100 * baseline, color=INK, width=1.5, dash="dot")],
        annotations=[note | {"yanchor": "bottom", "xanchor": "left", "font": {"size": FONT, "color": INK}}],
    )
    return figure


def queries_figure(answers: pd.DataFrame) -> go.Figure:
    """What the release answers to each query against the truth; on the line it is right."""
    most = float(max(answers["Exact"].max(), answers["Estimate"].max()))
    figure = go.Figure()
    figure.add_scatter(
        x=[0, most], y=[0, most], mode="lines", line={"color": INK, "width": 1.5, "dash": "dot"}, name="right",
        hoverinfo="skip",
    )  # fmt: skip
    figure.add_scatter(
        x=answers["Exact"],
        y=answers["Estimate"],
        mode="markers",
        name="a query",
        marker={"size": 8, "color": ISOLATED, "opacity": 0.7},
        hovertext=[
            f"exactly {exact}, answered {estimate:.1f}"
            for exact, estimate in zip(answers["Exact"], answers["Estimate"], strict=True)
        ],
        hoverinfo="text",
    )
    figure.update_layout(**framed(380), xaxis=axis("people who fit"), yaxis=axis("answer of the release"))
    return figure


def _bare() -> dict[str, Any]:
    return {"visible": False, "fixedrange": True}
