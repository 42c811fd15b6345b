"""The generalization lattice as a Hasse diagram, each state marked by what became of it (paper, Figure 3)."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cra_dashboard.charts.look import HEIGHT, NARROWEST, axis, chart
from cra_dashboard.charts.picture import Axis, Picture, StateMark, drawn_first
from cra_dashboard.palette import Mark
from cra_dashboard.texts import words
from cra_dashboard.texts.states import LOOKS, Status
from cra_engine import Recoding
from cra_engine.publish.local.rounds import Candidate
from cra_engine.study.lattice import Lattice, State

MOST_STATES = 400  # more cannot be told apart
_SIDE_BY_SIDE, _BAND = 120, 0.8  # states in a row, and the part of a level that its rows take
_PATTERNS: dict[Status, str] = {
    "chosen": "x",
    "feasible": "",
    "published": "/",
    "passed": "-",
    "waiting": ".",
    "top": "+",
}


def statuses(recoding: Recoding, index: int, candidates: Sequence[Candidate]) -> dict[State, Status]:
    """Return for the lattice figure what became of each state by step ``index`` of a recoding, in the sweep's order.

    Args:
        recoding: the recoding that is stepped through.
        index: 0 before the first iteration, then the iteration, one past the last for the end of the sweep.
        candidates: the states as this step finds them (``recoding.candidates``).
    """
    steps = recoding.iterations
    chosen = steps[index - 1].state if 1 <= index <= len(steps) else None
    published = {step.state for step in steps[: max(index - 1, 0)]}
    reached = -1 if index == 0 else recoding.lattice.size
    # Where too few records were left, the sweep went no further than its last state.
    if index and (chosen is not None or recoding.suppressed < recoding.study.k):
        reached = recoding.lattice.states.index(chosen or steps[-1].state)
    result: dict[State, Status] = {
        one.state: "feasible" if one.feasible else "passed" if place < reached else "waiting"
        for place, one in enumerate(candidates)
    }
    for state in published:
        result[state] = "published"
    if chosen is not None:
        result[chosen] = "chosen"
    return result | {recoding.lattice.top: "top"}


def lattice_figure(lattice: Lattice, status: Mapping[State, Status], told: Mapping[State, str]) -> Picture:
    """Draw for any page the lattice: upwards the sum of the layers, so that lines lead to coarser states.

    Every step of one recoding has the same states in the same places, so that only what a step changes changes.

    Args:
        lattice: at most 400 states are readable.
        status: of each state.
        told: what the pointer shows per state, in lines.
    """
    places = positions(lattice.states)
    widest = max(1 + 2 * x for x, _ in places.values())
    levels = lattice.c1(lattice.top) - len(lattice.top) + 1
    size = float(np.clip(NARROWEST / widest * 0.6, 5, 15))
    longest = max(len(words.state(state)) for state in status)
    labelled = widest * (8 * longest + 4) <= NARROWEST
    states, worn = [], {*status.values()}
    for state, what in status.items():
        _, symbol, colour, scale = LOOKS[what]
        text = words.state(state) if labelled or what in ("chosen", "top") else ""
        states.append(StateMark(*places[state], colour, symbol, size * scale, state, text, told[state]))
    lowest = len(lattice.top)
    rows = list(range(lowest, lowest + levels, max(1, levels // 12)))
    return Picture(
        Axis("", (-widest / 2 - 0.1, widest / 2 + 0.1)),
        Axis(
            "coarser upwards: sum of the layers", (lowest - 0.5, lowest + levels - 1 + 0.7), rows, list(map(str, rows))
        ),
        edges=edges(places),
        states=states,
        legend=drawn_first(
            {Mark(colour, name, "", 1, symbol): what in worn for what, (name, symbol, colour, _) in LOOKS.items()}
        ),
        heading=f"States ({', '.join(one.name for one in lattice.attributes)}):",
    )


def positions(states: Iterable[Sequence[int]]) -> dict[State, tuple[float, float]]:
    """Place each state in a figure of a lattice: its rank within its level, centred on 0, and the sum of its layers.

    Levels of more states than can stand side by side are folded into several rows, one above the other.
    """
    layers = np.array([*states])
    level = layers.sum(axis=1)
    order = np.lexsort((*(-layers[:, column] for column in reversed(range(layers.shape[1]))), level))
    rank = np.empty(len(layers))
    sizes = np.bincount(level)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rank[order] = np.arange(len(layers)) - starts[level[order]]
    rows = -(-int(sizes.max()) // _SIDE_BY_SIDE)
    columns = np.ceil(sizes / rows)[level]
    row = np.floor(rank / columns)
    across, up = rank - row * columns - (columns - 1) / 2, level + (row - (rows - 1) / 2) * _BAND / rows
    return dict(zip(map(tuple, layers.tolist()), zip(across.tolist(), up.tolist(), strict=True), strict=True))


def edges(places: Mapping[State, tuple[float, float]]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the lines of a lattice's figure, from each state to those that are one layer coarser in one attribute."""
    return [
        (here, places[coarser])
        for state, here in places.items()
        for at, layer in enumerate(state)
        if (coarser := (*state[:at], layer + 1, *state[at + 1 :])) in places
    ]


def level_summary(status: Mapping[State, Status]) -> pd.DataFrame:
    """Count the states per level (sum of the layers) and status, for the bars of a huge lattice."""
    counts = pd.crosstab(
        pd.Series([sum(state) for state in status], name="sum of the layers"),
        pd.Series([LOOKS[what][0] for what in status.values()], name="states"),
    )
    return counts.reindex(columns=[name for name, *_ in LOOKS.values() if name in counts.columns]).sort_index()


def levels_figure(status: Mapping[State, Status]) -> go.Figure:
    """Draw for any page bars instead of a huge lattice: per level (sum of the layers) its states by status."""
    summary = level_summary(status)
    traces = [
        go.Bar(
            x=summary[name],
            y=summary.index,
            name=name,
            orientation="h",
            marker={"color": colour, "line": {"width": 0}, "pattern": {"shape": _PATTERNS[what], "size": 6}},
            hovertemplate="sum of the layers %{y}: %{x} " + name + "<extra></extra>",
        )
        for what, (name, _, colour, _) in LOOKS.items()
        if name in summary
    ]
    margin = {"l": 56, "r": 8, "t": 8, "b": 58}
    across, up = axis("number of states", 13), axis("sum of the layers", 13)
    return chart(traces, HEIGHT, across, up, barmode="stack", margin=margin)
