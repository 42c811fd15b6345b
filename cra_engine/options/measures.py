"""What options are compared by: what is kept and what is given away, each number with how sure it is."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from random import Random
from statistics import median
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.assess.assessment import Assessment
from cra_engine.assess.choice_gains import choice_gains
from cra_engine.assess.figure import Figure
from cra_engine.attacks.intervals import none_and_one
from cra_engine.attacks.refinement.attack import Attack, attack
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.checks.outcome import Check
from cra_engine.checks.sensitive_values import SensitiveValues
from cra_engine.errors import CRAError
from cra_engine.options.detail import basic_in, detail_lost, detail_weights, hidden_share
from cra_engine.options.ways import Made
from cra_engine.patience import Stopped, checkpoint
from cra_engine.published import Categories, Extents, Interval
from cra_engine.raw.column_looks import Look
from cra_engine.raw.columns import RawColumn, gaps_in
from cra_engine.raw.placement import locate
from cra_engine.raw.proposed_roles import looks_of, roles_by_looks
from cra_engine.release import Release
from cra_engine.risk.sensitive_cells import sensitive_cells
from cra_engine.study.grid import Grid
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.study import Study
from cra_engine.utility.certainty_penalty import certainty_penalty
from cra_engine.utility.class_sizes import aecs, discernibility
from cra_engine.utility.count_queries import People, estimates, random_queries, relative_error

EVERYBODY = "\u2217 everybody"  # a column that queries ask for where only quasi-identifiers are meant
QUERIES, SELECTIVITY = 300, 0.1
OUT_OF_TIME = "The time for this option ran out before everything was counted."


@dataclass(frozen=True)
class Measure:
    """A measure that options are compared by.

    Attributes:
        key: its name in JSON.
        title: for people.
        kept: True for what is kept, False for what is given away.
        better: ``"less"`` or ``"more"``.
        help: what it is, in a sentence.
        unit: how it is written: a ``"number"``, a ``"share"`` of 1, or a ``"power"`` of ten, given as its exponent.
    """

    key: str
    title: str
    kept: bool
    better: Literal["less", "more"]
    help: str
    unit: Literal["number", "share", "power"] = "number"


def _measure(
    key: str, title: str, text: str, *, kept: bool = False, more: bool = False, unit: Any = "number"
) -> Measure:
    return Measure(key, title, kept, "more" if more else "less", text, unit)


MEASURES = {
    measure.key: measure
    for measure in (
        _measure(
            "detail",
            "Detail lost",
            "What Make it publishable counts: the share of all columns that go out, age (or a date of birth) and sex "
            "threefold, which is made coarser, suppressed or left out.",
            kept=True,
            unit="share",
        ),
        _measure(
            "loss",
            "Information lost",
            "Mean loss of a record by the hierarchies: none for exact values, all for what is suppressed.",
            kept=True,
            unit="share",
        ),
        _measure(
            "query_error", "Query error", "Median relative error of 300 random queries for two attributes.", kept=True
        ),
        _measure("gcp", "GCP", "Mean share of its domain that a published value spans.", kept=True, unit="share"),
        _measure("class_size", "Class size", "Average number of records that show the same.", kept=True),
        _measure(
            "discernibility", "Discernibility", "Records that each record is confused with, on average.", kept=True
        ),
        _measure("entropy", "Entropy", "Bits lost per record: how much less probable values were made.", kept=True),
        _measure("suppressed", "Suppressed", "Records published with * in every quasi-identifier.", kept=True),
        _measure(
            "prosecutor",
            "Prosecutor risk",
            "Largest chance to name a person's record by its row, for whom somebody knows: what k promises.",
            unit="share",
        ),
        _measure(
            "certain",
            "Singled out for certain",
            "Finest cells that hold exactly one person for certain, by the table alone.",
        ),
        _measure("expected", "Singled out, expected", "Expected number of finest cells that hold exactly one person."),
        _measure("expected_regions", "By regions", "The same for a reader who concludes nothing from the choices."),
        _measure("expected_intervals", "By intervals", "The same for a reader of the intervals alone."),
        _measure(
            "likeliest",
            "The likeliest person",
            "Largest chance of a finest cell to hold exactly one person.",
            unit="share",
        ),
        _measure(
            "left",
            "Possible tables left",
            "How many tables of exact values remain possible; more leave more in the dark.",
            more=True,
            unit="power",
        ),
        _measure(
            "gain",
            "Gain",
            "Most that the choices tell about one person, a logarithm of odds: 0 where nothing was left to choose, as "
            "where every box is a single finest cell; \u221e where nothing bounds it.",
        ),
        _measure("alone", "Alone in a finest cell", "People, checked against your own table; k has no part in it."),
        _measure("sensitive_cells", "Sensitive cells", "Totals per class that would give a contributor away."),
        _measure("l", "l", "Fewest different sensitive values in a class.", more=True),
        _measure("t", "t", "Largest distance of a class's sensitive values from the whole table's."),
    )
}
KEPT = {key: measure for key, measure in MEASURES.items() if measure.kept}
GIVEN = {key: measure for key, measure in MEASURES.items() if not measure.kept}


UNKNOWN = Figure.unknown()
POINTS = Figure.unknown("Rows show no nodes of the hierarchies.")


class Detail:
    """The detail of a raw table, of which each published table loses some.

    Args:
        data: the table as it is published: a :class:`Publisher`'s, whose order and columns are those of what goes out.
        study: hierarchies and roles.
        records: number of records, those that the study leaves out among them.
        looks: how its columns look, where that is known.

    Attributes:
        weights: what each column that goes out counts of all detail.
        read: the table with numeric quasi-identifiers as numbers; see :func:`as_numbers`.
    """

    def __init__(self, data: pd.DataFrame, study: Study, records: int, looks: Sequence[Look] | None = None) -> None:
        looks = looks_of(data) if looks is None else looks
        # What says who somebody is goes out by decision alone; until then it is no detail.
        roles, proposed = study.roles_by_models, roles_by_looks(looks, study.names)
        unseen = [one.name for one in proposed if one.identifying == "directly" and roles.of(one.name) == "undecided"]
        shown = [str(name) for name in data.columns if name not in study.roles.remove and name not in unseen]
        self.data, self.study, self.read = data, study, as_numbers(data, study)
        self.weights = detail_weights(shown, basic_in(looks))
        self._left_out = 1 - len(data) / records if records else 0.0
        self._hidden = {name: hidden_share(data[name]) for name in shown if name not in study.names}

    def lost(self, extents: Mapping[str, Extents]) -> float:
        """Returns the share of all detail that a published table of these extents loses."""
        return detail_lost(extents, self._domains, self.weights, self._hidden, self._left_out)

    @cached_property
    def _domains(self) -> "dict[str, pd.Series[Any]]":
        columns = {one.name: self.read[one.name][~gaps_in(self.data[one.name], one)] for one in self.study.attributes}
        return {name: column.drop_duplicates() for name, column in columns.items()}


class Question:
    """What every option of one comparison is measured by, with the answers of the raw table.

    Args:
        data: the raw table as it is published.
        study: hierarchies and k.
        sensitive: the column for l and t; None where there is none.
        seed: of the count queries.
        detail: of the table, where that is known.

    Attributes:
        read: the table with numeric quasi-identifiers as numbers, dates as those of their periods, for what is counted;
            a gap or a group such as ``90+`` is where its leaf begins.
        queries: the count queries.
        truths: their answers on the raw table.

    Raises:
        DataError: the table does not fit the study.
    """

    def __init__(
        self, data: pd.DataFrame, study: Study, sensitive: str | None, seed: int = 0, *, detail: Detail | None = None
    ) -> None:
        self.data, self.study, self.sensitive = data, study, sensitive
        self.detail = Detail(data, study, len(data)) if detail is None else detail
        self.read = self.detail.read
        asked = self.read[list(study.names)].assign(**{EVERYBODY: "all"})
        many = min(2, len(study.names))
        self.queries = random_queries(asked, EVERYBODY, many, SELECTIVITY, QUERIES, Random(seed))
        self.truths = list(map(People(asked).count, self.queries))
        self._alone: tuple[object, int] | None = None

    def alone(self, study: Study) -> int:
        """Returns the number of records that are alone in their cell of a study's grid."""
        if self._alone is None or self._alone[0] != study.attributes:
            codes = Grid(study.attributes).codes(locate(self.data, study).leaves)
            _, often = np.unique(codes, return_counts=True)
            self._alone = study.attributes, int((often == 1).sum())
        return self._alone[1]


def as_numbers(data: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Return a raw table for options with its numeric quasi-identifiers as numbers; see :attr:`Question.read`."""
    read = {}
    for attribute, column in zip(study.attributes, locate(data, study).columns, strict=True):
        read[attribute.name] = read_as_numbers(attribute, column)
    return data.assign(**read)


def read_as_numbers(attribute: Hierarchy, column: RawColumn) -> NDArray[Any]:
    """Return per row the value of one quasi-identifier as :func:`as_numbers` gives it."""
    if not attribute.numeric:
        return column.raw_values
    values, leaves = np.asarray(column.raw_values, dtype=np.float64), attribute.layer_nodes[0]
    begins = np.array([float(node.lower) for node in leaves])[column.leaves]
    # One age of 214 in a group such as 90+ would make all others look alike.
    coded = np.array([node.coded for node in leaves])[column.leaves]
    return np.where(np.isfinite(values) & ~coded, values, begins)


def figures(made: Made, question: Question, checked: Check | None) -> tuple[dict[str, Figure], tuple[str, ...]]:
    """Measure every number of one option's published table, and say which are missing.

    Args:
        made: the table.
        question: what it is asked, and the raw table.
        checked: what was found of it, and what it gives away; None where nobody looked at it.
    """
    known: dict[str, Figure] = {}
    notes: list[str] = []
    parts: tuple[Callable[[Made, Question, dict[str, Figure]], None], ...] = (_kept, _risk, _values)
    for part in parts:
        try:
            checkpoint()
            part(made, question, known)
        except Stopped:
            notes.append(OUT_OF_TIME)
        except CRAError as error:
            notes.append(str(error))
    assessment = None if checked is None else checked.assessment
    if checked is not None and assessment is None:
        notes += [one.text for one in checked.findings if one.code == "attack-not-looked-at"]
    if assessment is not None:
        known |= _attacked(made, assessment)
        notes += [*([assessment.contradiction] if assessment.contradiction else []), *assessment.missing]
    missing = Figure.unknown(notes[-1]) if notes else UNKNOWN
    return {key: known.get(key, missing) for key in MEASURES}, tuple(dict.fromkeys(notes))


def kept_figures(made: Made, question: Question) -> dict[str, Figure]:
    """Measure what one option's published table keeps."""
    known: dict[str, Figure] = {}
    _kept(made, question, known)
    return known


def _kept(made: Made, question: Question, known: dict[str, Figure]) -> None:
    table, names = made.table, question.study.names
    sizes, hidden = [len(rows) for rows in table.groups], len(table.suppressed)
    if made.loss is not None:
        known["loss"] = Figure.exact(made.loss.value)
    if made.hides is None:
        known["suppressed"] = Figure.exact(hidden)
        known["class_size"] = Figure.exact(float(aecs(sizes, hidden)))
        known["discernibility"] = Figure.exact(discernibility(sizes, hidden) / max(sum(sizes) + hidden, 1))
    asked = question.read[list(names)].assign(**{EVERYBODY: "all"})
    nobody = np.zeros(len(table.frame), dtype=bool)
    if made.hides is not None and question.sensitive is not None:
        nobody = (table.frame[question.sensitive].astype(str) == "*").to_numpy(dtype=bool)  # rows for nobody
    everybody = pd.DataFrame({EVERYBODY: np.where(nobody, "*", "all")})
    shown = type(table)(everybody, table.extents, table.groups, table.suppressed)
    answers = estimates(shown, asked, EVERYBODY, question.queries)
    errors = [relative_error(answer, truth) for answer, truth in zip(answers, question.truths, strict=True)]
    known["query_error"] = Figure.estimate(median(errors), f"{len(errors)} queries drawn at random")
    extents = table.extents[names[0]].distinct
    if all(isinstance(extent, Interval) and extent.lower == extent.upper for extent in extents):
        known |= dict.fromkeys(("loss", "detail", "gcp", "entropy"), POINTS)
        return
    known["gcp"] = Figure.exact(certainty_penalty(table, question.read, names))
    known["detail"] = Figure.exact(question.detail.lost(table.extents))
    bits = sum(_bits(question.read[name], table.extents[name]) for name in names)
    known["entropy"] = Figure.exact(bits / max(len(table.frame), 1))


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


def _risk(made: Made, question: Question, known: dict[str, Figure]) -> None:
    if made.hides is not None:
        known["prosecutor"] = Figure.exact(1 / made.hides, "by the number of rows that match a person")
        return
    smallest = min((len(rows) for rows in made.table.groups), default=0)
    known["prosecutor"] = Figure.exact(1 / smallest if smallest else 0.0)
    if made.by_hierarchies:
        known["alone"] = Figure.exact(question.alone(made.study))


def _attacked(made: Made, assessment: Assessment) -> dict[str, Figure]:
    known = {
        "certain": assessment.certain,
        "expected": assessment.expected,
        "expected_intervals": assessment.by_intervals,
        "likeliest": assessment.likeliest,
        "left": assessment.left,
        "gain": _gain(made, assessment.tight),
    }
    if assessment.attack is not None and not made.repaired:
        known["expected_regions"] = Figure.exact(_by_regions(assessment.attack))
    return known


def _gain(made: Made, together: TightAttack | None) -> Figure:
    """Returns the most that the choices of a recoding tell about one person."""
    if made.repaired:
        return Figure.unknown("a reader who knows the repair may exclude tables; no bound is known")
    if isinstance(made.release, Release):
        return choice_gains(attack(made.release), together).largest
    if made.release is not None and made.release.suppressed >= made.study.k:
        return Figure(inf, inf, inf, "exact", "no unpublished box can hold k of the suppressed records")
    return Figure.unknown("which state is best depends on the records")


def _by_regions(attacked: Attack) -> float:
    """Expected cells with one person for a reader who knows where each class may lie, and concludes nothing else."""
    total = 0.0
    for part in attacked.parts:
        if part.basic:
            continue
        whole = sum(part.cell_volumes)
        for volume, often in Counter(part.cell_volumes).items():
            total += often * none_and_one(volume, whole, part.size)[1]
    return total


def _values(made: Made, question: Question, known: dict[str, Figure]) -> None:
    if made.hides is not None or not made.table.groups:
        return
    if question.sensitive is not None:
        known |= _diversity(made.table.groups, question.data[question.sensitive])
    try:
        cells = sensitive_cells(made.table.groups, question.data)
        known["sensitive_cells"] = Figure.exact(len(cells.offending), "were totals of the numbers published")
    except CRAError as error:
        known["sensitive_cells"] = Figure.unknown(str(error))


def _diversity(groups: Sequence[Any], column: "pd.Series[Any]") -> dict[str, Figure]:
    spread = SensitiveValues.of(column, groups).diversity
    return {} if spread is None else {"l": Figure.exact(spread.distinct_l), "t": Figure.exact(float(spread.t))}
