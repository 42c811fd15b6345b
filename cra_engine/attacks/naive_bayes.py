"""A learner against a published table: guess everybody's sensitive value from the quasi-identifiers.

Cormode's attack (KDD 2011) as Gkountouna et al. put it to generalized tables (USENIX Security 2022, section 6). It
needs no person's row, only counts; a guarantee for single people does not bound it by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from math import prod
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import ReleaseError
from cra_engine.patience import checkpoint
from cra_engine.published import Published
from cra_engine.utility.coverage import Coverage

CLOSE = 1e-9  # logarithms nearer to each other than that are compared exactly
AT_ONCE = 2_000_000
BLANK = "*"  # a sensitive cell that says nothing; its row is left out


@dataclass(frozen=True, eq=False)
class NaiveBayes:
    """The guesses of an attack by a naive Bayes classifier; exact: no guess hangs on rounding.

    Attributes:
        guesses: per person the sensitive value that is likeliest for the learner.
        trivial: the value that somebody guesses for everybody who knows the overall distribution alone.
    """

    guesses: tuple[str, ...]
    trivial: str

    def accuracy(self, truth: "Sequence[Any] | pd.Series[Any]") -> Fraction:
        """The share of people guessed right.

        Args:
            truth: per person the true value.
        """
        right = sum(guess == str(true) for guess, true in zip(self.guesses, truth, strict=True))
        return Fraction(right, len(self.guesses))

    def baseline(self, truth: "Sequence[Any] | pd.Series[Any]") -> Fraction:
        """The share guessed right by :attr:`trivial`: what an attack has to beat."""
        return Fraction(sum(self.trivial == str(true) for true in truth), len(self.guesses))


def naive_bayes(
    published: Published,
    people: pd.DataFrame,
    quasi_identifiers: Sequence[str],
    sensitive: str,
    *,
    alpha: int = 0,
) -> NaiveBayes:
    """Attack by guessing v(t) = argmax over v of Pr[v] prod_j Pr[t_j | v] for each person t.

    Pr[t_j | v] = (count(t_j | v) + alpha) / (count(v) + alpha |QI_j|), count(t_j | v) the rows that carry v and whose
    cell covers t_j, |QI_j| the number of distinct values in the data. Ties go to the more frequent value, then by name.

    Args:
        published: the table, in whatever way it was published.
        people: whom to guess: their quasi-identifiers, numbers where the table shows intervals.
        quasi_identifiers: the columns the learner uses.
        sensitive: name of the published table's sensitive column.
        alpha: 0 the classic learner, 1 with Laplace's correction.

    Raises:
        ReleaseError: no row shows a sensitive value.

    Examples:
        >>> from cra_engine.published import Extents, Interval
        >>> ages = Extents((Interval(31, 33, closed=True), Interval(45, 45, closed=True)), np.array([0, 0, 1]))
        >>> frame = pd.DataFrame({"age": ["[31, 33]", "[31, 33]", "45"], "illness": ["flu", "flu", "gout"]})
        >>> table = Published(frame, {"age": ages}, (), np.array([], dtype=np.int64))
        >>> naive_bayes(table, pd.DataFrame({"age": [32, 45]}), ["age"], "illness").guesses
        ('flu', 'gout')
    """
    carried = published.frame[sensitive].astype(str).to_numpy(dtype=object)
    names = sorted(set(carried.tolist()) - {BLANK})
    if not names:
        raise ReleaseError(f"The column {sensitive!r} of the published table shows no sensitive value to learn from.")
    number = {name: at for at, name in enumerate(names)}
    group = np.array([number.get(cell, -1) for cell in carried], dtype=np.int64)
    totals = np.bincount(group[group >= 0], minlength=len(names))
    preferred = sorted(range(len(names)), key=lambda at: (-int(totals[at]), names[at]))
    coverages = [Coverage(people[name], published.extents[name]) for name in quasi_identifiers]
    # Values in the order in which ties are broken, so that the first of equals is right.
    counts = [coverage.counted(group, len(names))[:, preferred] for coverage in coverages]
    different, of_person = np.unique(
        np.stack([coverage.codes for coverage in coverages], axis=1), axis=0, return_inverse=True
    )
    learner = _Learner(counts, totals[preferred], [len(coverage.domain) for coverage in coverages], alpha)
    best = learner.guesses(different)[of_person.reshape(-1)]
    guesses = tuple(names[preferred[at]] for at in best.tolist())
    return NaiveBayes(guesses, names[preferred[0]])


class _Learner:
    """Scores of all values for combinations of quasi-identifiers, the first of equals winning."""

    def __init__(
        self, counts: Sequence[NDArray[np.int64]], totals: NDArray[np.int64], sizes: Sequence[int], alpha: int
    ) -> None:
        self._counts, self._totals, self._sizes, self._alpha = counts, totals, sizes, alpha
        with np.errstate(divide="ignore"):
            self._logs = [
                np.log(count + alpha) - np.log(totals + alpha * size) for count, size in zip(counts, sizes, strict=True)
            ]
        self._prior = np.log(totals)

    def guesses(self, combinations: NDArray[np.int64]) -> NDArray[np.int64]:
        """Per combination of codes the index of the winning value."""
        best = np.zeros(len(combinations), dtype=np.int64)
        step = max(1, AT_ONCE // len(self._totals))
        for start in range(0, len(combinations), step):
            checkpoint()
            some = combinations[start : start + step]
            scores = np.repeat(self._prior[None, :], len(some), axis=0)
            for attribute, logs in enumerate(self._logs):
                scores += logs[some[:, attribute]]
            top = scores.max(axis=1)
            near = (scores >= (top - CLOSE)[:, None]) & np.isfinite(scores)
            first = np.where(near.any(axis=1), near.argmax(axis=1), 0)  # all impossible: the most frequent value
            for row in np.flatnonzero(near.sum(axis=1) > 1):
                first[row] = self._exactly(some[row], np.flatnonzero(near[row]).tolist())
            best[start : start + step] = first
        return best

    def _exactly(self, combination: NDArray[np.int64], values: list[int]) -> int:
        def score(value: int) -> tuple[int, int]:
            over = prod(
                int(count[code, value]) + self._alpha for count, code in zip(self._counts, combination, strict=True)
            )
            under = prod(int(self._totals[value]) + self._alpha * size for size in self._sizes)
            return int(self._totals[value]) * over, under

        scores = {value: score(value) for value in values}

        def later(one: int, other: int) -> int:
            (a, b), (c, d) = scores[one], scores[other]
            return a * d - c * b or other - one

        return max(values, key=cmp_to_key(later))
