"""The tables and adversaries of the page Effective anonymity, and what follows; kept in this session only."""

import hashlib
from dataclasses import dataclass

import pandas as pd

from cra_dashboard.session import state
from cra_dashboard.session.kept import Kept
from cra_dashboard.session.uploads import File
from cra_engine import DataError, EffectiveAnonymity, Study, effective_anonymity, read_table
from cra_engine.files.csv_text import csv_text

MOST_ADVERSARIES = 6
MOST_COLUMNS = 40
STUDENTS = (("F", "1986"), ("F", "?"), ("?", "1986"), ("F", "1990"), ("M", "1986"), ("M", "1986"), ("M", "1991"))
GIVEN: Kept["Table"] = Kept("cra_anonymity_given")


@dataclass(frozen=True)
class Table:
    """A table that the page Effective anonymity can look at.

    Attributes:
        name: what it is called.
        digest: of its content.
        frame: the table.
        columns: those that an adversary may know.
        study: whose labels its cells show; None where cells are plain values.
    """

    name: str
    digest: str
    frame: pd.DataFrame
    columns: tuple[str, ...]
    study: Study | None = None


def example() -> Table:
    """Make the example of Effective anonymity: seven students, some of whom did not say everything."""
    rows = [(sex, course, born) for (sex, born), course in zip(STUDENTS, "1111112", strict=True)]
    frame = pd.DataFrame(rows, columns=["sex", "course", "born"])
    return Table("Seven students", "students", frame, tuple(frame.columns))


def tables() -> list[Table]:
    """List the tables for Effective anonymity: uploaded here, the session's, its release where it has one, the example.

    The example comes before tables that were made up, of which every record is unique to who knows everything.
    """
    data, study = state.dataset(), state.study()
    own = GIVEN.of("")
    found = [] if own is None else [own]
    made_up = data is None or data.recipe is not None
    if made_up:
        found.append(example())
    if data is not None:
        names = tuple(str(name) for name in data.frame.columns)[:MOST_COLUMNS]
        found.append(Table(data.name, data.digest, data.frame, names))
        if study is not None:
            digest = f"{data.digest} {hash(study)}"
            found.append(Table("Its release by the page Recode", digest, data.frame, study.names, study))
    return found if made_up else [*found, example()]


def take_table(file: File) -> None:
    """Take a table for Effective anonymity to look at, and nothing else: the session's own stays.

    Raises:
        CRAError: it is none.
    """
    frame = read_table(file.content, file.name)
    if not len(frame):
        raise DataError(f"{file.name} holds no record.")
    names = tuple(str(name) for name in frame.columns)[:MOST_COLUMNS]
    GIVEN.keep("", Table(file.name, hashlib.sha256(file.content).hexdigest(), frame, names))


def cells_of(table: Table) -> pd.DataFrame:
    """Return the cells that Effective anonymity looks at; those of the release are known only once it is made.

    Raises:
        CRAError: the table does not fit the hierarchies.
    """
    return table.frame if table.study is None else state.recoding().frame


def columns_known(table: Table, adversary: int) -> list[str]:
    """Return what an adversary on Effective anonymity knows at first: one all that the study names, others less."""
    study = state.study()
    named = [name for name in table.columns if study is not None and name in study.names] or list(table.columns[:5])
    return named[: max(1, len(named) - adversary)]


def measured_anonymity(table: Table, columns: tuple[str, ...], missing: tuple[str, ...]) -> EffectiveAnonymity:
    """Measure for the page with how many records each is confused by an adversary with these columns.

    Raises:
        CRAError: a cell does not fit the study, or the comparison is too large.
    """

    def measure() -> EffectiveAnonymity:
        by: Study | tuple[str, ...] = columns
        if table.study is not None:
            by = Study([one for one in table.study.attributes if one.name in columns], table.study.k)
        return effective_anonymity(cells_of(table), by, missing=missing)

    key = (table.digest, columns, missing)
    return state.once(f"anonymity {' '.join(columns)}", key, lambda: state.in_turn(measure))


def anonymity_csv(cells: pd.DataFrame, found: EffectiveAnonymity) -> str:
    """Write for the page Effective anonymity a table's cells with each record's own, as CSV text."""
    names = ("ea", "ea_amb")
    if set(names) & {str(name) for name in cells.columns}:
        names = ("effective anonymity", "ambiguous effective anonymity")
    return csv_text(cells.assign(**dict(zip(names, (found.ea, found.ea_amb), strict=True))))
