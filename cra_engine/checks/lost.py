"""What a release keeps of its table."""

import math
from collections.abc import Sequence

import numpy as np

from cra_engine.blocks import counted
from cra_engine.checks.classes import Classes
from cra_engine.checks.labels import ColumnValues, Read
from cra_engine.checks.outcome import Utility
from cra_engine.utility.class_sizes import aecs, discernibility
from cra_engine.utility.entropy import EntropyLoss


def utility_of(read: Read | None, classes: Classes, raw: Sequence[ColumnValues]) -> Utility:
    """Return the losses of a checked release; those by hierarchies where its labels stand in them.

    Args:
        read: the release by its hierarchies; None where its labels are not of them.
        classes: its classes.
        raw: the raw table's quasi-identifiers, in the release's order; none where there is no raw table.
    """
    sizes, hidden = classes.sizes, classes.hidden
    by_sizes = Utility(None, discernibility(sizes, hidden), aecs(sizes, hidden), None, None)
    if read is None:
        return by_sizes
    entropy = _entropy(read, classes, raw) if raw else None
    return Utility(read.loss(classes), by_sizes.discernibility, by_sizes.aecs, read.precision(classes), entropy)


def _entropy(read: Read, classes: Classes, raw: Sequence[ColumnValues]) -> float:
    """Non-uniform entropy: per cell ``log2(f(g(v)) / f(v))``, ``f`` counted over the whole table.

    Where one state holds for all records, suppressed ones count by what that state would have shown of them, as
    :class:`cra_engine.utility.entropy.EntropyLoss` has it; elsewhere by the root, which is what they show.
    """
    common = read.common_states(classes.groups)
    if common and classes.groups:
        return _of_one_state(read, common[0], classes, raw)
    bits = 0.0
    for one, values in zip(read.labelled, raw, strict=True):
        held = counted(values.codes, len(values.different), classes.times)
        wide = np.array([held[one.covers(place, values)].sum() for place in range(len(one.labels))])
        # Rows of one share together: their number times its bits rounds alike, however the rows were counted.
        shares, place = np.unique(wide[one.codes] / held[values.codes], return_inverse=True)
        bits += math.fsum((counted(place, len(shares), classes.times) * np.log2(shares)).tolist())
    return bits


def _of_one_state(read: Read, state: tuple[int, ...], classes: Classes, raw: Sequence[ColumnValues]) -> float:
    before, after, hidden = [], [], []
    suppressed, times = classes.suppressed, classes.times
    for one, layer, values in zip(read.labelled, state, raw, strict=True):
        ranks = one.attribute.ranks[layer - 1][values.leaves[values.codes]] if layer else values.codes
        many = int(ranks.max(initial=-1)) + 1
        before.append(counted(values.codes, len(values.different), times).tolist())
        after.append(counted(ranks, many, times).tolist())
        hidden.append(counted(ranks[suppressed], many, times[suppressed]).tolist() if len(suppressed) else [])
    return EntropyLoss.of(before, after, hidden if len(suppressed) else ()).value
