"""Buckets of equal size, filled by sensitive value: what every row later takes one match from each of.

Algorithms 1 and 3 of Gkountouna et al., One-off Disclosure Control by Heterogeneous Generalization (USENIX Security
2022). Both look at the supports of the sensitive values alone, so a filling is a list of runs; which records of a value
go where is drawn afterwards.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.parameters import Number, exact
from cra_engine.errors import StudyError
from cra_engine.expected import expect_each, whole_number


class BucketFill(NamedTuple):
    """A number of records of one sensitive value in one bucket."""

    bucket: int
    value: int
    records: int


@dataclass(frozen=True)
class Buckets:
    """Buckets of equal size over sensitive values, for heterogeneous generalization.

    Attributes:
        bucket_size: places in a bucket, c.
        buckets: number of buckets, mu; each published row has as many matches.
        dummies: places that no record fills.
        runs: what lies where; the places that are left in a bucket are dummies'.
        touched: per sensitive value the number of buckets that hold it, abs(B_i).
        beta_bound: the beta that Eq. (7) promises: c / min_i(n_i / abs(B_i)) - 1.
    """

    bucket_size: int
    buckets: int
    dummies: int
    runs: tuple[BucketFill, ...]
    touched: tuple[int, ...]
    beta_bound: Fraction

    @classmethod
    def of(cls, supports: Sequence[int], bucket_size: int, buckets: int, runs: tuple[BucketFill, ...]) -> "Buckets":
        """Buckets with these runs."""
        touched = [0] * len(supports)
        for run in runs:
            touched[run.value] += 1
        bound = max(Fraction(bucket_size * b, n) for b, n in zip(touched, supports, strict=True) if n) - 1
        return cls(bucket_size, buckets, buckets * bucket_size - sum(supports), runs, tuple(touched), bound)


def exact_beta(beta: Number) -> Fraction:
    """Read the beta of beta-likeness as it is written: 0.1 is one tenth.

    Raises:
        StudyError: it is negative or no finite number.
    """
    found = exact(beta, "beta")
    if found < 0:
        raise StudyError(f"beta is {beta}; give the largest relative gain in confidence to allow: 0 or more, finite.")
    return found


def diversity_buckets(supports: Sequence[int], l: int, size: int | None = None) -> Buckets:  # noqa: E741
    """Fill l buckets (Algorithm 1), the most frequent values first, each value into the emptiest bucket.

    Args:
        supports: how many records have each sensitive value.
        l: number of buckets.
        size: places in a bucket; ceil(n / l) by default.

    Raises:
        StudyError: l is below 2, or the table is not l-eligible: a value is more frequent than n / l.

    Examples:
        Section 3.3: supports of a, b, c, d, e, f; the two f share the last two buckets.

        >>> filled = diversity_buckets([3, 3, 3, 2, 2, 2], 5)
        >>> ["".join("abcdef"[r.value] * r.records for r in filled.runs if r.bucket == b) for b in range(5)]
        ['aaa', 'bbb', 'ccc', 'ddf', 'eef']
    """
    if l < 2:
        raise StudyError(f"l is {l}; each person has to be hidden among at least 2 sensitive values.")
    records = sum(supports)
    if max(supports) * l > records:
        raise StudyError(
            f"The table of {records:,} records cannot be made {l}-diverse: its most frequent sensitive value has "
            f"{max(supports):,} records, and at most {records // l:,} are admitted (n / l); take l = "
            f"{records // max(supports)} or less."
            if records // max(supports) >= 2
            else f"The table of {records:,} records cannot be made diverse at all: its most frequent sensitive value "
            f"has {max(supports):,} records, more than half; no l of 2 or more admits that."
        )
    size = -(-records // l) if size is None else size
    order = sorted((i for i, n in enumerate(supports) if n), key=lambda i: -supports[i])
    room = [size] * l
    runs = []
    for position, value in enumerate(order):
        left = supports[value]
        closed: set[int] = set()
        while left:
            if position < l:
                bucket = position
            else:
                bucket = max((b for b in range(l) if room[b] and b not in closed), key=lambda b: (room[b], -b))
            taken = min(left, room[bucket])
            runs.append(BucketFill(bucket, value, taken))
            room[bucket] -= taken
            left -= taken
            closed.add(bucket)
    return Buckets.of(supports, size, l, tuple(runs))


def likeness_buckets(supports: Mapping[str, int] | Sequence[int], beta: Number) -> Buckets:
    """Fill the largest buckets whose filling keeps beta by Eq. (7) (Algorithm 3).

    Sizes are tried from the largest support down, without rounding (the paper's line 22 rounds up and then accepts
    sizes that break beta). At beta = 0 it is the greatest common divisor of the supports (Corollary 1).

    Args:
        supports: how many records have each sensitive value.
        beta: largest relative gain in confidence.

    Raises:
        StudyError: beta is negative or not finite, or there is no record.

    Examples:
        Section 4.4: six, seven and twelve records of a value.

        >>> found = likeness_buckets([6, 7, 12], 0.7)
        >>> found.bucket_size, found.buckets, found.dummies, found.touched, str(found.beta_bound)
        (5, 5, 0, (2, 2, 3), '2/3')
    """
    counts = _counts(supports)
    (found,) = likeness_parts([counts], counts, beta)
    return found


def likeness_parts(parts: Sequence[Sequence[int]], supports: Sequence[int], beta: Number) -> list[Buckets]:
    """Fill buckets of one size and number for a table's parts, such that each keeps beta for the whole table.

    In a part of m records the share of value i among a row's matches is at most abs(B_i)/mu, which must not exceed
    (1 + beta) n_i / n of the whole table; with mu >= m/c it suffices that c abs(B_i) <= (1 + beta) n_i m / n, which is
    Eq. (7) where the part is the table.

    Raises:
        StudyError: beta is negative or not finite, or no size keeps beta in every part.
    """
    exact = exact_beta(beta)
    records = sum(supports)
    each = [np.array(part, dtype=np.int64) for part in parts]
    # c * touched is whole, so its limit may be rounded down.
    limits = [
        np.array([min(math.floor((1 + exact) * n * sum(part) / records), 2**62) for n in supports], dtype=np.int64)
        for part in parts
    ]
    largest = max(max(part) for part in parts)
    first = math.gcd(*supports) if not exact and len(parts) == 1 else largest
    for size in range(first, 0, -1):
        if all((size * _touched(part, size) <= limit).all() for part, limit in zip(each, limits, strict=True)):
            buckets = max(-(-sum(part) // size) for part in parts)
            return [bucket_filling(part, size, buckets) for part in parts]
    raise StudyError(
        f"With beta = {float(exact):g} the table cannot be split into {len(parts)} parts: a rare sensitive value would "
        "stand out in its part; take fewer parts, a larger beta, or merge rare values."
    )


def diversity_for_likeness(supports: Mapping[str, int] | Sequence[int], beta: Number) -> int | None:
    """Return the least l whose buckets keep beta (Theorem 4), where Eq. (5) holds for them; else None.

    The theorem's l = 1 / ((1 + beta) phi_min), rounded up, may not be eligible; it is not given then.

    Examples:
        >>> diversity_for_likeness([5, 5, 5, 5], 0), diversity_for_likeness([6, 7, 12], 0.7)
        (4, None)
        >>> diversity_for_likeness([6, 7, 12], 3)
        2
    """
    counts = _counts(supports)
    exact, records = exact_beta(beta), sum(counts)
    least = max(2, math.ceil(records / ((1 + exact) * min(n for n in counts if n))))
    for l in range(least, records // max(counts) + 1):  # noqa: E741
        touched = diversity_buckets(counts, l).touched
        if all(b * records <= (1 + exact) * n * l for b, n in zip(touched, counts, strict=True)):
            return l
    return None


def _counts(supports: Mapping[str, int] | Sequence[int]) -> list[int]:
    each = expect_each(supports.values() if isinstance(supports, Mapping) else supports, Real, "the supports")
    counts = [count for n in each if (count := whole_number(n)) is not None]
    if len(counts) < len(each) or not any(counts) or min(counts) < 0:
        raise StudyError("The supports of the sensitive values must be counts, at least one of them above 0.")
    return counts


def _order(supports: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Values as Algorithm 3 places them: those whose support the size divides, then the others, by falling support."""
    falling = np.argsort(-supports, kind="stable")
    whole = supports[falling] % size == 0
    return np.concatenate([falling[whole], falling[~whole]])


def _touched(supports: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Per value the number of buckets it lies in when buckets are filled one after the other."""
    order = _order(supports, size)
    ends = np.cumsum(supports[order])
    starts = ends - supports[order]
    touched = np.empty_like(supports)
    touched[order] = np.where(ends > starts, (ends - 1) // size - starts // size + 1, 0)
    return touched


def bucket_filling(supports: Sequence[int], size: int, buckets: int) -> Buckets:
    """Fill buckets of a size by Algorithm 3, whatever beta they promise.

    Examples:
        >>> [round(float(bucket_filling([6, 7, 12], c, -(-25 // c)).beta_bound), 3) for c in range(12, 6, -1)]
        [3.0, 2.667, 2.333, 1.571, 1.667, 1.333]
    """
    return Buckets.of(supports, size, buckets, tuple(_runs(np.array(supports, dtype=np.int64), size)))


def _runs(supports: NDArray[np.int64], size: int) -> Iterator[BucketFill]:
    place = 0
    for value in _order(supports, size).tolist():
        left = int(supports[value])
        while left:
            taken = min(left, size - place % size)
            yield BucketFill(place // size, value, taken)
            place += taken
            left -= taken
