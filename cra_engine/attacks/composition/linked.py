"""Rows of several releases that are known to be of the same person: in the same order, or with the same id."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from cra_engine.errors import CRAError
from cra_engine.files.tables import column_of
from cra_engine.release import Owner, Release
from cra_engine.words import rows_text

Track = tuple[int, ...]
"""The class that holds a person in each release from the first that has them on: an index, or ``Owner``."""


def tracks(releases: Sequence[Release], column: str | None, *, grown: bool) -> tuple[Counter[Track], ...]:
    """Count the people who go through the same classes of several releases whose rows are linked.

    Args:
        releases: the releases.
        column: that names the person; None where the rows stand in the same order.
        grown: True where each release is of part of the people of the next.

    Returns:
        Per release the people who are first in it, all in the first one unless the tables grow.

    Raises:
        CRAError: rows that do not fit together or were counted, or no such column.
    """
    for release in releases:
        release.refuse_counted()
    if column is None:
        return _in_order(releases, grown=grown)
    rows = [_ids(release, number, column) for number, release in enumerate(releases, start=1)]
    for number, (earlier, later) in enumerate(pairwise(rows), start=1):
        missing = next((name for name in earlier if name not in later), None)
        new = next((name for name in later if name not in earlier), None)
        if missing is not None or (new is not None and not grown):
            here, there = (number, number + 1) if missing is not None else (number + 1, number)
            hint = "" if missing is not None else "; of a table that has grown, say so and name the earlier one first"
            raise CRAError(
                f"Releases {number} and {number + 1} are not of the same people: an id in column {column!r} of release "
                f"{here} is missing in release {there}{hint}."
            )
    owners = [release.class_of_row.tolist() for release in releases]
    results: list[Counter[Track]] = [Counter() for _ in releases]
    for name in rows[-1]:
        first = next(position for position, own in enumerate(rows) if name in own)
        results[first][tuple(owners[i][rows[i][name]] for i in range(first, len(releases)))] += 1
    return tuple(results) if grown else (sum(results, Counter()),)


def _in_order(releases: Sequence[Release], *, grown: bool) -> tuple[Counter[Track], ...]:
    """Row for row; where a table has grown its new rows come last."""
    owners = [release.class_of_row.tolist() for release in releases]
    people = []
    start = 0
    for first in range(len(releases) if grown else 1):
        stop = len(owners[first])
        people.append(Counter(zip(*(own[start:stop] for own in owners[first:]), strict=True)))
        start = stop
    return tuple(people)


def _ids(release: Release, number: int, column: str) -> dict[str, int]:
    """Per id its row."""
    if column in release.study.names:
        raise CRAError(f"Column {column!r} is a quasi-identifier of release {number}; name the column of the id.")
    try:
        values = column_of(release.table, column)
    except CRAError as error:
        raise CRAError(f"Release {number}: {error}") from None
    rows: dict[str, int] = {}
    for row, value in enumerate(values.astype(str).str.strip()):
        if value in rows or value in ("", "*", "nan", "None"):
            what = "stands twice" if value in rows else "is empty"
            raise CRAError(
                f"Release {number}, {rows_text([row + 1])}: the id in column {column!r} {what}; "
                "an id column names each person once."
            )
        rows[value] = row
    return rows


def without_raw(track: Track) -> bool:
    """Return whether none of several releases shows raw values of these people."""
    return Owner.RAW not in track
