"""Downcoding by hand-made releases, and compound predicates against counting."""

import random
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, DataError, ReleaseError, Study, StudyError, compound_predicates, downcode
from cra_engine.attacks.downcoding.shapes import clusters_of, ladder_of
from cra_engine.risk.compound import still_generalizes
from cra_engine.study.boxes import Space

CLUSTERS = [(f"{side}{c}", f"{side}{c}", f"c{c}", "*") for c in "AB" for side in "nf"]


def ladder(top):
    """The rows of a ladder over 0 to top: a value, then per layer what holds it."""
    return [
        (str(v), str(v), *(f"0-{layer}" if v <= layer else str(v) for layer in range(1, top)), "*")
        for v in range(top + 1)
    ]


def study_of(rows, width, k):
    return Study([Attribute.from_hierarchy(f"d{place}", rows) for place in range(width)], k)


def frame_of(rows, study):
    return pd.DataFrame(rows, columns=study.names)


def test_exactly_k_rows_with_half_their_entries_at_the_cluster_are_one_far_record_and_near_ones():
    study = study_of(CLUSTERS, 4, 2)
    shown = [("cA", "nA", "cA", "nA")] * 2 + [("cB", "nB", "nB", "nB")] * 2 + [("*",) * 4] * 3
    found = downcode(frame_of(shown, study), study)
    assert found.attack == "clusters"
    assert found.frame.to_numpy().tolist() == [
        ["fA", "nA", "fA", "nA"],
        ["nA"] * 4,
        *[list(row) for row in shown[2:]],  # a quarter of the entries is too few, and suppressed rows say nothing
    ]
    assert (found.refined, found.delta_d, found.predicates) == (2, 2, [["fA", "nA", "fA", "nA"]])


@pytest.mark.parametrize(
    "rows",
    [
        [("cA", "nA", "cA", "nA")] * 3,  # one row too many
        [("cA", "nA", "cA", "nA"), ("nA", "cA", "cA", "nA")],  # unlike
        [("cA", "nA", "cA", "*")] * 2,  # not all of it in the cluster
        [("cA", "nA", "cB", "nB")] * 2,
        [("cA", "cA", "fA", "nA")] * 2,  # far for all, so that near would not be a refinement
        [("cA", "cA", "cA", "nA")] * 2,  # too many
    ],
)
def test_what_no_minimal_release_of_such_data_shows_is_copied(rows):
    study = study_of(CLUSTERS, 4, 2)
    shown = [*rows, *[("nB",) * 4] * 2]
    if len(set(rows)) > 1:
        study = study.with_k(2)
        shown = [*rows, *rows, *[("nB",) * 4] * 2]
    found = downcode(frame_of(shown, study), study)
    assert found.frame.to_numpy().tolist() == [list(row) for row in shown]
    assert (found.refined, found.delta_d, found.predicates) == (0, 0, [])
    assert found.why_not.startswith("Nothing is refined: ")
    assert sum(found.lacking.values()) == 2  # each cluster lacks something


@pytest.mark.parametrize(("at_cluster", "fires"), [(2, False), (3, True), (4, True), (5, True), (6, False)])
def test_an_eighth_of_the_entries_from_half_is_about_half(at_cluster, fires):
    study = study_of(CLUSTERS, 8, 2)
    row = ("cA",) * at_cluster + ("nA",) * (8 - at_cluster)
    found = downcode(frame_of([row] * 2, study), study)
    assert bool(found.refined) is fires
    assert ("1 cluster is shown whole in too few or too many attributes" in found.why_not) is not fires
    assert found.lacking["shown by no row"] == 1


def test_equation_3_by_hand():
    study = study_of(ladder(5), 4, 3)
    shown = [("0-2", "*", "0-4", "0")] * 3
    found = downcode(frame_of(shown, study), study)
    assert found.attack == "ladder"
    assert found.frame.to_numpy().tolist() == [["2", "0-2", "0-2", "0"], ["0", "0-4", "4", "0"], ["0", "5", "0", "0"]]
    assert (found.refined, found.delta_d) == (3, 3)  # not all four: an attribute at 0 cannot be refined
    assert found.predicates == found.frame.to_numpy().tolist()


@pytest.mark.parametrize("row", [("0-1", "0-2", "0-3"), ("0-1", "3", "0")])
def test_a_class_with_more_bounds_than_rows_or_a_bare_value_is_copied(row):
    study = study_of(ladder(5), 3, 2)
    found = downcode(frame_of([row] * 2, study), study)
    assert not found.refined
    assert ("more different bounds than rows" in found.why_not) == (row[2] == "0-3")
    assert ("a value by itself" in found.why_not) == (row[1] == "3")


def test_suppressed_rows_may_be_fewer_than_k():
    study = study_of(CLUSTERS, 4, 2)
    shown = [("cA", "nA", "cA", "nA")] * 2 + [("*",) * 4]
    assert downcode(frame_of(shown, study), study).refined == 2


def test_ladders_are_known_whichever_way_they_are_written():
    for rows in (ladder(4), ladder(4)[::-1]):
        space = Space.of_study(study_of(rows, 1, 2))
        shape = ladder_of(space)
        assert [space.labels(np.array([[node]]))[0][0] for node in shape.chain[0]] == ["0", "0-1", "0-2", "0-3", "*"]
        assert [space.labels(np.array([[node]]))[0][0] for node in shape.rung[0]] == ["0", "1", "2", "3", "4"]
        assert clusters_of(space) is None


def test_attributes_may_have_ladders_of_different_heights():
    study = Study([Attribute.from_hierarchy("a", ladder(2)), Attribute.from_hierarchy("b", ladder(4))], k=2)
    found = downcode(frame_of([("0-1", "0-3")] * 2, study), study)
    assert found.frame.to_numpy().tolist() == [["1", "0-1"], ["0", "3"]]


def test_numbers_in_two_halves_of_two_are_clusters():
    study = Study([Attribute("age", 0, 80, layers=3), Attribute("stay", 0, 8, layers=3)], k=2)
    found = downcode(frame_of([("[0, 40[", "[0, 2[")] * 2, study), study)
    assert found.frame.to_numpy().tolist() == [["[20, 40[", "[0, 2["], ["[0, 20[", "[0, 2["]]


def refused(error, words, call, *arguments):
    with pytest.raises(error, match=words):
        call(*arguments)


def test_what_cannot_be_attacked_is_refused_in_a_sentence():
    study = study_of(CLUSTERS, 2, 2)
    frame = frame_of([("cA", "nA")] * 2, study)
    refused(ReleaseError, "'q' is no label", downcode, frame.replace("cA", "q"), study)
    refused(ReleaseError, "fewer than k = 3", downcode, frame, study.with_k(3))
    odd = pd.concat([frame, frame_of([("nB", "nB")], study)])
    refused(ReleaseError, r"The class of row 3 \(4 in a spreadsheet\) has 1 record", downcode, odd, study)
    refused(ReleaseError, "no column 'd1'", downcode, frame[["d0"]], study)
    refused(ReleaseError, "no record", downcode, frame.iloc[:0], study)
    refused(StudyError, "must be 2 or more", lambda: downcode(frame, study.with_k(1)))
    neither = Study([Attribute("age", 0, 80, layers=4)], k=2)
    refused(StudyError, "hierarchies of two shapes", downcode, frame_of([("[0, 40[",)] * 2, neither), neither)
    mixed = Study([Attribute.from_hierarchy("a", CLUSTERS), Attribute.from_hierarchy("b", ladder(3))], k=2)
    refused(StudyError, "the same for all attributes", downcode, frame_of([("*", "*")] * 2, mixed), mixed)
    uneven = Study([Attribute.from_hierarchy("a", CLUSTERS), Attribute("b", 0, 6, layers=2, fanout=6)], k=2)
    refused(StudyError, "these have neither", downcode, frame_of([("*", "*")] * 2, uneven), uneven)


def test_weights_count_the_values_that_a_predicate_allows():
    study = study_of(ladder(5), 3, 2)
    found = downcode(frame_of([("0-2", "*", "0")] * 2, study), study)
    values = range(6)
    for predicate, weight in zip(found.predicates, compound_predicates(found).weights, strict=True):
        allowed = [
            {v for v in values if label in {str(v), *(f"0-{top}" for top in values if v <= top), "*"}}
            for label in predicate
        ]
        hits = sum(
            all(v in some for v, some in zip(record, allowed, strict=True)) for record in product(values, repeat=3)
        )
        assert weight == Fraction(hits, 6**3)


def test_the_data_say_whether_it_is_right():
    study = study_of(CLUSTERS, 4, 2)
    found = downcode(frame_of([("cA", "nA", "cA", "nA")] * 2, study), study)
    right = frame_of([("nA", "nA", "nA", "nA"), ("fA", "nA", "fA", "nA")], study)  # in the other order
    wrong = frame_of([("nA", "nA", "fA", "nA"), ("fA", "nA", "nA", "nA")], study)  # two far records
    for data, generalizes, isolating in ((right, True, 1), (wrong, False, 0)):
        compound = compound_predicates(found, data)
        assert (compound.generalizes, compound.isolating) == (generalizes, isolating)
    blind = compound_predicates(found)
    assert (blind.generalizes, blind.isolating, blind.disjoint) == (None, None, True)
    assert blind.baselines == pytest.approx([2 / 256 * (1 - 1 / 256)])
    assert blind.log10_weights == pytest.approx([-4 * np.log10(4)])
    refused(
        DataError, "No assignment of the raw table.s records", compound_predicates, found, right.replace("nA", "nB")
    )
    refused(DataError, "3 rows and the release 2 rows", compound_predicates, found, pd.concat([right, right[:1]]))


def test_records_are_matched_with_refined_rows_in_every_order():
    rng = random.Random(4)
    study = study_of(ladder(3), 2, 2)
    space = Space.of_study(study)
    seen = set()
    for _ in range(300):
        leaves = np.array([[rng.randrange(4) for _ in range(2)] for _ in range(3)])
        published = np.tile(space.join(leaves), (3, 1))
        refined = np.array(
            [[space.tree(d).path[rng.randrange(4), leaf] for d, leaf in enumerate(row)] for row in leaves]
        )
        refined[rng.randrange(3)] = refined[rng.randrange(3)]
        expected = any(space.holds(refined[list(order)], leaves).all() for order in permutations(range(3)))
        assert still_generalizes(space, published, refined, leaves) is expected
        seen.add(expected)
    assert seen == {True, False}


def test_predicates_that_a_record_can_share_are_not_called_disjoint():
    study = study_of(ladder(3), 2, 2)
    found = downcode(frame_of([("0-2", "*")] * 2 + [("*", "0-2")] * 2, study), study)
    records = list(product(range(4), repeat=2))
    held = [sum(found.space.holds(box, np.array([r]))[0] for box in found.boxes) for r in records]
    assert compound_predicates(found).disjoint == (max(held) < 2)
