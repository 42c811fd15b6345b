"""The table that was taken of what Make it publishable found: its verdict, what is to be decided, one archive."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from cra_dashboard.check import signing
from cra_dashboard.panels.demands import show_demands, show_verdict
from cra_dashboard.panels.download import download, may_be_downloaded
from cra_dashboard.publishable.cards import show_kept, show_rows_lost
from cra_dashboard.publishable.search import searched
from cra_dashboard.publishable.singles import first_to_decide, show_singles, to_decide
from cra_dashboard.session import decisions, handed_out, messages, state
from cra_dashboard.session.fields import act
from cra_dashboard.texts import words
from cra_engine.checks.project import Decision
from cra_engine.checks.sensitive_values import is_left_shown
from cra_engine.files.zipped import packed_zip
from cra_engine.publishable import VERDICT, Outcome, Packed, Pin, file_name, for_readers
from cra_engine.publishable.handed_out import wider_text
from cra_engine.publishable.words import pin_text
from cra_engine.words import how_many, listed


def waiting() -> bool:
    """Return whether the table that was taken goes out only once a person has decided something, or searched again."""
    taken = handed_out.taken()
    return taken is not None and not taken.problem and bool(to_decide(taken.drawn.checked) or pins_not_shown())


def pins_not_shown() -> list[Pin]:
    """Return what has to stay, as it is asked now, and the table that was taken does not show."""
    taken = handed_out.taken()
    if taken is None:
        return []
    return [pin for pin in decisions.pins() if not pin.stays_in(taken.drawn.study, taken.drawn.gone)]


def show_taken(give_way: Callable[[], None]) -> bool:
    """Show on the page the table that was taken of what Make it publishable found; whether there is one to hand out."""
    taken, data = handed_out.taken(), state.dataset()
    if taken is None or data is None:
        return False
    if taken.problem:
        st.error(words.plain(f"As it would be handed out this does not pass: {taken.problem}"), icon=":material/block:")
        return False
    drawn = taken.drawn
    checked = drawn.checked
    first, missed = first_to_decide(checked), pins_not_shown()
    if missed:
        shown = [pin_text(pin, state.results_key()[1]) for pin in missed]
        now = f"{words.plain(listed(shown))} {'has' if len(shown) == 1 else 'have'} to stay now"
        first = f"**Found before your last change:** {now}, which this table does not show. {first}".strip()
    what = state.once("taken told", drawn.seed, lambda: _told(drawn))  # it reads every cell
    show_verdict(checked, f"The table that you took: {words.plain(what)}", first)
    another = handed_out.fetched_besides()
    for one in another:
        had = one.what.removesuffix(handed_out.TOO)
        of_others = "if it is of the same people, " * (had == handed_out.OTHER_FILE)
        messages.warning(f"You have downloaded {had}: **{of_others}hand out one only.**")
    if missed:
        kept = "Takes your change of what has to stay back."
        act("Keep this one", decisions.use_pins, drawn.decided.pins, icon="check", help=kept, key="publishable-keep")
    goes_out = not first and may_be_downloaded()
    show_kept(drawn)
    if goes_out:  # above all that it rests on, and below the figures, whose help opens upwards and would cover it
        hand_out(taken, another)
    show_demands(checked)
    show_singles(checked, give_way)
    if goes_out and drawn.gone_groups.more:
        with st.expander(drawn.gone_groups.more_told):
            st.markdown("\n".join(f"- {words.plain(str(one))}" for one in drawn.gone_groups.more))
    if goes_out:
        show_rows_lost(drawn)
    return True


def hand_out(taken: Packed, another: Sequence[Decision]) -> None:
    """Hand out on the page the table that was taken, with all that was decided, as two archives."""
    drawn = taken.drawn
    said = (*(one for one in decisions.noted() if is_left_shown(one.what)), *another)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        own = taken.called
        who, called = signing.who(own), signing.called(own)
        files = state.once("publishable-files", (drawn.seed, said, who), lambda: taken.files_with(said, who))
        about = (searched(), drawn.seed, said, who)
        to_send = state.once("publishable-readers", about, lambda: packed_zip(for_readers(files)))
        packed = state.once("publishable-zip", about, lambda: packed_zip(files))
        hint = "The table, for Excel and for programs, how to read it, and its study."
        to_readers = file_name(f"{called} for the researcher", "zip")
        label, fetched = "Only what goes to the researcher (ZIP)", partial(handed_out.fetched, taken)
        download(label, to_send, to_readers, key="publishable-readers", hint=hint, then=fetched, looks="primary")
        hint = (
            "In its folder hand-out the same as for the researcher. In keep: the verdict, the settings, and a script "
            "by which a programmer can make all of it again; nobody else needs it."
        )
        own_files = file_name(called, "zip")
        label = "All of it, for your own files (ZIP)"
        download(label, packed, own_files, key="publishable-zip", hint=hint, then=fetched)
        if st.button("Its name, and who decides", icon=":material/signature:", key="publishable-who"):
            signing.ask_who(own=own)
        if st.button("Open the verdict", icon=":material/description:", key="publishable-verdict"):
            open_verdict(str(files[VERDICT]))
    by = f" This was decided by {who}." if who else ""
    named = words.plain(f"Both file names begin with {called}.{by}")
    st.caption(
        f"{named} Send only the first: the folder **keep** of the second stays with you, as secret as your table."
    )


def _told(drawn: Outcome) -> str:
    wider = [f"{name} is {told}." for name in drawn.study.names if (told := wider_text(drawn, name))]
    without = [*drawn.gone, *([how_many(drawn.left_out, "row")] if drawn.left_out else [])]
    gone = [f"Without {listed(without)}."] if without else []
    return " ".join([f"{drawn.how}.", *gone, *wider, drawn.stars_told, *drawn.gone_values])


@st.dialog("The verdict, as it stands in the archive", width="large")
def open_verdict(page: str) -> None:
    """Show over the page the verdict on the table that was taken of what Make it publishable found."""
    st.iframe(page, height=560)
