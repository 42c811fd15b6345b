"""Downcode: what a minimal release tells of the records behind it, in a picture, and all minimal releases of four."""

from functools import partial

import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.downcoding import state as down
from cra_dashboard.downcoding import story
from cra_dashboard.downcoding.chart import HALF, NEAR, cluster_figure, legend
from cra_dashboard.downcoding.ladder import climbed
from cra_dashboard.lessons import asking
from cra_dashboard.lessons.pages import downcode as questions
from cra_dashboard.panels.download import download, may_be_downloaded
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.stage import one_of, say, stage, tabbed
from cra_dashboard.panels.tables import show_table
from cra_dashboard.session import fields, keys, messages, state
from cra_dashboard.texts import glossary, words
from cra_dashboard.texts.papers import METHODS
from cra_engine.experiments.downcoding import cluster_rates
from cra_engine.words import percent

INTRO = (
    "A release is **minimal** when nothing in it is more general than k needs. That sounds like good work. But then "
    "every general value has a reason, and the reason is somebody's data."
)


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("Downcode: what does a minimal release tell?", help=glossary.of_page("downcode"))
    sentence = st.container(key="downcode-sentence")
    picture, beside = stage()
    with beside:
        k, dimensions = choose_table()
    found, about = down.clusters(down.run_of(k, dimensions)), ("downcode", k, dimensions, down.drawn())
    which = f"downcode-cluster-{hash(about)}"
    number = st.session_state.get(which, found[0].number)
    cluster = next(one for one in found if one.number == number)
    # The picture gives the answer away, so whoever wants to predict is asked first.
    asked = {"downcoded": lambda: questions.far_records(k, len(cluster.whole), dimensions, cluster.far_records)}
    wait = asking.waits(asked, (about, number), ["downcoded"] if cluster.fired else [])
    with beside:
        shown = keys.PUBLISHED if wait else one_of("Show", story.STAGES, keys.DOWNCODE_STAGE, first=keys.TRUTH)
        labels = {one.number: story.label(one) for one in found}
        st.selectbox("Cluster", list(labels), format_func=labels.get, key=which)
        across, upwards = choose_attributes(cluster, dimensions, (about, number))
    told = story.headline(cluster, shown)
    say(sentence, f"{told} {METHODS['downcode']}", INTRO)
    concluded, truth = shown != keys.PUBLISHED, shown == keys.TRUTH
    with picture.container(key="downcode-picture"):
        figure = cluster_figure(cluster, (across, upwards), concluded=concluded, truth=truth)
        st.html(legend(figure))
        alt = f"{told} Distances from the cluster's centre in two attributes; what is near gets more room."
        st.plotly_chart(figure, key="downcode-chart", config=CONFIG, alt=alt)
    picture.caption(
        f"Two of the attributes. *Near* is within {NEAR:g} of the centre, *far* is beyond, up to {HALF:g}; what is "
        "near is drawn larger than it is. The first table is one where the attack is right; Draw again takes any."
    )
    if wait:
        st.stop()
    tabbed(
        {
            "How often": partial(how_often, k, dimensions),
            "Four people": four_people,
            "A ladder": ladder,
            "Your release": own_release,
            "What carries over": partial(st.markdown, story.CARRIES_OVER),
        },
        "downcode-tab",
    )


def choose_table() -> tuple[int, int]:
    """Asks for k and the number of attributes of the invented tables."""
    st.caption("Invented tables, not yours: clusters of about k records, each near a centre or far from it.")
    k = fields.slider("k", 2, 15, 5, key=keys.DOWNCODE_K)
    dimensions = fields.select_slider("Attributes", story.RATES_AT, key=fields.begun(keys.DOWNCODE_ATTRIBUTES, 16))
    fields.act("Draw again", down.draw_again, icon="casino", key="downcode-again")
    asking.switch()
    return k, dimensions


def choose_attributes(cluster: down.Cluster, dimensions: int, about: tuple[object, ...]) -> tuple[int, int]:
    """Asks for the two attributes of the picture; at first where the whole cluster is published, if anywhere."""
    narrow = [attribute for attribute in range(dimensions) if attribute not in cluster.whole]
    telling = [*cluster.whole[:2], *narrow]
    across, upwards = (
        int(st.number_input(title, 1, dimensions, telling[place] + 1, key=f"downcode-{title}-{hash(about)}")) - 1
        for place, title in enumerate(("Attribute across", "Attribute up"))
    )
    return across, upwards


# ---------------------------------------------------------------- how often, Figure 2, a ladder, the own release


def how_often(k: int, dimensions: int) -> None:
    """Says how many records of such tables are refined, and how often rightly."""
    rates = cluster_rates(k, down.CLUSTERS * k, down.CLUSTERS, dimensions)
    st.markdown(
        f"Of all records of such tables, **{percent(rates.refined_share, 2)}** are refined; where something is "
        f"concluded, it is right in **{percent(rates.correct_share, 1)}**. More attributes make it surer."
    )
    show_table(story.rates_table(k, dimensions), "Rates by the number of attributes")


def four_people() -> None:
    """Shows every minimal release of four people that can be changed."""
    st.markdown("Change the four people; below stands **every** minimal release of them with k = 2.")
    people = []
    for person, usual in enumerate(down.FIGURE_2):
        with st.container(horizontal=True):
            st.markdown(f"Person {person + 1}", width="content")
            answers = zip(("Old", "Rich"), usual, strict=True)
            people.append(
                tuple(fields.checkbox(name, value, key=f"downcode-{name}-{person}") for name, value in answers)
            )
    releases = down.small_releases(tuple(people), 2)
    with st.container(horizontal=True, key="downcode-releases"):
        for place, release in enumerate(releases, start=1):
            with st.container(width=220):
                st.markdown(f"**Release {place}**")
                show_table(release, f"Minimal release {place} of {len(releases)}")
                st.caption(
                    f"{down.told_by_minimality(release)} of {int((release == '*').to_numpy().sum())} stars are "
                    "settled: in a class of two a star stands for one 0 and one 1."
                )


def ladder() -> None:
    """Shows a table whose hierarchies are ladders: published, concluded, true."""
    drawn = down.drawn()
    table = state.once("downcode-ladder", drawn, lambda: climbed(drawn))
    st.markdown(
        "Here the hierarchy is a **ladder**: 0, 0-1, 0-2, and so on; each person has a value of their own, or 0. "
        "Where 0-7 is published somebody of the class has 7, or it would be more than k = 2 needs."
    )
    st.markdown(f"**{words.plain(table.headline)}**")
    with st.container(horizontal=True, key="downcode-climb"):
        for title, rows in (("Published", table.release), ("Concluded", table.found.frame), ("Truth", table.truth)):
            with st.container(width=330):
                st.markdown(f"**{title}**")
                show_table(rows, f"{title}: a row per person, classes together")
    st.caption("Rows of a class stand in no order that means anything. Draw again above for another table.")


def own_release() -> None:
    """Says whether the session's release is minimal, and hands out one that is."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        messages.info("Choose a table on the page Data and its hierarchies first.")
        st.page_link("pages/data.py", label="Go to Data")
        return
    with st.spinner("Testing…"):
        recoding = state.recoding()
        tested = down.tested(recoding, data.digest)
    if tested is None:
        messages.info(f"More than {down.MOST_TESTED:,} records are left to the command line.")
        return
    st.markdown(story.verdict(tested, recoding.suppressed, study.k))
    if may_be_downloaded():
        minimal = partial(down.minimal_csv, data.frame, study)
        download("Download a minimal release of this table", minimal, "minimal.csv")


page()
