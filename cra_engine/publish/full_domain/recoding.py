"""Global recoding of a table: the best state, its release, and the proof that no state is better (002, "Flash2P")."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import floor, prod
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.choices import Search
from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.k_anonymity import KAnonymity
from cra_engine.criteria.models import Criterion
from cra_engine.criteria.parameters import share
from cra_engine.errors import CRAError, DataError, StudyError, TooLargeError
from cra_engine.expected import expect, whole_number
from cra_engine.files.different_rows import Table, rows_of
from cra_engine.files.notation import decimal_in
from cra_engine.files.tables import column_of
from cra_engine.publish.full_domain.classes import State
from cra_engine.publish.full_domain.coded import CodedTable
from cra_engine.publish.full_domain.outcome import GlobalRecoding, Measures
from cra_engine.publish.full_domain.search import SEARCHES, UTILITIES, Looks, Searcher, Told
from cra_engine.publish.lost_columns import lost_columns
from cra_engine.raw.placement import complete, place
from cra_engine.raw.proposed_roles import undecided
from cra_engine.raw.sensitive import refuse_quasi_identifier, sensitive_columns
from cra_engine.study.study import Study
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.utility.class_sizes import aecs, discernibility
from cra_engine.utility.precision import precision

MOST_STATES = 200_000
MOST_WORK = 20_000_000_000  # states times different rows: about ten minutes at worst


def allowed(records: int, suppression_limit: float | Decimal | Fraction | None, suppression_records: int | None) -> int:
    """Return the most records that global recoding may suppress, out of so many.

    Raises:
        StudyError: both limits are given, or one is unusable.

    >>> allowed(30162, 0.05, None)
    1508
    """
    if suppression_limit is not None and suppression_records is not None:
        raise StudyError(
            "Two suppression limits are given, a share and a number of records; give one of them, not both."
        )
    if suppression_records is None:
        return floor(share(suppression_limit or 0, "The suppression limit") * records)
    most = whole_number(suppression_records)
    if most is None or most < 0:
        raise StudyError(
            f"The suppression limit is {suppression_records} records; give a whole number of 0 or more records."
        )
    return min(most, records)


class FullDomain:
    """A table to recode globally, for any of some criteria and any limit.

    Args:
        data: the raw table; with d-presence the whole population.
        study: the hierarchies.
        criteria: what classes must pass.

        lowest: the finest layer that may be shown: 0 for the value as it stands, or the study's layer 1.

    Raises:
        StudyError: the criteria do not go together, or with the study.
        DataError: the table does not fit the study or the criteria.
        TooLargeError: the lattice has too many states for the table.
    """

    def __init__(self, data: Table, study: Study, criteria: Sequence[Criterion], *, lowest: int = 0) -> None:
        if lowest == 0:  # each attribute's layer 0 is the value itself, whatever the study lets local recoding show
            study = study.changed(attributes=[attribute.with_finest(1) for attribute in study.attributes])
        states = prod(attribute.layers + 1 - lowest for attribute in study.attributes)
        if states > MOST_STATES:
            raise TooLargeError(
                f"The lattice has {states:,} states, more than {MOST_STATES:,}; take fewer quasi-identifiers, or "
                "hierarchies of fewer layers."
            )
        frame, times = rows_of(data, "FullDomain(data)")
        located = place(complete(study.roles.published(frame), study, times), study)
        self._notes, self._data, self._study = located.complete.notes, located.data, study
        self.criteria = tuple(criteria)
        self._marking = _marking(criteria)
        marked = None if self._marking is None else _marked(self._data, *self._marking)
        sensitive = _sensitive_columns(study, self._marking, criteria)
        self.table = CodedTable.of(located, study, sensitive, marked, lowest=lowest)
        work = states * len(self.table.counts)
        if work > MOST_WORK:
            raise TooLargeError(
                f"The lattice has {states:,} states and the table {len(self.table.counts):,} different rows; take "
                "fewer quasi-identifiers, or hierarchies of fewer layers."
            )

    def searcher(
        self, criteria: Sequence[Criterion], limit: int, *, entropies: bool, progress: Told = lambda *_: None
    ) -> Searcher:
        """Returns what looks at the states, for some of the criteria."""
        return Searcher(self.table, criteria, limit, entropies=entropies, progress=progress)

    def recode(
        self,
        limit: int,
        *,
        utility: str = "entropy",
        search: Search = "flash",
        every_figure: bool = False,
        progress: Told = lambda *_: None,
    ) -> GlobalRecoding:
        """The release of the anonymous state of least loss.

        Raises:
            DataError: no state is anonymous.
        """
        for criterion in self.criteria:
            if isinstance(criterion, KAnonymity) and criterion.k > self.table.records:
                raise DataError(
                    f"k = {criterion.k} is more than the {self.table.records} records of the table; take a smaller k, "
                    "or wait for more records."
                )
        entropies = utility == "entropy" or every_figure
        searcher = self.searcher(self.criteria, limit, entropies=entropies, progress=progress)
        looks = searcher.search("exhaustive" if every_figure else search)
        state = looks.best(utility)
        if state is None:
            raise self.nothing(self.criteria, limit)
        return self._result(searcher, looks, state, utility, search)

    def nothing(self, criteria: Sequence[Criterion], limit: int) -> CRAError:
        """Returns what to say where no state is anonymous: which of the criteria no state fulfils even alone."""
        never = [
            str(criterion)
            for criterion in criteria
            if self.searcher([criterion], limit, entropies=False).search().best("aecs") is None
        ]
        many = "1 record" if limit == 1 else f"{limit:,} records"
        if never:
            return DataError(
                f"No state is anonymous: none fulfils {' nor '.join(never)} with at most {many} suppressed; "
                "weaken it, or allow more suppression."
            )
        together = ", ".join(map(str, criteria[:-1])) + f" and {criteria[-1]}"
        return DataError(
            f"No state is anonymous: each of {together} can be fulfilled alone with at most {many} suppressed, but not "
            "all of them together; weaken one, or allow more suppression."
        )

    def _result(self, searcher: Searcher, looks: Looks, state: State, utility: str, search: str) -> GlobalRecoding:
        table = self.table
        classes, passes = searcher.passing(state)
        class_of_row = searcher.class_of_row(classes, state)
        class_of_record = class_of_row[table.row_of_record]
        suppressed = ~passes[class_of_record]
        order = np.argsort(class_of_record, kind="stable")
        runs = np.split(order, np.flatnonzero(np.diff(class_of_record[order])) + 1)
        groups = tuple(sorted((rows for rows in runs if not suppressed[rows[0]]), key=lambda rows: int(rows[0])))
        sizes = classes.sizes[passes]
        lost = int(suppressed.sum())
        measures = Measures(
            aecs(sizes, lost),
            discernibility(sizes, lost),
            precision([(state, table.records - lost)], table.heights, lost),
            searcher.exact_entropy(state),
        )
        return GlobalRecoding(
            self._study,
            self.criteria,
            table.records,
            looks.limit,
            utility,
            search,
            looks,
            state,
            measures,
            groups,
            np.flatnonzero(suppressed),
            self._frame(state, suppressed),
            (*self._notes, *table.warnings, *lost_columns(table.study.attributes, [state] if len(sizes) else [])),
            table,
        )

    def _frame(self, state: State, suppressed: NDArray[np.bool_]) -> pd.DataFrame:
        table, data = self.table, self._data.iloc[self.table.published]
        columns: dict[Any, Any] = {}
        for position, name in enumerate(data.columns):
            if name in self._study.names:
                at = self._study.names.index(name)
                codes = table.shown[at][state[at]][table.row_of_record]
                columns[name] = _labelled(self._texts(at, state[at]), codes, suppressed)
            elif name in table.sensitive:
                columns[name] = data.iloc[:, position].astype("object").mask(suppressed, ROOT_LABEL).array
            elif self._marking is None or name != self._marking[0]:
                columns[name] = data.iloc[:, position].array.copy()
        return pd.DataFrame(columns, index=data.index.copy())

    def _texts(self, position: int, layer: int) -> Sequence[str]:
        if not layer:
            return self.table.texts[position]
        return [node.label for node in self._study.attributes[position].layer_nodes[layer - 1]]


def _labelled(texts: Sequence[str], codes: NDArray[Any], suppressed: NDArray[np.bool_]) -> Any:
    """The labels of a column; as categories, so that a label is held once."""
    place = {text: number for number, text in enumerate(dict.fromkeys([*texts, ROOT_LABEL]))}
    by_code = np.array([place[text] for text in texts], dtype=np.int64)
    shown = np.where(suppressed, place[ROOT_LABEL], by_code[codes])
    used = np.unique(shown)
    labels = list(place)
    kind = pd.CategoricalDtype([labels[code] for code in used])
    return pd.Categorical.from_codes(np.searchsorted(used, shown), dtype=kind)


def _marking(criteria: Sequence[Criterion]) -> tuple[str, str] | None:
    """Returns the column and the value that mark the records to publish."""
    marks = {criterion.marking for criterion in criteria if criterion.marking is not None}
    if len(marks) > 1:
        raise StudyError("Two d-presence models mark different records; a release has one set of records to publish.")
    return marks.pop() if marks else None


def _marked(data: pd.DataFrame, name: str, value: str) -> NDArray[np.bool_]:
    column = column_of(data, name)
    is_marked = np.array([_alike(str(cell).strip(), value) for cell in column.unique()], dtype=bool)
    marked = is_marked[pd.factorize(column, use_na_sentinel=False)[0]]
    if not marked.any():
        raise DataError(
            f"No record shows {value[:60]!r} in {name!r}, so that none is marked to be published; "
            "correct the value of the d-presence model."
        )
    return np.asarray(marked)


def _alike(cell: str, value: str) -> bool:
    if cell == value:
        return True
    number = decimal_in(cell)
    if number is not None:
        return number == decimal_in(value)
    return cell.lower() == value.lower() and value.lower() in ("true", "false")


def _sensitive_columns(study: Study, marking: tuple[str, str] | None, criteria: Sequence[Criterion]) -> dict[str, bool]:
    """Returns the columns that criteria read, and whether as numbers: only where all of them can."""
    columns = sensitive_columns(study.names, criteria)
    if marking is not None:
        refuse_quasi_identifier(marking[0], study.names)
    if marking is not None and marking[0] in columns:
        raise StudyError(f"{marking[0]!r} marks the records to publish; it cannot be sensitive too.")
    for criterion in criteria:
        if isinstance(criterion, AverageRisk):
            raise StudyError("Global recoding knows no average-risk; remove that model, or recode locally.")
    return columns


def global_recode(
    data: pd.DataFrame,
    study: Study,
    *,
    suppression_limit: float | Decimal | Fraction | None = None,
    suppression_records: int | None = None,
    utility: str = "entropy",
    search: Search = "flash",
    every_figure: bool = False,
    criteria: Sequence[Criterion] | None = None,
    progress: Told = lambda *_: None,
) -> GlobalRecoding:
    """Publish a table by global recoding, one state for all, provably the best one (002, "Flash2P").

    Classes that fail a criterion are suppressed. Among the states that suppress no more than the limit, the one is
    published that loses least. Wrapped in :func:`cra_engine.patience.stoppable` it can be ended early.

    Args:
        data: one row per person; the study's quasi-identifiers are columns.
        study: the hierarchies, k and the privacy models.
        suppression_limit: the largest share of all records that may be suppressed, 0 to 1.
        suppression_records: the same as a number of records.
        utility: the loss that decides: ``"entropy"``, ``"precision"``, ``"discernibility"`` or ``"aecs"``.
        search: in which order states are looked at, with the same optimum: ``"flash"``, ``"ola"`` and ``"incognito"``
            look at as few as their conclusions allow, ``"exhaustive"`` at all.
        every_figure: look at every state and keep the figures of each, for ``.lattice``.
        criteria: what classes must pass, instead of k-anonymity and the models of the study.
        progress: told how many of how many states are settled.

    Raises:
        StudyError: a setting is unusable.
        DataError: the table does not fit the study, or no state is anonymous.
        TooLargeError: the lattice has too many states for the table.

    >>> from cra_engine import Attribute
    >>> table = pd.DataFrame({"age": [21, 21, 34, 36, 45, 47]})
    >>> decades = Study([Attribute("age", 0, 80, layers=4)], k=2)
    >>> published = global_recode(table, decades, suppression_records=4, utility="aecs")
    >>> published.state, float(published.measures.aecs)
    ((1,), 2.0)
    """
    expect(data, pd.DataFrame, "global_recode(data)")
    expect(study, Study, "global_recode(study)")
    study = study.planned
    if utility not in UTILITIES:
        raise StudyError(f"The utility is {utility!r}; take {', '.join(UTILITIES[:-1])} or {UTILITIES[-1]}.")
    if search not in SEARCHES:
        raise StudyError(f"The search is {search!r}; take {', '.join(SEARCHES[:-1])} or {SEARCHES[-1]}.")
    allowed(0, suppression_limit, suppression_records)  # say so before a long look at the table
    chosen = study.criteria if criteria is None else tuple(criteria)
    whole = FullDomain(data, study, chosen)
    limit = allowed(whole.table.records, suppression_limit, suppression_records)
    made = whole.recode(limit, utility=utility, search=search, every_figure=every_figure, progress=progress)
    return replace(made, warnings=(*made.warnings, *undecided(data, study.roles, study.names)))
