"""Tables in files, block by block: CSV and Parquet that need not fit into memory.

A CSV file is read exactly as :func:`cra_engine.table.read_table` reads it. Where the quotes of a piece are in order and
no line is blank it goes through Arrow, else through Python's own reader until the record ends.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TextIO

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from propcache.api import cached_property

from cra_engine.errors import DataError
from cra_engine.files.content import check_file
from cra_engine.files.delimited import find_encoding, find_layout, malformed
from cra_engine.files.tables import blank_lines, check_header, empty_file, wrong_length
from cra_engine.files.whole import PARQUET

CHARACTERS = 1 << 22  # of a CSV file at a time
ROWS = 1 << 17  # of a Parquet file at a time


class TableFile(Protocol):
    """A table in a file.

    Attributes:
        name: the file's name for messages.
        columns: the names of its columns.
    """

    name: str
    columns: list[str]

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what is not in the table or was guessed; complete once all blocks were read."""

    def blocks(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """The rows in order, with all columns or some of them."""

    def frame(self, block: pa.Table) -> pd.DataFrame:
        """A block as it would be read into memory."""


def open_table(path: Path) -> TableFile:
    """Open a CSV or Parquet file.

    Raises:
        DataError: the file cannot be read, or is none of these.
    """
    return ParquetTable(path) if path.suffix.lower() in PARQUET else CsvTable(path)


@contextmanager
def _reading(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:  # all of it was decoded before
        raise changed(name) from None


def changed(name: str) -> DataError:
    """What is wrong with a file that is not what it was when it was read first."""
    return DataError(f"{name} was changed while it was read; try again.")


# ---------------------------------------------------------------- CSV


class CsvTable:
    """A CSV file; see :class:`TableFile`.

    Raises:
        DataError: the file cannot be read, is no text or names no columns.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name
        check_file(path, self.name)
        with _reading(self.name):
            with path.open("rb") as file:
                self._encoding, self._guess = find_encoding(file, self.name)
            self._layout = find_layout(self._lines)
            with self._text() as text:
                header = self._header(text)
        if header is None:
            raise empty_file(self.name)
        check_header(header, self.name)
        self.columns = header
        self._blanks: str | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """See :class:`TableFile`."""
        return self._guess + (() if self._blanks is None else (self._blanks,))

    def _text(self) -> TextIO:
        return self.path.open(encoding=self._encoding, newline="")

    def _lines(self) -> Iterator[str]:
        with self._text() as file:
            yield from file

    def _reader(self, lines: Iterator[str]) -> Any:
        return csv.reader(lines, delimiter=self._layout.delimiter, strict=True)

    def _header(self, file: TextIO) -> list[str] | None:
        """The column names, after which the file stands at the first line of the records."""
        for _ in range(self._layout.before):
            file.readline()
        with self._well_formed():
            return next(self._reader(iter(file.readline, "")), None)

    @contextmanager
    def _well_formed(self) -> Iterator[None]:
        try:
            yield
        except csv.Error as error:
            raise malformed(self.name, error) from None

    def blocks(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """See :class:`TableFile`."""
        chosen = list(self.columns if columns is None else columns)
        records = _Records(self.name, len(self.columns))
        with _reading(self.name), self._text() as file:
            self._header(file)
            source = _Pieces(file)
            while piece := source.piece():
                block = self._at_once(piece, chosen)
                if block is None:
                    with self._well_formed():
                        rows = self._records(records, list(self._one_by_one(piece, source)), source)
                    cells = dict(zip(self.columns, zip(*rows, strict=True), strict=True)) if rows else {}
                    block = pa.table({name: pa.array(cells.get(name, ()), pa.string()) for name in chosen})
                else:
                    records.skip(len(block))
                if len(block):
                    yield block
        self._blanks = records.note

    def _at_once(self, piece: str, chosen: list[str]) -> pa.Table | None:
        """A piece that Arrow surely reads as Python's reader does; None where that is not sure."""
        odd = ("\n\n", "\n\r", "\r\r")
        if (
            len(self.columns) == 1
            or not self._layout.delimiter.isascii()
            or piece[0] in "\r\n\ufeff"
            or any(mark in piece for mark in odd)
            or max(map(len, piece.split("\n"))) > csv.field_size_limit()
        ):
            return None
        content = piece.encode()
        if not _well_quoted(content, self._layout.delimiter.encode()):
            return None
        try:
            return pa_csv.read_csv(
                pa.BufferReader(content),
                parse_options=pa_csv.ParseOptions(delimiter=self._layout.delimiter, newlines_in_values='"' in piece),
                read_options=pa_csv.ReadOptions(column_names=self.columns),
                convert_options=pa_csv.ConvertOptions(
                    column_types=dict.fromkeys(self.columns, pa.string()),
                    include_columns=chosen,
                    null_values=[],
                    strings_can_be_null=False,
                    check_utf8=False,
                ),
            )
        except pa.ArrowInvalid:
            return None

    def _records(self, records: "_Records", rows: list[list[str]], source: "_Pieces") -> list[list[str]]:
        try:
            return records.take(rows)
        except DataError:
            # Quotes that do not match are the likelier cause, wherever in the file they are.
            for _ in self._reader(iter(source.line, "")):
                pass
            raise

    def _one_by_one(self, piece: str, source: "_Pieces") -> Iterator[list[str]]:
        """The rows of a piece, the last one to its end, which may lie behind the piece."""
        given = 0

        def lines() -> Iterator[str]:
            nonlocal given
            for line in io.StringIO(piece, newline=""):
                given += len(line)
                yield line
            yield from iter(source.line, "")

        for row in self._reader(lines()):
            yield row
            if given == len(piece):
                return

    def frame(self, block: pa.Table) -> pd.DataFrame:
        """See :class:`TableFile`."""
        frame: pd.DataFrame = block.to_pandas()
        return frame


def _well_quoted(content: bytes, delimiter: bytes) -> bool:
    """Whether every quote opens a cell at its start, closes it at its end, or is one of two that stand for one."""
    text = np.frombuffer(content, dtype=np.uint8)
    quotes = np.flatnonzero(text == ord('"'))
    if not len(quotes):
        return True
    if len(quotes) % 2:
        return False
    ends = np.zeros(256, dtype=bool)
    ends[[*b"\r\n", *delimiter]] = True
    opening, closing = quotes[0::2], quotes[1::2]
    first = ends[text[opening - 1]]
    first[0] |= opening[0] == 0
    last = ends[text[np.minimum(closing + 1, len(text) - 1)]]
    last[-1] |= closing[-1] == len(text) - 1
    doubled = closing[:-1] + 1 == opening[1:]
    if not (first[0] and last[-1] and (first[1:] | doubled).all() and (last[:-1] | doubled).all()):
        return False
    begun, done = opening[np.append(True, ~doubled)], closing[np.append(~doubled, True)]
    return bool((done - begun).max() <= csv.field_size_limit())


class _Pieces:
    """A text in pieces that end where a line ends."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._rest = ""

    def piece(self) -> str:
        """The next piece; empty at the end of the file."""
        while True:
            more = self._file.read(CHARACTERS)
            text = self._rest + more
            # A carriage return at the very end may be half of a line end.
            end = max(text.rfind("\n"), text.rfind("\r", 0, len(text) - 1)) + 1 if more else len(text)
            if end or not more:
                self._rest = text[end:]
                return text[:end]
            self._rest = text

    def line(self) -> str:
        """The next line; empty at the end of the file."""
        if self._rest.endswith("\r"):
            following = self._file.read(1)
            line, self._rest = (self._rest + following, "") if following == "\n" else (self._rest, following)
            return line
        line, self._rest = self._rest + self._file.readline(), ""
        return line


class _Records:
    """Rows as records: blank lines between them are left out, or are records where there is a single column."""

    def __init__(self, name: str, columns: int) -> None:
        self._name, self._columns = name, columns
        self._count = 0
        self._pending = 0  # blank lines, which at the end of the file are nothing at all
        self._blanks = 0
        self._before = 0

    def take(self, rows: list[list[str]]) -> list[list[str]]:
        """The records among the next rows.

        Raises:
            DataError: a row of another length.
        """
        records: list[list[str]] = []
        for row in rows:
            if not row:
                self._pending += 1
                continue
            if self._columns == 1:
                records += [[""]] * self._pending
                self._pending = 0
            self._flush(self._count + len(records))
            if len(row) != self._columns:
                raise wrong_length(self._name, self._count + len(records) + 1, len(row), self._columns)
            records.append(row)
        self._count += len(records)
        return records

    def skip(self, count: int) -> None:
        """Take note of records that were read elsewhere."""
        self._flush(self._count)
        self._count += count

    def _flush(self, before: int) -> None:
        if self._pending and not self._blanks:
            self._before = before
        self._blanks += self._pending
        self._pending = 0

    @property
    def note(self) -> str | None:
        """What to know of blank lines, if there were any."""
        return blank_lines(self._name, self._blanks, self._before) if self._blanks else None


# ---------------------------------------------------------------- Parquet


class ParquetTable:
    """A Parquet file; see :class:`TableFile`.

    Attributes:
        types: the type of each column.

    Raises:
        DataError: the file cannot be read or is no Parquet file.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name
        check_file(path, self.name)
        self.notes: tuple[str, ...] = ()
        with self._open() as file:
            schema = file.schema_arrow
            # An index that pandas has written along is no column.
            stored = (schema.pandas_metadata or {}).get("index_columns", [])
            index = {name for name in stored if isinstance(name, str)}
            self.columns = [name for name in schema.names if name not in index]
            if not self.columns:
                raise empty_file(self.name)
            check_header(self.columns, self.name)
            self.types = {name: schema.field(name).type for name in self.columns}

    @cached_property
    def _whole_with_gaps(self) -> set[str]:
        with self._open() as file:
            whole = [name for name, kind in self.types.items() if pa.types.is_integer(kind)]
            return {name for name in whole if self._has_gaps(file, name)}

    @contextmanager
    def _open(self) -> Iterator[pq.ParquetFile]:
        with _reading(self.name):
            try:
                with pq.ParquetFile(self.path, pre_buffer=False, buffer_size=1 << 20) as file:
                    yield file
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
                reason = str(error).splitlines()[0][:100]
                raise DataError(f"{self.name} is no Parquet file that can be read: {reason}.") from None

    @staticmethod
    def _has_gaps(file: pq.ParquetFile, name: str) -> bool:
        return any(batch.column(0).null_count for batch in file.iter_batches(ROWS, columns=[name]))

    def blocks(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """See :class:`TableFile`."""
        chosen = list(self.columns if columns is None else columns)
        with self._open() as file:
            for batch in file.iter_batches(ROWS, columns=chosen):
                if len(batch):
                    yield pa.Table.from_batches([batch]).select(chosen).replace_schema_metadata(None)

    def frame(self, block: pa.Table) -> pd.DataFrame:
        """See :class:`TableFile`: whole numbers with gaps are floats in pandas, also in a block without a gap."""
        for position, name in enumerate(block.column_names):
            kind = block.schema.field(position).type
            if name in self._whole_with_gaps:
                block = block.set_column(position, name, block.column(position).cast(pa.float64(), safe=False))
            elif pa.types.is_dictionary(kind):
                block = block.set_column(position, name, block.column(position).cast(kind.value_type))
            elif pa.types.is_timestamp(kind):  # pandas writes the time of day only where some block-mate has one
                block = block.set_column(position, name, block.column(position).cast(pa.string()))
        frame: pd.DataFrame = block.to_pandas()
        return frame
