"""What the intervals alone let somebody expect, against hand and against every table of a tiny release."""

from itertools import combinations, product

import pandas as pd
import pytest
from cases import attacked

from cra_engine import Attribute, Release, Study
from cra_engine.attacks.intervals import expected_isolated


def test_by_hand():
    # Class 0 is the cell (0,0) with 3 records: nobody is alone there. Of class 1, 3 records on 16 places, a cell of 4
    # holds one in 4 * C(12, 2) = 264 of 560 tables and none in C(12, 3) = 220; the suppressed is there with 1/16.
    wanted = 3 * (264 / 560 * 15 / 16 + 220 / 560 / 16) + 12 / 16
    assert expected_isolated(attacked().release) == pytest.approx(wanted)


def test_against_all_tables():
    # One attribute of 8 values in quarters, k = 2: two people in [0, 4), two suppressed.
    study = Study([Attribute("a", 0, 8, 3)], 2)
    release = Release(study, pd.DataFrame({"a": ["[0, 4["] * 2 + ["*"] * 2}))
    alone = []
    for own, others in product(combinations(range(4), 2), combinations(range(8), 2)):
        cells = [value // 2 for value in (*own, *others)]
        alone.append(sum(cells.count(cell) == 1 for cell in range(4)))
    assert expected_isolated(release) == pytest.approx(sum(alone) / len(alone))


def test_records_that_must_be_alike():
    # Three people on the two values of [0, 2), each alone in a cell of one value: one of the two holds one person in
    # every split but 3 to 0: 6 of 8 ways.
    study = Study([Attribute("a", 0, 4, 3)], 3)
    release = Release(study, pd.DataFrame({"a": ["[0, 2["] * 3}))
    assert expected_isolated(release) == pytest.approx(6 / 8)
