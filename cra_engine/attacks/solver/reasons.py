"""Why a cell is certain: few of the bounds that force its count, under each possible order of tied states."""

from collections.abc import Callable, Sequence
from itertools import islice, product

from cra_engine.attacks.solver.bounds import CountSystem
from cra_engine.attacks.solver.parts import PartOption, SystemPart
from cra_engine.attacks.solver.proofs import minimal_set, sum_forced
from cra_engine.attacks.solver.views import Explanation

MOST_ORDERS = 24  # so many orders of tied states are explained one by one


def reasons(
    system: CountSystem, part: SystemPart, position: int, value: int, most: int, left: Callable[[], float]
) -> list[Explanation]:
    """Return per order of tied states a minimal set of bounds that force a cell's count, or contradict each other.

    Args:
        system: the bounds.
        part: the part of it that holds the cell, from which nothing was taken out.
        position: the cell's in the system.
        value: its number of records.
        most: the most records that a cell can hold.
        left: the seconds that are left.
    """
    atom = next(number for number, members in enumerate(part.atoms) if position in members.cells)
    return [
        _reason(system, part, options, atom, value, most, left)
        for options in islice(product(*part.sources), MOST_ORDERS)
    ]


def _reason(
    system: CountSystem,
    part: SystemPart,
    options: Sequence[PartOption],
    atom: int,
    value: int,
    most: int,
    left: Callable[[], float],
) -> Explanation:
    counts = range(atom * part.times, (atom + 1) * part.times)
    limits = [(0, most)] * len(part.limits)
    told = [(bound, option.choice) for option in options for bound in option.bounds]
    sums = [s for option in options for s in option.sums]
    order = tuple(states for option in options for _, supposed in option.choice.hypotheses for states in supposed.order)
    # Without a value: bounds that contradict each other, so that the states did not have their turns in this order.
    for asked in (None, value) if order else (value,):
        needed = minimal_set(
            len(sums),
            lambda chosen, asked=asked: sum_forced(limits, [sums[p] for p in chosen], counts, asked, left),  # type: ignore[misc]
            lambda p: bool(set(sums[p].counts) & set(counts)),
        )
        if needed is not None:
            chosen = [told[p] for p in needed[0]]
            texts = tuple(system.describe(bound, choice) for bound, choice in chosen)
            bounds = tuple(bound.origin for bound, _ in chosen if bound.origin is not None)
            return Explanation(bounds, texts, needed[1], order, asked is not None)
    return Explanation((), (), minimal=False, order=order)
