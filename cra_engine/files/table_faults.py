"""What can be wrong with the first line and the rows of a table, whatever file it stands in, in a sentence each."""

from collections.abc import Sequence

from cra_engine.errors import DataError, TooLargeError
from cra_engine.words import how_many, rows_text

MAX_COLUMNS = 1000
MAX_CELLS = 100_000_000  # of a table in memory: about 10 GB


def empty_file(name: str) -> DataError:
    """Say what is wrong with a table file that does not even name its columns."""
    return DataError(f"{name} is empty; a table needs a line of column names and one line per record.")


def wrong_length(name: str, row: int, cells: int, columns: int) -> DataError:
    """Say what is wrong with a file's row that has more or fewer cells than there are columns."""
    titled = "if a line further down names the columns, delete the lines above it; else " if row == 1 else ""
    return DataError(
        f"{name}, {rows_text([row])}: {cells} cells where the first line names {columns} columns; {titled}"
        "complete the row, delete it if it is no record, or quote cells that contain the delimiter."
    )


def below_a_title(name: str, cells: Sequence[str]) -> DataError | None:
    """Say of a file's only column that its cells are whole records, whose names stand below a title; None if not."""
    for mark in ";\t|":
        many = [cell.count(mark) for cell in cells]
        usual = max(many, default=0)
        if usual and many.count(usual) * 2 > len(many):
            line = many.index(usual) + 2
            return DataError(
                f"{name}: line 1 has one cell for {usual + 1} columns; if line {line} names the columns, delete the "
                "lines above it."
            )
    return None


def blank_lines(name: str, count: int, before: int) -> str:
    """Say that a file has blank lines between the records, the first after so many records."""
    place = f"after row {before}" if before else "below the column names"
    said = f"{how_many(count, 'blank line')} of {name} (the first {place}) held no record"
    return f"{said}; in a spreadsheet the rows below stand further down by as many."


def check_cells(name: str, cells: int, words: str) -> None:
    """Refuse a table file that does not fit into memory, before it is in it.

    Args:
        name: of the table.
        cells: so many it holds.
        words: what kind of number that is.

    Raises:
        TooLargeError: these are more than :data:`MAX_CELLS`.
    """
    if cells > MAX_CELLS:
        raise TooLargeError(
            f"{name} holds {words} {cells:,} cells, more than {MAX_CELLS:,}; "
            "keep the columns that are needed, or take a sample of the rows."
        )


def by_place(columns: int) -> list[str]:
    """Return names for so many columns of a file that has no line of names."""
    return [f"column {place}" for place in range(1, columns + 1)]


def check_header(header: list[str], name: str) -> None:
    """Refuse a file's column names that are blank, twice there or too many.

    Raises:
        DataError: a name is blank or twice there.
        TooLargeError: more columns than the engine admits.
    """
    if len(header) > MAX_COLUMNS:
        raise TooLargeError(
            f"{name} has {len(header):,} columns, more than {MAX_COLUMNS:,}; keep those that are needed."
        )
    for position, column in enumerate(header, start=1):
        if not column.strip():
            raise DataError(
                f"{name}: column {position} has no name; give each column a name in the first line, or delete the "
                "lines above the names."
            )
        if column in header[: position - 1]:
            raise DataError(f"{name}: the column name {column!r} appears twice; give each column its own name.")
