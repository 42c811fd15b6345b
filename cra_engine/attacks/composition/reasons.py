"""Why a cell is certain where several releases are put together: few of their bounds that force its count."""

from collections.abc import Callable, Sequence
from itertools import islice, product

from cra_engine.attacks.composition.parts import Part
from cra_engine.attacks.composition.proofs import forced
from cra_engine.attacks.composition.system import JointSystem
from cra_engine.attacks.composition.words import describe_joint
from cra_engine.attacks.tight.certainty import minimal_set
from cra_engine.attacks.tight.views import Explanation

MOST_ORDERS = 24  # so many orders of tied states are explained one by one


def reasons(
    system: JointSystem, part: Part, position: int, value: int, most: int, left: Callable[[], float]
) -> list[Explanation]:
    """Per possible order of tied states a minimal set of bounds that force the count of a cell.

    Args:
        system: the bounds of all releases.
        part: the part of it that holds the cell, without any limits but those of the bounds.
        position: the cell's in the system.
        value: its number of records.
        most: the most records that a cell can hold.
        left: the seconds that are left.
    """
    atom = next(number for number, members in enumerate(part.atoms) if position in members.cells)
    counts = range(atom * part.times, (atom + 1) * part.times)
    limits = [(0, most)] * len(part.limits)
    explanations = []
    for options in islice(product(*part.sources), MOST_ORDERS):
        bounds = [bound for option in options for bound in option.bounds]
        sums = [s for option in options for s in option.sums]

        def are_enough(chosen: Sequence[int], sums: Sequence = sums) -> bool | None:  # type: ignore[type-arg]
            return forced(limits, [sums[p] for p in chosen], counts, value, left)

        def late(p: int, sums: Sequence = sums) -> bool:  # type: ignore[type-arg]
            return bool(set(sums[p].counts) & set(counts))

        found = minimal_set(len(sums), are_enough, late)
        order = tuple(
            states for option in options for _, supposed in option.choice.hypotheses for states in supposed.order
        )
        if found is None:
            explanations.append(Explanation((), (), minimal=False, order=order))
            continue
        chosen = sorted((bounds[p] for p in found[0]), key=lambda b: -1 if b.release is None else b.release)
        texts = tuple(describe_joint(system, bound) for bound in chosen)
        own = tuple(bound.bound for bound in chosen if bound.bound is not None)
        explanations.append(Explanation(own, texts, found[1], order))
    return explanations
