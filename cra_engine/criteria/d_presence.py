"""d-presence: from a group nobody learns well who of a population is in the table (Nergiz and others 2007)."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.criterion import GroupCriterion
from cra_engine.criteria.forms import Form, NumberField
from cra_engine.criteria.groups import Groups, at_most
from cra_engine.criteria.parameters import Number, share
from cra_engine.errors import StudyError
from cra_engine.words import number_text


@dataclass(frozen=True)
class DPresence(GroupCriterion):
    """The criterion that each group has between ``lower`` and ``upper`` of the population's records there.

    A table holds the whole population, and a column marks the records to publish. Groups without a marked record
    publish nothing and are not asked.

    Args:
        attribute: the marking column.
        value: what marked records show there.
        lower: smallest share, from 0 to 1.
        upper: largest share, from 0 to 1.

    Raises:
        StudyError: a share outside 0 to 1, or ``lower`` above ``upper``.

    >>> DPresence("study", "yes", 0.1, 0.5).passes(Groups.of([[0, 1], [2]], population=[4, 1])).tolist()
    [True, False]
    """

    model: ClassVar[str] = "d-presence"
    forms: ClassVar[tuple[Form, ...]] = (
        Form(
            "d-presence",
            (
                NumberField("lower", "Lower share", 0.0, 1.0, 0.05, 0.05),
                NumberField("upper", "Upper share", 0.0, 1.0, 0.15, 0.05),
            ),
            asks="value",
        ),
    )

    attribute: str
    value: str
    lower: Fraction
    upper: Fraction

    def __init__(self, attribute: str, value: object, lower: Number, upper: Number) -> None:
        """Check the parameters."""
        low = share(lower, "The lower bound of d-presence")
        high = share(upper, "The upper bound of d-presence")
        if low > high:
            raise StudyError(f"The lower bound of d-presence, {lower}, is above the upper one, {upper}; exchange them.")
        for key, given in (("attribute", attribute), ("value", _cell(value)), ("lower", low), ("upper", high)):
            object.__setattr__(self, key, given)

    @property
    def marking(self) -> tuple[str, str]:
        """The column and the value that mark the records to publish."""
        return self.attribute, self.value

    def passes(self, groups: Groups) -> NDArray[np.bool_]:
        """Per group whether it passes.

        Raises:
            ValueError: the groups come without their population.
        """
        if groups.population is None:
            raise ValueError("d-presence needs the population of each group")
        # lower * population <= size, as shares of the population that are missing.
        missing = groups.population - groups.sizes
        enough = at_most(missing, groups.population, 1 - self.lower)
        return np.asarray(enough & at_most(groups.sizes, groups.population, self.upper))

    def __str__(self) -> str:
        """As a report names it."""
        return f"({float(self.lower):g}, {float(self.upper):g})-presence by {self.attribute}"


def _cell(value: object) -> str:
    """Returns what a cell shows as text: ``true``, ``1``, ``0.5`` or as it is."""
    if isinstance(value, bool):
        return str(value).lower()
    return number_text(value) if isinstance(value, Decimal) else str(value)
