"""Attack: what the published table still allows, as one picture: of a class, of all classes, of all together."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from cra_dashboard.charts.counts import chance_figure, filling_figure
from cra_dashboard.charts.look import CONFIG, clickable
from cra_dashboard.charts.ownership import overview_figure, owner_table, ownership_figure
from cra_dashboard.charts.possibilities import possibilities_figure, told_of
from cra_dashboard.charts.tight import tables_figure, told_of_tables
from cra_dashboard.lessons import asking, progress
from cra_dashboard.lessons.questions import attack as questions
from cra_dashboard.panels import evidence, formulas
from cra_dashboard.panels.attack_settings import require_attack, settings
from cra_dashboard.panels.frame import require_dataset
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import folded, listed, one_of, say, stage
from cra_dashboard.panels.tight_run import run_panel
from cra_dashboard.panels.tight_view import certain_picture, certain_table, possible_counts, reasons, say_how_sure
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import keys, state
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import arithmetic, glossary, weighing, words
from cra_dashboard.texts.chances import of_class
from cra_dashboard.texts.class_rows import by_number, class_table, deepest, headline, mean_ratio
from cra_dashboard.texts.class_story import class_story
from cra_dashboard.texts.numbering import named
from cra_dashboard.texts.tight_story import comparison
from cra_engine import CRAError
from cra_engine.words import count, exactly, how_many, percent, quotient

MOST_FILLINGS, LISTING_SECONDS, MOST_LISTED_CELLS = 1000, 5.0, 2000
MOST_ROWS, MOST_CONCLUSIONS = 1000, 2
MAP, RATIOS = "Map", "Times fewer"
LESSON_AT = "attack-lesson-at"
CERTAIN, TABLES = "Certain cells", "Tables left"
# What the figure shows in the steps of a lesson that point at a part of this page.
OF_LESSON = {
    "attack-map": keys.OWNERS,
    "attack-conclusions": keys.OWNERS,
    "attack-fillings": keys.A_FILLING,
    "attack-chances": keys.CHANCES,
}

st.title("Attack: what is still possible?", help=glossary.of_page("attack"))
attack, rows = require_attack()
grid, key = attack.release.grid, state.attack_key()

# Widgets of one result are not those of another.
CHOSEN, TABLE = keys.chosen_class(), f"attack-table-{hash(key)}"
positions = by_number(rows)
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
    evidence.of_release(stage(), attack.release, "attack", part.index)
    st.stop()
# Where a step of a lesson begins, the figure shows what the step speaks of.
lesson = progress.current()
if lesson is not None and st.session_state.get(LESSON_AT) != (at := (lesson[0].id, lesson[1])):
    st.session_state[LESSON_AT] = at
    st.session_state[keys.SHOWN] = OF_LESSON.get(lesson[0].step[lesson[1]].view, keys.OWNERS)

sentence = st.container(key="attack-sentence")
figure, controls = stage()
with controls:
    looked = one_of("Look at", [keys.THIS_CLASS, keys.WHOLE_RELEASE, keys.TOGETHER], keys.MAP)
chosen_box = controls.container(key="attack-one-class")
if looked != keys.TOGETHER:
    chosen_box.selectbox(
        "Class",
        positions,
        # Its box stands below, in full: here it would be cut short.
        format_func=lambda position: words.sentence(
            f"{rows[position].title}: {how_many(rows[position].size, 'person', 'people')}"
        ),
        key=CHOSEN,
        persist_state="session",
    )
    chosen_box.caption(words.plain(words.box(grid, row.segment)))
beside, below = controls.container(), st.container()
with controls:
    settings(attack)
    asking.switch()
if looked == keys.THIS_CLASS and asking.ask_first(QUESTIONS, (key, chosen), ["owner", "half"], hold=True):
    st.stop()
with below:
    view = choose_view(grid, "attack")
picture_of = (key, chosen, view)
summed = "" if view.flat else " A tile stands for several cells here."
if not view.flat and not view.folded:
    summed += " Choose a slice to see single ones."


def go_to_owner(place: Sequence[int]) -> None:
    """A click on a cell of the map chooses the class that owns it."""
    here = view.cells(*place)
    if len(here) == 1 and (owner := int(attack.owner[here[0]])) >= 0:
        st.session_state[CHOSEN] = owner


def cell_names() -> list[str]:
    return [words.box(grid, grid.cell_segment(cell)) for cell in part.free_cells]


# ---------------------------------------------------------------- one class


def one_class() -> None:
    """What is known of one class: which cells its records can lie in, why, and how they may be spread over them."""
    say(sentence, f"{told_of(row)}.", weighing.counted(attack))
    if not view.meets(grid, part.segment):
        beside.info(f"This slice does not touch {row.title}; choose another, or all together.", icon=":material/info:")
    with beside:
        shown = one_of("Show", [keys.OWNERS, keys.A_FILLING, keys.CHANCES], keys.SHOWN)
    parts = {keys.A_FILLING: a_filling, keys.CHANCES: how_likely}.get(shown, owners)()
    with below:
        folded(
            parts
            | {
                "What this means for the class": lambda: st.markdown(
                    words.plain(" ".join(state.once("story", (key, chosen), lambda: class_story(part, row))))
                ),
                "The exact numbers, and how they are calculated": exact_numbers,
                "All classes as a table": every_class,
            },
            "attack-folded",
        )


def owners() -> dict[str, object]:
    with figure, st.container(key="attack-ownership"):
        picture.show(
            state.once("ownership", picture_of, lambda: ownership_figure(attack, part, view)),
            "ownership-map",
            f"Of the {row.cells} cells in its box, {row.title} can fill {row.free_cells}",
            on_pick=go_to_owner,
        )
        st.caption(
            ("A cell belongs, with every record in it, to the first class that covers it." + summed)
            if view.flat
            else "Free cells of all the cells in the box, behind each tile." + summed
        )
    with beside, st.container(key="attack-conclusions"):
        st.markdown("**What the attacker concludes**")
        constraints = part.constraints()
        overlaps = [words.plain(named(attack.release, c.text)) for c in constraints if c.kind == "overlap"]
        others = [words.plain(named(attack.release, c.text)) for c in constraints if c.kind != "overlap"]
        told = overlaps + others if len(overlaps) <= 1 else others
        listed(told, MOST_CONCLUSIONS, f"{len(told) - MOST_CONCLUSIONS} more")
        if len(overlaps) > 1:
            with st.popover(f"{len(overlaps)} earlier classes took the records of their boxes"):
                st.markdown("\n".join(f"- {text}" for text in overlaps))

    def as_table() -> None:
        table, cells = state.once("owners", picture_of, lambda: owner_table(attack, part, view, MOST_ROWS))
        if len(table) < cells:
            st.caption(f"The first {MOST_ROWS:,} of {cells:,} cells.")
        st.dataframe(table, hide_index=True, alt=f"Owner per cell, {how_many(cells, 'cell')}")

    return {"This map as a table": as_table}


FILLING = keys.filling(chosen)


def step(by: int, last: int) -> None:
    st.session_state[FILLING] = min(max(st.session_state[FILLING] + by, 1), last)


def a_filling() -> dict[str, object]:
    # One place for the figure and for what leafs through it: a lesson frames both.
    with figure:
        place_of_figure = st.container(key="attack-fillings")
    with beside:
        if row.fillings is None:
            st.info(words.plain(row.problem), icon=":material/info:")
            return {}
        if row.fillings == 0:
            st.info("No filling satisfies the constraints.", icon=":material/info:")
            return {}
        if row.free_cells > MOST_LISTED_CELLS:
            st.info(
                f"There are {count(row.fillings)} ways to fill {row.free_cells:,} cells, an exact number. With more "
                f"than {MOST_LISTED_CELLS:,} cells none of them is listed here.",
                icon=":material/info:",
            )
            return {}
        with st.spinner("Listing fillings…"):
            listing = state.once("fillings", (key, chosen), lambda: part.assignments(MOST_FILLINGS, LISTING_SECONDS))
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
        if not number:
            return {}
        st.session_state.setdefault(FILLING, 1)
        st.number_input(f"Filling (1 to {number:,})", 1, number, key=FILLING, persist_state="session")
        with st.container(horizontal=True):
            st.button("Previous", on_click=step, args=(-1, number), disabled=st.session_state[FILLING] <= 1)
            st.button("Next", on_click=step, args=(1, number), disabled=st.session_state[FILLING] >= number)
    place: int = st.session_state[FILLING]
    counts = listing.assignments[place - 1]
    with place_of_figure:
        picture.show(
            state.once("filling", (*picture_of, place), lambda: filling_figure(part, counts, view)),
            "filling-map",
            f"Filling {place}: {counts.count(1)} cells hold exactly one record",
        )
        st.caption(
            f"**{place:,} of {count(row.fillings)}**: exactly one record in {how_many(counts.count(1), 'cell')}."
            + summed
        )

    def as_table() -> None:
        st.dataframe(
            pd.DataFrame({"Records": counts, "Cell": cell_names()}).sort_values("Records", ascending=False),
            hide_index=True,
            alt=f"Records per cell in filling {place}",
        )

    return {"This filling as a table": as_table}


def how_likely() -> dict[str, object]:
    with figure:
        place_of_figure = st.container(key="attack-chances")
    try:
        distributions = state.once("distributions", (key, chosen), part.cell_distributions)
    except CRAError as error:
        beside.info(words.plain(str(error)), icon=":material/info:")
        return {}
    most = max(j for row_ in distributions for j, probability in enumerate(row_) if probability > 0)
    people = range(most + 1)
    if st.session_state.get(keys.PEOPLE) not in people:
        st.session_state[keys.PEOPLE] = 1
    with beside:
        j = st.selectbox(
            "A cell holds exactly",
            people,
            format_func=lambda j: "nobody" if j == 0 else f"{j} {'person' if j == 1 else 'people'}",
            key=keys.PEOPLE,
            persist_state="session",
        )
        chances = of_class(part, j)
        so_many = "nobody" if j == 0 else f"exactly {j} {'person' if j == 1 else 'people'}"
        st.markdown(
            f"Probability that a cell holds **{so_many}**, exact, when every table that satisfies the constraints of "
            f"{row.title} {weighing.likely(part)}."
        )
    with place_of_figure:
        picture.show(
            state.once(
                "chance",
                (*picture_of, j),
                lambda: chance_figure(grid, zip(part.free_cells, chances, strict=True), view, part.segment),
            ),
            "chance-map",
            f"Probability per cell of {so_many}: {percent(min(chances))} to {percent(max(chances))}",
        )
        st.caption(
            ("The numbers are percent." if view.flat else "Expected number of such cells behind each tile.") + summed
        )

    def calculated() -> None:
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

    def as_table() -> None:
        table = pd.DataFrame({"Probability": chances, "Cell": cell_names()}).sort_values("Probability", ascending=False)
        if len(table) > MOST_ROWS:
            st.caption(f"The {MOST_ROWS:,} most likely of {len(table):,} cells.")
        st.dataframe(
            table.head(MOST_ROWS),
            hide_index=True,
            column_config={"Probability": st.column_config.NumberColumn(format="percent")},
            alt=f"Probability per cell of {so_many}, most likely first",
        )

    return {"How this is calculated": calculated, "These probabilities as a table": as_table}


def exact_numbers() -> None:
    if row.remaining is None and weighing.formulas_hold(part):
        formulas.show([arithmetic.promised(part)])
        st.caption("Remaining and fillings are not counted here.")
    elif not weighing.formulas_hold(part):
        st.caption(weighing.OTHER_FORMULAS)
    else:
        formulas.show(arithmetic.class_numbers(part), parts=arithmetic.orthant_table(part))


# ---------------------------------------------------------------- all classes, each by itself

classes = [row for row in rows if row.index is not None]
wider = [row for row in classes if row.kind == "compound"]
means = {"Mean ratio, wider classes": mean_ratio(wider), "Mean ratio, all classes": mean_ratio(classes)}


def all_classes() -> None:
    """Every class, by the paper's attack, which takes each by itself."""
    say(sentence, headline(rows), weighing.counted(attack))
    with beside:
        shown = one_of("Show", [MAP, RATIOS], "attack-release-shown")
    (whole_map if shown == MAP else ratios)()
    with beside:
        st.markdown(f"{told_of(row)}.")
        for label, mean in means.items():
            if mean is not None:
                st.metric(
                    label,
                    quotient(mean.numerator, mean.denominator),
                    help=f"{glossary.meaning('mean ratio')} The suppressed records are left out.",
                )
    with below:
        parts = {"All classes as a table": every_class}
        if shown == MAP:
            parts["This map as a table"] = whole_table
        if None not in means.values():
            parts["How the means are calculated"] = means_calculated
        folded(parts, "attack-release-folded")


def whole_map() -> None:
    with figure, st.container(key="attack-ownership"):
        picture.show(
            state.once("overview", (*picture_of,), lambda: overview_figure(attack, view, part)),
            "ownership-map",
            f"The whole grid: {len(wider)} of {len(classes)} classes are wider than one cell",
            on_pick=go_to_owner,
        )
        st.caption(
            "The number in a cell is the class that owns it; borders are the boxes of wider classes. Click a cell."
            if view.flat
            else "Cells that no single-cell class owns, of all the cells behind each tile." + summed
        )


def ratios() -> None:
    drawn = [rows[place] for place in positions]
    if 0 < len(wider) < len(classes):
        with beside:
            which = one_of(
                "Draw",
                ["Wider classes and suppressed records", "All classes"],
                "possibilities-of",
                hint="A class on a single cell cannot be refined: what is promised remains.",
            )
        drawn = drawn if which == "All classes" else [row for row in drawn if row.kind != "basic"]

    def picked(place: int) -> None:
        st.session_state[CHOSEN] = rows.index(drawn[place])

    with figure, st.container(key="attack-ownership"):
        touch_chart(
            clickable(possibilities_figure(drawn, drawn.index(row) if row in drawn else None)),
            "possibilities",
            picked,
            f"How many times fewer tables the attack leaves of each class, logarithmic. {told_of(row)}",
        )
        st.caption("How many times fewer tables remain than the interval promises; 1 is no gain. Click a class.")


def whole_table() -> None:
    table, cells = state.once("all owners", (key, view), lambda: owner_table(attack, None, view, MOST_ROWS))
    if len(table) < cells:
        st.caption(f"The first {MOST_ROWS:,} of {cells:,} cells.")
    st.dataframe(table, hide_index=True, alt=f"Owner per cell, {how_many(cells, 'cell')}")


def means_calculated() -> None:
    said = "The ratios of the classes, added up and divided by how many they are."
    formulas.show(
        [
            arithmetic.mean(label, said, [row.ratio for row in of if row.ratio is not None])
            for label, of in zip(means, (wider, classes), strict=True)
        ]
    )


def pick_row() -> None:
    # Sorting empties the selection; the chosen class stays.
    if picked := st.session_state[TABLE]["selection"]["rows"]:
        st.session_state[CHOSEN] = positions[picked[0]]


def every_class() -> None:
    st.caption(
        "The paper's attack takes each class by itself. Click a row to look into that class, a column's title to sort."
    )
    if st.session_state.get(TABLE, {}).get("selection", {}).get("rows") != [positions.index(chosen)]:
        st.session_state[TABLE] = {"selection": {"rows": [positions.index(chosen)], "columns": [], "cells": []}}
    st.dataframe(
        state.once("class table", key, lambda: class_table([rows[place] for place in positions], grid)),
        key=TABLE,
        on_select=pick_row,
        selection_mode="single-row",
        hide_index=True,
        column_config={
            "Class": st.column_config.TextColumn(
                width=90, pinned=True, help="Numbered as they were formed; 0 was the first."
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


# ---------------------------------------------------------------- all classes together


def together() -> None:
    """What all classes say together, beyond the paper."""
    with beside:
        run = run_panel(attack.release)
    if run is None:
        say(
            sentence,
            "The classes also tell something about each other: a box that did not become a class held fewer than k "
            "people, even where it cuts across several classes.",
        )
        return
    tight = run.result.tight
    say(
        sentence,
        comparison(tight),
        "This attack goes beyond the paper. It reads the release alone, however ties are set. "
        + weighing.supposed(attack),
    )
    with beside:
        shown = one_of("Show", [CERTAIN, TABLES], "attack-together")
        say_how_sure(run)
    cell = None
    with figure, st.container(key="attack-together-figure"):
        if shown == TABLES:
            st.plotly_chart(
                state.once("tables left", id(run.result), lambda: tables_figure(tight)),
                key="tables-left",
                config=CONFIG,
                alt=told_of_tables(tight),
            )
        else:
            cell = certain_picture(run, grid, view, beside)
    with beside:
        if cell is not None:
            reasons(run, cell)
        st.caption(weighing.supposed(attack))
    with below:
        folded(
            {
                "These cells as a table": partial(certain_table, run, grid),
                "How many people each cell can hold": partial(possible_counts, run, grid),
            },
            "attack-together-folded",
        )


{keys.WHOLE_RELEASE: all_classes, keys.TOGETHER: together}.get(looked, one_class)()
problems = [*attack.release.warnings, *(row.problem for row in rows if row.problem)]
with sentence:
    for problem in problems[:1]:
        st.warning(words.plain(problem), icon=":material/warning:")
    if len(problems) > 1:
        with st.popover(f"{len(problems) - 1} more of these", icon=":material/warning:"):
            for problem in problems[1:]:
                st.warning(words.plain(problem), icon=":material/warning:")
