"""A table of a report: its columns with what they mean, its rows, and how values read."""

from dataclasses import dataclass
from typing import Literal

from cra_engine.words import power

# "power": a number of any size, given by its decimal logarithm.
Kind = Literal["text", "count", "number", "percent", "power"]
Value = str | int | float | None


@dataclass(frozen=True)
class Heading:
    """A column of an experiment's table: its name, its group (``k = 3``), what it is, and how it is shown."""

    name: str
    help: str
    kind: Kind = "number"
    group: str = ""

    @property
    def title(self) -> str:
        """Group and name on one line."""
        return f"{self.group}: {self.name}" if self.group else self.name


DATASET = Heading("data set", "name of the data set in the plan", "text")


@dataclass(frozen=True)
class Sheet:
    """One table of an experiment's report.

    Attributes:
        key: what its files are called.
        title: its heading.
        note: what a reader must know of it.
        columns: its columns; rows hold one value for each.
    """

    key: str
    title: str
    note: str
    columns: tuple[Heading, ...]
    rows: tuple[tuple[Value, ...], ...]


def shown_value(value: Value, kind: Kind) -> str:
    """Write a value of an experiment's report for people: ``1,886.2``, ``3.26 × 10²¹``, ``74.1 %``, ``-`` for none."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if kind == "percent":
        return f"{value:.1f} %"
    if kind == "power":
        return power(float(value), 2, 6)
    if kind == "count":
        return f"{value:,}"
    return f"{value:,.2f}"


def csv_value(value: Value, kind: Kind) -> str:
    """Write a value of an experiment's report for a program: 9 significant digits, or nothing."""
    if value is None or (kind == "power" and float(value) > 308):
        return ""
    if isinstance(value, str | int):
        return str(value)
    return format(10**value if kind == "power" else value, ".9g")
