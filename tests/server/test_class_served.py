"""A class over HTTP: everybody's guess arrives once, strangers get nothing, and nothing of it is left."""

import random
import statistics
import threading
import time
from contextlib import contextmanager

import pytest

from participants import KEPT, a_class, a_class_server, asked
from talk import Talk


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with a_class_server(tmp_path_factory.mktemp("class")) as found:
        yield found


def nothing_is_left(served, people, room):
    """Neither the log nor any file of the process's home or temporary folder knows a code, a seat, a key or a guess."""
    secret = [room["code"], room["key"], *(person.seat for person in people), "data-choice", '"choice"']
    for path in served.home.rglob("*"):
        if path.is_file():
            text = path.read_bytes().decode(errors="replace")
            assert not [one for one in secret if one in text], path


def test_a_class_guesses_and_nothing_is_lost_or_counted_twice(served):
    people, delays, room = a_class(served.telephones, served.dashboard, people=12, steps=3, think=0.3)
    assert [person.wrong for person in people if person.wrong] == []
    assert len(delays) == 11 + 12 + 12
    nothing_is_left(served, people, room)
    # Closed: neither a seat nor the key nor the code opens anything.
    assert asked(served.telephones, "GET", "/now", {"x-seat": people[0].seat})[0] == 404
    assert asked(served.dashboard, "GET", "/class/watch", {"x-key": room["key"]})[0] == 404
    assert asked(served.telephones, "POST", "/join", body={"code": room["code"]})[0] == 404


def test_a_stranger_gets_nothing(served):
    room = asked(served.dashboard, "POST", "/class/open", {"x-class": "open"})[1]
    page = asked(served.telephones, "GET", "/")[1]
    assert "data-choice=" not in page
    assert room["code"] not in page
    for method, path, headers, body in (
        ("GET", "/now", {}, None),
        ("GET", "/now", {"x-seat": room["code"]}, None),
        ("POST", "/guess", {"x-seat": ""}, {"step": 0, "choice": "c0.0"}),
        ("POST", "/join", {}, {"code": ""}),
        ("POST", "/join", {}, {"code": room["code"][:-1]}),
        # What only the lecturer's screen may ask is not even there for telephones.
        ("POST", "/open", {"x-class": "open"}, None),
        ("GET", "/watch", {"x-key": room["key"]}, None),
        ("POST", "/steer", {"x-key": room["key"]}, {"at": 1, "stage": 0}),
        ("POST", "/close", {"x-key": room["key"]}, None),
        ("GET", "/class/watch", {"x-key": room["key"]}, None),
        ("GET", "/_stcore/health", {}, None),
        ("GET", "/story", {}, None),
    ):
        status, told = asked(served.telephones, method, path, headers, body)
        assert status in (404, 405), (path, status)
        assert room["key"] not in str(told)
    # The dashboard itself answers to this machine's names alone, and opens a class for no page of another site.
    assert asked(served.dashboard, "POST", "/class/open", {"x-class": "open", "host": "evil.example"})[0] == 403
    assert asked(served.dashboard, "POST", "/class/open")[0] == 403
    assert asked(served.dashboard, "POST", "/class/steer", {"x-key": "-"}, {"at": 1, "stage": 0})[0] == 404


@pytest.mark.parametrize(
    "body", ["x", [], {"step": "0", "choice": 1}, {"step": 0, "choice": "c" * 600}, {"step": 99, "choice": "c0.0"}]
)
def test_what_makes_no_sense_is_refused(served, body):
    room = asked(served.dashboard, "POST", "/class/open", {"x-class": "open"})[1]
    seat = asked(served.telephones, "POST", "/join", body={"code": f" {room['code'].lower()} "})[1]["seat"]
    assert asked(served.telephones, "POST", "/guess", {"x-seat": seat}, body)[0] in (400, 409, 413)
    told = asked(served.dashboard, "GET", "/class/watch", {"x-key": room["key"], "x-seen": "0"})[1]
    assert (told["joined"], told["guessed"]) == (1, 0)
    asked(served.dashboard, "POST", "/class/close", {"x-key": room["key"]})


def test_without_the_option_no_class_is_served(dashboard):
    assert asked(dashboard.url, "POST", "/class/open", {"x-class": "open"})[0] in (404, 405)
    assert "Class:" not in dashboard.printed


PAGES = ("Hierarchies", "Recode", "Attack")


@contextmanager
def working(url, number, pause):
    """So many who work on the pages meanwhile, each in a session, with a click every so many seconds on average."""
    over, clicks, failed = threading.Event(), [], []

    def work(place):
        draw = random.Random(place)
        try:
            with Talk(url) as talk:
                talk.query = "example=toy"
                talk.run()
                for page in PAGES:
                    talk.open(page)
                while not over.wait(draw.uniform(0.5, 1.5) * pause):
                    options, began = talk.find("selectbox", "Class").options, time.monotonic()
                    talk.choose("selectbox", "Class", draw.choice(options))
                    clicks.append(time.monotonic() - began)
                if talk.failed:
                    failed.append(f"{place}: a page broke off")
        except Exception as error:  # noqa: BLE001 - told below
            failed.append(f"{place}: {type(error).__name__}: {error}")

    threads = [threading.Thread(target=work, args=(place,)) for place in range(number)]
    for thread in threads:
        thread.start()
    while len(clicks) < number and not failed:  # all have come as far as the attack, and have clicked there
        time.sleep(0.2)
    clicks.clear()
    try:
        yield clicks
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert failed == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("workers", [0, 30])
def test_a_hundred_and_twenty_telephones_over_five_steps(tmp_path, workers):
    with a_class_server(tmp_path) as served:
        with working(served.dashboard, min(workers, 4), 0.5):  # what is loaded once
            a_class(served.telephones, served.dashboard, people=12, steps=5, think=0.1)
        time.sleep(KEPT + 3)
        before = served.memory
        with working(served.dashboard, workers, 10) as clicks:
            people, delays, room = a_class(served.telephones, served.dashboard, people=120, steps=5, think=5)
            clicked = sorted(clicks)
        time.sleep(KEPT + 3 if workers else 0)
        left = served.memory - before
        late = sorted(delays)[int(0.95 * len(delays))]
        said = f"median {statistics.median(delays):.2f} s, p95 {late:.2f} s, most {max(delays):.2f} s"
        print(f"{len(delays)} guesses on the lecturer's screen: {said}; memory kept {left / 1e6:.1f} MB")  # noqa: T201
        if clicked:
            print(f"beside {len(clicked)} clicks of {workers} who work: median {statistics.median(clicked):.2f} s")  # noqa: T201
        assert [person.wrong for person in people if person.wrong] == []
        assert len(delays) == 108 + 4 * 120
        assert statistics.median(delays) < 1
        assert left < 20e6 + workers * 1e6  # what thirty sessions leave is measured elsewhere
        nothing_is_left(served, people, room)
