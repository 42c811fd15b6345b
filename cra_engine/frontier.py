"""Exact counting of a component, one atom after the other.

After each atom only the open sums matter: what their totals still need and what their boxes still admit. Partial data
sets that agree in these are counted together, in whole numbers. A box that what is still to come cannot fill no longer
matters, which merges most of them.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cra_engine.components import Component, Option

Slack = tuple[int, ...]
Key = tuple[Slack | None, ...]


class FrontierTooLarge(Exception):  # noqa: N818 - a signal to estimate instead, not a failure
    """The exact count would need more states than allowed, or was stopped."""


@dataclass(frozen=True)
class _Step:
    """How one option's open sums change with one atom.

    Attributes:
        opened: start values of the sums that begin with this atom.
        touched: positions, among the open and opened sums, of those that hold this atom.
        done: positions of totals that end with this atom; they must be used up.
        kept: positions of the sums that go on.
        limits: per kept box its position among the kept, the totals (positions among the kept) that may still fill it
            and how much totals not yet begun may add.
    """

    opened: Slack
    touched: tuple[int, ...]
    done: tuple[int, ...]
    kept: tuple[int, ...]
    limits: tuple[tuple[int, tuple[int, ...], int], ...]

    def after(self, slack: Slack, count: int) -> Slack | None:
        """The open sums after this atom holds ``count`` records; None where that is impossible."""
        values = [*slack, *self.opened]
        for position in self.touched:
            values[position] -= count
            if values[position] < 0:
                return None
        for position in self.done:
            if values[position]:
                return None
        result = [values[position] for position in self.kept]
        for position, totals, begun in self.limits:
            most = begun + sum(result[total] for total in totals)
            result[position] = min(result[position], most)
        return tuple(result)


def _order(component: Component) -> list[int]:
    """The atoms in an order that keeps few sums open: greedily the one that opens least and closes most."""
    sums = [(option, position) for option, o in enumerate(component.options) for position in range(len(o.sums))]
    atoms_of = {(option, position): set(component.options[option].sums[position].atoms) for option, position in sums}
    sums_of: list[list[tuple[int, int]]] = [[] for _ in component.atoms]
    for key, atoms in atoms_of.items():
        for atom in atoms:
            sums_of[atom].append(key)
    left = set(range(len(component.atoms)))
    opened: set[tuple[int, int]] = set()
    order = []
    while left:

        def cost(atom: int) -> tuple[int, int]:
            opens = sum(key not in opened for key in sums_of[atom])
            closes = sum(len(atoms_of[key]) == 1 for key in sums_of[atom])
            return opens - closes, atom

        atom = min(left, key=cost)
        order.append(atom)
        left.remove(atom)
        for key in sums_of[atom]:
            opened.add(key)
            atoms_of[key].discard(atom)
    return order


def _steps(option: Option, order: Sequence[int]) -> list[_Step]:
    place = {atom: position for position, atom in enumerate(order)}
    sums = option.sums
    first = [min(place[a] for a in s.atoms) for s in sums]
    last = [max(place[a] for a in s.atoms) for s in sums]
    total_of = {a: position for position, s in enumerate(sums) if s.lower for a in s.atoms}
    open_: list[int] = []
    steps = []
    for position, atom in enumerate(order):
        opened = [s for s in range(len(sums)) if first[s] == position]
        now = open_ + opened
        kept = [s for s in now if last[s] > position]
        limits = []
        for index, s in enumerate(kept):
            if not sums[s].lower:
                coming = {total_of[a] for a in sums[s].atoms if place[a] > position}
                begun = tuple(kept.index(t) for t in sorted(coming) if t in kept)
                limits.append((index, begun, sum(sums[t].upper for t in coming if t not in kept)))
        steps.append(
            _Step(
                tuple(sums[s].upper for s in opened),
                tuple(i for i, s in enumerate(now) if atom in sums[s].atoms),
                tuple(i for i, s in enumerate(now) if last[s] == position and sums[s].lower),
                tuple(i for i, s in enumerate(now) if last[s] > position),
                tuple(limits),
            )
        )
        open_ = kept
    return steps


class Frontier:
    """The exact count of a component's data sets.

    Args:
        component: what to count.
        max_states: give up when more partial states than this arise in all.
        stop: asked now and then; give up when it answers True.

    Raises:
        FrontierTooLarge: one of the two.
    """

    def __init__(self, component: Component, max_states: int, stop: Callable[[], bool]) -> None:
        """See the class."""
        self.component = component
        if any(s.boxes for option in component.options for s in option.sums):
            raise FrontierTooLarge  # what a skipped state's boxes hold together does not fit into sums
        self.order = _order(component)
        steps = [_steps(option, self.order) for option in component.options]
        most = [max(s.upper for s in option.sums if s.lower) for option in component.options]
        largest = max(most)
        start: Key = tuple(() for _ in component.options)
        layers: list[dict[Key, int]] = [{start: 0}]
        # Per atom and state the moves (count, index of the next state).
        self._moves: list[list[list[tuple[int, int]]]] = []
        states = 0
        for position in range(len(self.order)):
            coming: dict[Key, int] = {}
            moves: list[list[tuple[int, int]]] = []
            for key in layers[-1]:
                own = []
                for count in range(largest + 1):
                    reached: Key = tuple(
                        None if slack is None else steps[option][position].after(slack, count)
                        for option, slack in enumerate(key)
                    )
                    if any(slack is not None for slack in reached):
                        own.append((count, coming.setdefault(reached, len(coming))))
                moves.append(own)
                states += 1
                if states % 512 == 0 and (states > max_states or stop()):
                    raise FrontierTooLarge
            self._moves.append(moves)
            layers.append(coming)
        self._weights = [
            [math.comb(component.atoms[atom].volume, count) for count in range(largest + 1)] for atom in self.order
        ]
        self._ways = self._backward(len(layers[-1]))

    def _backward(self, ends: int) -> list[list[int]]:
        """Per layer and state, the number of ways to complete it."""
        ways = [[1] * ends]
        for moves, weights in zip(reversed(self._moves), reversed(self._weights), strict=True):
            ways.append([sum(weights[count] * ways[-1][to] for count, to in own) for own in moves])
        return ways[::-1]

    @property
    def total(self) -> int:
        """Number of data sets, exactly."""
        return self._ways[0][0]

    def marginals(self) -> list[list[int]]:
        """Per atom (in the component's order) and count, the number of data sets in which it holds that count."""
        result: list[list[int]] = [[] for _ in self.order]
        forward = [1]
        for position, atom in enumerate(self.order):
            weights, ways = self._weights[position], self._ways[position + 1]
            part = [0] * len(weights)
            coming = [0] * len(ways)
            for here, own in zip(forward, self._moves[position], strict=True):
                for count, to in own:
                    step = here * weights[count]
                    coming[to] += step
                    part[count] += step * ways[to]
            result[atom] = part
            forward = coming
        return result

    def supports(self) -> list[tuple[int, int]]:
        """Per atom (in the component's order) its smallest and largest possible count, whatever the volumes."""
        result = [(0, 0)] * len(self.order)
        alive = [True] * len(self._ways[-1])
        for position in reversed(range(len(self.order))):
            counts = [count for own in self._moves[position] for count, to in own if alive[to]]
            result[self.order[position]] = (min(counts, default=0), max(counts, default=0))
            alive = [any(alive[to] for _, to in own) for own in self._moves[position]]
        return result

    def sample(self, rng: random.Random) -> list[int]:
        """Counts per atom (in the component's order) of a data set drawn uniformly.

        Raises:
            ValueError: there is none.
        """
        if not self.total:
            raise ValueError("nothing to draw from: the count is 0")
        counts = [0] * len(self.order)
        state = 0
        for position, (atom, (_, ways)) in enumerate(zip(self.order, pairwise(self._ways), strict=True)):
            point = rng.randrange(self._ways[position][state])
            for count, to in self._moves[position][state]:
                point -= self._weights[position][count] * ways[to]
                if point < 0:
                    counts[atom], state = count, to
                    break
        return counts
