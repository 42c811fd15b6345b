"""Counting by branching, against every assignment of small parts, whatever the prior."""

import math
import random
from itertools import product

import pytest

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.solver.bounds import Choice
from cra_engine.attacks.solver.branching import Branching, TooManyParts, branches
from cra_engine.attacks.solver.parts import Atom, PartOption, PartSum, SystemPart

PRIORS = [Prior(), Prior("independent"), Prior("assignments"), Prior("population", ((1,),))]


def part_of(volumes, sums):
    """Atoms of these volumes; sums as (atoms, records, whether it is a total)."""
    atoms = tuple(Atom((place,), volume) for place, volume in enumerate(volumes))
    found = tuple(PartSum(tuple(sorted(of)), records if total else 0, records) for of, records, total in sums)
    most = max(records for _, records, _ in sums)
    return SystemPart(atoms, 1, ((PartOption(Choice(()), (), found),),), ((0, most),) * len(atoms))


def random_part(rng):
    """Two or three classes over a few atoms, with boxes across them."""
    owners = [rng.randrange(rng.choice([1, 2, 3])) for _ in range(rng.randint(2, 6))]
    sums = [({i for i, own in enumerate(owners) if own == c}, rng.randint(1, 4), True) for c in set(owners)]
    atoms = range(len(owners))
    sums += [
        (set(rng.sample(atoms, rng.randint(1, len(atoms)))), rng.randint(0, 4), False) for _ in range(rng.randint(0, 5))
    ]
    return part_of([rng.choice([1, 1, 2, 3, 5]) for _ in owners], sums)


def weight(prior, found, counts):
    """What a prior makes of an assignment, straight from its meaning."""
    volumes = [atom.volume for atom in found.atoms]
    pairs = list(zip(volumes, counts, strict=True))
    if prior.name == "distinct":
        return math.prod(math.comb(volume, count) for volume, count in pairs)
    if prior.name == "assignments":
        return math.prod(math.comb(count + volume - 1, count) if volume else count == 0 for volume, count in pairs)
    rows = math.prod(math.factorial(s.upper) for s in found.sources[0][0].sums if s.lower)
    ways = rows // math.prod(math.factorial(count) for count in counts)
    return ways * math.prod(volume**count for volume, count in pairs)


def check(seed):
    found = random_part(random.Random(f"branching {seed}"))
    sums = found.sources[0][0].sums
    allowed = [
        counts
        for counts in product(range(5), repeat=len(found.atoms))
        if all(s.lower <= sum(counts[atom] for atom in s.counts) <= s.upper for s in sums)
    ]
    for prior in PRIORS:
        branching = Branching(found, 10_000, prior)
        weights = [weight(prior, found, counts) for counts in allowed]
        assert branching.total == sum(weights), f"seed {seed}"
        marginals = branching.marginals()
        for atom in range(len(found.atoms)):
            for held, said in enumerate(marginals[atom]):
                true = sum(w for w, counts in zip(weights, allowed, strict=True) if counts[atom] == held)
                assert said == true, f"seed {seed}"
            if allowed:
                counts = [counts[atom] for counts in allowed]
                assert branching.supports()[atom] == (min(counts), max(counts)), f"seed {seed}"
    return bool(allowed)


def test_small_parts_by_every_assignment():
    assert sum(check(seed) for seed in range(150)) > 50


@pytest.mark.exhaustive
def test_many_small_parts_by_every_assignment():
    assert sum(check(seed) for seed in range(150, 5000)) > 1500


def test_boxes_that_imply_each_other_do_not_both_go():
    # The same two atoms twice, at most 1 of 2 records: one atom of three takes at least the other record.
    two = part_of([5, 5, 5], [({0, 1, 2}, 2, True), ({0, 1}, 1, False), ({0, 1}, 1, False)])
    assert Branching(two, 100).total == (5 + 5) * 5 + math.comb(5, 2)


def test_a_box_that_a_class_fills_as_a_whole():
    # Both records of the first class lie in the box of 3, so that one of the second class fits beside them.
    found = part_of([4, 3, 7], [({0}, 2, True), ({1, 2}, 2, True), ({0, 1}, 3, False)])
    assert Branching(found, 100).total == math.comb(4, 2) * (math.comb(7, 2) + 3 * 7)


def test_what_cannot_be_kept_has_no_data_set():
    found = part_of([4, 3], [({0, 1}, 3, True), ({0}, 1, False), ({1}, 1, False)])
    assert (Branching(found, 100).total, Branching(found, 100).marginals()[0][1]) == (0, 0)


def test_too_much_is_refused():
    ring = [({i, i + 1, (i + 5) % 24}, 2, False) for i in range(23)]
    found = part_of([9] * 24, [(set(range(12)), 6, True), (set(range(12, 24)), 6, True), *ring])
    with pytest.raises(TooManyParts):
        Branching(found, 10)
    wide = part_of([9] * 60, [(set(range(60)), 6, True), *(({i, i + 1}, 1, False) for i in range(59))])
    assert not branches(wide)
    with pytest.raises(TooManyParts):
        Branching(wide, 10**6)
