"""A table where it is stored: a CSV file, a Parquet file, or a folder whose files are its parts."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pyarrow as pa
from pandas.api.types import union_categoricals
from propcache.api import cached_property

from cra_engine.errors import DataError, TooLargeError
from cra_engine.files.block_files import CsvTable, ParquetTable, TableFile, WholeNumbers, parquet_frame, whole_numbers
from cra_engine.files.content import MOST_BYTES
from cra_engine.files.folders import part_names
from cra_engine.files.kinds import PARQUET, READ
from cra_engine.files.parts import for_each
from cra_engine.files.table_faults import check_cells


def open_table(path: Path, content: bytes | None = None) -> TableFile:
    """Open a CSV or Parquet file, or a folder of either.

    Raises:
        DataError: it cannot be read, or is none of these.
    """
    if content is None and path.is_dir():
        return FolderTable(path)
    if path.suffix.lower() in READ:
        raise DataError(f"{path.name} can only be read whole, not block by block; save the table as CSV or Parquet.")
    return ParquetTable(path, content) if path.suffix.lower() in PARQUET else CsvTable(path, content)


def read_stored(path: Path, content: bytes | None = None) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read all rows of a stored table file, and sentences on what is not in it or was guessed.

    Args:
        path: of the table.
        content: of a file that lies nowhere.

    Raises:
        DataError: it cannot be read.
        TooLargeError: it does not fit into memory, though the file may be small.
    """
    table = open_table(path, content)
    frames: list[pd.DataFrame] = []
    cells = size = 0
    for block in table.blocks():
        cells, size = cells + block.num_rows * len(table.columns), size + block.nbytes
        check_cells(table.name, cells, "at least")
        if size > MOST_BYTES:
            raise TooLargeError(f"{table.name} holds more than {MOST_BYTES:,} bytes; take out what is not needed.")
        frames.append(table.frame(block))
    rows = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=table.columns)
    return rows, table.notes


def read_coded(path: Path) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read all rows of a stored table as :func:`read_stored` does, but texts as categories: a few bytes a cell.

    Each file is read by whoever the caller has chosen, see :mod:`cra_engine.files.parts`.

    Raises:
        DataError: it cannot be read.
        TooLargeError: it does not fit into memory.
    """
    table = open_table(path)
    files = files_of(table)
    read = list(for_each(_coded, [(file.path,) for file in files]))
    check_cells(table.name, sum(map(len, read)) * len(table.columns), "at least")
    columns: dict[str, Any] = {}
    for name in table.columns:
        if pa.types.is_dictionary(read[0][name].type):
            columns[name] = union_categoricals([pd.Categorical(own[name].to_pandas()) for own in read])
        else:
            whole = pa.concat_tables([own.select([name]) for own in read])
            columns[name] = parquet_frame(whole, whole_numbers(whole))[name]
    return pd.DataFrame(columns, columns=table.columns), table.notes


def _coded(path: Path) -> pa.Table:
    """The rows of a file, with the different texts of a column once and per row the place of its own."""
    table = open_table(path)
    held: list[pa.Table] = []
    rows = 0
    for block in table.blocks():
        rows += len(block)
        check_cells(table.name, rows * len(table.columns), "at least")
        held.append(pa.table({name: _as_codes(block[name]) for name in table.columns}))
    if not held:
        kinds = table.types if isinstance(table, ParquetTable) else dict.fromkeys(table.columns, pa.string())
        held.append(pa.table({name: _as_codes(pa.chunked_array([], kind)) for name, kind in kinds.items()}))
    return pa.concat_tables(held).unify_dictionaries().combine_chunks()


def _as_codes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
    return plain.dictionary_encode() if pa.types.is_string(plain.type) else plain


class FolderTable:
    """A folder of files that are the parts of one table, in the order of their names; see :class:`TableFile`.

    Attributes:
        path: of the folder.
        name: its name for messages.
        columns: the names of the columns, which all parts have.

    Raises:
        DataError: no part, parts of both kinds, too many, or parts that differ in their columns.
    """

    def __init__(self, folder: Path) -> None:
        self.path, self.name = folder, folder.name or str(folder)
        self.parts, self._left_out = parts_of(folder)
        self.columns = self.parts[0].columns

    @property
    def notes(self) -> tuple[str, ...]:
        """See :class:`TableFile`."""
        return self._left_out + tuple(note for part in self.parts for note in part.notes)

    @cached_property
    def _whole(self) -> dict[str, WholeNumbers]:
        parts = [part.whole for part in self.parts if isinstance(part, ParquetTable)]
        return {name: WholeNumbers(*map(any, zip(*(one[name] for one in parts), strict=True))) for name in parts[0]}

    def blocks(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """See :class:`TableFile`."""
        for part in self.parts:
            yield from part.blocks(columns)

    def frame(self, block: pa.Table) -> pd.DataFrame:
        """See :class:`TableFile`: what one part has makes no other type of the same column in another."""
        first = self.parts[0]
        return parquet_frame(block, self._whole) if isinstance(first, ParquetTable) else first.frame(block)


def files_of(table: TableFile) -> list[TableFile]:
    """Return the files of a table, one after the other: the parts of a folder, or the one file."""
    return table.parts if isinstance(table, FolderTable) else [table]


def parts_of(folder: Path) -> tuple[list[TableFile], tuple[str, ...]]:
    """Return the files of a table in a folder in the order of their names, and a sentence on what is none.

    Raises:
        DataError: the folder cannot be read, or its files are no parts of one table.
    """
    chosen, others = part_names(folder)
    tables = [open_table(folder / name) for name in chosen]
    first = tables[0]
    for table in tables[1:]:
        if _types(table) != _types(first):
            raise DataError(
                f"{table.name} has other columns than {first.name}: {_difference(first, table)}; all parts need "
                "the same columns of one type each, in one order."
            )
    more = " and more" if len(others) > 5 else ""
    notes = (f"Not read, since it is no {Path(chosen[0]).suffix} file: {', '.join(others[:5])}{more}.",)
    return tables, notes if others else ()


def _types(table: TableFile) -> list[tuple[str, object]]:
    return list(table.types.items()) if isinstance(table, ParquetTable) else [(name, str) for name in table.columns]


def _difference(here: TableFile, there: TableFile) -> str:
    these, those = dict(_types(here)), dict(_types(there))
    for name, kind in these.items():
        if name not in those:
            return f"it has no column {name!r}"
        if those[name] != kind:
            return f"its {name!r} is of type {those[name]} instead of {kind}"
    new = next((name for name in those if name not in these), None)
    return "they stand in another order" if new is None else f"it also has {new!r}"


def parquet_parts(folder: Path) -> tuple[list[ParquetTable], tuple[str, ...]]:
    """Return the files of a folder that are to be Parquet files; see :func:`parts_of`.

    Raises:
        DataError: they are none.
    """
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder; with --backend dask give a folder of Parquet files.")
    parts, notes = parts_of(folder)
    if not isinstance(parts[0], ParquetTable):
        raise DataError(
            f"The folder {folder} holds {parts[0].name}, no .parquet file; --backend needs parts in Parquet."
        )
    return cast("list[ParquetTable]", parts), notes
