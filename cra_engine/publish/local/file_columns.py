"""The quasi-identifiers of a file that is read block by block, on their way into cells."""

from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.choices import DecimalSign
from cra_engine.files.block_files import TableFile
from cra_engine.files.notation import may_be_grouped, notation, plain, rewritten
from cra_engine.raw.columns import Placement, read_column
from cra_engine.raw.dates import periods_in
from cra_engine.raw.missing_words import MISSING
from cra_engine.raw.numbers import MISSING_CODES, numbers, plain_numbers
from cra_engine.raw.plain_cells import plain_cells
from cra_engine.raw.written import Problem, Written
from cra_engine.study.hierarchy import Hierarchy


class FileColumn(Protocol):
    """A quasi-identifier of a file on its way through local recoding.

    Attributes:
        attribute: its hierarchy.
        raw: the raw values of the last block.
        fits: False when some value so far fits nowhere.
    """

    attribute: Hierarchy
    raw: Any
    fits: bool

    @property
    def undecided(self) -> bool:
        """True when the whole column has to tell how its numbers are written."""

    @property
    def doubtful(self) -> bool:
        """True when there may be more to say of the column than :meth:`problems` does."""

    def begin(self) -> None:
        """Be ready for the first block."""

    def join(self, other: Any) -> None:
        """Take over what was found of the same column in another part of the table."""

    def add(self, column: "pd.Series[Any]", gaps: NDArray[np.bool_] | None) -> NDArray[np.int16]:
        """Returns the leaves of the next block's records, given which of them are gaps where there may be some."""

    def decide(self, table: TableFile) -> None:
        """Find out how the column's numbers are written."""

    def problems(self) -> list[Problem]:
        """What there is to say."""


class CategoryColumn:
    """A file's column of categories on its way through local recoding."""

    undecided = False

    def __init__(self, attribute: Hierarchy) -> None:
        self.attribute = attribute
        self.fits = True
        self.raw: Any = None

    @property
    def doubtful(self) -> bool:
        """See :class:`FileColumn`."""
        return not self.fits

    def begin(self) -> None:
        """See :class:`FileColumn`."""
        self.fits = True

    def join(self, other: "CategoryColumn") -> None:
        """See :class:`FileColumn`."""
        self.fits &= other.fits

    def add(self, column: "pd.Series[Any]", gaps: NDArray[np.bool_] | None) -> NDArray[np.int16]:
        """See :class:`FileColumn`."""
        read = read_column(column, self.attribute, every=False, gaps=gaps)
        self.fits &= not read.problems
        self.raw = read.raw_values
        return read.leaves

    def decide(self, table: TableFile) -> None:
        """See :class:`FileColumn`."""
        raise NotImplementedError

    def problems(self) -> list[Problem]:
        """See :class:`FileColumn`."""
        return []


class NumberColumn:
    """A file's column of numbers on its way through local recoding, in the notation said or shown."""

    def __init__(self, attribute: Hierarchy, said: DecimalSign | None) -> None:
        self.attribute = attribute
        self._said = said
        self._shown: DecimalSign | None = None
        self._asked = False
        # Per text of the column how it is read, where dates, codes or units stand in it.
        self._plain: dict[str, Any] | None = None
        self.raw: Any = None
        self.begin()

    def begin(self) -> None:
        """See :class:`FileColumn`."""
        self.fits = True
        self._unplain = False
        self._placement = Placement(self.attribute, every=False)
        # Whether all points may mark thousands, and whether there is a point.
        self._groups, self._points = True, False
        self._negative: set[float] = set()
        self._others = False

    def join(self, other: "NumberColumn") -> None:
        """See :class:`FileColumn`."""
        self.fits &= other.fits
        self._groups &= other._groups  # noqa: SLF001 - of the same class
        self._points |= other._points  # noqa: SLF001 - of the same class
        self._negative |= other._negative  # noqa: SLF001 - of the same class
        self._others |= other._others  # noqa: SLF001 - of the same class

    @property
    def undecided(self) -> bool:
        """See :class:`FileColumn`."""
        return (self._unplain or self.attribute.dates) and not self._asked

    @property
    def doubtful(self) -> bool:
        """See :class:`FileColumn`."""
        code = len(self._negative) == 1 and self._others and not self._negative.isdisjoint(MISSING_CODES)
        return not self.fits or (self._groups and self._points) or code or self._plain is not None

    def add(self, column: "pd.Series[Any]", gaps: NDArray[np.bool_] | None) -> NDArray[np.int16]:
        """See :class:`FileColumn`."""
        self.raw = self._read(column if self._plain is None else self._rewritten(column))
        leaf = self._placement.add(self.raw)
        if gaps is not None and self.attribute.missing_leaf is not None:
            leaf[gaps] = self.attribute.missing_leaf
        self.fits &= bool(((leaf >= 0) & (leaf < self.attribute.leaves)).all())
        below = self.raw[self.raw < 0]
        if len(below):
            self._negative |= {float(below.min()), float(below.max())}
        self._others |= len(below) < len(self.raw)
        return leaf

    def _read(self, column: "pd.Series[Any]") -> NDArray[Any]:
        if column.dtype.kind in "iuf":
            self._groups = False
            return numbers(column)[0]
        text = self._text(column) if self._said else column
        values = None if self._shown else plain_numbers(text)
        if values is None:
            text = self._text(column)
            if self._shown:
                text = rewritten(text, self._shown)
            values = pd.to_numeric(text, errors="coerce").to_numpy()
            lacking = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
            self._unplain |= not text[lacking].str.lower().isin(MISSING).all()
        if self._shown:
            self._groups = False
        elif self._groups:
            self._groups = may_be_grouped(text.iloc[:100]) and may_be_grouped(text)
            self._points |= self._groups and bool(text.str.contains(".", regex=False).any())
        return values

    def _text(self, column: "pd.Series[Any]") -> "pd.Series[str]":
        missing = column.isna().to_numpy(dtype=bool)
        text = column.astype("object").map(lambda cell: str(cell).strip()).mask(missing, "")
        return rewritten(text, self._said) if self._said else text

    def decide(self, table: TableFile) -> None:
        """See :class:`FileColumn`."""
        self._asked = True
        self._find_plain(table)
        if self.attribute.dates:  # numbers already
            return
        # Only the first cell of each kind has a say.
        kinds: dict[tuple[bool, bool], str] = {}
        for block in table.blocks([self.attribute.name]):
            column = table.frame(block)[self.attribute.name]
            text = self._text(column if self._plain is None else self._rewritten(column))
            for cell in text[~text.str.lower().isin(MISSING)].unique():
                point, comma = plain(cell, "point"), plain(cell, "comma")
                if point != comma:
                    kinds.setdefault((point is None, comma is None), cell)
        self._shown = notation(kinds.values()).decimal

    def _find_plain(self, table: TableFile) -> None:
        """Reads each different text of the column once."""
        different: dict[str, None] = {}
        for block in table.blocks([self.attribute.name]):
            column = table.frame(block)[self.attribute.name]
            if column.dtype.kind in "iuf":
                return
            different |= dict.fromkeys(Written.of(column).texts)
        texts = list(different)
        written = Written.of(pd.Series(texts, name=self.attribute.name, dtype=object))
        read: list[Any]
        if self.attribute.dates:
            read = periods_in(written, self.attribute.unit)[0].tolist()
        else:
            read = list(plain_cells(written, self.attribute)[0].texts)
        if read != texts:
            self._plain = dict(zip(texts, read, strict=True))

    def _rewritten(self, column: "pd.Series[Any]") -> "pd.Series[Any]":
        plain = self._plain or {}
        cells = ["" if pd.isna(cell) else str(cell).strip() for cell in column]
        dtype = float if self.attribute.dates else object
        return pd.Series([plain.get(cell, cell) for cell in cells], name=column.name, dtype=dtype)

    def problems(self) -> list[Problem]:
        """See :class:`FileColumn`."""
        return self._placement.problems()
