"""Effective anonymity: with how many records each can be confused, a line for each adversary."""

from functools import partial

import streamlit as st

from cra_dashboard.anonymity import state as anonymity
from cra_dashboard.anonymity import story
from cra_dashboard.anonymity.chart import lines_figure
from cra_dashboard.charts.look import CONFIG
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.stage import say, stage
from cra_dashboard.session.messages import forget as forget_told
from cra_dashboard.session.messages import or_stop, show_told, telling
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.texts import glossary

require_app()
st.title("Effective anonymity: how many people could it be?", help=glossary.of_page("effective_anonymity"))
INTRO = (
    "How many records look like yours to somebody who knows **some columns** about you? Missing cells make it hard to "
    "say: a record with a gap may be anybody who fits."
)
sentence = st.container(key="anonymity-sentence")
picture, beside = stage()

# ---------------------------------------------------------------- the table and the adversaries

TABLE, PLACE = "anonymity-table", "anonymity"


def take(files: list[File]) -> None:
    forget_told(PLACE)
    with telling(PLACE):
        anonymity.take(files[0])
        st.session_state[TABLE] = 0


def drop() -> None:
    anonymity.drop()
    st.session_state[TABLE] = 0


tables = anonymity.tables()
with beside.container(key="anonymity-controls"):
    place = 0
    if len(tables) > 1:
        place = st.selectbox(
            "Table", range(len(tables)), format_func=lambda at: tables[at].name, key=TABLE,
            persist_state="session",
        )  # fmt: skip
    with st.popover("A table of your own", icon=":material/upload_file:", width="stretch"):
        uploader("anonymity-file", "Table (CSV)", take, help_text="Looked at here only; the session's table stays.")
        if anonymity.given():
            st.button("Forget it", on_click=drop, icon=":material/delete:", key="anonymity-drop")
    settings = st.popover("Missing values, few", icon=":material/tune:", width="stretch")
with settings:
    tokens = st.text_input(
        "Missing, besides empty cells", "?", key="anonymity-missing", persist_state="session",
        help="Several with blanks between.",
    )  # fmt: skip
    below = st.number_input("Few is below", 2, 1000, 5, key="anonymity-below", persist_state="session")
with beside:
    show_told(PLACE)
table = tables[min(place or 0, len(tables) - 1)]
if len(tables) == 1:
    beside.caption("The table is seven students.")
missing = tuple(str(tokens).split())
known: list[tuple[str, ...]] = []
with beside:
    for number in range(anonymity.adversaries()):
        chosen = st.multiselect(
            f"Adversary {number + 1} knows", table.columns, default=anonymity.usual(table, number),
            key=f"anonymity-{number}-{hash(table.digest)}", persist_state="session",
        )  # fmt: skip
        known.append(tuple(name for name in table.columns if name in chosen))
    with st.container(horizontal=True):
        st.button(
            "One more", on_click=anonymity.change, args=(1,), icon=":material/person_add:",
            disabled=anonymity.adversaries() >= anonymity.MOST_ADVERSARIES,
        )  # fmt: skip
        st.button(
            "One less", on_click=anonymity.change, args=(-1,), icon=":material/person_remove:",
            disabled=anonymity.adversaries() <= 1,
        )  # fmt: skip
lines, measured = [], []
with or_stop():
    for number, columns in enumerate(known, start=1):
        if columns:
            found = anonymity.measured(table, columns, missing)
            measured.append(found)
            lines.append(story.Line.of(f"adversary {number}", found, int(below)))
if not lines:
    say(sentence, "How many records look like yours to somebody who knows some columns about you?", INTRO)
    st.info("Choose a column that somebody knows.", icon=":material/info:")
    st.stop()

# ---------------------------------------------------------------- the picture and the table

told = story.headline(lines)
say(sentence, told, INTRO)
with picture, st.container(key="anonymity-picture"):
    st.plotly_chart(
        lines_figure(lines, int(below)),
        key="anonymity-chart",
        config=CONFIG,
        alt=f"{told} The table below has all numbers.",
    )
st.dataframe(story.table(lines, int(below)), hide_index=True, alt="Per adversary the numbers of unique and few records")
st.caption(
    "EA: records with equal cells, the record itself included; a missing cell equals another. Ambiguous EA: records "
    "that it may be, a missing cell standing for every value."
)
if table.study is not None:
    st.caption("Cells are labels here: two meet when one holds the other. A suppressed record meets every other.")
with st.expander("Each record"):
    which = 0
    if len(lines) > 1:
        which = st.selectbox(
            "For", range(len(lines)), format_func=lambda at: lines[at].name, key="anonymity-each", width=220
        )
    download(
        "Download the table with each record's numbers",
        partial(anonymity.each_csv, anonymity.shown(table), measured[int(which or 0)]),
        "effective_anonymity.csv",
    )
