"""The order of a file's rows: drawn evenly for every file that is handed out, so that it says nothing of the table.

A registry is sorted by age or by day of admission. A release in the same order gives back much of what was generalized,
and two of them can be linked row by row. See docs/method.md, "What is published is a file".
"""

import hashlib
from random import Random, SystemRandom

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.files.csv_text import csv_text


def random_order(count: int, random: Random | None = None) -> NDArray[np.int64]:
    """Draw an order for a file's rows; every order has exactly the same chance.

    Args:
        count: the number of rows.
        random: the generator; None for the randomness of the system.

    >>> sorted(random_order(4).tolist())
    [0, 1, 2, 3]
    """
    source = SystemRandom() if random is None else random
    while True:
        keys = np.frombuffer(source.randbytes(8 * count), dtype=np.uint64)
        order = np.argsort(keys, kind="stable")
        if not (keys[order[1:]] == keys[order[:-1]]).any():  # equal keys would keep the input's order
            return order.astype(np.int64)


def shuffled(table: pd.DataFrame, seed: int | None = None) -> pd.DataFrame:
    """Return the rows of a table to write in a random order, under a new index.

    Args:
        table: the published table.
        seed: None for the randomness of the system; whoever knows a seed knows the order, so it is for teaching.
    """
    order = random_order(len(table), None if seed is None else Random(seed))
    return table.take(order).reset_index(drop=True)


def mark_of_rows(text: str) -> str:
    r"""Return what tells the rows of a published table from others, in whatever order; nothing can be read from it.

    Args:
        text: the table as CSV text.

    >>> mark_of_rows("age\n5\n7\n") == mark_of_rows("age\n7\n5\n") != mark_of_rows("age\n7\n7\n")
    True
    """
    return hashlib.sha256("\n".join(sorted(text.splitlines())).encode()).hexdigest()


def release_text(table: pd.DataFrame, *, keep_order: bool = False, seed: int | None = None) -> str:
    """Write a published table as the CSV text that is handed out, its rows in a random order.

    Args:
        table: the published table.
        keep_order: True to leave the rows in their order, which tells of a sorted table what was generalized.
        seed: of the order, for teaching; None for the randomness of the system.

    >>> print(release_text(pd.DataFrame({"age": ["[20, 40[", "*"]}), keep_order=True), end="")
    age
    [20, 40[
    *
    """
    return csv_text(table if keep_order else shuffled(table, seed))
