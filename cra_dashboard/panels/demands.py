"""The check-list of a verdict: a row per demand with its mark and its figure, which opens to what was found."""

from collections.abc import Callable

import streamlit as st

from cra_dashboard.texts import words
from cra_dashboard.texts.notes import notes_told
from cra_engine import Check
from cra_engine.checks import TITLES, Demand, demands_of, meaning_of, word_of
from cra_engine.checks.outcome import Finding
from cra_engine.words import how_many, spoken

BOXES = {
    "ready": (st.success, ":material/check_circle:"),
    "attention": (st.warning, ":material/warning:"),
    "stop": (st.error, ":material/block:"),
}


def show_verdict(checked: Check, more: str, first: str = "", of: str = "") -> None:
    """Show the verdict on a release in its colour, in a sentence.

    Args:
        checked: what was found.
        more: Markdown that follows.
        first: what somebody has to do before the release goes out, in place of the verdict's word.
        of: Markdown before it, where the release is another than one would think.
    """
    box, icon = (st.warning, ":material/front_hand:") if first else BOXES[checked.verdict]
    accepted = ", accepted" if checked.all_accepted else ""
    told = f"{of}{first or f'**{TITLES[checked.verdict]}{accepted}.** {words.plain(meaning_of(checked))}'} {more}"
    notes = f"\n\n{notes_told(checked)}" if checked.verdict == "ready" or checked.all_accepted else ""
    box(f"{told}{notes}", icon=icon)


def show_demands(checked: Check, do_about: Callable[[Finding, Demand], None] = lambda *_: None) -> None:
    """Show each demand that a release was held against: what is not met first, and what is met folded.

    Args:
        checked: what was found.
        do_about: shows what can be done about a finding of a demand; nothing when left out.
    """
    demands = demands_of(checked)
    for one in demands:
        if one.mark != "met":
            with st.expander(_line(one)):
                for finding in one.findings:
                    st.markdown(_said(finding))
                    do_about(finding, one)
                if one.asked:
                    st.caption(words.plain(one.asked))
    if met := [one for one in demands if one.mark == "met"]:
        more = "more " if len(met) < len(demands) else ""
        with st.expander(f"{words.MARKS['met']} {how_many(len(met), f'{more}demand is', f'{more}demands are')} met"):
            for one in met:
                st.markdown(f"{_line(one)}. {words.plain(one.asked)}".strip())
                for finding in one.findings:
                    st.markdown(f"- {_said(finding)}")
                    do_about(finding, one)


def _line(demand: Demand) -> str:
    figure = f": {words.plain(demand.figure)}" if demand.figure else ""
    return f"{words.MARKS[demand.mark]} **{words.plain(words.sentence(demand.title))}**{figure}"


def _said(finding: Finding) -> str:
    accepted = f" *{words.plain(finding.accepted)}*" if finding.accepted else ""
    return f"**{word_of(finding)}.** {words.plain(spoken(finding.text))}{accepted}"
