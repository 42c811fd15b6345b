"""The tight system against brute force: every way to place a few records on a small grid, grouped by the release.

A release's system must allow exactly the count vectors that give the release; where several states have the same loss,
under some choice among them. (What makes the choice is unknown to an attacker: c1, c2 and, from the raw values, c3 in
the paper, the rounding of floats in ARX.) The oracle sweeps count vectors; that a recoding gives one of the releases
that the oracle names is checked by recoding raw tables, with the paper's and with ARX's choice.
"""

import random
from collections import defaultdict
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pytest

from cra_engine.attacks.prior import DISTINCT, Prior
from cra_engine.attacks.refinement.attack import attack
from cra_engine.attacks.solver.counting import count_by_layers
from cra_engine.attacks.solver.parts import Atom, SystemPart, split
from cra_engine.attacks.tight import system as tight_system
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.publish.local.recoding import recode
from cra_engine.release import Release
from cra_engine.study.study import Study
from oracles.sweep import SmallGrid
from shares import first


@dataclass(frozen=True)
class Setting:
    """A grid, k, and how many records are placed on it: all numbers from k to ``most``."""

    shapes: tuple[tuple[int, int, int], ...]  # per attribute layers, fanout, values per leaf
    k: int
    most: int

    def __str__(self) -> str:
        return "x".join(f"{layers}of{fanout}by{leaf}" for layers, fanout, leaf in self.shapes) + f"-k{self.k}"


# Leaves of 9 and of 11 or 12 values: no two states have the same loss. Leaves of 9 throughout: mirrored states have.
# One domain cut into different layers: states have the same loss that c1 or c2 would tell apart.
SETTINGS = [
    Setting(((2, 2, 9),), 2, 8),
    Setting(((3, 2, 9),), 2, 8),
    Setting(((3, 2, 9),), 3, 8),
    Setting(((4, 2, 9),), 2, 5),
    Setting(((4, 2, 9),), 3, 6),
    Setting(((3, 3, 9),), 2, 5),
    Setting(((3, 3, 9),), 3, 6),
    Setting(((2, 2, 9), (2, 2, 11)), 2, 6),
    Setting(((3, 2, 9), (2, 2, 9)), 2, 5),
    Setting(((3, 2, 9), (2, 2, 9)), 3, 7),
    Setting(((3, 2, 9), (3, 2, 11)), 3, 5),
    Setting(((3, 2, 9), (2, 3, 12)), 2, 4),
    Setting(((2, 2, 9), (2, 2, 9)), 2, 8),
    Setting(((2, 3, 9), (2, 3, 9)), 2, 5),
    Setting(((2, 3, 9), (2, 3, 9)), 3, 6),
    Setting(((3, 2, 9), (3, 2, 9)), 2, 4),
    Setting(((3, 2, 9), (3, 2, 9)), 3, 5),
    Setting(((2, 2, 16), (3, 2, 8)), 2, 5),
    Setting(((2, 4, 8), (3, 2, 8)), 2, 4),
    Setting(((2, 2, 9), (2, 2, 9), (2, 2, 9)), 2, 5),
    Setting(((2, 2, 9), (2, 2, 9), (2, 2, 9)), 3, 5),
]
EXHAUSTIVE = [
    Setting(((2, 2, 9), (2, 2, 11)), 2, 8),
    Setting(((4, 2, 9),), 2, 8),
    Setting(((4, 2, 9),), 3, 8),
    Setting(((3, 3, 9),), 2, 8),
    Setting(((3, 3, 9),), 3, 8),
    Setting(((3, 2, 9), (2, 2, 9)), 2, 8),
    Setting(((3, 2, 9), (2, 2, 9)), 3, 8),
    Setting(((3, 2, 9), (3, 2, 11)), 2, 5),
    Setting(((3, 2, 9), (3, 2, 11)), 3, 6),
    Setting(((3, 2, 9), (3, 2, 9)), 2, 5),
    Setting(((3, 2, 9), (3, 2, 9)), 3, 7),
    Setting(((2, 3, 9), (2, 3, 9)), 2, 7),
    Setting(((2, 3, 9), (2, 3, 9)), 3, 8),
    Setting(((3, 2, 9), (2, 3, 12)), 2, 5),
    Setting(((3, 2, 9), (2, 3, 12)), 3, 6),
    Setting(((2, 2, 16), (3, 2, 8)), 2, 8),
    Setting(((2, 4, 8), (3, 2, 8)), 2, 5),
    Setting(((2, 4, 8), (3, 2, 8)), 3, 6),
    Setting(((2, 2, 9), (2, 2, 9), (2, 2, 9)), 2, 8),
    Setting(((2, 2, 9), (2, 2, 9), (2, 2, 9)), 3, 8),
]
# Few enough count vectors to turn each into raw tables and recode these.
RECODED = [s for s in SETTINGS if comb(s.most + prod(f ** (h - 1) for h, f, _ in s.shapes), s.most) < 600]
RECODED += [
    Setting(((2, 2, 9), (2, 2, 9), (2, 2, 9)), 2, 3),
    Setting(((2, 3, 9), (2, 3, 9)), 2, 4),
    Setting(((2, 2, 16), (3, 2, 8)), 2, 4),
    Setting(((2, 4, 8), (3, 2, 8)), 2, 3),
]


# Seconds each; of every kind of grid a smaller one is left for every run.
LONG = {
    "3of2by9x2of2by9-k3",
    "3of2by9x3of2by9-k2",
    "3of2by9x3of2by11-k3",
    "2of3by9x2of3by9-k2",
    "2of4by8x3of2by8-k2",
    "2of2by9x2of2by9x2of2by9-k2",
}


def few(settings: list[Setting]) -> list[Any]:
    """As parameters of a test; the long ones are left to `make exhaustive`."""
    return [pytest.param(s, marks=pytest.mark.exhaustive) if str(s) in LONG else s for s in settings]


def releases(setting: Setting, least: int = 1):
    """Every release of a setting, with the count vectors that it is sought among."""
    grid = SmallGrid(setting.shapes, setting.k, least)
    for records in range(setting.k, setting.most + 1):
        worlds = grid.count_vectors(records)
        for published in grid.releases(worlds):
            yield grid, worlds, published


def allowed(system: TightSystem, grid: SmallGrid, worlds: np.ndarray) -> set[int]:
    """The count vectors that keep every bound of some hypothesis, each bound summed up as it stands."""
    column = {cell: position for position, cell in enumerate(grid.cells)}
    certain = [cell for cell in grid.cells if cell not in set(system.cells)]
    rows = np.flatnonzero(
        np.all([worlds[:, column[cell]] == system.settled.get(cell, 0) for cell in certain], axis=0)
        if certain
        else np.ones(len(worlds), dtype=bool)
    )
    counts = worlds[np.ix_(rows, [column[cell] for cell in system.cells])]
    some = np.zeros(len(rows), dtype=bool)
    for hypothesis in system.hypotheses:
        kept = np.ones(len(rows), dtype=bool)
        for bound in hypothesis.bounds:
            if bound.boxes:
                held = np.stack([counts[:, list(box)].sum(axis=1) for box in bound.boxes])
                kept &= np.where(held >= system.k, held, 0).sum(axis=0) <= bound.upper
            else:
                total = counts[:, list(bound.cells)].sum(axis=1)
                kept &= (bound.lower <= total) & (total <= bound.upper)
        some |= kept
    return set(rows[some].tolist())


def parts_of(system: TightSystem) -> list[SystemPart]:
    return split(system, system.limits)


def data_sets(part: SystemPart) -> int:
    """Data sets of a part, one atom after the other."""
    found = count_by_layers(part, DISTINCT)
    return 0 if found is None else found.total


def assignments(part: SystemPart) -> int:
    """Number of count vectors of a part: each atom's records spread over its cells as equals."""
    alike = replace(part, atoms=tuple(Atom(atom.cells, len(atom.cells)) for atom in part.atoms))
    found = count_by_layers(alike, Prior("assignments"))
    return 0 if found is None else found.total


def check_exact(setting: Setting) -> None:
    tied = 0
    for grid, worlds, published in releases(setting):
        system = TightSystem(Release(grid.study, published.table(grid.attributes)))
        assert not system.relaxed
        # Nobody missing, nobody too many. Where losses tie: exactly those whom some choice leads here.
        assert allowed(system, grid, worlds) == set(published.worlds.tolist()), published
        tied += len(published.worlds) > len(published.certain)
        parts = parts_of(system)
        settled = prod(comb(grid.volume, size) for size in system.settled.values())
        expected = sum(grid.weight(worlds[world]) for world in published.worlds)
        assert settled * prod(map(data_sets, parts)) == expected
        assert prod(map(assignments, parts)) == len(published.worlds)
    ties = any(len(group) > 1 for group in SmallGrid(setting.shapes, setting.k).groups)
    assert (tied > 0) == ties  # where losses tie, the records suffice to see it


@pytest.mark.parametrize("setting", few(SETTINGS), ids=str)
def test_the_system_allows_exactly_the_count_vectors_that_give_the_release(setting):
    check_exact(setting)


@pytest.mark.exhaustive
@pytest.mark.parametrize("setting", EXHAUSTIVE, ids=str)
def test_the_system_is_exact_on_larger_grids(setting):
    check_exact(setting)


def layouts(grid: SmallGrid, counts, undecided: bool, rng: random.Random):
    """Numbers of distinct values per attribute and leaf: c3 sees them, so where it decides they are varied."""
    held = [[1] * leaves for leaves in grid.shape]
    for cell, count in zip(grid.cells, counts, strict=True):
        for i, leaf in enumerate(cell):
            held[i][leaf] += int(count)
    yield held
    if undecided:
        repeated = [[1] * leaves for leaves in grid.shape]
        choices = list(product(*zip(held, repeated, strict=True)))
        yield from choices[1:]
        for _ in range(2):
            yield [[rng.randint(1, most) for most in leaves] for leaves in held]


def check_recoding(setting: Setting) -> None:
    rng = random.Random(str(setting))
    for records in range(setting.k, setting.most + 1):
        grid = SmallGrid(setting.shapes, setting.k)
        worlds = grid.count_vectors(records)
        possible = defaultdict(set)
        for published in grid.releases(worlds):
            for world in published.worlds.tolist():
                possible[world].add((published.classes, published.suppressed))
        for world, counts in enumerate(worlds):
            for distinct in layouts(grid, counts, len(possible[world]) > 1, rng):
                for ties in ("paper", "arx") if len(possible[world]) > 1 else ("paper",):
                    release = recode(grid.table(counts, distinct), grid.study, ties=ties).release
                    classes = sorted((c.segment.state, c.segment.ranks, c.size) for c in release.classes)
                    assert (tuple(classes), release.suppressed) in {(tuple(sorted(c)), o) for c, o in possible[world]}


@pytest.mark.parametrize("setting", few(RECODED), ids=str)
def test_recode_gives_one_of_the_releases_of_the_sweep(setting):
    check_recoding(setting)


@pytest.mark.exhaustive
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_recode_gives_one_of_the_releases_of_the_sweep_on_larger_grids(setting):
    check_recoding(setting)


def test_c3_sees_more_than_the_counts():
    """One count vector, two releases: which one depends on how often raw values repeat."""
    grid = SmallGrid(((2, 2, 9), (2, 2, 9)), 2)
    found = set()
    for counts in grid.count_vectors(3):
        for distinct in layouts(grid, counts, True, random.Random(0)):
            classes = recode(grid.table(counts, distinct), grid.study).release.classes
            found.add((tuple(counts), tuple(c.segment for c in classes)))
    assert len({counts for counts, _ in found}) < len(found)


# --- A publisher who skips states that publish little ----------------------------------------------------------------

SKIPPING = [
    (Setting(((3, 2, 9),), 2, 8), Decimal("0.4")),
    (Setting(((3, 3, 9),), 2, 5), Decimal("0.7")),
    (Setting(((4, 2, 9),), 2, 6), Decimal("0.5")),
    (Setting(((2, 2, 9), (2, 2, 9)), 2, 8), Decimal("0.4")),
    (Setting(((2, 3, 9), (2, 3, 9)), 2, 5), Decimal("0.6")),
    (Setting(((3, 2, 9), (2, 2, 9)), 2, 6), Decimal("0.5")),
    (Setting(((3, 2, 9), (3, 2, 11)), 2, 4), Decimal("0.9")),
]


@pytest.mark.parametrize(("setting", "share"), first(5, SKIPPING), ids=str)
def test_a_share_that_steps_must_publish_is_exact_too(setting, share):
    skipped = larger = 0
    for records in range(setting.k, setting.most + 1):
        study = Study(SmallGrid(setting.shapes, setting.k).attributes, setting.k, share)
        least = study.step_minimum(records)
        grid = SmallGrid(setting.shapes, setting.k, least)
        worlds = grid.count_vectors(records)
        for published in grid.releases(worlds):
            release = Release(study, published.table(grid.attributes))
            given = set(published.worlds.tolist())
            system = TightSystem(release)
            sound = allowed(system, grid, worlds)
            assert given <= sound
            larger += len(sound) > len(given)
            skipped += any(bound.boxes for hypothesis in system.hypotheses for bound in hypothesis.bounds)
            # The engine allows one record more than the share, since ARX's floats may have asked for it. Without:
            exact = TightSystem(release)
            exact.skipped_cap = least - 1
            assert allowed(exact, grid, worlds) == given
    assert skipped
    assert larger


# --- An order of formation that is not known ------------------------------------------------------------------------


def slots_allow(system: TightSystem, grid: SmallGrid, counts) -> bool:
    """Whether the records of each cell can be given to the classes that may own them so that every bound holds."""
    owners = defaultdict(list)
    for slot, cell in enumerate(system.cells):
        owners[cell].append(slot)
    parts = []
    for cell, count in zip(grid.cells, counts.tolist(), strict=True):
        if cell not in owners:
            if count != system.settled.get(cell, 0):
                return False
            continue
        parts.append([{slot: count} for slot in owners[cell]] if count else [{}])  # one class takes the whole cell
    for choice in product(*parts):
        filled = defaultdict(int, {slot: count for part in choice for slot, count in part.items()})
        if system.allows([filled[slot] for slot in range(len(system.cells))]):
            return True
    return False


@pytest.mark.parametrize("setting", [s for s in SETTINGS if s.most <= 6 and len(s.shapes) > 1], ids=str)
def test_a_relaxed_system_excludes_nobody(setting, monkeypatch):
    monkeypatch.setattr(tight_system, "MAX_HYPOTHESES", 0)
    rng = random.Random(str(setting))
    checked = 0
    for grid, worlds, published in releases(setting):
        if rng.random() > 0.2:
            continue
        release = Release(grid.study, published.table(grid.attributes))
        relaxed = TightSystem(release)
        assert relaxed.relaxed
        assert all(slots_allow(relaxed, grid, worlds[world]) for world in published.worlds)
        total = prod(map(data_sets, parts_of(relaxed)))
        expected = sum(grid.weight(worlds[world]) for world in published.worlds)
        settled = prod(comb(grid.volume, size) for size in relaxed.settled.values())
        assert settled * total >= expected
        turns = {c.segment.state: release.lattice.turn(c.segment.state) for c in release.classes}
        if len(turns) == len(set(turns.values())):  # nothing to be unsure of: as tight as ever
            assert settled * total == expected
            assert allowed(relaxed, grid, worlds) == set(published.worlds.tolist())
        checked += 1
    assert checked >= 20


# --- Beside the attack on single classes ------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", few(SETTINGS[4::3]), ids=str)
def test_all_classes_together_leave_no_more_than_each_by_itself(setting):
    fewer = 0
    for grid, _, published in releases(setting):
        release = Release(grid.study, published.table(grid.attributes))
        system, parts = TightSystem(release), [part for part in attack(release).parts if not part.basic]
        total = prod(map(data_sets, parts_of(system)))
        alone = prod(part.cra_solutions for part in parts)
        assert total <= alone
        fewer += total < alone
        check_class_bounds(system, parts)
    # Intervals of one attribute are nested or apart: nothing straddles, and the classes are independent.
    if len(setting.shapes) == 1:
        assert not fewer
    # With two layers a box is the class, a cell or the whole; with three there are boxes across classes.
    elif min(layers for layers, _, _ in setting.shapes) > 2:
        assert fewer


def check_class_bounds(system: TightSystem, parts) -> None:
    """What is said about a class by itself is part of what is said about all: its sum, and its half-segments."""
    cells = {cell: position for position, cell in enumerate(system.cells)}
    for hypothesis in system.hypotheses:
        for part in parts:
            index = -1 if part.index is None else part.index
            own = {cells[cell] for cell in part.free_cells if hypothesis.owner[cells[cell]] == index}
            totals = [bound for bound in hypothesis.bounds if bound.part == index]
            assert [(bound.cells, bound.lower, bound.upper) for bound in totals] == [(own, part.size, part.size)]
            for bounded in part.bounded_attributes:
                for half in bounded.children:
                    inside = {cells[cell] for cell in part.release.grid.cells(half) if cell in cells} & own
                    assert (
                        part.size <= part.cap
                        or len(inside) == 0
                        or any(inside <= b.cells and b.part is None and b.upper <= part.cap for b in hypothesis.bounds)
                    )


def test_the_sweep_publishes_what_a_hand_expects():
    """Eight cells in a row, k = 2: [2,0,1,1,0,1,0,2] gives the two full cells, the pair 2-3, one suppressed record."""
    grid = SmallGrid(((4, 2, 9),), 2)
    worlds = np.array([[2, 0, 1, 1, 0, 1, 0, 2]])
    (published,) = grid.releases(worlds)
    assert published.classes == (((1,), (0,), 2), ((1,), (7,), 2), ((2,), (1,), 2))
    assert published.suppressed == 1
    assert published.worlds.tolist() == published.certain.tolist() == [0]
