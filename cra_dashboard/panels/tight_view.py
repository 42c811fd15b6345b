"""What both pages on the attack show of the tight attack's result."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.charts.tight import certain_figure, spans_of
from cra_dashboard.charts.view import View
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.tables import MOST_ROWS, show_table
from cra_dashboard.panels.tight_run import Run, reasons_panel
from cra_dashboard.session import fields, state
from cra_dashboard.session.reasons import SECONDS as REASON_SECONDS
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import numbered
from cra_dashboard.texts.singled import SINGLED, singled_out
from cra_dashboard.texts.tight_story import between, distinct, holds, how_sure, order_of
from cra_engine.study.grid import Cell, Grid
from cra_engine.words import how_many

MOST_CHOICES = 1000


def say_singled_out(run: Run) -> None:
    """Say on a page how many people the tight attack singles out, for certain and on average."""
    st.markdown(f"**Singled out:** {singled_out(run.result.assessment)}.", help=SINGLED)


def say_how_sure(run: Run) -> None:
    """Say on a page how sure the tight attack is."""
    text = words.plain(how_sure(run.result.tight, run.seconds, stopped=run.stopped))
    if run.result.tight.status == "timeout":
        st.warning(text, icon=":material/timer_off:")
    else:
        st.info(text, icon=":material/check:" if run.result.tight.status == "exact" else ":material/casino:")


def certain_picture(run: Run, grid: Grid, view: View, beside: DeltaGenerator) -> Cell | None:
    """Show as a map the cells that only all classes together make certain; return the one asked about.

    Args:
        run: the run.
        grid: of the release.
        view: the part of the grid to show.
        beside: where the controls are.
    """
    tight, newly, known = run.result.tight, run.result.newly, run.result.known
    finished = tight.status != "timeout"
    alone = sum(count == 1 for count in newly.values())
    counts = known | newly
    choices = [*newly, *known][:MOST_CHOICES]
    why = f"tight-why-{hash(state.weighed_key())}"
    with beside:
        if newly:
            st.markdown(
                f"{'' if finished else 'So far, '}**{how_many(len(newly), 'cell')}** that the attack on single "
                f"classes leaves open hold a number of people that is certain now; **{alone:,}** of them exactly one "
                "person."
            )
        else:
            st.markdown(
                "All classes together make no cell certain that the attack on single classes leaves open."
                if finished and tight.complete
                else "No such cell was found before the run ended. There may be some."
            )
            st.caption(
                "Tables can become fewer without a single cell being certain; every cell's chances still change."
            )
        chosen = None
        if choices:
            chosen = fields.selectbox(
                "Why is it certain?",
                choices,
                index=None,
                format_func=lambda cell: (
                    f"{words.sentence(holds(counts[cell]))}: {words.cell(grid, cell)}"
                    f"{'' if cell in newly else ' (already from its own class)'}"
                ),
                placeholder="Click a cell, or choose it",
                key=why,
            )

    def picked(place: Sequence[int]) -> None:
        here = view.cells(*place)
        if len(here) == 1 and here[0] in choices:
            st.session_state[why] = here[0]

    picture.show(
        certain_figure(grid, spans_of(tight), view, tight.release, chosen, newly),
        "certain-map",
        f"{len(newly)} cells hold a certain number of people, {alone} of them exactly one",
        on_pick=picked,
    )
    st.caption(
        "How many people are in each cell. New: only all classes together make it certain; the other single numbers "
        "are certain from their own class."
        if view.flat
        else "How many cells behind each tile become certain. Choose a slice to see single ones."
    )
    return chosen


def certain_table(run: Run, grid: Grid) -> None:
    """Show on a page the cells that are certain, those that only all classes together make so first."""
    newly, counts = run.result.newly, run.result.known | run.result.newly
    some = [*newly, *run.result.known][:MOST_ROWS]
    show_table(
        {
            "People": [counts[cell] for cell in some],
            "Certain": ["only now" if cell in newly else "from its own class" for cell in some],
            "Cell": [words.cell(grid, cell) for cell in some],
        },
        "Cells with a certain number of people, those with exactly one first",
        total=len(counts),
    )


def possible_counts(run: Run, grid: Grid) -> None:
    """Show on a page how many people each cell can hold: proven limits, and what was seen within them."""
    tight = run.result.tight
    views = [v for v in tight.cells if v.cell not in tight.settled]
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


def reasons(run: Run, cell: Cell) -> None:
    """Show on a page why a cell is certain: the sentences that together say so, per order of tied states."""
    tight, count = run.result.tight, run.result.tight.fixed_cells[cell]
    found = reasons_panel(tight, cell)
    if found is None:
        return
    if not any(explanation.found for explanation in found):
        st.markdown(f"That it is certain is proven. Its reason was not found within {REASON_SECONDS:.0f} seconds.")
        return
    different = distinct(found)
    there = f"that the cell holds {holds(count)}"
    if len(different) == 1:
        st.markdown(f"Together these say {there}:")
    else:
        st.markdown(
            f"Some states tie, so the order of the classes is not known. In each of {len(different)} orders there is "
            f"a reason {there}, or one why this order did not happen:"
            if all(explanation.found for explanation in different)
            else f"Some states tie, so the order of the classes is not known. Not for each of {len(different)} "
            f"orders a reason was found in time {there}:"
        )
    places = [st.container()] if len(different) == 1 else st.tabs([f"Order {n + 1}" for n in range(len(different))])
    for place, explanation in zip(places, different, strict=True):
        with place:
            order = order_of(explanation) if len(different) > 1 else ""
            if order:
                st.markdown(words.plain(f"If the states had their turns in this order, {order}:"))
            if not explanation.found:
                st.markdown(f"No reason was found within {REASON_SECONDS:.0f} seconds. That it is certain is proven.")
                continue
            if not explanation.possible:
                st.markdown("These contradict each other, so this order did not happen:")
            st.markdown("\n".join(f"- {words.plain(numbered(text, tight.release))}" for text in explanation.texts))
            st.caption(
                (
                    "Nothing can be left out: without any one of these sentences the number would not be certain."
                    if explanation.possible
                    else "Nothing can be left out: without any one of these sentences nothing would contradict."
                )
                if explanation.minimal
                else "The time did not suffice to check whether some of these could be left out."
            )
