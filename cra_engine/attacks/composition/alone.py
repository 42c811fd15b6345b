"""Each of several releases attacked by itself, which is what an attack on all of them begins with."""

from collections.abc import Callable, Sequence

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.tight.attack import attack_arx_release
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.errors import CRAError
from cra_engine.release import Release


def attacks_alone(
    releases: Sequence[Release],
    left: Callable[[], float],
    prior: Prior,
    *,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
    called: str = "Release",
) -> list[TightAttack]:
    """Attack each of several releases by itself with the tight attack, before they are put together.

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
            attacks.append(attack_arx_release(release, share, seed, cancelled, prior))
        except CRAError as error:
            raise type(error)(f"{called} {number}: {error}") from None
    return attacks
