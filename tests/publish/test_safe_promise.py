"""The promise of safe recoding, over every table, every fall of the coins, every move and up to three releases."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import permutations
from math import comb, exp, factorial, inf, isclose, log, prod
from random import Random

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from coins import Script, after, as_release, engine_law, every_fall
from cra_engine import Attribute, SafeRecoding, Study, attack, recode, safe_recode
from cra_engine.files.row_order import random_order
from cra_engine.publish.local import safe
from cra_engine.publish.local.coins import Coins
from cra_engine.release import Release as Published
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.ladder import ladder_of
from oracles.safe import (
    Chance,
    Drawn,
    Release,
    Steps,
    Table,
    as_float,
    fitting,
    largest_gain,
    later,
    logarithm,
    moves,
    sequences,
    settled,
    steps_of,
    tables,
    times,
)

NAMES = ("age", "weight", "pulse")


@dataclass(frozen=True)
class Small:
    """A grid small enough for every table of so many people, and releases to draw: k and epsilon of each."""

    heights: tuple[int, ...]
    fanout: int
    people: int
    draws: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        return f"{self.heights} {self.people} people, {self.draws}"

    @property
    def attributes(self) -> list[Attribute]:
        return [
            Attribute(name, 0, 10 * self.fanout ** (height - 1), height, self.fanout)
            for name, height in zip(NAMES, self.heights, strict=False)
        ]

    @property
    def study(self) -> Study:
        k, epsilon = self.draws[0]
        return Study(self.attributes, k).with_epsilon(epsilon)

    @property
    def steps(self) -> Steps:
        return steps_of(self.heights, self.fanout)

    @property
    def drawn(self) -> list[Drawn]:
        return [(k, Fraction(epsilon)) for k, epsilon in self.draws]


ONE = [
    Small((3,), 2, 6, ((2, "1"),)),
    Small((2, 2), 2, 6, ((2, "0.5"),)),
    Small((3,), 2, 8, ((3, "2"),)),
]
TWO = [Small((3,), 2, 7, ((2, "1"), (2, "1"))), Small((2, 2), 2, 6, ((2, "0.5"), (2, "1")))]
THREE = [Small((3,), 2, 6, ((2, "1"), (2, "0.5"), (2, "1")))]
LARGER = [
    Small((2, 3), 2, 5, ((2, "1"),)),
    Small((3,), 3, 5, ((2, "1"),)),
    Small((4,), 2, 5, ((2, "1"),)),
    Small((2, 2), 3, 4, ((2, "1"),)),
    Small((3,), 2, 9, ((2, "1"), (2, "1"), (2, "1"))),
    Small((3,), 2, 10, ((3, "0.7"), (2, "1"), (2, "0.5"))),
    Small((2, 2), 2, 8, ((2, "1"), (2, "1"), (2, "1"))),
    Small((2, 2), 2, 9, ((3, "2"), (2, "0.5"))),
    Small((2, 3), 2, 6, ((2, "1"), (2, "1"))),
    Small((3,), 3, 6, ((2, "1"), (2, "1"))),
]


def look_at(small: Small) -> dict[str, float]:
    """Everything that is promised of some releases on one grid; how much was looked at."""
    steps, every = small.steps, list(tables(small.steps.cells, small.people))
    found = sequences(steps, small.people, small.drawn)
    counted = {"sequences": len(found), "regions": 0, "moves": 0, "most": 0.0}
    whole = {table: sum(as_float(given[table]) for given in found.values() if table in given) for table in every}
    assert all(isclose(chance, 1) for chance in whole.values())
    stated = engine_gains(small)
    assert set(stated) == set(found)
    promised = sum(epsilon for _, epsilon in small.drawn)
    for said, given in found.items():
        last = said[-1]
        # Who fits the last release fits all; none that fits is excluded, and what was published is as likely in all.
        assert set(given) == set(fitting([last], every)) == set(fitting(said, every))
        assert len({kept for kept, _ in given.values()}) == 1
        assert not settled(list(given), min(k for k, _ in small.draws))
        gains, gain_all_tables = stated[said]
        for region in last:
            counted["regions"] += 1
            for table, (_, missed) in given.items():
                for other in moves(region[1], table):
                    counted["moves"] += 1
                    assert abs(missed - given[other][1]) <= gains[region] <= promised
                    counted["most"] = max(counted["most"], float(abs(missed - given[other][1])))
        missed = [exponent for _, exponent in given.values()]
        assert max(missed) - min(missed) <= gain_all_tables
    return counted


def engine_gains(small: Small) -> dict[tuple[Release, ...], tuple[dict, Fraction]]:
    """The gains that the recoding states, per sequence; it follows its definition, coin by coin, on the way."""
    steps, every = small.steps, tables(small.steps.cells, small.people)
    begun = {(): (small.study, list(every))}
    stated: dict[tuple[Release, ...], tuple[dict, Fraction]] = {}
    for place, (k, epsilon) in enumerate(small.drawn):
        more: dict[tuple[Release, ...], tuple[Study, list[Table]]] = {}
        for said, (study, possible) in begun.items():
            before = said[-1] if said else steps.start(small.people)
            for table in possible:
                outcomes: dict[Release, Chance] = {}
                for made, chance in engine_law(study, table):
                    release = as_release(steps, made)
                    outcomes[release] = chance
                    sequence = (*said, release)
                    if sequence not in more:
                        own = after(study, made, *small.drawn[place + 1]) if place + 1 < len(small.drawn) else study
                        more[sequence] = own, []
                        if place + 1 == len(small.drawn):
                            gains = [*made.gains, *([] if made.suppressed else [Fraction(0)])]
                            stated[sequence] = of_regions(steps, made, gains), made.gain_all_tables
                    more[sequence][1].append(table)
                assert outcomes == later(steps, table, before, k, epsilon)
        begun = more
    return stated


def of_regions(steps: Steps, made, gains: list[Fraction]) -> dict:
    """Per region, in the oracle's words, its gain."""
    labels = {}
    for found, rung, gain in zip(made.classes, made.regions.rungs, gains, strict=False):
        first = int(np.ravel_multi_index(made.grid.cells(found.segment)[0], made.grid.shape))
        labels[rung, steps.boxes[rung][first]] = gain
    labels[len(steps.boxes), 0] = gains[-1]
    return {region: labels[region[0]] for region in as_release(steps, made)}


@pytest.mark.parametrize("small", [*ONE, *TWO, *THREE], ids=str)
def test_nobody_is_excluded_no_gain_is_above_the_stated_one_and_nothing_is_settled_below_k(small: Small) -> None:
    counted = look_at(small)
    assert isclose(counted["most"], sum(epsilon for _, epsilon in small.drawn))  # so that the bound is not too large


@pytest.mark.exhaustive
@pytest.mark.parametrize("small", LARGER, ids=str)
def test_the_same_on_larger_grids(small: Small) -> None:
    assert look_at(small)["moves"]


MISTAKES = {
    # what it does to the gain (True: above epsilon), and to the floor (True: somebody is settled below k)
    "": (False, False),
    "side by side": (None, True),  # m is not lowered box by box
    "hard rest": (True, False),
    "no ledger": (True, False),
    "undivided": (True, False),
    "full counts": (True, False),
    "hard from 2k": (True, False),
    "path of the table": (True, False),
    "k of the table": (True, False),
    "epsilon of the table": (True, False),
    "plain": (False, True),  # without a floor 1 to k - 1 may be left
    "two draws": (None, True),  # the second release knows nothing of the first
}
WORLDS = [Small((3,), 2, 8, ((2, "1"),)), Small((2, 2), 2, 6, ((2, "1"),)), Small((3,), 2, 6, ((2, "1"), (2, "1")))]


def broken(mistake: str) -> tuple[bool, bool]:
    """Whether some release tells more than epsilon about a person, and whether some set is settled below k."""
    told = below = False
    for small in WORLDS:
        every = list(tables(small.steps.cells, small.people))
        promised = sum(float(epsilon) for _, epsilon in small.drawn)
        for said, given in sequences(small.steps, small.people, small.drawn, mistake).items():
            below = below or settled(fitting(said, every), 2)
            logs = {table: logarithm(chance) for table, chance in given.items()}
            told = told or largest_gain(logs, said if mistake == "two draws" else said[-1:], every) > promised + 1e-9
    return told, below


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_breaks_the_gain_or_the_floor(mistake: str) -> None:
    for found, expected in zip(broken(mistake), MISTAKES[mistake], strict=True):
        assert expected is None or found == expected


def test_the_best_of_two_draws_tells_more_than_epsilon() -> None:
    small = WORLDS[1]
    every, steps = list(tables(small.steps.cells, small.people)), small.steps

    def lost(said: tuple[Release, ...]) -> tuple[int, str]:
        return sum(
            len(steps.inside(*label) if label[0] < len(steps.boxes) else cells) * n for label, cells, n in said[0]
        ), repr(said)

    laws: dict[tuple[Release, ...], dict[Table, float]] = {}
    found = sequences(steps, small.people, small.drawn)
    for table in every:
        left = 1.0
        for said in sorted((one for one, given in found.items() if table in given), key=lost):
            chance = as_float(found[said][table])
            laws.setdefault(said, {})[table] = float(np.log(left**2 - max(left - chance, 0) ** 2))
            left -= chance
    assert max(largest_gain(logs, said, every) for said, logs in laws.items()) > 1 + 1e-6


def test_with_a_hard_threshold_a_reader_excludes_tables() -> None:
    """ARX-LR on the same grid: one release or another, so the gain is infinite."""
    small = Small((3,), 2, 5, ((2, "1"),))
    plain, every = Study(small.attributes, 2), list(tables(4, 5))
    laws: dict[Release, dict[Table, float]] = {}
    for table in every:
        made = recode(people(small, table), plain)
        regions, taken = [], frozenset[int]()
        for step in made.iterations:
            for segment, size in step.classes:
                rung = step.state[0] - 1
                inside = small.steps.inside(rung, segment.ranks[0])
                regions.append(((rung, segment.ranks[0]), inside - taken, size))
                taken |= inside
        laws.setdefault((*regions, ((2, 0), frozenset(range(4)) - taken, made.suppressed)), {})[table] = 0.0
    assert max(largest_gain(logs, [release], every) for release, logs in laws.items()) == inf


def people(small: Small, table: Table) -> pd.DataFrame:
    """A table of people with the lowest values of their cells."""
    shape = Grid(small.attributes).shape
    cells = [cell for cell, count in enumerate(table) for _ in range(count)]
    return pd.DataFrame(10 * np.stack(np.unravel_index(cells, shape), axis=1), columns=small.study.names)


# ---------------------------------------------------------------- what is handed out is a file


@pytest.mark.parametrize("small", [Small((3,), 2, 4, ((2, "1"),)), Small((2,), 2, 4, ((2, "0.5"), (2, "1")))], ids=str)
def test_no_order_of_the_rows_tells_more_than_the_release(small: Small) -> None:
    assert look_at_files(small)


FILES = [
    Small((3,), 2, 5, ((2, "1"),)),
    Small((2, 2), 2, 4, ((2, "0.5"), (2, "1"))),
    Small((3,), 2, 6, ((2, "1"),)),
    Small((2, 2), 2, 6, ((2, "0.5"),)),
    Small((2, 2), 3, 4, ((2, "1"),)),
    Small((3,), 3, 4, ((2, "1"),)),
    Small((2, 3), 2, 4, ((2, "1"),)),
    Small((2,), 3, 6, ((3, "1"),)),
    Small((3,), 2, 6, ((2, "1"), (2, "1"))),
    Small((2, 2), 2, 5, ((2, "1"), (2, "1"))),
    Small((2,), 4, 6, ((2, "1"), (2, "1"), (2, "1"))),
    Small((3, 2), 2, 4, ((2, "2"),)),
]


@pytest.mark.exhaustive
@pytest.mark.parametrize("small", FILES, ids=str)
def test_no_order_tells_more_on_larger_grids(small: Small) -> None:
    assert look_at_files(small)


def look_at_files(small: Small) -> int:
    """Every file that every table can be handed out as: each fall of the coins, each order of rows sorted by age."""
    orders = [random_order(small.people, Keys(order)).tolist() for order in permutations(range(small.people))]
    assert len(set(map(tuple, orders))) == factorial(small.people)
    every, promised = list(tables(small.steps.cells, small.people)), sum(float(e) for _, e in small.drawn)
    written: dict[tuple[tuple[str, ...], ...], dict[Table, tuple[Chance, int]]] = {}
    files: dict[tuple[str, ...], Counter[tuple[str, ...]]] = {}
    shown: dict[tuple[str, ...], Release] = {}
    measured: list[float] = []

    def draw(table: Table, study: Study, place: int, said: tuple[tuple[str, ...], ...], chance: Chance) -> None:
        for made, own in every_fall(partial(published, people(small, table), study)):
            rows = made.release.to_csv_text(keep_order=True).splitlines()[1:]
            kind = tuple(sorted(rows))
            here = Counter(tuple(rows[row] for row in order) for order in orders)
            assert files.setdefault(kind, here) == here  # a table of the same rows has the same files, as often
            shown[kind] = as_release(small.steps, made)
            if 1 < len(here) <= 20 and not measured:
                measured.append(distance(kind, made.release))
            if place + 1 < len(small.drawn):
                study_after = after(study, made, *small.drawn[place + 1])
                draw(table, study_after, place + 1, (*said, kind), times(chance, own))
            else:
                written.setdefault((*said, kind), {})[table] = (
                    times(chance, own),
                    prod(next(iter(files[one].values())) for one in (*said, kind)),
                )

    for table in every:
        draw(table, small.study, 0, (), ((), Fraction(0)))
    assert 0 < measured[0] < 1
    for said, given in written.items():
        logs = {table: logarithm(chance) + log(often) for table, (chance, often) in given.items()}
        assert largest_gain(logs, [shown[said[-1]]], every) <= promised + 1e-9
    return sum(map(len, files.values()))


class Keys:
    """Stands for a source of randomness: the keys by which rows get a given order."""

    def __init__(self, order: tuple[int, ...]) -> None:
        self.order = order

    def randbytes(self, count: int) -> bytes:
        assert count == 8 * len(self.order)
        return np.array(self.order, dtype=np.uint64).tobytes()


def published(data: pd.DataFrame, study: Study, script: Script) -> SafeRecoding:
    """Safe recoding of a table, with given coins."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(safe, "Coins", lambda _: script)
        return safe_recode(data, study)


def distance(rows: tuple[str, ...], release: Published) -> float:
    """How far files of one release are from even orders, in parts of what chance explains once in ten thousand."""
    distinct = factorial(len(rows)) // prod(factorial(number) for number in Counter(rows).values())
    draw, expected = Random(4), 20
    often = Counter(
        tuple(release.to_csv_text(seed=draw.randrange(2**60)).splitlines()[1:]) for _ in range(expected * distinct)
    )
    squares = sum((n - expected) ** 2 / expected for n in often.values()) + (distinct - len(often)) * expected
    return squares / chi2.ppf(1 - 1e-4, distinct - 1)


# ---------------------------------------------------------------- releases of long ago, without a floor


OLD = [Small((3,), 2, 6, ((2, "1"),)), Small((2, 2), 2, 5, ((2, "0.5"),)), Small((3,), 2, 7, ((3, "2"),))]


def old_release(small: Small, said: Release) -> Published:
    """A release without a floor, as its readers have it."""
    k, epsilon = small.draws[0]
    return as_published(small, Study(small.attributes, k, "safe", epsilon=epsilon), said)


def as_published(small: Small, study: Study, said: Release) -> Published:
    """A release as its readers have it."""
    shape, rows, states = Grid(small.attributes).shape, [], ladder_of(small.attributes).states
    for (rung, _), cells, number in said:
        if rung == len(small.steps.boxes):
            labels = ["*"] * len(shape)
        else:
            cell = np.unravel_index(min(cells), shape)
            labels = [
                a.node(layer, int(a.ranks[layer - 1][leaf])).label
                for a, layer, leaf in zip(small.attributes, states[rung], cell, strict=True)
            ]
        rows += [labels] * number
    return Published(study, pd.DataFrame(rows, columns=study.names))


@pytest.mark.parametrize("small", OLD, ids=str)
def test_the_gains_of_an_old_release_are_exact(small: Small) -> None:
    every, told = list(tables(small.steps.cells, small.people)), 0
    for (said,), given in sequences(small.steps, small.people, small.drawn, "plain").items():
        assert set(given) == set(fitting([said], every))
        release = old_release(small, said)
        labels = [(release.regions.rungs[place], found) for place, found in enumerate(release.classes)]
        for region in said:
            largest = max((abs(m - given[o][1]) for t, (_, m) in given.items() for o in moves(region[1], t)), default=0)
            place = next(
                (at for at, (rung, found) in enumerate(labels) if covers(small, found.segment, rung) == region[0]), -1
            )
            if region[2]:
                assert release.regions.gains[place] == largest
                told += 1
        missed = [exponent for _, exponent in given.values()]
        assert release.regions.gain_all_tables == max(missed) - min(missed)
    assert told


def covers(small: Small, segment: Segment, rung: int) -> tuple[int, int]:
    """The label of a box, in the oracle's words."""
    grid = Grid(small.attributes)
    return rung, small.steps.boxes[rung][int(np.ravel_multi_index(grid.cells(segment)[0], grid.shape))]


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
    small, table, source = ONE[0], (3, 0, 2, 1), Random(5)
    laws = sequences(small.steps, small.people, small.drawn)
    expected = {said[0]: as_float(given[table]) for said, given in laws.items() if table in given}
    seen: Counter[Release] = Counter()
    for _ in range(draws):
        made = safe_recode(people(small, table), small.study, seed=source.randrange(2**60))
        seen[as_release(small.steps, made)] += 1
    assert set(seen) <= set(expected)
    for release, chance in expected.items():
        error = (chance * (1 - chance) / draws) ** 0.5
        assert abs(seen[release] / draws - chance) < 5 * error + 1 / draws, release


def test_draws_follow_the_law() -> None:
    frequencies(400)


@pytest.mark.exhaustive
def test_draws_follow_the_law_closely() -> None:
    frequencies(20_000)


# ---------------------------------------------------------------- the attack on such releases


SEQUENCES = 5  # of each grid
PRIORS = {
    "distinct": comb,
    "independent": lambda values, n: values**n / factorial(n),
    "assignments": lambda _, __: 1,
}


def same_as_every_table(
    small: Small, said: tuple[Release, ...], given: dict[Table, Chance], release: Published, prior: str
) -> None:
    """The law of each cell's number, by the attack, and by the weight of every table."""
    shape = Grid(small.attributes).shape
    sizes = [
        prod(a.leaf_values[leaf] for a, leaf in zip(small.attributes, cell, strict=True)) for cell in np.ndindex(*shape)
    ]
    weights = {
        table: exp(-float(chance[1])) * prod(PRIORS[prior](v, n) for v, n in zip(sizes, table, strict=True))
        for table, chance in given.items()
    }
    total = sum(weights.values())
    for part in attack(release, prior=prior).parts:
        for cell, row in zip(part.free_cells, part.cell_distributions(), strict=True):
            at = int(np.ravel_multi_index(cell, shape))
            for n in range(part.size + 1):
                truth = sum(weight for table, weight in weights.items() if table[at] == n) / total
                assert isclose(row[n] if n < len(row) else 0, truth, rel_tol=1e-9, abs_tol=1e-12), said


@pytest.mark.parametrize("prior", PRIORS)
def test_the_attack_weighs_every_table_that_fits_as_the_recoding_does(prior: str) -> None:
    for small in (*ONE[:2], *TWO, THREE[0], LARGER[0]):
        found = sequences(small.steps, small.people, small.drawn)
        for said, given in list(found.items())[:: max(1, len(found) // SEQUENCES)]:
            table = as_published(small, small.study, said[0])
            for release, (k, epsilon) in zip(said[1:], small.draws[1:], strict=True):
                study = safe.safe_study(small.study.with_k(k), epsilon, table)
                table = as_published(small, study, release)
            same_as_every_table(small, said, given, table, prior)


@pytest.mark.parametrize("prior", PRIORS)
def test_the_attack_weighs_old_releases_by_their_law(prior: str) -> None:
    for small in OLD[:2]:
        found = sequences(small.steps, small.people, small.drawn, "plain")
        for said, given in list(found.items())[:: max(1, len(found) // SEQUENCES)]:
            same_as_every_table(small, said, given, old_release(small, said[0]), prior)
