"""Make it publishable, on Check: what to change so that the table may go out, side by side, and one download."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from cra_dashboard.publishable.cards import show_first_rows, show_outcome, show_outcomes, show_rows, show_rows_lost
from cra_dashboard.publishable.pins import choose_pins
from cra_dashboard.publishable.search import (
    BEGUN,
    LET_GO_BY,
    RUNS,
    Sought,
    begin,
    file_searched,
    found_so_far,
    holds_taken,
    keep_found,
    leave_out_and_begin,
    most_seconds,
    same_people,
    searched,
    searched_in_vain,
    was_undone,
)
from cra_dashboard.publishable.singles import show_singles
from cra_dashboard.publishable.taken import pins_not_shown, show_taken
from cra_dashboard.session import decisions, handed_out, state
from cra_dashboard.session.fields import act
from cra_dashboard.table.columns import repeated_rows
from cra_dashboard.texts import words
from cra_engine import TooLargeError
from cra_engine.checks.findings import NO_NAMES
from cra_engine.publishable import FOUND_BY_LOOKING, STOPPED, Publishable
from cra_engine.publishable.words import REPEATS
from cra_engine.raw.contents import DEFAULT_K
from cra_engine.study.grid import Grid
from cra_engine.study.lattice import Lattice
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import duration, how_many, percent

EVERY = 2.0  # seconds between two looks at what was found so far
LET_GO = (
    ":material/info: The table that you took before is no longer the one to hand out, as {}. **Undo** brings it back."
)
ATTENTION = ":material/warning:"
VERDICTS = {"attention": f"{ATTENTION} **Attention.**", "stop": ":material/block: **Stop.**"}


def show(give_way: Callable[[], None]) -> bool:
    """Show on the page the offer Make it publishable, how the search goes, or what it found.

    Args:
        give_way: ends what else is calculated for the page, before a search begins.

    Returns:
        Whether it searches, or found tables that may go out: the page speaks of these then, and of no other table.
    """
    key = searched()
    job, begun = RUNS.job(key), BEGUN.of(file_searched()) is not None
    if job is not None and not job.done and handed_out.taken() is not None:  # an Undo took the search back
        RUNS.drop()
        job = None
    stale = job is None and key not in found_so_far()  # what was found belongs to what was asked before
    most = duration(most_seconds(state.records()))
    with st.container(horizontal=True, vertical_alignment="center"):
        act(
            "Search again" if begun else "Make it publishable",
            begin,
            give_way,
            type="primary" if pins_not_shown() or not begun or (stale and handed_out.taken() is None) else "secondary",
            icon="auto_fix_high",
            disabled=job is not None and not job.done,
            help=None if begun else f"Tries changes for {most}, then checks.",
            key="publishable-start",
        )
        k = state.results_key()[1].k
        told = f"Whoever is in a group is like at least {k - 1:,} others there. This program proposes {DEFAULT_K}, in "
        told += "smaller tables less; how large k is you choose on Hierarchies."
        st.page_link("pages/hierarchies.py", label=f"Groups of at least k = {k}", icon=":material/tune:", help=told)
        choose_pins()
    if handed_out.taken_as() and handed_out.taken() is None:
        st.markdown(LET_GO.format("something was decided otherwise since"))
    elif LET_GO_BY.of(key) and not handed_out.taken_as():
        st.markdown(LET_GO.format("you searched again"))
    if job is None or job.done:
        show_repeated(give_way)
    # In a place of its own: a look that comes late writes where it stood, and must not find the cards there.
    with st.container():
        going = job is not None and not RUNS.ended(job, key)
        if going:
            st.fragment(show_so_far, run_every=EVERY)(key)
    if going:
        return True
    result = found_so_far().get(key) if job is None or job.result is None else job.result
    if result is not None:
        keep_found(result)
    if result is not None and not was_undone(result):
        return show_result(result, give_way) or end_where_too_many()
    if job is not None and any(pin.widest is not None for pin in decisions.pins()):
        st.page_link("pages/hierarchies.py", label="Finer groups, on Hierarchies", icon=":material/account_tree:")
    before = begun or handed_out.taken() is not None
    return (before and show_before(give_way)) or end_where_too_many()


def end_where_too_many() -> bool:
    """End the page where what others know cannot be published together as it is, for nothing is judged; else False."""
    known = state.results_key()[1].attributes
    try:
        Grid(known), Lattice(known)
    except TooLargeError:
        st.info(
            f"{how_many(len(known), 'column')} that others know are too many to publish together as they are: "
            "**Make it publishable** makes them coarser, or leaves some out.",
            icon=":material/auto_fix_high:",
        )
        st.stop()
    return False


def show_before(give_way: Callable[[], None]) -> bool:
    """Show on the page what Make it publishable found before something was asked to stay, until it searches again."""
    same = same_people(searched())
    theirs = [
        one
        for of, one in reversed(list(found_so_far().items()))
        if same_people(of) == same and (one.outcomes or holds_taken(one))
    ]
    before = next(iter([*filter(holds_taken, theirs), *theirs]), None)
    taken = handed_out.taken()
    tables = [*(before.outcomes if before else ()), *([taken.drawn] if taken else ())]
    if not tables:
        return False
    if not show_taken(give_way):
        show_singles(tables[0].checked, give_way)
    if before is not None:
        if not pins_not_shown():  # else it stands above already
            st.caption(
                "Found before your last change of what has to stay, or of a hierarchy; **Search again** heeds it."
            )
        show_outcomes(before.outcomes, when=", before your change")
    return True


def show_repeated(give_way: Callable[[], None]) -> None:
    """Offer on the page to have Make it publishable leave rows out that repeat another in every column."""
    data = state.dataset()
    rows = () if data is None else repeated_rows(data)
    if rows:
        with st.container(horizontal=True, vertical_alignment="center"):
            repeat = how_many(len(rows), "row repeats", "rows repeat")
            st.markdown(f"{repeat} another in every column: whoever stands in two rows counts as two people.")
            act(
                f"Leave {how_many(len(rows), 'row')} out, and search",
                leave_out_and_begin,
                rows,
                REPEATS,
                give_way,
                key="publishable-twice",
            )


def show_so_far(key: tuple[object, ...]) -> None:
    """Show on the page what Make it publishable has found while it goes on."""
    job = RUNS.job(key)
    sought = None if job is None or job.done else job.progress
    if isinstance(sought, Sought) and (ready := sought.placed()):
        show_outcomes(ready, going=sought)
        sought.shown = True


def show_result(found: Publishable, give_way: Callable[[], None]) -> bool:
    """Show on the page what Make it publishable found, or why nothing may go out; whether it found anything."""
    if not found.outcomes and found.attention is None and found.end == STOPPED:
        st.info("You stopped the search; nothing was found until then.")
        offer_to_search_on(found, give_way)
        return False
    for note in found.warnings:
        if note not in (
            FOUND_BY_LOOKING,
            found.left_out_told,
            found.thoroughness,
        ):  # one click away, at the table that it is about
            st.caption(words.plain(state.in_file(note)))
    offer_to_search_on(found, give_way)
    # Where the cards stood: whoever pressed a button there sees the download in their place.
    taken = show_taken(give_way)
    if found.outcomes and not taken:
        show_singles(found.outcomes[0].checked, give_way)
    with st.expander("The tables that were found, to take another one") if taken else st.container():
        if found.outcomes:
            show_outcomes(found.outcomes, found.attention, "" if found.complete else ", of those tried")
            show_kept_away(found, give_way)
        else:
            show_nearest(found, give_way)
    return taken or bool(found.outcomes) or found.attention is not None


def offer_to_search_on(found: Publishable, give_way: Callable[[], None]) -> None:
    """Say on the page where not all was tried, or more was in vain, and offer to search on from what is known."""
    in_vain = searched_in_vain(found)
    if found.complete:
        if in_vain:
            st.caption(f"{in_vain} All was tried.")
        return
    most = duration(most_seconds(state.records()))
    told = f"From where it ended, within {most}. What was found stands meanwhile."
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{in_vain} {words.plain(state.in_file(found.thoroughness))}".strip(), width="content")
        act("Search on", begin, give_way, found, icon="resume", help=told, key="publishable-on")


def show_kept_away(found: Publishable, give_way: Callable[[], None]) -> None:
    """Show on the page what few people keep away from what Make it publishable found, and what was dropped for it."""
    if gone := decisions.left_out(state.dataset()):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"You left out {words.plain(decisions.left_out_text())}.")
            label = f"Put {'this row' if len(gone) == 1 else f'all {len(gone):,}'} back into the table"
            told = "Takes these answers back; then search again."
            act(label, decisions.leave_in, help=told, key="publishable-leave-in")
    for one in found.kept_away:
        with st.container(horizontal=True, vertical_alignment="center"):
            share = percent(len(one.rows) / state.records())
            lost = f"Without them {share} of all rows, and what is rare about them, are missing in every analysis."
            why = [f"Every table here shows {ROOT_LABEL} in such rows or leaves them out: that is why it is Ready."]
            said = [state.in_file(str(one)), *(why if one.stays and found.outcomes else ()), lost]
            st.markdown(words.plain(" ".join(said)))
            act(
                f"Leave out {how_many(len(one.rows), 'row')} for {words.plain(one.column)}, search again",
                leave_out_and_begin,
                one.rows,
                f"so that {one.column} can stay",
                give_way,
                help="Afterwards they can be left in again.",
                key=f"publishable-without-{one.column}",
            )
        if one.stays:
            show_rows(dict.fromkeys(one.rows, "in the way"), f"Which rows: {how_many(len(one.rows), 'row')}")
    if found.dropped:
        with st.expander("What keeps more, and is not Ready"):
            for outcome in found.dropped:
                told = next((finding.text for finding in outcome.checked.findings if finding.level != "note"), "")
                st.markdown(f"{VERDICTS[outcome.checked.verdict]} {words.plain(f'{outcome.label}. {told}')}")


def show_nearest(found: Publishable, give_way: Callable[[], None]) -> None:
    """Show on the page why nothing passes, what may be done about it, and the table that comes nearest to it."""
    if found.attention is not None:
        said = "Nothing is Ready; **the table that was found** may go out once somebody has looked at it."
        st.warning(said, icon=ATTENTION)
        show_kept_away(found, give_way)
        show_outcomes((), found.attention)
        return
    st.error(words.plain(found.why_not), icon=":material/block:")
    show_kept_away(found, give_way)
    nearest = found.nearest
    if nearest is None or NO_NAMES in {finding.code for finding in nearest.checked.findings}:
        return
    st.markdown("**The nearest table, which may not go out.** Let more go, or let it become coarser, and search again.")
    with st.container(border=True):
        show_outcome(nearest)
        show_first_rows(nearest, "the nearest table")
        show_rows_lost(nearest)
    if found.without:
        left = pd.DataFrame(found.without, columns=["without this column", "people who share a row with too few"])
        st.dataframe(left, hide_index=True, alt="People in the way without each column, the fewest first")
