"""The playground of one session: what it shows, what is solved, and which of its tables is the session's own."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, cast

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from cra_dashboard.playground.tables import tables
from cra_dashboard.session import link, state
from cra_engine import CRAError, Study
from cra_engine.raw.written import row_numbers
from cra_engine.scenes.table import LARGEST_K, Table, table_of

PAGE = "playground"
FIRST = "toy-k3"
_SOLVED, _TOLD, _STAMP, _OWN = "playground-solved", "playground-told", "playground-stamp", "playground-own-table"
_OWN_SCENE = re.compile(r"own(\d{1,2})\.(\d{1,2})(?:-|$)")


@dataclass(frozen=True)
class Shown:
    """The scene that the playground shows, as text such as ``toy-k3-m12.7-d4-a9``, and what is open."""

    scene: str
    panel: str

    @property
    def text(self) -> str:
        """As it stands in the address."""
        return f"{self.scene}~{self.panel}" if self.panel else self.scene

    @property
    def table(self) -> str:
        """The name of its table."""
        return self.scene.split("-")[0]


class Told(BaseModel):
    """A message of the playground's script.

    Attributes:
        id: a number of its own, since equal values give no run.
        scene: what it shows.
        panel: what is open.
        solved: the challenges that are solved.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: int = Field(ge=0, le=2**53)
    scene: Annotated[str, StringConstraints(max_length=8000, pattern=r"^[a-z0-9.]+-k\d{1,2}(-[mda][0-9.]{1,12})*$")]
    panel: Annotated[str, StringConstraints(pattern=r"^[a-z0-9.-]{0,40}$")] = ""
    solved: Annotated[list[Annotated[str, StringConstraints(pattern=r"^[a-z-]{1,20}$")]], Field(max_length=20)] = []


def shown() -> Shown:
    """Return the scene that the playground shows in this session, or that its address asks for."""
    scene, _, panel = str(st.session_state.get(link.SCENE) or "").partition("~")
    return Shown(scene or FIRST, panel)


def show(scene: str, panel: str = "") -> None:
    """Show a scene on the playground from the next run on."""
    st.session_state[link.SCENE] = Shown(scene, panel).text


def note(told: Any) -> bool:
    """Take note of what the playground's script shows, and let the address tell it; False where it makes no sense."""
    try:
        found = Told.model_validate(told)
    except ValidationError:
        return False
    now = Shown(found.scene, found.panel)
    if now.table not in _all():
        return False
    st.session_state[link.SCENE] = st.session_state[_TOLD] = now.text
    st.session_state[_SOLVED] = found.solved
    link.show(PAGE)
    return True


def start() -> dict[str, Any]:
    """Return what the playground's script begins with, or begins anew with where the page shows another scene."""
    now = shown()
    if now.table not in _all():
        now = Shown(FIRST, "")
    if st.session_state.get(_TOLD) != now.text:
        st.session_state[_TOLD] = now.text
        st.session_state[_STAMP] = st.session_state.get(_STAMP, 0) + 1
    return {
        "tables": _all(),
        "solved": st.session_state.get(_SOLVED, []),
        "adopt": {"scene": now.scene, "panel": now.panel, "stamp": st.session_state[_STAMP]},
    }


def _all() -> dict[str, Table]:
    return state.once("playground-tables", "", tables) | cast("dict[str, Table]", st.session_state.get(_OWN, {}))


# ---------------------------------------------------------------- the session's own table


def own_axes() -> tuple[int, int] | None:
    """Return the places of the two attributes that the playground shows of the session's table; None for others."""
    found = _OWN_SCENE.match(shown().scene)
    return None if found is None else (int(found[1]), int(found[2]))


def own_scene(study: Study, axes: tuple[int, int]) -> str:
    """Return the scene with which the session's own table begins on the playground."""
    return f"own{axes[0]}.{axes[1]}-k{min(study.k, LARGEST_K)}"


def leave_own() -> None:
    """Forget the session's own table on the playground: another one is shown."""
    st.session_state.pop(_OWN, None)


def take_own(axes: tuple[int, int]) -> None:
    """Make the session's own table one of the playground's, on two of its attributes.

    Raises:
        CRAError: there is none, it has no such attributes, it does not fit, or it cannot be followed.
    """
    leave_own()
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        raise CRAError("There is no table with hierarchies in this session yet.")
    if max(axes) >= len(study.attributes) or axes[0] == axes[1]:
        raise CRAError("The table has no such two quasi-identifiers; choose them anew.")

    def build() -> Table:
        chosen = [study.attributes[axis] for axis in axes]
        # What is touched here is ARX-LR, also where the study asks for safe recoding.
        profile = "paper" if study.safe else study.profile
        rows = [f"Row {number}" for number in row_numbers(data.frame)]
        return table_of(data.frame, Study(chosen, study.k, profile), rows)

    st.session_state[_OWN] = {
        f"own{axes[0]}.{axes[1]}": state.once("playground-own", (data.digest, study, axes), build)
    }
