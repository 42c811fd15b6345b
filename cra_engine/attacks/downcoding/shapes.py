"""The two shapes of hierarchy that downcoding is proven for (Cohen 2022, Figures 4 and 5)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cra_engine.study.boxes import Space, Tree


@dataclass(frozen=True, eq=False)
class Clusters:
    """The shape that downcoding needs: a root over clusters, each over two leaves, the near one first (Figure 4).

    Attributes:
        cluster: per attribute and node the cluster that it lies in, -1 for the root.
        whole: per attribute and node whether it is a cluster's own node.
        near: per attribute and cluster its near leaf.
        far: per attribute and cluster its far leaf.
    """

    cluster: NDArray[np.int64]
    whole: NDArray[np.bool_]
    near: NDArray[np.int64]
    far: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LadderShape:
    """The shape that downcoding needs: each inner node is the chain below it and one leaf more (Figure 5).

    Attributes:
        bound: per attribute and node its bound; -1 for the leaves of 1 and more, which are no bounds.
        chain: per attribute and bound its node; the leaf of 0 is the node of bound 0.
        rung: per attribute and t its leaf.
    """

    bound: NDArray[np.int64]
    chain: NDArray[np.int64]
    rung: NDArray[np.int64]


def clusters_of(space: Space) -> Clusters | None:
    """Return the clusters of all attributes to downcode; None where some tree has another shape, or another number."""
    results = [pairs for tree in space.trees if (pairs := _clusters(tree)) is not None]
    counts = {len(pairs) for pairs in results}
    if len(results) < len(space.trees) or len(counts) > 1:
        return None
    number_of = counts.pop()
    cluster = np.full((len(results), space.nodes), -1, dtype=np.int64)
    whole = np.zeros((len(results), space.nodes), dtype=bool)
    near, far = (np.zeros((len(results), number_of), dtype=np.int64) for _ in range(2))
    for place, pairs in enumerate(results):
        for number, (node, first, second) in enumerate(pairs):
            cluster[place, [node, first, second]] = number
            whole[place, node] = True
            near[place, number], far[place, number] = first, second
    return Clusters(cluster[space.of], whole[space.of], near[space.of], far[space.of])


def ladder_of(space: Space) -> LadderShape | None:
    """Return the ladders of all attributes to downcode; None where some tree has another shape."""
    results = [_ladder(tree) for tree in space.trees]
    steps = [pair for pair in results if pair is not None]
    if len(steps) < len(results):
        return None
    most = max(len(chain) for chain, _ in steps)
    bound = np.full((len(results), space.nodes), -1, dtype=np.int64)
    chain, rung = (np.full((len(results), most), -1, dtype=np.int64) for _ in range(2))
    for place, (nodes, leaves) in enumerate(steps):
        bound[place, nodes] = np.arange(len(nodes))
        chain[place, : len(nodes)], rung[place, : len(leaves)] = nodes, leaves
    return LadderShape(bound[space.of], chain[space.of], rung[space.of])


def _clusters(tree: Tree) -> list[tuple[int, int, int]] | None:
    """Per cluster its node, its near leaf and its far leaf."""
    results = []
    for node in tree.children(tree.root):
        leaves = tree.children(node)
        if len(leaves) != 2 or any(tree.children(leaf) for leaf in leaves):
            return None
        results.append((node, leaves[0], leaves[1]))
    return results or None


def _ladder(tree: Tree) -> tuple[list[int], list[int]] | None:
    """Per bound its node, and per value its leaf."""
    chain = [tree.root]
    rungs: list[int] = []
    left = False  # whether the last leaf that was taken off stood left of the chain: then so does 1 of 0
    while True:
        children = tree.children(chain[-1])
        leaves = [child for child in children if not tree.children(child)]
        if len(children) != 2 or not leaves:
            return None
        if len(leaves) == 2:
            zero, one = reversed(children) if left else children
            return [zero, *reversed(chain)], [zero, one, *reversed(rungs)]
        left = leaves[0] == children[0]
        rungs.append(leaves[0])
        chain.append(children[1] if left else children[0])
