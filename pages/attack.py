"""Attack: what the published table still allows, class by class."""

import pandas as pd
import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.charts.ownership import chance_figure, filling_figure, overview_figure, owner_table, ownership_figure
from cra_dashboard.charts.possibilities import possibilities_figure, told_of
from cra_dashboard.charts.tight import tables_figure, told_of_tables
from cra_dashboard.lessons import asking
from cra_dashboard.lessons.questions import attack as questions
from cra_dashboard.panels import formulas
from cra_dashboard.panels.attack_settings import choose_ties, choose_weighing, require_attack
from cra_dashboard.panels.frame import require_dataset
from cra_dashboard.panels.tight_run import Run, run_panel
from cra_dashboard.panels.tight_view import certain_cells, possible_counts, say_how_sure
from cra_dashboard.session import keys, state
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import arithmetic, glossary, weighing, words
from cra_dashboard.texts.chances import of_class
from cra_dashboard.texts.class_rows import class_table, deepest, headline, mean_ratio
from cra_dashboard.texts.class_story import class_story
from cra_dashboard.texts.tight_story import comparison
from cra_engine import CRAError
from cra_engine.words import count, exactly, how_many, percent, quotient

MOST_FILLINGS, LISTING_SECONDS, MOST_LISTED_CELLS = 1000, 5.0, 2000
MOST_ROWS, MOST_PROBLEMS = 1000, 3

st.title("Attack", help=glossary.of_page("attack"))
attack, rows = require_attack()
grid, key = attack.release.grid, state.attack_key()

# Widgets of one result are not those of another.
CHOSEN, TABLE = keys.chosen_class(), f"attack-table-{hash(key)}"
positions = range(len(rows))
if st.session_state.get(CHOSEN) not in positions:
    best = deepest([row for row in rows if row.index is not None])
    st.session_state[CHOSEN] = rows.index(best) if best else 0
chosen: int = st.session_state[CHOSEN]
row, part = rows[chosen], attack.parts[chosen]
QUESTIONS = {
    "compound": lambda: questions.compound(part),
    "owner": lambda: questions.owner(part, attack),
    "free_cells": lambda: questions.free_cells(part),
    "half": lambda: questions.half(part),
    "ratio": lambda: questions.ratio(part),
    "larger_k": lambda: questions.larger_k(require_dataset().frame, attack.release.study, attack.release.k + 2),
}
# Everything below gives the answer away, so a lesson asks first.
if asking.ask_for_lesson(QUESTIONS, (key, chosen), hold=True):
    st.stop()

# ---------------------------------------------------------------- what it means

st.markdown(f"**{words.plain(headline(rows))}**")
st.markdown(
    f"The attacker holds the published table, the hierarchies and k, and nothing else. {weighing.counted(attack)}"
)
problems = [*attack.release.warnings, *(row.problem for row in rows if row.problem)]
for problem in problems[:MOST_PROBLEMS]:
    st.warning(words.plain(problem), icon=":material/warning:")
if len(problems) > MOST_PROBLEMS:
    with st.expander(f"{len(problems) - MOST_PROBLEMS} more of these"):
        st.markdown("\n".join(f"- {words.plain(problem)}" for problem in problems[MOST_PROBLEMS:]))
choose_ties(attack)
choose_weighing()
asking.switch()
st.markdown(
    "On this page: [the paper's attack on every class](#all-classes), [one class in detail](#one-class), and "
    "[all classes together](#all-classes-together), which goes further."
)

# ---------------------------------------------------------------- all classes


def pick_row() -> None:
    # Sorting empties the selection; the chosen class stays.
    if picked := st.session_state[TABLE]["selection"]["rows"]:
        st.session_state[CHOSEN] = picked[0]


st.header("All classes", anchor="all-classes")
st.caption(
    "The paper's attack takes each class by itself. Click a row to look into that class below; click a column's title "
    "to sort by it."
)
if st.session_state.get(TABLE, {}).get("selection", {}).get("rows") != [chosen]:
    st.session_state[TABLE] = {"selection": {"rows": [chosen], "columns": [], "cells": []}}
st.dataframe(
    state.once("class table", key, lambda: class_table(rows, grid)),
    key=TABLE,
    on_select=pick_row,
    selection_mode="single-row",
    hide_index=True,
    column_config={
        "Class": st.column_config.TextColumn(
            width=90, pinned=True, help="Place in the attacker's order; 0 was formed first."
        ),
        "Times fewer": st.column_config.NumberColumn(format="%.4g", help=glossary.meaning("ratio")),
        "Promised, log10": st.column_config.NumberColumn(format="%.1f", help=glossary.meaning("promised")),
        "Remaining, log10": st.column_config.NumberColumn(format="%.1f", help=glossary.meaning("remaining")),
        "Fillings": st.column_config.NumberColumn(format="%.4g", help=glossary.meaning("filling")),
        "Free cells": st.column_config.NumberColumn(help=glossary.meaning("free cell")),
        "State": st.column_config.TextColumn(help=glossary.meaning("state")),
    },
    alt=f"{len(rows)} classes with what their intervals promise and what the attack leaves",
)

classes = [row for row in rows if row.index is not None]
wider = [row for row in classes if row.kind == "compound"]
means = {"Mean ratio, wider classes": mean_ratio(wider), "Mean ratio, all classes": mean_ratio(classes)}
with st.container(horizontal=True):
    for label, mean in means.items():
        if mean is not None:
            value = quotient(mean.numerator, mean.denominator)
            note = f"{glossary.meaning('mean ratio')} The suppressed records are left out."
            st.metric(label, value, help=note, border=True, width=260)

if None not in means.values():
    with st.expander("How the means are calculated", icon=":material/function:"):
        said = "The ratios of the classes, added up and divided by how many they are."
        formulas.show(
            [
                arithmetic.mean(label, said, [row.ratio for row in of if row.ratio is not None])
                for label, of in zip(means, (wider, classes), strict=True)
            ]
        )

drawn = rows
if 0 < len(wider) < len(classes):
    which = st.segmented_control(
        "Draw",
        ["Wider classes and outliers", "All classes"],
        default="Wider classes and outliers",
        required=True,
        key="possibilities-of",
        persist_state="session",
        help="A class on a single cell cannot be refined: what is promised remains.",
    )
    drawn = rows if which == "All classes" else [row for row in rows if row.kind != "basic"]
st.plotly_chart(
    possibilities_figure(drawn, drawn.index(row) if row in drawn else None),
    key="possibilities",
    config=CONFIG,
    alt=f"Promised against remaining tables of each class, logarithmic. {told_of(row)}",
)

# ---------------------------------------------------------------- the chosen class

st.header("One class", anchor="one-class")
st.caption("What is known of one class: which cells its records can lie in, why, and how they may be spread over them.")
one_class = st.container(key="attack-one-class")
one_class.selectbox(
    "Class",
    positions,
    format_func=lambda position: words.sentence(f"{rows[position].title}: {words.box(grid, rows[position].segment)}"),
    key=CHOSEN,
    persist_state="session",
)
if asking.ask_first(QUESTIONS, (key, chosen), ["owner", "half"], hold=True):
    st.stop()
one_class.markdown(words.plain(" ".join(state.once("story", (key, chosen), lambda: class_story(part, row)))))
with st.expander("The exact numbers, and how they are calculated", icon=":material/function:"):
    if row.remaining is None and weighing.formulas_hold(part):
        formulas.show([arithmetic.promised(part)])
        st.caption("Remaining and fillings are not counted here.")
    elif not weighing.formulas_hold(part):
        st.caption(weighing.OTHER_FORMULAS)
    else:
        formulas.show(arithmetic.class_numbers(part), parts=arithmetic.orthant_table(part))

view = choose_view(grid, "attack")
picture_of = (key, chosen, view)
if not view.meets(grid, part.segment):
    st.info(f"This slice does not touch {row.title}; choose another, or all together.", icon=":material/info:")
summed = "" if view.flat else " A tile stands for several cells here."
if not view.flat and not view.folded:
    summed += " Choose a slice to see single ones."

left, right = st.columns(2, gap="large")
with left, st.container(key="attack-ownership"):
    st.subheader("Who owns which cell")
    shown = st.segmented_control(
        "Map",
        [keys.THIS_CLASS, keys.WHOLE_RELEASE],
        default=keys.THIS_CLASS,
        required=True,
        key=keys.MAP,
        persist_state="session",
    )
    if shown == keys.THIS_CLASS:
        figure = state.once("ownership", picture_of, lambda: ownership_figure(attack, part, view))
        alt = f"Of the {row.cells} cells in its box, {row.title} can fill {row.free_cells}"
        note = (
            "The thick border is the published box. A cell belongs, with every record in it, to the first class "
            "that covers it; so a cell that an earlier class took is empty for this one."
        )
        if not view.flat:
            note = "Free cells of all the cells in the box, behind each tile."
    else:
        figure = state.once("overview", (key, view), lambda: overview_figure(attack, view))
        alt = f"The whole grid: {len(wider)} of {len(classes)} classes are wider than one cell"
        note = "The number in a cell is the class that owns it; borders are the boxes of wider classes."
        if not view.flat:
            note = "Cells that no single-cell class owns, of all the cells behind each tile."
    st.plotly_chart(figure, key="ownership-map", config=CONFIG, alt=alt)
    st.caption(note + summed)
    with st.expander("This map as a table"):
        of = part if shown == keys.THIS_CLASS else None
        owners, cells = state.once("owners", (*picture_of, shown), lambda: owner_table(attack, of, view, MOST_ROWS))
        if len(owners) < cells:
            st.caption(f"The first {MOST_ROWS:,} of {cells:,} cells.")
        st.dataframe(owners, hide_index=True, alt=f"Owner per cell, {how_many(cells, 'cell')}")
with right, st.container(key="attack-conclusions"):
    st.subheader("What the attacker concludes")
    constraints = part.constraints()
    overlaps = [constraint for constraint in constraints if constraint.kind == "overlap"]
    few = len(overlaps) <= 5
    st.markdown("\n".join(f"- {words.plain(c.text)}" for c in constraints if few or c.kind != "overlap"))
    if not few:
        with st.expander(f"{len(overlaps)} earlier classes took the records of their boxes"):
            st.markdown("\n".join(f"- {words.plain(constraint.text)}" for constraint in overlaps))

# ---------------------------------------------------------------- fillings and probabilities

FILLING = keys.filling(chosen)


def step(by: int, last: int) -> None:
    st.session_state[FILLING] = min(max(st.session_state[FILLING] + by, 1), last)


def cell_names() -> list[str]:
    return [words.box(grid, grid.cell_segment(cell)) for cell in part.free_cells]


left, right = st.columns(2, gap="large")
with left, st.container(key="attack-fillings"):
    st.subheader("One possible filling after the other")
    if row.fillings is None:
        st.info(words.plain(row.problem), icon=":material/info:")
    elif row.fillings == 0:
        st.info("No filling satisfies the constraints.", icon=":material/info:")
    elif row.free_cells > MOST_LISTED_CELLS:
        st.info(
            f"There are {count(row.fillings)} ways to fill {row.free_cells:,} cells, an exact number. With more "
            f"than {MOST_LISTED_CELLS:,} cells none of them is listed here.",
            icon=":material/info:",
        )
    else:
        with st.spinner("Listing fillings…"):
            listing = state.once("fillings", (key, chosen), lambda: part.assignments(MOST_FILLINGS, LISTING_SECONDS))
        number = len(listing.assignments)
        if listing.complete:
            st.markdown(f"All {how_many(number, 'filling')} that satisfy the constraints. One of them is the truth.")
        else:
            st.markdown(
                f"The first {how_many(number, 'filling')} of {exactly(row.fillings)}, listed within "
                f"{listing.seconds:.1f} seconds. The list stops at {MOST_FILLINGS:,}, or after {LISTING_SECONDS:.0f} "
                "seconds; how many there are in all is counted, not estimated. One of them is the truth, listed or not."
            )
        if number:
            st.session_state.setdefault(FILLING, 1)
            with st.container(horizontal=True, vertical_alignment="bottom"):
                st.number_input(
                    f"Filling (1 to {number:,})", 1, number, key=FILLING, persist_state="session", width=180
                )
                st.button("Previous", on_click=step, args=(-1, number), disabled=st.session_state[FILLING] <= 1)
                st.button("Next", on_click=step, args=(1, number), disabled=st.session_state[FILLING] >= number)
            place: int = st.session_state[FILLING]
            counts = listing.assignments[place - 1]
            st.markdown(f"**{place:,} of {count(row.fillings)}**: records in each cell")
            st.plotly_chart(
                state.once("filling", (*picture_of, place), lambda: filling_figure(part, counts, view)),
                key="filling-map",
                config=CONFIG,
                alt=f"Filling {place}: {counts.count(1)} cells hold exactly one record",
            )
            st.caption(f"This filling puts exactly one record into {how_many(counts.count(1), 'cell')}." + summed)
            with st.expander("This filling as a table"):
                st.dataframe(
                    pd.DataFrame({"Records": counts, "Cell": cell_names()}).sort_values("Records", ascending=False),
                    hide_index=True,
                    alt=f"Records per cell in filling {place}",
                )
with right, st.container(key="attack-chances"):
    st.subheader("How likely each cell holds so many people")
    try:
        distributions = state.once("distributions", (key, chosen), part.cell_distributions)
    except CRAError as error:
        st.info(words.plain(str(error)), icon=":material/info:")
    else:
        most = max(j for row_ in distributions for j, probability in enumerate(row_) if probability > 0)
        people = range(most + 1)
        if st.session_state.get(keys.PEOPLE) not in people:
            st.session_state[keys.PEOPLE] = 1
        j = st.selectbox(
            "A cell holds exactly",
            people,
            format_func=lambda j: "nobody" if j == 0 else f"{j} {'person' if j == 1 else 'people'}",
            key=keys.PEOPLE,
            persist_state="session",
            width=220,
        )
        chances = of_class(part, j)
        so_many = "nobody" if j == 0 else f"exactly {j} {'person' if j == 1 else 'people'}"
        st.markdown(
            f"Probability that a cell holds **{so_many}**, exact, when every table that satisfies the constraints of "
            f"{row.title} {weighing.likely(part)}."
        )
        st.plotly_chart(
            state.once(
                "chance",
                (*picture_of, j),
                lambda: chance_figure(grid, zip(part.free_cells, chances, strict=True), view, part.segment),
            ),
            key="chance-map",
            config=CONFIG,
            alt=f"Probability per cell of {so_many}: {percent(min(chances))} to {percent(max(chances))}",
        )
        st.caption(
            ("The numbers are percent." if view.flat else "Expected number of such cells behind each tile.") + summed
        )
        with st.expander("How this is calculated", icon=":material/function:"):
            cell = st.selectbox(
                "Cell",
                part.free_cells,
                index=max(range(len(chances)), key=chances.__getitem__),
                format_func=lambda cell: words.box(grid, grid.cell_segment(cell)),
                key=f"attack-cell-{hash((key, chosen, j))}",
            )
            formula = arithmetic.cell_chance(part, cell, j) if weighing.formulas_hold(part) else None
            if not weighing.formulas_hold(part):
                st.caption(weighing.OTHER_FORMULAS)
            elif formula is None and part.weighted:
                st.caption("A sum over all tables that fit, each with its weight; docs/method.md has the sums.")
            elif formula is None:
                st.caption("Records must be alike here; the probabilities then count each record by itself.")
            else:
                formulas.show([formula])
        table = pd.DataFrame({"Probability": chances, "Cell": cell_names()}).sort_values("Probability", ascending=False)
        with st.expander("These probabilities as a table"):
            if len(table) > MOST_ROWS:
                st.caption(f"The {MOST_ROWS:,} most likely of {len(table):,} cells.")
            st.dataframe(
                table.head(MOST_ROWS),
                hide_index=True,
                column_config={"Probability": st.column_config.NumberColumn(format="percent")},
                alt=f"Probability per cell of {so_many}, most likely first",
            )

# ---------------------------------------------------------------- all classes together


def show_together(run: Run) -> None:
    tight = run.result.tight
    say_how_sure(run)
    st.markdown(words.plain(comparison(tight)))
    st.plotly_chart(
        state.once("tables left", id(run.result), lambda: tables_figure(tight)),
        key="tables-left",
        config=CONFIG,
        alt=told_of_tables(tight),
    )
    st.subheader("Which cells become certain")
    certain_cells(run, grid)
    possible_counts(run, grid)


st.header("All classes together", anchor="all-classes-together")
st.markdown(
    "The classes also tell something about each other: a box that did *not* become a class held fewer than k people, "
    "even where it cuts across several classes. This attack goes beyond the paper and uses all of that at once. "
    "It reads the release alone, whatever the setting for ties above."
)
if (run := run_panel(attack.release)) is not None:
    show_together(run)
