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
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.errors import StudyError
from cra_engine.expected import expect
from cra_engine.publish.local.coins import Coins
from cra_engine.publish.local.recoding import PublishedTable, Recoding, labelled, recode
from cra_engine.publish.local.rounds import PublishedCells, RecodedClass, Rounds
from cra_engine.raw.cells import CellCounts, Filled
from cra_engine.raw.placement import locate
from cra_engine.results import Json, plain
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.ladder import Epsilon, Ladder, Rung, ladder_of
from cra_engine.study.ledger import Ledger
from cra_engine.study.regions import Regions
from cra_engine.study.study import Study


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SafeCells(PublishedCells):
    """The outcome of safe recoding on the counts of the cells; its study says ``profile = "safe"``.

    Attributes:
        ladder: the states that had a turn, each with what it may spend.
    """

    ladder: Ladder

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """The rungs, finest first, each with what it spent."""
        turns = zip(self.ladder.rungs, self.regions.turns, strict=True)
        return tuple(Rung(rung.state, turn.rate) for rung, turn in turns)

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
        return Regions(self.grid, self.ladder, shown, self.suppressed, self.study.k)

    @property
    def gains(self) -> tuple[Fraction, ...]:
        """What the choices give away about one person: per class, then for the suppressed where there are any.

        See :attr:`cra_engine.study.regions.Regions.gains`; none is above epsilon.
        """
        return self.regions.gains

    @property
    def gain(self) -> Fraction:
        """The largest of the gains."""
        return self.regions.gain

    @property
    def gain_all_tables(self) -> Fraction:
        """What they give away between any two tables that fit; exact, and no target."""
        return self.regions.gain_all_tables

    def summary(self) -> dict[str, object]:
        """Records, k, classes, suppressed, epsilon, the largest gain."""
        return super().summary() | {"epsilon": self.study.epsilon, "gain": f"{float(self.gain):.4g}"}

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
                "rungs": [{"state": rung.state, "epsilon": rung.epsilon} for rung in self.rungs],
                "suppressed_gain": gains[-1] if self.suppressed else 0.0,
                "gain": self.gain,
                "gain_all_tables": self.gain_all_tables,
            }
        )


@dataclass(frozen=True, eq=False, repr=False)
class SafeRecoding(PublishedTable, SafeCells):
    """The outcome of safe recoding on a table; fields as :class:`~cra_engine.publish.local.recoding.PublishedTable`."""


def safe_study(study: Study, epsilon: Epsilon | None, *, floor: bool = False) -> Study:
    """The study that a reader of the safe release gets.

    Args:
        study: hierarchies and k, of any profile.
        epsilon: None for the study's own.
        floor: as for :func:`safe_recode`.

    Raises:
        StudyError: there is no epsilon, or it is no number above 0.
    """
    if epsilon is None and study.epsilon is None:
        raise StudyError("Safe recoding needs an epsilon, how much may be given away; take 1 to begin with.")
    own = study.epsilon if epsilon is None else epsilon
    return study if own is None or (epsilon is None and not floor) else study.with_epsilon(own, floor=floor or None)


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
        DataError: k exceeds the number of records.
        StudyError: the study has no epsilon.
        TooLargeError: the lattice is larger than the engine admits.
    """
    return climb(study, cells, Coins(seed).exp_minus, warnings)


def climb(
    study: Study, cells: CellCounts, missed: Callable[[Fraction], bool], warnings: tuple[str, ...] = ()
) -> SafeCells:
    """The ladder, rung by rung, with given coins.

    Args:
        study: hierarchies, k and epsilon.
        cells: all records, counted.
        missed: of x, whether a box stays unpublished that does so with a chance of ``exp(-x)``.
        warnings: findings in the table.
    """
    if study.epsilon is None:
        raise StudyError('The study does not say profile = "safe" with an epsilon.')
    study.refuse_small_k()
    rounds, ladder = Rounds(study, cells), ladder_of(study.attributes, study.epsilon, floor=study.floor)
    if ladder.floor:
        _climb_with_floor(rounds, ladder, missed)
    for rung in () if ladder.floor else ladder.rungs:

        def published(totals: NDArray[np.int64], spent: Fraction = rung.epsilon) -> NDArray[np.bool_]:
            over = [total - study.k + 1 for total in totals.tolist()]
            return np.array([extra > 0 and not missed(spent * extra) for extra in over], dtype=bool)

        rounds.take(rung.state, published)
    return SafeCells(
        study, rounds.lattice, rounds.cells, rounds.taken, tuple(rounds.steps), (*warnings, *rounds.lost), ladder=ladder
    )


def _climb_with_floor(rounds: Rounds, ladder: Ladder, missed: Callable[[Fraction], bool]) -> None:
    """The floored ladder: box by box, since each that is published lowers how many are left for the next."""
    k = rounds.study.k
    ledger = Ledger(ladder.epsilon, tuple(rung.epsilon for rung in ladder.rungs), k)
    for place, rung in enumerate(ladder.rungs):
        left = rounds.remaining.records
        rate = ledger.rate(left)
        position, codes, totals = rounds.remaining.boxes(rung.state)
        ranks = rounds.cells.grid.ranks_of(rung.state, codes)
        tried = ~ladder.repeated(place)[tuple(ranks.T)]
        full = np.zeros(len(totals), dtype=bool)
        for box, held in enumerate(totals.tolist()):
            over = min(held, left - held) - k + 1
            if tried[box] and rate and over > 0 and not missed(rate * over):
                full[box] = True
                left -= held
        rounds.publish(rung.state, Filled(codes[full], totals[full], full[position]))
        ledger.enter(rate, left)


def safe_recode(
    data: pd.DataFrame, study: Study, epsilon: Epsilon | None = None, seed: int | None = None, *, floor: bool = False
) -> SafeRecoding:
    """Publish a table by safe recoding: whoever knows everybody else still learns at most epsilon about one person.

    On each rung of the ladder a box with n >= k of the remaining records is published with a chance of
    ``1 - exp(-eps (n - k + 1))``. Every table that fits the release then could have given it, and moving one person
    inside a region changes the chance of the release by a factor of at most ``e^epsilon``.

    Draw once and hand that out: keeping the best of several draws breaks the promise, and so do hierarchies or domains
    that were read from the data.

    Args:
        data: one row per person; the study's quasi-identifiers are columns of numbers, other columns are kept.
        study: hierarchies and k.
        epsilon: how much may be given away; None for the study's own. 1 is a good beginning.
        seed: None for the randomness of the system. With a seed the same coins fall every time: whoever guesses it
            knows them all, so it is for teaching.
        floor: True to publish a box only if k or more records are left beside it, so that no set of cells is ever
            settled at 1 to k - 1 people; a study of ``profile = "floored"`` says so by itself. Without it 1 to k - 1
            people may be suppressed, in an area that can be read off the release.

    Raises:
        DataError: the table does not fit the study, or k exceeds the number of records.
        StudyError: there is no epsilon, or it is no number above 0.
        TooLargeError: the lattice or the grid is larger than the engine admits.

    >>> import pandas as pd
    >>> from cra_engine import Attribute, Study
    >>> data = pd.DataFrame({"age": [21, 22, 24, 30, 31, 35, 52, 77]})
    >>> published = safe_recode(data, Study([Attribute("age", 0, 80, layers=4)], k=2), epsilon=2, seed=1)
    >>> [(published.grid.describe(found.segment), found.size) for found in published.classes], published.suppressed
    ([('age in [20, 30)', 3), ('age in [30, 40)', 3)], 2)
    >>> [round(float(gain), 3) for gain in published.gains]  # none is above epsilon
    [0.0, 0.0, 2.0]
    """
    expect(data, pd.DataFrame, "safe_recode(data)")
    expect(study, Study, "safe_recode(study)")
    publisher = safe_study(study, epsilon, floor=floor)
    located = locate(publisher.roles.published(data), publisher)
    cells, code_of_record = located.count_cells(Grid(publisher.attributes))
    complete = located.complete
    published = recode_cells_safely(publisher, cells, seed, (*complete.notes, *located.warnings))
    del located  # its leaves and values take as much room as the table
    frame, release = labelled(complete.data, published, code_of_record)
    return SafeRecoding(
        *published.of_cells,
        complete.left_out,
        ladder=published.ladder,
        frame=frame,
        release=release,
        code_of_record=code_of_record,
    )


def publish_locally(data: pd.DataFrame, study: Study, seed: int | None = None) -> Recoding | SafeRecoding:
    """Publish a table by local recoding as its study says: by ARX-LR, or safely.

    Args:
        data: one row per person.
        study: hierarchies, k and profile.
        seed: of a safe recoding; see :func:`safe_recode`.

    Raises:
        DataError: the table does not fit the study, or k exceeds the number of records.
        TooLargeError: the lattice or the grid is larger than the engine admits.
    """
    return safe_recode(data, study, seed=seed) if study.safe else recode(data, study)
