"""Effective anonymity: with how many records each can be confused, a line for each adversary."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from cra_dashboard.anonymity import state as anonymity
from cra_dashboard.anonymity import story
from cra_dashboard.anonymity.chart import lines_figure
from cra_dashboard.charts.look import CONFIG
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.stage import say, stage
from cra_dashboard.panels.tables import show_table
from cra_dashboard.session import fields, messages
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.texts import glossary
from cra_dashboard.texts.papers import METHODS
from cra_engine import EffectiveAnonymity

INTRO = (
    "How many records look like yours to somebody who knows **some columns** about you? Missing cells make it hard to "
    "say: a record with a gap may be anybody who fits."
)
TABLE, PLACE = "anonymity-table", "anonymity"


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("Effective anonymity: how many people could it be?", help=glossary.of_page("effective_anonymity"))
    sentence = st.container(key="anonymity-sentence")
    picture, beside = stage()
    with beside:
        with st.container(key="anonymity-controls"):
            table = choose_table()
            missing, below = choose_settings()
        messages.show_told(PLACE)
        known = choose_adversaries(table)
    with messages.or_stop():
        measured = {
            f"adversary {number}": anonymity.measured_anonymity(table, columns, missing)
            for number, columns in enumerate(known, start=1)
            if columns
        }
    if not measured:
        say(sentence, "How many records look like yours to somebody who knows some columns about you?", INTRO)
        messages.info("Choose a column that somebody knows.")
        st.stop()
    counted = {name: found.to_dict(below) for name, found in measured.items()}
    told = story.headline(counted)
    say(sentence, f"{told} {METHODS['effective_anonymity']}", INTRO)
    with picture, st.container(key="anonymity-picture"):
        alt = f"{told} The table below has all numbers."
        st.plotly_chart(lines_figure(counted, below), key="anonymity-chart", config=CONFIG, alt=alt)
    show_table(story.table(counted, below), "Per adversary the numbers of unique and few records")
    st.caption(
        "Alone (EA = 1): no other record has equal cells; a missing cell equals another. For certain (ambiguous EA): "
        "whatever a missing cell stands for."
    )
    if table.study is not None:
        st.caption("Cells are labels here: two meet when one holds the other. A suppressed record meets every other.")
    with st.expander("Each record"):
        hand_out(table, measured)


def choose_table() -> anonymity.Table:
    """Asks which table is looked at, and takes another one."""
    tables, place = anonymity.tables(), 0
    if len(tables) > 1:
        place = fields.selectbox("Table", range(len(tables)), format_func=lambda at: tables[at].name, key=TABLE)
    with st.popover("A table of your own", icon=":material/upload_file:", width="stretch"):
        uploader("anonymity-file", "Table (CSV)", take, help_text="Looked at here only; the session's table stays.")
        if anonymity.GIVEN.of("") is not None:
            fields.act("Forget it", drop, icon="delete", key="anonymity-drop")
    if len(tables) == 1:
        st.caption("The table is seven students.")
    return tables[min(place, len(tables) - 1)]


def take(files: list[File]) -> None:
    messages.forget(PLACE)
    with messages.telling(PLACE):
        anonymity.take_table(files[0])
        st.session_state[TABLE] = 0


def drop() -> None:
    anonymity.GIVEN.drop()
    st.session_state[TABLE] = 0


def choose_settings() -> tuple[tuple[str, ...], int]:
    """Asks what stands for a missing value, and below how many records are few."""
    with st.popover("Missing values; what is few", icon=":material/tune:", width="stretch"):
        tokens = fields.text_input(
            "Missing, besides empty cells", "?", key="anonymity-missing", help="Several with blanks between."
        )
        below = fields.number_input("Few is below", 2, 1000, 5, key="anonymity-below")
    return tuple(tokens.split()), int(below)


def choose_adversaries(table: anonymity.Table) -> list[tuple[str, ...]]:
    """Asks for the columns that each adversary knows."""
    number = fields.number_input("Adversaries", 1, anonymity.MOST_ADVERSARIES, 2, key="anonymity-adversaries")
    known = []
    for place in range(int(number)):
        key, usual = f"anonymity-{place}-{hash(table.digest)}", anonymity.columns_known(table, place)
        chosen = fields.multiselect(f"Adversary {place + 1} knows", table.columns, default=usual, key=key)
        known.append(tuple(name for name in table.columns if name in chosen))
    return known


def hand_out(table: anonymity.Table, measured: Mapping[str, EffectiveAnonymity]) -> None:
    """Hands out the table with the numbers of each record for one adversary."""
    which = st.selectbox("For", list(measured), key="anonymity-each", width=220)
    each = partial(anonymity.anonymity_csv, anonymity.cells_of(table), measured[which])
    download("Download the table with each record's numbers", each, "effective_anonymity.csv")


page()
