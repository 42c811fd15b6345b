"""Heavy work takes turns: never more at a time than there are places, first come, first served."""

import os
import threading
import time

import pytest

from cra_dashboard.session.job import Job
from cra_dashboard.session.turns import CALCULATIONS, Turns, places_on, waiting_text

PATIENCE = 300.0  # seconds until a wait gives up


def until(holds):
    """Wait until something holds, for a generous while."""
    give_up = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < give_up:
        time.sleep(0.01)
    assert holds()


@pytest.mark.parametrize("places", [1, 2])
def test_12_no_more_calculations_at_a_time_than_places(places):
    turns, lock, working, most = Turns(places), threading.Lock(), [0], []

    def compute(_):
        with lock:
            working[0] += 1
            most.append(working[0])
        time.sleep(0.02)
        with lock:
            working[0] -= 1

    jobs = [Job(compute, turns=turns) for _ in range(8)]
    until(lambda: all(job.done for job in jobs))
    assert max(most) == places
    assert not any(job.error for job in jobs)


def test_12_who_waits_sees_the_place_and_comes_first_who_came_first():
    turns, go, order = Turns(1), threading.Event(), []
    first = Job(lambda _: go.wait(PATIENCE), turns=turns)
    until(lambda: len(turns._busy) == 1)
    others = []
    for name in "abc":
        others.append(Job(lambda _, name=name: order.append(name), turns=turns))
        until(lambda: others[-1].ahead == len(others))
    assert first.ahead == 0
    # Its time begins with its turn: while it waits, the beginning moves on.
    begun = [job._started for job in others]
    until(lambda: all(job._started > then for job, then in zip(others, begun, strict=True)))
    go.set()
    until(lambda: all(job.done for job in others))
    assert order == ["a", "b", "c"]
    assert [job.ahead for job in others] == [0, 0, 0]


def test_12_who_goes_keeps_nobody_waiting():
    turns, go = Turns(1), threading.Event()
    first = Job(lambda _: go.wait(PATIENCE), turns=turns)
    until(lambda: len(turns._busy) == 1)
    gone, stays = Job(lambda cancelled: cancelled(), turns=turns), Job(lambda _: "mine", turns=turns)
    until(lambda: stays.ahead == 2)
    gone.cancel()
    until(lambda: gone.done)
    assert gone.result is True
    until(lambda: stays.ahead == 1)
    go.set()
    until(lambda: first.done and stays.done)
    assert stays.result == "mine"


def test_12_a_failure_gives_its_place_back():
    turns = Turns(1)
    broken = Job(lambda _: 1 / 0, turns=turns)
    until(lambda: broken.done)
    assert "ZeroDivisionError" in broken.error
    with pytest.raises(KeyError), turns.turn():
        raise KeyError
    with turns.turn():
        pass
    assert (turns._busy, turns._line) == ([], [])


def test_12_a_core_is_left_to_who_only_clicks():
    assert [places_on(cores) for cores in (None, 1, 2, 3, 8)] == [1, 1, 1, 2, 7]
    assert CALCULATIONS.places == places_on(os.cpu_count())
    assert waiting_text(1, 1).endswith("1 calculation that you began before has to end first.")
    assert waiting_text(3).endswith("3 calculations of somebody else or another window have to end first.")
    assert waiting_text(3, 1).endswith("3 calculations begun before, 1 of them your own, have to end first.")


def test_who_waits_is_told_how_many_are_their_own():
    turns, go = Turns(1), threading.Event()
    first = Job(lambda _: go.wait(PATIENCE), turns=turns, whose="me")
    until(lambda: len(turns._busy) == 1)
    other = Job(lambda _: None, turns=turns, whose="you")
    until(lambda: other.ahead == 1)
    mine = Job(lambda _: None, turns=turns, whose="me")
    until(lambda: mine.ahead == 2)
    assert (other.own, mine.own) == (0, 1)
    go.set()
    until(lambda: first.done and other.done and mine.done)
