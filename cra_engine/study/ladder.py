"""The ladder of safe recoding: which states have a turn.

Fixed before any record is seen, so that publisher and reader climb the same one: all leaves first, then always the
coarser neighbour of least loss, and never the top. Every rung is coarser than the one below it, so a box of one rung is
made of whole boxes of each rung below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import prod

import numpy as np
from numpy.typing import NDArray

from cra_engine.errors import StudyError
from cra_engine.files.notation import decimal_in
from cra_engine.study.grid import Segment
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import State

Epsilon = float | int | Decimal | str
LEAST_EPSILON, MOST_EPSILON, MOST_DIGITS = Decimal("0.000001"), 1000, 12


@dataclass(frozen=True)
class Ladder:
    """The ladder of states of a safe study: the rungs, finest first.

    Attributes:
        attributes: the quasi-identifiers.
        states: the state of each rung; none where every box would be the whole domain.
    """

    attributes: tuple[Hierarchy, ...]
    states: tuple[State, ...]

    def repeated(self, place: int) -> NDArray[np.bool_]:
        """Which boxes of a rung are boxes of the rung below, too, since their nodes are labelled like only children."""
        state = self.states[place]
        again = np.ones((), dtype=bool)
        for attribute, layer, below in zip(
            self.attributes, state, self.states[place - 1] if place else state, strict=True
        ):
            finer = attribute.layer_nodes[below - 1]
            own = [finer[int(attribute.ranks[below - 1][node.start])] for node in attribute.layer_nodes[layer - 1]]
            nodes = zip(own, attribute.layer_nodes[layer - 1], strict=True)
            same = [place > 0 and (low.start, low.stop) == (node.start, node.stop) for low, node in nodes]
            again = np.logical_and.outer(again, same)
        return again

    def rung_of(self, segment: Segment) -> int | None:
        """The first rung, from 0, that has this box; None where none has.

        A node may be labelled like its only child. A box of such nodes stands on several rungs, and which of them
        published it is of no consequence: its records, all in one box below, weigh alike wherever they lie.

        >>> from cra_engine import Attribute
        >>> ladder = ladder_of([Attribute("age", 0, 80, layers=3)])
        >>> ladder.rung_of(Segment((2,), (1,))), ladder.rung_of(Segment((3,), (0,)))
        (1, None)
        """
        nodes = [a.node(*at) for a, *at in zip(self.attributes, segment.state, segment.ranks, strict=True)]
        for place, state in enumerate(self.states):
            own = [
                a.node(layer, int(a.ranks[layer - 1][node.start]))
                for a, layer, node in zip(self.attributes, state, nodes, strict=True)
            ]
            if all((mine.start, mine.stop) == (node.start, node.stop) for mine, node in zip(own, nodes, strict=True)):
                return place
        return None


def ladder_of(attributes: Sequence[Hierarchy]) -> Ladder:
    """Return the ladder of a study's hierarchies.

    Rungs that cut the grid alike count once: a second turn of the same boxes would spend for nothing.

    Args:
        attributes: the quasi-identifiers.

    >>> from cra_engine import Attribute
    >>> study = [Attribute("age", 0, 80, layers=3), Attribute("weight", 0, 400, layers=3)]
    >>> ladder_of(study).states
    ((1, 1), (1, 2), (2, 2), (2, 3))
    """
    top = tuple(attribute.layers for attribute in attributes)
    losses = [[1 + attribute.loss(layer) for layer in range(1, attribute.layers + 1)] for attribute in attributes]

    def coarser(state: State) -> State:
        above = [
            (*state[:i], layer + 1, *state[i + 1 :])
            for i, (layer, height) in enumerate(zip(state, top, strict=True))
            if layer < height
        ]
        return min(above, key=lambda s: (prod(row[layer - 1] for row, layer in zip(losses, s, strict=True)), s))

    def cuts(state: State) -> tuple[int, ...]:
        return tuple(attribute.nodes_in(layer) for attribute, layer in zip(attributes, state, strict=True))

    states: list[State] = []
    state: State = (1,) * len(attributes)
    while cuts(state) != cuts(top):
        if not states or cuts(state) != cuts(states[-1]):
            states.append(state)
        state = coarser(state)
    return Ladder(tuple(attributes), tuple(states))


def epsilon_of(given: Epsilon) -> Decimal:
    """Read a study's epsilon as it was written, exactly.

    Raises:
        StudyError: it is no number above 0, or out of all proportion.

    >>> epsilon_of(0.1)
    Decimal('0.1')
    """
    epsilon = None if isinstance(given, bool) else decimal_in(str(given))
    if epsilon is None or not epsilon > 0:
        raise StudyError(f"epsilon is {str(given)[:60]!r}; give a number above 0, such as 1.")
    epsilon = epsilon.normalize()
    if not LEAST_EPSILON <= epsilon <= MOST_EPSILON or len(epsilon.as_tuple().digits) > MOST_DIGITS:
        raise StudyError(
            f"epsilon is {str(given)[:60]}; give a number from 0.000001 to {MOST_EPSILON} with at most {MOST_DIGITS} "
            "digits, such as 1."
        )
    return epsilon
