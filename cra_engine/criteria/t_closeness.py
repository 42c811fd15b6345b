"""t-closeness: a group whose sensitive values spread nearly as they do in the whole table (Li and others 2007)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.criterion import ColumnCriterion
from cra_engine.criteria.forms import Form, NumberField
from cra_engine.criteria.groups import Groups, Spread, Whole, at_most, with_room
from cra_engine.criteria.parameters import Number, share
from cra_engine.errors import DataError, StudyError

Distance = Literal["equal", "ordered", "hierarchical"]
DISTANCES: tuple[str, ...] = get_args(Distance)
_AT_ONCE = 1 << 21  # cells of a table of groups by values that are worked on together


class ListedValues(Protocol):
    """The values that a criterion's hierarchy file lists, with their labels.

    Attributes:
        rows: per listed value the value and its label in each layer, the root last.
    """

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """See the class."""


_T = NumberField("t", "t", 0.0, 1.0, 0.2, 0.05)


@dataclass(frozen=True)
class TCloseness(ColumnCriterion):
    """The criterion that each group's shares ``p`` of the sensitive values are within ``t`` of the table's ``q``.

    The distance is the earth mover's, ``EMD(p, q) <= t``, and what a move costs is the ground distance:

    - ``equal``: 1 between any two values; ``1/2 sum |p - q|``.
    - ``ordered``: the steps between two of the table's ``v`` values in ascending order, over ``v - 1``;
      ``1/(v - 1) * sum_i |sum_(j <= i) (p_j - q_j)|``.
    - ``hierarchical``: the height of the lowest node above both, over the height of the hierarchy.

    All of it in whole numbers, so that a group at exactly ``t`` passes.

    Args:
        attribute: the sensitive column.
        t: from 0 to 1.
        distance: see above.
        hierarchy: of the sensitive values; for ``hierarchical`` only.

    Raises:
        StudyError: a parameter is unusable.

    >>> import pandas as pd
    >>> table = Groups.of([[0, 1], [2, 3]], {"salary": pd.Series([3, 5, 5, 3])})
    >>> TCloseness("salary", 0).holds(table)
    True
    >>> table = Groups.of([[0, 3], [1, 2]], {"salary": pd.Series([3, 5, 5, 3])})
    >>> TCloseness("salary", 0.49).holds(table), TCloseness("salary", 0.5).holds(table)
    (False, True)
    """

    model: ClassVar[str] = "t-closeness"
    forms: ClassVar[tuple[Form, ...]] = (
        Form("t-closeness, equal distance", (_T,), {"distance": "equal"}),
        Form("t-closeness, ordered distance", (_T,), {"distance": "ordered"}),
        Form("t-closeness, hierarchical distance", (_T,), {"distance": "hierarchical"}, "hierarchy"),
    )

    t: Fraction
    distance: Distance = "equal"
    hierarchy: ListedValues | None = None

    def __init__(
        self, attribute: str, t: Number, distance: str = "equal", hierarchy: ListedValues | None = None
    ) -> None:
        """Check the parameters."""
        if distance not in DISTANCES:
            raise StudyError(f"The distance of t-closeness is {distance!r}; take equal, ordered or hierarchical.")
        if (distance == "hierarchical") != (hierarchy is not None):
            raise StudyError(
                f"The t-closeness of {attribute!r} needs a hierarchy file for the hierarchical distance, and none for "
                "the others."
            )
        limit = share(t, f"t of the t-closeness of {attribute!r}")
        for key, given in (("attribute", attribute), ("t", limit), ("distance", distance), ("hierarchy", hierarchy)):
            object.__setattr__(self, key, given)

    @property
    def columns(self) -> Mapping[str, bool]:
        """The sensitive column, read as numbers where all its cells are; a hierarchy lists its values as text."""
        return {self.attribute: self.hierarchy is None}

    def passes(self, groups: Groups) -> NDArray[np.bool_]:
        """Per group whether it passes.

        Raises:
            DataError: ``ordered`` on text, or a value that its hierarchy does not list.
        """
        return at_most(*self._work(groups), self.t)

    def distances(self, groups: Groups) -> list[Fraction]:
        """Per group how far its values are from the table's, whatever ``t`` is; raises as :meth:`passes`.

        >>> import pandas as pd
        >>> table = Groups.of([[0, 3], [1, 2]], {"salary": pd.Series([3, 5, 5, 3])})
        >>> TCloseness("salary", 0).distances(table)
        [Fraction(1, 2), Fraction(1, 2)]
        """
        work, wholes = self._work(groups)
        return [Fraction(int(part), int(whole)) for part, whole in zip(work.tolist(), wholes.tolist(), strict=True)]

    def _work(self, groups: Groups) -> tuple[Whole, Whole]:
        """Per group the work of moving, and what it is a share of."""
        spread = groups.spreads[self.attribute]
        self.check(spread)
        work, scale = self._equal(groups, spread) if self.distance == "equal" else self._in_pieces(groups, spread)
        whole = groups.sizes * int(spread.totals.sum())
        return work, with_room(whole, scale) * scale

    def check(self, spread: Spread) -> None:
        """Refuse values that have no distance.

        Raises:
            DataError: ``ordered`` on text, or a value that its hierarchy does not list.
        """
        if self.distance == "ordered" and not spread.numeric:
            raise DataError(
                f"The ordered distance of t-closeness needs numbers, and {self.attribute!r} holds text; take the equal "
                "or the hierarchical distance."
            )
        if self.hierarchy is not None:
            known = {row[0] for row in self.hierarchy.rows}
            missing = next((str(value) for value in spread.values if str(value) not in known), None)
            if missing is not None:
                raise DataError(
                    f"The value {missing[:60]!r} of {self.attribute!r} is not listed in its hierarchy; add it there or "
                    "correct it."
                )

    def _equal(self, groups: Groups, spread: Spread) -> tuple[Whole, int]:
        """``sum |c n - C m|`` per group, of ``2 m n``."""
        records = int(spread.totals.sum())
        sizes = with_room(groups.sizes, 2 * records)
        there = np.abs(spread.count * records - spread.totals[spread.value] * sizes[spread.group])
        starts = spread.starts()
        # Values that a group lacks count too: their whole share of the table.
        absent = records - np.add.reduceat(spread.totals[spread.value], starts) if len(starts) else starts
        return np.add.reduceat(there, starts) + absent * sizes if len(starts) else starts, 2

    def _in_pieces(self, groups: Groups, spread: Spread) -> tuple[Whole, int]:
        """The work per group and its scale, from tables of groups by values that are never large."""
        values, records = len(spread.values), int(spread.totals.sum())
        step = max(_AT_ONCE // max(values, 1), 1)
        sizes = with_room(groups.sizes, 2 * records * max(values, self._height))
        pieces = []
        for start in range(0, len(groups), step):
            part = slice(*np.searchsorted(spread.group, [start, start + step]))
            held = np.zeros((len(sizes[start : start + step]), values), dtype=sizes.dtype)
            held[spread.group[part] - start, spread.value[part]] = spread.count[part]
            apart = held * records - spread.totals * sizes[start : start + step, None]
            pieces.append(self._ordered(apart) if self.distance == "ordered" else self._hierarchical(apart, spread))
        scale = max(values - 1, 1) if self.distance == "ordered" else self._height
        return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.int64), scale

    @property
    def _height(self) -> int:
        """Steps from a value to the root, whichever of them a release may show."""
        return 1 if self.hierarchy is None else len(self.hierarchy.rows[0]) - 1

    @staticmethod
    def _ordered(apart: Whole) -> Whole:
        return np.asarray(np.abs(np.cumsum(apart, axis=1)).sum(axis=1))

    def _hierarchical(self, apart: Whole, spread: Spread) -> Whole:
        """Each inner node of height x costs x times the smaller of what its children have too much and too little."""
        assert self.hierarchy is not None  # noqa: S101 - checked when built
        row_of = {row[0]: row for row in self.hierarchy.rows}
        paths = [row_of[str(value)] for value in spread.values]
        below = apart
        cost = np.zeros(len(apart), dtype=apart.dtype)
        names = [path[0:] for path in paths]
        for height in range(1, self._height + 1):
            parents: dict[tuple[str, ...], int] = {}
            parent = np.array([parents.setdefault(name[1:], len(parents)) for name in names], dtype=np.int64)
            order = np.argsort(parent, kind="stable")
            starts = np.flatnonzero(np.diff(parent[order], prepend=-1))
            children = below[:, order]
            more = np.add.reduceat(np.maximum(children, 0), starts, axis=1)
            below = np.add.reduceat(children, starts, axis=1)
            cost += height * np.minimum(more, more - below).sum(axis=1)
            names = list(parents)
        return cost

    def __str__(self) -> str:
        """As a report names it."""
        return f"{float(self.t):g}-closeness of {self.attribute} ({self.distance} distance)"
