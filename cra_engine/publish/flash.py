"""The order in which ARX's Flash search looks at the states of a lattice.

Flash goes up from each state along one path, looks for the lowest feasible state on it by bisection, and comes back
later for what lies beside the path. Which of several equally good states it meets first depends on all of that.
"""

import math
from collections.abc import Callable, Collection, Generator, Sequence
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

Place = tuple[int, ...]
"""A state as ARX counts it: attributes in the order of the table's columns, the lowest layer as 0."""

Preference = tuple[int, float, float]


class Flash:
    """Flash's search over a lattice for a state to publish.

    Args:
        heights: number of layers per attribute.
        distinct: per attribute and layer the different labels in the whole table, divided by its different raw values.
        lowest: per attribute the layer that a place's 0 stands for: 1, or 0 where raw values are layers of the lattice
            too; left out: 1 for all.
    """

    def __init__(
        self, heights: Sequence[int], distinct: Sequence[Sequence[float]], *, lowest: Sequence[int] | None = None
    ) -> None:
        self.heights = tuple(heights)
        self._lowest = (1,) * len(self.heights) if lowest is None else tuple(lowest)
        self._distinct = distinct
        self.preference = cache(self._preference)
        self.successors = cache(self._sorted_successors)

    def _preference(self, place: Place) -> Preference:
        """Lower comes first: the level, then how far up each hierarchy, then how few labels are left.

        Floats, added up in the order of the attributes: the last bit can decide.
        """
        height, fewer = 0.0, 0.0
        for layer, top, distinct, lowest in zip(place, self.heights, self._distinct, self._lowest, strict=True):
            height += (layer + lowest) / (top - 1 + lowest)
            fewer += distinct[layer]
        return sum(place), height / len(place), 1.0 - fewer / len(place)

    @cached_property
    def levels(self) -> list[list[Place]]:
        """The states by the sum of their layers, those of each sum in the order of preference."""
        levels: list[list[Place]] = [[] for _ in range(sum(self.heights) - len(self.heights) + 1)]
        # Where the preference leaves it open, ARX has the last attribute's layer vary slowest.
        for turned in product(*map(range, reversed(self.heights))):
            levels[sum(turned)].append(turned[::-1])
        return [sorted(level, key=self.preference) for level in levels]

    def _sorted_successors(self, place: Place) -> list[Place]:
        above = [
            (*place[:i], layer + 1, *place[i + 1 :])
            for i, (layer, height) in enumerate(zip(place, self.heights, strict=True))
            if layer + 1 < height
        ]
        return sorted(above, key=self.preference)

    def visits(self, closed: NDArray[np.bool_]) -> Generator[tuple[Place, list[Place]], bool, None]:
        """The states that the search looks at, one by one, each with the path that it lies on.

        It wants to be sent whether the state is feasible, and supposes that all states above a feasible one are, and
        none below another.

        Args:
            closed: over the lattice, which states need not be looked at; the search closes what it supposes, and
                whoever walks along may close more.
        """
        queue = Queue(self.preference)
        for level in self.levels:
            for start in [place for place in level if not closed[place]]:
                queue.push(start)
                while queue:
                    head = queue.pop()
                    if closed[head]:
                        continue
                    path = self._path(head, closed)
                    low, high = 0, len(path) - 1
                    while low <= high:
                        middle = (low + high) // 2
                        place = path[middle]
                        if closed[place]:
                            high = middle - 1
                            continue
                        if (yield place, path):
                            closed[above(place)] = True
                            high = middle - 1
                            continue
                        closed[below(place)] = True
                        low = middle + 1
                        for successor in self.successors(place):
                            if not closed[successor]:
                                queue.push(successor)

    def first_visited(
        self,
        wanted: Collection[Place],
        feasible: Callable[[Place], bool],
        loss: Callable[[Place], float],
        *,
        prune: bool,
    ) -> Place:
        """The one of some states that the search checks first.

        ARX goes through the successors of each lowest feasible state as well. They all lose more, so with a loss that
        counts no suppression that ends at once, and is left out here.

        Args:
            wanted: the feasible states of least loss.
            feasible: whether a state may be published; holds for all states above a feasible one.
            loss: of a state.
            prune: whether states above an infeasible one that loses as much as the best so far are left out.
        """
        closed = np.zeros(self.heights, dtype=bool)  # known to be feasible or not, or left out
        least = math.inf
        hopeful: list[tuple[float, Place]] = []  # infeasible, but losing less than the best so far
        visits = self.visits(closed)
        place, _ = next(visits)
        while place not in wanted:
            value = loss(place)
            fits = feasible(place)
            if not fits and value >= least:
                closed[above(place)] = True
            elif not fits:
                hopeful.append((value, place))
            elif prune and value < least:
                least = value
                for _, state in (entry for entry in hopeful if entry[0] >= least):
                    closed[above(state)] = True
                hopeful = [entry for entry in hopeful if entry[0] < least]
            place, _ = visits.send(fits)
        return place

    def _path(self, place: Place, closed: NDArray[np.bool_]) -> list[Place]:
        path: list[Place] = []
        step: Place | None = place
        while step is not None:
            path.append(step)
            step = next((above for above in self.successors(step) if not closed[above]), None)
        return path


def above(place: Place) -> tuple[slice, ...]:
    """Return a state and all that generalize it, as Flash's index into an array over the lattice."""
    return tuple(slice(layer, None) for layer in place)


def below(place: Place) -> tuple[slice, ...]:
    """Return a state and all that it generalizes, as Flash's index into an array over the lattice."""
    return tuple(slice(layer + 1) for layer in place)


class Queue:
    """Flash's binary heap in the layout of Java's: which of equals comes out first depends on it; heapq's differs."""

    def __init__(self, key: Callable[[Place], Preference]) -> None:
        """Lowest ``key`` first."""
        self._key = key
        self._heap: list[Place] = []

    def __len__(self) -> int:
        """Number of states in the queue."""
        return len(self._heap)

    def push(self, place: Place) -> None:
        """Add a state."""
        heap, key = self._heap, self._key
        heap.append(place)
        at = len(heap) - 1
        while at and key(place) < key(heap[(at - 1) // 2]):
            heap[at] = heap[(at - 1) // 2]
            at = (at - 1) // 2
        heap[at] = place

    def pop(self) -> Place:
        """Take out the first state."""
        heap, key = self._heap, self._key
        first, moved = heap[0], heap.pop()
        at = 0
        while 2 * at + 1 < len(heap):
            child = 2 * at + 1
            if child + 1 < len(heap) and key(heap[child + 1]) < key(heap[child]):
                child += 1
            if key(moved) <= key(heap[child]):
                break
            heap[at] = heap[child]
            at = child
        if heap:
            heap[at] = moved
        return first
