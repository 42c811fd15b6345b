"""The classes of a checked release and how many records each has, whether a row is a record or stands for several."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.blocks import counted
from cra_engine.risk.sensitive_cells import classes_of


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of a checked release.

    Attributes:
        groups: the rows of each, from 0.
        suppressed: the rows that are in none.
        times: how many records each row of the release stands for.
    """

    groups: tuple[NDArray[np.int64], ...]
    suppressed: NDArray[np.int64]
    times: NDArray[np.int64]

    @classmethod
    def of(cls, frame: pd.DataFrame, names: Sequence[str], times: NDArray[np.int64] | None = None) -> Self:
        """Of a release: rows alike in some columns; each row is a record where nothing else is said."""
        groups = classes_of(frame, list(names))
        outside = np.ones(len(frame), dtype=bool)
        for rows in groups:
            outside[rows] = False
        times = np.ones(len(frame), dtype=np.int64) if times is None else times
        return cls(groups, np.flatnonzero(outside), times)

    @cached_property
    def sizes(self) -> list[int]:
        """The records of each class."""
        rows = np.concatenate(self.groups) if self.groups else np.empty(0, dtype=np.int64)
        of = np.repeat(np.arange(len(self.groups)), [len(own) for own in self.groups])
        return [int(size) for size in counted(of, len(self.groups), self.times[rows])]

    @cached_property
    def records(self) -> int:
        """All records."""
        return int(self.times.sum())

    @cached_property
    def hidden(self) -> int:
        """The suppressed records."""
        return self.records_of(self.suppressed)

    def records_of(self, rows: NDArray[np.int64]) -> int:
        """How many records some rows stand for."""
        return int(self.times[rows].sum())
