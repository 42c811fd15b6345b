"""The classes of any state of the lattice, each made from those of a finer state that was looked at before.

Generalizing merges whole classes, so a state's classes come from any finer state's, and the coarsest one at hand has
the fewest. Looked at in the order of the lattice nearly every state has such a neighbour.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.groups import Groups, Spread, Whole
from cra_engine.publish.full_domain.coded import CodedTable, row_keys

State = tuple[int, ...]
_MOST_HELD = 12_000_000  # numbers in the classes that are kept at hand: about 100 MB
_MOST_STATES = 8192  # kept at hand; looking through more takes longer than it saves
_ROOMY = 8  # so many times more codes than classes are counted; more are sorted


@dataclass(frozen=True, eq=False)
class StateClasses:
    """The classes of one state of a global recoding.

    Attributes:
        row: per class one of the table's different rows that lies in it.
        sizes: records to publish per class; 0 where only others of the population lie in it.
        population: all records per class; None where all are published.
        spreads: per sensitive column how its values spread over the classes.
    """

    row: NDArray[np.int64]
    sizes: NDArray[np.int64]
    population: NDArray[np.int64] | None
    spreads: Mapping[str, Spread]

    @property
    def numbers(self) -> int:
        """Returns how many numbers this holds."""
        return len(self.row) * 3 + sum(3 * len(spread.group) for spread in self.spreads.values())


class ClassesOfStates:
    """The classes of all states that a global recoding can choose.

    Args:
        table: the raw table in numbers.
        spreads: whether to follow the sensitive columns too.
    """

    def __init__(self, table: CodedTable, *, spreads: bool) -> None:
        self._table = table
        bottom = StateClasses(
            np.arange(len(table.counts)), table.counts, table.population, table.sensitive if spreads else {}
        )
        self._states = np.zeros((_MOST_STATES, len(table.heights)), dtype=np.int16)
        self._weights = np.zeros(_MOST_STATES, dtype=np.int64)
        self._held: list[StateClasses] = []
        self._place: dict[State, int] = {}
        self._total = -bottom.numbers  # which has to be held anyway
        self._bottom = bottom
        self._keep((0,) * len(table.heights), bottom)

    def of(self, state: State) -> StateClasses:
        """The classes of a state."""
        at = self._place.get(state)
        if at is not None:
            return self._held[at]
        known = len(self._held)
        finer = (self._states[:known] <= np.array(state, dtype=np.int16)).all(axis=1)
        source = self._held[int(np.where(finer, self._weights[:known], np.iinfo(np.int64).max).argmin())]
        made = self._merged(source, state)
        if made.numbers <= _MOST_HELD // 4:
            if known == _MOST_STATES or self._total + made.numbers > _MOST_HELD:
                self._forget()
            self._keep(state, made)
        return made

    def _keep(self, state: State, made: StateClasses) -> None:
        at = len(self._held)
        self._held.append(made)
        self._place[state] = at
        self._states[at] = state
        self._weights[at] = made.numbers
        self._total += made.numbers

    def _forget(self) -> None:
        """Begin again with the finest state: what is needed next was mostly looked at last, and is made anew soon."""
        self._held, self._place, self._total = [], {}, -self._bottom.numbers
        self._keep((0,) * self._states.shape[1], self._bottom)

    def groups(self, classes: StateClasses) -> tuple[Groups, NDArray[np.bool_] | None]:
        """Classes as criteria read them, and which of them these are where some have no record to publish."""
        if classes.population is None or classes.sizes.all():
            return Groups(classes.sizes, classes.spreads, classes.population), None
        there = classes.sizes > 0
        place = np.cumsum(there) - 1
        spreads = {name: replace(spread, group=place[spread.group]) for name, spread in classes.spreads.items()}
        return Groups(classes.sizes[there], spreads, classes.population[there]), there

    def class_of_row(self, classes: StateClasses, state: State) -> NDArray[np.int64]:
        """Per different row of the table its class in a state: classes stand in the order of their keys."""
        keys, _ = self._keys(np.arange(len(self._table.counts)), state)
        return np.searchsorted(keys[classes.row], keys)

    def _keys(self, rows: NDArray[np.int64], state: State) -> tuple[NDArray[np.int64], int]:
        table = self._table
        columns, sizes = [], []
        for shown, of_layers, layer in zip(table.shown, table.sizes, state, strict=True):
            if of_layers[layer] > 1:
                columns.append(shown[layer][rows])
                sizes.append(of_layers[layer])
        return row_keys(columns, sizes) if columns else (np.zeros(len(rows), dtype=np.int64), 1)

    def _merged(self, source: StateClasses, state: State) -> StateClasses:
        keys, space = self._keys(source.row, state)
        group, row, count = _grouped(keys, space, source.row)
        population = None
        if source.population is not None:
            population = _summed(group, source.population, count)
        spreads = {name: _merged_spread(spread, group, count) for name, spread in source.spreads.items()}
        return StateClasses(row, _summed(group, source.sizes, count), population, spreads)


def _grouped(
    keys: NDArray[np.int64], space: int, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Per key its group, per group one of its rows, and the number of groups; groups by ascending key."""
    if space <= _ROOMY * len(keys) + 1024:
        some = np.full(space, -1, dtype=np.int64)
        some[keys] = rows
        present = np.flatnonzero(some >= 0)
        place = np.empty(space, dtype=np.int64)
        place[present] = np.arange(len(present))
        return place[keys], some[present], len(present)
    order = np.argsort(keys)
    ascending = keys[order]
    fresh = np.empty(len(keys), dtype=bool)
    fresh[0] = True
    np.not_equal(ascending[1:], ascending[:-1], out=fresh[1:])
    group = np.empty(len(keys), dtype=np.int64)
    group[order] = np.cumsum(fresh) - 1
    row = rows[order[fresh]]
    return group, row, len(row)


def _summed(group: NDArray[np.int64], weights: Whole, count: int) -> NDArray[np.int64]:
    """Weights per group; sums of records are far below 2^53, where doubles stop being exact."""
    return np.bincount(group, weights=weights, minlength=count).astype(np.int64)


def _merged_spread(spread: Spread, group: NDArray[np.int64], groups: int) -> Spread:
    values = len(spread.values)
    keys = group[spread.group] * values + spread.value
    if groups * values <= _ROOMY * len(keys) + 1024:
        totals = np.bincount(keys, weights=spread.count, minlength=groups * values)
        present = np.flatnonzero(totals)
        count = totals[present].astype(np.int64)
    else:
        place, entry, entries = _grouped(keys, groups * values, np.arange(len(keys)))
        present, count = keys[entry], _summed(place, spread.count, entries)
    return replace(spread, group=present // values, value=present % values, count=count)
