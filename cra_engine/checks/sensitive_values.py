"""The sensitive values that classes show, as criteria read them; an empty or a suppressed cell shows none."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.checks.labels import as_text, known_in, records_that_say, said_in
from cra_engine.criteria.diversity import Diversity, diversity
from cra_engine.criteria.groups import Groups
from cra_engine.raw.numbers import numbers
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, listed

MOST_NAMED = 3  # values of single records that are named
_LEFT_SHOWN = (
    "left shown as decided, of a single record each; whoever knows that somebody in the table has it knows that row"
)


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
        *,
        values: Collection[str] | None = None,
    ) -> "SensitiveValues":
        """Reads a column.

        A class whose other people share a value is alike, unless it shows nothing but empty cells: these are one value
        then. Suppressed records of a raw table count in the whole table's shares.

        Args:
            column: the values, one per record: the raw table's where there is one.
            groups: the classes, as row numbers from 0.
            shown: the same column as the release has it; ``column`` itself when left out.
            times: how many records each row stands for; one when left out.
            values: of a privacy model, which counts words that nobody knows where somebody decided that they are
                values: these words. Where left out none of them counts; see :func:`cra_engine.checks.labels.known_in`.
        """
        hidden = (as_text(column if shown is None else shown) == ROOT_LABEL).to_numpy()
        empty = (as_text(column) != ROOT_LABEL).to_numpy()
        known = known_in(column) if values is None else said_in(column, values)
        for rows in groups:
            if not known[rows].any():
                known[rows] = empty[rows]
        classes = [at for at, rows in enumerate(groups) if known[rows].any() and not hidden[rows].all()]
        place = np.cumsum(known) - 1
        kept = [place[groups[at][known[groups[at]]]] for at in classes]
        name = str(column.name)
        read = _values(column[known].reset_index(drop=True))
        own = None if times is None else times[known]
        return cls(name, Groups.of(kept, {name: read}, times=own), tuple(classes))

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


def single_values(column: "pd.Series[Any]", values: Collection[str] = ()) -> tuple[str, ...]:
    """Return the values of a sensitive column that a single record shows; none of numbers, which differ anyway.

    Args:
        column: as it is published.
        values: texts that are values as somebody decided; see :func:`cra_engine.checks.labels.said_in`.

    >>> single_values(pd.Series(["flu", "flu", "gout", "*"])), single_values(pd.Series(["1.5", "2"]))
    (('gout',), ())
    """
    return tuple(value for value, records in _rarest_first(column, values) if records == 1)


def hidden_together(column: "pd.Series[Any]", values: Collection[str] = ()) -> tuple[tuple[str, int], ...]:
    """Return the values of a sensitive column that go behind ``*`` with those of single records, rarest first.

    Alone behind ``*`` a value would still tell its row to whoever knows that somebody has it: the next rarest goes with
    it. None where no value is of a single record.

    Args:
        column: as it is published.
        values: texts that are values as somebody decided; see :func:`cra_engine.checks.labels.said_in`.

    Returns:
        Each value with its number of records.

    >>> hidden_together(pd.Series(["flu", "flu", "flu", "gout", "cold", "cold"]))
    (('gout', 1), ('cold', 2))
    >>> hidden_together(pd.Series(["flu", "flu", "gout", "cold"])), hidden_together(pd.Series(["flu", "flu"]))
    ((('cold', 1), ('gout', 1)), ())
    """
    found = _rarest_first(column, values)
    singles = sum(records == 1 for _, records in found)
    return found[: max(singles, 2)] if singles else ()


def with_people(values: Sequence[tuple[str, int]]) -> str:
    """Write the first of some values with how many people have each.

    >>> with_people([("ague", 1), ("cold", 2), ("flu", 2), ("gout", 3)])
    'ague (1 person), cold (2), flu (2) and 1 more'
    """
    (first, many), *others = values[:MOST_NAMED]
    said = [f"{first[:40]} ({how_many(many, 'person', 'people')})"]
    said += [f"{value[:40]} ({people:,})" for value, people in others]
    more = len(values) - MOST_NAMED
    return listed([*said, f"{more:,} more"] if more > 0 else said)


def _rarest_first(column: "pd.Series[Any]", values: Collection[str]) -> tuple[tuple[str, int], ...]:
    """The values of a sensitive column with their records, those of as many by name; none of numbers."""
    records = records_that_say(column, values)
    texts = pd.Series(list(records), dtype="str")
    if pd.to_numeric(texts.str.replace(",", "."), errors="coerce").notna().all():
        return ()
    return tuple(sorted(records.items(), key=lambda one: (one[1], one[0])))


def single_text(name: str, values: Sequence[str]) -> str:
    """Write how many values of a sensitive column single records show, as part of a sentence."""
    return f"{how_many(len(values), 'value')} of {name} {'is' if len(values) == 1 else 'are'} of a single record"


def single_sentence(name: str, values: Sequence[str]) -> str:
    """Write what it means that single records show values of a sensitive column, with the first of these values."""
    return (
        f"{single_text(name, values)} ({_first(values)}): whoever knows that somebody in the table has it knows that "
        "row. No demand of the rule looks at that: decide yourself."
    )


def shown_sentence(name: str, values: Sequence[str]) -> str:
    """Write that values of a sensitive column stay shown, as decided, though single records have them."""
    stay = "stays" if len(values) == 1 else "stay"
    return (
        f"{single_text(name, values)} and {stay} shown, as decided ({_first(values)}): whoever knows that somebody in "
        "the table has it knows that row."
    )


def _first(values: Sequence[str]) -> str:
    return ", ".join([value[:40] for value in values[:MOST_NAMED]] + [".."] * (len(values) > MOST_NAMED))


def left_shown(name: str, values: Sequence[str]) -> str:
    """Write the decision that values of single records stay shown; :func:`singles_by_decision` reads it."""
    return f"{name}: {_LEFT_SHOWN}: {listed([_quoted(value) for value in values])}"


def singles_by_decision(
    frame: pd.DataFrame, columns: Sequence[str], decided: Sequence[str], known: Collection[str] = ()
) -> tuple[list[tuple[str, tuple[str, ...]]], list[tuple[str, tuple[str, ...]]]]:
    """Return by sensitive column the values of single records: those nobody decided about, and those left shown.

    Args:
        frame: as it is published.
        columns: the sensitive ones.
        decided: what was decided about the table.
        known: texts that are values as somebody decided; see :func:`cra_engine.checks.labels.said_in`.

    >>> frame = pd.DataFrame({"illness": ["flu", "flu", "ague", "plague"]})
    >>> singles_by_decision(frame, ["illness"], [left_shown("illness", ["ague"])])
    ([('illness', ('plague',))], [('illness', ('ague',))])
    """
    asked, shown = [], []
    for name in columns:
        said = [one for one in decided if is_left_shown(one, name)]
        values = single_values(frame[name], known)
        left = tuple(value for value in values if any(_quoted(value) in one for one in said))
        asked += [(name, others)] if (others := tuple(value for value in values if value not in left)) else []
        shown += [(name, left)] if left else []
    return asked, shown


def is_left_shown(decided: str, name: str = "") -> bool:
    """Return whether a decision is that values of single records stay shown, of a column where one is named."""
    return f"{name}: {_LEFT_SHOWN}: " in decided


def _quoted(value: str) -> str:
    return f"“{value}”"


def alike_text(one: Diversity) -> str:
    """Write how many sensitive values of the group that is most alike are one, in a sentence; missing ones are none."""
    shared, told = one.most_alike
    return f"in the group most alike {shared:,} of {how_many(told, 'shown value')} of {one.column} are the same"


def _values(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """A sensitive column as criteria read it: numbers where all cells are, else texts."""
    read, problems = numbers(column)
    if not problems and not (read.dtype.kind == "f" and np.isnan(read).any()):
        return pd.Series(read)
    return as_text(column)
