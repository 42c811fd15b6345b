"""All together: what all classes of a release say together, beyond the paper."""

from functools import partial

import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.charts.tight import tables_figure, tables_told
from cra_dashboard.panels import evidence
from cra_dashboard.panels.attack_settings import require_attack, settings, show_problems
from cra_dashboard.panels.stage import folded, one_of, say, stage
from cra_dashboard.panels.tight_run import run_panel
from cra_dashboard.panels.tight_view import (
    certain_picture,
    certain_table,
    possible_counts,
    reasons,
    say_how_sure,
    say_singled_out,
)
from cra_dashboard.session import state
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import glossary, weighing
from cra_dashboard.texts.tight_story import comparison
from cra_engine.study.grid import Cell

CERTAIN, TABLES = "Certain cells", "Tables left"


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("All together: what do all classes say?", help=glossary.of_page("all_classes"))
    attack, rows = require_attack()
    grid, sentence = attack.release.grid, st.container(key="attack-sentence")
    figure, controls = stage()
    with controls:
        run = run_panel(attack.release)
    with sentence:
        show_problems(attack, rows)
    if run is None:
        say(
            sentence,
            "The classes also tell something about each other: a box that did not become a class held fewer than k "
            "people"
            + (", or did not pass its privacy models" if attack.release.study.privacy else "")
            + ", even where it cuts across several classes.",
        )
        evidence.of_release((figure, controls), attack.release, "attack")
        return
    tight = run.result.tight
    say(
        sentence,
        comparison(tight),
        "This attack goes beyond the paper. It reads the release alone, however ties are set. "
        + weighing.supposed(attack),
    )
    with controls:
        shown = one_of("Show", [CERTAIN, TABLES], "attack-together")
        say_singled_out(run)
        say_how_sure(run)
    view = choose_view(grid, "attack")
    cell: Cell | None = None
    with figure.container(key="attack-together-figure"):
        if shown == TABLES:
            st.plotly_chart(
                state.once("tables left", id(run.result), lambda: tables_figure(tight)),
                key="tables-left",
                config=CONFIG,
                alt=tables_told(tight),
            )
        else:
            cell = certain_picture(run, grid, view, controls)
    with controls:
        if cell is not None:
            reasons(run, cell)
        st.caption(weighing.supposed(attack))
        settings(attack)
    folded(
        {
            "These cells as a table": partial(certain_table, run, grid),
            "How many people each cell can hold": partial(possible_counts, run, grid),
        },
        "attack-together-folded",
    )


page()
