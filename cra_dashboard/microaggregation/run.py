"""Clusters at once where that is quick, else beside the page: start, progress, stop."""

import streamlit as st

from cra_dashboard.microaggregation import state as micro
from cra_engine import CRAError, Microaggregation
from cra_engine.words import how_many

AT_ONCE, EVERY = 0.5, 0.5  # seconds


def run_panel(table: micro.Table, settings: micro.Settings) -> Microaggregation:
    """The clusters; where they take long the page offers to form them, shows how that goes, and stops here meanwhile.

    Raises:
        CRAError: the settings do not fit the table.
    """
    if not micro.heavy(table, settings):
        return micro.result(table, settings)
    job = micro.job(table, settings)
    if job is not None:
        job.wait(AT_ONCE)
        if not job.done:
            _watch(table, settings)
            st.stop()
        if job.error:
            raise CRAError(job.error)
        if job.result is not None:
            return job.result
    st.markdown(f"To cluster {how_many(len(table.frame), 'record')} takes a while; go on meanwhile.")
    st.button(
        "Form the clusters",
        type="primary",
        icon=":material/play_arrow:",
        on_click=micro.start,
        args=(table, settings),
        key="micro-start",
    )
    return st.stop()


@st.fragment(run_every=EVERY)
def _watch(table: micro.Table, settings: micro.Settings) -> None:
    job = micro.job(table, settings)
    if job is None or job.done:
        st.rerun()
    told = micro.progress()
    with st.container(border=True):
        st.markdown(f":material/hourglass_top: **{told.done:,} of {told.total:,}** done, {job.elapsed:.0f} s.")
        st.progress(min(1.0, told.done / told.total) if told.total else 0.0)
        st.button("Stop", on_click=micro.drop, icon=":material/stop:", key="micro-stop")
