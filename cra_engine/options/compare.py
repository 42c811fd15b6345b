"""Options side by side: each published, measured and checked, with the frontier and the one to take."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import pandas as pd

from cra_engine.checks.check import check
from cra_engine.checks.outcome import Check
from cra_engine.checks.rule import Rule
from cra_engine.errors import CRAError, StudyError
from cra_engine.expected import expect
from cra_engine.options.frontier import DETAIL, EXPECTED, Point, better, frontier
from cra_engine.options.grid import OptionGrid, wider_options
from cra_engine.options.measures import MEASURES, OUT_OF_TIME, Detail, Measure, Question, figures
from cra_engine.options.option import Heights, Option
from cra_engine.options.ways import Made, Publisher
from cra_engine.patience import Deadline, Stopped, stoppable
from cra_engine.raw.proposed_roles import ProposedRole, looks_of, roles_by_looks
from cra_engine.study.study import Study

TIME_LIMIT = 40.0
MOST_GAIN = 1.0  # natural logarithm of the factor by which odds change at most, 2.7; preferred where it can be had


@dataclass(frozen=True, eq=False)
class Comparison:
    """Options to publish a table, side by side.

    Attributes:
        study: the study that the options start from.
        records: number of records.
        sensitive: the column that l and t are of; None where there is none.
        grid: what was to be tried.
        around: what was to be tried besides; None for nothing.
        points: one per option, the study's own among them, in the order tried.
        complete: False where it was ended before all were tried.
        warnings: findings in the table that stop nothing.
        seconds: how long it took.
        weights: what each column that goes out counts of the detail that an option loses.
    """

    study: Study
    records: int
    sensitive: str | None
    grid: OptionGrid
    points: tuple[Point, ...]
    complete: bool
    warnings: tuple[str, ...]
    seconds: float
    weights: Mapping[str, float] = field(default_factory=dict)
    around: OptionGrid | None = None

    def __repr__(self) -> str:
        """In one line."""
        return f"Comparison(options={len(self.points)}, possible={sum(not point.problem for point in self.points)})"

    def to_frame(self) -> pd.DataFrame:
        """A row per option: its number and name, the verdict, and a column per measure."""
        return pd.DataFrame(
            [
                {
                    "number": point.number,
                    "option": point.label,
                    "k": point.option.k,
                    "verdict": point.verdict,
                    **{key: point.value(key) for key in MEASURES},
                }
                for point in self.points
            ]
        )

    def _repr_html_(self) -> str:
        """As notebooks show it."""
        return str(self.to_frame().to_html())

    @cached_property
    def heights(self) -> Heights:
        """The study's hierarchies at the heights that were tried."""
        return Heights(self.study)

    @property
    def present(self) -> Point | None:
        """The option that the study itself stands for; None where it was not come to."""
        return self.find(Option.of(self.study))

    def find(self, option: Option) -> Point | None:
        """Returns the point of an option; None where it was not tried."""
        return next((point for point in self.points if point.option == option), None)

    def point(self, number: int) -> Point:
        """Returns the point of a number.

        Raises:
            CRAError: there is none.
        """
        if not 1 <= number <= len(self.points):
            raise CRAError(f"There is no option {number}; they are numbered 1 to {len(self.points)}.")
        return self.points[number - 1]

    def frontier(self, kept: Measure = DETAIL, given_away: Measure = EXPECTED) -> frozenset[int]:
        """Returns the numbers of the options that no other one beats; see :func:`frontier`."""
        return frontier(self.points, kept, given_away)

    def is_asked(self, point: Point) -> bool:
        """Whether an option may be advised: with the study's k or more; beside earlier releases drawn inside these."""
        later = bool(self.study.earlier)
        return point.loss is not None and (point.option.way.name == "safe" if later else point.option.k >= self.study.k)

    @cached_property
    def ready(self) -> tuple[Point, ...]:
        """The options that pass the check as Ready, those that lose the least detail first.

        Of those that lose the same what may be advised goes first, then those whose choices tell little.
        """

        def order(point: Point) -> tuple[object, ...]:
            return *_lost(point), not self.is_asked(point), not is_bounded(point), point.number

        return tuple(sorted((point for point in self.points if point.verdict == "ready"), key=order))

    @property
    def recommended(self) -> Point | None:
        """The option to take: it passes the check as Ready, keeps the study's k or more, and loses the least detail.

        Where some of these tell a reader who knows the method no more than a gain of 1, one of them is taken.
        """
        asked = [point for point in self.ready if self.is_asked(point)]
        return next(iter([*filter(is_bounded, asked), *asked]), None)

    @property
    def nearest(self) -> Point | None:
        """The option that comes closest to passing, with the study's k or more.

        That is the one with the fewest findings that stop, then of the others; among equals one that no option beats,
        then with a gain of 1 at most, then with fewest people expected to be singled out, then of least detail lost.
        None where none was checked.
        """
        asked = [point for point in self.points if point.verdict is not None and self.is_asked(point)]

        def distance(point: Point) -> tuple[object, ...]:
            levels = [finding.level for finding in point.findings]
            alone = point.value("expected")
            beaten = bool(better(self.points, point))
            sort = (levels.count("stop"), levels.count("attention"), beaten, not is_bounded(point))
            return *sort, alone is None, round(alone or 0.0), *_lost(point), point.number

        return min(asked, key=distance, default=None)


BESIDE_EARLIER = (
    "Releases of the same people are out already: safe recodings are drawn inside them, and their gain is that of all "
    "together. The other ways are judged alone here; beside what is out they promise nothing, and none of them is "
    "recommended."
)


def _lost(point: Point) -> tuple[bool, float]:
    """What an option loses of the detail, to sort by; what is not known comes last."""
    lost = point.rank(DETAIL)
    return lost is None, lost or 0.0


def is_bounded(point: Point) -> bool:
    """Return whether an option's choices are known to tell a reader who knows the method no more than a gain of 1."""
    gain = point.value("gain")
    return gain is not None and gain <= MOST_GAIN


def compare(
    data: pd.DataFrame,
    study: Study,
    grid: OptionGrid | None = None,
    *,
    around: OptionGrid | None = None,
    sensitive: str | None = None,
    rule: Rule | None = None,
    time_limit: float = TIME_LIMIT,
    progress: Callable[[int, int, float | None], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Comparison:
    """Publish a table by several options, and measure and check each in the same way.

    Args:
        data: one row per person.
        study: where the options start from; its own is always tried.
        grid: the options. When left out, every way to publish is tried with the study's k and hierarchies; where none
            passes the check, also safe recodings with a larger k and coarser hierarchies, until one does.
        around: more options, tried after these; see :func:`grid_around`.
        sensitive: the column that l and t are of; one is chosen when left out.
        rule: what the check demands; ``Rule()`` when left out.
        time_limit: seconds for each option; what takes longer is left with what was counted until then.
        progress: told how many of how many options are done, and about how many seconds are left.
        cancelled: asked several times a second; when it answers True what was measured so far is returned.

    Raises:
        DataError: the table does not fit the study.
        StudyError: a setting is unusable.

    >>> from cra_engine import synthesize
    >>> toy = synthesize("toy")
    >>> compared = compare(toy.data, toy.study)
    >>> [point.label for point in compared.points][:2]
    ['Local recoding, ARX-LR', 'Safe recoding, epsilon 0.5']
    >>> compared.points[0].verdict, compared.points[0].value("gain"), compared.recommended.verdict
    ('stop', inf, 'ready')
    """
    expect(data, pd.DataFrame, "compare(data)")
    expect(study, Study, "compare(study)")
    for name, options in (("grid", grid), ("around", around)):
        if options is not None:
            expect(options, OptionGrid, f"compare({name})")
    if rule is not None:
        expect(rule, Rule, "compare(rule)")
    began = time.monotonic()
    study.refuse_small_k()
    tried = OptionGrid.of(study) if grid is None else grid
    sensitive = sensitive_column(data, study, sensitive)
    publisher = Publisher(data, study, sensitive)
    looks = looks_of(publisher.data)
    proposed = roles_by_looks(looks, study.names)
    detail = Detail(publisher.data, study, len(data), looks)
    question = Question(publisher.data, study, sensitive, detail=detail)
    planned = tried.planned(study)
    further = [] if around is None else [option for option in around.options() if option not in planned]
    # Of what is drawn inside earlier releases neither k can be larger nor hierarchies others.
    wider = wider_options(study, len(data)) if grid is None and not study.earlier else []
    points: list[Point] = []
    while planned:
        point = _point(len(points) + 1, planned[0], publisher, question, proposed, rule, time_limit, cancelled)
        ended = cancelled()
        if ended and OUT_OF_TIME in (point.problem, *point.notes):
            break  # it was cut short
        points.append(point)
        planned.pop(0)
        if not planned and wider and not _is_enough(points, wider[0]):
            planned.append(wider.pop(0))
        elif not planned:
            seen = {point.option for point in points}
            planned, further, wider = [option for option in further if option not in seen], [], []
        done, passed = len(points), time.monotonic() - began
        left = len(planned) + len(further)
        progress(done, done + left, passed / done * left)
        if ended:
            break
    warnings, seconds = publisher.warnings, time.monotonic() - began
    if study.earlier:
        warnings = (*warnings, BESIDE_EARLIER)
    return Comparison(
        study,
        len(data),
        sensitive,
        tried,
        tuple(points),
        not planned and not further,
        warnings,
        seconds,
        detail.weights,
        around,
    )


def _is_enough(points: Sequence[Point], following: Option) -> bool:
    """Whether something passes the check, so that the next of the wider options need not be tried."""
    ready = [point for point in points if point.verdict == "ready"]
    return bool(ready) and (following.way.name != "safe" or any(map(is_bounded, ready)))


def sensitive_column(data: pd.DataFrame, study: Study, asked: str | None) -> str | None:
    """Return the column that options protect: what was asked for, one by its role or model, else the last.

    Raises:
        StudyError: the column is not there, or is a quasi-identifier.
    """
    removed = study.roles.remove
    if asked is not None:
        if asked not in data.columns or asked in (*study.names, *removed):
            raise StudyError(f"The sensitive column {asked[:60]!r} must be a column besides the quasi-identifiers.")
        return asked
    named = [name for name in study.roles.sensitive if name in data.columns]
    named += [name for model in study.privacy for name in model.columns if name in data.columns]
    others = [str(name) for name in data.columns if str(name) not in (*study.names, *removed)]
    return next(iter((*named, *others[-1:])), None)


def _point(
    number: int,
    option: Option,
    publisher: Publisher,
    question: Question,
    proposed: Sequence[ProposedRole],
    rule: Rule | None,
    time_limit: float,
    cancelled: Callable[[], bool],
) -> Point:
    begun, deadline = time.monotonic(), Deadline(time_limit, cancelled)
    point = Point(number, option, publisher.heights.label(option), publisher.heights.short(option))
    try:
        with deadline.limit():
            made = publisher.publish(option)
        with stoppable(cancelled):  # a check keeps the time itself, and tells what was known by then
            checked, problem = _checked(made, publisher.data, proposed, rule, deadline.left)
        if option.way.name == "local" and checked is not None:
            publisher.assessed = checked.assessment
        with deadline.limit():
            numbers, missing = figures(made, question, checked)
    except Stopped:
        return replace(point, problem=OUT_OF_TIME, seconds=time.monotonic() - begun)
    except CRAError as error:
        return replace(point, problem=str(error), seconds=time.monotonic() - begun)
    return replace(
        point,
        figures=numbers,
        loss=made.loss,
        verdict=None if checked is None else checked.verdict,
        findings=() if checked is None else checked.findings,
        state=made.state,
        notes=tuple(dict.fromkeys((*made.notes, *missing, *([problem] if problem else [])))),
        table=f"{option.way.name} {made.fingerprint}",
        seconds=time.monotonic() - begun,
    )


def _checked(
    made: Made, data: pd.DataFrame, proposed: Sequence[ProposedRole], rule: Rule | None, time_limit: float
) -> tuple[Check | None, str]:
    """Returns the check of a table and an empty text, or no check and why it failed.

    A table whose rows show no nodes of the hierarchies is not checked, which needs no reason.
    """
    if not made.by_hierarchies:
        return None, ""
    try:
        return check(data, made.study_read, made.table.frame, rule=rule, proposed=proposed, time_limit=time_limit), ""
    except CRAError as error:
        return None, f"It was not checked: {error}"
