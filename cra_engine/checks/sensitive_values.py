"""The sensitive values that classes show, as criteria read them; an empty or a suppressed cell shows none."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.checks.labels import as_text, said_in
from cra_engine.criteria.diversity import Diversity, diversity
from cra_engine.criteria.groups import Groups
from cra_engine.raw.numbers import numbers
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many

MOST_NAMED = 3  # values of single records that are named


@dataclass(frozen=True, eq=False)
class SensitiveValues:
    """The values of one sensitive column over the classes of a checked release.

    Attributes:
        column: its name.
        groups: the classes that show anything of it, of each the records whose value is known.
        classes: which of all classes these are.
    """

    column: str
    groups: Groups
    classes: tuple[int, ...]

    @classmethod
    def of(
        cls,
        column: "pd.Series[Any]",
        groups: Sequence[NDArray[np.int64]],
        shown: "pd.Series[Any] | None" = None,
        times: NDArray[np.int64] | None = None,
    ) -> "SensitiveValues":
        """Reads a column.

        A class whose other people share a value is alike, unless it shows nothing but empty cells: these are one value
        then. Suppressed records of a raw table count in the whole table's shares.

        Args:
            column: the values, one per record: the raw table's where there is one.
            groups: the classes, as row numbers from 0.
            shown: the same column as the release has it; ``column`` itself when left out.
            times: how many records each row stands for; one when left out.
        """
        hidden = (as_text(column if shown is None else shown) == ROOT_LABEL).to_numpy()
        empty = (as_text(column) != ROOT_LABEL).to_numpy()
        known = said_in(column).copy()
        for rows in groups:
            if not known[rows].any():
                known[rows] = empty[rows]
        classes = [at for at, rows in enumerate(groups) if known[rows].any() and not hidden[rows].all()]
        place = np.cumsum(known) - 1
        kept = [place[groups[at][known[groups[at]]]] for at in classes]
        name = str(column.name)
        values = _values(column[known].reset_index(drop=True))
        own = None if times is None else times[known]
        return cls(name, Groups.of(kept, {name: values}, times=own), tuple(classes))

    @property
    def diversity(self) -> Diversity | None:
        """How diverse the values are, with the places that classes have among all; None where no class shows any."""
        if not self.classes:
            return None
        spread = diversity(self.groups, self.column)
        return replace(
            spread,
            fewest=self.classes[spread.fewest],
            farthest=self.classes[spread.farthest],
            alike=tuple(self.classes[at] for at in spread.alike),
        )


def single_values(column: "pd.Series[Any]") -> tuple[str, ...]:
    """Return the values of a sensitive column that a single record shows; none of numbers, which differ anyway.

    >>> single_values(pd.Series(["flu", "flu", "gout", "*"])), single_values(pd.Series(["1.5", "2"]))
    (('gout',), ())
    """
    texts = as_text(column)[said_in(column)]
    if pd.to_numeric(texts.str.replace(",", "."), errors="coerce").notna().all():
        return ()
    return tuple(sorted(value for value, records in Counter(texts).items() if records == 1))


def single_text(name: str, values: Sequence[str]) -> str:
    """Write how many values of a sensitive column single records show, as part of a sentence."""
    return f"{how_many(len(values), 'value')} of {name} {'is' if len(values) == 1 else 'are'} of a single record"


def single_sentence(name: str, values: Sequence[str]) -> str:
    """Write what it means that single records show values of a sensitive column, with the first of these values."""
    more = ", .." if len(values) > MOST_NAMED else ""
    return (
        f"{single_text(name, values)} ({', '.join(value[:40] for value in values[:MOST_NAMED])}{more}): whoever knows "
        "that somebody in the table has it knows that row. No demand of the rule looks at that: decide yourself."
    )


def alike_text(one: Diversity) -> str:
    """Write how many sensitive values of the group that is most alike are one, in a sentence; missing ones are none."""
    shared, told = one.most_alike
    return f"in the group most alike {shared:,} of {how_many(told, 'value')} of {one.column} are the same"


def _values(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """A sensitive column as criteria read it: numbers where all cells are, else texts."""
    read, problems = numbers(column)
    if not problems and not (read.dtype.kind == "f" and np.isnan(read).any()):
        return pd.Series(read)
    return as_text(column)
