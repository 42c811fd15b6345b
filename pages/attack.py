"""Attack: what the published table still allows, as one picture: of a class, of all classes, of all together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from cra_dashboard.charts.counts import chance_figure, filling_figure
from cra_dashboard.charts.look import CONFIG, clickable
from cra_dashboard.charts.ownership import overview_figure, owner_table, ownership_figure
from cra_dashboard.charts.possibilities import possibilities_figure, told_of
from cra_dashboard.charts.tight import tables_figure, told_of_tables
from cra_dashboard.charts.view import View
from cra_dashboard.lessons import asking, progress
from cra_dashboard.lessons.pages import attack as questions
from cra_dashboard.panels import evidence, formulas
from cra_dashboard.panels.attack_settings import require_attack, settings
from cra_dashboard.panels.frame import require_dataset
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import Stage, folded, listed, one_of, say, stage
from cra_dashboard.panels.tables import MOST_ROWS, show_table
from cra_dashboard.panels.tight_run import run_panel
from cra_dashboard.panels.tight_view import certain_picture, certain_table, possible_counts, reasons, say_how_sure
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import fields, keys, messages, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import arithmetic, glossary, weighing, words
from cra_dashboard.texts.chances import of_class
from cra_dashboard.texts.class_rows import ClassRow, by_number, class_table, deepest, headline, mean_ratio
from cra_dashboard.texts.class_story import class_story
from cra_dashboard.texts.numbering import named
from cra_dashboard.texts.tight_story import comparison
from cra_engine import Attack, CRAError
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.counting.enumeration import Enumeration
from cra_engine.study.grid import Cell
from cra_engine.words import count, exactly, how_many, percent, quotient

MOST_FILLINGS, LISTING_SECONDS, MOST_LISTED_CELLS = 1000, 5.0, 2000
MOST_CONCLUSIONS = 2
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
Parts = Mapping[str, Callable[[], Any]]


@dataclass(frozen=True)
class Chosen:
    """The class that is looked at, in its release.

    Attributes:
        attack: on the release.
        rows: one per class.
        place: of the class among them.
        view: the part of the grid to show.
    """

    attack: Attack
    rows: Sequence[ClassRow]
    place: int
    view: View

    @property
    def row(self) -> ClassRow:
        """Its numbers."""
        return self.rows[self.place]

    @property
    def part(self) -> ClassAttack:
        """The attack on it."""
        return self.attack.parts[self.place]

    @property
    def key(self) -> tuple[object, ...]:
        """What its results depend on."""
        return state.attack_key(), self.place

    @property
    def drawn(self) -> tuple[object, ...]:
        """What its pictures depend on."""
        return *self.key, self.view

    @property
    def behind(self) -> str:
        """Says what a tile stands for, where that is no single cell."""
        if self.view.flat:
            return ""
        slices = "" if self.view.folded else " Choose a slice to see single ones."
        return f" A tile stands for several cells here.{slices}"


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Attack: what is still possible?", help=glossary.of_page("attack"))
    attack, rows = require_attack()
    place = place_of_class(rows)
    asked = questions_on(attack, attack.parts[place])
    about = (state.attack_key(), place)
    # Everything below gives the answer away, so a lesson asks first.
    if asking.ask_for_lesson(asked, about, hold=True):
        evidence.of_release(stage(), attack.release, "attack", attack.parts[place].index)
        st.stop()
    show_what_the_lesson_speaks_of()
    sentence = st.container(key="attack-sentence")
    figure, controls = stage()
    with controls:
        looked = one_of("Look at", [keys.THIS_CLASS, keys.WHOLE_RELEASE, keys.TOGETHER], keys.MAP)
        if looked != keys.TOGETHER:
            choose_class(attack, rows)
    screen = Stage(sentence, figure, controls.container(), st.container())
    with controls:
        settings(attack)
        asking.switch()
    if looked == keys.THIS_CLASS and asking.ask_first(asked, about, ["owner", "half"], hold=True):
        st.stop()
    with screen.below:
        view = choose_view(attack.release.grid, "attack")
    shown = Chosen(attack, rows, place, view)
    {keys.WHOLE_RELEASE: all_classes, keys.TOGETHER: together}.get(looked, one_class)(shown, screen)
    with sentence:
        show_problems([*attack.release.warnings, *(row.problem for row in rows if row.problem)])


def place_of_class(rows: Sequence[ClassRow]) -> int:
    """Returns the place of the class that is looked at: at first the one that loses most."""
    chosen = keys.chosen_class()
    if st.session_state.get(chosen) not in range(len(rows)):
        best = deepest([row for row in rows if row.index is not None])
        st.session_state[chosen] = rows.index(best) if best else 0
    return int(st.session_state[chosen])


def questions_on(attack: Attack, part: ClassAttack) -> asking.Questions:
    """Returns what can be asked here, of a class and of the whole release."""
    release = attack.release
    return {
        "compound": lambda: questions.compound(part),
        "owner": lambda: questions.owner(part, attack),
        "free_cells": lambda: questions.free_cells(part),
        "half": lambda: questions.half(part),
        "ratio": lambda: questions.ratio(part),
        "larger_k": lambda: questions.larger_k(require_dataset().frame, release.study, release.k + 2),
    }


def show_what_the_lesson_speaks_of() -> None:
    """Turns the figure to what a step of a lesson speaks of, where the step begins."""
    lesson = progress.current()
    if lesson is not None and st.session_state.get(LESSON_AT) != (at := (lesson[0].id, lesson[1])):
        st.session_state[LESSON_AT] = at
        st.session_state[keys.SHOWN] = OF_LESSON.get(lesson[0].step[lesson[1]].view, keys.OWNERS)


def choose_class(attack: Attack, rows: Sequence[ClassRow]) -> None:
    """Asks which class is looked at."""
    with st.container(key="attack-one-class"):
        place = fields.selectbox(
            "Class",
            by_number(rows),
            # Its box stands below, in full: here it would be cut short.
            format_func=lambda place: words.sentence(
                f"{rows[place].title}: {how_many(rows[place].size, 'person', 'people')}"
            ),
            key=keys.chosen_class(),
        )
        st.caption(words.plain(words.box(attack.release.grid, rows[place].segment)))


def show_problems(problems: Sequence[str]) -> None:
    """Shows what cannot be counted or explained, the first of it in sight."""
    for problem in problems[:1]:
        messages.warning(words.plain(problem))
    if len(problems) > 1:
        with st.popover(f"{len(problems) - 1} more of these", icon=":material/warning:"):
            for problem in problems[1:]:
                messages.warning(words.plain(problem))


def go_to_owner(chosen: Chosen, place: Sequence[int]) -> None:
    """Chooses the class that owns the cell of the map that was clicked."""
    here = chosen.view.cells(*place)
    if len(here) == 1 and (owner := int(chosen.attack.owner[here[0]])) >= 0:
        st.session_state[keys.chosen_class()] = owner


# ---------------------------------------------------------------- one class


def one_class(chosen: Chosen, screen: Stage) -> None:
    """Shows what is known of one class: where its records can lie, why, and how they may be spread."""
    row, part = chosen.row, chosen.part
    say(screen.sentence, f"{told_of(row)}.", weighing.counted(chosen.attack))
    with screen.beside:
        if not chosen.view.meets(chosen.attack.release.grid, part.segment):
            messages.info(f"This slice does not touch {row.title}; choose another, or all together.")
        shown = one_of("Show", [keys.OWNERS, keys.A_FILLING, keys.CHANCES], keys.SHOWN)
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


def owners(chosen: Chosen, screen: Stage) -> Parts:
    """Shows who owns which cell of the class's box, and what the attacker concludes."""
    attack, part, row, view = chosen.attack, chosen.part, chosen.row, chosen.view
    with screen.figure, st.container(key="attack-ownership"):
        picture.show(
            state.once("ownership", chosen.drawn, lambda: ownership_figure(attack, part, view)),
            "ownership-map",
            f"Of the {row.cells} cells in its box, {row.title} can fill {row.free_cells}",
            on_pick=partial(go_to_owner, chosen),
        )
        st.caption(
            "A cell belongs, with every record in it, to the first class that covers it."
            if view.flat
            else f"Free cells of all the cells in the box, behind each tile.{chosen.behind}"
        )
    with screen.beside, st.container(key="attack-conclusions"):
        st.markdown("**What the attacker concludes**")
        constraints = part.constraints()
        overlaps = [words.plain(named(c.text, attack.release)) for c in constraints if c.kind == "overlap"]
        others = [words.plain(named(c.text, attack.release)) for c in constraints if c.kind != "overlap"]
        sentences = overlaps + others if len(overlaps) <= 1 else others
        listed(sentences, MOST_CONCLUSIONS, f"{len(sentences) - MOST_CONCLUSIONS} more")
        if len(overlaps) > 1:
            with st.popover(f"{len(overlaps)} earlier classes took the records of their boxes"):
                st.markdown("\n".join(f"- {text}" for text in overlaps))
    return {"This map as a table": partial(map_table, chosen, part)}


def map_table(chosen: Chosen, part: ClassAttack | None) -> None:
    """Shows the map of a class, or of the whole grid, as a table."""
    table, cells = state.once(
        "owners", (*chosen.drawn, part is None), lambda: owner_table(chosen.attack, part, chosen.view, MOST_ROWS)
    )
    show_table(table, f"Owner per cell, {how_many(cells, 'cell')}", total=cells)


def a_filling(chosen: Chosen, screen: Stage) -> Parts:
    """Shows one way to spread the class's records over its cells, and leafs through the others."""
    part, row, view = chosen.part, chosen.row, chosen.view
    # One place for the figure and for what leafs through it: a lesson frames both.
    figure = screen.figure.container(key="attack-fillings")
    with screen.beside:
        listing = list_fillings(chosen)
        if listing is None:
            return {}
        place = leaf_through(keys.filling(chosen.place), len(listing.assignments))
    counts = listing.assignments[place - 1]
    with figure:
        picture.show(
            state.once("filling", (*chosen.drawn, place), lambda: filling_figure(part, counts, view)),
            "filling-map",
            f"Filling {place}: {counts.count(1)} cells hold exactly one record",
        )
        st.caption(
            f"**{place:,} of {count(row.fillings or 0)}**: exactly one record in {how_many(counts.count(1), 'cell')}."
            + chosen.behind
        )
    cells = {"Records": counts, "Cell": cell_names(part)}
    return {
        "This filling as a table": lambda: show_table(
            pd.DataFrame(cells).sort_values("Records", ascending=False), f"Records per cell in filling {place}"
        )
    }


def list_fillings(chosen: Chosen) -> Enumeration | None:
    """Lists the fillings of the class and says how many of all they are; None where there is none to show."""
    part, row = chosen.part, chosen.row
    if row.fillings is None:
        messages.info(words.plain(row.problem))
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
    """Asks which of so many fillings is shown."""

    def step(by: int) -> None:
        st.session_state[key] = min(max(st.session_state[key] + by, 1), last)

    st.session_state.setdefault(key, 1)
    place = int(fields.number_input(f"Filling (1 to {last:,})", 1, last, key=key))
    with st.container(horizontal=True):
        act("Previous", step, -1, disabled=place <= 1)
        act("Next", step, 1, disabled=place >= last)
    return place


def how_likely(chosen: Chosen, screen: Stage) -> Parts:
    """Shows how likely each cell holds so many people."""
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
        st.markdown(
            f"Probability that a cell holds **{so_many}**, exact, when every table that satisfies the constraints of "
            f"{chosen.row.title} {weighing.likely(part)}."
        )
    with figure:
        picture.show(
            state.once(
                "chance",
                (*chosen.drawn, number),
                lambda: chance_figure(grid, zip(part.free_cells, chances, strict=True), view, part.segment),
            ),
            "chance-map",
            f"Probability per cell of {so_many}: {percent(min(chances))} to {percent(max(chances))}",
        )
        st.caption(
            "The numbers are percent."
            if view.flat
            else f"Expected number of such cells behind each tile.{chosen.behind}"
        )
    return {
        "How this is calculated": partial(chance_calculated, chosen, number, chances),
        "These probabilities as a table": partial(chance_table, part, chances, so_many),
    }


def choose_people(most: int) -> int:
    """Asks for how many people in a cell the probabilities are."""
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
    """Shows the formula of one cell's probability, with its numbers."""
    part, grid = chosen.part, chosen.attack.release.grid
    cell = st.selectbox(
        "Cell",
        part.free_cells,
        index=max(range(len(chances)), key=chances.__getitem__),
        format_func=lambda cell: words.box(grid, grid.cell_segment(cell)),
        key=f"attack-cell-{hash((*chosen.key, number))}",
    )
    formula = arithmetic.cell_chance(part, cell, number) if weighing.formulas_hold(part) else None
    if formula is not None:
        formulas.show([formula])
    elif not weighing.formulas_hold(part):
        st.caption(weighing.OTHER_FORMULAS)
    elif part.weighted:
        st.caption("A sum over all tables that fit, each with its weight; docs/method.md has the sums.")
    else:
        st.caption("Records must be alike here; the probabilities then count each record by itself.")


def chance_table(part: ClassAttack, chances: Sequence[float], so_many: str) -> None:
    """Shows the probabilities as a table, the most likely cells first."""
    table = pd.DataFrame({"Probability": chances, "Cell": cell_names(part)})
    show_table(
        table.sort_values("Probability", ascending=False).head(MOST_ROWS),
        f"Probability per cell of {so_many}, most likely first",
        total=len(table),
        percent=["Probability"],
    )


def cell_names(part: ClassAttack) -> list[str]:
    """Returns the class's free cells in words."""
    grid = part.release.grid
    return [words.box(grid, grid.cell_segment(cell)) for cell in part.free_cells]


def show_story(chosen: Chosen) -> None:
    """Says what all of this means for the class."""
    sentences = state.once("story", chosen.key, lambda: class_story(chosen.part, chosen.row))
    st.markdown(words.plain(" ".join(sentences)))


def exact_numbers(chosen: Chosen) -> None:
    """Shows the class's exact numbers with their formulas."""
    part = chosen.part
    if not weighing.formulas_hold(part):
        st.caption(weighing.OTHER_FORMULAS)
    elif chosen.row.remaining is None:
        formulas.show([arithmetic.promised(part)])
        st.caption("Remaining and fillings are not counted here.")
    else:
        formulas.show(arithmetic.class_numbers(part), parts=arithmetic.orthant_table(part))


# ---------------------------------------------------------------- all classes, each by itself


def all_classes(chosen: Chosen, screen: Stage) -> None:
    """Shows every class by the paper's attack, which takes each by itself."""
    say(screen.sentence, headline(chosen.rows), weighing.counted(chosen.attack))
    classes = [row for row in chosen.rows if row.index is not None]
    wider = [row for row in classes if row.kind == "compound"]
    means = {"Mean ratio, wider classes": wider, "Mean ratio, all classes": classes}
    with screen.beside:
        shown = one_of("Show", [MAP, RATIOS], "attack-release-shown")
    if shown == MAP:
        whole_map(chosen, screen, f"The whole grid: {len(wider)} of {len(classes)} classes are wider than one cell")
    else:
        ratios(chosen, screen, both=0 < len(wider) < len(classes))
    with screen.beside:
        st.markdown(f"{told_of(chosen.row)}.")
        for label, of in means.items():
            if (mean := mean_ratio(of)) is not None:
                st.metric(
                    label,
                    quotient(mean.numerator, mean.denominator),
                    help=f"{glossary.meaning('mean ratio')} The suppressed records are left out.",
                )
    with screen.below:
        parts: dict[str, Callable[[], Any]] = {"All classes as a table": partial(every_class, chosen)}
        if shown == MAP:
            parts["This map as a table"] = partial(map_table, chosen, None)
        if all(mean_ratio(of) is not None for of in means.values()):
            parts["How the means are calculated"] = partial(means_calculated, means)
        folded(parts, "attack-release-folded")


def whole_map(chosen: Chosen, screen: Stage, alt: str) -> None:
    """Draws which class owns which cell of the whole grid."""
    with screen.figure, st.container(key="attack-ownership"):
        picture.show(
            state.once("overview", chosen.drawn, lambda: overview_figure(chosen.attack, chosen.view, chosen.part)),
            "ownership-map",
            alt,
            on_pick=partial(go_to_owner, chosen),
        )
        st.caption(
            "The number in a cell is the class that owns it; borders are the boxes of wider classes. Click a cell."
            if chosen.view.flat
            else f"Cells that no single-cell class owns, of all the cells behind each tile.{chosen.behind}"
        )


def ratios(chosen: Chosen, screen: Stage, *, both: bool) -> None:
    """Draws how many times fewer tables the attack leaves of each class.

    Args:
        chosen: the class that stands out.
        screen: the page's places.
        both: whether there are classes on a single cell and wider ones to choose among.
    """
    drawn = [chosen.rows[place] for place in by_number(chosen.rows)]
    if both:
        with screen.beside:
            which = one_of(
                "Draw",
                ["Wider classes and suppressed records", "All classes"],
                "possibilities-of",
                hint="A class on a single cell cannot be refined: what is promised remains.",
            )
        drawn = drawn if which == "All classes" else [row for row in drawn if row.kind != "basic"]

    def picked(place: int) -> None:
        st.session_state[keys.chosen_class()] = chosen.rows.index(drawn[place])

    with screen.figure, st.container(key="attack-ownership"):
        touch_chart(
            clickable(possibilities_figure(drawn, drawn.index(chosen.row) if chosen.row in drawn else None)),
            "possibilities",
            picked,
            f"How many times fewer tables the attack leaves of each class, logarithmic. {told_of(chosen.row)}",
        )
        st.caption("How many times fewer tables remain than the interval promises; 1 is no gain. Click a class.")


def means_calculated(means: Mapping[str, Sequence[ClassRow]]) -> None:
    """Shows the mean ratios as sums."""
    said = "The ratios of the classes, added up and divided by how many they are."
    formulas.show(
        [
            arithmetic.mean(label, said, [row.ratio for row in of if row.ratio is not None])
            for label, of in means.items()
        ]
    )


def every_class(chosen: Chosen) -> None:
    """Shows all classes as a table; a click on a row looks into that class."""
    rows, key = chosen.rows, state.attack_key()
    places, table = by_number(rows), f"attack-table-{hash(key)}"

    def pick_row() -> None:
        # Sorting empties the selection; the chosen class stays.
        if picked := st.session_state[table]["selection"]["rows"]:
            st.session_state[keys.chosen_class()] = places[picked[0]]

    st.caption(
        "The paper's attack takes each class by itself. Click a row to look into that class, a column's title to sort."
    )
    at = [places.index(chosen.place)]
    if st.session_state.get(table, {}).get("selection", {}).get("rows") != at:
        st.session_state[table] = {"selection": {"rows": at, "columns": [], "cells": []}}
    show_table(
        state.once(
            "class table", key, lambda: class_table([rows[place] for place in places], chosen.attack.release.grid)
        ),
        f"{len(rows)} classes with what their intervals promise and what the attack leaves",
        key=table,
        on_select=pick_row,
        selection_mode="single-row",
        columns=class_columns(),
    )


def class_columns() -> dict[str, Any]:
    """Returns how the columns of the classes are shown."""
    return {
        "Class": st.column_config.TextColumn(
            width=90, pinned=True, help="Numbered as they were formed; 0 was the first."
        ),
        "Times fewer": st.column_config.NumberColumn(format="%.4g", help=glossary.meaning("ratio")),
        "Promised, log10": st.column_config.NumberColumn(format="%.1f", help=glossary.meaning("promised")),
        "Remaining, log10": st.column_config.NumberColumn(format="%.1f", help=glossary.meaning("remaining")),
        "Fillings": st.column_config.NumberColumn(format="%.4g", help=glossary.meaning("filling")),
        "Free cells": st.column_config.NumberColumn(help=glossary.meaning("free cell")),
        "State": st.column_config.TextColumn(help=glossary.meaning("state")),
    }


# ---------------------------------------------------------------- all classes together


def together(chosen: Chosen, screen: Stage) -> None:
    """Shows what all classes say together, beyond the paper."""
    attack, grid = chosen.attack, chosen.attack.release.grid
    with screen.beside:
        run = run_panel(attack.release)
    if run is None:
        say(
            screen.sentence,
            "The classes also tell something about each other: a box that did not become a class held fewer than k "
            "people, even where it cuts across several classes.",
        )
        return
    tight = run.result.tight
    say(
        screen.sentence,
        comparison(tight),
        "This attack goes beyond the paper. It reads the release alone, however ties are set. "
        + weighing.supposed(attack),
    )
    with screen.beside:
        shown = one_of("Show", [CERTAIN, TABLES], "attack-together")
        say_how_sure(run)
    cell: Cell | None = None
    with screen.figure, st.container(key="attack-together-figure"):
        if shown == TABLES:
            st.plotly_chart(
                state.once("tables left", id(run.result), lambda: tables_figure(tight)),
                key="tables-left",
                config=CONFIG,
                alt=told_of_tables(tight),
            )
        else:
            cell = certain_picture(run, grid, chosen.view, screen.beside)
    with screen.beside:
        if cell is not None:
            reasons(run, cell)
        st.caption(weighing.supposed(attack))
    with screen.below:
        folded(
            {
                "These cells as a table": partial(certain_table, run, grid),
                "How many people each cell can hold": partial(possible_counts, run, grid),
            },
            "attack-together-folded",
        )


page()
