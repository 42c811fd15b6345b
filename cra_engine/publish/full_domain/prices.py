"""Says what each privacy model costs beside k-anonymity alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from cra_engine.criteria.k_anonymity import KAnonymity
from cra_engine.criteria.models import Criterion
from cra_engine.publish.full_domain.classes import State
from cra_engine.publish.full_domain.recoding import FullDomain


@dataclass(frozen=True)
class Price:
    """The best global recoding under some of the criteria.

    Attributes:
        criteria: which.
        anonymous: number of anonymous states.
        state: the published one; None where no state is anonymous.
        suppressed: number of suppressed records there.
        classes: number of published classes there.
        loss: by the utility that was asked for; None where no state is anonymous.
    """

    criteria: tuple[Criterion, ...]
    anonymous: int
    state: State | None
    suppressed: int
    classes: int
    loss: float | None


def prices(whole: FullDomain, limit: int, utility: str = "entropy") -> tuple[Price, ...]:
    """Recode globally under k-anonymity alone, with each other criterion beside it, and under all of them.

    The records to publish stay the same throughout, so that a difference is the price of a model.

    Args:
        whole: the table with all criteria.
        limit: the most records that may be suppressed.
        utility: the loss that decides.
    """
    basis = tuple(criterion for criterion in whole.criteria if isinstance(criterion, KAnonymity))
    others = [criterion for criterion in whole.criteria if not isinstance(criterion, KAnonymity)]
    sets = [basis, *((*basis, other) for other in others), whole.criteria]
    return tuple(_price(whole, chosen, limit, utility) for chosen in dict.fromkeys(sets) if chosen)


def _price(whole: FullDomain, criteria: Sequence[Criterion], limit: int, utility: str) -> Price:
    looks = whole.searcher(criteria, limit, entropies=utility == "entropy").search()
    state = looks.best(utility)
    anonymous = int(looks.anonymous.sum())
    if state is None:
        return Price(tuple(criteria), anonymous, None, 0, 0, None)
    return Price(
        tuple(criteria),
        anonymous,
        state,
        int(looks.suppressed[state]),
        int(looks.classes[state]),
        looks.loss(state, utility),
    )
