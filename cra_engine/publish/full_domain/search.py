"""Which state to publish: concluded where conclusions hold, every state where they do not (002, 2.7, "Flash2P")."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cra_engine.choices import Search, Utility
from cra_engine.criteria.models import Criterion
from cra_engine.patience import checkpoint
from cra_engine.publish.flash import Flash, above, below
from cra_engine.publish.full_domain.classes import ClassesOfStates, State, StateClasses
from cra_engine.publish.full_domain.coded import CodedTable
from cra_engine.publish.full_domain.walks import incognito, ola
from cra_engine.utility.entropy import CLEAR, EntropyLoss

UTILITIES: tuple[Utility, ...] = get_args(Utility)
SEARCHES: tuple[Search, ...] = get_args(Search)
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Look:
    """One look of a search at a state, for global recoding.

    Attributes:
        path: the states that it was chosen among, from below: the path that Flash bisects, the ends between which OLA
            is half way; Incognito's own state alone.
        state: the one that is looked at.
        fits: whether it has what the search is looking for.
        short: records in classes that fail: a criterion, or in phase 1 of two the least size.
    """

    path: tuple[State, ...]
    state: State
    fits: bool
    short: int


@dataclass(frozen=True, eq=False)
class Looks:
    """What global recoding found out about the states of a lattice; arrays in the lattice's shape, layers from 0.

    Attributes:
        records: number of records to publish.
        heights: the layer of the root, per attribute.
        limit: the most records that may be suppressed.
        looked: the states whose classes were looked at.
        anonymous: the states that suppress at most ``limit`` records, looked at or predicted.
        because: for a predicted state the place, row-major, of the state that it was concluded from; else -1.
        suppressed: records in classes that fail a criterion; -1 where it was not looked at.
        classes: number of the other classes, likewise.
        squares: the sum of their squared sizes, likewise.
        entropy: the non-uniform entropy in bits; NaN where nobody asked.
        steps: the search's looks in their order; none where every state was looked at.
        sought: what it was looking for: ``"anonymous"`` states, states whose classes are large enough (``"size"``)
            before all of them were looked at, or nothing (``""``).
        exact_entropy: the entropy of a state in exact terms.
    """

    records: int
    heights: tuple[int, ...]
    limit: int
    looked: NDArray[np.bool_]
    anonymous: NDArray[np.bool_]
    because: NDArray[np.int32]
    suppressed: NDArray[np.int64]
    classes: NDArray[np.int64]
    squares: NDArray[np.int64]
    entropy: NDArray[np.float64]
    steps: tuple[Look, ...]
    sought: Literal["anonymous", "size", ""]
    exact_entropy: Callable[[State], EntropyLoss]

    @property
    def states(self) -> int:
        """Number of states."""
        return self.looked.size

    @property
    def checked(self) -> int:
        """Number of states that were looked at."""
        return int(self.looked.sum())

    @property
    def pruned(self) -> float:
        """Share of the states that were predicted."""
        return 1 - self.checked / self.states

    def best(self, utility: str) -> State | None:
        """The anonymous state of least loss among those looked at; None where there is none.

        Of equal losses the one with the smallest sum of layers, then the smaller state.
        """
        places = np.flatnonzero(self.looked & self.anonymous)
        if not len(places):
            return None
        layers = np.stack(np.unravel_index(places, self.looked.shape), axis=1)
        order = np.lexsort((places, layers.sum(axis=1)))
        places, layers = places[order], layers[order]
        suppressed, classes, squares = (of.ravel()[places] for of in (self.suppressed, self.classes, self.squares))
        if utility == "entropy":
            return self._least_entropy(places, layers)
        if utility == "aecs":
            lost = -(classes + (suppressed > 0))
        elif utility == "discernibility":
            lost = squares + self.records * suppressed
        else:
            lost = self._precision(layers, suppressed)
        return _state(layers[int(lost.argmin())])  # the first of equals

    def loss(self, state: State, utility: str) -> float:
        """A loss of a state that was looked at, as a number to show."""
        suppressed, classes = int(self.suppressed[state]), int(self.classes[state])
        if utility == "entropy":
            return float(self.entropy[state])
        if utility == "aecs":
            return self.records / max(classes + (suppressed > 0), 1)
        if utility == "discernibility":
            return float(self.squares[state] + self.records * suppressed)
        common = math.lcm(*self.heights) * len(self.heights)
        return int(self._precision(np.array([state]), np.array([suppressed]))[0]) / (common * self.records)

    def _precision(self, layers: NDArray[np.int64], suppressed: NDArray[np.int64]) -> NDArray[np.int64]:
        common = math.lcm(*self.heights)
        climbed = layers @ np.array([common // height for height in self.heights])
        return np.asarray((self.records - suppressed) * climbed + suppressed * common * len(self.heights))

    def _least_entropy(self, places: NDArray[np.int64], layers: NDArray[np.int64]) -> State:
        bits = self.entropy.ravel()[places]
        # Twice the terms of both sides, by a generous bound, times what floats may differ by.
        near = 8 * CLEAR * len(self.heights) * self.records * math.log2(self.records + 1)
        close = np.flatnonzero(bits <= bits.min() + near)
        if len(close) == 1:
            return _state(layers[close[0]])

        def better(one: tuple[EntropyLoss, State], other: tuple[EntropyLoss, State]) -> tuple[EntropyLoss, State]:
            checkpoint()
            return other if other[0] < one[0] else one

        tied = ((self.exact_entropy(state), state) for state in map(_state, layers[close]))
        return reduce(better, tied)[1]


def _state(layers: NDArray[np.int64]) -> State:
    return tuple(int(layer) for layer in layers)


class Searcher:
    """The search of global recoding through the states of a table's lattice.

    Args:
        table: the raw table in numbers.
        criteria: what each class must pass.
        limit: the most records that may be suppressed.
        entropies: whether the entropy of each state that is looked at is wanted.
        progress: told how many of how many states are settled.
    """

    def __init__(
        self,
        table: CodedTable,
        criteria: Sequence[Criterion],
        limit: int,
        *,
        entropies: bool,
        progress: Told = lambda *_: None,
    ) -> None:
        self._table, self._criteria, self._limit = table, criteria, limit
        self._entropies, self._progress = entropies, progress
        self._classes = ClassesOfStates(table, spreads=True)
        shape = table.shape
        self._looked = np.zeros(shape, dtype=bool)
        self._anonymous = np.zeros(shape, dtype=bool)
        self._because = np.full(shape, -1, dtype=np.int32)
        self._suppressed, self._kept, self._squares = (np.full(shape, -1, dtype=np.int64) for _ in range(3))
        self._entropy = np.full(shape, np.nan)
        self._steps: list[Look] = []
        self._counts = [
            [
                np.bincount(layer, weights=table.counts, minlength=size)
                for layer, size in zip(layers, sizes, strict=True)
            ]
            for layers, sizes in zip(table.shown, table.sizes, strict=True)
        ]
        self._bits = [
            [float(_bits(layer).sum() - _bits(layers[0]).sum()) for layer in layers] for layers in self._counts
        ]

    def exhaustive(self) -> Looks:
        """Look at every state."""
        self._look_at(product(*map(range, self._table.shape)))
        return self._done("")

    def search(self, by: Search = "flash") -> Looks:
        """Look at as few states as conclusions allow, with the same optimum as looking at all.

        Where nothing may be suppressed and no criterion depends on who else is in the population, generalizing an
        anonymous table leaves it anonymous and loses no less, so a search concludes in both directions. Else neither
        holds (002, Figures 4 and 5); but the records in classes below the least size that can pass still only become
        fewer. So phase 1 finds where those are few enough, and phase 2 looks at all of these states.

        Args:
            by: in which order: Flash's, OLA's or Incognito's; or ``"exhaustive"``, at every state.
        """
        if by == "exhaustive":
            return self.exhaustive()
        if self._limit == 0 and all(criterion.marking is None for criterion in self._criteria):
            return self.alone(by)
        least = max((criterion.least for criterion in self._criteria), default=1)
        if least <= 1:
            return self.exhaustive()
        sized = ClassesOfStates(self._table, spreads=False) if self._table.sensitive else self._classes

        def too_small(state: State) -> int:
            checkpoint()
            sizes = sized.of(state).sizes
            self._looked[state] = True
            return int(sizes[sizes < least].sum())

        hopeful = self._walk(too_small, by)
        self._because[hopeful] = -1
        self._look_at(map(_state, np.argwhere(hopeful)))
        return self._done("size")

    def alone(self, by: Search) -> Looks:
        """What a search finds if its conclusions hold, as older programs suppose whatever the criteria (Table 6)."""
        self._anonymous |= self._walk(self.look, by)
        return self._done("anonymous")

    def look(self, state: State) -> int:
        """Look at the classes of a state: how many records it suppresses; its figures are kept."""
        checkpoint()
        classes, passes = self.passing(state)
        kept = classes.sizes[passes]
        suppressed = self._table.records - int(kept.sum())
        self._looked[state] = True
        self._anonymous[state] = suppressed <= self._limit
        self._suppressed[state], self._kept[state] = suppressed, len(kept)
        self._squares[state] = (kept * kept).sum()
        if self._entropies:
            bits = sum(of_layers[layer] for of_layers, layer in zip(self._bits, state, strict=True))
            if suppressed:
                whole = suppressed * math.log2(suppressed)
                bits += sum(whole - float(_bits(counts).sum()) for counts in self._failing(state, classes, passes))
            self._entropy[state] = bits
        return suppressed

    def exact_entropy(self, state: State) -> EntropyLoss:
        """The entropy of a state in exact terms."""
        after = [counts[layer] for counts, layer in zip(self._counts, state, strict=True)]
        failing = self._failing(state, *self.passing(state))
        return EntropyLoss.of(
            *([counts.astype(int).tolist() for counts in of] for of in ([c[0] for c in self._counts], after, failing))
        )

    def passing(self, state: State) -> tuple[StateClasses, NDArray[np.bool_]]:
        """The classes of a state, and which of them pass every criterion."""
        classes = self._classes.of(state)
        groups, there = self._classes.groups(classes)
        passes = np.ones(len(groups), dtype=bool)
        for criterion in self._criteria:
            passes &= criterion.passes(groups)
        if there is None:
            return classes, passes
        among = np.zeros(len(classes.sizes), dtype=bool)
        among[there] = passes
        return classes, among

    def class_of_row(self, classes: StateClasses, state: State) -> NDArray[np.int64]:
        """Per different row of the table its class in a state."""
        return self._classes.class_of_row(classes, state)

    def _failing(self, state: State, classes: StateClasses, passes: NDArray[np.bool_]) -> list[NDArray[Any]]:
        """Per attribute the suppressed records by what they would show."""
        rows, sizes = classes.row[~passes], classes.sizes[~passes].astype(float)
        return [
            np.bincount(layers[layer][rows], weights=sizes) if of_sizes[layer] > 1 else np.array([sizes.sum()])
            for layers, of_sizes, layer in zip(self._table.shown, self._table.sizes, state, strict=True)
        ]

    def _walk(self, short: Callable[[State], int], by: Search) -> NDArray[np.bool_]:
        """Follow a search, note what it concludes, and tell the states with at most the limit of records short."""
        table = self._table
        closed = np.zeros(table.shape, dtype=bool)
        having = np.zeros(table.shape, dtype=bool)
        places = np.arange(closed.size, dtype=np.int32).reshape(table.shape)
        settled = 0
        if by == "flash":
            distinct = [[len(np.unique(layer)) / len(layers[0]) for layer in layers] for layers in _present(table)]
            visits = Flash(table.shape, distinct, lowest=[table.lowest] * len(table.shape)).visits(closed)
        else:
            visits = (ola if by == "ola" else incognito)(closed)
        answer: bool | None = None
        while True:
            try:
                state, path = next(visits) if answer is None else visits.send(answer)
            except StopIteration:
                break
            records = short(state)
            answer = records <= self._limit
            self._steps.append(Look(tuple(path), state, answer, records))
            region = above(state) if answer else below(state)
            fresh = ~closed[region]
            self._because[region][fresh] = places[state]
            self._because[state] = -1
            if answer:
                having[region] = True
            settled += int(fresh.sum())
            self._progress(settled, closed.size)
        return having

    def _look_at(self, states: Iterable[State]) -> None:
        settled = int((self._because >= 0).sum())
        for done, state in enumerate(states, start=1):
            self.look(state)
            if done % 16 == 0:
                self._progress(min(settled + done, self._looked.size), self._looked.size)
        self._progress(self._looked.size, self._looked.size)

    def _done(self, sought: Literal["anonymous", "size", ""]) -> Looks:
        return Looks(
            self._table.records,
            self._table.heights,
            self._limit,
            self._looked,
            self._anonymous,
            self._because,
            self._suppressed,
            self._kept,
            self._squares,
            self._entropy,
            tuple(self._steps),
            sought,
            self.exact_entropy,
        )


def _present(table: CodedTable) -> list[list[NDArray[np.int64]]]:
    """Per attribute and layer what the raw values show, each value once."""
    result = []
    for layers in table.shown:
        _, first = np.unique(layers[0], return_index=True)
        result.append([layer[first] for layer in layers])
    return result


def _bits(counts: NDArray[Any]) -> NDArray[np.float64]:
    """``x log2 x``, 0 for 0."""
    return np.asarray(counts * np.log2(np.maximum(counts, 1)))
