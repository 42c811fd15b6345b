"""The picture of effective anonymity: per adversary how many records are few, and how many surely are."""

from collections.abc import Mapping
from html import escape

import plotly.graph_objects as go

from cra_dashboard.anonymity.story import Counts
from cra_dashboard.charts.look import axis, chart, line, marks
from cra_dashboard.palette import INK, OWN, STOLEN


def lines_figure(counted: Mapping[str, Counts], below: int) -> go.Figure:
    """Draw per adversary of Effective anonymity the shares of unique (large marks) and few (small) records."""
    traces, places = [], list(range(len(counted)))
    records = next(iter(counted.values()))["records"]
    for name, colour, symbol, of in (
        ("equal cells", STOLEN, "circle", "ea"),
        ("a missing cell may be anything", OWN, "diamond", "ea_amb"),
    ):
        rows = [place + (0.14 if symbol == "circle" else -0.14) for place in places]
        counts = {what: [one[of][what] for one in counted.values()] for what in ("below", "unique")}
        shares = {what: [100 * number / records for number in numbers] for what, numbers in counts.items()}
        across = [end for pair in zip(*shares.values(), strict=True) for end in (*pair, None)]
        traces.append(line(across, [end for row in rows for end in (row, row, None)], colour, 3))
        for what, size, said in (("below", 9, f"below {below}"), ("unique", 15, "unique")):
            traces.append(
                marks(
                    shares[what],
                    rows,
                    name,
                    colour,
                    symbol,
                    size,
                    told=[f"{number:,} of {records:,}" for number in counts[what]],
                    cliponaxis=False,
                    showlegend=what == "unique",
                    mode="markers+text",
                    text=[said] * len(rows),
                    textposition="bottom center" if symbol == "circle" else "top center",
                    textfont={"size": 13, "color": INK},
                )
            )
    return chart(
        traces,
        150 + 90 * len(counted),
        axis("% of the records", rangemode="tozero", showgrid=True),
        axis(tickvals=places, ticktext=list(map(escape, counted)), range=[len(counted) - 0.5, -0.5], showgrid=False),
        margin={"l": 10, "r": 20, "t": 60, "b": 10},
    )
