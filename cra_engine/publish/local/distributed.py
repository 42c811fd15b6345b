"""Recoding a table that no single machine holds: a folder of Parquet files, counted and labelled part by part.

The sweep needs the counts of the cells alone. So each part is counted where a worker is, the counts are added up, one
sweep runs on them, and each part gets its labels. The rows are those that one machine would publish. Who the workers
are is for the caller to say, with ``joblib.parallel_config``; every worker has to see both folders.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from cra_engine.choices import RecodeTies
from cra_engine.errors import DataError, StudyError
from cra_engine.files.apart import check_unread
from cra_engine.files.block_files import ParquetTable, changed
from cra_engine.files.parts import for_each
from cra_engine.files.stored import parquet_parts
from cra_engine.files.whole import by_itself, whole_file, whole_folder
from cra_engine.publish.check import ReleaseCheck
from cra_engine.publish.local.file_cells import FileCells, settled_warnings
from cra_engine.publish.local.file_columns import FileColumn
from cra_engine.publish.local.streaming import LabelsByNumber, Written, labels_by_number, write_blocks
from cra_engine.publish.local.sweep import CellRecoding, recode_cells
from cra_engine.raw.cells import CellCounts, Held, RawValues
from cra_engine.raw.placement import no_records
from cra_engine.raw.sensitive import SensitiveCounts, sensitive_columns
from cra_engine.study.grid import Grid
from cra_engine.study.study import Study


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FolderRecoding(CellRecoding):
    """The outcome of ARX-LR on a folder of Parquet files, which is written.

    Attributes:
        parts_written: the names of the files of the release, one per file of the table.
        notes: what of the folder was not read.
    """

    parts_written: tuple[str, ...]
    notes: tuple[str, ...]


def recode_folder(
    source: str | os.PathLike[str],
    study: Study,
    output: str | os.PathLike[str],
    *,
    ties: RecodeTies = "paper",
    keep_order: bool = False,
) -> FolderRecoding:
    """Publish by ARX-LR a table in a folder of Parquet files: the rows that ``recode_file`` makes of one file.

    Each part is read twice, a third time where a tie asks for c3 or for ARX's own order. A worker that is lost in the
    middle loses nothing but its part, which another one does again.

    Args:
        source: the folder; its parts are in the order of their names.
        study: hierarchies and k.
        output: the folder of the release, with a file for each part under the same name. It must not be there yet, and
            appears when all of it is written and checked.
        ties: as for ``recode``.
        keep_order: True to leave the rows in the parts' order. Else each part's rows are brought into a random order;
            which part a row stands in is kept, and says what the split into parts says.

    Raises:
        DataError: the folder holds no parts, these differ in their columns, a part cannot be read or written, the table
            does not fit the study, or k exceeds the records.
        StudyError: an attribute has a place for dates, coded or missing values.
        TooLargeError: the lattice or the grid is larger than the engine admits.
    """
    for attribute in study.attributes:
        if attribute.missing or attribute.dates or attribute.coded:
            raise StudyError(
                f"{attribute.name!r} has a place for dates, coded or missing values, for which a whole column is "
                "read at once; recode the table as one file."
            )
    folder, target = Path(source), Path(output)
    tables, notes = _parts(folder, study)
    check_unread(target)
    if target.exists():
        raise DataError(f"{target} is there already; name a new folder for the release.")
    paths = [table.path for table in tables]
    cells, columns = CellCounts(Grid(study.attributes)), None
    for path, (counted, found) in zip(paths, for_each(_counted, [(path, study) for path in paths]), strict=True):
        if not all(column.fits for column in found):
            _refuse(path, study)
        cells.join(counted)
        columns = found if columns is None else _joined(columns, found)
    if not cells.records or columns is None:
        raise no_records()

    def raw_values() -> RawValues:
        values = RawValues(FileCells(tables[0], study).order)
        for found in for_each(_raw_values, [(path, study, cells.held) for path in paths]):
            values.join(found)
        return values

    def sensitive() -> SensitiveCounts:
        values = SensitiveCounts(sensitive_columns(study.names, study.privacy))
        for found in for_each(_sensitive, [(path, study, cells.held) for path in paths]):
            values.join(found)
        return values

    swept = recode_cells(study, ties, cells, raw_values, sensitive, settled_warnings(columns, tables, study))
    with whole_folder(target) as draft:
        labels, known = labels_by_number(swept), cells.counts > 0
        check, counts = ReleaseCheck(study), np.zeros_like(cells.counts)
        work = [(path, study, cells.held, labels, known, draft / path.name, keep_order) for path in paths]
        for written in for_each(_labelled, work):
            check.join(written.check)
            counts += written.counts
        if not np.array_equal(counts, cells.counts):
            raise changed(folder.name)
        check.finish()
    return FolderRecoding(
        *swept.base_fields,
        ties=swept.ties,
        passing=swept.passing,
        parts_written=tuple(path.name for path in paths),
        notes=notes,
    )


# ---------------------------------------------------------------- the folder


def _parts(folder: Path, study: Study) -> tuple[list[ParquetTable], tuple[str, ...]]:
    """The parts of a table, and what of the folder is none."""
    tables, notes = parquet_parts(folder)
    first = tables[0]
    for attribute in study.attributes:
        kind = first.types.get(attribute.name)
        if attribute.numeric and kind is not None and not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            raise DataError(
                f"Column {attribute.name!r} of {first.name} is of type {kind}, and the study has numbers there; "
                "write it as whole numbers or floats in all parts."
            )
    return tables, notes


# ---------------------------------------------------------------- the workers


def _counted(path: Path, study: Study) -> tuple[CellCounts, list[FileColumn]]:
    """A part's records by cell, and what was found of its columns."""
    file = FileCells(ParquetTable(path), study)
    cells = file.count()
    for column in file.columns:
        column.raw = None  # the last block has done its work
    return cells, file.columns


def _raw_values(path: Path, study: Study, held: Held) -> RawValues:
    return FileCells(ParquetTable(path), study, held=held).raw_values()


def _sensitive(path: Path, study: Study, held: Held) -> SensitiveCounts:
    return FileCells(ParquetTable(path), study, held=held).sensitive()


def _labelled(
    path: Path,
    study: Study,
    held: Held,
    labels: Sequence[LabelsByNumber],
    known: NDArray[np.bool_],
    target: Path,
    keep_order: bool,
) -> Written:
    """Write a part of the release. Done twice, after a worker was lost, it holds the same rows."""
    table = ParquetTable(path)
    with by_itself(), whole_file(target) as stream:
        written = write_blocks(
            FileCells(table, study, held=held),
            study,
            labels,
            known,
            target,
            stream,
            records=pq.read_metadata(path).num_rows,
            keep_order=keep_order,
        )
        if not written.check.records:
            label = pa.dictionary(pa.int8(), pa.string())
            kinds = [
                (name, label if name in study.names else kind)
                for name, kind in table.types.items()
                if name not in study.roles.remove
            ]
            pq.write_table(pa.schema(kinds).empty_table(), stream)
        return written


def _joined(columns: list[FileColumn], later: list[FileColumn]) -> list[FileColumn]:
    for column, other in zip(columns, later, strict=True):
        column.join(other)
    return columns


def _refuse(path: Path, study: Study) -> None:
    """Say of a part what does not fit, in the words that are used for a file of its own.

    Raises:
        DataError: always.
    """
    file = FileCells(ParquetTable(path), study)
    file.count()
    try:
        file.settled()
    except DataError as error:
        raise DataError(f"{path.name}: {error}") from None
    raise changed(path.name)
