"""How many records are alike by all that a published row prints of a person: groups, and the columns beside them.

A column that goes out as it stands cuts the groups that others' knowledge makes. Nobody called it known to others, but
it is published: what it does to the groups is counted, and no sentence on them promises more.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import counted
from cra_engine.checks.findings import class_text, quoted
from cra_engine.checks.labels import as_text, known_in
from cra_engine.checks.outcome import Finding, WholeRows
from cra_engine.risk.uniques import cell_codes, joined
from cra_engine.words import how_many

_SMALLER = ("group is smaller", "groups are smaller")


@dataclass(frozen=True)
class _Shared:
    """Groups of which all whose value is known show one value of a sensitive column; the first of the rarest value."""

    fewest: int
    groups: int
    value: str
    text: str


def count_whole_rows(
    frame: pd.DataFrame,
    names: Sequence[str],
    columns: Sequence[str],
    sensitive: Sequence[str],
    least: int,
    times: NDArray[np.int64],
) -> WholeRows | None:
    """Count for the check the records that are alike in the groups and in the columns beside them; None without these.

    Args:
        frame: the published file.
        names: its quasi-identifiers.
        columns: the others that go out as they stand, sensitive ones left out.
        sensitive: the columns that nobody is to learn of a person.
        least: how many records have to be alike by the quasi-identifiers.
        times: how many records each row stands for.
    """
    if not columns or not len(frame):
        return None
    every = [*names, *columns]
    classes, groups = (joined([cell_codes(frame[name]) for name in by], len(frame))[0] for by in (names, every))
    sizes = counted(groups, int(groups.max()) + 1, times)
    in_company = sizes[groups] > 1  # of who is alone a finding of its own tells
    shared = {
        name: found
        for name in sensitive
        if (found := _shared(frame, name, every, classes, groups, in_company, times)) is not None
    }
    return WholeRows(
        tuple(columns),
        int(sizes.min()),
        int((sizes < least).sum()),
        {name: one.fewest for name, one in shared.items()},
        {name: (one.groups, one.value, one.text) for name, one in shared.items() if one.groups},
    )


def _shared(
    frame: pd.DataFrame,
    name: str,
    every: Sequence[str],
    classes: NDArray[np.int64],
    groups: NDArray[np.int64],
    in_company: NDArray[np.bool_],
    times: NDArray[np.int64],
) -> _Shared | None:
    known = np.flatnonzero(known_in(frame[name]))
    if not len(known):
        return None
    values, different = pd.factorize(as_text(frame[name]).to_numpy(dtype=object)[known])
    often = counted(values, len(different), times[known])
    spread, of_classes = (_different(of, known, values)[of] for of in (groups, classes))
    # What a whole class shares is found without these columns.
    pairs = np.stack([groups[known], values], axis=1)
    alike = np.unique(pairs[((spread == 1) & (of_classes > 1) & in_company)[known]], axis=0)
    value = text = ""
    if len(alike):
        group, rarest = alike[np.argmin(often[alike[:, 1]])].tolist()
        value, text = str(different[rarest]), class_text(frame, every, np.flatnonzero(groups == group))
    return _Shared(int(spread[known].min()), len(alike), value, text)


def _different(groups: NDArray[np.int64], known: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many different values the known rows of each group show."""
    pairs = np.unique(np.stack([groups[known], values], axis=1), axis=0)
    return np.bincount(pairs[:, 0], minlength=int(groups.max()) + 1)


def find_whole_rows(
    rows: WholeRows | None, smallest: int | None, least: int, others: Sequence[str], told: Collection[str]
) -> Iterator[Finding]:
    """Check what the columns that go out as they stand do to the groups: notes, for somebody decided to publish them.

    Args:
        rows: what was counted.
        smallest: records of the smallest class; None where there is none.
        least: how many are demanded.
        others: of the columns those that others may know, which are attended to by a finding of their own.
        told: sensitive columns of which a graver finding names the groups that share a value.
    """
    if rows is None or smallest is None:
        return
    beside, them = beside_text(rows.columns), "it" if len(rows.columns) == 1 else "them"
    if rows.below and set(rows.columns) != set(others):
        yield Finding(
            "note",
            "whole-rows",
            f"{alike_text(rows, smallest)}: {how_many(rows.below, *_SMALLER)} than {least}. Call known to others what "
            "somebody can know of a person.",
        )
    for name, (groups, value, text) in rows.alike.items():
        if name in told:
            continue
        yield Finding(
            "note",
            "whole-rows-alike",
            f"With {beside}, everybody in {how_many(groups, 'group')} of 2 or more records shares one value of "
            f"{name!r}: {text} shows only {value[:40]!r}. Call {them} known to others, if somebody can know {them} "
            "of a person.",
        )


def beside_text(columns: Sequence[str]) -> str:
    """Name for the check the columns that go out as they stand: ``'ward', which goes out as it is``."""
    return f"{quoted(columns)}, which {'goes out as it is' if len(columns) == 1 else 'go out as they are'}"


def alike_text(rows: WholeRows, smallest: int) -> str:
    """Say in a sentence of the check, without its end, how many records are alike without and with such columns."""
    return (
        f"By the columns that others may know at least {smallest:,} {'is' if smallest == 1 else 'are'} alike; with "
        f"{beside_text(rows.columns)}, at least {rows.smallest:,}"
    )
