"""The classes of a release as one picture, how large each is and how many sensitive values it shows; its columns."""

from collections import defaultdict
from html import escape

import plotly.graph_objects as go

from cra_dashboard.charts.look import UNFADED, axis, chart, whole_ticks
from cra_dashboard.check.state import Unjudged
from cra_dashboard.palette import OWN, PAPER, STOLEN, SUPPRESSED
from cra_dashboard.texts import words
from cra_engine import Check
from cra_engine.checks.findings import class_text
from cra_engine.checks.sensitive_values import SensitiveValues
from cra_engine.words import how_many, listed, spanned

MOST_CLASSES, STOPS = 400, "stops the release"
OF_GROUPS = {"k", "l-diversity", "t-closeness", "risk", "also", "privacy-model"}  # findings that groups can stop by


def class_rows(checked: Check | Unjudged) -> list[dict[str, object]]:
    """Return per class for the page Check, the smallest first: box, records, risk, sensitive values, if it stops.

    Of a sensitive column the one value that all share stands there, or how many different ones there are; empty cells
    and what is unknown are none.
    """
    shown = {one.column: _shown(checked, one.column) for one in checked.diversity}
    least, diverse = checked.rule.least(checked.study.k), checked.rule.l
    rows = list[dict[str, object]]()
    for place in sorted(range(len(checked.groups)), key=lambda place: len(checked.groups[place])):
        rows_of = checked.groups[place]
        values = {name: of_classes.get(place, ["nothing"]) for name, of_classes in shown.items()}
        short = any(place in of_classes and len(of_classes[place]) < diverse for of_classes in shown.values())
        rows.append(
            {
                "group": class_text(checked.frame, checked.study.names, rows_of),
                "records": len(rows_of),
                "risk": 1 / len(rows_of),
                **{name: f"only {of[0]}" if len(of) == 1 else f"{len(of)} values" for name, of in values.items()},
                STOPS: "yes" if short or len(rows_of) < least else "no",
            }
        )
    return rows


def column_rows(checked: Check) -> list[dict[str, object]]:
    """Return per column for the page Check its role and how it looks."""
    return [
        {
            "column": column.name,
            "role": column.role,
            "published": "yes" if column.published else "no",
            "identifying": "directly" if column.direct else "nearly" if column.identifying else "no",
            "values": column.distinct,
            "because": column.reason,
        }
        for column in checked.columns
    ]


def _shown(checked: Check | Unjudged, name: str) -> dict[int, list[str]]:
    """Per class that shows anything of a sensitive column its different values."""
    values = SensitiveValues.of(checked.frame[name], checked.groups)
    spread, found = values.groups.spreads[name], defaultdict[int, list[str]](list)
    for group, value in zip(spread.group.tolist(), spread.value.tolist(), strict=True):
        found[values.classes[group]].append(str(spread.values[value]) or "nothing")
    return found


def class_figure(checked: Check | Unjudged, rows: list[dict[str, object]]) -> go.Figure:
    """Draw a bar per class on the page Check, the smallest to the left; what the rule does not allow stands out.

    Args:
        checked: what was found.
        rows: of :func:`class_rows`; the first :data:`MOST_CLASSES` are drawn.
    """
    rows = rows[:MOST_CLASSES]
    sensitive = [one.column for one in checked.diversity]
    bad = [row[STOPS] == "yes" for row in rows]
    traces = []
    looks = ("no reason to stop", False, OWN, ""), ("stops the release", True, STOLEN, "/")
    for name, wanted, colour, pattern in looks:
        at = [place for place, wrong in enumerate(bad) if wrong == wanted]
        # Laid over the colour: in its place the white lines would stand on nothing.
        hatched = {"shape": pattern, "fillmode": "overlay", "fgcolor": PAPER, "size": 6}
        if at:
            traces.append(
                go.Bar(
                    x=[place + 1 for place in at],
                    y=[rows[place]["records"] for place in at],
                    name=name,
                    marker={"color": colour, "pattern": hatched},
                    customdata=at,
                    hovertext=[_told(rows[place], sensitive) for place in at],
                    hoverinfo="text",
                    **UNFADED,
                )
            )
    across = axis("groups, the smallest first", showgrid=False, **whole_ticks(len(rows)))
    up = axis("records", rangemode="tozero", **whole_ticks(max((len(of) for of in checked.groups), default=0)))
    margin = {"l": 10, "r": 10, "t": 10, "b": 10}
    figure = chart(traces, 320, across, up, bargap=0.15, margin=margin, clickmode="event+select")
    least = checked.rule.least(checked.study.k)
    return figure.add_hline(y=least, line={"color": SUPPRESSED, "dash": "dot", "width": 3})


def _told(row: dict[str, object], sensitive: list[str]) -> str:
    more = "".join(f"<br>{escape(name)}: {escape(str(row[name]))}" for name in sensitive)
    return f"{escape(str(row['group']))}<br>{row['records']} records{more}"


def classes_told(checked: Check | Unjudged) -> str:
    """Say what the page Check's picture of the classes shows, in a sentence."""
    sizes = sorted(map(len, checked.groups))
    if not sizes:
        return "Every record is suppressed: there is no group."
    return words.sentence(
        f"{how_many(len(sizes), 'group')} of {spanned(sizes[0], sizes[-1])} records; {checked.suppressed:,} suppressed."
    )


def undrawn_told(checked: Check | Unjudged, rows: list[dict[str, object]]) -> str:
    """Say below the page Check's picture of the classes what stops a release that no bar shows; else nothing.

    Args:
        checked: what was found.
        rows: of :func:`class_rows`.
    """
    stop = set() if isinstance(checked, Unjudged) else {one.code for one in checked.findings if one.level == "stop"}
    if isinstance(checked, Unjudged) or not stop or any(row[STOPS] == "yes" for row in rows):
        return ""
    if "l-diversity" in stop and (beside := dict.fromkeys(name for one in checked.shared for name in one.beside)):
        return words.plain(f" Groups by {listed(list(beside))}, too, stop the release, and are not drawn.")
    return "" if stop & OF_GROUPS else " No group stops the release."
