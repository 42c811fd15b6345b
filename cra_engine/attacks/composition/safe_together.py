"""Several safe releases of the same people: their choices exclude no table, but their counts can be subtracted.

A table fits a safe release exactly where each of its regions holds its published number, and then it is possible. So
all that several say for certain are the sums of their regions. Cells that lie in the same regions throughout are one
unknown; the fewest and most people of each are whole-numbered programs, solved exactly.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp
from scipy.sparse import csr_array

from cra_engine.attacks.composition.same_values import same_tree
from cra_engine.errors import ReleaseError, StudyError
from cra_engine.expected import expect_each, expect_seconds
from cra_engine.patience import Deadline, checkpoint
from cra_engine.release import Release
from cra_engine.study.grid import Cell
from cra_engine.study.regions import Regions

SOLVED, INFEASIBLE = 0, 2  # of scipy.optimize.milp
TOLERANCE = 1e-6  # of a bound that the solver proves of a whole number


@dataclass(frozen=True)
class SettledSet:
    """A set of cells that holds the same number of people in every table that fits all of several safe releases.

    Attributes:
        cells: its cells.
        people: how many there are.
    """

    cells: tuple[Cell, ...]
    people: int


@dataclass(frozen=True, eq=False)
class SettledCounts:
    """What the counts of several safe releases of the same people say for certain.

    Attributes:
        lowest: fewest people per cell in any table that fits all of them, an array over the grid.
        highest: the most.
        settled: sets of cells that hold fewer than k people, 1 or more, for certain: cells that all releases put
            together, and what regions leave of one that they lie in. There can be more such sets.
        complete: False where the time did not suffice; then some bounds are wider than they are in truth.
    """

    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    settled: tuple[SettledSet, ...]
    complete: bool

    @property
    def certain(self) -> tuple[Cell, ...]:
        """The cells that hold exactly one person for certain."""
        one = (self.lowest == 1) & (self.highest == 1)
        return tuple(tuple(map(int, cell)) for cell in np.argwhere(one))


@dataclass(frozen=True, eq=False)
class SafeTogether(SettledCounts):
    """What several safe releases of the same people say for certain.

    Attributes:
        releases: the releases.
        nested: whether each was drawn inside the one before, as their studies say, so that epsilon and floor hold of
            all of them together; else some know nothing of others, and their counts can be subtracted.
    """

    releases: tuple[Release, ...]
    nested: bool


def compose_safe(releases: Sequence[Release], *, time_limit: float = 60.0) -> SafeTogether:
    """Put several safe releases of the same people together: what their counts say for certain.

    Where they know nothing of each other neither epsilon nor a floor says anything against this: between places that
    all of them leave open their gains add up, and their counts can be subtracted.

    Args:
        releases: two or more, of the same hierarchies; k and epsilon may differ.
        time_limit: seconds; bounds that are not reached by then stay those of the single releases.

    Raises:
        ReleaseError: a release is no safe one, they are of other numbers of people, or no table fits all of them.
        StudyError: their hierarchies differ.
    """
    given = expect_each(releases, Release, "compose_safe(releases)")
    expect_seconds(time_limit)
    deadline = Deadline(time_limit)
    if len(given) < 2:
        raise ReleaseError("One release is given; put two or more together.")
    for number, release in enumerate(given, start=1):
        if not release.study.safe:
            raise ReleaseError(f"Release {number} is no safe release; put safe releases together, or others.")
        if release.records != given[0].records:
            raise ReleaseError(
                f"Release {number} holds {release.records:,} people and release 1 {given[0].records:,}; they must be "
                "of the same people."
            )
        if len(release.attributes) != len(given[0].attributes) or not all(
            map(same_tree, release.attributes, given[0].attributes)
        ):
            raise StudyError(f"Release {number} has other hierarchies than release 1; give releases of the same ones.")
    counts = settled_counts([release.regions for release in given], deadline)
    return SafeTogether(counts.lowest, counts.highest, counts.settled, counts.complete, given, _nested(given))


def settled_counts(releases: Sequence[Regions], deadline: Deadline) -> "SettledCounts":
    """Return what several safe releases' counts say for certain, by their regions on one grid.

    Args:
        releases: their regions, in any order.
        deadline: bounds that are not reached by then stay those of the single releases.

    Raises:
        ReleaseError: no table fits all of them.
    """
    owners = np.stack([release.owner for release in releases], axis=1)
    kinds, kind = np.unique(owners, axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    columns, rows, sums = [], [], list[int]()
    for place, release in enumerate(releases):
        for region in release.regions:
            inside = np.flatnonzero(kinds[:, place] == region)
            columns.append(inside)
            rows.append(np.full(len(inside), len(sums)))
            sums.append(release.size(region))
    entries = np.concatenate(rows), np.concatenate(columns)
    matrix = csr_array((np.ones(len(entries[0])), entries), shape=(len(sums), len(kinds)))
    lowest, highest, complete = _bounds(matrix, np.array(sums), deadline)
    alone = np.bincount(kind) == 1  # of several cells of a kind any may hold all of its people, or nobody
    shape = releases[0].grid.shape
    return SettledCounts(
        np.where(alone, lowest, 0)[kind].reshape(shape),
        highest[kind].reshape(shape),
        _settled(kinds, kind, (lowest, highest), releases),
        complete,
    )


def _nested(releases: Sequence[Release]) -> bool:
    """Whether the ledger of each release names all those that have fewer before them."""
    order = sorted(releases, key=lambda release: len(release.study.earlier))
    return all(one.entry in other.study.earlier for one, other in pairwise(order))


def _bounds(
    matrix: csr_array, sums: NDArray[np.int64], deadline: Deadline
) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    """Returns the fewest and most people per kind of cell, and whether they are exact.

    What the solver has proven by the deadline, else what the sums alone say: bounds that hold, if wider than in truth.
    """
    number = matrix.shape[1]
    by_kind = matrix.tocsc()
    highest = np.array(
        [sums[by_kind.indices[by_kind.indptr[at] : by_kind.indptr[at + 1]]].min() for at in range(number)]
    )
    lowest, complete = np.zeros(number, dtype=np.int64), True
    sums_hold = LinearConstraint(matrix, sums, sums)

    def minimum(objective: NDArray[np.float64]) -> OptimizeResult:
        checkpoint()
        options = {"mip_rel_gap": 0.0}  # by default a minimum may be off by one in ten thousand
        if math.isfinite(deadline.left):
            options["time_limit"] = deadline.left
        return milp(
            objective,
            integrality=np.ones(number),
            constraints=sums_hold,
            bounds=Bounds(0, np.inf),
            options=options,
        )

    if not deadline.passed and minimum(np.zeros(number)).status == INFEASIBLE:
        raise ReleaseError("No table fits all of these releases; they are not of the same people.")
    for at in range(number):
        objective = np.zeros(number)
        for sign in (1, -1):
            if deadline.passed:
                return lowest, highest, False
            if lowest[at] == highest[at]:
                continue
            objective[at] = sign
            result = minimum(objective)
            bound = result.mip_dual_bound  # holds also where the time ran out
            if bound is None or not math.isfinite(bound):
                complete = False
                continue
            proven = math.ceil(bound - TOLERANCE)
            complete = complete and result.status == SOLVED and proven == round(result.fun)
            if sign == 1:
                lowest[at] = max(lowest[at], proven)
            else:
                highest[at] = min(highest[at], -proven)
    return lowest, highest, complete


def _settled(
    kinds: NDArray[np.int64],
    kind: NDArray[np.int64],
    bounds: tuple[NDArray[np.int64], NDArray[np.int64]],
    releases: Sequence[Regions],
) -> tuple[SettledSet, ...]:
    """The sets of 1 to k - 1 people: single kinds of cells, and regions without another release's regions in them."""
    lowest, highest = bounds
    sets = {frozenset([int(at)]): int(lowest[at]) for at in np.flatnonzero(lowest == highest)}
    regions = [_kinds_of_region(kinds[:, place]) for place in range(len(releases))]
    k = min(release.k for release in releases)
    for place, other in permutations(range(len(releases)), 2):
        for region, inside in regions[place].items():
            checkpoint()
            left, people = set(inside), releases[place].size(region)
            for smaller in {int(kinds[at, other]) for at in inside}:
                if regions[other][smaller] <= inside:
                    left, people = left - regions[other][smaller], people - releases[other].size(smaller)
            sets[frozenset(left)] = people
    shape = releases[0].grid.shape
    settled = []
    for some, people in sets.items():
        if 0 < people < k:
            codes = np.flatnonzero(np.isin(kind, sorted(some)))
            cells = np.stack(np.unravel_index(codes, shape), axis=1).tolist()
            settled.append(SettledSet(tuple(map(tuple, cells)), people))
    return tuple(sorted(settled, key=lambda one: (len(one.cells), one.cells)))


def _kinds_of_region(owners: NDArray[np.int64]) -> dict[int, frozenset[int]]:
    """Returns per region of a release the kinds of cells in it."""
    inside = defaultdict(list)
    for at, region in enumerate(owners.tolist()):
        inside[region].append(at)
    return {region: frozenset(members) for region, members in inside.items()}
