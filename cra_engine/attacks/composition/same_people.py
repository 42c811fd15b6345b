"""Says whether several releases can be of the same people, and which cannot where no table gives them all."""

from collections.abc import Callable, Sequence
from itertools import combinations, zip_longest

from cra_engine.attacks.composition.linked import tracks
from cra_engine.attacks.composition.refined import refine
from cra_engine.attacks.composition.system import JointSystem
from cra_engine.attacks.solver.solving import contradict
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.errors import ContradictionError, CRAError
from cra_engine.release import Release
from cra_engine.words import how_many

MOST_RELEASES = 20


def refuse_many(releases: int) -> None:
    """Refuse a number of releases that is too large to compose, which can be known before they are read."""
    if releases > MOST_RELEASES:
        raise CRAError(f"{releases:,} releases are more than {MOST_RELEASES}; compose fewer.")


def check_numbers(releases: Sequence[Release], *, grown: bool) -> None:
    """Refuse to compose releases whose numbers of records show that they are of other people."""
    if not releases:
        raise CRAError("There is no release to compose; give one or more.")
    refuse_many(len(releases))
    for later, release in enumerate(releases):
        for earlier in range(later):
            before, after = releases[earlier].records, release.records
            if before > after or (before < after and not grown):
                hint = (
                    "name the earlier one first"
                    if grown
                    else "where the table has grown between them, say so and name the earlier one first"
                )
                raise ContradictionError(
                    f"Releases {earlier + 1} and {later + 1} cannot be of the same people: "
                    f"{how_many(before, 'record')} and {how_many(after, 'record')}; {hint}."
                )


def refuse_other_leaves(releases: Sequence[Release]) -> None:
    """Refuse to compose with a population where releases have other finest intervals, per which it is known."""
    for number, release in enumerate(releases[1:], start=2):
        for mine, first in zip_longest(release.attributes, releases[0].attributes):
            if mine is None or first is None or (mine.name, mine.layer_nodes[0]) != (first.name, first.layer_nodes[0]):
                name = next(result.name for result in (mine, first) if result is not None)
                raise CRAError(
                    f"A population can be given where all releases have the same finest intervals; release {number} "
                    f"has others than release 1 for {name!r}."
                )


def contradiction_of(
    attacks: Sequence[TightAttack], left: Callable[[], float], *, grown: bool, linked: tuple[bool, str | None]
) -> str:
    """Say which of several releases cannot be of the same people."""
    hint = "; check that each stands beside its own k, profile and hierarchies."
    if any(tight.release.guessed for tight in attacks):
        hint = "; or what is guessed of them is wrong: give the study file of each."
    if len(attacks) == 1:
        return f"No table gives this release{hint}"
    unsure = False
    for one, other in combinations(range(len(attacks)), 2):
        pair = [attacks[one], attacks[other]]
        releases = [tight.release for tight in pair]
        ways = tracks(releases, linked[1], grown=grown) if linked[0] else ()
        system = JointSystem(pair, refine(releases, grown=grown), pair[0].prior, grown=grown, tracks=ways)
        answer = contradict(system, left)
        if answer:
            row = ", with their rows linked," if linked[0] else ""
            return (
                f"Releases {one + 1} and {other + 1} cannot be of the same people{row} since no table gives both{hint}"
            )
        unsure |= answer is None
    names = ", ".join(map(str, range(1, len(attacks)))) + f" and {len(attacks)}"
    which = "which two contradict each other was not found in time" if unsure else "although any two of them can be"
    return f"Releases {names} cannot all be of the same people, {which}{hint}"
