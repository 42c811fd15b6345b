"""Whoever publishes from Python is told of columns that name people, as on the command line."""

import pandas as pd
import pytest

from cra_engine import Attribute, Roles, Study, global_recode, minimal_release, recode, safe_recode

MAILS = [f"patient{number}@example.org" for number in range(24)]
TABLE = pd.DataFrame({"age": [20 + number % 12 for number in range(24)], "mail": MAILS, "ward": list("AB") * 12})
STUDY = Study([Attribute("age", 16, 48, layers=3)], k=3)
WAYS = [
    lambda data, study: recode(data, study).undecided,
    lambda data, study: safe_recode(data, study, 1, seed=1).undecided,
    lambda data, study: global_recode(data, study).warnings,
    lambda data, study: minimal_release(data, study).warnings,
]


@pytest.mark.parametrize("told_by", WAYS)
def test_a_column_that_names_people_is_told_until_somebody_decides(told_by):
    (told,) = told_by(TABLE, STUDY)
    assert "'mail' is published and says who somebody is: its cells are e-mail addresses" in told
    assert told_by(TABLE, STUDY.with_roles(Roles(remove=["mail"]))) == ()
    assert told_by(TABLE, STUDY.with_roles(Roles(keep=["mail"]))) == ()
    assert told_by(TABLE[["age", "ward"]], STUDY) == ()


def test_what_nobody_decided_about_is_told_apart():
    made = recode(TABLE, STUDY)
    assert made.undecided
    assert made.published.notes == made.warnings == ()
