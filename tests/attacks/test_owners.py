"""Cells that classes share because they tie: their chances against every data set, listed one by one."""

import random
from collections import Counter
from itertools import permutations
from math import comb, prod

import pandas as pd
import pytest

from cra_engine import Attribute, Study, attack, recode, single_out
from cra_engine.attacks.refinement.owners import cell_chances
from cra_engine.release import Owner


def fillings(cells, size, cap, halves):
    """All counts of some cells that sum to the size, with at most ``cap`` in each of the sets ``halves``."""

    def go(place, left):
        if place == len(cells) - 1:
            yield (left,)
            return
        for count in range(left + 1):
            for rest in go(place + 1, left - count):
                yield (count, *rest)

    if not cells:
        return
    for counts in go(0, size):
        held = dict(zip(cells, counts, strict=True))
        if size <= cap or all(sum(held[c] for c in half if c in held) <= cap for half in halves):
            yield {cell: count for cell, count in held.items() if count}


def tables(attacked):
    """Every way to fill all cells that some order of the classes allows, once each."""
    grid = attacked.release.grid
    parts = [part for part in attacked.parts if not part.basic]
    found = set()
    states = sorted({part.segment.state for part in parts if part.index is not None})
    for order in permutations(states):
        place = {state: i for i, state in enumerate(order)}
        if any(attacked.formation.before(b, a) and place[a] < place[b] for a in states for b in states):
            continue
        filled = [{}]
        for part in parts:
            free = set(part.free_cells)
            for other in parts:
                if None not in (part.index, other.index) and place[other.segment.state] < place[part.segment.state]:
                    free -= set(grid.cells(other.segment))
            halves = [set(grid.cells(child)) for split in part.bounded_attributes for child in split.children]
            options = list(fillings(sorted(free), part.size, part.cap, halves))
            filled = [{**world, **option} for world in filled for option in options]
            if len(filled) > 20_000:
                return None
        found |= {tuple(sorted(world.items())) for world in filled}
    return found


def test_chances_of_shared_cells_are_those_of_all_tables():
    shared = 0
    for seed in range(400):
        rng = random.Random(f"owners {seed}")
        side = rng.choice([6, 9])
        study = Study([Attribute(name, 0, side, 2, fanout=3) for name in "ab"], rng.choice([2, 2, 3]))
        data = pd.DataFrame(
            [(rng.randrange(side), rng.randrange(side)) for _ in range(rng.randint(4, 9))], columns=["a", "b"]
        )
        attacked = attack(recode(data.drop_duplicates(), study).release)
        tied = {
            p.segment.state for p in attacked.classes if any(attacked.owner[c] == Owner.UNDECIDED for c in p.free_cells)
        }
        if not tied or len(tied) > 2 or not all(p.basic or p.cra_solutions for p in attacked.parts):
            continue
        worlds = tables(attacked)
        if not worlds:
            continue
        grid = attacked.release.grid
        total, alone = 0, Counter()
        for world in worlds:
            weight = prod(comb(grid.volume(grid.cell_segment(cell)), count) for cell, count in world)
            total += weight
            for cell, count in world:
                alone[cell] += weight * (count == 1)
        if not total:
            continue
        shared += 1
        said = {chance.cell: chance.probability for chance in single_out(attacked).cells}
        assert cell_chances(attacked).weighed
        expected = {cell: count / total for cell, count in alone.items() if count}
        assert {cell: p for cell, p in said.items() if p > 1e-12} == pytest.approx(expected), f"seed {seed}"
    assert shared > 20
