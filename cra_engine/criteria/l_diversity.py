"""l-diversity: a group with well-represented values of a sensitive attribute (Machanavajjhala and others 2007)."""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, gcd, prod
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.criterion import ColumnCriterion
from cra_engine.criteria.forms import Form, NumberField
from cra_engine.criteria.groups import Groups, Spread, with_room
from cra_engine.criteria.parameters import Number, above_zero, exact, whole
from cra_engine.errors import StudyError

Variant = Literal["distinct", "entropy", "recursive"]
VARIANTS: tuple[str, ...] = get_args(Variant)
_CLEAR = 1e-9  # entropies that differ by more, relative to the terms they are made of, differ in their floats too
_L = NumberField("l", "l", 1, 1000, 2)


@dataclass(frozen=True)
class LDiversity(ColumnCriterion):
    """The criterion that each group shows ``l`` well-represented values of a sensitive attribute.

    With ``m`` records and counts ``c_1 >= c_2 >= ..`` of the values in a group:

    - ``distinct``: at least ``l`` values.
    - ``entropy``: the entropy of the shares ``p = c / m`` is at least that of ``l`` values of equal share,
      ``-sum p ln p >= ln l``. Compared exactly: ``l^m * prod c^c <= m^m``.
    - ``recursive``: ``c_1 < c * (c_l + c_(l+1) + ..)``; a group of fewer than ``l`` values fails.

    Args:
        attribute: the sensitive column.
        l: 1 or more; a whole number but for ``entropy``.
        variant: see above.
        c: above 0; for ``recursive`` only.

    Raises:
        StudyError: a parameter is unusable.

    >>> import pandas as pd
    >>> group = Groups.of([[0, 1, 2, 3]], {"diagnosis": pd.Series(["flu", "flu", "cold", "gout"])})
    >>> LDiversity("diagnosis", 3).holds(group)
    True
    >>> LDiversity("diagnosis", 3, "entropy").holds(group)
    False
    >>> LDiversity("diagnosis", 2, "recursive", c=2).holds(group)
    True
    """

    CALLED: ClassVar = "a privacy model"
    COME_BY: ClassVar = "make one with LDiversity(..), TCloseness(..), BetaLikeness(..), .."
    model: ClassVar[str] = "l-diversity"
    forms: ClassVar[tuple[Form, ...]] = (
        Form("distinct l-diversity", (_L,), {"variant": "distinct"}),
        Form("entropy l-diversity", (_L,), {"variant": "entropy"}),
        Form("recursive (c, l)-diversity", (_L, NumberField("c", "c", 0.01, 1000.0, 3.0)), {"variant": "recursive"}),
    )

    l: int | Fraction  # noqa: E741 - the field's name for it
    variant: Variant = "distinct"
    c: Fraction | None = None

    def __init__(self, attribute: str, l: Number, variant: str = "distinct", c: Number | None = None) -> None:  # noqa: E741
        """Check the parameters."""
        if variant not in VARIANTS:
            raise StudyError(f"The variant of l-diversity is {variant!r}; take distinct, entropy or recursive.")
        what = f"l of the l-diversity of {attribute!r}"
        if variant == "entropy":
            value: int | Fraction = exact(l, what)
            if value < 1:
                raise StudyError(f"{what} is {l}; give a number of 1 or more.")
        else:
            value = whole(l, what)  # type: ignore[arg-type]
        factor = None
        if variant == "recursive":
            if c is None:
                raise StudyError(f"The recursive l-diversity of {attribute!r} needs c; give a number above 0.")
            factor = above_zero(c, f"c of the l-diversity of {attribute!r}")
        elif c is not None:
            raise StudyError(f"c of the l-diversity of {attribute!r} is for the recursive variant only; remove it.")
        for key, given in (("attribute", attribute), ("l", value), ("variant", variant), ("c", factor)):
            object.__setattr__(self, key, given)

    @property
    def monotone(self) -> bool:
        """Whether a group that passes still does with more records in it."""
        return self.variant == "distinct"

    @property
    def least(self) -> int:
        """Number of records that a group needs at least to pass: it needs so many values."""
        return ceil(self.l)

    def passes(self, groups: Groups) -> NDArray[np.bool_]:
        """Per group whether it passes."""
        spread = groups.spreads[self.attribute]
        if not len(groups):
            return np.zeros(0, dtype=bool)
        starts = spread.starts()
        several = np.diff(starts, append=len(spread.group)) >= self.least
        if self.variant == "distinct" or not several.any():
            return np.asarray(several)
        if self.variant == "recursive":
            return np.asarray(several & self._tail_is_heavy(spread, starts))
        return np.asarray(several & self._even(groups, spread, starts))

    def _tail_is_heavy(self, spread: Spread, starts: NDArray[np.int64]) -> NDArray[np.bool_]:
        assert self.c is not None  # noqa: S101 - checked when built
        count = spread.count[np.lexsort((-spread.count, spread.group))]
        place = np.arange(len(count)) - np.repeat(starts, np.diff(starts, append=len(count)))
        tail = np.add.reduceat(np.where(place >= self.least - 1, count, 0), starts)
        most = with_room(count[starts], self.c.denominator) * self.c.denominator
        return np.asarray(most < with_room(tail, self.c.numerator) * self.c.numerator, dtype=bool)

    def _even(self, groups: Groups, spread: Spread, starts: NDArray[np.int64]) -> NDArray[np.bool_]:
        sizes = groups.sizes.astype(float)
        whole_part = sizes * np.log(sizes)
        parts = np.add.reduceat(spread.count * np.log(spread.count), starts)
        above = whole_part - parts - sizes * np.log(float(self.l))
        result = np.asarray(above > 0)
        ends = np.append(starts[1:], len(spread.count))
        for group in np.flatnonzero(np.abs(above) <= _CLEAR * (whole_part + 1)):
            result[group] = _even_exactly(spread.count[starts[group] : ends[group]].tolist(), Fraction(self.l))
        return result

    def __str__(self) -> str:
        """As a report names it."""
        if self.variant == "recursive":
            return f"recursive ({_text(self.c)}, {self.l})-diversity of {self.attribute}"
        return f"{self.variant} {_text(self.l)}-diversity of {self.attribute}"


def _even_exactly(counts: list[int], l: Fraction) -> bool:  # noqa: E741
    size = sum(counts)
    with localcontext(prec=60):
        parts = (count * Decimal(count).ln() for count in counts)
        above = size * (Decimal(size) * l.denominator / l.numerator).ln() - sum(parts, Decimal(0))
        if abs(above) > Decimal("1e-30"):
            return above > 0
    shared = gcd(*counts)  # does not change which is larger, and makes the powers short where values are as frequent
    size //= shared
    grown = prod((count // shared) ** (count // shared) for count in counts)
    return bool(l.numerator**size * grown <= (size * l.denominator) ** size)


def _text(value: int | Fraction | None) -> str:
    return f"{float(value or 0):g}"
