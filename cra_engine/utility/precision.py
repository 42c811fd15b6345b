"""Precision: how far up its hierarchies a table stands (Sweeney 2002)."""

from collections.abc import Iterable, Sequence
from fractions import Fraction


def precision(classes: Iterable[tuple[Sequence[int], int]], heights: Sequence[int], suppressed: int = 0) -> Fraction:
    """Return the loss of precision: the mean of layer / height over records and attributes; less is better.

    From 0 (every value as it stands) to 1 (nothing but roots). This is a loss: 1 minus what Sweeney calls precision.

    Args:
        classes: the layers that some records show, one per attribute, 0 for the value as it stands, and how many they
            are. One entry where all records show the same layers.
        heights: the layer of the root, per attribute.
        suppressed: number of suppressed records.

    >>> precision([((1, 0), 6)], heights=(2, 1), suppressed=2)
    Fraction(7, 16)
    """
    lost, records = Fraction(suppressed), suppressed
    for layers, size in classes:
        climbed = sum((Fraction(layer, height) for layer, height in zip(layers, heights, strict=True)), Fraction(0))
        lost += size * climbed / len(heights)
        records += size
    return lost / max(records, 1)
