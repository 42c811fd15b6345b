"""Data: choose a table, say which columns an outsider may know, and see what is in it."""

from typing import Any

import pandas as pd
import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.panels.frame import left_to_publish, require_app, show_step
from cra_dashboard.panels.stage import DETAILS, heading, say, stage
from cra_dashboard.panels.tables import show_table
from cra_dashboard.roles.answers import records_told, show_answered
from cra_dashboard.roles.lists import show_roles
from cra_dashboard.roles.names import ask_names
from cra_dashboard.roles.questions import show_next
from cra_dashboard.session import fields, keys, messages, state
from cra_dashboard.table import columns
from cra_dashboard.table.charts import bar_rows, bars_told, histogram, takeaway
from cra_dashboard.table.source import choose_table, offer_to_forget, show_read
from cra_dashboard.texts import glossary, words
from cra_engine import Study
from cra_engine.raw import contents
from cra_engine.raw.written import row_numbers
from cra_engine.words import how_many, listed

PREVIEW, WHOLE = 200, 20
FIT = {
    "column": ("column", 110),
    "rows": ("rows", 160),
    "what": ("what", 250),
    "how to mend": ("how to mend", 240),
    "stops the recoding": ("stops", 90),
}


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("Data", help=glossary.of_page("data"))
    show_step("data")
    data, study = state.dataset(), state.study()
    if data is None:
        choose_first()
        return
    if data.first_line:
        ask_names(data)
        return
    with st.spinner("Looking at the columns…"):
        inspected = state.columns_of(data)
    problems = columns.findings(data, inspected, study)
    chosen = study.names if study else ()
    known = f"Others may know {listed(list(chosen))}" if chosen else "Which columns may others know"
    say(
        st.container(),
        f"{data.name}: {records_told(data, study)}, {how_many(len(inspected), 'column')}. "
        f"{known} of a person{'.' if chosen else '?'}",
        "The raw table, one row per person (or per visit, or hospital: rows are counted), as the publisher has it "
        "before anything is made coarser.",
    )
    with st.expander("Another table", expanded=st.session_state.get(keys.ASKED_BESIDE) == data.digest):
        choose_table()
    show_read()
    left = left_to_publish(data, study)  # what is drawn and told of columns is of as many records as the bar says
    shown, values = inspected, study.roles.as_values if study else ()
    if values or len(left) < len(data.frame):
        shown = state.once("columns as published", (data.digest, study), lambda: contents.inspect(left, values))
    figure, controls = stage(5, 3)
    with controls:
        asked = show_next(data, inspected)
        show_answered()
        if study is not None and st.button(
            "May it go out? Check",
            type="secondary" if asked else "primary",
            icon=":material/verified:",
            key="data-check",
        ):
            st.switch_page("pages/check.py")
        if asked is None:
            show_stopping(problems)
        column = choose_column(shown, chosen)
        show_roles(inspected)
        offer_to_forget()
    with figure:
        role = "known to others" if column.name in chosen else study.roles.of(column.name) if study else "undecided"
        st.markdown(summary(column, role))
        show_column(data, left[column.name], column, study)
    heading(DETAILS)
    with st.expander("Every column: roles and contents"):
        show_overview(shown)
    counted = f": {len(problems)}" * (asked is None)  # what is asked above is no fault more
    with st.expander(f"Problems, and what was read how{counted}" if problems else "Problems: none"):
        show_problems(problems)
        if data.notes:
            st.caption(words.plain(" ".join(data.notes)))
    with st.expander("The distribution as a table"):
        show_table(bar_rows(column), "Records per bar of the histogram")
    with st.expander("The first rows"):
        show_rows(left, shown)


def choose_first() -> None:
    """Asks for the first table."""
    say(
        st.container(),
        "Choose the raw table: one row per person, or per visit or hospital.",
        "As the publisher has it, before anything is made coarser.",
    )
    choose_table()
    show_read()
    st.info("There is no table yet: choose one above.", icon=":material/table:")
    st.page_link("pages/audit.py", label="It is published already? Audit a release", icon=":material/policy:")


def show_stopping(rows: list[dict[str, str]]) -> None:
    """Says above everything else what stops the recoding, and the first of it."""
    stopping = [row for row in rows if row["stops the recoding"] == "yes"]
    if stopping:
        (first, *more) = stopping
        named = f"**{words.plain(first['column'])}**: {words.plain(first['what'])}{'; and more' if more else ''}."
        messages.error(
            f"{how_many(len(stopping), 'problem')} must be mended before the table can be recoded: by a choice where "
            f"values are missing, in the file, or with other columns that others know. {named}",
        )


def choose_column(found: tuple[contents.Column, ...], chosen: tuple[str, ...]) -> contents.Column:
    """Chooses the column whose distribution is shown: that of a new question; quasi-identifiers come first."""
    order = sorted(found, key=lambda column: (column.name not in chosen, not (column.numeric or column.counted)))
    by_name = {column.name: column for column in order}
    return by_name[fields.choose("Column shown", list(by_name), keys.COLUMN_SHOWN)]


def summary(column: contents.Column, role: str) -> str:
    """Describes a column in a line."""
    parts = [role, how_many(column.distinct, "different value")]
    if column.missing:
        parts.append(how_many(column.missing, "missing value"))
    return f"**{words.plain(column.name)}** · {' · '.join(parts)}"


def show_column(data: state.Dataset, cells: "pd.Series[Any]", column: contents.Column, study: Study | None) -> None:
    """Draws the distribution of a column."""
    if not (column.numeric or column.counted):
        st.info("This column holds no values.", icon=":material/bar_chart:")
        return
    groups = next((one for one in study.attributes if one.name == column.name), None) if study else None
    k = study.k if study and columns.heeds_k(column.name) else 0
    about = data.digest, study
    figure = state.once(f"histogram of {column.name}", about, lambda: histogram(column, k, groups))
    st.plotly_chart(figure, key=f"spread-{column.name}", config=CONFIG, alt=takeaway(column))
    rare = state.once(f"rare values of {column.name}", about, lambda: columns.rare_told(cells, column, study))
    st.caption(f"{bars_told(column, k, groups)} {rare}")


def show_overview(found: tuple[contents.Column, ...]) -> None:
    """Shows every column with its role, what is proposed, and what it holds."""
    overview = columns.overview(found, state.study())
    tall = "content" if len(overview) <= WHOLE else "auto"
    fit = {"because": st.column_config.TextColumn(width=260)}
    show_table(overview, "Role, proposal and contents per column", height=tall, columns=fit)


def show_problems(rows: list[dict[str, str]]) -> None:
    """Shows what is amiss, and what was read otherwise than it is written."""
    if not rows:
        st.markdown(
            ":material/check_circle: No empty cells, no text among numbers, no value outside its domain; every cell "
            "is read as it is written."
        )
        return
    show_table(
        rows,
        "Problems, and what was read how, with their column and rows",
        # Narrow enough for the sentences to break into lines, and for all of it to fit into a small window.
        columns={name: st.column_config.TextColumn(label, width=width) for name, (label, width) in FIT.items()},
        row_height=120,
        height="content" if len(rows) <= WHOLE else "auto",
    )


def show_rows(frame: pd.DataFrame, found: tuple[contents.Column, ...]) -> None:
    """Shows the first rows of the table."""
    st.dataframe(preview(frame, found), height=320, alt="The first rows of the table")
    st.caption(f"The first {min(PREVIEW, len(frame)):,} of {how_many(len(frame), 'row')}.")


def preview(frame: pd.DataFrame, found: tuple[contents.Column, ...]) -> pd.DataFrame:
    """Returns the first rows, numbered as problems number them; columns of numbers as numbers."""
    head = frame.head(PREVIEW).copy()
    for column in found:
        if column.numeric and not column.problems and len(column.values) == column.cells:
            head[column.name] = column.values[:PREVIEW]  # noqa: PD011 - no data frame
    head.index = pd.Index(row_numbers(head), name="row")
    return head


page()
