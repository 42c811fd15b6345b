"""Columns of an audited table that show no groups: a spreadsheet has lost what stood there, or they are single days."""

import re
from collections.abc import Callable, Collection, Iterable

import pandas as pd

from cra_engine.audits.guessed_hierarchies import stands_for_missing
from cra_engine.errors import StudyError
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import rows_text

# What Excel makes of a group such as 5-10: 05. Okt, 5-Oct, Oct-10, without a year or without a day; or 2026-10-05.
_SHORT = r"\d{1,2}(?:\. ?|[ -])[^\W\d]{3,4}\.?|[^\W\d]{3,4}\.?[ -]\d\d"
_ISO = r"\d{4}-\d\d-\d\d(?:[ T]00:00:00)?"
_SHORT_DATE, _MADE_A_DATE = re.compile(_SHORT), re.compile(f"{_ISO}|{_SHORT}")
_DAY = re.compile(rf"{_ISO}|\d{{1,2}}([./-])\d{{1,2}}\1(?:\d\d){{1,2}}")
_TOO_NARROW = re.compile(r"#{3,}")


def row_of(column: "pd.Series[str]", label: str) -> str:
    """Say in which row an audited column shows a label first."""
    return rows_text([int((column == label).to_numpy().argmax()) + 1])


def refuse_lost(column: "pd.Series[str]", labels: Iterable[str], name: str, is_group: Callable[[str], bool]) -> None:
    """Refuse an audited column of which a spreadsheet has lost what stood there: groups made dates, cells too narrow.

    Args:
        column: its cells as stripped texts.
        labels: the different ones.
        name: what it is called.
        is_group: whether a label is read as a group of numbers.

    Raises:
        StudyError: it is one.
    """
    texts = _said(labels)
    if narrow := next(filter(_TOO_NARROW.fullmatch, texts), None):
        raise StudyError(
            f"Column {name!r} shows {narrow!r} in {row_of(column, narrow)}: a spreadsheet showed so what its column "
            "was too narrow for; widen the column there, and save the table again."
        )
    groups, dates = list(filter(is_group, texts)), list(filter(_MADE_A_DATE.fullmatch, texts))
    if dates and ((groups and len(groups) + len(dates) == len(texts)) or all(map(_SHORT_DATE.fullmatch, texts))):
        beside = f"beside {groups[0]!r}" if groups else "and dates like it throughout"
        raise StudyError(
            f"Column {name!r} shows {dates[0]!r} in {row_of(column, dates[0])} {beside}: a spreadsheet has made a "
            "date of a group such as 5-10; give the table as it was before it was opened there."
        )


def days_shown(table: pd.DataFrame, names: Collection[str]) -> tuple[str, ...]:
    """Return what to say of an audited table's columns that show single days throughout, and are in no groups.

    Args:
        table: the released table, every cell as text.
        names: the columns that are looked at as quasi-identifiers already.
    """
    notes = []
    for position, name in enumerate(map(str, table.columns)):
        column = table.iloc[:, position].astype(str).str.strip()
        texts = _said(column.unique())
        if name not in names and texts and all(map(_DAY.fullmatch, texts)):
            notes.append(
                f"Column {name!r} shows single days, such as {texts[0]!r} in {row_of(column, texts[0])}, and no "
                "groups of them, so it is not looked at; where others may know such a day of a person, name it as a "
                "quasi-identifier."
            )
    return tuple(notes)


def _said(labels: Iterable[str]) -> list[str]:
    return [text for text in labels if text != ROOT_LABEL and not stands_for_missing(text)]
