"""Findings that somebody accepted in one table: a project keeps of which, and no other table's verdict counts them."""

from cra_engine import Attribute, Rule, Study
from cra_engine.checks.project import ACCEPTED, Decision, Project, about_table, accepted_in

ROLE = Decision("2026-11-22", "ward is kept")
HERE = Decision("2026-11-22", f"{ACCEPTED}5 are alone", "Seen.", "mark of one")
THERE = Decision("2026-11-23", f"{ACCEPTED}27 are alone", "A trial.", "mark of another")
OF_NONE = Decision("2026-11-23", f"{ACCEPTED}9 are alone", "Of a former version.")


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
