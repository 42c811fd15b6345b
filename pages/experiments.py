"""Experiments: publish and attack many samples, as the paper's evaluation does, and watch what comes out."""

import uuid
from functools import partial

import streamlit as st

from cra_dashboard.experiments import run
from cra_dashboard.experiments.form import choose_experiment
from cra_dashboard.experiments.plan import PAPER, PLAN, SessionTable, built_plan, checked_plan, read_plan, session_table
from cra_dashboard.experiments.view import show_results
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.stage import Stage, stage
from cra_dashboard.session import fields, link, messages, state
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.texts import glossary, words
from cra_engine import CRAError
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.report import report_files
from cra_engine.experiments.results import Results
from cra_engine.files.zipped import packed_zip
from cra_engine.words import duration, how_many, listed

BUILD, SHIPPED = "Put one together", "The paper's plan"
SOURCES = {
    BUILD: "A small one is chosen already.",
    SHIPPED: "Its Table 1 on invented look-alikes.",
    "From a file": "Made here before, or by hand.",
}
EVERY = 1.0  # seconds between two looks at a run
MOST_WARNINGS = 3
GIVEN, PLACE = "cra_experiment_plan", "experiment plan"
Files = dict[str, bytes | str]


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("Experiments: what holds for many tables?", help=glossary.of_page("experiments"))
    intro, results, head = st.container(), st.container(key="experiment-results"), st.container()
    going = run.RUNS.going
    # Folded away once there is something to see.
    with st.expander("The plan", expanded=not going and not run.any_rows()), messages.or_stop():
        files, plan = choose_plan(going)
    if st.session_state["experiment-how"] == BUILD and link.options().lesson is None and run.start_first(plan):
        st.rerun()
    with head:
        describe(plan, going)
        if not going:
            controls(plan, files)
    if not run.rows_of(plan).done:
        intro.markdown(
            "One release tells little about a method. Here many samples are published and attacked, as in the paper's "
            "evaluation; the command line gives the same results, to the last byte."
        )
    with results:
        st.fragment(watch, run_every=EVERY if going else None)(plan, going)


# ---------------------------------------------------------------- the plan


def choose_plan(going: bool) -> tuple[Files, Plan]:
    """Asks where the plan comes from; the plan with its files."""
    how = fields.radio(
        "Where the plan comes from",
        list(SOURCES),
        captions=list(SOURCES.values()),
        horizontal=True,
        key="experiment-how",
        disabled=going,
    )
    return put_together(going) if how == BUILD else shipped() if how == SHIPPED else uploaded(going)


def own_table() -> SessionTable | None:
    """Returns the session's table as a plan names it; None where it does not fit."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return None
    try:
        return state.once("experiment table", (data.digest, study), lambda: session_table(data.name, data.frame, study))
    except CRAError:
        return None  # the pages Data and Hierarchies say what does not fit


def put_together(going: bool) -> tuple[Files, Plan]:
    """Asks what is to be run, field by field."""
    text, own = choose_experiment(own_table(), disabled=going)
    key = (text, None if own is None else state.results_key())
    plan = state.once("experiment plan", key, lambda: built_plan(text, own))
    return {PLAN: text} | ({} if own is None else own.files), plan


def shipped() -> tuple[Files, Plan]:
    """Returns the paper's plan."""
    text = PAPER.read_text(encoding="utf-8")
    return {PLAN: text}, state.once("experiment plan", text, lambda: checked_plan(text, PLAN, None))


def take_plan(files: list[File]) -> None:
    with messages.telling(PLACE):
        text, given, plan = read_plan(files)
        st.session_state[GIVEN] = (uuid.uuid4().hex, {PLAN: text.encode(), **given})
        messages.tell(PLACE, "success", f"The plan is read: {how_many(plan.size, 'run')}.")


def forget_plan() -> None:
    st.session_state.pop(GIVEN, None)
    messages.forget(PLACE)


def uploaded(going: bool) -> tuple[Files, Plan]:
    """Takes a plan with its files."""
    if not going:
        uploader(
            "experiment-plan",
            "Plan (TOML) with the files that it names, one by one or in a zip file",
            take_plan,
            several=True,
            help_text="A plan for the command line, cra-engine experiment PLAN.toml, is one for this page. The files "
            "stay in this session's memory.",
        )
    messages.show_told(PLACE)
    if GIVEN not in st.session_state:
        st.info("Upload a plan, or choose another kind above.", icon=":material/upload_file:")
        st.stop()
    token, files = st.session_state[GIVEN]
    fields.act("Forget this plan", forget_plan, icon="delete", disabled=going)
    read = [File(name, content) for name, content in files.items()]
    return dict(files), state.once("experiment plan", token, lambda: read_plan(read)[2])


def describe(plan: Plan, going: bool) -> None:
    """Says how many runs that is, and what is known of the time before the first one."""
    sets = how_many(len(plan.configurations), "set of quasi-identifiers", "sets of quasi-identifiers")
    values = f"k = {plan.ks[0]}" if len(plan.ks) == 1 else how_many(len(plan.ks), "value") + " of k"
    samples = how_many(plan.samples, "sample")
    st.markdown(f"{sets} × {samples} × {values}: **{how_many(plan.size, 'run')}**. {words.sentence(drawn_from(plan))}.")
    most = ""
    if plan.tight_time_limit is not None:
        whole = duration(plan.size * plan.tight_time_limit)
        most = f" The attack on all classes together takes {whole} at most on one processor, mostly much less."
    if not going and not run.rows_of(plan).done:
        st.caption(
            "How long they take will show once the first have finished; you can stop at any time and go on later."
            f"{most}"
        )
    for warning in plan.warnings[:MOST_WARNINGS]:
        st.caption(f":material/info: {words.plain(warning)}")


def drawn_from(plan: Plan) -> str:
    tables = listed(list(dict.fromkeys(one.dataset for one in plan.configurations)))
    return f"drawn from **{words.plain(tables)}** with seed {plan.seed}"


# ---------------------------------------------------------------- the run


def controls(plan: Plan, files: Files) -> None:
    """Offers to start or go on, the plan's files, and to take rows that were saved before."""
    rows = run.rows_of(plan)
    with st.container(horizontal=True):
        if not rows.finished:
            label = "Go on" if rows.done else "Run"
            fields.act(label, run.start_experiment, plan, type="primary", icon="play_arrow")
        if rows.done:
            fields.act("Start again", run.start_again, plan, icon="restart_alt")
        alone = len(files) == 1
        download(
            "Download the plan",
            files[PLAN] if alone else partial(packed_zip, files),
            PLAN if alone else "plan.zip",
            hint=None if alone else "With the table's quasi-identifiers, the study and its hierarchies.",
        )
    with st.expander("Go on from results that were saved", expanded=bool(messages.kind_told(plan.fingerprint))):
        st.markdown("Rows of the same plan, from this page or from the command line, are not run again.")
        uploader("experiment-rows", "Results (CSV)", partial(take_rows, plan=plan))
        messages.show_told(plan.fingerprint)


def take_rows(files: list[File], plan: Plan) -> None:
    with messages.telling(plan.fingerprint):
        number = run.take_rows(plan, files[0].content, files[0].name)
        messages.tell(plan.fingerprint, "success", f"{how_many(number, 'run')} of {plan.size:,} are there.")


def watch(plan: Plan, going: bool) -> None:
    """Shows how it goes, and the results so far."""
    rows, job = run.rows_of(plan), run.RUNS.job(plan.fingerprint)
    if going and not run.RUNS.going:
        st.rerun()
    if going:
        left = rows.seconds_left
        when = "the time left shows after the first run" if left is None else f"about {duration(left)} left"
        st.progress(rows.done / rows.total, text=f"**{rows.done:,} of {rows.total:,} runs**, {when}")
        fields.act("Stop", run.RUNS.cancel, icon="stop", key="experiment-stop")
    if job is not None and job.error:
        messages.error(words.plain(job.error))
    if not rows.done:
        return
    screen = Stage(st.container(), *stage(), st.container())
    show_results(screen, plan, rows, going=going)
    if not going:
        with screen.beside:
            state_of(plan, rows)
        downloads(rows)


def state_of(plan: Plan, rows: run.Rows) -> None:
    """Says how far a run came that goes on no more."""
    if rows.finished:
        took = "" if rows.seconds is None or rows.before else f" in {duration(rows.seconds)}"
        messages.success(f"All {how_many(rows.total, 'run')} are done{took}, {drawn_from(plan)}: the plan below.")
        return
    left = rows.seconds_left
    about = "" if left is None else f", about {duration(left)} of work"
    st.info(
        f"Stopped after {rows.done:,} of {rows.total:,} runs; {rows.total - rows.done:,} are left{about}. What is done "
        "stays: go on here, or download the results and go on from them another time.",
        icon=":material/pause:",
    )


def downloads(rows: run.Rows) -> None:
    """Hands out the results and the report."""

    def report() -> Files:
        return report_files(Results(rows.csv()))

    with st.container(horizontal=True):
        download("Results (CSV)", rows.csv, "results.csv")
        download("Report (HTML)", lambda: report()["report.html"], "report.html")
        download("Report, all tables (zip)", lambda: packed_zip(report()), "report.zip")


page()
