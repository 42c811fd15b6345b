"""Whole groups of people that no row of a table shows any more, though there are enough of them to be shown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import Node
from cra_engine.words import how_many, spoken


@dataclass(frozen=True, eq=False)
class GroupedColumn:
    """A column of a table that goes out in groups.

    Attributes:
        hierarchy: its groups.
        leaves: per row the finest of them that the person is in; one past the last where the value is missing.
        hidden: which rows show ``*`` of it.
    """

    hierarchy: Hierarchy
    leaves: NDArray[np.int64]
    hidden: NDArray[np.bool_]


@dataclass(frozen=True)
class GoneGroup:
    """A group of people by two columns that stands in no row of a table.

    Attributes:
        group: what it is, in words.
        people: how many they are.
    """

    group: str
    people: int

    def __str__(self) -> str:
        """Returns it as one of a list."""
        return f"{self.group}: all {self.people:,}"


@dataclass(frozen=True)
class GoneGroups:
    """The groups of people by two columns that stand in no row of a table.

    Attributes:
        largest: the one with most people; None where there is no group.
        others: all others, none of them part of another.
        people_of_others: how many people these are together; some can be in several.
    """

    largest: GoneGroup | None = None
    others: tuple[GoneGroup, ...] = ()
    people_of_others: int = 0

    @property
    def told(self) -> str:
        """The largest as a sentence, which says how many others there are; empty where there is none."""
        if self.largest is None:
            return ""
        who = how_many(self.largest.people, "such person", "such people")
        told = f"No row is left that shows {self.largest.group}: all {who} stand behind *"
        if self.others:
            more, people = len(self.others), how_many(self.people_of_others, "person", "people")
            told += f"; so do all of {how_many(more, 'more combination')}, {people}, named in the verdict"
        return f"{told}."


@dataclass(frozen=True, eq=False)
class _Gone:
    """A group of people by two columns that stands in no row: what each column shows of them, how many, how wide."""

    columns: tuple[GroupedColumn, GroupedColumn]
    nodes: tuple[Node, Node]
    people: int

    @property
    def wide(self) -> int:
        return sum(node.stop - node.start for node in self.nodes)

    @property
    def rows(self) -> NDArray[np.bool_]:
        one, other = (
            (node.start <= column.leaves) & (column.leaves < node.stop)
            for column, node in zip(self.columns, self.nodes, strict=True)
        )
        return one & other

    def holds(self, other: "_Gone") -> bool:
        """Whether all of another group are in it."""
        return self.columns == other.columns and all(
            own.start <= node.start and node.stop <= own.stop for own, node in zip(self.nodes, other.nodes, strict=True)
        )

    @property
    def named(self) -> GoneGroup:
        """The group in words."""
        told = (
            f"{column.hierarchy.name} {spoken(node.label)}"
            for column, node in zip(self.columns, self.nodes, strict=True)
        )
        return GoneGroup(" together with ".join(told), self.people)


def gone_together(columns: Sequence[GroupedColumn], often: NDArray[np.int64], k: int) -> GoneGroups:
    """Return the groups of people by two columns that no row of a table shows.

    Only people who are in the table are counted. A group that stands in no row by one of the columns alone is none of
    these, nor is one that is part of another.

    Args:
        columns: those that go out in groups.
        often: how many people each row stands for.
        k: how many people a group has at least.
    """
    found = [one for pair in combinations(columns, 2) for one in _gone_of(*pair, often, k)]
    # Of groups with the same people the widest is told, which says most.
    found.sort(key=lambda one: (-one.people, -one.wide))
    widest = list[_Gone]()
    for one in found:
        if not any(other.holds(one) for other in widest):
            widest.append(one)
    if not widest:
        return GoneGroups()
    first, *others = widest
    rows = np.logical_or.reduce([one.rows for one in others]) if others else np.zeros(len(often), dtype=bool)
    return GoneGroups(first.named, tuple(one.named for one in others), int(often[rows].sum()))


def _gone_of(one: GroupedColumn, other: GroupedColumn, often: NDArray[np.int64], k: int) -> Iterator[_Gone]:
    """Each group by two columns that no row shows its people."""
    there = (one.leaves < one.hierarchy.leaves) & (other.leaves < other.hierarchy.leaves)
    hidden = one.hidden | other.hidden
    if not (there & hidden).any():
        return
    rows = pd.DataFrame(
        {
            "one": one.leaves,
            "other": other.leaves,
            "people": often,
            "shown": often * ~hidden,
            "by_one": often * ~one.hidden,
            "by_other": often * ~other.hidden,
        }
    )[there]
    cells = rows.groupby(["one", "other"], as_index=False).sum()
    for high, wide in product(_layers(one.hierarchy), _layers(other.hierarchy)):
        groups = cells.assign(
            one=one.hierarchy.ranks[high][cells["one"]], other=other.hierarchy.ranks[wide][cells["other"]]
        )
        by_one = groups.groupby("one")["by_one"].sum()
        by_other = groups.groupby("other")["by_other"].sum()
        groups = groups.groupby(["one", "other"], as_index=False)[["people", "shown"]].sum()
        gone = groups[(groups["shown"] == 0) & (groups["people"] >= k)]
        for left, right, people in gone[["one", "other", "people"]].itertuples(index=False):
            if by_one[left] and by_other[right]:
                nodes = one.hierarchy.layer_nodes[high][left], other.hierarchy.layer_nodes[wide][right]
                yield _Gone((one, other), nodes, int(people))


def _layers(hierarchy: Hierarchy) -> range:
    """The layers below the root, which says nothing."""
    return range(len(hierarchy.layer_nodes) - 1)
