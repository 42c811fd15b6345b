"""Exact convolution of arrays of whole numbers of any size, and about how long it takes.

Large arrays are packed into one long integer each, far enough apart that no digit spills over (Kronecker substitution):
one multiplication of long integers does the work. Small ones are shifted, multiplied and added.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[Any]
"""An array of Python ints, none negative."""

# Measured, in seconds: a step in Python, a product of two numbers inside an array, a call of the packed product, each
# number in its result, and each bit of that.
_STEP, _PRODUCT, _PACKED_CALL, _PACKED_NUMBER, _PACKED_BIT = 3e-6, 6e-8, 1.5e-5, 3e-7, 1.5e-9


def convolve(left: Whole, right: Whole, pointwise: int = 0, most: tuple[int, ...] | None = None) -> Whole:
    """Return the exact convolution of two arrays of non-negative whole numbers, any number of dimensions.

    Args:
        left: one array.
        right: the other, with as many axes.
        pointwise: so many leading axes, equally long in both, are multiplied entry by entry instead.
        most: per further axis the largest length of the result; what lies beyond is cut off.
    """
    if math.prod(left.shape[pointwise:]) < math.prod(right.shape[pointwise:]):
        left, right = right, left
    full = _summed(left.shape, right.shape, pointwise)
    kept = full if most is None else tuple(starmap(min, zip(full, most, strict=True)))
    cut = _block((0,) * len(kept), kept)
    if math.prod(right.shape[pointwise:]) == 1:
        product: Whole = left * right
        return np.asarray(product[cut])
    result = np.zeros((*left.shape[:pointwise], *kept), dtype=object)
    if _packed_pays(left, right, pointwise, full):
        for copy in np.ndindex(left.shape[:pointwise]):
            result[copy] = _packed_product(left[copy], right[copy], full)[cut]
        return result
    ones = (1,) * len(kept)
    for shift in np.ndindex(right.shape[pointwise:]):
        factor = right[_block(shift, ones)]
        if factor.any():
            room = [max(0, length - start) for length, start in zip(kept, shift, strict=True)]
            piece = left[_block((0,) * len(kept), room)] * factor
            result[_block(shift, piece.shape[pointwise:])] += piece
    return result


def correlate(outer: Whole, inner: Whole, pointwise: int = 0) -> Whole:
    """Return for each shift of ``inner`` that fits inside ``outer`` the exact sum of their products.

    Args:
        outer: one array.
        inner: the other, no longer in any axis.
        pointwise: so many leading axes, equally long in both, are multiplied entry by entry instead.
    """
    whole = outer.shape[pointwise:]
    fits = tuple(a - b + 1 for a, b in zip(whole, inner.shape[pointwise:], strict=True))
    result = np.zeros((*outer.shape[:pointwise], *fits), dtype=object)
    if _packed_pays(result, inner, pointwise, whole):
        turned = np.flip(inner, tuple(range(pointwise, inner.ndim)))
        tail = _block([length - fit for length, fit in zip(whole, fits, strict=True)], fits)
        for copy in np.ndindex(outer.shape[:pointwise]):
            # In the shape of ``outer`` the product wraps around, but never into the part that is wanted.
            result[copy] = _packed_product(outer[copy], turned[copy], whole)[tail]
        return result
    for shift in np.ndindex(inner.shape[pointwise:]):
        factor = inner[_block(shift, (1,) * len(whole))]
        if factor.any():
            result += outer[_block(shift, fits)] * factor
    return result


def _block(starts: Sequence[int], lengths: Sequence[int]) -> tuple[Any, ...]:
    """An index of the last axes: from these starts on, so long."""
    return (..., *(slice(start, start + length) for start, length in zip(starts, lengths, strict=True)))


def _summed(left: tuple[int, ...], right: tuple[int, ...], pointwise: int) -> tuple[int, ...]:
    return tuple(a + b - 1 for a, b in zip(left[pointwise:], right[pointwise:], strict=True))


def _costs(copies: int, steps: int, products: int, packed: int, bits: int) -> tuple[float, float]:
    shifted = steps * (_STEP + copies * products * _PRODUCT)
    return shifted, copies * (_PACKED_CALL + packed * (_PACKED_NUMBER + bits * _PACKED_BIT))


def _packed_pays(left: Whole, right: Whole, pointwise: int, packed: tuple[int, ...]) -> bool:
    steps, products = math.prod(right.shape[pointwise:]), math.prod(left.shape[pointwise:])
    if steps < 4:
        return False
    copies = math.prod(left.shape[:pointwise])
    slow, fast = _costs(copies, steps, products, math.prod(packed), 2 * _bits(right))
    return fast < slow


def convolution_seconds(left: tuple[int, ...], right: tuple[int, ...], pointwise: int, bits: int) -> float:
    """Return about how long :func:`convolve` takes for arrays of these shapes whose products have so many bits."""
    steps, products = sorted((math.prod(left[pointwise:]), math.prod(right[pointwise:])))
    packed = math.prod(_summed(left, right, pointwise))
    return min(_costs(math.prod(left[:pointwise]), steps, products, packed, bits))


def _bits(values: Whole) -> int:
    return max(map(int.bit_length, values.flat), default=0)


def _packed_product(left: Whole, right: Whole, shape: tuple[int, ...]) -> Whole:
    """The convolution in an array of the given shape; what does not fit in one axis runs over into the axis before."""
    bits = _bits(left) + _bits(right) + min(left.size, right.size).bit_length()
    pack, unpack = _packers()
    width = -(-bits // 8) * 8
    digits = unpack(pack(_spread(left, shape), width) * pack(_spread(right, shape), width), width)[: math.prod(shape)]
    result = np.zeros(math.prod(shape), dtype=object)
    result[: len(digits)] = [int(digit) for digit in digits]
    return result.reshape(shape)


def _spread(values: Whole, shape: tuple[int, ...]) -> list[int]:
    spread = np.zeros(shape, dtype=object)
    spread[_block((0,) * values.ndim, values.shape)] = values
    return list(spread.ravel())


@cache
def _packers() -> tuple[Callable[[list[int], int], Any], Callable[[Any, int], Sequence[Any]]]:
    """What makes one long integer of many and many of one: gmpy2's, or Python's own where that is not installed."""
    try:
        import gmpy2  # noqa: PLC0415 - loaded when arrays are large enough to need it
    except ImportError:
        return _packed, _unpacked
    return gmpy2.pack, gmpy2.unpack


def _packed(values: list[int], width: int) -> int:
    return int.from_bytes(b"".join(value.to_bytes(width // 8, "little") for value in values), "little")


def _unpacked(number: int, width: int) -> list[int]:
    size = width // 8
    text = number.to_bytes(-(-number.bit_length() // 8), "little")
    return [int.from_bytes(text[start : start + size], "little") for start in range(0, len(text), size)]
