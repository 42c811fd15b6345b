"""The attack on all classes together: the one place where the dashboard runs it, for every page."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from cra_dashboard.session import datasets, state
from cra_dashboard.session.runs import SOON, soon_over
from cra_dashboard.texts.numbering import recoded
from cra_engine import (
    Attack,
    Population,
    Recoding,
    Release,
    Study,
    TightAttack,
    tight_attack,
)
from cra_engine.assess.assessment import Assessment
from cra_engine.assess.attacked import attack_both, attack_by_class, read_attacks
from cra_engine.choices import Prior
from cra_engine.patience import Deadline

READ_OFF = 10.0
"""Seconds for what an assessment reads off the attacks once they are made: certain cells, numbers, chances."""
GRACE = 0.5
"""Seconds for the same after somebody has cancelled, so that what the attacks found until then is still shown."""


def _never() -> bool:
    return False


def run_tight_attack(
    release: Release,
    time_limit: float,
    cancelled: Callable[[], bool] = _never,
    prior: Prior = "distinct",
    population: Population | None = None,
) -> TightAttack:
    """Attack all classes of a release together for the dashboard; see :func:`cra_engine.tight_attack`."""
    return tight_attack(release, time_limit=time_limit, cancelled=cancelled, prior=prior, population=population)


def attack_soon_over(release: Release) -> TightAttack | None:
    """Attack all classes of a release together for a page that waits for it; None where that may take long."""
    return run_tight_attack(release, SOON) if soon_over(release.grid.attributes, release.records) else None


def assess_tightly(
    release: Release,
    time_limit: float,
    cancelled: Callable[[], bool] = _never,
    weighing: state.Weighing | None = None,
) -> Assessment:
    """Return for a page of the dashboard what a release by local recoding gives away, all classes together.

    The numbers are those of :func:`cra_engine.assess.attacked.assess`; but a run that is cancelled, or whose time is
    over, keeps what the attack on all classes together has found until then.

    Args:
        release: what is attacked.
        time_limit: seconds that the attack on all classes together may take.
        cancelled: asked often; the attack ends with what it has once it says True.
        weighing: how possible tables weigh; as the release suggests when left out.

    Raises:
        CRAError: no data give this release.
        TooLargeError: the grid or the lattice is larger than the engine admits.
    """
    weighing = weighing or state.Weighing()
    attack_together = partial(run_tight_attack, release, time_limit, cancelled)
    by_class, tight = attack_both(release, weighing.prior, weighing.population, attack_together)
    return read_attacks(by_class, tight, Deadline(READ_OFF, partial(_grace_is_over, cancelled, time.monotonic())))


def _grace_is_over(cancelled: Callable[[], bool], ended: float) -> bool:
    """Returns whether somebody has cancelled, and the grace after the attacks' end has passed."""
    return cancelled() and time.monotonic() > ended + GRACE


@dataclass(frozen=True, eq=False)
class Toy:
    """The toy, published and attacked for every session.

    Attributes:
        data: the raw table.
        study: of it.
        recoding: what was published.
        attack: class by class.
        tight: all classes together.
        assessment: what all of it gives away.
    """

    data: state.Dataset
    study: Study
    recoding: Recoding
    attack: Attack
    tight: TightAttack
    assessment: Assessment


@cache
def toy() -> Toy:
    """Publish and attack the toy; the same for every session, and made once."""
    data, study = datasets.example("toy")
    recoding = recoded(data.frame, study)
    by_class = attack_by_class(recoding.release, None, None)
    tight = run_tight_attack(recoding.release, 60.0)
    return Toy(data, study, recoding, by_class, tight, read_attacks(by_class, tight, Deadline(READ_OFF)))
