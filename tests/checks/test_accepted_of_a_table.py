"""Findings that somebody accepted in one table: a project keeps of which, and no other table's verdict counts them."""

import pytest

from cra_engine import Attribute, Rule, Study, StudyError
from cra_engine.checks.project import ACCEPTED, Decision, Project, about_table, accepted_in
from cra_engine.checks.signed import signed

ROLE = Decision("2026-11-22", "ward is kept")
HERE = Decision("2026-11-22", f"{ACCEPTED}5 are alone", "All was seen, decided by Ada", "mark of one")
THERE = Decision("2026-11-23", f"{ACCEPTED}27 are alone", "For a trial, decided by Ada", "mark of another")
OF_NONE = Decision("2026-11-23", f"{ACCEPTED}9 are alone", "Of a former version, decided by Ada")


def test_a_project_keeps_of_which_table_a_finding_was_accepted():
    study = Study([Attribute("age", 0, 80, layers=3)], 5)
    project = Project("people.csv", "2f1a", study, Rule(), (ROLE, HERE, THERE, OF_NONE))
    text = project.to_toml_text()
    assert Project.from_toml_text(text).decisions == project.decisions
    assert text.count("\ntable = ") == 3  # of the project itself, and of two decisions


def test_a_verdict_rests_on_what_was_accepted_in_its_own_table():
    noted = (HERE, ROLE, THERE, OF_NONE)
    assert about_table(noted, "mark of one") == [HERE, ROLE]
    assert about_table(noted, "mark of a third") == [ROLE]
    assert about_table(noted) == [ROLE]
    assert list(accepted_in(about_table(noted, "mark of another"))) == ["27 are alone"]


def test_what_was_accepted_without_a_reason_or_a_name_is_accepted_no_more():
    bare = ["", "x", "ok", "We agreed", "1 2 3"]
    whys = [*bare, "All was seen.", "All was seen, decided by A", "All was seen, decided by "]
    whys += [f"{one}, decided by Ada" for one in bare]
    assert not accepted_in([Decision("2026-11-22", f"{ACCEPTED}5 are alone", why, "mark") for why in whys])
    assert signed(" All was seen. ", " Ada ") == "All was seen, decided by Ada"
    for why in bare:
        with pytest.raises(StudyError, match="A reason is a sentence of at least three words"):
            signed(why, "Ada")
    for who in ("", " ", "A"):
        with pytest.raises(StudyError, match="A reason is filed with the name of who gives it"):
            signed("All was seen.", who)
