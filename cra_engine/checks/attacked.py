"""The Combinatorial Refinement Attack as the gate asks it: certain, expected, per class; or why it was not made."""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

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
from cra_engine.patience import Stopped, checkpoint, stoppable
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
            common = [] if local or plain else read.common_states(groups)
            if common:
                # Where labels stand in several layers several states fit: certain is what each of them tells.
                least = [_global(read, groups, len(frame), state) for state in common]
                return min(least, key=lambda told: -1 if told[0] is None else told[0].certain)
            return _local(Release(read.study, frame.astype(str)), end)
    except Stopped:
        return None, OUT_OF_TIME
    except CRAError as error:
        return None, str(error).rstrip(".")


def _local(release: Release, end: float) -> tuple[Attacked | None, str]:
    """The attack, step by step: where the time runs out what was found before stays, as a bound."""
    found = attack(release)
    contrary = [part for part in found.parts if not part.basic and part.contradiction and not part.coincident]
    if contrary:
        return None, (
            f"{contrary[0].title.lower()} contradicts local recoding with k = {release.k} and profile "
            f"{release.study.profile}, so that it was made otherwise"
        )
    wide = sum(part.size for part in found.classes if not part.basic) + release.suppressed
    known, why = Attacked("local", 0, None, None, None, complete=False, at_most=wide), ""
    try:
        known = replace(known, expected_intervals=expected_isolated(release))
        expected, why = _expected(found, end)
        alone = attack(release, prior="independent").isolated
        known = replace(_with_certain(known, release, alone), expected_isolated=expected)
        together, cut = _together(release, end)
        why = "; ".join(filter(None, (why, cut)))
        certain = sorted({*alone, *together})
        known = replace(_with_certain(known, release, certain), complete=not cut)
        ratio = found.mean_ratio
        return replace(
            known,
            mean_ratio=ratio if math.isfinite(ratio) else None,
            classes=tuple(_class(found, index, certain) for index in range(len(found.classes))),
        ), why
    except Stopped:
        return known, "; ".join(dict.fromkeys(filter(None, (why, OUT_OF_TIME))))


def _expected(found: Attack, end: float) -> tuple[float | None, str]:
    """How many are expected to stand alone, each class by itself, within half of the time; and why that is missing."""
    until = (time.monotonic() + end) / 2
    try:
        with stoppable(lambda: time.monotonic() > until):
            return single_out(found).expected_isolated, ""
    except CRAError as error:
        return None, str(error).rstrip(".")
    except Stopped:
        checkpoint()  # whoever waits outside may have ended it, too
        return None, OUT_OF_TIME


def _with_certain(known: Attacked, release: Release, certain: Iterable[Cell]) -> Attacked:
    grid = release.grid
    texts = tuple(grid.describe(cell) for cell in certain)
    return replace(known, certain=len(texts), certain_texts=texts)


def _together(release: Release, end: float) -> tuple[Iterable[Cell], str]:
    """The cells that all classes together show to hold exactly one person, and why some may be missing.

    Records may be alike here: what is certain only where all differ is not certain.
    """
    try:
        seconds = KEPT * max(0.0, end - time.monotonic())
        found = tight_attack(release, time_limit=seconds, prior="independent")
    except CRAError as error:
        return (), f"all classes together: {str(error).rstrip('.')}"
    # What is known of the order of formation, not the time, is what a relaxed attack lacks.
    cut = "" if found.complete or found.relaxed else "with all classes together not all was settled in time"
    return found.isolated, cut


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
        ranks = [
            int(one.attribute.ranks[layer - 1][node.start])
            for one, layer, node in zip(read.labelled, state, nodes, strict=True)
            if node is not None
        ]
        classes.append((Segment(state, tuple(ranks)), len(rows)))
    suppressed = records - sum(size for _, size in classes)
    view = global_view(FullDomainRelease(read.study, state, tuple(sorted(classes)), suppressed))
    basic = all(layer == 1 for layer in state)
    return Attacked("global", view.certain, view.expected, None, 1.0 if basic else None), ""
