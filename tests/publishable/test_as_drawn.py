"""What is said of a table that chance drew otherwise than the search saw it."""

from types import SimpleNamespace

from cra_engine.checks.project import Decision, Project
from cra_engine.checks.rule import Rule
from cra_engine.publishable.archive import as_drawn
from cra_engine.raw.synthesis import synthetic_study


def outcome(suppressed):
    return SimpleNamespace(label="age hidden, 4 rows", suppressed=suppressed, checked=SimpleNamespace(records=1200))


def test_other_rows_suppressed_are_told_and_stand_in_the_settings():
    found = Project("p.csv", "0" * 64, synthetic_study("toy", 2, 3), Rule(3), (Decision("2026-01-02", "age hidden"),))
    assert as_drawn(outcome(4), outcome(4), found) == ("age hidden, 4 rows", found)
    label, settings = as_drawn(outcome(4), outcome(1008), found)
    said = "as drawn by chance for handing out, 1,008 of 1,200 rows suppressed, not 4"
    assert label == f"age hidden, 4 rows; {said}"
    assert settings.decisions == (*found.decisions, Decision("2026-01-02", said))
