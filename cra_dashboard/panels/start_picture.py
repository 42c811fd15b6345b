"""The pictures on the first page: the toy as it is published, and what is certain of it; and one box by itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import pandas as pd
import plotly.graph_objects as go

from cra_dashboard import palette
from cra_dashboard.charts.grid import Outline, Tile, grid_figure
from cra_dashboard.session.attacks import toy
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import colour_of, in_order
from cra_dashboard.texts.singled import singled_out
from cra_dashboard.texts.spoken import spoken
from cra_dashboard.texts.tight_story import holds
from cra_engine import Release, TightAttack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.study.grid import Cell
from cra_engine.words import count, fewer, how_many, percent

UNKNOWN = "?"


@dataclass(frozen=True, eq=False)
class Picture:
    """Drawings of the toy with the sentences that belong to them.

    Attributes:
        before: the published boxes; after: the number of people in each cell where it is certain.
        said: what the release says.
        found: what the attack finds.
        alt_before: the first drawing in a sentence; alt_after: the second.
        table: both drawings as a table, a row per cell.
        alone: one box by itself, with the chances of its cells; alt_alone: in a sentence.
        alone_said: what the release says of it, and what the attack leaves, of this box alone.
    """

    before: go.Figure
    after: go.Figure
    said: str
    found: str
    alt_before: str
    alt_after: str
    table: pd.DataFrame
    alone: go.Figure
    alt_alone: str
    alone_said: str


@cache
def picture() -> Picture:
    """Draws the toy, published and attacked; the same for everybody, and made once."""
    study, result, together = toy().study, toy().attack, toy().together
    release, grid = result.release, result.release.grid
    cells = grid.cells(grid.whole)
    known = together.fixed_cells
    shown = max(result.classes, key=lambda part: part.log10_ratio)
    boxes = how_many(len(release.classes), "box", "boxes")
    nowhere = how_many(release.suppressed, "person", "people")
    found = how_many(len(together.isolated), "person", "people")
    verb = "stands" if len(together.isolated) == 1 else "stand"
    return Picture(
        _drawn(release, [Tile(cell[0], cell[1], None, "", _place(release, cell)) for cell in cells], _boxes(release)),
        _drawn(release, [_certain(release, together, cell) for cell in cells]),
        f"{release.records} people: {boxes} of at least k = {study.k}, and {nowhere} suppressed.",
        f"**{found} {verb} alone, for certain.** The number is certain in {len(known)} of {len(cells)} cells. "
        f"Singled out: {singled_out(toy().assessment)}.",
        f"A grid of {len(cells)} cells with {boxes}, each with the number of people inside.",
        f"The same grid: in {len(known)} cells the number of people is certain, in {len(together.isolated)} it is 1.",
        pd.DataFrame(
            {
                "Cell": [_place(release, cell) for cell in cells],
                "What the published table says": [_covered(release, cell) for cell in cells],
                "What the attack finds": [holds(known[cell]) if cell in known else "not certain" for cell in cells],
            }
        ),
        _drawn(release, _left(shown), [_outline(release, shown.index, "")]),
        f"Its {how_many(len(grid.cells(shown.segment)), 'cell')}: {len(shown.free_cells)} carry the chance that "
        "exactly one person is in them, the others are ruled out.",
        f"{how_many(shown.size, 'person', 'people')} have {words.plain(spoken(words.box(grid, shown.segment)))}: "
        f"**{count(shown.lr_solutions)}** possible tables. **{count(shown.cra_solutions)}** are left, "
        f"{fewer(shown.lr_solutions, shown.cra_solutions)}, of this box alone; shares: the chance of exactly one "
        "person. All boxes together say more, as above.",
    )


def _drawn(release: Release, tiles: Sequence[Tile], outlines: Sequence[Outline] = ()) -> go.Figure:
    across, upwards = release.attributes
    return grid_figure(across, upwards, tiles, outlines, height=270).update_layout(margin={"t": 16})


def _place(release: Release, cell: Cell) -> str:
    return words.cell(release.grid, cell)


def _boxes(release: Release) -> list[Outline]:
    """Every box with its number of people; the widest first, so that no other is covered."""
    found = [
        _outline(release, index, how_many(release.classes[index].size, "person", "people"))
        for index in in_order(release, range(len(release.classes)))
    ]
    return sorted(found, key=lambda box: -(box.x1 - box.x0) * (box.y1 - box.y0))


def _outline(release: Release, index: int | None, label: str) -> Outline:
    segment = release.grid.whole if index is None else release.classes[index].segment
    x, y = release.grid.nodes(segment)
    return Outline(x.start, x.stop, y.start, y.stop, colour_of(release, index), label)


def _covered(release: Release, cell: Cell) -> str:
    """How many people the boxes hold that reach a cell."""
    sizes = [one.size for one in release.classes if cell in release.grid.cells(one.segment)]
    return " or ".join(f"some of {size}" for size in sizes) or "nothing"


def _certain(release: Release, together: TightAttack, cell: Cell) -> Tile:
    held = together.fixed_cells.get(cell)
    where = _place(release, cell)
    if held is None:
        return Tile(cell[0], cell[1], None, UNKNOWN, f"{where}<br>not certain")
    fill = palette.ISOLATED if held == 1 else palette.OWN if held else palette.SUPPRESSED
    text = "1 person" if held == 1 else f"{held}"
    return Tile(
        cell[0], cell[1], fill, text, f"{where}<br>{holds(held)}, for certain", opacity=0.5 if held == 1 else 0.2
    )


def _left(shown: ClassAttack) -> list[Tile]:
    chances = dict(zip(shown.free_cells, shown.cell_probabilities(1), strict=True))
    here, nobody = "chance that exactly one person is here", "an earlier class took everybody who is here"
    own = colour_of(shown.release, shown.index)
    return [
        Tile(cell[0], cell[1], own, percent(chances[cell]), here, opacity=0.3)
        if cell in chances
        else Tile(cell[0], cell[1], palette.SUPPRESSED, "nobody", nobody, opacity=0.3)
        for cell in shown.release.grid.cells(shown.segment)
    ]
