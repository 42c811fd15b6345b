"""Safe recode: the knob from ARX-LR to a recoding whose choices give a bounded amount away, and what that costs."""

import streamlit as st

from cra_dashboard.charts.published import published_figure
from cra_dashboard.lessons import asking
from cra_dashboard.lessons.pages import safe_recoding as questions
from cra_dashboard.panels import evidence
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import link_to_mend, require_study
from cra_dashboard.panels.gate import may_be_downloaded
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.row_order import keep_order_switch
from cra_dashboard.panels.stage import say, stage
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.safe import state as safe
from cra_dashboard.safe import story
from cra_dashboard.safe.chart import gains_figure
from cra_dashboard.session import keys, state
from cra_dashboard.session.messages import or_stop, show_error
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import glossary
from cra_engine import CRAError

st.title("Safe recode: how much do the choices tell?", help=glossary.of_page("safe_recoding"))
INTRO = (
    "ARX-LR publishes a box exactly where it holds k people. That can be **read backwards**. Safe recoding tosses a "
    "coin instead: turn the knob, and see what the choices still tell, and what that costs."
)
require_study()
sentence = st.container(key="safe-sentence")
figure, beside = stage()
with beside.container(key="safe-controls"):
    knob = st.select_slider("Epsilon", safe.KNOB, "1", key=keys.EPSILON, persist_state="session")
    asking.switch()
try:
    with st.spinner("Publishing…"):
        made, lost, arx = safe.made(knob), safe.loss(knob), safe.loss(safe.ARX)
        shown = safe.shown(knob)
except CRAError as error:
    show_error(error)
    link_to_mend()
    st.stop()

QUESTIONS = {"safe_gain": lambda: questions.safe_gain(shown.gains, knob)}
ABOUT = (state.results_key(), knob)
waiting = asking.ask_for_lesson(QUESTIONS, ABOUT, hold=True)
if waiting or asking.ask_first(QUESTIONS, ABOUT, ["safe_gain"], hold=True):
    evidence.published_boxes((figure, beside), made.grid, shown.classes, "safe")
    st.stop()
said = story.headline(knob, lost, arx, made.suppressed, shown.gains)
say(sentence, said, INTRO)

# ---------------------------------------------------------------- the picture

PART = f"safe-part-{hash((state.results_key(), knob))}"
names = [f"{place}: {made.grid.describe(segment)} ({size})" for place, (segment, size) in enumerate(shown.classes)]
parts = [*range(len(shown.classes)), *([len(shown.classes)] if made.suppressed else [])]
with beside:
    view = choose_view(made.grid, "safe")
with figure.container(key="safe-picture"):
    chosen = st.session_state.get(PART)
    picture.show(
        published_figure(shown, view, chosen, 1.0 if knob == safe.ARX else float(knob)),
        "safe-grid",
        f"Segment grid of the published boxes. {said}",
    )
    st.caption(
        "Boxes are what is published. In a cell stands the gain: how much the choices tell of where one person is, a "
        "logarithm of odds. Empty: nothing. Chance decides; shown is what this session drew, and hands out."
    )

# ---------------------------------------------------------------- the rest

each, told, promise, how, out = st.tabs(
    ["Each class", "What each way tells", "What is promised", "How", "Hand it out"], key="safe-tab", on_change="rerun"
)
with each:
    if parts:
        st.selectbox(
            "Class",
            parts,
            format_func=lambda place: names[place] if place < len(names) else f"suppressed ({made.suppressed})",
            key=PART,
            index=None,
            placeholder="Show a box in the picture",
        )
    st.dataframe(story.classes_table(shown, made.suppressed), hide_index=True, alt="Each class with its gain")
if told.open:
    with told:
        with st.spinner("Trying every table…"):
            measured = safe.measured()
        st.markdown(story.SMALL_WORLD)

        def picked(place: str) -> None:
            if place in safe.KNOB:
                st.session_state[keys.EPSILON] = place

        touch_chart(
            gains_figure(measured, knob),
            "safe-gains",
            picked,
            "Gain per way to publish. " + " ".join(f"{way.label}: {way.told}" for way in measured),
        )
        st.caption("A click turns the knob to that way; the slider above does the same.")
with promise:
    st.markdown(story.PROMISED)
    st.markdown(story.NOT_PROMISED)
with how:
    st.markdown(story.HOW)
with out:
    if knob == safe.ARX:
        st.info("ARX-LR promises nothing here; its release is on the page Recode.", icon=":material/info:")
    else:
        st.markdown(story.ONCE)
        keep_order_switch()
        if out.open and may_be_downloaded():
            with or_stop():
                text = state.release_csv(made)
            with st.container(horizontal=True):
                download("Download the release", text, "safe-release.csv")
                download("Download the study for its readers", safe.study_text(knob), "safe-study.toml")
        st.button(
            "Attack this release on the other pages",
            icon=":material/search:",
            on_click=safe.use,
            args=(knob,),
            key="safe-use",
            help="Attack, Single out and Check then work on this one.",
        )
