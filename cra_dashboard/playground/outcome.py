"""What follows from a scene: what is published, and what anybody learns from it; all of it from the engine."""

from dataclasses import dataclass
from typing import Any

from propcache.api import cached_property

from cra_dashboard.playground.scene import Base, Scene, frame_of, study_of
from cra_dashboard.session.attacks import attack_together
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import in_order, number_as_formed, number_of
from cra_dashboard.texts.spoken import spoken
from cra_engine import Attack, CRAError, Recoding, TightAttack, attack, recode
from cra_engine.attacks.solver.views import CellView
from cra_engine.study.grid import Segment
from cra_engine.words import power, told

PATIENCE = 1.0  # seconds for all classes together while people are moved; what is not known by then says so
LONGER = 8.0  # seconds once nobody is moved any more
# What stands where a box's number, 0 or more, does: whoever is in none, and all of them together.
SUPPRESSED, ALL = -1, -2


@dataclass(eq=False)
class Outcome:
    """A scene recoded and attacked.

    Attributes:
        base: the starting table.
        scene: the scene.
        recoding: what the publisher does.
        attack: each class by itself.
        tight: all classes together; None where no table of people who all differ gives this release.
        alone: why ``tight`` is None, empty where it is there.
    """

    base: Base
    scene: Scene
    recoding: Recoding
    attack: Attack
    tight: TightAttack | None
    alone: str = ""

    @cached_property
    def formed(self) -> list[int]:
        """The classes in the order of their formation, each by its place in the attacker's order."""
        return in_order(self.attack.release, range(len(self.attack.classes)))

    def number_of(self, index: int) -> int:
        """The number of a class on every page, from its place in the attacker's order."""
        return number_of(self.attack.release, index)

    @cached_property
    def cells(self) -> list[tuple[int, int, float | None]]:
        """Per cell how many people at least, at most, and the chance of exactly one; None where it is not known."""
        if self.tight is None:
            return self._cells_alone()
        views = {view.cell: view for view in self.tight.cells}
        return [_known(views.get(self.base.cell(number))) for number in range(self._cells)]

    def _cells_alone(self) -> list[tuple[int, int, float | None]]:
        parts = self.attack.parts
        found: list[tuple[int, int, float | None]] = []
        for number in range(self._cells):
            cell = self.base.cell(number)
            able = [part for part in parts if part.may_fill(cell)]
            if len(able) == 1 and (not able[0].contradiction or able[0].coincident):
                low, high = able[0].count_ranges[cell]
                chance = able[0].cell_probabilities(1)[able[0].free_cells.index(cell)]
                found.append((low, high, told(chance, low, high)))
            else:
                found.append((0, sum(part.size for part in able), None if able else 0.0))
        return found

    @property
    def _cells(self) -> int:
        return self.base.shape[0] * self.base.shape[1]

    @cached_property
    def certain(self) -> list[int]:
        """The cells that hold exactly one person for certain."""
        found = self.attack.isolated if self.tight is None else self.tight.isolated
        return sorted(self.base.number((cell[0], cell[1])) for cell in found)

    @property
    def finished(self) -> bool:
        """True when nobody else can be certain: all was looked at."""
        return self.tight is not None and self.tight.complete

    @property
    def cut_short(self) -> bool:
        """True when more may be known after a longer calculation."""
        return self.tight is not None and self.tight.status == "timeout"

    @cached_property
    def owners(self) -> list[int]:
        """Per cell the number of the box that took its people, :data:`SUPPRESSED` where none did."""
        grid = self.attack.release.grid
        result = [SUPPRESSED] * self._cells
        for index in reversed(self.formed):
            for cell in grid.cells(self.attack.release.classes[index].segment):
                result[self.base.number((cell[0], cell[1]))] = self.number_of(index)
        return result

    def sentence(self) -> tuple[str, str]:
        """How many people are known for certain, and how the sentence goes on."""
        number = len(self.certain)
        who = "Nobody is" if not number else "1 person is" if number == 1 else f"{number} people are"
        if self.finished or self.tight is None:
            more = (
                " Cells may hold fewer than it says: the time for this calculation ran out." if self.cut_short else ""
            )
            return who + " known for certain", ", from the published table alone." + more
        why = (
            "the time for this calculation ran out"
            if self.tight.status == "timeout"
            else "the order is only partly known"
        )
        start = "Nobody was found to be" if not number else f"At least {who[0].lower()}{who[1:]}"
        return f"{start} known for certain", f", from the published table alone. There may be more: {why}."

    def box(self, segment: Segment) -> list[int]:
        """A box as first cell and one past the last, across, then upwards."""
        across, upwards = self.attack.release.grid.nodes(segment)
        return [across.start, across.stop, upwards.start, upwards.stop]

    @cached_property
    def plain(self) -> dict[str, Any]:
        """What the page draws, as plain data."""
        release = self.attack.release
        grid = release.grid
        who, goes_on = self.sentence()
        return {
            "classes": [
                {
                    "box": self.box(release.classes[index].segment),
                    "size": release.classes[index].size,
                    "text": spoken(words.box(grid, release.classes[index].segment)),
                    "stole": [self.number_of(rival) for rival, _ in self.attack.classes[index].stolen],
                }
                for index in self.formed
            ],
            "owners": self.owners,
            "suppressed": release.suppressed,
            "cells": [[low, high, None if chance is None else round(chance, 6)] for low, high, chance in self.cells],
            "certain": self.certain,
            "who": who,
            "rest": goes_on,
            "exact": self.tight is not None and self.tight.status == "exact",
            "cut": self.cut_short,
            "note": self.note(),
        }

    def note(self) -> str:
        """How many tables the release leaves, and how sure that is."""
        if self.tight is None:
            return self.alone
        before = power(self.tight.log10_worlds_intervals)
        if self.tight.log10_worlds is None:
            return f"The boxes alone allow {before} tables; how many are left was not finished in time."
        about = "" if self.tight.worlds is not None else "about "
        most = "at most " if self.tight.relaxed else ""
        return (
            f"The boxes alone allow {before} tables; the attack leaves {most}{about}{power(self.tight.log10_worlds)}."
        )


def _known(view: CellView | None) -> tuple[int, int, float | None]:
    if view is None:
        return 0, 0, 0.0
    if view.fixed:
        return view.lowest, view.highest, float(view.lowest == 1)
    chances = view.probabilities
    likely = (chances[1] if len(chances) > 1 else 0.0) if chances else None
    return view.lowest, view.highest, None if likely is None else told(likely, view.lowest, view.highest)


def outcome_of(base: Base, scene: Scene, patience: float = PATIENCE) -> Outcome:
    """Recode and attack a scene.

    Raises:
        CRAError: fewer people than k, for instance.
    """
    recoding = recode(frame_of(base, scene), study_of(base, scene))
    number_as_formed(recoding)
    attacked = attack(recoding.release)
    try:
        return Outcome(base, scene, recoding, attacked, attack_together(recoding.release, patience))
    except CRAError as error:
        return Outcome(base, scene, recoding, attacked, None, f"Each box is read by itself. {error}")
