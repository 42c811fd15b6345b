"""Exact counting of a part by branching: decide how many records an atom holds, and count what falls apart.

After each decision bounds that nothing can break any more are dropped, atoms that no bound tells apart any longer
merge, and the rest splits into parts that nothing ties together; each part is counted once, whoever asks for it. Atoms
are decided in an order that keeps the parts small: those first that are eliminated last where each time the atom goes
that ties the fewest others together anew (min-fill).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from cra_engine.attacks.prior import DISTINCT, Prior
from cra_engine.attacks.solver.parts import PartSum, SystemPart
from cra_engine.patience import checkpoint

WIDEST = 32  # atoms that one elimination may tie together; with more the parts do not become small
DEEPEST = 200  # decisions one after the other
Atoms = int
"""A set of atoms as the bits of a whole number."""


class TooManyParts(Exception):  # noqa: N818 - a signal to count otherwise or to estimate, not a failure
    """The solver's exact count by branching would need more parts than allowed."""


_Open = tuple[Atoms, int, bool]
"""A sum that is not settled: its atoms, what they hold together or may hold at most, and True where they hold it."""
_Key = tuple[_Open, ...]


@dataclass(frozen=True)
class _Move:
    """A decision: so many records in a group of atoms.

    Attributes:
        count: records.
        weight: in how many ways the group holds them.
        parts: what is left, as positions of parts.
        empty: atoms that can then hold nobody.
    """

    count: int
    weight: int
    parts: tuple[int, ...]
    empty: Atoms


@dataclass(frozen=True)
class _Part:
    """A part that is counted apart: the group that is decided, and the decisions that some data set allows."""

    group: Atoms
    moves: tuple[_Move, ...]
    ways: int


class Branching:
    """The solver's exact count of a part's data sets, by branching.

    Attributes:
        part: what is counted; see :func:`branches`.
        total: sum of the data sets' weights, of ordered tables where the prior counts these.

    Args:
        part: what to count.
        max_parts: give up when more parts than this arise.
        prior: how data sets weigh.

    Raises:
        TooManyParts: more parts than that, or surely so.
        Stopped: see :mod:`cra_engine.patience`.
    """

    def __init__(self, part: SystemPart, max_parts: int, prior: Prior = DISTINCT) -> None:
        self.part, self._sums = part, _only_sums(part)
        self._prior, self._max_parts = prior, max_parts
        self._volumes = [atom.volume for atom in part.atoms]
        self._parts: list[_Part] = []
        self._known: dict[_Key, int | None] = {}
        self._begun = 0
        sums = [(sum(1 << atom for atom in s.counts), s.upper, bool(s.lower)) for s in self._sums]
        turns = _turns(part)
        if turns is None:
            raise TooManyParts
        self._bits = [1 << atom for atom in turns]
        start = self._split(sums, 0)
        self._start = _Move(0, 1, *start) if start is not None else None
        self.total = 0 if self._start is None else self._ways(self._start)

    @property
    def scale(self) -> int:
        """The factor of the weights: the orders of each class's rows, where the prior counts these."""
        if not self._prior.ordered:
            return 1
        return math.prod(math.factorial(s.upper) for s in self._sums if s.lower)

    @property
    def parts(self) -> int:
        """How many parts were counted."""
        return len(self._parts)

    def _ways(self, move: _Move) -> int:
        return move.weight * math.prod(self._parts[part].ways for part in move.parts)

    def _split(self, sums: Iterable[_Open], depth: int) -> tuple[tuple[int, ...], Atoms] | None:
        """The parts that open sums leave, and the atoms that can hold nobody; None where nothing keeps them all."""
        settled = _settled(sums)
        if settled is None:
            return None
        left, empty = settled
        parts = []
        for key in _apart(left):
            part = self._count(key, depth)
            if part is None:
                return None
            parts.append(part)
        return tuple(parts), empty

    def _count(self, key: _Key, depth: int) -> int | None:
        """The position of a part, counted now or before; None where it has no data set."""
        if key in self._known:
            return self._known[key]
        self._begun += 1
        if self._begun > self._max_parts or depth > DEEPEST:
            raise TooManyParts
        if self._begun % 64 == 0:
            checkpoint()
        group = self._next(key)
        mine = [s for s in key if s[0] & group]
        others = [s for s in key if not s[0] & group]
        (total,) = (left for _, left, holds in mine if holds)
        moves = []
        volume = self._volume(group)
        for count in range(min(left for _, left, _ in mine) + 1):
            changed = [(atoms & ~group, left - count, holds) for atoms, left, holds in mine]
            rest = self._split(changed + others, depth + 1)
            if rest is not None:
                moves.append(_Move(count, self._weight(volume, count, total), *rest))
        if moves:
            self._parts.append(_Part(group, tuple(moves), sum(map(self._ways, moves))))
        self._known[key] = len(self._parts) - 1 if moves else None
        return self._known[key]

    def _next(self, key: _Key) -> Atoms:
        """The atoms of a part that are decided next: the one whose turn it is, and those in the same sums."""
        whole = 0
        for atoms, _, _ in key:
            whole |= atoms
        first = next(bit for bit in self._bits if whole & bit)
        group = whole
        for atoms, _, _ in key:
            group &= atoms if atoms & first else ~atoms
        return group

    def _weight(self, volume: int, count: int, left: int) -> int:
        """The ways in which a group holds so many of the records that are left of its class."""
        if self._prior.ordered:  # which of the rows, and their values
            return int(math.comb(left, count) * volume**count)
        return self._prior.ways(volume, count, count)

    def _volume(self, group: Atoms) -> int:
        return sum(self._volumes[atom] for atom in _each(group))

    def marginals(self) -> list[list[int]]:
        """Per atom and count, the weight of the data sets in which it holds that count."""
        most = max((s.upper for s in self._sums if s.lower), default=0)
        # How much the data sets weigh that come through each part, for each way to count the part itself.
        through = [0] * len(self._parts)
        held: dict[Atoms, list[int]] = defaultdict(lambda: [0] * (most + 1))

        def pass_on(move: _Move, before: int) -> None:
            for place, part in enumerate(move.parts):
                others = math.prod(self._parts[p].ways for at, p in enumerate(move.parts) if at != place)
                through[part] += before * move.weight * others

        if self._start is not None:
            pass_on(self._start, 1)
        for place in reversed(range(len(self._parts))):  # whoever asks for a part comes after it
            checkpoint()
            for move in self._parts[place].moves:
                held[self._parts[place].group][move.count] += through[place] * self._ways(move)
                pass_on(move, through[place])
        result = [[Fraction(0)] * (most + 1) for _ in self._volumes]
        for group, parts in held.items():
            volume = self._volume(group)
            for atom in _each(group):
                own = self._prior.in_cell(parts, self._volumes[atom], volume - self._volumes[atom])
                result[atom] = [a + b for a, b in zip(result[atom], own, strict=True)]
        whole = [[int(ways) for ways in row] for row in result]
        for row in whole:  # where an atom can hold nobody it was decided with others
            row[0] = self.total - sum(row[1:])
        return whole

    def supports(self) -> list[tuple[int, int]]:
        """Per atom its smallest and largest possible count, whatever the volumes."""
        lowest: list[int | None] = [None] * len(self._volumes)
        highest = [0] * len(self._volumes)
        reached = [False] * len(self._parts)

        def meet(atoms: Atoms, least: int, most: int) -> None:
            for atom in _each(atoms):
                known = lowest[atom]
                lowest[atom] = least if known is None else min(known, least)
                highest[atom] = max(highest[atom], most)

        def follow(move: _Move) -> None:
            meet(move.empty, 0, 0)
            for part in move.parts:
                reached[part] = True

        if self._start is not None:
            follow(self._start)
        for place in reversed(range(len(self._parts))):
            if reached[place]:
                group = self._parts[place].group
                for move in self._parts[place].moves:
                    # One of several atoms can be empty while another holds everything.
                    meet(group, move.count if group.bit_count() == 1 else 0, move.count)
                    follow(move)
        return [(least or 0, most) for least, most in zip(lowest, highest, strict=True)]


def _each(atoms: Atoms) -> Iterator[int]:
    """The atoms of a set."""
    while atoms:
        low = atoms & -atoms
        yield low.bit_length() - 1
        atoms ^= low


def _settled(sums: Iterable[_Open]) -> tuple[list[_Open], Atoms] | None:
    """The sums that are still open, no box among them that others imply, and the atoms that must be empty.

    None where a sum cannot be kept.
    """
    empty = 0
    while True:
        totals: dict[Atoms, int] = {}
        boxes: dict[Atoms, int] = {}
        for atoms, left, total in sums:
            atoms &= ~empty  # noqa: PLW2901 - what is left of it
            if left < 0 or (total and left and not atoms):
                return None
            if atoms:
                of = totals if total else boxes
                if left < of.get(atoms, left + 1):
                    of[atoms] = left
        cut = _cut(totals, boxes)
        if cut is None:
            return None
        emptied = empty
        for of in (totals, cut):
            for atoms, left in of.items():
                if not left:
                    emptied |= atoms
        if emptied == empty:
            return [(atoms, left, True) for atoms, left in totals.items()] + _implying(cut), empty
        sums = [(atoms, left, True) for atoms, left in totals.items()]
        sums += [(atoms, left, False) for atoms, left in cut.items()]
        empty = emptied


def _cut(totals: dict[Atoms, int], boxes: dict[Atoms, int]) -> dict[Atoms, int] | None:
    """The boxes without the classes that lie in them as a whole, and without those that the classes cannot fill.

    None where such classes hold more than a box may.
    """
    cut: dict[Atoms, int] = {}
    for box, most in boxes.items():
        atoms, left, more = box, most, 0
        for total, records in totals.items():
            shared = total & box
            if shared == total:
                atoms, left = atoms & ~total, left - records
            elif shared:
                more += records
        if left < 0:
            return None
        if atoms and more > left and left < cut.get(atoms, left + 1):
            cut[atoms] = left
    return cut


def _implying(boxes: dict[Atoms, int]) -> list[_Open]:
    """The boxes that no other implies: one of more atoms that may hold no more."""
    kept: list[_Open] = []
    for atoms in sorted(boxes, key=int.bit_count, reverse=True) if len(boxes) > 1 else boxes:
        left = boxes[atoms]
        for other, most, _ in kept:
            if most <= left and atoms & other == atoms:
                break
        else:
            kept.append((atoms, left, False))
    return kept


def _apart(sums: Sequence[_Open]) -> list[_Key]:
    """The sums in sets that share no atom."""
    separate: list[tuple[Atoms, list[_Open]]] = []
    for one in sums:
        atoms, members = one[0], [one]
        others = []
        for piece in separate:
            if piece[0] & atoms:
                atoms |= piece[0]
                members += piece[1]
            else:
                others.append(piece)
        others.append((atoms, members))
        separate = others
    return [tuple(sorted(members)) for _, members in separate]


def _only_sums(part: SystemPart) -> tuple[PartSum, ...]:
    """The bounds of a part of one source with one option; none where there is no source."""
    return part.sources[0][0].sums if part.sources else ()


def branches(part: SystemPart) -> bool:
    """Return whether the solver can count a part by branching, and that ends.

    One order of tied states is possible, each atom lies in one total, and of all else only boxes are told that hold so
    many at most. Not too many atoms are tied together by any order of decisions.
    """
    if part.times > 1 or len(part.sources) != 1 or len(part.sources[0]) > 1:
        return False
    sums = _only_sums(part)
    if any(s.boxes or (s.lower and s.lower < s.upper) for s in sums):
        return False
    held = sorted(atom for s in sums if s.lower for atom in s.counts)
    return held == list(range(len(part.atoms))) and _turns(part) is not None


def _turns(part: SystemPart) -> list[int] | None:
    """The atoms as they are decided: what min-fill eliminates last comes first; None where that ties too many."""
    atoms = len(part.atoms)
    tied = [0] * atoms
    for s in _only_sums(part):
        members = sum(1 << atom for atom in s.counts)
        for atom in s.counts:
            tied[atom] |= members & ~(1 << atom)
    left, order = (1 << atoms) - 1, list[int]()
    while left:
        checkpoint()
        atom = _next(tied, left)
        others = tied[atom] & left
        if others.bit_count() > WIDEST:
            return None
        for one in _each(others):
            tied[one] |= others & ~(1 << one)
        left &= ~(1 << atom)
        order.append(atom)
    return order[::-1]


def _next(tied: Sequence[Atoms], left: Atoms) -> int:
    """The atom whose elimination ties the fewest pairs together anew, of equal ones the one with the fewest others."""
    few = sorted(((tied[atom] & left).bit_count(), atom) for atom in _each(left))
    best, least = few[0][1], math.inf
    for many, atom in few:
        others = tied[atom] & left
        # An atom with many others is looked at only as long as all pairs of them may be tied already.
        if many > WIDEST or least == 0:
            break
        anew = sum(not tied[one] >> other & 1 for one, other in combinations(_each(others), 2))
        if anew < least:
            best, least = atom, anew
    return best
