"""Single out: which predicates are true of exactly one person, checked against the raw data or guessed without."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from cra_dashboard.charts.counts import chance_figure, isolated_figure
from cra_dashboard.charts.tight import certain_figure
from cra_dashboard.lessons import asking
from cra_dashboard.lessons.questions import singling_out as questions
from cra_dashboard.panels import evidence, formulas
from cra_dashboard.panels.attack_settings import require_attack, settings
from cra_dashboard.panels.frame import require_dataset
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import folded, listed, one_of, say, stage
from cra_dashboard.panels.tight_run import Run, run_panel, small
from cra_dashboard.panels.tight_view import say_how_sure
from cra_dashboard.session import keys, state
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import arithmetic, glossary, weighing, words
from cra_dashboard.texts.chances import of_all_classes, of_one_person
from cra_dashboard.texts.class_rows import by_number
from cra_dashboard.texts.class_story import singling_headline
from cra_dashboard.texts.numbering import name_of, number_of
from cra_dashboard.texts.tight_story import BY_ITSELF, INTERVALS, TOGETHER, lead_in
from cra_engine import CRAError, Owner, SingledClass, SinglingChances, owner_shares, single_out, tight_attack
from cra_engine.words import how_many, outward, percent
from cra_engine.words import listed as in_words

MOST_ROWS, MOST_SENTENCES, CERTAIN_SECONDS = 1000, 3, 5.0
OUTCOMES = {"failed": "failed", "one": "one", "many": "more than one"}
ANY = -1

st.title("Single out: who stands alone?", help=glossary.of_page("single_out"))
attack, rows = require_attack()
grid, key = attack.release.grid, state.attack_key()
try:
    singled = state.singled()
except CRAError as error:
    st.error(words.plain(str(error)), icon=":material/error:")
    st.stop()

results: list[SingledClass] = [*singled.classes, *([singled.suppressed] if singled.suppressed else [])]
isolating = [(result, cell, row) for result in results for cell, row in zip(result.isolating, result.rows, strict=True)]

QUESTIONS = {
    "isolating": lambda: questions.isolating(singled, state.recoding()),
    "certain": lambda: questions.certain(
        state.once("certain people", key, lambda: tight_attack(attack.release, time_limit=CERTAIN_SECONDS)), singled
    ),
}
if asking.ask_for_lesson(QUESTIONS, key, hold=True):
    evidence.of_release(stage(), attack.release, "single-out")
    st.stop()
if asking.ask_first(QUESTIONS, key, ["isolating"], hold=True):
    asking.switch()
    st.stop()

sentence = st.container(key="single-out-sentence")
figure, controls = stage()
with controls:
    looked = one_of(
        "Look at",
        [keys.FOR_CERTAIN, keys.LIKELY, keys.CHECKED],
        keys.SINGLED,
        # What the release alone tells for certain comes first; where it takes long, what is there at once.
        first=keys.FOR_CERTAIN if small(attack.release) else keys.CHECKED,
        hint="The last uses the raw table of this session, the others the release alone, as an attacker does.",
    )
beside, below = controls.container(), st.container()
with controls:
    settings(attack)
    asking.switch()
with below:
    view = choose_view(grid, "single-out")


def predicate(cell: tuple[int, ...]) -> str:
    return words.isolates(grid, grid.cell_segment(cell))


def cell_name(cell: tuple[int, ...]) -> str:
    return words.box(grid, grid.cell_segment(cell))


def expected_alone(chances: SinglingChances) -> str:
    lower, upper = outward(*chances.expected_bounds, 1)
    return f"{lower:.1f} to {upper:.1f}" if chances.bounded else f"{chances.expected_isolated:.1f}"


def yardstick() -> str:
    """What somebody has who does not attack at all."""
    return f"a trivial attacker, who reads the intervals alone, expects {state.by_intervals():.1f}"


def of_this_table() -> str:
    """Which number is which: the average that an attacker works out, and what the raw table holds."""
    return f"On average over all tables that fit the release; this raw table holds {len(isolating):,}."


def limits_table(chances: SinglingChances) -> None:
    """Cells of classes that are too large to count, with what is known of them."""
    most = [outward(limits.lower, limits.upper, 4) for limits in chances.bounded[:MOST_ROWS]]
    if len(chances.bounded) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS:,} of {len(chances.bounded):,} cells.")
    st.dataframe(
        pd.DataFrame(
            {
                "At least": [lower for lower, _ in most],
                "At most": [upper for _, upper in most],
                "Cell": [cell_name(limits.cell) for limits in chances.bounded[:MOST_ROWS]],
            }
        ),
        hide_index=True,
        column_config={name: st.column_config.NumberColumn(format="percent") for name in ("At least", "At most")},
        alt="Limits of the probability of exactly one person, the highest first",
    )


# ---------------------------------------------------------------- with the raw table


def checked() -> None:
    """Every cell in which exactly one person lies: how far the attack reaches, not what an attacker knows."""
    say(
        sentence,
        singling_headline(singled),
        "A *predicate* describes people, for instance by an interval of age and one of weight. It singles somebody out "
        "when it is true of exactly one person in the table. The attack leaves a list of fillings for each class; one "
        "of them is the truth, and every cell that holds one person there is such a predicate.",
    )
    invalid = [name_of(attack.release, result.index) for result in results if not result.valid]
    with beside:
        st.caption(
            "Counted in this raw table, as in the paper: not what an attacker knows for certain. On average over all "
            f"tables that fit, {yardstick()}."
        )
        if invalid:
            st.warning(
                f"The true counts of {in_words(invalid)} are not among the fillings that the attack allows: it "
                "excludes the truth there. This happens when tied classes are sorted as in the paper; otherwise k, the "
                "profile or the hierarchies are not those of the release.",
                icon=":material/warning:",
            )
    whose, shown = ANY, isolating
    if isolating:
        places = [place for place in by_number(rows) if results[place].isolating]
        whose = beside.container(key="single-out-predicates").selectbox(
            "Class",
            [ANY, *places],
            format_func=lambda place: (
                "All classes" if place == ANY else words.sentence(name_of(attack.release, results[place].index))
            ),
            key=keys.predicates(),
            persist_state="session",
        )
        shown = [found for found in isolating if whose == ANY or found[0] is results[whose]]
    part = None if whose == ANY else attack.parts[whose]
    which_key = f"single-out-predicate-{hash((key, whose))}"

    def picked(place: Sequence[int]) -> None:
        here, cells = view.cells(*place), [cell for _, cell, _ in shown]
        if len(here) == 1 and here[0] in cells:
            st.session_state[which_key] = cells.index(here[0])

    with figure:
        picture.show(
            state.once(
                "isolated",
                (key, whose, view),
                lambda: isolated_figure(attack, [cell for _, cell, _ in shown], view, part),
            ),
            "isolated-map",
            f"{len(shown)} cells hold exactly one person",
            on_pick=picked,
        )
        st.caption(
            "Marked cells hold exactly one person. Click one to see its predicate."
            if view.flat
            else "Cells with exactly one person, counted behind each tile."
        )
    with beside:
        if shown:
            chosen = st.session_state.get(which_key, 0)
            st.markdown(
                f"**{words.plain(predicate(shown[chosen][1]))}** ({name_of(attack.release, shown[chosen][0].index)})"
            )
        else:
            st.info("No cell holds exactly one person, so nobody is singled out on this grid.", icon=":material/info:")
        if len(shown) > 1:
            with st.popover(f"All {how_many(len(shown), 'predicate')}", width="stretch"):
                st.markdown(
                    "\n".join(
                        f"- {words.plain(predicate(cell).removesuffix('.'))} ({name_of(attack.release, found.index)})."
                        for found, cell, _ in shown[:MOST_ROWS]
                    )
                )
    with below:
        if shown:
            who_is_it(shown, which_key)
        folded({"All classes as a table": outcomes}, "single-out-folded")


def who_is_it(shown: list[tuple[SingledClass, tuple[int, ...], int]], which_key: str) -> None:
    """The person that a predicate is true of, only when asked for."""
    with st.expander("Who is it?", icon=":material/person_search:"):
        which = st.selectbox(
            "Predicate",
            range(len(shown)),
            format_func=lambda place: predicate(shown[place][1]),
            key=which_key,
            persist_state="session",
        )
        row, record_key = shown[which][2], f"single-out-record-{hash(key)}"

        def reveal(revealed: int | None) -> None:
            st.session_state[record_key] = revealed

        # Only the row that was asked for, and only until another one is chosen.
        if st.session_state.get(record_key) == row:
            record = require_dataset().frame.iloc[[row]]
            st.warning("This is raw data about one person.", icon=":material/privacy_tip:")
            st.dataframe(record, hide_index=True, alt="The raw record")
            st.button("Hide the raw record", on_click=reveal, args=(None,))
        else:
            st.session_state[record_key] = None
            st.button(
                "Show the raw record (this is personal data)",
                on_click=reveal,
                args=(row,),
                icon=":material/privacy_tip:",
            )


def outcomes() -> None:
    """How many predicates of each class single somebody out."""
    summary = singled.summary
    st.markdown("Classes by the number of predicates that single somebody out:")
    with st.container(horizontal=True):
        for outcome, label in OUTCOMES.items():
            st.metric(words.sentence(label), f"{summary[outcome]:,}", border=True, width=155)
    if any(part.basic for part in attack.classes):
        st.caption(
            f"A class on a single cell counts as failed: at least k = {attack.release.k} people share that cell, so it "
            "isolates nobody."
        )
    table = pd.DataFrame(
        {
            "Class": ["suppressed" if row.number is None else str(row.number) for row in rows],
            "Outcome": [OUTCOMES[result.outcome] for result in results],
            "Predicates": [len(result.isolating) for result in results],
            "True counts allowed": ["yes" if result.valid else "no" for result in results],
            "Records": [
                sum(result.counts) if result.valid else row.size for result, row in zip(results, rows, strict=True)
            ],
            "Kind": [row.kind for row in rows],
            "Box": [words.box(grid, row.segment) for row in rows],
        }
    )
    st.dataframe(
        table.iloc[by_number(rows)],
        hide_index=True,
        column_config={
            "Class": st.column_config.TextColumn(width=90),
            "True counts allowed": st.column_config.TextColumn(
                help="Whether the true number of records per cell is among the fillings that the attack allows."
            ),
        },
        alt=f"Outcome per class: {summary['failed']} failed, {summary['one']} one, {summary['many']} more than one",
    )


# ---------------------------------------------------------------- without the raw table


def by_itself() -> tuple[SinglingChances | None, str]:
    """The chances by the paper's attack, each class for itself, or the sentence that says why there are none."""
    try:
        return state.once("chances", key, lambda: single_out(attack)), ""
    except CRAError as error:
        return None, words.plain(str(error))


def for_certain() -> None:
    """Who is singled out for certain, by all classes together."""
    with beside:
        run = run_panel(attack.release)
    if run is None:
        say(sentence, "Does anybody stand alone for certain? All classes of the release together may tell.")
        return
    tight = run.result.tight
    say(sentence, lead_in(tight))
    alone = dict.fromkeys(tight.isolated, 1)
    with beside:
        listed([f"For certain e{words.plain(predicate(cell)[1:])}" for cell in alone], MOST_SENTENCES, "All of them")
        if st.button("See why, on the page Attack", icon=":material/search:", type="tertiary"):
            st.session_state[keys.MAP] = keys.TOGETHER
            st.switch_page("pages/attack.py")
        say_how_sure(run)
    with figure:
        picture.show(
            certain_figure(grid, alone, view),
            "certain-people",
            f"{len(alone)} cells hold exactly one person for certain",
        )
        st.caption("From the release alone: cells that hold exactly one person in every table that is still possible.")


def likely() -> None:
    """How likely each cell holds exactly one person."""
    with beside:
        how = one_of("Reading", [TOGETHER, BY_ITSELF], "single-out-reading", first=BY_ITSELF)
    chances, trouble = by_itself()
    if how == BY_ITSELF:
        likely_alone(chances, trouble)
        return
    with beside:
        run = run_panel(attack.release)
    if run is None:
        say(sentence, "How likely does a cell hold exactly one person, when all classes are read together?")
    else:
        likely_together(run, chances)


def likely_together(run: Run, chances: SinglingChances | None) -> None:
    tight = run.result.tight
    found = of_all_classes(tight)
    expected = tight.expected_isolated
    kind = "exact" if expected is None or all(view.exact for view in tight.cells) else "estimate"
    if tight.relaxed and expected is not None:
        kind = "impossible tables counted too"
    exact = {view.cell: view.exact for view in tight.cells}
    every = all(exact[cell] for cell, _ in found)
    if not found:
        say(
            sentence,
            "No probabilities are known: the run did not finish."
            if tight.status == "timeout"
            else "No cell can hold exactly one person.",
        )
    else:
        say(
            sentence,
            "Probability that a cell holds exactly one person, "
            + ("exact" if every else "estimated from random tables unless marked exact")
            + f", when every table that all classes together allow {weighing.likely(tight)}."
            + (" Of these some are impossible: too little is known of the order of formation." if tight.relaxed else "")
            + (" Cells without a number were not reached before the run ended." if tight.status == "timeout" else ""),
        )
    with beside:
        for label, value in (
            (INTERVALS, f"{run.result.expected_from_intervals:.1f}"),
            (BY_ITSELF, expected_alone(chances) if chances else "not known"),
            (f"{TOGETHER} ({kind})", "not known" if expected is None else f"{expected:.1f}"),
        ):
            st.metric(label, value)
        st.caption(
            f"How many cells single somebody out. {of_this_table()}",
            help="More is not always more certain: an attack may also show that many cells hold nobody, or several "
            "people.",
        )
        say_how_sure(run)
    if not found:
        return
    with figure:
        picture.show(
            state.once("tight chances", (id(tight), view), lambda: chance_figure(grid, found, view)),
            "tight-chances-map",
            f"Probability per cell of exactly one person, at most {percent(found[0][1])}",
        )
        st.caption("Percent." if view.flat else "Expected number of cells behind each tile with exactly one person.")
    alone = dict(of_one_person(chances)) if chances else {}
    most = found[:MOST_ROWS]

    def as_table() -> None:
        if len(found) > MOST_ROWS:
            st.caption(f"The first {MOST_ROWS:,} of {len(found):,} cells.")
        st.dataframe(
            pd.DataFrame(
                {
                    TOGETHER: [chance for _, chance in most],
                    BY_ITSELF: [alone.get(cell, 0.0) if chances else None for cell, _ in most],
                    "Kind": ["exact" if exact[cell] else "estimate" for cell, _ in most],
                    "Cell": [cell_name(cell) for cell, _ in most],
                }
            ),
            hide_index=True,
            column_config={name: st.column_config.NumberColumn(format="percent") for name in (TOGETHER, BY_ITSELF)},
            alt="Probability that a cell holds exactly one person, most likely first",
        )

    with below:
        folded({"These probabilities as a table": as_table}, "single-out-together-folded")


def likely_alone(chances: SinglingChances | None, trouble: str) -> None:
    if chances is None:
        beside.info(trouble, icon=":material/info:")
        return
    if not (chances.cells or chances.bounded):
        beside.info("Every cell that may hold somebody is a class of its own, so no cell can hold exactly one person.")
        return
    likely_cells = state.once("likely alone", key, lambda: of_one_person(chances))
    say(
        sentence,
        "Probability that a cell holds exactly one person, as in the paper: exact if every table that a class's "
        f"constraints allow {weighing.likely(attack)}, each class for itself.",
        words.plain(chances.assumption),
    )
    with beside:
        st.metric(
            "Expected number of people singled out",
            expected_alone(chances),
            help="The sum of the probabilities: an average over the tables that are still possible, not a count.",
        )
        st.caption(f"{of_this_table()} {words.sentence(yardstick())}.")
        st.metric("Cells that may hold exactly one person", f"{len(chances.cells) + len(chances.bounded):,}")
        if chances.bounded:
            st.caption(
                f"In {how_many(len(chances.bounded), 'cell')} of classes that are too large to count"
                f"{'' if chances.complete else ', or for which the time ran out,'} the chance is "
                "known to lie between two limits only."
            )
    limited = {"The limits of cells too large to count": partial(limits_table, chances)} if chances.bounded else {}
    if not likely_cells:
        with below:
            folded(limited, "single-out-likely-folded")
        return
    with figure:
        picture.show(
            state.once("chances map", (key, view), lambda: chance_figure(grid, likely_cells, view)),
            "chances-map",
            f"Probability per cell of exactly one person, at most {percent(likely_cells[0][1])}",
        )
        st.caption(
            "Percent. Cells without a number cannot hold exactly one person."
            if view.flat
            else "Expected number of cells behind each tile with exactly one person."
        )

    def calculated() -> None:
        if not chances.bounded:
            formulas.show([arithmetic.expected([chance.probability for chance in chances.cells])])
        asked = st.selectbox(
            "Cell", chances.cells[:MOST_ROWS], format_func=lambda chance: cell_name(chance.cell), key="single-out-asked"
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

    def as_table() -> None:
        most = chances.cells[:MOST_ROWS]
        if len(chances.cells) > MOST_ROWS:
            st.caption(f"The first {MOST_ROWS:,} of {len(chances.cells):,} cells.")
        st.dataframe(
            pd.DataFrame(
                {
                    "Exactly one person": [chance for _, chance in likely_cells[:MOST_ROWS]],
                    "Class": [
                        " or ".join("suppressed" if i is None else str(number_of(attack.release, i)) for i in one.parts)
                        for one in most
                    ],
                    "Cell": [cell_name(one.cell) for one in most],
                }
            ),
            hide_index=True,
            column_config={"Exactly one person": st.column_config.NumberColumn(format="percent")},
            alt="Cells that may hold exactly one person, most likely first",
        )

    with below:
        tables = {"How these numbers are calculated": calculated, "The likeliest cells as a table": as_table, **limited}
        folded(tables, "single-out-likely-folded")


{keys.FOR_CERTAIN: for_certain, keys.LIKELY: likely}.get(looked, checked)()
