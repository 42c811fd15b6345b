"""Says what the choices of a way to publish tell a reader who knows it completely, by looking at every small table.

A release shows parts: classes with where their records may lie, and how many. A table *fits* where its records can be
dealt to the parts. The gain is the largest logarithm by which the chance of the release differs between two tables that
fit: over moves of one person, and over any two. Where some table that fits could not have given the release it is
infinite. All tables of so many records on the grid are tried, so the grid has to be tiny.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, exp, inf, log

import numpy as np
import pandas as pd

from cra_engine.defences.repair import RepairTargets, repair
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.patience import checkpoint
from cra_engine.publish.full_domain.least_loss import least_loss
from cra_engine.publish.local.recoding import recode
from cra_engine.publish.local.rounds import PublishedCells
from cra_engine.publish.local.safe import climb_ladder
from cra_engine.raw.cells import CellCounts
from cra_engine.release import Release
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.study import Study

MOST_TABLES = 20_000
Table = tuple[int, ...]
"""Records per cell, in row-major order."""
Shown = tuple[tuple[frozenset[int], int], ...]
"""The parts of a release: the cells that its records may lie in, and their number."""
Way = Callable[[Study, Table], Mapping[Shown, float]]
"""A way to publish: the releases of a table with their chances."""


@dataclass(frozen=True)
class ReleaseGain:
    """What the choices behind one release tell, in a small world.

    Attributes:
        shown: the release.
        fitting: number of tables that fit it.
        excluded: of these, how many could not have given it.
        person: largest log-ratio over moves of one person; infinite where one of the two tables is excluded.
        tables: largest log-ratio over any two tables that fit.
        moves: number of moves of one person between tables that fit, of which the first could have given the release.
        excluded_moves: of these, how many lead to a table that could not.
        certain: cells that hold exactly one person in every table that could have given it.
    """

    shown: Shown
    fitting: int
    excluded: int
    person: float
    tables: float
    moves: int
    excluded_moves: int
    certain: int


@dataclass(frozen=True)
class Gains:
    """What the choices of a way to publish tell, on all tables of a small world.

    Attributes:
        releases: every release that some table gives.
    """

    releases: tuple[ReleaseGain, ...]

    @property
    def person(self) -> float:
        """The largest gain about one person."""
        return max((gain.person for gain in self.releases), default=0.0)

    @property
    def tables(self) -> float:
        """The largest between any two tables."""
        return max((gain.tables for gain in self.releases), default=0.0)

    @property
    def excluded_moves(self) -> float:
        """Of all moves of one person inside what a release shows, the share that a knowing reader excludes."""
        moves = sum(gain.moves for gain in self.releases)
        return sum(gain.excluded_moves for gain in self.releases) / moves if moves else 0.0


def gains(study: Study, records: int, way: Way) -> Gains:
    """Try a way to publish on every table of some records on a study's grid, and measure what its choices tell.

    Args:
        study: a grid of a few cells, k, and epsilon for safe recoding.
        records: people in each table.
        way: how to publish, such as :func:`by_arx`.

    Raises:
        TooLargeError: there are more than 20,000 tables.

    >>> from cra_engine import Attribute
    >>> small = Study([Attribute("age", 0, 40, layers=3)], k=2).with_epsilon(1)
    >>> round(gains(small, 5, by_safe_recoding).person, 9), gains(small, 5, by_arx).person
    (1.0, inf)
    """
    cells = Grid(study.attributes).size
    if comb(records + cells - 1, cells - 1) > MOST_TABLES:
        raise TooLargeError(f"There are more than {MOST_TABLES:,} tables of {records} records on {cells} cells.")
    every = list(every_table(cells, records))
    chances: dict[Shown, dict[Table, float]] = {}
    for table in every:
        checkpoint()
        for shown, chance in way(study, table).items():
            chances.setdefault(shown, {})[table] = chance
    return Gains(tuple(_gain(shown, given, every) for shown, given in chances.items()))


def every_table(cells: int, records: int) -> Iterator[Table]:
    """Yield every table of a small world: every way to put so many records into so many cells."""
    if cells == 1:
        yield (records,)
        return
    for here in range(records + 1):
        for rest in every_table(cells - 1, records - here):
            yield (here, *rest)


def _gain(shown: Shown, given: Mapping[Table, float], every: list[Table]) -> ReleaseGain:
    checkpoint()
    fitting = {table for table in every if fits_release(shown, table)}
    logs = {table: log(given[table]) if given.get(table) else -inf for table in fitting}
    excluded = sum(chance == -inf for chance in logs.values())
    person, moves, excluded_moves = 0.0, 0, 0
    for table in fitting:
        if logs[table] == -inf:
            continue
        for other in with_one_moved(table):
            if other in fitting and _one_part_apart(shown, table, other):
                moves += 1
                excluded_moves += logs[other] == -inf
                person = max(person, abs(logs[table] - logs[other]))
    ends = logs.values()
    return ReleaseGain(
        shown,
        len(fitting),
        excluded,
        person,
        inf if excluded else max(ends) - min(ends),
        moves,
        excluded_moves,
        _certain([table for table in fitting if logs[table] > -inf]),
    )


def _certain(tables: list[Table]) -> int:
    return int((np.array(tables) == 1).all(axis=0).sum())


def with_one_moved(table: Table) -> Iterator[Table]:
    """Yield a table of a small world with one person in another cell, in every way."""
    for here, count in enumerate(table):
        for there in range(len(table)):
            if count and here != there:
                other = list(table)
                other[here] -= 1
                other[there] += 1
                yield tuple(other)


def _one_part_apart(shown: Shown, one: Table, other: Table) -> bool:
    """Returns whether some part may fill both cells that two tables differ in."""
    apart = {cell for cell, (mine, theirs) in enumerate(zip(one, other, strict=True)) if mine != theirs}
    return any(apart <= cells for cells, _ in shown)


def fits_release(shown: Shown, table: Table) -> bool:
    """Return whether a small world's table can be dealt to the parts of a release, by Hall's condition.

    >>> fits_release(((frozenset({0, 1}), 2), (frozenset({1, 2}), 2)), (1, 3, 0))
    True
    >>> fits_release(((frozenset({0}), 2), (frozenset({1, 2}), 2)), (1, 3, 0))
    False
    """
    if sum(size for _, size in shown) != sum(table):
        return False
    for many in range(1, len(shown) + 1):
        for chosen in combinations(shown, many):
            cells = frozenset().union(*(cells for cells, _ in chosen))
            if sum(size for _, size in chosen) > sum(table[cell] for cell in cells):
                return False
    return True


# ---------------------------------------------------------------- the ways


def by_safe_recoding(study: Study, table: Table) -> dict[Shown, float]:
    """Publish a small world by safe recoding, over every way that its coins can fall."""
    cells = CellCounts(Grid(study.attributes))
    cells.add(np.repeat(np.arange(len(table)), table))
    chances: dict[Shown, float] = {}
    falls: list[bool] | None = []
    while falls is not None:
        asked: list[Fraction] = []

        def missed(x: Fraction, told: tuple[bool, ...] = tuple(falls), asked: list[Fraction] = asked) -> bool:
            asked.append(x)
            return told[len(asked) - 1] if len(asked) <= len(told) else False

        made = climb_ladder(study, cells, missed)
        fell = [*falls, *[False] * (len(asked) - len(falls))]
        chance = 1.0
        for x, stayed in zip(asked, fell, strict=True):
            chance *= exp(-float(x)) if stayed else 1 - exp(-float(x))
        chances[regions_shown(made)] = chance
        while fell and fell[-1]:
            fell.pop()
        falls = [*fell[:-1], True] if fell else None
    return chances


def by_arx(study: Study, table: Table) -> dict[Shown, float]:
    """Publish a small world by ARX-LR; who knows it completely knows in which order its classes formed."""
    return {regions_shown(_by_arx(study, table)): 1.0}


def _by_arx(study: Study, table: Table) -> PublishedCells:
    plain = Study(study.attributes, study.k) if study.safe else study
    return recode(_people(study, table), plain)


def repaired(targets: RepairTargets | None = None) -> Way:
    """Publish a small world by ARX-LR with a repair after it; what is shown are boxes that may overlap."""

    def way(study: Study, table: Table) -> dict[Shown, float]:
        made = recode(_people(study, table), Study(study.attributes, study.k))
        return {boxes_shown(repair(made.release, targets).release): 1.0}

    return way


def by_global_recoding(study: Study, table: Table) -> dict[Shown, float]:
    """Publish a small world by global recoding of least loss; any number of records may be suppressed."""
    release = least_loss(_people(study, table), Study(study.attributes, study.k), 1).release
    grid = Grid(study.attributes)
    cells = [(_cells(grid, segment), size) for segment, size in release.classes]
    rest = frozenset(range(grid.size)).difference(*(own for own, _ in cells))
    return {_sorted([*cells, (rest, release.suppressed)]): 1.0}


def _people(study: Study, table: Table) -> pd.DataFrame:
    """A table of people with the lowest values of their cells."""
    leaves = np.stack(np.unravel_index(np.repeat(np.arange(len(table)), table), Grid(study.attributes).shape), axis=1)
    columns = {}
    for position, attribute in enumerate(study.attributes):
        if not attribute.numeric:
            raise CRAError("Every table of a small world is tried for hierarchies of numbers only.")
        columns[attribute.name] = [float(attribute.node(1, leaf).lower) for leaf in leaves[:, position].tolist()]
    return pd.DataFrame(columns)


def regions_shown(made: PublishedCells) -> Shown:
    """Return a small world's release by the order of its classes: each without the boxes of earlier ones."""
    taken: frozenset[int] = frozenset()
    parts = []
    for step in made.iterations:
        own = [(_cells(made.grid, segment) - taken, size) for segment, size in step.classes]
        parts += own
        taken = taken.union(*(cells for cells, _ in own))
    return _sorted([*parts, (frozenset(range(made.grid.size)) - taken, made.suppressed)])


def boxes_shown(release: Release) -> Shown:
    """Return the parts of a small world's release by their boxes alone."""
    grid = release.grid
    parts = [(_cells(grid, released.segment), released.size) for released in release.classes]
    return _sorted([*parts, (frozenset(range(grid.size)), release.suppressed)])


def _sorted(parts: list[tuple[frozenset[int], int]]) -> Shown:
    return tuple(sorted(((cells, size) for cells, size in parts if size), key=lambda part: (sorted(part[0]), part[1])))


def _cells(grid: Grid, segment: Segment) -> frozenset[int]:
    inside = np.zeros(grid.shape, dtype=bool)
    inside[grid.slices(segment)] = True
    return frozenset(np.flatnonzero(inside).tolist())
