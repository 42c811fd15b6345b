"""The picture of an experiment: how ratios are spread."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.charts.look import axis, chart, line, marks, upright
from cra_dashboard.charts.possibilities import times_ticks
from cra_dashboard.palette import CHOSEN, ISOLATED, OWN, STOLEN, SUPPRESSED
from cra_engine.experiments.layout import shown_value
from cra_engine.experiments.results import quantile

FONT = 13
_MARGIN = {"l": 10, "r": 10, "t": 10, "b": 10}
MOST_DOTS = 40  # drawn per place; of more, equally many from each part of the order
_LOOKS = (
    (OWN, "circle"),
    (STOLEN, "square"),
    (CHOSEN, "diamond"),
    (ISOLATED, "triangle-up"),
    (SUPPRESSED, "pentagon"),
    (OWN, "star"),
    (STOLEN, "hexagon"),
    (CHOSEN, "cross"),
)


@dataclass(frozen=True)
class Spread:
    """The ratios that Experiments draws at one place on the axis and in one series.

    Attributes:
        place: its name on the axis.
        series: its name in the legend.
        logs: the decimal logarithms of the ratios.
        mean: the logarithm of the mean that the report gives.
    """

    place: str
    series: str
    logs: tuple[float, ...]
    mean: float | None


def ratio_figure(spreads: Sequence[Spread], figure_of: str) -> go.Figure:
    """Draw on Experiments the ratios, logarithmic: faint dots, the middle 80 % as a bar, the median, the mean.

    Args:
        spreads: what to draw; one of each place and series.
        figure_of: what the ratios are of.
    """
    places = list(dict.fromkeys(spread.place for spread in spreads))
    series = list(dict.fromkeys(spread.series for spread in spreads))
    traces = []
    for number, name in enumerate(series):
        colour, symbol = _LOOKS[number % len(_LOOKS)]
        shift = (number + 0.5) / len(series) * 0.76 - 0.38
        own = [(places.index(s.place) + shift, s) for s in spreads if s.series == name and s.logs]
        means = [(x, s) for x, s in own if s.mean is not None]
        dots = [(x, log) for x, s in own for log in _some(s.logs)]
        bars: list[tuple[float | None, float | None]] = []
        for x, spread in own:
            bars += [(x, quantile(spread.logs, 0.1)), (x, quantile(spread.logs, 0.9)), (None, None)]
        of: dict[str, Any] = {"legendgroup": name}
        faint: dict[str, Any] = {"size": 4, "opacity": 0.3, "showlegend": False}
        bar: dict[str, Any] = {"size": 14, "edge": {"width": 3}, "showlegend": False}
        medians, at = [quantile(s.logs, 0.5) for _, s in own], [x for x, _ in own]
        traces += [
            marks([x for x, _ in dots], [y for _, y in dots], name, colour, **faint, **of),
            line([x for x, _ in bars], [y for _, y in bars], colour, 4, name=name, opacity=0.55, **of),
            marks(at, medians, name, colour, symbol, 12, told=[ratios_told(s, figure_of) for _, s in own], **of),
            marks(
                [x for x, _ in means],
                [s.mean for _, s in means],
                name,
                colour,
                "line-ew-open",
                told=[ratios_told(s, figure_of) for _, s in means],
                **bar,
                **of,
            ),
        ]
    highest = max(1.0, *(max([*s.logs, s.mean or 0.0]) for s in spreads if s.logs))
    room = [-0.06 * highest, 1.06 * highest]
    names = [place.replace(", ", ",<br>") for place in places]
    across = {"tickvals": list(range(len(places))), "ticktext": names, "range": [-0.5, len(places) - 0.5]}
    return chart(
        traces,
        430,
        axis(size=FONT, showgrid=False) | across,
        axis("times fewer possible tables", FONT, range=room, **times_ticks(highest)),
        margin=_MARGIN,
        shapes=[upright(place + 0.5, color=SUPPRESSED, width=1, dash="dot") for place in range(len(places) - 1)],
    )


def ratios_told(spread: Spread, of: str) -> str:
    """Say on Experiments the ratios at one place and series, for who points at them."""
    median, low, high = (shown_value(quantile(spread.logs, share), "power") for share in (0.5, 0.1, 0.9))
    return (
        f"{spread.series}, {spread.place}<br>{len(spread.logs):,} {of}<br>median {median}, "
        f"80 % between {low} and {high}<br>mean {shown_value(spread.mean, 'power')}, "
        f"largest {shown_value(max(spread.logs), 'power')}"
    )


def _some(logs: Sequence[float]) -> list[float]:
    if len(logs) <= MOST_DOTS:
        return list(logs)
    return [value for rank in range(MOST_DOTS) if (value := quantile(logs, rank / (MOST_DOTS - 1))) is not None]
