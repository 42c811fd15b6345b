"""A part's sums as columns: what each still needs or admits while the counts are taken one after the other."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.solver.parts import SystemPart
from cra_engine.patience import checkpoint

EQUAL, AT_MOST, AT_LEAST, BOX = range(4)
"""Kinds of sums: still needed to the record; still admitted; still needed at least; what
a box of a skipped state holds so far."""


@dataclass(frozen=True)
class OpenSum:
    """A column of the solver's plan: one sum of one option, open while its counts are taken.

    Attributes:
        kind: see above.
        counts: positions of the part's counts.
        start: its value before any of them is known.
        option: position of the option, over all sources.
        full: for a box how many records make it full.
        cap: for a box the column that its records are taken from once it is full.
    """

    kind: int
    counts: tuple[int, ...]
    start: int
    option: int
    full: int = 0
    cap: int = -1


@dataclass
class CountStep:
    """A step of the solver's plan: how the open sums change when one count is taken.

    Attributes:
        count: its position.
        values: what it may be.
        first: True for the first count of an atom, last: for its last one.
        volume: of its atom.
        opened: the columns that begin with it; they follow the open ones.
        touched: places, among the open and the opened columns, of the sums that hold it, their option, and the least
            and the most that the counts still to come add to them; ``equal`` marks those that must be met exactly.
        boxes: the same for boxes: place, place of its cap, option, what makes it full, whether it ends here, and the
            most that is still to come.
        kept: places of the columns that go on; they are the open ones of the next step.
        columns: which these are.
        trims: places among the kept, each with a kind, what it is trimmed to, and for sums at most the needs of others
            (places, and most to come) that bound what can still be added.
    """

    count: int
    values: range
    first: bool
    last: bool
    volume: int
    opened: NDArray[np.int32]
    touched: NDArray[np.int64]
    touched_option: NDArray[np.int64]
    kinds: NDArray[np.int64]
    to_come: NDArray[np.int64]  # least, most x touched
    boxes: tuple[tuple[int, int, int, int, bool, int], ...]
    kept: NDArray[np.int64]
    columns: tuple[int, ...]
    trims: tuple[tuple[int, int, int, tuple[tuple[int, int], ...], int], ...] = field(default=())


@dataclass(frozen=True)
class CountPlan:
    """The solver's plan to count a part: all its columns and the steps through its counts.

    Attributes:
        part: the part.
        columns: its columns.
        source_of: per option, over all sources, the position of its source.
        steps: one per count.
    """

    part: SystemPart
    columns: tuple[OpenSum, ...]
    source_of: tuple[int, ...]
    steps: tuple[CountStep, ...]

    @property
    def several(self) -> bool:
        """True where some source leaves its order of tied states open."""
        return len(set(self.source_of)) < len(self.source_of)


def plan(part: SystemPart) -> CountPlan:
    """Plan how the solver counts a part: its columns, and an order of its atoms that keeps few of them open.

    Raises:
        Stopped: see :mod:`cra_engine.patience`.
    """
    columns, source_of = _columns(part)
    times = part.times
    atoms_of = [sorted({count // times for count in column.counts}) for column in columns if column.kind != BOX]
    order = greedy_order(atoms_of, len(part.atoms))
    counts = [atom * times + time for atom in order for time in range(times)]
    return CountPlan(part, tuple(columns), tuple(source_of), tuple(_steps(part, columns, counts)))


def _columns(part: SystemPart) -> tuple[list[OpenSum], list[int]]:
    columns: list[OpenSum] = []
    source_of: list[int] = []
    for source, options in enumerate(part.sources):
        for option in options:
            here = len(source_of)
            source_of.append(source)
            for s in option.sums:
                if s.boxes:
                    cap = len(columns)
                    columns.append(OpenSum(AT_MOST, s.counts, s.upper, here))
                    for box, held in zip(s.boxes, s.held, strict=True):
                        columns.append(OpenSum(BOX, box, held, here, s.k, cap))
                elif s.lower == s.upper:
                    columns.append(OpenSum(EQUAL, s.counts, s.upper, here))
                else:
                    most = sum(part.limits[count][1] for count in s.counts)
                    if s.upper < most:
                        columns.append(OpenSum(AT_MOST, s.counts, s.upper, here))
                    if s.lower > sum(part.limits[count][0] for count in s.counts):
                        columns.append(OpenSum(AT_LEAST, s.counts, s.lower, here))
    return columns, source_of


def _steps(part: SystemPart, columns: Sequence[OpenSum], counts: Sequence[int]) -> list[CountStep]:
    holding: dict[int, list[int]] = defaultdict(list)
    for number, column in enumerate(columns):
        for count in column.counts:
            holding[count].append(number)
    capped = {column.cap for column in columns if column.kind == BOX}
    missing = [set(column.counts) for column in columns]
    least = [sum(part.limits[c][0] for c in column.counts) for column in columns]
    most = [sum(part.limits[c][1] for c in column.counts) for column in columns]
    totals = _totals(columns)
    open_: list[int] = []
    steps = []
    for count in counts:
        checkpoint()
        mine = holding[count]
        opened = [number for number in mine if len(missing[number]) == len(columns[number].counts)]
        now = {number: place for place, number in enumerate(open_ + opened)}
        for number in mine:
            missing[number].discard(count)
            least[number] -= part.limits[count][0]
            most[number] -= part.limits[count][1]
        sums = [number for number in mine if columns[number].kind != BOX and number not in capped]
        boxes = tuple(
            (
                now[number],
                now[columns[number].cap],
                columns[number].option,
                columns[number].full,
                not missing[number],
                most[number],
            )
            for number in mine
            if columns[number].kind == BOX
        )
        open_ = [number for number in now if missing[number]]
        after = {number: place for place, number in enumerate(open_)}
        trims = []
        for number in open_:
            column = columns[number]
            if number in capped or column.kind not in (AT_MOST, AT_LEAST):
                continue
            needs: list[tuple[int, int]] = []
            free = 0
            if column.kind == AT_MOST:
                by_total: dict[int, int] = defaultdict(int)
                for other in missing[number]:
                    by_total[totals.get((column.option, other), -1)] += part.limits[other][1]
                for total, room in by_total.items():
                    if total in after:
                        needs.append((after[total], room))
                    elif total >= 0:
                        free += min(room, columns[total].start)
                    else:
                        free += room
            limit = most[number] if column.kind == AT_MOST else least[number]
            trims.append((after[number], column.kind, limit, tuple(needs), free))
        atom, time = divmod(count, part.times)
        low, high = part.limits[count]
        steps.append(
            CountStep(
                count,
                range(low, high + 1),
                time == 0,
                time == part.times - 1,
                part.atoms[atom].volume,
                np.array([columns[number].start for number in opened], dtype=np.int32),
                np.array([now[number] for number in sums], dtype=np.int64),
                np.array([columns[number].option for number in sums], dtype=np.int64),
                np.array([columns[number].kind for number in sums], dtype=np.int64),
                np.array([[least[number] for number in sums], [most[number] for number in sums]], dtype=np.int64),
                boxes,
                np.array([now[number] for number in open_], dtype=np.int64),
                tuple(open_),
                tuple(trims),
            )
        )
    return steps


def _totals(columns: Sequence[OpenSum]) -> dict[tuple[int, int], int]:
    """Per option and count a sum of the option that must be met and holds the count."""
    total_of: dict[tuple[int, int], int] = {}
    for number, column in enumerate(columns):
        if column.kind == EQUAL:
            for count in column.counts:
                total_of.setdefault((column.option, count), number)
    return total_of


def greedy_order(sums: Sequence[Sequence[int]], atoms: int) -> Iterator[int]:
    """Order a part's atoms so that the solver keeps few sums open: greedily by what opens least, closes most.

    Args:
        sums: the atoms of each sum.
        atoms: their number.

    Raises:
        Stopped: see :mod:`cra_engine.patience`.
    """
    left = [list(members) for members in sums]
    missing = [set(members) for members in left]
    holding: list[list[int]] = [[] for _ in range(atoms)]
    for number, members in enumerate(left):
        checkpoint()
        for atom in members:
            holding[atom].append(number)
    opens = [len(numbers) for numbers in holding]
    closes = [sum(len(left[number]) == 1 for number in numbers) for numbers in holding]
    opened = [False] * len(left)
    taken = [False] * len(holding)
    queue = [(opens[atom] - closes[atom], atom) for atom in range(len(holding))]
    heapify(queue)
    while queue:
        cost, atom = heappop(queue)
        if taken[atom] or cost != opens[atom] - closes[atom]:
            continue  # its cost has changed since; it stands in the queue again
        yield atom
        taken[atom] = True
        changed = set()
        for number in holding[atom]:
            checkpoint()
            missing[number].discard(atom)
            if not opened[number]:
                opened[number] = True
                for other in missing[number]:
                    opens[other] -= 1
                changed |= missing[number]
            if len(missing[number]) == 1:
                (last,) = missing[number]
                closes[last] += 1
                changed.add(last)
        for other in changed:
            heappush(queue, (opens[other] - closes[other], other))
