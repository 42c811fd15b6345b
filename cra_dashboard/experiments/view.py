"""What the page Experiments shows of the rows that are there: one view at a time, each with its sentence and table."""

from collections.abc import Callable, Hashable

import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.experiments import story
from cra_dashboard.experiments.chart import ratio_figure
from cra_dashboard.experiments.run import Rows
from cra_dashboard.experiments.tables import MEANINGS, show_table
from cra_dashboard.panels.stage import Stage, one_of, say
from cra_dashboard.session import state
from cra_engine.experiments.layout import Sheet
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.results import Results
from cra_engine.experiments.tables import figure_5, table_4
from cra_engine.words import how_many

RATIO, KINDS, SINGLED, EVERY = "Ratio", "Basic and compound", "Singling out", "Every row"
OF: dict[story.Of, str] = {"classes": "Classes", "suppressed": "Suppressed records", "together": "All classes together"}
ALONG: dict[story.Along, str] = {"k": "k", "sets": "Quasi-identifiers"}
UNITS = {"classes": "compound classes", "suppressed": "samples with suppressed records", "together": "samples"}
MOST_ROWS = 500
STEPS = 40  # pictures change at most so often while an experiment runs


def show_results(screen: Stage, plan: Plan, rows: Rows, *, going: bool) -> None:
    """Show the rows on Experiments, or while a run goes on those up to the last step."""
    step = max(1, rows.total // STEPS) if going else 1
    done = rows.done // step * step or rows.done
    key = (plan.fingerprint, done)
    results = state.once("experiment results", key, lambda: Results(rows.first + b"".join(rows.lines[:done])))
    views: dict[str, Callable[[Stage, Results, tuple[str, int]], None]] = {RATIO: _ratio, KINDS: _kinds}
    if results.singled:
        views[SINGLED] = _singled
    views[EVERY] = _every
    with screen.beside:
        chosen = one_of("Result", list(views), "experiment-view")
        if done < rows.total:
            st.caption(f"So far: {done:,} of {rows.total:,} runs. Means and medians still change.")
    views.get(chosen, _ratio)(screen, results, key)


def _ratio(screen: Stage, results: Results, key: tuple[str, int]) -> None:
    measures = [of for of in OF if of != "together" or results.tight]
    with screen.beside:
        of = one_of("Ratio of", measures, "experiment-of", called=OF.__getitem__)
        along = one_of("Along the axis", list(ALONG), "experiment-along", called=ALONG.__getitem__)
    says = state.once("experiment says", (key, of, along), lambda: story.ratio_says(results, of, along))
    say(screen.sentence, says)
    if of == "together":
        with screen.beside:
            _say_how_sure(story.tight_outcomes(results))
    figure = state.once(
        "experiment ratios",
        (key, of, along),
        lambda: ratio_figure(story.spreads(results, of, along), UNITS[of]),
    )
    screen.figure.plotly_chart(figure, key="experiment-ratios", config=CONFIG, alt=says)
    screen.figure.caption(
        "How many times fewer tables are possible than "
        + ("after the attack class by class" if of == "together" else "the published intervals promise")
        + ": the large mark is the median, the bar the middle 80 %, the dash the mean, faint dots single "
        + ("classes" if of == "classes" else "samples")
        + ". A mean of ratios is mostly its largest one."
    )
    show_table(state.once("experiment shown", (key, of), lambda: story.ratio_table(results, of)), says)


def _say_how_sure(outcomes: dict[str, int]) -> None:
    """Exact, estimated, cut short: before any number is looked at."""
    st.caption(
        f"{how_many(outcomes['exact'], 'sample')} counted exactly, {outcomes['estimate']:,} estimated, "
        f"{outcomes['refused']:,} refused: this attack could not be made there."
    )
    if outcomes["timeout"]:
        st.warning(
            f"In {how_many(outcomes['timeout'], 'sample')} the time ran out. Where the number of tables was not "
            "known by then they are not in the picture, which shows the easier ones; and there may be more certain "
            "cells than the table says. More seconds for each run would tell.",
            icon=":material/timer_off:",
        )


def _kinds(screen: Stage, results: Results, key: tuple[str, int]) -> None:
    screen.beside.caption("A class on a single cell has ratio 1: this attack learns nothing about it.")
    _shares(screen, (key, "kinds"), lambda: (story.kinds_say(results), figure_5(results)))


def _singled(screen: Stage, results: Results, key: tuple[str, int]) -> None:
    screen.beside.caption(
        "Of the compound classes of all samples: in how many nobody, one or several persons are singled out by a "
        "description that fits exactly one record. This is checked against the raw table; an attacker need not be sure "
        "of it."
    )
    _shares(screen, (key, "outcomes"), lambda: (story.outcomes_say(results), list(table_4(results))[1]))


def _shares(screen: Stage, key: Hashable, tell: Callable[[], tuple[str, Sheet]]) -> None:
    """The report's table of shares, whose bars are the picture, and its sentence."""
    says, table = state.once("experiment shares", key, tell)
    say(screen.sentence, says)
    with screen.figure:
        show_table(table, f"{table.title}. {says}")


def _every(screen: Stage, results: Results, key: tuple[str, int]) -> None:
    frame = results.frame
    rows = how_many(len(frame), "row")
    which = f"all {rows}" if len(frame) <= MOST_ROWS else f"the last {MOST_ROWS} of {rows}"
    say(screen.sentence, f"The results as they stand in the file: {which}.")
    screen.figure.dataframe(
        frame.tail(MOST_ROWS),
        hide_index=True,
        column_config={name: st.column_config.TextColumn(help=MEANINGS[name]) for name in frame.columns},
        key=f"experiment-rows-{key[0]}",
        alt="A row for each configuration, sample and k",
    )
