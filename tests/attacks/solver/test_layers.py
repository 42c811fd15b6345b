"""Exact counting of parts, one count after the other, against listing every count vector."""

import pytest

from cra_engine.attacks.prior import DISTINCT
from cra_engine.attacks.solver.bounds import Choice
from cra_engine.attacks.solver.counting import count_by_layers, count_part
from cra_engine.attacks.solver.layers import TooManyStates
from cra_engine.attacks.solver.parts import Atom, PartOption, PartSum, SystemPart
from cra_engine.patience import Stopped, stoppable
from oracles.parts import RandomPart


@pytest.mark.parametrize("skipping", [False, True])
@pytest.mark.parametrize("batch", range(4))
def test_totals_and_marginals_are_those_of_the_list(batch, skipping):
    possible = several = impossible = 0
    for seed in range(batch * 50, (batch + 1) * 50):
        listed = RandomPart(seed, skipping=skipping)
        found = count_by_layers(listed.part, DISTINCT)
        assert (found is None) == (not listed.counts), seed
        impossible += found is None
        several += sum(map(bool, listed.by_option)) > 1
        if found is None:
            continue
        possible += 1
        assert (found.total, found.scale) == (sum(listed.weights.values()), 1), seed
        for atom in range(len(listed.volumes)):
            expected = listed.having(atom)
            assert list(found.marginals[atom]) == [expected[n] for n in range(len(found.marginals[atom]))]
            assert sum(found.marginals[atom]) == found.total
            held = {x[atom] for x in listed.counts}
            assert found.supports[atom] == (min(held), max(held))
    assert possible >= 20
    assert several >= 5
    assert impossible >= 2


def part_of(volumes, *options) -> SystemPart:
    """Atoms of these volumes and options, each of sums as (atoms, lower, upper)."""
    atoms = tuple(Atom((place,), volume) for place, volume in enumerate(volumes))
    told = tuple(PartOption(Choice(()), (), tuple(PartSum(*s) for s in sums)) for sums in options)
    most = max(s.upper for option in told for s in option.sums)
    return SystemPart(atoms, 1, (told,), ((0, most),) * len(atoms))


def test_a_data_set_that_several_options_allow_counts_once():
    # Two atoms, one record: the first option lets it lie anywhere, the second only in the first atom.
    everywhere, first = [((0, 1), 1, 1)], [((0, 1), 1, 1), ((1,), 0, 0)]
    assert count_part(part_of([3, 5], first), DISTINCT).total == 3
    assert count_part(part_of([3, 5], everywhere), DISTINCT).total == 8
    assert count_part(part_of([3, 5], first, everywhere), DISTINCT).total == 8
    assert count_part(part_of([3, 5], everywhere, everywhere), DISTINCT).marginals == ((5, 3), (3, 5))


def wide(atoms: int) -> SystemPart:
    """Totals over pairs that reach far apart: many sums stay open."""
    sums = [((i, atoms + i), 3, 3) for i in range(atoms)]
    sums += [(tuple(range(i, 2 * atoms, 7)), 0, 9) for i in range(7)]
    return part_of([5] * (2 * atoms), sums)


def test_gives_up_where_the_count_is_too_large_or_stopped():
    with pytest.raises(TooManyStates):
        count_by_layers(wide(40), DISTINCT, max_states=2000)
    with pytest.raises(Stopped), stoppable(lambda: True):
        count_by_layers(wide(40), DISTINCT)


def test_numbers_of_any_size_are_exact():
    # One total over two atoms of huge volume: Vandermonde.
    volume = 10**30
    part = part_of([volume, volume], [((0, 1), 3, 3), ((0,), 0, 3)])
    for count in (count_by_layers, count_part):
        assert count(part, DISTINCT).total == 2 * volume * (2 * volume - 1) * (2 * volume - 2) // 6
