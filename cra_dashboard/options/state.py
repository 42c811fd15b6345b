"""The comparisons of this session, run beside the page; kept while they belong to the table and the study in use."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from cra_dashboard.charts.published import Shown
from cra_dashboard.session import decisions, link, state
from cra_dashboard.session.attacks import attack_soon_over
from cra_dashboard.session.job import Progress
from cra_dashboard.session.kept import Kept
from cra_dashboard.session.runs import Runs, counted, soon_over
from cra_dashboard.texts.numbering import number_alike, number_as_formed, number_of
from cra_engine import Comparison, CRAError, OptionGrid, Release, Rule, Study, attack, compare
from cra_engine.assess.choice_gains import choice_gains
from cra_engine.options import Made, Point, Publisher, with_layers
from cra_engine.release import Owner
from cra_engine.study.grid import Grid

_HELD = Kept[Comparison]("cra_options")
RUNS = Runs[Comparison]("options", counted("options", "tried"), stop="Stop", patience=float("inf"))


def held() -> Comparison | None:
    """Return the session's comparison on Other ways; None without one, or if table, study or rule changed."""
    data, study = state.dataset(), state.study()
    kept = None if data is None else _HELD.of((data.digest, decisions.rule()))
    return kept if kept is not None and study is not None and is_derived(study, kept.study) else None


def made_here() -> list[Point]:
    """Return the options of Other ways' comparison that Check can look at: their rows show nodes of the hierarchies."""
    comparison = held()
    return [] if comparison is None else [point for point in comparison.points if point.loss is not None]


def start(study: Study, around: OptionGrid, time_limit: float = 40.0, *, soon: bool = False) -> None:
    """Start a comparison beside the page Other ways; to be called from a widget's callback.

    Args:
        study: where the options start from; every way to publish is tried with its k and hierarchies.
        around: what is tried besides.
        time_limit: seconds for each option.
        soon: whether it is soon over.
    """
    frame, rule, progress = state.to_recode(), decisions.rule(), Progress()

    def compute(cancelled: Callable[[], bool]) -> Comparison:
        return compare(
            frame, study, around=around, rule=rule, time_limit=time_limit, progress=progress.tell, cancelled=cancelled
        )

    RUNS.start(_key(), compute, progress=progress, soon=soon)


def start_if_small(around: OptionGrid) -> bool:
    """Start a comparison without being asked where the table is small, and nobody has stopped that."""
    data, study, key = state.dataset(), state.study(), _key()
    if data is None or study is None or held() is not None or link.options().lesson is not None:
        return False
    begun = RUNS.job(key) is not None or RUNS.cancelled(key)
    small = not begun and soon_over(study.attributes, len(data.frame))
    if small:
        start(study, around, soon=True)
    return small


def is_running() -> bool:
    """Show how a run on Other ways goes, take over its result, or say what went wrong; True while it runs."""
    key = _key()

    def keep(comparison: Comparison) -> None:
        if comparison.points:
            _HELD.keep(key, comparison)

    return RUNS.taken_over(key, keep)


def _key() -> tuple[str, Rule]:
    return state.results_key()[0], decisions.rule()


def basis() -> Study:
    """Return the study that Other ways starts from: that of the comparison, or else the session's.

    Putting an option into use may take layers off; its comparison still knows them.
    """
    comparison = held()
    return state.results_key()[1] if comparison is None else comparison.study


def is_derived(study: Study, base: Study) -> bool:
    """Return whether a study on Other ways is some option made from another."""
    if study.names != base.names or study.roles != base.roles:
        return False
    try:
        return all(
            with_layers(before, now.layers) == now
            for before, now in zip(base.attributes, study.attributes, strict=True)
        )
    except CRAError:
        return False


def in_use(comparison: Comparison) -> Point | None:
    """Return Other ways' option that is the session's study, with its numbers; None where it was not tried."""
    return next(
        (p for p in comparison.points if not why_not_usable(p) and _study(comparison, p) == state.study()), None
    )


def why_not_usable(point: Point) -> str:
    """Say on Other ways why the other pages cannot work with an option; empty where they can."""
    if point.problem:
        return "It cannot be published."
    if point.option.way.name not in ("local", "safe"):
        return "The pages Recode and Attack follow local and safe recoding."
    return ""


def use(comparison: Comparison, point: Point) -> None:
    """Let the other pages work with an option of Other ways; to be called from a widget's callback."""
    state.use_study(_study(comparison, point))


def _study(comparison: Comparison, point: Point) -> Study | None:
    try:
        return comparison.heights.study(point.option)
    except CRAError:
        return None


def made(comparison: Comparison, point: Point) -> Made:
    """Publish the table again as an option on Other ways says, since a comparison holds no record.

    Raises:
        CRAError: it cannot be published so.
    """
    key = (state.results_key()[0], comparison.study, point.option)

    def publish() -> Made:
        return Publisher(state.to_recode(), comparison.study, comparison.sensitive).publish(point.option)

    return state.once(f"options-made-{point.number}", key, lambda: state.in_turn(publish))


def shown(comparison: Comparison, point: Point) -> Shown:
    """Return an option's table on the grid, for Other ways.

    Raises:
        CRAError: its rows are no boxes of the hierarchies.
    """
    table = made(comparison, point)
    if table.release is None:
        raise CRAError(f"{point.label}: its rows are no boxes of the hierarchies, so there is nothing to draw here.")
    key = (state.results_key()[0], comparison.study, point.option)
    return state.once(f"options-shown-{point.number}", key, lambda: _shown(table, point.value("gain")))


def _shown(table: Made, gain: float | None) -> Shown:
    cells = Grid(table.study.attributes)
    if isinstance(table.release, Release):
        if table.formed is not None:
            number_as_formed(table.formed)
            number_alike(table.release, table.formed.release)
        attacked = attack(table.release)
        together = None if table.repaired else attack_soon_over(table.release)
        found = Shown.of(table.release, attacked.owner, choice_gains(attacked, together))
        unknown: tuple[None, ...] = (None,) * len(attacked.parts)
        return replace(found, gains=unknown, of_cells=np.full(cells.shape, np.nan)) if table.repaired else found
    # By global recoding: read like any release, so that a class has the number that it has on Attack.
    read = Release(table.study, table.table.frame)
    state.number_as_recoded(read)
    published = tuple((one.segment, one.size) for one in read.classes)
    owner = np.full(cells.shape, Owner.SUPPRESSED, dtype=np.int64)
    for index, (segment, _) in enumerate(published):
        owner[cells.slices(segment)] = index
    told = np.nan if gain is None else gain
    of_cells = np.where((owner == Owner.SUPPRESSED) & (read.suppressed > 0), told, 0.0)
    numbers = tuple(number_of(read, index) for index in range(len(published)))
    gains = (*[0.0] * len(published), *([gain] if read.suppressed else []))
    return Shown(cells, published, numbers, owner, gains, of_cells)
