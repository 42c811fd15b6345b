"""Compare: what else could be published: every way and options around the study, what each keeps and gives away."""

import streamlit as st

from cra_dashboard.global_recode import models
from cra_dashboard.options import form
from cra_dashboard.options import state as options
from cra_dashboard.options.panels import Results, warn_of
from cra_dashboard.panels.frame import require_dataset, require_study
from cra_dashboard.panels.stage import stage
from cra_dashboard.session import fields
from cra_dashboard.texts import glossary

INTRO = (
    "Every way to publish **this** table, and other **k** and **finest intervals** around the study's: what each "
    "keeps, what it gives away, and whether it passes the check. This takes some seconds, with a large table minutes; "
    "go on meanwhile."
)


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Other ways: what else could be published?", help=glossary.of_page("compare"))
    data = require_dataset()
    require_study()
    sentence, place = st.container(key="compare-sentence"), st.container()
    with place:
        running = options.is_running()
    comparison = options.held()
    if comparison is None:
        sentence.markdown(INTRO)
    base = options.basis()
    begin = st.container()
    with st.expander("What to try", icon=":material/tune:"):
        around = form.choose_grid(base, data, models.chosen(data, base), lambda: models.form(data, base))
        time_limit = form.choose_time()
        if around is not None and options.start_if_small(around):
            st.rerun()
        again = st.container()
    with begin if comparison is None else again:
        fields.act(
            "Try other ways",
            options.start,
            base,
            around,
            time_limit,
            type="primary",
            icon="play_arrow",
            disabled=around is None or running,
            key="compare-start",
        )
    if comparison is not None:
        warn_of(comparison)
        with place:
            results = Results(comparison, *stage())
        results.advise(sentence, INTRO)
        results.picture()
        results.rest()
    st.page_link("pages/together.py", label="Published before?", icon=":material/join_inner:")


page()
