"""Shows every result: in one line, as a table in notebooks, and as plain data for JSON."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from decimal import Decimal
from fractions import Fraction
from html import escape
from typing import Any

import numpy as np
import pandas as pd

Json = dict[str, Any]
MOST_ROWS = 60  # of a table in a notebook


class Frozen:
    """A result that stays as it was made, for a class that reads more at once than a dataclass's fields hold."""

    def __setattr__(self, name: str, value: object) -> None:
        """Refused.

        Raises:
            FrozenInstanceError: always.
        """
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        """Refused, as :meth:`__setattr__` is."""
        raise FrozenInstanceError(f"cannot delete field {name!r}")


class Result(ABC):
    """A result of the engine: one line, a table, a view for notebooks, and plain data.

    Inherited by frozen dataclasses with ``repr=False``. A field or property ``warnings``, where there is one, says what
    weakens the result; notebooks show it above the table.
    """

    @abstractmethod
    def summary(self) -> Mapping[str, object]:
        """The few numbers that the one line shows, each by its name."""

    @abstractmethod
    def to_frame(self) -> pd.DataFrame:
        """The result as a table."""

    @abstractmethod
    def to_dict(self) -> Json:
        """The result as plain data, as the command of its name prints it with ``--json``; keys in docs/json.md."""

    def __repr__(self) -> str:
        """In one line."""
        return f"{type(self).__name__}({', '.join(f'{name}={value}' for name, value in self.summary().items())})"

    def _repr_html_(self) -> str:
        """As notebooks show it: the one line, what weakens the result, the table."""
        lines = (repr(self), *getattr(self, "warnings", ()))
        table = self.to_frame().to_html(max_rows=MOST_ROWS)
        return "".join(f"<p>{escape(line)}</p>" for line in lines) + str(table)


def plain(data: Mapping[str, Any]) -> Json:
    """Return a result's data as JSON can hold it: sequences as lists, exact numbers as floats, None for none.

    Whole numbers stay numbers: what can pass 2**53 is given as text, by :func:`cra_engine.words.digits`.

    Raises:
        TypeError: there is something in it that is no data.

    >>> plain({"state": (2, 1), "gain": Fraction(1, 4), "ratio": float("inf"), "rows": np.array([0, 3])})
    {'state': [2, 1], 'gain': 0.25, 'ratio': None, 'rows': [0, 3]}
    """
    return {str(key): _plain(value) for key, value in data.items()}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | Fraction | Decimal | np.floating):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return plain(value)
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(member) for member in value]
    raise TypeError(f"{type(value).__name__} is no plain data")
