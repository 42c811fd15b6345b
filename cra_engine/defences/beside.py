"""How somebody reads a table who holds earlier releases of the same people."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from cra_engine.attacks.composition.beside import Beside, beside, earlier_attacks
from cra_engine.attacks.composition.compose import compose
from cra_engine.attacks.composition.refined import Refinement, refine
from cra_engine.attacks.prior import prior_of
from cra_engine.attacks.refinement.attack import attack
from cra_engine.attacks.solver.views import CellView
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.choices import Prior as PriorName
from cra_engine.defences.reading import SUPPRESSED, Reading
from cra_engine.errors import ContradictionError, CRAError
from cra_engine.release import Release
from cra_engine.study.grid import Cell

KEPT_FOR_READING = 2 / 3  # of the time, what the earlier releases by themselves leave to all of them together
SHARE = 1 / 4  # of the time that is left, what one reading may take


@dataclass(frozen=True, eq=False)
class EarlierReleases:
    """Earlier releases, each attacked once, beside which tables are read.

    Attributes:
        attacks: one per release.
        end: when the time is over, by the monotonic clock.
        prior: how tables weigh: records differ where some table of such records gives all of it, else they may repeat.
    """

    attacks: tuple[TightAttack, ...]
    end: float
    prior: PriorName

    @classmethod
    def of(cls, releases: Sequence[Release], seconds: float, beside_them: Release) -> "EarlierReleases":
        """Attack them.

        Args:
            releases: the earlier ones.
            seconds: for this, and for all tables that are read afterwards.
            beside_them: the table as it was made; what is read later shows no less than its rows do.

        Raises:
            ContradictionError: they cannot be of the same people.
            CRAError: a release contradicts itself, or was published by safe recoding.
        """
        end = time.monotonic() + seconds
        try:
            return cls._under("distinct", releases, end, beside_them)
        except ContradictionError:
            raise
        except CRAError:
            return cls._under("independent", releases, end, beside_them)

    @classmethod
    def _under(cls, prior: PriorName, releases: Sequence[Release], end: float, table: Release) -> "EarlierReleases":
        share = (1 - KEPT_FOR_READING) * max(end - time.monotonic(), 0.0)
        found = cls(earlier_attacks(releases, share, prior_of(prior, None)), end, prior)
        found.read(table)
        return found

    def read(self, release: Release) -> Reading:
        """A table beside them: taken for ARX-LR's own where that can be, else for what its rows show.

        Raises:
            ContradictionError: they cannot be of the same people.
        """
        found = self._as_arx(release)
        return self._by_its_rows(release) if found is None else found

    @property
    def alone(self) -> Reading:
        """What they say without a table beside them, so that nothing which is published now takes it back."""
        found = compose([tight.release for tight in self.attacks], time_limit=self._seconds, prior=self.prior)
        return _reading(found.cells, {}, finished=found.status != "timeout")

    @property
    def _seconds(self) -> float:
        return max(SHARE * (self.end - time.monotonic()), 0.0)

    def _as_arx(self, release: Release) -> Reading | None:
        """None where the table cannot be ARX-LR's own: then nothing follows from how it was made."""
        if any(part.contradiction and not part.coincident for part in attack(release).parts):
            return None
        try:
            releases = [*(tight.release for tight in self.attacks), release]
            found = compose(releases, time_limit=self._seconds, prior=self.prior)
        except CRAError:
            return None
        refinement = refine(found.releases, grown=False)
        parts = _classes_at(refinement, release, [view.cell for view in found.cells])
        return _reading(found.cells, parts, finished=found.status != "timeout")

    def _by_its_rows(self, release: Release) -> Reading:
        found: Beside = beside(self.attacks, release, self._seconds)
        parts = _classes_at(found.refinement, release, [view.cell for view in found.cells])
        return _reading(found.cells, parts, finished=found.finished)


def _classes_at(refinement: Refinement, release: Release, cells: Sequence[Cell]) -> dict[Cell, tuple[int, ...]]:
    """Per common cell the classes of the table whose records may lie there, the suppressed ones last."""
    last = len(refinement.axis) - 1
    grid = release.grid
    boxes = [[(node.start, node.stop) for node in grid.nodes(one.segment)] for one in release.classes]
    found: dict[Cell, tuple[int, ...]] = {}
    for cell, own in zip(cells, refinement.own(last, cells), strict=True):
        if own is None:
            found[cell] = ()
            continue
        inside = [
            index
            for index, box in enumerate(boxes)
            if all(start <= leaf < stop for leaf, (start, stop) in zip(own, box, strict=True))
        ]
        found[cell] = (*inside, *((SUPPRESSED,) if release.suppressed else ()))
    return found


def _reading(views: Sequence[CellView], parts: dict[Cell, tuple[int, ...]], *, finished: bool) -> Reading:
    chances: dict[Cell, float] = {}
    for view in views:
        if view.probabilities:
            chance = view.probabilities[1] if len(view.probabilities) > 1 else 0.0
        else:  # not known: as bad as its limits allow
            chance = 1.0 if view.lowest <= 1 <= view.highest else 0.0
        if chance > 0:
            chances[view.cell] = chance
    return Reading(
        chances,
        frozenset(view.cell for view in views if view.fixed and view.lowest == 1),
        {cell: parts.get(cell, ()) for cell in chances},
        finished=finished and all(view.probabilities for view in views),
        exact=all(view.exact for view in views),
    )
