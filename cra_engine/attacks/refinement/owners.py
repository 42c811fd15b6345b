"""How likely a cell holds one person where classes that tie share cells, of which one of them took all records.

Which one depends on the order of formation. Each possible order is weighed by the number of data sets that it leaves;
with two tied states those that either order leaves, with nobody in a shared cell, are counted once.
"""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

from cra_engine.attacks.refinement.attack import Attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.errors import TooLargeError
from cra_engine.expected import expect
from cra_engine.patience import Stopped, checkpoint, stoppable
from cra_engine.release import Owner
from cra_engine.study.grid import Cell
from cra_engine.study.lattice import State

MOST_STATES = 5
Chance = tuple[float, float]
"""That a cell holds nobody, and that it holds one person."""
Limits = tuple[Chance, Chance]
"""Between what these lie; equal where they are known."""
UNKNOWN: Limits = ((0.0, 0.0), (1.0, 1.0))


@dataclass(frozen=True)
class CellChances:
    """The chances of cells that may hold exactly one record, each class attacked by itself.

    Attributes:
        cells: each with two numbers between which its probability lies, equal where it is known, and the indices of the
            parts that may fill it.
        weighed: False where too many orders are possible; classes then count as filling shared cells independently.
        complete: False where the time ran out before every class was counted; of its cells nothing is known then.
    """

    cells: tuple[tuple[Cell, float, float, tuple[int | None, ...]], ...]
    weighed: bool
    complete: bool = True


def cell_chances(attack: Attack, left: Callable[[], float] = lambda: math.inf) -> CellChances:
    """Return the probability that a cell holds exactly one record, each class attacked by itself.

    Args:
        attack: the attack.
        left: how many seconds may still be spent; the classes to come share them, those with few records first.

    Raises:
        CRAError: a class that no data set explains.
    """
    cells: dict[Cell, list[Limits]] = defaultdict(list)
    parts: dict[Cell, list[int | None]] = defaultdict(list)
    weighed = complete = True
    groups = [*_sharing(attack), *([part] for part in attack.raw)]
    for part in (part for group in groups for part in group):
        for cell in part.free_cells:
            parts[cell].append(part.index)
    groups.sort(key=lambda group: sum(part.size for part in group))
    for number, group in enumerate(groups):
        share = left() / (len(groups) - number)
        found_limits, all_weighed = _in_time(attack, group, time.monotonic() + share)
        weighed &= all_weighed
        complete &= found_limits is not None
        unknown = [(cell, UNKNOWN) for part in group for cell in part.free_cells]
        for cell, limits in unknown if found_limits is None else found_limits:
            cells[cell].append(limits)
    full = {part.segment.ranks for part in attack.classes if part.basic}
    results = []
    for cell, every in cells.items():
        lower, upper = _one([low for low, _ in every]), _one([high for _, high in every])
        if upper > 0 and cell not in full:
            highest = upper if upper == lower else min(1.0, upper)
            results.append((cell, lower, highest, tuple(dict.fromkeys(parts[cell]))))
    return CellChances(tuple(results), weighed, complete)


def _in_time(attack: Attack, group: Sequence[ClassAttack], end: float) -> tuple[list[tuple[Cell, Limits]] | None, bool]:
    """Limits of the chances in the cells of some classes that share some, None where the time did not suffice.

    Also whether each order in which they may have formed was weighed.
    """

    def over() -> bool:
        return time.monotonic() >= end

    try:
        with stoppable(over):
            checkpoint()
            owned = _limits(attack, group) if len(group) > 1 else None
            if owned is not None:
                return list(owned.items()), True
            return [limits for part in group for limits in _by_itself(part)], len(group) == 1
    except Stopped:
        if not over():  # somebody outside wants all of it to end
            raise
        return None, True


def _one(chances: Sequence[Chance]) -> float:
    """That somebody is alone in a cell: the one person comes from one of the parts, and nobody from the others."""
    return sum(
        one * math.prod(none for other, (none, _) in enumerate(chances) if other != position)
        for position, (_, one) in enumerate(chances)
    )


def owner_shares(attack: Attack, cell: Cell) -> tuple[tuple[Fraction, ClassAttack], ...]:
    """Return the weights of the attacked classes that may own a cell which they share because they tie.

    Returns:
        Per order of formation in which somebody owns it, its share of the tables, negative for those that two orders
        leave, and the owner under it. Empty for a cell that is not shared, or that cannot be weighed: also where groups
        were merged or suppressed after classes formed, since the people of several may be in it then.

    >>> import pandas as pd
    >>> from cra_engine import Attribute, Study, attack, recode
    >>> study = Study([Attribute("weight", 0, 400, layers=3), Attribute("pressure", 0, 400, layers=3)], k=3)
    >>> people = [(370, 135), (290, 290), (150, 115), (260, 245), (95, 125), (215, 155)]
    >>> found = attack(recode(pd.DataFrame(people, columns=study.names), study).release)
    >>> [part.index for _, part in owner_shares(found, (2, 1))]  # either class may have taken that cell
    [0, 1]
    """
    expect(attack, Attack, "owner_shares(attack)")
    if not all(part.as_formed for part in attack.parts if part.may_fill(cell)):
        return ()
    for group in _sharing(attack):
        if len(group) > 1 and any(part.may_fill(cell) for part in group):
            orders = _orders(attack, group)
            return tuple((share, part) for share, order in orders for part in order.parts if part.may_fill(cell))
    return ()


def _by_itself(part: ClassAttack) -> list[tuple[Cell, Limits]]:
    ends = (part.cell_probability_bounds(0), part.cell_probability_bounds(1))
    return [
        (cell, ((none[0], one[0]), (none[1], one[1]))) for cell, none, one in zip(part.free_cells, *ends, strict=True)
    ]


def _sharing(attack: Attack) -> Iterator[list[ClassAttack]]:
    """The compound classes and the suppressed; together those that share a cell because their order is not known.

    What was merged or suppressed after classes formed is by itself: others may have people in the same cell.
    """
    parts = [part for part in attack.parts if not part.basic]
    claimants: dict[Cell, list[int]] = defaultdict(list)
    if (attack.owner == Owner.UNDECIDED).any():
        for position, part in enumerate(parts):
            for cell in part.free_cells if part.as_formed else ():
                if attack.owner[cell] == Owner.UNDECIDED:
                    claimants[cell].append(position)
    beside: dict[int, set[int]] = defaultdict(set)
    for first, *others in claimants.values():
        for other in others:
            beside[first].add(other)
            beside[other].add(first)
    seen: set[int] = set()
    for position in range(len(parts)):
        if position in seen:
            continue
        group, queue = set[int](), {position}
        while queue:
            here = queue.pop()
            group.add(here)
            queue |= beside[here] - group
        seen |= group
        yield [parts[member] for member in sorted(group)]


@dataclass(frozen=True)
class _Order:
    """Some classes under one order, or under two where ``sign`` is -1, and the number of data sets that it leaves."""

    parts: tuple[ClassAttack, ...]
    sign: int

    @property
    def count(self) -> int:
        return self.sign * math.prod(part.cra_solutions for part in self.parts)

    def chances(self) -> dict[Cell, Chance]:
        results: dict[Cell, Chance] = {}
        for part in self.parts:
            chances = zip(part.cell_probabilities(0), part.cell_probabilities(1), strict=True)
            results |= dict(zip(part.free_cells, chances, strict=True))
        return results


def _limits(attack: Attack, group: Sequence[ClassAttack]) -> dict[Cell, Limits] | None:
    """As :func:`_weighed`; nothing is known where the orders cannot be weighed since a class is too large to count."""
    try:
        owned = _weighed(attack, group)
    except TooLargeError:
        return {cell: UNKNOWN for part in group for cell in part.free_cells}
    return None if owned is None else {cell: (chance, chance) for cell, chance in owned.items()}


def _weighed(attack: Attack, group: Sequence[ClassAttack]) -> dict[Cell, Chance] | None:
    """Per cell of some classes that share cells its chances, over all orders of their states.

    None where these are too many, or where no data set of distinct records is left to weigh.
    """
    orders = [(float(share), order.chances()) for share, order in _orders(attack, group)]
    if not orders:
        return None
    return {
        cell: (
            math.fsum(share * chances.get(cell, (1.0, 0.0))[0] for share, chances in orders),
            max(0.0, math.fsum(share * chances.get(cell, (1.0, 0.0))[1] for share, chances in orders)),
        )
        for cell in {cell for part in group for cell in part.free_cells}
    }


def _orders(attack: Attack, group: Sequence[ClassAttack]) -> list[tuple[Fraction, _Order]]:
    """The orders in which the states of some classes may have formed, each with its share of the data sets."""
    states = sorted({part.segment.state for part in group})
    if len(states) > MOST_STATES:
        return []
    orders = [_under(order, group) for order in _possible(attack, states)]
    if len(states) == 2:
        orders.append(_under((), group))
    counts = [(order, order.count) for order in orders]
    total = sum(count for _, count in counts)
    return [(Fraction(count, total), order) for order, count in counts if count] if total else []


def _possible(attack: Attack, states: Sequence[State]) -> Iterator[tuple[State, ...]]:
    """The orders of some states that nothing known excludes."""
    for order in permutations(states):
        if not any(attack.formation.before(later, earlier) for earlier, later in combinations(order, 2)):
            yield order


def _under(order: tuple[State, ...], group: Sequence[ClassAttack]) -> _Order:
    """The classes of a group under an order; under none, what two orders of two states both leave.

    There the records of a class sum to its size with the shared cells and without them: nobody is in these.
    """
    parts = []
    for part in group:
        state = part.segment.state
        others = {other.segment.state for other in group} - {state}
        earlier = {other for other in others if not order or order.index(other) < order.index(state)}
        taken = [other.segment for other in group if other.segment.state in earlier]
        parts.append(part.without(taken) if taken else part)
    return _Order(tuple(parts), 1 if order else -1)
