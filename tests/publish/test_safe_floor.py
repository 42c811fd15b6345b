"""The floored ladder over every table, every way the coins fall, every move of one person and every set of cells."""

from fractions import Fraction
from itertools import combinations
from math import comb, exp, inf, isclose, prod

import numpy as np
import pandas as pd
import pytest

from coins import as_release, engine_law
from cra_engine import Attribute, ReleaseError, Study, StudyError, attack, read_release, safe_recode
from cra_engine.release import Release as Published
from cra_engine.study.grid import Grid
from oracles.safe import Chance, Release, Steps, Table, as_float, fits, moves, regions, steps_of, tables

Setting = tuple[tuple[int, ...], int, int, int, str]  # heights, fanout, k, people, epsilon
SMALL: list[Setting] = [((3,), 2, 2, 6, "1"), ((2, 2), 2, 2, 6, "0.5"), ((3,), 2, 3, 8, "2")]
LARGER: list[Setting] = [
    ((2, 3), 2, 2, 5, "1"),
    ((3,), 3, 2, 5, "1"),
    ((4,), 2, 2, 5, "1"),
    ((3,), 2, 2, 9, "1"),
    ((3,), 2, 3, 10, "0.7"),
    ((2, 2), 2, 3, 8, "1"),
    ((2, 2), 3, 2, 4, "1"),
]


def study_of(setting: Setting) -> Study:
    heights, fanout, k, _, epsilon = setting
    names = ("age", "weight", "pulse")
    attributes = [
        Attribute(name, 0, 10 * fanout ** (height - 1), height, fanout)
        for name, height in zip(names, heights, strict=False)
    ]
    return Study(attributes, k).with_epsilon(epsilon, floor=True)


def steps_for(setting: Setting) -> Steps:
    heights, fanout, k, _, epsilon = setting
    return steps_of(heights, fanout, k, Fraction(epsilon))


def rates(steps: Steps, epsilon: Fraction, done: list[tuple[Fraction, int]], left: int) -> Fraction:
    """The ledger, as it is written down."""
    spent = sum((r * (2 if 2 * left >= after + 2 * steps.k else 1) for r, after in done), Fraction(0))
    weights = [Fraction(85, 100) ** place for place in range(len(steps.spent))]
    own = weights[len(done)] / sum(weights[len(done) :])
    return min(Fraction(3, 4) * (epsilon - spent) * own, (epsilon - spent) / 2)


def law(steps: Steps, table: Table, epsilon: Fraction, mistake: str = "") -> dict[Release, Chance]:
    """Every release of a table with its chance, by the definition; or with one of the mistakes that break it."""
    found: dict[Release, Chance] = {}
    k = steps.k

    def climb(
        rung: int, rest: Table, left: int, done: list[tuple[Fraction, int]], classes: tuple, chance: Chance
    ) -> None:
        if rung == len(steps.spent) or left < 2 * k:
            found[classes, left] = chance
            return
        rate = steps.spent[rung] if mistake == "no ledger" else rates(steps, epsilon, done, left)
        number = max(steps.boxes[rung]) + 1
        begun = left

        def box(at: int, rest: Table, left: int, classes: tuple, chance: Chance) -> None:
            if at == number:
                climb(rung + 1, rest, left, [*done, (rate, left)], classes, chance)
                return
            inside = [cell for cell in range(steps.cells) if steps.boxes[rung][cell] == at]
            n = sum(rest[cell] for cell in inside)
            there = begun if mistake == "side by side" else left
            over = min(n, there - n) - k + 1
            if mistake == "hard rest":
                over = n - k + 1 if left - n >= k else 0
            if over < 1 or n < k:
                box(at + 1, rest, left, classes, chance)
                return
            exponent = rate * over
            taken = tuple(0 if cell in inside else count for cell, count in enumerate(rest))
            kept = tuple(sorted([*chance[0], exponent])), chance[1]
            box(at + 1, taken, left - n, (*classes, ((rung, at), n)), kept)
            box(at + 1, rest, left, classes, (chance[0], chance[1] + exponent))

        box(0, rest, left, classes, chance)

    climb(0, table, sum(table), [], (), ((), Fraction(0)))
    return found


def largest_move(owner: tuple[int, ...], chances: dict[Table, Chance]) -> dict[int, float]:
    """Per region the largest exponent of one person's move; infinite where a table that fits is excluded."""
    largest: dict[int, float] = dict.fromkeys(set(owner), Fraction(0))
    for one, (_, missed) in chances.items():
        for place, other in moves(owner, one):
            gone = chances.get(other)
            largest[place] = max(largest[place], inf if gone is None else abs(missed - gone[1]))
    return largest


def settled(fitting: list[Table], k: int) -> bool:
    """Whether some set of cells holds the same 1 to k - 1 people in every table that fits."""
    cells = range(len(fitting[0]))
    for number in range(1, len(cells) + 1):
        for some in combinations(cells, number):
            held = {sum(table[cell] for cell in some) for table in fitting}
            if len(held) == 1 and 0 < held.pop() < k:
                return True
    return False


def by_release(laws: dict[Table, dict[Release, Chance]]) -> dict[Release, dict[Table, Chance]]:
    found: dict[Release, dict[Table, Chance]] = {}
    for table, outcomes in laws.items():
        for release, chance in outcomes.items():
            found.setdefault(release, {})[table] = chance
    return found


def look_at(setting: Setting) -> int:
    """Everything that is promised on one grid; how many moves were looked at."""
    study, steps, k, epsilon = study_of(setting), steps_for(setting), setting[2], Fraction(setting[4])
    laws = {table: law(steps, table, epsilon) for table in tables(steps.cells, setting[3])}
    assert all(isclose(sum(map(as_float, found.values())), 1) for found in laws.values())
    releases, seen, moved = by_release(laws), set(), 0
    for table, expected in laws.items():
        outcomes = {}
        for made, chance in engine_law(study, table):
            release = as_release(steps, made)
            outcomes[release] = chance
            if release in seen:
                continue
            seen.add(release)
            owner, chances = regions(steps, release), releases[release]
            fitting = [other for other in laws if fits(owner, release, other)]
            assert set(chances) == set(fitting)  # nobody is excluded
            assert len({kept for kept, _ in chances.values()}) == 1
            assert not settled(fitting, k)
            assert made.suppressed >= k
            largest = largest_move(owner, chances)
            moved += sum(len(list(moves(owner, one))) for one in chances)
            first = {
                (rung, steps.boxes[rung][int(np.ravel_multi_index(made.grid.cells(c.segment)[0], made.grid.shape))]): at
                for at, (c, rung) in enumerate(zip(made.classes, made.regions.rungs, strict=True))
            }
            for place, (box, _) in enumerate(release[0]):
                assert largest[place] <= made.gains[first[box]] <= epsilon
            assert largest.get(-1, 0) <= made.gains[-1] <= epsilon
            missed = [exponent for _, exponent in chances.values()]
            assert max(missed) - min(missed) <= made.gain_all_tables
        assert outcomes == expected  # the recoding follows its definition, coin by coin
    assert seen == set(releases)
    return moved


@pytest.mark.parametrize("setting", SMALL, ids=str)
def test_nobody_is_excluded_no_gain_is_above_the_stated_one_and_nothing_is_settled_below_k(setting) -> None:
    assert look_at(setting)


@pytest.mark.exhaustive
@pytest.mark.parametrize("setting", LARGER, ids=str)
def test_the_same_on_larger_grids(setting) -> None:
    assert look_at(setting)


@pytest.mark.parametrize("mistake", ["", "side by side", "hard rest", "no ledger"])
def test_each_mistake_breaks_the_floor_or_the_gain(mistake) -> None:
    worst, below = 0.0, False
    for setting in (((3,), 2, 2, 8, "1"), ((2, 2), 2, 2, 6, "1")):
        steps = steps_for(setting)
        laws = {table: law(steps, table, Fraction(1), mistake) for table in tables(steps.cells, setting[3])}
        for release, chances in by_release(laws).items():
            owner = regions(steps, release)
            below = below or settled([table for table in laws if fits(owner, release, table)], 2)
            worst = max(worst, *largest_move(owner, chances).values())
    assert below == (mistake == "side by side")
    assert (worst > 1) == (mistake in ("hard rest", "no ledger")) or mistake == "side by side"


def test_without_a_floor_a_release_can_settle_one_person() -> None:
    plain = steps_for(SMALL[0])
    study = study_of(SMALL[0]).with_epsilon("1", floor=False)
    every = list(tables(plain.cells, 6))
    found = False
    for table in every:
        for made, _ in engine_law(study, table):
            release = as_release(plain, made)
            owner = regions(plain, release)
            found = found or settled([other for other in every if fits(owner, release, other)], 2)
    assert found


@pytest.mark.parametrize("prior", ["distinct", "assignments"])
def test_the_attack_weighs_every_table_that_fits_as_the_recoding_does(prior) -> None:
    for setting in (SMALL[0], SMALL[1]):
        study, steps = study_of(setting), steps_for(setting)
        every = list(tables(steps.cells, setting[3]))
        laws = {table: law(steps, table, Fraction(setting[4])) for table in every}
        shape = Grid(study.attributes).shape
        sizes = [
            prod(a.leaf_values[leaf] for a, leaf in zip(study.attributes, cell, strict=True))
            for cell in np.ndindex(*shape)
        ]
        for table in every[:: max(1, len(every) // 14)]:
            people = [cell for cell, count in enumerate(table) for _ in range(count)]
            leaves = np.stack(np.unravel_index(people, shape), axis=1)
            made = safe_recode(pd.DataFrame(10 * leaves, columns=study.names), study, seed=sum(table) + table[0])
            release = as_release(steps, made)
            weights = {
                other: exp(-float(found[release][1]))
                * prod(comb(v, n) if prior == "distinct" else 1 for v, n in zip(sizes, other, strict=True))
                for other, found in laws.items()
                if release in found
            }
            total = sum(weights.values())
            for part in attack(made.release, prior=prior).parts:
                for cell, row in zip(part.free_cells, part.cell_distributions(), strict=True):
                    at = int(np.ravel_multi_index(cell, made.grid.shape))
                    for n in range(part.size + 1):
                        truth = sum(w for other, w in weights.items() if other[at] == n) / total
                        assert isclose(row[n] if n < len(row) else 0, truth, rel_tol=1e-9, abs_tol=1e-12)


def test_a_floored_release_is_read_by_its_study(tmp_path) -> None:
    draw = np.random.default_rng(3)
    data = pd.DataFrame({"age": draw.integers(0, 96, 200), "weight": draw.integers(40, 120, 200)})
    study = Study([Attribute("age", 0, 96, layers=4), Attribute("weight", 40, 120, layers=3)], k=5)
    for seed in range(12):
        made = safe_recode(data, study, 1, seed=seed, floor=True)
        assert made.suppressed >= 5
        assert made.gain <= 1
        assert sum(rung.epsilon for rung in made.rungs) <= 1
        made.study.to_toml(tmp_path / "readers.toml")
        made.release.to_csv(tmp_path / "release.csv")
        study_read = Study.from_toml(tmp_path / "readers.toml")
        assert (study_read.profile, study_read.floor) == ("floored", True)
        assert read_release(tmp_path / "release.csv", study_read).regions.gains == made.gains
    rows = ["[0, 48["] * 10 + ["*"] * 3
    with pytest.raises(ReleaseError, match="fewer than k = 5, which safe recoding with a floor never leaves"):
        Published(study_read, pd.DataFrame({"age": rows, "weight": ["*"] * 13}))
    with pytest.raises(StudyError, match='profile is "floored" without an epsilon'):
        Study(study.attributes, 5, "floored")
