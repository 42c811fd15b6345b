"""The picture of effective anonymity: per adversary how many records are few, and how many surely are."""

from collections.abc import Mapping
from html import escape

import plotly.graph_objects as go

from cra_dashboard.anonymity.story import Counts
from cra_dashboard.charts.look import axis, chart, line, marks
from cra_dashboard.palette import INK, OWN, STOLEN


def lines_figure(counted: Mapping[str, Counts], below: int) -> go.Figure:
    """Draw per adversary of Effective anonymity the shares of unique (large marks) and few (small) records.

    Each line starts at 0 and bears one text, above its start or below: those of its marks would cover each other where
    as many records are unique as few.
    """
    traces, places = [], list(range(len(counted)))
    records = next(iter(counted.values()))["records"]
    for name, colour, symbol, of in (
        ("equal cells", STOLEN, "circle", "ea"),
        ("a missing cell may be anything", OWN, "diamond", "ea_amb"),
    ):
        side = 1 if symbol == "circle" else -1
        rows, aside = [place + side * 0.14 for place in places], [place + side * 0.36 for place in places]
        counts = {what: [one[of][what] for one in counted.values()] for what in ("below", "unique")}
        for what, size, width in (("below", 9, 2), ("unique", 15, 6)):
            shares = [100 * number / records for number in counts[what]]
            told = [f"{number:,} of {records:,}" for number in counts[what]]
            across = [end for share in shares for end in (0, share, None)]
            traces.append(line(across, [end for row in rows for end in (row, row, None)], colour, width))
            legend = what == "unique"
            traces.append(
                marks(shares, rows, name, colour, symbol, size, told=told, cliponaxis=False, showlegend=legend)
            )
        said = [f"{u:,} unique, {b:,} below {below}" for u, b in zip(counts["unique"], counts["below"], strict=True)]
        font, start = {"size": 13, "color": INK}, [0] * len(aside)
        traces.append(line(start, aside, colour, mode="text", text=said, textposition="middle right", textfont=font))
    return chart(
        traces,
        170 + 90 * len(counted),
        axis(f"% of the records\nlarge: unique, small: below {below}", rangemode="tozero", showgrid=True),
        axis(tickvals=places, ticktext=list(map(escape, counted)), range=[len(counted) - 0.45, -0.55], showgrid=False),
        margin={"l": 10, "r": 20, "t": 60, "b": 10},
    )
