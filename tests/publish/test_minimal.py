"""Minimal releases against the definition, by brute force over all tables of nodes."""

import random

import numpy as np
import pandas as pd
import pytest

from cra_engine import (
    Attribute,
    CRAError,
    DataError,
    ReleaseError,
    Study,
    StudyError,
    TooLargeError,
    is_minimal,
    minimal_release,
    minimal_releases,
    recode,
    synthesize,
)
from cra_engine.publish.check import check_release
from cra_engine.publish.minimal import exact
from cra_engine.publish.minimal.every import partitions
from cra_engine.publish.minimal.exact import judged
from cra_engine.study.boxes import Space, boxes_of, classes_of, labelled
from oracles.minimal import how_refined, minimal_tables, nodes
from strategies import random_case

FLAG = [("0", "0", "*"), ("1", "1", "*")]
UNEVEN = [
    ("a", "a", "ab", "*"),
    ("b", "b", "ab", "*"),
    ("c", "c", "c", "*"),
    ("d", "d", "de", "*"),
    ("e", "e", "de", "*"),
]


def attribute(name, rng):
    kind = rng.randrange(3)
    if kind == 0:
        return Attribute(name, 0, 2 ** rng.choice([1, 2]), layers=rng.choice([2]) + 0)
    if kind == 1:
        return Attribute(name, 0, 4, layers=3)
    return Attribute.from_hierarchy(name, FLAG if rng.random() < 0.5 else UNEVEN)


def tiny(rng):
    """A study, a table of 4 to 9 rows and a k-anonymous release of it, from random groups and random nodes above."""
    study = Study([attribute(name, rng) for name in "xyz"[: rng.choice([1, 2, 2, 3])]], k=rng.choice([2, 2, 3]))
    rows = rng.randrange(max(4, study.k), 10)
    space = Space.of_study(study)
    records = [[rng.randrange(a.leaves) for a in study.attributes] for _ in range(rows)]
    order = rng.sample(range(rows), rows)
    groups = []
    while order:
        size = len(order) if len(order) < 2 * study.k else rng.randrange(study.k, len(order) - study.k + 1)
        groups.append(order[:size])
        order = order[size:]
    boxes = np.empty((rows, len(study.attributes)), dtype=np.int64)
    for group in groups:
        box = space.join(np.array([records[row] for row in group]))
        for place in range(space.width):
            path = space.tree(place).path[:, records[group[0]][place]].tolist()
            if rng.random() < 0.4:
                box[place] = rng.choice(path[: path.index(box[place]) + 1])
        boxes[group] = box
    return study, space, np.array(records), boxes


def as_sets(space, boxes):
    starts, stops = space.start(boxes).tolist(), space.stop(boxes).tolist()
    return tuple(
        tuple(frozenset(range(a, b)) for a, b in zip(low, high, strict=True))
        for low, high in zip(starts, stops, strict=True)
    )


def steps(seed, apart=0):
    """What each step takes from a random release down to a minimal one, by the definition; the program must agree."""
    rng = random.Random(seed)
    study, space, leaves, boxes = tiny(rng)
    boxes[rng.sample(range(len(boxes)), apart)] = space.root
    for rows in classes_of(boxes):
        if len(rows) < study.k:
            boxes[rows] = space.root
    trees = [nodes(a) for a in study.attributes]
    free = tuple(frozenset(range(a.leaves)) for a in study.attributes) if apart else None
    kinds = []
    while True:
        verdict = judged(space, leaves, boxes, study.k, apart=apart > 0)
        kinds.append(how_refined(leaves.tolist(), as_sets(space, boxes), trees, study.k, free))
        assert verdict.minimal is (kinds[-1] is None), seed
        if verdict.minimal:
            return kinds
        assert space.within(verdict.finer, boxes).all(), seed
        assert (verdict.finer != boxes).any(), seed
        assert space.holds(verdict.finer, leaves).all(), seed
        for rows in classes_of(verdict.finer):
            assert len(rows) >= study.k or (apart and (verdict.finer[rows[0]] == space.root).all()), seed
        boxes = verdict.finer


MISSED = (1, 10, 36, 78, 158)  # seeds whose releases single moves do not refine, though something does


def test_it_says_what_the_definition_says_where_single_moves_miss_a_refinement():
    kinds = {kind for seed in MISSED for kind in steps(seed)}
    assert kinds == {"one", "several others", "several new", None}


@pytest.mark.parametrize(
    "seeds", [range(40), pytest.param(range(7_300), marks=pytest.mark.exhaustive)], ids=["40", "7300"]
)
def test_it_says_what_the_definition_says(seeds):
    releases = sum(len(steps(seed)) for seed in seeds)
    assert releases >= 20_000 or len(seeds) < 1_000


@pytest.mark.parametrize(
    "seeds", [range(15), pytest.param(range(1_000), marks=pytest.mark.exhaustive)], ids=["15", "1000"]
)
def test_it_says_so_where_suppressed_records_stand_apart(seeds):
    assert all(steps(seed, apart=1 + seed % 3)[-1] is None for seed in seeds)


@pytest.mark.parametrize("limit", ["MAX_NODES", "MAX_PAIRS", "MAX_PLACES", "MAX_LOOKS", "EFFORT"])
def test_what_is_too_large_is_unknown_and_never_wrong(monkeypatch, limit):
    monkeypatch.setattr(exact, limit, 0.0 if limit == "EFFORT" else 1)
    unknown = 0
    for seed in (*MISSED, *range(20)):
        rng = random.Random(seed)
        study, space, leaves, boxes = tiny(rng)
        trees = [nodes(a) for a in study.attributes]
        verdict = judged(space, leaves, boxes, study.k)
        unknown += verdict.minimal is None
        truth = how_refined(leaves.tolist(), as_sets(space, boxes), trees, study.k) is None
        assert verdict.minimal in (truth, None)
    assert unknown


def tables(seed):
    rng = random.Random(seed)
    study, space, leaves, _ = tiny(rng)
    leaves = leaves[: max(study.k, 5)]
    data = labelled(pd.DataFrame(columns=study.names, index=range(len(leaves))), study, space, leaves)
    for name, attribute in zip(study.names, study.attributes, strict=True):
        if attribute.numeric:  # raw values, not labels
            data[name] = [int(attribute.node(1, leaf).lower) for leaf in leaves[:, study.names.index(name)]]
    return study, space, leaves, data


@pytest.mark.parametrize(
    "seeds", [range(15), pytest.param(range(1_000), marks=pytest.mark.exhaustive)], ids=["15", "1000"]
)
def test_every_minimal_release_is_listed_and_each_seed_gives_one_of_them(seeds):
    for seed in seeds:
        study, space, leaves, data = tables(seed)
        expected = minimal_tables(leaves.tolist(), [nodes(a) for a in study.attributes], study.k)
        listed = [
            as_sets(space, boxes_of(frame, study, space))
            for frame in (one.frame for one in minimal_releases(data, study))
        ]
        assert len(listed) == len(set(listed))
        assert set(listed) == expected
        for choice in range(3):
            frame = minimal_release(data, study, choice).frame
            assert as_sets(space, boxes_of(frame, study, space)) in expected
            assert is_minimal(data, frame, study) is True


def figure_2():
    study = Study([Attribute.from_hierarchy(name, FLAG) for name in ("Old", "Rich")], k=2)
    return study, pd.DataFrame([("1", "1"), ("0", "0"), ("1", "0"), ("0", "0")], columns=study.names)


def test_figure_2_has_three_minimal_releases():
    study, data = figure_2()
    middle, right = ["** ** *0 *0", "1* 00 1* 00"]
    shown = {
        " ".join("".join(row) for row in frame.to_numpy())
        for frame in (one.frame for one in minimal_releases(data, study))
    }
    assert shown == {middle, right, "** *0 *0 **"}
    reached = {tuple(minimal_release(data, study, seed).frame.sum(axis=1)) for seed in range(40)}
    assert len(reached) == 3


def test_a_table_that_loses_more_than_needed_is_not_minimal():
    study, data = figure_2()
    assert is_minimal(data, pd.DataFrame("*", index=range(4), columns=study.names), study) is False


def test_one_suppressed_record_is_not_anonymous_by_the_definition_but_may_stand_apart():
    study, data = figure_2()
    data = data.iloc[[0, 2, 2, 3, 3]].reset_index(drop=True)
    frame = data.copy()
    frame.iloc[0] = "*"
    assert is_minimal(data, frame, study) is False
    assert is_minimal(data, frame, study, suppressed_apart=True) is True


@pytest.mark.parametrize("kind", ["toy", "clinic", "hospitals"])
def test_larger_tables_become_releases_that_pass_the_last_check_and_are_proven_minimal(kind):
    made = synthesize(kind, seed=3)
    result = minimal_release(made.data, made.study, seed=1)
    check_release(made.data, made.study, result.frame)
    assert result.minimal is True
    assert min(formed.size for formed in result.classes) >= made.study.k
    rows = [*result.published.groups, result.published.suppressed]
    assert sorted(np.concatenate(rows)) == list(range(len(made.data)))
    assert sorted(len(own) for own in rows if len(own)) == sorted(formed.size for formed in result.classes)
    assert is_minimal(made.data, result.frame, made.study) is True


def test_other_columns_stay_and_the_seed_decides():
    made = synthesize("toy")
    data = made.data.assign(note=[f"={row}" for row in range(len(made.data))])
    one, same, other = (minimal_release(data, made.study, seed).frame for seed in (1, 1, 2))
    assert one.equals(same)
    assert not one.equals(other)
    assert one["note"].tolist() == data["note"].tolist()
    assert list(one.columns) == list(data.columns)


def test_a_release_of_arx_never_needs_the_solver(monkeypatch):
    """A box that was published took every record in it, so no later record lies in it: no classes are linked."""
    monkeypatch.setattr(exact, "_solved", lambda *_, **__: pytest.fail("the solver was asked"))
    for seed in range(10):
        made = synthesize("toy", seed=seed)
        study = made.study.with_k(3 + seed % 5)
        frame = recode(made.data, study).frame
        assert is_minimal(made.data, frame, study, suppressed_apart=True) is not None


def test_the_number_of_groupings_is_counted_before_they_are_made():
    assert [partitions(records, 2) for records in range(2, 9)] == [1, 1, 4, 11, 41, 162, 715]  # A000296
    assert partitions(100_000, 50) > 20_000


def refused(error, words, call, *arguments):
    with pytest.raises(error, match=words) as caught:
        call(*arguments)
    assert isinstance(caught.value, CRAError)


def test_what_cannot_be_published_is_refused_in_a_sentence():
    study, data = figure_2()
    refused(DataError, "fewer than k = 5", minimal_release, data, study.with_k(5))
    refused(StudyError, "must be 2 or more", lambda: minimal_release(data, study.with_k(1)))
    refused(DataError, "not listed in its hierarchy", minimal_release, data.replace("1", "2"), study)
    refused(DataError, "no column 'Rich'", minimal_release, data[["Old"]], study)
    refused(DataError, "The seed is -1", minimal_release, data, study, -1)
    refused(DataError, "no record", minimal_release, data.iloc[:0], study)
    refused(TooLargeError, "more than 20,000 ways", minimal_releases, pd.concat([data] * 3), study)


def test_what_cannot_be_tested_is_refused_in_a_sentence():
    study, data = figure_2()
    frame = minimal_releases(data, study)[0].frame
    refused(
        DataError,
        "The release does not show the raw values of row 3",
        is_minimal,
        data.iloc[[3, 2, 0, 1]],
        frame,
        study,
    )
    refused(DataError, "3 rows and the release 4 rows", is_minimal, data.iloc[:3], frame, study)
    refused(
        ReleaseError, r"row 1 \(2 in a spreadsheet\): '7' is no label", is_minimal, data, frame.replace("*", "7"), study
    )
    refused(ReleaseError, "no column 'Old'", is_minimal, data, frame[["Rich"]], study)
    refused(ReleaseError, "fewer than k = 3", is_minimal, data, frame, study.with_k(3))


@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(range(3_000), marks=pytest.mark.exhaustive)], ids=["60", "3000"]
)
def test_nothing_but_suppressed_records_of_an_arx_release_can_be_refined(seeds):
    """Proven in docs/downcoding.md, where a step may publish a single class; with none suppressed it is minimal."""
    kinds = set()
    for seed in seeds:
        case = random_case(seed)
        recoding = recode(case.data, case.study)
        few = 0 < recoding.suppressed < case.study.k
        assert is_minimal(case.data, recoding.frame, case.study, suppressed_apart=True) is True, seed
        assert is_minimal(case.data, recoding.frame, case.study) is not few, seed
        kinds.add(few)
    assert kinds == {True, False}


def test_a_step_that_must_publish_a_share_leaves_something_to_refine():
    """Six of 20 are alike and make a class of their own, but a step must publish half of all."""
    data = pd.DataFrame({"age": [0] * 6 + [2, 4, 6] * 4 + [7, 7]})
    study = Study([Attribute("age", 0, 8, layers=4)], k=5, profile=0.5)
    frame = recode(data, study).frame
    assert is_minimal(data, frame, study) is False
    assert is_minimal(data, recode(data, Study(study.attributes, 5)).frame, study, suppressed_apart=True) is True
