"""Rows that need not fit into memory, brought into a random order in which every order has exactly the same chance.

Each row is put on one of several heaps, evenly drawn; then each heap is put into a random order, and the heaps follow
one another. That is how cards are dealt to piles (Rao 1961, Sandelius 1962): as if each row had drawn a long even
number, whose first digit is its heap, and the rows were sorted by it.
"""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random, SystemRandom
from typing import IO, Any, Self

import numpy as np
import pyarrow as pa

from cra_engine.files.row_order import random_order

ROWS, MOST_HEAPS = 1 << 18, 256  # of a heap, where so many heaps are enough


class ScatteredRows:
    """Heaps of rows in files: a context, in which tables of one schema are added and then read again.

    Several heaps are files without a name, which are gone with the program however it ends.

    Args:
        folder: where the heaps lie.
        records: how many rows will come.
        random: the generator; None for the randomness of the system.
    """

    def __init__(self, folder: Path, records: int, random: Random | None = None) -> None:
        self._folder, self._random = folder, SystemRandom() if random is None else random
        self._number = min(MOST_HEAPS, -(-records // ROWS)) or 1
        self._tables: list[pa.Table] = []  # a single heap stays in memory
        self._files: list[IO[bytes]] = []
        self._writers: list[Any] = []
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Nothing is open yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the heaps, and with that remove them."""
        self._stack.close()

    def add(self, table: pa.Table) -> None:
        """Puts each row on a heap."""
        if self._number == 1:
            self._tables.append(table)
            return
        if not self._files:
            for _ in range(self._number):
                file = self._stack.enter_context(tempfile.TemporaryFile(dir=self._folder))  # noqa: SIM115 - closed with the rest
                self._files.append(file)
                self._writers.append(self._stack.enter_context(pa.ipc.new_stream(file, table.schema)))
        heaps = self._heaps(len(table))
        order = np.argsort(heaps, kind="stable")
        ends = np.searchsorted(heaps[order], np.arange(self._number + 1))
        for writer, start, stop in zip(self._writers, ends[:-1], ends[1:], strict=True):
            if start < stop:
                writer.write_table(table.take(pa.array(order[start:stop])))

    def _heaps(self, count: int) -> "np.ndarray[Any, np.dtype[np.int64]]":
        """The heap of each row, evenly drawn: numbers past the last whole multiple are drawn again."""
        most = (1 << 32) // self._number * self._number
        drawn = np.frombuffer(self._random.randbytes(4 * count), dtype=np.uint32).astype(np.int64)
        while (again := np.flatnonzero(drawn >= most)).size:
            drawn[again] = np.frombuffer(self._random.randbytes(4 * len(again)), dtype=np.uint32)
        return drawn % self._number

    def blocks(self) -> Iterator[pa.Table]:
        """Yields the heaps one after the other, the rows of each in a random order."""
        for writer in self._writers:
            writer.close()
        for file in self._files:
            file.flush()
            file.seek(0)
            yield self._in_random_order(pa.ipc.open_stream(file).read_all())
        if self._tables:
            yield self._in_random_order(pa.concat_tables(self._tables))

    def _in_random_order(self, heap: pa.Table) -> pa.Table:
        return heap.take(pa.array(random_order(len(heap), self._random))).combine_chunks()
