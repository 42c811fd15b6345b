"""Audit: what a released table gives away, from the table alone."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.attack.chosen import show_classes
from cra_dashboard.audit import run, story
from cra_dashboard.audit.state import (
    Settings,
    Subject,
    drop_population,
    forget_subject,
    known_hierarchies,
    own_at_once,
    own_called,
    own_instead,
    proposed_quasi_identifiers,
    subject,
    use_given,
    use_own,
    use_population,
)
from cra_dashboard.charts.counts import EXPECTED, chance_figure
from cra_dashboard.charts.ownership import release_outlines
from cra_dashboard.charts.tight import COUNTED, assessed_figure
from cra_dashboard.charts.tiled import behind_tiles
from cra_dashboard.panels import evidence
from cra_dashboard.panels.bounds import ask_k, holding
from cra_dashboard.panels.demands import show_demands, show_verdict
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_app, require_dataset
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import DETAILS, heading, one_of, say, stage
from cra_dashboard.panels.tables import MOST_ROWS, show_table
from cra_dashboard.session import fields, messages, state
from cra_dashboard.session.runs import soon_over
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import glossary, weighing, words
from cra_dashboard.texts.class_rows import class_rows, class_table
from cra_engine import Audit, CRAError
from cra_engine.audits.findings import tables_left
from cra_engine.audits.notes import in_doubt, refuted, taken_as_sensitive
from cra_engine.audits.report import audit_html
from cra_engine.checks import TITLES
from cra_engine.study.grid import Cell
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import how_many, percent

PLACE, FIRST_ROWS, FILES = "audit", 12, "audit-files-open"
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
NUMBERED = "Boxes are numbered by the guessed hierarchies; with the study they may have other numbers."


def page() -> None:
    """Shows the page from top to bottom."""
    require_dataset() if subject() is None else require_app()
    st.title("Audit a release: what does it give away?", help=glossary.of_page("audit"))
    if (shown := subject()) is not None and shown.secret:
        messages.warning(story.SECRET)
    sentence = st.empty()
    say(
        sentence,
        "No raw data are needed: the released table is enough.",
        "Check a table that was already published, or is about to be: the CSV file that ARX wrote, with intervals such "
        "as `[20, 40[` in place of exact values. What can be concluded from the table alone is "
        "what anybody who gets it can conclude.",
    )
    if own_at_once():
        take_own()
    given = subject()
    messages.show_told(PLACE)
    if given is None:
        choose_release()
        offer_own()
        st.page_link("pages/together.py", label="Two releases of the same people", icon=":material/join_inner:")
        return
    figure, beside = stage(5, 4)
    with beside:
        tools = st.container(horizontal=True, vertical_alignment="center")
        if given.own is None:
            with tools.popover("Give files", icon=":material/upload_file:", key=FILES, on_change="rerun"):
                choose_release()
                fields.act("Forget this release", forget_release, icon="delete")
        else:  # nobody brought what is looked at, so what people bring comes first
            choose_release()
        if own_instead(given):
            with tools:
                offer_own()
        columns = tools.popover("Columns", icon=":material/account_tree:")
        with columns:
            named = name_quasi_identifiers(given)
        try:
            attributes = show_hierarchies(given, named, columns)
        except CRAError as failure:
            messages.show_error(failure)
            st.caption("If it came in a ZIP with its study, give the whole ZIP under **Give files**.")
            with figure:
                show_rows(given)
            return
        with tools.popover("How it was made", icon=":material/tune:"):
            settings = choose_settings(given, named)
        small = soon_over(attributes, len(given.frame))
        if given.own is not None or small:
            run.start_once(given, settings, soon=small)
        audited = run.panel(given, settings)
        if audited is None and not run.AUDITS.going:
            fields.act("Audit", run.start, given, settings, small, type="primary", icon="policy", key="audit-run")
            st.caption("Not audited yet.")
    if audited is None:
        with figure:
            show_rows(given)
        return
    data = state.dataset()
    with sentence:
        if given.own is not None and data is not None and not data.uploaded:
            # Nobody asked about it, so that its verdict alarms nobody.
            told = f"Example: {words.plain(given.name)}.** Its verdict is **{TITLES[audited.verdict]}"
            st.info(f"**{told}.** Your own release goes into **ZIP of a release**.", icon=":material/science:")
        else:
            more = f"{story.looked_at(given)} {words.plain(audited.guessed)}".rstrip()
            show_verdict(audited.checked, more, of=story.of_another(given))
    show_outcome(given, audited, figure, beside)


def show_rows(given: Subject) -> None:
    """Shows the first rows of the release, where nothing can be drawn of it."""
    st.dataframe(given.frame.head(FIRST_ROWS), hide_index=True, alt="The first rows of the release")


# ---------------------------------------------------------------- the release


def choose_release() -> None:
    """Takes the released table, with all that is known of it."""
    uploader(
        "audit-release",
        "ZIP of a release, or its table (CSV) with its study",
        take_given,
        several=True,
        help_text="The ZIP that Recode or Check hands out; or, all at once or later, the table (another one takes its "
        "place), study.toml with the CSV files that it names, ARX's hierarchy files (COLUMN.csv or "
        "ANYTHING_COLUMN.csv) or its project (.deid). It stays in the memory of this session: not saved, not sent.",
    )


def offer_own() -> None:
    """Offers to audit what the session hands out, as somebody sees it who gets the file alone."""
    data = state.dataset()
    if data is None or state.study() is None:
        st.info("Upload the released table to begin.", icon=":material/upload_file:")
    else:
        fields.act(
            f"Audit the {words.plain(own_called())}",
            take_own,
            type="primary" if subject() is None else "secondary",
            icon="policy",
            help="What Recode publishes, or was taken on Check, with its study: hierarchies and k are public, too.",
            key="audit-own",
        )


def take_own() -> None:
    messages.forget(PLACE)
    with messages.telling(PLACE):
        use_own()


def take_given(files: list[File]) -> None:
    st.session_state[FILES] = False  # what came of the files, and the button Audit, stand under what is open
    if (before := subject()) is not None and before.own is not None:
        forget_subject()  # no verdict of another release beside what is wrong with this one
    with messages.telling(PLACE):
        messages.forget(PLACE)
        if told := use_given(files):
            messages.tell(PLACE, "success", told)


def forget_release() -> None:
    run.forget()
    forget_subject()
    messages.forget(PLACE)


# ---------------------------------------------------------------- what is known of it


def name_quasi_identifiers(given: Subject) -> tuple[str, ...]:
    """Asks for the quasi-identifiers, as far as they are known; empty where they are guessed."""
    of_files = f"{given.files[0].sha256}-{given.project is not None}"
    if given.study is not None or not st.checkbox(
        "I know the quasi-identifiers",
        value=given.project is not None,
        key=f"audit-knows-qi-{of_files}",
        help="Otherwise the columns that show intervals or * are taken. One that never shows * may be one too.",
    ):
        return ()
    named = st.multiselect(
        "Quasi-identifiers",
        [str(name) for name in given.frame.columns],
        default=list(proposed_quasi_identifiers(given)),
        key=f"audit-qi-{of_files}",
    )
    if not named:
        st.info("Name at least one quasi-identifier.", icon=":material/arrow_upward:")
        st.stop()
    return tuple(named)


def show_hierarchies(given: Subject, named: tuple[str, ...], more: DeltaGenerator) -> Sequence[Hierarchy]:
    """Says which hierarchies the attack goes by, and how sure they are; hands them back.

    Args:
        given: the release.
        named: its quasi-identifiers, as far as they are known.
        more: where the hierarchies stand in full.

    Raises:
        CRAError: no column looks like a quasi-identifier, or its labels are of no hierarchy.
    """
    trees, known = known_hierarchies(given, named)
    st.markdown(story.hierarchies_told(given, trees))
    left_out = [name for name in known.refuted if name not in {one.name for one in known.sensitive}]
    for said in (*refuted(left_out), *taken_as_sensitive(known.sensitive)):
        st.caption(words.plain(said))
    with more:
        alt = f"{len(trees)} quasi-identifiers with their hierarchies and how sure these are"
        show_table(story.trees_table(trees, known.attributes), alt)
        st.markdown(story.guesses_told(trees, known.attributes))
    if known.doubtful:
        told = in_doubt(known.doubtful, [one.name for one in known.attributes])
        st.warning(f"{words.plain(told)} Open Columns above and name them all.", icon=":material/help:")
    return known.attributes


# ---------------------------------------------------------------- how it was made


def choose_settings(given: Subject, named: tuple[str, ...]) -> Settings:
    """Asks what is known of the publisher and of the records, and how long the attack may take."""
    source = given.study or given.project
    k = ask_k("k, if you know it", source.k if source is not None else None, f"audit-k-{given.digest}")
    profile, gs_factor = choose_profile(given), choose_factor(given)
    prior = None
    if given.population is not None:
        st.markdown(f"Records are weighed by the shares of **{words.plain(given.population.name)}**.")
        fields.act("Do without these shares", drop_population, icon="close")
    else:
        prior = fields.selectbox(
            "What records are supposed to be like",
            list(weighing.PRIORS),
            format_func=lambda option: weighing.PRIORS[option][0],
            key="audit-prior",
            help="What is certain holds whatever they are like; what is likely does not.",
        )
    uploader(
        "audit-population",
        "Shares of a population (CSV), if you know some",
        take_shares,
        several=True,
        help_text=weighing.SHARES_HELP,
    )
    seconds = fields.number_input("Seconds at most", 1, 600, 20, key="audit-seconds", width=180)
    return Settings(k, profile, float(seconds), prior, named, gs_factor)


def take_shares(files: list[File]) -> None:
    if len(files) > 1 or files[0].name.lower().endswith((".toml", ".deid", ".zip")):  # a study may come here, too
        take_given(files)
        return
    with messages.telling(PLACE):
        use_population(files[0])


def choose_profile(given: Subject) -> str | float | None:
    """Asks how ARX was run; None where it is not known."""
    stated = None if given.study is None else given.study.profile
    start = UNKNOWN if stated is None else {"arx-gui": GUI, "paper": PAPER}.get(str(stated), SHARE)
    choice = st.radio(
        "How ARX was run",
        list(PROFILES),
        index=list(PROFILES).index(start),
        captions=list(PROFILES.values()),
        key=f"audit-profile-{given.digest}",
    )
    if choice == SHARE:
        share = float(stated) if stated is not None and start == SHARE else 0.02
        return float(
            st.number_input(
                "Share of all records",
                *holding(share, 0.0001, 0.9999),
                share,
                format="%.4f" if 0.0001 <= share <= 0.9999 else "%g",
                key=f"audit-share-{given.digest}",
                width=180,
            )
        )
    if choice == UNKNOWN and stated is not None:
        return "arx-gui"  # the person says that the study's own profile is not known
    return {GUI: "arx-gui", PAPER: "paper"}.get(choice)


def choose_factor(given: Subject) -> float | None:
    """Asks how ARX weighed suppression; None where it is not known."""
    weighed = st.selectbox("How ARX weighed suppression (g/s factor)", FACTORS, key=f"audit-weighed-{given.digest}")
    st.caption(FACTORS[weighed])
    if weighed == OTHER_FACTOR:
        key = f"audit-factor-{given.digest}"
        return float(st.number_input("g/s factor", 0.0, 1.0, 0.25, format="%.3f", key=key, width=180))
    return {NOT_KNOWN: None, ZERO: 0.0, HALF: 0.5}[weighed]


# ---------------------------------------------------------------- the outcome


def show_outcome(given: Subject, audited: Audit, figure: DeltaGenerator, beside: DeltaGenerator) -> None:
    """Shows who may stand alone, and all that the verdict rests on."""
    chances = audited.chances
    with beside:
        if audited.contradicted:
            messages.error("This table contradicts the algorithm and the settings above. Nothing is claimed about it.")
        show_demands(audited.checked)
    with figure:
        if given.rows_alone:
            st.markdown("**From the rows alone**")
        if audited.cell_chances:
            show_who_stands_alone(audited, chances, beside)
        elif audited.release.classes:
            evidence.of_release((figure, beside), audited.release, "audit")
        else:
            show_rows(given)
    with beside:
        download("Download the report", audit_html(audited, given.name, given.files), "audit.html")
    heading(DETAILS)
    with st.expander("What the file gives away, in sentences"):
        st.markdown(story.given_away(audited))
    if audited.warnings:
        with st.expander(f"What to keep in mind ({len(audited.warnings)})", expanded=audited.contradicted):
            st.markdown("\n".join(f"- {words.plain(warning)}" for warning in audited.warnings))
    with st.expander("What is supposed; possible tables"):
        st.markdown("\n".join(f"- {words.plain(line)}" for line in (*audited.supposed, *tables_left(audited))))
    if chances:
        with st.expander("The cells, the likeliest first"):
            show_table(
                story.cells_table(audited, chances[:MOST_ROWS]),
                "Cells that may hold exactly one person, certain and most likely ones first",
                total=len(chances),
                percent=[story.EXACTLY_ONE],
            )
    if not audited.contradicted:
        with st.expander("The classes"):
            show_classes(class_table(class_rows(audited.attack), audited.release.grid))


def show_who_stands_alone(audited: Audit, chances: Sequence[tuple[Cell, float]], beside: DeltaGenerator) -> None:
    """Draws the cells that hold exactly one person for certain, or how likely each does."""
    grid, certain = audited.release.grid, audited.isolated
    beyond = [cell for cell, _ in audited.cell_chances if audited.beyond_labels(cell)]
    state.number_as_recoded(audited.release)
    hint = (
        "Percent: how likely the cell holds exactly one person, over all tables that remain possible. Marked cells "
        "hold exactly one person for certain, known from the released table alone."
    )
    with beside:
        look = one_of("Who may stand alone", [CERTAIN, LIKELY], "audit-look", hint=hint) if certain else LIKELY
        view = choose_view(grid, "audit")
    if look == LIKELY:
        picture.show(
            chance_figure(grid, chances, view, boxes=release_outlines(grid, audited.release, view), beyond=beyond),
            "audit-chances",
            f"Probability per cell of exactly one person, at most {percent(max((p for _, p in chances), default=0.0))}",
        )
        if beyond:
            st.caption(story.beyond_told(audited, chances))
        weighed = f"{words.sentence(weighing.likely(audited.attack))}. Other weights: **How it was made**."
        more = NUMBERED if audited.conditional else None
        st.caption(f"{behind_tiles(grid, view, EXPECTED)} {weighed}".lstrip(), help=more)
    else:
        said = f"Exactly one person for certain in {how_many(len(certain), 'cell')}"
        picture.show(assessed_figure(audited.assessment, grid, view), "audit-isolated", said)
        if counted := behind_tiles(grid, view, COUNTED):
            st.caption(counted)


page()
