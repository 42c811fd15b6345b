"""Hierarchies as ARX's files: written so that they are read back as they are."""

import csv
import io
from collections.abc import Iterable
from typing import Literal

from cra_engine.errors import DataError
from cra_engine.expected import expect
from cra_engine.files.delimited import read_rows
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.hierarchy import Hierarchy, hierarchy_file


def hierarchy_text(hierarchy: Hierarchy) -> str:
    """Write a hierarchy as the text of an ARX file, ``;`` between columns; intervals list every value.

    Raises:
        TooLargeError: the domain holds more than a million values.

    >>> from cra_engine import Attribute
    >>> print(hierarchy_text(Attribute("ward", 0, 4, layers=2)), end="")
    0;[0, 2[;*
    1;[0, 2[;*
    2;[2, 4[;*
    3;[2, 4[;*
    """
    expect(hierarchy, Hierarchy, "hierarchy_text(hierarchy)")
    rows = hierarchy.listed_rows()
    text = _delimited(rows, csv.QUOTE_MINIMAL)
    # Labels may hold other delimiters, or quotes, so that a reader takes the wrong one; quoted cells leave no doubt.
    return text if _is_read_as(text, rows) else _delimited(rows, csv.QUOTE_ALL)


def files_of(hierarchies: Iterable[Hierarchy]) -> dict[str, str]:
    """Return the hierarchy files that a study names, each with its text."""
    return {hierarchy_file(own): hierarchy_text(own) for own in hierarchies if isinstance(own, FileHierarchy)}


def _is_read_as(text: str, rows: list[tuple[str, ...]]) -> bool:
    try:
        return read_rows(text.encode())[0] == [list(row) for row in rows]
    except DataError:
        return False


def _delimited(rows: list[tuple[str, ...]], quoting: Literal[0, 1]) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n", quoting=quoting).writerows(rows)
    return text.getvalue()
