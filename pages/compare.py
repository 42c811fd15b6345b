"""Compare: every way to publish the table, what it keeps and what it gives away; two of them side by side."""

from functools import partial

import streamlit as st

from cra_dashboard.charts.published import published_figure
from cra_dashboard.comparison import chart, story
from cra_dashboard.comparison import state as ways
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_study
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import say, stage
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import state
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import glossary, words
from cra_engine import CRAError, WaySettings

st.title("Compare: which way keeps most, and gives away least?", help=glossary.of_page("compare"))
INTRO = (
    "What should be published? Every way that this program has, on **this** table: what it keeps and what it gives "
    "away."
)
require_study()
sentence = st.container(key="compare-sentence")
settings = WaySettings()
KEY = ways.key(settings)
job = ways.RUNS.job(KEY)
if job is None:
    sentence.markdown(INTRO)
    told = "Stopped. " if ways.RUNS.cancelled(KEY) else ""
    st.markdown(f"{told}This takes some seconds, with a large table a minute or two; go on meanwhile.")
    st.button(
        "Compare all ways",
        type="primary",
        icon=":material/play_arrow:",
        on_click=ways.start,
        args=(settings,),
        key="compare-start",
    )
    st.stop()
if not ways.RUNS.ended(job, KEY) or job.result is None:
    st.stop()
found = job.result
if not found.rows:
    st.info("Stopped before the first way was done.", icon=":material/info:")
    st.button(
        "Compare all ways", icon=":material/play_arrow:", on_click=ways.start, args=(settings,), key="compare-again"
    )
    st.stop()
best, why = found.recommended
say(sentence, why, INTRO)
figure, beside = stage()

# ---------------------------------------------------------------- the picture

RUN = hash((KEY, found.seconds))
ONE, TWO, CHART = f"compare-one-{RUN}", f"compare-two-{RUN}", f"compare-chart-{RUN}"
possible = [row for row in found.rows if not row.problem]
by_number = {row.number: row for row in possible}
if ONE not in st.session_state:
    st.session_state[ONE] = possible[0].number
    st.session_state[TWO] = best.number if best is not None else possible[-1].number
with beside.container(key="compare-controls"):
    kept = st.selectbox("Kept", story.KEPT, format_func=lambda m: m.title, key="compare-kept", persist_state="session")
    given = st.selectbox(
        "Given away",
        story.GIVEN,
        format_func=lambda m: m.title,
        key="compare-given",
        persist_state="session",
    )
    st.caption(f"{kept.help} {given.help}")


def picked(number: int) -> None:
    st.session_state[TWO] = number


with figure.container(key="compare-picture"):
    touch_chart(
        chart.ways_figure(
            found.rows, kept, given, found.frontier(kept.key, given.key), (st.session_state[ONE], st.session_state[TWO])
        ),
        CHART,
        picked,
        f"{kept.title} against {given.title}, a mark per way; the table below has the numbers. {why}",
    )
missing = [row for row in possible if row.value(kept.key) is None or row.value(given.key) is None]
absent = words.plain(", ".join(str(row.number) for row in missing))
beside.caption(
    "Left and low is better. A click chooses the second way below."
    + (f" Not drawn, since a number is not known: {absent}." if missing else "")
)

# ---------------------------------------------------------------- two side by side, and the rest

two, table, meaning = st.tabs(["Two ways side by side", "All numbers", "What it means"])
with two:
    names = {row.number: f"{row.number}: {row.label}" for row in possible}
    view = choose_view(ways.grid(), "compare")
    for place, (side, name) in enumerate(zip(st.columns(2, gap="large"), (ONE, TWO), strict=True)):
        with side:
            number = st.selectbox(("One", "The other")[place], list(by_number), format_func=names.get, key=name)
            row = by_number[number]
            try:
                with st.spinner("Drawing…"):
                    shown = ways.shown(row)
                picture.show(
                    published_figure(shown, view),
                    f"compare-grid-{place}",
                    f"Segment grid of the boxes that {row.label} publishes, filled by their gain",
                )
            except CRAError as error:
                st.info(words.plain(str(error)), icon=":material/info:")
            for note in row.notes:
                st.caption(words.plain(note))
    st.dataframe(
        story.side_by_side(by_number[st.session_state[ONE]], by_number[st.session_state[TWO]]),
        hide_index=True,
        alt="The numbers of both ways",
    )
with table:
    st.dataframe(story.table(found.rows), hide_index=True, alt="Every way with its numbers")
    for row in found.rows:
        if row.problem:
            st.caption(words.plain(f"Not possible: {row.label}. {row.problem}"))
with meaning:
    st.markdown(story.MEANING)
download("Download the report", partial(story.report, found, state.dataset()), "compare.html")
