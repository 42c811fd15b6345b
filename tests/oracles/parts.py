"""Components of tight systems made up at random, and their data sets counted one by one."""

import random
from collections import Counter
from functools import cached_property
from itertools import product
from math import comb, prod

from cra_engine.components import Atom, Component, Option, Sum
from cra_engine.grid import Segment
from cra_engine.system import Bound, Hypothesis

NOWHERE = Segment((), ())


class RandomComponent:
    """A few atoms; per option totals that share the atoms out, and boxes across them.

    Attributes:
        component: for the engine.
        k: of the release that it could be part of.
        counts: every count vector that some option allows.
    """

    def __init__(self, seed: int, *, options: int | None = None) -> None:
        rng = random.Random(f"component {seed}")
        self.k = rng.choice([2, 3, 4, 5])
        atoms = rng.randint(2, 6)
        self.volumes = [rng.choice([1, 2, 5, 9, 40]) for _ in range(atoms)]
        self.component = Component(
            tuple(Atom((position,), volume) for position, volume in enumerate(self.volumes)),
            tuple(self._option(rng, atoms) for _ in range(options or rng.choice([1, 2, 3, 3]))),
        )

    def _option(self, rng: random.Random, atoms: int) -> Option:
        owner = [rng.randrange(rng.randint(1, 3)) for _ in range(atoms)]
        sums = []
        for part in sorted(set(owner)):
            own = tuple(atom for atom in range(atoms) if owner[atom] == part)
            size = rng.randint(1, self.k)
            sums.append(Sum(own, size, size, ()))
        for _ in range(rng.randint(1, 5)):
            box = tuple(sorted(rng.sample(range(atoms), rng.randint(1, max(1, atoms - 2)))))
            sums.append(Sum(box, 0, self.k - 1, ()))
        bounds = tuple(Bound(frozenset(s.atoms), s.lower, s.upper, None, None, NOWHERE) for s in sums)
        return Option(Hypothesis(None, {}, (), ()), bounds, tuple(sums))  # type: ignore[arg-type]

    @cached_property
    def by_option(self) -> list[set[tuple[int, ...]]]:
        """The count vectors that each option allows."""
        most = max(s.upper for option in self.component.options for s in option.sums)
        vectors = list(product(range(most + 1), repeat=len(self.volumes)))
        return [
            {x for x in vectors if all(s.lower <= sum(x[a] for a in s.atoms) <= s.upper for s in option.sums)}
            for option in self.component.options
        ]

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
