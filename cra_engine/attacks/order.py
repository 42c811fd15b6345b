"""The order of a release's rows: whether the table can have been sorted by a quasi-identifier, and what that tells.

Nothing in a release says that its rows stand in the table's order, or that the table was sorted; that is supposed, and
how likely such an order is by chance is said beside it. Of a table sorted by age each row is at least as old as the
rows above it and at most as old as those below, whatever their intervals say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, lgamma, log

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.errors import CRAError
from cra_engine.expected import expect
from cra_engine.release import Release
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import listed, ten_to

LEVEL = 0.001  # by chance fewer than one release in a thousand is called sorted
Spans = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SortedColumn:
    """A quasi-identifier by which an attacked release's rows can have been sorted.

    Attributes:
        name: of the quasi-identifier.
        descending: whether the values fall from row to row.
        log10_chance: decimal logarithm of an upper bound on the chance that rows in random order could be sorted so by
            this or any other quasi-identifier, in either direction.
        shown: per row the leaves that its label says, first and one past the last. Shape (records, 2).
        spans: per row the leaves that its value can lie in, if the table was sorted so; going by the labels alone each
            is attained by some sorted table. Shape (records, 2).
    """

    name: str
    descending: bool
    log10_chance: float
    shown: Spans
    spans: Spans

    @property
    def narrowed(self) -> NDArray[np.bool_]:
        """Per row whether the order says more than its label."""
        return np.asarray((self.spans != self.shown).any(axis=1))

    @property
    def chance(self) -> str:
        """The upper bound on the chance, rounded up to a power of ten."""
        return ten_to(ceil(self.log10_chance)) if self.log10_chance < 0 else "1"

    @property
    def assumption(self) -> str:
        """What is supposed, in a sentence."""
        how = "descending" if self.descending else "ascending"
        return f"Supposed: that the rows stand in the table's order, and that it was sorted by {self.name!r}, {how}."


@dataclass(frozen=True, eq=False)
class OrderAttack:
    """What an attack learns from the order of a release's rows, supposing that the table was sorted.

    Attributes:
        release: the attacked release.
        columns: the quasi-identifiers by which the table can have been sorted, where chance does not explain it, the
            least likely first.
    """

    release: Release
    columns: tuple[SortedColumn, ...]

    @cached_property
    def out_of_place(self) -> dict[str, int]:
        """Per numeric quasi-identifier the fewest rows without which the rest can be sorted by it, in a direction.

        0 where all can. It looks at every row by itself: some seconds for a hundred thousand of them.
        """
        spans = {a.name: _spans(self.release, a) for a in _numeric(self.release)}
        return {name: min(_out_of_place(rows), _out_of_place(rows[::-1])) for name, rows in spans.items()}

    @property
    def narrowed(self) -> int:
        """The number of rows about which the order tells more than their labels."""
        told = [column.narrowed for column in self.columns]
        return int(np.logical_or.reduce(told).sum()) if told else 0

    @property
    def assumption(self) -> str:
        """What is supposed, in a sentence; empty where nothing is."""
        return self.columns[0].assumption if self.columns else ""

    def to_frame(self) -> pd.DataFrame:
        """What each row's labels become, as a table in the release's order: a column of intervals per sorted column."""
        shown = {}
        for column in self.columns:
            attribute = next(a for a in self.release.attributes if a.name == column.name)
            nodes = attribute.layer_nodes[0]
            shown[column.name] = [
                f"[{nodes[first].lower}, {nodes[last - 1].upper}[" for first, last in column.spans.tolist()
            ]
        return pd.DataFrame(shown, index=range(self.release.records))


def attack_order(release: Release, level: float = LEVEL) -> OrderAttack:
    """Attack a release by its rows' order: test whether a quasi-identifier can have sorted them, and narrow by it.

    The test is exact: the rows can be sorted if and only if values that rise from row to row (or fall) fit the labels.
    Rows in random order can, too, if their labels are wide: the chance of that is bounded from above by the chance that
    rows with labels inside disjoint intervals stand in the intervals' order, times the number of orders looked at.

    Args:
        release: the release, its rows in the order of the file.
        level: the largest chance at which rows are called sorted.

    >>> from cra_engine import Attribute, Study
    >>> study = Study([Attribute("age", 0, 80, layers=4)], k=2)
    >>> rows = ["[0, 10["] * 5 + ["*"] + ["[10, 20["] * 5 + ["[20, 40["] * 5
    >>> found = attack_order(Release(study, pd.DataFrame({"age": rows})))
    >>> found.columns[0].spans[5].tolist(), found.narrowed
    ([0, 2], 1)
    """
    expect(release, Release, "attack_order(release)")
    numeric = _numeric(release)
    columns = []
    for attribute in numeric:
        shown = _spans(release, attribute)
        log_chance = _log_chance_of_any(shown, attribute, numeric)
        if log_chance > log(level):
            continue
        found = (_sorted_column(attribute, shown, log_chance, descending=descending) for descending in (False, True))
        columns += [column for column in found if column is not None]
    return OrderAttack(release, tuple(sorted(columns, key=lambda column: column.log10_chance)))


def suppose_sorted(release: Release, name: str, *, descending: bool = False) -> SortedColumn:
    """Attack a release by supposing that its rows were sorted by a quasi-identifier, however likely that is.

    Args:
        release: the release, its rows in the order of the file.
        name: of the quasi-identifier.
        descending: whether the values fall from row to row.

    Raises:
        CRAError: no quasi-identifier of numbers has this name, or the rows cannot be sorted so.
    """
    numeric = _numeric(release)
    attribute = next((one for one in numeric if one.name == name), None)
    if attribute is None:
        there = f"take {listed([one.name for one in numeric], 'or')}" if numeric else "there is none"
        raise CRAError(f"{name!r} is no quasi-identifier of numbers without missing values; {there}.")
    shown = _spans(release, attribute)
    chance = _log_chance_of_any(shown, attribute, numeric)
    column = _sorted_column(attribute, shown, chance, descending=descending)
    if column is None:
        other = _sorted_column(attribute, shown, chance, descending=not descending)
        how, turned = ("descending", "ascending") if descending else ("ascending", "descending")
        instead = f"they can be {turned}" if other is not None else "nor can they be the other way round"
        raise CRAError(f"The rows are not those of a table sorted by {name!r}, {how}; {instead}.")
    return column


def _sorted_column(attribute: Hierarchy, shown: Spans, log_chance: float, *, descending: bool) -> SortedColumn | None:
    inside = sorted_spans(shown[::-1] if descending else shown)
    if inside is None:
        return None
    inside = inside[::-1] if descending else inside
    return SortedColumn(attribute.name, descending, log_chance / log(10), shown, inside)


def _log_chance_of_any(shown: Spans, attribute: Hierarchy, numeric: Sequence[Hierarchy]) -> float:
    """As :func:`_log_chance`, times the number of quasi-identifiers and directions looked at."""
    return min(0.0, log(2 * len(numeric)) + _log_chance(shown, attribute))


def _numeric(release: Release) -> list[Hierarchy]:
    """The quasi-identifiers that a table can be sorted by, whose gaps would have no place in the order."""
    return [attribute for attribute in release.attributes if attribute.numeric and not attribute.missing]


def sorted_spans(spans: Spans) -> Spans | None:
    """Narrow what each row's value can be if a release's table ascends; None where no ascending values fit.

    >>> sorted_spans(np.array([[2, 4], [0, 8], [2, 4]])).tolist(), sorted_spans(np.array([[2, 4], [0, 2]]))
    ([[2, 4], [2, 4], [2, 4]], None)
    """
    lowest = np.maximum.accumulate(spans[:, 0])
    past = np.minimum.accumulate(spans[::-1, 1])[::-1]
    return None if (lowest >= past).any() else np.stack([lowest, past], axis=1)


def _spans(release: Release, attribute: Hierarchy) -> Spans:
    """Per row the leaves below its label, first and one past the last; the release has read every label before."""
    release.refuse_counted()
    codes, labels = pd.factorize(release.table[attribute.name].astype("object"))
    ends = []
    for label in labels:
        node = attribute.parse(label)
        leaf = attribute.reader.leaf_of(label) if node is None else None
        ends.append((node.start, node.stop) if node is not None else (leaf or 0, (leaf or 0) + 1))
    return np.array(ends, dtype=np.int64)[codes]


def _out_of_place(spans: Spans) -> int:
    """The fewest rows without which the rest can ascend: the longest rest, by the highest first leaf in it so far."""
    longest = np.full(int(spans[:, 1].max()), -1)
    best = 0
    for first, past in spans.tolist():
        reached = int(max(longest[: first + 1].max(), 0)) + 1  # all before it begin no later
        longest[first + 1 : past] += longest[first + 1 : past] >= 0
        longest[first] = max(longest[first], reached)
        best = max(best, int(longest.max()))
    return len(spans) - best


def _log_chance(spans: Spans, attribute: Hierarchy) -> float:
    """Natural logarithm of an upper bound on the chance that rows in random order can ascend.

    Rows below one node of a layer have to stand before those below the next one. That happens with a chance of one in
    the multinomial coefficient of their numbers, and the layer on which that is least likely is taken: the layers'
    chances need no sum, since the labels alone say which is taken, not their order.
    """
    found = 0.0
    for nodes in attribute.layer_nodes:
        starts = np.array([node.start for node in nodes])
        of = np.searchsorted(starts, spans[:, 0], side="right") - 1
        within = spans[:, 1] <= np.array([node.stop for node in nodes])[of]
        sizes = np.bincount(of[within])
        found = min(found, _log_factorials(sizes.tolist()) - lgamma(int(sizes.sum()) + 1))
    return found


def _log_factorials(numbers: Sequence[int]) -> float:
    return sum(lgamma(number + 1) for number in numbers)


def chance_that_rows_fit(one: Release, other: Release) -> float | None:
    """Return how likely two releases' rows in random order fit row by row; None where they do not fit.

    Row i of both releases fits if some value lies in both labels of each quasi-identifier that they share. The chance
    is an upper bound: of the rows of one release below some node none may meet a row of the other that lies outside it.
    """
    if one.records != other.records:
        return None
    least = 0.0
    for attribute in one.attributes:
        twin = next((own for own in other.attributes if own.name == attribute.name), None)
        if twin is None or twin.layer_nodes[0] != attribute.layer_nodes[0]:
            continue
        spans, others = _spans(one, attribute), _spans(other, twin)
        if ((spans[:, 0] >= others[:, 1]) | (others[:, 0] >= spans[:, 1])).any():
            return None
        for nodes in attribute.layer_nodes:
            for node in nodes:
                inside = int(((spans[:, 0] >= node.start) & (spans[:, 1] <= node.stop)).sum())
                outside = int(((others[:, 1] <= node.start) | (others[:, 0] >= node.stop)).sum())
                least = min(least, _log_apart(one.records, inside, outside))
    return float(np.exp(least))


def _log_apart(records: int, some: int, others: int) -> float:
    """Natural logarithm of the chance that so many rows and so many others, drawn at random, have none in common."""
    if some + others > records:
        return 0.0
    return (
        lgamma(records - some + 1)
        + lgamma(records - others + 1)
        - lgamma(records - some - others + 1)
        - lgamma(records + 1)
    )
