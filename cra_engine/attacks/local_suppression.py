"""What hidden cells still say where single cells were suppressed, as sdcMicro's kAnon does it.

Such a program hides a cell of a record only if fewer than k records of the raw table share the record's combination. So
a hidden cell does not hold what would make the combination a common one: the values that nearly everybody alike has are
excluded, and where few values exist one may be left (docs/local-suppression.md).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import pandas as pd
from propcache.api import cached_property

from cra_engine.errors import ReleaseError, StudyError, TooLargeError
from cra_engine.expected import expect, expect_each
from cra_engine.files.tables import column_of
from cra_engine.patience import checkpoint
from cra_engine.results import Json, Result, plain
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, rows_text

MOST = 2_000_000  # combinations of values looked at


@dataclass(frozen=True)
class HiddenRow:
    """A record with hidden cells.

    Attributes:
        row: its row, from 0.
        columns: the columns whose cells are hidden.
        possible: the combinations of values in them that are not excluded.
        excluded: how many are.
    """

    row: int
    columns: tuple[str, ...]
    possible: tuple[tuple[str, ...], ...]
    excluded: int


@dataclass(frozen=True, eq=False, repr=False)
class HiddenValues(Result):
    """What the hidden cells of a table can hold.

    Attributes:
        k: as stated by the publisher.
        columns: the quasi-identifiers.
        rows: the records with hidden cells.
        closed: whether every value that a column can have was given; if not, a hidden cell may hold one that is shown
            nowhere, and nothing is certain.
    """

    k: int
    columns: tuple[str, ...]
    rows: tuple[HiddenRow, ...]
    closed: bool

    @cached_property
    def certain(self) -> tuple[HiddenRow, ...]:
        """The records whose hidden cells can hold one combination of values only."""
        return tuple(one for one in self.rows if self.closed and len(one.possible) == 1)

    def summary(self) -> dict[str, object]:
        """Records with hidden cells, those of which something is excluded, and those that are certain."""
        told = sum(one.excluded > 0 for one in self.rows)
        return {"hidden": len(self.rows), "narrowed": told, "certain": len(self.certain)}

    def to_frame(self) -> pd.DataFrame:
        """A row per record with hidden cells."""
        return pd.DataFrame(
            [(one.row, ", ".join(one.columns), len(one.possible), one.excluded) for one in self.rows],
            columns=["row", "hidden", "possible", "excluded"],
        )

    def to_dict(self) -> Json:
        """As plain data."""
        return plain(
            {
                "k": self.k,
                "columns": self.columns,
                "rows": [
                    {"row": one.row, "columns": one.columns, "possible": one.possible, "excluded": one.excluded}
                    for one in self.rows
                ],
                "certain": len(self.certain),
            }
        )


def hidden_values(
    release: pd.DataFrame,
    names: Sequence[str],
    k: int,
    domains: Mapping[str, Sequence[str]] | None = None,
    hidden: str = ROOT_LABEL,
) -> HiddenValues:
    """Exclude what the hidden cells of a locally suppressed table cannot hold.

    Right for every table without gaps in which cells were hidden only of records whose combination of all named columns
    fewer than k records share; so for sdcMicro's ``kAnon`` and ``localSuppression`` with any importance, on one stratum
    and without ``combs``. Each record is read by itself.

    Args:
        release: the published table.
        names: the quasi-identifiers (sdcMicro's key variables).
        k: what the publisher states, 2 or more.
        domains: per column all values that it can have; None where that is not known.
        hidden: what stands in a hidden cell, besides an empty one.

    Raises:
        StudyError: k below 2; a column without a domain where others have one.
        ReleaseError: a shown value outside its domain, or a record of which every combination is excluded.
        TooLargeError: more than 2,000,000 combinations.

    >>> people = pd.DataFrame({"sex": ["f", "f", "f", "*"], "ward": ["A", "A", "A", "A"]})
    >>> found = hidden_values(people, ["sex", "ward"], 3, {"sex": ["f", "m"], "ward": ["A", "B"]})
    >>> found
    HiddenValues(hidden=1, narrowed=1, certain=1)
    >>> found.certain[0].possible
    (('m',),)
    """
    expect(release, pd.DataFrame, "hidden_values(release)")
    columns = expect_each(names, str, "hidden_values(names)")
    if k < 2:
        raise StudyError(f"k is {k}; below 2 no cell is hidden for it.")
    shown = [column_of(release, name).fillna("").astype(str).str.strip().tolist() for name in columns]
    gaps = {"", hidden}
    if domains is not None and (lacking := [name for name in columns if name not in domains]):
        raise StudyError(f"The column {lacking[0]!r} has no domain; give the values of each column, or of none.")
    values: list[list[str]] = []
    for name, cells in zip(columns, shown, strict=True):
        seen = sorted(set(cells) - gaps)
        listed = seen if domains is None else [str(value) for value in domains[name]]
        if strange := set(seen) - set(listed):
            row = next(place for place, cell in enumerate(cells) if cell in strange)
            raise ReleaseError(
                f"Column {name!r}, {rows_text([row + 1])}: {cells[row][:60]!r} is not among the values that it can "
                "have; add it."
            )
        values.append(listed)
    records = list(zip(*shown, strict=True))
    common = Counter(record for record in records if not gaps.intersection(record))
    known: dict[tuple[str, ...], tuple[tuple[tuple[str, ...], ...], int]] = {}
    rows, looked = [], 0
    for row, record in enumerate(records):
        places = [place for place, cell in enumerate(record) if cell in gaps]
        if not places:
            continue
        key = tuple("" if cell in gaps else cell for cell in record)
        if key not in known:
            checkpoint()
            looked += prod(len(values[place]) for place in places)
            if looked > MOST:
                raise TooLargeError(
                    f"The hidden cells can hold more than {how_many(MOST, 'combination')} of values; name fewer "
                    "columns."
                )
            known[key] = _possible(record, places, values, common, k)
        possible, excluded = known[key]
        if not possible and domains is not None:
            raise ReleaseError(
                f"Whatever the hidden cells of {rows_text([row + 1])} held, {k} records or more would share it; this "
                "is no table of which cells were hidden for that reason, or not with this k."
            )
        rows.append(HiddenRow(row, tuple(columns[place] for place in places), possible, excluded))
    return HiddenValues(int(k), tuple(columns), tuple(rows), domains is not None)


def _possible(
    record: tuple[str, ...],
    places: Sequence[int],
    values: Sequence[Sequence[str]],
    common: Counter[tuple[str, ...]],
    k: int,
) -> tuple[tuple[tuple[str, ...], ...], int]:
    """The combinations with which the record would have been one of fewer than k, and how many others there are."""
    possible, excluded = [], 0
    for filling in product(*(values[place] for place in places)):
        whole = list(record)
        for place, value in zip(places, filling, strict=True):
            whole[place] = value
        if common[tuple(whole)] + 1 < k:
            possible.append(filling)
        else:
            excluded += 1
    return tuple(possible), excluded
