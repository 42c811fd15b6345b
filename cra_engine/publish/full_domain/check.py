"""A second look at a global recoding before it leaves the house, by code that shares nothing with the search.

From the raw table, the state and the published table: every label is the one that the state gives its record, every
published group passes every criterion, every suppressed record lies in a group that fails one and shows nothing, no
more are suppressed than allowed, and every other column is as it was.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.criteria.groups import Groups
from cra_engine.files.tables import column_of
from cra_engine.publish.check import refusal
from cra_engine.publish.full_domain.outcome import GlobalRecoding
from cra_engine.raw.columns import read_column, read_numbers
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import complete
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.periods import period_text
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import rows_text


def check_global_release(raw: pd.DataFrame, recoding: GlobalRecoding) -> None:
    """Check a global recoding before it is handed out.

    Args:
        raw: the table that was recoded; with d-presence the whole population.
        recoding: what is to be handed out.

    Raises:
        ReleaseCheckError: it must not be handed out, with the reason.
    """
    raw = complete(raw, recoding.study).data  # without the rows that the study leaves out
    published, rows = recoding.frame, recoding.table.published
    left = [name for name in recoding.study.roles.remove if name in published.columns]
    if left:
        raise refusal(f"the column {left[0]!r} is to be removed and is there.")
    if len(published) != len(rows):
        raise refusal(f"it has {len(published):,} records instead of {len(rows):,}.")
    hidden = np.zeros(len(rows), dtype=bool)
    hidden[recoding.hidden] = True
    if hidden.sum() > recoding.limit:
        raise refusal(f"{hidden.sum():,} records are suppressed, more than {recoding.limit:,}.")
    shown = []
    for attribute, layer in zip(recoding.study.attributes, recoding.state, strict=True):
        expected = _generalized(column_of(raw, attribute.name), attribute, layer)
        shown.append(expected)
        is_shown = published[attribute.name].astype(str).to_numpy()
        wrong = np.flatnonzero(np.where(hidden, ROOT_LABEL, expected[rows]) != is_shown)
        if len(wrong):
            raise refusal(
                f"column {attribute.name!r}, {rows_text(wrong[:1] + 1)}: {is_shown[wrong[0]][:60]!r} is not its label."
            )
    sensitive = {name for criterion in recoding.criteria for name in criterion.columns}
    for name in published.columns:
        if name not in recoding.study.names:
            before = raw[name].iloc[rows].astype("object").to_numpy()
            after = published[name].astype("object").to_numpy()
            same = (before == after) | (pd.isna(before) & pd.isna(after))
            wrong = np.flatnonzero(~np.where(hidden & (name in sensitive), after == ROOT_LABEL, same))
            if len(wrong):
                raise refusal(f"column {str(name)!r}, {rows_text(wrong[:1] + 1)}, was changed.")
    _check_groups(raw, recoding, shown, hidden)


def _check_groups(
    raw: pd.DataFrame, recoding: GlobalRecoding, shown: list[NDArray[Any]], hidden: NDArray[np.bool_]
) -> None:
    rows = recoding.table.published
    group = pd.DataFrame(dict(enumerate(shown))).groupby(list(range(len(shown))), sort=False).ngroup().to_numpy()
    present, group_of_row = np.unique(group[rows], return_inverse=True)
    population = np.bincount(group, minlength=group.max() + 1)[present]
    order = np.argsort(group_of_row, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(group_of_row))[:-1])
    columns = {
        name: _values(raw[name].iloc[rows], as_numbers=as_numbers)
        for criterion in recoding.criteria
        for name, as_numbers in criterion.columns.items()
    }
    groups = Groups.of(members, columns, population.tolist())
    passes = np.ones(len(members), dtype=bool)
    for criterion in recoding.criteria:
        passes &= criterion.passes(groups)
    wrong = np.flatnonzero(passes[group_of_row] == hidden)
    if len(wrong):
        what = "is suppressed, but its group passes" if hidden[wrong[0]] else "is published, but its group fails"
        raise refusal(f"the record of {rows_text(wrong[:1] + 1)} {what}.")


def _values(column: "pd.Series[Any]", *, as_numbers: bool) -> "pd.Series[Any]":
    if as_numbers:
        found, problems = numbers(column)
        if not any(problem.fatal for problem in problems):
            return pd.Series(found)
    return column.astype("object").map(lambda cell: str(cell).strip()).reset_index(drop=True)


def _generalized(column: "pd.Series[Any]", attribute: Hierarchy, layer: int) -> NDArray[Any]:
    """Per record what a layer shows of its value."""
    if layer:
        leaves = read_column(column, attribute, every=False).leaves
        at = attribute.ranks[layer - 1][leaves]
        return np.array([node.label for node in attribute.layer_nodes[layer - 1]], dtype=object)[at]
    text = column.astype("object").map(lambda cell: str(cell).strip())
    if not attribute.numeric:
        return text.to_numpy(dtype=object)
    if attribute.dates:  # as the period that the study counts
        periods = pd.Series(read_numbers(column, attribute)[0])
        shown = periods.map(lambda one: period_text(int(one), attribute.unit), na_action="ignore")
        return shown.astype("object").fillna("").to_numpy(dtype=object)
    # Equal numbers are shown as the first of them is written.
    equal = text.groupby(numbers(column, gaps=bool(attribute.missing))[0])
    return equal.transform("first").fillna(text).to_numpy(dtype=object)
