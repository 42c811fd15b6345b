"""Heterogeneous: one box per row; a person's possible rows, a row's possible people, and the promise on both sides."""

from statistics import median

import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.heterogeneous import state as het
from cra_dashboard.heterogeneous import story
from cra_dashboard.heterogeneous.chart import (
    MOST_PLACES,
    buckets_figure,
    guesses_figure,
    losses_figure,
    queries_figure,
)
from cra_dashboard.lessons import asking as predict_panel
from cra_dashboard.lessons.pages import heterogeneous as predict
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.gate import may_be_downloaded
from cra_dashboard.panels.stage import one_of, say, stage
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import keys
from cra_dashboard.session.messages import or_say, or_stop
from cra_dashboard.session.tables import session_table
from cra_dashboard.texts import glossary, words
from cra_engine.utility.count_queries import relative_error
from cra_engine.words import how_many

MOST_L, QUERIES, FIRST_SEED = 30, 200, 1
PEOPLE, ROWS = "A person's rows", "A row's people"

require_app()
st.title("Heterogeneous: who could a row belong to?", help=glossary.of_page("heterogeneous"))
INTRO = (
    "Every row shows a box **of its own**, wide enough for several people, and the sensitive value of one of them. "
    "What does a person see who looks at all rows that fit?"
)
sentence = st.container(key="het-sentence")
figure, beside = stage()

# ---------------------------------------------------------------- the table and the settings

mine, adult = session_table(), het.example()
table = adult
CALLED = {True: "" if mine is None else mine.name, False: f"Adult, {len(adult.frame):,} people"}
if mine is not None:
    own = beside.segmented_control(
        "Table", [True, False], format_func={own: words.plain(name) for own, name in CALLED.items()}.get, required=True,
        key="het-own", persist_state="session", default=mine.uploaded and bool(het.sensitive_columns(mine)),
    )  # fmt: skip
    table = mine if own else adult
RUN = hash(table.digest)
offered = het.sensitive_columns(table)
usual, usual_sensitive = het.usual_columns(table)
if not offered:
    st.info("This table has no column with a few different values that could be protected.", icon=":material/info:")
    st.stop()
with beside.container(key="het-controls"):
    with st.popover("Columns", icon=":material/view_column:", width="stretch"):
        choices = list(offered)
        sensitive = st.selectbox(
            "Sensitive attribute",
            choices,
            index=choices.index(usual_sensitive) if usual_sensitive in choices else 0,
            key=f"het-sensitive-{RUN}",
            persist_state="session",
        )
        others = [str(name) for name in table.frame.columns if name != sensitive]
        columns = st.multiselect(
            "Quasi-identifiers",
            others,
            default=[name for name in usual if name in others],
            key=f"het-columns-{RUN}-{sensitive}",
            persist_state="session",
        )
        codes = st.multiselect(
            "Numbers that are codes", columns, key=f"het-codes-{RUN}-{sensitive}", persist_state="session"
        )
    promise = one_of("Promise", ["Diversity", "Likeness"], "het-promise")
    l, beta = None, None  # noqa: E741 - its name in the field
    if promise == "Likeness":
        beta = st.number_input(
            "Largest gain, beta",
            0.0,
            1e6,
            3.0,
            1.0,
            key=f"het-beta-{RUN}",
            persist_state="session",
            format="%g",
        )
    elif offered[sensitive] >= 3:
        most = min(MOST_L, offered[sensitive])
        l = st.slider(  # noqa: E741
            "Values behind each row, l",
            2,
            most,
            min(5, most),
            key=f"het-l-{RUN}-{sensitive}",
            persist_state="session",
        )
    else:
        l = 2  # noqa: E741
    method = one_of("Matches", ["HG", "SG", "GR"], "het-method")
    extraction = one_of("Values drawn", ["paper", "permutation"], keys.DRAWN, called=story.EXTRACTIONS.__getitem__)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        SEED = f"het-seed-{RUN}"
        seed = st.number_input(
            "Seed",
            min_value=0,
            value=None if table.uploaded else FIRST_SEED,
            key=SEED,
            persist_state="session",
            placeholder="none",
            width=130,
            help="The same seed draws the same table again, for a class. Whoever knows it can undo the protection: to "
            "publish, leave it empty.",
        )
        st.button("Draw again", icon=":material/casino:", on_click=het.draw_again, args=(SEED,), key="het-again")
if not columns:
    st.info("Choose a quasi-identifier under Columns.", icon=":material/info:")
    st.stop()
settings = het.Settings(tuple(columns), sensitive, tuple(codes), l, beta, method, extraction, seed)

# ---------------------------------------------------------------- the published table

with or_stop():
    ours = het.result(table, settings)
    with st.spinner("Drawing the values…"):
        by_way = het.both(table, settings, ours)
made = by_way[extraction]

# Everything below gives the answer away, so a lesson asks first.
QUESTIONS = {"other_side": lambda: predict.other_side(made.l, made.records, by_way["paper"].original_side.repeated)}
ABOUT = (table.digest, settings, het.drawn())
if predict_panel.ask_for_lesson(QUESTIONS, ABOUT, hold=True):
    figure.plotly_chart(
        buckets_figure(made, story.published_row(made, 0), rows=False),
        config=CONFIG,
        alt=f"The people behind one row, in {how_many(made.buckets, 'bucket')}.",
    )
    st.stop()
with beside:
    predict_panel.switch()
if predict_panel.ask_first(QUESTIONS, ABOUT, ["other_side"], hold=True):
    st.stop()
said = story.headline(made, by_way)
say(sentence, f"{CALLED[table.own]}: {said}", INTRO)

# ---------------------------------------------------------------- the picture

SHOWN = hash((RUN, settings, het.drawn()))
WHO, ROW, CHART = f"het-person-{SHOWN}", f"het-row-{SHOWN}", f"het-chart-{SHOWN}"
if WHO not in st.session_state:
    st.session_state[WHO] = story.first_told(made)
with beside:
    view = one_of("Look at", [PEOPLE, ROWS], keys.LOOKED)
    if view == PEOPLE:
        record = int(st.number_input("Person", 0, made.records - 1, key=WHO))
        looked, row = story.person(made, record), None
    else:
        row = int(st.number_input("Row", 0, made.rows - 1, key=ROW))
        looked, record = story.published_row(made, row), None
part_places = made.places[looked.part]


def picked(place: int) -> None:
    if view == PEOPLE and part_places[place] >= 0:
        st.session_state[WHO] = int(part_places[place])
    elif view == ROWS:
        at = (made.rows_of[:, 0] == looked.part) & (made.rows_of[:, 1] == place)
        st.session_state[ROW] = int(at.argmax())


told = words.plain(story.told(made, looked, record, row))
with figure.container(key="het-picture"):
    touch_chart(
        buckets_figure(made, looked, rows=view == PEOPLE),
        CHART,
        picked,
        f"{told} Dots are places in {how_many(made.buckets, 'bucket')}; the matches are joined by lines.",
    )
beside.markdown(told)
if made.rows > MOST_PLACES:
    figure.caption(f"Only the matches are drawn: more than {MOST_PLACES:,} places would cover each other.")

# ---------------------------------------------------------------- tables and the rest

this, promised, lost, learns, asks, how = st.tabs(
    ["These matches", "Both sides", "What is lost", "What an attack learns", "Count queries", "The method"],
    key="het-tab",
    on_change="rerun",  # so that only the open one is computed
)
with this:
    st.dataframe(
        story.looked_table(made, looked, rows=view == PEOPLE), hide_index=True, alt="The matches, one row per bucket"
    )
with promised:
    st.dataframe(story.sides_table(made, by_way), hide_index=True, alt="Gains in confidence on both sides")
    st.caption(
        "Gain: how many times more likely a value looks than by its share in the table. The buckets promise at most "
        f"{story.plain(made.beta_bound)} (Eq. 7)."
    )
if lost.open:
    with lost:
        if het.heavy(table):
            st.info(
                f"These {how_many(made.rows, 'row')} lose {made.gcp:.4f} (GCP, 0 to 1). With more than "
                f"{het.AT_ONCE:,} records the other methods are left to the command line.",
                icon=":material/info:",
            )
        else:
            with st.spinner("Matching by each method…"):
                losses = het.losses(table, settings)
            st.plotly_chart(
                losses_figure(losses),
                key="het-losses",
                config=CONFIG,
                alt="GCP of each method; the table below has it too",
            )
            st.dataframe(losses, hide_index=True, alt="GCP of each method")
            st.caption("Groups that publish alike stand on the buckets of their row; each method draws its own.")
if learns.open:
    with learns:
        truth = made.data[sensitive]
        guesses = het.learned(table, settings, made)
        shares = {name: float(learner.accuracy(truth)) for name, learner in guesses.items()}
        baseline = float(next(iter(guesses.values())).baseline(truth))
        st.plotly_chart(
            guesses_figure(shares, baseline),
            key="het-guesses",
            config=CONFIG,
            alt=f"Naive Bayes guesses {100 * shares['From the release']:.1f} % right; the table below has it too",
        )
        rows = [{"Learns": name, "Guesses right": f"{100 * share:.1f} %"} for name, share in shares.items()]
        rows.append({"Learns": "Nothing: always the most frequent value", "Guesses right": f"{100 * baseline:.1f} %"})
        st.dataframe(rows, hide_index=True, alt="What naive Bayes guesses right")
if asks.open:
    with asks:
        with st.container(horizontal=True):
            attributes = st.slider(
                "Quasi-identifiers asked for", 1, len(columns), min(3, len(columns)), key=f"het-lambda-{len(columns)}",
                width=260,
            )  # fmt: skip
            selectivity = st.slider("Selectivity, %", 5, 25, 10, 5, key="het-selectivity", width=260)
        with or_say():
            answers = het.queried(table, settings, made, attributes, selectivity / 100, QUERIES)
            errors = [relative_error(e, x) for e, x in zip(answers["Estimate"], answers["Exact"], strict=True)]
            st.markdown(f"Half of {QUERIES} random count queries are answered within **{100 * median(errors):.0f} %**.")
            st.plotly_chart(
                queries_figure(answers),
                key="het-queries",
                config=CONFIG,
                alt="Answers against the truth, as in the table",
            )
            with st.expander("As a table"):
                st.dataframe(answers, hide_index=True, alt="Answers and the truth")
with how:
    st.markdown(story.METHOD)
for note in made.notes:
    st.caption(words.plain(note))
if extraction == "paper":
    st.caption("To publish, choose values drawn by ours: the paper's way does not keep its promise to people.")
if table.own and seed is not None:
    st.caption("To publish this table, clear the seed.")
elif not table.own or may_be_downloaded():
    download("Download this release", het.release_csv(table, settings, made), "heterogeneous.csv")
