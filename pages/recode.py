"""Recode: how ARX-LR makes the published table, one iteration at a time."""

from collections import Counter

import streamlit as st

from cra_dashboard.charts import lattice as lattice_chart
from cra_dashboard.charts import recoding as recoding_chart
from cra_dashboard.charts.look import CONFIG, texts_fit
from cra_dashboard.lessons import asking
from cra_dashboard.lessons.pages import recode as questions
from cra_dashboard.panels import formulas
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_dataset, require_recoding
from cra_dashboard.panels.gate import may_be_downloaded
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.row_order import keep_order_switch
from cra_dashboard.panels.stage import folded, legend, one_of, stage
from cra_dashboard.panels.stepper import stepper
from cra_dashboard.session import keys, state
from cra_dashboard.session.messages import or_stop
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import arithmetic, glossary, reasons, words
from cra_dashboard.texts.states import LOOKS
from cra_engine import SafeRecoding
from cra_engine.words import how_many, percent

# Columns of the candidate tables with the terms that explain them.
CRITERIA = [("state", "state"), ("information loss", "information loss"), ("c1", "c1"), ("c2", "c2"), ("c3", "c3")]

INTRO = (
    "Local recoding replaces exact values by intervals, as short as it can, until at least **k** people share each "
    "published row. Step through it and see, at every step, **which state was taken, and why**."
)

top = st.container(horizontal=True, vertical_alignment="bottom", key="recode-top")
with top:
    st.title("Recode: which state?", help=glossary.of_page("recode"), width="content")
data = require_dataset()
require_recoding()
recoding = state.recoding()
if isinstance(recoding, SafeRecoding):
    st.info("This study is published by safe recoding, which takes no such steps.", icon=":material/shield:")
    st.page_link("pages/safe_recoding.py", label="Go to Safe recode")
    st.stop()
study, steps = recoding.study, recoding.iterations

# --- The step: everything is worked out before anything is shown, so that all of it changes at once -------------------

last = len(steps) + 1
with top:
    index = stepper(
        last,
        keys.step(),
        "Iteration, from the raw table to the end",
        names=[reasons.of_step(recoding, step) for step in range(last + 1)],
    )
with st.spinner("Looking at every state…"):
    # Step 0 shows what the first iteration will find.
    candidates = state.once("candidates", (state.results_key(), index), lambda: recoding.candidates(max(index, 1)))
status = lattice_chart.statuses(recoding, index, candidates)
told, done, *more = [*reasons.why(recoding, index, candidates), ""]
counts = Counter(lattice_chart.LOOKS[what][0] for what in status.values())
of_states = f"of {how_many(recoding.lattice.size, 'state')}, " + ", ".join(
    f"{number:,} {name}" for name, number in counts.items()
)
drawn_singly = recoding.lattice.size <= lattice_chart.MOST_STATES

with st.container(key="stage-heading"):
    st.subheader(reasons.heading(recoding, index), help=INTRO)
figure, controls = stage(7, 2)
with controls:
    with st.container(key="recode-reason"):
        st.markdown("\n\n".join([f"{told} {done}", *more]))
    QUESTIONS = {
        "next_state": lambda: questions.next_state(recoding, index),
        "segments": lambda: questions.segments(recoding.grid, [2, *[1] * (len(study.names) - 1)]),
        "more_steps": lambda: questions.more_steps(recoding, data.frame, "arx-gui"),
    }
    asking.ask_for_lesson(QUESTIONS, (state.results_key(), index))
    asking.ask_first(QUESTIONS, (state.results_key(), index), ["next_state"])
    dots = False
    if len(data.frame) <= recoding_chart.MOST_DOTS:
        shown = one_of(
            "Show records as",
            ["dots", "numbers"],
            "recode-records",
            first="dots" if len(data.frame) <= 400 else "numbers",
        )
        dots = shown == "dots"
    view = choose_view(recoding.grid, "recode")
    asking.switch()
    for warning in recoding.warnings:
        st.warning(warning, icon=":material/warning:")

# --- The pictures: the same places in every step ----------------------------------------------------------------------

with figure:
    lattice_side, grid_side = st.columns(2, gap="small")
with lattice_side:
    legend([(LOOKS[what][1], LOOKS[what][2], LOOKS[what][0]) for what in LOOKS], "States:")
    if drawn_singly:
        picture.show(
            lattice_chart.lattice_figure(recoding.lattice, status, reasons.hovers(recoding, candidates, status)),
            "recode-lattice",
            f"Lattice of states: {of_states}.",
        )
        st.caption("Point at a state: its boxes show in the grid.")
    else:
        st.plotly_chart(
            lattice_chart.levels_figure(status),
            key="recode-levels",
            config=CONFIG,
            alt=f"States per level: {of_states}.",
        )
        st.caption(f"The lattice has {recoding.lattice.size:,} states, too many to draw one by one: {of_states}.")
tiles = recoding_chart.tile_counts(recoding, view, index)
left, now, before = (int(part.sum()) for part in (tiles.left, tiles.now, tiles.before))
if recoding_chart.ended(recoding, index):
    takeaway = f"{how_many(before, 'record')} published, {left:,} suppressed"
else:
    takeaway = f"{how_many(left, 'record')} not published yet, {now:,} published now, {before:,} earlier"
with grid_side:
    legend(recoding_chart.legend_of(recoding, index, dots=dots), "Records:")
    picture.show(
        recoding_chart.step_figure(recoding, view, index, data.frame if dots else None),
        "recode-grid",
        f"Segment grid: {takeaway}.",
        cuts=recoding_chart.cuts_of(recoding.grid, view),
    )
    said = f"In this view: {takeaway}."
    if not dots and not texts_fit(view.columns, [str(tiles.left.max()), f"✓{tiles.now.max()}"]):
        said += " The more records a cell holds, the stronger its colour; point at it for the number."
    if view.folded:
        said += " The intervals are too many to draw: a tile joins neighbouring ones."
    if not view.flat:
        said += " 5+ stands for class 5 and others behind it."
    st.caption(said)

# --- Folded: tables and arithmetic ------------------------------------------------------------------------------------

near = candidates[reasons.nearby(candidates, status)]


def nearest() -> None:
    st.dataframe(
        reasons.candidate_table(recoding, index, near, status),
        hide_index=True,
        column_config=glossary.columns(CRITERIA),
        alt="The states around the chosen one with their information loss and whether they could publish.",
    )
    st.caption(
        "The first state that can publish is taken. Exact ties in loss are broken by c1 (sum of the layers), then c2 "
        "(mean height in the hierarchies), then c3 (share of distinct values lost; computed only where it is needed)."
    )


def the_arithmetic() -> None:
    asked = st.selectbox(
        "State",
        [candidate.state for candidate in near],
        index=next((place for place, c in enumerate(near) if status[c.state] == "chosen"), 0),
        format_func=words.state,
        key=f"recode-arithmetic-{index}",
        width=200,
    )
    formulas.show(arithmetic.losses(recoding.lattice, asked))
    if 1 <= index <= len(steps):
        step = steps[index - 1]
        remain = (recoding.iteration_of_record == 0) | (recoding.iteration_of_record >= index)
        if asked in [tie.state for tie in step.tied]:
            leaves = state.leaves()
            formulas.show([arithmetic.third(recoding.lattice, asked, leaves[remain], data.frame[remain])])
        formulas.show([arithmetic.counts(step.before, [size for _, size in step.classes])])


def all_states() -> None:
    if not drawn_singly:
        st.dataframe(lattice_chart.level_summary(status), alt="Number of states per level, by what became of them.")
    st.dataframe(
        reasons.candidate_table(recoding, index, candidates, status),
        hide_index=True,
        column_config=glossary.columns(CRITERIA),
        alt="Every state as this step finds it, cheapest first.",
    )


def classes_formed() -> None:
    formed = recoding_chart.class_table(recoding, index)
    st.dataframe(formed, hide_index=True, alt=f"{len(formed)} classes with their boxes and sizes.")
    st.caption(
        "Classes are numbered as they were formed. Where states tie, an attacker cannot know which of them went first."
    )


def grid_numbers() -> None:
    st.dataframe(recoding_chart.counts_table(recoding, view, index), hide_index=True, alt=takeaway)


def published_table() -> None:
    first = recoding.frame.head(200)
    st.dataframe(first, hide_index=True, alt=f"The first {len(first)} rows of the published table.")
    st.caption("The rows keep the order of the raw table; whoever knows that order can line the two up.")
    if len(first) < len(recoding.frame):
        st.caption(f"The first {len(first)} of {len(recoding.frame):,} rows; the file holds all of them.")


folded(
    {
        "The candidates, cheapest first": nearest,
        "The arithmetic: loss, ties, records left": the_arithmetic,
        f"All {recoding.lattice.size:,} states": all_states,
        f"Classes formed so far: {sum(formed.iteration <= index for formed in recoding.classes):,}": classes_formed,
        "The numbers in the grid": grid_numbers,
        "The published table": published_table,
    },
    "recode-folded",
)

# --- The result -------------------------------------------------------------------------------------------------------

basic = sum(c.segment.basic for c in recoding.classes)
compound, suppressed = len(recoding.classes) - basic, recoding.suppressed
if recoding.classes:
    classes = how_many(len(recoding.classes), "class", "classes")
    st.markdown(
        f"{how_many(recoding.records, 'record')} in **{classes}**: {basic:,} basic (a single cell of the grid) "
        f"and {compound:,} compound (wider). **{how_many(suppressed, 'record')} suppressed** "
        f"({percent(suppressed / recoding.records)})."
    )
else:
    st.warning(
        f"Every record is suppressed: no state below the top can publish with k = {study.k}. Take a smaller k, or "
        "coarser leaves.",
        icon=":material/warning:",
    )
with or_stop():
    published = state.release_csv()
free = may_be_downloaded()
if free:
    keep_order_switch()
with st.container(horizontal=True):
    if free:
        download(
            "Published table (CSV)",
            published,
            "release.csv",
            hint="Written as ARX writes it, with `;` between columns; its rows stand in a random order."
            if not state.keep_order()
            else "Written as ARX writes it, with `;` between columns; its rows stand in the order of the raw table.",
        )
    download(
        "Study (TOML)",
        study.to_toml_text(),
        "study.toml",
        hint="Which hierarchies and which k were used: whoever reads the release, an attacker too, is taken to know.",
    )
defused = state.defused()
if defused:
    st.caption(
        f"{words.sentence(how_many(defused, 'cell'))} that a spreadsheet would run as a formula "
        f"{'begins' if defused == 1 else 'begin'} with an apostrophe in the file."
    )
