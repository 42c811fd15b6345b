"""Who is alone in a table: by each set of columns, and by how few of them (minimal sample uniques, as SUDA finds them).

A record is unique by a set of columns where no other record shows the same cells in them. A unique is minimal where no
smaller part of the set does it: Elliot, Manning and Ford (2002), Manning, Haglin and Keane (2008).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import DataError
from cra_engine.expected import expect, expect_each
from cra_engine.patience import Deadline, Stopped, checkpoint, tell

MOST_COLUMNS = 3  # in a set, unless asked otherwise
MOST_STEPS = 2 * 10**9  # records times sets that are counted; more would take minutes
_OVERHEAD = 2000  # records that looking at a set costs besides its own
_SPARSE = 8  # keys per record up to which an array of all keys is counted, not a hash table


@dataclass(frozen=True, eq=False)
class Uniques:
    """The people at risk as they are alone in a table, by how few columns.

    Attributes:
        names: the columns.
        records: number of records.
        alone: per record whether it is unique by all columns together.
        minimal: per set of columns the records (row numbers from 0, ascending) whose minimal unique it is; sets without
            any are left out.
        counted: sets of up to so many columns were counted.
    """

    names: tuple[str, ...]
    records: int
    alone: NDArray[np.bool_]
    minimal: Mapping[tuple[str, ...], NDArray[np.int64]]
    counted: int

    @property
    def people(self) -> int:
        """Number of records that are unique by all columns together."""
        return int(self.alone.sum())

    @property
    def by_size(self) -> tuple[int, ...]:
        """Number of records whose smallest unique has one column, two columns, .. up to what was counted."""
        smallest = np.zeros(self.records, dtype=np.int64)
        for columns, rows in sorted(self.minimal.items(), key=lambda item: -len(item[0])):
            smallest[rows] = len(columns)
        return tuple(int((smallest == size).sum()) for size in range(1, self.counted + 1))

    def unique_by(self, names: Sequence[str]) -> int:
        """Number of records that are unique by some columns, of which there are at most as many as were counted.

        Raises:
            DataError: more columns than were counted.
        """
        if len(set(names)) > self.counted:
            raise DataError(f"Sets of {len(set(names))} columns were not counted; ask for them with `most`.")
        unique = np.zeros(self.records, dtype=bool)
        for columns, rows in self.minimal.items():
            if set(columns) <= set(names):
                unique[rows] = True
        return int(unique.sum())


def cell_codes(column: "pd.Series[Any]") -> NDArray[np.int64]:
    """Number the different cells of a column to find who is unique by them, from 0; empty cells are one."""
    codes, cells = pd.factorize(column, use_na_sentinel=False)
    texts = ["" if pd.isna(cell) else str(cell).strip() for cell in cells]
    return pd.factorize(np.array(texts, dtype=object))[0][codes].astype(np.int64)


def twice_at_most(frame: pd.DataFrame, times: NDArray[np.int64]) -> pd.DataFrame:
    """Return a table in which just those are unique who are where each row stands for so many records: two do for more.

    >>> twice_at_most(pd.DataFrame({"a": [5, 6]}), np.array([9, 1]))["a"].tolist()
    [5, 5, 6]
    """
    if (times == 1).all():
        return frame
    return frame.iloc[np.repeat(np.arange(len(frame)), np.minimum(times, 2))].reset_index(drop=True)


def unique_records(columns: Sequence[NDArray[np.int64]], records: int) -> NDArray[np.bool_]:
    """Return per record whether it is unique: no other shows the same codes in all columns; never by no column.

    >>> unique_records([np.array([0, 0, 1]), np.array([0, 1, 1])], 3).tolist(), unique_records([], 2).tolist()
    ([True, True, True], [False, False])
    """
    keys, times = joined(columns, records)
    return np.asarray(times[keys] == 1)


def alone_by_gaps(
    columns: Sequence[NDArray[np.int64]], empty: Sequence[NDArray[np.bool_]], records: int
) -> NDArray[np.bool_]:
    """Return per record whether it is unique, and would not be by those of its cells that are filled.

    Args:
        columns: codes, one array per column.
        empty: per column which cells are empty.
        records: number of records.

    >>> sex, age = np.array([0, 0, 1, 1]), np.array([5, 0, 5, 7])  # 0 is empty in age
    >>> alone_by_gaps([sex, age], [sex < 0, age == 0], 4).tolist()
    [False, True, False, False]
    """
    found = np.zeros(records, dtype=bool)
    gaps = np.stack(empty, axis=1) if empty else np.zeros((records, 0), dtype=bool)
    rows = np.flatnonzero(unique_records(columns, records) & gaps.any(axis=1))
    patterns, of = np.unique(gaps[rows], axis=0, return_inverse=True)
    for place, pattern in enumerate(patterns):
        filled = [column for column, gap in zip(columns, pattern, strict=True) if not gap]
        same = rows[of == place]
        found[same] = ~unique_records(filled, records)[same]
    return found


def removed_until_few(
    columns: Sequence[NDArray[np.int64]], removable: Sequence[int], records: int, most: int
) -> tuple[tuple[int, ...], int] | None:
    """Remove columns, each time that without which fewest records are unique, until few enough are.

    Columns that need not have gone are put back in the end, the first removed first. Fewer columns may do it elsewhere:
    all subsets are not looked at.

    Args:
        columns: codes, one array per column.
        removable: places of those that may be removed.
        records: number of records.
        most: records that may be unique.

    Returns:
        The places in the order of removal, and how many records are unique then; None where removing all does not do.

    >>> ward, shift = np.array([0, 0, 1, 1]), np.array([0, 1, 2, 3])
    >>> removed_until_few([ward, shift], [0, 1], 4, 1)
    ((1,), 0)
    """
    left, removed = list(range(len(columns))), list[int]()
    alone = int(unique_records(columns, records).sum())
    while alone > most:
        # Keys of all that stand before a place and of all behind it: without it both are joined.
        tail = [np.zeros(records, dtype=np.int64)]
        for place in reversed(left):
            tail.append(joined([tail[-1], columns[place]], records)[0])
        tail.reverse()
        head, least = np.zeros(records, dtype=np.int64), None
        for at, place in enumerate(left):
            if place in removable:
                without = int(unique_records([head, tail[at + 1]], records).sum())
                least = min(least or (without, place), (without, place))
            head = joined([head, columns[place]], records)[0]
        if least is None:
            return None
        alone = least[0]
        removed.append(least[1])
        left.remove(least[1])
    for place in tuple(removed):
        again = int(unique_records([columns[one] for one in (*left, place)], records).sum())
        if again <= most:
            alone = again
            removed.remove(place)
            left.append(place)
    return tuple(removed), alone


def minimal_uniques(
    data: pd.DataFrame, names: Sequence[str], most: int = MOST_COLUMNS, deadline: Deadline | None = None
) -> Uniques:
    """Find by which smallest sets of columns records are unique.

    Args:
        data: the table, its cells taken as they are written.
        names: its columns to look at.
        most: sets of up to so many columns are looked at; fewer where that would take more than ``MOST_STEPS``.
        deadline: sets of two columns or more that are not all counted by then, size by size, are left out.

    Raises:
        DataError: the table lacks a column.

    >>> people = pd.DataFrame({"sex": ["f", "f", "m", "m"], "ward": ["A", "B", "A", "A"], "age": [7, 7, 7, 9]})
    >>> found = minimal_uniques(people, ["sex", "ward", "age"])
    >>> {columns: rows.tolist() for columns, rows in found.minimal.items()}
    {('ward',): [1], ('age',): [3], ('sex', 'ward'): [0], ('sex', 'age'): [2]}
    >>> found.people, found.by_size
    (4, (2, 2, 0))
    """
    expect(data, pd.DataFrame, "minimal_uniques(data)")
    names = expect_each(names, str, "minimal_uniques(names)")
    missing = [name for name in names if name not in data.columns]
    if missing:
        raise DataError(f"The table has no column {missing[0]!r}; it has: {', '.join(map(str, data.columns[:12]))}.")
    codes = [cell_codes(data[name]) for name in names]
    keys, times = joined(codes, len(data))
    alone = times[keys] == 1
    # Records that are alike in all columns are alone by none: one of them stands for all.
    first = np.sort(np.unique(keys, return_index=True)[1])
    candidates = alone[first]
    kept = [_numbered(column[first]) for column in codes]
    # The columns of most values first: whoever is alone by them needs no further look.
    order = sorted(range(len(names)), key=lambda place: -int(kept[place].max(initial=-1)))
    sets: dict[tuple[int, ...], NDArray[np.int64]] = {}
    counted = 0
    for size in range(1, min(most, len(names)) + 1):
        if candidates.any() and comb(len(names), size) * (len(first) + _OVERHEAD) > MOST_STEPS:
            break
        tell(f"looking who is alone by {size} columns")
        try:
            with (deadline if deadline and size > 1 else Deadline()).limit():
                sets |= dict(_level([kept[place] for place in order], candidates, sets, size))
        except Stopped:
            checkpoint()
            break
        counted = size
    minimal = {tuple(sorted(order[place] for place in places)): first[rows] for places, rows in sets.items()}
    ordered = sorted(minimal, key=lambda places: (len(places), places))
    counted = most if counted == min(most, len(names)) else counted
    return Uniques(
        tuple(names),
        len(data),
        alone,
        {tuple(names[at] for at in places): minimal[places] for places in ordered},
        counted,
    )


def _level(
    columns: Sequence[NDArray[np.int64]],
    candidates: NDArray[np.bool_],
    smaller: Mapping[tuple[int, ...], NDArray[np.int64]],
    size: int,
) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64]]]:
    """The minimal uniques of one size, with those of all smaller sizes at hand."""
    rows = np.arange(len(candidates)) if candidates.any() else np.empty(0, dtype=np.int64)
    taken = np.zeros(len(candidates), dtype=bool)

    def sets(
        chosen: tuple[int, ...], rows: NDArray[np.int64], keys: NDArray[np.int64], groups: int
    ) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64]]]:
        """Sets that begin with the chosen columns; ``rows`` are those that can still be alone, and who is like them."""
        for place in range(chosen[-1] + 1 if chosen else 0, len(columns) - (size - len(chosen)) + 1):
            checkpoint()
            if not len(rows):
                return
            values = columns[place][rows]
            joined, times = _counted(keys * (int(values.max()) + 1) + values, groups * (int(values.max()) + 1))
            now, single = (*chosen, place), times[joined] == 1
            if len(now) < size:
                worth = np.bincount(joined[candidates[rows] & ~single], minlength=len(times)) > 0
                left = worth[joined] & ~single
                yield from sets(now, rows[left], _numbered(joined[left]), int(worth.sum()))
                continue
            unique = rows[single & candidates[rows]]
            if not len(unique):
                continue
            parts = [smaller[part] for few in range(1, size) for part in combinations(now, few) if part in smaller]
            for part in parts:
                taken[part] = True
            unique = unique[~taken[unique]]
            for part in parts:
                taken[part] = False
            if len(unique):
                yield now, unique

    yield from sets((), rows, np.zeros(len(rows), dtype=np.int64), 1)


def joined(columns: Sequence[NDArray[np.int64]], records: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return per record a key that those with the same cells share, as for uniques, and how many have each key."""
    keys, groups = np.zeros(records, dtype=np.int64), 1
    times = np.array([records])
    for column in columns:
        checkpoint()
        values = int(column.max(initial=0)) + 1
        keys = _numbered(_counted(keys * values + column, groups * values)[0])
        groups = int(keys.max(initial=0)) + 1
        times = np.bincount(keys, minlength=groups)
    return keys, times if columns else np.array([max(records, 2)])


def _counted(keys: NDArray[np.int64], most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Keys below a number, renumbered where there are few among many, and how often each occurs."""
    if most > _SPARSE * len(keys) + _OVERHEAD:
        keys = pd.factorize(keys)[0].astype(np.int64)
    return keys, np.bincount(keys)


def _numbered(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same keys numbered from 0 without gaps."""
    return pd.factorize(keys)[0].astype(np.int64)
