"""The rules by which statistical offices call a cell of a table sensitive: dominance and p %.

Both come from tabular data protection; Torra and Navarro-Arribas, "Attribute disclosure risk for k-anonymity: the case
of numerical data" (2023), section 2.3, apply them to the classes of a k-anonymous table.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.cells import CellRule, ClassCells, Verdict, verdict
from cra_engine.criteria.groups import with_room
from cra_engine.criteria.parameters import Number, above_zero, share
from cra_engine.errors import StudyError
from cra_engine.expected import whole_number


@dataclass(frozen=True)
class Dominance:
    """The criterion (n, r)-dominance, equation 1: the n largest contributors make up more than the share r.

    Attributes:
        n: how many contributors, 1 or more.
        r: the share, 0 to 1, exact: texts and Decimals as they are written, floats as they print.
        share: ``r`` as a fraction.

    Raises:
        StudyError: ``n`` below 1, ``r`` outside 0 to 1.

    >>> rule = Dominance(2, "0.6")
    >>> rule.holds([40, 20, 20, 20]), rule.holds([41, 20, 20, 20])
    (True, False)
    """

    n: int
    r: Number
    share: Fraction = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the parameters."""
        whole = whole_number(self.n)
        if whole is None or whole < 1:
            raise StudyError(f"The dominance rule counts n = {self.n} contributors; give a whole number of 1 or more.")
        object.__setattr__(self, "n", whole)
        object.__setattr__(self, "share", share(self.r, "The dominance rule's share r"))

    @property
    def kind(self) -> str:
        """The rule's name in files."""
        return "dominance"

    @property
    def value(self) -> str:
        """The share as it was given."""
        return str(self.r)

    @property
    def text(self) -> str:
        """The rule in words and figures."""
        return f"({self.n}, {self.r})-dominance"

    def sensitive(self, cells: ClassCells) -> NDArray[np.bool_]:
        """Per cell whether it is sensitive; means nothing where a contribution is negative."""
        part, whole = self.share.as_integer_ratio()
        return np.asarray(with_room(cells.top(int(self.n)), whole) * whole > with_room(cells.total, part) * part, bool)

    def holds(self, contributions: Sequence[int]) -> bool:
        """Whether a cell passes: nothing negative in it, and not sensitive."""
        return verdict(self, contributions) == Verdict.NOT_SENSITIVE


@dataclass(frozen=True)
class PRule:
    """The criterion p %, equation 2: the second largest contributor can estimate the largest to within the share p.

    What the second largest knows is the total less the own contribution; it misses the largest by all the others. A
    cell with one contributor is not sensitive by this rule: it shows that contributor's value as it is.

    Attributes:
        p: the share (0.6 for 60 %), above 0, exact as the share of :class:`Dominance`.
        share: ``p`` as a fraction.

    Raises:
        StudyError: ``p`` is 0 or less.

    >>> rule = PRule("0.6")
    >>> rule.holds([10, 7, 6]), rule.holds([10, 7, 5])
    (True, False)
    """

    p: Number
    share: Fraction = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the parameter."""
        object.__setattr__(self, "share", above_zero(self.p, "The p % rule's p"))

    @property
    def kind(self) -> str:
        """The rule's name in files."""
        return "p"

    @property
    def value(self) -> str:
        """The share as it was given."""
        return str(self.p)

    @property
    def text(self) -> str:
        """The rule in words and figures."""
        return f"p % rule with p = {self.p}"

    def sensitive(self, cells: ClassCells) -> NDArray[np.bool_]:
        """Per cell whether it is sensitive; means nothing where a contribution is negative."""
        part, whole = self.share.as_integer_ratio()
        rest, largest = cells.total - cells.top(2), cells.top(1)
        close = np.asarray(with_room(rest, whole) * whole < with_room(largest, part) * part, dtype=bool)
        return close & ~cells.alone

    def holds(self, contributions: Sequence[int]) -> bool:
        """Whether a cell passes: nothing negative in it, and not sensitive."""
        return verdict(self, contributions) == Verdict.NOT_SENSITIVE


USUAL: tuple[CellRule, ...] = (Dominance(2, "0.6"), PRule("0.6"))


def dominance_of(text: str) -> Dominance:
    """Read the criterion dominance, written ``N,R``.

    Raises:
        StudyError: not two numbers, or numbers that the rule cannot have.

    >>> dominance_of("2,0.6")
    Dominance(n=2, r='0.6')
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not re.fullmatch(r"[+-]?[0-9]{1,9}", parts[0]):
        raise StudyError(f"The dominance rule {text!r} is not of the form N,R; write 2,0.6 for two contributors, 60 %.")
    return Dominance(int(parts[0]), parts[1])
