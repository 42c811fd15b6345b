"""What lessons know of a page: its views, what is chosen there, and what a step can ask for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from cra_dashboard import palette
from cra_engine import Study


@dataclass(frozen=True)
class View:
    """A view of a page that a lesson can point at.

    Attributes:
        page: the page's name in the address.
        css: how the browser finds it.
        called: how the lesson calls it, in words.
    """

    page: str
    css: str
    called: str


def by_key(name: str) -> str:
    """Return how a lesson's browser finds a container by its key."""
    return f".st-key-{name}"


@dataclass(frozen=True)
class Setting:
    """A setting on a page that lessons know of.

    Attributes:
        key: of the session, or what gives it; it may raise LookupError where there are no results to choose in.
        read: what a lesson makes of the value that is there, None where there is none.
        kept: whether it comes back with the step when somebody goes back to it.
    """

    key: str | Callable[[], str]
    read: Callable[[Any], Any] = lambda value: value
    kept: bool = True

    @property
    def session_key(self) -> str | None:
        """The session's key; None where there is nothing to choose yet."""
        try:
            return self.key if isinstance(self.key, str) else self.key()
        except LookupError:
            return None

    @property
    def value(self) -> Any:
        """What is chosen, as lessons read it."""
        key = self.session_key
        return self.read(None if key is None else st.session_state.get(key))


@dataclass(frozen=True)
class Moment:
    """The session as a lesson found it in one run of a page.

    Attributes:
        page: its name in the address.
        study: the study in use.
        answers: kinds of the questions answered in this step.
        settings: what is chosen, by its name in lessons.
        several: by name what is chosen per result: pairs of the session's key and the value.
    """

    page: str
    study: Study | None
    answers: tuple[str, ...]
    settings: Mapping[str, Any]
    several: Mapping[str, frozenset[tuple[Any, Any]]]


@dataclass(frozen=True)
class Doing:
    """The doing of a learner in a lesson's step so far.

    Attributes:
        began: the session as the step found it.
        since: every moment after that which differs from the one before.
    """

    began: Moment
    since: tuple[Moment, ...]

    @property
    def now(self) -> Moment:
        """The last moment."""
        return self.since[-1] if self.since else self.began

    def new(self, name: str) -> frozenset[tuple[Any, Any]]:
        """Returns what was chosen per result since the step began."""
        return self.now.several[name] - self.began.several[name]

    def changed(self, name: str) -> bool:
        """Tells whether a setting is another one than at the beginning."""
        return bool(self.now.settings[name] != self.began.settings[name])

    @property
    def changed_study(self) -> bool:
        """Whether the study is another one than at the beginning."""
        return self.now.study != self.began.study


Condition = Callable[..., bool]


@dataclass(frozen=True)
class Opening:
    """How a lesson's step finds a page.

    Attributes:
        wanted: what the step says, by name; what it does not name is left out.
        linked: a link has opened the step; what the link says of the picture stays.
        done: the step's condition, by its name.
    """

    wanted: Mapping[str, Any]
    linked: bool
    done: str


@dataclass(frozen=True)
class Hooks:
    """The hooks by which lessons hold on to a page: its views, its settings, and when a step there is done.

    Attributes:
        page: its name in the address.
        title: in the menu.
        views: its parts by name: how the browser finds them, and what they are called.
        settings: what is chosen there, by its name in lessons.
        several: likewise what is chosen per result: how the session's keys begin.
        conditions: when a step there is done: predicates of :class:`Doing` and of what the step gives.
        begins: names of what a step can ask of the page.
        begin: sets the page as a step wants to find it.
    """

    page: str
    title: str
    views: Mapping[str, tuple[str, str]]
    settings: Mapping[str, Setting] = field(default_factory=dict)
    several: Mapping[str, str] = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()
    begins: tuple[str, ...] = ()
    begin: Callable[[Opening], None] = lambda _: None


def clear(beginning: str) -> None:
    """Forget for a lesson what was chosen under session keys that begin so."""
    for key in [key for key in st.session_state if str(key).startswith(beginning)]:
        del st.session_state[key]


def outline(view: View) -> None:
    """Frame a view of a page; the panel says what it is about, as words on the frame would cover what stands beside.

    Nothing makes room for it: the page would move when the frame comes, and when it goes to another view. So it is as
    narrow as what is drawn around a button that is chosen.
    """
    st.html(f"<style>{view.css} {{outline: 3px dashed {palette.CHOSEN}; outline-offset: 1px}}</style>")
