"""The search of Make it publishable: how it goes, what it found, and what is taken of that."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil

from cra_dashboard.panels.stage import go_to_top
from cra_dashboard.session import decisions, handed_out, state
from cra_dashboard.session.job import Job, Progress
from cra_dashboard.session.kept import Kept, most_kept
from cra_dashboard.session.runs import Runs
from cra_engine import Rule, Study
from cra_engine.checks.project import Decision
from cra_engine.checks.sensitive_values import is_left_shown
from cra_engine.publishable import (
    READ_AS,
    Choice,
    Decided,
    Outcome,
    Pin,
    Publishable,
    best_of,
    file_name,
    packed,
    publishable,
    search_on,
)
from cra_engine.publishable.outcome import MOST_OUTCOMES
from cra_engine.raw.spellings import as_options
from cra_engine.words import how_many

SECONDS = 60.0
ROWS_A_SECOND = 1000  # a large table gets longer
TAKEN_BEFORE = "Not all was tried: the table was taken before the search had ended."
Searched = tuple[str, Study, Rule, tuple[Pin, ...], tuple[str, ...]]
BEGUN: Kept[bool] = Kept("cra_publishable_begun")
LET_GO_BY: Kept[bool] = Kept("cra_publishable_let_go")  # whether a search let a table go that was taken before
# Of a file: what was found, by what it was searched in; an Undo comes back to it.
_FOUND: Kept[Mapping[Searched, Publishable]] = Kept("cra_publishable_found")


@dataclass
class Sought(Progress):
    """The state on Make it publishable of a search: how far it is, and what it has found.

    Attributes:
        ready: every table that passes.
        shown: whether the page has drawn the best of them, which takes it a while.
        places: of each table that the page shows, where it stands.
        instead: those of them that took the place of another one.
        known: what was found before, where it searches on.
    """

    ready: tuple[Outcome, ...] = ()
    shown: bool = False
    places: dict[Choice, int] = field(default_factory=dict)
    instead: set[Choice] = field(default_factory=set)
    known: Publishable | None = None

    def found(self, outcome: Outcome) -> None:
        """Note a table that passes."""
        self.ready = (*self.ready, outcome)

    def placed(self) -> list[Outcome]:
        """Return the best of the tables that pass in their places, where whoever is about to press on one finds it.

        One that stays keeps its place, and a new one stands behind all others, where there is room.
        """
        best, taken = best_of(self.ready), set(self.places.values())
        stay = {one.choice: self.places[one.choice] for one in best if one.choice in self.places}
        free = iter(sorted(set(range(MOST_OUTCOMES)) - set(stay.values()), key=lambda place: (place in taken, place)))
        self.places = {one.choice: stay[one.choice] if one.choice in stay else next(free) for one in best}
        self.instead |= {which for which, place in self.places.items() if which not in stay and place in taken}
        return sorted(best, key=lambda one: self.places[one.choice])


def _told(job: Job[Publishable]) -> str:
    now = job.progress
    # By the clock: the search tells of itself between two tables alone, of which one may take long.
    left = ceil(job.limit - job.elapsed)
    more = f", at most {left:,} s more" if left > 0 else "; the time is over, and it is ending"
    # Not their number: of those that pass the cards show the best alone, and each has its own time to be drawn again.
    tried = f"{how_many(now.done, 'possibility', 'possibilities')} tried{more}."
    if not (isinstance(now, Sought) and now.ready):
        return f":material/hourglass_top: {tried} None found yet that may go out."
    if not now.shown:
        return f":material/hourglass_top: {tried}"
    return f":material/check: **What may go out stands below already: take it, or wait for what keeps more.** {tried}"


def _stop(job: Job[Publishable]) -> str:
    found = isinstance(job.progress, Sought) and job.progress.ready
    return "Stop, and show what was found" if found else "Stop, with nothing found yet"


RUNS: Runs[Publishable] = Runs("publishable", _told, stop=_stop, patience=float("inf"))


def searched() -> Searched:
    """Return what Make it publishable searches in now: table, study, rule, what has to stay, what was too many."""
    return (*state.results_key(), decisions.rule(), decisions.pins(), decisions.removed_as_too_many())


def file_searched() -> str:
    """Return the session's file that Make it publishable is about, by its digest."""
    data = state.dataset()
    return data.file if data is not None else ""


def same_people(key: Searched) -> tuple[object, ...]:
    """Return what a table that Make it publishable found stays right for: people, roles, rule, missing values."""
    digest, study, rule, *_ = key
    return digest, study.roles, study.names, study.k, tuple(one.missing for one in study.attributes), rule


def most_seconds(rows: int) -> float:
    """Return the seconds that a search of Make it publishable may take for so many rows."""
    return SECONDS + rows / ROWS_A_SECOND


def begin(give_way: Callable[[], None], known: Publishable | None = None) -> None:
    """Let Make it publishable search in the session's table, or on from what is known; all else gives way."""
    give_way()
    frame, study, rule = state.to_recode(whole=True), state.results_key()[1], decisions.rule()
    progress = Sought() if known is None else Sought(known.tried, ready=known.outcomes, known=known)
    pins, without = decisions.pins(), decisions.left_out(state.dataset())
    removed = decisions.removed_as_too_many()
    limit = most_seconds(len(frame))

    def compute(cancelled: Callable[[], bool]) -> Publishable:
        if known is not None:
            return search_on(known, time_limit=limit, progress=progress.tell, found=progress.found, cancelled=cancelled)
        return publishable(
            frame,
            study,
            rule,
            pins=pins,
            without_rows=without,
            removed=removed,
            time_limit=limit,
            progress=progress.tell,
            found=progress.found,
            cancelled=cancelled,
        )

    go_to_top()
    if handed_out.taken_as():
        handed_out.take_no_longer()
        LET_GO_BY.keep(searched(), value=True)
    BEGUN.keep(file_searched(), value=True)
    RUNS.start(searched(), compute, limit, progress)


def searched_in_vain(found: Publishable) -> str:
    """Say how long the search that has just ended searched on, where it found nothing better; or nothing."""
    job = RUNS.job(searched())
    known = job.progress.known if job is not None and job.result is found and isinstance(job.progress, Sought) else None
    if known is None or _tables(known) != _tables(found):
        return ""
    what = "better" if _tables(found) else "that may go out"
    return f"In {max(1, round(found.seconds - known.seconds)):,} s more nothing {what} was found."


def _tables(found: Publishable) -> list[tuple[Choice, Decided]]:
    """What tells whether two searches found the same: how each table was published, with which rows."""
    tables = [*found.outcomes, *([found.attention] if found.attention else [])]
    return [(one.choice, one.decided) for one in tables]


def leave_out_and_begin(rows: tuple[int, ...], why: str, give_way: Callable[[], None]) -> None:
    """Leave rows out of the session's table, and let Make it publishable search without them, in one change."""
    with state.one_change():
        decisions.leave_out(rows, why)
        begin(give_way)


def keep_found(result: Publishable) -> None:
    """Keep in the session what a search of Make it publishable found, so that an Undo comes back to it."""
    found, now = found_so_far(), searched()
    if (result.outcomes or result.attention) and found.get(now) is not result:
        many = most_kept(state.records())
        before = [(of, one) for of, one in found.items() if of != now]
        _FOUND.keep(file_searched(), dict([*before, (now, result)][-many:]))


def found_so_far() -> Mapping[Searched, Publishable]:
    """Return what was found in the session's file by the searches of Make it publishable that are kept."""
    return _FOUND.of(file_searched()) or {}


def was_undone(result: Publishable) -> bool:
    """Return whether an Undo took a search of Make it publishable back: a table is taken that it did not find.

    A search lets every table go.
    """
    return handed_out.taken() is not None and not holds_taken(result)


def holds_taken(result: Publishable) -> bool:
    """Return whether the table that was taken is one that this search of Make it publishable found."""
    taken = handed_out.taken()
    tables = [one for one in (*result.outcomes, result.attention) if one is not None]
    return taken is not None and any(one.label == taken.found for one in tables)


def take(outcome: Outcome, why: str = "") -> None:
    """Take a table that Make it publishable found: drawn once, with coins that nobody knows, and packed.

    Args:
        outcome: the table.
        why: the reason for which it goes out, where it asks for attention.
    """
    known = found_so_far().values()
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
    if data.sha256:  # which whoever keeps the file can work out without this program
        said_of_file = f"the file as it was uploaded: SHA-256 {data.sha256}"
        noted.append(Decision(decisions.today(), said_of_file))
    # Columns that are no quasi-identifiers were searched as they stand in the file.
    grouped = state.results_key()[1].names
    reading = [f"--name={one}" for one in data.named]
    reading += [f"--decimal-of={one}={sign}" for one, sign in data.decimals.items() if one in grouped]
    reading += [f"{READ_AS}{said}" for one, meant in data.read_as.items() for said in as_options(one, meant)]
    name = file_name(data.name)
    taken = packed(outcome, name, frame, name, reading, search=search, why=why, noted=noted)
    handed_out.take(taken, why)
