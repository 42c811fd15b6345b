"""All classes of a safe release together: on a ladder nothing straddles classes, so each by itself is all there is."""

import math
from collections.abc import Callable
from functools import partial

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.refinement.attack import attack_classes
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.solver.views import CellView, Status
from cra_engine.attacks.tight.outcome import TightAttack, log10_of_intervals, of_classes
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.patience import Stopped, checkpoint, stoppable
from cra_engine.release import Release


def attack_safe(release: Release, stop: Callable[[], bool], prior: Prior) -> TightAttack:
    """Attack all classes of a safe release together: exact, with nothing to prove and nothing to estimate.

    Every table that fits is possible, so the numbers of data sets count them; the probabilities weigh each as the
    recoding does. A cell is certain where its region is a single cell.

    Args:
        release: of safe recoding.
        stop: says when the time is over.
        prior: how tables weigh.

    Raises:
        CRAError: no data set gives this release.
    """
    parts = attack_classes(release, "sound", prior).parts
    for part in parts:
        if part.problem is not None and not part.basic:
            raise CRAError(part.problem)
    each = [part.log10_lr if part.basic else math.log10(part.cra_solutions or 1) for part in parts]
    log10 = math.fsum(number for number in each if number > -math.inf)
    views: list[CellView] = []
    status: Status = "exact"
    for part in parts:
        laws: list[list[float]] = []
        try:
            with stoppable(stop):
                checkpoint()
                laws = part.cell_distributions()
        except (Stopped, TooLargeError):
            status = "timeout"
        views += _views(part, laws)
    return TightAttack(
        release=release,
        prior=prior,
        parts=parts,
        settled={part.segment.ranks: part.size for part in parts if part.basic and part.index is not None},
        status=status,
        count_worlds=partial(of_classes, parts),
        log10_worlds=log10,
        log10_worlds_stderr=0.0,
        log10_worlds_per_class=log10,
        log10_worlds_intervals=log10_of_intervals(parts),
        refused="",
        cells=tuple(sorted(views, key=lambda view: view.cell)),
        relaxed=False,
        complete=True,
        order_unknown="",
    )


def _views(part: ClassAttack, laws: list[list[float]]) -> list[CellView]:
    """The cells of a class: any of them may hold as many of its records as fit; with ``laws`` how likely that is."""
    views = []
    alone = len(part.free_cells) == 1
    for position, (cell, volume) in enumerate(zip(part.free_cells, part.cell_volumes, strict=True)):
        ends = (part.size if alone else 0, part.size if part.alike or alone else min(part.size, volume))
        law = tuple(laws[position]) if laws else ()
        views.append(CellView(cell, *ends, ends, law, exact=bool(laws)))
    return views
