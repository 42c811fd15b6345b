"""The picture of effective anonymity: per adversary how many records are few, and how many surely are."""

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from cra_dashboard.anonymity.story import Line
from cra_dashboard.charts.look import LOOK, axis
from cra_dashboard.palette import OWN, STOLEN


def lines_figure(lines: Sequence[Line], below: int) -> go.Figure:
    """Shares of the records that are unique (large marks) and few (small ones), as they stand and for sure."""
    figure = go.Figure()
    places = list(range(len(lines)))
    for name, colour, symbol, pairs in (
        ("equal cells", STOLEN, "circle", [(line.unique, line.few) for line in lines]),
        ("a missing cell may be anything", OWN, "diamond", [(line.sure_unique, line.sure_few) for line in lines]),
    ):
        offset = 0.14 if symbol == "circle" else -0.14
        shares = [(100 * a / line.records, 100 * b / line.records) for (a, b), line in zip(pairs, lines, strict=True)]
        figure.add_scatter(
            x=[end for a, b in shares for end in (a, b, None)],
            y=[end for place in places for end in (place + offset, place + offset, None)],
            mode="lines",
            line={"color": colour, "width": 3},
            hoverinfo="skip",
            showlegend=False,
        )
        for end, size, what in ((1, 9, f"below {below}"), (0, 15, "unique")):
            figure.add_scatter(
                x=[share[end] for share in shares],
                y=[place + offset for place in places],
                mode="markers",
                name=f"{what}, {name}",
                marker={"size": size, "color": colour, "symbol": symbol},
                hovertext=[f"{pair[end]:,} of {line.records:,}" for pair, line in zip(pairs, lines, strict=True)],
                hoverinfo="text",
                cliponaxis=False,
            )
    names = [escape(line.name) for line in lines]
    figure.update_layout(
        **LOOK,
        height=170 + 70 * len(lines),
        margin={"l": 10, "r": 20, "t": 100, "b": 10},
        xaxis=axis("% of the records", rangemode="tozero", showgrid=True),
        yaxis=axis(tickvals=places, ticktext=names, range=[len(lines) - 0.5, -0.5], showgrid=False),
    )
    return figure
