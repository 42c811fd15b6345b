"""What is kept and what is given away by a published table: each number with how sure it is."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import comb, inf
from random import Random
from statistics import median
from typing import Any, Literal

import numpy as np
import pandas as pd

from cra_engine.attacks.full_domain import global_view
from cra_engine.attacks.intervals import none_and_one
from cra_engine.attacks.refinement.attack import Attack, attack
from cra_engine.criteria.groups import Groups
from cra_engine.defences.reading import certain_together, read_as_arx
from cra_engine.defences.ways import Made
from cra_engine.errors import CRAError
from cra_engine.patience import checkpoint
from cra_engine.published import Categories, Extents, Interval
from cra_engine.raw.placement import locate
from cra_engine.release import Release
from cra_engine.risk.sensitive_cells import sensitive_cells
from cra_engine.risk.singling import single_out
from cra_engine.study.grid import Cell
from cra_engine.study.study import Study
from cra_engine.utility.certainty_penalty import certainty_penalty
from cra_engine.utility.class_sizes import aecs, discernibility
from cra_engine.utility.count_queries import Query, count, estimates, random_queries, relative_error

Sure = Literal["exact", "bound", "estimate", "unknown"]
EVERYBODY = "\u2217 everybody"  # a column that queries ask for where only quasi-identifiers are meant
QUERIES, SELECTIVITY = 300, 0.1


@dataclass(frozen=True)
class Figure:
    """One number of one way.

    Attributes:
        value: the number; infinite for a gain without bound; None where it is not known.
        sure: exact, a bound (the truth is that or worse), an estimate, or not known.
        note: what to know of it; empty where nothing.
    """

    value: float | None
    sure: Sure
    note: str = ""


@dataclass(frozen=True)
class Measure:
    """What ways are compared by.

    Attributes:
        key: its name in JSON.
        title: for people.
        kept: True for what is kept, False for what is given away.
        better: ``"less"`` or ``"more"``.
        help: what it is, in a sentence.
    """

    key: str
    title: str
    kept: bool
    better: Literal["less", "more"]
    help: str


MEASURES = (
    Measure("loss", "Loss", True, "less", "Mean information loss of a record by the hierarchies, 0 to 1."),
    Measure(
        "query_error",
        "Query error",
        True,
        "less",
        "Median relative error of 300 random queries for two attributes.",
    ),
    Measure("gcp", "GCP", True, "less", "Mean share of its domain that a published value spans, 0 to 1."),
    Measure("class_size", "Class size", True, "less", "Average number of records that show the same."),
    Measure("discernibility", "Discernibility", True, "less", "Records that each record is confused with, on average."),
    Measure("entropy", "Entropy", True, "less", "Bits lost per record: how much less probable values were made."),
    Measure("prosecutor", "Prosecutor risk", False, "less", "Largest chance to name a person's record by its row."),
    Measure("certain", "Certain", False, "less", "Cells that hold exactly one person for certain, by the table alone."),
    Measure("expected", "Singled out", False, "less", "Expected number of cells that hold exactly one person."),
    Measure(
        "expected_regions",
        "By regions",
        False,
        "less",
        "The same for a reader who concludes nothing from the choices.",
    ),
    Measure(
        "gain",
        "Gain",
        False,
        "less",
        "Most that the choices tell about one person: a logarithm of odds.",
    ),
    Measure(
        "sensitive_cells", "Sensitive cells", False, "less", "Totals per class that would give a contributor away."
    ),
    Measure("l", "l", False, "more", "Fewest different sensitive values in a class."),
    Measure("t", "t", False, "less", "Largest distance of a class's sensitive values from the whole table's."),
)
TOGETHER_SECONDS = 20.0  # for reading all classes of a table together
UNKNOWN = Figure(None, "unknown")
_OF_THE_TABLE = {"loss", "query_error", "gcp", "entropy", "class_size", "discernibility"}
POINTS = Figure(None, "unknown", "Rows show no nodes of the hierarchies.")


@dataclass(frozen=True, eq=False)
class Question:
    """What every way of one comparison is asked.

    Attributes:
        data: the raw table as it is published.
        read: the same with numeric quasi-identifiers as numbers, dates as those of their periods, for what is
            counted; a gap or a group such as ``90+`` is where its leaf begins.
        study: hierarchies and k.
        sensitive: the column for l and t; None where there is none.
        queries: the count queries.
        truths: their answers on the raw table.
    """

    data: pd.DataFrame
    read: pd.DataFrame
    study: Study
    sensitive: str | None
    queries: tuple[Query, ...]
    truths: tuple[int, ...]

    @classmethod
    def of(cls, data: pd.DataFrame, study: Study, sensitive: str | None, seed: int = 0) -> "Question":
        """Read the numbers, and draw the queries.

        Raises:
            DataError: the table does not fit the study.
        """
        read = _read(data, study)
        asked = read[list(study.names)].assign(**{EVERYBODY: "all"})
        many = min(2, len(study.names))
        queries = random_queries(asked, EVERYBODY, many, SELECTIVITY, QUERIES, Random(seed))
        return cls(data, read, study, sensitive, tuple(queries), tuple(count(asked, query) for query in queries))


def _read(data: pd.DataFrame, study: Study) -> pd.DataFrame:
    located = locate(data, study)
    read = {}
    for position, attribute in enumerate(study.attributes):
        if attribute.numeric:
            column = located.columns[position]
            values = np.asarray(column.raw_values, dtype=np.float64)
            begins = np.array([float(node.lower) for node in attribute.layer_nodes[0]])[column.leaves]
            read[attribute.name] = np.where(np.isfinite(values), values, begins)
    return data.assign(**read)


def figures(made: Made, question: Question, keys: Sequence[str] = ()) -> dict[str, Figure]:
    """Every number of one published table.

    Args:
        made: the table.
        question: what it is asked, and the raw table.
        keys: the measures that are asked for; all where none is named.

    Raises:
        Stopped: somebody lost patience; see :mod:`cra_engine.patience`.
    """
    found: dict[str, Figure] = {}
    parts: tuple[Callable[[Made, Question], Mapping[str, Figure]], ...] = (_kept, _risk, _attacked, _values)
    if keys and not set(keys) - _OF_THE_TABLE:
        parts = (_kept,)
    for part in parts:
        checkpoint()
        try:
            found |= part(made, question)
        except CRAError as error:
            found.setdefault("note", Figure(None, "unknown", str(error)))
    problem = found.pop("note", UNKNOWN)
    return {measure.key: found.get(measure.key, problem) for measure in MEASURES}


def _kept(made: Made, question: Question) -> dict[str, Figure]:
    table, names = made.table, question.study.names
    asked = question.read[list(names)].assign(**{EVERYBODY: "all"})
    frame = table.frame
    nobody = np.zeros(len(frame), dtype=bool)
    if made.hides is not None and question.sensitive is not None:
        nobody = (frame[question.sensitive].astype(str) == "*").to_numpy(dtype=bool)  # rows for nobody
    shown = type(table)(
        pd.DataFrame({EVERYBODY: np.where(nobody, "*", "all")}), table.extents, table.groups, table.suppressed
    )
    answers = estimates(shown, asked, EVERYBODY, question.queries)
    errors = [relative_error(mine, true) for mine, true in zip(answers, question.truths, strict=True)]
    found = {"query_error": Figure(median(errors), "estimate", f"{len(errors)} queries drawn at random")}
    if made.loss is not None:
        found["loss"] = Figure(made.loss, "exact")
    points = all(
        isinstance(extent, Interval) and extent.lower == extent.upper for extent in table.extents[names[0]].distinct
    )
    if points:
        return found | dict.fromkeys(("loss", "gcp", "entropy"), POINTS) | _sizes(made)
    found["gcp"] = Figure(certainty_penalty(table, question.read, names), "exact")
    bits = sum(_bits(question.read[name], table.extents[name]) for name in names)
    found["entropy"] = Figure(bits / max(len(frame), 1), "exact")
    return found | _sizes(made)


def _sizes(made: Made) -> dict[str, Figure]:
    sizes, hidden = [len(rows) for rows in made.table.groups], len(made.table.suppressed)
    if made.hides is not None:
        return {}
    records = max(sum(sizes) + hidden, 1)
    return {
        "class_size": Figure(float(aecs(sizes, hidden)), "exact"),
        "discernibility": Figure(discernibility(sizes, hidden) / records, "exact"),
    }


def _bits(column: "pd.Series[Any]", extents: Extents) -> float:
    """The bits lost in one column: per row the logarithm of how many records its extent holds over its own value's."""
    numeric = all(isinstance(extent, Interval) for extent in extents.distinct)
    values = column.to_numpy(dtype=float) if numeric else column.astype(str).to_numpy(dtype=object)
    distinct, codes, often = np.unique(values, return_inverse=True, return_counts=True)
    held = []
    for extent in extents.distinct:
        if isinstance(extent, Categories):
            inside = np.isin(distinct, list(extent.values))
        else:
            below = distinct <= float(extent.upper) if extent.closed else distinct < float(extent.upper)
            inside = (distinct >= float(extent.lower)) & below
        held.append(max(int(often[inside].sum()), 1))
    wide = float(np.log2(np.array(held)[extents.of_row]).sum())
    return max(0.0, wide - float(np.log2(often[codes]).sum()) * len(extents.of_row) / len(codes))


def _risk(made: Made, _: Question) -> dict[str, Figure]:
    if made.hides is not None:
        return {"prosecutor": Figure(1 / made.hides, "exact", "by the number of rows that match a person")}
    smallest = min((len(rows) for rows in made.table.groups), default=0)
    return {"prosecutor": Figure(1 / smallest if smallest else 0.0, "exact")}


def _attacked(made: Made, question: Question) -> dict[str, Figure]:
    if made.release is not None and made.repaired:
        reading = read_as_arx(made.release)
        note = "as somebody reads it who takes it for ARX-LR's own"
        return {
            "certain": _certain(made.release, reading.certain),
            "expected": Figure(reading.expected, "estimate", note),
            "gain": Figure(None, "unknown", "a reader who knows the repair may exclude tables; no bound is known"),
        }
    if made.release is not None:
        found = attack(made.release)
        safe = made.release.study.safe
        alone: Sure = "exact" if safe else "bound"
        note = "" if safe else "each class by itself; all together may show more"
        return {
            "expected_regions": Figure(_by_regions(found), "exact"),
            "certain": Figure(len(found.isolated), alone) if safe else _certain(made.release, found.isolated),
            "expected": Figure(single_out(found).expected_isolated, "exact", note),
            "gain": Figure(float(made.release.regions.gain), "exact") if safe else _gain_of_arx(found),
        }
    if made.global_release is not None:
        view = global_view(made.global_release)
        several = made.global_release.suppressed >= question.study.k
        return {
            "certain": Figure(view.certain, "exact", "by the state and what is suppressed"),
            "expected": Figure(view.expected, "exact", "by the state and what is suppressed"),
            "gain": Figure(inf, "exact", "no unpublished box can hold k of the suppressed records")
            if several
            else Figure(None, "unknown", "which state is best depends on the records"),
        }
    return {}


def _certain(release: Release, alone: Collection[Cell]) -> Figure:
    """Cells that hold exactly one person for certain, by each class and by all of them together."""
    isolated, finished = certain_together(release, TOGETHER_SECONDS)
    note = "by all classes together" if finished else "each class by itself; all together may show more"
    return Figure(len(isolated | set(alone)), "exact" if finished else "bound", note)


def _by_regions(found: Attack) -> float:
    """Expected cells with one person for a reader who knows where each class may lie, and concludes nothing else."""
    total = 0.0
    for part in found.parts:
        if part.basic:
            continue
        whole = sum(part.cell_volumes)
        for volume, often in Counter(part.cell_volumes).items():
            total += often * none_and_one(volume, whole, part.size)[1]
    return total


def _gain_of_arx(found: Attack) -> Figure:
    for part in found.parts:
        if part.basic or part.prior.repeats:
            continue
        fitting = comb(sum(part.cell_volumes), part.size)
        if part.cra_bounds[1] < fitting:
            return Figure(inf, "exact", "some tables that fit could not have given this release")
    return Figure(None, "unknown", "no class excludes a table by itself")


def _values(made: Made, question: Question) -> dict[str, Figure]:
    if made.hides is not None or not made.table.groups:
        return {}
    found: dict[str, Figure] = {}
    try:
        cells = sensitive_cells(made.table.groups, question.data)
        found["sensitive_cells"] = Figure(len(cells.offending), "exact", "were totals of the numbers published")
    except CRAError as error:
        found["sensitive_cells"] = Figure(None, "unknown", str(error))
    if question.sensitive is not None:
        found |= _diversity(made.table.groups, question.data[question.sensitive])
    return found


def _diversity(groups: Sequence[Any], column: "pd.Series[Any]") -> dict[str, Figure]:
    spread = Groups.of(groups, {"": column}).spreads[""]
    sizes = np.array([len(rows) for rows in groups])
    least = int(np.bincount(spread.group, minlength=len(groups)).min())
    share = spread.totals / spread.totals.sum()
    there = np.abs(spread.count / sizes[spread.group] - share[spread.value]) - share[spread.value]
    distance = (1 + np.bincount(spread.group, weights=there, minlength=len(groups))) / 2
    return {"l": Figure(least, "exact"), "t": Figure(float(distance.max()), "exact")}
