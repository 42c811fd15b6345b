"""The picture of what several releases say together."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cra_dashboard.charts.picture import Outline, Picture
from cra_dashboard.charts.published import numbered_outlines
from cra_dashboard.charts.tiled import Shown, place_of, tiled_figure
from cra_dashboard.charts.view import View
from cra_dashboard.palette import CHOSEN, STOLEN, SUPPRESSED, Mark
from cra_dashboard.safe.later import Together
from cra_engine.words import how_many

FEW = Mark(STOLEN, "fewer than k, for certain")
ENOUGH = Mark(CHOSEN, "k people or more", opacity=0.12)
MOST_OUTLINES = 60  # of each release


def together_figure(said: Together, view: View, numbers: Sequence[int], chosen: int | None) -> Picture:
    """Draw on Safe recode of how many people several releases say that a tile is known to share at the fewest.

    Args:
        said: the releases, and what they settle.
        view: what of the grid.
        numbers: of the last release's classes.
        chosen: one of these, whose border stands out.
    """
    few, held, grid = said.few, said.held, said.regions[-1].grid
    everywhere = int(held.max(initial=0)) + 1  # more than any region holds
    fewest = _least(np.where(few > 0, few, everywhere), view, everywhere)
    region = _least(held, view, everywhere)

    def of_tile(x: int, y: int) -> Shown:
        if fewest[x, y] < everywhere:
            people = int(fewest[x, y])
            where = "in the cells with this sign" if view.flat else "in some cells here, perhaps with others"
            return FEW, str(people), f"{how_many(people, 'person', 'people')} {where}, for certain"
        # What is behind it is told when asked: in each cell it would be read as the cell's own number.
        return ENOUGH, "", f"of {how_many(int(region[x, y]), 'person', 'people')} any may be here, or nobody"

    *before, last = said.regions
    outlines = numbered_outlines(grid, last.classes, numbers, view, chosen, people=True)
    held_before = {
        border: (segment, how_many(size, "person", "people"))
        for one in before[-1:]
        for segment, size in one.classes
        if (border := view.outline(one.grid, segment)) is not None
    }
    drawn = {(one.x0, one.x1, one.y0, one.y1) for one in outlines}  # what coincides with one of these is told alone
    earlier = [
        Outline(
            *border,
            SUPPRESSED,
            label="" if border in drawn else people,
            dash="dash",
            line=sum((one.x0, one.y1) == (border[0], border[3]) for one in outlines),
            name="" if border in drawn else "a box published before: its people",
            told=f"a box published before: {place_of(grid, segment)}, {people}",
        )
        for border, (segment, people) in [*held_before.items()][:MOST_OUTLINES]
    ]
    return tiled_figure(grid, view, of_tile, [*earlier, *outlines], keys=[FEW, ENOUGH], heading="Number of people:")


def _least(numbers: NDArray[np.int64], view: View, most: int) -> NDArray[np.int64]:
    """The least number behind each tile; ``most`` where there is none below it."""
    result = np.full((view.columns, view.rows), most, dtype=np.int64)
    for number in sorted(set(numbers[numbers < most].tolist()), reverse=True):
        result[view.project(numbers == number) > 0] = number
    return result
