"""Exact counting of a component, one atom after the other.

After each atom only the open sums matter: what their totals still need and what their boxes still admit. Partial data
sets that agree in these are counted together, in whole numbers. A box that what is still to come cannot fill no longer
matters, which merges most of them.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise

import numpy as np

from cra_engine.attacks.prior import DISTINCT, Prior
from cra_engine.attacks.tight.components import Component, Option
from cra_engine.patience import checkpoint

Slack = tuple[int, ...]
Key = tuple[Slack | None, ...]


class FrontierTooLarge(Exception):  # noqa: N818 - a signal to estimate instead, not a failure
    """The exact count would need more states than allowed."""


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

    def counts(self, slack: Slack) -> range:
        """What the atom may hold."""
        values = [*slack, *self.opened]
        least = max((values[position] for position in self.done), default=0)
        return range(least, min(values[position] for position in self.touched) + 1)

    def after(self, slack: Slack, count: int) -> Slack:
        """The open sums after this atom holds ``count`` records."""
        values = [*slack, *self.opened]
        for position in self.touched:
            values[position] -= count
        result = [values[position] for position in self.kept]
        for position, totals, begun in self.limits:
            most = begun + sum(result[total] for total in totals)
            result[position] = min(result[position], most)
        return tuple(result)


def _order(component: Component) -> Iterator[int]:
    """The atoms in an order that keeps few sums open."""
    yield from greedy_order([s.atoms for option in component.options for s in option.sums], len(component.atoms))


def greedy_order(sums: Sequence[Sequence[int]], atoms: int) -> Iterator[int]:
    """The atoms in an order that keeps few sums open: greedily the one that opens least and closes most.

    Args:
        sums: the atoms of each sum.
        atoms: their number.

    Raises:
        Stopped: see :mod:`cra_engine.patience`.
    """
    left = [list(members) for members in sums]
    missing = [set(members) for members in left]
    holding: list[list[int]] = [[] for _ in range(atoms)]
    for number, members in enumerate(left):
        checkpoint()
        for atom in members:
            holding[atom].append(number)
    opens = [len(numbers) for numbers in holding]
    closes = [sum(len(left[number]) == 1 for number in numbers) for numbers in holding]
    opened = [False] * len(left)
    taken = [False] * len(holding)
    queue = [(opens[atom] - closes[atom], atom) for atom in range(len(holding))]
    heapify(queue)
    while queue:
        cost, atom = heappop(queue)
        if taken[atom] or cost != opens[atom] - closes[atom]:
            continue  # its cost has changed since; it stands in the queue again
        yield atom
        taken[atom] = True
        changed = set()
        for number in holding[atom]:
            checkpoint()
            missing[number].discard(atom)
            if not opened[number]:
                opened[number] = True
                for other in missing[number]:
                    opens[other] -= 1
                changed |= missing[number]
            if len(missing[number]) == 1:
                (last,) = missing[number]
                closes[last] += 1
                changed.add(last)
        for other in changed:
            heappush(queue, (opens[other] - closes[other], other))


class _Sums:
    """The sums of one option while the atoms are taken one after the other."""

    def __init__(self, option: Option, atoms: int) -> None:
        self._sums = option.sums
        self._holding: list[list[int]] = [[] for _ in range(atoms)]
        self._total_of = [0] * atoms
        for number, s in enumerate(option.sums):
            for atom in s.atoms:
                self._holding[atom].append(number)
                if s.lower:
                    self._total_of[atom] = number
        self._missing = [len(s.atoms) for s in option.sums]
        # Per box the totals whose atoms it still waits for.
        self._awaited = [Counter(self._total_of[atom] for atom in s.atoms) for s in option.sums]
        self._open: list[int] = []

    def take(self, atom: int) -> _Step:
        """What happens when this atom comes next."""
        sums, mine = self._sums, self._holding[atom]
        opened = [s for s in mine if self._missing[s] == len(sums[s].atoms)]
        now = self._open + opened
        place = {s: position for position, s in enumerate(now)}
        for s in mine:
            self._missing[s] -= 1
            self._awaited[s][self._total_of[atom]] -= 1
            if not self._awaited[s][self._total_of[atom]]:
                del self._awaited[s][self._total_of[atom]]
        self._open = [s for s in now if self._missing[s]]
        kept = {s: position for position, s in enumerate(self._open)}
        limits = []
        for s, position in kept.items():
            if not sums[s].lower:
                awaited = self._awaited[s]
                begun = tuple(sorted(kept[t] for t in awaited if t in kept))
                limits.append((position, begun, sum(sums[t].upper for t in awaited if t not in kept)))
        return _Step(
            tuple(sums[s].upper for s in opened),
            tuple(sorted(place[s] for s in mine)),
            tuple(place[s] for s in now if not self._missing[s] and sums[s].lower),
            tuple(place[s] for s in self._open),
            tuple(limits),
        )


class Frontier:
    """The exact count of a component's data sets.

    Attributes:
        component: what is counted.
        order: its atoms in the order in which they are taken.
        states: partial states that arose in all.

    Args:
        component: what to count.
        max_states: give up when more partial states than this arise in all.
        prior: how data sets weigh.

    Raises:
        FrontierTooLarge: more states than that.
        Stopped: see :mod:`cra_engine.patience`.
    """

    def __init__(self, component: Component, max_states: int, prior: Prior = DISTINCT) -> None:
        self.component = component
        self._prior = prior
        if any(s.boxes for option in component.options for s in option.sums):
            raise FrontierTooLarge  # what a skipped state's boxes hold together does not fit into sums
        sums = [_Sums(option, len(component.atoms)) for option in component.options]
        self.order: list[int] = []
        every: list[list[_Step]] = []
        numbers = [_Numbers(option) for option in component.options]
        for atom in _order(component):
            checkpoint()
            self.order.append(atom)
            every.append([option.take(atom) for option in sums])
            for own, step in zip(numbers, every[-1], strict=True):
                own.take(step)
                if own.states > max_states:  # states of all options together are no fewer than those of one
                    raise FrontierTooLarge
        start: Key = tuple(() for _ in component.options)
        layer: dict[Key, int] = {start: 0}
        # Per atom and state the moves (count, index of the next state).
        self._moves: list[list[list[tuple[int, int]]]] = []
        self.states = 0
        for steps in every:
            checkpoint()
            coming: dict[Key, int] = {}
            moves: list[list[tuple[int, int]]] = []
            for key in layer:
                moves.append([(count, coming.setdefault(to, len(coming))) for count, to in _reached(key, steps)])
                self.states += 1
                if self.states > max_states:
                    raise FrontierTooLarge
                if self.states % 256 == 0:
                    checkpoint()
            self._moves.append(moves)
            layer = coming
        largest = max(s.upper for option in component.options for s in option.sums if s.lower)
        self._scale = math.factorial(largest) if prior.ordered else 1
        self._weights = [
            [prior.ways(component.atoms[atom].volume, count, largest) for count in range(largest + 1)]
            for atom in self.order
        ]
        self._ways = self._backward(len(layer))

    def _backward(self, ends: int) -> list[list[int]]:
        """Per layer and state, the number of ways to complete it."""
        ways = [[1] * ends]
        for moves, weights in zip(reversed(self._moves), reversed(self._weights), strict=True):
            checkpoint()
            ways.append([sum(weights[count] * ways[-1][to] for count, to in own) for own in moves])
        return ways[::-1]

    @property
    def total(self) -> int:
        """Sum of the data sets' weights; their number where records differ. It is what the marginals add up to."""
        return self._ways[0][0]

    @property
    def worlds(self) -> int:
        """Number of data sets, exactly; of ordered tables where records may be alike."""
        if not self._prior.ordered:
            return self.total
        orders = math.prod(math.factorial(s.upper) for s in self.component.options[0].sums if s.lower)
        return int(self.total * orders // self._scale ** len(self.order))

    def marginals(self) -> list[list[int]]:
        """Per atom (in the component's order) and count, the number of data sets in which it holds that count."""
        result: list[list[int]] = [[] for _ in self.order]
        forward = [1]
        for position, atom in enumerate(self.order):
            checkpoint()
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


class _Numbers:
    """The numbers of states of one option: whole layers at once, and nothing but how many there are.

    States are told apart by a sum with random factors. Should two ever look alike they count as one, and the count
    itself, which comes after, gives up in its own time.

    Args:
        option: its bounds.

    Attributes:
        states: partial states so far.
    """

    def __init__(self, option: Option) -> None:
        self._largest = max((s.upper for s in option.sums), default=0)
        self._layer = np.zeros((1, 0), dtype=np.min_scalar_type(-self._largest - 1))
        self._rng = np.random.default_rng(0)
        self.states = 0

    def take(self, step: _Step) -> None:
        """Go on with the next atom."""
        self.states += len(self._layer)
        opened = np.tile(np.array(step.opened, dtype=self._layer.dtype), (len(self._layer), 1))
        values = np.concatenate([self._layer, opened], axis=1)
        least = values[:, step.done].max(axis=1, initial=0)
        highest = values[:, step.touched].min(axis=1, initial=self._largest)
        found = [values[:0, step.kept]]
        for count in range(int(highest.max(initial=-1)) + 1):
            after = values[(least <= count) & (count <= highest)]
            after[:, step.touched] -= count
            found.append(after[:, step.kept])
        layer = np.concatenate(found)
        for position, totals, begun in step.limits:
            fits = np.minimum(layer[:, totals].sum(axis=1, dtype=np.int64) + begun, self._largest)
            layer[:, position] = np.minimum(layer[:, position], fits)
        code = np.zeros(len(layer), dtype=np.uint64)
        for column in layer.T:
            code += column.astype(np.uint64) * self._rng.integers(1, 2**63, dtype=np.uint64)
        self._layer = layer[np.unique(code, return_index=True)[1]]


def _reached(key: Key, steps: Sequence[_Step]) -> Iterator[tuple[int, Key]]:
    """What the next atom may hold in a state, with the state that follows; options that it breaks are None there."""
    admitted = [range(0) if slack is None else step.counts(slack) for slack, step in zip(key, steps, strict=True)]
    some = [counts for counts in admitted if counts]
    for count in range(min((c.start for c in some), default=0), max((c.stop for c in some), default=0)):
        if any(count in counts for counts in some):
            yield (
                count,
                tuple(
                    step.after(slack, count) if slack is not None and count in counts else None
                    for slack, counts, step in zip(key, admitted, steps, strict=True)
                ),
            )
