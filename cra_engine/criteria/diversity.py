"""Diversity of a table's sensitive values: the largest l and the smallest t that all groups pass."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from cra_engine.criteria.groups import Groups
from cra_engine.criteria.t_closeness import Distance, TCloseness


@dataclass(frozen=True)
class Diversity:
    """The diversity of one sensitive column over groups, as criteria ask for it.

    Attributes:
        column: its name.
        distinct_l: fewest different values that a group shows: the table has distinct l-diversity up to this l.
        entropy_l: ``exp`` of the least entropy of a group: entropy l-diversity up to this l.
        t: largest distance of a group's values from the table's: t-closeness from this t on.
        distance: how far values are apart: ``"ordered"`` for numbers, ``"equal"`` for all others.
        fewest: the first group of ``distinct_l`` values.
        farthest: the first group at distance ``t``.
        alike: the groups whose records all show one value.
        most_alike: of the group where most records share one value: how many of them do, and how many it has.
    """

    column: str
    distinct_l: int
    entropy_l: float
    t: Fraction
    distance: Distance
    fewest: int
    farthest: int
    alike: tuple[int, ...]
    most_alike: tuple[int, int]


def diversity(groups: Groups, column: str) -> Diversity:
    """Return how diverse a sensitive column is over groups (Machanavajjhala and others 2007; Li and others 2007).

    Args:
        groups: at least one, with the spread of the column.
        column: the sensitive one.

    >>> import pandas as pd
    >>> illness = pd.Series(["flu", "flu", "gout", "cold"])
    >>> found = diversity(Groups.of([[0, 1], [2, 3]], {"illness": illness}), "illness")
    >>> found.distinct_l, found.entropy_l, found.t, found.alike, found.most_alike
    (1, 1.0, Fraction(1, 2), (0,), (2, 2))
    """
    spread = groups.spreads[column]
    starts = spread.starts()
    different = np.diff(starts, append=len(spread.group))
    sizes = groups.sizes.astype(float)
    shares = spread.count / sizes[spread.group]
    entropies = np.add.reduceat(-shares * np.log(shares), starts)
    # A group of one value has entropy 0, whatever rounding makes of it.
    entropies = np.where(different == 1, 0.0, entropies)
    distance: Distance = "ordered" if spread.numeric else "equal"
    distances = TCloseness(column, 1, distance).distances(groups)
    farthest = max(range(len(distances)), key=distances.__getitem__)
    shared = int(shares.argmax())
    return Diversity(
        column,
        int(different.min()),
        math.exp(float(entropies.min())),
        distances[farthest],
        distance,
        int(different.argmin()),
        farthest,
        tuple(np.flatnonzero(different == 1).tolist()),
        (int(spread.count[shared]), int(groups.sizes[spread.group[shared]])),
    )
