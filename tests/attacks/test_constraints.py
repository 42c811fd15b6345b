"""The constraints in words: every number checked by hand, and the bounds against the programme word for word."""

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given, settings

from cra_engine.attacks.refinement.attack import attack
from cra_engine.publish.local.recoding import recode
from cra_engine.release import Release
from cra_engine.study.attribute import Attribute
from cra_engine.study.grid import Segment
from cra_engine.study.study import Study
from oracles import programs
from strategies import cases

AGE = Attribute("age", 0, 80, 3, unit="years")  # leaves of 20
WEIGHT = Attribute("weight", 0, 160, 3)  # leaves of 40


TOOK = "was formed earlier and took everybody there."
OTHER = "and the other way round"
FIRST = "(one with {} would have been published first)."


def released(*rows, k=3, attributes=(AGE, WEIGHT), profile="paper"):
    labels = [label for count, *label in rows for _ in range(count)]
    return Release(Study(attributes, k, profile), pd.DataFrame(labels, columns=[a.name for a in attributes]))


def texts(part):
    return [constraint.text for constraint in part.constraints()]


def bounds(part):
    return [(c.kind, c.at_least, c.at_most, c.segments) for c in part.constraints()]


def test_a_class_on_a_single_cell_has_only_its_total():
    (only,) = attack(released((3, "[20, 40[", "[0, 40["))).classes
    assert texts(only) == ["The 3 records of this class lie in 1 free cell."]
    assert bounds(only) == [("total", 3, 3, (Segment((1, 1), (1, 0)),))]


def test_halves_by_hand():
    # k = 4, five records: at most 3 in each half, so at least 2 in the other.
    (only,) = attack(released((5, "*", "[80, 120["), k=4)).classes
    assert texts(only) == [
        "The 5 records of this class lie in 4 free cells.",
        f"The 5 records of this class: at most 3 in age [0, 40[, so at least 2 in [40, 80[, {OTHER} {FIRST.format(4)}",
    ]
    assert bounds(only)[1] == ("halves", 2, 3, (Segment((2, 1), (0, 2)), Segment((2, 1), (1, 2))))


def test_each_generalized_attribute_has_its_halves():
    (only,) = attack(released((4, "[0, 40[", "[80, 160["))).classes
    total, age, weight = only.constraints()
    assert total.text == "The 4 records of this class lie in 4 free cells."
    assert "at most 2 in age [0, 20[, so at least 2 in [20, 40[" in age.text
    assert "at most 2 in weight [80, 120[, so at least 2 in [120, 160[" in weight.text
    # Age narrowed to one leaf, weight as it was; then the other way round.
    assert age.segments == (Segment((1, 2), (0, 1)), Segment((1, 2), (1, 1)))
    assert weight.segments == (Segment((2, 1), (0, 2)), Segment((2, 1), (0, 3)))


def test_cells_that_an_earlier_class_took():
    # (1,1), then (2,2), then the row (3,1): it crosses the box in [0, 40) x [40, 80), and does not touch the cell.
    first, box, row = attack(
        released((3, "[0, 20[", "[0, 40["), (3, "[0, 40[", "[0, 80["), (3, "*", "[40, 80["))
    ).classes
    assert first.segment.basic
    # Losses: 1 + 19/79, 39/79, 1 and 1 + 39/159, 79/159, 1: (2,2) 2.236 < (3,1) 2.491.
    assert [c.segment.state for c in (box, row)] == [(2, 2), (3, 1)]
    assert texts(box)[:2] == [
        "The 3 records of this class lie in 3 free cells.",
        f"None of them has age in [0, 20[ years and weight in [0, 40[: class 0 {TOOK}",
    ]
    assert texts(row)[:2] == [
        "The 3 records of this class lie in 2 free cells.",
        f"None of them has age in [0, 40[ years and weight in [40, 80[: class 1 {TOOK}",
    ]
    assert bounds(row)[1] == ("overlap", 0, 0, (Segment((2, 1), (0, 1)),))
    assert [c.kind for c in row.constraints()] == ["total", "overlap", "halves"]


def test_classes_that_tie_take_nothing_from_each_other():
    # Equal domains: a column and a row tie. Sound: both keep the cell they share. Paper: the column is written first.
    square = (Attribute("a", 0, 80, 3), Attribute("b", 0, 80, 3))
    release = released((3, "[0, 20[", "*"), (3, "*", "[0, 20["), attributes=square)
    sound = attack(release).classes
    assert [[c.kind for c in part.constraints()] for part in sound] == [["total", "halves"]] * 2
    column, row = attack(release, ties="paper").classes
    assert [c.kind for c in column.constraints()] == ["total", "halves"]
    assert "None of them has a in [0, 20[ and b in [0, 20[: class 0 was formed earlier" in texts(row)[1]


def test_three_children_by_hand():
    # k = 3, so at most 2 in each of three: four records leave nothing certain, five and six do.
    nine = (Attribute("dose", 0, 18, 3, fanout=3),)
    wanted = {
        3: (0, "so none of these alone holds them all"),
        4: (0, "so none of these alone holds them all"),
        5: (1, "so at least 1 in each"),
        6: (2, "so at least 2 in each"),
    }
    for size, (least, ending) in wanted.items():
        (only,) = attack(released((size, "[0, 6["), attributes=nine)).classes
        assert texts(only)[1] == (
            f"The {size} records of this class: at most 2 in each of dose [0, 2[, [2, 4[, [4, 6[, {ending} "
            "(one with 3 would have been published first)."
        )
        assert bounds(only)[1][1:3] == (least, 2)
        assert len(bounds(only)[1][3]) == 3


@pytest.mark.parametrize(
    ("size", "who", "what"),
    [
        (1, "The 1 suppressed record lies", "There is 1 record, fewer than k = 3, so no half is bounded."),
        (2, "Both suppressed records lie", "There are 2 records, fewer than k = 3, so no half is bounded."),
    ],
)
def test_fewer_suppressed_records_than_k(size, who, what):
    suppressed = attack(released((size, "*", "*"))).suppressed
    assert texts(suppressed) == [f"{who} in 16 free cells.", what]
    assert bounds(suppressed)[1] == ("none", size, size, (Segment((3, 3), (0, 0)),))


def test_suppressed_records_of_k_or_more():
    found = attack(released((3, "[0, 20[", "[0, 40["), (3, "*", "*")))
    assert texts(found.suppressed) == [
        "The 3 suppressed records lie in 15 free cells.",
        f"None of them has age in [0, 20[ years and weight in [0, 40[: class 0 {TOOK}",
        f"The 3 suppressed records: at most 2 in age [0, 40[, so at least 1 in [40, 80[, {OTHER} {FIRST.format(3)}",
        f"The 3 suppressed records: at most 2 in weight [0, 80[, so at least 1 in [80, 160[, {OTHER} {FIRST.format(3)}",
    ]


def test_the_profile_of_the_desktop_program():
    # 1 % of 500 records is 5: a skipped state can have left 5 in a box of k = 3, so the cap is 5.
    big = [(494, "[0, 20[", "[0, 40[")]
    (_, small) = attack(released(*big, (6, "[20, 40[", "[0, 80["), profile="arx-gui")).classes
    assert "at most 5 in weight [0, 40[, so at least 1 in [40, 80[" in texts(small)[1]
    assert "one with 6 would have been published first" in texts(small)[1]
    (_, smaller) = attack(released((496, *big[0][1:]), (4, "[20, 40[", "[0, 80["), profile="arx-gui")).classes
    assert texts(smaller)[1] == (
        "There are 4 records, no more than the 5 that a skipped state may leave together, so no half is bounded."
    )


# ---------------------------------------------------------------- the sentences against Algorithms 3 and 4


def cells_inside(grid, segments):
    return [set(grid.cells(segment)) for segment in segments]


@settings(max_examples=40)
@given(cases())
def test_the_bounds_hold_in_every_solution(case):
    release = recode(case.data, case.study).release
    attributes, k = case.study.attributes, case.study.k
    published = [programs.Published(c.segment.state, c.segment.ranks, c.size) for c in release.classes]
    for part in attack(release).parts:
        if part.combinations > 3000:
            continue
        program = (
            programs.suppressed_program(attributes, k, published, part.size)
            if part.index is None
            else programs.class_program(attributes, k, published, part.index)
        )
        solutions = [dict(zip(program.free, counts, strict=True)) for counts in program.cp_sat()]
        assert len(solutions) == part.combinations
        kinds = Counter(c.kind for c in part.constraints())
        assert kinds["total"] == 1
        assert kinds["halves"] + kinds["none"] <= len(attributes)
        for constraint in part.constraints():
            for inside in cells_inside(release.grid, constraint.segments):
                held = [sum(count for cell, count in solution.items() if cell in inside) for solution in solutions]
                assert all(constraint.at_least <= count <= constraint.at_most for count in held)
