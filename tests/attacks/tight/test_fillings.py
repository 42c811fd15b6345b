"""The fillings of one class that survive the tight attack, against all data sets written out."""

import random
from itertools import product
from math import comb, prod

import pandas as pd
import pytest

from cra_engine import Attribute, Study, recode, tight_attack
from cra_engine.attacks.tight.fillings import fillings_left


def released(seed, *, equal):
    """A small table published with random people; equal domains make states tie."""
    rng = random.Random(f"fillings {seed}")
    leaf = 3 if equal else 4
    study = Study(
        [Attribute("a", 0, 12, 3), Attribute("b", 0, 2 * leaf if not equal else 12, 2 if not equal else 3)], 2
    )
    study = study.with_k(rng.choice([2, 3]))
    upper = [int(attribute.upper) for attribute in study.attributes]
    rows = [[rng.randrange(top) for top in upper] for _ in range(rng.randint(5, 8))]
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


@pytest.mark.parametrize("equal", [False, True])
def test_what_is_left_is_what_some_data_set_has(equal):
    seen = ruled_out = 0
    for seed in range(140 if equal else 50):
        tight = released(seed, equal=equal)
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
    assert equal or ruled_out > 5  # straddling boxes do rule out some


def test_too_many_or_a_single_cell_is_not_listed():
    tight = released(3, equal=False)
    wide = [part for part in tight.system.parts if not part.basic]
    assert all(fillings_left(tight, part, limit=0) is None for part in wide)
    assert all(fillings_left(tight, part, seconds=-1) is None for part in wide if part.combinations > 1)
    basic = [part for part in tight_attack(tight.release).system.parts if part.basic]
    assert all(fillings_left(tight, part) is None for part in basic)
