"""The tables that Make it publishable found, side by side, each with what becomes of its columns and rows."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from cra_dashboard.check.signing import ask_reason
from cra_dashboard.check.state import answered
from cra_dashboard.panels.stage import go_to_top
from cra_dashboard.publishable.pins import finer
from cra_dashboard.publishable.search import Sought, take
from cra_dashboard.publishable.singles import singles_of, to_decide_told, where_to_decide
from cra_dashboard.session import decisions, handed_out, state
from cra_dashboard.session.fields import act
from cra_dashboard.texts import words
from cra_dashboard.texts.notes import more_notes, notes_told
from cra_dashboard.texts.weighing import detail_counted
from cra_engine import Rule
from cra_engine.checks import asked_of, asking, demands_of, word_of
from cra_engine.options import UNBOUNDED, counted_threefold
from cra_engine.publishable import FOUND_BY_LOOKING, WORDS, Outcome, Pin, Step, rows_not_shown
from cra_engine.publishable.handed_out import missing_told
from cra_engine.publishable.outcome import BY_ROLE, HIDDEN, MOST_OUTCOMES
from cra_engine.publishable.words import FEW_GROUPS, WAY_TEXTS, pin_text
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, listed, percent, spoken

SHOWN_ROWS = 6
WITH_ROWS = "with rows"  # of what is lost of a column with its rows alone
NOT_COUNTED = "not counted"  # of what was hidden before the search
LOCAL = "groups may be coarser in some rows (ARX-LR)"
NARROW = "\u00a0"  # keeps a number and its percent sign in one line
MOST_NAMED = 1000  # rows that are left out, or hidden
BECOMES = "what becomes of it"
STARS = (
    "Rows stay with * in all that others may know, or are left out so that all others show more, where too few others "
    "are like them, or all of these share a sensitive value."
)
DRAWN = (
    "Which rows share a group is drawn by chance, so that nobody can conclude from the groups who is in them; the "
    "table that you take is drawn anew, and other rows may stay with *."
)
DOUBTFUL = (
    "Less is shown of {}, or nothing, for others may know it, as you answered. Is it what the table is for, such as a "
    "diagnosis? On Data take it out of Known to others, and call it sensitive."
)
COARSE = "{} stays, in {}."
NARROWER = " With a width beside What has to stay the next search shows narrower ones, or says why not."
FINEST = " Narrower ones are set on Hierarchies."
STANDARD = "this program's standard rule"
RULE_WHERE = "k is set on Hierarchies, all else under **The rule**, which **The table before the search** shows"


def show_outcomes(
    outcomes: Sequence[Outcome], attention: Outcome | None = None, when: str = "", *, going: Sought | None = None
) -> None:
    """Show on the page the tables that Make it publishable found, side by side; folded what somebody has to accept."""
    places = range(len(outcomes)) if going is None else [going.places[one.choice] for one in outcomes]
    taken = handed_out.taken()
    if outcomes:
        study, rule = state.results_key()[1], decisions.rule()
        told = [RULE_WHERE, *[FOUND_BY_LOOKING] * any(one.choice.way.name == "safe" for one in outcomes)]
        asked, before, ruled = demands_of(outcomes[0].checked), answered(), asked_of(rule, study.k)
        numbered = [f"1. {words.sentence(ruled.get(one.name, one.name))}" for one in asked]  # as many as are counted
        names = [one.name for one in asked]
        if before is not None and (gone := [one.name for one in demands_of(before) if one.name not in names]):
            told += [f"asked of the table before the search, and not of this one: {listed(gone)}"]
        most = counted_threefold(outcomes[0].weights)
        count = f" Of the detail {words.plain(listed(most))} {'counts' if len(most) == 1 else 'count'} threefold."
        above = outcomes[0] if taken is None or taken.problem else taken.drawn
        where = where_to_decide([one.checked for one in outcomes], None if going else above.checked)
        st.markdown(
            f"**As your table would go out{', so far' if going else ''}.** Ready: it meets all {len(asked)} demands of "
            f"{STANDARD if rule == Rule() else 'the rule that you set'}.{count * bool(most)}{where}",
            help="\n".join([*numbered, "", *(f"- {one}" for one in [*told, WORDS])]),
        )
    columns = st.columns(max(len(outcomes), 1) if going is None else MOST_OUTCOMES)  # else cards would become narrower
    single = bool(outcomes) and bool(singles_of(outcomes[0].checked)[0])  # a question above the cards comes first
    for place, outcome in zip(places, outcomes, strict=True):
        with columns[place].container(border=True):
            new = ":material/new_releases: New here. " if going is not None and outcome.choice in going.instead else ""
            kind: Literal["primary", "secondary"] = "secondary" if place or going or single else "primary"
            stays = all(pin.stays_in(outcome.study, outcome.gone) for pin in decisions.pins())
            this = taken is not None and taken.found == outcome.label
            no = None if stays else "It does not show what has to stay."
            key, label = f"publishable-take-{place}", "Taken" if this else "Take this one"
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                ready = f"**Ready{when}{to_decide_told(outcome.checked)}: {outcome.best_at}**"
                st.markdown(f"{new}:material/check_circle: {ready}", width="content")
                act(label, take, outcome, icon="check", type=kind, key=key, disabled=this or not stays, help=no)
            show_outcome(outcome)
    if outcomes:
        st.markdown("**The first rows, as they would go out**")
        titles = [words.sentence(one.best_at) for one in outcomes]
        tabs = st.tabs(titles) if len(titles) > 1 else [st.container()]
        for tab, outcome in zip(tabs, outcomes, strict=True):
            with tab:
                show_first_rows(outcome, outcome.best_at)
                show_rows_lost(outcome)
    if attention is None:
        return
    kept = f"keeps {percent(1 - attention.cost, 1)} of the detail, and goes out only with a reason of yours"
    with st.expander(f"{'Another table' if outcomes else 'A table'} {kept}", expanded=not outcomes):
        show_attention(attention)


def show_attention(outcome: Outcome) -> None:
    """Show on the page what Make it publishable found that asks somebody to look at it."""
    for finding in outcome.checked.findings:
        if finding.level != "note":
            st.markdown(f"**{word_of(finding)}.** {words.plain(finding.text)}")
    show_outcome(outcome)
    show_first_rows(outcome, "the table that asks for attention")
    show_rows_lost(outcome)
    open_ = words.plain("; ".join(asking(outcome.checked)))
    told = "The researcher reads it, with the reason."
    st.markdown(f"Take it, and you accept that this is not met or not known: **{open_}**. {told}")
    because = "It may go out all the same, because"
    ask_reason(because, "Take it, and accept this", "publishable-accept", partial(take, outcome), _taken)


def _taken() -> str:
    taken = handed_out.taken()
    return "" if taken is None else taken.called


def show_outcome(outcome: Outcome) -> None:
    """Show on the page what becomes of each column, and of rows, in a table that Make it publishable found."""
    show_kept(outcome)
    out = [one for one in outcome.steps if one.column in outcome.gone or one.text == BY_ROLE]
    shown = [one for one in outcome.steps if one.column and one not in out]
    rows = [
        (
            f"**{words.plain(one.column)}**: {words.plain(one.text)}",
            one.lost or (NOT_COUNTED if HIDDEN in one.text else WITH_ROWS),
        )
        for one in shown
    ]
    table = ["| goes out as | lost |", "|:--|--:|"]
    if outcome.left_out:
        left = rows_left_out(outcome)
        rows.append((words.plain(left.text), left.lost))
    table += [f"| {said} | {lost.replace(' ', NARROW)} |" for said, lost in rows]
    with st.container(key=f"publishable-becomes-{hash(outcome.choice)}"):
        st.markdown("\n".join(table))
    if out:
        names = [f"{one.column} ({one.lost})" if one.cost else one.column for one in out]
        st.markdown(f"**Without:** {words.plain(listed(names))}.")
    if outcome.hardly:
        least = f"one group alone, or {ROOT_LABEL} in half of the rows or more"
        st.markdown(f":material/warning: **Hardly shown:** {words.plain(f'{listed(outcome.hardly)}: {least}')}.")
    if told := notes_told(outcome.checked):
        st.markdown(f":material/info: {told}", help=more_notes(outcome.checked) or None)
    local = outcome.choice.way.name == "local"
    st.caption(words.plain(f"{'; '.join(made_by(outcome))}."), help=words.plain(UNBOUNDED) if local else None)
    if doubtful := [name for name in decisions.known_untold() if outcome.costs.get(name)]:
        st.markdown(f":material/help: {words.plain(DOUBTFUL.format(listed(doubtful)))}")
    for name, groups in loose_pins(outcome).items():
        pin = finer(next(one for one in outcome.study.attributes if one.name == name))
        told = f"{how_many(groups, 'group')}{', which say little' if groups <= FEW_GROUPS else ''}"
        if pin or groups <= FEW_GROUPS:
            more = NARROWER if pin else FINEST * (name in state.results_key()[1].names)
            st.markdown(f":material/warning: {words.plain(COARSE.format(name, told) + more)}")
        if pin:
            pins = [pin if one.name == name else one for one in decisions.pins()]
            label = words.plain(f"Keep {pin_text(pin, state.results_key()[1])}")
            key = f"publishable-finer-{name}-{hash(outcome.choice)}"
            act(label, _keep_finer, pins, help="**Search again**, above, heeds it.", key=key)
    if stay := rows_that_stay(outcome):
        st.markdown(stay)


def rows_left_out(outcome: Outcome) -> Step:
    """Say in one step how many rows a table that Make it publishable found leaves out, why, and what that loses.

    Args:
        outcome: a table that leaves rows out.
    """
    steps = [step for step in outcome.steps if step.rows]
    told = f"{outcome.left_out:,} of {how_many(outcome.checked.records + outcome.left_out, 'row')} left out"
    why = ", ".join(f"{step.rows:,} {step.why}" for step in steps) if len(steps) > 1 else steps[0].why
    return Step("", f"{told}: {why}", sum(step.cost for step in steps))


def _keep_finer(pins: Sequence[Pin]) -> None:
    decisions.use_pins(pins)
    go_to_top()  # where the width stands now, and what to press next: here it is said no more


def show_kept(outcome: Outcome) -> None:
    """Show on the page as figures what a table that Make it publishable found keeps: detail, columns, rows."""
    records, columns = outcome.checked.records, len(outcome.weights)
    with st.container(horizontal=True, gap="medium"):
        told = detail_counted(outcome.weights)
        st.metric("Detail kept", percent(1 - outcome.cost, 1), help=told, width="content")
        st.metric("Columns", f"{columns - len(outcome.gone)} of {columns}", width="content")
        st.metric("Rows", f"{records:,} of {records + outcome.left_out:,}", width="content")
    if pins := outcome.pins_kept:
        become = {one.column: one.text for one in outcome.steps}
        parts = {name: f" {percent(share, 1)}, {become[name]}" for name, share in pins.items() if share < 1}
        each = "; ".join(f"{name}{parts.get(name, ' wholly')}" for name in pins)
        st.markdown(f"**Has to stay, and is kept:** {words.plain(each)}.")


def loose_pins(outcome: Outcome) -> dict[str, int]:
    """Return the columns of numbers that have to stay, however coarse, with how many groups a table shows of them."""
    numbers = {one.name for one in outcome.study.attributes if one.numeric}
    pinned = [pin.name for pin in decisions.pins() if pin.widest is None and pin.name in numbers]
    return {name: outcome.groups_of(name) for name in pinned}


def made_by(outcome: Outcome) -> list[str]:
    """Say how a table that Make it publishable found was made, where its columns do not tell."""
    k, asked = outcome.study.k, state.results_key()[1].k
    more = f" (the search tries more than your k = {asked}, too, for the other demands)" if k != asked else ""
    way = outcome.choice.way.name
    stars = f"{how_many(outcome.suppressed, 'row')} {outcome.suppressed_told}" if outcome.suppressed else ""
    told = [
        f"k = {k}: in each group at least {k} people look alike{more}",
        LOCAL if way == "local" else WAY_TEXTS[way],
        *(one.text for one in outcome.steps if not one.column and not one.rows),
    ]
    return [*told, stars] if stars else told


def show_first_rows(outcome: Outcome, called: str) -> None:
    """Show on the page the looks of a table that Make it publishable found, as wide as the page."""
    rows = outcome.frame.head(SHOWN_ROWS).astype(str)
    st.dataframe(
        rows,
        hide_index=True,
        height=SHOWN_ROWS * 35 + 40,
        alt=f"The first rows, as they would go out: {called}",
    )
    groups = [next((cell for cell in rows[name] if spoken(cell) != cell), "") for name in rows.columns]
    if told := "; ".join(f"{one} stands for: {spoken(one)}" for one in dict.fromkeys(filter(None, groups))):
        st.caption(words.plain(f"{told}."))
    if told := missing_told(set(rows.to_numpy().ravel())):
        st.caption(words.plain(told))


def rows_that_stay(outcome: Outcome) -> str:
    """Say of rows that the line above the pages leaves out for missing values how many a table shows; or nothing.

    It leaves out those alone whose missing value it would have to show.
    """
    gaps = decisions.left_out_for_gaps()
    stay = len(gaps.difference(outcome.left_out_rows))
    if not stay or (outcome.left_out and not outcome.left_out_rows):  # while rows that are alike are counted
        return ""
    here = "stays" if stay == 1 else "stay"
    return f"Of {how_many(len(gaps), 'row')} with missing values {stay:,} {here} here: what is missing is not shown."


def show_rows_lost(outcome: Outcome) -> None:
    """Show in a fold on the page which rows of the session's table a table does not show, and why."""
    hidden = outcome.suppressed_rows
    if not hidden and not outcome.left_out_rows:
        return
    becomes = {row: why for why, rows in rows_not_shown(outcome) for row in rows}
    counts = [(len(becomes) - len(hidden), "left out"), (len(hidden), outcome.suppressed_told)]
    counted = ", ".join(f"{many:,} {what}" for many, what in counts if many)
    found = hidden or outcome.decided.in_the_way  # by the search: others were left out as somebody decided
    told = STARS + (f" {DRAWN}" if outcome.choice.way.name == "safe" else "") if found else ""
    show_rows(becomes, words.plain(f"Which rows, and why: {counted}"), told)


def show_rows(rows: Mapping[int, str], label: str, told: str = "") -> None:
    """Show in a fold on the page rows of the session's table, each with what becomes of it."""
    data = state.dataset()
    with st.expander(label):
        if told:
            st.markdown(told)
        frame = state.to_recode(whole=True)[list(state.results_key()[1].names)]
        listed_rows = sorted(rows.items())[:MOST_NAMED]
        named = frame.iloc[[row - 1 for row, _ in listed_rows]].astype(str)
        named.insert(0, BECOMES, [what for _, what in listed_rows], allow_duplicates=True)
        where, above = ("line of your file", 0) if data is not None and data.named else ("row in a spreadsheet", 1)
        named.insert(0, where, [row + above for row, _ in listed_rows], allow_duplicates=True)
        wraps = {BECOMES: st.column_config.TextColumn(width=200)}  # in rows of this height, on a telephone too
        alt = "Rows of your table, each with what becomes of it"
        st.dataframe(named, hide_index=True, alt=alt, column_config=wraps, row_height=66)
        if len(rows) > MOST_NAMED:
            st.caption(f"The first {MOST_NAMED:,} of {len(rows):,}.")
