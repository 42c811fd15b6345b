"""Boxes, states and Markdown in plain language: what stands in sentences, labels and tables."""

import re
from collections.abc import Sequence

from cra_engine.study.grid import Cell, Grid, Segment
from cra_engine.words import spoken

MARKS = {"met": "✓", "not met": "✗", "not known": "?"}  # of a demand, or a figure like one

_STATE = re.compile(r"\(\d+(?:, \d+)+\)")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#+|~$:!])")


def box(grid: Grid, segment: Segment) -> str:
    """Write for pages a box as a predicate: ``weight from 0 to under 100 kg``; ``everything`` for the whole grid."""
    return "everything" if segment == grid.whole else spoken(grid.describe(segment))


def cell(grid: Grid, place: Cell) -> str:
    """Write for pages a cell as a predicate; see :func:`box`."""
    return box(grid, grid.cell_segment(place))


def cell_by_ends(grid: Grid, place: Cell) -> str:
    """Write for pages a cell by the numbers that a picture's axes show: ``age 20 to 40, weight 0 to 100``."""
    nodes = grid.nodes(grid.cell_segment(place))
    return ", ".join(
        f"{attribute.name} {node.interval if node.category else node.interval.strip('[').replace(', ', ' to ')}"
        for attribute, node in zip(grid.attributes, nodes, strict=True)
    )


def isolates(grid: Grid, segment: Segment) -> str:
    """Write for pages the predicate of a box with one record: ``Exactly one person has age from 60 to under 65``."""
    # A grid of a single cell: every hierarchy has one layer only.
    if segment == grid.whole:
        return "Exactly one person is in the table."
    parts = [
        f"{attribute.name} {node.interval}"
        if node.category
        else f"{attribute.name} in {node.interval}{' ' + attribute.measure if attribute.measure else ''}"
        for attribute, node in zip(grid.attributes, grid.nodes(segment), strict=True)
        if node.layer < attribute.layers
    ]
    return spoken(f"Exactly one person has {' and '.join(parts)}.")


def state(layers: Sequence[int]) -> str:
    """Write for pages a state as the paper does: ``(2, 3)``."""
    return f"({', '.join(str(layer) for layer in layers)})"


def unbroken(text: str) -> str:
    """Return a sentence of a page with its states in one piece: no line ends inside ``(2, 3)``.

    >>> unbroken("State (1, 12, 3), and 2, 3").replace("\N{NO-BREAK SPACE}", "_")
    'State (1,_12,_3), and 2, 3'
    """
    return _STATE.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), text)


def name_of(index: int | None) -> str:
    """Write for pages the name of a class or of the suppressed records: ``class 3``, ``the suppressed records``."""
    return "the suppressed records" if index is None else f"class {index}"


def plain(text: str) -> str:
    """Write for pages text that shows in Markdown as it is: a column's name may hold asterisks, dollars or colons."""
    return _MARKDOWN.sub(r"\\\1", text)


def profile(chosen: object) -> str:
    """Say to readers how the publisher runs ARX, as a part of a sentence."""
    said = {"paper": "as in the paper", "arx-gui": "as the ARX desktop program", "safe": "safely", "floored": "safely"}
    return said.get(str(chosen), "with its own share")


def sentence(text: str) -> str:
    """Write for pages the text of a sentence with its first letter large."""
    return text[:1].upper() + text[1:]
