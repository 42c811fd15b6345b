"""The playground of one session: what it shows, what it knows, and which of its tables is the session's own."""

import re
from dataclasses import dataclass
from typing import Any, cast

import streamlit as st
from pydantic import ValidationError

from cra_dashboard.playground.answers import Answers, Question
from cra_dashboard.playground.challenges import challenges, toy
from cra_dashboard.playground.scene import LARGEST_K, Base, Scene, base_of
from cra_dashboard.session import link, state
from cra_engine import CRAError, Study

PAGE = "playground"
_ANSWERS, _TOLD, _STAMP = "playground-answers", "playground-told", "playground-stamp"
_OWN = re.compile(r"own(\d{1,2})\.(\d{1,2})(?:-|$)")


@dataclass(frozen=True)
class Shown:
    """What the page shows: a scene's text, and what is open."""

    scene: str
    panel: str

    @property
    def text(self) -> str:
        """As it stands in the address."""
        return f"{self.scene}~{self.panel}" if self.panel else self.scene


def answers() -> Answers:
    """What this session's playground knows; begun where there is none."""
    if _ANSWERS not in st.session_state:
        tasks = challenges(toy())
        st.session_state[_ANSWERS] = Answers({task.base.name: task.base for task in tasks}, tasks)
    return cast("Answers", st.session_state[_ANSWERS])


def shown() -> Shown:
    """What the session shows, or what its address asks for."""
    scene, _, panel = str(st.session_state.get(link.SCENE) or "").partition("~")
    return Shown(scene or Scene("toy", 3).text, panel)


def show(scene: str, panel: str = "") -> None:
    """Show a scene from the next run on."""
    st.session_state[link.SCENE] = Shown(scene, panel).text


def told(asked: Any) -> None:
    """Take note of what the page's script shows, and let the address tell it; nothing where it makes no sense."""
    try:
        question = Question.model_validate(asked)
        answers().outcome(question.scene)
    except (ValidationError, CRAError):
        return
    st.session_state[link.SCENE] = st.session_state[_TOLD] = Shown(question.scene, question.panel).text
    link.show(PAGE)


def start() -> dict[str, Any]:
    """What the script needs to begin, or to begin anew where the page shows another scene than the script told."""
    held, now = answers(), shown()
    try:
        held.base(now.scene)
    except CRAError:
        now = Shown(Scene("toy", 3).text, "")
    if st.session_state.get(_TOLD) != now.text:
        st.session_state[_TOLD] = now.text
        st.session_state[_STAMP] = st.session_state.get(_STAMP, 0) + 1
    begin = held.answer({"id": 0, "scene": now.scene, "ask": [now.scene]})
    return begin | held.start() | {"adopt": {"scene": now.scene, "panel": now.panel, "stamp": st.session_state[_STAMP]}}


# ---------------------------------------------------------------- the session's own table


def own_axes() -> tuple[int, int] | None:
    """The places of the two attributes of the session's own table that are shown; None where another is."""
    found = _OWN.match(shown().scene)
    return None if found is None else (int(found[1]), int(found[2]))


def own_scene(study: Study, axes: tuple[int, int]) -> str:
    """The scene with which the session's own table begins."""
    return Scene(f"own{axes[0]}.{axes[1]}", min(study.k, LARGEST_K)).text


def take_own(axes: tuple[int, int]) -> None:
    """Make the session's own table one of the starting tables, on two of its attributes.

    Raises:
        CRAError: there is none, it has no such attributes, it does not fit, or it is too large to stay live.
    """
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        raise CRAError("There is no table with hierarchies in this session yet.")
    if max(axes) >= len(study.attributes) or axes[0] == axes[1]:
        raise CRAError("The table has no such two quasi-identifiers; choose them anew.")
    if study.k > LARGEST_K:
        raise CRAError(f"k is {study.k}; up to {LARGEST_K} can be followed while people are moved.")
    name = f"own{axes[0]}.{axes[1]}"
    held = answers()
    held.bases = {key: base for key, base in held.bases.items() if not key.startswith("own")}

    def build() -> Base:
        held.forget(name)
        chosen = [study.attributes[axis] for axis in axes]
        rows = [f"Row {number + 1}" for number in range(len(data.frame))]
        # What is touched here is ARX-LR, also where the study asks for safe recoding.
        profile = "paper" if study.safe else study.profile
        return base_of(name, data.frame, Study(chosen, study.k, profile), rows, keep_values=True)

    held.bases[name] = state.once("playground-own", (data.digest, study, axes), build)
