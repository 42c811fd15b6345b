"""Single out: which predicates are true of exactly one person, checked against the raw data or guessed without."""

import pandas as pd
import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.charts.ownership import chance_figure, isolated_figure
from cra_dashboard.charts.tight import certain_figure
from cra_dashboard.lessons import asking
from cra_dashboard.lessons.questions import singling_out as questions
from cra_dashboard.panels import formulas
from cra_dashboard.panels.attack_settings import choose_ties, choose_weighing, require_attack
from cra_dashboard.panels.frame import require_dataset
from cra_dashboard.panels.tight_run import Run, run_panel
from cra_dashboard.panels.tight_view import say_how_sure
from cra_dashboard.session import keys, state
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import arithmetic, glossary, weighing, words
from cra_dashboard.texts.chances import of_all_classes, of_one_person
from cra_dashboard.texts.class_story import singling_headline
from cra_dashboard.texts.tight_story import BY_ITSELF, INTERVALS, TOGETHER, lead_in
from cra_engine import CRAError, Owner, SingledClass, SinglingChances, owner_shares, single_out, tight_attack
from cra_engine.words import how_many, listed, outward, percent

MOST_ROWS, MOST_SENTENCES, CERTAIN_SECONDS = 1000, 10, 5.0
OUTCOMES = {"failed": "failed", "one": "one", "many": "more than one"}

st.title("Single out", help=glossary.of_page("single_out"))
attack, rows = require_attack()
grid, key = attack.release.grid, state.attack_key()
try:
    singled = state.singled()
except CRAError as error:
    st.error(words.plain(str(error)), icon=":material/error:")
    st.stop()

results: list[SingledClass] = [*singled.classes, *([singled.outliers] if singled.outliers else [])]
isolating = [(result, cell, row) for result in results for cell, row in zip(result.isolating, result.rows, strict=True)]


def predicate(cell: tuple[int, ...]) -> str:
    return words.isolates(grid, grid.cell_segment(cell))


# ---------------------------------------------------------------- with the raw table

asking.switch()
QUESTIONS = {
    "isolating": lambda: questions.isolating(singled, state.recoding()),
    "certain": lambda: questions.certain(
        state.once("certain people", key, lambda: tight_attack(attack.release, time_limit=CERTAIN_SECONDS)), singled
    ),
}
if asking.ask_for_lesson(QUESTIONS, key, hold=True):
    st.stop()
if asking.ask_first(QUESTIONS, key, ["isolating"], hold=True):
    st.stop()
st.markdown(f"**{words.plain(singling_headline(singled))}**")
st.markdown(
    "A *predicate* describes people, for instance by an interval of age and one of weight. It singles somebody out "
    "when it is true of exactly one person in the table. The attack leaves a list of fillings for each class; one of "
    "them is the truth, and every cell that holds one person there is such a predicate."
)
choose_ties(attack)
choose_weighing()
st.markdown(
    "On this page: [checked against the raw table](#checked), [the predicates](#predicates), and "
    "[what an attacker sees without it](#attackers-view), for certain or probably."
)

st.header("Checked against the raw table", anchor="checked")
st.caption(
    "This part uses the raw table of this session, as the paper does. It tells how far the attack can reach, not what "
    "an attacker knows for certain."
)
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
invalid = [words.name_of(result.index) for result in results if not result.valid]
if invalid:
    st.warning(
        f"The true counts of {listed(invalid)} are not among the fillings that the attack allows: it excludes "
        "the truth there. This happens when tied classes are sorted as in the paper; otherwise k, the profile or the "
        "hierarchies are not those of the release.",
        icon=":material/warning:",
    )

table = pd.DataFrame(
    {
        "Class": ["outliers" if result.index is None else str(result.index) for result in results],
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
    table,
    hide_index=True,
    column_config={
        "Class": st.column_config.TextColumn(width=90),
        "True counts allowed": st.column_config.TextColumn(
            help="Whether the true number of records per cell is among the fillings that the attack allows."
        ),
    },
    alt=f"Outcome per class: {summary['failed']} failed, {summary['one']} one, {summary['many']} more than one",
)

# ---------------------------------------------------------------- the predicates

st.header("The predicates", anchor="predicates")
st.caption("Also with the raw table: every cell of the grid in which exactly one person lies.")
if not isolating:
    st.info("No cell holds exactly one person, so nobody is singled out on this grid.", icon=":material/info:")
else:
    ANY = -1
    WHOSE = keys.predicates()
    places = [place for place, result in enumerate(results) if result.isolating]
    whose = st.container(key="single-out-predicates").selectbox(
        "Class",
        [ANY, *places],
        format_func=lambda place: (
            "All classes" if place == ANY else words.sentence(words.name_of(results[place].index))
        ),
        key=WHOSE,
        persist_state="session",
        width=300,
    )
    shown = [found for found in isolating if whose == ANY or found[0] is results[whose]]
    part = None if whose == ANY else attack.parts[whose]
    view = choose_view(grid, "single-out")
    left, right = st.columns(2, gap="large")
    with left:
        st.plotly_chart(
            state.once(
                "isolated",
                (key, whose, view),
                lambda: isolated_figure(attack, [cell for _, cell, _ in shown], view, part),
            ),
            key="isolated-map",
            config=CONFIG,
            alt=f"{len(shown)} cells hold exactly one person",
        )
        st.caption(
            "Marked cells hold exactly one person."
            if view.flat
            else "Cells with exactly one person, counted behind each tile."
        )
    with right:
        sentences = [
            f"- {words.plain(predicate(cell).removesuffix('.'))} ({words.name_of(found.index)})."
            for found, cell, _ in shown
        ]
        st.markdown("\n".join(sentences[:MOST_SENTENCES]))
        if len(sentences) > MOST_SENTENCES:
            with st.expander(f"{len(sentences) - MOST_SENTENCES:,} more predicates"):
                st.markdown("\n".join(sentences[MOST_SENTENCES:]))

    st.subheader("Who is it?")
    SHOWN = f"single-out-record-{hash(key)}"
    which = st.selectbox(
        "Predicate",
        range(len(shown)),
        format_func=lambda place: predicate(shown[place][1]),
        key=f"single-out-predicate-{hash((key, whose))}",
        persist_state="session",
    )
    row = shown[which][2]

    def reveal(revealed: int | None) -> None:
        st.session_state[SHOWN] = revealed

    # Only the row that was asked for, and only until another one is chosen.
    if st.session_state.get(SHOWN) == row:
        record = require_dataset().frame.iloc[[row]]
        st.warning("This is raw data about one person.", icon=":material/privacy_tip:")
        st.dataframe(record, hide_index=True, alt="The raw record")
        st.button("Hide the raw record", on_click=reveal, args=(None,))
    else:
        st.session_state[SHOWN] = None
        st.button(
            "Show the raw record (this is personal data)", on_click=reveal, args=(row,), icon=":material/privacy_tip:"
        )

# ---------------------------------------------------------------- without the raw table

st.header("The attacker's own view", anchor="attackers-view")
st.markdown(
    "From here on the release alone is used, as an attacker does. First what follows from all classes together, then "
    "each class by itself, as in the paper."
)
chances: SinglingChances | None = None
trouble = ""
try:
    chances = state.once("chances", key, lambda: single_out(attack))
except CRAError as error:
    trouble = words.plain(str(error))


def cell_name(cell: tuple[int, ...]) -> str:
    return words.box(grid, grid.cell_segment(cell))


def expected_alone(chances: SinglingChances) -> str:
    lower, upper = outward(*chances.expected_bounds, 1)
    return f"{lower:.1f} to {upper:.1f}" if chances.bounded else f"{chances.expected_isolated:.1f}"


def limited_cells(chances: SinglingChances) -> None:
    st.markdown(
        f"{how_many(len(chances.bounded), 'cell')} of classes that are too large to count: there the probability is "
        "known to lie between two limits only."
    )
    with st.expander("These limits as a table"):
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


def show_certain(run: Run) -> None:
    tight = run.result.tight
    alone = dict.fromkeys(tight.isolated, 1)
    st.markdown(f"**{words.plain(lead_in(tight))}**")
    if not alone:
        return
    sentences = [f"- For certain e{words.plain(predicate(cell)[1:])}" for cell in alone]
    left, right = st.columns(2, gap="large")
    with left:
        view = choose_view(grid, "certain-people")
        st.plotly_chart(
            certain_figure(grid, alone, view),
            key="certain-people",
            config=CONFIG,
            alt=f"{len(alone)} cells hold exactly one person for certain",
        )
    with right:
        st.markdown("\n".join(sentences[:MOST_SENTENCES]))
        if len(sentences) > MOST_SENTENCES:
            with st.expander(f"{len(sentences) - MOST_SENTENCES:,} more"):
                st.markdown("\n".join(sentences[MOST_SENTENCES:]))
        st.page_link("pages/attack.py", label="See why, on the page Attack", icon=":material/search:")


def show_probable(run: Run) -> None:
    tight = run.result.tight
    likely = of_all_classes(tight)
    if not likely:
        st.caption(
            "No probabilities are known: the run did not finish."
            if tight.status == "timeout"
            else "No cell can hold exactly one person."
        )
        return
    exact = {view.cell: view.exact for view in tight.cells}
    every = all(exact[cell] for cell, _ in likely)
    st.markdown(
        "Probability that a cell holds exactly one person, "
        + ("exact" if every else "estimated from random tables unless marked exact")
        + f", when every table that all classes together allow {weighing.likely(tight)}."
        + (" Cells without a number were not reached before the run ended." if tight.status == "timeout" else "")
    )
    view = choose_view(grid, "tight-chances")
    st.plotly_chart(
        state.once("tight chances", (id(tight), view), lambda: chance_figure(grid, likely, view)),
        key="tight-chances-map",
        config=CONFIG,
        alt=f"Probability per cell of exactly one person, at most {percent(likely[0][1])}",
    )
    st.caption("Percent." if view.flat else "Expected number of cells behind each tile with exactly one person.")
    by_itself = dict(of_one_person(chances)) if chances else {}
    most = likely[:MOST_ROWS]
    with st.expander("These probabilities as a table"):
        if len(likely) > MOST_ROWS:
            st.caption(f"The first {MOST_ROWS:,} of {len(likely):,} cells.")
        st.dataframe(
            pd.DataFrame(
                {
                    TOGETHER: [chance for _, chance in most],
                    BY_ITSELF: [by_itself.get(cell, 0.0) if chances else None for cell, _ in most],
                    "Kind": ["exact" if exact[cell] else "estimate" for cell, _ in most],
                    "Cell": [cell_name(cell) for cell, _ in most],
                }
            ),
            hide_index=True,
            column_config={name: st.column_config.NumberColumn(format="percent") for name in (TOGETHER, BY_ITSELF)},
            alt="Probability that a cell holds exactly one person, most likely first",
        )


st.subheader("All classes together")
if (run := run_panel(attack.release)) is not None:
    tight = run.result.tight
    say_how_sure(run)
    show_certain(run)
    st.markdown("How many cells single somebody out, on average over the tables that are still possible:")
    expected = tight.expected_isolated
    kind = "exact" if expected is None or all(view.exact for view in tight.cells) else "estimate"
    with st.container(horizontal=True):
        for label, value in (
            (INTERVALS, f"{run.result.expected_from_intervals:.1f}"),
            (BY_ITSELF, expected_alone(chances) if chances else "not known"),
            (f"{TOGETHER} ({kind})", "not known" if expected is None else f"{expected:.1f}"),
        ):
            st.metric(label, value, border=True, width=260)
    st.caption(
        "More is not always more certain: an attack may also show that many cells hold nobody, or several people."
    )
    show_probable(run)

st.subheader("Each class by itself")
st.markdown(
    "The paper's attack, as the baseline. For each cell it gives the probability that the cell holds exactly one "
    f"person: exact if every table that a class's constraints allow {weighing.likely(attack)}, each class for itself."
)
if chances is None:
    st.info(trouble, icon=":material/info:")
    st.stop()
if not (chances.cells or chances.bounded):
    st.info("Every cell that may hold somebody is a class of its own, so no cell can hold exactly one person.")
    st.stop()
with st.container(horizontal=True):
    st.metric(
        "Expected number of people singled out",
        expected_alone(chances),
        help="The sum of the probabilities below: an average over the tables that are still possible, not a count.",
        border=True,
        width=320,
    )
    cells = len(chances.cells) + len(chances.bounded)
    st.metric("Cells that may hold exactly one person", f"{cells:,}", border=True, width=320)
if chances.bounded:
    limited_cells(chances)
if not chances.cells:
    st.stop()
with st.expander("How these numbers are calculated", icon=":material/function:"):
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
if chances.assumption:
    st.caption(words.plain(chances.assumption))
likely_alone = state.once("likely alone", key, lambda: of_one_person(chances))
outlook = choose_view(grid, "chances")
st.plotly_chart(
    state.once(
        "chances map",
        (key, outlook),
        lambda: chance_figure(grid, likely_alone, outlook),
    ),
    key="chances-map",
    config=CONFIG,
    alt=f"Probability per cell of exactly one person, at most {percent(likely_alone[0][1])}",
)
st.caption(
    "Percent. Cells without a number cannot hold exactly one person."
    if outlook.flat
    else "Expected number of cells behind each tile with exactly one person."
)


def likely_cells(chances: SinglingChances) -> pd.DataFrame:
    most = chances.cells[:MOST_ROWS]
    return pd.DataFrame(
        {
            "Exactly one person": [chance for _, chance in likely_alone[:MOST_ROWS]],
            "Class": [" or ".join("outliers" if i is None else str(i) for i in chance.parts) for chance in most],
            "Cell": [cell_name(chance.cell) for chance in most],
        }
    )


st.markdown("The likeliest cells:")
if len(chances.cells) > MOST_ROWS:
    st.caption(f"The first {MOST_ROWS:,} of {len(chances.cells):,} cells.")
st.dataframe(
    state.once("likely cells", key, lambda: likely_cells(chances)),
    hide_index=True,
    column_config={"Exactly one person": st.column_config.NumberColumn(format="percent")},
    alt="Cells that may hold exactly one person, most likely first",
)
