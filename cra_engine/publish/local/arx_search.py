"""ARX's Flash search with all its marks: which state it ends with, whatever the quality model.

With most quality models the search leaves out states by bounds that need not hold, and among equal states keeps the
first, so that only the search itself tells which state is taken. Flash has two phases (Kohlmayer and others 2012): a
bisection of paths for what is known of all coarser or finer states, and from each state that it finds a walk over the
coarser ones.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from cra_engine.publish.flash import Flash, Place, Queue, above, below

Price = tuple[float, ...]
"""What a state loses, as ARX compares it: one number, or of the aggregate rank one per attribute, largest first."""


@dataclass(frozen=True)
class Looked:
    """What ARX's local recoding learns of a state that it checks.

    Attributes:
        passes: whether a step may publish it.
        large: whether enough records lie in boxes that are large enough, whether these pass or not.
        price: what it loses; only asked where it passes.
        bound: what it is taken to lose at least.
    """

    passes: bool
    large: bool
    price: Price
    bound: Price | None


class ArxSearch:
    """One search of ARX's local recoding for a step's state.

    Args:
        flash: the order of states.
        look: checks a state.
        early_bound: what a state is taken to lose at least before it is checked; None where that is not known.
        of_models: how far the privacy models carry over to coarser states: ``"full"``, ``"partial"`` (the least size of
            a class does), ``"none"``.
        of_prices: True where a coarser state never loses less.
    """

    def __init__(
        self,
        flash: Flash,
        look: Callable[[Place], Looked],
        early_bound: Callable[[Place], Price | None],
        of_models: str,
        *,
        of_prices: bool,
    ) -> None:
        self._flash, self._look, self._early_bound = flash, look, early_bound
        self._of_models, self._of_prices = of_models, of_prices
        # Both full: bisection alone, and nothing is left out by bounds.
        self._prunes = not (of_models == "full" and of_prices)
        shape = flash.heights
        marks = np.zeros((7, *shape), dtype=bool)
        self._passes, self._fails, self._large, self._small, self._visited, self._poor, self._settled = marks
        self._found: dict[Place, Looked] = {}
        self._bound: dict[Place, Price | None] = {}
        self._candidates: list[Place] = []
        self.best: Place | None = None

    def run(self) -> Place | None:
        """The state that the search ends with; None where no state passes."""
        queue = Queue(self._flash.preference)
        binary = self._of_models != "none"
        skip = self._skip_binary if binary else self._skip_linear
        for level in self._flash.levels:
            for start in [place for place in level if not self._skip(skip, place)]:
                if binary:
                    self._bisect_from(start, queue)
                else:
                    self._walk(start)
        return self.best

    # ------------------------------------------------------------ what is left out

    def _skip_binary(self, place: Place) -> bool:
        if self._of_models == "full":
            return bool(self._passes[place] or self._fails[place])
        return bool(self._large[place] or self._small[place] or (self._of_prices and self._poor[place]))

    def _skip_linear(self, place: Place) -> bool:
        if self._of_models == "full":
            return bool(self._fails[place] or self._visited[place])
        if self._of_models == "partial":
            return bool(self._visited[place] or self._small[place] or (self._of_prices and self._poor[place]))
        return bool(self._passes[place] or self._fails[place] or (self._of_prices and self._poor[place]))

    def _skip(self, known: Callable[[Place], bool], place: Place) -> bool:
        if known(place):
            return True
        if not self._prunes or self.best is None:
            return False
        if self._poor[place]:
            return True
        bound = self._bound.get(place)
        if bound is None:
            bound = self._bound[place] = self._early_bound(place)
        if bound is not None and self._price(self.best) <= bound:
            self._leave_out(place)
            return True
        return False

    def _leave_out(self, place: Place) -> None:
        self._poor[above(place)] = True
        self._settled[above(place)] = True

    def _price(self, place: Place) -> Price:
        return self._found[place].price

    # ------------------------------------------------------------ the two phases

    def _bisect_from(self, start: Place, queue: Queue) -> None:
        queue.push(start)
        while queue:
            head = queue.pop()
            if self._skip(self._skip_binary, head):
                continue
            lowest = self._bisect(self._path(head), queue)
            if lowest is not None and self._prunes:
                self._walk(lowest)

    def _path(self, place: Place) -> list[Place]:
        path = [place]
        while True:
            following = (up for up in self._flash.successors(path[-1]) if not self._skip(self._skip_binary, up))
            step = next(following, None)
            if step is None:
                return path
            path.append(step)

    def _bisect(self, path: Sequence[Place], queue: Queue) -> Place | None:
        marks = self._passes if self._of_models == "full" else self._large
        low, high, lowest = 0, len(path) - 1, None
        while low <= high:
            middle = (low + high) // 2
            place = path[middle]
            if self._skip(self._skip_binary, place):
                high = middle - 1
                continue
            self._check(place, linear=False)
            if marks[place]:
                lowest, high = place, middle - 1
                continue
            for up in self._flash.successors(place):
                if not self._skip(self._skip_binary, up):
                    queue.push(up)
            low = middle + 1
        return lowest

    def _walk(self, start: Place) -> None:
        """Depth first over the coarser states, without the depth of Python's own stack."""
        if self._skip(self._skip_linear, start):
            self._settled[start] = True
            return
        self._check(start, linear=True)
        stack = [(start, iter(self._flash.successors(start)))]
        while stack:
            place, children = stack[-1]
            child = next((up for up in children if not self._skip(self._skip_linear, up)), None)
            if child is None:
                self._settled[place] = True
                stack.pop()
                continue
            self._check(child, linear=True)
            stack.append((child, iter(self._flash.successors(child))))

    def _check(self, place: Place, *, linear: bool) -> None:
        if place not in self._found:
            looked = self._found[place] = self._look(place)
            self._bound[place] = looked.bound
            (self._passes if looked.passes else self._fails)[place] = True
            (self._large if looked.large else self._small)[place] = True
        looked = self._found[place]
        if looked.passes and (
            self.best is None or (looked.price, sum(place)) < (self._price(self.best), sum(self.best))
        ):
            self.best = place
        self._mark(place, looked, linear=linear)
        if self._prunes:
            self._prune(place)

    def _mark(self, place: Place, looked: Looked, *, linear: bool) -> None:
        if linear:
            self._visited[place] = self._of_models != "none"
        elif self._of_models == "full":
            if self._passes[place]:
                self._passes[above(place)] = True
            else:
                self._fails[below(place)] = True
        elif self._large[place]:
            self._large[above(place)] = True
        else:
            self._small[below(place)] = True
        if self._of_prices and looked.passes and self._of_models != "full":
            here = self._poor[place]
            self._leave_out(place)
            self._poor[place] = here

    def _prune(self, place: Place) -> None:
        bound = self._bound[place]
        if bound is None or (place != self.best and self._settled[place]):
            return
        if self.best is None:
            self._candidates.append(place)
        elif place != self.best:
            if self._price(self.best) <= bound:
                self._leave_out(place)
            else:
                self._candidates.append(place)
        else:
            least, kept = self._price(place), []
            for candidate in self._candidates:
                if self._settled[candidate]:
                    continue
                if least <= (self._bound[candidate] or (math.inf,)):
                    self._leave_out(candidate)
                else:
                    kept.append(candidate)
            self._candidates = kept if self._settled[place] else [*kept, place]
