"""What became of a raw table's rows when its file was corrected: rows gone, rows new, and cells that changed."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.raw.written import row_numbers
from cra_engine.words import how_many, rows_text

MOST_PAIRS = 1_000_000  # of a row that is gone and one that is new, held against each other
MOST_CHANGED = 3  # columns that are named


@dataclass(frozen=True)
class ChangedRows:
    """How a raw table differs from the one before, whatever the order of its rows.

    Attributes:
        gone: rows of the table before that no row of this one continues.
        new: rows of this table that continue none.
        changed: by column the rows of this table, counted from 1, whose cell is another.
    """

    gone: int
    new: int
    changed: dict[str, tuple[int, ...]]

    def __str__(self) -> str:
        """One sentence."""
        parts = [f"{how_many(self.gone, 'row')} gone"] * bool(self.gone)
        parts += [f"{how_many(self.new, 'row')} new"] * bool(self.new)
        named = list(self.changed.items())[:MOST_CHANGED]
        parts += [f"{name} changed in {rows_text(rows)}" for name, rows in named]
        if len(self.changed) > len(named):
            parts.append(f"cells of {how_many(len(self.changed) - len(named), 'more column', 'more columns')} changed")
        return f"Since then: {'; '.join(parts)}." if parts else "Since then: the same rows in another order."


def changed_rows(before: pd.DataFrame, after: pd.DataFrame) -> ChangedRows:
    """Return what changed from one raw table to another with the same columns.

    Rows that stand in both are the same, in whatever order. A row that is left on either side is taken for the
    same one, corrected, where more than half of its cells are alike: nobody can tell for certain without a key.

    >>> one = pd.DataFrame({"age": ["34", "51", "28"], "sex": ["w", "m", "w"], "town": ["a", "b", "c"]})
    >>> two = pd.DataFrame({"age": ["35", "51"], "sex": ["w", "m"], "town": ["a", "b"]})
    >>> print(changed_rows(one, two))
    Since then: 1 row gone; age changed in row 1 (2 in a spreadsheet).
    """
    old, new = (_texts(table[list(before.columns)]) for table in (before, after))
    was, now = (_named(table) for table in (old, new))
    lost, found = np.flatnonzero(~np.isin(was, now)), np.flatnonzero(~np.isin(now, was))
    changed: dict[str, list[int]] = {}
    pairs = 0
    if len(lost) * len(found) <= MOST_PAIRS:
        numbers, left = row_numbers(after), lost
        cells, others = old.to_numpy(), new.to_numpy()
        for row in found.tolist():
            if not len(left):
                break
            apart = cells[left] != others[row]
            best = int(apart.sum(axis=1).argmin())
            if 2 * apart[best].sum() < old.shape[1]:
                for name in old.columns[apart[best]]:
                    changed.setdefault(str(name), []).append(int(numbers[row]))
                left, pairs = np.delete(left, best), pairs + 1
    return ChangedRows(len(lost) - pairs, len(found) - pairs, {name: tuple(rows) for name, rows in changed.items()})


def _texts(table: pd.DataFrame) -> pd.DataFrame:
    texts = {name: column.astype("object").where(column.notna(), "").astype(str) for name, column in table.items()}
    return pd.DataFrame({name: column.str.strip() for name, column in texts.items()})


def _named(texts: pd.DataFrame) -> NDArray[np.object_]:
    """Per row what tells it from all others: its content, and which it is of those alike."""
    content = pd.util.hash_pandas_object(texts, index=False)
    which = content.groupby(content).cumcount()
    return (content.astype(str) + "/" + which.astype(str)).to_numpy(dtype=object)
