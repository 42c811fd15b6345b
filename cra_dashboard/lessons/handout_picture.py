"""The picture on a lesson's handout: the figure that the pages draw of the lesson's own study, for paper."""

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
import plotly.graph_objects as go
from markupsafe import Markup

from cra_dashboard.charts.counts import isolated_figure
from cra_dashboard.charts.ownership import boxes_figure, ownership_figure
from cra_dashboard.charts.paper import on_paper
from cra_dashboard.charts.recoding import records, step_figure
from cra_dashboard.charts.view import View
from cra_dashboard.lessons import handout_sketches as sketches
from cra_dashboard.lessons.facts import Facts
from cra_dashboard.session import datasets
from cra_dashboard.texts.numbering import in_order
from cra_engine import Attribute, Study

Kind = Literal["records", "boxes", "class", "outside", "alone", "states", "coarse", "mean", "buckets", "minimal"]


def picture(facts: Facts, kind: Kind) -> Markup:
    """The picture of a kind as SVG: on the grid of the study's first two attributes, or the lattice of its states."""
    if kind in _SKETCHES:
        return _SKETCHES[kind](facts)
    facts = _coarse() if kind == "coarse" else facts
    grid = facts.recoding.grid
    draw, said = _FIGURES[kind]
    return on_paper(draw(facts, View.of(grid, 0, 1, tuple((at, None) for at in range(2, len(grid.shape))))), said)


def _coarse() -> Facts:
    """The toy with leaves so coarse that no class is wider than a cell."""
    data, study = datasets.example("toy")
    halves = [Attribute(a.name, a.lower, a.upper, 2, unit=a.unit) for a in study.attributes if isinstance(a, Attribute)]
    return Facts.of_table(data.frame, Study(halves, study.k))


def _boxes(facts: Facts, view: View, *, crowded: bool = False) -> go.Figure:
    release = facts.recoding.release
    ordered = [release.classes[index] for index in in_order(release, range(len(release.classes)))]
    dots = records(facts.recoding, view, 0, facts.frame) if crowded else ()
    return boxes_figure(release.grid, [(one.segment, one.size) for one in ordered], view, points=dots)


def _alone(facts: Facts, view: View) -> go.Figure:
    alone = [tuple(cell) for cell in np.argwhere(facts.recoding.cell_counts(1) == 1).tolist()]
    return isolated_figure(facts.attacked, alone, view, points=records(facts.recoding, view, 0, facts.frame))


_FIGURES: Mapping[Kind, tuple[Callable[[Facts, View], go.Figure], str]] = {
    "records": (lambda f, view: step_figure(f.recoding, view, 0, f.frame), "Every record as a dot"),
    "boxes": (_boxes, "The published boxes: the number of each class, and how many records it has"),
    "class": (
        lambda f, view: ownership_figure(f.attacked, f.of("deepest").part, view),
        "The class that loses most: cells that it can fill, and cells that were taken from it",
    ),
    "outside": (
        lambda f, view: ownership_figure(f.attacked, f.of("suppressed").part, view),
        "Where the suppressed records can be: the cells that no class took",
    ),
    "coarse": (
        lambda f, view: _boxes(f, view, crowded=True),
        "The published boxes, each a single cell, and every record as a dot",
    ),
    "alone": (_alone, "The published boxes, every record as a dot, and the cells that hold exactly one"),
}
_SKETCHES: Mapping[Kind, Callable[[Facts], Markup]] = {
    "mean": sketches.mean,
    "buckets": sketches.buckets,
    "minimal": sketches.minimal,
    "states": sketches.states,
}
