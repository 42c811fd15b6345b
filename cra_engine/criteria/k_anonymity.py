"""k-anonymity: a group of k records or more (Sweeney 2002)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.groups import Groups
from cra_engine.criteria.parameters import whole


@dataclass(frozen=True)
class KAnonymity:
    """The criterion that each group holds ``k`` records or more.

    Raises:
        StudyError: k is no whole number of 1 or more.

    >>> KAnonymity(3).holds(Groups.of([[0, 1]]))
    False
    """

    columns: ClassVar[Mapping[str, bool]] = {}
    marking: ClassVar[None] = None
    monotone: ClassVar[bool] = True

    k: int

    def __post_init__(self) -> None:
        """Check the parameter."""
        object.__setattr__(self, "k", whole(self.k, "k"))

    def passes(self, groups: Groups) -> NDArray[np.bool_]:
        """Per group whether it passes."""
        return np.asarray(groups.sizes >= self.k)

    def holds(self, group: Groups) -> bool:
        """Whether one group passes, or all of several."""
        return bool(self.passes(group).all())

    @property
    def least(self) -> int:
        """Number of records that a group needs at least to pass."""
        return self.k

    def __str__(self) -> str:
        """As a report names it."""
        return f"{self.k}-anonymity"
