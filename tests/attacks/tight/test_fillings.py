"""The fillings of one class that survive the tight attack, against all data sets written out."""

import random
from itertools import product
from math import comb, prod

import pandas as pd
import pytest

from cra_engine import Attribute, Study, recode, tight_attack
from oracles.fillings import fillings_left

# Unequal domains; equal ones, where states tie; cells of one value, which hold one person at most.
KINDS = {"plain": ((12, 3), (8, 2)), "tied": ((12, 3), (12, 3)), "narrow": ((4, 3), (2, 2))}


def released(seed, kind):
    """A small table published with random people who all differ."""
    rng = random.Random(f"fillings {seed}")
    (wide, high), (deep, low) = KINDS[kind]
    study = Study([Attribute("a", 0, wide, high), Attribute("b", 0, deep, low)], rng.choice([2, 3]))
    rows = rng.sample([(a, b) for a in range(wide) for b in range(deep)], rng.randint(5, 8))
    return tight_attack(recode(pd.DataFrame(rows, columns=list(study.names)), study).release)


def worlds(tight):
    """Every possible data set as counts of the open cells, by going through all of them."""
    system = tight.system
    total = sum(part.size for part in system.parts if not part.basic)

    def spread(cells, left):
        if not cells:
            return [()] if not left else []
        most = min(left, system.volumes[len(system.volumes) - cells])
        return [(held, *rest) for held in range(most + 1) for rest in spread(cells - 1, left - held)]

    return [counts for counts in spread(len(system.cells), total) if system.allows(counts)]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_left_is_what_some_data_set_has(kind):
    seen = ruled_out = 0
    for seed in range(140 if kind == "tied" else 50):
        tight = released(seed, kind)
        system = tight.system
        if len(system.cells) > 9 or system.relaxed:
            continue
        all_worlds = worlds(tight)
        for part in system.parts:
            if part.basic:
                continue
            found = fillings_left(tight, part)
            # Where ties leave a cell open, a world does not say whose its people are; take parts that own their cells.
            own = {system.cells.index(cell) for cell in part.free_cells}
            index = -1 if part.index is None else part.index
            if any(set((h.owner == index).nonzero()[0].tolist()) != own for h in system.hypotheses):
                continue
            seen += 1
            order = [system.cells.index(cell) for cell in part.free_cells]
            projected = {tuple(world[place] for place in order) for world in all_worlds}
            assert found is not None
            assert found.exact
            assert {f for f, left in zip(found.fillings, found.left, strict=True) if left} == projected
            assert found.tables == sum(
                prod(comb(v, n) for v, n in zip(part.cell_volumes, filling, strict=True)) for filling in projected
            )
            assert set(found.fillings) == {
                f for f in product(range(part.size + 1), repeat=len(order)) if part.feasible(f)
            }
            assert found.tables <= part.cra_solutions
            ruled_out += len(found.left) - sum(found.left)
    assert seen > 25
    assert kind == "tied" or ruled_out > 5  # straddling boxes do rule out some


def test_too_many_or_a_single_cell_is_not_listed():
    tight = released(3, "plain")
    wide = [part for part in tight.system.parts if not part.basic]
    assert all(fillings_left(tight, part, limit=0) is None for part in wide)
    assert all(fillings_left(tight, part, time_limit=-1) is None for part in wide if part.combinations > 1)
    basic = [part for part in tight_attack(tight.release).system.parts if part.basic]
    assert all(fillings_left(tight, part) is None for part in basic)
