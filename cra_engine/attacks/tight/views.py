"""Views of cells that several classes may fill."""

import numpy as np

from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.solver.views import CellView
from cra_engine.errors import CRAError


def merged_view(one: CellView, other: CellView) -> CellView:
    """Merge the tight attack's views of a cell that several classes may fill; their counts count as independent."""
    probabilities: tuple[float, ...] = ()
    if one.probabilities and other.probabilities:
        probabilities = tuple(np.convolve(one.probabilities, other.probabilities).tolist())
    lowest, highest = one.lowest + other.lowest, one.highest + other.highest
    seen, exact = None, lowest == highest
    if one.fixed or other.fixed:  # one of them only adds a number
        seen = (one.seen[0] + other.seen[0], one.seen[1] + other.seen[1]) if one.seen and other.seen else None
        exact = one.exact and other.exact
    return CellView(one.cell, lowest, highest, seen, probabilities, exact=exact)


def raw_views(part: ClassAttack) -> list[CellView]:
    """Return the tight attack's view per cell that a class of raw values may fill, of its records alone."""
    if part.basic:
        (cell,) = part.free_cells
        row = (*[0.0] * part.size, 1.0)
        return [CellView(cell, part.size, part.size, (part.size, part.size), row, exact=True)]
    try:
        rows = [tuple(row) for row in part.cell_distributions()]
        return [
            CellView(cell, *part.count_ranges[cell], None, row, exact=True)
            for cell, row in zip(part.free_cells, rows, strict=True)
        ]
    except CRAError:
        return [CellView(cell, 0, part.size, None, (), exact=False) for cell in part.free_cells]
