"""Losses that look at the sizes of classes alone; 002 calls them class-based (section 2.1)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Sizes = Sequence[int] | NDArray[np.signedinteger[Any]]


def aecs(sizes: Sizes, suppressed: int = 0) -> Fraction:
    """Return the loss AECS: the average size of an equivalence class; less is better (LeFevre and others 2006).

    Suppressed records stand for one class more: ``n / (classes + [suppressed > 0])``. From 1 (every record shows a row
    of its own) to the number of records; 0 for a table without records.

    Args:
        sizes: records per published class.
        suppressed: number of suppressed records.

    >>> aecs([2, 2], suppressed=2)
    Fraction(2, 1)
    """
    records = int(np.sum(sizes, dtype=np.int64)) + suppressed
    return Fraction(records, max(len(sizes) + (suppressed > 0), 1))


def discernibility(sizes: Sizes, suppressed: int = 0) -> int:
    """Return the loss by discernibility: how many records each is confused with, in all; less is better.

    A record in a class of ``size`` counts ``size``, a suppressed one all ``n`` records:
    ``sum size^2 + n * suppressed``. From ``n`` to ``n^2``.

    Args:
        sizes: records per published class.
        suppressed: number of suppressed records.

    >>> discernibility([2, 4])
    20
    >>> discernibility([2, 2], suppressed=2)
    20
    """
    held = np.asarray(sizes, dtype=np.int64)  # squares of sizes below 2^31 fit, and so does their sum
    return int((held * held).sum()) + (int(held.sum()) + suppressed) * suppressed
