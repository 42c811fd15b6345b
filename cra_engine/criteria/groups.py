"""Groups of records for criteria: their sizes, and how the values of some columns spread over them.

A group is a set of records that show the same quasi-identifiers, whoever published them and however. Many groups stand
in one object as arrays, so that a sweep over thousands of tables costs a few array operations for each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import counted

Whole = NDArray[np.signedinteger[Any]]
LARGEST = 2**62  # whole numbers below it do not overflow, nor does the sum of two


@dataclass(frozen=True, eq=False)
class Spread:
    """The spread of a column's values over groups that a criterion tests: one entry per group and value in it.

    Attributes:
        values: the different values of the whole table, numbers in ascending order.
        totals: records of the whole table per value; shape (values,).
        group: per entry the group, ascending; shape (entries,).
        value: per entry the place of its value in ``values``, ascending within a group.
        count: per entry its number of records, at least one.
        numeric: whether the values are numbers.
    """

    values: Sequence[Any]
    totals: Whole
    group: Whole
    value: Whole
    count: Whole
    numeric: bool = False

    def starts(self) -> Whole:
        """The entry that each group begins with."""
        return np.flatnonzero(np.diff(self.group, prepend=-1))


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of records that a criterion tests.

    Attributes:
        sizes: records per group, at least one; shape (groups,).
        spreads: per column that some criterion reads, how its values spread over the groups.
        population: records per group of a larger population, where the table is a part of one; shape (groups,).

    >>> import pandas as pd
    >>> table = pd.DataFrame({"diagnosis": ["flu", "cold", "flu", "flu"]})
    >>> groups = Groups.of([[0, 1], [2, 3]], {"diagnosis": table["diagnosis"]})
    >>> groups.sizes.tolist(), groups.spreads["diagnosis"].count.tolist()
    ([2, 2], [1, 1, 2])
    """

    sizes: Whole
    spreads: Mapping[str, Spread] = field(default_factory=dict)
    population: Whole | None = None

    @classmethod
    def of(
        cls,
        groups: Sequence[NDArray[np.int64] | Sequence[int]],
        columns: Mapping[str, "pd.Series[Any]"] | None = None,
        population: Sequence[int] | None = None,
        times: NDArray[np.int64] | None = None,
    ) -> "Groups":
        """The groups of a published table.

        Args:
            groups: row numbers, from 0, of each group; :class:`cra_engine.published.Published` has them.
            columns: the raw columns that criteria read, one value per row of the table.
            population: records per group of the population, for d-presence.
            times: how many records each row of the table stands for; one when left out.
        """
        rows = np.concatenate([np.asarray(rows, dtype=np.int64) for rows in groups]) if groups else np.empty(0, int)
        group = np.repeat(np.arange(len(groups)), [len(rows) for rows in groups])
        often = None if times is None else times[rows]
        sizes = counted(group, len(groups), often)
        spreads = {}
        for name, column in (columns or {}).items():
            codes, values = pd.factorize(column, sort=column.dtype.kind in "iuf", use_na_sentinel=False)
            keys, pair = np.unique(group * len(values) + codes[rows], return_inverse=True)
            spreads[name] = Spread(
                list(values),
                counted(codes, len(values), times),
                keys // max(len(values), 1),
                keys % max(len(values), 1),
                counted(pair, len(keys), often),
                column.dtype.kind in "iuf",
            )
        return cls(sizes, spreads, None if population is None else np.array(population, dtype=np.int64))

    def __len__(self) -> int:
        """Number of groups."""
        return len(self.sizes)


def with_room(values: Whole, *factors: int) -> NDArray[Any]:
    """Return a criterion's whole numbers as machine integers if products with the factors fit, else as Python's.

    >>> (with_room(np.array([2**40]), 2**40) * 2**40)[0] == 2**80
    True
    """
    most = int(np.abs(values).max(initial=1))
    for factor in factors:
        most *= max(abs(factor), 1)
    return values.astype(np.int64 if most < LARGEST else object)


def at_most(parts: NDArray[Any], wholes: NDArray[Any], limit: Fraction) -> NDArray[np.bool_]:
    """Return whether ``parts / wholes <= limit`` in each group, exactly; whole numbers, the wholes positive."""
    left = with_room(parts, limit.denominator) * limit.denominator
    right = with_room(wholes, limit.numerator) * limit.numerator
    return np.asarray(left <= right, dtype=bool)
