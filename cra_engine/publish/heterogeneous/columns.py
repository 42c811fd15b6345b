"""The table's columns as the matching wants them, and back as published cells."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.publish.heterogeneous.buckets import Buckets
from cra_engine.publish.heterogeneous.matches import Extension, Places
from cra_engine.published import Categories, Extent, Extents, Interval
from cra_engine.words import number_text

DUMMY = "*"  # what a row shows that carries a dummy's value
BETWEEN = " | "  # stands between the values of a published set


def sensitive_values(column: "pd.Series[Any]") -> tuple[list[str], NDArray[np.int64]]:
    """Return the different sensitive values to put into buckets, and per record the index of its own."""
    names, values = np.unique(column.to_numpy(dtype=object).astype(str), return_inverse=True)
    return names.tolist(), values.astype(np.int64)


class ShownCells(NamedTuple):
    """The cells of a heterogeneous column: what they stand for, and per different extent how it is written."""

    extents: Extents
    labels: tuple[str, ...]


class Columns:
    """The quasi-identifiers of a table to match, each value by its index among the column's different ones.

    Args:
        frame: the table as it was read; a column of numbers is numeric, any other categorical.
        quasi_identifiers: the columns.
    """

    def __init__(self, frame: pd.DataFrame, quasi_identifiers: Sequence[str]) -> None:
        """See the class."""
        self.names = list(quasi_identifiers)
        self.numeric = [name for name in self.names if frame[name].dtype.kind in "iuf"]
        self.known: dict[str, NDArray[Any]] = {}
        self.codes: dict[str, NDArray[np.int64]] = {}
        for name in self.names:
            column = frame[name].to_numpy()
            known, codes = np.unique(column if name in self.numeric else column.astype(str), return_inverse=True)
            self.known[name], self.codes[name] = known, codes.astype(np.int64)

    def places(self, rows: NDArray[np.int64], buckets: Buckets, values: NDArray[np.int64] | None) -> Places:
        """Returns what lies where: ``values`` are the sensitive ones that must not come twice to a row, if so."""
        real = rows >= 0
        numeric = np.full((len(self.numeric), len(rows)), np.nan)
        for at, name in enumerate(self.numeric):
            known = self.known[name].astype(np.float64)
            width = known[-1] - known[0]
            numeric[at, real] = ((known - known[0]) / (width or 1.0))[self.codes[name][rows[real]]]
        rest = [name for name in self.names if name not in self.numeric]
        categories = np.full((len(rest), len(rows)), -1, dtype=np.int64)
        for at, name in enumerate(rest):
            categories[at, real] = self.codes[name][rows[real]]
        split = np.full(len(rows), -1, dtype=np.int64)
        if values is not None:
            several = [value for value, touched in enumerate(buckets.touched) if touched > 1]
            number = np.full(len(buckets.touched), -1, dtype=np.int64)
            number[several] = np.arange(len(several))
            split[real] = number[values[rows[real]]]
        cardinalities = [len(self.known[name]) for name in rest]
        return Places(buckets.buckets, buckets.bucket_size, numeric, categories, cardinalities, real, split)

    def cells(self, parts: Sequence[Extension], rows_of: NDArray[np.int64]) -> dict[str, ShownCells]:
        """The published cells of rows that stand at these parts and places."""
        cells = {}
        rest = [name for name in self.names if name not in self.numeric]
        for name in self.names:
            if name in self.numeric:
                at = self.numeric.index(name)
                ends = np.stack([np.stack([part.low[at], part.high[at]], axis=1) for part in parts])
                cells[name] = self._intervals(name, ends[rows_of[:, 0], rows_of[:, 1]])
            else:
                held = np.stack([part.held[rest.index(name)] for part in parts])
                cells[name] = self._sets(name, held[rows_of[:, 0], rows_of[:, 1]])
        return cells

    def _intervals(self, name: str, ends: NDArray[np.float64]) -> ShownCells:
        known = self.known[name]
        shares = known.astype(np.float64)
        shares = (shares - shares[0]) / ((shares[-1] - shares[0]) or 1.0)
        different, of_row = np.unique(ends, axis=0, return_inverse=True)
        extents: list[Extent] = []
        labels = []
        for low, high in np.searchsorted(shares, different).tolist():
            lower, upper = known[low].item(), known[high].item()
            extents.append(Interval(lower, upper, closed=True))
            labels.append(_number(lower) if low == high else f"[{_number(lower)}, {_number(upper)}]")
        return ShownCells(Extents(tuple(extents), of_row.reshape(-1)), tuple(labels))

    def _sets(self, name: str, held: NDArray[np.bool_]) -> ShownCells:
        packed, of_row = np.unique(np.packbits(held, axis=1), axis=0, return_inverse=True)
        different = np.unpackbits(packed, axis=1, count=held.shape[1]).astype(bool)
        extents: list[Extent] = []
        labels = []
        for mask in different:
            texts = self.known[name][mask].tolist()
            extents.append(Categories(frozenset(texts)))
            labels.append(texts[0] if len(texts) == 1 else f"{{{BETWEEN.join(texts)}}}")
        return ShownCells(Extents(tuple(extents), of_row.reshape(-1)), tuple(labels))


def _number(value: float) -> str:
    return number_text(Decimal(value) if isinstance(value, int) else Decimal(repr(value)))
