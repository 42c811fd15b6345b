"""The attack on all classes together: the one place where the dashboard runs it, for every page."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from cra_dashboard.session import datasets, state
from cra_dashboard.texts.numbering import number_as_formed
from cra_engine import Attack, Recoding, Release, Study, TightAttack, attack, recode, tight_attack


def attack_together(
    release: Release,
    time_limit: float,
    cancelled: Callable[[], bool] = lambda: False,
    how: state.Weighing | None = None,
) -> TightAttack:
    """Attacks all classes of a release together.

    Args:
        release: what is attacked.
        time_limit: seconds that it may take.
        cancelled: asked often; the attack ends with what it has once it says True.
        how: how possible tables weigh; the paper's way when left out.

    Raises:
        CRAError: see :func:`cra_engine.tight_attack`.
    """
    how = how or state.Weighing()
    return tight_attack(release, time_limit=time_limit, cancelled=cancelled, prior=how.prior, population=how.population)


@dataclass(frozen=True, eq=False)
class Toy:
    """The toy, published and attacked.

    Attributes:
        data: the raw table.
        study: of it.
        recoding: what was published.
        attack: class by class.
        together: all classes together.
    """

    data: state.Dataset
    study: Study
    recoding: Recoding
    attack: Attack
    together: TightAttack


@cache
def toy() -> Toy:
    """Publishes and attacks the toy; the same for everybody, and made once."""
    data, study = datasets.example("toy")
    recoding = recode(data.frame, study)
    number_as_formed(recoding)
    return Toy(data, study, recoding, attack(recoding.release), attack_together(recoding.release, 60.0))
