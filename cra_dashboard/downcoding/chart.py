"""The picture of downcoding: two attributes of one cluster, what is published there, concluded, and true."""

from html import escape
from itertools import product
from math import copysign, sqrt
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.charts.look import HEIGHT, axis, chart, line, marks
from cra_dashboard.downcoding.state import CLUSTERS, Cluster
from cra_dashboard.palette import CHOSEN, ISOLATED, OWN, PAPER, STOLEN, SUPPRESSED, see_through

CENTRE, HALF, NEAR = 130.0, 65.0, 6.6
EDGE = 80.0  # as far as the picture goes: a box that is everything ends there
LEGEND = 40  # pixels above the picture for its legend, of those that a figure has
_LEGEND = "display:flex;flex-wrap:wrap;gap:0.1em 1.2em;font-size:14px"
_TICKS = (-HALF, -NEAR, 0.0, NEAR, HALF)


def stretched(away: float) -> float:
    """Return a distance from the cluster's centre as Downcode draws it: what is near gets more room."""
    return copysign(sqrt(abs(away)), away)


def pieces(node: int) -> list[tuple[float, float]]:
    """Return the intervals of a node of Downcode's hierarchy, as distances from the centre."""
    if node < 2 * CLUSTERS:
        return [(-NEAR, NEAR)] if node % 2 == 0 else [(-HALF, -NEAR), (NEAR, HALF)]
    return [(-HALF, HALF)] if node < 3 * CLUSTERS else [(-EDGE, EDGE)]


def _boxes(name: str, colour: str, nodes: tuple[int, int], dash: str, opacity: float) -> go.Scatter:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for (left, right), (low, high) in product(pieces(nodes[0]), pieces(nodes[1])):
        a, b, c, d = (stretched(end) for end in (left, right, low, high))
        xs += [a, b, b, a, a, None]
        ys += [c, c, d, d, c, None]
    fill = see_through(colour, opacity)
    return line(xs, ys, colour, dash=dash, name=name, fill="toself", fillcolor=fill)


def cluster_figure(cluster: Cluster, shown: tuple[int, int], *, concluded: bool, truth: bool) -> go.Figure:
    """Draw one cluster of Downcode in two of its attributes.

    Args:
        cluster: which.
        shown: the two attributes, from 0.
        concluded: whether what the attack concludes is drawn.
        truth: whether the true records are.
    """
    run, rows = cluster.run, cluster.rows
    first, second = shown
    published = [(int(box[first]), int(box[second])) for box in run.published[rows]]
    # Where several boxes are published only the outlines tell them apart.
    traces = [
        _boxes(f"published for {published.count(box)}", OWN, box, "solid", 0.0 if place else 0.14)
        for place, box in enumerate(sorted(set(published)))
    ]
    if concluded and cluster.fired:
        far = run.refined[run.predicate_rows[run.fired.index(cluster.number)]]
        near = 2 * cluster.number
        traces.append(_boxes("concluded: one record", STOLEN, (int(far[first]), int(far[second])), "dash", 0.22))
        traces.append(_boxes(f"concluded: the other {run.k - 1}", CHOSEN, (near, near), "dot", 0.22))
    away = run.values[rows] - CENTRE * (cluster.number + 1)
    is_far = (run.leaves[rows] % 2 == 1).any(axis=1)
    for wanted, name, colour, symbol, size in (
        (False, "true records near the centre in every attribute", SUPPRESSED, "circle", 9),
        (True, "true records far from it in some attribute", ISOLATED, "diamond", 13),
    ):
        chosen = away[is_far == wanted][:, [first, second]]
        if truth and len(chosen):
            xs, ys = ([stretched(value) for value in column] for column in chosen.T)
            told = [f"{x:+.1f} and {y:+.1f} from the centre" for x, y in chosen]
            edge = {"width": 1, "color": PAPER}  # seen on each fill, on light and dark
            traces.append(marks(xs, ys, name, colour, symbol, size, told=told, edge=edge))
    upwards = _axis(second) | {"scaleanchor": "x", "constraintoward": "top"}
    return chart(traces, HEIGHT - LEGEND, _axis(first), upwards, showlegend=False)


def legend(figure: go.Figure) -> str:
    """Return the legend of one of these pictures as HTML, to stand above it.

    It takes the height of its lines, however many there are: Plotly's own ran through the picture while both came to
    fit.
    """
    return f'<div style="{_LEGEND}">{"".join(map(_entry, figure.data))}</div>'


def _entry(trace: go.Scatter) -> str:
    if trace.mode == "lines":
        edge = {"solid": "solid", "dash": "dashed", "dot": "dotted"}[trace.line.dash]
        look = f"width:1.6em;height:0.9em;border:2px {edge} {trace.line.color};background:{trace.fillcolor}"
    else:
        shape = {"circle": "border-radius:50%", "diamond": "transform:rotate(45deg)"}[trace.marker.symbol]
        look = f"width:0.65em;height:0.65em;margin:0 0.3em;background:{trace.marker.color};{shape}"
    sign = f'<span style="flex:none;{look}"></span>'
    return f'<span style="display:flex;align-items:center;gap:0.4em">{sign}{escape(trace.name)}</span>'


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
