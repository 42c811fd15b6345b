"""A released table read without its study, to be attacked together with others of the same people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from cra_engine.audits.audit import DEFAULT_PROFILE, smallest_class
from cra_engine.audits.guessed_hierarchies import read_labels
from cra_engine.audits.label_families import is_group
from cra_engine.audits.quasi_identifiers import quasi_identifiers
from cra_engine.errors import ReleaseError
from cra_engine.files.different_rows import CountedRows, Table, rows_of
from cra_engine.files.tables import column_of
from cra_engine.release import Release
from cra_engine.study.study import Study
from cra_engine.words import listed


@dataclass(frozen=True)
class GuessedRelease:
    """A release of which nobody gave the study.

    Attributes:
        release: by the intervals that its labels show.
        left_out: quasi-identifiers of categories, which are not read.
        k_guessed: True when k is the size of its smallest class.
        doubtful: columns that are not read and may be quasi-identifiers too, as far as the table tells.
    """

    release: Release
    left_out: tuple[str, ...]
    k_guessed: bool
    doubtful: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """Returns in a sentence what is guessed."""
        names = self.release.study.names
        k = f" and k = {self.release.k} from the smallest group" if self.k_guessed else ""
        out = f", without {listed(self.left_out)}, whose categories may hold others" if self.left_out else ""
        many = "hierarchies" if len(names) > 1 else "hierarchy"
        return f"{many} of {listed(names)} guessed from the labels{k}{out}."


def guessed_release(release_table: Table, k: int | None = None, named: Sequence[str] = ()) -> GuessedRelease:
    """Read a released table by the intervals that its labels show, so that it can be composed with others.

    Each release is read by its own labels: a box that only another one shows, its publisher may never have looked at.
    Intervals of several releases have common pieces however each was cut. Of categories that cannot be said: what is
    one category here may be a group of others there, so these columns are left out, and their classes are one; unless
    somebody names them, of those that :func:`values_alike` finds in all releases that are composed.

    Args:
        release_table: the published table, every cell as text, or its different rows, counted.
        k: of the release; the size of the smallest class, which is k or more, when left out.
        named: the quasi-identifiers' columns; proposed by their looks where empty.

    Raises:
        CRAError: no column shows intervals, or a column's labels are of no single hierarchy.

    >>> import pandas as pd
    >>> read = guessed_release(pd.DataFrame({"age": ["[0, 20[", "[0, 20[", "[20, 40[", "[20, 40["]}))
    >>> read.release
    Release(records=4, k=2, classes=2, suppressed=0)
    """
    frame, times = rows_of(release_table, "guessed_release(release_table)")
    read = quasi_identifiers(frame, {}, named, times)
    kept = tuple(
        own for own in read.attributes if own.numeric or (named and _single_values(column_of(frame, own.name)))
    )
    left_out = tuple(own.name for own in read.attributes if own not in kept)
    if not kept:
        raise ReleaseError(
            f"{listed(left_out)} show categories only, of which the labels do not tell which are groups of others; "
            "give the study file (TOML) with the table."
        )
    used = smallest_class(read.table, kept, DEFAULT_PROFILE, times) if k is None else k
    counted = release_table.shown(read.table) if isinstance(release_table, CountedRows) else None
    study = Study(kept, used, DEFAULT_PROFILE)
    return GuessedRelease(Release(study, read.table, guessed=True, counted=counted), left_out, k is None, read.doubtful)


def values_alike(tables: Sequence[pd.DataFrame]) -> tuple[str, ...]:
    """Return the columns that show the same single values, and no ``*``, in each of several tables that has them.

    A value is then no group of others in any of them, so these categories can be read beside each other.

    >>> wards = [pd.DataFrame({"ward": ["A", "B"]}), pd.DataFrame({"ward": ["B", "A", "A"]})]
    >>> values_alike(wards), values_alike([*wards, pd.DataFrame({"ward": ["A", "C"]})])
    (('ward',), ())
    """
    shown: dict[str, list[pd.Series[Any]]] = {}
    for table in tables:
        for name in map(str, table.columns):
            shown.setdefault(name, []).append(column_of(table, name))
    return tuple(
        name
        for name, columns in shown.items()
        if all(map(_single_values, columns)) and len({frozenset(column) for column in columns}) == 1
    )


def _single_values(column: "pd.Series[Any]") -> bool:
    labels = read_labels(column.astype(str).unique())
    some = len(labels.plain) > 1 and not (labels.root or labels.intervals)
    return some and not any(is_group(text) or not text.strip() for text in labels.texts)
