"""What is known of one class: where its records can lie, why, and how they may be spread."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from cra_dashboard.attack.chosen import Chosen, Parts, every_class, go_to_owner, map_table, say_tables
from cra_dashboard.charts.counts import chance_figure, filling_figure
from cra_dashboard.charts.ownership import class_box, ownership_figure
from cra_dashboard.panels import formulas, tight_run
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import Stage, folded, listed, one_of, say
from cra_dashboard.panels.tables import MOST_ROWS, show_table
from cra_dashboard.session import fields, keys, messages, state
from cra_dashboard.session.fields import act
from cra_dashboard.texts import arithmetic, weighing, words
from cra_dashboard.texts.chances import of_class
from cra_dashboard.texts.class_story import class_story
from cra_dashboard.texts.numbering import numbered
from cra_engine import CRAError
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.counting.enumeration import Enumeration
from cra_engine.release import Owner
from cra_engine.words import count, exactly, how_many, percent

MOST_FILLINGS, LISTING_SECONDS, MOST_LISTED_CELLS = 1000, 5.0, 2000
MOST_CONCLUSIONS = 3
BY_VALUE = (
    "In how many ways the records can lie is not counted here: which of them shows which value decides, too. The "
    "tables with their values are counted all the same."
)


def one_class(chosen: Chosen, screen: Stage) -> None:
    """Show on Attack what is known of one class: where its records can lie, why, and how they may be spread."""
    row, part = chosen.row, chosen.part
    with screen.beside:
        if not chosen.view.meets(chosen.attack.release.grid, part.segment):
            messages.info(f"This slice does not touch {row.title}; choose another, or all together.")
        shown = one_of("Show", [keys.OWNERS, keys.A_FILLING, keys.CHANCES], keys.SHOWN)
        say_tables(chosen, weighing.counted(chosen.attack))
    say(screen.sentence, what_is_shown(chosen, shown))
    tables = {keys.A_FILLING: a_filling, keys.CHANCES: how_likely}.get(shown, owners)(chosen, screen)
    with screen.below:
        folded(
            {
                **tables,
                "What this means for the class": partial(show_story, chosen),
                "The exact numbers, and how they are calculated": partial(exact_numbers, chosen),
                "All classes as a table": partial(every_class, chosen),
            },
            "attack-folded",
        )


def what_is_shown(chosen: Chosen, shown: str) -> str:
    """Say on Attack what the picture shows, and what to press next."""
    part, number = chosen.part, how_many(chosen.row.size, "person", "people")
    people = f"the {number} of {chosen.row.title}"
    if part.index is None:
        people = f"the suppressed {'person' if chosen.row.size == 1 else number}"
    if shown == keys.A_FILLING:
        return f"One way to place {people}, of all that are left. Press Next for another."
    if shown == keys.CHANCES:
        return f"How likely is each cell, for {people}? Choose how many are in it, or another class."
    box = "" if part.index is None else f"{words.sentence(chosen.row.title)} is a box of {number}. "
    tied = chosen.view.flat and any(chosen.attack.owner[cell] == Owner.UNDECIDED for cell in part.free_cells)
    where = f"only where \u2714{' or ?' if tied else ''} stands"
    if not chosen.view.flat:
        free, cells, whose = chosen.row.free_cells, f"{chosen.row.cells:,} cells", "its" if box else "all"
        where = f"in any of {whose} {cells}" if free == chosen.row.cells else f"only in {free:,} of {whose} {cells}"
        where = "only in its one cell" if part.basic else where
    return f"{box}{'They' if box else words.sentence(people)} can be {where}. Choose another class."


def owners(chosen: Chosen, screen: Stage) -> Parts:
    """Show on Attack who owns which cell of the class's box, and what the attacker concludes."""
    attack, part, row, view = chosen.attack, chosen.part, chosen.row, chosen.view
    with screen.figure:
        picture.show(
            state.once("ownership", chosen.drawn, lambda: ownership_figure(attack, part, view)),
            "ownership-map",
            f"Of the {row.cells} cells in its box, {row.title} can fill {row.free_cells}",
            on_pick=partial(go_to_owner, chosen),
        )
        st.caption(
            "A cell belongs to the first class that covers it."
            if view.flat
            else f"1/1: the cell of its box there is free; 0/1: an earlier class took it.{chosen.behind}"
            if chosen.single
            else f"Free cells of all the cells in the box, behind each tile.{chosen.behind}"
        )
    with screen.beside, st.container(key="attack-conclusions"):
        st.markdown("**What the attacker concludes**")
        constraints = part.constraints()
        overlaps = [words.plain(numbered(c.text, attack.release)) for c in constraints if c.kind == "overlap"]
        others = [words.plain(numbered(c.text, attack.release)) for c in constraints if c.kind != "overlap"]
        sentences = overlaps + others if len(overlaps) <= 1 else others
        listed(sentences, MOST_CONCLUSIONS, f"{how_many(len(sentences) - MOST_CONCLUSIONS, 'more conclusion')}")
        if len(overlaps) > 1:
            with st.popover(f"{len(overlaps)} earlier classes took the records of their boxes"):
                st.markdown("\n".join(f"- {text}" for text in overlaps))
    return {"This map as a table": partial(map_table, chosen, part)}


def a_filling(chosen: Chosen, screen: Stage) -> Parts:
    """Show on Attack one way to spread the class's records over its cells, and leaf through the others."""
    part, row, view = chosen.part, chosen.row, chosen.view
    with screen.beside:
        listing = list_fillings(chosen)
        if listing is None:
            return {}
        place = leaf_through(keys.filling(chosen.place), len(listing.assignments))
    counts = listing.assignments[place - 1]
    with screen.figure:
        picture.show(
            state.once("filling", (*chosen.drawn, place), lambda: filling_figure(part, counts, view)),
            "filling-map",
            f"Filling {place}: exactly one record in {how_many(counts.count(1), 'cell')}",
        )
        st.caption(
            f"**{place:,} of {count(row.fillings or 0)}**: exactly one record in {how_many(counts.count(1), 'cell')}."
            + chosen.behind
        )
    cells = {"Records": counts, "Cell": [words.cell(part.release.grid, cell) for cell in part.free_cells]}
    return {
        "This filling as a table": lambda: show_table(
            pd.DataFrame(cells).sort_values("Records", ascending=False), f"Records per cell in filling {place}"
        )
    }


def list_fillings(chosen: Chosen) -> Enumeration | None:
    """List the fillings of the class for Attack, and say how many of all they are; None where none can be shown."""
    part, row = chosen.part, chosen.row
    if row.fillings is None:
        messages.info(words.plain(row.problem or BY_VALUE))
        return None
    if row.fillings == 0:
        messages.info("No filling satisfies the constraints.")
        return None
    if row.free_cells > MOST_LISTED_CELLS:
        messages.info(
            f"There are {count(row.fillings)} ways to fill {row.free_cells:,} cells, an exact number. With more "
            f"than {MOST_LISTED_CELLS:,} cells none of them is listed here.",
        )
        return None
    with st.spinner("Listing fillings…"):
        listing = state.once("fillings", chosen.key, lambda: part.assignments(MOST_FILLINGS, LISTING_SECONDS))
    number = len(listing.assignments)
    if listing.complete:
        st.markdown(f"All {how_many(number, 'filling')} that satisfy the constraints. One of them is the truth.")
    else:
        st.markdown(
            f"The first {how_many(number, 'filling')} of {exactly(row.fillings)}, listed within "
            f"{listing.seconds:.1f} seconds. How many there are is counted, not estimated. One of them is the "
            "truth, listed or not.",
            help=f"The list stops at {MOST_FILLINGS:,}, or after {LISTING_SECONDS:.0f} seconds.",
        )
    return listing if number else None


def leaf_through(key: str, last: int) -> int:
    """Ask on Attack which of so many fillings is shown."""

    def step(by: int) -> None:
        st.session_state[key] = min(max(st.session_state[key] + by, 1), last)

    st.session_state.setdefault(key, 1)
    place = int(fields.number_input(f"Filling (1 to {last:,})", 1, last, key=key))
    with st.container(horizontal=True, key="attack-leaf"):
        act("Previous", step, -1, disabled=place <= 1)
        act("Next", step, 1, disabled=place >= last)
    return place


def how_likely(chosen: Chosen, screen: Stage) -> Parts:
    """Show on Attack how likely each cell of the class holds so many people."""
    part, grid, view = chosen.part, chosen.attack.release.grid, chosen.view
    figure = screen.figure.container(key="attack-chances")
    with screen.beside:
        try:
            distributions = state.once("distributions", chosen.key, part.cell_distributions)
        except CRAError as error:
            messages.info(words.plain(str(error)))
            return {}
        number = choose_people(max(j for cell in distributions for j, chance in enumerate(cell) if chance > 0))
        chances = of_class(part, number)
        so_many = "nobody" if number == 0 else f"exactly {how_many(number, 'person', 'people')}"
        st.markdown(f"Chance that a cell holds **{so_many}** of {chosen.row.title}, exact {weighing.likely(part)}.")
    with figure:
        picture.show(
            state.once(
                "chance",
                (*chosen.drawn, number),
                lambda: chance_figure(
                    grid,
                    zip(part.free_cells, chances, strict=True),
                    view,
                    part.segment,
                    class_box(part, view),
                    of=so_many,
                ),
            ),
            "chance-map",
            f"Probability per cell of {so_many}: {percent(min(chances))} to {percent(max(chances))}",
        )
        st.caption(
            weighing.OTHER_WEIGHTS if view.flat else f"Expected number of such cells behind each tile.{chosen.behind}"
        )
    return {
        "How this is calculated": partial(chance_calculated, chosen, number, chances),
        "These probabilities as a table": partial(chance_table, part, chances, so_many),
    }


def choose_people(most: int) -> int:
    """Ask on Attack for how many people in a cell the probabilities are."""
    if st.session_state.get(keys.PEOPLE) not in range(most + 1):
        st.session_state[keys.PEOPLE] = 1
    return int(
        fields.selectbox(
            "A cell holds exactly",
            range(most + 1),
            format_func=lambda number: "nobody" if number == 0 else how_many(number, "person", "people"),
            key=keys.PEOPLE,
        )
    )


def chance_calculated(chosen: Chosen, number: int, chances: Sequence[float]) -> None:
    """Show on Attack the formula of one cell's probability, with its numbers."""
    part, grid = chosen.part, chosen.attack.release.grid
    cell = st.selectbox(
        "Cell",
        part.free_cells,
        index=max(range(len(chances)), key=chances.__getitem__),
        format_func=lambda cell: words.cell(grid, cell),
        key=f"attack-cell-{hash((*chosen.key, number))}",
    )
    formula = arithmetic.cell_chance(part, cell, number) if weighing.formulas_hold(part) else None
    if formula is not None:
        formulas.show([formula])
    elif not weighing.formulas_hold(part):
        st.caption(weighing.OTHER_FORMULAS)
    elif part.weighted:
        st.caption("A sum over all tables that fit, each with its weight.")
    else:
        st.caption("Records must be alike here; the probabilities then count each record by itself.")


def chance_table(part: ClassAttack, chances: Sequence[float], so_many: str) -> None:
    """Show on Attack the cells' probabilities as a table, the most likely cells first."""
    table = pd.DataFrame(
        {"Probability": chances, "Cell": [words.cell(part.release.grid, cell) for cell in part.free_cells]}
    )
    show_table(
        table.sort_values("Probability", ascending=False).head(MOST_ROWS),
        f"Probability per cell of {so_many}, most likely first",
        total=len(table),
        percent=["Probability"],
    )


def show_story(chosen: Chosen) -> None:
    """Say on Attack what all of this means for the class."""
    found = tight_run.found(chosen.part.release)
    together = None if found is None else found.tight
    told = state.once("story", (*chosen.key, together), lambda: class_story(chosen.part, chosen.row, together))
    st.markdown(words.plain(" ".join(told)))


def exact_numbers(chosen: Chosen) -> None:
    """Show on Attack the class's exact numbers with their formulas."""
    part = chosen.part
    if not weighing.formulas_hold(part):
        st.caption(weighing.OTHER_FORMULAS)
    elif chosen.row.remaining is None:
        formulas.show([arithmetic.promised(part)])
        st.caption("Remaining and fillings are not counted here.")
    else:
        formulas.show(arithmetic.class_numbers(part), parts=arithmetic.orthant_table(part))
