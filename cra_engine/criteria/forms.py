"""Forms for criteria: the fields that a page shows to somebody who asks for one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class NumberField:
    """A number to fill in for a criterion; whole where its limits are.

    Attributes:
        name: the criterion's parameter.
        label: what stands beside it.
        lowest: the least that it may be.
        highest: the most.
        usual: what stands there to begin with.
        step: what one click adds; by default the page's own.
    """

    name: str
    label: str
    lowest: float
    highest: float
    usual: float
    step: float | None = None


@dataclass(frozen=True)
class Form:
    """One way to ask a person for a criterion.

    Attributes:
        label: what it is called.
        numbers: what is to be filled in.
        fixed: parameters that this way has settled.
        asks: what else it needs besides a column: a value of it, or a hierarchy file of its values; "nothing" where not
            even a column.
    """

    label: str
    numbers: tuple[NumberField, ...]
    fixed: Mapping[str, str] = field(default_factory=dict)
    asks: Literal["", "value", "hierarchy", "nothing"] = ""
