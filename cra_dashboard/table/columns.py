"""What the columns of a raw table hold: numbers or text, gaps, findings, and which may be quasi-identifiers."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_dashboard.session import state
from cra_engine import DataError, Roles, Study
from cra_engine.files.tables import column_of
from cra_engine.raw.columns import read_column
from cra_engine.raw.contents import Column, inspect
from cra_engine.raw.readings import readings
from cra_engine.raw.written import Problem
from cra_engine.study.hierarchy import Hierarchy

ROWS_NAMED = 12
WHY = "why it cannot be a quasi-identifier"


def of_session(data: state.Dataset) -> tuple[Column, ...]:
    """The columns of the session's table, looked at once."""
    return state.once("columns", data.digest, lambda: inspect(data.frame))


def placed(data: state.Dataset, attribute: Hierarchy) -> tuple[NDArray[np.int16], tuple[Problem, ...]]:
    """Each record's leaf in the hierarchy of one column, and what is wrong; looked up once per setting.

    A column that the table lacks is one problem without rows.
    """

    def place() -> tuple[NDArray[np.int16], tuple[Problem, ...]]:
        try:
            column = read_column(column_of(data.frame, attribute.name), attribute)
        except DataError as error:
            return np.zeros(0, dtype=np.int16), (Problem(attribute.name, (), str(error)),)
        return column.leaves, column.problems

    return state.once(f"leaves of {attribute.name}", (data.digest, attribute), place)


def read_otherwise(data: state.Dataset, attribute: Hierarchy, *, ends: bool) -> tuple[Problem, ...]:
    """What of a column is read otherwise than it is written; looked up once per setting. See :func:`readings`."""

    def read() -> tuple[Problem, ...]:
        there = attribute.name in data.frame.columns
        return tuple(readings(data.frame[attribute.name], attribute, ends=ends)) if there else ()

    return state.once(f"readings of {attribute.name}", (data.digest, attribute, ends), read)


def overview(found: Sequence[Column], study: Study | None) -> pd.DataFrame:
    """Role, looks and contents of every column."""
    chosen = study.names if study else ()
    roles = study.roles if study else Roles()
    rows = [
        {
            "column": column.name,
            "role": "quasi-identifier" if column.name in chosen else roles.of(column.name),
            "proposed": column.looks.role if column.looks else "",
            "because": column.looks.reason if column.looks else "",
            "holds": column.holds or "numbers"
            if column.holds or column.numeric
            else "text"
            if column.cells > column.missing
            else "nothing",
            "different values": column.distinct,
            "empty cells": column.missing,
            "smallest": column.smallest,
            "largest": column.largest,
            WHY: "" if column.name in chosen else column.refusal,
        }
        for column in found
    ]
    table = pd.DataFrame(rows)
    return table if any(row[WHY] for row in rows) else table.iloc[:, :-1]


def findings(data: state.Dataset, found: Sequence[Column], study: Study | None) -> list[dict[str, str]]:
    """Every problem with its column and rows; quasi-identifiers are also held against their domain."""
    attributes = {attribute.name: attribute for attribute in study.attributes} if study else {}
    rows = []
    for column in found:
        attribute = attributes.get(column.name)
        asked = attribute or (column.flat if column.missing else None)
        problems = placed(data, asked)[1] if asked else column.problems
        meant = attribute or column.hierarchy
        read = () if meant is None else read_otherwise(data, meant, ends=attribute is not None)
        for problem in (*(problem for problem in problems if not problem.settled), *read):
            what, mend = in_parts(problem)
            rows.append(
                {
                    "column": column.name,
                    "rows": rows_named(problem.rows),
                    "what": what,
                    "how to mend": mend,
                    "stops the recoding": "yes" if attribute and problem.fatal else "no",
                }
            )
    return rows


def rows_named(rows: Sequence[int]) -> str:
    """The rows of a problem, the first dozen by number: ``2, 5, 9 and 14 more``."""
    named = ", ".join(str(row) for row in rows[:ROWS_NAMED])
    more = len(rows) - ROWS_NAMED
    return f"{named} and {more:,} more" if more > 0 else named


def in_parts(problem: Problem) -> tuple[str, str]:
    """What is wrong, and how to mend it: the two halves of a problem's sentence, without the column's name."""
    what, _, mend = problem.text.removeprefix(f"Column {problem.column!r}: ").rpartition("; ")
    return what, mend.rstrip(".")
