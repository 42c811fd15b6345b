"""Tables of Make it publishable that a session took to hand them out, and those that were downloaded."""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING

from cra_dashboard.session import decisions, state
from cra_dashboard.session.kept import Kept
from cra_engine.checks.project import ACCEPTED, Decision
from cra_engine.checks.sensitive_values import is_left_shown
from cra_engine.files.row_order import mark_of_rows
from cra_engine.publishable.archive import RELEASE

if TYPE_CHECKING:
    from cra_engine.publishable import Packed

# Each table that was taken, of any file, by what it was searched in and the decision to take it: for an Undo, and for
# when the file is opened again.
_TAKEN: "Kept[Mapping[tuple[object, ...], Packed]]" = Kept("cra_taken")
_MOST_TAKEN = 3  # each is as large as its table
# By file and its columns a digest of each table that was fetched of it, whoever undid it, whatever was worked on since.
_EVER_FETCHED: Kept[Mapping[tuple[str, frozenset[str]], frozenset[str]]] = Kept("cra_ever_fetched")
OTHER_TABLE, OTHER_FILE = "another table of these people", "a table of another file with these columns"
TOO = " was downloaded, too"  # follows in what is filed
_SESSION = "session"


def take(table: "Packed", why: str = "") -> None:
    """Note as a decision of the session a table that Make it publishable found, and keep it as the one that is taken.

    Args:
        table: as it is handed out.
        why: the reason with which it goes out; empty where it needs none.
    """
    with state.one_change():
        decisions.note(f"{decisions.PUBLISHED}{table.drawn.label}", why, over=decisions.takes_table)
    before = list((_TAKEN.of(_SESSION) or {}).items())[1 - _MOST_TAKEN :]
    _TAKEN.keep(_SESSION, {**dict(before), _of_taken(): table})


def fetched(table: "Packed") -> None:
    """Keep of a table that was taken in the session that a person has fetched it, and may have sent it."""
    ever, of = _EVER_FETCHED.of(_SESSION) or {}, _of_file_and_columns()
    _EVER_FETCHED.keep(_SESSION, {**ever, of: ever.get(of, frozenset()) | {_mark(table)}})


def taken() -> "Packed | None":
    """Return the table that was taken in the session; None without one, or once something else was decided."""
    return (_TAKEN.of(_SESSION) or {}).get(_of_taken())


def fetched_besides() -> tuple[Decision, ...]:
    """Return what is to be filed where another table than the one that is taken was fetched in the session.

    It may be of the session's file, whoever undid that, or of another with the same columns: a file that was corrected
    is of the same people, and what two tables of them differ by are single people.
    """
    now, (file, columns) = taken(), _of_file_and_columns()
    if now is None:
        return ()
    mark = state.once("mark of taken", now.drawn.seed, lambda: _mark(now))
    ever = _EVER_FETCHED.of(_SESSION) or {}
    alike = {of: marks - {mark} for (of, names), marks in ever.items() if names == columns}
    found = [OTHER_TABLE] if alike.pop(file, ()) else []
    found += [OTHER_FILE] if any(alike.values()) else []
    return tuple(Decision(decisions.today(), f"{what}{TOO}") for what in found)


def _of_file_and_columns() -> tuple[str, frozenset[str]]:
    data = state.dataset()
    return ("", frozenset()) if data is None else (data.file, frozenset(map(str, data.whole.columns)))


def _mark(table: "Packed") -> str:
    return mark_of_rows(str(table.files.get(RELEASE, "")))


def holding() -> tuple[Decision, ...]:
    """Return the session's decisions but those on columns that the table which was taken is without."""
    data, table = state.dataset(), taken()
    if data is None or table is None:
        return decisions.noted()
    gone = set(map(str, data.frame.columns)) - set(map(str, table.drawn.frame.columns))

    def over(what: str) -> bool:
        said = (decisions.REMOVED, decisions.AS_PROPOSED, decisions.STAYS_OUT)
        removed = what.endswith(tuple(one.format("") for one in said))
        return not removed and any(decisions.on_role(name)(what) or decisions.on_gaps(name)(what) for name in gone)

    return tuple(one for one in decisions.noted() if not over(one.what))


def taken_as() -> str:
    """Return the session's decision by which a table was taken; empty where none is."""
    return next((one.what for one in decisions.noted() if decisions.takes_table(one.what)), "")


def take_no_longer() -> None:
    """Let no table of the session be taken: another one is searched for."""
    with nullcontext() if taken() is None else state.one_change():
        decisions.drop(decisions.takes_table)


def _of_taken() -> tuple[object, ...]:
    data = state.dataset()
    # What is searched for, or found, is no answer that the table rests on.
    of_others = (decisions.PUBLISHED, decisions.STAYS, ACCEPTED)
    answers = tuple(one for one in decisions.noted() if not (one.what.startswith(of_others) or is_left_shown(one.what)))
    return (data and data.digest, state.study(), decisions.rule(), answers, taken_as())
