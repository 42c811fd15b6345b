"""Where the session is in the lessons: which step, what the learner has done since it began, which steps are done.

The link carries the lesson's name and the step; everything else stays in this session's memory.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, cast

import streamlit as st

from cra_dashboard.lessons.files import Lesson, Step, all_lessons
from cra_dashboard.lessons.hooks import Doing, Moment, Opening
from cra_dashboard.lessons.registry import CONDITIONS, PAGES, SETTINGS, SEVERAL
from cra_dashboard.session import datasets, link, state
from cra_engine import Study

_AT, _MOMENTS, _TURN, _TURNS = "lesson-at", "lesson-moments", "lesson-turn", "lesson-turns"
_KNOWN, _FOUND, _GIVEN, _AFTER = "lesson-known", "lesson-found", "predictions", "lesson-after"


@dataclass(frozen=True)
class Asked:
    """The question that a lesson asks now: its kind, and which turn of it, so that a lesson can be done again."""

    kind: str
    turn: int


@dataclass(frozen=True)
class Seen:
    """A lesson's step as it was last seen, for whoever goes back to it.

    Attributes:
        study: in use then.
        turn: of its question.
        chosen: what was chosen on the pages, by its key.
    """

    study: Study | None
    turn: int
    chosen: dict[str, Any]


@dataclass
class Known:
    """What the session knows of a lesson's step.

    Attributes:
        done: whether it was done.
        anew: whether its picture stands as at its beginning, though it may have been done before.
        shown: whether what was found in it was asked for in front of others; it stays shown.
        seen: as it was last seen; None where it never was.
    """

    done: bool = False
    anew: bool = False
    shown: bool = False
    seen: Seen | None = None


def known(name: str, place: int) -> Known:
    """Return what the session knows of a lesson's step, to be changed there."""
    return _known().setdefault((name, place), Known())


def _known() -> dict[tuple[str, int], Known]:
    return cast("dict[tuple[str, int], Known]", st.session_state.setdefault(_KNOWN, {}))


def given() -> dict[tuple[int | None, str, Hashable], int | None]:
    """Return the session's predictions: by the turn of the lesson's step, the kind and what the question is about.

    Outside lessons there is no turn. Where the answer was shown without a prediction there is None.
    """
    found = st.session_state.setdefault(_GIVEN, {})
    return cast("dict[tuple[int | None, str, Hashable], int | None]", found)


def _answers() -> tuple[str, ...]:
    """The kinds of the questions that were answered in the lesson's step."""
    turn = st.session_state.get(_TURN, 0)
    return tuple(kind for at, kind, _ in given() if at == turn)


def current() -> tuple[Lesson, int] | None:
    """Return the lesson that is going on and its step, None where there is none."""
    chosen = link.options()
    lesson = all_lessons().get(chosen.lesson or "")
    return None if lesson is None else (lesson, min(chosen.lesson_step or 0, len(lesson.step) - 1))


def step() -> Step | None:
    """Return the lesson's step that is going on."""
    now = current()
    return None if now is None else now[0].step[now[1]]


def question() -> Asked | None:
    """Return what the lesson's step asks the learner."""
    now = step()
    if now is None or now.question is None:
        return None
    return Asked(now.question, st.session_state.get(_TURN, 0))


def waits_for_answer() -> bool:
    """Return whether the lesson's question is still open: what would change the question has to keep still."""
    now = question()
    return now is not None and now.kind not in _answers()


def own_study(lesson: Lesson, place: int) -> bool:
    """Return whether the session's table is the one that the lesson's step is about."""
    data = state.dataset()
    return data is not None and data.recipe == state.Recipe(lesson.study_of(place))


def start(name: str) -> None:
    """Begin a lesson where the learner left it, on its own study as it was brought along.

    Another example is replaced; over a table that cannot be made again the lesson's panel asks first. A lesson that was
    completed begins anew.
    """
    lesson = all_lessons()[name]
    if complete(lesson):
        for place in range(len(lesson.step)):
            del _known()[lesson.id, place]
    place = first_open(lesson) or 0
    data = state.dataset()
    if data is not None and data.recipe is None:
        link.use_options(lesson=name, lesson_step=place)
        return
    _open(lesson, place)
    go(name, place)


def _open(lesson: Lesson, place: int) -> None:
    """Work on a step's study as it was brought along, with nothing supposed otherwise."""
    state.use_dataset(*datasets.example(lesson.study_of(place)))
    state.use_ties("sound")
    state.use_weighing(state.Weighing("distinct"))


def go(name: str, place: int) -> None:
    """Begin a step of a lesson; to be called where no widget of this run has been drawn yet."""
    lesson = all_lessons()[name]
    if not own_study(lesson, place):
        _open(lesson, place)
    link.use_options(lesson=name, lesson_step=place)
    prepare(lesson.step[place])
    begin(name, place)


def begin(name: str, place: int, *, anew: bool = True) -> None:
    """Count from here on what the learner does in this step of the lesson, and forget what was done before.

    Args:
        name: of the lesson.
        place: of the step.
        anew: its picture stands as at its beginning, so that it shows nothing of what was found in it.
    """
    chosen = st.session_state
    known(name, place).anew = anew
    chosen[_AT], chosen[_MOMENTS] = (name, place), []
    chosen[_TURN] = chosen[_TURNS] = chosen.get(_TURNS, 0) + 1


def go_as_seen(name: str, place: int) -> None:
    """Go to a step of a lesson and find it as it was last seen; begin it where it never was."""
    go(name, place)
    step, chosen = known(name, place), st.session_state
    seen = step.seen
    if seen is None:
        return
    if seen.study != state.study():
        state.use_study(seen.study)
    for key in _chosen().keys() - seen.chosen.keys():  # a later step's
        del chosen[key]
    for key, value in seen.chosen.items():
        chosen[key] = value
    chosen[_TURN] = seen.turn
    step.anew = waits_for_answer()


def begun() -> bool:
    """Return whether the session has begun the lesson's step; a link names one that was begun elsewhere."""
    now = current()
    return now is not None and st.session_state.get(_AT) == (now[0].id, now[1])


def arrive(name: str, place: int) -> None:
    """Begin a step of a lesson that a link has opened; what the link says of the picture stays, a question is open."""
    now = all_lessons()[name].step[place]
    before = {key: SETTINGS[key].value for key in now.begin if key in SETTINGS}
    prepare(now, linked=True)
    at_its_beginning = any(was == now.begin[key] or SETTINGS[key].value != was for key, was in before.items())
    begin(name, place, anew=now.question is not None or at_its_beginning)


def begin_before_others() -> None:
    """Begin to present: no step shows what was answered or found in it before, and a question is asked anew."""
    for one in _known().values():
        one.shown, one.seen = False, None
    now = current()
    if now is not None and question() is not None and own_study(*now):
        go(now[0].id, now[1])


def prepare(now: Step, *, linked: bool = False) -> None:
    """Set the session as the lesson's step wants to find it.

    Args:
        now: the step.
        linked: a link has opened it; what the link says of the picture stays, unless the step is to choose a class.
    """
    for hooks in PAGES.values():
        hooks.begin(Opening(now.begin, linked, now.done))


def leave(after: Lesson | None = None) -> None:
    """End the lesson where it stands; ``after`` it, where it was gone through, comes the next one."""
    st.session_state[_AFTER] = 0 if after is None else after.number
    link.use_options(lesson=None, lesson_step=None)
    for key in (_AT, _MOMENTS):
        st.session_state.pop(key, None)


# ---------------------------------------------------------------- what the learner does


def watch(page: str) -> bool:
    """Note for the lesson what the session looks like now; True when with that the step is done."""
    now = current()
    if now is None or not own_study(*now):
        return False
    lesson, place = now
    moments: list[Moment] = st.session_state.setdefault(_MOMENTS, [])
    moment = _moment(page)
    if not moments or moments[-1] != moment:
        moments.append(moment)
    doing = Doing(moments[0], tuple(moments[1:]))
    wanted = lesson.step[place]
    step = known(lesson.id, place)
    step.seen = Seen(moment.study, st.session_state.get(_TURN, 0), _chosen())
    if (step.anew or not step.done) and CONDITIONS[wanted.done](doing, **wanted.given):
        step.done, step.anew = True, False
        st.session_state[_FOUND] = (lesson.id, place), page, _chosen()
    return step.done and not step.anew


def outlived(page: str) -> bool:
    """Return whether the picture shows something else by now than the lesson's finding is about."""
    at, where, chosen = st.session_state.get(_FOUND, (None, "", {}))
    return bool(at == st.session_state.get(_AT) and where == page and chosen != _chosen())


def show_again() -> None:
    """Set the page as it was when the lesson's step was done; to be called from a widget's callback."""
    for key, value in st.session_state[_FOUND][2].items():
        st.session_state[key] = value


def _moment(page: str) -> Moment:
    chosen = st.session_state
    return Moment(
        page,
        state.study(),
        _answers(),
        {name: setting.value for name, setting in SETTINGS.items()},
        {
            name: frozenset((key, chosen[key]) for key in chosen if str(key).startswith(beginning))
            for name, beginning in SEVERAL.items()
        },
    )


def _chosen() -> dict[str, Any]:
    kept = {setting.session_key for setting in SETTINGS.values() if setting.kept}
    beginnings = tuple(SEVERAL.values())
    return {
        str(key): value for key, value in st.session_state.items() if key in kept or str(key).startswith(beginnings)
    }


# ---------------------------------------------------------------- progress


def done_names() -> list[str]:
    """Return every lesson step that is done, as ``lesson/number``: what a browser may remember."""
    return sorted(f"{name}/{place}" for (name, place), step in _known().items() if step.done)


def remember(names: Iterable[str]) -> None:
    """Count lesson steps as done that were done in an earlier session; what names no step counts for nothing."""
    every = {f"{one.id}/{place}": (one.id, place) for one in all_lessons().values() for place in range(len(one.step))}
    for name in every.keys() & set(names):
        known(*every[name]).done = True


def steps_done(lesson: Lesson) -> int:
    """Count a lesson's steps that the learner has done; a step that was skipped does not count."""
    return sum(known(lesson.id, place).done for place in range(len(lesson.step)))


def following() -> Lesson | None:
    """Return the lesson to go on with: the one that is open, else the next that is not done, from the last one on."""
    if (now := current()) is not None:
        return now[0]
    after = st.session_state.get(_AFTER, 0)
    open_ = [lesson for lesson in all_lessons().values() if not complete(lesson)]
    return min(open_, key=lambda lesson: (lesson.number <= after, lesson.number), default=None)


def complete(lesson: Lesson) -> bool:
    """Return whether every step of a lesson was done."""
    return steps_done(lesson) == len(lesson.step)


def first_open(lesson: Lesson) -> int | None:
    """Return the first step of a lesson that is not done, None where all are."""
    return next((place for place in range(len(lesson.step)) if not known(lesson.id, place).done), None)
