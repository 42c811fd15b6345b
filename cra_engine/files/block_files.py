"""Tables in files, block by block: CSV and Parquet that need not fit into memory.

A CSV file is read exactly as :func:`cra_engine.files.tables.read_table` reads it: by Arrow where all quotes are in
order, else by Python's own reader.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol, TextIO

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.errors import DataError
from cra_engine.files.content import check_file
from cra_engine.files.delimited import Layout, find_encoding, find_layout, malformed
from cra_engine.files.table_faults import blank_lines, check_header, empty_file, wrong_length

BLOCK = 1 << 20  # bytes of a CSV file at a time, for Arrow
CELLS = 1 << 20  # of a CSV file at a time, for Python
ROWS = 1 << 17  # of a Parquet file at a time
EXACT = 1 << 53  # beyond it not every whole number is a float


class TableFile(Protocol):
    """A table in a file that is read block by block.

    Attributes:
        path: where it lies.
        name: the file's name for messages.
        columns: the names of its columns.
    """

    path: Path
    name: str
    columns: list[str]

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what is not in the table or was guessed; complete once all blocks were read."""

    def blocks(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """The rows in order, with all columns or some of them."""

    def frame(self, block: pa.Table) -> pd.DataFrame:
        """A block as it would be read into memory."""


@contextmanager
def _reading(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:  # all of it was decoded before
        raise changed(name) from None


def changed(name: str) -> DataError:
    """Say that a file is not what it was when it was read first."""
    return DataError(f"{name} was changed while it was read; try again.")


# ---------------------------------------------------------------- CSV


class CsvTable:
    """A CSV file that is read block by block; see :class:`TableFile`.

    Args:
        path: of the file.
        content: its bytes, where it lies nowhere.

    Raises:
        DataError: the file cannot be read, is no text or names no columns.
    """

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        self.path, self.name, self._content = path, path.name, content
        if content is None:
            check_file(path, self.name)
        with _reading(self.name):
            with self._opened() as file:
                self._encoding, self._guess = find_encoding(file, self.name)
            self._layout = find_layout(self._lines)
            with self._text() as text:
                header = self._header(text)
        if header is None:
            raise empty_file(self.name)
        check_header(header, self.name)
        self.columns = header
        with _reading(self.name), self._opened() as file:
            lines = _count_lines(file, self._encoding, self._layout) if len(header) > 1 else None
        self._in_order = lines is not None
        self._blanks: str | None = None
        if lines is not None and lines.blanks:
            self._blanks = blank_lines(self.name, lines.blanks, lines.before - self._layout.before - 1)

    @property
    def notes(self) -> tuple[str, ...]:
        """See :class:`TableFile`."""
        return self._guess + (() if self._blanks is None else (self._blanks,))

    def _text(self) -> TextIO:
        return io.TextIOWrapper(self._opened(), encoding=self._encoding, newline="")

    def _opened(self) -> BinaryIO:
        return self.path.open("rb") if self._content is None else io.BytesIO(self._content)

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
        return self._by_arrow(chosen) if self._in_order else self._row_by_row(chosen)

    def _by_arrow(self, chosen: list[str]) -> Iterator[pa.Table]:
        given = 0
        try:
            with _reading(self.name):
                reader = pa_csv.open_csv(
                    self.path if self._content is None else pa.BufferReader(self._content),
                    parse_options=pa_csv.ParseOptions(delimiter=self._layout.delimiter, newlines_in_values=True),
                    read_options=pa_csv.ReadOptions(
                        use_threads=False,
                        block_size=BLOCK,
                        skip_rows=self._layout.before,
                        encoding=self._encoding.removesuffix("-sig"),
                    ),
                    convert_options=pa_csv.ConvertOptions(
                        column_types=dict.fromkeys(self.columns, pa.string()),
                        include_columns=chosen,
                        null_values=[],
                        strings_can_be_null=False,
                    ),
                )
                for batch in reader:
                    if len(batch):
                        given += len(batch)
                        yield pa.Table.from_batches([batch])
        except (pa.ArrowInvalid, pa.ArrowKeyError):
            yield from self._row_by_row(chosen, given)  # says what is wrong, and where

    def _row_by_row(self, chosen: list[str], given: int = 0) -> Iterator[pa.Table]:
        """Reads the records with Python's own reader, which is strict about quotes; from one that was not given yet."""
        records = _Records(self.name, len(self.columns))
        with _reading(self.name), self._text() as file, self._well_formed():
            self._header(file)
            reader = self._reader(file)
            while rows := list(islice(reader, max(CELLS // len(self.columns), 1))):
                try:
                    cells = dict(zip(self.columns, zip(*records.take(rows)[given:], strict=True), strict=False))
                except DataError:
                    for _ in reader:  # quotes that do not match are the likelier cause, wherever they are
                        pass
                    raise
                given = max(given - len(rows), 0)
                if cells:
                    yield pa.table({name: pa.array(cells[name], pa.string()) for name in chosen})
        self._blanks = records.note

    def frame(self, block: pa.Table) -> pd.DataFrame:
        """See :class:`TableFile`."""
        frame: pd.DataFrame = block.to_pandas()
        return frame


@dataclass
class _LineCount:
    """The lines of a text so far.

    Attributes:
        written: lines with something in them, each to where a record may end.
        blanks: blank lines between these.
        before: how many lines were written before the first blank one.
    """

    written: int = 0
    blanks: int = 0
    before: int = 0
    _waiting: int = 0  # blank lines, which at the end of the text are nothing at all

    def add(self, blank: NDArray[np.bool_]) -> None:
        """Counts the next lines, told per line whether it is blank."""
        written = np.flatnonzero(~blank)
        if not len(written):
            self._waiting += len(blank)
            return
        between = self._waiting + int(written[-1]) + 1 - len(written)
        if between and not self.blanks:
            self.before = self.written + (0 if self._waiting else int(np.argmax(blank)))
        self.blanks += between
        self.written += len(written)
        self._waiting = len(blank) - 1 - int(written[-1])


def _count_lines(file: BinaryIO, encoding: str, layout: Layout) -> _LineCount | None:
    """Returns the lines of a text that Arrow surely reads as Python's reader does; None where that is not sure.

    That is where all quotes are in order. Both leave out blank lines between the records.
    """
    if encoding not in ("utf-8-sig", "cp1252") or not layout.delimiter.isascii():
        return None
    lines = _LineCount()
    while piece := _whole_lines(file):
        if (
            piece.count(b"\r") != piece.count(b"\r\n")
            or (not piece.endswith(b"\n") and file.read(1))
            or not _well_quoted(piece, layout.delimiter.encode())
        ):
            return None
        text = np.frombuffer(piece, dtype=np.uint8)
        ends = np.flatnonzero(text == ord("\n"))
        if not len(ends) or ends[-1] != len(text) - 1:
            ends = np.append(ends, len(text))
        if np.diff(ends, prepend=-1).max() > csv.field_size_limit():
            return None
        if b'"' in piece:  # within quotes a line ends, but no record
            quotes = np.flatnonzero(text == ord('"'))
            if (np.searchsorted(quotes, np.flatnonzero(text == ord("\r"))) % 2).any():
                return None  # where its blocks cut "\r\n" in two, Arrow loses the second half
            ends = ends[np.searchsorted(quotes, ends) % 2 == 0]
        starts = np.append(0, ends[:-1] + 1)
        lines.add((starts == ends) | ((starts + 1 == ends) & (text[starts] == ord("\r"))))
    # A blank line above the column names is no line between records.
    return None if lines.blanks and lines.before <= layout.before else lines


def _whole_lines(file: BinaryIO) -> bytes:
    """Returns the next lines of a file, to the end of one that ends no quoted cell early; empty at the end."""
    pieces = [file.read(BLOCK), file.readline(csv.field_size_limit())]
    odd, most = sum(piece.count(b'"') for piece in pieces) % 2, BLOCK
    while odd and most > 0 and (line := file.readline(most)):
        pieces.append(line)
        odd, most = (odd + line.count(b'"')) % 2, most - len(line)
    return b"".join(pieces)


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

    def _flush(self, before: int) -> None:
        if self._pending and not self._blanks:
            self._before = before
        self._blanks += self._pending
        self._pending = 0

    @property
    def note(self) -> str | None:
        """A sentence on blank lines, if there were any."""
        return blank_lines(self._name, self._blanks, self._before) if self._blanks else None


# ---------------------------------------------------------------- Parquet


class ParquetTable:
    """A Parquet file that is read block by block; see :class:`TableFile`.

    Args:
        path: of the file.
        content: its bytes, where it lies nowhere.

    Attributes:
        types: the type of each column.

    Raises:
        DataError: the file cannot be read or is no Parquet file.
    """

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        self.path, self.name, self._content = path, path.name, content
        if content is None:
            check_file(path, self.name)
        self.notes: tuple[str, ...] = ()
        with self._open() as file:
            schema = file.schema_arrow
            index = _index_of(schema)
            self.columns = [name for name in schema.names if name not in index]
            if not self.columns:
                raise empty_file(self.name)
            check_header(self.columns, self.name)
            self.types = {name: schema.field(name).type for name in self.columns}
        nested = next((name for name, kind in self.types.items() if pa.types.is_nested(kind)), None)
        if nested is not None:
            raise DataError(
                f"Column {nested!r} of {self.name} holds {self.types[nested]} in its cells; write one value per cell, "
                "or leave the column out."
            )

    @cached_property
    def whole(self) -> dict[str, "WholeNumbers"]:
        """What is in each column of whole numbers."""
        with self._open() as file:
            names = [name for name, kind in self.types.items() if pa.types.is_integer(kind)]
            return {name: _whole_numbers(file, name) for name in names}

    @contextmanager
    def _open(self) -> Iterator[pq.ParquetFile]:
        with _reading(self.name):
            try:
                source = self.path if self._content is None else pa.BufferReader(self._content)
                with pq.ParquetFile(source, pre_buffer=False, buffer_size=1 << 20) as file:
                    yield file
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
                reason = str(error).splitlines()[0][:100].rstrip(".")
                raise DataError(f"{self.name} is no Parquet file that can be read: {reason}.") from None

    def blocks(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """See :class:`TableFile`."""
        chosen = list(self.columns if columns is None else columns)
        with self._open() as file:
            for batch in file.iter_batches(ROWS, columns=chosen):
                if len(batch):
                    batch.validate(full=True)  # text that is no UTF-8 would end the program later, and be quoted
                    yield pa.Table.from_batches([batch]).select(chosen).replace_schema_metadata(None)

    def frame(self, block: pa.Table) -> pd.DataFrame:
        """See :class:`TableFile`."""
        return parquet_frame(block, self.whole)


def _index_of(schema: pa.Schema) -> set[str]:
    """The columns that hold an index which pandas has written along; no index where its note cannot be read."""
    try:
        stored = (schema.pandas_metadata or {}).get("index_columns", [])
    except ValueError:  # its JSON is broken
        return set()
    return {name for name in stored if isinstance(name, str)} if isinstance(stored, list) else set()


class WholeNumbers(NamedTuple):
    """What of a Parquet file's column of whole numbers all its blocks have to know.

    Attributes:
        gaps: whether cells are missing.
        wide: whether some number is so large that floats do not tell it from the next one.
    """

    gaps: bool
    wide: bool


def _whole_numbers(file: pq.ParquetFile, name: str) -> WholeNumbers:
    gaps = wide = False
    for batch in file.iter_batches(ROWS, columns=[name]):
        gaps = gaps or batch.column(0).null_count > 0
        wide = wide or _wide(batch.column(0))
    return WholeNumbers(gaps, wide)


def whole_numbers(rows: pa.Table) -> dict[str, WholeNumbers]:
    """Return what is in each column of whole numbers of a table that is read, or that has each of its numbers once."""
    columns = {name: rows[name] for name in rows.column_names if pa.types.is_integer(rows[name].type)}
    return {name: WholeNumbers(column.null_count > 0, _wide(column)) for name, column in columns.items()}


def _wide(column: pa.Array | pa.ChunkedArray) -> bool:
    return any(abs(end) > EXACT for end in pc.min_max(column).as_py().values() if end is not None)


def parquet_frame(block: pa.Table, whole: Mapping[str, WholeNumbers]) -> pd.DataFrame:
    """Return a block of a Parquet file in pandas, a column of one type in all blocks.

    Whole numbers with gaps are floats there, which pandas has gaps for; text, as in a CSV file, where floats would
    change some of them.

    Raises:
        DataError: a column cannot be read.
    """
    for position, name in enumerate(block.column_names):
        kind = own = block.schema.field(position).type
        if name in whole and whole[name].gaps:
            kind = pa.string() if whole[name].wide else pa.float64()
        elif pa.types.is_dictionary(own):
            kind = own.value_type
        elif pa.types.is_timestamp(own):  # pandas writes the time of day only where some block-mate has one
            kind = pa.string()
        if kind != own:
            try:
                block = block.set_column(position, name, block.column(position).cast(kind))
            except pa.ArrowInvalid:  # such as a time zone that nobody knows
                raise DataError(
                    f"Column {name!r} of type {own} cannot be read; write it as plain text, or leave it out."
                ) from None
    frame: pd.DataFrame = block.to_pandas()
    return frame
