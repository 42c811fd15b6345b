"""What a published table is, whoever made it: what criteria, losses and count queries read, and what a reader gets.

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

from cra_engine.release import FullDomainRelease, Release
from cra_engine.results import Result

Number = int | float | Fraction


@dataclass(frozen=True)
class Interval:
    """An interval of numbers that a published value stands for.

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
    """A set of categories that a published value stands for, as texts."""

    values: frozenset[str]


Extent = Interval | Categories


@dataclass(frozen=True, eq=False)
class Extents:
    """The extents of one published quasi-identifier: what each row's value stands for.

    Attributes:
        distinct: the extents that occur, each once.
        of_row: per row the index of its extent in ``distinct``; shape (records,).
    """

    distinct: tuple[Extent, ...]
    of_row: NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, eq=False)
class Published:
    """A published table of any kind, rows in the input's order, and what is known of it.

    Attributes:
        frame: the table as handed out.
        extents: per quasi-identifier what its values stand for; a suppressed row's is the whole domain.
        groups: the classes: row numbers (from 0, ascending) that show the same quasi-identifiers, suppressed rows left
            out. Empty where every row stands for itself.
        suppressed: the rows that show nothing in any quasi-identifier.
        release: what a reader gets and an attack may read; None where no attack of this program reads such a table.
        no_release: why there is none; empty where there is one.
        loss: mean loss of a record by the hierarchies, from 0 (nothing lost) to 1; None where values are no nodes.
        notes: what to know of the table, as sentences.
    """

    frame: pd.DataFrame
    extents: Mapping[str, Extents]
    groups: tuple[NDArray[np.int64], ...]
    suppressed: NDArray[np.int64]
    release: Release | FullDomainRelease | None = None
    no_release: str = ""
    loss: float | None = None
    notes: tuple[str, ...] = ()

    def classes_table(self) -> pd.DataFrame:
        """A row per class: what it shows in each quasi-identifier, and its size; suppressed records last.

        Where every row stands for itself, the rows as they are.
        """
        names = list(self.extents)
        if not self.groups and not len(self.suppressed):
            return self.frame
        members = [*self.groups, *([self.suppressed] if len(self.suppressed) else [])]
        shown = self.frame[names].iloc[[int(rows[0]) for rows in members]].reset_index(drop=True)
        return shown.assign(size=[len(rows) for rows in members])


class WithoutHierarchies(Result):
    """A published table whose values are no nodes of hierarchies: no attack of this program reads it.

    Why there is no release stands in ``published.no_release``.
    """

    @property
    def suppressed(self) -> int:
        """Number of suppressed records: none."""
        return 0

    @property
    def release(self) -> None:
        """None: what a reader concludes from such rows is not worked out here."""
        return

    @property
    def loss(self) -> None:
        """None: the mean loss of a record is one of nodes of hierarchies; such a result has a loss of its own."""
        return


@dataclass(frozen=True, eq=False)
class RowClass:
    """A published class that is no box of hierarchies: the rows that show the same quasi-identifiers.

    Attributes:
        rows: their numbers from 0, ascending.
    """

    rows: NDArray[np.int64]

    @property
    def size(self) -> int:
        """Number of records."""
        return len(self.rows)
