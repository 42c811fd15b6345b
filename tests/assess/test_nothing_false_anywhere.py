"""Nothing that check, audit, the attack on all classes together or a composition call certain is false.

Random releases of four kinds in turn: local recoding of small tables, one state for all records with labels that only
children share, steps that weigh suppression by a g/s factor, and guessed hierarchies with and without categories.
"""

import random
from collections import Counter
from fractions import Fraction

import pandas as pd
import pytest

from cra_engine import CRAError, Release, Study, audit, check, compose, global_recode, recode, tight_attack
from cra_engine.assess.one_state import is_read_as_global
from cra_engine.raw.placement import locate
from cra_engine.release import FullDomainRelease
from cra_engine.study.file_hierarchy import FileHierarchy
from small_tables import published as small_table
from truth import counts_of
from weighed import weighed_case, weighed_release

QUICK, ALL = 24, 2000
SECONDS = 5.0


def one_state(seed):
    """A table published in one state, by random trees in which some nodes are labelled like their only child."""
    rng = random.Random(f"one state {seed}")
    trees, columns = [], {}
    records = rng.randint(5, 16)
    for place in range(rng.choice([1, 1, 2])):
        names = "pqstuvwx"[: rng.randint(3, 8)]
        group = {name: rng.choice("ABC") for name in names}
        sizes = Counter(group.values())
        label = {name: group[name] if sizes[group[name]] > 1 else name for name in names}
        rows = tuple((name, name, label[name], "*") for name in sorted(names, key=group.get))
        trees.append(FileHierarchy(f"Q{place}", rows))
        columns[f"Q{place}"] = rng.choices(names, k=records)
    data, study = pd.DataFrame(columns), Study(trees, 2)
    return data, global_recode(data, study, suppression_limit=0.4).frame.astype(str), study


def wrong_cells(release, cells, data):
    """Those of the cells that hold another number of records than one."""
    held = counts_of(release, data)
    return [cell for cell in cells if held[cell] != 1]


def wrong_counts(release, fixed, data):
    """Those of the cells whose number of records is said to be certain, and is another."""
    held = counts_of(release, data)
    return [cell for cell, count in fixed.items() if held[cell] != count]


def false_of_release(data, frame, study, factor=0):
    """What is called certain of a release whose publisher's settings are known, and is false; how much is certain."""
    false, said = [], 0
    for given in (None, data):
        told = check(given, study, frame, gs_factor=factor, time_limit=SECONDS).assessment
        if told is not None:
            held = told.release
            bare = Release(study, frame) if isinstance(held, FullDomainRelease) else held
            false += [("check", cell) for cell in wrong_cells(bare, told.certain_cells, data)]
            said += len(told.certain_cells)
    audited = audit(frame, study, gs_factor=factor, time_limit=SECONDS)
    false += [("audit", cell) for cell in wrong_cells(audited.release, audited.isolated, data)]
    release = Release(study, frame, gs_factor=factor)
    if not is_read_as_global(release):  # else what all classes tell together is said to hold for local recoding alone
        # Records may be alike here: of different ones alone there may be no table.
        tight = tight_attack(release, time_limit=SECONDS, prior="assignments")
        false += [("tight", cell) for cell in wrong_counts(release, tight.fixed_cells, data)]
        said += len(tight.fixed_cells)
    return false, said


def false_of_composition(data, study):
    """What two releases of a table are said to make certain together, and is false."""
    studies = [study, study.with_k(study.k + 1)]
    releases = [recode(data, each).release for each in studies]
    if any(is_read_as_global(release) for release in releases):
        return [], 0
    together = compose(releases, time_limit=SECONDS, prior="assignments")
    held = Counter(together_cell(together.grid, data))
    return [cell for cell, n in together.fixed_cells.items() if held[cell] != n], len(together.fixed_cells)


def together_cell(grid, data):
    """The cell of each record in a grid of common cells."""
    return [tuple(cell) for cell in locate(data, Study(grid.attributes, 2)).leaves.tolist()]


def false_claims(seed):
    kind = seed % 4
    if kind == 0:
        data, frame, study = small_table(seed)
        try:
            Release(study, frame)
        except CRAError:
            return [], 0  # raw values only
        false, said = false_of_release(data, frame, study)
        if len(data) <= study.k:
            return false, said
        more, told = false_of_composition(data, study)
        return [*false, *more], said + told
    if kind == 1:
        return false_of_release(*one_state(seed))
    if kind == 2:
        case = weighed_case(seed)
        factor = random.Random(seed).choice(["0.2", "0.5", "1"])
        frame = weighed_release(case, Fraction(factor))
        if set(frame.iloc[:, 0]) == {"*"}:
            return [], 0
        return false_of_release(case.data, frame, case.study, factor)
    data, frame, study = small_table(seed)
    try:
        guessed = audit(frame, k=study.k, profile=study.profile, time_limit=SECONDS)
    except CRAError:
        return [], 0  # the labels show too little
    return wrong_cells(guessed.release, guessed.isolated, data), len(guessed.isolated)


def test_nothing_false_is_certain_anywhere():
    said = Counter()
    for seed in range(QUICK):
        false, certain = false_claims(seed)
        assert false == [], f"seed {seed}"
        said[seed % 4] += certain
    assert said[0]
    assert said[2]


@pytest.mark.parametrize("seed", [64, 120, 124])
def test_a_class_on_a_single_cell_is_not_all_that_a_composition_may_find_there(seed):
    """Where steps publish a share and labels stand in several layers other classes can fill that cell too."""
    data, _, study = small_table(seed)
    assert false_of_composition(data, study)[0] == []


def test_a_state_that_leaves_the_suppressed_no_place_is_not_the_one():
    data, frame, study = one_state(1593)  # two states fit the labels, and by one of them no table does
    assert false_of_release(data, frame, study)[0] == []


@pytest.mark.exhaustive
def test_nothing_false_is_certain_anywhere_of_many_releases():
    said = Counter()
    for seed in range(QUICK, ALL):
        false, certain = false_claims(seed)
        assert false == [], f"seed {seed}"
        said[seed % 4] += certain
    assert all(said[kind] for kind in range(4))
