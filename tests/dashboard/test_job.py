"""Computations in the background: they end, they can be ended, and nothing they do reaches a person as a traceback."""

import gc
import threading
import time

from cra_dashboard.session.job import Job
from cra_engine import CRAError

LONG = 300  # seconds that nothing here takes


def until_cancelled(ended):
    """A computation that goes on until it is told to end."""

    def compute(cancelled):
        while not cancelled():
            time.sleep(0.01)
        ended.set()
        return "what there was"

    return compute


def test_a_job_delivers_its_result():
    job = Job(lambda _: 6 * 7)
    assert job.wait(LONG)
    assert job.done
    assert (job.result, job.error, job.cancelled) == (42, "", False)
    assert job.elapsed == job.elapsed  # the clock stands still once it has ended


def test_a_cancelled_job_ends_and_hands_over_what_it_has():
    ended = threading.Event()
    job = Job(until_cancelled(ended))
    assert not job.done
    job.cancel()
    assert job.wait(LONG)
    assert ended.is_set()
    assert job.cancelled
    assert job.result == "what there was"


def test_cancelling_after_the_end_changes_nothing():
    job = Job(lambda _: 1)
    assert job.wait(LONG)
    job.cancel()
    assert not job.cancelled
    assert job.stopping == 0


def test_a_foreseen_failure_is_its_sentence():
    def compute(_):
        raise CRAError("The grid is too large.")

    job = Job(compute)
    assert job.wait(LONG)
    assert (job.result, job.error) == (None, "The grid is too large.")


def test_any_other_failure_is_a_sentence_that_quotes_nothing():
    def compute(_):
        raise ValueError("row 7: Ada, 34")

    job = Job(compute)
    assert job.wait(LONG)
    assert "ValueError" in job.error
    assert "Ada" not in job.error


def test_a_job_that_nobody_holds_ends():
    ended = threading.Event()
    job = Job(until_cancelled(ended))
    assert not ended.wait(0.05)
    del job
    gc.collect()
    assert ended.wait(LONG)


def test_a_job_ends_when_its_session_has_gone():
    ended, here = threading.Event(), threading.Event()
    here.set()
    job = Job(until_cancelled(ended), here.is_set)
    assert not ended.wait(0.05)
    here.clear()
    assert job.wait(LONG)
    assert ended.is_set()


def test_no_job_keeps_the_program_running():
    stop = threading.Event()
    before = set(threading.enumerate())
    job = Job(lambda _: stop.wait(LONG))
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon
    stop.set()
    assert job.wait(LONG)
