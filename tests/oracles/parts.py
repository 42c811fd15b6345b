"""Parts of tight systems made up at random, and their data sets counted one by one."""

import random
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.solver.bounds import Bound, Choice, Hypothesis
from cra_engine.attacks.solver.parts import Atom, PartOption, PartSum, SystemPart
from cra_engine.study.grid import Segment

NOWHERE = Segment((), ())


class RandomPart:
    """A few atoms; per option totals that share the atoms out, and boxes across them.

    With ``skipping`` there are also boxes of skipped states, of which only those with k records count together.

    Attributes:
        part: for the engine.
        k: of the release that it could be part of.
        counts: every count vector that some option allows.
    """

    def __init__(self, seed: int, *, skipping: bool = False) -> None:
        rng = random.Random(f"component {seed}")
        self.k = rng.choice([2, 3, 4, 5])
        atoms = rng.randint(2, 6)
        self.volumes = [rng.choice([1, 2, 5, 9, 40]) for _ in range(atoms)]
        options = tuple(self._option(rng, atoms, skipping) for _ in range(rng.choice([1, 2, 3, 3])))
        most = max(s.upper for option in options for s in option.sums)
        self.part = SystemPart(
            tuple(Atom((position,), volume) for position, volume in enumerate(self.volumes)),
            1,
            (options,),
            ((0, most),) * atoms,
        )
        self.options = options

    def _option(self, rng: random.Random, atoms: int, skipping: bool) -> PartOption:
        owner = [rng.randrange(rng.randint(1, 3)) for _ in range(atoms)]
        sums = []
        for part in sorted(set(owner)):
            own = tuple(atom for atom in range(atoms) if owner[atom] == part)
            size = rng.randint(1, self.k)
            sums.append(PartSum(own, size, size))
        for _ in range(rng.randint(1, 5)):
            box = tuple(sorted(rng.sample(range(atoms), rng.randint(1, max(1, atoms - 2)))))
            sums.append(PartSum(box, 0, self.k - 1))
        for _ in range(rng.randint(1, 2) if skipping else 0):
            boxes = [tuple(range(atoms))[start::2] for start in range(2)]
            most = rng.randint(self.k, self.k + 1)
            sums.append(PartSum(tuple(range(atoms)), 0, most, tuple(boxes), (0, 0), self.k))
        bounds = tuple(
            Bound(frozenset(s.counts), s.lower, s.upper, None, None, NOWHERE, tuple(map(frozenset, s.boxes)), self.k)
            for s in sums
        )
        choice = Choice(bounds, ((0, Hypothesis(None, {}, bounds, ())),))  # type: ignore[arg-type]
        return PartOption(choice, bounds, tuple(sums))

    @cached_property
    def by_option(self) -> list[set[tuple[int, ...]]]:
        """The count vectors that each option allows."""
        most = max(s.upper for option in self.options for s in option.sums)
        vectors = self.vectors(most)
        return [{tuple(x) for x in vectors[self.kept(option.sums, vectors)].tolist()} for option in self.options]

    def vectors(self, most: int) -> NDArray[np.int64]:
        """Every way to give each atom 0 to ``most`` records (vectors x atoms)."""
        return np.indices((most + 1,) * len(self.volumes)).reshape(len(self.volumes), -1).T

    def kept(self, sums: Sequence[PartSum], vectors: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which count vectors keep all of some bounds."""
        kept = np.ones(len(vectors), dtype=bool)
        for s in sums:
            held = np.stack([vectors[:, list(box)].sum(axis=1) for box in s.boxes or [s.counts]])
            total = np.where(held >= self.k, held, 0).sum(axis=0) if s.boxes else held[0]
            kept &= (s.lower <= total) & (total <= s.upper)
        return kept

    @cached_property
    def counts(self) -> set[tuple[int, ...]]:
        """See the class."""
        return set().union(*self.by_option)

    @cached_property
    def weights(self) -> dict[tuple[int, ...], int]:
        """The number of data sets behind each count vector."""
        return {x: prod(map(comb, self.volumes, x)) for x in self.counts}

    def having(self, atom: int) -> Counter[int]:
        """Per count the number of data sets in which an atom holds it."""
        result: Counter[int] = Counter()
        for x, weight in self.weights.items():
            result[x[atom]] += weight
        return result

    @property
    def fixed(self) -> dict[int, int]:
        """The atoms that hold the same in every count vector."""
        return {
            atom: next(iter(values))
            for atom in range(len(self.volumes))
            if len(values := {x[atom] for x in self.counts}) == 1
        }
