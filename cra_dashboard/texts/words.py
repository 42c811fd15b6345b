"""Numbers and boxes in plain language: what stands in sentences, labels and tables."""

import re
from collections.abc import Sequence
from fractions import Fraction

from cra_engine import Segment
from cra_engine.study.grid import Grid

# Below this a whole number is written out; from here on as 3.2 × 10¹⁷.
WRITTEN_OUT = 10**7
# Digits up to which the exact number is worth a place beside the short one.
EXACT_DIGITS = 30
_BLOCK = 10**3000
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#+|~$:!])")


def power(exponent: int) -> str:
    """Ten to a whole number: ``10¹⁷``."""
    return "10" + str(exponent).translate(_SUPERSCRIPT)


def exponent_of(number: int | Fraction) -> int:
    """The decimal exponent of a positive number: 17 for 3.2 × 10¹⁷; exact for any size."""
    value = Fraction(number)
    # From the lengths in binary the exponent is right but for one or two.
    exponent = int((value.numerator.bit_length() - value.denominator.bit_length()) * 0.30103) - 2
    while value >= Fraction(10) ** (exponent + 1):
        exponent += 1
    return exponent


def _scientific(value: Fraction) -> str:
    exponent = exponent_of(value)
    tenths = round(value / Fraction(10) ** exponent * 10)
    if tenths == 100:
        exponent, tenths = exponent + 1, 10
    return f"{tenths // 10}.{tenths % 10} × {power(exponent)}"


def count(number: int) -> str:
    """A whole number: written out below ten million (``1,032``), else with two digits (``3.2 × 10¹⁷``)."""
    return f"{number:,}" if number < WRITTEN_OUT else _scientific(Fraction(number))


def exactly(number: int) -> str:
    """A whole number and, where it was shortened and not endless, its digits: ``1.2 × 10⁷ (exactly 12,345,678)``."""
    if number < WRITTEN_OUT or exponent_of(number) >= EXACT_DIGITS:
        return count(number)
    return f"{count(number)} (exactly {number:,})"


def digits(number: int) -> str:
    """All digits of a whole number, however many; Python itself prints 4,300 at most."""
    blocks = []
    while number >= _BLOCK:
        number, block = divmod(number, _BLOCK)
        blocks.append(f"{block:03000d}")
    return f"{int(number)}{''.join(reversed(blocks))}"


def quotient(larger: int, smaller: int) -> str:
    """How many times ``larger`` exceeds ``smaller``: ``1.6``, ``35``, ``1,240``, ``2.1 × 10⁹``."""
    value = Fraction(larger, smaller)
    if value >= WRITTEN_OUT:
        return _scientific(value)
    if value >= 20:
        return f"{round(value):,}"
    # Never "1.0 times" for what did shrink: as many digits as the difference needs.
    digits = 1
    while digits < 6 and value > 1 and round(value, digits) == 1:
        digits += 1
    return f"{float(round(value, digits)):.{digits}f}".rstrip("0").rstrip(".")


def fewer(promised: int, remaining: int) -> str:
    """How far the possibilities shrank: ``1,240 times fewer``, ``as many as before``."""
    return "as many as before" if promised == remaining else f"{quotient(promised, remaining)} times fewer"


def chance(probability: float) -> str:
    """A probability in percent; 0 % and 100 % only where it is exactly that."""
    if probability <= 0:
        return "0%"
    if probability >= 1:
        return "100%"
    percent = 100 * probability
    if percent < 0.01:
        return "below 0.01%"
    if percent > 99.9:
        return "above 99.9%"
    return (
        f"{percent:.2f}%" if percent < 1 else f"{percent:.1f}%" if percent < 10 or percent > 99 else f"{percent:.0f}%"
    )


def how_many(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: ``1 class``, ``3 classes``."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def listed(items: Sequence[str], last: str = "and") -> str:
    """Items in a sentence: ``a, b and c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else ""


def box(grid: Grid, segment: Segment) -> str:
    """A box as a predicate: ``weight in [0, 100) kg and age in [20, 40)``; ``everything`` for the whole grid."""
    return "everything" if segment == grid.whole else grid.describe(segment)


def isolates(grid: Grid, segment: Segment) -> str:
    """The predicate of a box that holds one record, as a sentence: ``Exactly one person has weight in [60, 65) kg``."""
    # A grid of a single cell: every hierarchy has one layer only.
    if segment == grid.whole:
        return "Exactly one person is in the table."
    parts = [
        f"{attribute.name} {node.interval}"
        if node.category
        else f"{attribute.name} in {node.interval}{' ' + attribute.unit if attribute.unit else ''}"
        for attribute, node in zip(grid.attributes, grid.nodes(segment), strict=True)
        if node.layer < attribute.layers
    ]
    return f"Exactly one person has {' and '.join(parts)}."


def state(layers: Sequence[int]) -> str:
    """A state as the paper writes it: ``(2, 3)``."""
    return f"({', '.join(str(layer) for layer in layers)})"


def name_of(index: int | None) -> str:
    """How sentences call a class or the outliers: ``class 3``, ``the outliers``."""
    return "the outliers" if index is None else f"class {index}"


def plain(text: str) -> str:
    """Text that shows in Markdown as it is: a column's name may hold asterisks, dollars or colons."""
    return _MARKDOWN.sub(r"\\\1", text)


def sentence(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]
