"""Recode: how ARX-LR makes the published table, one step at a time."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from cra_dashboard.charts import lattice as lattice_chart
from cra_dashboard.charts import recoding as recoding_chart
from cra_dashboard.charts.look import CONFIG, texts_fit
from cra_dashboard.charts.view import View
from cra_dashboard.hierarchy import study_edits
from cra_dashboard.hierarchy.fields import choose_k
from cra_dashboard.lessons import asking, progress
from cra_dashboard.lessons.pages import recode as questions
from cra_dashboard.panels import download, formulas
from cra_dashboard.panels.frame import require_dataset, require_recoding
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import folded, one_of, stage
from cra_dashboard.panels.stepper import stepper
from cra_dashboard.panels.tables import show_table
from cra_dashboard.session import keys, messages, state
from cra_dashboard.session.model_form import ModelForm
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import arithmetic, glossary, reasons, words
from cra_dashboard.texts.states import LOOKS, Status
from cra_engine import DPresence, Recoding, SafeRecoding, Study
from cra_engine.publish.local.rounds import Candidate
from cra_engine.study.lattice import State
from cra_engine.study.quality import AGGREGATES, OF_A_TABLE, QUALITY_MODELS, WEIGHS_SUPPRESSION, Quality
from cra_engine.words import how_many

# Columns of the candidate tables with the terms that explain them.
CRITERIA = [("state", "state"), ("information loss", "information loss"), ("c1", "c1"), ("c2", "c2"), ("c3", "c3")]

INTRO = (
    "Local recoding replaces exact values by intervals, as short as it can, until at least **k** people share each "
    "published row. Step through it and see, at every step, **which state was taken, and why**."
)


@dataclass(frozen=True, eq=False)
class Step:
    """A step of the recoding, with all that is worked out for it before anything is shown.

    Attributes:
        recoding: that is stepped through.
        index: of the step; 0 is the raw table, one past the last step of the recoding the end.
        candidates: every state as the step finds it.
        status: what became of each state.
        frame: the raw table.
    """

    recoding: Recoding
    index: int
    candidates: list[Candidate]
    status: dict[State, Status]
    frame: pd.DataFrame

    @property
    def near(self) -> list[Candidate]:
        """The candidates around the chosen state."""
        return self.candidates[reasons.nearby_rows(self.candidates, self.status)]

    @property
    def about(self) -> tuple[Hashable, int]:
        """What its questions are about."""
        return state.results_key(), self.index

    @property
    def drawn_singly(self) -> bool:
        """Whether the states are few enough to draw each."""
        return self.recoding.lattice.size <= lattice_chart.MOST_STATES


def page() -> None:
    """Shows the page from top to bottom."""
    top = st.container(horizontal=True, vertical_alignment="bottom", key="recode-top")
    with top:
        st.title("Recode: which boxes?", help=glossary.of_page("recode"), width="content")
    data = require_dataset()
    require_recoding()
    recoding = state.recoding()
    if isinstance(recoding, SafeRecoding):
        st.info("This study is published by safe recoding, which takes no such steps.", icon=":material/shield:")
        st.page_link("pages/safe_recoding.py", label="Go to Safe recode")
        return
    # Everything is worked out before anything is shown, so that all of it changes at once.
    with top:
        step = choose_step(recoding, data.frame)
    with st.container(key="stage-heading"):
        # A step of a lesson about the people alone comes before states are spoken of.
        lesson = progress.step()
        with_states = lesson is None or lesson.figure != "recode-grid"
        counted = not asking.is_open("next_state", step.about)
        st.subheader(reasons.step_heading(recoding, step.index, count=counted, state=with_states), help=INTRO)
        told, *why = reasons.step_reason(recoding, step.index, step.candidates)
        if with_states:
            st.markdown(words.unbroken(told))
    figure, controls = stage(3, 1)
    with controls:
        if with_states:
            st.markdown(words.unbroken(" ".join(why)))
        ask(step)
        dots = choose_marks(len(data.frame))
        view = choose_view(recoding.grid, "recode")
        if lesson is None:  # which are about its own study
            choose_models(recoding.study, data)
        asking.switch()
        for warning in recoding.warnings:
            messages.warning(warning)
    grid_side = figure
    if with_states:
        with figure:
            lattice_side, grid_side = st.columns(2, gap="small")
        with lattice_side:
            draw_lattice(step)
    tiles = recoding_chart.tile_counts(recoding, view, step.index)
    takeaway = takeaway_of(step, tiles)
    with grid_side:
        draw_grid(step, view, tiles, takeaway, dots=dots)
    formed = sum(formed.iteration <= step.index for formed in recoding.classes)
    of_states = {
        "The candidates, cheapest first": partial(nearest, step),
        "The arithmetic: loss, ties, people left": partial(the_arithmetic, step),
        f"All {recoding.lattice.size:,} states": partial(all_states, step),
    }
    of_people = {
        f"Classes formed so far: {formed:,}": partial(classes_formed, step),
        "The numbers in the grid": partial(grid_numbers, step, view, takeaway),
        "The published table": partial(published_table, recoding),
    }
    folded((of_states if with_states else {}) | of_people, "recode-folded")
    # Who steps through it, and a lesson, sees the end there and not before.
    show_result(recoding, told=(lesson is None and step.index > 0) or recoding_chart.at_the_end(recoding, step.index))
    hand_out(recoding, data.name)


# ---------------------------------------------------------------- the step


def choose_step(recoding: Recoding, frame: pd.DataFrame) -> Step:
    """Asks which step is looked at, and works out what it finds."""
    last = len(recoding.iterations) + 1
    index = stepper(
        last,
        keys.step(),
        "Step, from the raw table to the end",
        names=[reasons.of_step(recoding, step) for step in range(last + 1)],
    )
    with st.spinner("Looking at every state…"):
        # Step 0 shows what the first iteration will find.
        candidates = state.once("candidates", (state.results_key(), index), lambda: recoding.candidates(max(index, 1)))
    return Step(recoding, index, candidates, lattice_chart.statuses(recoding, index, candidates), frame)


def ask(step: Step) -> None:
    """Asks what comes next, where a lesson or the person wants to be asked."""
    recoding = step.recoding
    asked = {
        "next_state": lambda: questions.next_state(recoding, step.index),
        "segments": lambda: questions.segments(recoding.grid, [2, *[1] * (len(recoding.study.names) - 1)]),
        "more_steps": lambda: questions.more_steps(recoding, step.frame),
    }
    asking.ask_for_lesson(asked, step.about)
    asking.ask_first(asked, step.about, ["next_state"])


def choose_marks(records: int) -> bool:
    """Asks whether records are drawn as dots; too many are not."""
    if records > recoding_chart.MOST_DOTS:
        return False
    first = "dots" if records <= 400 else "numbers"
    return one_of("Show records as", ["dots", "numbers"], "recode-records", first=first) == "dots"


def choose_models(study: Study, data: state.Dataset) -> None:
    """Asks for k and the privacy models beside it, and for the quality model by which states are chosen."""
    study_edits.fill_fields(data, study)
    choose_k(study, len(data.frame))
    asked = len(study.privacy)
    with st.popover(f"Privacy models{f': {asked}' if asked else ''}"):
        st.caption("Beside k: a box is published only if its remaining records pass all of them.")
        form = ModelForm("recode-model", DPresence, lambda models: state.use_study(study.changed(privacy=models)))
        form.show(data.frame, study.names, study.privacy)
    with st.popover(f"Quality model: {study.quality.model.replace('-', ' ')}"):
        choose_quality(study)


def choose_quality(study: Study) -> None:
    """Asks how ARX weighs states; the paper knows the first of each alone."""
    present, run = study.quality, hash(study)
    model = st.selectbox("Model", QUALITY_MODELS, QUALITY_MODELS.index(present.model), key=f"recode-quality-{run}")
    aggregate, factor = "geometric-mean", 0.0
    if model not in OF_A_TABLE:
        place = AGGREGATES.index(present.aggregate)
        aggregate = st.selectbox("Attributes together", AGGREGATES, place, key=f"recode-aggregate-{run}")
    if model in WEIGHS_SUPPRESSION:
        given = float(present.gs_factor)
        factor = st.slider("Suppression weighs (g/s factor)", 0.0, 1.0, given, 0.05, key=f"recode-factor-{run}")
    weights = {}
    for name in study.names:
        given, key = float(present.weight(name)), f"recode-weight-{name}-{run}"
        weights[name] = st.slider(f"Weight of {words.plain(name)}", 0.0, 1.0, given, 0.05, key=key)
    chosen = Quality(model, aggregate, factor, weights)
    st.button("Recode so", on_click=state.use_study, args=(study.changed(quality=chosen),), disabled=chosen == present)


# ---------------------------------------------------------------- the pictures: the same places in every step


def draw_lattice(step: Step) -> None:
    """Draws what became of the states, each by itself or counted per level."""
    recoding, status = step.recoding, step.status
    counts = Counter(LOOKS[what][0] for what in status.values())
    of_states = f"of {how_many(recoding.lattice.size, 'state')}, " + ", ".join(
        f"{number:,} {name}" for name, number in counts.items()
    )
    if step.drawn_singly:
        picture.show(
            lattice_chart.lattice_figure(recoding.lattice, status, reasons.hovers(recoding, step.candidates, status)),
            "recode-lattice",
            f"Lattice of states: {of_states}.",
        )
        named = words.plain(", ".join(f"{name} layer" for name in recoding.study.names))
        hint = f"{glossary.meaning('layer')} Point at a state: its boxes show in the grid."
        st.caption(f"A state: {named}.", help=hint)
    else:
        st.plotly_chart(
            lattice_chart.levels_figure(status),
            key="recode-levels",
            config=CONFIG,
            alt=f"States per level: {of_states}.",
        )
        st.caption(f"The lattice has {recoding.lattice.size:,} states, too many to draw one by one: {of_states}.")


def takeaway_of(step: Step, tiles: recoding_chart.TileCounts) -> str:
    """Says how many people of the view are published."""
    left, now, before = (int(part.sum()) for part in (tiles.left, tiles.now, tiles.before))
    if recoding_chart.at_the_end(step.recoding, step.index):
        return f"{before:,} of {how_many(before + left, 'person', 'people')} published, {left:,} suppressed"
    return f"{how_many(left, 'person', 'people')} not published yet, {now:,} published now, {before:,} earlier"


def draw_grid(step: Step, view: View, tiles: recoding_chart.TileCounts, takeaway: str, *, dots: bool) -> None:
    """Draws the grid after the step."""
    recoding, index = step.recoding, step.index
    picture.show(
        recoding_chart.step_figure(recoding, view, index, step.frame if dots else None),
        "recode-grid",
        f"Grid: {takeaway}.",
        cuts=recoding_chart.cuts_of(recoding.grid, view),
    )
    said = f"{takeaway}."
    if not dots and not texts_fit(view.columns, [str(tiles.left.max()), f"✓{tiles.now.max()}"]):
        said += " The more records a cell holds, the stronger its colour; point at it for the number."
    if view.folded:
        said += " The intervals are too many to draw: a tile joins neighbouring ones."
    if not view.flat and any(formed.iteration <= index for formed in recoding.classes):
        said += " 5+ stands for class 5 and others behind it."
    st.caption(said)


# ---------------------------------------------------------------- folded: tables and arithmetic


def nearest(step: Step) -> None:
    """Shows the states around the chosen one as a table."""
    show_table(
        reasons.candidate_table(step.recoding, step.index, step.near, step.status),
        "The states around the chosen one with their information loss and whether they could publish.",
        columns=glossary.columns(CRITERIA),
    )


def the_arithmetic(step: Step) -> None:
    """Shows a state's loss, the ties and the records that are left as formulas with their numbers."""
    recoding, index, near = step.recoding, step.index, step.near
    asked = st.selectbox(
        "State",
        [candidate.state for candidate in near],
        index=next((place for place, one in enumerate(near) if step.status[one.state] == "chosen"), 0),
        format_func=words.state,
        key=f"recode-arithmetic-{index}",
        width=200,
    )
    formulas.show(arithmetic.losses(recoding.lattice, asked))
    for told in reasons.ties(recoding, index, step.candidates):
        st.markdown(words.unbroken(told))
    if 1 <= index <= len(recoding.iterations):
        iteration = recoding.iterations[index - 1]
        remain = (recoding.iteration_of_record == 0) | (recoding.iteration_of_record >= index)
        if asked in [tie.state for tie in iteration.tied]:
            formulas.show([arithmetic.third(recoding.lattice, asked, state.leaves()[remain], step.frame[remain])])
        formulas.show([arithmetic.counts(iteration.before, [size for _, size in iteration.classes])])


def all_states(step: Step) -> None:
    """Shows every state as a table."""
    if not step.drawn_singly:
        st.dataframe(
            lattice_chart.level_summary(step.status), alt="Number of states per level, by what became of them."
        )
    show_table(
        reasons.candidate_table(step.recoding, step.index, step.candidates, step.status),
        "Every state as this step finds it, cheapest first.",
        columns=glossary.columns(CRITERIA),
    )


def classes_formed(step: Step) -> None:
    """Shows the classes formed so far."""
    formed = recoding_chart.class_table(step.recoding, step.index)
    show_table(formed, f"{len(formed)} classes with their boxes and sizes.")
    st.caption(
        "Classes are numbered as they were formed. Where states tie, an attacker cannot know which of them went first."
    )


def grid_numbers(step: Step, view: View, takeaway: str) -> None:
    """Shows the numbers of the grid as a table."""
    show_table(recoding_chart.counts_table(step.recoding, view, step.index), takeaway)


def published_table(recoding: Recoding) -> None:
    """Shows the first rows of the published table."""
    first, total = recoding.frame.head(200), len(recoding.frame)
    show_table(first, f"The first {len(first)} rows of the published table.", total=total, things="rows")
    st.caption("The rows keep the order of the raw table; whoever knows that order can line the two up.")


# ---------------------------------------------------------------- the result


def show_result(recoding: Recoding, *, told: bool) -> None:
    """Says how many classes there are in the end, and how many records are suppressed."""
    if not recoding.classes:
        messages.warning(
            f"Every record is suppressed: no state below the top can publish with k = {recoding.study.k}. Take a "
            "smaller k, or coarser leaves.",
        )
    elif told:
        st.markdown(reasons.result(recoding))


def hand_out(recoding: Recoding, name: str) -> None:
    """Hands out the published table after its last check, and the study, under the table's name."""
    with messages.or_stop():
        published = state.release_csv(recoding)
    free = download.may_be_downloaded()
    if free:
        download.keep_order_switch()
    rows = "the order of the raw table" if state.keep_order() else "a random order"
    with st.container(horizontal=True):
        if free:
            download.download_whole(recoding, published, name)
        with st.popover("Single files"):
            if free:
                hint = f"Written as ARX writes it, with `;` between columns; its rows stand in {rows}."
                download.download_table("Published table (CSV)", published, "release.csv", hint=hint)
            hint = "Hierarchies and k: whoever reads the release, an attacker too, is taken to know them."
            download.readers_study(recoding, "Study (TOML)", "study.toml", hint=hint)
    defused = state.defused()
    if defused:
        st.caption(
            f"{words.sentence(how_many(defused, 'cell'))} that a spreadsheet would run as a formula "
            f"{'begins' if defused == 1 else 'begin'} with an apostrophe in the file."
        )


page()
