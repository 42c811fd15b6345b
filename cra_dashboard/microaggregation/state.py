"""The table of the page Microaggregate, its settings, and what follows from them; kept in this session only."""

from dataclasses import dataclass, replace

import numpy as np

from cra_dashboard.session import state
from cra_dashboard.session.runs import Runs, counted
from cra_engine import CRAError, Dominance, Microaggregation, PRule, SensitiveCells, microaggregate, sensitive_cells
from cra_engine.choices import ClusterMethod
from cra_engine.criteria.cells import CellRule
from cra_engine.files.row_order import release_text
from cra_engine.publish.microaggregation.check import check_microaggregation
from cra_engine.raw.exact_columns import ExactColumns, exact_columns, text_columns
from cra_engine.risk.sensitive_cells import classes_of
from cra_engine.risk.what_k_buys import Bought, what_k_buys
from cra_engine.words import how_many

AT_ONCE = 3 * 10**7  # records squared over k: about a fifth of a second of MDAV
FEW_VALUES = 8
CLUSTERINGS: Runs[Microaggregation] = Runs("microaggregation", counted("records and clusters"), stop="Stop")


@dataclass(frozen=True)
class Settings:
    """The controls of Microaggregate; the arguments of :func:`cra_engine.microaggregate`."""

    k: int
    method: ClusterMethod
    columns: tuple[str, ...]
    standardize: bool
    n: int
    r: str
    p: str
    comply: bool

    @property
    def dominance(self) -> Dominance:
        """The dominance rule with the parameters chosen."""
        return Dominance(self.n, self.r)

    @property
    def rules(self) -> tuple[CellRule, ...]:
        """Both rules with the parameters chosen."""
        return (self.dominance, PRule(self.p))


def numeric_columns(table: state.Dataset) -> tuple[str, ...]:
    """Return the columns that Microaggregate can average as they hold any number, in the table's order."""

    def compute() -> tuple[str, ...]:
        texts = text_columns(table.frame)
        return tuple(str(name) for name in table.frame.columns if str(name) not in texts)

    return state.once("micro-numeric", table.digest, compute)


def usable_columns(table: state.Dataset) -> list[str]:
    """Return the columns for Microaggregate that hold nothing but numbers."""

    def usable(name: str) -> bool:
        try:
            exact_columns(table.frame, [name])
        except CRAError:
            return False
        return True

    return state.once("micro-usable", table.digest, lambda: [n for n in numeric_columns(table) if usable(n)])


def telling_columns(found: SensitiveCells) -> tuple[int, int]:
    """Return the two columns that Microaggregate draws first: with most cells that every rule calls sensitive.

    Columns of a few values come last: their marks would lie on a few lines.
    """
    by_all = set(found.findings[0].sensitive).intersection(*(one.sensitive for one in found.findings[1:]))
    counts = [[0, 0] for _ in found.columns.names]
    for place in found.offending:
        counts[place[1]][0] += place in by_all
        counts[place[1]][1] += 1
    few = [len(np.unique(column)) < FEW_VALUES for column in found.columns.whole.T]
    order = sorted(range(len(counts)), key=lambda column: (few[column], *(-count for count in counts[column])))
    first, second = (order[0], order[1]) if len(order) > 1 else (0, 0)
    return min(first, second), max(first, second)


def exact(table: state.Dataset, columns: tuple[str, ...]) -> ExactColumns:
    """Return the exact numbers of some columns for Microaggregate.

    Raises:
        CRAError: a column cannot be used.
    """
    return state.once("micro-exact", (table.digest, columns), lambda: exact_columns(table.frame, list(columns)))


def _key(table: state.Dataset, settings: Settings) -> tuple[object, ...]:
    parts = (settings.k, settings.method, settings.columns, settings.standardize)
    return (table.digest, *parts, (settings.n, settings.r, settings.p) if settings.comply else None)


def result(table: state.Dataset, settings: Settings) -> Microaggregation:
    """Return Microaggregate's clusters: at once, or where they take long when somebody has asked for them.

    Raises:
        CRAError: the settings do not fit the table.
    """
    return CLUSTERINGS.offered(
        _key(table, settings),
        lambda progress: microaggregate(
            table.frame,
            settings.k,
            method=settings.method,
            columns=settings.columns,
            standardize=settings.standardize,
            comply=settings.rules if settings.comply else (),
            progress=progress.tell,
        ),
        f"To cluster {how_many(len(table.frame), 'record')} takes a while; go on meanwhile.",
        "Form the clusters",
        heavy=len(table.frame) ** 2 // settings.k > AT_ONCE,
    )


def judged(table: state.Dataset, settings: Settings, made: Microaggregation) -> SensitiveCells:
    """Judge the cells of Microaggregate's clusters under both rules."""
    key = (*_key(table, settings), settings.n, settings.r, settings.p)
    return state.once("micro-cells", key, lambda: sensitive_cells(made.clusters, made.columns, settings.rules))


def judged_recoding(table: state.Dataset, settings: Settings) -> SensitiveCells:
    """Judge the cells of the session's recoding on Microaggregate: its classes, the columns chosen.

    Raises:
        CRAError: the table does not fit the study, or a column cannot be used.
    """
    key = (state.results_key(), settings.columns, settings.n, settings.r, settings.p)

    def compute() -> SensitiveCells:
        recoding = state.recoding()
        groups = classes_of(recoding.frame, list(recoding.study.names))
        return sensitive_cells(groups, exact(table, settings.columns), settings.rules)

    return state.once("micro-recoded-cells", key, compute)


def bought(table: state.Dataset, settings: Settings, ks: tuple[int, ...]) -> tuple[Bought, ...]:
    """Return for the page Microaggregate what each k gives with these settings.

    Raises:
        CRAError: the settings do not fit the table.
    """
    key = (table.digest, replace(settings, k=ks[0], comply=False), ks)
    columns = exact(table, settings.columns)
    return state.once(
        "micro-bought",
        key,
        lambda: what_k_buys(columns, ks, settings.rules, method=settings.method, standardize=settings.standardize),
    )


def release_csv(table: state.Dataset, settings: Settings, made: Microaggregation) -> str:
    """Return the release of Microaggregate as it is handed out, checked; without columns that the study removes.

    Raises:
        CRAError: the release is not what it has to be.
    """

    def checked() -> str:
        check_microaggregation(table.frame, made.frame, made.columns.names, made.k)
        frame = made.frame.drop(columns=[name for name in removed if name in made.frame])
        return release_text(frame, keep_order=state.keep_order())

    study = state.study()
    removed = study.roles.remove if table.own and study is not None else ()
    return state.once("micro-csv", (_key(table, settings), removed, state.keep_order()), checked)
