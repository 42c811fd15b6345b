"""The picture on a lesson's handout: the figure that the pages draw of the lesson's own study, for paper."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from markupsafe import Markup

from cra_dashboard.charts.ownership import boxes_figure, overview_figure, ownership_figure
from cra_dashboard.charts.paper import on_paper
from cra_dashboard.charts.picture import Picture
from cra_dashboard.charts.recoding import record_points, step_figure
from cra_dashboard.charts.tight import certain_figure, spans_of
from cra_dashboard.charts.view import View
from cra_dashboard.lessons import handout_sketches as sketches
from cra_dashboard.lessons.facts import Facts
from cra_dashboard.lessons.files import Kind, Step
from cra_dashboard.palette import BOX, SUPPRESSED, Mark
from cra_dashboard.session import datasets
from cra_dashboard.session.attacks import run_tight_attack
from cra_engine import Attribute, Study

_Draw = Callable[[Facts, View], Picture]
SECONDS = 60.0
_PERSON = Mark(SUPPRESSED, "a person", "", 1, "circle")


def picture(facts: Facts, kind: Kind) -> Markup:
    """Draw a handout's picture as SVG: the grid of the study's first two attributes, or the lattice of its states."""
    if kind in _SKETCHES:
        return _SKETCHES[kind](facts)
    facts = _coarse() if kind == "coarse" else facts
    return _drawn(facts, *_FIGURES[kind])


def step_pictures(facts: Facts, done: Facts, step: Step) -> tuple[Markup, Markup]:
    """Draw for a handout what is known when a step begins, and when it is done; empty where that is on no such grid.

    Args:
        facts: of the step's study as it begins, of the class that it ends with.
        done: the same as it ends.
        step: of the lesson.
    """
    if step.page == "recode":
        begin, last = step.begin.get("step", 0), len(facts.recoding.iterations) + 1
        end = step.given.get("step", begin + 1)
        before, after = (_at_step(at if isinstance(at, int) else last) for at in (begin, end))
        return _drawn(facts, *before), _drawn(done, *after)
    kinds = _OF_PAGES.get(step.page)
    return (Markup(), Markup()) if kinds is None else (picture(facts, kinds[0]), picture(done, kinds[1]))


def _drawn(facts: Facts, draw: _Draw, said: str) -> Markup:
    grid = facts.recoding.grid
    view = View.of(grid, 0, 1, tuple((at, None) for at in range(2, len(grid.shape))))
    return on_paper(draw(facts, view), view, grid, said)


def _at_step(index: int) -> tuple[_Draw, str]:
    if not index:
        return _FIGURES["records"]
    said = "Every record as a dot, and the boxes published so far"
    return lambda facts, view: step_figure(facts.recoding, view, index, facts.frame), said


def _records(facts: Facts, view: View) -> Picture:
    # On paper nothing is stepped through: who is "not published yet" there is just a person.
    return replace(step_figure(facts.recoding, view, 0, facts.frame), legend=[_PERSON], heading="")


def _coarse() -> Facts:
    """The toy with leaves so coarse that no class is wider than a cell."""
    data, study = datasets.example("toy")
    halves = [Attribute(a.name, a.lower, a.upper, 2, unit=a.unit) for a in study.attributes if isinstance(a, Attribute)]
    return Facts.of_table(data.frame, Study(halves, study.k))


def _boxes(facts: Facts, view: View) -> Picture:
    return boxes_figure(facts.recoding.release, view)


def _crowded(facts: Facts, view: View) -> Picture:
    drawn = boxes_figure(facts.recoding.release, view, dots=record_points(facts.recoding, view, 0, facts.frame))
    # How many are in a box can be counted; the words would lie below the dots.
    numbered = [replace(one, people="") for one in drawn.outlines]
    return replace(drawn, outlines=numbered, legend=[replace(BOX, name=f"{BOX.name}: its number"), _PERSON])


def _certain(facts: Facts, view: View) -> Picture:
    release = facts.recoding.release
    return certain_figure(release.grid, spans_of(run_tight_attack(release, SECONDS)), view, release)


_FIGURES: Mapping[Kind, tuple[_Draw, str]] = {
    "records": (_records, "Every record as a dot"),
    "boxes": (_boxes, "The published boxes: the number of each class, and how many records it has"),
    "class": (
        lambda f, view: ownership_figure(f.attacked, f.part, view),
        "A class: cells that it can fill, and cells that were taken from it",
    ),
    "owners": (lambda f, view: overview_figure(f.attacked, view), "Which class owns each cell, by its number"),
    "people": (_crowded, "The published boxes, and every record as a dot"),
    "coarse": (_crowded, "The published boxes, each a single cell, and every record as a dot"),
    "certain": (_certain, "How few and how many people each cell can hold, by all published boxes together"),
}
_OF_PAGES: Mapping[str, tuple[Kind, Kind]] = {
    "attack": ("boxes", "class"),
    "all_classes": ("boxes", "certain"),
    "single_out": ("boxes", "certain"),
}
_SKETCHES: Mapping[Kind, Callable[[Facts], Markup]] = {
    "mean": sketches.mean,
    "buckets": sketches.buckets,
    "minimal": sketches.minimal,
    "states": sketches.states,
}
