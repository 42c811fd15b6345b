"""Non-uniform entropy: how much less probable values are made by generalizing them (Gionis and Tassa 2009).

A value ``v`` of an attribute that is published as ``g(v)`` loses ``log2(f(g(v)) / f(v))`` bits, ``f`` counting the
records of the whole table. Suppressed records lose, beyond that, what their generalized values still told among
themselves: ``-sum c log2(c / s)`` per attribute, ``c`` of the ``s`` suppressed records showing the same. All of it are
sums of ``x log2 x`` over whole numbers ``x``, so that two losses can be compared exactly: they are equal where the
prime factors of all ``x^x`` cancel, and else enough digits tell them apart.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import total_ordering

from propcache.api import cached_property

from cra_engine.utility.signs import sign_of_sum

CLEAR = 1e-11  # losses that differ by more, relative to the terms they are made of, differ in their floats, too


@total_ordering
@dataclass(frozen=True, eq=False)
class EntropyLoss:
    """The entropy loss of a published table in bits, from 0; less is better.

    Attributes:
        terms: per whole number ``x`` how often ``x log2 x`` is counted, less often than never where negative.

    >>> loss = EntropyLoss.of(before=[[1, 1, 2]], after=[[2, 2]])
    >>> loss.value
    2.0
    """

    terms: Mapping[int, int]

    @classmethod
    def of(
        cls, before: Iterable[Iterable[int]], after: Iterable[Iterable[int]], suppressed: Iterable[Iterable[int]] = ()
    ) -> "EntropyLoss":
        """The loss of a table in which equal values of an attribute are published alike, as one state does.

        Args:
            before: per attribute, records of the whole table by raw value.
            after: per attribute, records of the whole table by published value, suppressed ones where they would be.
            suppressed: per attribute, suppressed records by the value that would be published.
        """
        terms: Counter[int] = Counter()
        for counts in after:
            terms.update(counts)
        for counts in before:
            terms.subtract(counts)
        for counts in suppressed:
            held = list(counts)
            terms[sum(held)] += 1
            terms.subtract(held)
        return cls({x: often for x, often in terms.items() if often and x > 1})

    @cached_property
    def value(self) -> float:
        """The loss in bits, right to about 13 digits of its largest terms."""
        return math.fsum(often * x * math.log2(x) for x, often in self.terms.items())

    @cached_property
    def terms_size(self) -> float:
        """The terms without their signs, added up: rounding is small beside it."""
        return math.fsum(abs(often) * x * math.log2(x) for x, often in self.terms.items())

    def __eq__(self, other: object) -> bool:
        """Exactly equal."""
        return self._sign(other) == 0 if isinstance(other, EntropyLoss) else NotImplemented

    def __lt__(self, other: "EntropyLoss") -> bool:
        """Exactly less."""
        return self._sign(other) < 0

    __hash__ = None  # type: ignore[assignment]

    def _sign(self, other: "EntropyLoss") -> int:
        apart = self.value - other.value
        if abs(apart) > CLEAR * (self.terms_size + other.terms_size):
            return -1 if apart < 0 else 1
        terms = Counter(self.terms)
        terms.subtract(other.terms)
        left = {x: often for x, often in terms.items() if often}
        if _cancels(left):
            return 0
        return sign_of_sum(lambda: [often * x * Decimal(x).ln() for x, often in left.items()])


def _cancels(terms: Mapping[int, int]) -> bool:
    """Returns whether the product of ``x^(x * often)`` is 1."""
    powers: Counter[int] = Counter()
    for x, often in terms.items():
        for prime, exponent in _factors(x):
            powers[prime] += exponent * x * often
    return not any(powers.values())


def _factors(number: int) -> Iterable[tuple[int, int]]:
    prime = 2
    while prime * prime <= number:
        exponent = 0
        while number % prime == 0:
            number //= prime
            exponent += 1
        if exponent:
            yield prime, exponent
        prime += 1
    if number > 1:
        yield number, 1
