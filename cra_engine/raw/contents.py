"""What the columns of a raw table hold: numbers or text, gaps, and how each could be a quasi-identifier."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import CRAError
from cra_engine.raw.columns import read_column, read_numbers
from cra_engine.raw.dates import days_in
from cra_engine.raw.missing_words import EMPTY, gap_words
from cra_engine.raw.numbers import numbers
from cra_engine.raw.plain_cells import same_numbers, without_unit
from cra_engine.raw.proposed_finest import FEW
from cra_engine.raw.proposed_hierarchy import Proposal, propose, shown_as_values
from cra_engine.raw.proposed_kinds import leading_zeros, propose_codes, propose_kind
from cra_engine.raw.proposed_roles import ProposedRole, propose_roles, roles_of
from cra_engine.raw.written import Problem, Written
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.grid import MAX_CODES
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import MAX_STATES
from cra_engine.study.periods import period_number, period_text
from cra_engine.study.roles import Roles
from cra_engine.study.study import Study
from cra_engine.words import number_text

DEFAULT_K = 5
MOST_PERIODS = 20  # bars of dates
MOST_TEXTS = 60  # different texts of a column that may be shown each by itself
UNCLEAR = "Its numbers can be read in two ways; say above which is meant."
NO_ORDER = "It holds text, which has no order; an ARX hierarchy file (page Hierarchies) can give it one."


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a raw table.

    Attributes:
        name: its name.
        cells: number of cells, one per record.
        missing: number of empty cells.
        values: its finite numbers, in the order of the records; empty for text.
        distinct: number of different values, gaps left out.
        problems: findings that name their rows; empty for text, which is no fault in a column that is kept as it is.
        proposal: hierarchy to begin with; None for a column that cannot be a quasi-identifier.
        refusal: why it cannot, else empty.
        flat: for a few texts, a hierarchy that shows each text as it is or nothing; None for any other column.
        looks: what it looks like, and the role that is proposed.
        holds: what it holds, where it is neither numbers nor text.
        counted: records per text or period of time, the most frequent texts first; beside numbers those of codes
            such as ``90+``.
        unlisted: words such as ``?`` that stand for nothing among texts, so that ``flat`` does not list them.
    """

    name: str
    cells: int
    missing: int
    values: NDArray[Any]
    distinct: int
    problems: tuple[Problem, ...]
    proposal: Proposal | None
    refusal: str
    flat: FileHierarchy | None = None
    looks: ProposedRole | None = None
    holds: str = ""
    counted: tuple[tuple[str, int], ...] = ()
    unlisted: tuple[str, ...] = ()

    @property
    def hierarchy(self) -> Hierarchy | None:
        """What it would be published by as a quasi-identifier; None where it cannot be one."""
        return self.flat if self.proposal is None else self.proposal.attribute

    def hierarchy_with(self, values: Collection[str]) -> Hierarchy | None:
        """:attr:`hierarchy` where a person says that these words are values: it lists those that the column holds."""
        return None if self.hierarchy is None else self.listed_in(self.hierarchy, values)

    def listed_in(self, hierarchy: Hierarchy, values: Collection[str]) -> Hierarchy:
        """Any hierarchy of the column, such as one that somebody edited, with what :meth:`hierarchy_with` lists.

        What it lacks is in none of its groups. Among numbers and dates such a word can be no value.
        """
        if not isinstance(hierarchy, FileHierarchy) or hierarchy.numeric:
            return hierarchy
        lacks = sorted(word for word in self.unlisted if word in values and word not in hierarchy.reader.listed)
        if not lacks:
            return hierarchy
        *below, root = hierarchy.rows[0]
        rows = (*hierarchy.rows, *((*[word] * len(below), root) for word in lacks))
        return FileHierarchy(hierarchy.name, rows, hierarchy.unit, hierarchy.finest, hierarchy.missing)

    @property
    def coded(self) -> bool:
        """True for codes whose beginning has a meaning, such as postal codes."""
        return self.flat is not None and self.flat.rows[0][0] != self.flat.rows[0][1]

    @property
    def direct(self) -> bool:
        """True where it says who somebody is by itself."""
        return self.looks is not None and self.looks.identifying == "directly"

    @property
    def known(self) -> bool:
        """True where others may know it of a person by what it is."""
        return self.looks is not None and self.looks.known_to_others

    @property
    def numeric(self) -> bool:
        """True when the column holds numbers, apart from a few cells."""
        return len(self.values) > 0

    @property
    def smallest(self) -> str:
        """The smallest number as people write it; empty for text."""
        return number_text(Decimal(str(self.values.min().item()))) if self.numeric else ""

    @property
    def largest(self) -> str:
        """The largest number as people write it; empty for text."""
        return number_text(Decimal(str(self.values.max().item()))) if self.numeric else ""


def inspect(frame: pd.DataFrame, values: Collection[str] = ()) -> tuple[Column, ...]:
    """Look at every column of a raw table, in order; words for nothing that somebody called values are so among texts.

    >>> [(one.missing, one.counted) for one in inspect(pd.DataFrame({"ward": ["A", "A", "NULL"]}), ["NULL"])]
    [(0, (('A', 2), ('NULL', 1)))]
    """
    looks = propose_roles(frame)
    return tuple(
        replace(_inspect(frame[name], values), looks=look) for name, look in zip(frame.columns, looks, strict=True)
    )


def _inspect(column: "pd.Series[Any]", values_said: Collection[str]) -> Column:
    name = str(column.name)
    found, problems = numbers(column)
    values = found[np.isfinite(found)] if found.dtype.kind == "f" else found
    unlisted: tuple[str, ...] = ()
    if column.dtype.kind in "iuf":
        missing, written = int(np.isnan(found).sum()) if found.dtype.kind == "f" else 0, column
    else:
        cells = Written.of(column)
        gaps = gap_words(cells.texts)
        unlisted = tuple(text for text in cells.texts if text and text.lower() in gaps) if gaps == EMPTY else ()
        said = {text for text in unlisted if text in values_said}
        empty = np.array([text.lower() in gaps and text not in said for text in cells.texts], dtype=bool)[cells.codes]
        written = pd.Series(np.array(cells.texts, dtype=object)[cells.codes], index=column.index)[~empty]
        missing = int(empty.sum())
    filled = len(column) - missing
    texts = tuple((str(text), int(count)) for text, count in written.value_counts().items())
    coded = propose_codes(column) if filled else None
    if coded is not None or (filled and leading_zeros([str(cell) for cell in written.unique()])):
        reason = "" if coded is not None else NO_ORDER
        return Column(
            name,
            len(column),
            missing,
            values[:0],
            len(texts),
            (),
            None,
            reason,
            coded,
            counted=texts,
            unlisted=unlisted,
        )
    asked = tuple(problem for problem in problems if problem.asks)
    if not asked and filled and len(values) < filled:
        asked = tuple(problem for problem in numbers(without_unit(column))[1] if problem.asks)
    if asked:
        return Column(name, len(column), missing, values[:0], len(texts), asked, None, UNCLEAR, counted=texts)
    kind = propose_kind(column) if len(values) < filled else None
    read = found if kind is None else read_numbers(column, kind.attribute)[0].astype(float)
    answers = len(texts) <= MOST_TEXTS and _answers(written, pd.Series(read, index=column.index))
    if kind is not None and not answers:
        return _of_kind(column, kind, missing, texts)
    if filled == 0 or 2 * len(values) < filled or answers:
        # Where most texts differ, showing each by itself makes nobody alike.
        few = filled and len(texts) <= min(MOST_TEXTS, filled // 2)
        flat = _flat(name, sorted(text for text, _ in texts)) if few else None
        reason = "" if flat is not None else NO_ORDER if filled else "It is empty."
        return Column(
            name, len(column), missing, values[:0], len(texts), (), None, reason, flat, counted=texts, unlisted=unlisted
        )
    distinct = len(np.unique(values))
    try:
        proposal, refusal = propose(column), ""
        proposal = replace(proposal, attribute=shown_as_values(proposal.attribute))
    except CRAError as error:
        proposal, refusal = None, str(error)
    return Column(name, len(column), missing, values, distinct, tuple(problems), proposal, refusal)


def _answers(written: "pd.Series[Any]", read: "pd.Series[Any]") -> bool:
    """Whether words stand among numbers that are no slips, since many records show each: 1, 2, 3, do not know."""
    words = written[read.loc[written.index].isna()].value_counts()
    return bool(len(words)) and int(words.min()) >= FEW


def _of_kind(column: "pd.Series[Any]", kind: Proposal, missing: int, texts: Sequence[tuple[str, int]]) -> Column:
    """A column of dates, or of numbers with codes or a unit among them."""
    dates = kind.attribute.dates
    values = read_numbers(column, kind.attribute)[0].astype(float)
    shown = values[:0] if dates else values[np.isfinite(values)]
    problems = tuple(problem for problem in read_column(column, kind.attribute).problems if not problem.settled)
    codes = {str(cell).strip() for cell in column[np.isinf(values)].unique()}
    counted = _per_period(column) if dates else tuple(one for one in texts if one[0] in codes)
    return Column(
        str(column.name),
        len(column),
        missing,
        shown,
        len(set(same_numbers([text for text, _ in texts]))),
        problems,
        kind,
        "",
        holds="dates" if dates else "",
        counted=counted,
    )


def _per_period(column: "pd.Series[Any]") -> tuple[tuple[str, int], ...]:
    """Records per day, month, quarter or year, whichever is the finest that makes a few bars."""
    days = Counter(day for day in days_in(column)[0] if day is not None)
    if not days:
        return ()
    for unit in ("day", "month", "quarter", "year"):
        numbered = Counter[int]()
        for day, many in days.items():
            numbered[period_number(day, unit)] += many
        first, last = min(numbered), max(numbered)
        if last - first < MOST_PERIODS:
            break
    width = (last - first) // MOST_PERIODS + 1
    starts = range(first, last + 1, width)
    held = [sum(numbered[number] for number in range(start, start + width)) for start in starts]
    ends = [f" to {period_text(start + width - 1, unit)}" if width > 1 else "" for start in starts]
    return tuple((period_text(start, unit) + end, n) for start, end, n in zip(starts, ends, held, strict=True))


def _flat(name: str, texts: Sequence[str]) -> FileHierarchy | None:
    """Each text as it is, or nothing; None where the column's name or a text cannot stand in a hierarchy."""
    try:
        return FileHierarchy(name, tuple((text, text, "*") for text in texts))
    except CRAError:
        return None


def known_to_others(columns: Sequence[Column]) -> list[Column]:
    """Return the raw columns that others may know of a person and that have a hierarchy: proposed quasi-identifiers.

    What is only numbers never becomes one unasked.
    """
    return [one for one in columns if one.known and not one.direct and one.hierarchy is not None]


def with_room(columns: Sequence[Column]) -> list[Column]:
    """Return the first of some raw columns, as many as a study has room for as quasi-identifiers."""
    states = cells = 1
    for place, attribute in enumerate(column.hierarchy for column in columns):
        if attribute is not None:
            states, cells = states * attribute.layers, cells * (attribute.leaves + 1)  # one for missing values
        if place and (states > MAX_STATES or cells > MAX_CODES):
            return list(columns[:place])
    return list(columns)


def proposed_study(columns: Sequence[Column]) -> Study | None:
    """Propose a study for a raw table; None where others seem to know none of its columns.

    The roles of the columns that are no quasi-identifiers are those that go without saying.
    """
    names = [column.name for column in with_room(known_to_others(columns))]
    return with_quasi_identifiers(None, columns, names) if names else None


def study_of(
    columns: Sequence[Column], k: int | None = None, profile: str = "paper", roles: Roles | None = None
) -> Study:
    """Return the study in which these raw columns are quasi-identifiers, with the hierarchies proposed for them."""
    attributes = [column.hierarchy for column in columns if column.hierarchy is not None]
    # Fewer records than k cannot be recoded, so a tiny table starts lower.
    return Study(attributes, max(2, min(DEFAULT_K, columns[0].cells)) if k is None else k, profile, roles=roles)


def with_quasi_identifiers(study: Study | None, columns: Sequence[Column], names: Sequence[str]) -> Study:
    """Return the study with these raw columns as quasi-identifiers: old ones stay, others are proposed.

    Without a study the roles of the other columns are those that go without saying.
    """
    by_name = {column.name: column for column in columns}
    if study is None:
        looks = [column.looks for column in columns if column.looks is not None]
        return study_of([by_name[name] for name in names], roles=roles_of(looks).without(names))
    kept = [attribute for attribute in study.attributes if attribute.name in names]
    added = [by_name[name].hierarchy_with(study.roles.as_values) for name in names if name not in study.names]
    chosen = [*kept, *(hierarchy for hierarchy in added if hierarchy is not None)]
    return study.changed(attributes=chosen, roles=study.roles.without(names))


def hierarchies(columns: Sequence[Column], study: Study | None) -> dict[str, Hierarchy | None]:
    """Return by name what raw columns would be published by as quasi-identifiers; None for one that cannot be one.

    Words that a study has for values, as somebody decided, are listed.
    """
    return {one.name: one.hierarchy_with(study.roles.as_values if study else ()) for one in columns}


def carried_over(study: Study, proposed: Mapping[str, Hierarchy | None], columns: Sequence[Column]) -> Study:
    """Return a study for another state of its raw table, with the same columns.

    Hierarchies that are as they were proposed are proposed anew, for the values may be others; what somebody set stays,
    and lists besides the words that are values now.

    Args:
        study: of the table before.
        proposed: by column what was proposed for that table.
        columns: of the other one.
    """
    anew = hierarchies(columns, study)
    attributes, by_name = [], {column.name: column for column in columns}
    for attribute in study.attributes:
        was, now = proposed[attribute.name], anew[attribute.name]
        untouched = was is not None and was.with_missing(attribute.missing) == attribute
        if untouched and now is not None:
            attributes.append(now.with_missing(attribute.missing))
        else:
            attributes.append(by_name[attribute.name].listed_in(attribute, study.roles.as_values))
    return study.changed(attributes=attributes)
