"""Long columns in blocks: what is computed on the way stays small, and most of it in the processor's cache."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

FEW, MANY = 1 << 16, 1 << 20


def blocks(length: int, size: int = FEW) -> Iterator[slice]:
    """Return the slices that cover ``length`` rows in blocks of ``size`` each but for the last.

    >>> list(blocks(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return (slice(start, min(start + size, length)) for start in range(0, length, size))


def counted(codes: NDArray[Any], size: int, times: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Count block by block how often each of the numbers 0 to ``size - 1`` occurs.

    Args:
        codes: the numbers.
        size: above the largest.
        times: how often each counts; once when left out.

    >>> counted(np.array([0, 2, 0]), 3, np.array([4, 1, 2])).tolist()
    [6, 0, 1]
    """
    result = np.zeros(size, dtype=np.int64)
    for block in blocks(len(codes), MANY):
        if times is None:
            result += np.bincount(codes[block], minlength=size)
        else:
            result += np.bincount(codes[block], times[block], minlength=size).astype(np.int64)
    return result


def looked_up(table: NDArray[Any], codes: NDArray[Any]) -> NDArray[Any]:
    """Look up ``table[codes]`` block by block, for codes that are surely in range."""
    return all_looked_up([table], codes)[0]


def all_looked_up(tables: Sequence[NDArray[Any]], codes: NDArray[Any]) -> list[NDArray[Any]]:
    """Look up ``table[codes]`` for each of some tables, as :func:`looked_up`, in one pass over the codes' blocks.

    >>> [found.tolist() for found in all_looked_up([np.array([3, 4]), np.array([True, False])], np.array([1, 0, 1]))]
    [[4, 3, 4], [False, True, False]]
    """
    results = [np.empty(len(codes), dtype=table.dtype) for table in tables]
    for block in blocks(len(codes)):
        places = codes[block].astype(np.intp, copy=False)
        for table, result in zip(tables, results, strict=True):
            np.take(table, places, out=result[block], mode="clip")  # any other mode goes through a copy
    return results


def combined(columns: Sequence[NDArray[Any]], sizes: Sequence[int]) -> NDArray[np.signedinteger[Any]]:
    """Return block by block one number per row from columns of numbers, column ``i`` below ``sizes[i]``: row-major."""
    kind = np.min_scalar_type(-math.prod(sizes) - 1)  # the smallest that holds as many and has a sign
    result: NDArray[np.signedinteger[Any]] = np.empty(len(columns[0]), dtype=kind)
    for block in blocks(len(result)):
        part = result[block]
        part[:] = columns[0][block]
        for column, size in zip(columns[1:], sizes[1:], strict=True):
            np.multiply(part, size, out=part)
            np.add(part, column[block], out=part)
    return result
