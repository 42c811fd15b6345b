"""All classes of a safe release together: on a ladder nothing straddles classes, so each by itself is all there is."""

import math
from collections.abc import Callable

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.refinement.attack import Attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.attacks.tight.views import CellView, Explanation
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.patience import Stopped, checkpoint, stoppable
from cra_engine.release import Release
from cra_engine.study.grid import Cell


class SafeTightAttack(TightAttack):
    """All that a safe release gives away: exact, with nothing to prove and nothing to estimate.

    Every table that fits is possible, so the numbers of data sets count them; the probabilities weigh each as the
    recoding does. A cell is certain where its region is a single cell.
    """

    def __init__(self, release: Release, stop: Callable[[], bool], prior: Prior) -> None:
        """Run by :func:`cra_engine.tight_attack`; ``stop`` says when the time is over."""
        self.release, self.prior = release, prior
        self.relaxed, self.complete, self.refused, self.order_unknown = False, True, "", ""
        self.parts = Attack(release, prior=prior).parts
        for part in self.parts:
            if part.problem is not None and not part.basic:
                raise CRAError(part.problem)
        self.settled = {part.segment.ranks: part.size for part in self.parts if part.basic and part.index is not None}
        self.log10_worlds_intervals = sum(math.log10(part.lr_solutions) for part in self.parts if part.lr_solutions)
        left = [part.lr_solutions if part.basic else part.cra_solutions for part in self.parts]
        self.worlds = math.prod(number or 1 for number in left)
        self.log10_worlds = self.log10_worlds_per_class = math.fsum(math.log10(number) for number in left if number)
        self.log10_worlds_stderr = 0.0
        self.status = "exact"
        views: list[CellView] = []
        for part in self.parts:
            laws: list[list[float]] = []
            try:
                with stoppable(stop):
                    checkpoint()
                    laws = part.cell_distributions()
            except (Stopped, TooLargeError):
                self.status = "timeout"
            views += _views(part, laws)
        self.cells = tuple(sorted(views, key=lambda view: view.cell))

    def explain(
        self,
        cell: Cell,
        time_limit: float = 10.0,  # noqa: ARG002 - as the other
        cancelled: Callable[[], bool] = lambda: False,  # noqa: ARG002
    ) -> list[Explanation]:
        """Why a cell is certain: its region has no other cell."""
        self.release.grid.check_cell(cell, "explain(cell)")
        if cell not in self.fixed_cells:
            return []
        told = "Its region, all that the class or the suppressed records may fill, is this cell alone."
        return [Explanation((), (told,), minimal=True)]


def _views(part: ClassAttack, laws: list[list[float]]) -> list[CellView]:
    """The cells of a class: any of them may hold as many of its records as fit; with ``laws`` how likely that is."""
    views = []
    alone = len(part.free_cells) == 1
    for position, (cell, volume) in enumerate(zip(part.free_cells, part.cell_volumes, strict=True)):
        ends = (part.size if alone else 0, part.size if part.alike or alone else min(part.size, volume))
        law = tuple(laws[position]) if laws else ()
        views.append(CellView(cell, *ends, ends, law, exact=bool(laws)))
    return views
