"""What choices tell of one person, against every other table of a class, and where a tie leaves a cell open."""

import math
from itertools import combinations

import numpy as np
import pandas as pd

from cra_engine import Attribute, Study, attack, recode, safe_recode
from cra_engine.assess.choice_gains import choice_gains
from cra_engine.release import Owner

STUDY = Study([Attribute("a", 0, 12, 3)], k=3)


def boxes(values):
    return sorted((part.segment, part.size) for part in recode(pd.DataFrame({"a": values}), STUDY).release.classes)


def others(part, values):
    """Every table in which the records of one class stand elsewhere among the values that the class can have."""
    leaves = [(node.lower, node.upper) for node in STUDY.attributes[0].layer_nodes[0]]
    free = [v for (leaf,) in part.free_cells for v in range(math.ceil(leaves[leaf][0]), math.ceil(leaves[leaf][1]))]
    rest = [v for v in values if v not in free]
    assert len(rest) + part.size == len(values)
    return [[*rest, *moved] for moved in combinations(free, part.size)]


def test_infinite_where_another_table_that_fits_gives_another_release_and_only_there_said_to_be():
    rng, told = np.random.default_rng(5), {math.inf: 0, 0.0: 0, None: 0}
    for _ in range(15):
        values = sorted(rng.choice(12, 7, replace=False).tolist())
        made = attack(recode(pd.DataFrame({"a": values}), STUDY).release)
        published = boxes(values)
        for part, gain in zip(made.parts, choice_gains(made).parts, strict=True):
            told[gain.value] += 1
            same = [boxes(other) == published for other in others(part, values)]
            if gain.value == math.inf:
                assert not all(same)
            if gain.value == 0:
                assert all(same)
    assert min(told.values()) > 0, told


def test_a_cell_left_open_by_a_tie_has_the_gain_of_all_that_may_fill_it_not_that_of_the_suppressed():
    study = Study([Attribute("weight", 0, 400, layers=3), Attribute("pressure", 0, 400, layers=3)], k=3)
    people = [(370, 135), (290, 290), (150, 115), (260, 245), (95, 125), (215, 155)]
    made = attack(recode(pd.DataFrame(people, columns=study.names), study).release)
    gains = choice_gains(made)
    assert made.owner[2, 1] == Owner.UNDECIDED
    claims = {gain.value for part, gain in zip(made.parts, gains.parts, strict=True) if part.may_fill((2, 1))}
    assert claims == {math.inf}  # a half of either box would have been published, had it held three
    assert gains.cells[2, 1] == math.inf
    assert set(gains.cells[made.owner == Owner.SUPPRESSED].tolist()) <= {0.0}  # nobody is suppressed


def test_each_cell_has_the_gain_of_its_owner():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"a": rng.integers(0, 12, 40)})
    made = attack(safe_recode(frame, STUDY.with_epsilon(1)).release)
    gains = choice_gains(made)
    assert [gain.value for gain in gains.parts] == [float(gain) for gain in made.release.regions.gains]
    for (cell,), owner in np.ndenumerate(made.owner):
        assert gains.cells[cell] == (gains.parts[owner].value if owner >= 0 or made.suppressed else 0)
    assert gains.largest.value == float(made.release.regions.gain)
