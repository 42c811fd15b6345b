"""The table that was taken of what Make it publishable found: its verdict, what is to be decided, one archive."""

from collections.abc import Callable

import streamlit as st

from cra_dashboard.panels.demands import show_demands, show_verdict
from cra_dashboard.panels.download import download, may_be_downloaded
from cra_dashboard.publishable.cards import show_rows_lost
from cra_dashboard.publishable.search import searched
from cra_dashboard.publishable.singles import show_singles, to_decide
from cra_dashboard.session import decisions, state
from cra_dashboard.texts import words
from cra_engine.checks.sensitive_values import is_left_shown
from cra_engine.files.zipped import packed_zip
from cra_engine.publishable import VERDICT, file_name, for_readers

RULER = "Do not compare who is likely alone here with the table as it came, whose groups were others."


def show_taken(give_way: Callable[[], None]) -> bool:
    """Show on the page the table that was taken of what Make it publishable found; whether there is one to hand out."""
    taken, data = decisions.taken(), state.dataset()
    if taken is None or data is None:
        return False
    if taken.problem:
        st.error(words.plain(f"As it would be handed out this does not pass: {taken.problem}"), icon=":material/block:")
        return False
    drawn = taken.drawn
    reason = next((one.why for one in decisions.noted() if one.what == f"{decisions.PUBLISHED}{taken.label}"), "")
    checked = drawn.checked.accepting({one.text: reason for one in drawn.checked.findings})
    asked = to_decide(checked)
    things = "One thing is" if sum(asked.values()) == 1 else f"{sum(asked.values())} things are"
    first = f" **{things} yours to decide first, {' and '.join(asked)}.**" if asked else ""
    told = f"The table that you took: {words.plain(taken.label)}. "
    told += f"**Rows published:** {checked.records:,} of {checked.records + drawn.left_out:,}. " + words.plain(
        " ".join([drawn.stars_told, *drawn.gone_values])
    )
    another = " **You took another table of these people, too: hand out one only.**" * decisions.another_taken()
    show_verdict(checked, f"{first} {told}{another}", waits=bool(asked))
    show_demands(checked)
    if drawn.study.attributes != state.results_key()[1].attributes:
        st.caption(RULER)
    show_singles(checked, give_way)
    if asked or not may_be_downloaded():
        return True
    said = tuple(one for one in decisions.noted() if is_left_shown(one.what))
    files = state.once("publishable-files", (drawn.seed, said), lambda: taken.files_with(said))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        own = taken.called
        name = st.text_input("Name of the archive", own, key=f"publishable-name-{own}", max_chars=120)
        about, called = (searched(), drawn.seed, said), name.strip() or own
        handed_out = state.once("publishable-readers", about, lambda: packed_zip(for_readers(files)))
        packed = state.once("publishable-zip", about, lambda: packed_zip(files))
        hint = "The table, for Excel and for programs, how to read it, and its study."
        to_readers = file_name(f"{called} for the researcher", "zip")
        download("Only what goes to the researcher (ZIP)", handed_out, to_readers, key="publishable-readers", hint=hint)
        hint = (
            "In its folder hand-out the same as for the researcher. In keep: the verdict, the settings, and a script "
            "by which a programmer can make all of it again; nobody else needs it."
        )
        own_files = file_name(called, "zip")
        download("All of it, for your own files (ZIP)", packed, own_files, key="publishable-zip", hint=hint)
        if st.button("Open the verdict", icon=":material/description:", key="publishable-verdict"):
            open_verdict(str(files[VERDICT]))
    st.caption("Send only the first: the folder **keep** of the second stays with you, as secret as your table.")
    show_rows_lost(drawn)
    return True


@st.dialog("The verdict, as it stands in the archive", width="large")
def open_verdict(page: str) -> None:
    """Show over the page the verdict on the table that was taken of what Make it publishable found."""
    st.iframe(page, height=560)
