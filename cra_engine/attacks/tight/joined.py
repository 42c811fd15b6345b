"""Sets that grow together: cells that have to be counted together."""

from collections.abc import Iterable, Sequence


class Joined:
    """Cells in sets, each by itself to begin with.

    >>> joined = Joined(range(4))
    >>> joined.join([3, 1])
    >>> [joined.find(cell) == joined.find(1) for cell in range(4)]
    [False, True, False, True]
    """

    def __init__(self, cells: Iterable[int]) -> None:
        self._parent = {cell: cell for cell in cells}

    def find(self, cell: int) -> int:
        """The cell that stands for the set of a cell."""
        parent = self._parent
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    def join(self, cells: Sequence[int]) -> None:
        """Make one set of those that hold these cells."""
        for cell in cells[1:]:
            self._parent[self.find(cell)] = self.find(cells[0])
