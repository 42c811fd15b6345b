"""All ways to publish one table, side by side: what each keeps, what it gives away, and which one to take."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite

import numpy as np
import pandas as pd

from cra_engine.defences.figures import MEASURES, Figure, Question, figures
from cra_engine.defences.ways import Made, Way, WayName, WaySettings, sensitive_column, ways_of
from cra_engine.errors import CRAError
from cra_engine.expected import expect
from cra_engine.files.tables import column_of
from cra_engine.patience import Stopped, stoppable
from cra_engine.raw.columns import read_numbers
from cra_engine.raw.placement import locate
from cra_engine.study.regions import NOTHING_TO_CHOOSE
from cra_engine.study.study import Study

WAY_SECONDS = 40.0
OUT_OF_TIME = "The time for this way ran out before everything was counted."
BY_HIERARCHIES = {"local", "safe", "repaired", "global"}
MOST_GAIN = 1.0  # of a way that is recommended: odds may change by a factor of 2.7 at most


@dataclass(frozen=True, eq=False)
class Row:
    """One way to publish with its numbers.

    Attributes:
        number: from 1, in the order tried.
        name: which of the program's ways.
        label: with its settings.
        figures: per measure its number.
        notes: sentences on what to know of it.
        problem: why it is not possible; empty where it is.
        seconds: how long it took.
        made: the published table; None where it is not possible.
    """

    number: int
    name: WayName
    label: str
    figures: Mapping[str, Figure]
    notes: tuple[str, ...] = ()
    problem: str = ""
    seconds: float = 0.0
    made: Made | None = field(default=None, repr=False)

    def value(self, key: str) -> float | None:
        """One of its numbers, None where it is not known."""
        found = self.figures.get(key)
        return None if found is None else found.value


@dataclass(frozen=True, eq=False)
class Comparison:
    """Every way to publish a table, side by side.

    Attributes:
        study: hierarchies and k.
        records: number of records.
        sensitive: the column that l and t are of; None where there is none.
        rows: the ways, in the order tried.
        complete: False where it was ended before all were tried.
        seconds: how long it took.
    """

    study: Study
    records: int
    sensitive: str | None
    rows: tuple[Row, ...]
    complete: bool
    seconds: float

    def __repr__(self) -> str:
        """In one line."""
        return f"Comparison(ways={len(self.rows)}, possible={sum(not row.problem for row in self.rows)})"

    def to_frame(self) -> pd.DataFrame:
        """A row per way, a column per measure."""
        return pd.DataFrame(
            [{"way": row.label, **{measure.key: row.value(measure.key) for measure in MEASURES}} for row in self.rows]
        )

    def frontier(self, kept: str = "query_error", given: str = "expected") -> tuple[Row, ...]:
        """The ways that nothing beats in two measures: none keeps as much and gives away less, or the other way round.

        Ways of which one of the two numbers is not known are not among them.
        """
        known = [(row, row.value(kept), row.value(given)) for row in self.rows]
        there = [(row, x, y) for row, x, y in known if x is not None and y is not None]
        return tuple(row for row, x, y in there if not any(a <= x and b <= y and (a < x or b < y) for _, a, b in there))

    @property
    def recommended(self) -> tuple[Row | None, str]:
        """The way to take, and why: of those with a known gain of at most 1 and nobody certain that of least loss."""
        return self.recommend()

    def recommend(self, least_l: int = 1) -> tuple[Row | None, str]:
        """The same where each class must show so many sensitive values, as far as that can be had."""
        fit = [row for row in self.rows if row.value("certain") == 0 and _at_most(row.value("gain"), MOST_GAIN)]
        if not fit:
            return None, (
                "No way that was tried promises anything to a reader who knows the method: take a smaller epsilon or a "
                "larger k for safe recoding."
            )
        diverse = [row for row in fit if least_l <= 1 or (row.value("l") or 0) >= least_l]
        best = min(diverse or fit, key=lambda row: (row.value("loss") or 0.0, row.number))
        gain, loss = best.value("gain"), best.value("loss")
        tells = f"it tells {gain:.3g}"
        if not gain and best.name == "safe":
            tells += f": {NOTHING_TO_CHOOSE}"
        plain = next((row for row in self.rows if row.name == "local" and not row.problem), None)
        beside = ""
        if plain is not None and plain.value("loss") is not None and plain.value("gain") == inf:
            beside = f" ARX-LR loses {plain.value('loss'):.3g}, and what its choices tell has no bound."
        lacking = ""
        if not diverse:
            lacking = f" Its classes do not all show {least_l} values of {self.sensitive!r}: take a larger k for it."
        return best, (
            f"{best.label} loses least ({loss:.3g}) among the ways that isolate nobody for certain and tell a reader "
            f"who knows the method at most {MOST_GAIN:g} about one person ({tells}).{beside}{lacking}"
        )


def _at_most(value: float | None, limit: float) -> bool:
    return value is not None and value <= limit


def compare(
    data: pd.DataFrame,
    study: Study,
    settings: WaySettings | None = None,
    *,
    progress: Callable[[int, int, float | None], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Comparison:
    """Publish a table in every way that the program has, and measure each the same way.

    Args:
        data: one row per person.
        study: hierarchies and k; its privacy models are tried with global recoding, one after the other.
        settings: which ways, and with what.
        progress: told how many of how many ways are done, and about how many seconds are left.
        cancelled: asked several times a second; when it answers True the ways measured so far are returned.

    Raises:
        DataError: the table does not fit the study.
        StudyError: a setting is unusable.

    >>> from cra_engine import synthesize
    >>> toy = synthesize("toy")
    >>> found = compare(toy.data, toy.study, WaySettings(methods=("local", "safe")))
    >>> [row.label for row in found.rows][:2]
    ['Local recoding, ARX-LR', 'Safe recoding, epsilon 0.5']
    >>> found.rows[0].value("gain"), found.rows[1].value("gain") <= 0.5
    (inf, True)
    """
    expect(data, pd.DataFrame, "compare(data)")
    expect(study, Study, "compare(study)")
    if settings is not None:
        expect(settings, WaySettings, "compare(settings)")
    settings = settings or WaySettings()
    began = time.monotonic()
    study.refuse_small_k()
    sensitive = sensitive_column(data, study, settings.sensitive)
    question = Question.of(_read(data, study), study, sensitive)
    ways = ways_of(study, settings, sensitive)
    rows: list[Row] = []
    for number, way in enumerate(ways, start=1):
        if cancelled():
            break
        row = _row(number, way, question, cancelled)
        if cancelled():
            break
        rows.append(row)
        passed = time.monotonic() - began
        progress(number, len(ways), passed / number * (len(ways) - number))
    return Comparison(study, len(data), sensitive, tuple(rows), len(rows) == len(ways), time.monotonic() - began)


def _read(data: pd.DataFrame, study: Study) -> pd.DataFrame:
    """The table with quasi-identifiers as numbers or plain texts.

    Raises:
        DataError: the table does not fit the study.
    """
    located = locate(data, study)
    columns = zip(study.attributes, located.columns, strict=True)
    named = {a.name: column.raw_values for a, column in columns if a.plain or not a.numeric}
    return located.data.reset_index(drop=True).assign(**named)


def _numbers_only(question: Question) -> pd.DataFrame:
    """The table for a way that publishes without hierarchies.

    Raises:
        CRAError: a column holds what only a hierarchy has a place for.
    """
    for attribute in question.study.attributes:
        if attribute.dates:
            raise CRAError(f"{attribute.name!r} holds dates, which only recoding by hierarchies publishes.")
        if (
            attribute.numeric
            and not np.isfinite(read_numbers(column_of(question.data, attribute.name), attribute)[0]).all()
        ):
            raise CRAError(
                f"{attribute.name!r} holds missing or coded values, which only recoding by hierarchies publishes."
            )
    return question.read


def _row(number: int, way: Way, question: Question, cancelled: Callable[[], bool]) -> Row:
    begun = time.monotonic()

    def stop() -> bool:
        return cancelled() or time.monotonic() > begun + WAY_SECONDS

    made: Made | None = None
    try:
        with stoppable(stop):
            made = way.make(question.data if way.name in BY_HIERARCHIES else _numbers_only(question))
            found = figures(made, question)
    except CRAError as error:
        return Row(number, way.name, way.label, {}, problem=str(error), seconds=time.monotonic() - begun)
    except Stopped:
        return Row(number, way.name, way.label, {}, problem=OUT_OF_TIME, seconds=time.monotonic() - begun, made=made)
    return Row(number, way.name, way.label, found, made.notes, seconds=time.monotonic() - begun, made=made)


def shown(figure: Figure | None) -> str:
    """A number as people read it: ``0.23``, ``∞``, ``≥ 3`` for a bound, ``≈ 0.4`` for an estimate, ``?`` if unknown."""
    if figure is None or figure.value is None:
        return "?"
    if not isfinite(figure.value):
        return "∞"
    whole = figure.value == int(figure.value) and abs(figure.value) >= 1
    text = f"{int(figure.value):,}" if whole or figure.value == 0 else f"{figure.value:,.3g}"
    return {"bound": "≥ ", "estimate": "≈ "}.get(figure.sure, "") + text
