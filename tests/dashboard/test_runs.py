"""Runs beside the page: what a cancelled one may still hand over, and that one of a kind goes on at a time."""

import threading
import time

import pytest
from streamlit.testing.v1 import AppTest

from cra_dashboard.session import runs
from cra_dashboard.session.job import Job, Progress
from cra_dashboard.session.runs import Runs
from cra_dashboard.session.turns import CALCULATIONS
from cra_engine import CRAError
from cra_engine.patience import Stopped, checkpoint


def page(runs, compute, key, soon):
    """A page with one kind of run, started at its first look."""
    import streamlit as st  # noqa: PLC0415 - the page runs without what stands around it

    if "begun" not in st.session_state:
        st.session_state["begun"] = True
        runs.start(key, compute, 60.0, soon=soon)
    job = runs.job(key)
    if job is None:
        st.markdown("cancelled" if runs.cancelled(key) else "none")
    elif runs.ended(job, key):
        st.markdown(f"result {job.result}")


def opened(runs: Runs, compute, key: str = "a", *, soon: bool = False) -> AppTest:
    return AppTest.from_function(page, args=(runs, compute, key, soon), default_timeout=300).run()


def texts(app: AppTest) -> list[str]:
    assert not app.exception
    return [element.value for element in app.markdown]


def looked_until(app: AppTest, text: str) -> AppTest:
    for _ in range(6000):
        if texts(app) == [text]:
            return app
        time.sleep(0.05)
        app.run()
    raise AssertionError(texts(app))


@pytest.fixture
def gate():
    """What a computation waits for that does not listen; opened in the end, so that no thread stays."""
    gate = threading.Event()
    yield gate
    gate.set()


def waits_for(gate):
    return lambda _: gate.wait(300) and "late"


def hands_over(cancelled):
    while not cancelled():
        time.sleep(0.01)
    return "half"


def test_a_run_is_shown_until_it_has_ended(gate):
    app = opened(Runs("kind", told=lambda job: f"at most {job.limit:.0f} s"), waits_for(gate))
    assert texts(app) == ["at most 60 s"]
    assert [button.label for button in app.button] == ["Cancel"]
    gate.set()
    assert looked_until(app, "result late")
    assert not app.button


def test_a_run_without_patience_is_forgotten_at_once(gate):
    app = opened(Runs("kind"), waits_for(gate))
    app.button[0].click().run()
    assert texts(app) == ["cancelled"]


def test_a_run_with_patience_hands_over_what_it_has():
    app = opened(Runs("kind", stop="Stop", patience=60.0), hands_over)
    app.button[0].click().run()
    looked_until(app, "result half")


def test_what_is_soon_over_waits_for_nothing_that_takes_long(gate):
    long = [Job(waits_for(gate)) for _ in range(CALCULATIONS.places)]
    looked_until(opened(Runs("kind"), lambda _: "here", soon=True), "result here")
    assert not any(job.done for job in long)


def test_patience_ends(gate):
    app = opened(Runs("kind", patience=0.01), waits_for(gate))
    app.button[0].click().run()  # waits a moment for the end, which is longer than the patience
    looked_until(app, "cancelled")


def test_an_error_is_a_sentence_that_formats_nothing():
    def fails(_):
        raise ValueError("row 7: Ada")

    app = opened(Runs("kind"), fails)
    assert texts(app) == ["result None"]
    assert [error.value for error in app.error] == [
        "The calculation broke off (ValueError); this is a fault of the program."
    ]


def offering(runs, compute):
    """A page with a run that somebody has to ask for."""
    import streamlit as st  # noqa: PLC0415 - the page runs without what stands around it

    from cra_engine import CRAError  # noqa: PLC0415

    try:
        st.markdown(f"result {runs.offered('a', compute, 'It takes a while.', 'Begin')}")
    except CRAError as error:
        st.error(str(error))


def offered(compute) -> AppTest:
    runs = Runs("kind", told=lambda job: f"{job.progress.done} of {job.progress.total}")
    return AppTest.from_function(offering, args=(runs, compute), default_timeout=300).run()


def test_what_takes_long_is_offered_and_its_progress_shown(gate):
    def counts(progress):
        progress.tell(3, 4)
        gate.wait(300)
        return "there"

    app = offered(counts)
    assert texts(app) == ["It takes a while."]
    app.button(key="kind-start").click().run()
    looked_until(app, "3 of 4")
    assert app.get("progress")[0].proto.value == 75
    gate.set()
    looked_until(app, "result there")


def test_what_goes_wrong_is_raised_where_the_result_is_wanted():
    def refuses(_):
        raise CRAError("Two columns have one name.")

    app = offered(refuses)
    app.button(key="kind-start").click().run()
    assert [error.value for error in app.error] == ["Two columns have one name."]
    assert texts(app) == []


def test_a_cancelled_run_without_patience_ends_at_its_next_checkpoint(gate):
    ended = threading.Event()

    def looks(_):
        try:
            while not gate.is_set():
                checkpoint()
                time.sleep(0.01)
        except Stopped:
            ended.set()
            raise

    app = opened(Runs("kind"), looks)
    app.button[0].click().run()
    assert ended.wait(60)
    assert texts(app) == ["cancelled"]


def test_the_bar_is_full_at_no_time_before_the_end(gate):
    """Neither when its time is over, nor when it has told of all that there is."""
    jobs = [Job(lambda _: gate.wait(300), limit=1e-9), Job(lambda _: gate.wait(300), progress=Progress(7, 7))]
    assert [runs._share(job) < 1 for job in jobs] == [True, True]
