"""Which columns of a released table are its quasi-identifiers: named by somebody, or proposed with what is in doubt.

A suppressed record shows ``*`` in every quasi-identifier. So a column that shows ``*`` or intervals is one. A column of
plain values that never shows ``*`` may be one too, as long as it leaves nobody alone: then the table cannot tell. One
of plain values and ``*`` that leaves somebody alone beside those of intervals is none, in any k-anonymous table.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.audits.foreign_labels import Spelling, in_our_spelling
from cra_engine.audits.guessed_hierarchies import (
    GuessedHierarchy,
    meaning,
    propose_hierarchy,
    read_labels,
    recognise,
)
from cra_engine.audits.label_families import is_group
from cra_engine.audits.lost_cells import days_shown
from cra_engine.audits.shown_labels import shown_labels
from cra_engine.blocks import counted
from cra_engine.errors import ReleaseError
from cra_engine.files.tables import column_of
from cra_engine.raw.proposed_roles import ProposedRole, propose_roles
from cra_engine.study.coded import NULL
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import ROOT_LABEL

LEAST = 2  # records per class that any k-anonymous table has


@dataclass(frozen=True)
class QuasiIdentifiers:
    """The quasi-identifiers that an audit takes a released table to have.

    Attributes:
        table: the released table, the intervals of others written as ARX writes them.
        attributes: with their hierarchies, in the order of the table's columns.
        proposals: the hierarchies that were guessed from labels.
        named: True when somebody said which columns they are.
        doubtful: columns that may be quasi-identifiers too, as far as the table tells.
        silent: columns that show ``*`` in every row. They tell nothing, and are no attributes.
        refuted: columns that look like quasi-identifiers and are none, as the table would not be k-anonymous.
        sensitive: the columns beside them that look sensitive, by the same looks as those of a raw table.
        readings: how labels were read that ARX would write in another way, in sentences.
    """

    table: pd.DataFrame
    attributes: tuple[Hierarchy, ...]
    proposals: tuple[GuessedHierarchy, ...]
    named: bool
    doubtful: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    refuted: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    sensitive: tuple[ProposedRole, ...] = ()


def quasi_identifiers(
    table: pd.DataFrame,
    hierarchies: Mapping[str, Hierarchy],
    named: Sequence[str] = (),
    times: NDArray[np.int64] | None = None,
) -> QuasiIdentifiers:
    """Find the quasi-identifiers of an audited table with their hierarchies, given or guessed.

    Args:
        table: the released table, every cell as text.
        hierarchies: per column its hierarchy. Without ``named`` these are quasi-identifiers, whatever they show.
        named: the quasi-identifiers' columns; proposed by their looks where empty.
        times: how many records each row stands for; one when left out.

    Raises:
        DataError: there is no such column.
        ReleaseError: none can be recognised, or a hierarchy is given for a column that is not among the named ones.
        StudyError: the labels of a column are of no hierarchy.

    >>> import pandas as pd
    >>> people = pd.DataFrame({"age": ["[0, 20[", "[0, 20[", "[20, 40[", "[20, 40["], "sex": ["f", "f", "m", "m"]})
    >>> quasi_identifiers(people, {}).doubtful
    ('sex',)
    >>> [attribute.name for attribute in quasi_identifiers(people, {}, ["age", "sex"]).attributes]
    ['age', 'sex']
    """
    for name in (*hierarchies, *named):
        column_of(table, name)
    columns = list(map(str, table.columns))
    table, readings, dates = in_our_spelling(table, hierarchies, named, times=times)
    stray = [name for name in hierarchies if named and name not in named]
    if stray:
        raise ReleaseError(
            f"A hierarchy is given for {stray[0]!r}, which is not among the named quasi-identifiers; "
            "name it too, or leave its hierarchy out."
        )
    chosen, refuted = set(named), tuple[str, ...]()
    if not named:
        chosen = set(hierarchies) | set(_recognised(table, hierarchies))
        refuted = _refuted(table, chosen, hierarchies, times)
        chosen -= {*refuted, *_hidden_with_others(table, chosen - set(refuted), hierarchies, times)}
    attributes: list[Hierarchy] = []
    proposals, silent = [], []
    for name in columns:
        if name in hierarchies:
            attributes.append(_with_missing(hierarchies[name], column_of(table, name)))
        elif name in chosen:
            column = column_of(table, name)
            if (column.astype(str).str.strip() == ROOT_LABEL).all():
                silent.append(name)
                continue
            period = dates[name].period if name in dates else ""
            proposal = propose_hierarchy(column, name, named=bool(named), period=period)
            proposals.append(proposal)
            attributes.append(shown_labels(proposal, column, period))
    if not attributes:
        raise ReleaseError(
            f"{' and '.join(map(repr, silent))} {'shows' if len(silent) == 1 else 'show'} * in every row, so every "
            "record is suppressed and nothing can be concluded; take another release."
        )
    known = [attribute.name for attribute in attributes]
    doubts = () if named else doubtful(table, [*known, *silent], times)
    readings = tuple(text for text in readings if any(f"column {name!r} " in text for name in chosen))
    readings += days_shown(table, {*known, *silent, *hierarchies})
    sensitive = _sensitive(table, [name for name in columns if name not in {*known, *silent}], times)
    shown = table.assign(**{name: column_of(table, name).replace(_as_dates(of)) for name, of in dates.items()})
    return QuasiIdentifiers(
        shown, tuple(attributes), tuple(proposals), bool(named), doubts, tuple(silent), refuted, readings, sensitive
    )


def _as_dates(spelling: Spelling) -> dict[str, str]:
    """Per interval of periods the days between which it lies, as the hierarchies have them."""
    return {spelling.labels[text]: own for text, own in spelling.dated().items()}


def _sensitive(table: pd.DataFrame, names: Sequence[str], times: NDArray[np.int64] | None) -> tuple[ProposedRole, ...]:
    """The columns among some of an audited table that look sensitive; the star of a hidden value says nothing."""
    shown = table[list(names)].replace(ROOT_LABEL, "")
    return tuple(one for one in propose_roles(shown, times=times) if one.role == "sensitive")


def _hidden_with_others(
    table: pd.DataFrame,
    chosen: Collection[str],
    hierarchies: Mapping[str, Hierarchy],
    times: NDArray[np.int64] | None,
) -> tuple[str, ...]:
    """The columns of plain values that look sensitive and show ``*`` only in suppressed rows, where few are hidden."""
    plain = [name for name in chosen if name not in hierarchies and _plain(column_of(table, name))]
    looks = _sensitive(table, plain, times) if plain else ()
    others = [name for name in chosen if name not in {one.name for one in looks}]
    if not looks or not others:
        return ()
    suppressed = table[others].astype(str).apply(lambda column: column.str.strip()).eq(ROOT_LABEL).all(axis=1)
    stars = {one.name: column_of(table, one.name).astype(str).str.strip().eq(ROOT_LABEL) for one in looks}
    return tuple(name for name, hidden in stars.items() if not (hidden & ~suppressed).any())


def _with_missing(hierarchy: Hierarchy, column: "pd.Series[Any]") -> Hierarchy:
    """A hierarchy that was given, with a place for missing values where the table shows some; a file lists none."""
    shown = hierarchy.numeric and not hierarchy.missing and (column.astype(str).str.strip() == NULL).any()
    return hierarchy.with_missing("category") if shown and hierarchy.parse(NULL) is None else hierarchy


def _recognised(table: pd.DataFrame, hierarchies: Mapping[str, Hierarchy]) -> tuple[str, ...]:
    if set(hierarchies) >= set(map(str, table.columns)):
        return ()
    try:
        return recognise(table)
    except ReleaseError as error:
        if hierarchies:
            return ()
        raise ReleaseError(" ".join([str(error), *days_shown(table, ())])) from None


def _refuted(
    table: pd.DataFrame,
    recognised: Collection[str],
    hierarchies: Mapping[str, Hierarchy],
    times: NDArray[np.int64] | None,
) -> tuple[str, ...]:
    """The columns of plain values and ``*`` that cannot be quasi-identifiers, if those of intervals are.

    Each by itself: beside the columns of intervals, of which every quasi-identifier's classes are made, it leaves a
    record alone. Where that does not settle which columns are meant, none is left out.
    """
    plain = [name for name in recognised if name not in hierarchies and _plain(column_of(table, name))]
    if not plain or not _somebody_alone(table, recognised, hierarchies, times):
        return ()
    sure = [name for name in recognised if name not in plain]
    kept = [*sure, *(name for name in plain if not _somebody_alone(table, [*sure, name], hierarchies, times))]
    if not kept or _somebody_alone(table, kept, hierarchies, times):
        return ()
    return tuple(name for name in map(str, table.columns) if name in plain and name not in kept)


def _plain(column: "pd.Series[Any]") -> bool:
    labels = read_labels(column.astype(str).unique())
    return labels.root and bool(labels.plain) and not labels.intervals and not any(map(is_group, labels.texts))


def _somebody_alone(
    table: pd.DataFrame,
    names: Collection[str],
    hierarchies: Mapping[str, Hierarchy],
    times: NDArray[np.int64] | None,
) -> bool:
    """Whether a record that is not suppressed shows in some columns what no other does; empty cells prove nothing."""
    columns, rooted, empty = [], np.ones(len(table), bool), np.zeros(len(table), bool)
    for name in names:
        codes, labels = pd.factorize(column_of(table, name).astype(str).str.strip())
        read = hierarchies[name].parse if name in hierarchies else meaning
        meant = [read(label) for label in labels]
        place: dict[Hashable, int] = {}
        columns.append(np.array([place.setdefault(one, len(place)) for one in meant])[codes])
        rooted &= (labels == ROOT_LABEL)[codes]
        empty |= np.array([one is None for one in meant])[codes]
    kinds, kind = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    return bool(((counted(kind, len(kinds), times)[kind] < LEAST) & ~rooted & ~empty).any())


def doubtful(table: pd.DataFrame, known: Collection[str], times: NDArray[np.int64] | None = None) -> tuple[str, ...]:
    """Return an audited table's columns that may be quasi-identifiers too: with them nobody stands alone.

    Args:
        table: the released table.
        known: the quasi-identifiers that are recognised.
        times: how many records each row stands for; one when left out.
    """
    classes = table.groupby(list(known), sort=False, observed=True, dropna=False).ngroup().to_numpy()
    names = []
    for position, name in enumerate(map(str, table.columns)):
        if name in known:
            continue
        values = table.iloc[:, position].astype(str).str.strip()
        if values.eq("").all():
            continue
        codes, different = pd.factorize(values)
        kind, kinds = pd.factorize(classes * len(different) + codes)
        if counted(kind, len(kinds), times).min() >= LEAST:
            names.append(name)
    return tuple(names)
