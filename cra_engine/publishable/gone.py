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


def gone_together(columns: Sequence[GroupedColumn], often: NDArray[np.int64], k: int) -> str:
    """Return the largest group of people by two columns that no row shows, as a sentence; empty where there is none.

    Only people who are in the table are counted. A group that stands in no row by one of the columns alone is none of
    these.

    Args:
        columns: those that go out in groups.
        often: how many people each row stands for.
        k: how many people a group has at least.
    """
    found = [one for pair in combinations(columns, 2) for one in _gone_of(*pair, often, k)]
    if not found:
        return ""
    # Of groups with the same people the widest is told, which says most.
    people, _, told = max(found, key=lambda one: one[:2])
    who = how_many(people, "such person", "such people")
    return f"No row is left that shows {told}: all {who} stand behind *."


def _gone_of(
    one: GroupedColumn, other: GroupedColumn, often: NDArray[np.int64], k: int
) -> Iterator[tuple[int, int, str]]:
    """Of each group by two columns that no row shows its people, how wide it is, and its words."""
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
                told = f"{_told(one.hierarchy, nodes[0])} together with {_told(other.hierarchy, nodes[1])}"
                yield int(people), sum(node.stop - node.start for node in nodes), told


def _layers(hierarchy: Hierarchy) -> range:
    """The layers below the root, which says nothing."""
    return range(len(hierarchy.layer_nodes) - 1)


def _told(hierarchy: Hierarchy, node: Node) -> str:
    return f"{hierarchy.name} {spoken(node.label)}"
