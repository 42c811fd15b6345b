"""Says how likely somebody who knows a person's quasi-identifiers picks that person's record: three textbook attackers.

The definitions are those of K. El Emam and F. K. Dankar, "Protecting privacy using k-anonymity", Journal of the
American Medical Informatics Association 15 (2008), 627-637, and of K. El Emam, "Guide to the De-Identification of
Personal Health Information" (CRC Press 2013), chapters 16 to 18. ``f_j`` is the size of class ``j`` in the release,
``F_j`` the number of people of the population who fit it, ``n`` the published records:

- the **prosecutor** knows that the person is in the table: ``1 / f_j``;
- the **journalist** does not, and looks among the population: ``1 / F_j``;
- the **marketer** wants as many as possible, whoever they are: the expected share of records that are matched
  rightly, ``1/n sum_j f_j / F_j``, and ``(number of classes) / n`` where the table is the population.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.errors import DataError

Sizes = Sequence[int] | NDArray[np.signedinteger[Any]]


@dataclass(frozen=True)
class ReIdentification:
    """The risk of re-identification; every number is a probability or a share from 0 to 1, exact.

    Suppressed records show nothing that could be matched: they are in no number.

    Attributes:
        records: number of published records, suppressed ones left out.
        prosecutor_max: of the record most at risk.
        prosecutor_mean: of a record on average.
        threshold: what ``records_above`` counts from.
        records_above: records whose prosecutor's risk is above the threshold.
        marketer: see the module.
        journalist_max: of the record most at risk; None without a population.
        journalist_mean: ``max(classes / sum F_j, 1/n sum f_j / F_j)``; None without a population.
        outside: published records in classes that too few of the population fit; they count with ``F_j = f_j``.
    """

    records: int
    prosecutor_max: Fraction
    prosecutor_mean: Fraction
    threshold: Fraction
    records_above: int
    marketer: Fraction
    journalist_max: Fraction | None = None
    journalist_mean: Fraction | None = None
    outside: int = 0


def re_identification(sizes: Sizes, threshold: Fraction, population: Sizes | None = None) -> ReIdentification:
    """Return the risk of re-identification by class sizes.

    Args:
        sizes: records per class of the release; at least one class.
        threshold: a risk from 0 to 1.
        population: people of the population per class, in the same order.

    Raises:
        DataError: no class, or as many numbers of the population as there are not classes.

    >>> found = re_identification([2, 3], Fraction(2, 5))
    >>> found.prosecutor_max, found.prosecutor_mean, found.records_above, found.marketer
    (Fraction(1, 2), Fraction(2, 5), 2, Fraction(2, 5))
    >>> re_identification([2, 3], Fraction(2, 5), population=[10, 6]).marketer
    Fraction(7, 50)
    """
    held = [int(size) for size in sizes]
    if not held:
        raise DataError("The release shows no class, so that there is nothing to match; every record is suppressed.")
    records = sum(held)
    mean = Fraction(len(held), records)
    above = sum(size for size in held if Fraction(1, size) > threshold)
    risk = ReIdentification(records, Fraction(1, min(held)), mean, threshold, above, mean)
    if population is None:
        return risk
    if len(population) != len(held):
        raise DataError(f"There are {len(held)} classes, and the population is counted for {len(population)}.")
    outside = sum(size for size, people in zip(held, population, strict=True) if people < size)
    people = [max(size, int(fit)) for size, fit in zip(held, population, strict=True)]
    matched = sum((Fraction(size, fit) for size, fit in zip(held, people, strict=True)), Fraction(0)) / records
    return ReIdentification(
        records,
        risk.prosecutor_max,
        risk.prosecutor_mean,
        threshold,
        above,
        matched,
        Fraction(1, min(people)),
        max(Fraction(len(held), sum(people)), matched),
        outside,
    )
