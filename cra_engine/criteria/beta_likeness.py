"""beta-likeness: no value is much more frequent in a group than in the whole table (Cao and Karras 2012)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.criterion import ColumnCriterion
from cra_engine.criteria.forms import Form, NumberField
from cra_engine.criteria.groups import Groups, at_most, with_room
from cra_engine.criteria.logarithms import log_minus
from cra_engine.criteria.parameters import Number, above_zero
from cra_engine.errors import StudyError

Likeness = Literal["basic", "enhanced"]
_BETA = NumberField("beta", "beta", 0.01, 1000.0, 2.0, 0.5)


@dataclass(frozen=True)
class BetaLikeness(ColumnCriterion):
    """The criterion that of no value a group's share ``p`` is far above its share ``q`` in the table.

    - ``basic``: ``(p - q) / q <= beta``, in whole numbers, so that a group exactly there passes.
    - ``enhanced``: ``(p - q) / q <= min(beta, -ln q)``, so that rare values may not gain more than common ones could.

    Args:
        attribute: the sensitive column.
        beta: above 0.
        variant: see above.

    Raises:
        StudyError: a parameter is unusable.

    >>> import pandas as pd
    >>> table = Groups.of([[0, 1], [2, 3]], {"illness": pd.Series(["flu", "flu", "flu", "gout"])})
    >>> BetaLikeness("illness", 1).passes(table).tolist(), BetaLikeness("illness", 0.5).passes(table).tolist()
    ([True, True], [True, False])
    >>> BetaLikeness("illness", 1, "enhanced").passes(table).tolist()
    [False, True]
    """

    model: ClassVar[str] = "beta-likeness"
    forms: ClassVar[tuple[Form, ...]] = (
        Form("basic beta-likeness", (_BETA,), {"variant": "basic"}),
        Form("enhanced beta-likeness", (_BETA,), {"variant": "enhanced"}),
    )

    beta: Fraction
    variant: Likeness = "basic"

    def __init__(self, attribute: str, beta: Number, variant: str = "basic") -> None:
        """Check the parameters."""
        if variant not in get_args(Likeness):
            raise StudyError(f"The variant of beta-likeness is {variant!r}; take basic or enhanced.")
        limit = above_zero(beta, f"beta of the beta-likeness of {attribute!r}")
        for key, given in (("attribute", attribute), ("beta", limit), ("variant", variant)):
            object.__setattr__(self, key, given)

    def passes(self, groups: Groups) -> NDArray[np.bool_]:
        """Per group whether it passes."""
        spread = groups.spreads[self.attribute]
        records = int(spread.totals.sum())
        sizes, totals = groups.sizes[spread.group], spread.totals[spread.value]
        # (p - q) / q = (c m - C n) / (C n) for c of n records in the group and C of m in the table.
        expected = with_room(totals, int(sizes.max(initial=1))) * sizes
        gained = with_room(spread.count, records) * records - expected
        fine = at_most(gained, expected, self.beta)
        if self.variant == "enhanced":
            rare = np.flatnonzero(fine & (gained > 0))
            exact = [Fraction(int(gained[place]), int(expected[place])) for place in rare]
            above = log_minus(np.full(len(rare), records), totals[rare], np.array(exact, dtype=float), exact, two=False)
            fine[rare[above < 0]] = False
        return np.asarray(np.bincount(spread.group, ~fine, minlength=len(groups)) == 0)

    def __str__(self) -> str:
        """As a report names it."""
        return f"{self.variant} {float(self.beta):g}-likeness of {self.attribute}"
