"""Which columns of a released table are its quasi-identifiers: named by somebody, or proposed with what is in doubt.

A suppressed record shows ``*`` in every quasi-identifier. So a column that shows ``*`` or intervals is one. A column of
plain values that never shows ``*`` may be one too, as long as it leaves nobody alone: then the table cannot tell.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.audits.foreign_labels import in_our_spelling
from cra_engine.audits.guessed_hierarchies import GuessedHierarchy, propose_hierarchy, recognise
from cra_engine.audits.shown_labels import shown_labels
from cra_engine.blocks import counted
from cra_engine.errors import ReleaseError
from cra_engine.files.tables import column_of
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
        readings: how labels were read that ARX would write in another way, in sentences.
    """

    table: pd.DataFrame
    attributes: tuple[Hierarchy, ...]
    proposals: tuple[GuessedHierarchy, ...]
    named: bool
    doubtful: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


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
    table, readings = in_our_spelling(table, hierarchies, named, times=times)
    stray = [name for name in hierarchies if named and name not in named]
    if stray:
        raise ReleaseError(
            f"A hierarchy is given for {stray[0]!r}, which is not among the named quasi-identifiers; "
            "name it too, or leave its hierarchy out."
        )
    chosen = set(named) or set(hierarchies) | set(_recognised(table, hierarchies))
    attributes: list[Hierarchy] = []
    proposals, silent = [], []
    for name in columns:
        if name in hierarchies:
            attributes.append(hierarchies[name])
        elif name in chosen:
            column = column_of(table, name)
            if (column.astype(str).str.strip() == ROOT_LABEL).all():
                silent.append(name)
                continue
            proposal = propose_hierarchy(column, name, named=bool(named))
            proposals.append(proposal)
            attributes.append(shown_labels(proposal, column))
    if not attributes:
        raise ReleaseError(
            f"{' and '.join(map(repr, silent))} {'shows' if len(silent) == 1 else 'show'} * in every row, so every "
            "record is suppressed and nothing can be concluded; take another release."
        )
    known = [attribute.name for attribute in attributes]
    doubts = () if named else doubtful(table, [*known, *silent], times)
    readings = tuple(text for text in readings if any(f"column {name!r} " in text for name in chosen))
    return QuasiIdentifiers(table, tuple(attributes), tuple(proposals), bool(named), doubts, tuple(silent), readings)


def _recognised(table: pd.DataFrame, hierarchies: Mapping[str, Hierarchy]) -> tuple[str, ...]:
    if set(hierarchies) >= set(map(str, table.columns)):
        return ()
    try:
        return recognise(table)
    except ReleaseError:
        if hierarchies:
            return ()
        raise


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
