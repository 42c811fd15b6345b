"""What all classes say together, beyond the paper."""

from functools import partial

import streamlit as st

from cra_dashboard.attack.chosen import Chosen
from cra_dashboard.charts.look import CONFIG
from cra_dashboard.charts.tight import tables_figure, told_of_tables
from cra_dashboard.panels.stage import Stage, folded, one_of, say
from cra_dashboard.panels.tight_run import run_panel
from cra_dashboard.panels.tight_view import certain_picture, certain_table, possible_counts, reasons, say_how_sure
from cra_dashboard.session import state
from cra_dashboard.texts import weighing
from cra_dashboard.texts.tight_story import comparison
from cra_engine.study.grid import Cell

CERTAIN, TABLES = "Certain cells", "Tables left"


def together(chosen: Chosen, screen: Stage) -> None:
    """Shows what all classes say together, beyond the paper."""
    attack, grid = chosen.attack, chosen.attack.release.grid
    with screen.beside:
        run = run_panel(attack.release)
    if run is None:
        say(
            screen.sentence,
            "The classes also tell something about each other: a box that did not become a class held fewer than k "
            "people, even where it cuts across several classes.",
        )
        return
    tight = run.result.tight
    say(
        screen.sentence,
        comparison(tight),
        "This attack goes beyond the paper. It reads the release alone, however ties are set. "
        + weighing.supposed(attack),
    )
    with screen.beside:
        shown = one_of("Show", [CERTAIN, TABLES], "attack-together")
        say_how_sure(run)
    cell: Cell | None = None
    with screen.figure, st.container(key="attack-together-figure"):
        if shown == TABLES:
            st.plotly_chart(
                state.once("tables left", id(run.result), lambda: tables_figure(tight)),
                key="tables-left",
                config=CONFIG,
                alt=told_of_tables(tight),
            )
        else:
            cell = certain_picture(run, grid, chosen.view, screen.beside)
    with screen.beside:
        if cell is not None:
            reasons(run, cell)
        st.caption(weighing.supposed(attack))
    with screen.below:
        folded(
            {
                "These cells as a table": partial(certain_table, run, grid),
                "How many people each cell can hold": partial(possible_counts, run, grid),
            },
            "attack-together-folded",
        )
