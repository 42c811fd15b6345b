"""Microaggregate: clusters with their means, the cells that stay sensitive, and who could estimate whom."""

from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.lessons import asking
from cra_dashboard.lessons.pages import microaggregate as questions
from cra_dashboard.microaggregation import state as micro
from cra_dashboard.microaggregation import story
from cra_dashboard.microaggregation.chart import MOST_RECORDS, clusters_figure
from cra_dashboard.panels.download import download_table, keep_order_switch, may_be_downloaded
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.stage import one_of, say, stage, tabbed
from cra_dashboard.panels.tables import MOST_ROWS, bars, own_or, show_table
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import fields, keys, messages, state
from cra_dashboard.session.examples import example_table
from cra_dashboard.texts import glossary, papers, words
from cra_engine import Microaggregation, SensitiveCells
from cra_engine.risk.sensitive_cells import Cell
from cra_engine.words import how_many

HIGHEST_K, K_ROWS, MOST_PAIRS = 30, 5000, 40
MICRO, RECODED = "Microaggregation", "Classes of the page Recode"
PATIENTS = "442 patients, measured. The code **sex** is averaged like a number; that mean tells nothing."
FLOWERS = "150 flowers, in cm. As in the paper the code of a species, **class**, is averaged; that mean tells nothing."
METHODS = {"mdav": "MDAV", "mondrian": "Mondrian"}
INTRO = (
    "Every record's numbers become the **means of a cluster** of k records or more. Nobody can be told apart, and yet "
    "a mean can give somebody away: whoever knows one contribution knows the sum of the others."
)


@dataclass(frozen=True, eq=False)
class Judged:
    """Clusters, or the classes of the page Recode, with what the rules say of their cells.

    Attributes:
        table: that they are of.
        settings: the controls.
        made: the microaggregation; None for classes of the page Recode.
        found: the cells.
    """

    table: state.Dataset
    settings: micro.Settings
    made: Microaggregation | None
    found: SensitiveCells

    @property
    def what(self) -> str:
        """What a group of records is called."""
        return "class" if self.made is None else "cluster"

    @property
    def key(self) -> int:
        """Of everything that belongs to these groups."""
        return hash((self.table.digest, self.made is None, self.settings))

    @property
    def chosen_key(self) -> str:
        """Of the group that is looked at."""
        return f"micro-group-{self.key}"

    @property
    def chosen(self) -> int:
        """The group that is looked at: at first the one that gives most away."""
        worst = next((group for group, _ in self.found.closest_first), 0)
        return int(st.session_state.setdefault(self.chosen_key, worst))

    @property
    def said(self) -> str:
        """How many cells are sensitive, and what the table loses."""
        if self.made is None:
            return story.headline(self.found, self.what)
        lost = f"{story.percent(self.made.squared_error)} of the variance is lost."
        price = f" {story.price(self.made)}" if self.settings.comply else ""
        return f"{story.headline(self.found, self.what)} {lost}{price}"


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("Microaggregate: what do means give away?", help=glossary.of_page("microaggregate"))
    sentence = st.container(key="micro-sentence")
    figure, beside = stage()
    mine = state.dataset()
    first = example_table("Diabetes") if mine is None else mine
    table = own_or(example_table("Iris"), first, beside, "Iris, the paper's example", "micro-own", first=True)
    if mine is None:
        beside.caption(PATIENTS if table is first else FLOWERS)
        beside.page_link("pages/data.py", label="Take your own")
    if not micro.numeric_columns(table) or len(table.frame) < 2:
        messages.info("This table has no column of numbers, or fewer than two records.")
        st.stop()
    with beside:
        source, more, settings = choose_settings(table)
    if not settings.columns:
        messages.info("Choose a column of numbers under Method.")
        st.stop()
    judged = judge(table, settings, clusters=source == MICRO)
    say(sentence, f"{judged.said} {papers.METHODS['microaggregate']}", INTRO)
    if judged.made is None:
        beside.caption(
            "This release shows intervals, not totals. The rules say what would happen if somebody also published a "
            "total or a mean per class."
        )
    if not judged.found.cells:
        st.stop()
    draw(judged, figure, more)
    if judged.made is not None:
        figure.caption(story.arithmetic(settings.k, settings.dominance))
    with beside:
        column = choose_cell(judged)
        cell = judged.found.cell(judged.chosen, column)
        asked = {"largest": lambda: questions.largest(cell)}
        if asking.waits(asked, (judged.key, judged.chosen, column), ["largest"]):
            st.stop()
        st.markdown(words.plain(story.estimates_told(cell)))
    tabbed(
        {
            f"This {judged.what}": partial(this_group, judged, cell),
            "All sensitive cells": partial(sensitive_cells, judged.found),
            "What k buys": partial(what_k_buys, judged),
            "The rules": partial(st.markdown, story.RULES),
        },
        f"micro-tab-{judged.what}",
    )
    if judged.made is not None:
        hand_out(judged, judged.made)


# ---------------------------------------------------------------- the settings


def choose_settings(table: state.Dataset) -> tuple[str, DeltaGenerator, micro.Settings]:
    """Asks for the groups and the rules; where they come from, and a place for more choices, are handed back too."""
    source = MICRO
    if table.own and state.study() is not None:
        source = fields.selectbox("Classes", [MICRO, RECODED], key="micro-source")
    highest, k = min(HIGHEST_K, len(table.frame)), 2
    if source == MICRO and highest > 2:
        # Up to 3, dominance by the two largest calls every cell sensitive, whatever the numbers.
        k = fields.slider("k", 2, highest, key=fields.begun(keys.cluster_size(table.digest), min(4, highest)))
    more, run = st.container(horizontal=True), hash(table.digest)
    with more.popover("Method", icon=":material/tune:"):
        method = one_of("Clusters by", ["mdav", "mondrian"], "micro-method", called=METHODS.__getitem__)
        standardize = fields.toggle(
            "Columns over their standard deviation",
            key="micro-standardize",
            help="In MDAV's distances only. Without it a column of large numbers decides alone.",
        )
        numeric, usable = micro.numeric_columns(table), micro.usable_columns(table)
        columns = fields.multiselect("Columns", numeric, default=usable, key=f"micro-columns-{run}")
    with more.popover("Rules", icon=":material/gavel:"):
        n = fields.slider("Dominance: how many contributors, n", 1, 5, 2, key="micro-n")
        r = fields.slider("have more than this share r", 0, 100, 60, format="%d%%", key="micro-r")
        p = fields.slider("p% rule: the second estimates the largest within", 1, 200, 60, format="%d%%", key="micro-p")
    comply = source == MICRO and fields.toggle("Merge until no cell is sensitive", key=keys.MERGE)
    asking.switch()
    shares = f"{r / 100:g}", f"{p / 100:g}"
    return source, more, micro.Settings(k, method, tuple(columns), standardize, n, *shares, comply)


def judge(table: state.Dataset, settings: micro.Settings, *, clusters: bool) -> Judged:
    """Forms the groups and puts the rules to their cells; where that fails the page says why and stops."""
    with messages.or_stop():
        if not clusters:
            return Judged(table, settings, None, micro.judged_recoding(table, settings))
        made = micro.result(table, settings)
        return Judged(table, settings, made, micro.judged(table, settings, made))


# ---------------------------------------------------------------- the picture


def draw(judged: Judged, figure: DeltaGenerator, more: DeltaGenerator) -> None:
    """Draws the groups on two columns; a click chooses one."""
    found, names = judged.found, judged.found.columns.names
    first, second = micro.telling_columns(found)
    of_columns = f"{hash(judged.table.digest)}-{hash(judged.settings.columns)}"
    with more.popover("What is drawn", icon=":material/view_in_ar:"):
        called, columns = names.__getitem__, range(len(names))
        x = st.selectbox("Across", columns, first, format_func=called, key=f"micro-x-{of_columns}")
        y = st.selectbox("Upwards", columns, second, format_func=called, key=f"micro-y-{of_columns}")

    def picked(group: int) -> None:
        st.session_state[judged.chosen_key] = group
        note_chosen(judged)

    with figure.container(key="micro-picture"):
        chosen = judged.chosen
        touch_chart(
            clusters_figure(found, (x, y), chosen, judged.what),
            f"micro-chart-{judged.key}",
            picked,
            f"{judged.said} Means and records on {names[x]} and {names[y]}; {judged.what} {chosen} is ringed.",
        )
        if sum(map(len, found.groups)) > MOST_RECORDS:
            st.caption(f"Means only: more than {MOST_RECORDS:,} records would cover each other.")


def note_chosen(judged: Judged) -> None:
    """Notes that somebody chose a group, for lessons."""
    st.session_state[f"{keys.CLUSTER}{judged.key}"] = st.session_state[judged.chosen_key]


def choose_cell(judged: Judged) -> int:
    """Asks for a group and a column; hands back the number of the column."""
    found = judged.found
    st.selectbox(
        words.sentence(judged.what),
        range(len(found.groups)),
        format_func=lambda group: f"{group}: {how_many(len(found.groups[group]), 'record')}",
        key=judged.chosen_key,
        on_change=note_chosen,
        args=(judged,),
        help="A click in the picture chooses one, too.",
    )
    marked = [column for group, column in found.offending if group == judged.chosen]
    return st.selectbox(
        "Column",
        range(len(found.columns.names)),
        index=next((column for group, column in found.closest_first if group == judged.chosen), 0),
        format_func=lambda at: f"{found.columns.names[at]}{' (sensitive)' if at in marked else ''}",
        key=f"micro-cell-{judged.key}-{judged.chosen}",
    )


# ---------------------------------------------------------------- tables and the rest


def this_group(judged: Judged, cell: Cell) -> None:
    """Shows the cells of the group that is looked at, and who could estimate whom in one of them."""
    if len(cell.rows) > 1 and cell.defined:
        alt = f"How the total of {cell.column} splits up. {story.estimates_told(cell)}"
        parts = {"Who": [*map(story.row, cell.rows)], "Contributes": [*map(float, cell.contributions)]}
        show_table(parts, alt, columns=bars("Contributes", shape="%.6g", most=float(cell.total) or 1.0))
    alt = f"The cells of {judged.what} {judged.chosen}, one row per column"
    show_table(story.cluster_table(judged.found, judged.chosen), alt)
    if cell.defined and 1 < len(cell.rows) <= MOST_PAIRS:
        with st.expander(f"Who could estimate whom in {words.plain(cell.column)}, by the total alone"):
            show_table(story.everybody_table(cell), "All pairs, the closest estimate first")


def sensitive_cells(found: SensitiveCells) -> None:
    """Shows every sensitive cell."""
    listed = story.sensitive_table(found, MOST_ROWS)
    if not listed.empty:
        show_table(listed, "The sensitive cells, the closest estimate first", total=len(found.offending))
    elif found.undefined:
        messages.warning("No cell is called sensitive, but where the rules are undefined nobody knows.")
    else:
        messages.success("No cell is sensitive by these rules.")


def what_k_buys(judged: Judged) -> None:
    """Shows what each k gives."""
    table, settings, records = judged.table, judged.settings, len(judged.table.frame)
    if records > K_ROWS:
        messages.info(f"With more than {K_ROWS:,} records this takes a while: use the command line, once per k.")
        return
    if judged.made is None:
        messages.info("This belongs to microaggregation: choose it under Classes.")
        return
    with st.spinner("Trying each k…"):
        points = micro.bought(table, settings, tuple(range(2, min(16, HIGHEST_K + 1, records + 1))))
    table_2, losses = story.bought_table(points, settings.rules), ["Loss, %", "Loss once merged, %"]
    most = float(table_2[losses].max(axis=None)) or 1.0
    shares = bars(*(name for name in table_2 if name.endswith(", share")))
    show_table(table_2, "What each k gives", columns=shares | bars(*losses, shape="%.3g", most=most))
    st.caption("The paper prints this as its Table 2 for two tables.")


def hand_out(judged: Judged, made: Microaggregation) -> None:
    """Says what to keep in mind, and hands out the table where it may go out."""
    for warning in made.warnings:
        st.caption(words.plain(warning))
    if not judged.table.own or may_be_downloaded():
        keep_order_switch()
        with messages.or_say():
            text = micro.release_csv(judged.table, judged.settings, made)
            download_table("Download the microaggregated table", text, "microaggregated.csv")


page()
