"""What choices tell of one person, against every other table of a class, and where a tie leaves a cell open."""

import math
from itertools import combinations, product

import numpy as np
import pandas as pd

from cra_engine import Attribute, Study, attack, recode, safe_recode, synthesize, tight_attack
from cra_engine.assess.choice_gains import choice_gains
from cra_engine.release import Owner

STUDY = Study([Attribute("a", 0, 12, 3)], k=3)


SQUARE = Study([Attribute(name, 0, 8, layers=3) for name in "ab"], k=3)


def table(study, people):
    return pd.DataFrame(people, columns=study.names)


def boxes(study, people):
    return sorted((part.segment, part.size) for part in recode(table(study, people), study).release.classes)


def others(study, part, people):
    """Every table in which the people of one class stand elsewhere among the values that the class can have."""
    leaves = [attribute.layer_nodes[0] for attribute in study.attributes]
    spans = [[of[at] for of, at in zip(leaves, cell, strict=True)] for cell in part.free_cells]
    free = {
        place
        for nodes in spans
        for place in product(*(range(math.ceil(node.lower), math.ceil(node.upper)) for node in nodes))
    }
    rest = [one for one in people if one not in free]
    assert len(rest) + part.size == len(people)
    return ([*rest, *moved] for moved in combinations(sorted(free), part.size))


def test_infinite_where_another_table_that_fits_gives_another_release_and_only_there_said_to_be():
    rng, told = np.random.default_rng(5), {math.inf: 0, 0.0: 0, None: 0}
    for _ in range(15):
        people = [(value,) for value in sorted(rng.choice(12, 7, replace=False).tolist())]
        made = attack(recode(table(STUDY, people), STUDY).release)
        published = boxes(STUDY, people)
        for part, gain in zip(made.parts, choice_gains(made).parts, strict=True):
            told[gain.value] += 1
            same = [boxes(STUDY, other) == published for other in others(STUDY, part, people)]
            if gain.value == math.inf:
                assert not all(same)
            if gain.value == 0:
                assert all(same)
    assert min(told.values()) > 0, told


def test_infinite_too_where_only_all_classes_together_exclude_a_table_that_fits():
    rng, told = np.random.default_rng(1), 0
    for _ in range(12):
        people = sorted({tuple(one) for one in rng.integers(0, 8, (14, 2)).tolist()})
        made = attack(recode(table(SQUARE, people), SQUARE).release)
        both = [choice_gains(made).parts, choice_gains(made, tight_attack(made.release)).parts]
        for part, before, now in zip(made.parts, *both, strict=True):
            assert before.value in (now.value, None)
            if before.value != now.value:
                assert now.value == math.inf
                published = boxes(SQUARE, people)
                assert any(boxes(SQUARE, other) != published for other in others(SQUARE, part, people))
                told += 1
    assert told


def test_of_the_toy_the_suppressed_person_at_the_other_place_gives_another_release():
    toy = synthesize("toy")
    made = attack(recode(toy.data, toy.study).release)
    gains = choice_gains(made, tight_attack(made.release))
    assert [gain.value for gain in gains.parts] == [0.0 if part.basic else math.inf for part in made.parts]
    people = [tuple(one) for one in toy.data[list(toy.study.names)].to_numpy(dtype=int).tolist()]
    published, elsewhere = boxes(toy.study, people), list(others(toy.study, made.suppressed, people))
    assert any(boxes(toy.study, one) == published for one in elsewhere)
    assert any(boxes(toy.study, one) != published for one in elsewhere)


def test_an_attack_that_supposes_otherwise_of_the_records_excludes_nothing_here():
    toy = synthesize("toy")
    made = attack(recode(toy.data, toy.study).release)
    repeated = tight_attack(made.release, prior="assignments")
    assert choice_gains(made, repeated).parts == choice_gains(made).parts


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
