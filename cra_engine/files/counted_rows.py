"""A stored table as its different rows and how many records show each: what attacks on it need.

Millions of records show a few thousand rows of labels. Each file is counted by whoever the caller has chosen with
``joblib.parallel_config``: this process, processes of this machine, or a cluster whose workers see the files. A worker
that is lost loses nothing but its file, which another one counts again.
"""

from collections.abc import Collection, Sequence
from itertools import accumulate
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
    counted = list(for_each(_counted, [(file.path, names) for file in files]))
    before = [0, *accumulate(records for _, records in counted)]
    held = [_moved(own, start) for (own, _), start in zip(counted, before, strict=False) if own is not None]
    if not held:
        return CountedRows(pd.DataFrame(columns=names), np.array([], np.int64), np.array([], np.int64), ())
    rows = _joined(held).sort_by(FIRST)
    check_cells(table.name, rows.num_rows * len(names), "in different rows")
    keys = rows.select(range(len(names))).rename_columns(names)
    return CountedRows(
        parquet_frame(keys, whole_numbers(keys)) if isinstance(files[0], ParquetTable) else keys.to_pandas(),
        rows[RECORDS].to_numpy(),
        rows[FIRST].to_numpy(),
        tuple(zip((file.name for file in files), before, strict=False)) if isinstance(table, FolderTable) else (),
    )


def _counted(path: Path, names: Sequence[str]) -> tuple[pa.Table | None, int]:
    """The different rows of a file with their records and the first of these, and how many records it holds."""
    found: list[pa.Table] = []
    records = 0
    for block in open_table(path).blocks(names):
        ones, places = np.ones(len(block), dtype=np.int64), np.arange(records, records + len(block))
        columns = {str(at): _plain(column, names[at], path.name) for at, column in enumerate(block.columns)}
        found.append(_joined([pa.table(columns | {RECORDS: ones, FIRST: places})]))
        records += len(block)
        if len(found) > 1 and sum(map(len, found)) > WAITING:
            found = [_joined(found)]
            check_cells(path.name, len(found[0]) * len(names), "in different rows at least")
    return (_joined(found) if found else None), records


def _plain(column: pa.ChunkedArray, name: str, file: str) -> pa.ChunkedArray:
    """A column of categories as their values: two files may number the same ones differently."""
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    if pa.types.is_null(column.type) or pa.types.is_nested(column.type):
        raise DataError(f"Column {name!r} of {file} holds {column.type} in its cells; write it as plain text.")
    return column


def _joined(tables: Sequence[pa.Table]) -> pa.Table:
    """The different rows of counted ones; their columns are named by their places."""
    whole = pa.concat_tables(tables)
    keys = [name for name in whole.column_names if name not in (RECORDS, FIRST)]
    grouped = whole.group_by(keys, use_threads=False).aggregate([(RECORDS, "sum"), (FIRST, "min")])
    return grouped.select([*keys, f"{RECORDS}_sum", f"{FIRST}_min"]).rename_columns([*keys, RECORDS, FIRST])


def _moved(rows: pa.Table, start: int) -> pa.Table:
    return rows.set_column(rows.column_names.index(FIRST), FIRST, pc.add(rows[FIRST], start))
