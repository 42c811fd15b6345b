"""The one way to ask what a release gives away: which attacks, under which prior, in which time."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from cra_engine.assess.assessment import NOTHING, Assessment
from cra_engine.assess.figure import Figure, Sure
from cra_engine.assess.one_state import certain_cells, is_read_as_global, views_of_states
from cra_engine.assess.repeats import values_repeat
from cra_engine.attacks.full_domain import global_view
from cra_engine.attacks.intervals import expected_isolated
from cra_engine.attacks.prior import prior_of
from cra_engine.attacks.refinement.attack import Attack, attack
from cra_engine.attacks.refinement.formation import latest_states
from cra_engine.attacks.solver.views import NO_SOLVER
from cra_engine.attacks.tight.attack import check_settings, tight_attack
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.blocks import counted
from cra_engine.choices import AttackTies, Prior
from cra_engine.counting.cp_sat import solver_there
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.expected import expect
from cra_engine.patience import Deadline, Stopped, checkpoint
from cra_engine.release import FullDomainRelease, Release
from cra_engine.risk.singling import single_out
from cra_engine.risk.values import who_has_what
from cra_engine.study.population import Population

SECONDS = 60.0
FOR_ALL_CLASSES = 0.8  # of the time; the rest is for what comes after
OUT_OF_TIME = "The time ran out."
SEVERAL_LAYERS = (
    "Some labels stand in several layers, so that the table does not tell at which states their groups formed."
)
NO_TABLE = (
    "No data give this table with these settings, so it was not made by this algorithm with this k, these privacy "
    "models besides it, this profile and these hierarchies."
)
NO_DISTINCT = "No table of different records gives this release as a whole."
NOT_SETTLED = "With all groups together not all was settled before the time ran out."
REFUTED = (
    "The raw table refutes what would be certain of a release that was made with these settings, so it was made "
    "otherwise: by another way of recoding, or with another g/s factor."
)
# Reasons are clauses, which how_certain and how_likely put behind "as".
BY_CLASS = "each group was looked at by itself, and all together may tell more"
BY_INTERVALS = "the intervals alone were counted, since no data give this table by the way it is said to be made"
GUESSED = "the intervals alone were counted, since hierarchies are guessed and one state may hold for all records"
RAW_VALUES = "records that show raw values may make more cells certain"
BY_MODELS = "the models beside k also decide what is suppressed, and which tables that excludes was not looked at"
STATES = "by whichever of the states that fit all its labels made it"
ALIKE = "boxes whose records must be alike in part left out"
RELAXED = "tables that this one cannot come from are counted, too, since {}"


def assess(
    release: Release | FullDomainRelease,
    *,
    local: bool = False,
    prior: Prior | None = None,
    population: Population | None = None,
    deadline: Deadline | None = None,
    seed: int = 0,
    values: bool = True,
) -> Assessment:
    """Judge what a release gives away to somebody who has the release alone, and how sure each number is.

    The policy is one for all that judge. *Records*: they differ, as in the paper, unless the intervals let expect that
    some are alike, or no table of different ones is left; then every assignment of numbers to cells counts alike.
    *Certain* is what all classes together show, or one by itself, whether records are alike or not. *Expected* is over
    the tables that all classes together leave; where these are not counted, each class counts by itself. *A
    contradiction* leaves nothing but the intervals. *One state* for all classes is read as global recoding.

    Args:
        release: the published table with its study.
        local: True where it is known to come from local recoding, whatever its states.
        prior: which tables count, see :func:`cra_engine.attack`; chosen as said above when left out.
        population: shares to draw records from, in place of either.
        deadline: what is not known by then says so; 60 seconds when left out.
        seed: of estimates.
        values: False where nobody asks who has what, which may take as long as all else.

    Raises:
        CRAError: the seed or the prior is none.

    >>> from cra_engine import recode, synthesize
    >>> toy = synthesize("toy")
    >>> assess(recode(toy.data, toy.study).release, local=True)
    Assessment('local', certain=2 (exact), expected=5.09215 (exact))
    """
    expect(release, (Release, FullDomainRelease), "assess(release)")
    deadline = Deadline(SECONDS) if deadline is None else deadline
    seed = check_settings(deadline.left, seed)
    prior_of(prior or "distinct", population)
    if isinstance(release, FullDomainRelease) or (not (local or release.study.safe) and is_read_as_global(release)):
        return _assess_global(release, deadline)
    return _assess_local(release, prior, population, deadline, seed, values=values)


def _assess_global(release: Release | FullDomainRelease, deadline: Deadline) -> Assessment:
    known = Assessment(release, "global", "distinct")
    if isinstance(release, Release) and release.guessed:
        # A guessed hierarchy bounds no box that no label shows, so the rule of suppression tells nothing.
        return replace(
            known,
            certain=Figure(0, 0, None, "bound", GUESSED),
            expected=Figure.estimate(expected_isolated(release), GUESSED),
        )
    try:
        with deadline.limit():
            views = (
                [(release, global_view(release))]
                if isinstance(release, FullDomainRelease)
                else views_of_states(release)
            )
    except Stopped:
        checkpoint()
        return replace(known, missing=(OUT_OF_TIME,))
    except CRAError as error:
        return replace(known, missing=(str(error),))
    state, fewest = views[0]
    alike = ALIKE if any(view.alike for _, view in views) else ""
    by_models = bool(state.study.privacy) and state.suppressed > 0
    expected = _by_any([view.expected for _, view in views])
    if by_models and expected.value is not None:
        expected = Figure.estimate(expected.value, BY_MODELS)
    return Assessment(
        state,
        "global",
        "distinct",
        Figure(fewest.certain, fewest.certain, None, "bound", BY_MODELS) if by_models else Figure.exact(fewest.certain),
        expected,
        _by_any([view.likeliest for _, view in views]),
        promised=_by_any([view.log10_promised for _, view in views], alike),
        left=_by_any([view.log10_left for _, view in views], alike),
        certain_cells=certain_cells(state, fewest),
    )


def _by_any(numbers: Sequence[float], note: str = "") -> Figure:
    """Returns a number that the states which fit a release say, or between which numbers it lies where they differ."""
    lowest, highest = min(numbers), max(numbers)
    if math.isclose(lowest, highest):
        return Figure.exact(lowest, note)
    return Figure(None, lowest, highest, "bound", STATES)


def _assess_local(
    release: Release,
    prior: Prior | None,
    population: Population | None,
    deadline: Deadline,
    seed: int,
    *,
    values: bool,
) -> Assessment:
    name = "population" if population is not None else prior or "distinct"
    known = Assessment(release, "local", name)
    try:
        with deadline.limit():
            by_class = attack_by_class(release, prior, population)
            known = _with_attack(known, by_class)
            problem = contradiction_of(by_class)
            if problem:
                return _by_intervals(known, problem)
            weighed = "distinct" if population is not None else cast("Prior", by_class.prior.name)
            tight, reason = _tight(release, weighed, population, deadline, seed)
            if reason == NO_TABLE and not by_class.prior.repeats:
                # No table of different records is left; there may be one of records that are alike.
                repeating, again = _tight(release, "assignments", None, deadline, seed)
                if again != NO_TABLE and prior is None:
                    by_class, tight, reason = attack(release, prior="assignments"), repeating, again
                    known = _with_attack(known, by_class)
                elif again != NO_TABLE:
                    reason = NO_DISTINCT
            if reason == NO_TABLE:
                return _by_intervals(known, NO_TABLE)
    except Stopped:
        checkpoint()
        return replace(known, missing=(OUT_OF_TIME,))
    except CRAError as error:
        return replace(known, missing=(str(error),))
    return read_attacks(by_class, tight, deadline, (reason,) if reason else (), values=values)


def read_attacks(
    by_class: Attack,
    tight: TightAttack | None,
    deadline: Deadline,
    missing: tuple[str, ...] = (),
    *,
    values: bool = True,
) -> Assessment:
    """Judge what a release by local recoding gives away, from attacks on it that were made already.

    Args:
        by_class: on each class by itself.
        tight: on all classes together, likewise weighed; None where it was not made.
        deadline: what is not known by then says so.
        missing: sentences on what was not made, and why.
        values: as of :func:`assess`.
    """
    known = _with_attack(Assessment(by_class.release, "local", by_class.prior.name), by_class)
    known = replace(known, tight=tight, missing=missing)
    for step in (_with_certain, _with_tables, _with_chances, *([_with_values] if values else [])):
        try:
            with deadline.limit():
                known = step(known, by_class, deadline)
        except Stopped:
            checkpoint()
            known = _missing(known, OUT_OF_TIME)
        except CRAError as error:
            known = _missing(known, str(error))
    return known


def _missing(known: Assessment, reason: str) -> Assessment:
    return replace(known, missing=tuple(dict.fromkeys((*known.missing, reason))))


def attack_by_class(
    release: Release, prior: Prior | None, population: Population | None, ties: AttackTies = "sound"
) -> Attack:
    """Attack each class by itself for an assessment, under the prior that the release suggests where none is given.

    Args:
        release: the published table with its study.
        prior: which tables count; None for what the release suggests: records that differ, unless some are surely
            alike.
        population: shares to draw records from, in place of a prior.
        ties: how classes of tied states are treated; see :func:`cra_engine.attack`.
    """
    by_class = attack(release, ties=ties, prior=prior or "distinct", population=population)
    if prior is None and population is None and values_repeat(by_class):
        return attack(release, ties=ties, prior="assignments")
    return by_class


def attack_both(
    release: Release,
    prior: Prior | None,
    population: Population | None,
    attack_together: Callable[..., TightAttack],
    ties: AttackTies = "sound",
) -> tuple[Attack, TightAttack]:
    """Attack each class by itself and all together for an assessment, both under one prior.

    Where none is given and no table of records that differ gives the whole release, records may be alike.

    Args:
        release: the published table with its study.
        prior: as of :func:`attack_by_class`.
        population: likewise.
        attack_together: the tight attack on the release; takes ``prior`` and ``population``.
        ties: as of :func:`attack_by_class`.

    Raises:
        CRAError: no data give this release.
        TooLargeError: the grid or the lattice is larger than the engine admits.
    """
    by_class = attack_by_class(release, prior, population, ties)
    # A population weighs tables by itself, and no prior is named beside it: the default stands in its place.
    weighed = "distinct" if population is not None else by_class.prior.name
    try:
        return by_class, attack_together(prior=weighed, population=population)
    except TooLargeError:
        raise  # another prior counts on the same grid, which stays too large
    except CRAError:
        if prior is not None or population is not None or by_class.prior.repeats:
            raise
        by_class = attack_by_class(release, "assignments", None, ties)
        return by_class, attack_together(prior="assignments", population=None)


def how_certain(assessment: Assessment) -> str:
    """Say to people, where not everything that is certain need have been found, why, and what would find more."""
    note = assessment.certain.note
    if assessment.complete or assessment.certain.value is None:
        return ""
    if assessment.certain.sure == "timeout":
        return "Not all groups together were looked at to the end: the time ran out, and more time can find more."
    if note == BY_CLASS:
        return "Looked at to the end, each group by itself; all groups together may show more."
    if note == NO_SOLVER:
        return f"Not looked at to the end. {NO_SOLVER}"
    return f"All that this program can try was tried to its end; it need not find everybody, as {note}."


def how_likely(assessment: Assessment) -> str:
    """Say to people what the number of those likely alone is worth, and what would make it surer."""
    likely = assessment.expected
    if likely.value is None and likely.lower is None:
        return ""
    said = ["An average: a number below 1 proves of no single person that others are like them."]
    if likely.sure == "estimate":
        why = f"as {likely.note}" if likely.note else "not counted to the end; more time can make it exact"
        said.append(f"It is an estimate, {why}.")
    elif likely.sure in ("bound", "timeout"):
        said.append(f"Only bounds are known{': the time ran out' if likely.sure == 'timeout' else ''}.")
    return " ".join(said)


def suggested_prior(releases: Sequence[Release]) -> Prior:
    """Return by which prior several releases are assessed together: records differ, unless one says otherwise."""
    alike = any(values_repeat(attack(release)) for release in releases)
    return "assignments" if alike else "distinct"


def _with_attack(known: Assessment, by_class: Attack) -> Assessment:
    expected = Figure.exact(expected_isolated(by_class.release, by_class.prior))
    return replace(known, attack=by_class, prior=by_class.prior.name, by_intervals=expected)


def contradiction_of(by_class: Attack) -> str:
    """Return why some class that an attack of an assessment looked at cannot have formed; empty where all can."""
    parts = [part for part in by_class.parts if not part.basic and part.contradiction and not part.coincident]
    return f"{parts[0].title} contradicts local recoding with these settings. {NO_TABLE}" if parts else ""


def _by_intervals(known: Assessment, problem: str) -> Assessment:
    """Returns what is left where no data give the release: what its intervals say."""
    value = known.by_intervals.value
    return replace(
        known,
        contradiction=problem,
        certain=Figure(0, 0, None, "bound", BY_INTERVALS),
        expected=known.by_intervals if value is None else Figure.estimate(value, BY_INTERVALS),
        likeliest=NOTHING,
        left=NOTHING,
        certain_cells=(),
        tight=None,
        chances=None,
        who_has_what=None,
    )


def against_data(assessment: Assessment, leaves: NDArray[Any], times: NDArray[np.int64] | None = None) -> Assessment:
    """Return an assessment whose certain cells the raw table does not refute; else what the intervals say.

    Args:
        assessment: of a release of the table.
        leaves: per row and attribute the leaf of its value; shape (rows, attributes).
        times: how many records each row stands for; one when left out.

    >>> import numpy as np
    >>> from cra_engine import recode, synthesize
    >>> toy = synthesize("toy")
    >>> assessment = assess(recode(toy.data, toy.study).release, local=True)
    >>> against_data(assessment, np.zeros((36, 2), dtype=int)).certain.value
    0
    """
    if not assessment.certain_cells:
        return assessment
    cells = np.array(assessment.certain_cells)
    # Whoever lies in one of these cells is among those who lie in its row, its column and so on.
    near = np.logical_and.reduce([np.isin(own, some) for own, some in zip(leaves.T, cells.T, strict=True)])
    own, records = np.unique(leaves[near], axis=0, return_inverse=True)
    held = counted(records.reshape(-1), len(own), None if times is None else times[near])
    if set(assessment.certain_cells) <= set(map(tuple, own[held == 1].tolist())):
        return assessment
    return _by_intervals(assessment, REFUTED)


def _tight(
    release: Release, prior: Prior, population: Population | None, deadline: Deadline, seed: int
) -> tuple[TightAttack | None, str]:
    """Returns the attack on all classes together, as far as the time goes, and why something of it is missing."""
    if (release.study.share is not None or release.gs_factor) and latest_states(release):
        return None, SEVERAL_LAYERS
    own = deadline.after(FOR_ALL_CLASSES)
    try:
        tight = tight_attack(
            release, time_limit=own.left, seed=seed, cancelled=own.cancelled, prior=prior, population=population
        )
    except Stopped:
        checkpoint()
        return None, NOT_SETTLED
    except TooLargeError as error:
        return None, str(error)
    except CRAError:
        return None, NO_TABLE
    if tight.log10_worlds == -math.inf:
        return None, NO_TABLE
    if tight.complete or tight.relaxed:
        return tight, ""
    if not solver_there():
        return tight, NO_SOLVER
    return tight, NOT_SETTLED if own.passed else ""


def _with_certain(known: Assessment, by_class: Attack, _: Deadline) -> Assessment:
    """Adds what is certain: by all classes together, and by each one where that is not known in full."""
    tight = known.tight
    if tight is not None and tight.complete:
        cells = tuple(sorted(tight.isolated))
        return replace(known, certain=Figure.exact(len(cells)), certain_cells=cells)
    if SEVERAL_LAYERS in known.missing:
        return replace(known, certain=Figure.unknown(SEVERAL_LAYERS))
    late = NOT_SETTLED in known.missing
    why = NOT_SETTLED if late else NO_SOLVER if NO_SOLVER in known.missing else BY_CLASS
    if tight is not None and why == BY_CLASS:
        why = tight.why_relaxed or RAW_VALUES
    most = sum(part.size for part in (*by_class.parts, *by_class.raw) if part.index is None or not part.basic)
    cells = tuple(sorted({*(() if tight is None else tight.isolated), *by_class.isolated}))
    certain = Figure(len(cells), len(cells), most, "timeout" if late else "bound", why)
    return replace(known, certain=certain, certain_cells=cells)


def _with_tables(known: Assessment, by_class: Attack, _: Deadline) -> Assessment:
    """Adds the numbers of tables."""
    tables, tight = by_class.tables(), known.tight
    left = Figure(tables.log10_left, None, tables.log10_left, "bound", BY_CLASS)
    if tight is not None and tight.log10_worlds is not None:
        number = tight.log10_worlds
        left = Figure.estimate(number) if not tight.counted else Figure.exact(number)
        if tight.relaxed:
            left = Figure(number, None, number, "bound", tight.why_relaxed)
    return replace(known, promised=Figure.exact(tables.log10_promised), left=left)


def _with_chances(known: Assessment, by_class: Attack, deadline: Deadline) -> Assessment:
    """Adds the chances of single cells, and their sum."""
    tight = known.tight
    if tight is not None and tight.expected_isolated is not None:
        exact = not tight.relaxed and all(view.exact for view in tight.cells)
        made, note = (
            Figure.exact if exact else Figure.estimate,
            RELAXED.format(tight.why_relaxed) if tight.relaxed else "",
        )
        likeliest = max(tight.cell_probabilities(1).values(), default=0.0)
        return replace(known, expected=made(tight.expected_isolated, note), likeliest=made(likeliest, note))
    chances = single_out(by_class, time_limit=deadline.left)
    first = chances.cells[0].probability if chances.cells else 0.0
    if not chances.bounded:
        expected, largest = Figure.estimate(chances.expected_isolated, BY_CLASS), Figure.estimate(first, BY_CLASS)
        return replace(known, chances=chances, expected=expected, likeliest=largest)
    sure: Sure = "bound" if chances.complete else "timeout"
    expected = Figure(None, *chances.expected_bounds, sure, BY_CLASS)
    largest = Figure(None, first, max(first, chances.bounded[0].upper), sure, BY_CLASS)
    return replace(known, chances=chances, expected=expected, likeliest=largest)


def _with_values(known: Assessment, by_class: Attack, deadline: Deadline) -> Assessment:
    """Adds who has what, where values and places hang together, or somebody is alone for certain."""
    asked = by_class.models is not None or (by_class.release.study.roles.sensitive and known.certain_cells)
    columns = by_class.release.table.columns
    names = [name for name in by_class.release.study.roles.sensitive if name in columns]
    if not asked or not (names or (by_class.models is not None and by_class.models.columns)):
        return known
    return replace(known, who_has_what=who_has_what(by_class, time_limit=deadline.left))
