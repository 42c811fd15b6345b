"""The class that is looked at, and the tables that more than one picture of it has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, log10
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from cra_dashboard.charts.ownership import owner_table
from cra_dashboard.charts.possibilities import possibilities_told
from cra_dashboard.charts.tiled import behind_tiles, box_mask
from cra_dashboard.charts.view import View
from cra_dashboard.panels.tables import MOST_ROWS, show_table
from cra_dashboard.session import keys, state
from cra_dashboard.texts import glossary, weighing
from cra_dashboard.texts.class_rows import ClassRow, by_number, class_table
from cra_engine import Attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.words import how_many, power

DECIMALS = {"Times fewer": 2, "Fillings": 0}  # of the columns of classes that may hold large numbers
MOST_DIGITS = 15  # of a number that a browser holds
MOST_WRITTEN = 100_000  # cells of a table whose numbers are written out for it
Parts = Mapping[str, Callable[[], Any]]


@dataclass(frozen=True)
class Chosen:
    """The class that the page Attack looks at, in its release.

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
    def single(self) -> bool:
        """Whether no tile that the class's box meets stands for several cells of it, though it may for others."""
        return int(self.view.project(box_mask(self.attack.release.grid, self.part.segment)).max()) == 1

    @property
    def behind(self) -> str:
        """Says what a tile stands for, where that is no single cell."""
        if self.single:
            return "" if self.view.flat else " Its box has one cell behind each tile."
        return behind_tiles(self.attack.release.grid, self.view)


def go_to_owner(chosen: Chosen, place: Sequence[int]) -> None:
    """Choose the class that owns the cell that was clicked on Attack's map."""
    here = chosen.view.cells(*place)
    if len(here) == 1 and (owner := int(chosen.attack.owner[here[0]])) >= 0:
        st.session_state[keys.chosen_class()] = owner


def say_tables(chosen: Chosen, more: str = "") -> None:
    """Say on Attack how many tables the class's interval promises and the attack leaves, and what one of them is."""
    one = f"One table: {weighing.one_table(chosen.attack)}."
    st.markdown(f"{possibilities_told(chosen.row)}.", help=more or one)


def map_table(chosen: Chosen, part: ClassAttack | None) -> None:
    """Show Attack's map of a class, or of the whole grid, as a table."""
    table, cells = state.once(
        "owners", (*chosen.drawn, part is None), lambda: owner_table(chosen.attack, part, chosen.view, MOST_ROWS)
    )
    show_table(table, f"Owner per cell, {how_many(cells, 'cell')}", total=cells)


def every_class(chosen: Chosen) -> None:
    """Show all classes on Attack as a table; a click on a row looks into that class."""
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
    grid = chosen.attack.release.grid
    cells = state.once("class table", key, lambda: class_table([rows[place] for place in places], grid))
    show_classes(cells, key=table, on_select=pick_row, selection_mode="single-row")


def show_classes(cells: pd.DataFrame, **settings: Any) -> None:
    """Show classes with their numbers as a table, on Attack and Audit; settings as :func:`streamlit.dataframe`'s."""
    # Of a large release it would take long to write each number.
    table, plain = (written(cells), None) if cells.size <= MOST_WRITTEN else (cells, "%.4g")
    columns = {
        "Class": st.column_config.TextColumn(
            width=90, pinned=True, help="Numbered as they were formed; 0 was the first."
        ),
        "Times fewer": st.column_config.NumberColumn(format=plain, help=glossary.meaning("ratio")),
        "Promised, log10": st.column_config.NumberColumn(format="%.1f", help=glossary.meaning("promised")),
        "Remaining, log10": st.column_config.NumberColumn(format="%.1f", help=glossary.meaning("remaining")),
        "Fillings": st.column_config.NumberColumn(format=plain, help=glossary.meaning("filling")),
        "Free cells": st.column_config.NumberColumn(help=glossary.meaning("free cell")),
        "State": st.column_config.TextColumn(help=glossary.meaning("state")),
    }
    alt = f"{len(cells)} classes with what their intervals promise and what the attack leaves"
    st.dataframe(table, hide_index=True, alt=alt, column_config=columns, **settings)


def written(cells: pd.DataFrame) -> Styler:
    """Return all classes of a release with large numbers as pages write them.

    A column with some that a browser does not hold has their logarithms instead, which sort alike.
    """
    cells = cells.copy()
    reads: dict[Any, str | Callable[[object], str] | None] = {}
    for name, places in DECIMALS.items():
        with np.errstate(divide="ignore"):  # of 0
            logarithms = np.log10(cells[name].astype(float))
        large = bool(logarithms.max() > MOST_DIGITS)
        if large:
            cells[name] = logarithms
        reads[name] = partial(_in_words, places=places, large=large)
    return cells.style.format(reads, na_rep="")


def _in_words(number: Any, places: int, *, large: bool) -> str:
    return power(number if large else log10(number) if number else -inf, places)
