"""Recoding a file that need not fit into memory: one pass counts the cells, a second one writes the release.

Between the two everything happens on the counts of the cells, by the same sweep as in memory. The release is the same
to the byte, and what is refused is refused with the same words.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from random import Random
from typing import Any, BinaryIO, Generic, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from cra_engine.blocks import counted
from cra_engine.choices import DecimalSign, RecodeTies
from cra_engine.errors import DataError
from cra_engine.files.block_files import TableFile, changed
from cra_engine.files.csv_text import csv_text, formulas
from cra_engine.files.kinds import PARQUET
from cra_engine.files.scattered import ScatteredRows
from cra_engine.files.stored import open_table
from cra_engine.files.whole import whole_file
from cra_engine.patience import tell
from cra_engine.publish.check import ReleaseCheck
from cra_engine.publish.local.file_cells import FileCells
from cra_engine.publish.local.rounds import PublishedCells
from cra_engine.publish.local.safe import SafeCells, recode_cells_safely, safe_study
from cra_engine.publish.local.sweep import CellRecoding, recode_cells
from cra_engine.raw.cells import CellCounts
from cra_engine.raw.placement import every_row, no_records
from cra_engine.release import Release
from cra_engine.study.ladder import Epsilon
from cra_engine.study.study import Study

LabelsByNumber = tuple[str, list[str], NDArray[np.signedinteger[Any]]]
Labelled = dict[str, tuple[list[str], NDArray[np.signedinteger[Any]]]]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FileRecoding(CellRecoding):
    """The outcome of ARX-LR on a file, which is written.

    Attributes:
        notes: what is not in the table or was guessed while it was read.
        formulas: cells that begin with an apostrophe in the release, since a spreadsheet would run them as formulas.
    """

    notes: tuple[str, ...]
    formulas: int


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SafeFileRecoding(SafeCells):
    """The outcome of safe recoding on a file, which is written; attributes as those of :class:`FileRecoding`."""

    notes: tuple[str, ...]
    formulas: int


Done = TypeVar("Done", bound=PublishedCells)
Publisher = Callable[[CellCounts, FileCells, tuple[str, ...]], Done]
"""Makes, of counted cells, the file to go through again and the warnings, what is published."""


class _FilePass(Generic[Done]):
    """A file on its way: counted block by block, recoded, and written block by block."""

    def __init__(self, table: TableFile, study: Study, publisher: Publisher[Done], decimal: DecimalSign | None) -> None:
        self._file = FileCells(table, study, decimal)
        self._cells = self._file.count()
        self.left_out = tuple(self._file.gaps.left_out)
        if not self._cells.records:
            raise every_row() if self.left_out else no_records()
        self.swept = publisher(self._cells, self._file, self._file.settled())

    def write(self, path: Path, *, keep_order: bool, seed: int | None) -> int:
        """Write the release: CSV, or Parquet where the path says so; returns how many cells were made harmless.

        Raises:
            DataError: the file cannot be written, or the table was changed meanwhile; nothing is left of it then.
            ReleaseCheckError: the release is not what it has to be.
        """
        labels = labels_by_number(self.swept)
        with whole_file(path) as stream:
            written = write_blocks(
                self._file,
                self.swept.study,
                labels,
                self._cells.counts > 0,
                path,
                stream,
                records=self._cells.records,
                keep_order=keep_order,
                seed=seed,
            )
            if not np.array_equal(written.counts, self._cells.counts):
                raise changed(self._file.table.name)
            written.check.finish()
        return written.formulas


# ---------------------------------------------------------------- the release, block by block


@dataclass(frozen=True, eq=False)
class Written:
    """What local recoding has written of a file.

    Attributes:
        check: the last check, not finished yet: other parts of the release may follow.
        counts: records per cell, by the cell's number.
        formulas: cells that begin with an apostrophe now.
    """

    check: ReleaseCheck
    counts: NDArray[np.int64]
    formulas: int


def labels_by_number(swept: PublishedCells) -> list[LabelsByNumber]:
    """Return per quasi-identifier of a local recoding its labels, and by each cell's number which its records show."""
    labels = zip(swept.study.names, swept.published_labels(), strict=True)
    return [(name, shown, swept.cells.by_number(per_cell)) for name, (shown, per_cell) in labels]


def write_blocks(
    file: FileCells,
    study: Study,
    labels: Sequence[LabelsByNumber],
    known: NDArray[np.bool_],
    path: Path,
    stream: BinaryIO,
    *,
    records: int,
    keep_order: bool,
    seed: int | None = None,
) -> Written:
    """Write a file's local recoding, or that of a part of a table, block by block.

    Args:
        file: the file.
        study: the study that the last check goes by.
        labels: as :func:`labels_by_number` gives them.
        known: by the number of a cell whether it holds records of the table.
        path: says what kind of file it is.
        stream: where it goes.
        records: how many there are, for the memory that a random order takes.
        keep_order: False to bring the rows into a random order.
        seed: of that order, for teaching; None for the randomness of the system.

    Raises:
        DataError: the file was changed since it was counted.
        ReleaseCheckError: a record, a cell or a label is not what it has to be.
    """
    check, held, used, done = ReleaseCheck(study), np.zeros(len(known), dtype=np.int64), 0, 0
    writer = _ParquetWriter(stream) if path.suffix.lower() in PARQUET else _CsvWriter(stream)

    def coded_blocks() -> Iterator[pa.Table]:
        """The release block by block, with the places of labels instead of these; each block is checked."""
        for numbers, (block, frame) in file.numbers_by_block(all_columns=True):
            if not file.fits or not known[numbers].all():
                raise changed(file.table.name)
            held[:] += counted(numbers, len(held))
            places = {name: by_number[numbers] for name, _, by_number in labels}
            as_read = [column for column in file.columns if column.attribute.plain or not column.attribute.numeric]
            raw = frame.assign(**{column.attribute.name: column.raw for column in as_read})
            check.add(raw, _labelled(frame, labels, places))
            yield _written_anew(block, places)

    with ScatteredRows(path.parent, records, None if seed is None else Random(seed)) as rows:
        blocks = coded_blocks()
        if not keep_order:
            for block in blocks:
                rows.add(block)
            blocks = rows.blocks()
        for block in blocks:
            places = {name: block[name].to_numpy() for name, _, _ in labels}
            published = _labelled(file.table.frame(block), labels, places)
            used += writer.write(block, published, {name: (shown, places[name]) for name, shown, _ in labels})
            done += len(published)
            tell("records written", done, records)
    writer.close()
    return Written(check, held, used)


def _labelled(
    frame: pd.DataFrame, labels: Sequence[LabelsByNumber], places: Mapping[str, NDArray[np.signedinteger[Any]]]
) -> pd.DataFrame:
    """The frame with labels in place of the quasi-identifiers."""
    return frame.assign(
        **{name: pd.Categorical.from_codes(places[name], dtype=pd.CategoricalDtype(shown)) for name, shown, _ in labels}
    )


def _written_anew(block: pa.Table, places: Mapping[str, NDArray[np.signedinteger[Any]]]) -> pa.Table:
    """A block with the places of labels for the quasi-identifiers, and nothing but its rows besides.

    A column of categories brings the dictionary of the raw file along, and a field may bring notes.
    """
    return pa.table(
        {
            name: pa.array(places[name]) if name in places else _own_categories(block[name])
            for name in block.column_names
        }
    )


def _own_categories(column: pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """A column of categories with those alone that its cells show; of another kind as it is."""
    if not pa.types.is_dictionary(column.type):
        return column
    anew = column.cast(column.type.value_type).combine_chunks().dictionary_encode()
    anew = anew.combine_chunks() if isinstance(anew, pa.ChunkedArray) else anew
    places = anew.indices.cast(column.type.index_type)
    return pa.DictionaryArray.from_arrays(places, anew.dictionary, ordered=column.type.ordered)


# What a cell must not hold to be written as it stands: more than CSV quotes, and more than spreadsheets run.
_CAREFUL = "[\";\\n\\r]|^['\\t =+@\uff1d\uff0b\uff0d\uff20-]"
_NEGATIVE = r"^-[0-9]+(\.[0-9]+)?$"


class _CsvWriter:
    """Writes CSV exactly as :meth:`cra_engine.release.Release.to_csv` does."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._header = True

    def write(self, block: pa.Table, published: pd.DataFrame, labelled: Labelled) -> int:
        if self._header:
            self._file.write(csv_text(published.iloc[:0]).encode())
            self._header = False
        columns = [_as_it_stands(_labels(labelled[n]) if n in labelled else block[n]) for n in block.column_names]
        if any(column is None for column in columns):
            self._file.write(csv_text(published, header=False).encode())
            return formulas(published)
        lines = pc.binary_join_element_wise(pc.binary_join_element_wise(*columns, ";"), "", "\n")
        offsets = np.frombuffer(lines.buffers()[1], dtype=np.int32)[lines.offset : lines.offset + len(lines) + 1]
        self._file.write(lines.buffers()[2][int(offsets[0]) : int(offsets[-1])])
        return 0

    def close(self) -> None:
        """Nothing is left to write."""


def _labels(labelled: tuple[list[str], NDArray[np.signedinteger[Any]]]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(labelled[1]), pa.array(labelled[0], pa.string()))


def _own_labels(labelled: tuple[list[str], NDArray[np.signedinteger[Any]]]) -> pa.DictionaryArray:
    """The labels of a block, with those alone that its rows show."""
    shown, places = labelled
    occurs = np.bincount(places, minlength=len(shown)) > 0
    anew = (np.cumsum(occurs) - 1).astype(places.dtype)
    return _labels((list(compress(shown, occurs)), anew[places]))


def _as_it_stands(column: pa.Array | pa.ChunkedArray) -> pa.Array | None:
    """A column as text, where no cell of it has to be quoted or made harmless; else None."""
    if isinstance(column, pa.DictionaryArray):
        labels = _as_it_stands(column.dictionary)
        return None if labels is None else labels.take(column.indices)
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_integer(column.type) and not column.null_count:
        return column.cast(pa.string())
    if column.type != pa.string():
        return None
    column = column.fill_null("")
    careful = column.filter(pc.match_substring_regex(column, _CAREFUL))
    return column if pc.all(pc.match_substring_regex(careful, _NEGATIVE)).as_py() is not False else None


class _ParquetWriter:
    """Writes Parquet: labels as categories, all other columns of the type they had."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._writer: pq.ParquetWriter | None = None

    def write(self, block: pa.Table, published: pd.DataFrame, labelled: Labelled) -> int:  # noqa: ARG002 - as the other
        for name in block.column_names:
            column = _own_labels(labelled[name]) if name in labelled else _own_categories(block[name])
            block = block.set_column(block.column_names.index(name), name, column)
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._file, block.schema)
        self._writer.write_table(block)
        return 0

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


def recode_file(
    source: str | os.PathLike[str],
    study: Study,
    output: str | os.PathLike[str],
    *,
    ties: RecodeTies = "paper",
    decimal: DecimalSign | None = None,
    keep_order: bool = False,
) -> FileRecoding:
    """Publish by ARX-LR a file that need not fit into memory: the release that ``recode`` makes of it, to the byte.

    The file is read twice, block by block; a third time where a tie asks for c3, or for ARX's own order. The memory
    grows with the grid, not with the records, but for c3 with the number of different raw values.

    Args:
        source: a CSV file, or a Parquet file named ``.parquet``.
        study: hierarchies and k.
        output: where the release goes: CSV, or Parquet where the name ends with ``.parquet``. It appears there when all
            of it is written.
        ties: as for ``recode``.
        decimal: how the quasi-identifiers' numbers are written, where they do not tell.
        keep_order: True to leave the rows in the source's order, which tells of a sorted table what was generalized;
            else every order has the same chance, in files without a name beside ``output`` where the table is large.

    Raises:
        DataError: a file cannot be read or written, the table does not fit the study, or k exceeds the records.
        TooLargeError: the lattice or the grid is larger than the engine admits.
    """

    def publisher(cells: CellCounts, file: FileCells, warnings: tuple[str, ...]) -> CellRecoding:
        return recode_cells(study, ties, cells, file.raw_values, file.sensitive, warnings)

    swept, notes, used, left_out = _written(
        Path(source), study, Path(output), publisher, decimal, keep_order=keep_order
    )
    return FileRecoding(
        *swept.base_fields,
        left_out,
        ties=swept.ties,
        passing=swept.passing,
        notes=notes,
        formulas=used,
    )


def safe_recode_file(
    source: str | os.PathLike[str],
    study: Study,
    output: str | os.PathLike[str],
    epsilon: Epsilon | None = None,
    seed: int | None = None,
    *,
    decimal: DecimalSign | None = None,
    keep_order: bool = False,
    earlier: Release | None = None,
) -> SafeFileRecoding:
    """Publish by safe recoding a file that need not fit into memory; the file is read twice.

    Args:
        source: a CSV file, or a Parquet file named ``.parquet``.
        study: hierarchies and k.
        output: where the release goes.
        epsilon: as for ``safe_recode``.
        seed: as for ``safe_recode``: for teaching.
        decimal: how the quasi-identifiers' numbers are written, where they do not tell.
        keep_order: as for :func:`recode_file`.
        earlier: as for ``safe_recode``.

    Raises:
        DataError: a file cannot be read or written, the table does not fit the study, or k exceeds the records.
        StudyError: there is no epsilon, or it is no number above 0.
        TooLargeError: the lattice or the grid is larger than the engine admits.
    """
    safe = safe_study(study, epsilon, earlier)

    def publisher(cells: CellCounts, _: FileCells, warnings: tuple[str, ...]) -> SafeCells:
        return recode_cells_safely(safe, cells, seed, warnings)

    swept, notes, used, left_out = _written(
        Path(source), safe, Path(output), publisher, decimal, keep_order=keep_order, seed=seed
    )
    return SafeFileRecoding(
        *swept.base_fields,
        left_out,
        notes=notes,
        formulas=used,
    )


def _written(
    path: Path,
    study: Study,
    target: Path,
    publisher: Publisher[Done],
    decimal: DecimalSign | None,
    *,
    keep_order: bool,
    seed: int | None = None,
) -> tuple[Done, tuple[str, ...], int, tuple[int, ...]]:
    """What was published of a file, the notes on it, how many cells were made harmless, and the rows left out."""
    if target.exists() and path.exists() and target.samefile(path):
        raise DataError(f"{target} is named twice; give the output a file of its own.")
    table = open_table(path)
    under_way = _FilePass(table, study, publisher, decimal)
    notes = table.notes
    used = under_way.write(target, keep_order=keep_order, seed=seed)
    return under_way.swept, notes, used, under_way.left_out
