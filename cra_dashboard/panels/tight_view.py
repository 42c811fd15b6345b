"""What pages show of an attack on all classes together, of one release or several."""

from collections.abc import Container, Hashable, Mapping, Sequence

import streamlit as st

from cra_dashboard.charts.picture import Picture
from cra_dashboard.charts.view import View
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.tables import MOST_ROWS, show_table
from cra_dashboard.panels.tight_run import TightResult
from cra_dashboard.session import fields
from cra_dashboard.session.reasons import SECONDS as REASON_SECONDS
from cra_dashboard.session.reasons import reasons as looked_for
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import numbered
from cra_dashboard.texts.singled import mark_of, singled_out, singled_told
from cra_dashboard.texts.tight_story import between, distinct, holds, how_sure, icon_of, order_of
from cra_engine import Composition, Release, TightAttack
from cra_engine.study.grid import Cell, Grid
from cra_engine.words import how_many

MOST_CHOICES = 1000


def say_singled_out(found: TightResult) -> None:
    """Say on a page how many people the tight attack singles out, for certain and on average."""
    known, what = found.assessment, "**Singled out** (who stands alone)"
    st.markdown(f"{words.MARKS[mark_of(known)]} {what}: {singled_out(known)}", help=singled_told(known))


def say_how_sure(found: TightResult) -> None:
    """Say on a page how sure the tight attack is."""
    text = words.plain(how_sure(found.tight, found.seconds, stopped=found.stopped))
    if found.tight.status == "timeout":
        st.warning(text, icon=":material/timer_off:")
    else:
        st.caption(f":material/{icon_of(found.tight)}: {text}")


def new_cells(found: TightResult) -> str:
    """Say on a page how many cells only all classes together make certain."""
    finished = found.tight.status != "timeout"
    if found.newly:
        alone = sum(count == 1 for count in found.newly.values())
        more = how_many(len(found.newly), "more cell")
        return (
            f"{'All' if finished else 'So far, all'} classes together make certain how many people are in {more}, and "
            f"{alone:,} of them {'holds' if alone == 1 else 'hold'} exactly one person."
        )
    if finished and found.tight.complete:
        return "All classes together make no cell certain that is not certain from its own class."
    return "No more cell was found to be certain before the run ended; there may be some."


def ask_why(grid: Grid, counts: Mapping[Cell, int], key: str, known: Container[Cell] = ()) -> Cell | None:
    """Ask on a page of which certain cell the reason is to be told.

    Args:
        grid: of the cells.
        counts: what they hold.
        key: of the answer, which a click in :func:`certain_picture` gives, too.
        known: those that are certain from their own class.
    """
    if not counts:
        return None
    return fields.selectbox(
        "Why is it certain?",
        [*counts][:MOST_CHOICES],
        index=None,
        format_func=lambda cell: (
            f"{words.sentence(holds(counts[cell]))}: {words.cell(grid, cell)}"
            f"{' (already from its own class)' if cell in known else ''}"
        ),
        placeholder="Click a cell, or choose it",
        key=key,
    )


def certain_picture(drawn: Picture, view: View, counts: Mapping[Cell, int], key: str, name: str, alt: str) -> None:
    """Show on a page a map of certain cells; a click asks why, see :func:`ask_why`."""

    def picked(place: Sequence[int]) -> None:
        here = view.cells(*place)
        if len(here) == 1 and here[0] in [*counts][:MOST_CHOICES]:
            st.session_state[key] = here[0]

    picture.show(drawn, name, alt, on_pick=picked)


def certain_table(found: TightResult, grid: Grid) -> None:
    """Show on a page the cells that are certain, those that only all classes together make so first."""
    newly, counts = found.newly, found.known | found.newly
    some = [*newly, *found.known][:MOST_ROWS]
    show_table(
        {
            "People": [counts[cell] for cell in some],
            "Certain": ["only now" if cell in newly else "from its own class" for cell in some],
            "Cell": [words.cell(grid, cell) for cell in some],
        },
        "Cells with a certain number of people, those with exactly one first",
        total=len(counts),
    )


def possible_counts(found: TightResult, grid: Grid) -> None:
    """Show on a page how many people each cell can hold: proven limits, and what was seen within them."""
    views = [v for v in found.tight.cells if v.cell not in found.tight.settled]
    closed = sum(view.closed or view.fixed for view in views)
    st.markdown(
        "The smallest and the largest number of people that any possible table puts into a cell. "
        + (
            "All of these are proven, and some table reaches each."
            if closed == len(views)
            else f"For {closed:,} of {len(views):,} cells both are proven. *At most* marks limits that are proven "
            "but perhaps never reached; *seen* is what random tables or the solver reached."
        )
    )
    most = views[:MOST_ROWS]
    show_table(
        {
            "People": [between(view) for view in most],
            "Smallest": [view.lowest for view in most],
            "Largest": [view.highest for view in most],
            "Cell": [words.cell(grid, view.cell) for view in most],
        },
        f"Smallest and largest number of people in {len(views):,} cells",
        total=len(views),
    )


def reasons(of: TightAttack | Composition, about: Hashable, cell: Cell, *releases: Release) -> None:
    """Show on a page why a cell is certain: the sentences that together say so, per order of tied states.

    Args:
        of: the attack.
        about: what it depends on.
        cell: the cell.
        releases: those that the sentences speak of.
    """
    found = looked_for((about, cell), lambda seconds, cancelled: of.explain(cell, seconds, cancelled))
    if found is None:
        return
    if not any(explanation.texts for explanation in found):
        st.markdown(f"That it is certain is proven. Its reason was not found within {REASON_SECONDS:.0f} seconds.")
        return
    different = sorted(distinct(found), key=lambda explanation: not explanation.possible)
    there = f"that the cell holds {holds(of.fixed_cells[cell])}"
    open_ = f"Some states tie, so {len(different)} orders of the classes are open."
    if len(different) == 1:
        st.markdown(f"Together these say {there}:")
    elif all(explanation.texts for explanation in different):
        st.markdown(f"{open_} In each there is a reason {there}, or one why this order did not happen:")
    else:
        st.markdown(f"{open_} Not for each of them a reason was found in time {there}:")
    places = [st.container()] if len(different) == 1 else st.tabs([f"Order {n + 1}" for n in range(len(different))])
    for place, explanation in zip(places, different, strict=True):
        with place:
            if len(different) > 1 and (order := order_of(explanation)):
                st.markdown(words.plain(f"If the states had their turns in this order, {order}:"))
            if not explanation.texts:
                st.markdown(f"No reason was found within {REASON_SECONDS:.0f} seconds. That it is certain is proven.")
                continue
            if not explanation.possible:
                st.markdown("These contradict each other, so this order did not happen:")
            st.markdown("\n".join(f"- {words.plain(numbered(text, *releases))}" for text in explanation.texts))
            without = "the number would not be certain" if explanation.possible else "nothing would contradict"
            st.caption(
                f"Nothing can be left out: without any one of these sentences {without}."
                if explanation.minimal
                else "The time did not suffice to check whether some of these could be left out."
            )
