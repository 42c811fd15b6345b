"""Whole groups of people that no row of a table shows any more, though there are enough of them to be shown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import Node
from cra_engine.words import how_many, listed, spoken

MOST_NAMED = 3  # groups that a sentence names


@dataclass(frozen=True, eq=False)
class GroupedColumn:
    """A column of a table that goes out in groups.

    Attributes:
        hierarchy: its groups.
        leaves: per row the finest of them that the person is in; -1 where the value is missing.
        hidden: which rows show ``*`` of it, or are left out.
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
        groups: those of most people first, none of them part of another.
        people: how many people these are together; some can be in several.
        left_out: how many of them are left out of the table.
        smaller: how many more there are of fewer people than a group has at least, which are part of none of these.
        k: how many people a group has at least.
    """

    groups: tuple[GoneGroup, ...] = ()
    people: int = 0
    left_out: int = 0
    smaller: int = 0
    k: int = 0

    @property
    def told(self) -> str:
        """How many there are and the largest of them as a sentence; empty where there is none."""
        if not self.groups:
            return ""
        if len(self.groups) == 1:
            who = how_many(self.people, "such person", "such people")
            return f"No row shows {self.groups[0].group}: all {who} {self._where}."
        named = [f"{one.group} (all {one.people:,})" for one in self.groups[:MOST_NAMED]]
        named += [f"{len(self.more):,} more"] if self.more else []
        who = how_many(self.people, "person", "people")
        return f"{len(self.groups):,} combinations of values are in no row: {listed(named)}. Their {who} {self._where}."

    @property
    def _where(self) -> str:
        """What became of these people."""
        if self.left_out == self.people:
            return "are left out"
        return f"are {'left out, or ' if self.left_out else ''}hidden by *"

    @property
    def smaller_told(self) -> str:
        """How many smaller ones there are as a sentence; empty where there is none.

        A verdict may leave the house: what so few people are would tell there of them what the table hides, and how
        many such groups there are tells of nobody.
        """
        if not self.smaller:
            return ""
        many, more = how_many(self.smaller, "combination"), "more " * bool(self.groups)
        each, be = ("", "is") if self.smaller == 1 else ("each ", "are")
        return f"{many.replace(' ', f' {more}')} of values, {each}of fewer than {self.k} people, {be} in no row."

    @property
    def more(self) -> tuple[GoneGroup, ...]:
        """Those that the sentence counts and does not name."""
        return self.groups[MOST_NAMED:]

    @property
    def more_told(self) -> str:
        """What the list of these is called; empty where there are none."""
        return f"{how_many(len(self.more), 'more combination')} of values in no row" if self.more else ""


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

    @property
    def named(self) -> GoneGroup:
        """The group in words."""
        told = (
            f"{column.hierarchy.name} {_in_words(node)}" for column, node in zip(self.columns, self.nodes, strict=True)
        )
        return GoneGroup(" together with ".join(told), self.people)


def gone_together(
    columns: Sequence[GroupedColumn], often: NDArray[np.int64], k: int, there: NDArray[np.bool_]
) -> GoneGroups:
    """Return the groups of people by two columns that no row of a table shows.

    A group that stands in no row by one of the columns alone is none of these, nor is one that is part of another.

    Args:
        columns: those that go out in groups.
        often: how many people each row stands for.
        k: how many people a group has at least.
        there: which rows stand in the table; all others are left out.
    """
    found = [one for pair in combinations(columns, 2) for one in _gone_of(*pair, often)]
    large = sorted((one for one in found if one.people >= k), key=lambda one: (-one.people, -one.wide))
    rows = np.logical_or.reduce([one.rows for one in large]) if large else np.zeros(len(often), dtype=bool)
    people, left_out = int(often[rows].sum()), int(often[rows & ~there].sum())
    return GoneGroups(tuple(one.named for one in large), people, left_out, len(found) - len(large), k)


def gone_alone(column: GroupedColumn, often: NDArray[np.int64], there: NDArray[np.bool_]) -> list[tuple[str, int, int]]:
    """Return the groups of people by one column that no row of a table shows, in words, none part of another.

    Args:
        column: one that goes out in groups.
        often: how many people each row stands for.
        there: which rows stand in the table; all others are left out.

    Returns:
        Of each, in their order, what it is, how many people it holds, and how many of them stand in the table.
    """
    tree = column.hierarchy
    leaf = column.leaves >= 0
    people, shown, stay = (
        np.bincount(column.leaves[leaf], (often * of)[leaf], tree.leaves).astype(np.int64)
        for of in (np.ones(len(often), dtype=bool), ~column.hidden, there)
    )
    found: dict[int, tuple[str, int, int]] = {}
    for layer in reversed(_layers(tree)):  # what is part of a group that is gone is said with it
        for node in tree.layer_nodes[layer]:
            part = slice(node.start, node.stop)
            if people[part].sum() and not shown[part].sum() and node.start != tree.missing_leaf:
                found[node.start] = _in_words(node), int(people[part].sum()), int(stay[part].sum())
                people[part] = 0
    return [found[start] for start in sorted(found)]


def _gone_of(one: GroupedColumn, other: GroupedColumn, often: NDArray[np.int64]) -> Iterator[_Gone]:
    """Each group by two columns that no row shows its people, and that is part of no other one."""
    there = (one.leaves >= 0) & (other.leaves >= 0)
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
    found = dict[tuple[int, int], dict[tuple[int, int], int]]()
    for high, wide in product(_layers(one.hierarchy), _layers(other.hierarchy)):
        groups = cells.assign(
            one=one.hierarchy.ranks[high][cells["one"]], other=other.hierarchy.ranks[wide][cells["other"]]
        )
        by_one = groups.groupby("one")["by_one"].sum()
        by_other = groups.groupby("other")["by_other"].sum()
        groups = groups.groupby(["one", "other"], as_index=False)[["people", "shown"]].sum()
        gone = groups[(groups["shown"] == 0) & (groups["people"] > 0)]
        found[high, wide] = {
            (left, right): int(people)
            for left, right, people in gone[["one", "other", "people"]].itertuples(index=False)
            if by_one[left] and by_other[right]
        }
    for (high, wide), of_layers in found.items():
        for (left, right), people in of_layers.items():
            nodes = one.hierarchy.layer_nodes[high][left], other.hierarchy.layer_nodes[wide][right]
            # Each part of a group that is gone is gone, so that what is part of one is part of one a step above it.
            wider = int(one.hierarchy.ranks[high + 1][nodes[0].start]), right
            other_wider = left, int(other.hierarchy.ranks[wide + 1][nodes[1].start])
            if wider not in found.get((high + 1, wide), ()) and other_wider not in found.get((high, wide + 1), ()):
                yield _Gone((one, other), nodes, people)


def _in_words(node: Node) -> str:
    """A group as people say it: those at the ends of a hierarchy as ``under 20`` and ``95 and over``."""
    label = spoken(node.label)
    if node.coded and label.startswith(">="):
        return f"{label[2:]} and over"
    return f"under {label[1:]}" if node.coded and label.startswith("<") else label


def _layers(hierarchy: Hierarchy) -> range:
    """The layers below the root, which says nothing."""
    return range(len(hierarchy.layer_nodes) - 1)
