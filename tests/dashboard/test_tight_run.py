"""The tight attack as the pages run it: what is new in it, and that it can be stopped."""

import ast
import threading

import pytest
from cases import attacked
from certain import FRAME, NEWLY, STUDY, TOGETHER

from cra_dashboard.panels import tight_run
from cra_dashboard.places import ROOT
from cra_dashboard.session import state
from cra_dashboard.session.job import Job
from cra_engine import recode
from cra_engine.raw.synthesis import synthesize

LONG = 600.0


def test_what_is_new_by_hand():
    found = tight_run.compute(recode(FRAME, STUDY).release, LONG, lambda: False, state.Weighing("distinct"))
    assert found.tight.worlds == TOGETHER
    assert found.newly == NEWLY
    assert next(iter(found.newly)) == (3, 3)  # one person comes first
    assert found.known == {}


def test_what_a_class_tells_by_itself_is_not_new():
    # State (2, 2) goes first and nothing before it cuts across class 1 and the suppressed record.
    found = tight_run.compute(attacked().release, LONG, lambda: False)
    assert found.newly == {}


@pytest.mark.parametrize("kind", ["clinic", "hospitals"])
def test_a_long_run_ends_when_it_is_cancelled(kind):
    made = synthesize(kind)
    release = recode(made.data, made.study).release
    well_into_it, told = threading.Event(), threading.Event()

    def asked(cancelled):
        """Whether it was cancelled; from the 50th question on it waits until it was."""
        asked.times += 1
        if asked.times == 50:
            well_into_it.set()
            assert told.wait(LONG)
        return cancelled()

    asked.times = 0
    job = Job(lambda cancelled: tight_run.compute(release, LONG, lambda: asked(cancelled)))
    assert well_into_it.wait(LONG)
    job.cancel()
    told.set()
    assert job.wait(LONG)
    assert job.cancelled
    assert job.result.tight.status in {"timeout", "estimate"}  # enough may have been drawn by then


def test_only_small_releases_start_by_themselves():
    assert tight_run.small(attacked().release)
    made = synthesize("clinic")
    assert not tight_run.small(recode(made.data, made.study).release)


def test_the_attack_on_all_classes_together_is_called_in_one_place():
    places = [ROOT / "app.py", *ROOT.glob("pages/*.py"), *ROOT.glob("cra_dashboard/**/*.py")]
    calls = [
        place.relative_to(ROOT).as_posix()
        for place in places
        for node in ast.walk(ast.parse(place.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "tight_attack"
    ]
    assert calls == ["cra_dashboard/session/attacks.py"]
