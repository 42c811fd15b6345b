"""What the page Safe recode says."""

from math import exp, isfinite

import pandas as pd

from cra_dashboard.charts.published import Shown, gain_text
from cra_dashboard.safe.state import ARX
from cra_engine.defences.small_world import WORLD
from cra_engine.study.regions import NOTHING_TO_CHOOSE
from cra_engine.words import how_many

PROMISED = """**Promised.** Somebody may know the method, the release, and *everybody else* in the table. Between any \
two places that the release leaves open for one person, the choices change the odds by a factor of e^epsilon at most. \
Every table that fits is possible. For a group of g people it is g times epsilon. And no set of cells is ever settled \
at 1 to k - 1 people. Later releases that are drawn inside this one keep that, and their epsilons add up."""

NOT_PROMISED = """**Not promised.** Who is in the table. The counts of the boxes. In which region somebody is: boxes \
that were published earlier are openly left out of later ones. Readers whose belief ties people together. It is not \
differential privacy of the table. Read `*` as: in the unpublished area."""

HOW = """States have their turns on a ladder: the leaves first, then always the coarser neighbour of least loss. On \
each rung a box with n of the m people left is published with a chance of 1 - exp(-e (min(n, m - n) - k + 1)), where \
that is above 0; what the rungs spend stays within epsilon. ARX-LR publishes it always, so that a box that is *not* \
published is known to hold fewer than k."""

SMALL_WORLD = f"""**Measured, not argued**: on {WORLD}. *Excluded* are places where a person could be by what is \
published, but not by how it was made. Safe recoding alone excludes none; its epsilon is how far it moves the odds. A \
repair excludes places for whoever knows of it."""

ONCE = """The release is **the one in the picture**: drawn from the system's randomness, once per epsilon, and kept \
for as long as this session has the table. Choose epsilon by what may be told, not by the picture: the best of several \
draws keeps no promise. For the same people a second time: `cra-engine safe-recode --earlier` with this release and \
its study. A second release that knows nothing of this one can be subtracted from it, and settle who is alone."""


def headline(knob: str, lost: float, arx: float, suppressed: int, gains: tuple[float | None, ...]) -> str:
    """The picture in one sentence."""
    told = [gain for gain in gains if gain is not None]
    if knob == ARX:
        excluded = sum(not isfinite(gain) for gain in told)
        begin = f"ARX-LR loses {lost:.3f}."
        if excluded:
            return (
                f"{begin} In {excluded} of {how_many(len(gains), 'region')} what was not published "
                "excludes tables that fit: there is no bound on what it tells."
            )
        if len(told) < len(gains):
            return f"{begin} No region excludes a table by itself; what the choices tell is not known."
        return f"{begin} The choices tell nothing of where one person is (gain 0): {NOTHING_TO_CHOOSE}."
    most = max(told, default=0.0)
    odds = f"the odds of one person change by {exp(most):.2f} times at most."
    if not most:
        odds = f"the choices tell nothing of where one person is (gain 0): {NOTHING_TO_CHOOSE}."
    return (
        f"Safe recoding with epsilon {knob} loses {lost:.3f} (ARX-LR {arx:.3f}) and suppresses "
        f"{how_many(suppressed, 'person', 'people')}. No table that fits is excluded; {odds}"
    )


def classes_table(shown: Shown, suppressed: int) -> pd.DataFrame:
    """A row per class, the suppressed records last where there are any."""
    named = [shown.grid.describe(segment) for segment, _ in shown.classes]
    sizes = [size for _, size in shown.classes]
    rows = [*zip(named, sizes, strict=True), ("suppressed", suppressed)][: len(shown.gains)]
    table = pd.DataFrame(rows, columns=["Box", "People"])
    odds = ["" if gain is None else f"{exp(gain):.2f} \u00d7" if isfinite(gain) else "\u221e" for gain in shown.gains]
    return table.assign(**{"Gain": [gain_text(gain) for gain in shown.gains], "Odds change at most": odds})
