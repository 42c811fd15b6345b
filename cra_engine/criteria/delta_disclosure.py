"""delta-disclosure privacy: values' shares in a group are near those in the table (Brickell and Shmatikov 2008)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.criterion import ColumnCriterion
from cra_engine.criteria.forms import Form, NumberField
from cra_engine.criteria.groups import Groups, with_room
from cra_engine.criteria.logarithms import log_minus
from cra_engine.criteria.parameters import Number, above_zero


@dataclass(frozen=True)
class DeltaDisclosure(ColumnCriterion):
    """The criterion that of each value a group's share ``p`` is near its share ``q`` in the table.

    ``|log2(p / q)| < delta``, as ARX has it: values that the group lacks are not asked for, though the paper's
    definition has them fail. Decided exactly; a group at ``delta`` fails.

    Args:
        attribute: the sensitive column.
        delta: above 0.

    Raises:
        StudyError: delta is none.

    >>> import pandas as pd
    >>> table = Groups.of([[0, 1], [2, 3]], {"illness": pd.Series(["flu", "gout", "flu", "flu"])})
    >>> DeltaDisclosure("illness", 1).passes(table).tolist(), DeltaDisclosure("illness", 1.1).passes(table).tolist()
    ([False, True], [True, True])
    """

    model: ClassVar[str] = "delta-disclosure"
    forms: ClassVar[tuple[Form, ...]] = (
        Form("delta-disclosure privacy", (NumberField("delta", "delta", 0.01, 100.0, 1.5, 0.25),)),
    )

    delta: Fraction

    def __init__(self, attribute: str, delta: Number) -> None:
        """Check the parameter."""
        object.__setattr__(self, "attribute", attribute)
        object.__setattr__(self, "delta", above_zero(delta, f"delta of the delta-disclosure of {attribute!r}"))

    def passes(self, groups: Groups) -> NDArray[np.bool_]:
        """Per group whether it passes."""
        spread = groups.spreads[self.attribute]
        records, many = int(spread.totals.sum()), len(spread.group)
        sizes, totals = groups.sizes[spread.group], spread.totals[spread.value]
        # p / q = c m / (C n) for c of n records in the group and C of m in the table.
        shown = with_room(spread.count, records) * records
        expected = with_room(totals, int(sizes.max(initial=1))) * sizes
        limits, exact = np.full(many, float(self.delta)), [self.delta] * many
        far = (log_minus(shown, expected, limits, exact, two=True) >= 0) | (
            log_minus(expected, shown, limits, exact, two=True) >= 0
        )
        return np.asarray(np.bincount(spread.group, far, minlength=len(groups)) == 0)

    def __str__(self) -> str:
        """As a report names it."""
        return f"{float(self.delta):g}-disclosure privacy of {self.attribute}"
