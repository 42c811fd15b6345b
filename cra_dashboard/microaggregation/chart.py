"""Pictures: clusters on two columns, one cell with its contributors, what k buys."""

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cra_dashboard.charts.look import HEIGHT, UNFADED, axis, framed, ring, upright
from cra_dashboard.microaggregation.story import percent, row, rule_name, value
from cra_dashboard.palette import CHOSEN, INK, OWN, PAPER, STOLEN, SUPPRESSED, UNDECIDED
from cra_engine import SensitiveCells
from cra_engine.risk.sensitive_cells import Cell
from cra_engine.risk.what_k_buys import Bought

FONT = 14
MOST_RECORDS = 3000  # beyond, only the means are drawn

# name, colour, symbol of the mean, size
BOTH = ("sensitive by both rules", STOLEN, "diamond", 14)
ONE = ("by one rule", UNDECIDED, "square", 10)
ELSEWHERE = ("in another column only", UNDECIDED, "square-open", 10)
UNDEFINED = ("undefined (negative)", SUPPRESSED, "x", 11)
SAFE = ("no cell sensitive", OWN, "circle", 10)
LOOKS = (SAFE, UNDEFINED, ELSEWHERE, ONE, BOTH)


def statuses(found: SensitiveCells, shown: tuple[int, int]) -> list[tuple[str, str, str, int]]:
    """How each class is drawn: by the two columns shown, then by the others."""
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
    """The classes on two columns: each mean with its records, those with a sensitive cell apart.

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
    figure = go.Figure()
    if sum(map(len, found.groups)) <= MOST_RECORDS:
        _records(figure, found, points, means, looks, what)
    for look in LOOKS:
        groups = [group for group, own in enumerate(looks) if own is look]
        if groups:
            name, colour, symbol, size = look
            add = figure.add_scattergl if len(found.groups) > MOST_RECORDS else figure.add_scatter
            add(
                x=means[groups, 0],
                y=means[groups, 1],
                mode="markers",
                name=name,
                marker={"symbol": symbol, "size": size, "color": colour, "line": {"width": 2, "color": colour}},
                customdata=[[group] for group in groups],
                hovertext=[_told(found, by_rule, group, means[group], shown, what) for group in groups],
                hoverinfo="text",
                **UNFADED,
            )
    if chosen is not None:
        figure.add_trace(ring([means[chosen, 0]], [means[chosen, 1]], CHOSEN, showlegend=False))
    names = found.columns.names
    figure.update_layout(
        **framed(HEIGHT), xaxis=axis(names[shown[0]]), yaxis=axis(names[shown[1]]), clickmode="event+select"
    )
    return figure


def _records(
    figure: go.Figure,
    found: SensitiveCells,
    points: NDArray[np.float64],
    means: NDArray[np.float64],
    looks: Sequence[tuple[str, str, str, int]],
    what: str,
) -> None:
    """Each record as a dot, joined to its mean; one trace of lines and one of dots per colour."""
    for colour in dict.fromkeys(look[1] for look in looks):
        groups = [group for group, look in enumerate(looks) if look[1] == colour]
        rows = np.concatenate([found.groups[group] for group in groups])
        of = np.repeat(groups, [len(found.groups[group]) for group in groups])
        gaps = np.full((len(rows), 2), np.nan)
        lines = np.stack([points[rows], means[of], gaps], axis=1).reshape(-1, 2)
        figure.add_scatter(
            x=lines[:, 0],
            y=lines[:, 1],
            mode="lines",
            line={"color": colour, "width": 1},
            opacity=0.45,
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_scatter(
            x=points[rows, 0],
            y=points[rows, 1],
            mode="markers",
            marker={"size": 6, "color": colour, "opacity": 0.6},
            customdata=[[int(group)] for group in of],
            hovertext=[f"{row(int(at))}, {what} {int(group)}" for at, group in zip(rows, of, strict=True)],
            hoverinfo="text",
            showlegend=False,
            selected={"marker": {"opacity": 0.6}},
            unselected={"marker": {"opacity": 0.6}},
        )


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


def cell_figure(cell: Cell) -> go.Figure:
    """One cell: how its total splits up, and what the second largest contributor concludes of the largest."""
    second, total = cell.contributions[1], cell.total
    closest = cell.closest()
    rest = total - cell.contributions[0] - second
    parts = [
        (f"largest: {row(cell.rows[0])}", cell.contributions[0], OWN, ""),
        (f"second: {row(cell.rows[1])}", second, CHOSEN, "/"),
        ("all others", rest, SUPPRESSED, "."),
    ]
    figure = go.Figure()
    for name, part, colour, pattern in parts:
        figure.add_bar(
            x=[float(part)],
            y=["the total"],
            name=name,
            orientation="h",
            marker={
                "color": colour,
                "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": PAPER, "size": 6},
            },
            hovertext=[f"{name}: {value(part)}"],
            hoverinfo="text",
        )
    if closest is not None:
        low, high, truth = float(closest.lower), float(closest.upper), float(cell.contributions[0])
        figure.add_scatter(
            x=[low, high],
            y=["concluded"] * 2,
            mode="lines+markers",
            line={"color": STOLEN, "width": 5},
            marker={"symbol": "line-ns", "size": 18, "line": {"width": 4, "color": STOLEN}},
            name="what the second concludes of the largest",
            hovertext=[f"at least {value(closest.lower)}", f"at most {value(closest.upper)}"],
            hoverinfo="text",
        )
        figure.add_scatter(
            x=[truth],
            y=["concluded"],
            mode="markers",
            marker={"symbol": "star", "size": 14, "color": INK, "line": {"width": 1, "color": PAPER}},
            name="the truth",
            hovertext=[f"the truth: {value(cell.contributions[0])}"],
            hoverinfo="text",
        )
    figure.update_layout(
        **framed(230),
        barmode="stack",
        xaxis=axis(cell.column, rangemode="tozero"),
        yaxis=axis(categoryorder="array", categoryarray=["concluded", "the total"]),
    )
    return figure


def bought_figure(points: Sequence[Bought], rules: Sequence[object], k: int) -> go.Figure:
    """Sensitive cells and loss by k: the paper's Table 2 as a picture; a click takes over a k."""
    ks = [point.k for point in points]
    figure = go.Figure()
    looks = ((STOLEN, "diamond", "solid"), (UNDECIDED, "square", "dash"))
    for at, (rule, (colour, symbol, dash)) in enumerate(zip(rules, looks, strict=True)):
        figure.add_scatter(
            x=ks,
            y=[100 * point.sensitive[at] / point.cells for point in points],
            mode="lines+markers",
            name=f"sensitive by {rule_name(rule)}",
            line={"color": colour, "width": 2, "dash": dash},
            marker={"symbol": symbol, "size": 10, "color": colour},
            customdata=[[each] for each in ks],
            hovertext=[f"k = {p.k}: {p.sensitive[at]:,} of {p.cells:,} cells" for p in points],
            hoverinfo="text",
        )
    losses: list[tuple[str, str, str, str, list[float | None]]] = [
        ("loss", OWN, "circle", "solid", [point.loss for point in points]),
        (
            "loss once no cell is sensitive",
            CHOSEN,
            "triangle-up",
            "dot",
            [point.loss_complying for point in points],
        ),
    ]
    for name, colour, symbol, dash, shares in losses:
        if any(share is not None for share in shares):
            figure.add_scatter(
                x=ks,
                y=[None if share is None else 100 * share for share in shares],
                yaxis="y2",
                mode="lines+markers",
                name=name,
                line={"color": colour, "width": 2, "dash": dash},
                marker={"symbol": symbol, "size": 9, "color": colour},
                customdata=[[each] for each in ks],
                hovertext=[
                    "" if share is None else f"k = {each}: {name} {percent(share)}"
                    for each, share in zip(ks, shares, strict=True)
                ],
                hoverinfo="text",
            )
    figure.update_traces(UNFADED)
    ticks = {"dtick": 1} if len(ks) <= 20 else {}
    figure.update_layout(
        **framed(480),
        clickmode="event+select",
        xaxis=axis("k", anchor="y2", **ticks),
        yaxis=axis("sensitive cells, %", domain=[0.55, 1], range=[-4, 104]),
        yaxis2=axis("loss, %", domain=[0, 0.42], rangemode="tozero"),
        shapes=[upright(k, color=INK, width=1, dash="dot") | {"layer": "below"}] if k in ks else [],
    )
    return figure
