"""A release whose groups were merged or suppressed after they had formed: the attack keeps the truth possible."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement, product

import pandas as pd
import pytest

from cra_engine import (
    Attribute,
    LDiversity,
    Release,
    Study,
    attack,
    recode,
    single_out,
    tight_attack,
    who_has_what,
)
from cra_engine.assess.attacked import assess
from cra_engine.defences.repair import joint_box
from cra_engine.raw.placement import locate
from cra_engine.study.grid import Grid
from cra_engine.study.tree import ROOT_LABEL
from shares import first
from strategies import finest_cells, random_case
from truth import counts_of, excluded


def changed_at_random(seed, release):
    """A release's table in which some groups, drawn at random, were merged with others or suppressed."""
    rng, boxes = random.Random(f"changed {seed}"), [one.segment for one in release.classes]
    for _ in range(rng.randint(1, 3)):
        one, other = rng.choice(boxes), rng.choice(boxes)
        box = release.grid.whole if rng.random() < 0.3 else joint_box(release.grid, one, other)
        boxes = [box if each in (one, other) else each for each in boxes]
    frame = release.table.astype(object)
    for index, box in enumerate(boxes):
        for attribute, node in zip(release.attributes, release.grid.nodes(box), strict=True):
            frame.loc[release.rows_of(index), attribute.name] = node.label
    return frame


def repaired(seed, values=(), most_records=30):
    """A case and its table of local recoding, repaired, by a study that says so; None where nothing was changed."""
    case, rng = random_case(seed, most_records=most_records), random.Random(seed)
    if values:
        data = case.data.assign(S=[rng.choice(values) for _ in range(len(case.data))])
        case = replace(case, data=data, study=case.study.changed(privacy=[LDiversity("S", 2)]))
    release = recode(case.data, case.study).release
    if not release.classes:
        return None
    frame = changed_at_random(seed, release)
    told = Release(case.study.changed(recoding="repaired"), frame)
    return (case, told) if told.classes and not frame.equals(release.table.astype(object)) else None


CERTAIN = (122, 223, 250, 309)  # cases in which somebody is certain all the same


@pytest.mark.parametrize("seeds", first(1, [[*range(25), *CERTAIN], range(25, 1000)]), ids=len)
def test_the_truth_stays_possible_and_what_is_certain_is_so(seeds):
    false = certain = bounded = 0
    for case, told in filter(None, map(repaired, seeds)):
        assert excluded(told, case.data) == [], case
        known, held = assess(told), counts_of(told, case.data)
        assert known.recoding == "local"
        assert not known.contradiction, case
        assert all(held[cell] == 1 for cell in known.certain_cells), case
        certain += len(known.certain_cells)
        bounded += any(part.size > part.cap for part in attack(told).parts)
        # By ARX-LR's own rule the truth is excluded now and then: that is what the study has to say.
        false += bool(excluded(Release(case.study, told.table), case.data))
    assert min(false, certain, bounded) > 0


def boxes_of(release):
    return frozenset((one.segment, one.size) for one in release.classes)


def every_repair(release):
    """A release and all that come of it when groups are merged or suppressed, by the boxes that they show."""
    whole, found, queue = release.grid.whole, {}, [tuple((one.segment, one.size) for one in release.classes)]
    while queue:
        groups = queue.pop()
        if groups in found:
            continue
        found[groups] = None
        for one, (box, _) in enumerate(groups):
            rest = groups[:one] + groups[one + 1 :]
            moves = [(whole, rest, groups[one][1])]
            moves += [
                (joint_box(release.grid, box, other), rest[:at] + rest[at + 1 :], groups[one][1] + size)
                for at, (other, size) in enumerate(rest)
            ]
            for joined, others, size in moves:
                held = Counter(dict(others))
                if joined != whole:
                    held[joined] += size
                queue.append(tuple(sorted(held.items(), key=str)))
    return found


def shown(study, grid, groups, records):
    """The release of some groups, all other records suppressed."""
    rest = records - sum(size for _, size in groups)
    rows = []
    for box, size in (*groups, (grid.whole, rest)):
        rows += [[node.label for node in grid.nodes(box)]] * size
    return Release(study.changed(recoding="repaired"), pd.DataFrame(rows, columns=study.names))


@pytest.mark.parametrize(
    ("layers", "k", "records"), first(2, [((3,), 2, 6), ((2, 2), 2, 6), ((3, 2), 2, 5), ((3,), 3, 9), ((2, 2), 3, 8)])
)
def test_nothing_is_excluded_that_some_table_and_repair_gives(layers, k, records):
    """Every table of a small world, and every way to merge and suppress its groups: what is claimed holds of all."""
    study = Study([Attribute(name, 0, 2**height, height) for name, height in zip("abc", layers, strict=False)], k)
    worlds = {}
    cells = list(product(*(range(2 ** (height - 1)) for height in layers)))
    for people in combinations_with_replacement(cells, records):
        data = pd.DataFrame([[2 * leaf for leaf in cell] for cell in people], columns=study.names)
        release = recode(data, study).release
        for groups in every_repair(release) if release.classes else ():
            worlds.setdefault(groups, []).append(Counter(people))
    certain = narrowed = 0
    for groups, tables in worlds.items():
        if not groups:
            continue
        release = shown(study, Grid(study.attributes), groups, records)
        together, by_class = tight_attack(release, prior="assignments"), attack(release, prior="assignments")
        for view in together.cells:
            assert all(view.lowest <= held[view.cell] <= view.highest for held in tables), (groups, view)
            narrowed += view.highest < records
        assert {cell for held in tables for cell in held} <= {view.cell for view in together.cells}
        assert all(held[cell] == 1 for held in tables for cell in by_class.isolated)
        certain += len(by_class.isolated)
    assert certain
    assert narrowed


@pytest.mark.parametrize("seeds", first(1, [range(36), range(36, 600)]), ids=len)
def test_nobody_s_value_is_excluded(seeds):
    narrowed = 0
    for case, told in filter(None, (repaired(seed, ["flu", "gout", "ulcer"]) for seed in seeds)):
        if finest_cells(told.study) > 16:
            continue  # who has what is not settled by any time that a test has
        told_of = who_has_what(attack(told))
        assert told_of.finished, case
        known = {found.cell: set(found.possible) for found in told_of.cells}
        cells = [tuple(cell) for cell in locate(case.data, case.study).leaves.tolist()]
        for cell, value in zip(cells, case.data["S"], strict=True):
            assert value in known.get(cell, {value}), (case, cell)
        narrowed += len(known)
    assert narrowed


@pytest.mark.parametrize("said", [{"recoding": "repaired"}, {"more_suppressed": True}], ids=str)
def test_what_is_said_before_the_time_suffices_holds_too(said):
    """A cell of k people was a class of its own, unless that was merged or suppressed afterwards."""
    study = Study([Attribute(name, 0, 4, 2) for name in "ab"], 2)
    data = pd.DataFrame([(0, 0)] * 5 + [(3, 3)] * 2, columns=["a", "b"])
    release = recode(data, study).release
    frame = release.table.astype(object)
    frame.iloc[:5] = ROOT_LABEL
    told = Release(study.changed(**said), frame)
    (view,) = (view for view in tight_attack(told, time_limit=0).cells if view.cell == (0, 0))
    assert view.highest >= 5


@pytest.mark.parametrize("said", [{"recoding": "repaired"}, {"more_suppressed": True}], ids=str)
def test_groups_that_were_changed_fill_a_cell_beside_those_that_were_not(said):
    """None of them took everybody there, so that no order weighs their chances: each has its own."""
    study = Study([Attribute(name, 0, 6, 2, fanout=3) for name in "ab"], 3)
    rows = [("[0, 2[", "*")] * 3 + [("*", "*")] * 4
    found = attack(Release(study.changed(**said), pd.DataFrame(rows, columns=["a", "b"])))
    own = {}
    for part in found.parts:
        for cell, none, one in zip(
            part.free_cells, part.cell_probabilities(0), part.cell_probabilities(1), strict=True
        ):
            own.setdefault(cell, {})[part.index] = none, one
    told = {one.cell: one.probability for one in single_out(found).cells}
    assert set(own[1, 1]) == {None}
    assert told[1, 1] == pytest.approx(own[1, 1][None][1])
    for cell in ((0, 0), (0, 1), (0, 2)):
        (none, one), (nobody, alone) = own[cell].values()  # a class, and the suppressed
        assert told[cell] == pytest.approx(none * alone + one * nobody)
    assert "independently" in single_out(found).assumption
