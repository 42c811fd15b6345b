"""The gate: everything that is asked of a release before it goes out, and the verdict."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.assess.assessment import Assessment
from cra_engine.assess.attacked import NOT_SETTLED, OUT_OF_TIME, against_data, assess
from cra_engine.checks import findings as found_by
from cra_engine.checks.classes import Classes
from cra_engine.checks.columns import Times, as_shown, checked_columns
from cra_engine.checks.labels import ColumnValues, Read, as_text
from cra_engine.checks.lost import utility_of
from cra_engine.checks.outcome import LEVELS, Check, Finding
from cra_engine.checks.rule import Rule, Verdict
from cra_engine.checks.sensitive_values import SensitiveValues
from cra_engine.checks.shared_values import shared_values
from cra_engine.checks.unique_people import count_unique_people, find_doubted, find_unique_people
from cra_engine.checks.whole_rows import count_whole_rows, find_whole_rows
from cra_engine.errors import CRAError, DataError
from cra_engine.expected import expect, expect_each, expect_seconds
from cra_engine.files.different_rows import CountedRows, Table, rows_of
from cra_engine.patience import Deadline, tell
from cra_engine.publish.local.recoding import Recoding, recode_complete
from cra_engine.raw.alike_rows import AlikeRows
from cra_engine.raw.matched_rows import matched_kinds, matched_rows
from cra_engine.raw.placement import Complete, complete
from cra_engine.raw.proposed_roles import ProposedRole
from cra_engine.raw.sorted_columns import sorted_columns
from cra_engine.release import Release
from cra_engine.risk.known_sets import known_sets
from cra_engine.risk.re_identification import ReIdentification, re_identification
from cra_engine.study.coding_model import GsFactor, gs_factor_of
from cra_engine.study.study import Study
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import rows_text

SECONDS = 60.0
FOR_UNIQUES = 1 / 4  # of the time


def check(
    data: Table | None,
    study: Study,
    release: Table | None = None,
    *,
    population: Table | None = None,
    also: Sequence[Sequence[str]] = (),
    rule: Rule | None = None,
    gs_factor: GsFactor | None = None,
    proposed: Sequence[ProposedRole] | None = None,
    assessed: Assessment | None = None,
    roles_guessed: bool = False,
    time_limit: float = SECONDS,
) -> Check:
    """Check whether a table may go out: everything that is asked of a release, and a verdict by a rule.

    Args:
        data: the raw table; None to look at the release alone. Where the release's rows stand in another order, each
            is set beside a record that it can be of. Tables of many records come as their different rows, counted,
            and are looked at in any order; then the release comes so, too.
        study: hierarchies, k and the roles of columns.
        release: the published table; when left out, ``data`` is recoded as :func:`cra_engine.recode` does.
        population: a raw table of everybody whom the table could be about, for the journalist's and the marketer's
            risk, and for d-presence; it needs the quasi-identifiers alone.
        also: further sets of columns that somebody may know together. By each at least k records must be alike; what
            all sets and the quasi-identifiers tell together is said.
        rule: what is demanded; ``Rule()`` when left out.
        gs_factor: how ARX weighed suppression in the release, 0 to 1. When left out 0 is supposed where the release is
            not just what recoding makes of the table, and what is called certain says so.
        proposed: what :func:`cra_engine.propose_roles` says of the table's columns, where somebody has asked already.
        assessed: what the release gives away by itself, where somebody has worked it out already.
        roles_guessed: whether nobody said which columns others know and which are sensitive, as of an audited table
            alone; who is alone by these then stops nothing.
        time_limit: seconds for all of it. Columns, classes and sensitive values are looked at all the same; the attack
            has what is left then, and who is alone by few columns a quarter of it; what takes longer is left out, and
            said to be.

    Raises:
        DataError: a table does not fit the study, or there is nothing to look at.
        StudyError: k is 1 and the table has to be recoded, the g/s factor is none, or a set of columns is none of the
            release.

    >>> from cra_engine import Attribute
    >>> people = pd.DataFrame({"age": [21, 23, 34, 38], "diagnosis": ["flu", "flu", "gout", "flu"]})
    >>> study = Study([Attribute("age", 20, 60, layers=3)], k=2)
    >>> checked = check(people, study.with_roles(study.roles.given("diagnosis", "sensitive")))
    >>> checked
    Check(verdict=stop, records=4, k=2, findings=1)
    >>> print(checked.findings[0].text[:64])
    Everybody in 1 group shares one value of 'diagnosis', 'flu', whi
    """
    expect_seconds(time_limit)
    deadline = Deadline(time_limit)
    return looked_at(
        data,
        study,
        release,
        population=population,
        also=also,
        rule=rule,
        gs_factor=gs_factor,
        proposed=proposed,
        assessed=assessed,
        roles_guessed=roles_guessed,
    )(deadline)


def looked_at(
    data: Table | None,
    study: Study,
    release: Table | None = None,
    *,
    population: Table | None = None,
    also: Sequence[Sequence[str]] = (),
    rule: Rule | None = None,
    gs_factor: GsFactor | None = None,
    proposed: Sequence[ProposedRole] | None = None,
    assessed: Assessment | None = None,
    roles_guessed: bool = False,
) -> Callable[[Deadline], Check]:
    """Look at all of a table that takes no attack; return what checks it by a deadline, once or again with more time.

    Args are those of :func:`check`, which raises as this does.
    """
    alike = data if isinstance(data, AlikeRows) else None
    data, held = (None, None) if data is None else rows_of(data, "check(data)")
    people_of, of_people = (None, None) if population is None else rows_of(population, "check(population)")
    table = None if release is None else rows_of(release, "check(release)")[0]
    counted = release if isinstance(release, CountedRows) else None
    expect(study, Study, "check(study)")
    if release is None:
        study = study.planned  # what it says of how a release was made is of another one
    if rule is not None:
        expect(rule, Rule, "check(rule)")
    if data is not None:
        study.roles.check(list(data.columns))
    asked = Rule() if rule is None else rule
    factor = study.quality.gs_factor if gs_factor is None else gs_factor_of(gs_factor)
    further = [expect_each(names, str, "check(also)") for names in also]
    made: Recoding | None = None
    if held is not None and counted is None:
        raise DataError("Counted rows are checked beside the counted rows of their release; give them, too.")
    if data is not None:
        whole = complete(data, study, held)
        made = _recoding(whole, study, alike, needed=release is None)
        data, held = whole.data.reset_index(drop=True), whole.times
    warnings: tuple[str, ...] = ()
    if table is not None:
        frame = table.reset_index(drop=True)
        if not len(frame):
            raise DataError("The release holds no record; it needs a line of column names and one line per record.")
    elif made is not None:
        frame, warnings = made.frame.reset_index(drop=True), made.warnings
    else:
        raise DataError("There is neither a raw table nor a release to check; give one of them.")
    tell("looking at columns and groups")
    classes = Classes.of(frame, study.names, None if counted is None else counted.records)
    compared = made if study.recoding in ("", "local") else None
    local = release is None or (compared is not None and _is_recoding(frame, classes.times, compared, held))
    made = compared = None  # it takes as much room as the table
    problem, given, uncut = "", data, counted
    lacking: list[tuple[str, str]] = []
    if data is not None and counted is not None:
        found = _as_they_stand(data, held, counted, study) or _paired(data, held, counted, study)
        if found is None and (lacking := _without_hierarchy(data, frame, study)):
            shown = frame.drop(columns=[name for name, _ in lacking])
            found = _paired(data, held, counted.shown(shown), study)
        if found is None:
            problem = "no assignment of the table's records to the release's rows was found that fits"
        else:
            order, cut = found
            uncut, counted = counted.shown(frame[list(cut.frame)]), cut
            data, frame, held = _categories(data).iloc[order].reset_index(drop=True), counted.frame, counted.records
            classes = Classes.of(frame, study.names, counted.records)
    groups, times = classes.groups, None if counted is None else counted.records
    # What asks the release alone asks it as it came: beside the raw rows it is cut up into as many as these are.
    rows, records = (frame, classes.times) if uncut is None else (uncut.frame, uncut.records)
    read = Read.of(frame, study)
    raw = () if data is None else tuple(ColumnValues.of(data, attribute) for attribute in study.attributes)
    if data is not None and counted is not None and not problem:
        problem = _disagreement(data, frame, read, raw, counted.place)
    elif given is not None and release is not None and counted is None:
        raw_given = raw
        data, raw, problem = _in_order(given, frame, read, raw_given)
        if problem and (lacking := _without_hierarchy(given, frame, study)):
            shown = frame.drop(columns=[name for name, _ in lacking])
            data, raw, problem = _in_order(given, shown, read, raw_given)
    local = local and not problem
    columns = tuple(as_shown(one, frame, times) for one in checked_columns(data, frame, study, held, times, proposed))
    kept = data is given and release is not None and counted is None and not problem
    kept_order = sorted_columns(data) if kept and data is not None else ()
    sensitive = [column.name for column in columns if column.role == "sensitive" and column.published]
    least_alike = min(classes.sizes, default=None)
    models = [name for model in study.privacy for name in model.columns if name in frame.columns]
    people = None if people_of is None or read.strange or not groups else read.people(groups, people_of, of_people)
    risk, unknown = _risk(read, classes.sizes, study, asked, people_of, people)
    source = frame if data is None or problem else data

    def read_values(names: Sequence[str], words: Collection[str] | None = None) -> dict[str, SensitiveValues]:
        cells = {name: source[name] if name in source.columns else frame[name] for name in (names if groups else ())}
        return {name: SensitiveValues.of(of, groups, frame[name], times, values=words) for name, of in cells.items()}

    diverse = tuple(spread for of in read_values(sensitive).values() if (spread := of.diversity) is not None)
    shared = tuple(shared_values(frame, source, study, classes, diverse, found_by.not_asked_about(columns)))
    raw = () if problem else raw
    weighed = study.quality.gs_factor if local else factor
    supposed = gs_factor is None and not local and not factor and not study.recoding
    utility = utility_of(None if read.strange else read, classes, raw)
    of_table = (
        *found_by.of_agreement(problem),
        *found_by.of_missing_hierarchies(lacking),
        *found_by.of_order(kept_order),
        *found_by.of_names(frame if data is None else data, asked),
        *found_by.of_columns(columns),
        *found_by.of_outsiders(columns, frame, study, classes.times),
        *found_by.of_size(frame, study, asked, classes, sensitive),
        *found_by.of_risk(risk, asked, study),
    )
    of_values = (
        *_journalist(unknown),
        *found_by.of_diversity(frame, study, asked, classes, diverse, shared),
    )
    of_rest = (
        *(
            found_by.of_models(study, read_values(models, study.roles.as_values), classes.sizes, people)
            if groups
            else ()
        ),
        *found_by.of_suppressed(frame, sensitive, classes),
    )
    alone = data is None

    def within(deadline: Deadline) -> Check:
        unique = count_unique_people(rows, columns, study, asked, deadline.after(FOR_UNIQUES), records)
        overlapping = (
            known_sets(rows, [study.names, *further], asked.least(study.k), deadline.after(FOR_UNIQUES), records)
            if further
            else None
        )
        printed = count_whole_rows(rows, study.names, unique.columns, sensitive, asked.least(study.k), records)
        given_away = _assessed(rows, uncut, read, weighed, raw, held, deadline, local=local, assessed=assessed)
        assessment, missing, late = given_away
        # Where nobody says by which way a release was made, what holds of one state may not by the other way.
        unsaid = alone and not study.recoding and not read.strange
        either = _by_local(rows, uncut, study, weighed, assessment, deadline) if unsaid else None
        said = (
            *of_table,
            *find_unique_people(unique, asked, guessed=roles_guessed),
            *find_doubted(unique, asked),
            *found_by.of_overlapping(overlapping, asked, classes.records),
            *of_values,
            *find_whole_rows(
                printed,
                least_alike,
                asked.least(study.k),
                found_by.outsiders(columns),
                [one.column for one in shared],
            ),
            *of_rest,
            *found_by.of_attack(assessment, missing, asked, late=late, supposed=supposed),
            *found_by.of_way(either, asked),
        )
        return Check(
            study,
            asked,
            verdict_of(said),
            tuple(sorted(said, key=lambda one: LEVELS.index(one.level))),
            columns,
            classes.records,
            classes.hidden,
            len(groups),
            least_alike,
            risk,
            unique,
            diverse,
            assessment,
            utility,
            frame,
            groups,
            warnings,
            overlapping,
            printed,
            shared=shared,
            roles_guessed=roles_guessed,
        )

    return within


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """Return the check's verdict: stop where any finding says so, else attention where any does, else ready.

    >>> verdict_of([Finding("note", "undecided", "")]), verdict_of([])
    ('ready', 'ready')
    """
    levels = {finding.level for finding in findings}
    return "stop" if "stop" in levels else "attention" if "attention" in levels else "ready"


def _disagreement(
    data: pd.DataFrame,
    frame: pd.DataFrame,
    read: Read,
    raw: Sequence[ColumnValues],
    stands: Callable[[int], str] = lambda row: rows_text([row + 1]),
) -> str:
    """Why a release is not of a raw table; empty where it can be."""
    if len(data) != len(frame):
        return f"it has {len(frame):,} records and the table {len(data):,}"
    more = [str(name) for name in frame.columns if str(name) not in set(map(str, data.columns))]
    if more:
        return f"it has the column {more[0]!r}, which the table lacks"
    place = None if read.strange else read.uncovered(raw)
    if place is not None:
        return f"column {place[0]!r}, {stands(place[1])}: the published interval does not hold the table's value"
    for name in frame.columns:
        if str(name) not in read.study.names:
            before, after = as_text(data[name]), as_text(frame[name])
            other = np.flatnonzero(((before != after) & (after != "*")).to_numpy())
            other = other[~_same_numbers(before.iloc[other], after.iloc[other]).to_numpy()]
            if len(other):
                return f"column {str(name)!r}, {stands(int(other[0]))}: it shows another value than the table"
    return ""


def _in_order(
    data: pd.DataFrame, frame: pd.DataFrame, read: Read, raw: tuple[ColumnValues, ...]
) -> tuple[pd.DataFrame, tuple[ColumnValues, ...], str]:
    """The raw table with its rows as the release's, as far as they can be told, and why the two do not agree."""
    problem = _disagreement(data, frame, read, raw)
    if problem and not read.strange and (order := matched_rows(data, frame, read.study)) is not None:
        data, raw = (
            data.iloc[order].reset_index(drop=True),
            tuple(replace(values, codes=values.codes[order]) for values in raw),
        )
        problem = _disagreement(data, frame, read, raw)
    # Hierarchies for readers name no value that the release does not show, such as those of suppressed records.
    elif problem and not read.strange and (place := _unplaced(raw)) is not None:
        name, row = place
        problem = (
            f"the hierarchy of column {name!r} has no place for what the table holds in {rows_text([row + 1])}; "
            "a study for readers leaves out what they do not see, and the check needs the publisher's"
        )
    return data, raw, problem


def _unplaced(raw: Sequence[ColumnValues]) -> tuple[str, int] | None:
    """The first column and row of a raw table whose value the hierarchy does not have; None where all have a leaf."""
    for values in raw:
        rows = np.flatnonzero(values.leaves[values.codes] < 0)
        if len(rows):
            return values.attribute.name, int(rows[0])
    return None


def _as_they_stand(
    data: pd.DataFrame, held: Times, counted: CountedRows, study: Study
) -> tuple[NDArray[np.int64], CountedRows] | None:
    """The rows of a release that stand beside those of its table already, with as many records; None where not."""
    if held is None or not np.array_equal(held, counted.records):
        return None
    read, raw = Read.of(counted.frame, study), [ColumnValues.of(data, attribute) for attribute in study.attributes]
    return None if _disagreement(data, counted.frame, read, raw) else (np.arange(len(data)), counted)


def _paired(
    data: pd.DataFrame, held: Times, counted: CountedRows, study: Study
) -> tuple[NDArray[np.int64], CountedRows] | None:
    """The rows of a release cut up so that each stands for records of one raw row, and which; None where none fit."""
    times = np.ones(len(data), dtype=np.int64) if held is None else held
    found = matched_kinds(data, counted.frame, study, times, counted.records)
    if found is None:
        return None
    order, rows, records = (side[np.argsort(found[1], kind="stable")] for side in found)  # as the release's rows
    frame = _categories(counted.frame).iloc[rows].reset_index(drop=True)
    return order, replace(counted, frame=frame, records=records, first=counted.first[rows])


def _categories(table: pd.DataFrame) -> pd.DataFrame:
    """A table with each of its texts once: of many rows few differ in one column."""
    return table.astype({name: "category" for name, kind in table.dtypes.items() if isinstance(kind, pd.StringDtype)})


def _without_hierarchy(data: pd.DataFrame, frame: pd.DataFrame, study: Study) -> list[tuple[str, str]]:
    """The columns without a role in which a release shows what stands nowhere in the table's, and the first of it."""
    shown, roles = [], study.roles_by_models
    for name in map(str, frame.columns):
        if name in data.columns and name not in study.names and roles.of(name) == "undecided":
            cells = as_text(frame[name]).drop_duplicates()
            raw = as_text(data[name])
            numbers_shown, numbers_raw = pd.to_numeric(cells, errors="coerce"), pd.to_numeric(raw, errors="coerce")
            strange = cells[
                ~cells.isin([*raw, ROOT_LABEL]) & ~(numbers_shown.notna() & numbers_shown.isin(numbers_raw))
            ]
            if len(strange):
                shown.append((name, strange.iloc[0][:40]))
    return shown


def _same_numbers(one: "pd.Series[str]", other: "pd.Series[str]") -> "pd.Series[bool]":
    """Where two columns hold the same number, however it is written: 5 and 5.0."""
    return pd.to_numeric(one, errors="coerce") == pd.to_numeric(other, errors="coerce")


def _recoding(table: Complete, study: Study, alike: AlikeRows | None, *, needed: bool) -> Recoding | None:
    """What local recoding makes of a raw table; None where it cannot, and is not needed."""
    try:
        return recode_complete(replace(table, data=study.roles.published(table.data)), study, alike=alike)
    except CRAError:
        if needed:
            raise
        return None


def _is_recoding(frame: pd.DataFrame, times: Times, made: Recoding, held: Times) -> bool:
    """True where a release shows just what local recoding makes of the table: then more can be concluded from it."""
    shown, own = (
        pd.DataFrame({name: as_text(table[name]) for name in made.study.names}) for table in (frame, made.frame)
    )
    if any(set(shown[name].unique()) != set(own[name].unique()) for name in made.study.names):
        return False  # sooner than counting rows, and most other releases
    if times is None and held is None and shown.equals(own):
        return True
    return _boxes(shown, times) == _boxes(own, held)


def _boxes(shown: pd.DataFrame, times: Times) -> dict[Any, int]:
    """How many records show each combination of labels."""
    records = pd.Series(np.ones(len(shown), dtype=np.int64) if times is None else times)
    return dict(records.groupby([shown[name] for name in shown], sort=False).sum())


def _assessed(
    frame: pd.DataFrame,
    counted: CountedRows | None,
    read: Read,
    gs_factor: GsFactor,
    raw: Sequence[ColumnValues],
    held: Times,
    deadline: Deadline,
    *,
    local: bool,
    assessed: Assessment | None,
) -> tuple[Assessment | None, str, bool]:
    """What the release gives away by itself, why something of it is not known, and whether more time would tell."""
    if read.strange:
        return None, f"{read.strange}, which is no label of the study's hierarchies", False
    if assessed is None:
        try:
            release = Release(read.study, frame.astype(str), gs_factor=gs_factor, counted=counted)
        except CRAError as error:
            return None, _as_part(str(error)), False
        assessed = assess(release, local=local, deadline=deadline)
    assessment = assessed
    if raw and assessment.certain_cells:
        leaves = np.stack([values.leaves.astype(np.int32)[values.codes] for values in raw], axis=1)
        assessment = against_data(assessment, leaves, held)
    late = not {OUT_OF_TIME, NOT_SETTLED}.isdisjoint(assessment.missing)
    missing = "; ".join(map(_as_part, filter(None, (assessment.contradiction, *assessment.missing))))
    return (assessment if assessment.certain.value is not None else None), missing, late


def _by_local(
    frame: pd.DataFrame,
    counted: CountedRows | None,
    study: Study,
    gs_factor: GsFactor,
    assessment: Assessment | None,
    deadline: Deadline,
) -> Assessment | None:
    """What a release that is read as one of global recoding gives away if local recoding made it; None otherwise."""
    if assessment is None or assessment.recoding == "local" or assessment.missing:
        return None
    return assess(
        Release(study, frame.astype(str), gs_factor=gs_factor, counted=counted), local=True, deadline=deadline
    )


def _as_part(sentence: str) -> str:
    """A sentence as it stands after a colon."""
    return sentence[:1].lower() + sentence[1:].rstrip(".")


def _risk(
    read: Read,
    sizes: Sequence[int],
    study: Study,
    rule: Rule,
    population: pd.DataFrame | None,
    people: Sequence[int] | None,
) -> tuple[ReIdentification | None, str]:
    if not sizes:
        return None, ""
    limit = rule.risk(study.k)
    if population is None:
        return re_identification(sizes, limit), ""
    if read.strange:
        return re_identification(sizes, limit), read.strange
    return re_identification(sizes, limit, people), ""


def _journalist(unknown: str) -> tuple[Finding, ...]:
    if not unknown:
        return ()
    text = (
        f"The population was not counted: {unknown}, which is no label of the study's hierarchies; the journalist's "
        "and the marketer's risk are those of the table alone."
    )
    return (Finding("attention", "population", text),)
