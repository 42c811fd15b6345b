"""Groups of a checked release in which everybody shows the same value of a sensitive column, by which it is known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.checks.classes import Classes
from cra_engine.checks.labels import known_in
from cra_engine.checks.sensitive_values import SensitiveValues
from cra_engine.criteria.diversity import Diversity
from cra_engine.study.study import Study
from cra_engine.words import how_many, listed


@dataclass(frozen=True, eq=False)
class SharedValues:
    """The groups of a checked release in each of which everybody shows the same value of a sensitive column.

    Attributes:
        column: the sensitive one.
        names: the columns that make the groups.
        beside: those of them that are no quasi-identifiers of the study.
        groups: the rows of each.
        people: the records in them whose value is known; none where all their cells are empty.
        known: whether it is of all of them.
    """

    column: str
    names: tuple[str, ...]
    beside: tuple[str, ...]
    groups: tuple[NDArray[np.int64], ...]
    people: int
    known: bool

    @property
    def told(self) -> str:
        """What it gives away, in a sentence."""
        each = "In 1 group" if len(self.groups) == 1 else f"In each of {len(self.groups):,} groups"
        each += f" by {listed(self.beside)}, too," if self.beside else ""
        everybody = "everybody" if self.known else "everybody whose value is known"
        return f"{each} {everybody} has the same {self.column}: {how_many(self.people, 'person', 'people')} in all."


def shared_values(
    frame: pd.DataFrame,
    source: pd.DataFrame,
    study: Study,
    classes: Classes,
    diverse: Sequence[Diversity],
    more: Sequence[str],
) -> Iterator[SharedValues]:
    """Give per sensitive column of a checked release the groups that share a value: by more columns, else its classes.

    Args:
        frame: the release.
        source: where values are read, the raw table where there is one.
        study: the publisher's.
        classes: by the quasi-identifiers.
        diverse: the sensitive columns in these.
        more: columns beside them that others may know, and of which nobody said anything.
    """
    names = (*study.names, *more)
    finer = Classes.of(frame, names, classes.times) if more else classes
    several = [rows for rows, size in zip(finer.groups, finer.sizes, strict=True) if size > 1]
    for one in diverse:
        said = known_in(frame[one.column])
        column = (source if one.column in source.columns else frame)[one.column]
        by_more = SensitiveValues.of(column, several, frame[one.column], classes.times).diversity if more else None
        beside, found = (tuple(more), by_more) if by_more is not None and by_more.alike else ((), one)
        own = several if found is by_more else classes.groups
        if found.alike:
            groups = tuple(own[at] for at in found.alike)
            of = np.concatenate(groups)
            yield SharedValues(
                one.column,
                (*study.names, *beside),
                beside,
                groups,
                classes.records_of(of[said[of]]),
                bool(said[of].all()),
            )
