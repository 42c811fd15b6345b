"""Expected numbers of people alone, against every table of small grids: class by class, and all classes together."""

import pytest

from cra_engine import attack, single_out, tight_attack
from cra_engine.release import Release
from oracles.sweep import SmallGrid


@pytest.mark.parametrize(
    ("shapes", "k", "records"),
    [(((3, 2, 9), (2, 2, 11)), 3, 5), pytest.param(((3, 2, 9), (3, 2, 11)), 3, 5, marks=pytest.mark.exhaustive)],
)
def test_class_by_class_too_few_are_expected_where_bounds_straddle_and_only_there(shapes, k, records):
    """Tables drawn uniformly: what is expected of a release is the mean over the tables that give it.

    All classes together it is that, release by release. Class by class it is where the classes' own tables all go
    together, and else it leaves out that a box across them held fewer than k, which keeps people apart.
    """
    grid = SmallGrid(shapes, k)
    worlds = grid.count_vectors(records)
    true = alone = apart = 0.0
    for published in grid.releases(worlds):
        release = Release(grid.study, published.table(grid.attributes))
        weights = [grid.weight(worlds[world]) for world in published.worlds]
        singles = [int((worlds[world] == 1).sum()) for world in published.worlds]
        mean = sum(weight * single for weight, single in zip(weights, singles, strict=True)) / sum(weights)
        together, by_class = tight_attack(release), single_out(attack(release)).expected_isolated
        assert together.expected_isolated == pytest.approx(mean, abs=1e-12)
        if together.log10_worlds_per_class == pytest.approx(together.log10_worlds, abs=1e-9):
            assert by_class == pytest.approx(mean, abs=1e-12)
        else:
            apart += 1
        true, alone = true + mean * sum(weights), alone + by_class * sum(weights)
    assert apart
    assert 0.9 * true < alone < true
