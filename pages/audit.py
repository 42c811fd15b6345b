"""Audit: what a released table gives away, from the table alone."""

import pandas as pd
import streamlit as st

from cra_dashboard.audit import run
from cra_dashboard.audit.state import (
    PRIORS,
    Settings,
    drop_population,
    forget,
    known_hierarchies,
    proposed_quasi_identifiers,
    subject,
    use_files,
    use_population,
    use_release,
)
from cra_dashboard.charts.counts import chance_figure
from cra_dashboard.charts.look import CONFIG
from cra_dashboard.charts.tight import certain_figure
from cra_dashboard.panels.bounds import holding
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.stage import listed as stage_listed
from cra_dashboard.panels.stage import one_of, say, stage
from cra_dashboard.session.uploads import File, allowed, uploader
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import glossary, words
from cra_dashboard.texts.class_rows import class_rows, class_table
from cra_engine import CRAError, audit_html, cell_chances
from cra_engine.words import how_many, listed, number_text, percent

MOST_ROWS, SHOWN = 1000, 3
CERTAIN, LIKELY = "For certain", "How likely"
UNKNOWN, GUI, PAPER, SHARE = "I do not know", "ARX's desktop program", "A single class per step", "Another share"
PROFILES = {
    UNKNOWN: "The bounds of the desktop program are used: they hold for either of the two below.",
    GUI: "Local transformation with its defaults: a step must publish at least 1 % of all records.",
    PAPER: "The paper's algorithm; a program that calls ARX can run it so. The bounds are sharper.",
    SHARE: "A step must publish this share of all records: 1 divided by the number of iterations.",
}
NOT_KNOWN, ZERO, HALF, OTHER_FACTOR = "I do not know how", "0", "0.5", "Another factor"
FACTORS = {
    NOT_KNOWN: "0 is supposed. Whatever is called certain then holds only for 0.",
    ZERO: "ARX's local transformation, the slider of its coding model untouched.",
    HALF: "ARX's programming interface as it comes. Less is certain, and only that is said.",
    OTHER_FACTOR: "The slider was moved.",
}


def tell(kind: str, *sentences: str) -> None:
    st.session_state["audit-said"] = (kind, [words.plain(sentence) for sentence in sentences])


def take_release(files: list[File]) -> None:
    try:
        found = use_release(files[0])
    except CRAError as error:
        tell("error", str(error))
        return
    tell("success", f"{found.name} is read: {how_many(len(found.frame), 'record')}.")


def take_files(files: list[File]) -> None:
    try:
        tell("success", *use_files(files))
    except CRAError as error:
        tell("error", str(error))


def take_shares(files: list[File]) -> None:
    try:
        use_population(files[0])
    except CRAError as error:
        tell("error", str(error))


def choose_release() -> None:
    uploader("audit-release", "Released table (CSV)", take_release)
    st.caption(":material/lock: It stays in the memory of this session: not saved, not sent anywhere.")


require_app()
st.title("Audit", help=glossary.of_page("audit"))
say(
    st.container(),
    "What does a published table give away by itself? No raw data are needed.",
    "Check a table that was already published, or is about to be: the CSV file that ARX wrote, with intervals such as "
    "`[20, 40[` in place of exact values. What can be concluded from the table alone is "
    "what anybody who gets it can conclude.",
)
found = subject()
kind, sentences = st.session_state.get("audit-said", ("", []))
if found is None:
    choose_release()
    if kind:
        (st.error if kind == "error" else st.success)("\n\n".join(sentences))
    if allowed():
        st.info("Upload the released table to begin.", icon=":material/upload_file:")
    st.stop()


def forget_release() -> None:
    run.AUDITS.drop()
    forget()
    st.session_state.pop("audit-said", None)


with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(f"**{words.plain(found.name)}** · {how_many(len(found.frame), 'record')}", width="content")
    st.button("Forget this release", on_click=forget_release, icon=":material/delete:", type="tertiary")
message = st.empty()
if kind:
    (message.error if kind == "error" else message.success)("\n\n".join(sentences))
tools = st.container(horizontal=True, vertical_alignment="center")
with tools.popover("Another table", icon=":material/upload_file:"):
    choose_release()

# ---------------------------------------------------------------- what is known of it

known_part = tools.popover("Quasi-identifiers, hierarchies", icon=":material/account_tree:")
with known_part:
    uploader(
        "audit-files",
        "Hierarchy files (CSV), ARX's project (.deid) or a study (TOML), if you have them",
        take_files,
        several=True,
        help_text="ARX's hierarchy files, named for their column: COLUMN.csv or ANYTHING_COLUMN.csv.",
    )
named: tuple[str, ...] = ()
unnamed = False
if found.study is None:
    columns = [str(name) for name in found.frame.columns]
    proposed = proposed_quasi_identifiers(found)
    if known_part.checkbox(
        "I know the quasi-identifiers",
        value=found.project is not None,
        key=f"audit-knows-qi-{found.files[0].sha256}-{found.project is not None}",
        help="Otherwise the columns that show intervals or * are taken. One that never shows * may be one too.",
    ):
        named = tuple(
            known_part.multiselect(
                "Quasi-identifiers",
                columns,
                default=list(proposed),
                key=f"audit-qi-{found.files[0].sha256}-{found.project is not None}",
            )
        )
        unnamed = not named
if unnamed:
    known_part.info("Name at least one quasi-identifier.", icon=":material/arrow_upward:")
    st.stop()
try:
    trees, known_columns = known_hierarchies(found, named)
except CRAError as error:
    st.error(words.plain(str(error)), icon=":material/error:")
    st.stop()
guessed = [tree for tree in trees if not tree.sure.startswith("Given")]
names = words.plain(listed([tree.hierarchy.name for tree in trees]))
sure = "given" if not guessed else "guessed from the labels" if len(guessed) == len(trees) else "in part guessed"
st.markdown(f"Quasi-identifiers: **{names}**; their hierarchies are {sure}.")
known_part.dataframe(
    pd.DataFrame(
        {
            "Column": [tree.hierarchy.name for tree in trees],
            "Domain": [
                f"[{number_text(a.lower)}, {number_text(a.upper)})" if a.numeric else "categories"
                for a in known_columns.attributes
            ],
            "Intervals per layer": [
                ", ".join(str(t.hierarchy.nodes_in(layer)) for layer in range(1, t.hierarchy.layers + 1)) for t in trees
            ],
            "How sure": ["given" if t.sure.startswith("Given") else "guessed from the labels" for t in trees],
        }
    ),
    hide_index=True,
    alt=f"{len(trees)} quasi-identifiers with their hierarchies and how sure these are",
)
if guessed:
    known_part.markdown(
        "\n".join(f"- **{words.plain(tree.hierarchy.name)}**: {words.plain(tree.sure)}" for tree in guessed)
    )
if known_columns.doubtful:
    st.warning(
        f"Whether {words.plain(listed(known_columns.doubtful))} "
        f"{'is a quasi-identifier' if len(known_columns.doubtful) == 1 else 'are quasi-identifiers'} too, the table "
        "cannot tell: no * is shown there, and nobody stands alone. Open Quasi-identifiers above and name them all.",
        icon=":material/help:",
    )
# ---------------------------------------------------------------- settings

with tools.popover("How it was made, as far as you know", icon=":material/tune:"):
    stated = found.study.k if found.study is not None else None if found.project is None else found.project.k
    known = st.checkbox(
        "I know k",
        value=stated is not None,
        key=f"audit-knows-k-{found.digest}",
        help="Otherwise the size of the smallest class is taken; the real k is that or less.",
    )
    k = None
    if known:
        begun = stated or 2
        k = int(st.number_input("k", *holding(begun, 2, 10**6), begun, key=f"audit-k-{found.digest}", width=180))
    options = list(PROFILES)
    profile_of = {"arx-gui": GUI, "paper": PAPER}
    start = UNKNOWN if found.study is None else profile_of.get(str(found.study.profile), SHARE)
    choice = st.radio(
        "How ARX was run",
        options,
        index=options.index(start),
        captions=list(PROFILES.values()),
        key=f"audit-profile-{found.digest}",
    )
    share = None
    if choice == SHARE:
        given = float(found.study.profile) if found.study is not None and start == SHARE else 0.02
        share = float(
            st.number_input(
                "Share of all records",
                *holding(given, 0.0001, 0.9999),
                given,
                format="%.4f" if 0.0001 <= given <= 0.9999 else "%g",
                key=f"audit-share-{found.digest}",
                width=180,
            )
        )
    profile: str | float | None = {UNKNOWN: None, GUI: "arx-gui", PAPER: "paper", SHARE: share}[choice]
    if profile is None and found.study is not None:
        profile = "arx-gui"  # the person says that the study's own profile is not known
    weighed = st.selectbox(
        "How ARX weighed suppression (g/s factor)", list(FACTORS), key=f"audit-weighed-{found.digest}"
    )
    st.caption(FACTORS[weighed])
    gs_factor: float | None = {NOT_KNOWN: None, ZERO: 0.0, HALF: 0.5}.get(weighed)
    if weighed == OTHER_FACTOR:
        gs_factor = float(
            st.number_input("g/s factor", 0.0, 1.0, 0.25, format="%.3f", key=f"audit-factor-{found.digest}", width=180)
        )
    prior = None
    if found.population is not None:
        st.markdown(f"Records are weighed by the shares of **{words.plain(found.population.name)}**.")
        st.button("Do without these shares", on_click=drop_population, icon=":material/close:")
    else:
        prior = st.selectbox(
            "What records are supposed to be like",
            list(PRIORS),
            format_func=lambda option: PRIORS[option],
            key="audit-prior",
            persist_state="session",
            help="What is certain holds whatever they are like; what is likely does not.",
        )
    uploader(
        "audit-population",
        "Shares of a population (CSV), if you know some",
        take_shares,
        help_text="Columns attribute,lower,upper,share or attribute,value,share; for example age,0,20,0.18.",
    )
    seconds = float(
        st.number_input("Seconds at most", 1, 600, 20, key="audit-seconds", persist_state="session", width=180)
    )
settings = Settings(k, profile, seconds, prior, named, gs_factor)

if tools.button("Audit", type="primary", icon=":material/policy:", key="audit-run"):
    run.start(found, settings)
audited = run.panel(found, settings)
if audited is None:
    st.stop()
if kind == "success":  # said until there is an outcome
    message.empty()

# ---------------------------------------------------------------- outcome

said = {
    "stop": (st.error, "**Stop.** This table must not go out as it is."),
    "attention": (st.warning, "**Attention.** Somebody has to look at what is named below before this table goes out."),
    "ready": (st.success, "**Ready.** As far as the table tells by itself it may go out."),
}
release = audited.release
grid = release.grid
chances = cell_chances(audited)
certain = set(audited.isolated)
figure, beside = stage(5, 4) if chances else (None, st.container())
with beside:
    box, text = said[audited.verdict]
    box(text)
    if audited.contradicted:
        st.error(
            "This table contradicts the algorithm and the settings above. Nothing is claimed about it.",
            icon=":material/error:",
        )
    stage_listed([words.plain(finding) for finding in audited.findings], SHOWN, "More findings")
    download("Download the report", audit_html(audited, found.name, found.files), "audit.html")
if figure is not None:
    with figure:
        st.markdown(
            "**Who may stand alone**",
            help="Percent: how likely the cell holds exactly one person, over all tables that remain possible. Marked "
            "cells hold exactly one person for certain, known from the released table alone.",
        )
        view = choose_view(grid, "audit")
        look = one_of("Show", [CERTAIN, LIKELY], "audit-look") if certain else LIKELY
        if look == LIKELY:
            st.plotly_chart(
                chance_figure(grid, chances, view),
                key="audit-chances",
                config=CONFIG,
                alt=f"Probability per cell of exactly one person, at most {percent(max(p for _, p in chances))}",
            )
        else:
            st.plotly_chart(
                certain_figure(grid, dict.fromkeys(audited.isolated, 1), view),
                key="audit-isolated",
                config=CONFIG,
                alt=f"{len(certain)} cells hold exactly one person for certain",
            )
if audited.warnings:
    with st.expander(f"What to keep in mind ({len(audited.warnings)})", expanded=audited.contradicted):
        st.markdown("\n".join(f"- {words.plain(warning)}" for warning in audited.warnings))
with st.expander("What all of this supposes"):
    st.markdown("\n".join(f"- {words.plain(line)}" for line in audited.supposed))
if chances:
    shown = chances[:MOST_ROWS]
    with st.expander("The cells, the likeliest first"):
        st.dataframe(
            pd.DataFrame(
                {
                    "Exactly one person": [p for _, p in shown],
                    "Certain": ["yes" if cell in certain else "no" for cell, _ in shown],
                    "Cell": [words.cell(grid, cell) for cell, _ in shown],
                }
            ),
            hide_index=True,
            column_config={"Exactly one person": st.column_config.NumberColumn(format="percent")},
            alt="Cells that may hold exactly one person, certain and most likely ones first",
        )
if not audited.contradicted:
    with st.expander("The classes"):
        st.dataframe(
            class_table(class_rows(audited.attack), grid),
            hide_index=True,
            column_config={
                "Times fewer": st.column_config.NumberColumn(format="%.4g"),
                "Promised, log10": st.column_config.NumberColumn(format="%.1f"),
                "Remaining, log10": st.column_config.NumberColumn(format="%.1f"),
                "Fillings": st.column_config.NumberColumn(format="%.4g"),
            },
            alt=f"{len(audited.attack.parts)} classes with what their intervals promise and what the attack leaves",
        )
