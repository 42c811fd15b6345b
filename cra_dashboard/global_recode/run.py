"""Recoding beside the page: start, progress, stop, and what is there in the end."""

from dataclasses import dataclass
from decimal import Decimal

import pandas as pd
import streamlit as st

from cra_dashboard.session import keys, state
from cra_dashboard.session.job import Progress
from cra_dashboard.session.kept import Kept
from cra_dashboard.session.runs import Runs, counted, soon_over
from cra_engine import GlobalRecoding, Study
from cra_engine.choices import Search
from cra_engine.publish.full_domain.check import check_global_release
from cra_engine.publish.full_domain.outcome import lattice_table
from cra_engine.publish.full_domain.prices import Price, prices
from cra_engine.publish.full_domain.recoding import FullDomain, allowed
from cra_engine.publish.full_domain.search import Looks

_OUTCOME: Kept["Outcome"] = Kept("cra_global_recode")


@dataclass(frozen=True)
class Settings:
    """The settings that a person chose on Global recode.

    Attributes:
        study: hierarchies, k and privacy models.
        limit: the largest share of all records that may be suppressed.
        utility: the loss that decides.
    """

    study: Study
    limit: Decimal
    utility: str


@dataclass(frozen=True, eq=False)
class Outcome:
    """The outcome of a run of Global recode.

    Attributes:
        settings: what was asked for.
        recoding: the release, and what the search found out.
        whole: the table, for another search.
        every: the figures of every state, for the pictures.
        prices: what each model costs.
    """

    settings: Settings
    recoding: GlobalRecoding
    whole: FullDomain
    every: Looks
    prices: tuple[Price, ...]


RUNS: Runs[Outcome] = Runs("global recode", counted("states", "settled"), stop="Stop")


def compute(data: pd.DataFrame, settings: Settings, progress: Progress) -> Outcome:
    """Recode globally for the page, look at every state for the pictures, and see what each privacy model costs."""
    criteria = settings.study.criteria
    whole = FullDomain(data, settings.study, criteria)
    limit = allowed(whole.table.records, settings.limit, None)
    recoding = whole.recode(limit, utility=settings.utility, progress=progress.tell)
    check_global_release(data, recoding)
    every = whole.searcher(criteria, limit, entropies=True, progress=progress.tell).exhaustive()
    cost = prices(whole, limit, settings.utility) if len(criteria) > 1 else ()
    return Outcome(settings, recoding, whole, every, cost)


def start(data: state.Dataset, settings: Settings) -> None:
    """Recode the session's table on Global recode; to be called from a widget's callback."""
    frame, progress = data.frame, Progress()
    _OUTCOME.drop()
    soon = soon_over(settings.study.attributes, len(frame))
    RUNS.start(data.digest, lambda _: compute(frame, settings, progress), progress=progress, soon=soon)


def start_once(data: state.Dataset, settings: Settings) -> None:
    """Recode the session's table on Global recode unless that was begun, stopped or done before."""
    if outcome(data) is None and RUNS.job(data.digest) is None and not RUNS.cancelled(data.digest):
        start(data, settings)


def searched(found: Outcome, search: Search) -> Looks:
    """Return what another search looks at on Global recode until the same state is proven."""
    if search == "flash":
        return found.recoding.looks
    searcher = found.whole.searcher(found.recoding.criteria, found.recoding.limit, entropies=False)
    return state.once(f"gr-{search}", found, lambda: searcher.search(search))


def states(found: Outcome) -> pd.DataFrame:
    """Return the figures of every state of Global recode as a table, and whether each was checked or predicted."""
    table = lattice_table(found.settings.study.names, found.every)
    table["settled"] = ["checked" if looked else "predicted" for looked in found.recoding.looks.looked.ravel()]
    return table


def outcome(data: state.Dataset) -> Outcome | None:
    """Return the outcome on Global recode that the session holds for its present table; None before there was one."""
    return _OUTCOME.of(data.digest)


def panel(data: state.Dataset) -> bool:
    """Show how the run of Global recode goes, take over its result, or say what went wrong; True while it runs."""
    found: list[Outcome] = []
    running = RUNS.taken_over(data.digest, found.append)
    for one in found:
        _OUTCOME.keep(data.digest, one)
        st.session_state.setdefault(keys.RECODED, []).append(str(one.settings.limit))
        # What stands above, a lesson for one, is to see it too.
        st.rerun()
    return running
