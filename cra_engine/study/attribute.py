"""A numeric quasi-identifier whose hierarchy is intervals of equal length."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from inspect import signature
from typing import Any

import pandas as pd

from cra_engine.errors import StudyError, TooLargeError
from cra_engine.files.notation import MAX_DIGITS, digits_needed
from cra_engine.study.coded import Coded, coded_gap, with_coded
from cra_engine.study.file_hierarchy import FileHierarchy, made_hierarchy, read_hierarchy
from cra_engine.study.hierarchy import MAX_LEAVES, MAX_LISTED, Hierarchy
from cra_engine.study.periods import PERIODS, as_day, first_day, period_number, period_text, starts_period
from cra_engine.study.tree import ROOT_LABEL, Node
from cra_engine.words import number_text


@dataclass(frozen=True, init=False)
class Attribute(Hierarchy):
    """A quasi-identifier with its hierarchy (paper, section 2).

    The domain ``[lower, upper)`` holds ``(upper - lower) / resolution`` distinct values. Layer ``l`` of ``layers``
    splits it into ``fanout ** (layers - l)`` intervals of equal length.

    Args:
        name: the column's name.
        lower: first value of the domain; a date for a column of dates.
        upper: first value past it; a date as well.
        layers: height of the hierarchy of intervals; leaves are layer 1, the root is layer ``layers``.
        fanout: children per node, 2 to 10.
        resolution: distance of two neighbouring values.
        unit: shown beside numbers, for instance ``"kg"``; of dates what is counted: ``"year"``, ``"quarter"``,
            ``"month"`` or ``"day"``.
        finest: 0 where a release may show the values themselves, in one more layer below the intervals; else 1.
        missing: what becomes of gaps: ``"leave-out"`` (of their rows nothing is published), ``"category"`` (a value of
            its own), ``"*"`` (as if suppressed from the start). Left out: there may be none.
        below: whether values below ``lower``, and what is written ``<18``, are one leaf of its own.
        above: whether values from ``upper`` on, and what is written ``90+``, are one leaf of its own.

    Attributes:
        layers: as above, one more with ``finest`` 0.
        dates: whether the numbers count periods; ``lower`` and ``upper`` are their numbers then.

    Raises:
        StudyError: a setting is unusable or the layers do not divide the domain evenly.

    >>> age = Attribute("age", 0, 80, layers=4, unit="years")
    >>> [node.label for node in age.layer_nodes[1]]
    ['[0, 20[', '[20, 40[', '[40, 60[', '[60, 80[']
    >>> coded = Attribute("age", 18, 90, layers=2, fanout=3, below=True, above=True, missing="category")
    >>> [node.label for node in coded.layer_nodes[0]]
    ['<18', '[18, 42[', '[42, 66[', '[66, 90[', '>=90', 'NULL']
    >>> from datetime import date
    >>> admitted = Attribute("admitted", date(2010, 1, 1), date(2026, 1, 1), layers=2, unit="year")
    >>> [node.label for node in admitted.layer_nodes[0]]
    ['[2010-01-01, 2018-01-01[', '[2018-01-01, 2026-01-01[']
    """

    name: str
    lower: Decimal
    upper: Decimal
    layers: int
    fanout: int
    resolution: Decimal
    unit: str
    finest: int
    missing: str
    below: bool
    above: bool
    dates: bool

    def __init__(
        self,
        name: str,
        lower: float | Decimal | date,
        upper: float | Decimal | date,
        layers: int,
        fanout: int = 2,
        resolution: float | Decimal = 1,
        unit: str = "",
        finest: int = 1,
        missing: str = "",
        *,
        below: bool = False,
        above: bool = False,
    ) -> None:
        given = {
            "name": name,
            "lower": lower,
            "upper": upper,
            "layers": layers,
            "fanout": fanout,
            "resolution": resolution,
            "unit": unit,
            "finest": finest,
            "missing": missing,
            "below": below,
            "above": above,
        }
        from cra_engine.study.shapes import checked  # noqa: PLC0415 - pydantic takes its time to load

        settings = checked(given)
        for key, value in settings:
            object.__setattr__(self, key, value)
        object.__setattr__(self, "dates", isinstance(settings.lower, date))
        self._count_periods(settings.lower, settings.upper)
        self._check()
        object.__setattr__(self, "layers", settings.layers + 1 - settings.finest)
        self._grow(self._made_layers(), None)

    def settings(self) -> dict[str, Any]:
        """Returns the attribute's settings as a study file names them: dates as dates, the layers of intervals."""
        settings = {name: getattr(self, name) for name in _USUAL}
        settings["layers"] = self.interval_layers
        if self.dates:
            settings |= {key: as_day(settings[key], self.unit) for key in ("lower", "upper")}
        return settings

    def definition(self) -> dict[str, Any]:
        """Returns what a study file writes of it; see :class:`Hierarchy`."""
        return {name: value for name, value in self.settings().items() if value != _USUAL[name]}

    def listed_rows(self) -> list[tuple[str, ...]]:
        """Returns a row for each value of the domain.

        Raises:
            TooLargeError: the domain holds more than a million values.
        """
        if self.values > MAX_LISTED:
            raise TooLargeError(
                f"The domain of {self.name!r} holds {self.values:,} values, "
                f"more than {MAX_LISTED:,} to list; take a coarser resolution."
            )
        rows = []
        for leaf, node in enumerate(self.layer_nodes[0]):
            labels = [self.node(layer + 1, int(ranks[leaf])).label for layer, ranks in enumerate(self.ranks)]
            rows += [(number_text(node.lower + step * self.resolution), *labels) for step in range(node.values)]
        return rows

    def changed(self, **settings: Any) -> "Attribute":
        """The same attribute but for some settings.

        >>> Attribute("age", 0, 80, layers=4, unit="years").changed(layers=3).leaves
        4
        """
        return Attribute(**(self.settings() | settings))

    def with_finest(self, finest: int) -> "Attribute":
        """The same attribute with, or without, the values themselves below its intervals."""
        return self if finest == self.finest else self.changed(finest=finest)

    def with_missing(self, missing: str) -> "Attribute":
        """The same attribute with another choice of what becomes of gaps."""
        return self.changed(missing=missing)

    @property
    def interval_layers(self) -> int:
        """Layers of intervals, the root included."""
        return self.layers - 1 + self.finest

    def _count_periods(self, *ends: Decimal | date) -> None:
        """Dates as numbers of periods."""
        days = [end for end in ends if isinstance(end, date)]
        if not days:
            return
        where = f"Attribute {self.name!r}"
        if len(days) < len(ends):
            raise StudyError(f"{where}: lower and upper are a date and a number; give two dates or two numbers.")
        if not self.unit:
            object.__setattr__(self, "unit", "day")
        if self.unit not in PERIODS:
            raise StudyError(f"{where}: unit is {self.unit[:60]!r}; with dates take {', '.join(PERIODS)}.")
        for key, day in zip(("lower", "upper"), days, strict=True):
            number = period_number(day, self.unit)
            if not starts_period(day, self.unit):
                raise StudyError(
                    f"{where}: {key} {day.isoformat()} is not the first day of a {self.unit}; "
                    f"take {first_day(number, self.unit)}."
                )
            object.__setattr__(self, key, Decimal(number))
        if self.resolution != int(self.resolution):
            raise StudyError(
                f"{where}: resolution {number_text(self.resolution)}; dates are counted in whole {self.unit}s."
            )

    @staticmethod
    def from_hierarchy(
        name: str,
        hierarchy: "str | os.PathLike[str] | Sequence[Sequence[str]] | pd.DataFrame",
        unit: str = "",
        finest: int | None = None,
        missing: str = "",
    ) -> FileHierarchy:
        """A quasi-identifier with a hierarchy of its own: categories, or intervals that need not be equal.

        Args:
            name: the column's name.
            hierarchy: an ARX hierarchy file's path; or its rows, or a table of them: per value the value and its label
                in each layer, leaves first, the root last.
            unit: shown beside numbers.
            finest: the first column that a release may show, 0 (the values) or 1; left out: 0 for categories, 1 for
                intervals of numbers, and where the second column repeats the values.
            missing: what becomes of gaps, as for :class:`Attribute`.

        Raises:
            StudyError: it is no hierarchy.

        >>> sex = Attribute.from_hierarchy("sex", [("f", "*"), ("m", "*")])
        >>> sex.layers, [node.label for node in sex.layer_nodes[0]]
        (2, ['f', 'm'])
        """
        if isinstance(hierarchy, str | os.PathLike):
            return read_hierarchy(hierarchy, name, unit, finest=finest, missing=missing)
        rows = hierarchy.astype(str).itertuples(index=False) if isinstance(hierarchy, pd.DataFrame) else hierarchy
        return made_hierarchy(name, [[str(cell) for cell in row] for row in rows], repr(name), unit, finest, missing)

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
                f"{where}: upper {self.text(self.upper)} is not above lower {self.text(self.lower)}; "
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
                f"{where}: the domain [{self.text(self.lower)}, {self.text(self.upper)}[ is not a whole number of "
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
                f"fanout {self.fanout}); take upper = {self.text(upper)} or other layers."
            )
        if not self.finest and values > MAX_LEAVES:
            raise StudyError(
                f"{where}: finest = 0 makes each of its {values.numerator:,} values a leaf, more than {MAX_LEAVES:,}; "
                "take finest = 1 or a coarser resolution."
            )

    @property
    def steps(self) -> int:
        """Number of values from ``lower`` to ``upper``, without coded ones."""
        return int((self.upper - self.lower) / self.resolution)

    def _intervals_in(self, layer: int) -> int:
        if layer == 1 and not self.finest:
            return self.steps
        return int(self.fanout ** (self.layers - layer))

    @property
    def _before(self) -> tuple[Coded, ...]:
        return (Coded(f"<{self.text(self.lower)}"),) if self.below else ()

    @property
    def _after(self) -> tuple[Coded, ...]:
        top = (Coded(f">={self.text(self.upper)}"),) if self.above else ()
        return (*top, *coded_gap(self.missing))

    def text(self, value: Decimal) -> str:
        """An end of an interval as a release writes it: a number, or the first day of a period."""
        return first_day(int(value), self.unit) if self.dates else number_text(value)

    def _value_text(self, value: Decimal) -> str:
        return period_text(int(value), self.unit) if self.dates else number_text(value)

    def _made_layers(self) -> tuple[tuple[Node, ...], ...]:
        result, leaves = [], self._intervals_in(1)
        for layer in range(1, self.layers + 1):
            count = self._intervals_in(layer)
            span, values = leaves // count, self.steps // count
            width = values * self.resolution
            nodes = []
            for rank in range(count):
                lower, upper = self.lower + rank * width, self.lower + (rank + 1) * width
                ends = (self.text(lower), self.text(upper))
                label = ROOT_LABEL if layer == self.layers else f"[{ends[0]}, {ends[1]}["
                if layer == 1 and not self.finest:
                    label = self._value_text(lower)
                named = ends if self.dates else None
                start, stop = rank * span, (rank + 1) * span
                nodes.append(Node(layer, rank, start, stop, lower, upper, values, label, ends=named))
            result.append(tuple(nodes))
        width = (self.upper - self.lower) / self._intervals_in(min(2 - self.finest, self.layers))
        return with_coded(result, self._before, self._after, width, f"Attribute {self.name!r}")

    def shares(self, layer: int) -> tuple[Fraction, ...]:
        """Per node of a layer, its part of the domain; a gap that is ``*`` from the start counts as its neighbours."""
        whole = self.values - (self.missing == ROOT_LABEL)
        usual = Fraction(self.steps // self._intervals_in(layer), whole)
        return tuple(
            Fraction(1, whole) if node.coded and not node.gap else usual if layer < self.layers else Fraction(1)
            for node in self.layer_nodes[layer - 1]
        )

    @property
    def least_share(self) -> Fraction:
        """Share of a single value."""
        return Fraction(1, self.values - (self.missing == ROOT_LABEL))

    def loss(self, layer: int) -> Fraction:
        """``Q_loss`` of a layer, normalised to 0 for single values and 1 for the root (paper, equation (1))."""
        if self.below or self.above or self.missing == "category":
            return super().loss(layer)
        return Fraction(self.steps // self._intervals_in(layer) - 1, self.steps - 1)


_USUAL = {name: one.default for name, one in signature(Attribute).parameters.items()}
"""The settings in their order; what has to be given has no usual value, and equals none."""
