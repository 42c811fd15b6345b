"""Reads the cells of a raw column onto the leaves of a hierarchy: as numbers, or as listed texts."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.files.notation import decimal_in
from cra_engine.study.periods import period_number
from cra_engine.study.tree import Node
from cra_engine.words import number_text

FEW_EDGES = 33  # up to here comparing with each edge in turn is faster than a binary search
MOST_LISTED = 1 << 14  # values of a domain for which the leaf of each is kept


class LeafReader(Protocol):
    """Reads cells to the leaves of a hierarchy.

    Attributes:
        listed: the values that a hierarchy lists one by one, each with its leaf; none where it holds numbers.
    """

    listed: Mapping[str, int]

    def leaf_of(self, text: str) -> int | None:
        """The leaf of a raw value as it is written in a table; None where it is no value of the domain."""


class ListedLeaves:
    """Reads listed texts to the leaves of a hierarchy; in a list of plain numbers 39.0 is the listed 39.

    Args:
        listed: see :class:`LeafReader`.
    """

    def __init__(self, listed: Mapping[str, int]) -> None:
        self.listed = listed

    def leaf_of(self, text: str) -> int | None:
        """See :class:`LeafReader`."""
        leaf = self.listed.get(text.strip())
        if leaf is not None or not self._leaf_of_number:
            return leaf
        number = decimal_in(text)
        return None if number is None else self._leaf_of_number.get(number)

    @cached_property
    def _leaf_of_number(self) -> dict[Decimal, int]:
        numbers = {text: decimal_in(text) for text in self.listed}
        # Codes such as 01067 are no numbers: 1067 would be another.
        plain = {n: text for text, n in numbers.items() if n is not None and number_text(n) == text}
        return {n: self.listed[text] for n, text in plain.items()} if len(plain) == len(numbers) else {}


class NumberLeaves:
    """Reads numbers, dates as numbers of periods, and coded values to the leaves of a hierarchy.

    Args:
        leaves: from left to right; coded ones at either end.
        resolution: distance of neighbouring values.
        gaps: whether a gap has a leaf, the last one.
        period: of dates what is counted, such as ``"year"``; empty for numbers.

    Attributes:
        below: whether the values below the domain are a leaf, the first one.
        above: whether the values past the domain are a leaf.
    """

    listed: Mapping[str, int] = MappingProxyType({})

    def __init__(self, leaves: Sequence[Node], resolution: Decimal, *, gaps: bool = False, period: str = "") -> None:
        self._leaves, self._resolution, self._period = tuple(leaves), resolution, period
        self._plain = [node for node in leaves if not node.coded]
        after = len(leaves) - leaves.index(self._plain[-1]) - 1
        self.below, self.above, self._gaps = leaves[0].coded, after > gaps, gaps
        self._coded = {node.label: leaf for leaf, node in enumerate(leaves) if node.coded and not node.gap}

    @cached_property
    def _edges(self) -> NDArray[Any]:
        edges = [node.lower for node in self._plain] + [self._plain[-1].upper]
        ends_known = not (self._plain[0].category or self._plain[-1].category)  # a guessed domain may go on
        if ends_known and all(edge == int(edge) for edge in edges) and max(abs(edge) for edge in edges) < 2**62:
            return np.array([int(edge) for edge in edges], dtype=np.int64)
        ends = np.array([float(edge) for edge in edges])
        ends[0] = -np.inf if self._plain[0].category else ends[0]
        ends[-1] = np.inf if self._plain[-1].category else ends[-1]
        return ends

    def locate(self, values: NDArray[Any]) -> NDArray[np.int16]:
        """The leaf index of each number in ``values``; -1 or ``leaves`` for those in no leaf, -1 for what is no number.

        A number and an interval's edge that are written alike are the same double, so a comparison of doubles is exact
        for anything written with at most 15 digits.
        """
        leaf = self._interval_of(values)
        if not (self.below or self.above or self._gaps):
            return leaf
        if values.dtype.kind == "f":
            leaf = np.where(np.isnan(values), np.int16(-2), leaf)
        place = leaf + np.int16(self.below)
        place = np.where(leaf == -1, np.int16(0 if self.below else -1), place)
        past = len(self._plain) + self.below if self.above else len(self._leaves)
        past_all = np.where(leaf >= len(self._plain), np.int16(past), place)
        return np.where(leaf < -1, np.int16(-1), past_all).astype(np.int16)

    def locate_whole(self, values: NDArray[Any]) -> NDArray[np.int16] | None:
        """The leaf index of each whole number, as :meth:`locate`, looked up; None where that needs a closer look.

        Args:
            values: of a signed or unsigned integer type; not empty.

        Returns:
            The leaves where all values lie in the domain and on its steps, and the domain is not too wide to list.
        """
        first, leaves = self._leaf_of_whole
        if not len(leaves) or int(values.min()) < first or int(values.max()) >= first + len(leaves):
            return None
        places = np.subtract(values, first, dtype=np.intp, casting="same_kind")
        result = np.empty(len(values), dtype=np.int16)
        return np.take(leaves, places, out=result, mode="clip")  # any other mode goes through a copy

    @cached_property
    def _leaf_of_whole(self) -> tuple[int, NDArray[np.int16]]:
        """The first whole number of the domain, and the leaf of each from there on; none where some are no values."""
        lower, upper = self._plain[0].lower, self._plain[-1].upper
        nothing = 0, np.empty(0, dtype=np.int16)
        if self.below or self.above or self._gaps or not upper - lower <= MOST_LISTED:
            return nothing
        if lower % 1 or upper % 1 or 1 % self._resolution:
            return nothing
        return int(lower), self._interval_of(np.arange(int(lower), int(upper), dtype=np.int64))

    def _interval_of(self, values: NDArray[Any]) -> NDArray[np.int16]:
        edges = self._edges if values.dtype.kind in "iu" else self._edges.astype(float)
        if len(edges) <= FEW_EDGES and values.dtype.kind in "iuf":
            leaf = np.full(len(values), -1, dtype=np.int16)
            for edge in edges.tolist():
                leaf += values >= edge
            return leaf
        leaf = (np.searchsorted(edges, values, side="right") - 1).astype(np.int16)
        return np.where(np.isnan(values), np.int16(-1), leaf) if values.dtype.kind == "f" else leaf

    def leaf_of(self, text: str) -> int | None:
        """See :class:`LeafReader`; a coded value is read as a release shows it."""
        coded = self._coded.get(text.strip())
        if coded is not None:
            return coded
        value = self._period_in(text) if self._period else decimal_in(text)
        if value is None:
            return None
        place = int(self.locate(np.array([float(value)]))[0])
        return place if 0 <= place < len(self._leaves) else None

    def _period_in(self, text: str) -> Decimal | None:
        try:
            return Decimal(period_number(date.fromisoformat(text.strip()), self._period))
        except ValueError:
            return None
