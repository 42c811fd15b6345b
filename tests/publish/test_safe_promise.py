"""The promise of safe recoding, over every table, every outcome of the coins and every move of one person."""

from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, factorial, inf, isclose, prod
from random import Random

import numpy as np
import pandas as pd
import pytest

from coins import as_release, engine_law
from cra_engine import Attribute, Study, attack, recode, safe_recode
from cra_engine.publish.local.coins import Coins
from cra_engine.study.grid import Grid
from oracles.safe import (
    Chance,
    Release,
    Steps,
    Table,
    as_float,
    fits,
    largest_gains,
    law,
    moves,
    regions,
    steps_of,
    tables,
)

NAMES = ("age", "weight", "pulse")


@dataclass(frozen=True)
class Small:
    """A grid small enough for every table of so many records."""

    heights: tuple[int, ...]
    fanout: int
    k: int
    records: int
    epsilon: str

    @property
    def study(self) -> Study:
        attributes = [
            Attribute(name, 0, 10 * self.fanout ** (height - 1), height, self.fanout)
            for name, height in zip(NAMES, self.heights, strict=False)
        ]
        return Study(attributes, self.k).with_epsilon(self.epsilon)

    @property
    def steps(self) -> Steps:
        return steps_of(self.heights, self.fanout, self.k, Fraction(self.epsilon))


SMALL = [
    Small((3,), 2, 2, 6, "1"),
    Small((2, 2), 2, 2, 5, "0.5"),
    Small((3,), 2, 3, 7, "2"),
    Small((2, 3), 2, 2, 4, "1"),
]
LARGER = [
    Small((4,), 2, 2, 5, "1"),
    Small((3,), 3, 2, 4, "0.7"),
    Small((2, 2), 3, 2, 4, "1"),
    Small((2, 2, 2), 2, 2, 5, "1"),
    Small((3, 2), 2, 3, 6, "3"),
    Small((3, 2), 2, 4, 6, "1"),
]


def look_at(small: Small) -> dict[str, int]:
    """Everything that is promised on one grid; how much was looked at."""
    steps, epsilon = small.steps, Fraction(small.epsilon)
    laws = {table: law(steps, table) for table in tables(steps.cells, small.records)}
    by_release: dict[Release, dict[Table, Chance]] = {}
    for table, found in laws.items():
        assert isclose(sum(map(as_float, found.values())), 1)
        for release, chance in found.items():
            by_release.setdefault(release, {})[table] = chance
    counted = {"regions": 0, "releases": len(by_release), "tables": len(laws), "moves": 0, "exactly epsilon": 0}
    seen = set()
    for table, expected in laws.items():
        outcomes = {}
        for made, chance in engine_law(small.study, table):
            release = as_release(small.steps, made)
            assert release not in outcomes
            outcomes[release] = chance
            if release in seen:
                continue
            seen.add(release)
            # No table that fits is excluded, and what was published has the same chance under all of them.
            owner, chances = regions(steps, release), by_release[release]
            assert set(chances) == {other for other in laws if fits(owner, release, other)}
            assert len({kept for kept, _ in chances.values()}) == 1
            # Per region the largest exponent that one person's move makes is the gain that the recoding states.
            largest = dict.fromkeys([-1, *range(len(release[0]))], Fraction(0))
            for one, (_, missed) in chances.items():
                for place, other in moves(owner, one):
                    counted["moves"] += 1
                    largest[place] = max(largest[place], abs(missed - chances[other][1]))
            boxes = {
                (
                    rung,
                    steps.boxes[rung][int(np.ravel_multi_index(made.grid.cells(found.segment)[0], made.grid.shape))],
                ): at
                for at, (found, rung) in enumerate(zip(made.classes, made.regions.rungs, strict=True))
            }
            for place, (box, _) in enumerate(release[0]):
                assert made.gains[boxes[box]] == largest[place] <= epsilon
            if release[1]:
                assert made.gains[-1] == largest[-1] <= epsilon
                top = {steps.boxes[-1][cell] for cell, whose in enumerate(owner) if whose == -1}
                if release[1] >= small.k and len(top) > 1:
                    assert made.gains[-1] == epsilon
                    counted["exactly epsilon"] += 1
            missed = [exponent for _, exponent in chances.values()]
            assert made.gain_all_tables == max(missed) - min(missed)
            counted["regions"] += len(release[0]) + bool(release[1])
        assert outcomes == expected  # the recoding follows its definition, coin by coin
    assert seen == set(by_release)
    return counted


@pytest.mark.parametrize("small", SMALL, ids=str)
def test_every_table_that_fits_could_give_the_release_and_one_person_moves_it_by_the_stated_gain(
    small: Small,
) -> None:
    assert look_at(small)["regions"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("small", LARGER, ids=str)
def test_the_same_on_larger_grids(small: Small) -> None:
    assert look_at(small)["exactly epsilon"]


WRONG = Small((3,), 2, 2, 5, "1")


def worst(steps: Steps, laws: dict[Table, dict[Release, float]]) -> float:
    return max(
        max(largest_gains(steps, laws, release)[0].values())
        for release in {r for found in laws.values() for r in found}
    )


def wrong_laws(kind: str) -> tuple[Steps, dict[Table, dict[Release, float]]]:
    steps = WRONG.steps
    every = list(tables(steps.cells, WRONG.records))
    if kind == "undivided":
        steps = Steps(steps.boxes, (Fraction(1),) * len(steps.spent), steps.k)
    plain = {table: {r: as_float(chance) for r, chance in law(steps, table).items()} for table in every}
    if kind == "hard from 2k":
        # From 2k records on a box is always published: not publishing it has the chance exp(-infinity).
        plain = {}
        for table in every:
            found = law(steps, table, lambda spent, n: spent * (n - 1) if n < 4 else Fraction(10**6))
            plain[table] = {r: as_float(chance) for r, chance in found.items()}
    if kind == "full counts":
        plain = {
            table: {r: as_float(chance) for r, chance in law(steps, table, full_counts=True).items()} for table in every
        }
    if kind == "best of two":
        plain = {table: best_of_two(steps, found) for table, found in plain.items()}
    return steps, plain


def best_of_two(steps: Steps, found: dict[Release, float]) -> dict[Release, float]:
    """The law of the release of less loss of two draws."""

    def lost(release: Release) -> tuple[float, Release]:
        boxes = [sum(b == box for b in steps.boxes[rung]) * n for (rung, box), n in release[0]]
        return sum(boxes) + steps.cells * release[1], release

    order = sorted(found, key=lost)
    chances, left = {}, 1.0
    for release in order:
        chances[release] = left**2 - (left - found[release]) ** 2
        left -= found[release]
    return chances


@pytest.mark.parametrize("kind", ["hard from 2k", "undivided", "full counts", "best of two"])
def test_each_wrong_implementation_gives_more_than_epsilon_away(kind: str) -> None:
    steps, laws = wrong_laws(kind)
    found = worst(steps, laws)
    assert found > 1 + 1e-9
    if kind == "hard from 2k":
        assert found == inf
    if kind == "undivided":
        assert isclose(found, 2)  # two rungs with epsilon each
    assert isclose(worst(*wrong_laws("right")), 1)


def test_with_a_hard_threshold_a_reader_excludes_tables() -> None:
    """ARX-LR on the same grid: one release or another, so the gain is infinite."""
    study, steps = WRONG.study, WRONG.steps
    plain = Study(study.attributes, study.k)
    laws: dict[Table, dict[Release, float]] = {}
    for table in tables(steps.cells, WRONG.records):
        values = [10 * cell for cell, count in enumerate(table) for _ in range(count)]
        made = recode(pd.DataFrame({"age": values}), plain)
        classes = []
        for step in made.iterations:
            rung = step.state[0] - 1
            classes += [((rung, found.ranks[0]), size) for found, size in step.classes]
        laws[table] = {(tuple(classes), made.suppressed): 1.0}
    assert worst(steps, laws) == inf


# ---------------------------------------------------------------- the coins


class Chosen:
    """Stands for a source of randomness: gives what it is told, and notes how likely that was."""

    def __init__(self, path: list[int]) -> None:
        self.path, self.asked = path, []

    def randrange(self, stop: int) -> int:
        self.asked.append(stop)
        return self.path[len(self.asked) - 1] if len(self.asked) <= len(self.path) else 0


@pytest.mark.parametrize("x", [Fraction(1, 3), Fraction(2, 3), Fraction(1), Fraction(1, 7), Fraction(0)])
def test_a_coin_falls_with_exactly_its_chance(x: Fraction) -> None:
    """Summed over every way that its draws can fall, down to a depth that leaves less than 1/depth! open."""
    coins, true, open_ = Coins(seed=0), Fraction(0), Fraction(0)
    depth = 12
    for length in range(1, depth + 1):
        # The first draws all below x.numerator, the last one not: how likely, and what the coin then says.
        chance = prod((Fraction(x.numerator, x.denominator * n) for n in range(1, length)), start=Fraction(1)) * (
            1 - Fraction(x.numerator, x.denominator * length)
        )
        coins._random = Chosen([0] * (length - 1) + [x.numerator])  # type: ignore[assignment]
        fell = chance > 0 and coins._below_one(x)
        if chance > 0:
            assert coins._random.asked == [x.denominator * n for n in range(1, length + 1)]  # type: ignore[attr-defined]
        true += chance * fell
        open_ = prod((Fraction(x.numerator, x.denominator * n) for n in range(1, length + 1)), start=Fraction(1))
    assert abs(float(true) - exp(-float(x))) <= float(open_) + 1e-15


def test_a_coin_past_one_is_tossed_once_for_each_whole_and_once_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Fraction] = []
    monkeypatch.setattr(Coins, "_below_one", lambda _, x: asked.append(x) or True)
    assert Coins(seed=0).exp_minus(Fraction(7, 3))
    assert asked == [1, 1, Fraction(1, 3)]


def frequencies(draws: int) -> None:
    """Draws of one table against the exact law: no release strays by more than 5 standard errors."""
    small = SMALL[0]
    table: Table = (3, 0, 2, 1)
    data = pd.DataFrame({"age": [10 * cell for cell, count in enumerate(table) for _ in range(count)]})
    expected = {release: as_float(chance) for release, chance in law(small.steps, table).items()}
    seen: dict[Release, int] = {}
    source = Random(5)
    for _ in range(draws):
        made = safe_recode(data, small.study, seed=source.randrange(2**60))
        release = as_release(small.steps, made)
        seen[release] = seen.get(release, 0) + 1
    assert set(seen) <= set(expected)
    for release, chance in expected.items():
        error = (chance * (1 - chance) / draws) ** 0.5
        assert abs(seen.get(release, 0) / draws - chance) < 5 * error + 1 / draws, release


def test_draws_follow_the_law() -> None:
    frequencies(400)


@pytest.mark.exhaustive
def test_draws_follow_the_law_closely() -> None:
    frequencies(20_000)


# ---------------------------------------------------------------- the attack on such releases


@pytest.mark.parametrize(
    ("prior", "ways"),
    [
        ("distinct", comb),
        ("independent", lambda values, n: values**n / factorial(n)),
        ("assignments", lambda _, __: 1),
    ],
)
def test_the_attack_weighs_every_table_that_fits_as_the_recoding_does(prior, ways) -> None:
    for small in (SMALL[0], SMALL[3]):
        steps = small.steps
        every = list(tables(steps.cells, small.records))
        laws = {table: law(steps, table) for table in every}
        sizes = [
            prod(a.leaf_values[leaf] for a, leaf in zip(small.study.attributes, cell, strict=True))
            for cell in np.ndindex(*Grid(small.study.attributes).shape)
        ]
        for table in every[:: max(1, len(every) // 12)]:
            people = [cell for cell, count in enumerate(table) for _ in range(count)]
            leaves = np.stack(np.unravel_index(people, Grid(small.study.attributes).shape), axis=1)
            data = pd.DataFrame(10 * leaves, columns=small.study.names)
            made = safe_recode(data, small.study, seed=sum(table) + table[0])
            release = as_release(small.steps, made)
            weights = {
                other: exp(-float(found[release][1])) * prod(ways(v, n) for v, n in zip(sizes, other, strict=True))
                for other, found in laws.items()
                if release in found
            }
            total = sum(weights.values())
            result = attack(made.release, prior=prior)
            for part in result.parts:
                for cell, row in zip(part.free_cells, part.cell_distributions(), strict=True):
                    at = int(np.ravel_multi_index(cell, made.grid.shape))
                    for n in range(part.size + 1):
                        truth = sum(w for other, w in weights.items() if other[at] == n) / total
                        assert isclose(row[n] if n < len(row) else 0, truth, rel_tol=1e-9, abs_tol=1e-12)
