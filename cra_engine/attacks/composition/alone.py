"""Each of several releases attacked by itself, which is what an attack on all of them begins with."""

from collections.abc import Callable, Sequence

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.tight.attack import attack_together
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.errors import CRAError, ReleaseError
from cra_engine.release import Release


def refuse_safe(releases: Sequence[Release], called: str = "Release") -> None:
    """Raise where a release is a safe one, which is read by its sums: see :mod:`.safe_together`.

    Args:
        releases: the releases.
        called: what messages call one of them, before its number.

    Raises:
        ReleaseError: one was published by safe recoding.
    """
    for number, release in enumerate(releases, start=1):
        if release.study.safe:
            raise ReleaseError(
                f"{called} {number} was published by safe recoding. Its choices exclude no table that fits, but its "
                "counts can be subtracted from those of any other release, which is not harmless: compose reads safe "
                "releases together with each other alone."
            )


def attacks_alone(
    releases: Sequence[Release],
    left: Callable[[], float],
    prior: Prior,
    *,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
    called: str = "Release",
) -> list[TightAttack]:
    """The tight attack on each of some releases.

    Args:
        releases: the releases.
        left: how many seconds may still be spent; each of those to come gets an equal part.
        prior: how tables weigh.
        seed: of estimates.
        cancelled: as for :func:`cra_engine.tight_attack`.
        called: what messages call a release, before its number.

    Raises:
        CRAError: a release contradicts itself, or no table that the prior admits gives it.
    """
    attacks = []
    for number, release in enumerate(releases, start=1):
        share = max(left(), 0.0) / (len(releases) + 1 - number)
        try:
            attacks.append(attack_together(release, share, seed, cancelled, prior))
        except CRAError as error:
            raise type(error)(f"{called} {number}: {error}") from None
    return attacks
