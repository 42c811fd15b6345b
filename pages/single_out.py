"""Single out: which predicates are true of exactly one person, checked against the raw data or guessed without."""

from typing import cast

import pandas as pd
import streamlit as st

from cra_engine import CRAError, SingledClass, SinglingChances, single_out
from dashboard import state, words
from dashboard.attack_settings import choose_ties, require_attack
from dashboard.class_story import singling_headline
from dashboard.frame import require_dataset
from dashboard.grid_chart import CONFIG
from dashboard.ownership_chart import chance_figure, isolated_figure
from dashboard.view import choose_view

MOST_ROWS, MOST_SENTENCES = 1000, 10
OUTCOMES = {"failed": "failed", "one": "one", "many": "more than one"}

st.title("Single out")
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

st.markdown(f"**{words.plain(singling_headline(singled))}**")
st.markdown(
    "A *predicate* describes people, for instance by an interval of age and one of weight. It singles somebody out "
    "when it is true of exactly one person in the table. The attack leaves a list of fillings for each class; one of "
    "them is the truth, and every cell that holds one person there is such a predicate."
)
choose_ties(attack)

st.header("Checked against the raw table")
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
        f"The true counts of {words.listed(invalid)} are not among the fillings that the attack allows: it excludes "
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

st.header("The predicates")
if not isolating:
    st.info("No cell holds exactly one person, so nobody is singled out on this grid.", icon=":material/info:")
else:
    ANY = -1
    WHOSE = f"single-out-class-{hash(key)}"
    places = [place for place, result in enumerate(results) if result.isolating]
    whose = st.selectbox(
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

st.header("The attacker's own view")
st.markdown(
    "This part uses the release alone. For each cell it gives the probability that the cell holds exactly one person: "
    "exact if every table that a class's constraints allow is equally likely, each class for itself."
)
try:
    chances = state.once("chances", key, lambda: cast("SinglingChances", single_out(attack)))
except CRAError as error:
    st.info(words.plain(str(error)), icon=":material/info:")
    st.stop()
if not chances.cells:
    st.info("Every cell that may hold somebody is a class of its own, so no cell can hold exactly one person.")
    st.stop()
with st.container(horizontal=True):
    st.metric(
        "Expected number of people singled out",
        f"{chances.expected_isolated:.1f}",
        help="The sum of the probabilities below: an average over the tables that are still possible, not a count.",
        border=True,
        width=320,
    )
    st.metric("Cells that may hold exactly one person", f"{len(chances.cells):,}", border=True, width=320)
outlook = choose_view(grid, "chances")
st.plotly_chart(
    state.once(
        "chances map",
        (key, outlook),
        lambda: chance_figure(grid, [(chance.cell, chance.probability) for chance in chances.cells], outlook),
    ),
    key="chances-map",
    config=CONFIG,
    alt=f"Probability per cell of exactly one person, at most {words.chance(chances.cells[0].probability)}",
)
st.caption(
    "Percent. Cells without a number cannot hold exactly one person."
    if outlook.flat
    else "Expected number of cells behind each tile with exactly one person."
)


def likely_cells() -> pd.DataFrame:
    most = chances.cells[:MOST_ROWS]
    return pd.DataFrame(
        {
            "Exactly one person": [chance.probability for chance in most],
            "Class": [" or ".join("outliers" if i is None else str(i) for i in chance.parts) for chance in most],
            "Cell": [words.box(grid, grid.cell_segment(chance.cell)) for chance in most],
        }
    )


st.subheader("The likeliest cells")
if len(chances.cells) > MOST_ROWS:
    st.caption(f"The first {MOST_ROWS:,} of {len(chances.cells):,} cells.")
st.dataframe(
    state.once("likely cells", key, likely_cells),
    hide_index=True,
    column_config={"Exactly one person": st.column_config.NumberColumn(format="percent")},
    alt="Cells that may hold exactly one person, most likely first",
)
