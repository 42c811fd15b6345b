"""The last look at a global recoding refuses whatever is not as it must be."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, DPresence, LDiversity, Study, TCloseness, global_recode
from cra_engine.patience import Stopped, stoppable
from cra_engine.publish.check import ReleaseCheckError
from cra_engine.publish.full_domain.check import check_global_release
from cra_engine.publish.full_domain.least_loss import least_loss
from cra_engine.publish.full_domain.prices import prices
from cra_engine.publish.full_domain.recoding import FullDomain

RAW = pd.DataFrame(
    {
        "age": ["21", "21.0", "34", "36", "45", "47", "70"],
        "diagnosis": ["flu", "cold", "flu", "flu", "cold", "gout", "flu"],
        "note": ["a", "b", "c", "d", "e", None, "g"],
    }
)
STUDY = Study(
    [Attribute("age", 0, 80, 4)],
    2,
    privacy=[LDiversity("diagnosis", variant="distinct", l=Decimal(2))],
)


@pytest.fixture
def made():
    return global_recode(RAW, STUDY, suppression_records=3, utility="precision")


def test_what_is_right_passes(made):
    check_global_release(RAW, made)
    assert made.frame["age"].tolist() == ["[20, 30[", "[20, 30[", "*", "*", "[40, 50[", "[40, 50[", "*"]
    assert made.frame["diagnosis"].tolist() == ["flu", "cold", "*", "*", "cold", "gout", "*"]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda frame: frame.iloc[:-1], "7"),
        (lambda frame: frame.assign(age=frame["age"].astype(str).replace("[20, 30[", "[30, 40[")), "is not its label"),
        (lambda frame: frame.assign(age=frame["age"].astype(str).replace("*", "[30, 40[")), "is not its label"),
        (
            lambda frame: frame.assign(diagnosis=RAW["diagnosis"]),
            r"'diagnosis', row 3 \(4 in a spreadsheet\), was changed",
        ),
        (lambda frame: frame.assign(note="x"), r"'note', row 1 \(2 in a spreadsheet\), was changed"),
    ],
)
def test_a_spoilt_table_is_refused(made, spoil, said):
    with pytest.raises(ReleaseCheckError, match=said):
        check_global_release(RAW, replace(made, frame=spoil(made.frame)))


def test_wrong_suppression_is_refused(made):
    with pytest.raises(ReleaseCheckError, match="3 records are suppressed, more than 2"):
        check_global_release(RAW, replace(made, limit=2))
    nobody = replace(made, hidden=np.empty(0, dtype=np.int64))
    shown = made.frame.assign(
        age=["[20, 30[", "[20, 30[", "[30, 40[", "[30, 40[", "[40, 50[", "[40, 50[", "[70, 80["],
        diagnosis=RAW["diagnosis"],
    )
    with pytest.raises(ReleaseCheckError, match="is published, but its group fails"):
        check_global_release(RAW, replace(nobody, frame=shown))
    both = replace(made, hidden=np.array([0, 1, 2, 3, 6]), limit=5)
    hidden = made.frame.assign(
        age=["*", "*", "*", "*", "[40, 50[", "[40, 50[", "*"],
        diagnosis=["*", "*", "*", "*", "cold", "gout", "*"],
    )
    with pytest.raises(ReleaseCheckError, match="is suppressed, but its group passes"):
        check_global_release(RAW, replace(both, frame=hidden))


def test_equal_numbers_are_one_value():
    study = Study([Attribute("age", 0, 80, 4)], 2)
    found = global_recode(RAW, study, suppression_records=5, utility="precision", every_figure=True)
    bottom = found.lattice.iloc[0]
    assert (bottom["age"], bottom["suppressed"], bottom["classes"]) == (0, 5, 1)
    finest = global_recode(RAW.iloc[:2], study, utility="precision")
    assert finest.state == (0,)
    assert finest.frame["age"].tolist() == ["21", "21"]
    check_global_release(RAW.iloc[:2], finest)


def test_what_each_model_costs():
    whole = FullDomain(RAW, STUDY, global_recode(RAW, STUDY, suppression_records=3).criteria)
    alone, together = prices(whole, 3, "precision")
    assert [str(criterion) for criterion in alone.criteria] == ["2-anonymity"]
    assert len(together.criteria) == 2
    assert alone.loss < together.loss
    # Tens keep all but the one of 70: (6 * 1/4 + 1) / 7.
    assert alone.state == (1,)
    assert alone.loss == pytest.approx(2.5 / 7)
    assert together.loss == pytest.approx((4 / 4 + 3) / 7)


def test_a_search_can_be_ended_and_tells_how_far_it_is():
    told = []
    global_recode(RAW, STUDY, suppression_records=3, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (5, 5)
    with pytest.raises(Stopped), stoppable(lambda: True):
        global_recode(RAW, STUDY)


def test_without_a_least_size_every_state_is_looked_at():
    study = Study([Attribute("age", 0, 80, 4)], 1, privacy=[TCloseness("diagnosis", t=Decimal("0.5"))])
    found = global_recode(RAW, study, suppression_records=3)
    assert found.looks.checked == found.looks.states == 5
    assert found.looks.steps == ()


def test_presence_is_not_monotone_even_without_suppression():
    # One of two is marked at 0 and at 3, nobody at 1: as it stands that is a half in each class that shows a record.
    # In [0, 2[ it is one of twelve, and two of fourteen in all. Flash would look at [0, 2[ first and give up 0, too.
    table = pd.DataFrame({"q": [0, 0, *[1] * 10, 3, 3], "mark": ["yes", "no", *["no"] * 10, "yes", "no"]})
    half = DPresence("mark", value="yes", lower=Decimal("0.4"), upper=Decimal("0.6"))
    found = global_recode(table, Study([Attribute("q", 0, 4, 2)], 1, privacy=[half]))
    assert found.state == (0,)
    assert found.looks.anonymous.tolist() == [True, False, False]
    assert found.frame["q"].tolist() == ["0", "3"]
    check_global_release(table, found)


def test_what_an_attack_may_read():
    study = Study([Attribute("age", 0, 80, 4)], 2)
    found = global_recode(RAW, study, suppression_records=1, utility="aecs")
    same = least_loss(RAW, study, Decimal("0.15"))
    assert found.state == same.state == (1,)
    assert found.release == same.release
    for unread, why in (
        (global_recode(RAW.iloc[:2], study, utility="precision"), "raw values of 'age'"),
        (global_recode(RAW, STUDY, suppression_records=3, utility="precision"), "Models beside"),
    ):
        assert unread.release is unread.published.release is None
        assert why in unread.published.no_release


def test_raw_dates_are_shown_as_the_period_that_the_study_counts():
    # Two days of one quarter are one value; showing either for both would be false.
    raw = pd.DataFrame({"came": ["2025-01-02", "2025-02-03", "2025-05-02", "2025-06-30"]})
    study = Study([Attribute("came", date(2025, 1, 1), date(2026, 1, 1), 3, unit="quarter")], 2)
    made = global_recode(raw, study)
    check_global_release(raw, made)
    assert made.state == (0,)
    assert made.frame["came"].tolist() == ["2025-Q1", "2025-Q1", "2025-Q2", "2025-Q2"]


def test_raw_gaps_stay_gaps_that_may_be_anything():
    raw = pd.DataFrame({"age": ["21", "21", "", "", "34", "34"]})
    made = global_recode(raw, Study([Attribute("age", 0, 80, 4, missing="category")], 2))
    check_global_release(raw, made)
    assert made.frame["age"].tolist() == ["21", "21", "", "", "34", "34"]
    ends = [(extent.lower, extent.upper) for extent in made.published.extents["age"].distinct]
    assert {(21, 21), (34, 34)} < set(ends)


def test_rows_that_the_study_leaves_out_shift_no_other():
    raw = pd.DataFrame({"age": ["", "21", "21", "34", "34"], "note": list("abcde")})
    made = global_recode(raw, Study([Attribute("age", 0, 80, 4, missing="leave-out")], 2))
    check_global_release(raw, made)
    assert made.frame["age"].tolist() == ["21", "21", "34", "34"]
    with pytest.raises(ReleaseCheckError, match=r"'note', row 1 \(2 in a spreadsheet\), was changed"):
        check_global_release(raw, replace(made, frame=made.frame.assign(note=list("abcd"))))
