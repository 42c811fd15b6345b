"""Where a table lies: a file, or a folder whose files are its parts; told without a library that reads them."""

from pathlib import Path

from cra_engine.errors import DataError
from cra_engine.files.content import check_file, reason_of
from cra_engine.files.kinds import PARQUET
from cra_engine.words import how_many

CSV = (".csv", ".tsv")
MOST_PARTS = 100_000  # the files of one table


def check_there(path: Path) -> None:
    """Refuse a table that is not there, or a folder that holds none, before anybody asks what reads it.

    Raises:
        DataError: there is no file, or no part of a table.
    """
    if path.is_dir():
        part_names(path)
    else:
        check_file(path, path.name)


def part_names(folder: Path) -> tuple[list[str], list[str]]:
    """Return the names of a table's files in a folder in their order, and of the folder's other files.

    Raises:
        DataError: the folder cannot be read, or its files are no parts of one table.
    """
    try:
        names = sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith((".", "_")))
    except OSError as error:
        raise DataError(f"The folder {folder} cannot be read: {reason_of(error.errno)}.") from None
    by_kind = {kind: [name for name in names if Path(name).suffix.lower() in kind] for kind in (PARQUET, CSV)}
    chosen = by_kind[PARQUET] or by_kind[CSV]
    if not chosen:
        raise DataError(
            f"The folder {folder} holds no .parquet file and no .csv file; give the folder with the table's parts."
        )
    if all(by_kind.values()):
        raise DataError(
            f"The folder {folder} holds {chosen[0]} and {by_kind[CSV][0]}; the parts of a table are all Parquet or all "
            "CSV: move the others to another folder."
        )
    if len(chosen) > MOST_PARTS:
        raise DataError(
            f"The folder {folder} holds {how_many(len(chosen), 'part')}, more than {MOST_PARTS:,}; join some of them."
        )
    return chosen, [name for name in names if name not in chosen]
