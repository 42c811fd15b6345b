"""Questions of the page: what makes no sense is refused, what is asked twice is known, challenges are judged."""

import json
from functools import partial

import pytest

from cra_dashboard.playground import answers as room
from cra_dashboard.playground.answers import FAILED, KEPT, NOT_UNDERSTOOD, Answers
from cra_dashboard.playground.challenges import challenges, toy
from cra_dashboard.playground.outcome import outcome_of


@pytest.fixture
def held(monkeypatch):
    # However slow the machine is.
    monkeypatch.setattr(room, "outcome_of", partial(outcome_of, patience=600))
    tasks = challenges(toy())
    return Answers({task.base.name: task.base for task in tasks}, tasks)


def ask(held, scene, **more):
    return held.answer({"id": 1, "scene": scene, **more})


def test_answers_are_plain_and_repeat_the_question(held):
    answer = ask(held, "toy-k3", ask=["toy-k3", "toy-k3-m0.1"], why=0, steps=7)
    assert json.loads(json.dumps(answer)) == answer
    assert answer["id"] == 1
    assert set(answer["outcomes"]) == {"toy-k3", "toy-k3-m0.1"}
    assert answer["why"]["of"] == 0
    assert answer["steps"]["of"] == 7


@pytest.mark.parametrize(
    "asked",
    [
        None,
        [],
        "toy-k3",
        {},
        {"id": 1},
        {"id": "1", "scene": "toy-k3"},
        {"id": -1, "scene": "toy-k3"},
        {"id": 1, "scene": "../../etc"},
        {"id": 1, "scene": "toy-k3", "ask": ["toy-k3"] * 7},
        {"id": 1, "scene": "toy-k3", "ask": [7]},
        {"id": 1, "scene": "toy-k3", "why": 64},
        {"id": 1, "scene": "toy-k3", "why": True},
        {"id": 1, "scene": "toy-k3", "steps": -3},
        {"id": 1, "scene": "toy-k3", "check": "x" * 21},
        {"id": 1, "scene": "toy-k3", "more": 1},
        {"id": 1, "scene": "a" * 8001},
        {"id": 1, "scene": "toy-k3", "panel": "<b>"},
    ],
)
def test_a_question_without_sense_gets_one_sentence(held, asked):
    assert held.answer(asked)["error"] == NOT_UNDERSTOOD


def test_scenes_without_sense_get_a_sentence_each(held):
    answer = ask(held, "toy-k3", ask=["toy-k77", "none-k3", "toy-k40", "toy-k3"])
    texts = [answer["outcomes"][text].get("error", "") for text in ("toy-k77", "none-k3", "toy-k40", "toy-k3")]
    assert all(texts[:3])
    assert not texts[3]
    assert "no table" in ask(held, "none-k3", why=0)["why"]["error"]
    assert "not there" in ask(held, "toy-k3", steps=30)["steps"]["error"]
    assert ask(held, "toy-k3", why=40)["why"]["error"] == NOT_UNDERSTOOD
    assert ask(held, "toy-k3", check="none")["check"]["error"] == NOT_UNDERSTOOD


def test_a_failure_is_one_sentence_and_quotes_nothing(held, monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("row 7: Mrs Canary")

    monkeypatch.setattr(room, "outcome_of", fail)
    answer = ask(held, "toy-k3", ask=["toy-k3"])
    assert answer["error"] == FAILED
    assert "Canary" not in json.dumps(answer) + caplog.text


def test_what_is_known_is_not_computed_again_and_does_not_grow_for_ever(held, monkeypatch):
    calls = []
    monkeypatch.setattr(room, "outcome_of", lambda _, scene: calls.append(scene.text) or held)
    first = held.outcome("toy-k3")
    assert held.outcome("toy-k3") is first
    for number in range(KEPT + 20):
        held.outcome(f"toy-k3-a{number % 16}-a{number // 16}")
    assert len(held._known) == KEPT
    held.outcome("toy-k3")
    assert calls.count("toy-k3") == 2
    held.forget("toy")
    assert not held._known


def verdict(held, key, scene):
    return ask(held, scene, check=key)["check"]


def test_no_challenge_is_solved_by_doing_nothing(held):
    for challenge in held.challenges.values():
        told = verdict(held, challenge.key, challenge.start.text)
        assert told["done"] is False
        assert told["text"] == "Nothing has changed yet."
        outcome = held.outcome(challenge.start.text)
        assert not challenge.judge(challenge, outcome, held._outcome).solved
    assert held.solved == []


@pytest.mark.parametrize(
    ("key", "scene", "said"),
    [
        ("protect", "toy-k3-m1.8", "Anna herself"),
        ("protect", "toy-k3-d1", "taken out or put in"),
        ("protect", "toy-k3-a3", "taken out or put in"),
        ("protect", "toy-k5", "k has to stay 3"),
        ("protect", "toy-k3-m0.8-m2.3-m3.3", "3 people have moved"),
        ("protect", "toy-k3-m2.0", "still known for certain"),
        ("protect", "six-k2-m0.1", "another table"),
        ("smallest-k", "many-k2", "her cell is known to hold 0 to 1"),
        ("smallest-k", "many-k4-m0.1", "stay where they are"),
        ("smallest-k", "many-k6", "not given away"),
        ("six", "six-k3-m0.1", "k has to stay 2"),
        ("six", "six-k2-a1", "exactly six"),
        ("six", "six-k2-m0.5", "Not yet"),
        ("stealing", "nine-k3-m0.1", "lie apart"),
        ("stealing", "nine-k2-m0.8", "k has to stay 3"),
        ("stealing", "nine-k3-d0-d1-d2-d3-d4-d5-d6", "2 records"),
        ("stealing", "nine-k3-m0.0-m1.0-m2.0-m3.0-m4.0-m5.0-m6.0-m7.0-m8.0", "one box"),
    ],
)
def test_a_wrong_answer_is_told_why(held, key, scene, said):
    told = verdict(held, key, scene)
    assert not told.get("done")
    assert said in told.get("text", told.get("error", ""))


@pytest.mark.parametrize(
    ("key", "scenes"),
    [
        ("protect", ["toy-k3-m0.8", "toy-k3-m0.11", "toy-k3-m2.8-m3.3"]),
        ("smallest-k", ["many-k4"]),
        ("six", ["six-k2-m0.1", "six-k2-m5.11", "six-k2-m1.14"]),
        ("stealing", ["nine-k3-m0.8", "nine-k3-m3.9", "nine-k3-m6.13"]),
    ],
)
def test_several_solutions_count_and_the_score_says_so(held, key, scenes):
    for scene in scenes:
        assert verdict(held, key, scene)["done"], scene
    assert ask(held, "toy-k3")["solved"] == [key]


def test_a_challenge_is_judged_by_the_engine_alone(held):
    # Protect Anna: solved exactly where nobody is left certain.
    for number in range(0, 36, 5):
        for cell in range(16):
            scene = f"toy-k3-m{number}.{cell}"
            outcome = held.outcome(scene)
            if outcome.scene.moved and number != 1:
                assert verdict(held, "protect", scene)["done"] == (not outcome.tight.isolated)


def test_what_was_cut_short_is_calculated_longer_when_asked(monkeypatch):
    tasks = challenges(toy())
    held = Answers({task.base.name: task.base for task in tasks}, tasks)
    patience = []

    def impatient(base, scene, seconds=0.0):
        patience.append(seconds)
        return outcome_of(base, scene, 600 if seconds else 0)

    monkeypatch.setattr(room, "outcome_of", impatient)
    assert ask(held, "toy-k3", ask=["toy-k3"])["outcomes"]["toy-k3"]["cut"]
    longer = ask(held, "toy-k3", more=True)["outcomes"]["toy-k3"]
    assert not longer["cut"]
    assert len(longer["certain"]) == 2
    # Once is enough, and the longer one is kept.
    assert ask(held, "toy-k3", more=True, ask=["toy-k3"])["outcomes"]["toy-k3"] == longer
    assert patience == [0.0, room.LONGER]
    assert "error" in ask(held, "toy-k99", more=True)["outcomes"]["toy-k99"]
