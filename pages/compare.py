"""Compare: every way to publish the table, what it keeps and what it gives away, and whether it passes the check."""

import streamlit as st

from cra_dashboard.options import state as options
from cra_dashboard.options.panels import Results, warn_of
from cra_dashboard.panels.frame import require_study
from cra_dashboard.panels.stage import stage
from cra_dashboard.session.fields import act
from cra_dashboard.texts import glossary

INTRO = (
    "What should be published? Every way that this program has, on **this** table: what it keeps, what it gives away, "
    "and what the page Check says of it."
)
OF_RELEASES = "Two releases that exist: Several releases"


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Compare: which way keeps most, and gives away least?", help=glossary.of_page("compare"))
    require_study()
    sentence = st.container(key="compare-sentence")
    options.start_if_small("ways")
    running = options.is_running("ways")
    comparison = options.held("ways")
    if comparison is None:
        sentence.markdown(INTRO)
        offer(running=running)
        st.page_link("pages/together.py", label=OF_RELEASES)
        st.stop()
    warn_of(comparison)
    if not comparison.complete:
        offer(running=running)
    results = Results("ways", comparison, *stage())
    results.advise(sentence, INTRO)
    results.picture()
    with results.beside:
        st.page_link("pages/together.py", label=OF_RELEASES)
    results.rest()


def offer(*, running: bool) -> None:
    """Offers to compare all ways, unless that goes on."""
    if running:
        return
    st.markdown("This takes some seconds, with a large table a minute or two; go on meanwhile.")
    act(
        "Compare all ways",
        options.start,
        "ways",
        options.basis("ways"),
        type="primary",
        icon="play_arrow",
        key="compare-start",
    )


page()
