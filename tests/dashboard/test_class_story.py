"""What the attack means, in sentences; the numbers are worked out in :mod:`cases`."""

import pandas as pd
from cases import TIED, attacked

from cra_dashboard.texts.class_rows import class_row
from cra_dashboard.texts.class_story import class_story, proven, singling_headline
from cra_engine import Attribute, Release, Study, attack, recode, single_out, synthesize, tight_attack
from cra_engine.counting import inclusion
from cra_engine.counting import sums as counting


def story(part):
    return " ".join(class_story(part, class_row(part)))


def test_a_refined_class():
    # 64 + 24 of 112 tables put one record into (0,1), as many into (1,0): 11/14.
    assert story(attacked().classes[1]) == (
        "3 records share the box a from 0 to under 4 and b from 0 to under 4. Going by the interval alone, 560 tables "
        "are possible. "
        "The attack leaves 112, 5 times fewer: 1 of 4 cells belongs to earlier classes, and there are 3 ways to "
        "spread the records over 3 cells. The cell a from 0 to under 2 and b from 2 to under 4 is 79 % likely to hold "
        "exactly one "
        "person (as 1 other cell is)."
    )


def test_what_all_classes_together_settle_stands_beside_what_a_class_by_itself_says():
    toy = synthesize("toy")
    attacked = attack(recode(toy.data, toy.study).release)
    together = tight_attack(attacked.release)
    settled = 0
    for part in attacked.classes:
        told = " ".join(class_story(part, class_row(part), together))
        if "likely to hold" not in told:
            assert told == story(part)
            continue
        chances = part.cell_probabilities(1)
        cell = part.free_cells[chances.index(max(chances))]
        people = together.fixed_cells.get(cell)
        beside = "" if people is None else f" That is by this class alone; all together it holds {people}, for certain."
        assert told == story(part) + beside
        settled += people is not None
    assert settled


def test_a_single_cell_has_nothing_to_refine():
    assert story(attacked().classes[0]) == (
        "3 records share the box a from 0 to under 2 and b from 0 to under 2. They all lie in one cell, the finest "
        "that the "
        "hierarchies have: the attack adds nothing to what is published."
    )


def test_suppressed_records():
    assert story(attacked().suppressed) == (
        "1 record is suppressed: published without any interval. Going by that alone, 64 tables are possible. The "
        "attack leaves 48, 1.3 times fewer: 4 of 16 cells belong to earlier classes, and there are 12 ways to spread "
        "the records over 12 cells. The cell a from 0 to under 2 and b from 4 to under 6 is 8.3 % likely to hold "
        "exactly one person "
        "(as 11 other cells are)."
    )


def one_attribute(size, k, labels="[0, 4["):
    return attack(Release(Study([Attribute("a", 0, 8, 3)], k), pd.DataFrame({"a": [labels] * size}))).classes[0]


def test_a_class_with_a_single_filling_gives_away_the_count_of_each_cell():
    # Four records on two cells of two values, at most two in each: two in both, C(2,2)^2 = 1 table of C(4,4) = 1.
    told = story(one_attribute(4, 3))
    assert "The attack leaves all of them; there is one way only to spread the records over the cells" in told
    assert "the attacker knows how many lie in each" in told
    assert told.endswith("No cell of it can hold exactly one person.")


def test_certainty_is_told_as_such():
    # k = 2: two records, at most one in each half, so one in both.
    told = story(one_attribute(2, 2))
    assert told.endswith("The cell a from 0 to under 2 is certain to hold exactly one person (as 1 other cell is).")


def test_records_that_must_be_alike_cannot_be_counted():
    # [0, 4) in quarters of one value, k = 3: three records on two cells of one value each, two of them alike. The pairs
    # (1,2) and (2,1) are equally likely when each record takes either value.
    release = Release(Study([Attribute("a", 0, 4, 3)], 3), pd.DataFrame({"a": ["[0, 2["] * 3}))
    (part,) = attack(release).classes
    told = story(part)
    assert "some of its records must be alike in every quasi-identifier" in told
    assert told.endswith("The cell a from 0 to under 1 is 50 % likely to hold exactly one person (as 1 other cell is).")


def test_a_class_that_is_counted_though_its_cells_are_not(monkeypatch):
    part = attacked().classes[1]
    monkeypatch.setattr(counting, "MAX_TABLE_BYTES", 1)
    told = story(part)
    assert "The attack leaves 112" in told
    assert "would take too long" in told


def test_a_class_too_large_to_count(monkeypatch):
    part = attacked().classes[1]
    monkeypatch.setattr(counting, "MAX_TABLE_BYTES", 1)
    monkeypatch.setattr(inclusion, "MAX_SETS", 0)
    assert "560 tables are possible. Class 1: Counting this class exactly" in story(part)


def raw(*rows):
    return pd.DataFrame(rows, columns=["a", "b"])


def test_singling_out_in_a_sentence():
    data = raw((0, 0), (1, 0), (1, 1), (0, 2), (2, 1), (3, 3), (7, 7))
    assert singling_headline(single_out(attacked(), data)) == (
        "In 1 of 2 classes (50 %) a description singles out exactly one person: in 1 of 1 wider than one cell, in none "
        "of 1 on a single cell. Of 7 people, 4 stand alone in a cell."
    )


def test_singling_out_with_wider_classes_only():
    data = raw((250, 0), (250, 150), (250, 350), (0, 150), (50, 150), (350, 150))
    # Column: three cells of one record. Row: two share (0,1), one alone in (3,1).
    assert singling_headline(single_out(attacked(TIED, 400), data)) == (
        "In 2 of 2 classes (100 %) a description singles out exactly one person. Of 6 people, 4 stand alone in a cell."
    )


def test_singling_out_that_fails_everywhere():
    data = pd.DataFrame({"a": [0, 1, 2, 3]})
    release = Release(Study([Attribute("a", 0, 8, 3)], 3), pd.DataFrame({"a": ["[0, 4["] * 4}))
    assert singling_headline(single_out(attack(release), data)) == (
        "In none of 1 class does a description single out exactly one person. Of 4 people, 0 stand alone in a cell."
    )


def test_who_stands_alone_and_of_whom_the_release_proves_it():
    assert proven(0, 0) == "Nobody stands alone in a cell."
    assert proven(6, 2) == "6 people stand alone in truth; 2 of them can be proven from the release."
    assert proven(6, 0) == "6 people stand alone in truth; none of them can be proven from the release."
    assert proven(6, 2, complete=False) == (
        "6 people stand alone in truth; at least 2 of them can be proven from the release."
    )
    assert proven(6, 0, complete=False).endswith("; so far none of them can be proven from the release.")
    assert (
        proven(1, None)
        == "1 person stands alone in truth; the view For certain tells how many can be proven from the release."
    )
