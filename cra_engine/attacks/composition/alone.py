"""Each of several releases attacked by itself, which is what an attack on all of them begins with."""

from collections.abc import Callable, Sequence

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.tight.attack import attack_arx_release
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.errors import CRAError
from cra_engine.release import Release

GUESSED = "Its hierarchies were guessed from its labels: give its study, or the ZIP that it came in."


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
            if release.guessed:
                said = str(error).partition("; check that")[0].rstrip(".")
                raise type(error)(f"{called} {number}: {said}. {GUESSED}") from None
            fits = other_k(release, left, prior, lambda _: True)
            raise type(error)(f"{called} {number}: {error}{f' {fits}' if fits else ''}") from None
    return attacks


def other_k(
    release: Release, left: Callable[[], float], prior: Prior, fits: Callable[[TightAttack], bool | None]
) -> str:
    """Say of a release that cannot be as it is read whether its k explains that; empty where it does not.

    Whoever does not know k can take any up to the size of the smallest class, which is the likeliest.

    Args:
        release: as it was read.
        left: how many seconds may still be spent.
        prior: how tables weigh.
        fits: whether the attack on it with that other k is one that was sought.
    """
    smallest = min((one.size for one in release.classes), default=0)
    if release.study.safe or smallest <= release.k or left() <= 0:
        return ""
    try:
        read = Release(
            release.study.with_k(smallest),
            release.table,
            guessed=release.guessed,
            counted=release.counted,
            gs_factor=release.gs_factor,
        )
        other = attack_arx_release(read, left(), 0, lambda: False, prior)
    except CRAError:
        return ""
    return f"Read with k = {smallest}, the size of its smallest class, nothing contradicts it." if fits(other) else ""
