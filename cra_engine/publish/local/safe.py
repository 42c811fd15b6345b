"""Safe recoding: local recoding whose choices give only a bounded amount away; see docs/safe-recoding.md.

ARX-LR publishes a box exactly where it holds k of the remaining records, and that can be read backwards: most ways to
fill the published boxes would have been published otherwise. Here the threshold is soft, and the states that have a
turn form a chain, so that every table that fits a release could have given it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
from propcache.api import cached_property

from cra_engine.errors import DataError, StudyError
from cra_engine.expected import expect
from cra_engine.files.different_rows import Table, rows_of
from cra_engine.publish.local.coins import Coins
from cra_engine.publish.local.recoding import PublishedTable, Recoding, labelled_table, recode_complete
from cra_engine.publish.local.rounds import PublishedCells, RecodedClass, Rounds
from cra_engine.raw.alike_rows import AlikeRows
from cra_engine.raw.cells import CellCounts, Filled
from cra_engine.raw.placement import Complete, complete, place
from cra_engine.release import Release
from cra_engine.results import Json, plain
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.ladder import Epsilon
from cra_engine.study.lattice import State
from cra_engine.study.profile import FLOORED
from cra_engine.study.regions import SUPPRESSED, Regions, regions_of
from cra_engine.study.study import Study
from cra_engine.words import how_many


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SafeCells(PublishedCells):
    """The outcome of safe recoding on the counts of the cells; its study says ``profile = "floored"``."""

    @property
    def rungs(self) -> tuple[tuple[State, Fraction], ...]:
        """The rungs, finest first, each with the most that it spent in a region of the release before."""
        turns = zip(self.regions.ladder.states, self.regions.turns, strict=True)
        return tuple((state, max(turn.rates.values(), default=Fraction(0))) for state, turn in turns)

    @cached_property
    def classes(self) -> tuple[RecodedClass, ...]:
        """The classes as the release shows them, in the attacker's order, with the round that formed each."""
        formed = [
            RecodedClass(self._shown(segment), size, step.index)
            for step in self.iterations
            for segment, size in step.classes
        ]
        return tuple(sorted(formed, key=lambda found: (self.lattice.key(found.segment.state), found.segment)))

    def _shown(self, segment: Segment) -> Segment:
        """The segment by its labels: of nodes that are labelled alike a release shows the finest."""
        nodes = [
            attribute.parse(node.label) or node
            for attribute, node in zip(self.study.attributes, self.grid.nodes(segment), strict=True)
        ]
        return Segment(tuple(node.layer for node in nodes), tuple(node.rank for node in nodes))

    @cached_property
    def regions(self) -> Regions:
        """The regions of the release."""
        shown = tuple((found.segment, found.size) for found in self.classes)
        return regions_of(self.study, self.grid, shown, self.suppressed)

    @property
    def gains(self) -> tuple[Fraction, ...]:
        """What the choices give away about one person at most: per class, then for the suppressed if there are any.

        See :attr:`cra_engine.study.regions.Regions.gains`; none is above epsilon, and that of the releases before.
        """
        return self.regions.gains

    @property
    def gain(self) -> Fraction:
        """The largest of the gains."""
        return self.regions.gain

    @property
    def gain_all_tables(self) -> Fraction:
        """A bound on what they give away between any two tables that fit; no target."""
        return self.regions.gain_all_tables

    def summary(self) -> dict[str, object]:
        """Records, k, classes, suppressed, the epsilon of this release and those before it, the largest gain."""
        return super().summary() | {"epsilon": self.study.epsilon_of_all, "gain": f"{float(self.gain):.4g}"}

    def to_frame(self) -> pd.DataFrame:
        """The classes as a table, the suppressed records last: box, size, rung and gain."""
        rows: Iterable[tuple[str, int, int | None]] = [
            *(
                (self.grid.describe(found.segment), found.size, rung)
                for found, rung in zip(self.classes, self.regions.rungs, strict=True)
            ),
            *([("suppressed", self.suppressed, None)] if self.suppressed else []),
        ]
        table = pd.DataFrame(rows, columns=["box", "size", "rung"]).astype({"rung": "Int64"})
        return table.assign(gain=[float(gain) for gain in self.gains])

    def to_dict(self) -> Json:
        """As plain data, the classes each with its rung and gain."""
        told = super().to_dict()
        gains = [float(gain) for gain in self.gains]
        for written, rung, gain in zip(told["classes"], self.regions.rungs, gains, strict=False):
            written |= {"rung": rung, "gain": gain}
        return told | plain(
            {
                "epsilon": self.study.epsilon,
                "epsilon_of_all": self.study.epsilon_of_all,
                "earlier": [{"k": one.k, "epsilon": one.epsilon} for one in self.study.earlier],
                "rungs": [{"state": state, "epsilon": spent} for state, spent in self.rungs],
                "suppressed_gain": gains[-1] if self.suppressed else 0.0,
                "gain": self.gain,
                "gain_all_tables": self.gain_all_tables,
            }
        )


@dataclass(frozen=True, eq=False, repr=False)
class SafeRecoding(PublishedTable, SafeCells):
    """The outcome of safe recoding on a table; fields as :class:`~cra_engine.publish.local.recoding.PublishedTable`."""


def safe_study(study: Study, epsilon: Epsilon | None, earlier: Release | None = None) -> Study:
    """Return the study that a reader of a safe recoding gets.

    Args:
        study: hierarchies and k, of any profile.
        epsilon: None for the study's own.
        earlier: as for :func:`safe_recode`.

    Raises:
        StudyError: there is no epsilon, or it is no number above 0; or nothing can be drawn inside the earlier release.
    """
    study = study.planned
    if earlier is None:
        if epsilon is None and study.epsilon is None:
            raise StudyError("Safe recoding needs an epsilon, how much may be given away; take 1 to begin with.")
        return study.changed(profile=FLOORED, epsilon=study.epsilon if epsilon is None else epsilon)
    published = earlier.study
    if not published.safe:
        raise StudyError(
            "The earlier release was not published by safe recoding, so nothing is promised of what is published "
            "beside it; leave it out, and see what both settle with compose."
        )
    if not all(map(_alike, published.attributes, study.attributes)) or published.names != study.names:
        raise StudyError("The earlier release has other hierarchies than this study; take those that it was made with.")
    if epsilon is None:
        raise StudyError("A later release spends anew; give an epsilon, which is added to that of the earlier ones.")
    return study.changed(profile=FLOORED, epsilon=epsilon, earlier=(*published.earlier, earlier.entry))


def _alike(read: Hierarchy, own: Hierarchy) -> bool:
    """Whether a hierarchy is the publisher's own, but for categories that readers know by numbers alone."""
    places = [[[(node.start, node.stop) for node in layer] for layer in one.layer_nodes] for one in (read, own)]
    return read == own or (not read.numeric and not own.numeric and places[0] == places[1])


def recode_cells_safely(
    study: Study, cells: CellCounts, seed: int | None = None, warnings: tuple[str, ...] = ()
) -> SafeCells:
    """Run safe recoding on the counts of the cells.

    Args:
        study: hierarchies, k and epsilon.
        cells: all records, counted.
        seed: for teaching; see :func:`safe_recode`.
        warnings: findings in the table.

    Raises:
        DataError: k exceeds the number of records, or these are not the people of the release before.
        StudyError: the study has no epsilon.
        TooLargeError: the lattice is larger than the engine admits.
    """
    return climb_ladder(study, cells, Coins(seed).exp_minus, warnings)


def climb_ladder(
    study: Study, cells: CellCounts, missed: Callable[[Fraction], bool], warnings: tuple[str, ...] = ()
) -> SafeCells:
    """Climb the ladder of safe recoding, rung by rung, inside each region of the release before, with given coins.

    Args:
        study: hierarchies, k and epsilon, and the releases before this one.
        cells: all records, counted.
        missed: of x, whether a box stays unpublished that does so with a chance of ``exp(-x)``.
        warnings: findings in the table.
    """
    study.refuse_small_k()
    start = regions_of(study, cells.grid, (), cells.records)
    earlier = start.earlier
    if earlier is not None:
        _refuse_others(earlier, cells)
    rounds, climbs = Rounds(study, cells), start.climbs()
    for rung, state in enumerate(start.ladder.states):
        rates, inside = climbs.begin(rung)
        position, codes, totals = rounds.remaining.boxes(state)
        boxes = tuple(rounds.cells.grid.ranks_of(state, codes).T)
        # What is left of a class of the release before keeps its label.
        chosen = np.zeros(len(totals), dtype=bool) if earlier is None else earlier.published[rung][boxes] != SUPPRESSED
        for box, (region, held) in enumerate(zip(inside[boxes].tolist(), totals.tolist(), strict=True)):
            rate = rates.get(region, Fraction(0))
            over = min(held, climbs.left[region] - held) - study.k + 1 if rate else 0
            if over > 0 and not missed(rate * over):
                chosen[box] = True
                climbs.left[region] -= held
        rounds.publish(state, Filled(codes[chosen], totals[chosen], chosen[position]))
        climbs.end()
    warnings = (*warnings, *rounds.loss_warnings)
    return SafeCells(study, rounds.lattice, rounds.cells, rounds.taken, tuple(rounds.steps), warnings)


def _refuse_others(earlier: Regions, cells: CellCounts) -> None:
    """Refuse a table that is not of the people of the release before; no coin has fallen then.

    Raises:
        DataError: it is one.
    """
    people = sum(map(earlier.size, earlier.regions))
    if cells.records != people:
        raise DataError(
            f"The table holds {how_many(cells.records, 'person', 'people')} and the earlier release {people:,}; a "
            "later release is of the same people. Newcomers are a table of their own (--newcomers)."
        )
    held = np.bincount(earlier.owner - SUPPRESSED, cells.counts, len(earlier.classes) + 1).astype(np.int64)
    for region in earlier.regions:
        rows = int(held[region - SUPPRESSED])
        if rows != earlier.size(region):
            shown = "*" if region == SUPPRESSED else earlier.grid.describe(earlier.classes[region][0])
            raise DataError(
                f"The rows do not fit the earlier release: it shows {earlier.size(region):,} people as {shown}, and "
                f"{rows:,} of the rows belong there. Give the rows from which it was made."
            )


def safe_recode(
    data: pd.DataFrame,
    study: Study,
    epsilon: Epsilon | None = None,
    seed: int | None = None,
    *,
    earlier: Release | None = None,
) -> SafeRecoding:
    """Publish a table by safe recoding: whoever knows everybody else still learns at most epsilon about one person.

    On each rung of the ladder a box with n of the m records that are left is published with a chance of
    ``1 - exp(-r (min(n, m - n) - k + 1))``, where that is above 0. Every table that fits the release then could have
    given it, and moving one person inside a region changes the chance of the release by a factor of at most
    ``e^epsilon``. No set of cells is ever settled at 1 to k - 1 people.

    A later release of the same people is drawn inside the regions of the earlier one: then all of that holds of both
    together, with the sum of their epsilons. Two releases that know nothing of each other settle who is alone.

    Draw once and hand that out: keeping the best of several draws breaks the promise, and so do hierarchies or domains
    that were read from the data.

    Args:
        data: one row per person; the study's quasi-identifiers are columns of numbers, other columns are kept.
        study: hierarchies and k.
        epsilon: how much may be given away; None for the study's own. 1 is a good beginning.
        seed: None for the randomness of the system. With a seed the same coins fall every time: whoever guesses it
            knows them all, so it is for teaching.
        earlier: a safe release of the same people that is out already; its study names those before it. k may not be
            above its own, and epsilon has to be given, since it is spent anew.

    Raises:
        DataError: the table does not fit the study or the earlier release, or k exceeds the number of records.
        StudyError: there is no epsilon, or it is no number above 0; or nothing can be drawn inside the earlier release.
        TooLargeError: the lattice or the grid is larger than the engine admits.

    >>> import pandas as pd
    >>> from cra_engine import Attribute, Study
    >>> data = pd.DataFrame({"age": [21, 22, 24, 30, 31, 35, 52, 77]})
    >>> published = safe_recode(data, Study([Attribute("age", 0, 80, layers=4)], k=2), epsilon=2, seed=1)
    >>> [(published.grid.describe(found.segment), found.size) for found in published.classes], published.suppressed
    ([('age in [30, 40[', 3)], 5)
    >>> [round(float(gain), 3) for gain in published.gains]  # none is above epsilon
    [0.0, 2.0]
    """
    expect(data, pd.DataFrame, "safe_recode(data)")
    expect(study, Study, "safe_recode(study)")
    if earlier is not None:
        expect(earlier, Release, "safe_recode(earlier)")
    publisher = safe_study(study, epsilon, earlier)
    return _recode_complete_safely(complete(publisher.roles.published(data), publisher), publisher, seed)


def _recode_complete_safely(table: Complete, publisher: Study, seed: int | None) -> SafeRecoding:
    """Publish a table without gaps but those the study knows; as :func:`safe_recode`."""
    located = place(table, publisher)
    cells, number_of_record = located.count_cells(Grid(publisher.attributes))
    published = recode_cells_safely(publisher, cells, seed, (*table.notes, *located.warnings))
    del located  # its leaves and values take as much room as the table
    frame, release = labelled_table(table.data, published, number_of_record)
    return SafeRecoding(
        *published.base_fields,
        table.left_out,
        frame=frame,
        release=release,
        number_of_record=number_of_record,
    )


def publish_locally(data: Table, study: Study, seed: int | None = None) -> Recoding | SafeRecoding:
    """Publish a table by local recoding as its study says: by ARX-LR, or safely.

    Args:
        data: one row per person, or different rows, counted; then the frame holds each of these once.
        study: hierarchies, k and profile.
        seed: of a safe recoding; see :func:`safe_recode`.

    Raises:
        DataError: the table does not fit the study, or k exceeds the number of records.
        TooLargeError: the lattice or the grid is larger than the engine admits.
    """
    frame, times = rows_of(data, "publish_locally(data)")
    table = complete(study.roles.published(frame), study, times)
    if study.safe:
        return _recode_complete_safely(table, safe_study(study, None), seed)
    return recode_complete(table, study, alike=data if isinstance(data, AlikeRows) else None)
