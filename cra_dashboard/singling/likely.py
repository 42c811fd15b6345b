"""From the release alone: how likely each cell holds exactly one person."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from cra_dashboard.charts.counts import EXPECTED, chance_figure
from cra_dashboard.charts.tiled import behind_tiles
from cra_dashboard.panels import formulas
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import Stage, folded, one_of, say
from cra_dashboard.panels.tables import MOST_ROWS, show_table
from cra_dashboard.panels.tight_run import TightResult, run_panel, small
from cra_dashboard.panels.tight_view import say_how_sure
from cra_dashboard.session import state
from cra_dashboard.singling.shown import Shown, yardstick
from cra_dashboard.texts import arithmetic, weighing, words
from cra_dashboard.texts.chances import of_all_classes, of_one_person
from cra_dashboard.texts.numbering import number_of
from cra_dashboard.texts.tight_story import BY_ITSELF, INTERVALS, TOGETHER
from cra_engine import Attack, CRAError, SinglingChances, single_out
from cra_engine.assess.figure import figure_text
from cra_engine.attacks.refinement.owners import owner_shares
from cra_engine.release import Owner
from cra_engine.study.grid import Cell
from cra_engine.words import how_many, outward, percent

_COMPARED = "What this number is compared with"
_EXPECTED = "People expected to stand alone"


def likely(shown: Shown, screen: Stage) -> None:
    """Show on Who stands alone how likely each cell holds exactly one person."""
    with screen.beside:
        # As For certain reads the release, where that is there in a moment.
        at_once = TOGETHER if small(shown.attack.release) else BY_ITSELF
        how = one_of("Reading", [TOGETHER, BY_ITSELF], "single-out-reading", first=at_once)
    chances, trouble = by_itself(shown.attack)
    if how == TOGETHER:
        with screen.beside:
            run = run_panel(shown.attack.release)
        if run is None:
            text = "How likely does a cell hold exactly one person, when all classes are read together?"
            say(screen.sentence, text)
        else:
            likely_by_all_classes(shown, screen, run, chances)
    elif chances is None:
        screen.beside.info(trouble, icon=":material/info:")
    elif not (chances.cells or chances.bounded):
        screen.beside.info(
            "Every cell that may hold somebody is a class of its own, so no cell can hold exactly one person."
        )
    else:
        likely_by_class(shown, screen, chances)


def by_itself(attack: Attack) -> tuple[SinglingChances | None, str]:
    """Return the chances to stand alone by the paper's attack, or the sentence that says why there are none."""
    try:
        return state.once("chances", state.attack_key(), lambda: single_out(attack)), ""
    except CRAError as error:
        return None, words.plain(str(error))


def expected_alone(chances: SinglingChances) -> str:
    """Return how many people are expected to stand alone, or the limits of that number."""
    lower, upper = outward(*chances.expected_bounds, 1)
    return f"{lower:.1f} to {upper:.1f}" if chances.bounded else f"{chances.expected_isolated:.1f}"


def likely_by_all_classes(shown: Shown, screen: Stage, run: TightResult, chances: SinglingChances | None) -> None:
    """Show the chances to stand alone when all classes are read together."""
    tight = run.tight
    found = of_all_classes(tight)
    exact = {view.cell: view.exact for view in tight.cells}
    unfinished = tight.status == "timeout"
    if not found:
        text = "No probabilities are known: the run did not finish." if unfinished else ""
        say(screen.sentence, text or "No cell can hold exactly one person.")
    else:
        how = "exact" if all(exact[cell] for cell, _ in found) else "estimated from random tables unless marked exact"
        say(
            screen.sentence,
            f"Chance that a cell holds exactly one person by all classes together, {how}, {weighing.likely(tight)}."
            + (f" Of these some are impossible: {tight.why_relaxed}." if tight.relaxed else "")
            + (" Cells without a number were not reached before the run ended." if unfinished else ""),
        )
    by_intervals, expected = run.assessment.by_intervals, run.assessment.expected
    with screen.beside:
        counted = tight.expected_isolated is not None
        st.metric(
            f"{_EXPECTED} ({'impossible tables counted too' if tight.relaxed and counted else expected.sure})",
            figure_text(expected) if counted else "not known",
        )
        say_how_sure(run)

    def compared() -> None:
        st.metric(INTERVALS, figure_text(by_intervals))
        st.metric(BY_ITSELF, expected_alone(chances) if chances else "not known")
        st.caption(
            f"How many cells single somebody out. {shown.of_this_table}",
            help="More is not always more certain: an attack may also show that many cells hold nobody, or several "
            "people.",
        )

    if not found:
        with screen.below:
            folded({_COMPARED: compared}, "single-out-together-folded")
        return
    with screen.figure:
        chance_map(shown, "tight-chances-map", id(tight), found)
        st.caption(behind_tiles(shown.grid, shown.view, EXPECTED) or weighing.OTHER_WEIGHTS)
    alone, most = dict(of_one_person(chances)) if chances else {}, found[:MOST_ROWS]

    def as_table() -> None:
        show_table(
            {
                TOGETHER: [chance for _, chance in most],
                BY_ITSELF: [alone.get(cell, 0.0) if chances else None for cell, _ in most],
                "Kind": ["exact" if exact[cell] else "estimate" for cell, _ in most],
                "Cell": [words.cell(shown.grid, cell) for cell, _ in most],
            },
            "Probability that a cell holds exactly one person, most likely first",
            total=len(found),
            percent=[TOGETHER, BY_ITSELF],
        )

    with screen.below:
        folded({_COMPARED: compared, "These probabilities as a table": as_table}, "single-out-together-folded")


def likely_by_class(shown: Shown, screen: Stage, chances: SinglingChances) -> None:
    """Show the chances to stand alone when each class is read by itself."""
    likely_cells = state.once("likely alone", state.attack_key(), lambda: of_one_person(chances))
    say(
        screen.sentence,
        f"Chance that a cell holds exactly one person, each class read by itself as in the paper, "
        f"{weighing.likely(shown.attack)}. All classes together know more: what is open here can be certain there.",
        words.plain(chances.assumption),
    )

    def compared() -> None:
        st.metric("Cells that may hold exactly one person", f"{len(chances.cells) + len(chances.bounded):,}")
        st.caption(f"{shown.of_this_table} {words.sentence(yardstick())}.")

    tables: dict[str, Callable[[], Any]] = {_COMPARED: compared}
    with screen.beside:
        st.metric(
            _EXPECTED,
            expected_alone(chances),
            help="The sum of the probabilities: an average over the tables that are still possible, not a count.",
        )
        if chances.bounded:
            st.caption(
                f"In {how_many(len(chances.bounded), 'cell')} of classes that are too large to count"
                f"{'' if chances.complete else ', or for which the time ran out,'} the chance is "
                "known to lie between two limits only."
            )
    if likely_cells:
        with screen.figure:
            chance_map(shown, "chances-map", state.attack_key(), likely_cells)
            st.caption(
                behind_tiles(shown.grid, shown.view, EXPECTED)
                or f"Without a number: not possible. {weighing.OTHER_WEIGHTS}"
            )
        tables["How these numbers are calculated"] = partial(chances_calculated, shown, chances)
        tables["The likeliest cells as a table"] = partial(likeliest_table, shown, chances, likely_cells)
    if chances.bounded:
        tables["The limits of cells too large to count"] = partial(limits_table, shown, chances)
    with screen.below:
        folded(tables, "single-out-likely-folded")


def chance_map(shown: Shown, name: str, of: object, chances: Sequence[tuple[Cell, float]]) -> None:
    """Draw on Who stands alone the probability of exactly one person per cell."""
    picture.show(
        state.once(name, (of, shown.view), lambda: chance_figure(shown.grid, chances, shown.view, boxes=shown.boxes)),
        name,
        f"Probability per cell of exactly one person, at most {percent(chances[0][1])}",
    )


def chances_calculated(shown: Shown, chances: SinglingChances) -> None:
    """Show on Who stands alone the expected number, and one cell's probability, as formulas."""
    attack = shown.attack
    if not chances.bounded:
        formulas.show([arithmetic.expected([chance.probability for chance in chances.cells])])
    asked = st.selectbox(
        "Cell",
        chances.cells[:MOST_ROWS],
        format_func=lambda chance: words.cell(shown.grid, chance.cell),
        key="single-out-asked",
    )
    orders = owner_shares(attack, asked.cell) if weighing.formulas_hold(attack) else ()
    owners = [owner for _, owner in orders]
    if not weighing.formulas_hold(attack):
        st.caption(weighing.OTHER_FORMULAS)
    elif len(asked.parts) == 1 and Owner.RAW not in asked.parts:
        (index,) = asked.parts
        owners = [attack.parts[-1 if index is None else index]]
    ones = [arithmetic.cell_chance(owner, asked.cell, 1) for owner in owners]
    formulas.show([formula for formula in ones if formula is not None])
    if len(asked.parts) > 1 and orders and Owner.RAW not in asked.parts:
        pairs = zip(orders, ones, strict=True)
        formulas.show([arithmetic.either([(share, one.value) for (share, _), one in pairs if one])])


def likeliest_table(shown: Shown, chances: SinglingChances, likely_cells: Sequence[tuple[Cell, float]]) -> None:
    """Show the cells where somebody most likely stands alone, with the classes that they can be in."""
    most, release = chances.cells[:MOST_ROWS], shown.attack.release
    show_table(
        {
            "Exactly one person": [chance for _, chance in likely_cells[:MOST_ROWS]],
            "Class": [
                " or ".join("suppressed" if index is None else str(number_of(release, index)) for index in one.parts)
                for one in most
            ],
            "Cell": [words.cell(shown.grid, one.cell) for one in most],
        },
        "Cells that may hold exactly one person, most likely first",
        total=len(chances.cells),
        percent=["Exactly one person"],
    )


def limits_table(shown: Shown, chances: SinglingChances) -> None:
    """Show on Who stands alone the cells of classes that are too large to count, with what is known of them."""
    most = chances.bounded[:MOST_ROWS]
    bounds = [outward(limits.lower, limits.upper, 4) for limits in most]
    show_table(
        {
            "At least": [lower for lower, _ in bounds],
            "At most": [upper for _, upper in bounds],
            "Cell": [words.cell(shown.grid, limits.cell) for limits in most],
        },
        "Limits of the probability of exactly one person, the highest first",
        total=len(chances.bounded),
        percent=["At least", "At most"],
    )
