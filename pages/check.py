"""Check: may this table go out? A verdict with its reasons, and one page to file."""

from functools import partial
from typing import Any, Literal

import pandas as pd
import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.charts.tight import assessed_figure
from cra_dashboard.check import state as gate
from cra_dashboard.check.advice import may_be_accepted, steps
from cra_dashboard.check.chart import MOST_CLASSES, class_figure, class_rows, classes_told, column_rows, undrawn_told
from cra_dashboard.check.signing import ask_reason, ask_who, who, why
from cra_dashboard.options import state as options
from cra_dashboard.panels.bounds import holding
from cra_dashboard.panels.demands import show_demands, show_verdict
from cra_dashboard.panels.download import download, download_table, may_be_downloaded
from cra_dashboard.panels.frame import require_app, require_dataset, require_recoding, require_study, show_step
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import DETAILS, heading, stage
from cra_dashboard.panels.start_picture import picture as of_the_toy
from cra_dashboard.panels.tables import show_table
from cra_dashboard.publishable import panel as publishable_panel
from cra_dashboard.publishable import singles
from cra_dashboard.publishable.taken import waiting
from cra_dashboard.roles.questions import still_open
from cra_dashboard.session import decisions, fields, messages, state
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.table.source import choose_table, show_read
from cra_dashboard.texts import glossary, words
from cra_engine import Check, Comparison, Rule, Study
from cra_engine.assess.assessment import Assessment
from cra_engine.checks import WRITTEN, Demand, figures
from cra_engine.checks.outcome import Finding
from cra_engine.checks.project import accepted_in
from cra_engine.checks.report import check_html
from cra_engine.options import Point, advice, name_of
from cra_engine.study.grid import Grid
from cra_engine.words import how_many

PLACE = "check"
IN_GROUPS, BEFORE = "your table, in groups", "The table before the search, in groups"


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Check: may this table go out?", help=glossary.of_page("check"))
    step = st.empty()  # what Data still asks is looked at below
    with step:
        show_step("check")
    offer_upload()
    data = require_dataset()
    require_study()
    show_unanswered(data)
    if waiting():
        with step:
            show_step("check", waits=True)
    found = publishable_panel.show(gate.give_way)
    if found and not st.toggle(f"{BEFORE}: its verdict", key="check-as-it-was"):
        st.stop()
    require_recoding(whole=False)
    study, rule = state.results_key()[1], decisions.rule()
    of_fields = hash((data.digest, study.k, rule))
    sentence = st.container(key="check-sentence")
    with sentence:
        heading("The verdict")
    release = gate.given("release")
    what = f"**{IN_GROUPS if release is None else words.plain(release.name)}**"
    figure, beside = stage(5, 4)
    right, left = beside.container(), beside.container(horizontal=True, vertical_alignment="center")
    with left:
        set_rule(study, rule, of_fields)
        choose_files()
    with right:
        messages.show_told(PLACE)
        checked = gate.answer()
    if checked is None:
        sentence.markdown(f"Verdict on {what}: none yet.")
        with figure:
            show_unjudged()
        st.stop()
    checked = recommended(checked).accepting(accepted_in(gate.decided()))
    with sentence:
        goes_out = release is None and data.uploaded and gate.passes(checked) and not gate.another_taken(release)
        show_verdict(checked, f"Looked at: {what}.", singles.first_to_decide(checked) if goes_out else "")
    with right:
        show_demands(checked, partial(do_about, checked=checked))
        show_instead(checked)
    about = gate.answer_key(), gate.seconds_for_attack()
    rows = state.once("check-rows", about, lambda: class_rows(checked)) if checked.groups else []
    with figure:
        if checked.assessment is not None and checked.assessment.certain_cells:
            show_certain(checked.assessment)
        elif rows:
            show_classes(checked, rows, f"check-classes-{hash((of_fields, study, data.digest))}")
    called = BEFORE if found and release is None else "The release"
    heading(f"Of {called[0].lower()}{called[1:]}" if found and release is None else "Files to keep and to hand out")
    hand_out(checked, data, release, called)
    heading(DETAILS)
    with st.expander("All figures, columns, groups, the rule"):
        show_tables(checked, rows)
    st.page_link("pages/together.py", label="Published before? Load that release", icon=":material/join_inner:")


def show_unanswered(data: state.Dataset) -> None:
    """Shows that Data still asks about a table of one's own: its verdict holds for the table as it is read so far."""
    asked = still_open(data, state.columns_of(data)) if data.uploaded else []
    decisions.keep_still_asked(len(asked))
    if asked:
        with st.container(horizontal=True, vertical_alignment="center"):
            it = "it is" if len(asked) == 1 else "they are"
            st.markdown(
                f":material/help: **Data still asks {how_many(len(asked), 'question')}.** Until {it} answered this "
                "page speaks of the table as it is read now.",
                width="stretch",
            )
            st.page_link("pages/data.py", label="Answer on Data", icon=":material/table:")


def offer_upload() -> None:
    """Takes a table here, where there is none yet."""
    require_app()
    if state.dataset() is None:
        gone = "Here before? A reload forgets an upload: give it again on Data"
        st.page_link("pages/data.py", label=gone, icon=":material/table:")
        choose_table()
        show_read()
        _, toy, *_ = of_the_toy()
        st.markdown(f"What this page looks for, in the toy: {toy.said} **Open Toy** has its verdict.")
        picture.show(toy.figure, "check-toy", toy.alt)
        st.stop()


# ---------------------------------------------------------------- what is looked at, and the rule


def set_rule(study: Study, rule: Rule, of_fields: int) -> None:
    """Sets the rule of the verdict; a changed rule begins with fields of its own."""
    least, alone = rule.least(study.k), round(100 * float(rule.alone))
    distance = 1.0 if rule.t is None else float(rule.t)
    risk = 0 if rule.highest_risk is None else round(100 * float(rule.highest_risk))

    def of(name: str) -> dict[str, Any]:
        return {"key": f"check-{name}-{of_fields}", "on_change": take_rule, "args": (of_fields,)}

    with st.popover("The rule", icon=":material/gavel:"):
        st.caption("This program's standard rule, until you change it here; how large k has to be is your choice.")
        st.number_input("k: records that share a row, at least", *holding(least, 2, 10**6), least, **of("k"))
        values = *holding(rule.l, 1, 1000), rule.l
        st.number_input("l: different sensitive values of a group, at least", *values, **of("l"))
        st.slider("t: distance from the table, at most (1: not asked)", 0.0, 1.0, distance, 0.05, **of("t"))
        st.slider("Highest risk of a record, percent (0: one in k)", 0, 100, risk, **of("risk"))
        st.slider("People alone in the release, percent at most", 0, 100, alone, **of("alone"))
        st.toggle("Nobody singled out for certain", rule.nobody_certain, **of("certain"))
        show_rule(rule, study.k)


def show_rule(rule: Rule, k: int) -> None:
    st.markdown("\n".join(f"- {words.sentence(demand)}" for demand in rule.demands(k)))


def take_rule(of_fields: int) -> None:
    study = state.study()
    if study is None:
        return
    with messages.telling(PLACE):
        rule = gate.rule_of_controls(lambda name: st.session_state[f"check-{name}-{of_fields}"], study)
        with state.one_change():
            decisions.use_rule(rule)
            said = f"{decisions.RULE_SET}{'; '.join(rule.demands(study.k))}"
            decisions.note(said, over=lambda what: what.startswith(decisions.RULE_SET))


def choose_files() -> None:
    """Takes another release than the session's own, and a population; saves the work so far, and opens it."""
    with st.popover("Other files", icon=":material/upload_file:"):
        made = {name_of(point): point for point in options.made_here()}
        st.selectbox(
            "One that was made here",
            list(made),
            index=None,
            placeholder="Choose an option" if made else "Try other ways first",
            disabled=not made,
            key="check-made",
            on_change=take_made,
        )
        st.caption("A release that was made elsewhere is held against the session's table, row by row.")
        for what, label in (
            ("release", "Release (CSV)"),
            ("population", "Population (CSV with the columns that others know)"),
        ):
            if gate.given(what) is None:
                uploader(f"check-{what}", label, partial(take, what))
            else:
                fields.act(f"Forget the {what}", gate.forget_given, what, key=f"check-drop-{what}")
        uploader("check-study", "Its study (TOML), with the hierarchy files it names", take_study, several=True)
        st.caption(
            "A project holds study, roles, rule and what was decided, without the table. Opened again with the same "
            "table, the work goes on where it stood."
        )
        download("Save the project", gate.project_text(), "project.toml")
        uploader("check-project", "Open a project (TOML)", take_project)


def take(what: str, files: list[File]) -> None:
    messages.forget(PLACE)
    with messages.telling(PLACE):
        gate.take_given(what, files)


def take_study(files: list[File]) -> None:
    with messages.telling(PLACE, "The study stays as it is."):
        messages.tell(PLACE, "success", gate.take_study(files))


def take_made() -> None:
    comparison, name = options.held(), st.session_state["check-made"]
    point = next((point for point in options.made_here() if name_of(point) == name), None)
    if comparison is not None and point is not None:
        look_at(comparison, point)
        st.session_state["check-made"] = None


def look_at(comparison: Comparison, point: Point, *, made_here: bool = False) -> None:
    made = options.made(comparison, point)
    gate.check_instead(point.label, made.table.frame, made.study_told, made=made_here)


def take_project(files: list[File]) -> None:
    with messages.telling(PLACE, "Nothing has changed."):
        messages.tell(PLACE, *gate.open_project(files))


# ---------------------------------------------------------------- the verdict


def recommended(checked: Check) -> Check:
    """Adds what to publish instead, where that was asked for."""
    comparison = options.held()
    if comparison is None:
        return checked
    best = comparison.recommended
    return checked.recommending(None if best is None else best.label, " ".join(advice(comparison)))


def do_about(finding: Finding, demand: Demand, checked: Check) -> None:
    """Shows what to do about a finding: the steps that it advises, or to accept it with a reason."""
    name = f"{finding.code}-{hash(finding.text)}"
    for place, step in enumerate(steps(finding, checked)):
        kind: Literal["primary", "secondary"] = "secondary" if place else "primary"
        if step.do is None:
            st.page_link(step.page, label=step.label, icon=":material/arrow_forward:")
        elif not step.page:
            fields.act(words.plain(step.label), step.do, type=kind, key=f"check-step-{place}-{name}")
        elif st.button(words.plain(step.label), type=kind, key=f"check-step-{place}-{name}"):
            step.do()
            st.switch_page(step.page)
    if finding.accepted:
        fields.act("Accept it no longer", decisions.accept_no_longer, finding.text, key=f"check-unaccept-{name}")
    elif may_be_accepted(finding):
        label = f"Accept: {words.plain(demand.measured) or 'what was found'}"
        ask_reason("Or accept it, because", label, f"check-accept-{name}", partial(gate.accept, finding))


def show_instead(checked: Check) -> None:
    """Shows what to publish instead, where all ways were compared, or how that goes."""
    comparison = options.held()
    if checked.instead is not None and comparison is not None:
        said = [f"- {words.plain(line)}" for line in advice(comparison)]
        best = comparison.recommended
        kept = best is not None and best is options.in_use(comparison) and gate.given("release") is None
        head = "Nothing to publish instead: the best is in use" if kept else "What to publish instead"
        st.markdown("\n".join([f"**{head}**", "", *said]))
        offer_option(comparison)
        with st.container(horizontal=True):
            st.page_link("pages/compare.py", label="Other ways", icon=":material/compare_arrows:")
            st.page_link("pages/safe_recoding.py", label="Safe recode", icon=":material/shield:")
    elif not options.is_running() and comparison is not None:
        st.rerun()  # a comparison of the page Other ways has just ended


def offer_option(comparison: Comparison) -> None:
    """Offers to publish so: by the option that is recommended, or the nearest where none passes."""
    best = comparison.recommended
    point = best or comparison.nearest
    if point is not None and point is not options.in_use(comparison):
        label = f"{'Publish by' if best else 'Take the nearest:'} {words.plain(point.label)}"
        fields.act(label, publish_by, comparison, point, icon="check", key="check-use-option")


def publish_by(comparison: Comparison, point: Point) -> None:
    """Works with an option from now on; what the other pages do not follow is looked at, and handed out, here."""
    with messages.telling(PLACE):
        if options.why_not_usable(point):
            look_at(comparison, point, made_here=True)
        else:
            gate.forget_given("release")
            options.use(comparison, point)
        decisions.note(f"published by {point.label}, as the check advises")


# ---------------------------------------------------------------- the picture, the files, the tables


def show_certain(assessment: Assessment) -> None:
    """Draws the cells whose one person anybody knows for certain: what the release stops for."""
    grid, cells = Grid(assessment.release.study.attributes), assessment.certain_cells
    state.number_as_recoded(assessment.release)
    said = f"{how_many(len(cells), 'description')} of one person, for certain."
    picture.show(assessed_figure(assessment, grid, choose_view(grid, "check")), "check-certain", said)


def show_unjudged() -> None:
    """Draws the classes of a release that has no verdict yet, and says what is not known of it."""
    about = gate.answer_key()
    if (found := state.once("check-unjudged", about, gate.unjudged)) is None:
        return
    rows = state.once("check-unjudged-rows", about, lambda: class_rows(found))
    st.markdown(f"**{classes_told(found)}** Who is singled out all the same was not looked at yet.")
    show_classes(found, rows, f"check-unjudged-{hash(about)}")


def show_classes(checked: Check | gate.Unjudged, rows: list[dict[str, object]], key: str) -> None:
    """Draws a bar per class, and says the one that is touched in words."""
    bars, told = class_figure(checked, rows), classes_told(checked)
    st.plotly_chart(bars, key=key, on_select="rerun", selection_mode="points", config=CONFIG, alt=told)
    points = st.session_state[key]["selection"]["points"] if key in st.session_state else []
    if points and points[0].get("customdata") is not None:
        place = points[0]["customdata"]
        row = rows[int(place[0] if isinstance(place, list) else place)]
        st.markdown(words.plain("; ".join(f"{name}: {value}" for name, value in row.items() if name != "risk")))
    else:
        undrawn = undrawn_told(checked, rows)
        st.caption(f"A bar is a group of records alike; dotted: k = {checked.rule.least(checked.study.k)}.{undrawn}")


def hand_out(checked: Check, data: state.Dataset, release: gate.Given | None, called: str) -> None:
    """Hands out the verdict as a page to file, and the release, as it is called, where it may go out."""
    own = not gate.another_taken(release)
    may = own and (release is None or bool(release.text)) and checked.verdict != "stop"
    of_people = may and release is None and data.uploaded
    with st.container(horizontal=True):
        if own and st.button("Who decides", icon=":material/signature:", key="check-who"):
            ask_who(data.file)
        decided_by, reason = (who(data.file), why(data.file)) if own else ("", "")
        name = f"{data.name} (in groups)" if release is None else release.name
        decided, files = gate.decided(), gate.checked_files()
        download(
            "The verdict, one page (HTML)",
            lambda: check_html(
                checked, name, files(), decisions=list(map(str, decided)), decided_by=decided_by, reason=reason
            ),
            "verdict.html",
            icon="print",
        )
        if may and gate.passes(checked) and not (of_people and singles.to_decide(checked)) and may_be_downloaded():
            text = state.release_csv(state.recoding()) if release is None else release.text
            file = called.lower().removeprefix("the ").replace(" ", "-")
            download_table(f"{called} (CSV)", text, f"{file}.csv")
    if of_people:
        singles.show_singles(checked, None, "check")


def show_tables(checked: Check, rows: list[dict[str, object]]) -> None:
    """Shows all that the verdict rests on."""
    numbers, columns, classes, about = st.tabs(["Figures", "Columns", "Groups", "The rule"])
    with numbers:
        for title, numbers_of in figures(checked):
            table = pd.DataFrame(numbers_of, columns=[title, "value", "what it is"])
            show_table(table, f"{title}: {len(numbers_of)} figures")
    with columns:
        show_table(column_rows(checked), "Columns with their roles and looks")
    with classes:
        if rows:
            show_table(rows[:MOST_CLASSES], "Groups, the smallest first")
    with about:
        show_rule(checked.rule, checked.study.k)
        st.markdown(WRITTEN)


page()
