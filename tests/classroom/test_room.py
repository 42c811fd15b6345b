"""A class in memory: who sees what when, nobody counted twice, nothing left of it afterwards."""

import gc
import re
import weakref
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given, settings
from hypothesis import strategies as st

from cra_dashboard.classroom.room import (
    ALPHABET,
    ANSWERED,
    ASKED,
    AWAY,
    FORGOTTEN,
    GUESSED,
    LETTERS,
    MOST_ROOMS,
    MOST_SEATS,
    Question,
    Room,
    Rooms,
)
from cra_dashboard.lessons.argument import argument
from cra_dashboard.lessons.story.steps import class_questions, steps

QUESTIONS = [
    Question(
        {"title": f"title {n}", "ask": f"ask {n}"},
        {"found": f"found {n}"},
        frozenset("abc"),
        frozenset("a" if n % 2 else "bc"),
        {"a": f"not a in {n}"},
    )
    for n in range(3)
]


def begun():
    """A room whose first question is asked."""
    room = Room(QUESTIONS)
    assert room.steer(0, ASKED)
    return room


def test_nothing_is_asked_before_the_lecturer_asks():
    room = Room(QUESTIONS)
    seat = room.join()
    assert room.shown(seat) == {"stamp": 1, "step": None, "open": False, "own": None}
    assert not room.guess(seat, 0, "a")
    assert (room.watched()["step"], room.watched()["guessed"]) == (None, 0)


def test_a_question_that_is_asked_alone_comes_back_with_its_guesses():
    room = begun()
    seat = room.join()
    room.guess(seat, 0, "a")
    room.rest()  # the lecturer's own screen leads here
    assert room.shown(seat)["step"] == 0
    made = []

    def make():
        made.append(1)
        return QUESTIONS[1]

    at = room.ask("one", make)
    stamp, version = room.stamp(seat), room.version
    assert (at, room.ask("one", make), made) == (3, 3, [1])
    assert (room.stamp(seat), room.version) == (stamp, version)  # asked again, nothing is new
    assert room.guess(seat, at, "b")
    assert room.ask("other", lambda: QUESTIONS[2]) == 4
    assert room.shown(seat)["own"] is None
    assert room.ask("one", make, ANSWERED) == 3
    assert room.ask("one", make) == 3
    assert room.shown(seat) | {"stamp": 0} == {
        "stamp": 0, "step": 3, "open": False, "own": "b", "found": "found 1", "right": ["a"], "against": "",
    }  # fmt: skip
    assert room.watched()["score"] == [None, None, None, [0, 1], None]
    assert room.watched()["titles"][3] == "title 1"
    room.rest()
    assert room.shown(seat)["step"] is None


def test_a_guess_counts_once_and_is_hidden_until_it_is_shown():
    room = begun()
    one, other = room.join(), room.join()
    assert room.guess(one, 0, "a")
    assert not room.guess(one, 0, "b")
    assert not room.guess(other, 0, "z")
    assert not room.guess(other, 1, "a")
    assert room.watched() | {"version": 0} == {
        "version": 0,
        "step": 0,
        "stage": ASKED,
        "joined": 2,
        "guessed": 1,
        "dots": {},
        "score": [None, None, None],
        "titles": ["title 0", "title 1", "title 2"],
    }
    assert room.steer(0, GUESSED)
    assert room.watched()["dots"] == {"a": 1}
    assert not room.guess(other, 0, "b")  # who saw the others' guesses guesses no more
    assert room.steer(0, ANSWERED)
    assert room.watched()["score"] == [[0, 1], None, None]


def test_a_telephone_that_left_counts_no_more_unless_its_guess_is_in():
    clock = [0.0]
    room = Room(QUESTIONS, lambda: clock[0])
    room.steer(0, ASKED)
    stays, left, guessed = (room.join() for _ in range(3))
    room.guess(guessed, 0, "a")
    with room.listens(stays):
        clock[0] = AWAY
        assert room.joined() == 3
        clock[0] = AWAY + 1
        assert (room.watched()["joined"], room.watched()["guessed"]) == (2, 1)
        room.steer(1, ASKED)
        assert room.joined() == 1
    with room.listens(left):  # back again
        assert room.joined() == 2
    clock[0] = 2 * AWAY + 2
    assert room.joined() == 0


def test_a_telephone_gets_the_answer_only_when_the_class_does():
    room = begun()
    seat, other = room.join(), room.join()
    assert room.shown(seat) == {
        "stamp": 2, "step": 0, "open": True, "own": None, "title": "title 0", "ask": "ask 0",
    }  # fmt: skip
    room.guess(seat, 0, "c")
    room.guess(other, 0, "a")
    room.steer(0, GUESSED)
    assert "right" not in room.shown(seat)
    room.steer(0, ANSWERED)
    assert room.shown(seat) | {"stamp": 0} == {
        "stamp": 0, "step": 0, "open": False, "own": "c", "found": "found 0", "right": ["b", "c"], "against": "",
    }  # fmt: skip
    assert room.shown(other)["against"] == "not a in 0"


def test_who_comes_late_or_back_comes_to_the_same_step_with_its_own_guess():
    room = begun()
    early = room.join()
    room.guess(early, 0, "a")
    room.steer(0, ANSWERED)
    room.steer(1, ASKED)
    late = room.join()
    assert room.shown(late)["step"] == room.shown(early)["step"] == 1
    room.steer(0, ASKED)  # the lecturer goes back: what was shown stays shown
    assert room.shown(early)["own"] == "a"
    assert not room.guess(late, 0, "b")
    assert room.watched()["stage"] == ANSWERED


def test_the_stamp_changes_with_what_one_sees_and_not_with_the_guesses_of_others():
    room = begun()
    one, other = room.join(), room.join()
    stamp = room.stamp(one)
    room.guess(other, 0, "a")
    assert room.stamp(one) == stamp
    stamps = {stamp}
    room.guess(one, 0, "a")
    stamps.add(room.stamp(one))
    for step in range(3):
        for stage in (ASKED, GUESSED, ANSWERED):
            room.steer(step, stage)
            stamps.add(room.stamp(one))
    assert len(stamps) == 1 + 9  # step 0, asked, before and after the guess; all others once
    assert 0 not in stamps


ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("join")),
        st.tuples(st.just("guess"), st.integers(0, 8), st.integers(-1, 3), st.sampled_from("abcz")),
        st.tuples(st.just("steer"), st.integers(-1, 3), st.integers(-1, 3)),
    ),
    max_size=60,
)


@given(ACTS)
@settings(max_examples=300)
def test_counts_are_those_of_the_guesses_that_were_taken(acts):
    room, seats, taken = begun(), [], {}
    for what, *how in acts:
        if what == "join":
            seats.append(room.join())
        elif what == "steer":
            room.steer(*how)
        elif how[0] < len(seats):
            seat, step, choice = seats[how[0]], how[1], how[2]
            if room.guess(seat, step, choice):
                assert (seat, step) not in taken
                taken[seat, step] = choice
    for step in range(3):
        room.steer(step, ANSWERED)
        told = room.watched()
        own = [choice for (_, at), choice in taken.items() if at == step]
        assert told["dots"] == {choice: own.count(choice) for choice in set(own)}
        assert told["guessed"] == len(own)
        assert told["score"][step] == [sum(choice in QUESTIONS[step].right for choice in own), len(own)]


def test_many_at_once_are_each_counted_once():
    room = begun()
    with ThreadPoolExecutor(16) as pool:
        seats = list(pool.map(lambda _: room.join(), range(MOST_SEATS + 20)))
        assert sum(seat is None for seat in seats) == 20
        taken = list(pool.map(lambda seat: room.guess(seat, 0, "a"), [seat for seat in seats if seat] * 3))
    assert sum(taken) == MOST_SEATS == room.watched()["guessed"]


def test_rooms_end_when_they_are_closed_or_the_lecturer_is_gone():
    rooms = Rooms()
    room = rooms.open(QUESTIONS)
    seat = room.join()
    assert re.fullmatch(f"[{ALPHABET}]{{{LETTERS}}}", room.code)
    assert rooms.of_code(room.code) is rooms.of_seat(seat) is rooms.of_key(room.key) is room
    assert rooms.of_code("") is rooms.of_seat("") is rooms.of_key("") is rooms.of_key("é") is None
    rooms.close(room)
    assert rooms.of_code(room.code) is rooms.of_seat(seat) is rooms.of_key(room.key) is None
    there = weakref.ref(room)
    del room
    gc.collect()
    assert there() is None

    clock = [0.0]
    left = Room(QUESTIONS, lambda: clock[0])
    clock[0] = FORGOTTEN - 1
    assert not left.forgotten
    left.watched()
    clock[0] = 2 * FORGOTTEN - 2
    assert not left.forgotten
    clock[0] = 2 * FORGOTTEN
    assert left.forgotten


def test_there_are_so_many_rooms_and_no_more():
    rooms = Rooms()
    opened = [rooms.open(QUESTIONS) for _ in range(MOST_ROOMS + 1)]
    assert opened[-1] is None
    assert len({room.code for room in opened[:-1]}) == MOST_ROOMS


def test_the_storys_questions_give_no_answer_away_before_it_is_shown():
    shown = argument()
    found = class_questions(shown)
    assert len(found) == len(steps())
    for question, step in zip(found, steps(), strict=True):
        assert question.right <= question.choices
        assert set(question.asked) == {"count", "title", "text", "ask", "picture"}
        assert question.told["found"] not in str(question.asked)
        drawn = set(re.findall(r'data-layer="([^"]+)"', question.asked["picture"])) - {"choices"}
        assert drawn == set(step.before)
        assert set(re.findall(r'data-layer="([^"]+)"', question.told["picture"])) - {"choices"} == set(step.after)
