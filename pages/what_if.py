"""What if: other k and hierarchies for this table, what each option keeps and what it gives away."""

import streamlit as st

from cra_dashboard.global_recode import models
from cra_dashboard.options import form
from cra_dashboard.options import state as options
from cra_dashboard.options.panels import Results, warn_of
from cra_dashboard.panels.frame import require_dataset, require_recoding
from cra_dashboard.panels.stage import stage
from cra_dashboard.session.fields import act
from cra_dashboard.texts import glossary

INTRO = (
    "Before a table is published: what would another **k**, wider or narrower **finest intervals**, or another way to "
    "**publish** keep of it, and what would it give away? Every option is published, attacked and checked as the pages "
    "Recode, Attack and Check do it."
)


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("What if: at what price?", help=glossary.of_page("what_if"))
    data = require_dataset()
    require_recoding()
    sentence, place = st.container(key="what-if-sentence"), st.container()
    with place:
        running = options.is_running("around")
    comparison = options.held("around")
    if comparison is None:
        sentence.markdown(INTRO)
    base = options.basis("around")
    # Folded once there is something to see; then it is another one, or the browser would keep it open.
    empty = comparison is None and not running
    with st.expander("What to try", icon=":material/tune:", expanded=empty, key=f"what-if-try-{empty}"):
        grid = form.choose_grid(base, data, models.chosen(data, base), lambda: models.form(data, base))
        time_limit = form.choose_time()
        if grid is not None and options.start_if_small("around", grid):
            st.rerun()
        act(
            "Try them",
            options.start,
            "around",
            base,
            grid,
            time_limit,
            type="primary",
            icon="play_arrow",
            disabled=grid is None or running,
            key="what-if-start",
        )
    if comparison is None:
        st.stop()
    warn_of(comparison, len(comparison.grid.planned(comparison.study)))
    with place:
        results = Results("around", comparison, *stage())
    results.advise(sentence, INTRO)
    results.picture()
    results.rest()
    st.page_link(
        "pages/together.py",
        label="Published before? Load that release",
        icon=":material/join_inner:",
    )


page()
