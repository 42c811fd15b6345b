"""Says what each way to publish tells a reader who knows it completely, on every table of one small world."""

from dataclasses import dataclass
from functools import cache
from math import isfinite

from cra_engine.defences.gains import Gains, Way, by_arx, by_global_recoding, by_safe_recoding, gains, repaired
from cra_engine.defences.repair import RepairTargets
from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study
from cra_engine.words import percent

EPSILONS = ("0.25", "0.5", "1", "2", "4", "8")
PEOPLE, CELLS, K = 6, 4, 2
LIKELIEST = 0.45  # what the repair allows
WORLD = f"every table of {PEOPLE} people in {CELLS} cells, k = {K}"


@dataclass(frozen=True)
class WayGain:
    """What the choices of one way to publish tell, measured on a small world.

    Attributes:
        label: what it is called, with its setting.
        epsilon: of safe recoding; empty for the others.
        gains: what it tells.
    """

    label: str
    epsilon: str
    gains: Gains

    @property
    def told(self) -> str:
        """Returns what the numbers mean, in a sentence."""
        if isfinite(self.gains.person):
            return f"Nobody's place is excluded; odds change by e^{self.gains.person:.3g} at most."
        return f"{percent(self.gains.excluded_moves)} of the places where a person could be as well are excluded."


@cache
def small_world() -> tuple[WayGain, ...]:
    """Measure every way that shows where people may lie on a small world, from what tells least to ARX-LR.

    >>> {way.label: round(way.gains.person, 6) for way in small_world()}["Safe, epsilon 0.5"]
    0.5
    """
    study = Study([Attribute("age", 0, 40, layers=3)], K)
    gained = [
        WayGain(f"Safe, epsilon {epsilon}", epsilon, gains(study.with_epsilon(epsilon), PEOPLE, by_safe_recoding))
        for epsilon in EPSILONS
    ]
    others: list[tuple[str, Way]] = [
        ("Global recoding", by_global_recoding),
        ("ARX-LR repaired", repaired(RepairTargets(likeliest=LIKELIEST))),
        ("ARX-LR", by_arx),
    ]
    return (*gained, *(WayGain(label, "", gains(study, PEOPLE, way)) for label, way in others))
