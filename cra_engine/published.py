"""What a published table is, whoever made it: what criteria, losses and count queries read.

Local and full-domain recoding publish nodes of hierarchies, Mondrian free intervals, microaggregation points,
heterogeneous schemes one box per row. What they share is here, and no more: docs/published.md says why.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Number = int | float | Fraction


@dataclass(frozen=True)
class Interval:
    """The numbers that a published value stands for.

    Attributes:
        lower: the smallest of them.
        upper: the largest of them where ``closed``, else the first past them. A point is closed, with equal ends.
        closed: whether ``upper`` belongs to it: true of free intervals and points, false of nodes ``[lower, upper[``.
    """

    lower: Number
    upper: Number
    closed: bool = False


@dataclass(frozen=True)
class Categories:
    """The categories that a published value stands for, as texts."""

    values: frozenset[str]


Extent = Interval | Categories


@dataclass(frozen=True, eq=False)
class Extents:
    """What each row's value of one quasi-identifier stands for.

    Attributes:
        distinct: the extents that occur, each once.
        of_row: per row the index of its extent in ``distinct``; shape (records,).
    """

    distinct: tuple[Extent, ...]
    of_row: NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, eq=False)
class Published:
    """A published table, rows in the input's order.

    Attributes:
        frame: the table as handed out.
        extents: per quasi-identifier what its values stand for; a suppressed row's is the whole domain.
        groups: the classes: row numbers (from 0, ascending) that show the same quasi-identifiers, suppressed rows left
            out. Empty where every row stands for itself.
        suppressed: the rows that show nothing in any quasi-identifier.
    """

    frame: pd.DataFrame
    extents: Mapping[str, Extents]
    groups: tuple[NDArray[np.int64], ...]
    suppressed: NDArray[np.int64]
