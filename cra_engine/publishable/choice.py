"""One choice of the search, and what was decided before it: what has to stay, and which rows are left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from cra_engine.errors import StudyError
from cra_engine.options.option import Way
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.study import Study

AS_IT_IS, REMOVED = -1, 0

Heights = tuple[int, ...]


@dataclass(frozen=True)
class Pin:
    """What has to stay of a column, whatever the search chooses.

    Attributes:
        name: the column; it may not be removed, nor be the same in every row.
        widest: the widest interval that a row may show of it, unless nothing is shown of the row: 10 keeps an age in
            tens. None: as wide as need be.
    """

    name: str
    widest: Decimal | None = None

    @classmethod
    def of(cls, text: str) -> "Pin":
        """Returns a pin as people write it: ``age`` or ``age=10``.

        Raises:
            StudyError: what follows ``=`` is no number above 0.

        >>> Pin.of("age=10")
        Pin(name='age', widest=Decimal('10'))
        """
        name, equals, width = text.rpartition("=")
        if not equals:
            return cls(text)
        try:
            widest = Decimal(width)
        except ArithmeticError:
            widest = Decimal(0)
        if not widest > 0:
            raise StudyError(f"{text[:60]!r} keeps nothing: give a column, or a column and a width, such as age=10.")
        return cls(name, widest)

    def __str__(self) -> str:
        """What has to stay as people write it."""
        return self.name if self.widest is None else f"{self.name}={self.widest:f}"

    def stays_in(self, study: Study, gone: Sequence[str]) -> bool:
        """Returns whether a table shows what has to stay, and its finest groups are as narrow as that.

        Args:
            study: by which it was published.
            gone: columns of which it shows nothing.
        """
        if self.name in gone or self.name in study.roles.remove:
            return False
        hierarchy = next((one for one in study.attributes if one.name == self.name), None)
        if hierarchy is None or self.widest is None:
            return True
        shown = {node.label for node in hierarchy.layer_nodes[0]}
        return hierarchy.numeric and shown <= self.allowed(hierarchy)

    def allowed(self, hierarchy: Hierarchy) -> frozenset[str]:
        """Returns the labels of what has to stay that a row may show; the root's says nothing, and is none of them."""
        return frozenset(
            node.label
            for nodes in hierarchy.layer_nodes[:-1]
            for node in nodes
            if self.widest is None or node.coded or Decimal(node.upper) - Decimal(node.lower) <= self.widest
        )


@dataclass(frozen=True)
class Decided:
    """What was decided before the search of a table, or by it, that its study does not tell once columns are removed.

    Attributes:
        pins: what has to stay.
        removed: columns that the search removed, or that were too many before it; what they told is lost.
        without_rows: rows of the raw table that are left out whatever they say, counted from 1.
        in_the_way: those of them that the search left out, as they stood in the way of what has to stay, or of more
            detail.
        why: for which reason rows of ``without_rows`` are left out, in words that follow, where somebody said it.
    """

    pins: tuple[Pin, ...] = ()
    removed: tuple[str, ...] = ()
    without_rows: tuple[int, ...] = ()
    in_the_way: tuple[int, ...] = ()
    why: Mapping[int, str] = field(default_factory=dict, compare=False)

    def by_reason(self, repeating: Sequence[int]) -> dict[str, tuple[int, ...]]:
        """Returns by the reason the rows that somebody left out, those aside that repeat another.

        >>> Decided(without_rows=(3, 5, 8, 9), in_the_way=(8,), why={3: "holding no person"}).by_reason([5])
        {'holding no person': (3,), 'as decided': (9,)}
        """
        rest = set(self.without_rows).difference(self.in_the_way, repeating)
        reasons = {row: self.why.get(row, "as decided") for row in sorted(rest)}
        return {why: tuple(row for row in reasons if reasons[row] == why) for why in dict.fromkeys(reasons.values())}


@dataclass(frozen=True)
class Choice:
    """One of all combinations that a search may choose.

    Attributes:
        heights: per column of the space how it goes out: ``AS_IT_IS``, ``REMOVED``, or the layers of its hierarchy;
            fewer layers are coarser finest intervals.
        k: smallest number of records that may share a class.
        way: how the table is published.
        gaps: what becomes of missing values that nobody decided about.
    """

    heights: Heights
    k: int
    way: Way
    gaps: str
