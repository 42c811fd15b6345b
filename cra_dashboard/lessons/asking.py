"""Predict, then reveal: a question before the page shows the answer, and the score of this session."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass

import streamlit as st
from markupsafe import Markup
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.classroom import room
from cra_dashboard.lessons import browser, progress, telephones
from cra_dashboard.lessons.markup import bold_only, html
from cra_dashboard.lessons.question import Question
from cra_dashboard.session import fields, messages, state
from cra_dashboard.session.fields import act
from cra_dashboard.texts import words
from cra_engine import CRAError
from cra_engine.words import how_many

_SHORT = 16  # letters of answers that may share a line on a telephone, where all are so short
_SWITCH, _CLOSED, _SCORE = "predict-first", "predictions-closed", "predictions-score"
Key = tuple[int | None, str, Hashable]  # of a prediction, as :func:`progress.given` has it


@dataclass(frozen=True)
class Score:
    """The score of a session's predictions; each question counts once, by its first answer."""

    right: int
    answered: int

    def __str__(self) -> str:
        """In words, for instance "3 of 4 predictions right"."""
        return f"{self.right} of {how_many(self.answered, 'prediction')} right"


def score() -> Score:
    """Return how often the learner predicted rightly; kept in this session only."""
    answers = list(st.session_state.get(_SCORE, {}).values())
    return Score(sum(answers), len(answers))


def switch() -> None:
    """Offer the switch Predict first, on every page that can ask; a lesson asks what it wants by itself."""
    if progress.current() is None:
        fields.toggle(
            "Predict first",
            key=_SWITCH,
            help="You are asked before the page shows the answer. Only this session keeps your score.",
        )


def _asks_first() -> bool:
    return progress.current() is None and bool(st.session_state.get(_SWITCH))


Questions = Mapping[str, Callable[[], Question | None]]
Picture = Callable[[], Markup]


# Where the lesson's panel wants its question in this run of the page.
_BESIDE: ContextVar[DeltaGenerator | None] = ContextVar("lesson question", default=None)


def ask_in(place: DeltaGenerator | None) -> None:
    """Let the lesson's question stand in this place, beside the page; None for on the page itself."""
    _BESIDE.set(place)


def ask_for_lesson(
    questions: Questions,
    about: Hashable,
    *,
    hold: bool = False,
    picture: Picture = Markup,
    figure: DeltaGenerator | None = None,
) -> bool:
    """Ask what the lesson wants to ask on this page, and a class on its telephones with it; see :func:`ask_first`.

    Args:
        questions: see there, as are about and hold.
        about: see there.
        hold: see there.
        picture: what the page shows while it is asked, for telephones; none where it is left out.
        figure: where the question's own picture stands; the page then leaves its own away.

    Returns:
        True when the page's own picture has to wait, or to stay away.
    """
    lesson = progress.question()
    if lesson is None or lesson.kind not in questions:
        return False
    with _BESIDE.get() or nullcontext():
        return _ask(questions, (lesson.kind,), about, lesson.turn, hold=hold, picture=picture, figure=figure)


def ask_first(questions: Questions, about: Hashable, usual: Sequence[str], *, hold: bool = False) -> bool:
    """Ask for the usual predictions one after the other, where the person wants to be asked first.

    Args:
        questions: by kind, each computed only when it is asked; None where there is nothing to ask.
        about: what the questions are about: the results, the class, the step.
        usual: the kinds to ask.
        hold: the rest of the page waits until the question is answered or passed over.

    Returns:
        True when the rest of the page has to wait.
    """
    if not _asks_first():
        return False
    return _ask(questions, usual, about, None, hold=hold)


def waits(questions: Questions, about: Hashable, usual: Sequence[str]) -> bool:
    """Ask for the lesson's prediction, else the usual ones; True when what follows has to wait for an answer."""
    return ask_for_lesson(questions, about, hold=True) or ask_first(questions, about, usual, hold=True)


def is_open(kind: str, about: Hashable) -> bool:
    """Return whether this is asked on the page and not answered yet: what stands beside it must not tell."""
    lesson = progress.question()
    if lesson is None:
        asked, turn = _asks_first(), None
    else:
        asked, turn = lesson.kind == kind, lesson.turn
    key = (turn, kind, about)
    return asked and key not in progress.given() and key not in st.session_state.get(_CLOSED, set())


def _ask(
    questions: Questions,
    kinds: Sequence[str],
    about: Hashable,
    turn: int | None,
    *,
    hold: bool,
    picture: Picture = Markup,
    figure: DeltaGenerator | None = None,
) -> bool:
    def question_of(kind: str) -> Question | None:
        return state.once(f"question {kind}", about, lambda: _computed(questions[kind]))

    closed: set[Key] = st.session_state.setdefault(_CLOSED, set())
    waiting = [kind for kind in kinds if (turn, kind, about) not in closed]
    for place, kind in enumerate(waiting):
        question = question_of(kind)
        if question is None:
            continue
        key, given = (turn, kind, about), progress.given()
        # What comes next is needed only once this one is answered.
        more = key in given and any(question_of(other) is not None for other in waiting[place + 1 :])
        _show(question, key, more=more, hold=hold, picture=picture)
        if question.drawn is not None:
            with figure or nullcontext():
                alt = f"What the question is about: {question.text}"
                st.plotly_chart(question.drawn(key in given), key=f"drawn-{hash(key)}", config=CONFIG, alt=alt)
        return figure is not None or (hold and key not in given)
    if turn is not None and waiting:
        browser.rest()
        st.info("There is nothing to predict here: choose another class, or another step.", icon=":material/help:")
    return False


def _computed(compute: Callable[[], Question | None]) -> Question | None:
    try:
        return compute()
    except CRAError:
        # What is too large to count, the page says itself; there is nothing to predict.
        return None


def _show(question: Question, key: Key, *, more: bool, hold: bool, picture: Picture) -> None:
    given, widget = progress.given(), f"predict-{hash(key)}"
    lesson = progress.question() is not None
    here = browser.room() if lesson else None
    with st.container(border=True, key="predict"):
        if key not in given:
            st.markdown("#### :material/psychology_alt: Predict")
        st.markdown(bold_only(question.text))
        if here is not None:
            telephones.ask(here, key, question, lambda: _for_class(question, picture()), answered=key in given)
        if key not in given:
            if here is None:
                short = all(len(option) <= _SHORT for option in question.options)
                st.container(key="predict-short" if short else None).radio(
                    "Your prediction",
                    range(len(question.options)),
                    index=None,
                    format_func=lambda place: words.plain(question.options[place]),
                    key=widget,
                    label_visibility="collapsed",
                )
            with st.container(horizontal=True, key="predict-on"):
                if here is None:
                    act(
                        "Reveal",
                        _reveal,
                        key,
                        widget,
                        question,
                        type="primary",
                        key=f"{widget}-reveal",
                        disabled=st.session_state.get(widget) is None,
                    )
                if lesson and (browser.presenting() or here is not None):
                    with st.container(key=browser.SHOW, width="content"):
                        act("Show the answer", _tell, key, key=f"{widget}-show")
                # In a lesson the step can be skipped.
                if hold and not lesson:
                    act("Show without predicting", _close, key, key=f"{widget}-pass")
            return
        guess = given[key]
        _verdict(question, guess)
        if more and not lesson:
            act("Next question", _close, key, key=f"{widget}-next")
        if score().answered:
            st.caption(f"So far: {score()}.")


def _for_class(question: Question, picture: Markup) -> room.Question:
    now = progress.current()
    if now is None:
        raise LookupError("no lesson is going on")
    lesson, place = now
    count = f"Lesson {lesson.number} · step {place + 1} of {len(lesson.step)}"
    return telephones.class_question(question, count, str(html(lesson.step[place].title)), picture)


def _verdict(question: Question, guess: int | None) -> None:
    answer = words.plain(question.answer)
    if guess is None:
        st.info(f"**{answer}**", icon=":material/lightbulb:")
    elif guess == question.right or guess in question.also:
        others = [place for place in (question.right, *question.also) if place != guess]
        said = [question.said(guess, "Right"), *(question.said(place, "Right as well") for place in others)]
        messages.success(f"**{words.plain(' '.join(said))}** {words.plain(question.also.get(guess, ''))}".strip())
    else:
        against = question.against.get(guess, "")
        st.error(
            f"**{words.plain(question.said(guess, 'You said'))} {answer}** {words.plain(against)}",
            icon=":material/cancel:",
        )
    st.markdown("\n".join(f"- {bold_only(sentence)}" for sentence in question.why))


def _reveal(key: Key, widget: str, question: Question) -> None:
    guess = st.session_state[widget]
    if guess is None:
        return
    progress.given()[key] = guess
    st.session_state.setdefault(_SCORE, {}).setdefault(key[1:], guess == question.right or guess in question.also)


def _tell(key: Key) -> None:
    """Show the answer to nobody's prediction."""
    progress.given()[key] = None


def _close(key: Key) -> None:
    st.session_state[_CLOSED].add(key)
