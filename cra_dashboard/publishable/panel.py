"""Make it publishable, on Check: what to change so that the table may go out, side by side, and one download."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import pandas as pd
import streamlit as st

from cra_dashboard.panels.download import download
from cra_dashboard.panels.gate import may_be_downloaded
from cra_dashboard.session import decisions, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.job import Job, Progress
from cra_dashboard.session.kept import Kept
from cra_dashboard.session.runs import Runs
from cra_dashboard.texts import words
from cra_engine import CRAError
from cra_engine.publishable import (
    Outcome,
    Pin,
    Publishable,
    archive_files,
    archive_zip,
    drawn_anew,
    publishable,
    published_by,
    settings_of,
)
from cra_engine.words import duration, how_many, percent

SECONDS = 120.0
SHOWN_ROWS = 6
_PINS: Kept[tuple[Pin, ...]] = Kept("cra_publishable_pins")
_BEGUN: Kept[bool] = Kept("cra_publishable_begun")
_TAKEN: Kept["Taken"] = Kept("cra_publishable_taken")


@dataclass
class Sought(Progress):
    """How far a search is, and the best that it has found.

    Attributes:
        best: in words; empty before there is any.
    """

    best: str = ""

    def found(self, outcome: Outcome) -> None:
        """Note a table that passes and costs less than those before."""
        self.best = outcome.label


@dataclass(frozen=True, eq=False)
class Taken:
    """An outcome as it is handed out.

    Attributes:
        label: what it is, in words.
        archive: the zip file; empty where the table does not pass as it was drawn.
        problem: why it does not; empty where it does.
    """

    label: str
    archive: bytes
    problem: str


def _told(job: Job[Publishable]) -> str:
    now = job.progress
    left = f", {duration(now.left)} left at most" if now.left else ""
    best = getattr(now, "best", "")
    so_far = f"So far: **{words.plain(best)}**." if best else "Nothing that may go out was found so far."
    return f":material/hourglass_top: {how_many(now.done, 'possibility', 'possibilities')} tried{left}. {so_far}"


RUNS: Runs[Publishable] = Runs("publishable", _told, stop="Stop, and take what was found", patience=float("inf"))


def show() -> None:
    """Shows the offer, how the search goes, or what it found."""
    key = _key()
    job, begun = RUNS.job(key), _BEGUN.of(key[0]) is not None
    with st.container(horizontal=True, vertical_alignment="center"):
        act(
            "Search again" if begun else "Make it publishable",
            _start,
            type="secondary" if begun else "primary",
            icon="auto_fix_high",
            disabled=job is not None and not job.done,
            key="publishable-start",
            help="Searches what to change until the check says Ready, at the least cost; "
            f"{duration(SECONDS)} at most, and you can stop it.",
        )
        if begun:
            choose_pins()
    if job is not None and RUNS.ended(job, key) and job.result is not None:
        show_result(job.result)


def _key() -> tuple[object, ...]:
    return (*state.results_key(), decisions.rule(), _pins())


def _pins() -> tuple[Pin, ...]:
    return _PINS.of(state.results_key()[0]) or ()


def _start() -> None:
    frame, study, rule, pins, progress = state.to_recode(), state.results_key()[1], decisions.rule(), _pins(), Sought()

    def compute(cancelled: Callable[[], bool]) -> Publishable:
        return publishable(
            frame,
            study,
            rule,
            pins=pins,
            time_limit=SECONDS,
            progress=progress.tell,
            found=progress.found,
            cancelled=cancelled,
        )

    _TAKEN.drop()
    _BEGUN.keep(_key()[0], value=True)
    RUNS.start(_key(), compute, SECONDS, progress)


def choose_pins() -> None:
    """Asks what has to stay of which columns."""
    study, pins = state.results_key()[1], {pin.name: pin for pin in _pins()}
    removed = set(study.roles.remove)
    names = [column for column in map(str, state.to_recode().columns) if column not in removed]
    with st.popover("What has to stay", icon=":material/push_pin:"):
        chosen = st.multiselect(
            "Columns that have to stay",
            names,
            [name for name in pins if name in names],
            key="publishable-pins",
            on_change=_take_pins,
        )
        for attribute in study.attributes:
            if attribute.name in chosen and attribute.numeric:
                before = pins.get(attribute.name, Pin(attribute.name)).widest
                st.number_input(
                    f"Widest groups of {words.plain(attribute.name)} (0: as wide as need be)",
                    0.0,
                    value=float(before or 0),
                    key=f"publishable-width-{attribute.name}",
                    on_change=_take_pins,
                )


def _take_pins() -> None:
    chosen = st.session_state["publishable-pins"]
    widths = {name: st.session_state.get(f"publishable-width-{name}", 0.0) for name in chosen}
    pins = tuple(Pin(name, Decimal(str(width)) if width else None) for name, width in widths.items())
    _PINS.keep(state.results_key()[0], pins)


def show_result(found: Publishable) -> None:
    """Shows what may go out, or why nothing may."""
    for note in found.warnings:
        st.caption(words.plain(note))
    if not found.outcomes:
        st.error(words.plain(found.why_not), icon=":material/block:")
        return
    for place, (outcome, column) in enumerate(zip(found.outcomes, st.columns(len(found.outcomes)), strict=True)):
        with column.container(border=True):
            show_outcome(found, outcome, place)
    st.caption("Below, Check still speaks of the table as it was, and its files are of that table.")
    taken = _TAKEN.of(_key())
    if taken is None:
        return
    if taken.problem:
        st.error(words.plain(f"As it would be handed out this does not pass: {taken.problem}"), icon=":material/block:")
    elif may_be_downloaded():
        st.success(
            f"**Ready.** {words.plain(taken.label)}. In it: the table and its study to hand out; the verdict, the "
            "settings and a script that makes all of it again, to keep.",
            icon=":material/check_circle:",
        )
        download("All of it in one file (ZIP)", taken.archive, "publishable.zip", key="publishable-zip")


def show_outcome(found: Publishable, outcome: Outcome, place: int) -> None:
    """Shows one of the tables: what is kept, what was done, how it would look."""
    what, _, lost = outcome.label.rpartition(": ")
    st.markdown(f"**{percent(1 - outcome.cost)} of the detail kept**")
    st.markdown(f"{words.plain(what)}. {words.plain(lost.split(', ')[0])}.")
    st.dataframe(
        outcome.frame.head(SHOWN_ROWS).astype(str),
        hide_index=True,
        height=SHOWN_ROWS * 35 + 40,
        alt=f"The first rows of outcome {place + 1}, as they would go out",
    )
    with st.popover("What each step cost"):
        steps = pd.DataFrame([(step.text, percent(step.cost)) for step in outcome.steps], columns=["step", "cost"])
        st.dataframe(steps, hide_index=True, alt="The steps, and what of the detail each cost")
    act("Take this one", _take, found, outcome, icon="check", key=f"publishable-take-{place}")


def _take(found: Publishable, outcome: Outcome) -> None:
    """Draws the table once, with coins that nobody knows, and packs what belongs to it."""
    data, frame = state.dataset(), state.to_recode()
    if data is None:
        return
    name = data.name if data.name.lower().endswith(".csv") else f"{data.name}.csv"
    try:
        settings = settings_of(outcome, found.rule, name, frame)
        drawn = published_by(frame, settings, outcome.choice.way, drawn_anew())
        problem = "" if drawn.ready else drawn.checked.findings[0].text
        content = archive_zip(archive_files(drawn, settings, name)) if drawn.ready else b""
    except CRAError as error:
        problem, content = str(error), b""
    _TAKEN.keep(_key(), Taken(outcome.label, content, problem))
    decisions.note(f"published as searched for: {outcome.label}")
