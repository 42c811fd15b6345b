"""The lattice with what became of each state, and every state by what it suppresses and what it loses."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cra_dashboard.charts.look import HEIGHT, LOOK, axis, ring, upright
from cra_dashboard.global_recode.replay import NAMES, ORDER, Moment, Status, reason
from cra_dashboard.palette import CHOSEN, INK, OWN, SUPPRESSED, UNDECIDED
from cra_dashboard.texts import words
from cra_engine.publish.full_domain.search import Looks

MOST_DRAWN = 12_000  # more marks make the page slow
MOST_EDGES = 400  # states up to which lines can be told apart
_MOST_NAMED = 25  # states up to which each has its name beside it, on a telephone too
_SIDE_BY_SIDE, _BAND = 120, 0.8  # states in a row, and the part of a level that its rows take
_WIDTH = 290
# Marker, colour, size beside the others; shapes tell what colours tell.
_LOOKS: dict[Status, tuple[str, str, float]] = {
    "waiting": ("circle-open", "rgba(128, 128, 128, 0.6)", 0.7),
    "implied_no": ("line-ew-open", SUPPRESSED, 0.9),
    "no": ("x", SUPPRESSED, 0.9),
    "later": ("diamond-open", UNDECIDED, 0.9),
    "implied": ("circle-open", CHOSEN, 1),
    "looked": ("circle", CHOSEN, 1),
    "chosen": ("star", OWN, 2.4),
}
LOSSES = {
    "entropy": "entropy lost, bits",
    "precision": "precision lost, 0 to 1",
    "discernibility": "discernibility, powers of ten",
    "aecs": "average class size, powers of ten",
}


def lattice_figure(
    looks: Looks, now: Moment, path: Sequence[Sequence[int]], at: Sequence[int] | None, picked: int | None = None
) -> go.Figure:
    """The lattice as a Hasse diagram: upwards the sum of the layers, a mark per state.

    Args:
        looks: what was found out.
        now: what is known at the step that is shown.
        path: the path that Flash bisects at this step, from below.
        at: the state that it looks at.
        picked: the place of the state that somebody has chosen.
    """
    layers = _layers(looks)
    x, y = positions(layers)
    places = {tuple(state): place for place, state in enumerate(layers.tolist())}
    widest = 2 * float(x.max()) + 1
    size = float(np.clip(3 * _WIDTH / widest, 4, 15)) if looks.states <= MOST_EDGES else 5.0
    named = looks.states <= _MOST_NAMED
    figure = go.Figure()
    if looks.states <= MOST_EDGES:
        figure.add_trace(_edges(layers, places, x, y))
    for status in ORDER:
        of_status = np.flatnonzero(now.status == ORDER.index(status))
        if not len(of_status):
            continue
        symbol, colour, scale = _LOOKS[status]
        figure.add_scatter(
            x=x[of_status],
            y=y[of_status],
            mode="markers+text" if named else "markers",
            text=[words.state(layers[place]) for place in of_status] if named else None,
            textposition="middle right",
            textfont={"size": 14, "color": INK},
            name=NAMES[status],
            marker={
                "symbol": symbol,
                "size": max(size * scale, 12 if status == "chosen" else 0),
                "color": colour,
                "line": {"width": 1.5 if symbol.endswith("open") else 0, "color": colour},
            },
            hovertext=[
                f"<b>{words.state(layers[place])}</b><br>{reason(looks, now, int(place))}" for place in of_status
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
            **_touched(of_status),
        )
    if picked is not None:
        figure.add_trace(ring([x[picked]], [y[picked]], INK, name="chosen by you"))
    if path:
        on = [places[tuple(state)] for state in path]
        figure.add_scatter(
            x=x[on],
            y=y[on],
            mode="lines+markers",
            name="path",
            line={"color": OWN, "width": 2},
            marker={"size": 6, "color": OWN},
            hoverinfo="skip",
        )
    if at is not None:
        place = places[tuple(at)]
        figure.add_trace(ring([x[place]], [y[place]], OWN, name="looked at now"))
    figure.layout = go.Layout(
        xaxis={"visible": False, "range": [-widest / 2 - 0.5, widest / 2 + 0.5], "fixedrange": True},
        yaxis=axis("sum of the layers", range=[-0.7, float(y.max()) + 0.9], showgrid=False, nticks=12),
        **_common(),
    )
    return figure


def loss_figure(
    looks: Looks, every: Looks, utility: str, chosen: Sequence[int], picked: int | None = None
) -> go.Figure:
    """Every state by the share of records that it suppresses and by its loss, with the limit and the optimum.

    Args:
        looks: what the search found out.
        every: the figures of every state.
        utility: the loss.
        chosen: the published state.
        picked: the place of the state that somebody has chosen.
    """
    layers = _layers(every)
    suppressed = every.suppressed.ravel()
    shares = 100 * suppressed / every.records
    losses = np.array([every.loss(tuple(state), utility) for state in layers.tolist()])
    drawn = np.log10(np.maximum(losses, 1e-9)) if _log(utility) else losses
    best = int(np.ravel_multi_index(tuple(chosen), every.looked.shape))
    anonymous, looked = every.anonymous.ravel(), looks.looked.ravel()
    figure = go.Figure()
    for name, mask, symbol, colour in (
        ("not anonymous", ~anonymous, "x", SUPPRESSED),
        ("anonymous, predicted", anonymous & ~looked, "circle-open", CHOSEN),
        ("anonymous, checked", anonymous & looked, "circle", CHOSEN),
    ):
        of_mask = np.flatnonzero(mask)
        if len(of_mask):
            figure.add_scatter(
                x=shares[of_mask],
                y=drawn[of_mask],
                mode="markers",
                name=name,
                marker={"symbol": symbol, "size": 6, "color": colour, "opacity": 0.6},
                hovertext=[
                    f"<b>{words.state(layers[place])}</b><br>{suppressed[place]:,} records suppressed<br>"
                    f"{utility}: {losses[place]:,.6g}"
                    for place in of_mask
                ],
                hovertemplate="%{hovertext}<extra></extra>",
                **_touched(of_mask),
            )
    figure.add_scatter(
        x=[shares[best]],
        y=[drawn[best]],
        mode="markers",
        name="published",
        marker={"symbol": "star", "size": 18, "color": OWN, "line": {"width": 1, "color": "white"}},
        hovertext=[f"<b>{words.state(chosen)}</b><br>{utility}: {losses[best]:,.6g}<br>the least of all anonymous"],
        hovertemplate="%{hovertext}<extra></extra>",
        **_touched([best]),
    )
    if picked is not None:
        figure.add_trace(ring([shares[picked]], [drawn[picked]], INK, name="chosen by you"))
    powers: dict[str, Any] = {"tickprefix": "10<sup>", "ticksuffix": "</sup>"} if _log(utility) else {}
    figure.layout = go.Layout(
        xaxis=axis("records suppressed, %", rangemode="tozero"),
        yaxis=axis(LOSSES[utility], **powers),
        shapes=[upright(100 * every.limit / every.records, color=OWN, width=2, dash="dash")],
        **_common(),
    )
    return figure


def positions(layers: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where each state stands: its rank within its level, centred around 0, and the sum of its layers.

    Levels of more states than can stand side by side are folded into several rows, one above the other.
    """
    level = layers.sum(axis=1)
    order = np.lexsort((*(-layers[:, column] for column in reversed(range(layers.shape[1]))), level))
    rank = np.empty(len(layers))
    sizes = np.bincount(level)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rank[order] = np.arange(len(layers)) - starts[level[order]]
    rows = -(-int(sizes.max()) // _SIDE_BY_SIDE)
    columns = np.ceil(sizes / rows)[level]
    row = np.floor(rank / columns)
    up = level + (row - (rows - 1) / 2) * _BAND / rows
    return rank - row * columns - (columns - 1) / 2, up


def _touched(places: Iterable[int]) -> dict[str, Any]:
    """What makes marks answer to a click: it hands over the place of the state; nothing fades."""
    kept = {"marker": {"opacity": 0.9}}
    return {"customdata": [[int(place)] for place in places], "selected": kept, "unselected": kept}


def _layers(looks: Looks) -> NDArray[np.int64]:
    return np.stack(np.unravel_index(np.arange(looks.states), looks.looked.shape), axis=1).astype(np.int64)


def _log(utility: str) -> bool:
    return utility in ("discernibility", "aecs")


def _edges(
    layers: NDArray[np.int64],
    places: dict[tuple[int, ...], int],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
) -> go.Scatter:
    across: list[float | None] = []
    up: list[float | None] = []
    for place, state in enumerate(layers.tolist()):
        for column in range(len(state)):
            coarser = places.get((*state[:column], state[column] + 1, *state[column + 1 :]))
            if coarser is not None:
                across += [float(x[place]), float(x[coarser]), None]
                up += [float(y[place]), float(y[coarser]), None]
    line = {"width": 1, "color": "rgba(128, 128, 128, 0.5)"}
    return go.Scatter(x=across, y=up, mode="lines", line=line, hoverinfo="skip", showlegend=False)


def _common() -> dict[str, Any]:
    return {
        **LOOK,
        "height": HEIGHT,
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
        "legend": LOOK["legend"] | {"itemsizing": "constant"},
        "clickmode": "event+select",
    }
