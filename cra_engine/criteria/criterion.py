"""What criteria on groups of records have in common, as most of them have it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.groups import Groups


class GroupCriterion(ABC):
    """A criterion on groups; inherited by frozen dataclasses, see :mod:`cra_engine.criteria.models`."""

    @property
    def columns(self) -> Mapping[str, bool]:
        """The columns that it reads, and whether as numbers where all their cells are."""
        return {}

    @property
    def marking(self) -> tuple[str, str] | None:
        """The column and the value that mark the records to publish; None where all are."""
        return None

    @property
    def monotone(self) -> bool:
        """Whether a group that passes still does with more records in it."""
        return False

    @property
    def least(self) -> int:
        """Number of records that a group needs at least to pass: one alone can, beside large ones or where all fits."""
        return 1

    @abstractmethod
    def passes(self, groups: Groups) -> NDArray[np.bool_]:
        """Per group whether it passes."""

    def holds(self, group: Groups) -> bool:
        """Whether one group passes, or all of several."""
        return bool(self.passes(group).all())


@dataclass(frozen=True)
class ColumnCriterion(GroupCriterion):
    """A criterion on how the values of one sensitive column spread over a group."""

    attribute: str

    @property
    def columns(self) -> Mapping[str, bool]:
        """The sensitive column, read as numbers where all its cells are."""
        return {self.attribute: True}
