"""k-anonymity: a group of k records or more (Sweeney 2002)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.criterion import GroupCriterion
from cra_engine.criteria.groups import Groups
from cra_engine.criteria.parameters import whole


@dataclass(frozen=True)
class KAnonymity(GroupCriterion):
    """The criterion that each group holds ``k`` records or more.

    Raises:
        StudyError: k is no whole number of 1 or more.

    >>> KAnonymity(3).holds(Groups.of([[0, 1]]))
    False
    """

    k: int

    def __post_init__(self) -> None:
        """Check the parameter."""
        object.__setattr__(self, "k", whole(self.k, "k"))

    def passes(self, groups: Groups) -> NDArray[np.bool_]:
        """Per group whether it passes."""
        return np.asarray(groups.sizes >= self.k)

    @property
    def monotone(self) -> bool:
        """Always: more records leave k or more."""
        return True

    @property
    def least(self) -> int:
        """Number of records that a group needs at least to pass."""
        return self.k

    def __str__(self) -> str:
        """As a report names it."""
        return f"{self.k}-anonymity"
