"""Average re-identification risk: the classes of a table are large enough on average."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.criterion import GroupCriterion
from cra_engine.criteria.forms import Form, NumberField
from cra_engine.criteria.groups import Groups
from cra_engine.criteria.parameters import Number, share
from cra_engine.errors import StudyError


@dataclass(frozen=True)
class AverageRisk(GroupCriterion):
    """The criterion that ``1 / size of the class``, as a mean over the published records, is at most ``risk``.

    It is asked of all groups together, unlike the other criteria. Where they are too small the smallest of them fail,
    of equal ones those that come first, until the rest are large enough (as ARX suppresses).

    Args:
        risk: above 0, up to 1.

    Raises:
        StudyError: it is none.

    >>> AverageRisk(0.25).passes(Groups.of([[0, 1], [2, 3, 4, 5], [6, 7, 8]])).tolist()
    [False, True, False]
    """

    model: ClassVar[str] = "average-risk"
    forms: ClassVar[tuple[Form, ...]] = (
        Form("average re-identification risk", (NumberField("risk", "Risk", 0.01, 1.0, 0.2, 0.05),), asks="nothing"),
    )

    risk: Fraction

    def __init__(self, risk: Number) -> None:
        """Check the parameter."""
        found = share(risk, "risk of the average re-identification risk")
        if not found:
            raise StudyError("The average re-identification risk is 0, which no class has; give a number above 0.")
        object.__setattr__(self, "risk", found)

    def passes(self, groups: Groups) -> NDArray[np.bool_]:
        """Per group whether it is left."""
        order = np.argsort(groups.sizes, kind="stable")
        left = np.cumsum(groups.sizes[order][::-1], dtype=object)[::-1]  # records from here on
        classes = np.arange(len(order), 0, -1).astype(object)
        fine = np.asarray(classes * self.risk.denominator <= left * self.risk.numerator, dtype=bool)
        result = np.zeros(len(order), dtype=bool)
        result[order[int(fine.argmax()) if fine.any() else len(order) :]] = True
        return result

    def __str__(self) -> str:
        """As a report names it."""
        return f"average re-identification risk of {float(self.risk):g}"
