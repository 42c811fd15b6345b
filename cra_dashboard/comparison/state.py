"""The comparison of the session's table: run beside the page, kept in this session only."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from cra_dashboard.charts.published import Shown
from cra_dashboard.session import state
from cra_dashboard.session.job import Progress
from cra_dashboard.session.runs import Runs, counted
from cra_engine import Comparison, CRAError, WaySettings, attack, compare
from cra_engine.defences.comparison import Row
from cra_engine.study.grid import Grid

RUNS: Runs[Comparison] = Runs("comparison", counted("ways"), stop="Stop", patience=10.0)


def start(settings: WaySettings) -> None:
    """Compare beside the page; to be called from a widget's callback."""
    study, data, progress = state.results_key()[1], state.to_recode(), Progress()

    def compute(cancelled: Callable[[], bool]) -> Comparison:
        return compare(data, study, settings, progress=progress.tell, cancelled=cancelled)

    RUNS.start(key(settings), compute, progress=progress)


def found() -> Comparison | None:
    """The comparison that was made of the session's table and study, whatever page asked for it."""
    job = RUNS.job(key(WaySettings()))
    return None if job is None else job.result


def releases() -> dict[str, pd.DataFrame]:
    """The tables that the comparison made of nodes of the hierarchies, by what they are called."""
    made = found()
    rows = () if made is None else made.rows
    return {row.label: row.made.table.frame for row in rows if row.made is not None and row.made.loss is not None}


def key(settings: WaySettings) -> tuple[object, ...]:
    """What a comparison depends on."""
    return (*state.results_key(), settings)


def grid() -> Grid:
    """The grid of the session's study."""
    return Grid(state.results_key()[1].attributes)


def shown(row: Row) -> Shown:
    """A way's table on the grid.

    Raises:
        CRAError: its rows are no boxes of the hierarchies.
    """
    if row.made is None or (row.made.release is None and row.made.global_release is None):
        raise CRAError(f"{row.label}: its rows are no boxes of the hierarchies, so there is nothing to draw here.")
    return state.once(f"compare-shown-{row.number}", (id(row), state.results_key()), lambda: _shown(row))


def _shown(row: Row) -> Shown:
    made = row.made
    cells = grid()
    gain = row.value("gain")
    if made is not None and made.release is not None:
        found = attack(made.release)
        classes = tuple((one.segment, one.size) for one in made.release.classes)
        known: tuple[float | None, ...] = tuple(0.0 if part.basic else gain for part in found.parts)
        if made.release.study.safe:
            known = tuple(float(one) for one in made.release.regions.gains)
        return Shown(cells, classes, found.owner, known)
    release = None if made is None else made.global_release
    published = () if release is None else release.classes
    owner = np.full(cells.shape, -1, dtype=np.int64)
    for index, (segment, _) in enumerate(published):
        owner[cells.slices(segment)] = index
    hidden = release is not None and release.suppressed > 0
    return Shown(cells, published, owner, (*[0.0] * len(published), *([gain] if hidden else [])))
