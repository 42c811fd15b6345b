"""Exact counting of components against listing every count vector."""

import random
from collections import Counter

import pytest

from cra_engine.attacks.tight.components import Atom, Component, Option, Sum
from cra_engine.attacks.tight.frontier import Frontier, FrontierTooLarge, _Numbers, _order, _Sums
from cra_engine.patience import Stopped, stoppable
from oracles.fit import assert_fits
from oracles.parts import RandomComponent


def counted(component: Component) -> Frontier:
    return Frontier(component, 10**6)


def test_states_are_numbered_beforehand_as_they_then_arise():
    for seed in range(60):
        component = RandomComponent(seed).component
        states = counted(component).states
        if len(component.options) == 1:
            (option,) = component.options
            sums, numbers = _Sums(option, len(component.atoms)), _Numbers(option)
            for atom in _order(component):
                numbers.take(sums.take(atom))
            assert numbers.states == states, f"seed {seed}"
        with pytest.raises(FrontierTooLarge):
            Frontier(component, states - 1)
        assert Frontier(component, states).states == states


@pytest.mark.parametrize("batch", range(6))
def test_totals_and_marginals_are_those_of_the_list(batch):
    possible = several = impossible = 0
    for seed in range(batch * 50, (batch + 1) * 50):
        listed = RandomComponent(seed)
        frontier = counted(listed.component)
        assert frontier.total == sum(listed.weights.values()), seed
        marginals, supports = frontier.marginals(), frontier.supports()
        for atom in range(len(listed.volumes)):
            expected = listed.having(atom)
            assert marginals[atom] == [expected[n] for n in range(len(marginals[atom]))]
            assert sum(marginals[atom]) == frontier.total
            held = {x[atom] for x in listed.counts}
            assert supports[atom] == ((min(held), max(held)) if held else (0, 0))
        possible += bool(listed.counts)
        several += sum(map(bool, listed.by_option)) > 1
        impossible += not listed.counts
    assert possible >= 20
    assert several >= 5
    assert impossible >= 2


@pytest.mark.parametrize("seed", range(12))
def test_samples_are_uniform_over_data_sets(seed):
    rich = (RandomComponent(s) for s in range(seed * 1000, seed * 1000 + 200))
    listed = next(c for c in rich if 4 <= sum(w > 0 for w in c.weights.values()) <= 200)
    frontier = counted(listed.component)
    rng, draws = random.Random(seed), 3000
    drawn = Counter(tuple(frontier.sample(rng)) for _ in range(draws))
    assert_fits(drawn, {x: weight / frontier.total for x, weight in listed.weights.items()}, draws)


def test_a_data_set_that_several_options_allow_counts_once():
    # Two atoms, one record: the first option lets it lie anywhere, the second only in the first atom.
    everywhere = Option(None, (), (Sum((0, 1), 1, 1, ()),))
    first = Option(None, (), (Sum((0, 1), 1, 1, ()), Sum((1,), 0, 0, ())))
    atoms = (Atom((0,), 3), Atom((1,), 5))
    assert counted(Component(atoms, (first,))).total == 3
    assert counted(Component(atoms, (everywhere,))).total == 8
    assert counted(Component(atoms, (first, everywhere))).total == 8
    assert counted(Component(atoms, (everywhere, everywhere))).marginals() == [[5, 3], [3, 5]]


def test_nothing_to_draw_from():
    impossible = Option(None, (), (Sum((0,), 3, 3, ()), Sum((0,), 0, 2, ())))
    frontier = counted(Component((Atom((0,), 9),), (impossible,)))
    assert frontier.total == 0
    assert frontier.supports() == [(0, 0)]
    with pytest.raises(ValueError, match="0"):
        frontier.sample(random.Random(0))


def wide(atoms: int) -> Component:
    """Totals over pairs that reach far apart: many sums stay open."""
    sums = [Sum((i, atoms + i), 3, 3, ()) for i in range(atoms)]
    sums += [Sum(tuple(range(i, 2 * atoms, 7)), 0, 9, ()) for i in range(7)]
    return Component(tuple(Atom((i,), 5) for i in range(2 * atoms)), (Option(None, (), tuple(sums)),))


def test_gives_up_where_the_count_is_too_large_or_stopped():
    with pytest.raises(FrontierTooLarge):
        Frontier(wide(40), 2000)
    with pytest.raises(Stopped), stoppable(lambda: True):
        Frontier(wide(40), 10**9)
    skipped = Sum((0, 1), 0, 4, ((0,), (1,)))
    component = Component((Atom((0,), 9), Atom((1,), 9)), (Option(None, (), (Sum((0, 1), 4, 4, ()), skipped)),))
    with pytest.raises(FrontierTooLarge):
        counted(component)  # what the boxes of a skipped state hold together is no sum


def test_numbers_of_any_size_are_exact():
    # One total over two atoms of huge volume: Vandermonde.
    volume = 10**30
    component = Component(
        (Atom((0,), volume), Atom((1,), volume)),
        (Option(None, (), (Sum((0, 1), 3, 3, ()), Sum((0,), 0, 3, ()))),),
    )
    assert counted(component).total == 2 * volume * (2 * volume - 1) * (2 * volume - 2) // 6
