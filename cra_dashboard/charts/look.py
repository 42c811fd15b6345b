"""What all charts share: their settings, and how much room a text takes."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.palette import INK

# Every figure: type that can be read from the last row, on the page's own background; nothing to drag, so that a
# finger moves the page.
LOOK: dict[str, Any] = {
    "font": {"size": 14, "color": INK},
    "legend": {
        "orientation": "h",
        "yanchor": "bottom",
        "y": 1.02,
        "x": 0,
        "traceorder": "normal",
        "font": {"size": 14, "color": INK},
    },
    "hovermode": "closest",
    "hoverlabel": {"font": {"size": 14}, "align": "left"},
    "dragmode": False,
    "paper_bgcolor": "rgba(0, 0, 0, 0)",
    "plot_bgcolor": "rgba(0, 0, 0, 0)",
}
# An axis of exponents: Plotly writes them at 0.65 of the size.
POWERS: dict[str, Any] = {"tickprefix": "10<sup>", "ticksuffix": "</sup>", "tickfont": {"size": 17, "color": INK}}
GRID = "rgba(128, 128, 128, 0.25)"  # lines behind the marks, on a light page and on a dark one
UNFADED: dict[str, Any] = {key: {"marker": {"opacity": 1}} for key in ("selected", "unselected")}
"""For marks that answer to a click: Streamlit would fade those that are not selected"""
HEIGHT = 430  # pixels of a page's figure, legend included: inside the window of a small computer
CONFIG = {"displayModeBar": False}  # for st.plotly_chart: on a telephone the tool bar covers the legend


CHECKED = False
"""Whether Plotly looks at each property of a chart, which takes ten times as long as all else; the tests say True."""


def picture(traces: Sequence[Any], **layout: Any) -> go.Figure:
    """Make a figure of these traces, with a layout in Plotly's words."""
    return go.Figure(traces, layout, _validate=CHECKED)


def scatter(**trace: Any) -> go.Scatter:
    """Make a trace of marks, lines or texts, in Plotly's words."""
    return go.Scatter(**trace, _validate=CHECKED)


def whole_ticks(most: int, ticks: int = 8) -> dict[str, Any]:
    """Return settings of a chart's axis that counts something up to ``most``: about so many ticks, none between two."""
    return {"tick0": 0, "dtick": 1} if most < ticks else {"nticks": ticks}


def axis(title: str = "", size: int = 14, **more: Any) -> dict[str, Any]:
    """Return a chart's axis in Plotly's words: type that can be read, faint lines, room for numbers, nothing to drag.

    Args:
        title: what it measures, in a line or several; no markup.
        size: of its numbers or names in pixels.
        more: settings besides these, or in their place.
    """
    return {
        "title": {"text": escape(title, quote=False).replace("\n", "<br>"), "font": {"size": 14, "color": INK}},
        "tickfont": {"size": size, "color": INK},
        "gridcolor": GRID,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
        **more,
    }


def upright(at: float, **line: Any) -> dict[str, Any]:
    """Return a line through the whole height of a chart, as a Plotly shape."""
    return {"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper", "line": line}


def chart(traces: Sequence[Any], height: int, x: dict[str, Any], y: dict[str, Any], **layout: Any) -> go.Figure:
    """Make a chart of so many pixels with axes of numbers or names.

    Args:
        traces: as :func:`marks`, :func:`line` and :func:`ring` make them.
        height: in pixels.
        x: the axis across, see :func:`axis`.
        y: the one upwards.
        layout: more of it, in Plotly's words.
    """
    # Room around it for what its axes do not ask for themselves.
    frame = LOOK | {"height": height, "margin": {"l": 10, "r": 24, "t": 10, "b": 10}}
    return picture(traces, **frame | {"xaxis": x, "yaxis": y} | layout)


def marks(
    x: Any,
    y: Any,
    name: str,
    colour: Any,
    symbol: Any = "circle",
    size: Any = 10,
    *,
    told: Sequence[str] | None = None,
    of: Iterable[Any] | None = None,
    edge: dict[str, Any] | None = None,
    **more: Any,
) -> go.Scatter:
    """Make a chart's trace of marks of one kind.

    Args:
        x: their places across.
        y: their places upwards.
        name: in the legend.
        colour: of all, or of each.
        symbol: likewise.
        size: likewise, in pixels.
        told: what the pointer says of each.
        of: what each stands for, for who answers to a click.
        edge: the line around them.
        more: in Plotly's words.
    """
    marker = {"size": size, "color": colour, "symbol": symbol} | ({"line": edge} if edge else {})
    marker |= {"opacity": more.pop("opacity")} if "opacity" in more else {}
    hover = {"hoverinfo": "skip"} if told is None else {"hovertext": told, "hoverinfo": "text"}
    held = {} if of is None else {"customdata": [[one] for one in of]}
    return scatter(**{"x": x, "y": y, "name": name, "mode": "markers", "marker": marker} | hover | held | more)


def line(x: Any, y: Any, colour: str, width: float = 2, dash: str = "solid", **more: Any) -> go.Scatter:
    """Make a chart's trace of a line, or several with gaps (None) between, which the legend does not name."""
    look = {"color": colour, "width": width, "dash": dash}
    return scatter(**{"x": x, "y": y, "mode": "lines", "line": look, "hoverinfo": "skip", "showlegend": False} | more)


def ring(x: Sequence[Any], y: Sequence[Any], colour: str, **more: Any) -> go.Scatter:
    """Make a chart's trace of rings around some marks, which points at them."""
    marker = {"symbol": "circle-open", "size": 24, "color": colour, "line": {"width": 3, "color": colour}}
    return scatter(x=x, y=y, mode="markers", marker=marker, hoverinfo="skip", **more)


NARROWEST = 290  # pixels that are left for the cells on a telephone


CHARACTER, GAP = 8, 6  # width of a digit at 14 px, and the room between two labels


def texts_fit(columns: int, texts: Sequence[str], span: int = 1) -> bool:
    """Return whether each text of a figure fits into ``span`` of ``columns`` cells, on a telephone too."""
    longest = max((len(text) for text in texts), default=0)
    return columns * (longest * CHARACTER + GAP) <= NARROWEST * span
