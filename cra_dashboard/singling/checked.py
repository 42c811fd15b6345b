"""With the raw table: how far the attack reaches, which is not what an attacker knows."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

import streamlit as st

from cra_dashboard.charts.counts import isolated_figure
from cra_dashboard.panels import tight_run
from cra_dashboard.panels.frame import require_dataset
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import Stage, folded, say
from cra_dashboard.panels.tables import MOST_ROWS, show_table
from cra_dashboard.panels.tight_run import TightResult
from cra_dashboard.session import fields, keys, link, messages, state
from cra_dashboard.session.fields import act
from cra_dashboard.singling.shown import Predicate, Shown, yardstick
from cra_dashboard.texts import words
from cra_dashboard.texts.class_rows import by_number
from cra_dashboard.texts.class_story import proven, singling_headline
from cra_engine.assess.figure import figure_text
from cra_engine.study.grid import Cell
from cra_engine.words import how_many
from cra_engine.words import listed as in_words

OUTCOMES: dict[Literal["failed", "one", "many"], str] = {"failed": "failed", "one": "one", "many": "more than one"}
ANY = -1


def checked(shown: Shown, screen: Stage) -> None:
    """Show on Who stands alone each cell with exactly one person: the attack's reach, not an attacker's knowledge."""
    # A lesson asks later how many are certain.
    found = None if link.options().lesson is not None else tight_run.found(shown.attack.release)
    say(
        screen.sentence,
        how_many_alone(shown, found),
        "A *description* of people, for instance by an interval of age and one of weight, singles somebody out when it "
        "is true of exactly one person in the table. The attack leaves a list of fillings for each class; one of them "
        "is the truth, and every cell that holds one person there is such a description.",
    )
    with screen.beside:
        warn_of_excluded([shown.name(result) for result in shown.results if not result.valid])
        whose = choose_whose(shown)
    of_class = None if whose == ANY else shown.results[whose]
    predicates = [predicate for predicate in shown.predicates if of_class is None or predicate.result is of_class]
    which_key = f"single-out-predicate-{hash((state.attack_key(), whose))}"
    with screen.figure:
        isolated_map(shown, whose, [predicate.cell for predicate in predicates], which_key)
    with screen.beside:
        list_predicates(shown, predicates, st.session_state.get(which_key, 0))
    with screen.below:
        if predicates:
            who_is_it(shown, predicates, which_key)
        folded(
            {
                "What an attacker would expect": partial(say_expected, found),
                "All classes as a table": partial(outcomes, shown),
            },
            "single-out-folded",
        )


def how_many_alone(shown: Shown, found: TightResult | None) -> str:
    """Say on Who stands alone how many stand alone in truth, and of how many the release is a proof."""
    alone = {predicate.cell for predicate in shown.predicates}
    if found is None or not alone:
        return proven(len(alone), None)
    certain = len(alone.intersection(found.tight.isolated))
    return proven(len(alone), certain, complete=found.assessment.complete)


def say_expected(found: TightResult | None) -> None:
    """Say on Who stands alone what attackers expect, beside what the raw table holds."""
    counted = f"Counted in this raw table, as in the paper. On average over all tables that fit, {yardstick()}."
    if found is not None and found.tight.expected_isolated is not None:
        counted += f" The attack on all classes together expects {figure_text(found.assessment.expected)}."
    st.markdown(counted)


def warn_of_excluded(names: Sequence[str]) -> None:
    """Say on Who stands alone of which classes the attack excludes the truth."""
    if names:
        messages.warning(
            f"The true counts of {in_words(list(names))} are not among the fillings that the attack allows: it "
            "excludes the truth there. This happens when tied classes are sorted as in the paper; otherwise k, the "
            "profile or the hierarchies are not those of the release.",
        )


def choose_whose(shown: Shown) -> int:
    """Ask on Who stands alone of which class the predicates are shown; :data:`ANY` for all of them."""
    results = shown.results
    places = [place for place in by_number(shown.rows) if results[place].isolating]
    if not places:
        return ANY
    with st.container(key="single-out-predicates"):
        return int(
            fields.selectbox(
                "Class",
                [ANY, *places],
                format_func=lambda place: "All classes" if place == ANY else words.sentence(shown.name(results[place])),
                key=keys.predicates(),
            )
        )


def isolated_map(shown: Shown, whose: int, cells: Sequence[Cell], which_key: str) -> None:
    """Draw the cells in which exactly one person stands alone; a click chooses a predicate."""
    view, part = shown.view, None if whose == ANY else shown.attack.parts[whose]

    def picked(place: Sequence[int]) -> None:
        here = view.cells(*place)
        if len(here) == 1 and here[0] in cells:
            st.session_state[which_key] = cells.index(here[0])

    picture.show(
        state.once(
            "isolated", (state.attack_key(), whose, view), lambda: isolated_figure(shown.attack, cells, view, part)
        ),
        "isolated-map",
        f"Exactly one person in {how_many(len(cells), 'cell')}",
        on_pick=picked,
    )
    st.caption(
        "Marked cells hold exactly one person. Click one to see its description."
        if view.flat
        else "Cells with exactly one person, counted behind each tile."
    )


def list_predicates(shown: Shown, predicates: Sequence[Predicate], chosen: int) -> None:
    """Show the predicate of one person that is chosen, and the others where somebody asks for them."""
    if not predicates:
        messages.info("No cell holds exactly one person, so nobody is singled out on this grid.")
        return
    at = predicates[chosen]
    st.markdown(f"**{words.plain(shown.says(at.cell))}** ({shown.name(at.result)})")
    if len(predicates) > 1:
        with st.expander(f"All {how_many(len(predicates), 'description')}"):  # what opens over the page hid the picture
            st.markdown(
                "\n".join(
                    f"- {words.plain(shown.says(predicate.cell).removesuffix('.'))} ({shown.name(predicate.result)})."
                    for predicate in predicates[:MOST_ROWS]
                )
            )


def who_is_it(shown: Shown, predicates: Sequence[Predicate], which_key: str) -> None:
    """Show the person who stands alone, of whom a predicate is true, only when asked for."""
    with st.expander("Who is it?", icon=":material/person_search:"):
        which = fields.selectbox(
            "Description",
            range(len(predicates)),
            format_func=lambda place: shown.says(predicates[place].cell),
            key=which_key,
        )
        row, record_key = predicates[which].row, f"single-out-record-{hash(state.attack_key())}"

        def reveal(revealed: int | None) -> None:
            st.session_state[record_key] = revealed

        # Only the row that was asked for, and only until another one is chosen.
        if st.session_state.get(record_key) == row:
            st.warning("This is raw data about one person.", icon=":material/privacy_tip:")
            show_table(require_dataset().frame.iloc[[row]], "The raw record")
            act("Hide the raw record", reveal, None)
        else:
            st.session_state[record_key] = None
            act("Show the raw record (this is personal data)", reveal, row, icon="privacy_tip")


def outcomes(shown: Shown) -> None:
    """Show how many predicates of each class single somebody out."""
    summary, results, rows = shown.singled.outcomes, shown.results, shown.rows
    st.markdown(singling_headline(shown.singled))
    with st.container(horizontal=True):
        for outcome, label in OUTCOMES.items():
            st.metric(words.sentence(label), f"{summary[outcome]:,}", border=True, width=155)
    if any(part.basic for part in shown.attack.classes):
        st.caption(
            f"A class on a single cell counts as failed: at least k = {shown.attack.release.k} people share that "
            "cell, so it singles nobody out."
        )
    show_table(
        [
            {
                "Class": "suppressed" if rows[place].number is None else str(rows[place].number),
                "Outcome": OUTCOMES[results[place].outcome],
                "Descriptions": len(results[place].isolating),
                "True counts allowed": "yes" if results[place].valid else "no",
                "Records": sum(results[place].counts) if results[place].valid else rows[place].size,
                "Kind": rows[place].kind,
                "Box": words.box(shown.grid, rows[place].segment),
            }
            for place in by_number(rows)
        ],
        f"Outcome per class: {summary['failed']} failed, {summary['one']} one, {summary['many']} more than one",
        columns={
            "Class": st.column_config.TextColumn(width=90),
            "True counts allowed": st.column_config.TextColumn(
                help="Whether the true number of records per cell is among the fillings that the attack allows."
            ),
        },
    )
