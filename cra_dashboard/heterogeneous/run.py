"""The table at once where that is quick, else beside the page: start, progress, stop."""

import streamlit as st

from cra_dashboard.heterogeneous import state as het
from cra_engine import CRAError, Heterogeneous
from cra_engine.words import how_many

AT_ONCE, EVERY = 0.5, 0.5  # seconds


def run_panel(table: het.Table, settings: het.Settings) -> Heterogeneous:
    """The published table; where it takes long the page offers to make it, shows how that goes, and stops meanwhile.

    Raises:
        CRAError: the settings do not fit the table.
    """
    if not het.heavy(table):
        return het.result(table, settings)
    job = het.job(table, settings)
    if job is not None:
        job.wait(AT_ONCE)
        if not job.done:
            _watch(table, settings)
            st.stop()
        if job.error:
            raise CRAError(job.error)
        if job.result is not None:
            return job.result
    split = f", in parts of {het.IN_PARTS:,}," if len(table.frame) > het.IN_PARTS else ""
    st.markdown(f"To match {how_many(len(table.frame), 'record')}{split} takes a while; go on meanwhile.")
    st.button(
        "Match the records",
        type="primary",
        icon=":material/play_arrow:",
        on_click=het.start,
        args=(table, settings),
        key="het-start",
    )
    return st.stop()


@st.fragment(run_every=EVERY)
def _watch(table: het.Table, settings: het.Settings) -> None:
    job = het.job(table, settings)
    if job is None or job.done:
        st.rerun()
    told = het.progress()
    with st.container(border=True):
        st.markdown(f":material/hourglass_top: **{told.done:,} of {told.total:,}** bucket pairs, {job.elapsed:.0f} s.")
        st.progress(min(1.0, told.done / told.total) if told.total else 0.0)
        st.button("Stop", on_click=het.drop, icon=":material/stop:", key="het-stop")
