"""Says how somebody reads a table who holds earlier releases of the same people."""

from collections.abc import Sequence
from dataclasses import dataclass

from cra_engine.attacks.composition.beside import beside, earlier_attacks
from cra_engine.attacks.composition.compose import compose
from cra_engine.attacks.composition.refined import Refinement, refine
from cra_engine.attacks.prior import prior_of
from cra_engine.attacks.refinement.attack import attack
from cra_engine.attacks.solver.views import CellView
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.choices import Prior as PriorName
from cra_engine.defences.reading import SUPPRESSED, Reading
from cra_engine.errors import ContradictionError, CRAError
from cra_engine.patience import Deadline
from cra_engine.release import Release
from cra_engine.study.grid import Cell

KEPT_FOR_READING = 2 / 3  # of the time, what the earlier releases by themselves leave to all of them together
SHARE = 1 / 4  # of the time that is left, what one reading may take


@dataclass(frozen=True, eq=False)
class EarlierReleases:
    """Earlier releases, each attacked once, beside which a repair reads tables.

    Attributes:
        attacks: one per release.
        deadline: when the time is over.
        prior: how tables weigh: records differ where some table of such records gives all of it, else they may repeat.
    """

    attacks: tuple[TightAttack, ...]
    deadline: Deadline
    prior: PriorName

    @classmethod
    def of(cls, releases: Sequence[Release], deadline: Deadline, beside_them: Release) -> "EarlierReleases":
        """Attacks them.

        Args:
            releases: the earlier ones.
            deadline: for this, and for all tables that are read afterwards.
            beside_them: the table as it was made; what is read later shows no less than its rows do.

        Raises:
            ContradictionError: they cannot be of the same people.
            CRAError: a release contradicts itself.
        """
        try:
            return cls._under("distinct", releases, deadline, beside_them)
        except ContradictionError:
            raise
        except CRAError:
            return cls._under("independent", releases, deadline, beside_them)

    @classmethod
    def _under(
        cls, prior: PriorName, releases: Sequence[Release], deadline: Deadline, table: Release
    ) -> "EarlierReleases":
        time_limit = deadline.after(1 - KEPT_FOR_READING).left
        attacked = cls(earlier_attacks(releases, time_limit, prior_of(prior, None)), deadline, prior)
        attacked.read(table)
        return attacked

    def read(self, release: Release) -> Reading:
        """Reads a table beside them: as ARX-LR's own where it can be that, else by what its rows show.

        Raises:
            ContradictionError: they cannot be of the same people.
        """
        return self._read_as_arx(release) or self._read_rows(release)

    @property
    def alone(self) -> Reading:
        """Returns what they tell without a table beside them; nothing that is published now takes it back."""
        composed = compose([tight.release for tight in self.attacks], time_limit=self._time_limit, prior=self.prior)
        return self._reading(composed.cells, {}, finished=composed.status != "timeout")

    @property
    def _time_limit(self) -> float:
        return self.deadline.after(SHARE).left

    def _read_as_arx(self, release: Release) -> Reading | None:
        """Returns None where the table cannot be ARX-LR's own: then nothing follows from how it was made."""
        if any(part.contradiction and not part.coincident for part in attack(release).parts):
            return None
        try:
            releases = [*(tight.release for tight in self.attacks), release]
            composed = compose(releases, time_limit=self._time_limit, prior=self.prior)
        except CRAError:
            return None
        refinement = refine(composed.releases, grown=False)
        parts = _classes_at(refinement, release, [view.cell for view in composed.cells])
        return self._reading(composed.cells, parts, finished=composed.status != "timeout")

    def _read_rows(self, release: Release) -> Reading:
        rows = beside(self.attacks, release, self._time_limit)
        parts = _classes_at(rows.refinement, release, [view.cell for view in rows.cells])
        return self._reading(rows.cells, parts, finished=rows.finished)

    def _reading(self, views: Sequence[CellView], parts: dict[Cell, tuple[int, ...]], *, finished: bool) -> Reading:
        """What was found, in numbers of people; chances beside safe releases do not weigh their coins."""
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
            exact=all(view.exact for view in views) and not any(one.release.study.safe for one in self.attacks),
        )


def _classes_at(refinement: Refinement, release: Release, cells: Sequence[Cell]) -> dict[Cell, tuple[int, ...]]:
    """Returns per common cell the classes of the table whose records may lie there, the suppressed ones last."""
    last = len(refinement.axis) - 1
    grid = release.grid
    boxes = [[(node.start, node.stop) for node in grid.nodes(one.segment)] for one in release.classes]
    classes: dict[Cell, tuple[int, ...]] = {}
    for cell, own in zip(cells, refinement.own(last, cells), strict=True):
        if own is None:
            classes[cell] = ()
            continue
        inside = [
            index
            for index, box in enumerate(boxes)
            if all(start <= leaf < stop for leaf, (start, stop) in zip(own, box, strict=True))
        ]
        classes[cell] = (*inside, *((SUPPRESSED,) if release.suppressed else ()))
    return classes
