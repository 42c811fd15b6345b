"""Downcode: what a minimal release tells of the records behind it, in a picture, and all minimal releases of four."""

from functools import partial

import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.downcoding import state as down
from cra_dashboard.downcoding import story
from cra_dashboard.downcoding.chart import HALF, NEAR, cluster_figure
from cra_dashboard.downcoding.ladder import climb
from cra_dashboard.lessons import asking
from cra_dashboard.lessons.pages import downcode as predict
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.gate import may_be_downloaded
from cra_dashboard.panels.stage import one_of, say, stage
from cra_dashboard.session import keys, state
from cra_dashboard.texts import glossary, words
from cra_engine.experiments.downcoding import cluster_rates
from cra_engine.words import percent

SIZES = [8, 16, 32, 64, 100, 200]

require_app()
INTRO = (
    "A release is **minimal** when nothing in it is more general than k needs. That sounds like good work. But then "
    "every general value has a reason, and the reason is somebody's data."
)

st.title("Downcode: what does a minimal release tell?", help=glossary.of_page("downcode"))
sentence = st.container(key="downcode-sentence")
picture, beside = stage()

# ---------------------------------------------------------------- the settings

with beside.container(key="downcode-controls"):
    st.caption("Invented tables, not yours: clusters of about k records, each near a centre or far from it.")
    k = st.slider("k", 2, 15, 5, key=keys.DOWNCODE_K, persist_state="session")
    dimensions = st.select_slider("Attributes", SIZES, 16, key=keys.DOWNCODE_ATTRIBUTES, persist_state="session")
    st.button("Draw again", icon=":material/casino:", on_click=down.draw_again, key="downcode-again")
    asking.switch()
run = down.run_of(k, dimensions)
found = down.clusters(run)
ABOUT = ("downcode", k, dimensions, down.drawn())
CLUSTER = f"downcode-cluster-{hash(ABOUT)}"
numbers = [cluster.number for cluster in found]
number = st.session_state.get(CLUSTER, numbers[0])
cluster = found[numbers.index(number)]

# The picture gives the answer away, so whoever wants to predict is asked first.
QUESTIONS = {
    "downcoded": lambda: predict.far_records(cluster.run.k, len(cluster.whole), dimensions, cluster.far_records)
}
wait = asking.ask_for_lesson(QUESTIONS, (ABOUT, number), hold=True) or asking.ask_first(
    QUESTIONS, (ABOUT, number), ["downcoded"] if cluster.fired else [], hold=True
)

# ---------------------------------------------------------------- the picture

with beside, st.container(key="downcode-looked"):
    shown = keys.PUBLISHED
    if not wait:
        shown = one_of("Show", story.STAGES, keys.DOWNCODE_STAGE, first=keys.TRUTH)
    labels = {one.number: story.label(one) for one in found}
    st.selectbox("Cluster", numbers, format_func=labels.get, key=CLUSTER)
    whole = cluster.whole
    narrow = [attribute for attribute in range(dimensions) if attribute not in whole]
    telling = [*whole[:2], *narrow][:2]  # where the whole cluster is published, if anywhere
    across, up = (
        int(st.number_input(title, 1, dimensions, telling[place] + 1, key=f"downcode-{title}-{hash((ABOUT, number))}"))
        - 1
        for place, title in enumerate(("Attribute across", "Attribute up"))
    )
told = story.headline(cluster, shown)
say(sentence, told, INTRO)
with picture:
    with st.container(key="downcode-picture"):
        st.plotly_chart(
            cluster_figure(cluster, (across, up), concluded=shown != keys.PUBLISHED, truth=shown == keys.TRUTH),
            key=f"downcode-chart-{hash((ABOUT, number, across, up, shown))}",
            config=CONFIG,
            alt=f"{told} Distances from the cluster's centre in two attributes; what is near gets more room.",
        )
    st.caption(
        f"Two of the attributes. *Near* is within {NEAR:g} of the centre, *far* is beyond, up to {HALF:g}; what is "
        "near is drawn larger than it is. The first table drawn is one where the attack is right."
    )
if wait:
    st.stop()

# ---------------------------------------------------------------- how often, Figure 2, the own release

often, four, ladder, mine, over = st.tabs(
    ["How often", "Four people", "A ladder", "Your release", "What carries over"],
    key="downcode-tab",
    on_change="rerun",
)
with often:
    rates = cluster_rates(k, down.CLUSTERS * k, down.CLUSTERS, dimensions)
    st.markdown(
        f"Of all records of such tables, **{percent(rates.refined_share, 2)}** are refined; where something is "
        f"concluded, it is right in **{percent(rates.correct_share, 1)}**. More attributes make it surer."
    )
    st.dataframe(story.rates_table(k, dimensions), hide_index=True, alt="Rates by the number of attributes")
if four.open:
    with four:
        st.markdown("Change the four people; below stands **every** minimal release of them with k = 2.")
        people = []
        for person, usual_answers in enumerate(down.FIGURE_2):
            with st.container(horizontal=True):
                st.markdown(f"Person {person + 1}", width="content")
                people.append(
                    tuple(
                        st.checkbox(name, value, key=f"downcode-{name}-{person}", persist_state="session")
                        for name, value in zip(("Old", "Rich"), usual_answers, strict=True)
                    )
                )
        releases = down.small_releases(tuple(people), 2)
        with st.container(horizontal=True, key="downcode-releases"):
            for place, release in enumerate(releases, start=1):
                with st.container(width=220):
                    st.markdown(f"**Release {place}**")
                    st.dataframe(release, hide_index=True, alt=f"Minimal release {place} of {len(releases)}")
                    settled = down.told_by_minimality(release)
                    st.caption(
                        f"{settled} of {int((release == '*').to_numpy().sum())} stars are settled: in a class of two "
                        "a star stands for one 0 and one 1."
                    )
if ladder.open:
    with ladder:
        table = climb(down.drawn())
        st.markdown(
            "Here the hierarchy is a **ladder**: 0, 0-1, 0-2, and so on; each person has a value of their own, or 0. "
            "Where 0-7 is published somebody of the class has 7, or it would be more than k = 2 needs."
        )
        st.markdown(f"**{words.plain(table.headline)}**")
        with st.container(horizontal=True, key="downcode-climb"):
            for title, rows in (
                ("Published", table.release),
                ("Concluded", table.found.frame),
                ("Truth", table.truth),
            ):
                with st.container(width=330):
                    st.markdown(f"**{title}**")
                    st.dataframe(rows, hide_index=True, alt=f"{title}: a row per person, classes together")
        st.caption("Rows of a class stand in no order that means anything. Draw again above for another table.")
if mine.open:
    with mine:
        data, study = state.dataset(), state.study()
        if data is None or study is None:
            st.info("Choose a table on the page Data and its hierarchies first.", icon=":material/table:")
            st.page_link("pages/data.py", label="Go to Data")
        else:
            with st.spinner("Testing…"):
                recoding = state.recoding()
                tested = down.tested(recoding, data.digest)
            if tested is None:
                st.info(f"More than {down.MOST_TESTED:,} records are left to the command line.", icon=":material/info:")
            else:
                st.markdown(story.verdict(tested, recoding.suppressed, study.k))
                if may_be_downloaded():
                    download(
                        "Download a minimal release of this table",
                        partial(down.minimal_csv, data.frame, study),
                        "minimal.csv",
                    )
with over:
    st.markdown(story.CARRIES_OVER)
