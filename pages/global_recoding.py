"""Global recode: one state for all records, provably the best, and how that is proved."""

from decimal import Decimal
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.global_recode import chart, models, replay, run, story
from cra_dashboard.lessons import asking
from cra_dashboard.lessons.pages import global_recoding as questions
from cra_dashboard.panels.download import download_table, keep_order_switch, may_be_downloaded
from cra_dashboard.panels.frame import require_dataset, require_study
from cra_dashboard.panels.stage import DETAILS, heading, one_of, stage
from cra_dashboard.panels.stepper import stepper
from cra_dashboard.panels.tables import show_table
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import fields, keys, link, messages, state
from cra_dashboard.session.runs import soon_over
from cra_dashboard.texts import glossary, words
from cra_dashboard.texts.papers import METHODS
from cra_engine import GlobalRecoding, Study
from cra_engine.choices import Search
from cra_engine.files.row_order import release_text
from cra_engine.publish.full_domain.search import Looks
from cra_engine.words import how_many

LIMITS = tuple(Decimal(share) for share in ("0", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"))
ROWS_SHOWN = 200
SEARCH, LOSSES = "How it was searched", "Every state by its loss"
INTRO = (
    "Global recoding takes **one state for all records**: every age in tens, say. Here layer 0 are the exact values, "
    "which local recoding never publishes. Records whose class fails a privacy model are suppressed. Among all states "
    "that suppress no more than you allow, this page publishes the one that loses least, **and proves it**."
)
# What is asked of the pictures as a whole.
OF_FIGURES = {"coarser_loses": questions.coarser_loses, "coarser_fails": questions.coarser_fails}


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Global recode: which state for everybody?", help=glossary.of_page("global_recoding"))
    data = require_dataset()
    study = require_study()
    sentence = st.container(key="gr-sentence")
    figure, beside = stage()
    if asking.ask_for_lesson(OF_FIGURES, "002", figure=figure):
        sentence.markdown("The picture shows the question's own people, not those of the table in use.")
        return
    controls = beside.container(key="gr-controls")
    with controls:
        settings = choose_settings(data, study)
    # In a lesson it is for the person to begin; a step about one of the looks has its picture all the same.
    if soon_over(study.attributes, len(data.frame)) and (
        link.options().lesson is None or keys.LOOK in st.session_state
    ):
        run.start_once(data, settings)
    with beside:
        running = run.panel(data)
    with controls:
        look: dict[str, Any] = {"type": "primary", "icon": "play_arrow", "disabled": running, "key": "gr-start"}
        fields.act("Recode globally", run.start, data, settings, **look)
    with beside:
        asking.switch()
    outcome = run.outcome(data)
    if outcome is None:
        sentence.markdown(INTRO)
        with figure.container(key="gr-before"):
            st.markdown("**The table before: exact values**, layer 0 in each column.")
            show_rows(data.frame[list(study.names)], "records before they are recoded")
        return
    if outcome.settings != settings:
        beside.info("This is the result for other settings; recode again for these.", icon=":material/update:")
    for warning in outcome.recoding.warnings:
        messages.warning(words.plain(warning))
    with sentence:
        say_published(outcome.recoding)
    with beside:
        say_proved(outcome.recoding.looks)
        shown = one_of("Picture", [SEARCH, LOSSES], "gr-picture")
    key = str(hash((data.digest, outcome.settings)))
    if outcome.recoding.looks.states > chart.MOST_DRAWN:
        states = outcome.recoding.looks.states
        st.info(f"The lattice has {states:,} states, too many to draw; the table below has them all.")
    elif shown == SEARCH:
        show_search(outcome, key, figure, beside)
    else:
        show_losses(outcome, key, figure, beside)
    show_tables(outcome)
    hand_out(outcome)


# ---------------------------------------------------------------- what to ask for


def choose_settings(data: state.Dataset, study: Study) -> run.Settings:
    """Asks what the release has to keep to, and what it is to lose least of."""
    limit = fields.select_slider(
        "Suppressed records, at most",
        LIMITS,
        format_func=lambda share: f"{float(100 * share):g} %",
        key=fields.begun(keys.SHARE, Decimal("0.05")),
    )
    utility = fields.selectbox(
        "What to lose least of", list(story.UTILITIES), format_func=story.UTILITIES.__getitem__, key="gr-utility"
    )
    asked = models.chosen(data, study)
    with st.popover(f"Privacy models: k = {study.k}{f' and {len(asked)} more' if asked else ''}", width="stretch"):
        st.markdown(f"**{study.k}-anonymity**, from the page Hierarchies.")
        models.form(data, study)
    with messages.or_stop():
        return run.Settings(study.changed(privacy=asked), limit, str(utility))


# ---------------------------------------------------------------- the state that was taken, and why no other is better


def say_published(recoding: GlobalRecoding) -> None:
    """Says which state was taken, and what it suppresses."""
    st.markdown(
        f"**Published: state {words.state(recoding.state)}, {how_many(recoding.suppressed, 'record')} of "
        f"{recoding.records:,} suppressed, {how_many(len(recoding.classes), 'class', 'classes')} left.** "
        f"The state shows {story.state_shows(recoding.study, recoding.state)}. {METHODS['global_recoding']}",
        help=INTRO,
    )


def say_proved(looks: Looks) -> None:
    """Says on what it rests that no state is better."""
    predicted = looks.states - looks.checked
    st.success(
        f"{looks.checked:,} states checked + {predicted:,} predicted = {looks.states:,}: no state is better.",
        icon=":material/verified:",
    )


def show_search(outcome: run.Outcome, key: str, figure: DeltaGenerator, beside: DeltaGenerator) -> None:
    """Shows how the search went, look by look."""
    recoding = outcome.recoding
    search: Search = "flash"  # of which the lesson speaks
    if link.options().lesson is None:
        with beside:
            search = one_of("Search", list(replay.SEARCHES), "gr-search", called=replay.SEARCHES.__getitem__)
    looks = run.searched(outcome, search)
    at, last = f"gr-step-{search}-{key}", replay.last_step(looks)
    # A lesson may want to begin with one of the looks.
    st.session_state.setdefault(at, min(st.session_state.pop(keys.LOOK, last), last))
    with beside:
        step = stepper(last, at, f"Look: 0 is before the search, {last} is the end") if last else 0
    on = looks.steps[step - 1] if 0 < step <= len(looks.steps) else None
    asked = {
        "what_follows": lambda: questions.what_follows(looks, st.session_state.get(at, last), replay.SEARCHES[search])
    }
    if on is None:
        held = False
        asking.ask_first(OF_FIGURES, "002", list(OF_FIGURES))
    else:
        held = asking.waits(asked, (at, step), ["what_follows"])
    if not held:
        least = max((criterion.least for criterion in recoding.criteria), default=1)
        beside.markdown(replay.search_told(looks, step, least, search))
    # Until the question is answered, the picture shows what was known before.
    now, picked = replay.moment(looks, step - held, recoding.state), st.session_state.get(f"gr-picked-{key}")
    counts = ", ".join(
        f"{now.count(status):,} {replay.NAMES[status]}" for status in reversed(replay.ORDER) if now.count(status)
    )
    with figure:
        touch_chart(
            chart.lattice_figure(looks, now, () if on is None else on.path, None if on is None else on.state, picked),
            f"gr-chart-{key}",
            partial(pick, key),
            f"Lattice of {looks.states:,} states: {counts}.",
        )
    figure.caption("Each mark is a state, coarser ones higher; click one to read about it. Layer 0: the exact values.")
    beside.markdown(of_picked(outcome, looks, now, picked))


def show_losses(outcome: run.Outcome, key: str, figure: DeltaGenerator, beside: DeltaGenerator) -> None:
    """Shows every state by its loss and by what it suppresses."""
    recoding, looks, every = outcome.recoding, outcome.recoding.looks, outcome.every
    picked = st.session_state.get(f"gr-picked-{key}")
    asking.ask_first(OF_FIGURES, "002", list(OF_FIGURES))
    with figure:
        touch_chart(
            chart.loss_figure(looks, every, outcome.settings.utility, recoding.state, picked),
            f"gr-chart-{key}",
            partial(pick, key),
            f"{every.states:,} states by suppressed records and loss; the published one loses least of those that "
            f"suppress at most {recoding.limit:,} records.",
        )
    figure.caption(
        f"Each mark is a state; click one to read about it. Left of the line it suppresses no more than "
        f"{recoding.limit:,} records; the star loses least of these."
    )
    now = replay.moment(looks, replay.last_step(looks), recoding.state)
    beside.markdown(of_picked(outcome, looks, now, picked))


def pick(key: str, place: int) -> None:
    st.session_state[f"gr-picked-{key}"] = place


def of_picked(outcome: run.Outcome, looks: Looks, now: replay.Moment, picked: int | None) -> str:
    """Returns what there is to say of the state that was clicked."""
    if picked is None:
        return ""
    recoding, utility = outcome.recoding, outcome.settings.utility
    return story.state_told(recoding.study, outcome.every, looks, now, utility, picked)


# ---------------------------------------------------------------- folded: what is kept, what each model costs


def show_tables(outcome: run.Outcome) -> None:
    """Shows what the table loses, what each model costs, all states, and the published rows."""
    recoding, states = outcome.recoding, outcome.recoding.looks.states
    heading(DETAILS)
    with st.expander("What the published table loses"):
        st.table(story.losses_table(recoding.measures), alt="The four losses of the published table")
    if outcome.prices:
        with st.expander("What each model costs"):
            utility = story.UTILITIES[outcome.settings.utility].lower()
            st.markdown(f"The best state under these models alone, by {utility}.")
            st.table(story.prices_table(outcome.prices), alt="Price of each privacy model")
    with st.expander(f"All {states:,} states as a table"):
        show_table(state.once("gr-states", outcome, lambda: run.states(outcome)), f"Figures of {states:,} states")
        st.caption("Its own menu, at its upper right corner, hands it out as a CSV file.")
    with st.expander("The published table"):
        show_rows(recoding.frame, "published records")


def show_rows(frame: pd.DataFrame, what: str) -> None:
    """Shows the first rows of a table."""
    shown = frame.head(ROWS_SHOWN)
    show_table(shown, f"The first {len(shown)} {what}", total=len(frame), things="records")


def hand_out(outcome: run.Outcome) -> None:
    """Hands out the release where it may go out."""
    if may_be_downloaded():
        keep_order_switch()
        frame, keep = outcome.recoding.frame, state.keep_order()
        text = state.once("gr-release-csv", (outcome, keep), lambda: release_text(frame, keep_order=keep))
        download_table("Release (CSV)", text, "release.csv")
    if outcome.recoding.suppressed:
        st.caption(
            "Suppressed records show * in every quasi-identifier and in sensitive columns: no model protects them."
        )


page()
