"""Says whether several releases can be of the same people, and which cannot where no table gives them all."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, zip_longest

from cra_engine.attacks.composition.alone import other_k
from cra_engine.attacks.composition.linked import tracks
from cra_engine.attacks.composition.refined import refine
from cra_engine.attacks.composition.system import JointSystem
from cra_engine.attacks.solver.parts import PartSum
from cra_engine.attacks.solver.proofs import minimal_set, sum_forced
from cra_engine.attacks.solver.solving import contradict
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.errors import ContradictionError, CRAError
from cra_engine.patience import Stopped, stoppable
from cra_engine.release import Release
from cra_engine.words import how_many

MOST_RELEASES = 20
MOST_BOUNDS, MOST_TOLD = 300, 6  # bounds among which those are sought that do not fit, and that are told of them


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
                    "name the one of fewer people first"
                    if grown
                    else "where rows were left out of one, or the table has grown between them, say that it has grown "
                    "and name the one of fewer people first"
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
    hint = ": they are of other people, or one is read with another k, profile or hierarchies than it was made with."
    if any(tight.release.guessed for tight in attacks):
        hint = "; or what is guessed of them is wrong: give the study file of each."
    if len(attacks) == 1:
        return "No table gives this release; check that it stands beside its own k, profile and hierarchies."
    unsure = False
    for one, other in combinations(range(len(attacks)), 2):
        pair = [attacks[one], attacks[other]]
        releases = [tight.release for tight in pair]
        ways = tracks(releases, linked[1], grown=grown) if linked[0] else ()
        system = JointSystem(pair, refine(releases, grown=grown), pair[0].prior, grown=grown, tracks=ways)
        answer = contradict(system, left)
        if answer:
            row = ", with their rows linked," if linked[0] else ""
            told = (
                f"Releases {one + 1} and {other + 1} cannot be of the same people{row} since no table gives both{hint}"
            )
            return " ".join(filter(None, (told, _clash(system, left), *_other_ks(system, (one, other), left))))
        unsure |= answer is None
    names = ", ".join(map(str, range(1, len(attacks)))) + f" and {len(attacks)}"
    which = "which two contradict each other was not found in time" if unsure else "although any two of them can be"
    return f"Releases {names} cannot all be of the same people, {which}{hint}"


def _other_ks(system: JointSystem, numbers: tuple[int, int], left: Callable[[], float]) -> Iterator[str]:
    """Say of which release another k would make the two fit."""
    for at, number in enumerate(numbers):

        def fits(read: TightAttack, at: int = at) -> bool:
            pair = [read if place == at else tight for place, tight in enumerate(system.alone)]
            again = JointSystem(pair, system.refinement, system.prior, grown=system.grown, tracks=system.tracks)
            return contradict(again, left) is False

        if said := other_k(system.alone[at].release, left, system.prior, fits):
            yield f"Release {number + 1}: {said}"


def _clash(system: JointSystem, left: Callable[[], float]) -> str:
    """Say where two releases do not fit: few of their bounds that no counts satisfy together.

    Empty where each order of tied states has bounds of its own that clash, and where there are many.
    """
    try:
        with stoppable(lambda: left() <= 0):
            sources = system.sources
    except Stopped:
        return ""
    told = [(bound, choices[0]) for choices in sources for bound in choices[0].bounds]
    if any(len(choices) > 1 for choices in sources) or len(told) > MOST_BOUNDS:
        return ""
    sums = [
        PartSum(
            tuple(sorted(one.cells)), one.lower, one.upper, tuple(map(tuple, one.boxes)), (0,) * len(one.boxes), one.k
        )
        for one, _ in told
    ]
    most = max(tight.release.records for tight in system.alone)
    limits = [(0, most)] * (len(system.cells) * system.times)
    needed = minimal_set(
        len(sums),
        lambda chosen: sum_forced(limits, [sums[place] for place in chosen], (), None, left),
        lambda place: not sums[place].boxes,
    )
    if needed is None or not needed[1] or len(needed[0]) > MOST_TOLD:
        return ""
    return f"What does not fit: {' '.join(system.describe(*told[place]) for place in needed[0])}"
