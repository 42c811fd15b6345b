"""Says which sensitive value each published row carries: that of one of its matches, every value once."""

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.patience import checkpoint


def by_permutation(matches: NDArray[Any], size: int, draw: Random) -> NDArray[np.int64]:
    """Let rows carry values by our extraction: in bucket b that of the match in a random permutation's pi(b).

    A person has one match in each bucket, so sees one value from each bucket; a value's share among them is at most
    abs(B_i)/mu on this side, too. Each match is equally likely to be the one.

    Args:
        matches: per place the place of its match in each bucket; shape (places, buckets).
        size: places in a bucket.
        draw: the source of chance.

    Returns:
        Per place the place whose value its row carries.
    """
    buckets = matches.shape[1]
    pi = list(range(buckets))
    draw.shuffle(pi)
    rows = np.arange(len(matches))
    return np.asarray(matches[rows, np.array(pi)[rows // size]], dtype=np.int64)


def by_matching(matches: NDArray[Any], draw: Random) -> NDArray[np.int64]:
    """Let rows carry values by the paper's extraction: one of mu disjoint perfect matchings (Theorem 1).

    The set is drawn matching after matching, each by random walks over the edges that are left (Lemma 2); those after
    the chosen one need not be drawn any more.

    Args:
        matches: per place the places it is matched to, each place equally often; shape (places, buckets).
        draw: the source of chance.

    Returns:
        Per place the place whose value its row carries.
    """
    edges = np.ascontiguousarray(matches, dtype=np.int64).copy()
    degree = edges.shape[1]
    rows = np.arange(len(edges))
    chosen = draw.randrange(degree)
    for drawn in range(degree):
        taken = perfect_matching(edges, degree - drawn, draw)
        if drawn == chosen:
            return np.asarray(edges[rows, taken])
        edges[rows, taken] = edges[:, degree - drawn - 1]
    raise AssertionError


def perfect_matching(edges: NDArray[np.int64], degree: int, draw: Random) -> NDArray[np.int64]:
    """Draw a random perfect matching of a regular bipartite graph of rows and records, by random walks.

    From a row without a partner the walk takes a random edge that is not in the matching, and from a record that has a
    partner it goes back to that row, until it finds a record that has none. The last exit of each row on the way is an
    augmenting path. On a regular graph all walks together take about n ln n steps.

    Args:
        edges: per row its neighbours; shape (rows, at least ``degree``).
        degree: how many of the first columns still count; each record occurs in them as often as each row has them.
        draw: the source of chance.

    Returns:
        Per row the column of its partner.
    """
    neighbour = edges.data  # quicker to ask cell by cell than the array
    partner = [-1] * len(edges)  # of each record
    column = [-1] * len(edges)  # of each row
    order = list(range(len(edges)))
    draw.shuffle(order)
    for start in order:
        checkpoint()
        row, last = start, {}
        while True:
            exit_ = draw.randrange(degree - (column[row] >= 0))
            if 0 <= column[row] <= exit_:
                exit_ += 1
            last[row] = exit_
            record = neighbour[row, exit_]
            if partner[record] < 0:
                break
            row = partner[record]
        row = start
        while True:
            column[row] = last[row]
            record = neighbour[row, last[row]]
            partner[record], row = row, partner[record]
            if row < 0:
                break
    return np.array(column, dtype=np.int64)
