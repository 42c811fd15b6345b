"""The picture on the first page: one class of the toy, as the release shows it and after the attack."""

from dataclasses import dataclass
from functools import cache

import pandas as pd
import plotly.graph_objects as go

from cra_dashboard import palette
from cra_dashboard.charts.grid import Outline, Tile, grid_figure
from cra_dashboard.session import datasets
from cra_dashboard.texts import words
from cra_dashboard.texts.spoken import spoken
from cra_engine import ClassAttack, attack, recode, tight_attack
from cra_engine.words import count, fewer, how_many, percent


@dataclass(frozen=True, eq=False)
class Picture:
    """Two drawings of one class with the sentences that belong to them.

    Attributes:
        before: the published box; after: the cells that are left of it.
        said: what the release says of the class.
        found: what the attack leaves of it.
        alt_before: the first drawing in a sentence; alt_after: the second.
        table: both drawings as a table, a row per cell of the box.
    """

    before: go.Figure
    after: go.Figure
    said: str
    found: str
    alt_before: str
    alt_after: str
    table: pd.DataFrame


@cache
def picture() -> Picture:
    """Recode and attack the toy, and draw the class that loses most; the same for everybody, and made once."""
    data, study = datasets.example("toy")
    result = attack(recode(data.frame, study).release)
    certain = len(tight_attack(result.release).isolated)
    shown = max(result.classes, key=lambda part: part.log10_ratio)
    grid = result.release.grid
    across, upwards = study.attributes
    x, y = grid.nodes(shown.segment)
    border = Outline(x.start, x.stop, y.start, y.stop, palette.OWN)
    box = words.box(grid, shown.segment)
    possible = [Tile(i, j, palette.OWN, "?", "somebody may be here", opacity=0.3) for i, j in grid.cells(shown.segment)]
    taken = len(possible) - len(shown.free_cells)
    before, after = (
        grid_figure(across, upwards, tiles, [border], height=250).update_layout(margin={"t": 16})
        for tiles in (possible, _left(shown))
    )
    return Picture(
        before,
        after,
        f"{shown.size} people have {words.plain(spoken(box))}, anywhere in the frame: "
        f"**{count(shown.lr_solutions)}** possible tables.",
        f"**{count(shown.cra_solutions)}** are left, {fewer(shown.lr_solutions, shown.cra_solutions)}, of this box "
        "alone; shares: the chance of exactly one person. "
        f"**All boxes together give away {how_many(certain, 'person', 'people')} for certain.**",
        f"A grid of {grid.size} cells; a frame around {len(possible)} of them holds {shown.size} people, anywhere.",
        f"The same grid after the attack: {taken} of the {len(possible)} framed cells is ruled out, "
        "the others carry the chance that exactly one person is in them.",
        _as_table(shown),
    )


def _left(shown: ClassAttack) -> list[Tile]:
    chances = dict(zip(shown.free_cells, shown.cell_probabilities(1), strict=True))
    here, nobody = "chance that exactly one person is here", "an earlier class took everybody who is here"
    return [
        Tile(i, j, palette.OWN, percent(chances[i, j]), here, opacity=0.3)
        if (i, j) in chances
        else Tile(i, j, palette.STOLEN, "nobody", nobody, opacity=0.3)
        for i, j in shown.release.grid.cells(shown.segment)
    ]


def _as_table(shown: ClassAttack) -> pd.DataFrame:
    grid = shown.release.grid
    chances = dict(zip(shown.free_cells, shown.cell_probabilities(1), strict=True))
    cells = grid.cells(shown.segment)
    return pd.DataFrame(
        {
            "Cell": [words.box(grid, grid.cell_segment(cell)) for cell in cells],
            "What the published table says": "somebody may be here",
            "What the attack leaves": [
                f"{percent(chances[cell])}: exactly one person" if cell in chances else "nobody" for cell in cells
            ],
        }
    )
