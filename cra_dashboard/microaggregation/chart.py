"""The picture of clusters on two columns."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cra_dashboard.charts.look import HEIGHT, UNFADED, axis, chart, line, marks, ring
from cra_dashboard.microaggregation.story import row, rule_name, value
from cra_dashboard.palette import CHOSEN, OWN, STOLEN, SUPPRESSED, UNDECIDED
from cra_engine import SensitiveCells

FONT = 14
MOST_RECORDS = 3000  # beyond, only the means are drawn

# name, colour, symbol of the mean, size
BOTH = ("sensitive by both rules", STOLEN, "diamond", 14)
ONE = ("sensitive by one rule", UNDECIDED, "square", 10)
ELSEWHERE = ("sensitive in another column only", UNDECIDED, "square-open", 10)
UNDEFINED = ("undefined (negative)", SUPPRESSED, "x", 11)
SAFE = ("no cell sensitive", OWN, "circle", 10)
LOOKS = (SAFE, UNDEFINED, ELSEWHERE, ONE, BOTH)


def statuses(found: SensitiveCells, shown: tuple[int, int]) -> list[tuple[str, str, str, int]]:
    """Return how Microaggregate draws each cluster: by the two columns shown, then by the others."""
    looks = [SAFE] * len(found.groups)
    undefined = {group for group, _ in found.findings[0].undefined}
    by_rule = [set(one.sensitive) for one in found.findings]
    for group in undefined:
        looks[group] = UNDEFINED
    for place in found.offending:
        group, column = place
        own = ELSEWHERE if column not in shown else BOTH if all(place in cells for cells in by_rule) else ONE
        if LOOKS.index(own) > LOOKS.index(looks[group]):
            looks[group] = own
    return looks


def clusters_figure(found: SensitiveCells, shown: tuple[int, int], chosen: int | None, what: str) -> go.Figure:
    """Draw Microaggregate's clusters on two columns: each mean with its records, sensitive cells apart.

    Args:
        found: the classes with what the rules say.
        shown: the numbers of the columns across and upwards.
        chosen: a class to ring.
        what: what a class is called: ``"cluster"``, ``"class"``.
    """
    scale = 10.0**found.columns.digits
    points = found.columns.whole[:, list(shown)].astype(float) / scale
    means = np.array([points[rows].mean(axis=0) for rows in found.groups]).reshape(-1, 2)
    looks = statuses(found, shown)
    by_rule = [(rule_name(one.rule), set(one.sensitive)) for one in found.findings]
    few = sum(map(len, found.groups)) <= MOST_RECORDS
    traces = _records(found, points, means, looks, what) if few else []
    for look in LOOKS:
        groups = [group for group, own in enumerate(looks) if own is look]
        if groups:
            name, colour, symbol, size = look
            told = [_told(found, by_rule, group, means[group], shown, what) for group in groups]
            edge = {"width": 2, "color": colour}
            across, upwards = means[groups, 0], means[groups, 1]
            drawn = marks(across, upwards, name, colour, symbol, size, told=told, of=groups, edge=edge, **UNFADED)
            many = len(found.groups) > MOST_RECORDS
            traces.append(go.Scattergl(drawn.to_plotly_json() | {"type": "scattergl"}) if many else drawn)
    if chosen is not None:
        traces.append(ring([means[chosen, 0]], [means[chosen, 1]], CHOSEN, name="this cluster"))
    x, y = (axis(found.columns.names[column]) for column in shown)
    return chart(traces, HEIGHT, x, y, clickmode="event+select")


def _records(
    found: SensitiveCells,
    points: NDArray[np.float64],
    means: NDArray[np.float64],
    looks: Sequence[tuple[str, str, str, int]],
    what: str,
) -> list[go.Scatter]:
    """Each record as a dot, joined to its mean; one trace of lines and one of dots per colour."""
    traces: list[go.Scatter] = []
    faint, name = {"marker": {"opacity": 0.6}}, f"a record, joined to the mean of its {what}"
    for colour in dict.fromkeys(look[1] for look in looks):
        groups = [group for group, look in enumerate(looks) if look[1] == colour]
        rows = np.concatenate([found.groups[group] for group in groups])
        of = np.repeat(groups, [len(found.groups[group]) for group in groups])
        gaps = np.full((len(rows), 2), np.nan)
        lines = np.stack([points[rows], means[of], gaps], axis=1).reshape(-1, 2)
        told = [f"{row(int(at))}, {what} {int(group)}" for at, group in zip(rows, of, strict=True)]
        traces.append(line(lines[:, 0], lines[:, 1], colour, 1, opacity=0.45))
        dots: dict[str, Any] = {
            "size": 6,
            "told": told,
            "of": map(int, of),
            "opacity": 0.6,
            "showlegend": not traces[1:],
        }
        traces.append(marks(points[rows, 0], points[rows, 1], name, colour, **dots, selected=faint, unselected=faint))
    return traces


def _told(
    found: SensitiveCells,
    by_rule: Sequence[tuple[str, set[tuple[int, int]]]],
    group: int,
    mean: NDArray[np.float64],
    shown: tuple[int, int],
    what: str,
) -> str:
    parts = [f"<b>{what.capitalize()} {group}</b>, {len(found.groups[group]):,} records"]
    for place, column in enumerate(dict.fromkeys(shown)):
        by = [name for name, cells in by_rule if (group, column) in cells]
        said = f": sensitive by {' and '.join(by)}" if by else ""
        parts.append(f"{escape(found.columns.names[column])} {value(float(mean[place]))}{said}")
    return "<br>".join(parts)
