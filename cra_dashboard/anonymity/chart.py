"""The picture of effective anonymity: per adversary how many records are few, and how many surely are."""

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from cra_dashboard.anonymity.story import Line
from cra_dashboard.charts.look import axis, chart, line, marks
from cra_dashboard.palette import OWN, STOLEN


def lines_figure(lines: Sequence[Line], below: int) -> go.Figure:
    """Draw per adversary of Effective anonymity the shares of unique (large marks) and few (small) records."""
    traces, places = [], list(range(len(lines)))
    for name, colour, symbol, pairs in (
        ("equal cells", STOLEN, "circle", [(one.unique, one.few) for one in lines]),
        ("a missing cell may be anything", OWN, "diamond", [(one.sure_unique, one.sure_few) for one in lines]),
    ):
        rows = [place + (0.14 if symbol == "circle" else -0.14) for place in places]
        shares = [(100 * a / one.records, 100 * b / one.records) for (a, b), one in zip(pairs, lines, strict=True)]
        across = [end for a, b in shares for end in (a, b, None)]
        traces.append(line(across, [end for row in rows for end in (row, row, None)], colour, 3))
        for end, size, what in ((1, 9, f"below {below}"), (0, 15, "unique")):
            told = [f"{pair[end]:,} of {one.records:,}" for pair, one in zip(pairs, lines, strict=True)]
            drawn = [share[end] for share in shares]
            traces.append(marks(drawn, rows, f"{what}, {name}", colour, symbol, size, told=told, cliponaxis=False))
    names = [escape(one.name) for one in lines]
    return chart(
        traces,
        170 + 70 * len(lines),
        axis("% of the records", rangemode="tozero", showgrid=True),
        axis(tickvals=places, ticktext=names, range=[len(lines) - 0.5, -0.5], showgrid=False),
        margin={"l": 10, "r": 20, "t": 100, "b": 10},
    )
