"""The joint system: one count per refined cell, and everything that each release says about these counts.

A table gives all releases exactly when its counts satisfy the tight system of each (docs/method.md). Where a release
leaves open how tied states went, one of its orders must hold, whatever holds in the others; so the releases' systems
stand side by side, each with its own hypotheses.

Where tables grow, a cell's people are split by the release that they are first in. A release sees those that came with
it or before.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.attacks.composition.linked import Track, without_raw
from cra_engine.attacks.composition.refined import OUTSIDE, Refinement
from cra_engine.attacks.prior import Prior
from cra_engine.attacks.solver.bounds import Bound, BoundKey, Choice, CountBound, Hypothesis, Source
from cra_engine.attacks.solver.parts import SystemPart
from cra_engine.attacks.solver.repetitions import Estimate
from cra_engine.attacks.solver.solving import Solved, known_views, views_of
from cra_engine.attacks.solver.views import CellView
from cra_engine.attacks.solver.walks import Walker
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.attacks.tight.system import MAX_HYPOTHESES, TightSystem
from cra_engine.attacks.tight.words import describe_bound
from cra_engine.errors import TooLargeError
from cra_engine.patience import checkpoint
from cra_engine.release import Owner, touched_segment
from cra_engine.sentences import ClassNumber, Piece, Sentence
from cra_engine.study.grid import Cell
from cra_engine.words import how_many, spanned

MAX_OPEN = 200_000


@dataclass(frozen=True)
class JointBound:
    """A sum of several releases' counts with its limits, as a ``Bound`` of the solver, and where it comes from.

    Attributes:
        cells: the counts, see ``JointSystem.variable``.
        lower: smallest possible sum.
        upper: largest possible sum.
        boxes: as in ``Bound``.
        k: records that make one of ``boxes`` full.
        release: position of the release that says so; None where its link to the others does.
        bound: the same in that release's own system; None where ``text`` says what it is.
        hypothesis: the order of that release's tied states under which it holds.
        text: what it says, where there is no ``bound``.
    """

    cells: frozenset[int]
    lower: int
    upper: int
    boxes: tuple[frozenset[int], ...] = ()
    k: int = 0
    release: int | None = None
    bound: Bound | None = None
    hypothesis: Hypothesis | None = None
    text: str = ""

    @property
    def key(self) -> BoundKey:
        """The statement of the bound, wherever it comes from."""
        return self.cells, self.lower, self.upper, frozenset(self.boxes), self.k if self.boxes else 0

    @property
    def origin(self) -> Bound | None:
        """The bound of the release that says so."""
        return self.bound


class JointSystem:
    """All constraints of several releases on the counts of their refined cells.

    Attributes:
        refinement: the refined cells.
        times: into how many counts a cell's people are split: by the release that they are first in where tables grow,
            else 1.
        cells: the refined cells that can hold anybody.
        told: all refined cells of which some release by itself leaves open, or tells, that they hold somebody.
        volumes: value combinations in each of ``cells``.
        sources: the releases, and what their links say.
        tracks: per release the people who are first in it by their ways through the classes; empty for unlinked rows.
        limits: per count the least and the most that it can be, going by each release alone.
        relaxed: True where some release is known in part only, so that impossible tables may be left.

    Raises:
        TooLargeError: more than 200,000 cells that can hold somebody.
        Stopped: see :mod:`cra_engine.patience`.
    """

    def __init__(
        self,
        alone: Sequence[TightAttack],
        refinement: Refinement,
        prior: Prior,
        *,
        grown: bool = False,
        tracks: Sequence[Counter[Track]] = (),
    ) -> None:
        """``tracks`` as :func:`cra_engine.attacks.composition.linked.tracks` gives them; empty for unlinked rows."""
        self.alone, self.refinement, self.prior, self.grown = tuple(alone), refinement, prior, grown
        self.systems: tuple[TightSystem, ...] = tuple(tight.bounds for tight in alone)
        self.times = len(self.alone) if grown else 1
        may = [refinement.spread(release, _open(system)) for release, system in enumerate(self.systems)]
        some = np.logical_or.reduce(may)
        every = may[-1] if grown else np.logical_and.reduce(may)
        number = int(some.sum())
        if number * self.times > MAX_OPEN:
            raise TooLargeError(
                f"The releases together leave {number:,} cells open, more than {MAX_OPEN // self.times:,}; "
                "compose fewer releases, or such with coarser hierarchies."
            )
        self.told: list[Cell] = [tuple(cell) for cell in np.argwhere(some).tolist()]
        kept = np.argwhere(every)
        self.cells: list[Cell] = [tuple(cell) for cell in kept.tolist()]
        volumes = prior.cells(refinement.grid, refinement.grid.whole)
        self.volumes: list[int] = [int(volumes[cell]) for cell in self.cells]
        self._own = [self._codes(release, kept) for release in range(len(self.systems))]
        self._fibers = [_grouped(codes) for codes in self._own]
        self.limits: dict[int, tuple[int, int]] = dict(enumerate(zip(self._least(), self._most(), strict=True)))
        self.tracks = tuple(tracks)
        self.relaxed = any(system.relaxed or system.release.raw_records for system in self.systems)

    @cached_property
    def sources(self) -> list[Source]:
        """See the class."""  # may take long, so it can be stopped: see cra_engine.patience
        return self.from_releases()

    def from_releases(self) -> list[Source]:
        """Returns the bounds of the releases, and of their links."""
        sources = [self._source(release) for release in range(len(self.systems))]
        return self._link(sources) if self.tracks else sources

    def describe(self, bound: CountBound, choice: Choice) -> Sentence:  # noqa: ARG002 - a bound knows its own
        """A bound in words: which release says so, and what it says."""
        if not isinstance(bound, JointBound) or bound.release is None:
            return Sentence("Linked rows: ", getattr(bound, "text", ""))
        told = Sentence(bound.text)
        if bound.bound is not None and bound.hypothesis is not None:
            own = self.systems[bound.release].release
            # Class 3 of which release? Its box says it.
            told = describe_bound(own, bound.hypothesis, bound.bound, boxed=True).of_release(bound.release)
        return Sentence(f"Release {bound.release + 1}: ", told)

    def estimate(self, part: SystemPart, seed: int) -> Estimate:
        """Estimate a part that is too large to be counted."""
        return Walker(part, self.prior).estimate(seed)

    def variable(self, cell: int, time: int) -> int:
        """The count of those of a cell's people who are first in the release of that number."""
        return cell * self.times + time

    def seen(self, release: int) -> range:
        """The times whose people a release holds."""
        return range(release + 1) if self.grown else range(1)

    def _codes(self, release: int, kept: NDArray[np.int64]) -> NDArray[np.int64]:
        """Per cell the number of the release's own cell around it; -1 outside its domain."""
        own = self.refinement.own_cells(release, kept)
        inside = (own != OUTSIDE).all(axis=1)
        codes = np.ravel_multi_index(tuple(np.maximum(own, 0).T), self.systems[release].grid.shape)
        return np.where(inside, codes, OUTSIDE)

    def _most(self) -> list[int]:
        most = np.full((len(self.cells), self.times), 2**62, dtype=np.int64)
        for release, tight in enumerate(self.alone):
            highest = np.zeros(tight.release.grid.size + 1, dtype=np.int64)  # the last is what lies outside
            for view in tight.cells:
                highest[np.ravel_multi_index(view.cell, tight.release.grid.shape)] = view.highest
            for time in self.seen(release):
                most[:, time] = np.minimum(most[:, time], highest[self._own[release]])
        return [int(value) for value in most.ravel()]

    def _least(self) -> list[int]:
        least = [0] * (len(self.cells) * self.times)
        if self.times > 1:  # what a release tells is a sum of several counts
            return least
        for release, tight in enumerate(self.alone):
            for view in tight.cells:
                places = self.around(release, view.cell) if view.lowest else []
                if len(places) == 1:
                    least[places[0]] = max(least[places[0]], view.lowest)
        return least

    def around(self, release: int, cell: Cell) -> list[int]:
        """The positions of the refined cells that make up a release's own cell."""
        return self._fibers[release].get(int(np.ravel_multi_index(cell, self.systems[release].grid.shape)), [])

    def seen_in(self, release: int, cells: Iterable[Cell]) -> frozenset[int]:
        """All that a release sees in some of its own cells."""
        return frozenset(
            self.variable(place, time)
            for cell in cells
            for place in self.around(release, cell)
            for time in self.seen(release)
        )

    def _source(self, release: int) -> Source:
        system = self.systems[release]
        choices: dict[frozenset[BoundKey], Choice] = {}
        for hypothesis in system.hypotheses:
            checkpoint()
            translate = _Weak if system.unordered else _Exact
            bounds = translate(self, release, hypothesis).bounds()
            choices.setdefault(
                frozenset(bound.key for bound in bounds), Choice(tuple(bounds), ((release, hypothesis),))
            )
        return tuple(choices.values())

    def by_itself(self, release: int) -> list[JointBound]:
        """Bounds a release's own cells as was proven; needed where its system says more of them than their sums do."""
        system, bounds = self.systems[release], []
        everybody = self.seen_in(release, [cell for cell, _ in self._own_cells(release)])
        bounds.append(
            JointBound(
                everybody, system.release.records, system.release.records, (), 0, release, None, None, "Its records."
            )
        )
        for view in self.alone[release].cells:
            cells = self.seen_in(release, [view.cell])
            box = system.grid.describe(view.cell)
            text = f"By itself it shows {spanned(view.lowest, view.highest)} records in {box}."
            bounds.append(JointBound(cells, view.lowest, view.highest, (), 0, release, None, None, text))
        return bounds

    def _own_cells(self, release: int) -> list[tuple[Cell, list[int]]]:
        shape = self.systems[release].grid.shape
        return [
            (tuple(int(leaf) for leaf in np.unravel_index(code, shape)), places)
            for code, places in self._fibers[release].items()
        ]

    # ------------------------------------------------------------------------------------------ linked rows

    def _link(self, sources: list[Source]) -> list[Source]:
        """With how many people go through which classes; each was where all of these classes are."""
        if not self.relaxed and prod(map(len, sources)) <= MAX_HYPOTHESES:
            # Who owns a cell hangs on the orders of all releases at once, so that they make up one source.
            joined = []
            for choices in product(*sources):
                checkpoint()
                bounds = [bound for choice in choices for bound in choice.bounds]
                supposed = tuple(order for choice in choices for order in choice.hypotheses)
                owners = [self._owners(release, hypothesis) for release, hypothesis in supposed]
                bounds += self._linked([[{int(owner)} for owner in own] for own in owners])
                joined.append(Choice(tuple(bounds), supposed))
            return [tuple(joined)]
        self.relaxed = True
        return [*sources, (Choice(tuple(self._linked(self.possible_owners()))),)]

    def _owners(self, release: int, hypothesis: Hypothesis) -> NDArray[np.int64]:
        """Per cell the class that owns it in a release."""
        system = self.systems[release]
        owner = np.full(system.grid.size + 1, Owner.UNDECIDED, dtype=np.int64)  # the last is what lies outside
        for index, released in enumerate(system.release.classes):
            if released.segment.basic:
                owner[np.ravel_multi_index(released.segment.ranks, system.grid.shape)] = index
        if system.cells:
            owner[np.ravel_multi_index(tuple(np.array(system.cells).T), system.grid.shape)] = hypothesis.owner
        return owner[self._own[release]]

    def possible_owners(self) -> list[list[set[int]]]:
        """Per release and cell the classes that may own it."""
        result = []
        for release, system in enumerate(self.systems):
            by_code: dict[int, set[int]] = {}
            shape = system.grid.shape
            for index, released in enumerate(system.release.classes):
                if released.segment.basic:
                    by_code.setdefault(int(np.ravel_multi_index(released.segment.ranks, shape)), set()).add(index)
            for hypothesis in system.hypotheses:
                for cell, owner in zip(system.cells, hypothesis.owner.tolist(), strict=True):
                    by_code.setdefault(int(np.ravel_multi_index(cell, shape)), set()).add(owner)
            for raw in np.argwhere(system.release.raw_cells):
                by_code.setdefault(int(np.ravel_multi_index(tuple(raw), shape)), set()).add(Owner.RAW)
            result.append([by_code.get(int(code), set()) for code in self._own[release]])
        return result

    def _linked(self, owners: Sequence[Sequence[set[int]]]) -> list[JointBound]:
        """Per way through the classes its people: in cells that these classes may own, and only there."""
        bounds = []
        for time, ways in enumerate(self.tracks):
            by_way: dict[Track, list[int]] = {way: [] for way in ways if without_raw(way)}
            only: dict[Track, list[int]] = {way: [] for way in by_way}
            nowhere = []
            raw = any(not without_raw(way) for way in ways)
            for cell in range(len(self.cells)):
                own = [owners[release][cell] for release in range(time if self.grown else 0, len(owners))]
                ways_here = [way for way in product(*own) if way in by_way]
                for way in ways_here:
                    by_way[way].append(self.variable(cell, time))
                may_be_raw = raw and any(Owner.RAW in classes for classes in own)
                if len(ways_here) == 1 and not may_be_raw:
                    only[ways_here[0]].append(self.variable(cell, time))
                elif not ways_here and not may_be_raw:
                    nowhere.append(self.variable(cell, time))
            for way, cells in by_way.items():
                text = Sentence(f"{how_many(ways[way], 'linked record')} in ", _ways(way, time), ".")
                if cells == only[way]:
                    bounds.append(JointBound(frozenset(cells), ways[way], ways[way], text=text))
                    continue
                bounds.append(JointBound(frozenset(cells), ways[way], sum(ways.values()), text=text))
                if only[way]:
                    bounds.append(JointBound(frozenset(only[way]), 0, ways[way], text=text))
            if nowhere:
                text = Sentence("No linked record is in the classes that hold these cells.")
                bounds.append(JointBound(frozenset(nowhere), 0, 0, text=text))
        return bounds


def _ways(way: Track, first: int) -> Sentence:
    """The classes of a way, which begins with the release that its people are first in."""
    pieces: list[Piece] = []
    for release, owner in enumerate(way, start=first):
        pieces += [", then "] if pieces else []
        pieces += ["the suppressed ones"] if owner == Owner.SUPPRESSED else ["class ", ClassNumber(owner, release)]
    return Sentence(*pieces)


class _Exact:
    """A release's bounds as bounds on the refined cells' counts, where every order of its classes is known or tried."""

    def __init__(self, joint: JointSystem, release: int, hypothesis: Hypothesis) -> None:
        self.joint, self.release, self.hypothesis = joint, release, hypothesis
        self.system = joint.systems[release]
        self.raw = [(touched_segment(c.segment), c.size) for c in self.system.release.raw_classes]

    def bounds(self) -> list[JointBound]:
        """The bounds. Records with raw values are in no class of the grid; they may add to what any cell holds."""
        results = [self._of(bound) for bound in self.hypothesis.bounds if not (bound.boxes and self.raw)]
        grid = self.system.grid
        for cell, size in self.system.settled.items():
            text = f"{how_many(size, 'record')} in a class of their own: {grid.describe(cell)}."
            results.append(self._made([cell], size, size, (), None, text))
        return results + (self.joint.by_itself(self.release) if self.raw else [])

    def _of(self, bound: Bound) -> JointBound:
        cells = [self.system.cells[position] for position in bound.cells]
        boxes = tuple(self._box(box) for box in bound.boxes)
        return self._made(cells, bound.lower, bound.upper, boxes, bound)

    def _box(self, positions: Iterable[int]) -> frozenset[int]:
        return self.joint.seen_in(self.release, [self.system.cells[position] for position in positions])

    def _made(
        self,
        cells: Sequence[Cell],
        lower: int,
        upper: int,
        boxes: tuple[frozenset[int], ...],
        bound: Bound | None,
        text: str = "",
    ) -> JointBound:
        grid = self.system.grid
        upper += sum(size for segment, size in self.raw if any(grid.holds(segment, cell) for cell in cells))
        counts = self.joint.seen_in(self.release, cells)
        k = bound.k if bound is not None and boxes else self.system.k
        return JointBound(counts, lower, upper, boxes, k, self.release, bound, self.hypothesis, text)


class _Weak(_Exact):
    """The same where the order is known in part: a cell's people may be of one of several classes.

    A bound looks at some classes' people in a cell. What it admits at most holds for the cells that only these classes
    can fill; what it needs at least, for all cells that they can fill. A class on a single cell fills it besides, and
    its people are not all that may be there where other classes can fill the cell too.
    """

    def bounds(self) -> list[JointBound]:
        """The bounds, and what the release by itself was proven to say of each cell."""
        results: list[JointBound] = []
        slots = Counter(self.system.cells)
        for bound in self.hypothesis.bounds:
            checkpoint()
            if bound.boxes:
                continue
            held = Counter(self.system.cells[position] for position in bound.cells)
            full = [cell for cell, number in held.items() if number == slots[cell]]
            if full:
                settled = sum(self.system.settled.get(cell, 0) for cell in full)
                results.append(self._made(full, 0, bound.upper + settled, (), bound))
            if bound.lower:
                most = self.system.release.records
                results.append(self._made(list(held), bound.lower, most, (), bound))
        for cell, size in self.system.settled.items():
            most = self.system.release.records if cell in slots else size
            results.append(self._made([cell], size, most, (), None, "A class on a single cell."))
        return results + self.joint.by_itself(self.release)


def all_views(system: JointSystem, solved: Solved) -> dict[Cell, CellView]:
    """Return the view of each cell of several releases; those that another release closes hold nobody."""
    views = {cell: CellView(cell, 0, 0, (0, 0), (1.0,), exact=True) for cell in system.told}
    views |= known_views(system, solved)
    for part in solved.parts:
        views |= {view.cell: view for view in views_of(system, part)}
    return views


def _open(system: TightSystem) -> NDArray[np.bool_]:
    """The cells of a release's grid that can hold anybody."""
    may = system.release.raw_cells.copy()
    for cell in (*system.cells, *system.settled):
        may[cell] = True
    return may


def _grouped(codes: NDArray[np.int64]) -> dict[int, list[int]]:
    """Per own cell the refined cells in it; none for what lies outside."""
    groups: dict[int, list[int]] = {}
    for place, code in enumerate(codes.tolist()):
        if code != OUTSIDE:
            groups.setdefault(code, []).append(place)
    return groups
