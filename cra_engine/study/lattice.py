"""The generalization lattice and the exact order of its states (paper, section 3, equations (1) to (3))."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.errors import TooLargeError
from cra_engine.study.hierarchy import Hierarchy

State = tuple[int, ...]
Key = tuple[Fraction, int, Fraction]
Order = tuple[int, int, int]
MAX_STATES = 20_000
_INDISTINCT = 10**9  # losses that differ by less than one part in so many may be equal in ARX's numbers


class Lattice:
    """All states of some attributes, in the order in which ARX-LR prefers them.

    A state's loss does not depend on the data, so the order is fixed before any record is seen. States are compared by
    the rational ``prod(1 + Q_loss)``: it grows with the loss of equation (2), and unlike floats it shows exact ties as
    ties.

    Raises:
        TooLargeError: more than 20,000 states.
    """

    def __init__(self, attributes: Sequence[Hierarchy]) -> None:
        self.attributes = tuple(attributes)
        self.top: State = tuple(attribute.layers for attribute in self.attributes)
        self.size = math.prod(self.top)
        if self.size > MAX_STATES:
            raise TooLargeError(
                f"The lattice has {self.size:,} states, more than {MAX_STATES:,}; take fewer attributes or fewer "
                f"layers."
            )

    @cached_property
    def _units(self) -> tuple[int, int]:
        """The units that the whole numbers of an order are parts of: of the growth of the loss, and of c2."""
        losses = [[attribute.loss(layer) for layer in range(1, attribute.layers + 1)] for attribute in self.attributes]
        growth = math.prod(math.lcm(*(loss.denominator for loss in row)) for row in losses)
        return growth, math.lcm(*self.top) * len(self.top)

    @cached_property
    def _orders(self) -> dict[State, Order]:
        # In whole numbers of a common denominator: fractions would take longer than recoding ten thousand records.
        factors = []
        for attribute in self.attributes:
            grown = [1 + attribute.loss(layer) for layer in range(1, attribute.layers + 1)]
            unit = math.lcm(*(factor.denominator for factor in grown))
            factors.append([int(factor * unit) for factor in grown])
        steps = [math.lcm(*self.top) // height for height in self.top]
        orders: dict[State, Order] = {}
        for state in product(*(range(1, height + 1) for height in self.top)):
            grown_by = math.prod(row[layer - 1] for row, layer in zip(factors, state, strict=True))
            means = sum(layer * step for layer, step in zip(state, steps, strict=True))
            orders[state] = (grown_by, sum(state), means)
        return orders

    def order(self, state: State) -> Order:
        """As :meth:`key`, in whole numbers that compare alike."""
        return self._orders[state]

    def key(self, state: State) -> Key:
        """Returns what orders ``state`` before any record is seen: exact growth of the loss, then c1, then c2."""
        grown, c1, means = self._orders[state]
        growth, mean = self._units
        return Fraction(grown, growth), c1, Fraction(means, mean)

    def loss(self, state: State) -> float:
        """The information loss of a state as a number to show (equation (2))."""
        return float((self._orders[state][0] / self._units[0]) ** (1 / len(state)) - 1)

    def c1(self, state: State) -> int:
        """First criterion: the sum of the layers (equation (3))."""
        return sum(state)

    def c2(self, state: State) -> Fraction:
        """Second criterion: the mean of layer / height (equation (3))."""
        return Fraction(self._orders[state][2], self._units[1])

    @cached_property
    def states(self) -> tuple[State, ...]:
        """All states in ascending (loss, c1, c2), exact ties in the order of the states themselves."""
        return tuple(sorted(self._orders, key=lambda state: (self._orders[state], state)))

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The place of each state among :attr:`states`, as an array with an axis per attribute, layers from 0."""
        places = np.empty(self.top, dtype=np.int64)
        places[tuple(np.array(self.states).T - 1)] = np.arange(self.size)
        return places

    @cached_property
    def groups(self) -> tuple[tuple[State, ...], ...]:
        """The states in order, those that tie exactly in (loss, c1, c2) together."""
        return tuple(tuple(group) for _, group in groupby(self.states, key=self.order))

    @cached_property
    def uniform(self) -> bool:
        """True when the loss of every state is known without the data: each layer's nodes have equal shares."""
        return all(attribute.uniform for attribute in self.attributes)

    @cached_property
    def _turns(self) -> dict[State, int]:
        turns: dict[State, int] = {}
        turn, last = -1, 0
        for state in self.states:
            grown = self._orders[state][0]
            turn += (grown - last) * _INDISTINCT > last
            turns[state], last = turn, grown
        return turns

    def turn(self, state: State) -> int:
        """When a state has its turn as far as an attacker can tell: by its loss alone, equal where the losses tie.

        The paper breaks ties of the loss by c1, c2 and c3. ARX itself knows neither c2 nor c3, and rounds each
        attribute's loss to ten digits, so that its choice is another; an attacker cannot know who broke a tie.
        """
        return self._turns[state]

    @cached_property
    def undecided(self) -> tuple[tuple[State, ...], ...]:
        """The states by ascending turn, those whose order an attacker cannot tell together."""
        return tuple(tuple(group) for _, group in groupby(sorted(self.states, key=self.turn), key=self.turn))

    def before(self, state: State, other: State) -> bool:
        """True when ``state`` is known to have had its turn before ``other``, whatever the data and whoever broke ties.

        Where the nodes of a layer differ in share a state's loss depends on the remaining records. Then only a state
        that is nowhere coarser is known to lose less.
        """
        if self.uniform:
            return self.turn(state) < self.turn(other)
        return state != other and all(layer <= above for layer, above in zip(state, other, strict=True))

    def tied(self, state: State) -> tuple[State, ...]:
        """All states with the same (loss, c1, c2) as ``state``, itself included."""
        return tuple(other for other in self.states if self.order(other) == self.order(state))

    def coverers(self, state: State) -> tuple[State, ...]:
        """The states one step above ``state``: one attribute generalized one layer further."""
        return tuple(
            (*state[:i], layer + 1, *state[i + 1 :])
            for i, (layer, height) in enumerate(zip(state, self.top, strict=True))
            if layer < height
        )
