"""A hierarchy for a column nobody has described yet: round numbers that cover the data, and why these.

A proposal reads the data, so it suits the publisher; the attacker's side gets it as part of the study.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import DataError
from cra_engine.raw.numbers import numbers
from cra_engine.study.attribute import Attribute
from cra_engine.words import number_text

MAX_DECIMALS = 6
# From here on there are records enough for eight leaves rather than four.
MANY_RECORDS = 100
# Of so many records and more, so few at either end decide nothing where they lie farther out than a quarter of the
# range of the rest; but a scale of codes, say 1 to 5, is wider than what most chose, so some steps are never far.
LEAST_FOR_FAR, FEW_FAR, FAR, NEVER_FAR = 40, 4, 4, 4
# Widths of a leaf in tenths of a power of ten: those people count in, then those that fit closer.
_ROUND = (10, 20, 50)
_CLOSER = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)


@dataclass(frozen=True)
class Proposal:
    """An attribute proposed for a raw column.

    Attributes:
        attribute: the quasi-identifier with its hierarchy.
        reasons: sentences that say why: resolution, layers, domain.
    """

    attribute: Attribute
    reasons: tuple[str, ...]


def propose(column: "pd.Series[Any]", unit: str = "") -> Proposal:
    """Propose a binary hierarchy for a raw column of numbers; gaps and text in it are passed over.

    - The resolution is the finest decimal place seen, down to the sixth.
    - There are 4 layers (8 leaves) from 100 records on, else 3 (4 leaves); fewer where the data span fewer values.
    - Leaves are as narrow as still covers the data from a multiple of their width on, or of a round number that divides
      it. The width is 1, 2 or 5 times a power of ten where that leaves at most an eighth of the leaves outside the
      data, else a number that fits closer: a domain that goes on where nobody is makes an attack look weaker than it
      is.
    - Readers see the ends of the domain. So ends do not reach for a few records that lie far from all others, where
      they would tell how far: these are top- or bottom-coded.

    Args:
        column: the raw column; its name becomes the attribute's.
        unit: taken over into the attribute.

    Raises:
        DataError: the column holds no number, or numbers too far apart to tell their digits.
        StudyError: the column's name cannot be an attribute's.
    """
    name = str(column.name)
    found, _ = numbers(column)
    values = np.unique(found[np.isfinite(found)])
    if not len(values):
        raise DataError(f"Column {name!r} holds no number; a quasi-identifier needs numbers.")
    if float(np.abs(values).max()) > 1e15:
        raise DataError(f"Column {name!r} holds numbers of more than 15 digits; shorten or rescale them.")
    decimals, seen = _decimals(values)
    resolution = Decimal(1).scaleb(-decimals)
    ordered = np.sort(found[np.isfinite(found)])
    first, last = (_steps(end.item(), decimals) for end in (ordered[0], ordered[-1]))
    smallest, largest = (_steps(end, decimals) for end in near_ends(ordered, float(resolution)))
    span = largest - smallest + 1
    layers = 4 if len(column) >= MANY_RECORDS else 3
    while layers > 2 and span < 2 ** (layers - 1):
        layers -= 1
    leaves = 2 ** (layers - 1)
    start, width = round_domain(smallest, largest, leaves)
    lower, upper = start * resolution, (start + leaves * width) * resolution
    below, above = first < start, last >= start + leaves * width
    attribute = Attribute(name, lower, upper, layers, resolution=resolution, unit=unit, below=below, above=above)
    distinct = f"{len(values):,} distinct {_noun(len(values), 'value')}"
    data = f"from {number_text(smallest * resolution)} to {number_text(largest * resolution)}"
    which = "The data run" if not (below or above) else "All but a few records run"
    reasons = (
        _why_resolution(decimals, seen),
        f"{len(column):,} {_noun(len(column), 'record')} and {distinct}: {layers} layers, so {leaves} leaves.",
        f"{which} {data}: leaves of {number_text(width * resolution)} from {number_text(lower)} on cover them.",
    )
    return Proposal(attribute, (*reasons, *why_coded(attribute, below=below, above=above)))


def why_coded(attribute: Attribute, *, below: bool, above: bool) -> tuple[str, ...]:
    """Say which few raw values lie below or past a proposed domain; nothing where it covers all."""
    shown = [f"<{attribute.text(attribute.lower)}"] * below
    shown += [f">={attribute.text(attribute.upper)}"] * above
    if not shown:
        return ()
    groups = " and ".join(f"`{label}`" for label in shown)
    return (f"A few lie far out and are shown as {groups}: ends that reached them would tell every reader how far.",)


def near_ends(ordered: NDArray[Any], step: float = 1) -> tuple[Any, Any]:
    """Return the ends of raw values without a few that lie far from all others, which decide nothing.

    Args:
        ordered: the values, one per record; not empty.
        step: distance of two neighbouring values.

    >>> near_ends(np.array([*range(10, 50), 900])), near_ends(np.array([10, 11, 900]))
    ((10, 49), (10, 900))
    """
    few = FEW_FAR if len(ordered) >= LEAST_FOR_FAR else 0
    low, high = float(ordered[few]), float(ordered[-1 - few])
    reach = max((high - low) / FAR, NEVER_FAR * step)
    inside = ordered[(low - reach <= ordered) & (ordered <= high + reach)]
    return inside[0].item(), inside[-1].item()


def shown_as_values(attribute: Attribute) -> Attribute:
    """Return a proposed attribute whose releases show single values: ``0`` instead of ``[0, 1[``.

    >>> [node.label for node in shown_as_values(Attribute("smoker", 0, 2, layers=2, above=True)).layer_nodes[0]]
    ['0', '1', '>=2']
    """
    if attribute.finest == 0 or attribute.steps != attribute.fanout ** (attribute.layers - 1):
        return attribute
    return attribute.changed(layers=attribute.layers - 1, finest=0)


def upper_that_fits(lower: Decimal, upper: Decimal, resolution: Decimal, leaves: int) -> Decimal:
    """Return the least upper end, ``upper`` or above, with which a proposed domain splits into equal leaves."""
    steps = (Fraction(upper) - Fraction(lower)) / Fraction(resolution)
    needed = max(-(-steps // leaves), 1) * leaves
    return lower + Decimal(int(needed)) * resolution


def _noun(number: int, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"


def _steps(value: Any, decimals: int) -> int:
    """A number in whole steps of the resolution, by its written digits; digits past them are cut off downwards."""
    return int(Decimal(str(value)).scaleb(decimals).to_integral_value(ROUND_FLOOR))


def _decimals(values: NDArray[Any]) -> tuple[int, bool]:
    """Decimal places that tell the values apart, and whether they are all that was seen."""
    if values.dtype.kind in "iu":
        return 0, True
    for decimals in range(MAX_DECIMALS + 1):
        steps = values * 10.0**decimals
        if (np.abs(steps - np.round(steps)) <= 4 * np.spacing(np.abs(steps))).all():
            return decimals, True
    return MAX_DECIMALS, False


def _why_resolution(decimals: int, seen: bool) -> str:
    step = number_text(Decimal(1).scaleb(-decimals))
    if not seen:
        return f"Some values have more than {MAX_DECIMALS} decimals: they are counted in coarser steps, of {step}."
    if decimals == 0:
        return "All values are whole numbers: they are counted in steps of 1."
    return f"The finest value has {decimals} {_noun(decimals, 'decimal')}: values are counted in steps of {step}."


def round_domain(smallest: int, largest: int, leaves: int) -> tuple[int, int]:
    """Return start and leaf width, in steps, of a proposed domain of round numbers that ends about where the data end.

    >>> round_domain(18, 90, 8), round_domain(20, 59, 4)
    ((15, 10), (20, 10))
    """
    start, width = _narrowest(smallest, largest, leaves, _ROUND)
    touched = (largest - start) // width - (smallest - start) // width + 1
    return (start, width) if 8 * touched >= 7 * leaves else _narrowest(smallest, largest, leaves, _CLOSER)


def _narrowest(smallest: int, largest: int, leaves: int, shapes: tuple[int, ...]) -> tuple[int, int]:
    for width in _widths(shapes):
        for grain in _grains(width):
            start = smallest // grain * grain
            if start + leaves * width > largest:
                return start, width
    raise AssertionError  # widths have no end


def _grains(width: int) -> Iterator[int]:
    """Of what a domain may begin at a multiple, the roundest first: the width, and round numbers that divide it."""
    yield width
    for grain in (width // part for part in range(2, 11) if width % part == 0):
        if str(grain).rstrip("0") in ("1", "2", "5"):
            yield grain


def _widths(shapes: tuple[int, ...]) -> Iterator[int]:
    """Whole widths from 1 on, ascending without end."""
    for power in count():
        for shape in shapes:
            width, rest = divmod(shape * 10**power, 10)
            if not rest:
                yield width
