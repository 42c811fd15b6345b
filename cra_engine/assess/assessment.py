"""Says what a release gives away."""

import math
from dataclasses import asdict, dataclass
from typing import Literal

from cra_engine.assess.figure import Figure
from cra_engine.attacks.refinement.attack import Attack
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.release import FullDomainRelease, Release
from cra_engine.results import Json, plain
from cra_engine.risk.singling import SinglingChances
from cra_engine.risk.values import WhoHasWhat
from cra_engine.study.grid import Cell, Grid
from cra_engine.words import ALMOST

NOTHING = Figure.unknown()
FACTOR_SUPPOSED = "ARX ran with its usual setting for local transformation, a g/s factor of 0"


@dataclass(frozen=True)
class AssessedClass:
    """What an assessment knows of one class of a release.

    Attributes:
        box: its box in words.
        size: its records.
        ratio: how many times fewer tables of it remain; None where that is not counted.
        certain: number of certain cells that it may fill.
    """

    box: str
    size: int
    ratio: float | None
    certain: int


@dataclass(frozen=True, eq=False)
class Assessment:
    """The judgement of a release: what it gives away to somebody who has the release alone.

    Made by :func:`cra_engine.assess.attacked.assess`.

    Attributes:
        release: the release.
        recoding: ``"local"``, or ``"global"`` where one state holds for all records, or may: then there is no order of
            formation, and only what the rule of suppression tells is counted.
        prior: how tables weigh; see :func:`cra_engine.attack`.
        certain: number of cells that hold exactly one person in every possible table.
        expected: expected number of cells that hold exactly one person.
        likeliest: largest chance of a cell to hold exactly one person.
        by_intervals: as ``expected``, for somebody who reads the intervals alone.
        promised: decimal logarithm of the number of tables that the intervals allow.
        left: the same for the tables that remain possible.
        certain_cells: the cells behind ``certain``.
        attack: the attack on each class by itself; None for global recoding, or where there was no time for it.
        tight: the attack on all classes together; None where it was not made.
        chances: the chances of single cells with each class by itself, where all classes together have none.
        who_has_what: which sensitive values people of a cell can have; None where the release shows none, or where they
            were not looked at.
        contradiction: why no data give this release by the way it is said to be made; empty where some do. Then
            nothing is claimed beyond its intervals.
        missing: sentences on what was not made, and why.
    """

    release: Release | FullDomainRelease
    recoding: Literal["local", "global"]
    prior: str
    certain: Figure = NOTHING
    expected: Figure = NOTHING
    likeliest: Figure = NOTHING
    by_intervals: Figure = NOTHING
    promised: Figure = NOTHING
    left: Figure = NOTHING
    certain_cells: tuple[Cell, ...] = ()
    attack: Attack | None = None
    tight: TightAttack | None = None
    chances: SinglingChances | None = None
    who_has_what: WhoHasWhat | None = None
    contradiction: str = ""
    missing: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Returns it in one line."""
        return f"Assessment({self.recoding!r}, certain={_short(self.certain)}, expected={_short(self.expected)})"

    @property
    def needs_factor(self) -> bool:
        """True where what is certain holds only for the g/s factor that ARX ran with."""
        return self.recoding == "local" and isinstance(self.release, Release) and not self.release.study.safe

    @property
    def complete(self) -> bool:
        """True where every cell that is certain was found."""
        return self.certain.sure == "exact"

    @property
    def certain_texts(self) -> tuple[str, ...]:
        """The certain cells as descriptions of a person."""
        grid = Grid(self.release.study.attributes) if self.certain_cells else None
        return () if grid is None else tuple(grid.describe(cell) for cell in self.certain_cells)

    @property
    def mean_ratio(self) -> float | None:
        """Mean over the classes of how many times fewer tables remain; None where it is not counted."""
        if self.recoding == "global":
            basic = isinstance(self.release, FullDomainRelease) and all(layer == 1 for layer in self.release.state)
            return 1.0 if basic else None
        ratio = math.nan if self.attack is None or self.contradiction else self.attack.mean_ratio
        return ratio if math.isfinite(ratio) else None

    @property
    def classes(self) -> tuple[AssessedClass, ...]:
        """Returns what is known of each class, in the attacker's order; none where no class was attacked by itself."""
        if self.attack is None or self.contradiction:
            return ()
        return tuple(
            AssessedClass(
                self.attack.release.grid.describe(part.segment),
                part.size,
                part.ratio if (part.basic or part.counted) and math.isfinite(part.ratio) else None,
                sum(part.may_fill(cell) for cell in self.certain_cells),
            )
            for part in self.attack.classes
        )

    def to_dict(self) -> Json:
        """As plain data: what ``check --json`` says of the attack."""
        classes = [asdict(known) for known in self.classes]
        return plain(
            {
                "certain": self.certain.value,
                "certain_sure": self.certain.sure,
                "expected_isolated": self.expected.value,
                "expected_sure": self.expected.sure,
                "mean_ratio": self.mean_ratio,
                "recoding": self.recoding,
                "expected_isolated_intervals": self.by_intervals.value,
                "complete": self.complete,
                "classes": [{"class": known.pop("box"), **known} for known in classes],
            }
        )

    @property
    def cell_chances(self) -> list[tuple[Cell, float]]:
        """The cells that may hold exactly one person with the chance of it, certain ones first; empty where unknown."""
        if self.contradiction:
            return []
        if self.tight is not None and self.tight.expected_isolated is not None:
            chances = [(cell, p) for cell, p in self.tight.cell_probabilities(1).items() if p > 0]
        elif self.chances is not None:
            chances = [(chance.cell, chance.probability) for chance in self.chances.cells]
        else:
            return []
        certain = set(self.certain_cells)
        # What was only estimated, or holds for different records alone, is not certain however likely.
        capped = [(cell, 1.0 if cell in certain else min(p, ALMOST)) for cell, p in chances]
        return sorted(capped, key=lambda item: (item[0] not in certain, -item[1], item[0]))


def _short(figure: Figure) -> str:
    if figure.value is not None:
        return f"{figure.value:.6g} ({figure.sure})"
    if figure.lower is not None and figure.upper is not None:
        return f"{figure.lower:.6g}..{figure.upper:.6g}"
    return figure.sure
