"""Heterogeneous: one box per row; a person's possible rows, a row's possible people, and the promise on both sides."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from statistics import median

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.heterogeneous import state as het
from cra_dashboard.heterogeneous import story
from cra_dashboard.heterogeneous.chart import MOST_PLACES, buckets_figure, queries_figure
from cra_dashboard.lessons import asking, progress
from cra_dashboard.lessons.pages import heterogeneous as questions
from cra_dashboard.panels.download import download_table, may_be_downloaded
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.stage import one_of, say, stage, tabbed
from cra_dashboard.panels.tables import bars, own_or, show_table
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import fields, keys, messages, state
from cra_dashboard.session.examples import example_table
from cra_dashboard.texts import glossary, words
from cra_dashboard.texts.papers import METHODS
from cra_engine import Heterogeneous
from cra_engine.choices import Extraction
from cra_engine.files.csv_text import csv_text
from cra_engine.utility.count_queries import relative_error
from cra_engine.words import how_many

QUERIES, FIRST_SEED = 200, 1
PEOPLE, ROWS = "A person's rows", "A row's people"
INTRO = (
    "Every row shows a box **of its own**, wide enough for several people, and the sensitive value of one of them. "
    "What does a person see who looks at all rows that fit?"
)


@dataclass(frozen=True, eq=False)
class Shown:
    """The published table, with what it was made by.

    Attributes:
        table: that it is of.
        settings: the controls.
        by_way: the table with the values drawn in each way.
    """

    table: state.Dataset
    settings: het.Settings
    by_way: Mapping[Extraction, Heterogeneous]

    @property
    def made(self) -> Heterogeneous:
        """The table with the values drawn as it is asked for."""
        return self.by_way[self.settings.extraction]

    @property
    def key(self) -> int:
        """Of everything that belongs to this draw."""
        return hash((self.table.digest, self.settings, het.drawn()))


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("Heterogeneous: who could a row belong to?", help=glossary.of_page("heterogeneous"))
    sentence = st.container(key="het-sentence")
    figure, beside = stage()
    mine, example = state.dataset(), example_table("Adult")
    called = f"Adult, {len(example.frame):,} people"
    suited = mine is not None and mine.uploaded and bool(het.sensitive_columns(mine))
    table = own_or(example, mine, beside, called, "het-own", first=suited)
    if not het.sensitive_columns(table):
        messages.info("This table has no column with a few different values that could be protected.")
        st.stop()
    with beside:
        rows = one_of("Look at", [PEOPLE, ROWS], keys.LOOKED) == PEOPLE
        settings = choose_settings(table)
    if not settings.quasi_identifiers:
        messages.info("Choose a quasi-identifier under Columns.")
        st.stop()
    shown = publish(table, settings)
    ask(shown, figure, beside)
    said = story.headline(shown.made, shown.by_way)
    say(sentence, f"{said} {METHODS['heterogeneous']} The table: {table.name if table.own else called}.", INTRO)
    looked = draw(shown, figure, beside, rows=rows)
    tabbed(
        {
            "These matches": lambda: show_table(
                story.looked_table(shown.made, looked, rows=rows), "The matches, one row per bucket"
            ),
            "Both sides": partial(both_sides, shown),
            "What is lost": partial(what_is_lost, shown),
            "What an attack learns": partial(what_is_learned, shown),
            "Count queries": partial(count_queries, shown),
            "The method": partial(st.markdown, story.METHOD),
        },
        "het-tab",
    )
    hand_out(shown)


# ---------------------------------------------------------------- the settings


def choose_settings(table: state.Dataset) -> het.Settings:
    """Asks for the columns, what is promised, and how matches and values are drawn."""
    extraction = one_of("Values drawn", ["paper", "permutation"], keys.DRAWN, called=story.EXTRACTIONS.__getitem__)
    if progress.current() is not None:  # whose steps tell of one table, and of how its values are drawn
        return replace(het.usual(table), extraction=extraction, seed=None if table.uploaded else FIRST_SEED)
    with st.popover("Columns", icon=":material/view_column:", width="stretch"):
        columns, sensitive, codes = choose_columns(table)
    l, beta = None, None  # noqa: E741 - its name in the field
    if one_of("Promise", ["Diversity", "Likeness"], "het-promise") == "Likeness":
        key = f"het-beta-{hash(table.digest)}"
        beta = fields.number_input("Largest gain, beta", 0.0, 1e6, 3.0, 1.0, key=key, format="%g")
    else:
        l = choose_l(table, sensitive)  # noqa: E741
    method = one_of("Matches", list(story.MATCHES), "het-method", called=story.MATCHES.__getitem__)
    seed_key = f"het-seed-{hash(table.digest)}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = fields.number_input(
            "Seed",
            min_value=0,
            value=None if table.uploaded else FIRST_SEED,
            key=seed_key,
            placeholder="none",
            width=130,
            help="The same seed draws the same table again, for a class. Whoever knows it can undo the protection: to "
            "publish, leave it empty.",
        )
        fields.act("Draw again", het.draw_again, seed_key, icon="casino", key="het-again")
    return het.Settings(columns, sensitive, codes, l, beta, method, extraction, seed)


def choose_columns(table: state.Dataset) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Asks for the quasi-identifiers, the sensitive attribute, and the numbers that are codes."""
    run, offered, usual = hash(table.digest), list(het.sensitive_columns(table)), het.usual(table)
    first = offered.index(usual.sensitive)
    sensitive = fields.selectbox("Sensitive attribute", offered, index=first, key=f"het-sensitive-{run}")
    others = [str(name) for name in table.frame.columns if name != sensitive]
    proposed = [name for name in usual.quasi_identifiers if name in others]
    columns = fields.multiselect("Quasi-identifiers", others, default=proposed, key=f"het-columns-{run}-{sensitive}")
    codes = fields.multiselect("Numbers that are codes", columns, key=f"het-codes-{run}-{sensitive}")
    return tuple(columns), sensitive, tuple(codes)


def choose_l(table: state.Dataset, sensitive: str) -> int:
    """Asks how many values stand behind each row, as far as the column admits."""
    most, usual = het.most_l(table, sensitive)
    key = f"het-l-{hash(table.digest)}-{sensitive}"
    return 2 if most < 3 else fields.slider("Values behind each row, l", 2, most, usual, key=key)


def publish(table: state.Dataset, settings: het.Settings) -> Shown:
    """Publishes the table; where that fails the page says why and stops."""
    with messages.or_stop():
        ours = het.result(table, settings)
        with st.spinner("Drawing the values…"):
            return Shown(table, settings, het.both(table, settings, ours))


def ask(shown: Shown, figure: DeltaGenerator, beside: DeltaGenerator) -> None:
    """Asks before anything gives the answer away; until it is answered the page stops here."""
    made = shown.made
    repeated = shown.by_way["paper"].original_side.repeated
    asked = {"other_side": lambda: questions.other_side(made.l, made.records, repeated)}
    if asking.ask_for_lesson(asked, shown.key, hold=True):
        looked = story.published_row(made, 0)
        # Whatever is chosen to look at: a person's rows would answer the question.
        told = words.plain(story.looked_told(made, looked, None, 0))
        figure.plotly_chart(buckets_figure(made, looked, rows=False), config=CONFIG, alt=told)
        figure.markdown(told)
        st.stop()
    with beside:
        asking.switch()
    if asking.ask_first(asked, shown.key, ["other_side"], hold=True):
        st.stop()


# ---------------------------------------------------------------- the picture


def draw(shown: Shown, figure: DeltaGenerator, beside: DeltaGenerator, *, rows: bool) -> story.Looked:
    """Draws a person's rows or a row's people; hands back which."""
    made, key = shown.made, shown.key
    who, row_key = f"het-person-{key}", f"het-row-{key}"
    st.session_state.setdefault(who, story.first_harmed(made))
    with beside:
        if rows:
            record, row = int(st.number_input("Person", 0, made.records - 1, key=who)), None
            looked = story.person(made, record)
        else:
            record, row = None, int(st.number_input("Row", 0, made.rows - 1, key=row_key))
            looked = story.published_row(made, row)

    def picked(place: int) -> None:
        person = int(made.places[looked.part][place])
        if rows and person >= 0:
            st.session_state[who] = person
        elif not rows:
            st.session_state[row_key] = int((made.rows_of == (looked.part, place)).all(axis=1).argmax())

    told = words.plain(story.looked_told(made, looked, record, row))
    alt = f"{told} Dots are places in {how_many(made.buckets, 'bucket')}; the matches are joined by lines."
    with figure:
        touch_chart(buckets_figure(made, looked, rows=rows), f"het-chart-{key}", picked, alt)
    beside.markdown(told)
    if made.rows > MOST_PLACES:
        figure.caption(f"Only the matches are drawn: more than {MOST_PLACES:,} places would cover each other.")
    return looked


# ---------------------------------------------------------------- tables and the rest


def both_sides(shown: Shown) -> None:
    """Shows what the table promises behind a row and before a person."""
    show_table(story.sides_table(shown.made, shown.by_way), "Gains in confidence on both sides")
    st.caption(
        "Gain: how many times more likely a value looks than by its share in the table. The buckets promise at most "
        f"{story.gain_factor(shown.made.beta_bound)} (Eq. 7)."
    )


def what_is_lost(shown: Shown) -> None:
    """Shows the loss of each method."""
    made = shown.made
    if len(shown.table.frame) > het.AT_ONCE:
        messages.info(
            f"These {how_many(made.rows, 'row')} lose {made.gcp:.4f} (GCP, 0 to 1). With more than {het.AT_ONCE:,} "
            "records the other methods are left to the command line."
        )
        return
    with st.spinner("Matching by each method…"):
        losses = het.losses(shown.table, shown.settings)
    show_table(losses, "GCP of each method", columns=bars(*losses.columns[1:], shape="%.4f"))
    st.caption("From 0 to 1. Groups that publish alike stand on the buckets of their row; each method draws its own.")


def what_is_learned(shown: Shown) -> None:
    """Shows what naive Bayes guesses right."""
    truth = shown.made.data[shown.settings.sensitive]
    guesses = het.learned(shown.table, shown.settings, shown.made)
    shares = {name: learner.accuracy(truth) for name, learner in guesses.items()}
    shares["Nothing: always the most frequent value"] = next(iter(guesses.values())).baseline(truth)
    people = [int(share * len(truth)) for share in shares.values()]
    rows = {"Learns": [*shares], "Guesses right": [*map(float, shares.values())], f"Of {len(truth):,} people": people}
    show_table(rows, "What naive Bayes guesses right", columns=bars("Guesses right"))
    st.caption("What is right beyond always the most frequent value was learned.")


def count_queries(shown: Shown) -> None:
    """Shows how well the table answers random count queries."""
    columns = len(shown.settings.quasi_identifiers)
    with st.container(horizontal=True):
        title, key = "Quasi-identifiers asked for", f"het-lambda-{columns}"
        attributes = st.slider(title, 1, columns, min(3, columns), key=key, width=260)
        selectivity = st.slider("Selectivity, %", 5, 25, 10, 5, key="het-selectivity", width=260)
    with messages.or_say():
        answers = het.queried(shown.table, shown.settings, shown.made, attributes, selectivity / 100, QUERIES)
        errors = [relative_error(e, x) for e, x in zip(answers["Estimate"], answers["Exact"], strict=True)]
        st.markdown(f"Half of {QUERIES} random count queries are answered within **{100 * median(errors):.0f} %**.")
        alt = "Answers against the truth, as in the table"
        st.plotly_chart(queries_figure(answers), key="het-queries", config=CONFIG, alt=alt)
        with st.expander("As a table"):
            show_table(answers, "Answers and the truth")


def hand_out(shown: Shown) -> None:
    """Says what to do before it is published, and hands it out where it may go out."""
    table, settings = shown.table, shown.settings
    for note in shown.made.notes:
        st.caption(words.plain(note))
    if settings.extraction == "paper":
        st.caption("To publish, choose Ours under Values drawn: the paper's way does not keep its promise to people.")
    if table.own and settings.seed is not None:
        st.caption("To publish this table, clear the seed.")
    elif not table.own or may_be_downloaded():
        text = state.once("het-csv", shown.key, lambda: csv_text(shown.made.frame))
        download_table("Download this release", text, "heterogeneous.csv")


page()
