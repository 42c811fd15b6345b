"""Microaggregate: clusters with their means, the cells that stay sensitive, and who could estimate whom."""

import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.lessons import asking
from cra_dashboard.lessons.pages import microaggregate as predict
from cra_dashboard.microaggregation import state as micro
from cra_dashboard.microaggregation import story
from cra_dashboard.microaggregation.chart import MOST_RECORDS, bought_figure, cell_figure, clusters_figure
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.gate import may_be_downloaded
from cra_dashboard.panels.row_order import keep_order_switch
from cra_dashboard.panels.stage import one_of, say, stage
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import keys, state
from cra_dashboard.session.messages import or_say, or_stop
from cra_dashboard.session.tables import session_table
from cra_dashboard.texts import glossary, words
from cra_engine import SensitiveCells
from cra_engine.words import how_many

MOST_ROWS, HIGHEST_K, K_ROWS = 1000, 30, 5000
MICRO, RECODED = "Microaggregation", "Classes of the page Recode"

require_app()
st.title("Microaggregate: what do means give away?", help=glossary.of_page("microaggregate"))
INTRO = (
    "Every record's numbers become the **means of a cluster** of k records or more. Nobody can be told apart, and yet "
    "a mean can give somebody away: whoever knows one contribution knows the sum of the others."
)
sentence = st.container(key="micro-sentence")
figure, beside = stage()

# ---------------------------------------------------------------- the table and the settings

mine, iris = session_table(), micro.example()
table = iris
if mine is not None:
    names = {True: words.plain(mine.name), False: "Iris, the paper's example"}
    own = beside.segmented_control(
        "Table",
        [True, False],
        format_func=names.get,
        default=True,
        required=True,
        key="micro-own",
        persist_state="session",
    )
    table = mine if own else iris
else:
    with beside:
        st.caption("The table is Iris, 150 flowers: the smallest of the paper.")
        st.page_link("pages/data.py", label="Take your own")
RUN = hash(table.digest)
numeric = micro.numeric_columns(table)
if not numeric or len(table.frame) < 2:
    st.info("This table has no column of numbers, or fewer than two records.", icon=":material/info:")
    st.stop()

sources = [MICRO]
if table.own and state.study() is not None:
    sources.append(RECODED)
with beside.container(key="micro-controls"):
    source = MICRO
    if len(sources) > 1:
        source = st.selectbox("Classes", sources, key="micro-source", persist_state="session")
    highest = min(HIGHEST_K, len(table.frame))
    K = keys.cluster_size(table.digest)
    k = 2
    if source == MICRO and highest > 2:
        k = st.slider("k", 2, highest, min(3, highest), key=K, persist_state="session")
    more = st.container(horizontal=True)
    with more.popover("Method", icon=":material/tune:"):
        method = one_of(
            "Clusters by",
            ["mdav", "mondrian"],
            "micro-method",
            called={"mdav": "MDAV", "mondrian": "Mondrian"}.__getitem__,
        )
        standardize = st.toggle(
            "Columns over their standard deviation",
            key="micro-standardize",
            persist_state="session",
            help="In MDAV's distances only. Without it a column of large numbers decides alone.",
        )
        columns = st.multiselect(
            "Columns", numeric, default=micro.usable_columns(table), key=f"micro-columns-{RUN}", persist_state="session"
        )
    with more.popover("Rules", icon=":material/gavel:"):
        n = st.slider("Dominance: how many contributors, n", 1, 5, 2, key="micro-n", persist_state="session")
        r = st.slider("have more than this share r", 0, 100, 60, format="%d%%", key="micro-r", persist_state="session")
        p = st.slider(
            "p% rule: the second estimates the largest within",
            1,
            200,
            60,
            format="%d%%",
            key="micro-p",
            persist_state="session",
        )
    comply = source == MICRO and st.toggle("Merge until no cell is sensitive", key=keys.MERGE, persist_state="session")
    asking.switch()
if not columns:
    st.info("Choose a column of numbers under Method.", icon=":material/info:")
    st.stop()
settings = micro.Settings(k, method, tuple(columns), standardize, n, f"{r / 100:g}", f"{p / 100:g}", comply)

# ---------------------------------------------------------------- the cells

made = None
with or_stop():
    if source == MICRO:
        made = micro.result(table, settings)
        found: SensitiveCells = micro.judged(table, settings, made)
    else:
        found = micro.judged_recoding(table, settings)
what = "cluster" if made is not None else "class"
said = story.headline(found, "clusters" if made is not None else "classes")
if made is not None:
    said += f" {story.percent(made.squared_error)} of the variance is lost."
    if comply:
        said += f" {story.price(made)}"
always = story.arithmetic(k, settings.dominance) if made is not None else ""
say(sentence, said, "\n\n".join([INTRO, always or ""]))
if made is None:
    beside.caption(
        "This release shows intervals, not totals. The rules say what would happen if somebody also published a total "
        "or a mean per class."
    )
if not found.cells:
    st.stop()

# ---------------------------------------------------------------- the picture

SHOWN = hash((RUN, source, settings))
GROUP, CHART, CHOSE = f"micro-group-{SHOWN}", f"micro-chart-{SHOWN}", f"{keys.CLUSTER}{SHOWN}"
names_of = found.columns.names
X, Y = f"micro-x-{RUN}-{hash(settings.columns)}", f"micro-y-{RUN}-{hash(settings.columns)}"
if GROUP not in st.session_state:
    st.session_state[GROUP] = micro.worst(found)
first, second = micro.telling_columns(found)


def noted() -> None:
    st.session_state[CHOSE] = st.session_state[GROUP]


def picked(group: int) -> None:
    st.session_state[GROUP] = group
    noted()


with more.popover("What is drawn", icon=":material/view_in_ar:"):
    x = st.selectbox("Across", range(len(names_of)), first, format_func=names_of.__getitem__, key=X)
    y = st.selectbox("Upwards", range(len(names_of)), second, format_func=names_of.__getitem__, key=Y)
with figure.container(key="micro-picture"):
    chosen = st.session_state[GROUP]
    touch_chart(
        clusters_figure(found, (x, y), chosen, what),
        CHART,
        picked,
        f"{said} Means and records on {names_of[x]} and {names_of[y]}; {what} {chosen} is ringed.",
    )
    if sum(map(len, found.groups)) > MOST_RECORDS:
        st.caption(f"Means only: more than {MOST_RECORDS:,} records would cover each other.")
with beside:
    st.selectbox(
        words.sentence(what),
        range(len(found.groups)),
        format_func=lambda group: f"{group}: {how_many(len(found.groups[group]), 'record')}",
        key=GROUP,
        on_change=noted,
        help="A click in the picture chooses one, too.",
    )
    marked = [column for group, column in found.offending if group == chosen]
    column = st.selectbox(
        "Column",
        range(len(names_of)),
        index=micro.worst_column(found, chosen),
        format_func=lambda at: f"{names_of[at]}{' (sensitive)' if at in marked else ''}",
        key=f"micro-cell-{SHOWN}-{chosen}",
    )
    cell = found.cell(chosen, column)
    about = (SHOWN, chosen, column)
    QUESTIONS = {"largest": lambda: predict.largest(cell)}
    waiting = asking.ask_for_lesson(QUESTIONS, about, hold=True) or asking.ask_first(
        QUESTIONS, about, ["largest"], hold=True
    )
if waiting:
    st.stop()
beside.markdown(words.plain(story.told(cell)))

# ---------------------------------------------------------------- tables and the rest

this, cells, buys, rules = st.tabs([f"This {what}", "All sensitive cells", "What k buys", "The rules"])
with this:
    if len(cell.rows) > 1 and cell.defined:
        st.plotly_chart(cell_figure(cell), key="micro-cell-chart", config=CONFIG, alt=story.told(cell))
    st.dataframe(
        story.cluster_table(found, chosen), hide_index=True, alt=f"The cells of {what} {chosen}, one row per column"
    )
    if cell.defined and 1 < len(cell.rows) <= 40:
        with st.expander(f"Who could estimate whom in {words.plain(cell.column)}, by the total alone"):
            st.dataframe(story.everybody_table(cell), hide_index=True, alt="All pairs, the closest estimate first")
with cells:
    listed = story.sensitive_table(found, MOST_ROWS)
    if listed.empty:
        if found.undefined:
            st.warning(
                "No cell is called sensitive, but where the rules are undefined nobody knows.",
                icon=":material/warning:",
            )
        else:
            st.success("No cell is sensitive by these rules.", icon=":material/check:")
    else:
        st.dataframe(listed, hide_index=True, alt="The sensitive cells, the closest estimate first")
        if len(found.offending) > MOST_ROWS:
            st.caption(f"The first {MOST_ROWS:,} of {len(found.offending):,}.")
with buys:
    BUYS = f"micro-buys-{RUN}"
    if len(table.frame) > K_ROWS:
        st.info(
            f"With more than {K_ROWS:,} records this takes a while; use the program's command line, once per k.",
            icon=":material/info:",
        )
    elif source != MICRO:
        st.info("This belongs to microaggregation: choose it under Classes.", icon=":material/info:")
    else:

        def take_k(number: int) -> None:
            st.session_state[K] = number

        with st.spinner("Trying each k…"):
            points = micro.bought(table, settings, tuple(range(2, min(16, highest + 1))))
        touch_chart(
            bought_figure(points, settings.rules, k),
            BUYS,
            take_k,
            "Sensitive cells and loss for each k; the same numbers stand in the table below",
        )
        st.caption("A click takes over a k. The paper prints this as its Table 2 for two tables.")
        st.dataframe(story.bought_table(points, settings.rules), hide_index=True, alt="What each k gives, as a table")
with rules:
    st.markdown(story.RULES)
if made is not None:
    for warning in made.warnings:
        st.caption(words.plain(warning))
    if not table.own or may_be_downloaded():
        keep_order_switch()
        with or_say():
            download(
                "Download the microaggregated table", micro.release_csv(table, settings, made), "microaggregated.csv"
            )
