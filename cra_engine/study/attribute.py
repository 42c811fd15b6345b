"""A numeric quasi-identifier whose hierarchy is intervals of equal length."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import pandas as pd
from propcache.api import cached_property
from pydantic import BaseModel, ConfigDict, ValidationError

from cra_engine.errors import StudyError
from cra_engine.study.checked import MAX_DIGITS, Number, Whole, digits_needed, explain
from cra_engine.study.file_hierarchy import FileHierarchy, checked_rows, read_hierarchy
from cra_engine.study.hierarchy import MAX_LEAVES, ROOT_LABEL, Hierarchy, Node
from cra_engine.words import number_text


class AttributeSettings(BaseModel):
    """The settings of an attribute as a study file writes them, with their types checked."""

    model_config = ConfigDict(extra="forbid")

    name: str
    lower: Number
    upper: Number
    layers: Whole
    fanout: Whole = 2
    resolution: Number = Decimal(1)
    unit: str = ""


@dataclass(frozen=True, init=False)
class Attribute(Hierarchy):
    """A quasi-identifier with its hierarchy (paper, section 2).

    The domain ``[lower, upper)`` holds ``(upper - lower) / resolution`` distinct values. Layer ``l`` of ``layers``
    splits it into ``fanout ** (layers - l)`` intervals of equal length.

    Args:
        name: the column's name.
        lower: first value of the domain.
        upper: first value past it.
        layers: height of the hierarchy; leaves are layer 1, the root is layer ``layers``.
        fanout: children per node, 2 to 10.
        resolution: distance of two neighbouring values.
        unit: shown beside numbers, for instance ``"kg"``.

    Raises:
        StudyError: a setting is unusable or the layers do not divide the domain evenly.

    >>> age = Attribute("age", 0, 80, layers=4, unit="years")
    >>> [node.label for node in age.layer_nodes[1]]
    ['[0, 20[', '[20, 40[', '[40, 60[', '[60, 80[']
    """

    name: str
    lower: Decimal
    upper: Decimal
    layers: int
    fanout: int
    resolution: Decimal
    unit: str

    def __init__(
        self,
        name: str,
        lower: float | Decimal,
        upper: float | Decimal,
        layers: int,
        fanout: int = 2,
        resolution: float | Decimal = 1,
        unit: str = "",
    ) -> None:
        given = {
            "name": name,
            "lower": lower,
            "upper": upper,
            "layers": layers,
            "fanout": fanout,
            "resolution": resolution,
            "unit": unit,
        }
        try:
            settings = AttributeSettings.model_validate(given)
        except ValidationError as error:
            raise StudyError(f"Attribute {name!r}: {explain(error)}") from None
        for key, value in settings:
            object.__setattr__(self, key, value)
        self._check()

    @staticmethod
    def from_hierarchy(
        name: str, hierarchy: "str | os.PathLike[str] | Sequence[Sequence[str]] | pd.DataFrame", unit: str = ""
    ) -> FileHierarchy:
        """A quasi-identifier with a hierarchy of its own: categories, or intervals that need not be equal.

        Args:
            name: the column's name.
            hierarchy: an ARX hierarchy file's path; or its rows, or a table of them: per value the value and its label
                in each layer, leaves first, the root last.
            unit: shown beside numbers.

        Raises:
            StudyError: it is no hierarchy.

        >>> sex = Attribute.from_hierarchy("sex", [("f", "f", "*"), ("m", "m", "*")])
        >>> sex.layers, sex.leaves
        (2, 2)
        """
        if isinstance(hierarchy, str | os.PathLike):
            return read_hierarchy(hierarchy, name, unit)
        rows = hierarchy.astype(str).itertuples(index=False) if isinstance(hierarchy, pd.DataFrame) else hierarchy
        return FileHierarchy(name, checked_rows([[str(cell) for cell in row] for row in rows], repr(name)), unit)

    def _check(self) -> None:
        where = f"Attribute {self.name!r}"
        if not self.name.strip():
            raise StudyError("An attribute has no name; give it the name of its column.")
        if self.name != self.name.strip():
            raise StudyError(f"{where}: the name starts or ends with a blank; remove it, here and in the table.")
        for setting in ("lower", "upper", "resolution"):
            if not getattr(self, setting).is_finite():
                raise StudyError(f"{where}: {setting} is not a finite number; give one.")
        if not 1 <= self.layers <= 12:
            raise StudyError(f"{where}: {self.layers} layers; give 1 to 12.")
        if not 2 <= self.fanout <= 10:
            raise StudyError(f"{where}: fanout {self.fanout}; give 2 to 10.")
        if digits_needed(self.lower, self.upper, self.resolution) > MAX_DIGITS:
            raise StudyError(
                f"{where}: lower, upper and resolution together need more than {MAX_DIGITS} digits, which numbers in a "
                "table do not carry; take a coarser resolution or another unit."
            )
        if self.resolution <= 0:
            raise StudyError(f"{where}: resolution {number_text(self.resolution)}; give a number above 0.")
        if self.upper <= self.lower:
            raise StudyError(
                f"{where}: upper {number_text(self.upper)} is not above lower {number_text(self.lower)}; "
                "upper is the first value past the domain."
            )
        leaves = self.fanout ** (self.layers - 1)
        if leaves > MAX_LEAVES:
            raise StudyError(
                f"{where}: {leaves:,} leaves, more than {MAX_LEAVES:,}; take fewer layers or a smaller fanout."
            )
        values = (Fraction(self.upper) - Fraction(self.lower)) / Fraction(self.resolution)
        if values.denominator != 1:
            raise StudyError(
                f"{where}: the domain [{number_text(self.lower)}, {number_text(self.upper)}) is not a whole number of "
                f"steps of {number_text(self.resolution)}; change upper or the resolution."
            )
        if values < 2:
            raise StudyError(f"{where}: the domain holds a single value; there is nothing to generalize.")
        if values % leaves:
            needed = -(-values.numerator // leaves) * leaves
            upper = self.lower + needed * self.resolution
            raise StudyError(
                f"{where}: {values.numerator:,} values cannot be split into {leaves} equal leaves ({self.layers} "
                f"layers, "
                f"fanout {self.fanout}); take upper = {number_text(upper)} or other layers."
            )

    @cached_property
    def values(self) -> int:
        """Number of distinct values of the domain, ``|Dom|``."""
        return int((self.upper - self.lower) / self.resolution)

    @cached_property
    def leaves(self) -> int:
        """Number of leaves, ``fanout ** (layers - 1)``."""
        return int(self.fanout ** (self.layers - 1))

    def nodes_in(self, layer: int) -> int:
        """Number of nodes of a layer."""
        return int(self.fanout ** (self.layers - layer))

    @cached_property
    def layer_nodes(self) -> tuple[tuple[Node, ...], ...]:
        """The nodes layer by layer, leaves first; ``layer_nodes[layer - 1][rank]``."""
        result = []
        for layer in range(1, self.layers + 1):
            count = self.nodes_in(layer)
            span, values = self.leaves // count, self.values // count
            width = values * self.resolution
            nodes = []
            for rank in range(count):
                lower, upper = self.lower + rank * width, self.lower + (rank + 1) * width
                label = ROOT_LABEL if layer == self.layers else f"[{number_text(lower)}, {number_text(upper)}["
                nodes.append(Node(layer, rank, rank * span, (rank + 1) * span, lower, upper, values, label))
            result.append(tuple(nodes))
        return tuple(result)

    def loss(self, layer: int) -> Fraction:
        """``Q_loss`` of a layer, normalised to 0 for single values and 1 for the root (paper, equation (1))."""
        return Fraction(self.values // self.nodes_in(layer) - 1, self.values - 1)
