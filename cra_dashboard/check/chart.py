"""The classes of a release as one picture: how large each is, and how many sensitive values it shows."""

from html import escape

import plotly.graph_objects as go

from cra_dashboard.charts.look import LOOK, UNFADED, axis
from cra_dashboard.palette import OWN, PAPER, STOLEN, SUPPRESSED
from cra_dashboard.texts import words
from cra_engine import Check

MOST_CLASSES = 400


def class_rows(checked: Check) -> list[dict[str, object]]:
    """Per class, the smallest first: its box, records, risk, and per sensitive column its different values."""
    sensitive = [one.column for one in checked.diversity]
    rows = []
    for rows_of in sorted(checked.groups, key=len):
        first = int(rows_of[0])
        box = words.printed(", ".join(f"{name} {checked.frame[name].iloc[first]}" for name in checked.study.names))
        different = {name: int(checked.frame[name].iloc[rows_of].astype(str).nunique()) for name in sensitive}
        rows.append({"class": box, "records": len(rows_of), "risk": 1 / len(rows_of), **different})
    return rows


def class_figure(checked: Check) -> go.Figure:
    """A bar per class, the smallest to the left; what the rule does not allow stands out by colour and pattern."""
    rows = class_rows(checked)[:MOST_CLASSES]
    least, diverse = checked.rule.least(checked.study.k), checked.rule.l
    sensitive = [one.column for one in checked.diversity]
    bad = [int(str(row["records"])) < least or any(int(str(row[name])) < diverse for name in sensitive) for row in rows]
    figure = go.Figure()
    for name, wanted, colour, pattern in (("meets the rule", False, OWN, ""), ("stops the release", True, STOLEN, "/")):
        at = [place for place, wrong in enumerate(bad) if wrong == wanted]
        if at:
            figure.add_bar(
                x=[place + 1 for place in at],
                y=[rows[place]["records"] for place in at],
                name=name,
                # Laid over the colour: in its place the white lines would stand on nothing.
                marker={
                    "color": colour,
                    "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": PAPER, "size": 6},
                },
                customdata=at,
                hovertext=[_told(rows[place], sensitive) for place in at],
                hoverinfo="text",
                **UNFADED,
            )
    figure.add_hline(y=least, line={"color": SUPPRESSED, "dash": "dot", "width": 3})
    figure.update_layout(
        **LOOK,
        height=320,
        bargap=0.15,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        clickmode="event+select",
        xaxis=axis("classes, the smallest first", showgrid=False),
        yaxis=axis("records", rangemode="tozero"),
    )
    return figure


def _told(row: dict[str, object], sensitive: list[str]) -> str:
    more = "".join(f"<br>different values of {escape(name)}: {row[name]}" for name in sensitive)
    return f"{escape(str(row['class']))}<br>{row['records']} records{more}"


def told(checked: Check) -> str:
    """What the picture shows, in a sentence."""
    sizes = sorted(map(len, checked.groups))
    if not sizes:
        return "Every record is suppressed: there is no class."
    return words.sentence(
        f"{len(sizes):,} class{'es' if len(sizes) != 1 else ''} of {sizes[0]:,} to {sizes[-1]:,} records"
        f"; {checked.suppressed:,} suppressed."
    )
