"""The attack on all classes together: the one place where the dashboard runs it, for every page."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import cast

from cra_dashboard.session import datasets, state
from cra_dashboard.texts.numbering import number_as_formed
from cra_engine import (
    Attack,
    CRAError,
    Population,
    Recoding,
    Release,
    Study,
    TightAttack,
    TooLargeError,
    recode,
    tight_attack,
)
from cra_engine.assess.assessment import Assessment
from cra_engine.assess.attacked import attack_by_class, read_attacks
from cra_engine.choices import Prior
from cra_engine.patience import Deadline

AFTER, GRACE = 10.0, 0.5  # seconds for what is read off the attacks once they are made; likewise once cancelled


def _never() -> bool:
    return False


def attack_together(
    release: Release,
    time_limit: float,
    cancelled: Callable[[], bool] = _never,
    prior: Prior = "distinct",
    population: Population | None = None,
) -> TightAttack:
    """Attacks all classes of a release together; see :func:`cra_engine.tight_attack`."""
    return tight_attack(release, time_limit=time_limit, cancelled=cancelled, prior=prior, population=population)


def assess_together(
    release: Release,
    time_limit: float,
    cancelled: Callable[[], bool] = _never,
    how: state.Weighing | None = None,
) -> Assessment:
    """Returns what a release by local recoding gives away, by all its classes together.

    The numbers are those of :func:`cra_engine.assess.attacked.assess`; but a run that is cancelled, or whose time is
    over, keeps what the attack on all classes together has found until then.

    Args:
        release: what is attacked.
        time_limit: seconds that the attack on all classes together may take.
        cancelled: asked often; the attack ends with what it has once it says True.
        how: how possible tables weigh; as the release suggests when left out.

    Raises:
        CRAError: no data give this release.
        TooLargeError: the grid or the lattice is larger than the engine admits.
    """
    how = how or state.Weighing()
    by_class = attack_by_class(release, how.prior, how.population)
    prior = cast("Prior", "distinct" if how.population is not None else by_class.prior.name)
    try:
        together = attack_together(release, time_limit, cancelled, prior, how.population)
    except TooLargeError:
        raise
    except CRAError:
        if how.prior is not None or how.population is not None or by_class.prior.repeats:
            raise
        # No table of different records is left; there may be one of records that are alike.
        by_class = attack_by_class(release, "assignments", None)
        together = attack_together(release, time_limit, cancelled, "assignments")
    ended = time.monotonic()
    return read_attacks(by_class, together, Deadline(AFTER, lambda: cancelled() and time.monotonic() > ended + GRACE))


@dataclass(frozen=True, eq=False)
class Toy:
    """The toy, published and attacked.

    Attributes:
        data: the raw table.
        study: of it.
        recoding: what was published.
        attack: class by class.
        together: all classes together.
        assessment: what all of it gives away.
    """

    data: state.Dataset
    study: Study
    recoding: Recoding
    attack: Attack
    together: TightAttack
    assessment: Assessment


@cache
def toy() -> Toy:
    """Publishes and attacks the toy; the same for everybody, and made once."""
    data, study = datasets.example("toy")
    recoding = recode(data.frame, study)
    number_as_formed(recoding)
    by_class = attack_by_class(recoding.release, None, None)
    together = attack_together(recoding.release, 60.0)
    return Toy(data, study, recoding, by_class, together, read_attacks(by_class, together, Deadline(AFTER)))
