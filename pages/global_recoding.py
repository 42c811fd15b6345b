"""Global recode: one state for all records, provably the best, and how that is proved."""

from decimal import Decimal

import pandas as pd
import streamlit as st

from cra_dashboard.global_recode import chart, models, replay, run, story
from cra_dashboard.lessons import asking
from cra_dashboard.lessons.pages import global_recoding as questions
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_dataset, require_study
from cra_dashboard.panels.gate import may_be_downloaded
from cra_dashboard.panels.row_order import keep_order_switch
from cra_dashboard.panels.stage import one_of, stage
from cra_dashboard.panels.stepper import stepper
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import keys, state
from cra_dashboard.session.messages import or_stop
from cra_dashboard.texts import glossary, words
from cra_engine.words import how_many

LIMITS = tuple(Decimal(share) for share in ("0", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"))
UTILITIES = {
    "entropy": "Entropy",
    "precision": "Precision",
    "discernibility": "Discernibility",
    "aecs": "Class size",
}
ROWS_SHOWN = 200

st.title("Global recode: which state for everybody?", help=glossary.of_page("global_recoding"))
INTRO = (
    "Global recoding takes **one state for all records**: every age in tens, say. Records whose class fails a privacy "
    "model are suppressed. Among all states that suppress no more than you allow, this page publishes the one that "
    "loses least, **and proves it**."
)
data = require_dataset()
study = require_study()
sentence = st.container(key="gr-sentence")
figure, beside = stage()

# --- What to ask for --------------------------------------------------------------------------------------------------

asked = models.chosen(data, study)
controls = beside.container(key="gr-controls")
with controls:
    limit = st.select_slider(
        "Suppressed records, at most",
        LIMITS,
        value=Decimal("0.05"),
        format_func=lambda share: f"{float(100 * share):g} %",
        key=keys.SHARE,
        persist_state="session",
    )
    utility = st.selectbox(
        "What to lose least of",
        list(UTILITIES),
        format_func=UTILITIES.get,
        key="gr-utility",
        persist_state="session",
    )
    with st.popover(f"Privacy models: k = {study.k}{f' and {len(asked)} more' if asked else ''}", width="stretch"):
        st.markdown(f"**{study.k}-anonymity**, from the page Hierarchies.")
        models.form(data, study)
with or_stop():
    settings = run.Settings(study.changed(privacy=asked), limit, str(utility))
with beside:
    running = run.panel()
controls.button(
    "Recode globally",
    type="primary",
    icon=":material/play_arrow:",
    on_click=run.start,
    args=(settings,),
    disabled=running,
    key="gr-start",
)
with beside:
    asking.switch()
FIGURES = {"coarser_loses": questions.coarser_loses, "coarser_fails": questions.coarser_fails}
asking.ask_for_lesson(FIGURES, "002")
found = run.outcome()
if found is None:
    sentence.markdown(INTRO)
    st.stop()
recoding, looks, every = found.recoding, found.recoding.looks, found.every
if found.settings != settings:
    beside.info("This is the result for other settings; recode again for these.", icon=":material/update:")
for warning in recoding.warnings:
    st.warning(words.plain(warning), icon=":material/warning:")

# --- The state that was taken, and why no other is better -------------------------------------------------------------

predicted = looks.states - looks.checked
sentence.markdown(
    f"Published: state **{words.state(recoding.state)}**, that is {story.shown(recoding.study, recoding.state)}. "
    f"**{how_many(recoding.suppressed, 'record')}** of {recoding.records:,} suppressed, "
    f"{how_many(len(recoding.classes), 'class', 'classes')} left.",
    help=INTRO,
)
beside.success(
    f"{looks.checked:,} states checked + {predicted:,} predicted = {looks.states:,}: no state is better.",
    icon=":material/verified:",
)
key = f"gr-step-{hash((data.digest, found.settings))}"
last = replay.last_step(looks)
FOLLOWS = {"what_follows": lambda: questions.what_follows(recoding, st.session_state.get(key, last))}
least = max((criterion.least for criterion in recoding.criteria), default=1)
with beside:
    picture = one_of("Picture", ["How Flash searched", "Every state by its loss"], "gr-picture")
PICKED, CHART = f"gr-picked-{hash((data.digest, found.settings))}", f"gr-chart-{hash((data.digest, found.settings))}"


def touched(place: int) -> None:
    st.session_state[PICKED] = place


def of_picked() -> str:
    if picked is None:
        return ""
    return story.told(recoding.study, every, looks, now, found.settings.utility, picked)


picked = st.session_state.get(PICKED)
now = replay.moment(looks, last, recoding.state)
if looks.states > chart.MOST_DRAWN:
    st.info(f"The lattice has {looks.states:,} states, too many to draw; the table below has them all.")
elif picture == "How Flash searched":
    # A lesson may want to begin with one of the looks.
    st.session_state.setdefault(key, min(st.session_state.pop(keys.LOOK, last), last))
    with beside:
        step = stepper(last, key, f"Look: 0 is before the search, {last} is the end") if last else 0
    held = False
    if 0 < step <= len(looks.steps):
        held = asking.ask_for_lesson(FOLLOWS, (key, step), hold=True) or asking.ask_first(
            FOLLOWS, (key, step), ["what_follows"], hold=True
        )
    else:
        asking.ask_first(FIGURES, "002", list(FIGURES))
    if not held:
        beside.markdown(replay.told(looks, step, least))
    # Until the question is answered, the picture shows what was known before.
    now = replay.moment(looks, step - held, recoding.state)
    on = looks.steps[step - 1] if 0 < step <= len(looks.steps) else None
    counts = ", ".join(
        f"{now.count(status):,} {replay.NAMES[status]}" for status in reversed(replay.ORDER) if now.count(status)
    )
    with figure:
        touch_chart(
            chart.lattice_figure(looks, now, () if on is None else on.path, None if on is None else on.state, picked),
            CHART,
            touched,
            f"Lattice of {looks.states:,} states: {counts}.",
        )
    figure.caption("Each mark is a state, coarser ones higher; click one to read about it.")
    beside.markdown(of_picked())
else:
    asking.ask_first(FIGURES, "002", list(FIGURES))
    with figure:
        touch_chart(
            chart.loss_figure(looks, every, found.settings.utility, recoding.state, picked),
            CHART,
            touched,
            f"{every.states:,} states by suppressed records and loss; the published one loses least of those that "
            f"suppress at most {recoding.limit:,} records.",
        )
    figure.caption(
        f"Each mark is a state; click one to read about it. Left of the line it suppresses no more than "
        f"{recoding.limit:,} records; the star loses least of these."
    )
    beside.markdown(of_picked())

# --- Folded: what is kept, what each model costs, all states, the table -----------------------------------------------

with st.expander("What the published table loses"):
    measures = recoding.measures
    st.table(
        pd.DataFrame(
            {
                "Loss": list(UTILITIES.values()),
                "Value": [
                    f"{measures.value('entropy'):,.1f} bits",
                    f"{measures.value('precision'):.4f}",
                    f"{measures.discernibility:,}",
                    f"{measures.value('aecs'):,.2f} records",
                ],
                "Meaning": [
                    "how much less probable the values became, all records together",
                    "mean of layer over height, suppressed records 1; from 0 to 1",
                    "how many records each is confused with, in all; a suppressed one with all",
                    "records over classes; suppressed ones are one class more",
                ],
            }
        ).set_index("Loss"),
        alt="The four losses of the published table",
    )
if found.prices:
    with st.expander("What each model costs"):
        st.markdown(f"The best state under these models alone, by {UTILITIES[found.settings.utility].lower()}.")
        st.table(
            pd.DataFrame(
                [
                    {
                        "Models": words.plain(", ".join(map(str, price.criteria))),
                        "Anonymous states": f"{price.anonymous:,}",
                        "State": "none" if price.state is None else words.state(price.state),
                        "Suppressed": f"{price.suppressed:,}",
                        "Classes": f"{price.classes:,}",
                        "Loss": "" if price.loss is None else f"{price.loss:,.6g}",
                    }
                    for price in found.prices
                ]
            ).set_index("Models"),
            alt="Price of each privacy model",
        )
with st.expander(f"All {looks.states:,} states as a table"):
    table = state.once("gr-states", found, lambda: run.states(found))
    st.dataframe(table, hide_index=True, alt=f"Figures of {looks.states:,} states")
with st.expander("The published table"):
    st.dataframe(
        recoding.frame.head(ROWS_SHOWN),
        hide_index=True,
        alt=f"The first {min(ROWS_SHOWN, len(recoding.frame))} published records",
    )
    if len(recoding.frame) > ROWS_SHOWN:
        st.caption(f"The first {ROWS_SHOWN} of {len(recoding.frame):,} records.")
free = may_be_downloaded()
if free:
    keep_order_switch()
with st.container(horizontal=True):
    if free:
        download("Release (CSV)", run.release_csv(found), "release.csv")
    download("All states (CSV)", state.once("gr-states-csv", found, lambda: run.states_csv(found)), "states.csv")
if recoding.suppressed:
    st.caption("Suppressed records show * in every quasi-identifier and in sensitive columns: no model protects them.")
