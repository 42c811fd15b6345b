"""Flash with every mark it sets and both of its phases, nothing left out because it has no effect."""

from collections.abc import Callable, Sequence
from itertools import product

Place = tuple[int, ...]


def below_or_equal(one: Place, other: Place) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


class Heap:
    """java.util.PriorityQueue: sift up and sift down with a comparator."""

    def __init__(self, key):
        self.key, self.items = key, []

    def add(self, item):
        self.items.append(item)
        k = len(self.items) - 1
        while k > 0:
            parent = (k - 1) >> 1
            if self.key(item) >= self.key(self.items[parent]):
                break
            self.items[k], self.items[parent] = self.items[parent], self.items[k]
            k = parent

    def poll(self):
        head, last = self.items[0], self.items.pop()
        n = len(self.items)
        if n == 0:
            return head
        self.items[0] = last
        k = 0
        while k < n >> 1:
            child = 2 * k + 1
            if child + 1 < n and self.key(self.items[child]) > self.key(self.items[child + 1]):
                child += 1
            if self.key(last) <= self.key(self.items[child]):
                break
            self.items[k], self.items[child] = self.items[child], self.items[k]
            k = child
        return head


class LiteralFlash:
    """One search; ``checked`` is the order in which states were looked at, ``optimum`` what it returns.

    With ``suppression`` both the binary and the linear phase run and states are left out by their lower bound; without
    only the binary phase does.
    """

    def __init__(
        self,
        heights: Sequence[int],
        distinct: Sequence[Sequence[float]],
        feasible: Callable[[Place], bool],
        loss: Callable[[Place], float],
        *,
        suppression: bool,
    ) -> None:
        self.heights, self.distinct = tuple(heights), distinct
        self.is_feasible, self.loss, self.suppression = feasible, loss, suppression
        # Last attribute slowest: the order of ARX's identifiers.
        self.places = [turned[::-1] for turned in product(*map(range, reversed(self.heights)))]
        self.anonymous: set[Place] = set()
        self.not_anonymous: set[Place] = set()
        self.insufficient: set[Place] = set()
        self.pruned: set[Place] = set()
        self.visited: set[Place] = set()
        self.bound: dict[Place, float] = {}
        self.candidates: list[Place] = []
        self.checked: list[Place] = []
        self.optimum: Place | None = None
        self.traverse()

    def strategy(self, place: Place) -> tuple[float, float, float]:
        top = sum(self.heights)
        precision = distinct = 0.0
        for i, layer in enumerate(place):
            distinct += self.distinct[i][layer]
            precision += (layer + 1) / self.heights[i]
        return (sum(place) + len(place)) / top, precision / len(place), 1.0 - distinct / len(place)

    def successors(self, place: Place) -> list[Place]:
        above = [(*place[:i], place[i] + 1, *place[i + 1 :]) for i in range(len(place))]
        return sorted((a for a in above if all(map(int.__lt__, a, self.heights))), key=self.strategy)

    def up(self, marks: set[Place], place: Place) -> None:
        marks.update(other for other in self.places if below_or_equal(place, other))

    def down(self, marks: set[Place], place: Place) -> None:
        marks.update(other for other in self.places if below_or_equal(other, place))

    def traverse(self) -> None:
        heap = Heap(self.strategy)
        for level in range(sum(self.heights) - len(self.heights) + 1):
            todo = [p for p in self.places if sum(p) == level and not self.skip(p)]
            for start in sorted(todo, key=self.strategy):
                heap.add(start)
                while heap.items:
                    head = heap.poll()
                    if not self.skip(head):
                        lowest = self.check_path(self.path(head), heap)
                        if self.suppression and lowest is not None:
                            self.linear(lowest)

    def path(self, place: Place) -> list[Place]:
        path = [place]
        while True:
            free = [above for above in self.successors(path[-1]) if not self.skip(above)]
            if not free:
                return path
            path.append(free[0])

    def check_path(self, path: list[Place], heap: Heap) -> Place | None:
        low, high, lowest = 0, len(path) - 1, None
        while low <= high:
            mid = (low + high) // 2
            place = path[mid]
            if self.skip(place):
                high = mid - 1
                continue
            self.check(place)
            if place in self.anonymous:
                lowest = place
                high = mid - 1
            else:
                for above in self.successors(place):
                    if not self.skip(above):
                        heap.add(above)
                low = mid + 1
        return lowest

    def linear(self, place: Place) -> None:
        if not self.skip_linear(place):
            if place not in self.bound:
                self.check(place)
            self.visited.add(place)
            for above in self.successors(place):
                if not self.skip_linear(above):
                    self.linear(above)
        self.up(self.pruned, place)

    def check(self, place: Place) -> None:
        self.checked.append(place)
        self.bound[place] = self.loss(place)
        if self.is_feasible(place):
            self.up(self.anonymous, place)
            best = None if self.optimum is None else (self.loss(self.optimum), sum(self.optimum))
            if best is None or (self.loss(place), sum(place)) < best:
                self.optimum = place
        else:
            self.down(self.not_anonymous, place)
        if self.suppression:
            self.prune(place)

    def prune(self, place: Place) -> None:
        if place != self.optimum and place in self.pruned:
            return
        if self.optimum is None:
            self.candidates.append(place)
        elif place != self.optimum:
            if self.loss(self.optimum) <= self.bound[place]:
                self.leave_out(place)
            else:
                self.candidates.append(place)
        else:
            kept = []
            for candidate in self.candidates:
                if candidate in self.pruned:
                    continue
                if self.loss(place) <= self.bound[candidate]:
                    self.leave_out(candidate)
                else:
                    kept.append(candidate)
            self.candidates = kept if place in self.pruned else [*kept, place]

    def leave_out(self, place: Place) -> None:
        self.up(self.insufficient, place)
        self.up(self.pruned, place)

    def skip(self, place: Place) -> bool:
        return place in self.anonymous or place in self.not_anonymous or self.hopeless(place)

    def skip_linear(self, place: Place) -> bool:
        return place in self.not_anonymous or place in self.visited or self.hopeless(place)

    def hopeless(self, place: Place) -> bool:
        if not self.suppression or self.optimum is None:
            return False
        if place in self.insufficient:
            return True
        if place in self.bound and self.loss(self.optimum) <= self.bound[place]:
            self.leave_out(place)
            return True
        return False
