"""Published classes on the grid, filled by what the choices of the recoding give away in each region."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from cra_dashboard.charts.ownership import MOST_BOXES
from cra_dashboard.charts.picture import Outline, Picture
from cra_dashboard.charts.tiled import box_outlines, tiled_figure
from cra_dashboard.charts.view import View
from cra_dashboard.palette import BLANK, CHOSEN, STOLEN, SUPPRESSED, Mark
from cra_dashboard.texts.numbering import number_of
from cra_engine import Release
from cra_engine.assess.choice_gains import ChoiceGains
from cra_engine.release import Owner
from cra_engine.study.grid import Grid, Segment
from cra_engine.words import how_many, odds_factor

FAINT, FULL = 0.12, 0.5  # opacity for the smallest gain that is not 0, and for the largest
EXCLUDED = Mark(STOLEN, "places excluded", "\u221e", 0.4)
UNKNOWN = Mark(SUPPRESSED, "not known", "?", 0.15)


@dataclass(frozen=True, eq=False)
class Shown:
    """A published table of any kind as a figure shows it on the grid.

    Attributes:
        grid: the cells.
        classes: the published boxes with their records.
        numbers: of these, as pages write them.
        owner: per cell the index of its class, or ``Owner.SUPPRESSED``, or ``Owner.UNDECIDED``.
        gains: per class, the suppressed records last: what the choices tell of one person; infinite where tables are
            excluded, None where it is not known.
        of_cells: per cell the same; not a number where it is not known.
    """

    grid: Grid
    classes: tuple[tuple[Segment, int], ...]
    numbers: tuple[int, ...]
    owner: NDArray[np.int64]
    gains: tuple[float | None, ...]
    of_cells: NDArray[np.float64]

    @classmethod
    def of(cls, release: Release, owner: NDArray[np.int64], gains: ChoiceGains) -> "Shown":
        """Returns a locally recoded table with what its choices tell."""
        classes = tuple((one.segment, one.size) for one in release.classes)
        numbers = tuple(number_of(release, index) for index in range(len(classes)))
        return cls(release.grid, classes, numbers, owner, tuple(part.value for part in gains.parts), gains.cells)


def published_figure(shown: Shown, view: View, chosen: int | None = None, largest: float = 1.0) -> Picture:
    """Draw for any page the classes of a release: outlined, each tile filled by the largest gain behind it.

    Args:
        shown: the table.
        view: what of the grid.
        chosen: a class whose border stands out; the number of classes for the suppressed records; None for none.
        largest: the gain that is filled the strongest.
    """
    gain = _gain_of_tiles(shown, view)
    hidden, tied = (view.project(shown.owner == who) for who in (Owner.SUPPRESSED, Owner.UNDECIDED))

    def bounded(here: float) -> Mark:
        opacity = round(FAINT + (FULL - FAINT) * min(here / largest, 1), 2)
        return Mark(CHOSEN, f"at most {odds_factor(here)}\u00d7", opacity=opacity)

    def of_tile(x: int, y: int) -> tuple[Mark, str, str]:
        here = float(gain[x, y])
        if here == inf:
            return EXCLUDED, EXCLUDED.sign, "what was not published excludes tables here"
        if here > 0:
            told = f"a reader's odds of one person's place grow at most {odds_factor(here)} times"
            return bounded(here), f"{odds_factor(here)}\u00d7", told
        if np.isnan(here):
            return UNKNOWN, UNKNOWN.sign, "what the choices tell is not known: no place here is known to be excluded"
        alone = "suppressed records" if hidden[x, y] else "a cell that a tie leaves open" if tied[x, y] else "a class"
        return BLANK, "1\u00d7", f"{alone}: the choices tell nothing"

    bounds = sorted(gain[(gain > 0) & np.isfinite(gain)].tolist())
    scale = list({mark.name: mark for mark in map(bounded, (*bounds[:1], *bounds[-1:]))}.values())
    boxes = numbered_outlines(shown.grid, shown.classes, shown.numbers, view, chosen)
    outlines = [replace(one, opacity=0) for one in boxes]  # a tint would change the shades that the legend explains
    heading = "How many times the odds grow:"
    return tiled_figure(shown.grid, view, of_tile, outlines, scale=scale, keys=[EXCLUDED, UNKNOWN], heading=heading)


def numbered_outlines(
    grid: Grid,
    classes: Sequence[tuple[Segment, int]],
    numbers: Sequence[int],
    view: View,
    chosen: int | None,
    *,
    people: bool = False,
) -> list[Outline]:
    """Outline classes on any page, the first :data:`.MOST_BOXES` and the chosen one; see :func:`.box_outlines`."""
    thick = [chosen] if chosen is not None and chosen < len(classes) else []
    places = list(dict.fromkeys([*thick, *range(min(len(classes), MOST_BOXES))]))
    boxes = [(numbers[place], classes[place][0]) for place in places]
    told = {numbers[place]: how_many(classes[place][1], "person", "people") for place in places} if people else None
    return box_outlines(grid, boxes, view, [numbers[place] for place in thick], told)


def _gain_of_tiles(shown: Shown, view: View) -> NDArray[np.float64]:
    """The largest gain behind each tile; not a number where one is not known that may be larger."""
    result = np.zeros((view.columns, view.rows))
    bounded = shown.of_cells[(shown.of_cells > 0) & np.isfinite(shown.of_cells)]
    for level in np.unique(bounded).tolist():
        result[view.project(shown.of_cells == level) > 0] = level
    result[view.project(np.isnan(shown.of_cells)) > 0] = np.nan
    result[view.project(np.isposinf(shown.of_cells)) > 0] = inf
    return result
