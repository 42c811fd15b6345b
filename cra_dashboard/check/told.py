"""What the page Check looked at, in a line each: how the table was recoded, and what the sensitive columns show."""

from typing import Any

import pandas as pd

from cra_dashboard.texts import words
from cra_engine import Check
from cra_engine.checks.labels import as_text
from cra_engine.checks.sensitive_values import single_text, single_values
from cra_engine.checks.whole_rows import beside_text
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, listed


def groups_told(checked: Check) -> str:
    """Say on Check how many records are in groups, and how many groups each column shows: nobody has to guess it."""
    shown = checked.records - checked.suppressed
    left = f", {checked.suppressed:,} suppressed" if checked.suppressed else ""
    columns = [_column(checked.frame[name], name) for name in checked.study.names]
    return words.plain(f"{shown:,} of {how_many(checked.records, 'record')} in groups{left}; {', '.join(columns)}")


def _column(column: "pd.Series[Any]", name: str) -> str:
    groups = set(as_text(column)) - {ROOT_LABEL}
    return f"{name} in {how_many(len(groups), 'group')}" if groups else f"{name} not shown"


def sensitive_told(checked: Check) -> str:
    """Say on Check how many sensitive values a group shows, also where all is well; empty without such a column."""
    rows = checked.whole_rows
    fewest = [(one.column, how_many(one.distinct_l, "different value")) for one in checked.diversity]
    parts = [f"{column}: at least {values} in every group" for column, values in fewest]
    if rows is not None and checked.diversity and rows.fewest:
        parts.append(
            f"with {beside_text(rows.columns)}, at least "
            + listed([f"{fewest:,} of {name}" for name, fewest in rows.fewest.items()])
        )
    singles = [(one.column, single_values(checked.frame[one.column])) for one in checked.diversity]
    parts += [single_text(name, values) for name, values in singles if values]
    return words.plain("; ".join(parts))
