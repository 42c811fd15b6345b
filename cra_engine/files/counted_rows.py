"""A stored table as its different rows and how many records show each: what attacks on it need.

Millions of records show a few thousand rows of labels. Each file is counted by whoever the caller has chosen with
``joblib.parallel_config``: this process, processes of this machine, or a cluster whose workers see the files. A worker
that is lost loses nothing but its file, which another one counts again.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from cra_engine.errors import DataError
from cra_engine.files.block_files import ParquetTable, TableFile, parquet_frame, whole_numbers
from cra_engine.files.different_rows import CountedRows
from cra_engine.files.parts import for_each
from cra_engine.files.stored import FolderTable, files_of, open_table
from cra_engine.files.table_faults import check_cells

WAITING = 1 << 20  # rows of counted blocks that are counted once more
LARGEST = 1 << 62  # numbers of rows up to here are products that fit
RECORDS, FIRST = "records", "first"


def count_rows(table: TableFile, columns: Collection[str]) -> CountedRows:
    """Count the different rows of a stored table.

    Args:
        table: a CSV file, a Parquet file or a folder of either.
        columns: those that are counted, as far as the table has them.

    Raises:
        DataError: the table, or a file of it, cannot be read.
        TooLargeError: the different rows do not fit into memory.
    """
    files = files_of(table)
    names = [name for name in table.columns if name in columns]
    before = [0]

    def parts() -> Iterator[pa.Table]:
        for own, records in for_each(_counted, [(file.path, names) for file in files]):
            if own is not None:
                yield _moved(own, before[-1])
            before.append(before[-1] + records)

    rows = _joined(parts(), table.name)
    if rows is None:
        return CountedRows(pd.DataFrame(columns=names), np.array([], np.int64), np.array([], np.int64), ())
    pa.default_memory_pool().release_unused()  # which nothing but Arrow could use
    check_cells(table.name, rows.num_rows * len(names), "in different rows")
    keys = pa.table(
        {name: column.cast(column.type.value_type) for name, column in zip(names, rows.columns, strict=False)}
    )
    return CountedRows(
        parquet_frame(keys, whole_numbers(keys)) if isinstance(files[0], ParquetTable) else keys.to_pandas(),
        rows[RECORDS].to_numpy(),
        rows[FIRST].to_numpy(),
        tuple(zip((file.name for file in files), before, strict=False)) if isinstance(table, FolderTable) else (),
    )


def _counted(path: Path, names: Sequence[str]) -> tuple[pa.Table | None, int]:
    """The different rows of a file with their records and the first of these, and how many records it holds."""
    records = 0

    def blocks() -> Iterator[pa.Table]:
        nonlocal records
        for block in open_table(path).blocks(names):
            ones, places = np.ones(len(block), dtype=np.int64), np.arange(records, records + len(block))
            columns = {str(at): _coded(column, names[at], path.name) for at, column in enumerate(block.columns)}
            yield _grouped([pa.table(columns | {RECORDS: ones, FIRST: places})])
            records += len(block)

    return _joined(blocks(), path.name), records


def _coded(column: pa.ChunkedArray, name: str, file: str) -> pa.ChunkedArray:
    """A column as its different values and the places of its cells among them: of a million cells few differ."""
    if pa.types.is_null(column.type) or pa.types.is_nested(column.type):
        raise DataError(f"Column {name!r} of {file} holds {column.type} in its cells; write it as plain text.")
    plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
    return plain.dictionary_encode()


def _joined(tables: Iterable[pa.Table], name: str) -> pa.Table | None:
    """The different rows of counted ones that come in pieces, one after the other; None where none comes.

    They are counted once more when half as many wait as were left the last time: each row is counted a few times then,
    however many are different.
    """
    held: list[pa.Table] = []
    most = WAITING
    for table in tables:
        held.append(table)
        if sum(map(len, held)) > most:
            held = [_grouped(held)]
            check_cells(name, len(held[0]) * (table.num_columns - 2), "in different rows at least")
            most = max(WAITING, 3 * len(held[0]) // 2)
    return None if not held else held[0] if len(held) == 1 else _grouped(held)


def _grouped(tables: Sequence[pa.Table]) -> pa.Table:
    """The different rows of counted ones, in the order in which they come; their columns are named by their places."""
    whole = pa.concat_tables(tables).unify_dictionaries()
    keys, size = np.zeros(len(whole), dtype=np.int64), 1
    for name in whole.column_names[:-2]:
        column = whole[name].combine_chunks()  # one at a time: together they take as much room as the rows
        many = len(column.dictionary) + 1  # an empty cell is a value of its own
        if size * many > LARGEST:
            keys, present = pd.factorize(keys)
            size = len(present)
        keys *= many
        keys += column.indices.fill_null(many - 1).to_numpy()
        size *= many
    order = np.argsort(keys, kind="stable")  # of rows that are alike the first stays the first
    keys = keys[order]
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    first = order[starts]
    rows = np.argsort(first)
    records = np.add.reduceat(whole[RECORDS].to_numpy()[order], starts) if len(starts) else np.array([], np.int64)
    del keys, order
    kept = whole.take(pa.array(first[rows]))
    return kept.set_column(whole.num_columns - 2, RECORDS, pa.array(records[rows]))


def _moved(rows: pa.Table, start: int) -> pa.Table:
    return rows.set_column(rows.column_names.index(FIRST), FIRST, pc.add(rows[FIRST], start))
