"""Independent parts of a system of bounds, and what single bounds say about their counts.

Cells that no bound tells apart merge into an atom, atoms that no bound ties
together are counted apart. Counts that are known already are taken out first, which is where several releases help.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cra_engine.attacks.solver.bounds import Choice, CountBound, CountSystem
from cra_engine.patience import checkpoint

if TYPE_CHECKING:
    from scipy.cluster.hierarchy import DisjointSet

Limits = dict[int, tuple[int, int]]
"""Per count the least and the most that it can be, proven."""


@dataclass(frozen=True)
class Atom:
    """Cells that no bound of the system tells apart, as positions among its cells, and their volume.

    By Vandermonde's identity only the volume and the count of all of them matter.
    """

    cells: tuple[int, ...]
    volume: int


@dataclass(frozen=True)
class PartSum:
    """A bound of the system on the counts of a part.

    Attributes:
        counts: positions of the counts, ``atom * times + time``.
        lower: smallest possible sum.
        upper: largest possible sum.
        boxes: see ``CountBound``; positions of counts.
        held: per box what it holds in counts that are known and taken out.
        k: records that make a box full.
    """

    counts: tuple[int, ...]
    lower: int
    upper: int
    boxes: tuple[tuple[int, ...], ...] = ()
    held: tuple[int, ...] = ()
    k: int = 0

    def kept(self, counts: Sequence[int]) -> bool:
        """True when counts, one per position, keep this bound."""
        if not self.boxes:
            return self.lower <= sum(counts[count] for count in self.counts) <= self.upper
        full = (known + sum(counts[c] for c in box) for box, known in zip(self.boxes, self.held, strict=True))
        return sum(count for count in full if count >= self.k) <= self.upper


@dataclass(frozen=True)
class PartOption:
    """The bounds of a source on a part of the system under one of its choices.

    Attributes:
        choice: the choice; the first of those that say the same here.
        bounds: as positions of the system's counts.
        sums: the same as positions of the part's counts, what is known taken out.
    """

    choice: Choice
    bounds: tuple[CountBound, ...]
    sums: tuple[PartSum, ...]


@dataclass(frozen=True)
class SystemPart:
    """A part of a system: cells that can be counted apart from all others.

    Attributes:
        atoms: the cells, merged; positions of the system's cells.
        times: counts per atom.
        sources: per source what it says: one of these options holds.
        limits: per count, ``atom * times + time``, the least and the most that it can be.
    """

    atoms: tuple[Atom, ...]
    times: int
    sources: tuple[tuple[PartOption, ...], ...]
    limits: tuple[tuple[int, int], ...]


class Impossible(Exception):  # noqa: N818 - a signal to whoever says what is impossible
    """A signal of the solver: no counts satisfy the bounds, whatever was searched."""


@dataclass(frozen=True)
class _Reduced:
    """A bound without the counts that are known."""

    origin: CountBound
    cells: frozenset[int]
    lower: int
    upper: int
    boxes: tuple[frozenset[int], ...]
    held: tuple[int, ...]

    @property
    def key(self) -> tuple[object, ...]:
        boxes = frozenset(zip(self.boxes, self.held, strict=True))
        return self.cells, self.lower, self.upper, boxes, self.origin.k if self.boxes else 0


def split(system: CountSystem, limits: Limits, cells: Iterable[int] | None = None) -> list[SystemPart]:
    """Split a system of bounds into its independent parts.

    Args:
        system: the joint system.
        limits: what is proven of its counts.
        cells: only these; they must be independent of all others, going by an earlier split with wider limits.

    Raises:
        Impossible: the bounds contradict each other.
        Stopped: see :mod:`cra_engine.patience`.
    """
    times = system.times
    chosen = range(len(system.cells)) if cells is None else sorted(cells)
    inside = {count for cell in chosen for count in range(cell * times, cell * times + times)}
    known = {count: low for count, (low, high) in limits.items() if low == high}
    # A cell some of whose counts are known stays whole: its people share its values.
    free = {cell for cell in chosen if any(cell * times + time not in known for time in range(times))}
    sources = [_reduced(source, inside, known, limits) for source in system.sources]
    from scipy.cluster.hierarchy import DisjointSet  # noqa: PLC0415 - takes a third of the time to load the attacks

    joined = DisjointSet(free)
    for choices in sources:
        for _, bounds in choices:
            for bound in bounds:
                checkpoint()
                _join(joined, [count // times for count in bound.cells])
        if len(choices) > 1:
            # Where the order of tied states matters it matters everywhere at once.
            shared = set.intersection(*({b.key for b in bounds} for _, bounds in choices))
            _join(joined, [min(b.cells) // times for _, bounds in choices for b in bounds if b.key not in shared])
    members: dict[int, list[int]] = defaultdict(list)
    for cell in sorted(free):
        members[joined[cell]].append(cell)
    own: dict[int, list[list[tuple[Choice, list[_Reduced]]]]] = {
        root: [[(choice, []) for choice, _ in choices] for choices in sources] for root in members
    }
    for number, choices in enumerate(sources):
        for which, (_, bounds) in enumerate(choices):
            for bound in bounds:
                own[joined[min(bound.cells) // times]][number][which][1].append(bound)
    return [_part(system, limits, known, members[root], own[root]) for root in members]


def _join(joined: "DisjointSet", cells: Sequence[int]) -> None:
    """Make one set of those that hold these cells."""
    for cell in cells[1:]:
        joined.merge(cells[0], cell)


def _reduced(
    source: Sequence[Choice], inside: set[int], known: dict[int, int], limits: Limits
) -> list[tuple[Choice, list[_Reduced]]]:
    """Per choice that is still possible its bounds without what is known; those that say the same once."""
    reduced: dict[frozenset[tuple[object, ...]], tuple[Choice, list[_Reduced]]] = {}
    for choice in source:
        checkpoint()
        try:
            bounds = _without_known(choice, inside, known, limits)
        except Impossible:
            continue
        reduced.setdefault(frozenset(bound.key for bound in bounds), (choice, bounds))
    if not reduced:
        raise Impossible
    return list(reduced.values())


def _without_known(choice: Choice, inside: set[int], known: dict[int, int], limits: Limits) -> list[_Reduced]:
    bounds = []
    for bound in choice.bounds:
        cells = frozenset(count for count in bound.cells if count not in known)
        if cells and next(iter(cells)) not in inside:
            continue
        if bound.boxes:
            bounds += _skipped(bound, known)
            continue
        held = sum(known[count] for count in bound.cells if count in known)
        lower, upper = max(0, bound.lower - held), bound.upper - held
        least, most = sum(limits[count][0] for count in cells), sum(limits[count][1] for count in cells)
        if upper < least or lower > most:
            raise Impossible
        if cells:
            bounds.append(_Reduced(bound, cells, lower, upper, (), ()))
    return _needed(bounds)


def _skipped(bound: CountBound, known: dict[int, int]) -> list[_Reduced]:
    """Bounds the boxes of a skipped state together, without those that are known in full."""
    upper, boxes, held = bound.upper, [], []
    for box in bound.boxes:
        there = sum(known[count] for count in box if count in known)
        rest = frozenset(count for count in box if count not in known)
        if rest:
            boxes.append(rest)
            held.append(there)
        elif there >= bound.k:
            upper -= there
    if upper < 0:
        raise Impossible
    if not boxes:
        return []
    together = frozenset[int]().union(*boxes)
    return [_Reduced(bound, together, 0, upper, tuple(boxes), tuple(held))]


def _needed(bounds: Sequence[_Reduced]) -> list[_Reduced]:
    """The bounds without those that the totals of classes imply."""
    totals = [b for b in bounds if not b.boxes and b.lower == b.upper]
    total_of: dict[int, list[int]] = defaultdict(list)
    for number, total in enumerate(totals):
        for count in total.cells:
            total_of[count].append(number)
    kept: dict[tuple[object, ...], _Reduced] = {}
    for bound in bounds:
        if not bound.boxes and bound.lower == 0 and bound.upper > 0:
            around = {total_of[count][0] if total_of[count] else -1 for count in bound.cells}
            if -1 not in around and sum(totals[number].upper for number in around) <= bound.upper:
                continue
        kept.setdefault(bound.key, bound)
    return list(kept.values())


def _part(
    system: CountSystem,
    limits: Limits,
    known: dict[int, int],
    cells: Sequence[int],
    own: Sequence[Sequence[tuple[Choice, list[_Reduced]]]],
) -> SystemPart:
    times = system.times
    sources = []
    for choices in own:
        different: dict[frozenset[tuple[object, ...]], tuple[Choice, list[_Reduced]]] = {}
        for choice, bounds in choices:
            different.setdefault(frozenset(bound.key for bound in bounds), (choice, bounds))
        if any(bounds for _, bounds in different.values()):
            sources.append(list(different.values()))
    signature: dict[int, list[tuple[int, ...]]] = {cell: [] for cell in cells}
    for number, options in enumerate(sources):
        for option, (_, bounds) in enumerate(options):
            for position, bound in enumerate(bounds):
                for count in bound.cells:
                    signature[count // times].append((number, option, position, count % times))
                for which, box in enumerate(bound.boxes):
                    for count in box:
                        signature[count // times].append((number, option, position, count % times, which))
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for cell in cells:
        checkpoint()
        settled = tuple((time, known[cell * times + time]) for time in range(times) if cell * times + time in known)
        # A known number of people is in this cell and in no other.
        alone = cell if any(number for _, number in settled) else None
        groups[tuple(sorted(signature[cell])), settled, alone].append(cell)
    atoms = tuple(Atom(tuple(group), sum(system.volumes[cell] for cell in group)) for group in groups.values())
    place = {
        cell * times + time: atom * times + time
        for atom, group in enumerate(atoms)
        for cell in group.cells
        for time in range(times)
    }

    def placed(counts: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({place[count] for count in counts}))

    said = tuple(
        tuple(
            PartOption(
                choice,
                tuple(b.origin for b in bounds),
                tuple(
                    PartSum(placed(b.cells), b.lower, b.upper, tuple(map(placed, b.boxes)), b.held, b.origin.k)
                    for b in bounds
                ),
            )
            for choice, bounds in choices
        )
        for choices in sources
    )
    ends = tuple(
        # Cells that no bound tells apart: one of them can hold what all of them hold together.
        (
            limits[atom.cells[0] * times + time][0] if len(atom.cells) == 1 else 0,
            min(limits[cell * times + time][1] for cell in atom.cells),
        )
        for atom in atoms
        for time in range(times)
    )
    return narrowed(SystemPart(atoms, times, said, ends))


def narrowed(part: SystemPart) -> SystemPart:
    """Narrow each count of a system's part by what its single bounds say, as long as they say more; some rounds.

    Raises:
        Impossible: nothing is left for some count.
    """
    limits = list(part.limits)
    for _ in range(10):
        before = list(limits)
        for options in part.sources:
            checkpoint()
            limits = _hull([result for option in options if (result := _narrow(option.sums, limits)) is not None])
        if limits == before:
            break
    return SystemPart(part.atoms, part.times, part.sources, tuple(limits))


def _hull(every: Sequence[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    if not every:
        raise Impossible
    return [(min(low for low, _ in ends), max(high for _, high in ends)) for ends in zip(*every, strict=True)]


def _narrow(sums: Sequence[PartSum], limits: Sequence[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """The limits that all these sums leave; None where they leave nothing."""
    low, high = [least for least, _ in limits], [most for _, most in limits]
    for s in sums:
        if s.boxes:
            continue
        least, most = sum(low[count] for count in s.counts), sum(high[count] for count in s.counts)
        if least > s.upper or most < s.lower:
            return None
        for count in s.counts:
            rest_least, rest_most = least - low[count], most - high[count]
            up, down = min(high[count], s.upper - rest_least), max(low[count], s.lower - rest_most)
            if up < down:
                return None
            most, least = most - high[count] + up, least - low[count] + down
            low[count], high[count] = down, up
    return list(zip(low, high, strict=True))
