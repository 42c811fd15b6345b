"""Make it publishable, on Check: what to change so that the table may go out, side by side, and one download."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import pandas as pd
import streamlit as st

from cra_dashboard.panels.download import download, may_be_downloaded
from cra_dashboard.panels.stage import go_to_top
from cra_dashboard.session import datasets, decisions, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.job import Job, Progress
from cra_dashboard.session.kept import Kept
from cra_dashboard.session.runs import Runs
from cra_dashboard.table.columns import repeated_rows
from cra_dashboard.texts import words
from cra_dashboard.texts.singled import alone_in_words
from cra_engine import Check, Rule, Study
from cra_engine.checks import word_of
from cra_engine.checks.findings import NO_NAMES
from cra_engine.checks.sensitive_values import (
    alike_text,
    hidden_together,
    is_left_shown,
    left_shown,
    shown_sentence,
    single_sentence,
    singles_by_decision,
    with_people,
)
from cra_engine.checks.whole_rows import beside_text
from cra_engine.criteria.diversity import Diversity
from cra_engine.files.zipped import packed_zip
from cra_engine.options import threefold_text
from cra_engine.publishable import (
    FOUND_BY_LOOKING,
    READ_AS,
    STOPPED,
    VERDICT,
    WORDS,
    Outcome,
    Pin,
    Publishable,
    best_of,
    file_name,
    packed,
    publishable,
    rows_not_shown,
    weights_text,
)
from cra_engine.raw.spellings import as_options
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import chance_at_most, duration, how_many, percent, spoken

SECONDS = 60.0
ROWS_A_SECOND = 1000  # a large table gets longer
SHOWN_ROWS = 6
EVERY = 2.0  # seconds between two looks at what was found so far
MOST_NAMED = 1000  # rows that are left out, or hidden
TAKEN_BEFORE = "Not all was tried: the table was taken before the search had ended."
STARS = (
    "Rows stay with * in all that others may know where too few others are like them, or all of these share a "
    "sensitive value."
)
DRAWN = (
    "Which rows share a group is drawn by chance, so that nobody can conclude from the groups who is in them; the "
    "table that you take is drawn anew, and other rows may stay with *."
)
OF_ALL = "Lost and kept are parts of all the detail in your table: every value just as it stands there is 100 %."
KEPT = (
    "A column in coarser groups keeps a part of its detail, one that is left out keeps nothing. {}. What if and "
    "Compare count the same as detail lost."
)
RULER = (
    "That is counted in the groups chosen here, of the table as it came in others: two rulers, so the numbers do not "
    "compare. "
)
SO_FAR = ", so far.** The search goes on; better ones may follow."
LET_GO = (
    ":material/info: The table that you took before is no longer the one to hand out, as {}. **Undo** brings it back."
)
STANDARD = "this program's standard rule"
RULE_WHERE = "The other demands are set under **The rule**, which **The table as it came** shows"
ATTENTION = ":material/warning:"
VERDICTS = {"attention": f"{ATTENTION} **Attention.**", "stop": ":material/block: **Stop.**"}
_Searched = tuple[str, Study, Rule, tuple[Pin, ...]]
_BEGUN: Kept[bool] = Kept("cra_publishable_begun")
# Of a file: how often the fields of what has to stay began anew, and what they say. A browser would send again what it
# holds of a field that stands folded, so that one whose value was changed elsewhere is another field.
_FIELDS: Kept[tuple[int, tuple[Pin, ...]]] = Kept("cra_publishable_fields")
_LET_GO: Kept[bool] = Kept("cra_publishable_let_go")  # whether a search let a table go that was taken before
# Of a file: what was found, by what it was searched in; an Undo comes back to it.
_FOUND: Kept[Mapping[_Searched, Publishable]] = Kept("cra_publishable_found")
_MOST_FOUND, _MOST_ROWS = 3, 300_000  # searches that are kept, of large tables the last alone: each holds some tables


@dataclass
class Sought(Progress):
    """The state on Make it publishable of a search: how far it is, and what it has found.

    Attributes:
        ready: every table that passes.
    """

    ready: tuple[Outcome, ...] = ()

    def found(self, outcome: Outcome) -> None:
        """Note a table that passes."""
        self.ready = (*self.ready, outcome)


def _told(job: Job[Publishable]) -> str:
    now = job.progress
    left = f", {duration(now.left)} left at most" if now.left else ""
    ready = len(now.ready) if isinstance(now, Sought) else 0
    far = f"{how_many(ready, 'table')} found that may go out." if ready else "None found yet that may go out."
    return f":material/hourglass_top: {how_many(now.done, 'possibility', 'possibilities')} tried{left}. {far}"


def _so_far(job: Job[Publishable]) -> tuple[Outcome, ...]:
    return best_of(job.progress.ready) if isinstance(job.progress, Sought) else ()


RUNS: Runs[Publishable] = Runs("publishable", _told, stop="Stop, and take what was found", patience=float("inf"))


def show(give_way: Callable[[], None]) -> bool:
    """Show on the page the offer Make it publishable, how the search goes, or what it found.

    Args:
        give_way: ends what else is calculated for the page, before a search begins.

    Returns:
        Whether it searches, or found tables that may go out: the page speaks of these then, and of no other table.
    """
    key = _key()
    job, begun = RUNS.job(key), _BEGUN.of(_file()) is not None
    if job is not None and not job.done and decisions.taken() is not None:  # an Undo took the search back
        RUNS.drop()
        job = None
    with st.container(horizontal=True, vertical_alignment="center"):
        act(
            "Search again" if begun else "Make it publishable",
            _start,
            give_way,
            type="secondary" if begun else "primary",
            icon="auto_fix_high",
            disabled=job is not None and not job.done,
            key="publishable-start",
        )
        choose_pins()
        if not begun:
            most = duration(_limit(len(state.to_recode(whole=True))))
            st.caption(f"Finds what to change, within {most}", width="content")
    if decisions.taken_as() and decisions.taken() is None:
        st.markdown(LET_GO.format("something was decided otherwise since"))
    elif _LET_GO.of(key) and not decisions.taken_as():
        st.markdown(LET_GO.format("you searched again"))
    if job is None or job.done:
        show_repeated(give_way)
    # In a place of its own: a look that comes late writes where it stood, and must not find the cards there.
    with st.container():
        going = job is not None and not RUNS.ended(job, key)
        if going:
            st.fragment(show_so_far, run_every=EVERY)(key, give_way)
    if going:
        return True
    found = _FOUND.of(_file()) or {}
    result = found.get(key) if job is None or job.result is None else job.result
    if result is not None and result.outcomes and found.get(key) is not result:
        many = max(1, min(_MOST_FOUND, _MOST_ROWS // len(state.to_recode(whole=True))))
        before = [(of, one) for of, one in found.items() if of != key]
        _FOUND.keep(_file(), dict([*before, (key, result)][-many:]))
    if result is not None and not _was_undone(result):
        return show_result(result, give_way)
    if job is not None and any(pin.widest is not None for pin in decisions.pins()):
        st.page_link("pages/hierarchies.py", label="Finer groups, on Hierarchies", icon=":material/account_tree:")
    return show_before(give_way) if begun else False


def _was_undone(result: Publishable) -> bool:
    """Whether an Undo took a search back: a table is taken again that it did not find; a search lets every table go."""
    return decisions.taken() is not None and not _holds_taken(result)


def _holds_taken(result: Publishable) -> bool:
    taken = decisions.taken()
    tables = [one for one in (*result.outcomes, result.attention) if one is not None]
    return taken is not None and any(one.label == taken.found for one in tables)


def show_before(give_way: Callable[[], None]) -> bool:
    """Show on the page what Make it publishable found before something was asked to stay, until it searches again."""
    found, same = _FOUND.of(_file()) or {}, _same_people(_key())
    theirs = [one for of, one in reversed(list(found.items())) if _same_people(of) == same]
    before = next(iter([*filter(_holds_taken, theirs), *theirs]), None)
    taken = decisions.taken()
    tables = [*(before.outcomes if before else ()), *([taken.drawn] if taken else ())]
    if not tables:
        return False
    if not show_taken(give_way):
        show_singles(tables[0].checked, give_way)
    if before is not None:
        st.caption("Found before your last change of what has to stay, or of a hierarchy; **Search again** heeds it.")
        show_outcomes(before.outcomes, when=", before your change")
    return True


def show_repeated(give_way: Callable[[], None]) -> None:
    """Offer on the page to have Make it publishable leave rows out that repeat another in every column."""
    data = state.dataset()
    rows = () if data is None else repeated_rows(data)
    if rows:
        with st.container(horizontal=True, vertical_alignment="center"):
            repeat = how_many(len(rows), "row repeats", "rows repeat")
            st.markdown(f"{repeat} another in every column: whoever stands in two rows counts as two people.")
            act(
                f"Leave {how_many(len(rows), 'row')} out, and search",
                _leave_out,
                rows,
                decisions.REPEATS,
                give_way,
                key="publishable-twice",
            )


def _key() -> _Searched:
    return (*state.results_key(), decisions.rule(), decisions.pins())


def _same_people(key: _Searched) -> tuple[object, ...]:
    """What a table that was found stays right for: the same people, roles, rule and answers about missing values."""
    digest, study, rule, _ = key
    return digest, study.roles, study.names, study.k, tuple(one.missing for one in study.attributes), rule


def _file() -> str:
    data = state.dataset()
    return data.file if data is not None else ""


def _leave_out(rows: tuple[int, ...], why: str, give_way: Callable[[], None]) -> None:
    with state.one_change():
        decisions.leave_out(rows, why)
        _start(give_way)


def _limit(rows: int) -> float:
    """The seconds that a search may take."""
    return SECONDS + rows / ROWS_A_SECOND


def _start(give_way: Callable[[], None]) -> None:
    give_way()
    frame, study, rule, progress = state.to_recode(whole=True), state.results_key()[1], decisions.rule(), Sought()
    pins, without = decisions.pins(), decisions.left_out()
    limit = _limit(len(frame))

    def compute(cancelled: Callable[[], bool]) -> Publishable:
        return publishable(
            frame,
            study,
            rule,
            pins=pins,
            without_rows=without,
            time_limit=limit,
            progress=progress.tell,
            found=progress.found,
            cancelled=cancelled,
        )

    go_to_top()
    if decisions.taken_as():
        decisions.take_no_longer()
        _LET_GO.keep(_key(), value=True)
    _BEGUN.keep(_file(), value=True)
    RUNS.start(_key(), compute, limit, progress)


def choose_pins() -> None:
    """Ask on the page, before Make it publishable searches, what has to stay of which columns."""
    study, pins = state.results_key()[1], {pin.name: pin for pin in decisions.pins()}
    removed = set(study.roles.remove)
    names = [column for column in map(str, state.to_recode().columns) if column not in removed]
    here, told = _FIELDS.of(_file()) or (0, decisions.pins())
    if told != decisions.pins():  # by an Undo, or a project
        here += 1
    _FIELDS.keep(_file(), (here, decisions.pins()))
    with st.popover("What has to stay", icon=":material/push_pin:"):
        chosen = st.multiselect(
            "Columns that have to stay",
            names,
            [name for name in pins if name in names],
            key=f"publishable-pins-{here}",
            on_change=_take_pins,
            args=(here,),
        )
        for attribute in study.attributes:
            if attribute.name in chosen and attribute.numeric:
                number = int if _whole(attribute) else float
                unit = f"{attribute.unit}s" if attribute.dates else attribute.unit
                st.number_input(
                    f"Widest groups of {words.plain(attribute.name)}{f', in {unit}' if unit else ''} "
                    "(0: as wide as need be)",
                    number(0),
                    value=number(pins.get(attribute.name, Pin(attribute.name)).widest or 0),
                    key=f"publishable-width-{attribute.name}-{here}",
                    on_change=_take_pins,
                    args=(here,),
                    help="In the numbers of the column: 10 keeps an age in groups of ten years. Rows that would show "
                    "wider ones stay with * in all that others may know.",
                )


def _whole(attribute: Hierarchy) -> bool:
    ends = [Decimal(end) for node in attribute.layer_nodes[0] if not node.coded for end in (node.lower, node.upper)]
    return all(end % 1 == 0 for end in ends)


def _take_pins(here: int) -> None:
    chosen = st.session_state[f"publishable-pins-{here}"]
    widths = {name: st.session_state.get(f"publishable-width-{name}-{here}", 0.0) for name in chosen}
    decisions.use_pins(Pin(name, Decimal(str(width)) if width else None) for name, width in widths.items())
    _FIELDS.keep(_file(), (here, decisions.pins()))


def show_so_far(key: tuple[object, ...], give_way: Callable[[], None]) -> None:
    """Show on the page what Make it publishable has found while it goes on."""
    job = RUNS.job(key)
    if job is not None and not job.done:
        if ready := _so_far(job):
            show_outcomes(ready, going=True)
        else:
            show_before(give_way)


def show_result(found: Publishable, give_way: Callable[[], None]) -> bool:
    """Show on the page what Make it publishable found, or why nothing may go out; whether it found anything."""
    if not found.outcomes and found.end == STOPPED:
        st.info("You stopped the search; nothing was found until then. Search again goes on from the start.")
        return False
    for note in found.warnings:
        if note not in (FOUND_BY_LOOKING, found.left_out_told):  # one click away, at the table that it is about
            st.caption(words.plain(state.in_file(note)))
    if not found.outcomes:
        show_nearest(found, give_way)
        return False
    # Where the cards stood: whoever pressed a button there sees the download in their place.
    if show_taken(give_way):
        with st.expander("The tables that were found, to take another one"):
            show_outcomes(found.outcomes, found.attention)
            show_kept_away(found, give_way)
        return True
    show_singles(found.outcomes[0].checked, give_way)
    show_outcomes(found.outcomes, found.attention)
    show_kept_away(found, give_way)
    return True


def show_kept_away(found: Publishable, give_way: Callable[[], None]) -> None:
    """Show on the page what few people keep away from what Make it publishable found, and what was dropped for it."""
    if gone := decisions.left_out():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"You left out {words.plain(decisions.left_out_text())}.")
            label = f"Put {'this row' if len(gone) == 1 else f'all {len(gone):,}'} back into the table"
            told = "Takes these answers back; then search again."
            act(label, decisions.leave_in, help=told, key="publishable-leave-in")
    for one in found.kept_away:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(words.plain(state.in_file(str(one))))
            act(
                f"Leave out {how_many(len(one.rows), 'row')} for {words.plain(one.column)}, search again",
                _leave_out,
                one.rows,
                f"so that {one.column} can stay",
                give_way,
                help=f"They are {percent(len(one.rows) / len(state.to_recode(whole=True)))} of all rows. "
                "Afterwards they can be left in again.",
                key=f"publishable-without-{one.column}",
            )
        if one.stays:
            show_rows(dict.fromkeys(one.rows, "in the way"), f"Which rows: {how_many(len(one.rows), 'row')}")
    if found.dropped:
        with st.expander("What keeps more, and is not Ready"):
            for outcome in found.dropped:
                told = next((finding.text for finding in outcome.checked.findings if finding.level != "note"), "")
                st.markdown(f"{VERDICTS[outcome.checked.verdict]} {words.plain(f'{outcome.label}. {told}')}")


def singles_of(checked: Check) -> tuple[list[tuple[str, tuple[str, ...]]], list[tuple[str, tuple[str, ...]]]]:
    """Return the sensitive values that single people have in a checked table: undecided ones, and those left shown."""
    columns = [one.column for one in checked.diversity]
    return singles_by_decision(checked.frame, columns, [one.what for one in decisions.noted()])


def show_singles(checked: Check, give_way: Callable[[], None] | None, of: str = "publishable") -> None:
    """Ask on the page whether sensitive values that single people have in a checked table are hidden or stay.

    Args:
        checked: the table.
        give_way: as in :func:`show`; None where a search need not follow what is hidden.
        of: what the keys of the buttons begin with.
    """
    asked, shown = singles_of(checked)
    for name, values in shown:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(words.plain(shown_sentence(name, values)))
            act("Decide anew", decisions.ask_again_of_shown, name, key=f"{of}-anew-{name}")
    for name, values in asked:
        together = hidden_together(checked.frame[name])
        them = "it" if len(values) == 1 else "them"
        rows = f"{sum(people for _, people in together):,} of {how_many(len(checked.frame), 'row')}"
        along = f"To hide {them} puts"
        # A button on a telephone is too narrow to name what goes with them.
        if others := [one for one in together if one[0] not in values]:
            along = f"Alone behind {ROOT_LABEL} it would still tell its row, so the next rarest goes with it, "
            along += f"{with_people(others)}:"
        st.markdown(words.plain(f"{single_sentence(name, values)} {along} {ROOT_LABEL} in {rows}."))
        with st.container(horizontal=True):
            label = words.plain(f"Hide {with_people(together)}{'' if give_way is None else ', search again'}")
            what = f"Shows {ROOT_LABEL} in their place; the rows stay."
            act(label, _hide, name, together, give_way, help=what, key=f"{of}-hide-{name}")
            kept = "It stands in the verdict as your decision; it can be decided anew here."
            left = (left_shown(name, values),)
            act(f"Leave {them} shown", decisions.decide, *left, help=kept, key=f"{of}-leave-{name}")


def _hide(name: str, values: Sequence[tuple[str, int]], give_way: Callable[[], None] | None) -> None:
    data, people = state.dataset(), sum(many for _, many in values)
    if data is not None:
        with state.one_change():
            read = datasets.with_cells_read_as(data, name, dict.fromkeys([value for value, _ in values], ROOT_LABEL))
            state.read_otherwise(read, state.study())
            who = how_many(people, "person", "people")
            # What was left shown before may be hidden now; what stays of it is asked anew.
            said = f"{name}: {how_many(len(values), 'value')} of {who} hidden, so that no * tells one of them"
            decisions.note(said, over=lambda what: is_left_shown(what, name))
            if give_way is not None:
                _start(give_way)


def show_taken(give_way: Callable[[], None]) -> bool:
    """Show on the page the table that was taken of what Make it publishable found; whether there is one to hand out."""
    taken, data = decisions.taken(), state.dataset()
    if taken is None or data is None:
        return False
    if taken.problem:
        st.error(words.plain(f"As it would be handed out this does not pass: {taken.problem}"), icon=":material/block:")
        return False
    drawn, checked, asked = taken.drawn, taken.drawn.checked, len(singles_of(taken.drawn.checked)[0])
    risk = "none" if checked.risk is None else f"at most {chance_at_most(checked.risk.prosecutor_max)}"
    whole = checked.whole_rows
    beside = f"; {whole.smallest:,} with {words.plain(beside_text(whole.columns))}" if whole is not None else ""
    verdict = "Ready" if drawn.ready else "Attention, accepted"
    first = f" {'One thing is' if asked == 1 else f'{asked} things are'} yours to decide first, below." if asked else ""
    (st.warning if asked else st.success)(
        f"**{verdict}.{first}** The table that you took: {words.plain(taken.label)}.\n\n"
        f"**Smallest group:** {checked.k or 'none'} alike (at least {drawn.study.k} wanted){beside}. "
        f"**Rows published:** {checked.records:,} of {checked.records + drawn.left_out:,}. "
        f"**Chance to pick somebody's row:** {risk}. "
        f"**Stands alone to a stranger who has only this file:** {alone_in_words(checked.assessment)}. "
        + RULER * (drawn.study.attributes != state.results_key()[1].attributes)
        + words.plain(" ".join([*map(_alike, checked.diversity), drawn.stars_told, *drawn.gone_values]))
        + (" **You took another table of these people, too: hand out one only.**" * decisions.another_taken()),
        icon=":material/front_hand:" if asked else ":material/check_circle:",
    )
    show_singles(checked, give_way)
    if asked or not may_be_downloaded():
        return True
    said = tuple(one for one in decisions.noted() if is_left_shown(one.what))
    files = state.once("publishable-files", (drawn.seed, said), lambda: taken.files_with(said))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        own = taken.called
        name = st.text_input("Name of the archive", own, key=f"publishable-name-{own}", max_chars=120)
        packed = state.once("publishable-zip", (_key(), drawn.seed, said), lambda: packed_zip(files))
        hint = (
            "To hand out: the table, for Excel and for programs, how to read it, and its study. To keep: the verdict, "
            "the settings, and a script by which a programmer can make all of it again; nobody else needs it."
        )
        called = file_name(name.strip() or own, "zip")
        download("All of it in one file (ZIP)", packed, called, key="publishable-zip", hint=hint)
        if st.button("Open the verdict", icon=":material/description:", key="publishable-verdict"):
            show_verdict(str(files[VERDICT]))
    if decisions.another_taken():
        label = "What two tables of the same people tell together, on Several releases"
        st.page_link("pages/together.py", label=label, icon=":material/layers:")
    st.caption("Its folder **hand-out** goes to those who asked for the table; **keep** stays with you.")
    show_rows_lost(drawn)
    return True


def _alike(one: Diversity) -> str:
    return f"{words.sentence(alike_text(one))}."


@st.dialog("The verdict, as it stands in the archive", width="large")
def show_verdict(page: str) -> None:
    """Show over the page the verdict on the table that was taken of what Make it publishable found."""
    st.iframe(page, height=560)


def show_outcomes(
    outcomes: Sequence[Outcome], attention: Outcome | None = None, when: str = "", *, going: bool = False
) -> None:
    """Show on the page the tables that Make it publishable found, side by side; folded what somebody has to accept."""
    if outcomes:
        study, rule = state.results_key()[1], decisions.rule()
        told = [words.sentence(demand) for demand in rule.demands(study.k)]
        told += [f"k = {study.k}: how many people have to look alike is your choice, on Hierarchies", RULE_WHERE]
        told += [FOUND_BY_LOOKING] if any(one.choice.way.name == "safe" for one in outcomes) else []
        many = len(rule.demands(study.k))
        threefold = threefold_text(outcomes[0].weights)
        counted = f"In the detail kept, {words.plain(threefold)}. " if threefold else ""
        st.markdown(
            f"**As your table would go out{SO_FAR if going else '.**'} Ready: it meets all {many} demands of "
            f"{STANDARD if rule == Rule() else 'the rule that you set'}. {WORDS} "
            f"{counted}What its reader needs can be held under **What has to stay**.",
            help="\n".join(f"- {one}" for one in told),
        )
    columns, taken = st.columns(max(len(outcomes), 1)), decisions.taken()
    for place, (outcome, column) in enumerate(zip(outcomes, columns, strict=False)):
        with column.container(border=True):
            st.markdown(f":material/check_circle: **Ready{when}: {outcome.best_at}**")
            kind: Literal["primary", "secondary"] = "secondary" if place or going else "primary"
            stays = all(pin.stays_in(outcome.study, outcome.gone) for pin in decisions.pins())
            this = taken is not None and taken.found == outcome.label
            no = None if stays else "It does not show what has to stay."
            key, label = f"publishable-take-{place}", "Taken" if this else "Take this one"
            act(label, _take, outcome, icon="check", type=kind, key=key, disabled=this or not stays, help=no)
            show_outcome(outcome)
    if outcomes:
        st.markdown("**The first rows, as they would go out**")
        for tab, outcome in zip(st.tabs([words.sentence(one.best_at) for one in outcomes]), outcomes, strict=True):
            with tab:
                show_first_rows(outcome, outcome.best_at)
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
    why = st.text_input("It may go out all the same, because", key="publishable-why", max_chars=300).strip()
    label = "Take it, with this reason"
    act(label, _take, outcome, why, icon="check", disabled=not why, key="publishable-accept")


def show_nearest(found: Publishable, give_way: Callable[[], None]) -> None:
    """Show on the page why nothing passes, what may be done about it, and the table that comes nearest to it."""
    if found.attention is not None:
        st.warning("Nothing was found that is Ready; this may go out once somebody has looked at it.", icon=ATTENTION)
        show_kept_away(found, give_way)
        show_outcomes((), found.attention)
        return
    st.error(words.plain(found.why_not), icon=":material/block:")
    show_kept_away(found, give_way)
    nearest = found.nearest
    if nearest is None or NO_NAMES in {finding.code for finding in nearest.checked.findings}:
        return
    st.markdown("**The nearest table, which may not go out.** Let more go, or let it become coarser, and search again.")
    with st.container(border=True):
        show_outcome(nearest)
        show_first_rows(nearest, "the nearest table")
    if found.without:
        left = pd.DataFrame(found.without, columns=["without this column", "people who share a row with too few"])
        st.dataframe(left, hide_index=True, alt="People in the way without each column, the fewest first")


def show_outcome(outcome: Outcome) -> None:
    """Show on the page what becomes of each column, and of rows, in a table that Make it publishable found."""
    st.markdown(words.plain(f"{outcome.label}."), help=KEPT.format(words.sentence(weights_text(outcome))))
    # A list breaks where its card ends, which a table does not.
    st.markdown(
        "\n".join(f"- **{words.plain(one.column or 'rows')}**: {words.plain(one.said)}" for one in outcome.steps)
    )
    st.caption(OF_ALL)
    show_rows_lost(outcome)


def show_first_rows(outcome: Outcome, called: str) -> None:
    """Show on the page the looks of a table that Make it publishable found, as wide as the page."""
    rows = outcome.frame.head(SHOWN_ROWS).astype(str)
    st.dataframe(
        rows,
        hide_index=True,
        height=SHOWN_ROWS * 35 + 40,
        alt=f"The first rows, as they would go out: {called}",
    )
    if group := next((cell for cell in rows.to_numpy().ravel() if spoken(cell) != cell), ""):
        st.caption(words.plain(f"{group} stands for: {spoken(group)}."))


def show_rows_lost(outcome: Outcome) -> None:
    """Show in a fold on the page which rows of the session's table a table does not show, and why."""
    hidden = outcome.suppressed_rows
    if not hidden and not outcome.left_out_rows:
        return
    becomes = {row: why for why, rows in rows_not_shown(outcome) for row in rows}
    told = STARS + (f" {DRAWN}" if outcome.choice.way.name == "safe" else "") if hidden else ""
    show_rows(becomes, f"Which rows: {how_many(len(becomes), 'row')}, and why", told)


def show_rows(rows: Mapping[int, str], label: str, told: str = "") -> None:
    """Show in a fold on the page rows of the session's table, each with what becomes of it."""
    data = state.dataset()
    with st.expander(label):
        if told:
            st.markdown(told)
        frame = state.to_recode(whole=True)[list(state.results_key()[1].names)]
        listed_rows = sorted(rows.items())[:MOST_NAMED]
        named = frame.iloc[[row - 1 for row, _ in listed_rows]].astype(str)
        named.insert(0, "what becomes of it", [what for _, what in listed_rows], allow_duplicates=True)
        where, above = ("line of your file", 0) if data is not None and data.named else ("row in a spreadsheet", 1)
        named.insert(0, where, [row + above for row, _ in listed_rows], allow_duplicates=True)
        st.dataframe(named, hide_index=True, alt="Rows of your table, each with what becomes of it")
        if len(rows) > MOST_NAMED:
            st.caption(f"The first {MOST_NAMED:,} of {len(rows):,}.")


def _take(outcome: Outcome, why: str = "") -> None:
    """Draws the table once, with coins that nobody knows, and packs what belongs to it; with a reason for Attention."""
    known = (_FOUND.of(_file()) or {}).values()
    search = next(
        (one.thoroughness for one in known if any(outcome is table for table in (*one.outcomes, one.attention))),
        TAKEN_BEFORE,
    )
    if RUNS.going:
        RUNS.cancel()
    data, frame = state.dataset(), state.to_recode(whole=True)
    if data is None:
        return
    # The archive says itself what was taken, and what had to stay.
    said = (decisions.PUBLISHED, decisions.STAYS)
    noted = [one for one in decisions.noted() if not (one.what.startswith(said) or is_left_shown(one.what))]
    noted += decisions.unanswered()
    # Columns that are no quasi-identifiers were searched as they stand in the file.
    grouped = state.results_key()[1].names
    reading = [f"--name={one}" for one in data.named]
    reading += [f"--decimal-of={one}={sign}" for one, sign in data.decimals.items() if one in grouped]
    reading += [f"{READ_AS}{said}" for one, meant in data.read_as.items() for said in as_options(one, meant)]
    name = file_name(data.name)
    taken = packed(outcome, name, frame, name, reading, search=search, why=why, noted=noted)
    decisions.take(taken, why)
