"""The columns that the check sees: with the roles that they have, and how people may be found by them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.checks.outcome import CheckedColumn
from cra_engine.expected import expect, expect_each
from cra_engine.raw.column_looks import Look
from cra_engine.raw.proposed_roles import (
    BESIDE,
    ProposedRole,
    alone_text,
    beside_begins,
    beside_text,
    nearly_alone,
    propose_roles,
)
from cra_engine.study.roles import Roles
from cra_engine.study.study import Study
from cra_engine.study.tree import ROOT_LABEL

Times = NDArray[np.int64] | None  # how many records each row stands for; None where each is one


def column_roles(
    data: pd.DataFrame,
    study: Study,
    published: Sequence[str] | None = None,
    proposed: Sequence[ProposedRole] | None = None,
) -> tuple[CheckedColumn, ...]:
    """Return the columns that the check sees with the roles that they have by a study and those proposed.

    Args:
        data: the raw table.
        study: the publisher's.
        published: the columns of the release; all that are not removed when left out.
        proposed: as for :func:`cra_engine.checks.check.check`.

    >>> from cra_engine import synthesize
    >>> toy = synthesize("toy")
    >>> [column.role for column in column_roles(toy.data, toy.study)]
    ['quasi-identifier', 'quasi-identifier']
    """
    expect(data, pd.DataFrame, "column_roles(data)")
    expect(study, Study, "column_roles(study)")
    published = None if published is None else expect_each(published, str, "column_roles(published)")
    out = set(map(str, data.columns)) - set(study.roles.remove) if published is None else set(published)
    return _checked(data, study.roles_by_models, study.names, out, None, proposed)


def _checked(
    data: pd.DataFrame,
    roles: Roles,
    names: Sequence[str],
    out: set[str],
    times: Times = None,
    proposed: Sequence[ProposedRole] | None = None,
) -> tuple[CheckedColumn, ...]:
    return tuple(
        CheckedColumn(
            one.name,
            "quasi-identifier" if one.name in names else roles.of(one.name),
            one.distinct,
            one.identifying != "no",
            one.identifying == "directly",
            one.reason,
            one.role,
            one.name in out,
            one.few_share,
            one.name in roles.only_here,
            one.numbers,
        )
        for one in (propose_roles(data, names, times) if proposed is None else proposed)
    )


def checked_columns(
    data: pd.DataFrame | None,
    frame: pd.DataFrame,
    study: Study,
    held: Times,
    times: Times,
    proposed: Sequence[ProposedRole] | None,
) -> tuple[CheckedColumn, ...]:
    """Return the columns of the raw table with their roles, and those that the release alone has.

    Args:
        data: the raw table; None where there is none.
        frame: the release.
        study: the publisher's.
        held: how many records each row of the raw table stands for.
        times: likewise of the release.
        proposed: as for :func:`cra_engine.checks.check.check`.
    """
    shown = list(map(str, frame.columns))
    known = set() if data is None else set(map(str, data.columns))
    more = _without_stars(frame[[name for name in shown if name not in known]])
    tables = [(more, times, None)] if data is None else [(data, held, proposed), (more, times, None)]
    return tuple(
        column
        for table, records, told in tables
        if len(table.columns)
        for column in _checked(table, study.roles_by_models, study.names, set(shown), records, told)
    )


def as_shown(column: CheckedColumn, frame: pd.DataFrame, times: Times) -> CheckedColumn:
    """Return a column by whose values rows are found with as many as find one in a release, which hides and coarsens.

    Args:
        column: of the raw table.
        frame: the release.
        times: how many records each of its rows stands for.
    """
    if column.role not in ("kept", "sensitive") or not column.published:
        return column
    first, *others = column.reason.partition("; ")
    if column.alone:
        look = Look.of(_without_stars(frame[[column.name]])[column.name], times)
        return replace(column, reason="".join([alone_text(look), *others]))
    if not first.startswith(BESIDE):
        return column
    other = next((str(name) for name in frame.columns if first.startswith(beside_begins(str(name)))), None)
    if other is None:  # which is not published: nobody finds a row by both
        return replace(column, identifying=False)
    shown = _without_stars(frame[[column.name, other]])
    alone, pairs = Look.of(shown[column.name], times).alone_beside(Look.of(shown[other], times))
    told = "".join([beside_text(other, alone, pairs), *others])
    return replace(column, reason=told, identifying=nearly_alone(alone, pairs))


def _without_stars(frame: pd.DataFrame) -> pd.DataFrame:
    """Columns of a release without the stars of hidden values, by which a column looks like another than it is."""
    texts = [name for name, kind in frame.dtypes.items() if kind.kind not in "iufb"]
    return frame.assign(**{str(name): frame[name].astype(object).replace(ROOT_LABEL, "") for name in texts})
