"""Missing values, and what a study wants to become of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import DataError
from cra_engine.expected import expect
from cra_engine.files.tables import column_of
from cra_engine.raw.numbers import MISSING
from cra_engine.study.coded import NULL
from cra_engine.study.hierarchy import ROOT_LABEL, Hierarchy
from cra_engine.study.study import Study
from cra_engine.words import how_many

ROWS_NAMED = 5
LEFT_OUT = "leave-out"


def gaps_in(column: "pd.Series[Any]", attribute: Hierarchy) -> NDArray[np.bool_]:
    """Per cell whether it is a gap: empty, or a word such as ``NA`` or ``?`` that the hierarchy does not list.

    >>> from cra_engine import Attribute
    >>> gaps_in(pd.Series(["34", "", "NA", "51"]), Attribute("age", 0, 80, 3)).tolist()
    [False, True, True, False]

    Args:
        column: the cells of one attribute, a row each.
        attribute: the attribute with its hierarchy.
    """
    expect(column, pd.Series, "gaps_in(column)")
    expect(attribute, Hierarchy, "gaps_in(attribute)")
    empty = column.isna().to_numpy(dtype=bool)
    if column.dtype.kind in "iuf":
        return empty
    codes, cells = pd.factorize(column, use_na_sentinel=False)
    texts = ["" if pd.isna(cell) else str(cell).strip() for cell in cells]
    gap = [text.lower() in MISSING and attribute.leaf_of_value.get(text) is None for text in texts]
    return np.asarray(np.array(gap, dtype=bool)[codes] | empty)


@dataclass(frozen=True, eq=False)
class Complete:
    """A table without the rows that a study leaves out.

    Attributes:
        data: the other rows.
        kept: per row of the table that was given whether it is among them.
        notes: sentences on what became of gaps.
    """

    data: pd.DataFrame
    kept: NDArray[np.bool_]
    notes: tuple[str, ...]

    @property
    def left_out(self) -> tuple[int, ...]:
        """The rows that were left out, counted from 1."""
        return tuple((np.flatnonzero(~self.kept) + 1).tolist())


class Gaps:
    """The gaps of a table that comes block by block.

    Args:
        study: says what becomes of them.
    """

    def __init__(self, study: Study) -> None:
        self._asked = [attribute for attribute in study.attributes if attribute.missing]
        self._rows: dict[str, list[int]] = {attribute.name: [] for attribute in self._asked}
        self._count = dict.fromkeys(self._rows, 0)
        self.records = 0
        self.left_out: list[int] = []

    def add(self, data: pd.DataFrame) -> NDArray[np.bool_]:
        """Note the gaps of more rows; per row whether it is kept."""
        kept = np.ones(len(data), dtype=bool)
        for attribute in self._asked:
            gap = gaps_in(column_of(data, attribute.name), attribute)
            rows = np.flatnonzero(gap) + 1 + self.records
            self._count[attribute.name] += len(rows)
            named = self._rows[attribute.name]
            named += rows[: ROWS_NAMED - len(named)].tolist()
            if attribute.missing == LEFT_OUT:
                kept &= ~gap
        self.left_out += (np.flatnonzero(~kept) + 1 + self.records).tolist()
        self.records += len(data)
        return kept

    @property
    def notes(self) -> tuple[str, ...]:
        """What became of the gaps, a sentence per column that has some, and one on the rows that are left out."""
        said = []
        for attribute in self._asked:
            many = self._count[attribute.name]
            if many:
                said.append(
                    f"Column {attribute.name!r}: {how_many(many, 'missing value')} "
                    f"({_listed(self._rows[attribute.name], many)}) {_BECOMES[attribute.missing]}."
                )
        if self.left_out:
            many = len(self.left_out)
            said.append(
                f"{how_many(many, 'row')} of {self.records:,} left out for missing values "
                f"({_listed(self.left_out[:ROWS_NAMED], many)}); the release holds the other {self.records - many:,}."
            )
        return tuple(said)


_BECOMES = {
    LEFT_OUT: "whose rows are left out",
    "category": f"published as a category of its own, {NULL}",
    ROOT_LABEL: f"published as {ROOT_LABEL} from the start",
}


def _listed(rows: list[int], many: int) -> str:
    named = ", ".join(map(str, rows[:ROWS_NAMED]))
    return f"{'row' if many == 1 else 'rows'} {named}{', ...' if many > ROWS_NAMED else ''}"


def complete(data: pd.DataFrame, study: Study) -> Complete:
    """A raw table without the rows whose gaps the study leaves out, with what became of all gaps in words.

    Raises:
        DataError: a column is missing, or every row has a gap.

    >>> from cra_engine import Attribute
    >>> study = Study([Attribute("age", 0, 80, layers=3, missing="leave-out")], k=2)
    >>> found = complete(pd.DataFrame({"age": ["34", "", "41"]}), study)
    >>> found.left_out, found.notes[1]
    ((2,), '1 row of 3 left out for missing values (row 2); the release holds the other 2.')
    """
    gaps = Gaps(study)
    kept = gaps.add(data)
    if len(data) and not kept.any():
        raise every_row()
    return Complete(data if kept.all() else data[kept], kept, gaps.notes)


def every_row() -> DataError:
    """What is wrong where nothing is left."""
    return DataError(
        "Every row has a missing value whose rows are to be left out; take another choice for them in the study."
    )
