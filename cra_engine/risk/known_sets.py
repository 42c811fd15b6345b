"""Sets of columns that somebody may know together: each may be k-anonymous, and their union not.

The EdX release was k-anonymized by 17 overlapping quasi-identifiers one by one; 7 % of its students were alone by their
union (Cohen 2022, section 6.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import counted
from cra_engine.errors import StudyError
from cra_engine.patience import Deadline
from cra_engine.risk.uniques import MOST_COLUMNS, cell_codes, minimal_uniques, twice_at_most
from cra_engine.words import listed


@dataclass(frozen=True)
class KnownSet:
    """The risk from one set of known columns: how many records share its cells (Definition 3.1).

    Attributes:
        columns: the set.
        smallest: records of the smallest group.
        below: records in groups of fewer than k.
        alone: records that are alone.
    """

    columns: tuple[str, ...]
    smallest: int
    below: int
    alone: int


@dataclass(frozen=True)
class KnownSets:
    """The risk from several sets of known columns, each by itself and all together.

    Attributes:
        k: the smallest number of records that may share cells.
        each: the sets as given.
        together: their union.
        by_size: people who are alone by one column of the union, by two and no fewer, .. up to the largest sets that
            were looked at.
    """

    k: int
    each: tuple[KnownSet, ...]
    together: KnownSet
    by_size: tuple[int, ...]

    @property
    def failing(self) -> tuple[KnownSet, ...]:
        """The sets by which some records are in groups of fewer than k."""
        return tuple(one for one in self.each if one.below)


def known_sets(
    frame: pd.DataFrame,
    sets: Sequence[Sequence[str]],
    k: int,
    deadline: Deadline,
    times: NDArray[np.int64] | None = None,
) -> KnownSets:
    """Measure the risk from sets of known columns: groups of equal cells by each, and by their union.

    Args:
        frame: the published table.
        sets: one set of column names or more.
        k: the smallest number of records that may share cells.
        deadline: of counting by how few columns people are alone.
        times: how many records each row stands for; one when left out.

    Raises:
        StudyError: no set, an empty set, a column that is not published, or one that a set names twice.

    >>> table = pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 1, 2], "c": [1, 1, 2, 2]})
    >>> found = known_sets(table, [("a", "c"), ("b",)], 2, Deadline(10))
    >>> [one.smallest for one in found.each], found.together.smallest, found.by_size
    ([2, 2], 1, (0, 4, 0))
    """
    if not sets:
        raise StudyError("No set of columns is given; name the columns that somebody may know together.")
    for one in sets:
        if lacking := [name for name in one if name not in frame.columns]:
            shown = listed([repr(str(name)[:60]) for name in list(frame.columns)[:12]])
            raise StudyError(
                f"The column {lacking[0][:60]!r} of the set {', '.join(one)[:200]!r} is not published; name columns of "
                f"the release: {shown}."
            )
        if len(set(one)) < len(one) or not one:
            raise StudyError(
                f"The set {', '.join(one)[:200]!r} is empty or names a column twice; name each column of a set once."
            )
    union = tuple(dict.fromkeys(name for one in sets for name in one))
    times = np.ones(len(frame), dtype=np.int64) if times is None else times
    uniques = minimal_uniques(twice_at_most(frame, times), list(union), MOST_COLUMNS, deadline)
    each = tuple(_known(frame, tuple(one), k, times) for one in sets)
    return KnownSets(k, each, _known(frame, union, k, times), uniques.by_size)


def _known(frame: pd.DataFrame, columns: tuple[str, ...], k: int, times: NDArray[np.int64]) -> KnownSet:
    cells = np.stack([cell_codes(frame[name]) for name in columns], axis=1)
    kinds, kind = np.unique(cells, axis=0, return_inverse=True)
    groups = counted(kind.reshape(-1), len(kinds), times)
    return KnownSet(columns, int(groups.min()), int(groups[groups < k].sum()), int((groups == 1).sum()))
