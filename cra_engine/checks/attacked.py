"""The Combinatorial Refinement Attack as the gate asks it: certain, expected, per class; or why it was not made."""

import math
import time
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.attacks.full_domain import global_view
from cra_engine.attacks.intervals import expected_isolated
from cra_engine.attacks.refinement.attack import Attack, attack
from cra_engine.attacks.tight.attack import tight_attack
from cra_engine.checks.labels import Read
from cra_engine.checks.outcome import Attacked, AttackedClass
from cra_engine.errors import CRAError
from cra_engine.patience import Stopped, stoppable
from cra_engine.release import FullDomainRelease, Release
from cra_engine.risk.singling import single_out
from cra_engine.study.grid import Cell, Segment

OUT_OF_TIME = "the time ran out"
KEPT = 0.8  # of what is left of the time, for all classes together; the rest is for what comes after


def attacked(
    frame: pd.DataFrame, read: Read, groups: Sequence[NDArray[np.int64]], seconds: float, *, local: bool
) -> tuple[Attacked | None, str]:
    """The attack on a release, and why something of it is missing.

    Args:
        frame: the release.
        read: the same by its hierarchies.
        groups: its classes.
        seconds: what takes longer is left out.
        local: True where it is known to come from local recoding; else a release of one state is taken for a global
            recoding, of which less can be concluded.
    """
    if read.strange:
        return None, f"{read.strange}, which is no label of the study's hierarchies"
    if not groups and not local:
        return None, "every record is suppressed, and by which way of recoding is not known"
    end = time.monotonic() + seconds
    states = read.states(groups)
    try:
        with stoppable(lambda: time.monotonic() > end):
            # Single cells without suppressed records tell the same however they came about.
            plain = all(layer == 1 for state in states for layer in state) and sum(map(len, groups)) == len(frame)
            if not local and not plain and len(set(states)) == 1:
                return _global(read, groups, len(frame), states[0])
            return _local(Release(read.study, frame.astype(str)), end)
    except Stopped:
        return None, OUT_OF_TIME
    except CRAError as error:
        return None, str(error).rstrip(".")


def _local(release: Release, end: float) -> tuple[Attacked | None, str]:
    found = attack(release)
    contrary = [part for part in found.parts if not part.basic and part.contradiction and not part.coincident]
    if contrary:
        return None, (
            f"{contrary[0].title.lower()} contradicts local recoding with k = {release.k} and profile "
            f"{release.study.profile}, so that it was made otherwise"
        )
    why, expected = "", None
    try:
        expected = single_out(found).expected_isolated
    except CRAError as error:
        why = str(error).rstrip(".")
    certain, cut = _certain(found, end)
    why = "; ".join(filter(None, (why, cut)))
    ratio = found.mean_ratio
    grid = release.grid
    return Attacked(
        "local",
        len(certain),
        expected,
        expected_isolated(release),
        ratio if math.isfinite(ratio) else None,
        tuple(_class(found, index, certain) for index in range(len(found.classes))),
        tuple(grid.describe(grid.cell_segment(cell)) for cell in certain),
    ), why


def _certain(found: Attack, end: float) -> tuple[list[Cell], str]:
    """The cells that hold exactly one person for certain, all classes taken together, and why some may be missing.

    Records may be alike here: what is certain only where all differ is not certain.
    """
    alone = attack(found.release, prior="independent").isolated
    try:
        seconds = KEPT * max(0.0, end - time.monotonic())
        together = tight_attack(found.release, time_limit=seconds, prior="independent")
    except CRAError as error:
        return list(alone), f"all classes together: {str(error).rstrip('.')}"
    # What is known of the order of formation, not the time, is what a relaxed attack lacks.
    cut = "" if together.complete or together.relaxed else "with all classes together not all was settled in time"
    return sorted({*alone, *together.isolated}), cut


def _class(found: Attack, index: int, certain: Sequence[tuple[int, ...]]) -> AttackedClass:
    part = found.classes[index]
    known = (part.basic or part.counted) and part.exact_ratio is not None and math.isfinite(part.ratio)
    inside = sum(part.may_fill(cell) for cell in certain)
    return AttackedClass(found.release.grid.describe(part.segment), part.size, part.ratio if known else None, inside)


def _global(
    read: Read, groups: Sequence[NDArray[np.int64]], records: int, state: tuple[int, ...]
) -> tuple[Attacked | None, str]:
    if 0 in state:
        name = read.study.names[state.index(0)]
        return None, f"the release shows the raw values of {name!r}; what that gives away is not counted"
    if read.study.privacy:
        return None, "models beside k decide what is suppressed; what that gives away is not counted"
    classes = []
    for rows in groups:
        nodes = [one.nodes[place] for one, place in zip(read.labelled, read.places(int(rows[0])), strict=True)]
        classes.append((Segment(state, tuple(node.rank for node in nodes if node is not None)), len(rows)))
    suppressed = records - sum(size for _, size in classes)
    view = global_view(FullDomainRelease(read.study, state, tuple(sorted(classes)), suppressed))
    basic = all(layer == 1 for layer in state)
    return Attacked("global", view.certain, view.expected, None, 1.0 if basic else None), ""
