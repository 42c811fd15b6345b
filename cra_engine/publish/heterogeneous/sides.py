"""Says what an adversary's confidence comes to, measured on both sides of the published table.

The paper proves its guarantees for the true values behind a published row. Definitions 2 and 4 speak of a person: of
the values that are published on the rows that match it. Both are counted here.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Side:
    """How far confidence in a sensitive value grows on one side of the matches, exactly.

    Attributes:
        max_beta: the largest psi/phi - 1: psi a value's share among the matches, phi its share among all records.
        of: the rows, or people, that were looked at.
        over_count: those with a value whose gain is above beta; None where no beta was asked for.
        repeated_count: those that see a value twice.
    """

    max_beta: Fraction
    of: int
    over_count: int | None
    repeated_count: int

    @property
    def over(self) -> Fraction | None:
        """The share of rows, or people, with a value whose gain is above beta; None where no beta was asked for."""
        return None if self.over_count is None else Fraction(self.over_count, self.of)

    @property
    def repeated(self) -> Fraction:
        """The share of rows, or people, that see a value twice."""
        return Fraction(self.repeated_count, self.of)

    def to_dict(self) -> dict[str, Fraction | None]:
        """The largest gain and the shares."""
        return {"max_beta": self.max_beta, "over": self.over, "repeated": self.repeated}


def measured_side(seen: Iterable[NDArray[Any]], supports: Sequence[int], matches: int, beta: Fraction | None) -> Side:
    """Measure one side of the matches: how far confidence in a sensitive value grows.

    Args:
        seen: blocks of counts: how often each row (or person) sees each value; each of shape (rows, values).
        supports: records per value.
        matches: number of matches each row has, mu; dummies' are among them and show no value.
        beta: the gain that was promised not to be exceeded.

    Examples:
        Two people of four have value 0; a row with two matches sees it twice: from 1/2 to 1.

        >>> measured_side([np.array([[2, 0, 0], [1, 1, 0]])], [2, 1, 1], 2, Fraction(0))
        Side(max_beta=Fraction(1, 1), of=2, over_count=2, repeated_count=1)
    """
    records = sum(supports)
    # A count is whole, so the largest that keeps beta may be rounded down.
    gains = [matches if beta is None else math.floor((1 + beta) * matches * n / records) for n in supports]
    limit = np.array([min(gain, matches) for gain in gains])
    total = repeated = over = 0
    most = np.zeros(len(supports), dtype=np.int64)
    for block in seen:
        total += len(block)
        repeated += int((block > 1).any(axis=1).sum())
        over += int((block > limit).any(axis=1).sum())
        np.maximum(most, block.max(axis=0, initial=0), out=most)
    gain = max(Fraction(count * records, matches * n) for count, n in zip(most.tolist(), supports, strict=True)) - 1
    return Side(gain, total, None if beta is None else over, repeated)


def seen_by_rows(matches: NDArray[Any], values_of: NDArray[np.int64], values: int) -> Iterator[NDArray[np.int64]]:
    """Count how often each heterogeneous row sees each true value among its matches, block by block.

    Args:
        matches: per row the place of its match in each bucket; shape (rows, buckets).
        values_of: per place its value, -1 for a dummy.
        values: number of values.
    """
    at_once = max(1, MOST_AT_ONCE // max(matches.shape[1], values))
    for start in range(0, len(matches), at_once):
        some = values_of[matches[start : start + at_once]]
        yield _counted(np.repeat(np.arange(len(some)), some.shape[1]), some.ravel(), len(some), values)


def seen_by_records(
    matches: NDArray[Any], carried: NDArray[np.int64], values: int, real: NDArray[np.bool_]
) -> Iterator[NDArray[np.int64]]:
    """Count how often each record sees each value on the heterogeneous rows that match it, by bucket.

    Args:
        matches: as for :func:`seen_by_rows`.
        carried: per row the value it carries, -1 for none.
        values: number of values.
        real: which places hold a record.
    """
    size = len(matches) // matches.shape[1]
    for bucket, places in enumerate(matches.T):
        counts = _counted(places - bucket * size, carried, size, values)
        yield counts[real[bucket * size : (bucket + 1) * size]]


def _counted(who: NDArray[Any], seen: NDArray[np.int64], many: int, values: int) -> NDArray[np.int64]:
    counts = np.bincount(who.astype(np.int64) * (values + 1) + seen + 1, minlength=many * (values + 1))
    return np.asarray(counts.reshape(many, values + 1)[:, 1:])
