"""Cases worked out with pencil and paper; the arithmetic stands in the comments, section numbers are the paper's."""

from fractions import Fraction
from math import comb

import pandas as pd
import pytest

from cra_engine.attacks.refinement.attack import attack
from cra_engine.publish.local.recoding import recode
from cra_engine.release import Release
from cra_engine.risk.singling import single_out
from cra_engine.study.attribute import Attribute
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.lattice import Lattice
from cra_engine.study.study import Study
from oracles import polya

# --- Section 2, Figures 1 and 4 -------------------------------------------------------------------------------------

FIGURE_1 = Grid([Attribute("Q1", 0, 100, 3), Attribute("Q2", 0, 100, 3)])


def b(*numbers):
    """Cells by the paper's numbering: B1 bottom-left, then along the row; Q1 runs to the right, Q2 upwards.

    A row has four cells, so B1..B4 lie at Q2 = 0, B5..B8 at Q2 = 1; B6 is the second of the second row.
    """
    return {((number - 1) % 4, (number - 1) // 4) for number in numbers}


def test_figure_1_has_sixteen_cells():
    # Three layers of a binary tree have 2^(3-1) = 4 leaves; 4 x 4 = 16.
    assert FIGURE_1.size == 16
    assert set(FIGURE_1.cells(FIGURE_1.whole)) == b(*range(1, 17))
    assert b(6) == {(1, 1)}


def test_figure_1_leaves_and_inner_nodes():
    q1 = FIGURE_1.attributes[0]
    # 100 values over 4 leaves: 25 each; layer 2 joins two: 50 each; the root: 100.
    assert [(int(q1.node(1, r).lower), int(q1.node(1, r).upper)) for r in range(4)] == [
        (0, 25),
        (25, 50),
        (50, 75),
        (75, 100),
    ]
    assert [(int(q1.node(2, r).lower), int(q1.node(2, r).upper)) for r in range(2)] == [(0, 50), (50, 100)]
    assert (q1.node(3, 0).lower, q1.node(3, 0).upper, q1.node(3, 0).label) == (0, 100, "*")
    assert [child.label for child in q1.children(2, 1)] == ["[50, 75[", "[75, 100["]


def test_figure_1_segments_of_two_states():
    # (3, 1): Q1 is the whole domain, Q2 one leaf: whole rows. (The text lists columns here; its figures have rows.)
    rows = [set(FIGURE_1.cells(Segment((3, 1), (0, rank)))) for rank in range(4)]
    assert rows == [b(1, 2, 3, 4), b(5, 6, 7, 8), b(9, 10, 11, 12), b(13, 14, 15, 16)]
    # (1, 3): Q1 one leaf, Q2 the whole domain: whole columns.
    columns = [set(FIGURE_1.cells(Segment((1, 3), (rank, 0)))) for rank in range(4)]
    assert columns == [b(1, 5, 9, 13), b(2, 6, 10, 14), b(3, 7, 11, 15), b(4, 8, 12, 16)]


# Three records in the class of Figure 4 ((3, 2), ranks (0, 0): all of Q1, lower half of Q2), k = 3.
FIGURE_4 = Release(
    Study(FIGURE_1.attributes, 3),
    pd.DataFrame({"Q1": ["*"] * 3, "Q2": ["[0, 50["] * 3}),
)


def test_figure_4_half_segments():
    (only,) = attack(FIGURE_4).classes
    assert only.segment == Segment((3, 2), (0, 0))
    assert set(FIGURE_1.cells(only.segment)) == b(*range(1, 9))
    halves = [
        set(FIGURE_1.cells(segment))
        for constraint in only.constraints()
        if constraint.kind == "halves"
        for segment in constraint.segments
    ]
    # Q1 lowered from 3 to 2: left and right; Q2 lowered from 2 to 1: bottom row and second row.
    assert len(halves) == 4
    for half in (b(1, 2, 5, 6), b(3, 4, 7, 8), b(1, 2, 3, 4), b(5, 6, 7, 8)):
        assert half in halves


def test_figure_4_is_feasible_only_with_every_half_occupied():
    (only,) = attack(FIGURE_4).classes
    assert {tuple(cell) for cell in only.free_cells} == b(*range(1, 9))

    def feasible(**records):
        cells = {next(iter(b(int(name.removeprefix("B"))))): count for name, count in records.items()}
        return only.feasible([cells.get(tuple(cell), 0) for cell in only.free_cells])

    assert feasible(B1=1, B4=1, B6=1)
    assert feasible(B1=2, B8=1)
    assert not feasible(B1=1, B2=1, B6=1)  # nobody in the right half
    assert not feasible(B1=1, B2=1, B3=1)  # nobody in the second row
    assert not feasible(B1=1, B8=1)  # one record short
    assert not feasible(B1=2, B8=2)  # one too many


# --- Section 4.1: volume and LR_solutions ---------------------------------------------------------------------------


def test_volume_of_the_introduction():
    # ([0, 25), [50, 100), whole domain): 25 * 50 * 100 = 125,000 value combinations.
    grid = Grid([Attribute("a", 0, 100, 3), Attribute("b", 0, 100, 3), Attribute("c", 0, 100, 3)])
    assert grid.volume(Segment((1, 2, 3), (0, 1, 0))) == 125_000


def test_volume_counts_steps_of_the_resolution():
    # 36.5 .. 38.5 in steps of 0.1 are 20 values; two layers: leaves of 10.
    grid = Grid([Attribute("temperature", 36.5, 38.5, 2, resolution=0.1)])
    assert (grid.volume(grid.whole), grid.volume(Segment((1,), (1,)))) == (20, 10)


# --- Section 3: loss and criteria -----------------------------------------------------------------------------------


def test_loss_by_hand():
    # |Dom| = 100: lengths 25, 50, 100 and 1 at layer 0. With n records, Q_loss = length/100 * n, least n/100, most n.
    # Normalised: (25n/100 - n/100) / (n - n/100) = 24/99, likewise 49/99 and 99/99.
    q1 = FIGURE_1.attributes[0]
    assert [q1.loss(layer) for layer in (1, 2, 3)] == [Fraction(24, 99), Fraction(49, 99), 1]
    lattice = Lattice(FIGURE_1.attributes)
    # loss(1, 1) = sqrt((123/99)^2) - 1 = 24/99 = 0.242424...
    assert lattice.loss((1, 1)) == pytest.approx(0.242424, abs=1e-6)
    # loss(1, 2) = sqrt(123 * 148) / 99 - 1; 123 * 148 = 18,204; 134.9222^2 = 18,204.00; 134.9222 / 99 = 1.362851.
    assert lattice.loss((1, 2)) == pytest.approx(0.362851, abs=2e-6)
    # loss(3, 3) = sqrt(2 * 2) - 1 = 1.
    assert lattice.loss((3, 3)) == pytest.approx(1)


def test_loss_of_three_attributes_by_hand():
    # Domains of 8 values, 4 layers: lengths 1, 2, 4, 8; Q_loss 0, 1/7, 3/7, 1.
    # (1, 4, 4): cube root of 1 * 2 * 2 = 1.587401; minus 1. (4, 4, 4): cube root of 8 is 2; minus 1.
    lattice = Lattice([Attribute(name, 0, 8, 4) for name in "abc"])
    assert lattice.loss((1, 4, 4)) == pytest.approx(0.587401, abs=1e-6)
    assert lattice.loss((4, 4, 4)) == pytest.approx(1)
    assert lattice.loss((1, 1, 1)) == 0


def test_c1_and_c2_by_hand():
    # Heights 4 and 3. c1(2, 3) = 5. c2(2, 3) = (2/4 + 3/3) / 2 = 3/4; c2(3, 1) = (3/4 + 1/3) / 2 = 13/24.
    lattice = Lattice([Attribute("a", 0, 64, 4), Attribute("b", 0, 64, 3)])
    assert (lattice.c1((2, 3)), lattice.c2((2, 3))) == (5, Fraction(3, 4))
    assert (lattice.c1((3, 1)), lattice.c2((3, 1))) == (4, Fraction(13, 24))


def table(rows, names="ab"):
    return pd.DataFrame(rows, columns=list(names))


def test_c1_decides():
    # a: [0, 16) in quarters (fanout 4), 2 layers: lengths 4, 16. b: [0, 16), 5 layers: lengths 1, 2, 4, 8, 16.
    # (2, 3) is 16 x 4, (1, 5) is 4 x 16: a tie. c1 = 5 against 6: (2, 3) goes first, though it is written second and
    # its c2 is higher: (2/2 + 3/5) / 2 = 4/5 against (1/2 + 5/5) / 2 = 3/4.
    # (0,0), (12,3): a leaves 0 and 3, b in [0, 4) but no shorter interval: share a box at (2, 3).
    # (5,6), (6,9): both in a leaf 1, b in different halves: share a box at (1, 5).
    study = Study([Attribute("a", 0, 16, 2, fanout=4), Attribute("b", 0, 16, 5)], 2)
    recoding = recode(table([(5, 6), (0, 0), (6, 9), (12, 3)]), study)
    assert [step.state for step in recoding.iterations] == [(2, 3), (1, 5)]
    assert list(recoding.frame["a"]) == ["[4, 8[", "*", "[4, 8[", "*"]
    assert list(recoding.frame["b"]) == ["*", "[0, 4[", "*", "[0, 4["]


def test_c2_decides():
    # a: [0, 64), lengths 8, 16, 32, 64. b: [0, 64), lengths 16, 32, 64. (2, 2) is 16 x 32, (3, 1) is 32 x 16: a tie.
    # c1 = 4 both. c2(2, 2) = (2/4 + 2/3) / 2 = 14/24, c2(3, 1) = 13/24: (3, 1) goes first, though written second.
    # (0,0), (20,5): a 16-intervals 0 and 1, 32-interval 0; b leaf 0: share a box at (3, 1).
    # (50,33), (60,50): a 8-intervals 6 and 7, 16-interval 3; b leaves 2 and 3, 32-interval 1: share a box at (2, 2).
    study = Study([Attribute("a", 0, 64, 4), Attribute("b", 0, 64, 3)], 2)
    recoding = recode(table([(50, 33), (0, 0), (60, 50), (20, 5)]), study)
    assert [step.state for step in recoding.iterations] == [(3, 1), (2, 2)]


# Six records, both domains [0, 400), three layers (leaves of 100), k = 3. Leaves (x, y):
#   A (370,135) -> (3,1)   B (290,290) -> (2,2)   C (150,115) -> (1,1)
#   D (260,245) -> (2,2)   E ( 95,125) -> (0,1)   F (215,155) -> (2,1)
# No box of (1,1), (1,2), (2,1) or (2,2) holds three: the fullest are {B, D} and pairs like {A, F}.
# (1,3): column x = 2 holds B, D, F. (3,1): row y = 1 holds A, C, E, F. Equal domains: their losses tie exactly.
# c1 = 4 both, c2 = (1/3 + 3/3) / 2 = 2/3 both. All values are distinct, six per attribute.
# c3(1,3): four leaves of x, one root of y: 1 - (4/6 + 1/6) / 2 = 7/12.
# c3(3,1): one root of x, two leaves of y:  1 - (1/6 + 2/6) / 2 = 3/4. The lower wins: (1,3) takes B, D and F.
# Then A, C, E are left in row y = 1, three of them: (3,1) takes them. Nobody is left over.
SIX = [(370, 135), (290, 290), (150, 115), (260, 245), (95, 125), (215, 155)]
SIX_STUDY = Study([Attribute("a", 0, 400, 3), Attribute("b", 0, 400, 3)], 3)


def test_six_records_c3_decides():
    recoding = recode(table(SIX), SIX_STUDY)
    first, second = recoding.iterations
    assert (first.state, first.classes) == ((1, 3), ((Segment((1, 3), (2, 0)), 3),))
    assert (second.state, second.classes) == ((3, 1), ((Segment((3, 1), (0, 1)), 3),))
    assert {c.state: (c.c1, c.c2, c.c3) for c in first.tied} == {
        (1, 3): (4, Fraction(2, 3), Fraction(7, 12)),
        (3, 1): (4, Fraction(2, 3), Fraction(3, 4)),
    }
    assert second.tied == ()  # (1,3) is not feasible any more
    assert list(recoding.frame["a"]) == ["*", "[200, 300[", "*", "[200, 300[", "*", "[200, 300["]
    assert list(recoding.frame["b"]) == ["[100, 200[", "*", "[100, 200[", "*", "[100, 200[", "*"]
    assert recoding.suppressed == 0


def test_six_records_mirrored_c3_decides_against_the_order_of_the_states():
    # Attributes swapped: now (3,1) has c3 = 7/12 and goes first, although (1,3) is written first.
    recoding = recode(table([(y, x) for x, y in SIX]), SIX_STUDY)
    assert [step.state for step in recoding.iterations] == [(3, 1), (1, 3)]


def test_c3_counts_values_not_spellings():
    # Mirrored again. a: 150 (four times) and 250 (B, D): two values. b: 370, 290 (B and D), 150, 95, 215: five values.
    # c3(3,1) = 1 - (1/2 + 4/5) / 2 = 7/20; c3(1,3) = 1 - (2/2 + 1/5) / 2 = 2/5: (3,1) goes first.
    # Were 290 and 290.0 two values of b: 1 - (1/2 + 4/6) / 2 = 1 - (2/2 + 1/6) / 2 = 5/12, and (1,3) came first.
    rows = [("150", "370"), ("250", "290"), ("150", "150"), ("250", "290.0"), ("150", "95"), ("150", "215")]
    recoding = recode(table(rows), SIX_STUDY)
    first = recoding.iterations[0]
    assert {c.state: c.c3 for c in first.tied} == {(3, 1): Fraction(7, 20), (1, 3): Fraction(2, 5)}
    assert first.state == (3, 1)


# Section 3's example (Figure 2): nine records, k = 3, (1,2) goes first, then a tie that (3,2) wins, two are left over.
# The text does not give the points; these fit it. After (1,2) took the first three, no row, column or quarter of
# [0, 100) x [0, 100) holds three; the left and the right half do (state (2,3)), the upper half holds four (3,2).
# All values differ, six per attribute: c3 = 1 - (1/6 + 2/6) / 2 = 3/4 for both.
NINE = [(3, 10), (9, 20), (15, 30), (5, 60), (30, 80), (60, 70), (85, 95), (40, 45), (70, 40)]
NINE_STUDY = Study([Attribute("a", 0, 100, 3), Attribute("b", 0, 100, 3)], 3)


def test_the_tie_of_figure_2_is_not_settled_by_its_criteria():
    recoding = recode(table(NINE), NINE_STUDY)
    assert [step.state for step in recoding.iterations[:2]] == [(1, 2), (2, 3)]
    assert {c.state: (c.c1, c.c2, c.c3) for c in recoding.iterations[1].tied} == {
        (2, 3): (5, Fraction(5, 6), Fraction(3, 4)),
        (3, 2): (5, Fraction(5, 6), Fraction(3, 4)),
    }
    assert (len(recoding.classes), recoding.suppressed) == (3, 0)
    # The state that is written first goes first. With the attributes exchanged that is the text's: four, and two left.
    mirrored = recode(table([(y, x) for x, y in NINE]), NINE_STUDY)
    assert [step.state for step in mirrored.iterations] == [(2, 1), (2, 3)]
    assert ([size for step in mirrored.iterations for _, size in step.classes], mirrored.suppressed) == ([3, 4], 2)


def test_six_records_attacked():
    # Sound: nobody outside knows who owns (2,1), so both classes may use all their four cells.
    # Column x = 2: cells (2,0)..(2,3), halves {(2,0),(2,1)} and {(2,2),(2,3)}, three records, at most two a half:
    # shares (1,2) and (2,1); one record on two cells: 2 ways; two records: 3 ways; 2*3 + 3*2 = 12 assignments.
    # Cells hold 100 * 100 = 10,000 value combinations, a half V = 20,000: 2 * V * C(V, 2) data sets.
    found = attack(recode(table(SIX), SIX_STUDY).release)
    assert [c.segment for c in found.classes] == [Segment((1, 3), (2, 0)), Segment((3, 1), (0, 1))]
    assert [c.combinations for c in found.classes] == [12, 12]
    data_sets = 2 * 20_000 * (20_000 * 19_999 // 2)
    assert [c.cra_solutions for c in found.classes] == [data_sets, data_sets]
    assert found.suppressed is None
    owner = dict.fromkeys(Grid(SIX_STUDY.attributes).cells(Grid(SIX_STUDY.attributes).whole), -1)
    owner |= {(2, y): 0 for y in (0, 2, 3)} | {(x, 1): 1 for x in (0, 1, 3)} | {(2, 1): -2}
    assert {cell: int(found.owner[cell]) for cell in owner} == owner
    # Paper: states in their written order, so (1,3) owns (2,1) and the row has cells 0, 1 | 3.
    # One left, two right: 2 ways * 1; two left, one right: 3 ways * 1: 5 assignments.
    sorted_ = attack(recode(table(SIX), SIX_STUDY).release, ties="paper")
    assert [c.combinations for c in sorted_.classes] == [12, 5]


def test_paper_ties_can_exclude_the_truth_and_sound_ties_do_not():
    # In the table as it stands the written order happens to be the true one; mirrored, it is not: F' = (155,215) was
    # taken by the row y = 2 (with B', D'), but the paper's order gives its cell (1,2) to the column x = 1, and the row
    # then needs a record in cell (0,2), where there is none.
    mirrored = table([(y, x) for x, y in SIX])
    outcomes = {}
    for name, data in (("as it stands", table(SIX)), ("mirrored", mirrored)):
        for ties in ("sound", "paper"):
            out = single_out(attack(recode(data, SIX_STUDY).release, ties=ties), data)
            outcomes[name, ties] = [c.valid for c in out.classes]
    assert outcomes == {
        ("as it stands", "sound"): [True, True],
        ("as it stands", "paper"): [True, True],
        ("mirrored", "sound"): [True, True],
        ("mirrored", "paper"): [True, False],
    }


# --- Section 4.4 and 4.5: small classes, every assignment written down ----------------------------------------------

# Both domains [0, 8), three layers: leaves of 2 values, a cell holds 2 * 2 = 4 value combinations. k = 3.
# The class [0,4) x [0,4) has the cells a = (0,0), b = (0,1), c = (1,0), d = (1,1); halves {a,b}, {c,d}, {a,c}, {b,d}.
EIGHT = [Attribute("Q1", 0, 8, 3), Attribute("Q2", 0, 8, 3)]


def released(*rows, attributes=EIGHT, k=3):
    names = [attribute.name for attribute in attributes]
    labels = [label for count, *label in rows for _ in range(count)]
    return Release(Study(attributes, k), pd.DataFrame(labels, columns=names))


def assignments(found):
    listed = found.assignments()
    assert listed.complete
    assert listed.combinations == len(listed.assignments)
    cells = [tuple(cell) for cell in listed.cells]
    return [dict(zip(cells, counts, strict=True)) for counts in listed.assignments]


def abcd(a, b_, c, d):
    return {(0, 0): a, (0, 1): b_, (1, 0): c, (1, 1): d}


def test_three_records_in_two_by_two():
    (found,) = attack(released((3, "[0, 4[", "[0, 4["))).classes
    # Each half holds 1 or 2. Rows (a+b, c+d) are (1,2) or (2,1), columns (a+c, b+d) too: four margins, two fillings:
    # a = number in row 1 and column 1 can take two values.
    expected = [
        abcd(1, 0, 0, 2),  # rows (1,2), columns (1,2)
        abcd(0, 1, 1, 1),
        abcd(0, 1, 2, 0),  # rows (1,2), columns (2,1)
        abcd(1, 0, 1, 1),
        abcd(0, 2, 1, 0),  # rows (2,1), columns (1,2)
        abcd(1, 1, 0, 1),
        abcd(2, 0, 0, 1),  # rows (2,1), columns (2,1)
        abcd(1, 1, 1, 0),
    ]
    got = assignments(found)
    assert len(got) == 8
    assert all(one in got for one in expected)
    assert found.combinations == 8
    # A 1-2 filling: C(4,1) * C(4,2) = 4 * 6 = 24; a 1-1-1 filling: 4^3 = 64; four of each: 4 * 88 = 352.
    assert found.cra_solutions == 352
    # LR: 4 * 4 = 16 value combinations, C(16,3) = 560. Ratio 560/352 = 35/22.
    assert found.lr_solutions == 560
    assert found.ratio == pytest.approx(35 / 22)
    assert 10**found.log10_ratio == pytest.approx(35 / 22)
    # a = 2 once, as 2-1: 24/352. a = 1 four times: 24 + 64 + 64 + 64 = 216. a = 0: 64 + 24 + 24 = 112. b, c, d alike.
    for j, data_sets in ((0, 112), (1, 216), (2, 24), (3, 0)):
        assert found.cell_probabilities(j) == pytest.approx([data_sets / 352] * 4, abs=1e-12)


def test_four_records_in_two_by_two():
    # 4 = 2 * (k - 1): every half holds exactly 2. a = 0, 1 or 2 decides the rest.
    (found,) = attack(released((4, "[0, 4[", "[0, 4["))).classes
    got = assignments(found)
    assert len(got) == 3
    assert all(one in got for one in (abcd(2, 0, 0, 2), abcd(1, 1, 1, 1), abcd(0, 2, 2, 0)))
    # 6 * 6 + 4^4 + 6 * 6 = 36 + 256 + 36 = 328; LR: C(16,4) = 1820.
    assert (found.combinations, found.cra_solutions, found.lr_solutions) == (3, 328, 1820)
    assert found.cell_probabilities(1) == pytest.approx([256 / 328] * 4, abs=1e-12)


def test_three_records_where_an_earlier_class_took_a_cell():
    # [0,2) x [0,2) is published on its own, so a = 0 in the larger class, and one more record is suppressed.
    found = attack(released((3, "[0, 2[", "[0, 2["), (3, "[0, 4[", "[0, 4["), (1, "*", "*")))
    basic, compound = found.classes
    # A cell by itself: C(4,3) = 4 either way.
    assert (basic.combinations, basic.cra_solutions, basic.lr_solutions, basic.ratio) == (1, 4, 4, 1)
    # b >= 1 (half {a,b}), c >= 1 (half {a,c}), b + c + d = 3: (1,1,1), (1,2,0), (2,1,0).
    got = assignments(compound)
    assert len(got) == 3
    expected = [{(0, 1): x, (1, 0): y, (1, 1): z} for x, y, z in ((1, 1, 1), (1, 2, 0), (2, 1, 0))]
    assert all({cell: count for cell, count in one.items() if cell != (0, 0)} in expected for one in got)
    # 64 + 24 + 24 = 112; LR 560; ratio 5.
    assert (compound.combinations, compound.cra_solutions, compound.lr_solutions) == (3, 112, 560)
    assert compound.ratio == pytest.approx(5)
    probabilities = dict(zip(map(tuple, compound.free_cells), compound.cell_probabilities(1), strict=True))
    # d = 1 in 64 of 112; b = 1 in 64 + 24 of 112; c likewise.
    assert probabilities == pytest.approx({(1, 1): 4 / 7, (0, 1): 11 / 14, (1, 0): 11 / 14}, abs=1e-12)
    # Suppressed: 16 - 4 = 12 cells of 4 combinations: 12 assignments, 48 data sets; LR: 8 * 8 = 64; ratio 4/3.
    suppressed = found.suppressed
    assert (suppressed.combinations, suppressed.cra_solutions, suppressed.lr_solutions) == (12, 48, 64)
    assert suppressed.ratio == pytest.approx(4 / 3)
    assert suppressed.cell_probabilities(1) == pytest.approx([1 / 12] * 12, abs=1e-12)
    # Means of the ratios: (1 + 5) / 2 over all classes, 5 over the compound one.
    assert found.mean_ratio == pytest.approx(3)
    assert found.mean_ratio_compound == pytest.approx(5)


def test_with_three_children_one_can_be_empty():
    # One attribute [0, 27), fanout 3, three layers: leaves of 3, middle nodes of 9. Class [0, 9), three records, k = 3.
    # Spread over three leaves, none with all three: (1,1,1) and the six orders of (2,1,0): 7 assignments.
    # 3^3 + 6 * C(3,2) * 3 = 27 + 54 = 81 = C(9,3) - 3.
    (found,) = attack(released((3, "[0, 9["), attributes=[Attribute("Q", 0, 27, 3, fanout=3)])).classes
    assert (found.combinations, found.cra_solutions, found.lr_solutions) == (7, 81, 84)
    assert {(0,): 2, (1,): 1, (2,): 0} in assignments(found)
    # A leaf is empty in two of the six orders: 18 of 81; holds two in 18; holds one in 27 + 18 = 45.
    assert [found.cell_probabilities(j)[1] for j in range(4)] == pytest.approx(
        [18 / 81, 45 / 81, 18 / 81, 0], abs=1e-12
    )


def test_suppressed_records_of_k_or_more_obey_the_halves():
    # Three suppressed records, k = 3, nothing else published: one attribute [0, 8), two layers, leaves of 4.
    # (1,2) and (2,1): 2 assignments, 2 * 4 * 6 = 48 data sets; LR: C(8,3) = 56. Two suppressed: no bound, C(8,2) = 28.
    attributes = [Attribute("Q", 0, 8, 2)]
    three = attack(released((3, "*"), attributes=attributes)).suppressed
    assert (three.combinations, three.cra_solutions, three.lr_solutions) == (2, 48, 56)
    two = attack(released((2, "*"), attributes=attributes)).suppressed
    assert (two.combinations, two.cra_solutions, two.lr_solutions, two.ratio) == (3, 28, 28, 1)


def test_twelve_records_over_256_cells():
    # Four attributes of three layers: 4^4 = 256 cells; k = 7 and 12 = 2 * 6 records: every half holds exactly 6.
    # The sum over the 77 partitions of 12 of the symmetric function needs no table and no orthant.
    attributes = [Attribute(name, 0, 12, 3) for name in "abcd"]
    found = attack(released((12, *"****"), attributes=attributes, k=7)).suppressed
    assert len(found.free_cells) == 256
    assert f"{found.combinations:.3e}" == "5.099e+17"
    assert found.combinations == polya.combinations(12, [2] * 4, 6, 16)
    # An orthant is half of each domain: 6^4 = 1296 value combinations.
    assert found.cra_solutions == polya.cra_solutions(12, [2] * 4, 6, 6**4)
    assert found.lr_solutions == comb(12**4, 12)
