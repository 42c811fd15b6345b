"""Safe releases put together, against every table that fits all of them."""

from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from ortools.sat.python import cp_model
from scipy.sparse import csr_array

from cra_engine import (
    Attribute,
    CRAError,
    ReleaseError,
    Study,
    StudyError,
    compose,
    recode,
    safe_recode,
    tight_attack,
)
from cra_engine.attacks.composition.safe_together import _bounds, compose_safe
from cra_engine.patience import Deadline, Stopped, stoppable
from cra_engine.release import Release
from oracles.safe import tables

LINE = Study([Attribute("age", 0, 40, layers=3)], k=2)
SQUARE = Study([Attribute("age", 0, 20, layers=2), Attribute("weight", 0, 20, layers=2)], k=2)
SIX = Study([Attribute("age", 0, 20, layers=2), Attribute("weight", 0, 60, layers=2, fanout=3)], k=3)


def region_sums(release):
    """Per region its cells and its people, read off the labels alone."""
    left = np.ones(release.grid.shape, dtype=bool)
    found = []
    by_rung = sorted(zip(release.regions.rungs, release.classes, strict=True), key=lambda pair: pair[0])
    for _, released in by_rung:
        own = np.zeros(release.grid.shape, dtype=bool)
        own[release.grid.slices(released.segment)] = True
        found.append(((own & left).ravel(), released.size))
        left &= ~own
    return [*found, (left.ravel(), release.suppressed)]


def drawn(data, study, seed, number):
    """So many safe releases: each by itself, or each inside the one before, or one of old, without a floor."""
    made = [safe_recode(data, study, 1, seed=seed).release]
    for turn in range(1, number):
        inside = made[-1] if seed % 3 == 1 else None
        made.append(safe_recode(data, study, 1, seed=seed + 1000 * turn, earlier=inside).release)
    if seed % 3 == 2:  # this one could also have been made without a floor
        made[0] = Release(study.changed(profile="safe", epsilon=1), made[0].table)
    return made


def check(study, seed, number):
    """One random table, published several times; says whether somebody is certain together, and who was alone."""
    draw = np.random.default_rng(seed)
    names, people = list(study.names), int(draw.integers(5, 9))
    widths = [int(attribute.upper) for attribute in study.attributes]
    data = pd.DataFrame({name: draw.integers(0, width, people) for name, width in zip(names, widths, strict=True)})
    made = drawn(data, study, seed, number)
    sums = [one for release in made for one in region_sums(release)]
    grid = made[0].grid
    fitting = np.array(
        [t for t in tables(grid.size, people) if all(np.array(t)[cells].sum() == n for cells, n in sums)]
    )
    found = compose_safe(made)
    assert found.complete
    assert (found.lowest.ravel() == fitting.min(axis=0)).all()
    assert (found.highest.ravel() == fitting.max(axis=0)).all()
    for one in found.settled:
        codes = [int(np.ravel_multi_index(cell, grid.shape)) for cell in one.cells]
        assert set(fitting[:, codes].sum(axis=1)) == {one.people}
        assert 0 < one.people < study.k
    assert found.nested == (seed % 3 == 1)
    assert not (found.nested and found.settled)
    return len(found.certain), len(found.settled)


@pytest.mark.parametrize("study", [LINE, SQUARE, SIX], ids=["line", "square", "six"])
@pytest.mark.parametrize("number", [2, 3])
def test_bounds_are_those_of_all_tables_that_fit(study, number):
    told = [check(study, seed, number) for seed in range(20)]
    assert sum(settled for _, settled in told) > 0


def test_two_draws_isolate_somebody_whom_neither_does_and_a_later_release_nobody():
    """Of 105 pairs of 15 draws of 13 people, and of as many pairs of a draw and a later release inside it."""
    draw = np.random.default_rng(7)
    data = pd.DataFrame({"age": draw.integers(0, 80, 13), "weight": draw.integers(0, 80, 13)})
    study = Study([Attribute("age", 0, 80, layers=4), Attribute("weight", 0, 80, layers=3)], k=2)
    made = [safe_recode(data, study, 1, seed=seed).release for seed in range(15)]
    assert not any(tight_attack(release).isolated for release in made)
    pairs = [compose_safe(pair) for pair in combinations(made, 2)]
    truth = np.zeros(made[0].grid.shape, dtype=int)
    np.add.at(truth, (data["age"] // 10, data["weight"] // 20), 1)
    assert sum(bool(found.certain) for found in pairs) == 4
    assert sum(bool(found.settled) for found in pairs) == 33
    for found in pairs:
        assert (found.lowest <= truth).all()
        assert (truth <= found.highest).all()
        assert all(sum(truth[cell] for cell in one.cells) == one.people for one in found.settled)
    for release in made:
        for seed in range(7):
            found = compose_safe([release, safe_recode(data, study, 1, seed=100 + seed, earlier=release).release])
            assert (found.nested, found.settled) == (True, ())


@cache
def by_arx(k, people):
    """What ARX-LR publishes of every table of so many people on the line."""
    study = Study(LINE.attributes, k)
    tried = {}
    for table in tables(4, people):
        data = pd.DataFrame({"age": np.repeat([0, 10, 20, 30], table)})
        tried[table] = recode(data, study).release
    return tried


@pytest.mark.parametrize("seed", range(30))
def test_safe_releases_are_put_together_with_those_of_arx(seed):
    """What is certain, and how many tables are left, against every table that gives all of the releases."""
    draw = np.random.default_rng(seed)
    table = tuple(np.bincount(draw.integers(0, 4, 7), minlength=4).tolist())
    data = pd.DataFrame({"age": np.repeat([0, 10, 20, 30], table)})
    safe = drawn(data, LINE, seed, 1 + seed % 2)
    other = by_arx(2 + seed % 2, 7)
    sums = [one for release in safe for one in region_sums(release)]
    left = [
        own
        for own, release in other.items()
        if release.to_dict() == other[table].to_dict() and all(np.array(own)[cells].sum() == n for cells, n in sums)
    ]
    found = compose([other[table], *safe], prior="assignments")
    assert any("coins have made some of them likelier" in text for text in found.warnings)
    held = np.array(left)
    for view in found.cells:
        (cell,) = view.cell
        assert (view.lowest, view.highest) == (held[:, cell].min(), held[:, cell].max())
    assert found.worlds == len(left)


def test_what_does_not_belong_together_is_one_sentence():
    data = pd.DataFrame({"age": [1, 2, 11, 12, 21, 22, 31]})
    safe = safe_recode(data, LINE, 1, seed=1).release
    for others, error, words in (
        ([], ReleaseError, "put two or more together"),
        ([recode(data, LINE).release], ReleaseError, "is no safe release"),
        ([safe_recode(data.iloc[1:], LINE, 1, seed=1).release], ReleaseError, "must be of the same people"),
        (
            [safe_recode(data, Study([Attribute("age", 0, 80, layers=3)], k=2), 1, seed=1).release],
            StudyError,
            "other hierarchies",
        ),
    ):
        with pytest.raises(error, match=words):
            compose_safe([safe, *others])


def solved_by_cp_sat(matrix, sums, at, sign):
    """The fewest (1) or most (-1) people of one kind of cell, by another solver, which knows no tolerance."""
    model = cp_model.CpModel()
    people = [model.new_int_var(0, int(sums.max()), str(place)) for place in range(matrix.shape[1])]
    for row, total in zip(matrix, sums.tolist(), strict=True):
        model.add(sum(people[place] for place in np.flatnonzero(row)) == total)
    model.minimize(sign * people[at])
    solver = cp_model.CpSolver()
    assert solver.solve(model) == cp_model.OPTIMAL
    return solver.value(people[at])


@pytest.mark.parametrize("seed", [1, 33])
def test_bounds_of_large_counts_are_exact_to_the_person(seed):
    """A solver that stops at one part in ten thousand says one person too many of some tens of thousands."""
    draw = np.random.default_rng(seed)
    number = int(draw.integers(8, 20))
    truth = draw.integers(0, 20_000, number)
    matrix = np.array([one == region for one in draw.integers(0, 4, (3, number)) for region in range(4)], dtype=float)
    sums = (matrix @ truth).astype(np.int64)
    lowest, highest, complete = _bounds(csr_array(matrix), sums, Deadline())
    assert complete
    assert lowest.tolist() == [solved_by_cp_sat(matrix, sums, at, 1) for at in range(number)]
    assert highest.tolist() == [solved_by_cp_sat(matrix, sums, at, -1) for at in range(number)]


def test_what_is_cut_short_holds_all_the_same():
    draw = np.random.default_rng(3)
    data = pd.DataFrame({"age": draw.integers(0, 20, 60), "weight": draw.integers(0, 60, 60)})
    made = [safe_recode(data, SIX, 1, seed=seed).release for seed in range(3)]
    short, whole = compose_safe(made, time_limit=0), compose_safe(made)
    assert not short.complete
    assert whole.complete
    assert (short.lowest <= whole.lowest).all()
    assert (whole.highest <= short.highest).all()
    with pytest.raises(CRAError, match="give a number of seconds"):
        compose_safe(made, time_limit=-1)
    with pytest.raises(Stopped), stoppable(lambda: True):
        compose_safe(made)
