"""The lattice with what became of each state, and every state by what it suppresses and what it loses."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cra_dashboard.charts.lattice import edges, positions
from cra_dashboard.charts.look import (
    GRID,
    HEIGHT,
    LOOK,
    NARROWEST,
    POWERS,
    UNFADED,
    axis,
    chart,
    line,
    marks,
    ring,
    upright,
)
from cra_dashboard.global_recode.replay import NAMES, ORDER, Moment, Status, status_reason
from cra_dashboard.palette import CHOSEN, INK, OWN, SUPPRESSED, UNDECIDED
from cra_dashboard.texts import words
from cra_engine.publish.full_domain.search import Looks

MOST_DRAWN = 12_000  # more marks make the page slow
MOST_EDGES = 400  # states up to which lines can be told apart
_MOST_NAMED = 25  # states up to which each has its name beside it, on a telephone too
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
_COMMON: dict[str, Any] = {
    "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
    "legend": LOOK["legend"] | {"itemsizing": "constant"},
    "clickmode": "event+select",
}
LOSSES = {
    "entropy": "entropy lost, bits",
    "precision": "precision lost, 0 to 1",
    "discernibility": "discernibility, powers of ten",
    "aecs": "average class size, powers of ten",
}


def lattice_figure(
    looks: Looks, now: Moment, path: Sequence[Sequence[int]], at: Sequence[int] | None, picked: int | None
) -> go.Figure:
    """Draw a search's lattice on Global recode: upwards the sum of the layers, a mark per state.

    Args:
        looks: what was found out.
        now: what is known at the step that is shown.
        path: the states that the search chose this step's among, from below.
        at: the state that it looks at.
        picked: the place of the state that somebody has chosen.
    """
    layers = _layers(looks)
    drawn = positions(layers)
    x, y = np.array([*drawn.values()]).T
    places = {state: place for place, state in enumerate(drawn)}
    widest = 2 * float(x.max()) + 1
    size = float(np.clip(3 * NARROWEST / widest, 4, 15)) if looks.states <= MOST_EDGES else 5.0
    named = looks.states <= _MOST_NAMED
    traces = []
    if looks.states <= MOST_EDGES:
        ends = [end for edge in edges(drawn) for end in (*edge, (None, None))]
        traces.append(line([x for x, _ in ends], [y for _, y in ends], GRID, 1))
    for status in ORDER:
        of = np.flatnonzero(now.status == ORDER.index(status))
        if not len(of):
            continue
        symbol, colour, scale = _LOOKS[status]
        texts = [words.state(layers[place]) for place in of] if named else None
        told = [f"<b>{words.state(layers[place])}</b><br>{status_reason(looks, now, int(place))}" for place in of]
        traces.append(
            marks(
                x[of],
                y[of],
                NAMES[status],
                colour,
                symbol,
                max(size * scale, 12 if status == "chosen" else 0),
                told=told,
                of=map(int, of),
                edge={"width": 1.5 if symbol.endswith("open") else 0, "color": colour},
                mode="markers+text" if named else "markers",
                text=texts,
                textposition="top center",
                textfont={"size": 14, "color": INK},
                cliponaxis=False,
                **UNFADED,
            )
        )
    if picked is not None:
        traces.append(ring([x[picked]], [y[picked]], INK, name="chosen by you"))
    if len(path) > 1:
        on = [places[tuple(state)] for state in path]
        dots: dict[str, Any] = {"mode": "lines+markers", "marker": {"size": 6, "color": OWN}}
        traces.append(line(x[on], y[on], OWN, name="path", showlegend=True, **dots))
    if at is not None:
        place = places[tuple(at)]
        traces.append(ring([x[place]], [y[place]], OWN, name="looked at now"))
    across = {"visible": False, "range": [-widest / 2 - 0.5, widest / 2 + 0.5], "fixedrange": True}
    top = float(y.max())
    steps: dict[str, Any] = {"tick0": 0, "dtick": max(1, round(top / 12))}  # whole layers
    up = axis("coarser upwards: sum of the layers", range=[-0.7, top + 0.9], showgrid=False, **steps)
    return chart(traces, HEIGHT, across, up, **_COMMON)


def loss_figure(looks: Looks, every: Looks, utility: str, chosen: Sequence[int], picked: int | None) -> go.Figure:
    """Draw every state of Global recode by the share it suppresses and its loss, with the limit and the optimum.

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
    as_powers = utility in ("discernibility", "aecs")
    drawn = np.log10(np.maximum(losses, 1e-9)) if as_powers else losses
    best = int(np.ravel_multi_index(tuple(chosen), every.looked.shape))
    anonymous, looked = every.anonymous.ravel(), looks.looked.ravel()
    traces = []
    for name, mask, symbol, colour in (
        ("not anonymous", ~anonymous, "x", SUPPRESSED),
        ("anonymous, predicted", anonymous & ~looked, "circle-open", CHOSEN),
        ("anonymous, checked", anonymous & looked, "circle", CHOSEN),
    ):
        of = np.flatnonzero(mask)
        if len(of):
            told = [
                f"<b>{words.state(layers[place])}</b><br>{suppressed[place]:,} records suppressed<br>"
                f"{utility}: {losses[place]:,.6g}"
                for place in of
            ]
            look: dict[str, Any] = {"told": told, "of": map(int, of), "opacity": 0.6}
            traces.append(marks(shares[of], drawn[of], name, colour, symbol, 6, **look, **UNFADED))
    told = [f"<b>{words.state(chosen)}</b><br>{utility}: {losses[best]:,.6g}<br>the least of all anonymous"]
    star: dict[str, Any] = {"told": told, "of": [best], "edge": {"width": 1, "color": "white"}}
    traces.append(marks([shares[best]], [drawn[best]], "published", OWN, "star", 18, **star, **UNFADED))
    if picked is not None:
        traces.append(ring([shares[picked]], [drawn[picked]], INK, name="chosen by you"))
    limit = upright(100 * every.limit / every.records, color=OWN, width=2, dash="dash")
    across, up = axis("records suppressed, %", rangemode="tozero"), axis(LOSSES[utility], **POWERS if as_powers else {})
    return chart(traces, HEIGHT, across, up, shapes=[limit], **_COMMON)


def _layers(looks: Looks) -> NDArray[np.int64]:
    return np.stack(np.unravel_index(np.arange(looks.states), looks.looked.shape), axis=1).astype(np.int64)
