"""Several releases together against listing every count vector that gives all of them."""

import random
from collections import defaultdict
from itertools import product
from math import factorial, gcd, prod

import pandas as pd
import pytest

from cra_engine import CRAError, Release, compose, read_population
from cra_engine.study.study import Study
from oracles.together import Given, Together
from shares import first

A, B = (3, 2, 9), (2, 2, 11)
# Per case the ways to publish and the records; leaves of 9 and of 11 values have no ties, those of 9 alone have.
CASES = {
    "one attribute, k 2 and 3": ([Given(((3, 2, 9),), 2), Given(((3, 2, 9),), 3)], 7),
    "one attribute, k 2, 3 and 4": ([Given(((3, 2, 9),), k) for k in (2, 3, 4)], 7),
    "taller, k 2 and 3": ([Given(((4, 2, 9),), 2), Given(((4, 2, 9),), 3)], 5),
    "two attributes, k 2 and 3": ([Given((A, B), 2), Given((A, B), 3)], 4),
    "two attributes, k 2, 3 and 4": ([Given((B, (2, 2, 9)), k) for k in (2, 3, 4)], 6),
    "three children, k 2 and 3": ([Given(((2, 3, 9), (2, 2, 11)), k) for k in (2, 3)], 5),
    "other layers": ([Given(((3, 2, 9),), 2), Given(((2, 2, 18),), 2)], 6),
    "other edges": ([Given(((3, 2, 9),), 2), Given(((2, 3, 12),), 2)], 5),
    "other edges, k 3": ([Given(((2, 2, 18),), 2), Given(((2, 3, 12),), 3)], 6),
    "other edges of one of two": ([Given(((2, 2, 18), B), 2), Given(((2, 3, 12), B), 2)], 4),
    "ties, k 2 and 3": ([Given(((2, 2, 9), (2, 2, 9)), 2), Given(((2, 2, 9), (2, 2, 9)), 3)], 6),
    "ties beside none": ([Given(((2, 2, 9), (2, 2, 9)), 2), Given(((2, 2, 9), (1, 2, 18)), 2)], 5),
    "ties in both, other layers": ([Given(((2, 2, 9), (3, 2, 9)), 2), Given(((2, 2, 9), (3, 2, 9)), 3)], 4),
    "three attributes with ties": ([Given(((2, 2, 9),) * 3, k) for k in (2, 3)], 4),
}


def check(expected: list, counts, together: Together, found) -> None:
    """The cells' smallest and largest counts, those that are certain, and who is isolated."""
    ranges = {
        cell: (int(min(w[position] for w in expected)), int(max(w[position] for w in expected)))
        for position, cell in enumerate(together.cells)
    }
    told = {view.cell: (view.lowest, view.highest) for view in found.cells}
    assert told == {cell: ends for cell, ends in ranges.items() if cell in told}
    assert all(ranges[cell] == (0, 0) for cell in together.cells if cell not in told)
    assert all(view.seen == (view.lowest, view.highest) for view in found.cells)
    assert found.isolated == [cell for cell in sorted(told) if ranges[cell] == (1, 1)]
    total = sum(counts)
    for position, cell in enumerate(together.cells):
        if cell in told and total:
            one = sum(weight for w, weight in zip(expected, counts, strict=True) if w[position] == 1)
            assert found.cell_probabilities(1)[cell] == pytest.approx(one / total)


def check_wider(expected: list, together: Together, found) -> None:
    """Cells of one release that are made of several common ones: certain where all tables agree, and only there."""
    certain = {}
    for which, (grid, sums) in enumerate(zip(together.grids, together.sums, strict=True)):
        for column, cell in enumerate(grid.cells):
            parts = [row for row in range(len(together.cells)) if sums[row, column]]
            held = {int(world[parts].sum()) for world in expected}
            open_ = any(len({int(world[part]) for world in expected}) > 1 for part in parts)
            if len(held) == 1 and open_ and held != {0}:
                certain[which, cell] = held.pop()
    assert found.wider == certain


def some(cases: list, most: int, name: str) -> list:
    """A few of many cases, the same each time."""
    rng = random.Random(name)
    return cases if len(cases) <= most else rng.sample(cases, most)


def check_joint(name: str, most: int) -> None:
    givens, records = CASES[name]
    more = checked = 0
    for n in range(max(given.k for given in givens), records + 1):
        together = Together(givens, [n] * len(givens))
        for releases, givers in some(list(together.joint()), most, name):
            expected = [together.worlds[0][giver] for giver in givers]
            weights = [together.weight(world) for world in expected]
            found = compose(releases)
            assert (found.status, found.complete) == ("exact", True)
            # A cell that surely holds more records than it has values is left out of the number of distinct tables.
            assert found.worlds == sum(weights) or not sum(weights)
            check(expected, weights, together, found)
            check_wider(expected, together, found)
            more += any(len(found.fixed_cells) > len(one.fixed_cells) for one in found.alone)
            checked += 1
    assert checked >= 5
    assert more


@pytest.mark.parametrize("name", CASES)
def test_the_counts_left_are_exactly_those_that_give_all_releases(name):
    check_joint(name, 3)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", CASES)
def test_every_combination_of_releases_of_the_grids(name):
    check_joint(name, 100_000)


# ---------------------------------------------------------------- a share that steps must publish

SHARES = [
    ([Given(((3, 2, 9),), 2, "0.4"), Given(((3, 2, 9),), 2)], False),
    ([Given(((3, 2, 9),), 2, "0.5"), Given(((3, 2, 9),), 3, "0.5")], True),
    ([Given(((3, 2, 9), (2, 2, 11)), 2, "0.5"), Given(((3, 2, 9), (2, 2, 11)), 2)], False),
]


@pytest.mark.parametrize("most", [4, pytest.param(10_000, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(("givens", "both"), SHARES, ids=str)
def test_a_share_that_steps_must_publish(givens, both, most, monkeypatch):
    records = 7 if len(givens[0].shapes) == 1 else 4
    wider = 0
    for n in range(3, records + 1):
        together = Together(givens, [n, n])
        for releases, givers in some(list(together.joint()), most, str(givens)):
            expected = [together.worlds[0][giver] for giver in givers]
            weights = [together.weight(world) for world in expected]
            # ARX's floats may have asked for one record more than the share, which the engine allows for.
            found = compose(releases)
            told = {view.cell: (view.lowest, view.highest) for view in found.cells}
            for world in expected:
                for cell, count in zip(together.cells, world, strict=True):
                    assert told[cell][0] <= count <= told[cell][1] if cell in told else not count
            assert found.worlds >= sum(weights)
            wider += found.worlds > sum(weights)
            with monkeypatch.context() as exact:
                exact.setattr(Study, "skipped_cap", _without_allowance)
                found = compose(releases)
                assert found.worlds == sum(weights)
                if found.complete:
                    check(expected, weights, together, found)
    assert wider or not both or most < 100  # a release without a share may say all that the other leaves open


def _without_allowance(study: Study, records: int) -> int:
    return 0 if study.share is None else study.step_minimum(records) - 1


# ---------------------------------------------------------------- tables that have grown

GROWN = [
    ([Given(((3, 2, 9),), 2), Given(((3, 2, 9),), 2)], (3, 5)),
    ([Given(((3, 2, 9),), 2), Given(((3, 2, 9),), 3)], (4, 6)),
    ([Given(((2, 2, 18),), 2), Given(((2, 3, 12),), 2)], (4, 5)),
    ([Given(((2, 2, 9), (2, 2, 11)), 2), Given(((2, 2, 9), (2, 2, 11)), 3)], (4, 5)),
    ([Given(((2, 2, 9), (2, 2, 9)), 2), Given(((2, 2, 9), (2, 2, 9)), 2)], (3, 4)),
    ([Given(((3, 2, 9),), 2), Given(((3, 2, 9),), 2)], (4, 4)),
]


@pytest.mark.parametrize("most", [10, pytest.param(100_000, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(("givens", "records"), GROWN, ids=str)
def test_an_earlier_release_of_part_of_the_people(givens, records, most):
    together = Together(givens, list(records))
    for releases, pairs in some(list(together.grown()), most, str(givens)):
        expected = [together.worlds[1][later] for _, later in pairs]
        weights = [together.pair_weight(together.worlds[0][a], together.worlds[1][b]) for a, b in pairs]
        found = compose(releases, grown=True)
        assert (found.status, found.complete) == ("exact", True)
        assert found.worlds == sum(weights)
        check(expected, weights, together, found)


# ---------------------------------------------------------------- linked rows


def linked_cases(together: Together):
    """Every way to link the rows of two releases that some vector leads to, with its vectors; without ties."""
    for choice in product(*together.published):
        owners = [together.owners(which, one) for which, (one, _, _) in enumerate(choice)]
        by_link = defaultdict(list)
        for giver in sorted(set.intersection(*(givers for _, _, givers in choice))):
            world = together.worlds[0][giver]
            links = defaultdict(int)
            for track, count in zip(zip(*owners, strict=True), world.tolist(), strict=True):
                if count:
                    links[track] += count
            by_link[tuple(sorted(links.items()))].append(world)
        for links, worlds in by_link.items():
            yield [one for one, _, _ in choice], links, worlds


def linked_releases(together: Together, published, links, rng: random.Random):
    """The releases with their rows in the same order, and with an id in an order of its own."""
    people = [track for track, count in links for _ in range(count)]
    tables = []
    for which, one in enumerate(published):
        grid, rows = together.grids[which], []
        for track in people:
            if track[which] < 0:
                rows.append(["*"] * len(grid.attributes))
            else:
                state, ranks, _ = one.classes[track[which]]
                nodes = zip(grid.attributes, state, ranks, strict=True)
                rows.append([attribute.node(layer, rank).label for attribute, layer, rank in nodes])
        table = pd.DataFrame(rows, columns=[attribute.name for attribute in grid.attributes])
        table["id"] = [f"p{person}" for person in range(len(people))]
        tables.append(table)
    studies = together.studies
    in_order = [Release(study, table) for study, table in zip(studies, tables, strict=True)]
    shuffled = [table.sample(frac=1, random_state=rng.randrange(1000)) for table in tables]
    return in_order, [Release(study, table) for study, table in zip(studies, shuffled, strict=True)]


LINKED = [
    ([Given(((3, 2, 9),), 2), Given(((3, 2, 9),), 3)], 7, False),
    ([Given(((2, 2, 18),), 2), Given(((2, 3, 12),), 2)], 5, True),
    ([Given(((2, 2, 9), (2, 2, 11)), 2), Given(((2, 2, 9), (2, 2, 11)), 3)], 5, False),
    ([Given(((2, 2, 9), (2, 2, 11)), k) for k in (2, 3, 4)], 5, False),
]


@pytest.mark.parametrize("most", [3, pytest.param(100_000, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(("givens", "records", "other_edges"), LINKED, ids=str)
def test_linked_rows(givens, records, other_edges, most):
    rng = random.Random(0)
    more = 0
    for n in range(3, records + 1):
        together = Together(givens, [n] * len(givens))
        for published, links, expected in some(list(linked_cases(together)), most, str(givens)):
            weights = [together.weight(world) for world in expected]
            in_order, shuffled = linked_releases(together, published, links, rng)
            found = compose(in_order, linked_rows=True)
            by_id = compose(shuffled, id_column="id")
            assert (found.status, found.complete) == ("exact", True)
            assert found.worlds == by_id.worlds == sum(weights)
            assert found.cells == by_id.cells
            check(expected, weights, together, found)
            more += compose(in_order).worlds > found.worlds
    assert most < 100 or (more > 0) == other_edges  # on one grid of this size the links say nothing new


# ---------------------------------------------------------------- records that may be alike


@pytest.mark.parametrize("name", first(2, ["one attribute, k 2 and 3", "ties, k 2 and 3", "other edges"]))
def test_records_that_may_be_alike_are_ordered_tables(name):
    givens, records = CASES[name]
    together = Together(givens, [records] * len(givens))
    for releases, givers in some(list(together.joint()), 10, name):
        sizes = [c.size for c in releases[0].classes] + [releases[0].suppressed]
        expected = [together.worlds[0][giver] for giver in givers]
        weights = [together.ordered(world, sizes) for world in expected]
        found = compose(releases, prior="independent")
        assert found.worlds == sum(weights)
        check(expected, weights, together, found)


@pytest.mark.parametrize("name", ["one attribute, k 2 and 3", "ties, k 2 and 3", "other edges"])
def test_every_assignment_weighs_the_same(name):
    givens, records = CASES[name]
    together = Together(givens, [records] * len(givens))
    for releases, givers in some(list(together.joint()), 10, name):
        expected = [together.worlds[0][giver] for giver in givers]
        found = compose(releases, prior="assignments")
        assert found.worlds == len(expected)
        check(expected, [1] * len(expected), together, found)


@pytest.mark.parametrize("name", ["one attribute, k 2, 3 and 4", "two attributes, k 2 and 3", "ties, k 2 and 3"])
def test_a_population_weighs_tables_by_its_shares(name):
    givens, records = CASES[name]
    together = Together(givens, [records] * len(givens))
    rng = random.Random(name)
    rows = ["attribute,lower,upper,share"]
    shares = []
    for attribute in together.studies[0].attributes:
        own = [rng.choice([1, 2, 5]) for _ in range(attribute.leaves)]
        shares.append([share // gcd(*own) for share in own])
        rows += [
            f"{attribute.name},{node.lower},{node.upper},{s}"
            for node, s in zip(attribute.layer_nodes[0], own, strict=True)
        ]
    population = read_population("\n".join(rows).encode(), together.studies[0], "shares.csv")
    share_of = [prod(own[at] for own, at in zip(shares, cell, strict=True)) for cell in together.cells]
    for releases, givers in some(list(together.joint()), 8, name):
        sizes = [c.size for c in releases[0].classes] + [releases[0].suppressed]
        expected = [together.worlds[0][giver] for giver in givers]
        weights = []
        for world in expected:
            ways = prod(share ** int(count) for share, count in zip(share_of, world, strict=True))
            ways *= prod(map(factorial, sizes))
            weights.append(ways // prod(factorial(int(count)) for count in world))
        found = compose(releases, population=population)
        assert found.prior.name == "population"
        assert found.worlds == sum(weights)
        check(expected, weights, together, found)


def test_a_population_needs_the_same_finest_intervals():
    givens, records = CASES["other edges"]
    together = Together(givens, [records] * 2)
    releases, _ = next(together.joint())
    population = read_population(b"attribute,lower,upper,share\n", together.studies[0], "shares.csv")
    with pytest.raises(CRAError, match="same finest intervals; release 2 has others"):
        compose(releases, population=population)
