"""From the release alone: who is singled out for certain."""

from functools import partial

import streamlit as st

from cra_dashboard.charts.tight import COUNTED, certain_figure, spans_of
from cra_dashboard.charts.tiled import behind_tiles
from cra_dashboard.panels import evidence
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import Stage, folded, listed, say
from cra_dashboard.panels.tight_run import run_panel
from cra_dashboard.panels.tight_view import say_how_sure, say_singled_out
from cra_dashboard.singling.shown import Shown
from cra_dashboard.texts import words
from cra_dashboard.texts.tight_story import lead_in
from cra_engine.words import how_many

MOST_SENTENCES = 3


def for_certain(shown: Shown, screen: Stage) -> None:
    """Show who stands alone for certain, by all classes together."""
    with screen.beside:
        found = run_panel(shown.attack.release)
    if found is None:
        say(screen.sentence, "Does anybody stand alone for certain? All classes of the release together may tell.")
        evidence.show_boxes(screen.figure, shown.attack.release, shown.view, "single-out")
        return
    tight = found.tight
    say(screen.sentence, lead_in(tight))
    alone = tight.isolated
    with screen.beside:
        sentences = [f"For certain e{words.plain(shown.says(cell)[1:])}" for cell in alone]
        listed(sentences, MOST_SENTENCES, "All of them")
        st.page_link("pages/all_classes.py", label="See why, on All together", icon=":material/join_full:")
        say_how_sure(found)
    with screen.below:
        folded({"How many are expected": partial(say_singled_out, found)}, "single-out-certain-folded")
    with screen.figure:
        picture.show(
            certain_figure(shown.grid, spans_of(tight), shown.view, tight.release),
            "certain-people",
            f"Exactly one person for certain in {how_many(len(alone), 'cell')}",
        )
        st.caption(
            behind_tiles(shown.grid, shown.view, COUNTED)
            or "From the release alone: how few and how many people each cell can hold."
        )
