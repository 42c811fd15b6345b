"""ARX's coding model: how a step weighs generalization against suppression, and what that leaves of an attack's bounds.

The g/s factor is 0 for ARX's local transformation unless somebody moved the coding model's slider; the programming
interface takes 0.5. With 0 the loss of a state does not see how many records the state leaves unpublished, and the
order of states is known without the data. With any other factor it does, and a coarser state may go before a finer one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from cra_engine.errors import StudyError
from cra_engine.files.notation import decimal_in
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import State

PIECES = 512  # parts that the possible numbers of remaining records are looked at in
ROUNDING = 1e-9  # ARX cuts each attribute's loss after ten digits

GsFactor = str | int | float | Decimal


def gs_factor_of(value: GsFactor) -> Decimal:
    """Read a study's g/s factor as an exact number.

    Raises:
        StudyError: it is no number from 0 to 1.

    >>> gs_factor_of("0.5")
    Decimal('0.5')
    """
    factor = decimal_in(str(value))
    if factor is None or not 0 <= factor <= 1:
        raise StudyError(
            f"The g/s factor is {str(value)[:40]!r}; give a number from 0 to 1: 0 for ARX's local transformation as it "
            "comes, 0.5 for the default of its programming interface."
        )
    return factor


@dataclass(frozen=True)
class CodingModel:
    """The coding model by which ARX weighs suppression: it bounds a class's halves where the g/s factor is above 0.

    A class formed at state ``t``. Whatever a finer state could have published then, ARX found ``t`` no worse: so the
    finer state published no more than makes its loss equal, and no half of the class held more (docs/method.md, 11).

    Attributes:
        attributes: the hierarchies.
        factor: the g/s factor, above 0.
        published: per state that formed classes the number of their records.
        records: of the table.
        suppressed: suppressed records.
        least: what bounds a half at any factor: k - 1, or what a skipped state may leave.
        sure: True when the shares that ARX's loss counts are known without the data, and each class's state is.
    """

    attributes: tuple[Hierarchy, ...]
    factor: Decimal
    published: Mapping[State, int]
    records: int
    suppressed: int
    least: int
    sure: bool

    def caps(self, state: State, size: int) -> dict[int, int]:
        """Per attribute that a class generalizes the most records of a half, where that is less than all of them.

        Args:
            state: the state of the class; the top for the suppressed records.
            size: number of its records.
        """
        top = tuple(attribute.layers for attribute in self.attributes)
        caps = {}
        for position, layer in enumerate(state):
            if layer == 1:
                continue
            if state == top and self.factor <= Decimal("0.5"):
                cap = self.least  # the top loses more than any state that can publish: nothing could when it ended
            elif not self.sure:
                continue
            else:
                finer = (*state[:position], layer - 1, *state[position + 1 :])
                amount = self.suppressed if state == top else self.published[state]
                cap = max(self.least, self._most(finer, state, amount))
            if cap < size:
                caps[position] = cap
        return caps

    def _most(self, finer: State, state: State, amount: int) -> int:
        """The most records that ``finer`` can have published when ``state`` went before it with ``amount`` records."""
        low, high = self._left(state, amount)
        if high - low < PIECES:
            starts = np.arange(low, high + 1)
            ends = starts
        else:
            edges = np.unique(np.geomspace(low, high + 1, PIECES + 1).astype(np.int64))
            starts, ends = edges[:-1], edges[1:]
        # Within a piece each side is taken at the end that allows more.
        needed = self._growth(state, np.minimum(amount / starts, 1.0)) / (1 + ROUNDING)
        fewest, most = np.zeros(len(starts), dtype=np.int64), np.full(len(starts), amount, dtype=np.int64)
        while (fewest < most).any():
            middle = (fewest + most + 1) // 2
            fits = self._growth(finer, np.minimum(middle / ends, 1.0)) >= needed
            fewest, most = np.where(fits, middle, fewest), np.where(fits, most, middle - 1)
        return int(fewest.max())

    def _left(self, state: State, amount: int) -> tuple[int, int]:
        """The fewest and the most records that can have been left when a state had its turn."""
        if all(layer == attribute.layers for layer, attribute in zip(state, self.attributes, strict=True)):
            return amount, amount
        after = sum(number for other, number in self.published.items() if _finer(state, other))
        before = sum(number for other, number in self.published.items() if _finer(other, state))
        return amount + after + self.suppressed, self.records - before

    def _growth(self, state: State, part: NDArray[np.float64]) -> NDArray[np.float64]:
        """The product of 1 + loss per attribute where a state publishes this part of the remaining records."""
        return growth(self.attributes, state, float(self.factor), part)


def growth(
    attributes: Sequence[Hierarchy], state: State, factor: float, part: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return ARX's loss of a state that publishes a part of the remaining records, as a product per attribute.

    Args:
        attributes: hierarchies whose layers have nodes of one share each.
        state: the state.
        factor: the g/s factor.
        part: what it publishes of the remaining records, 0 to 1.

    >>> from cra_engine import Attribute
    >>> growth([Attribute("age", 0, 4, layers=3)], (2,), 0.0, np.array([0.25, 1.0])).round(3).tolist()
    [1.333, 1.333]
    >>> growth([Attribute("age", 0, 4, layers=3)], (2,), 0.5, np.array([0.25, 1.0])).round(3).tolist()
    [1.833, 1.333]
    """
    suppression = min(1.0, 2 * factor)
    generalization = 1.0 if factor <= 0.5 else 2 - 2 * factor
    result = np.ones_like(part)
    for attribute, layer in zip(attributes, state, strict=True):
        share = float(attribute.shares(layer)[0])
        least = generalization * float(attribute.least_share)
        if least == 1:
            continue
        left_out = share + suppression * (1 - share)
        result = result * (1 + (part * generalization * share + (1 - part) * left_out - least) / (1 - least))
    return result


def _finer(state: State, other: State) -> bool:
    return state != other and all(layer <= above for layer, above in zip(state, other, strict=True))
