"""All together: what all classes of a release say together, beyond the paper."""

from functools import partial

import streamlit as st

from cra_dashboard.charts.tight import COUNTED, certain_figure, spans_of
from cra_dashboard.charts.tiled import behind_tiles
from cra_dashboard.panels import evidence
from cra_dashboard.panels.attack_settings import require_attack, settings, show_problems
from cra_dashboard.panels.stage import folded, one_of, say, stage
from cra_dashboard.panels.tables import bars, show_table
from cra_dashboard.panels.tight_run import run_panel
from cra_dashboard.panels.tight_view import (
    ask_why,
    certain_picture,
    certain_table,
    new_cells,
    possible_counts,
    reasons,
    say_how_sure,
    say_singled_out,
)
from cra_dashboard.session import keys, state
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import glossary, weighing
from cra_dashboard.texts.tight_story import FEWER, comparison, tables_left

CERTAIN, TABLES = "Certain cells", "Tables left"


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("All together: what do all classes say?", help=glossary.of_page("all_classes"))
    attack, rows = require_attack()
    grid, sentence = attack.release.grid, st.container(key="attack-sentence")
    figure, controls = stage()
    with controls:
        found = run_panel(attack.release)
    with sentence:
        show_problems(attack, rows)
    if found is None:
        say(
            sentence,
            "The classes also tell something about each other: a box that did not become a class held fewer than k "
            "people"
            + (", or did not pass its privacy models" if attack.release.study.privacy else "")
            + ", even where it cuts across several classes.",
        )
        evidence.of_release((figure, controls), attack.release, "attack")
        return
    tight, counts, why = found.tight, found.newly | found.known, f"{keys.WHY}{hash(state.weighed_key())}"
    say(
        sentence,
        new_cells(found),
        f"{comparison(tight)}\n\nOne table: {weighing.one_table(attack, 'all people')}. This attack goes beyond the "
        f"paper. It reads the release alone, however ties are set. {weighing.supposed(attack)}",
    )
    with controls:
        shown = one_of("Show", [CERTAIN, TABLES], "attack-together")
        cell = ask_why(grid, counts, why, found.known) if shown == CERTAIN else None
        if cell is not None:
            with st.container(key="reasons"):
                reasons(tight, state.weighed_key(), cell, tight.release)
        say_singled_out(found)
        say_how_sure(found)
    view = choose_view(grid, "attack")
    with figure.container(key="attack-together-figure"):
        if shown == TABLES:
            left = tables_left(tight)
            show_table(left, comparison(tight), columns=bars(FEWER, shape="%.2f", most=float(left[FEWER].max()) or 1.0))
        else:
            drawn = certain_figure(grid, spans_of(tight), view, tight.release, cell, found.newly)
            alone = sum(count == 1 for count in found.newly.values())
            alt = f"{len(found.newly)} cells hold a certain number of people, {alone} of them exactly one"
            certain_picture(drawn, view, counts, why, "certain-map", alt)
            st.caption(
                behind_tiles(grid, view, COUNTED)
                or "New: certain only by all classes together; the other single numbers by one class alone."
            )
    with controls:
        settings(attack)
    folded(
        {
            "These cells as a table": partial(certain_table, found, grid),
            "How many people each cell can hold": partial(possible_counts, found, grid),
        },
        "attack-together-folded",
    )


page()
