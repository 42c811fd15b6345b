"""Predict, then reveal: a question before the page shows the answer, and the score of this session."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.lessons import browser, progress
from cra_dashboard.lessons.question import Question
from cra_dashboard.session import fields, messages, state
from cra_dashboard.session.fields import act
from cra_dashboard.texts import words
from cra_engine import CRAError
from cra_engine.words import how_many

_SWITCH, _GIVEN, _CLOSED, _SCORE = "predict-first", "predictions", "predictions-closed", "predictions-score"


@dataclass(frozen=True)
class Score:
    """Predictions of this session; each question counts once, by its first answer."""

    right: int
    answered: int

    def __str__(self) -> str:
        """In words, for instance "3 of 4 predictions right"."""
        return f"{self.right} of {how_many(self.answered, 'prediction')} right"


def score() -> Score:
    """How often the learner was right; kept in this session only."""
    answers = list(st.session_state.get(_SCORE, {}).values())
    return Score(sum(answers), len(answers))


def switch() -> None:
    """Offer to be asked first, on every page that can ask."""
    fields.toggle(
        "Predict first",
        key=_SWITCH,
        help="You are asked before the page shows the answer. Only this session keeps your score.",
    )


Questions = Mapping[str, Callable[[], Question | None]]


# Where the lesson's panel wants its question in this run of the page.
_BESIDE: ContextVar[DeltaGenerator | None] = ContextVar("lesson question", default=None)


def ask_in(place: DeltaGenerator | None) -> None:
    """Let the lesson's question stand in this place, beside the page; None for on the page itself."""
    _BESIDE.set(place)


def ask_for_lesson(questions: Questions, about: Hashable, *, hold: bool = False) -> bool:
    """Ask what the lesson wants to ask on this page; see :func:`ask_first`."""
    lesson = progress.question()
    if lesson is None or lesson.kind not in questions:
        return False
    with _BESIDE.get() or nullcontext():
        return _ask(questions, (lesson.kind,), about, lesson.turn, hold=hold)


def ask_first(questions: Questions, about: Hashable, usual: Sequence[str], *, hold: bool = False) -> bool:
    """Ask the usual questions one after the other, where the person wants to be asked first.

    Args:
        questions: by kind, each computed only when it is asked; None where there is nothing to ask.
        about: what the questions are about: the results, the class, the step.
        usual: the kinds to ask.
        hold: the rest of the page waits until the question is answered or passed over.

    Returns:
        True when the rest of the page has to wait.
    """
    if progress.question() is not None or not st.session_state.get(_SWITCH):
        return False
    return _ask(questions, usual, about, None, hold=hold)


def waits(questions: Questions, about: Hashable, usual: Sequence[str]) -> bool:
    """Ask what the lesson wants to ask, else the usual questions; True when what follows has to wait for an answer."""
    return ask_for_lesson(questions, about, hold=True) or ask_first(questions, about, usual, hold=True)


def _ask(questions: Questions, kinds: Sequence[str], about: Hashable, turn: Hashable, *, hold: bool) -> bool:
    def question_of(kind: str) -> Question | None:
        return state.once(f"question {kind}", about, lambda: _computed(questions[kind]))

    closed: set[Hashable] = st.session_state.setdefault(_CLOSED, set())
    waiting = [kind for kind in kinds if (turn, kind, about) not in closed]
    for place, kind in enumerate(waiting):
        question = question_of(kind)
        if question is None:
            continue
        key = (turn, kind, about)
        given = st.session_state.setdefault(_GIVEN, {})
        # What comes next is needed only once this one is answered.
        more = key in given and any(question_of(other) is not None for other in waiting[place + 1 :])
        _show(question, kind, about, key, more=more, hold=hold)
        return hold and key not in given
    if turn is not None and waiting:
        st.info("There is nothing to predict here: choose another class, or another step.", icon=":material/help:")
    return False


def _computed(compute: Callable[[], Question | None]) -> Question | None:
    try:
        return compute()
    except CRAError:
        # What is too large to count, the page says itself; there is nothing to predict.
        return None


def _show(question: Question, kind: str, about: Hashable, key: Hashable, *, more: bool, hold: bool) -> None:
    given: dict[Hashable, int | None] = st.session_state.setdefault(_GIVEN, {})
    widget = f"predict-{hash(key)}"
    with st.container(border=True, key="predict"):
        st.markdown("#### :material/psychology_alt: Predict")
        st.markdown(_text(question.text))
        if key not in given:
            st.radio(
                "Your prediction",
                range(len(question.options)),
                index=None,
                format_func=lambda place: words.plain(question.options[place]),
                key=widget,
                label_visibility="collapsed",
            )
            with st.container(horizontal=True):
                act(
                    "Reveal",
                    _reveal,
                    kind,
                    about,
                    key,
                    widget,
                    question,
                    type="primary",
                    key=f"{widget}-reveal",
                    disabled=st.session_state.get(widget) is None,
                )
                if progress.question() is not None and browser.presenting():
                    with st.container(key=browser.SHOW, width="content"):
                        act("Show the answer", _tell, kind, key, key=f"{widget}-show")
                # In a lesson the step can be skipped.
                if hold and progress.question() is None:
                    act("Show without predicting", _close, key, key=f"{widget}-pass")
            return
        guess = given[key]
        _verdict(question, guess)
        if more and progress.question() is None:
            act("Next question", _close, key, key=f"{widget}-next")
        if score().answered:
            st.caption(f"So far: {score()}.")


def _verdict(question: Question, guess: int | None) -> None:
    answer = words.plain(question.options[question.right])
    if guess is None:
        st.info(f"**It is {answer}.**", icon=":material/lightbulb:")
    elif guess == question.right:
        messages.success(f"**Right: {answer}.**")
    elif guess in question.also:
        said = f"**{words.plain(question.options[guess])} is as good; it was {answer}.**"
        messages.success(f"{said} {words.plain(question.also[guess])}")
    else:
        against = question.against.get(guess, "")
        st.error(
            f"**You said {words.plain(question.options[guess])}; it is {answer}.** {words.plain(against)}",
            icon=":material/cancel:",
        )
    st.markdown("\n".join(f"- {_text(sentence)}" for sentence in question.why))
    if question.evidence is not None:
        st.table(question.evidence.map(words.plain), width="content", alt="What the answer follows from")


def _text(text: str) -> str:
    # Reasons carry bold type of their own; everything else in them is to be read as it stands.
    return "**".join(words.plain(part) for part in text.split("**"))


def _reveal(kind: str, about: Hashable, key: Hashable, widget: str, question: Question) -> None:
    guess = st.session_state[widget]
    if guess is None:
        return
    st.session_state[_GIVEN][key] = guess
    st.session_state.setdefault(_SCORE, {}).setdefault((kind, about), guess == question.right or guess in question.also)
    progress.answered(kind)


def _tell(kind: str, key: Hashable) -> None:
    """Show the answer to nobody's prediction."""
    st.session_state[_GIVEN][key] = None
    progress.answered(kind)


def _close(key: Hashable) -> None:
    st.session_state[_CLOSED].add(key)
