"""The picture of downcoding: two attributes of one cluster, what is published there, concluded, and true."""

from itertools import product
from math import copysign, sqrt
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.charts.look import HEIGHT, LOOK, axis
from cra_dashboard.downcoding.state import CLUSTERS, Cluster
from cra_dashboard.palette import CHOSEN, ISOLATED, OWN, PAPER, STOLEN, SUPPRESSED, see_through

CENTRE, HALF, NEAR = 130.0, 65.0, 6.6
EDGE = 80.0  # as far as the picture goes: a box that is everything ends there
_TICKS = (-HALF, -NEAR, 0.0, NEAR, HALF)


def stretched(away: float) -> float:
    """A distance from the centre as it is drawn: what is near gets more room."""
    return copysign(sqrt(abs(away)), away)


def pieces(node: int) -> list[tuple[float, float]]:
    """The intervals that a node of the hierarchy is made of, as distances from the centre."""
    if node < 2 * CLUSTERS:
        return [(-NEAR, NEAR)] if node % 2 == 0 else [(-HALF, -NEAR), (NEAR, HALF)]
    return [(-HALF, HALF)] if node < 3 * CLUSTERS else [(-EDGE, EDGE)]


def _boxes(figure: go.Figure, name: str, colour: str, nodes: tuple[int, int], line: str, opacity: float) -> None:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for (left, right), (low, high) in product(pieces(nodes[0]), pieces(nodes[1])):
        a, b, c, d = (stretched(end) for end in (left, right, low, high))
        xs += [a, b, b, a, a, None]
        ys += [c, c, d, d, c, None]
    figure.add_scatter(
        x=xs,
        y=ys,
        mode="lines",
        fill="toself",
        fillcolor=see_through(colour, opacity),
        line={"color": colour, "width": 2, "dash": line},
        name=name,
        hoverinfo="skip",
    )


def cluster_figure(cluster: Cluster, shown: tuple[int, int], *, concluded: bool, truth: bool) -> go.Figure:
    """One cluster in two of its attributes.

    Args:
        cluster: which.
        shown: the two attributes, from 0.
        concluded: whether what the attack concludes is drawn.
        truth: whether the true records are.
    """
    run, rows = cluster.run, cluster.rows
    figure = go.Figure()
    first, second = shown
    boxes = sorted({(int(box[first]), int(box[second])) for box in run.published[rows]})
    for place, box in enumerate(boxes):
        held = sum((int(one[first]), int(one[second])) == box for one in run.published[rows])
        # Where several boxes are published only the outlines tell them apart.
        _boxes(figure, f"published for {held}", OWN, box, "solid", 0.14 if place == 0 else 0.0)
    if concluded and cluster.fired:
        far = run.refined[run.predicate_rows[run.fired.index(cluster.number)]]
        near = 2 * cluster.number
        _boxes(figure, "concluded: one record", STOLEN, (int(far[first]), int(far[second])), "dash", 0.22)
        _boxes(figure, f"concluded: the other {run.k - 1}", CHOSEN, (near, near), "dot", 0.22)
    if truth:
        away = run.values[rows] - CENTRE * (cluster.number + 1)
        is_far = (run.leaves[rows] % 2 == 1).any(axis=1)
        for wanted, name, colour, symbol in (
            (False, "true records, near everywhere", SUPPRESSED, "circle"),
            (True, "true records, far somewhere", ISOLATED, "diamond"),
        ):
            chosen = away[is_far == wanted]
            if len(chosen):
                figure.add_scatter(
                    x=[stretched(value) for value in chosen[:, first]],
                    y=[stretched(value) for value in chosen[:, second]],
                    mode="markers",
                    name=name,
                    marker={
                        "size": 9 if not wanted else 13,
                        "color": colour,
                        "symbol": symbol,
                        "line": {"width": 1, "color": PAPER},  # seen on each fill, on light and dark
                    },
                    hovertext=[f"{x:+.1f} and {y:+.1f} from the centre" for x, y in chosen[:, [first, second]]],
                    hoverinfo="text",
                )
    margin = {"l": 10, "r": 10, "t": 60, "b": 10}
    upwards = _axis(second) | {"scaleanchor": "x"}
    figure.update_layout(**LOOK, height=HEIGHT, margin=margin, xaxis=_axis(first), yaxis=upwards)
    return figure


def _axis(attribute: int) -> dict[str, Any]:
    return axis(
        f"attribute {attribute + 1}, distance from the centre",
        tickvals=[stretched(tick) for tick in _TICKS],
        ticktext=[f"{tick:g}" for tick in _TICKS],
        range=[-stretched(EDGE), stretched(EDGE)],
        showgrid=True,
        linecolor=SUPPRESSED,
        constrain="domain",
    )
