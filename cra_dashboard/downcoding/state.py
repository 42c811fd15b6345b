"""What the page Downcode shows: drawn tables, small tables with all their minimal releases; kept in this session."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from cra_dashboard.session import state
from cra_dashboard.session.turns import CALCULATIONS
from cra_engine import Attribute, Recoding, SafeRecoding, Study, is_minimal, minimal_release, minimal_releases
from cra_engine.experiments.downcoding import ClusterRun, simulate_clusters
from cra_engine.files.row_order import release_text

CLUSTERS = 10
MOST_TRIED = 200  # tables that are drawn to find one in which the attack is right
MOST_TESTED = 20_000  # records of a release that is tested while the page waits
FLAG = (("0", "0", "*"), ("1", "1", "*"))
FIGURE_2 = ((True, True), (False, False), (True, False), (False, False))
_DRAWN = "downcode-drawn"


def draw_again() -> None:
    """Look at the next table on Downcode; to be called from a button."""
    st.session_state[_DRAWN] = drawn() + 1


def drawn() -> int:
    """Count the tables that were passed over on Downcode."""
    return int(st.session_state.get(_DRAWN, 0))


def run_of(k: int, dimensions: int) -> ClusterRun:
    """Return the table that Downcode looks at: first one with a cluster that is downcoded rightly, then the next."""

    def table(seed: int) -> ClusterRun:
        return simulate_clusters(k, CLUSTERS * k, CLUSTERS, dimensions, runs=1, seed=seed).first

    def first() -> int:
        return next((seed for seed in range(MOST_TRIED) if any(table(seed).correct)), 0)

    start = state.once("downcode-start", (k, dimensions), first)
    return state.once("downcode-run", (k, dimensions, drawn()), lambda: table(start + drawn()))


@dataclass(frozen=True)
class Cluster:
    """One cluster of the run that Downcode shows.

    Attributes:
        run: the table.
        number: of the cluster, from 0.
    """

    run: ClusterRun
    number: int

    @property
    def rows(self) -> "np.ndarray[tuple[int, ...], np.dtype[np.int64]]":
        """Its records."""
        return np.flatnonzero(self.run.cluster_of_row == self.number)

    @property
    def records(self) -> int:
        """How many there are."""
        return len(self.rows)

    @property
    def fired(self) -> bool:
        """Whether it is downcoded."""
        return self.number in self.run.fired

    @property
    def correct(self) -> bool:
        """Whether that is right."""
        return self.fired and self.run.correct[self.run.fired.index(self.number)]

    @property
    def published(self) -> "np.ndarray[tuple[int, ...], np.dtype[np.int64]] | None":
        """The box that all its records show; None where they show different ones, or everything."""
        boxes = self.run.published[self.rows]
        if not len(boxes) or (boxes != boxes[0]).any() or (boxes[0] == self.run.space.root).any():
            return None
        return np.asarray(boxes[0])

    @property
    def whole(self) -> list[int]:
        """The attributes in which its records show the whole cluster; none where they show different boxes."""
        return [] if self.published is None else np.flatnonzero(self.published >= 2 * CLUSTERS).tolist()

    @property
    def far_records(self) -> int:
        """How many of its records are far from the centre in some attribute."""
        return int((self.run.leaves[self.rows] % 2 == 1).any(axis=1).sum())


def clusters(run: ClusterRun) -> list[Cluster]:
    """Return all clusters on Downcode: those downcoded rightly, other downcoded ones, k records alike, the rest."""
    found = [Cluster(run, number) for number in range(CLUSTERS)]
    return sorted(
        found,
        key=lambda one: (not one.correct, not one.fired, one.records != run.k or one.published is None, one.number),
    )


def small_releases(people: tuple[tuple[bool, ...], ...], k: int) -> list[pd.DataFrame]:
    """Return all minimal releases of Downcode's table of two yes-or-no columns."""
    study = Study([Attribute.from_hierarchy(name, FLAG) for name in ("Old", "Rich")], k)
    table = pd.DataFrame([[str(int(answer)) for answer in row] for row in people], columns=study.names)
    return state.once("downcode-small", (people, k), lambda: [one.frame for one in minimal_releases(table, study)])


def told_by_minimality(release: pd.DataFrame) -> int:
    """Count the stars that Downcode settles: in a class of two, a star in a column means one 0 and one 1."""
    keys = release.agg(" ".join, axis=1)
    return sum(int((rows == "*").to_numpy().sum()) for _, rows in release.groupby(keys, sort=False) if len(rows) == 2)


def tested(recoding: Recoding | SafeRecoding, digest: str) -> tuple[bool | None, bool | None] | None:
    """Test for Downcode if the session's release is minimal, and with suppressed records apart; None if too large."""
    data = state.dataset()
    if data is None or len(data.frame) > MOST_TESTED:
        return None

    def test() -> tuple[bool | None, bool | None]:
        frame, study = recoding.frame, recoding.study
        strict, apart = (is_minimal(data.frame, frame, study, suppressed_apart=apart) for apart in (False, True))
        return strict, apart

    return state.once("downcode-tested", (digest, recoding.study), lambda: state.in_turn(test))


def minimal_csv(data: pd.DataFrame, study: Study) -> str:
    """Publish the session's table minimally for Downcode, as CSV, in its turn; see :mod:`..session.downloads`."""
    with CALCULATIONS.turn():
        return release_text(minimal_release(data, study).frame)
