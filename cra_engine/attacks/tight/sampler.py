"""Estimating a part of one release that is too large to count: sequential Monte Carlo over its classes, the last first.

Each class is drawn from its own exact distribution, as if it stood alone. The number of joint data sets is the product
of the classes' numbers times the probability that such independent draws satisfy the bounds that straddle classes.
Bounds only look at classes formed at their state or later, so with the last class first they fill up step by step, and
a partial data set that already breaks one is dropped at once; those that survive are multiplied. The product of the
survival rates is an unbiased estimate of the probability, whatever the number of particles; independent repetitions
give its standard error.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.solver.bounds import Bound
from cra_engine.attacks.solver.parts import PartOption, SystemPart
from cra_engine.attacks.solver.repetitions import Estimate, Run, log_sum, repeat, weighted_mean
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.patience import checkpoint
from cra_engine.release import Owner

PARTICLES = 2000
MAX_BYTES = 2**28  # what the particles of a repetition may take


@dataclass(frozen=True)
class _Skipped:
    """The limits of the boxes of skipped states, see ``Bound.boxes``.

    Attributes:
        first: per skipped state the position of its first box.
        cap: per skipped state what its full boxes may hold together.
        full: per box the records that make it full.
    """

    first: NDArray[np.int64]
    cap: NDArray[np.int32]
    full: NDArray[np.int32]

    def kept(self, boxes: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which data sets keep it, from what each box holds (boxes x data sets)."""
        full = np.where(boxes >= self.full[:, np.newaxis], boxes, np.int32(0))
        together = np.add.reduceat(full, self.first, axis=0)
        return np.asarray((together <= self.cap[:, np.newaxis]).all(axis=0))


@dataclass(frozen=True)
class _Turn:
    """One class of an option: how to draw it, and what its records add to the sums that are open.

    Attributes:
        part: the class or the suppressed records.
        columns: the cells that it fills.
        opened: number of sums that begin with this class.
        touched: positions, among the open and the opened sums, of those that see this class.
        matrix: which of the class's cells they see (touched sums x cells).
        upper: their limits.
        kept: positions of the sums that classes still to be drawn add to.
        boxes: which of the class's cells lie in the boxes of skipped states (boxes x cells).
    """

    part: ClassAttack
    columns: NDArray[np.int64]
    opened: int
    touched: NDArray[np.int64]
    matrix: sparse.csr_array
    upper: NDArray[np.int64]
    kept: NDArray[np.int64]
    boxes: sparse.csr_array


class Sampler:
    """The tight attack's sampler: sequential Monte Carlo on one part.

    Args:
        system: the tight system.
        part: a part of it from which nothing was taken out.
    """

    def __init__(self, system: TightSystem, part: SystemPart) -> None:
        self.system = system
        (self.options,) = part.sources
        self.cells = tuple(sorted(cell for atom in part.atoms for cell in atom.cells))
        self.column = {cell: position for position, cell in enumerate(self.cells)}
        self.skipped = [self._skipped(option) for option in self.options]
        # The cells atom by atom, and where each atom begins.
        self._by_atom = np.array([self.column[cell] for atom in part.atoms for cell in atom.cells])
        self._starts = np.cumsum([0, *(len(atom.cells) for atom in part.atoms)])[:-1]
        self.most = max(b.upper for option in self.options for b in _own_bounds(option) if b.part is not None)
        largest = self.most + max(b.upper for option in self.options for b in option.bounds)
        self._type = np.uint8 if largest < 256 else np.int32  # thousands of sums per data set: bytes where they suffice
        self.turns = [self._turns(option) for option in self.options]

    @property
    def most_particles(self) -> int:
        """How many particles fit into the memory that a repetition may take."""
        sums = max(sum(turn.opened for turn in turns) for turns in self.turns)
        boxes = max(turns[0].boxes.shape[0] for turns in self.turns)
        return int(MAX_BYTES // (8 * len(self.cells) + sums * np.dtype(self._type).itemsize + 4 * boxes))

    def _skipped(self, option: PartOption) -> _Skipped:
        bounds = [bound for bound in option.bounds if bound.boxes]
        first = np.cumsum([0, *(len(bound.boxes) for bound in bounds)])[:-1]
        full = np.array([bound.k for bound in bounds for _ in bound.boxes], dtype=np.int32)
        return _Skipped(first, np.array([bound.upper for bound in bounds], dtype=np.int32), full)

    def _turns(self, option: PartOption) -> list[_Turn]:
        bounds = _own_bounds(option)
        turn_of_part = option.choice.hypotheses[0][1].turn
        totals = [bound for bound in bounds if bound.part is not None]
        totals.sort(key=lambda bound: -turn_of_part[-1 if bound.part is None else bound.part])
        # A draw of a class has its total. What is left to watch are the boxes.
        watched = [bound for bound in bounds if bound.part is None and not bound.boxes]
        boxes = [box for bound in bounds for box in bound.boxes]
        turn_of = {cell: position for position, total in enumerate(totals) for cell in total.cells}
        touching: list[list[int]] = [[] for _ in totals]
        last: list[int] = []
        for position, bound in enumerate(watched):
            turns = {turn_of[cell] for cell in bound.cells}
            last.append(max(turns))
            for turn in turns:
                touching[turn].append(position)
        open_: list[int] = []
        result = []
        for turn, total in enumerate(totals):
            opened = sorted(set(touching[turn]) - set(open_))
            now = {bound: place for place, bound in enumerate(open_ + opened)}
            open_ = [bound for bound in now if last[bound] > turn]
            own = sorted(total.cells)  # positions of cells are in row-major order, as free cells are
            result.append(
                _Turn(
                    self._part(total, own),
                    np.array([self.column[cell] for cell in own]),
                    len(opened),
                    np.array([now[bound] for bound in touching[turn]], dtype=np.int64),
                    _matrix([watched[bound].cells for bound in touching[turn]], own, self._type),
                    np.array([watched[bound].upper for bound in touching[turn]], dtype=np.int64),
                    np.array([now[bound] for bound in open_], dtype=np.int64),
                    _matrix(boxes, own, np.int32),
                )
            )
        return result

    def _part(self, total: Bound, own: Sequence[int]) -> ClassAttack:
        index = None if total.part == Owner.SUPPRESSED else total.part
        # What the attack on single classes has counted need not be counted again where the class owns the same cells.
        for known in self.system.parts:
            if known.index == index and known.free_cells == [self.system.cells[cell] for cell in own]:
                return known
        nodes = self.system.grid.nodes(total.segment)
        free = np.zeros([node.stop - node.start for node in nodes], dtype=bool)
        for cell in own:
            free[tuple(leaf - node.start for leaf, node in zip(self.system.cells[cell], nodes, strict=True))] = True
        found = self.system.by_class
        return ClassAttack(
            found.release, index, total.segment, total.upper, free, (), found.prior, 1, found.coding, found.models
        )

    def run(self, option: int, rng: np.random.Generator, particles: int) -> tuple[float, NDArray[np.int32]]:
        """One repetition: the logarithm (base e) of the estimate, -inf for 0, and the data sets that survived."""
        log = 0.0
        worlds = np.zeros((particles, len(self.cells)), dtype=np.int32)
        sums = np.zeros((0, particles), dtype=self._type)
        skipped, turns = self.skipped[option], self.turns[option]
        boxes = np.zeros((turns[0].boxes.shape[0], particles), dtype=np.int32)
        for turn in turns:
            checkpoint()
            if turn.part.contradiction:
                return -math.inf, worlds[:0]
            drawn = turn.part.draw(rng, particles)
            worlds[:, turn.columns] = drawn
            values = np.ascontiguousarray(drawn.T, dtype=self._type)
            sums = np.concatenate([sums, np.zeros((turn.opened, particles), dtype=self._type)])
            held = sums[turn.touched] + turn.matrix @ values
            kept = (held <= turn.upper[:, np.newaxis]).all(axis=0)
            sums[turn.touched] = held
            if len(boxes):
                boxes += turn.boxes @ values
                kept &= skipped.kept(boxes)
            alive = np.flatnonzero(kept)
            if not len(alive):
                return -math.inf, worlds[:0]
            log += self._log_ways(turn.part) + math.log(len(alive) / particles)
            sums = sums[turn.kept]
            if len(alive) < particles:
                chosen = rng.permutation(np.resize(alive, particles))
                worlds, sums, boxes = worlds[chosen], sums[:, chosen], boxes[:, chosen]
        return log, worlds

    def _log_ways(self, part: ClassAttack) -> float:
        """Logarithm of a class's number of data sets, the orders of its rows left out: they are no matter of cells."""
        orders = math.lgamma(part.size + 1) if self.system.prior.ordered else 0.0
        return math.log(part.numbered) - orders

    def allowed_by(self, worlds: NDArray[np.int32]) -> NDArray[np.int64]:
        """Number of options that allow each data set."""
        if len(self.options) == 1:
            return np.ones(len(worlds), dtype=np.int64)
        count = np.zeros(len(worlds), dtype=np.int64)
        values = np.ascontiguousarray(worlds.T)
        for option, skipped in zip(self.options, self.skipped, strict=True):
            plain = [bound for bound in option.bounds if not bound.boxes]
            sums = _matrix([bound.cells for bound in plain], self.cells, np.int32) @ values
            lower, upper = np.array([[bound.lower, bound.upper] for bound in plain]).T[..., np.newaxis]
            kept = ((lower <= sums) & (sums <= upper)).all(axis=0)
            boxes = [box for bound in option.bounds for box in bound.boxes]
            if boxes:
                kept &= skipped.kept(_matrix(boxes, self.cells, np.int32) @ values)
            count += kept
        return count

    def estimate(self, seed: int) -> Estimate:
        """Repeat until the standard error is small enough, or until stopped."""
        most = self.most_particles
        return repeat(self._repetition, min(PARTICLES, max(1, most)), most, seed)

    def _repetition(self, seed: list[int], particles: int) -> Run:
        """One repetition with all options; a data set that several of them allow counts once: each its share of it."""
        runs = []
        for option in range(len(self.options)):
            log, worlds = self.run(option, np.random.default_rng([*seed, option]), particles)
            if len(worlds):
                weights = 1 / self.allowed_by(worlds)
                held = np.add.reduceat(worlds[:, self._by_atom], self._starts, axis=1)
                seen = np.array([held.min(axis=0), held.max(axis=0)])
                runs.append(Run(log + math.log(weights.mean()), self._histogram(held, weights), seen))
        if not runs:
            return Run(-math.inf)
        met = [run.seen for run in runs if run.seen is not None]
        seen = np.array([np.min([ends[0] for ends in met], axis=0), np.max([ends[1] for ends in met], axis=0)])
        return Run(log_sum([run.log for run in runs]), weighted_mean(runs), seen)

    def _histogram(self, held: NDArray[np.int32], weights: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Per atom the weighted share of each count."""
        whole = weights.sum()
        return [np.bincount(column, weights, self.most + 1) / whole for column in held.T]


def _own_bounds(option: PartOption) -> list[Bound]:
    """The bounds, all of the one release."""
    return [bound.origin for bound in option.bounds if bound.origin is not None]


def _matrix(sets: Sequence[frozenset[int]], cells: Sequence[int], kind: type[np.integer[Any]]) -> sparse.csr_array:
    """Which of the cells lie in each set (sets x cells).

    Sparse, and of whole numbers: products of dense ones start threads that take more time than they save.
    """
    column = {cell: position for position, cell in enumerate(cells)}
    rows = [sorted(column[cell] for cell in members if cell in column) for members in sets]
    ends = np.cumsum([0, *map(len, rows)])
    ones = np.ones(ends[-1], dtype=kind)
    return sparse.csr_array((ones, list(chain.from_iterable(rows)), ends), shape=(len(sets), len(cells)), dtype=kind)
