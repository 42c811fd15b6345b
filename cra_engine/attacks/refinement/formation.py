"""When the attacker does not know the order in which the states had their turns, and what is known all the same.

A state that is nowhere coarser than another loses less on any data, so it had its turn earlier whatever the hierarchies
count and however ARX rounds. That much always holds.
"""

from collections.abc import Mapping, Sequence

from propcache.api import cached_property

from cra_engine.attacks.refinement.models import ShownModels
from cra_engine.release import Release, ReleasedClass
from cra_engine.study.coding_model import CodingModel
from cra_engine.study.common_states import common_states, layers_labelled
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import Lattice, State
from cra_engine.study.step_rule import least_published
from cra_engine.words import listed, number_text

MAY_BE_GLOBAL = (
    "One state fits all classes, as global recoding (one state for the whole table) would publish them. Then no class "
    "was formed before another, and what this attack concludes of suppressed records and of half boxes need not be so."
)


class PartialLattice(Lattice):
    """The lattice for an attacker who does not know the states' loss: only what is nowhere coarser is earlier.

    Args:
        attributes: the hierarchies.
        latest: per state of a class the coarsest state that it may have formed at, where its labels fit several.
    """

    def __init__(self, attributes: Sequence[Hierarchy], latest: Mapping[State, State] | None = None) -> None:
        super().__init__(attributes)
        self._latest = dict(latest or {})

    @cached_property
    def uniform(self) -> bool:
        """Never: the shares of the nodes are not known."""
        return False

    def before(self, state: State, other: State) -> bool:
        """True when ``state`` is known to have had its turn before ``other``."""
        latest = self._latest.get(state, state)
        return state != other and all(layer <= above for layer, above in zip(latest, other, strict=True))


class LadderLattice(Lattice):
    """The lattice for an attacker of a safe release: only rungs had a turn, each coarser than the one before."""

    @cached_property
    def uniform(self) -> bool:
        """The order is known without the data."""
        return True

    def before(self, state: State, other: State) -> bool:
        """True when ``state`` had its turn before ``other``."""
        return state != other and all(layer <= above for layer, above in zip(state, other, strict=True))


def certain_order(release: Release, models: ShownModels | None) -> Lattice:
    """Return the lattice with no more of the classes' order of formation than an attacker surely knows.

    Args:
        release: its classes and their sizes; its own lattice is the order by the states' loss.
        models: its privacy models besides k. Under some a box can come to pass when others were published, so that a
            state of lower loss may form after one of higher loss.

    Returns:
        The release's own lattice where the states' loss surely tells the order, else a :class:`PartialLattice`; of a
        safe release a :class:`LadderLattice`.
    """
    if release.study.safe:
        return LadderLattice(release.attributes)
    latest = {} if release.study.share is None and not release.gs_factor else latest_states(release)
    reopened = models is not None and not models.closed
    other = not release.study.quality.usual
    weaker = release.guessed or release.gs_factor or release.study.changed_afterwards
    if reopened or other or weaker or latest or not order_known(release):
        return PartialLattice(release.attributes, latest)
    return release.lattice


def as_formed(release: Release, released: ReleasedClass | None) -> bool:
    """Return whether an attacker knows that a class, or the suppressed for None, hold what ARX-LR left them.

    Where groups were merged or suppressed afterwards each of them had k records: a class of fewer than 2k is as it was
    formed, and so are fewer than k suppressed records. In a single cell there are no two boxes to merge.
    """
    repaired = release.study.recoding == "repaired"
    if released is None:
        return not release.study.more_suppressed and not (repaired and release.suppressed >= release.k)
    return not repaired or released.segment.basic or released.size < 2 * release.k


def surely_taken(release: Release, first: ReleasedClass, other: ReleasedClass | None) -> bool:
    """Return whether what was done after classes formed leaves it certain that nobody of another is in a class's box.

    So it is where that class was formed first and took everybody there. Of groups that were merged one may have been
    formed before it, and lie in its box, unless that is a single cell.

    Args:
        release: the release.
        first: the class that was formed first, by all that the release shows.
        other: the other one; None for the suppressed records.
    """
    return as_formed(release, first) and (first.segment.basic or as_formed(release, other))


def finer_first(release: Release) -> bool:
    """Return whether an attacker knows that finer states lose less on any data, and so were chosen first.

    So with loss and height by each aggregate but the maximum, if every attribute weighs something: they look at layers
    alone and grow with each. By the maximum two such states can be equal, and ARX need not take the finer. Precision
    and the other quality models look at what is published, and so does whoever weighs suppression.
    """
    quality = release.study.quality
    grows = quality.model in ("loss", "height") and quality.aggregate != "maximum"
    return grows and not release.gs_factor and all(quality.weight(name) > 0 for name in release.study.names)


def order_unknown(release: Release, formation: Lattice, models: ShownModels | None) -> str:
    """Say why the order in which a release's classes formed is known in part only; empty if it is known.

    Args:
        release: the release.
        formation: what :func:`certain_order` gives of it.
        models: its privacy models besides k.
    """
    if formation.uniform:
        return ""
    if not release.study.quality.usual:
        why = f"By the quality model {release.study.quality} the order of states is not used"
    elif release.study.recoding == "repaired":
        why = f"Since groups of {release.k:,} records or more may have been merged or suppressed after they formed"
    elif release.study.more_suppressed:
        why = "Since rows were suppressed after the classes formed, suppressed records may have been in any box"
    elif release.gs_factor:
        factor = number_text(release.gs_factor)
        why = (
            f"Since ARX counted suppression in the loss (g/s factor {factor}), the order of states depends on the data"
        )
    elif models is not None and not models.closed:
        named = listed(list(dict.fromkeys(str(model) for model in models.models)))
        why = f"Under {named} a box that did not pass may pass once others are published"
    elif release.guessed:
        why = "Since hierarchies are guessed, the loss of a state is not known"
    elif all(a.uniform for a in release.attributes):
        why = "Since ARX's rounding may have delayed a state"
    else:
        why = "Since intervals of a layer differ in share, the loss of a state depends on the data"
    return (
        f"{why}: only finer intervals are known to have been published before coarser ones. "
        "The numbers of tables that remain are upper bounds."
    )


def coding_model(release: Release) -> CodingModel | None:
    """Return the attack's bounds on classes where the g/s factor is above 0; None without, or by another model."""
    if not release.gs_factor or not release.study.quality.usual or release.study.changed_afterwards:
        return None
    published: dict[State, int] = {}
    for released in release.classes:
        state = released.segment.state
        published[state] = published.get(state, 0) + released.size
    sure = release.lattice.uniform and not (release.guessed or release.raw_records or latest_states(release))
    least = release.study.child_cap(release.records)
    return CodingModel(
        release.attributes, release.gs_factor, published, release.records, release.suppressed, least, sure
    )


def latest_states(release: Release) -> dict[State, State]:
    """Return per state of a class whose labels stand in several layers the coarsest at which it can have formed.

    A node with a single child may be labelled like it. A release then does not tell at which of the two states a class
    formed. At the finer one for sure, unless a step must publish a share of all records: the finer state may have been
    skipped for publishing too little. Nor where suppression was weighed: the coarser one may have published more.
    """
    latest: dict[State, State] = {}
    for released in release.classes:
        state = released.segment.state
        fitting = coarsest_fit(release, released)
        if fitting != state:
            latest[state] = tuple(map(max, zip(fitting, latest.get(state, state), strict=True)))
    return latest


def coarsest_fit(release: Release, released: ReleasedClass) -> State:
    """Return the coarsest state at which an attacked class can have formed, by its labels."""
    nodes = release.grid.nodes(released.segment)
    return tuple(max(layers_labelled(a, node)) for a, node in zip(release.attributes, nodes, strict=True))


def may_be_global(release: Release) -> bool:
    """Return whether one state fits the labels of all attacked classes, as where one was chosen for all."""
    if len(release.classes) < 2 or release.raw_records or release.study.says_local:
        return False
    return bool(common_states(release.attributes, (release.grid.nodes(c.segment) for c in release.classes)))


def order_known(release: Release) -> bool:
    """Return whether an attacker knows that classes formed in the order of their states' loss, despite rounding.

    A step must publish a share of all records. ARX turns it into a number of records with floats, and for some numbers
    of records that are left it asks for one more. A state that was skipped for that one record can have its turn later,
    after states of higher loss. It cannot when no step began with such a number of records: then, step by step, the
    state of least loss that was ever able to publish enough was taken first.

    When fewer records are left than a step must publish, ARX also takes a state that publishes all of them, which may
    have been skipped before. Such a state forms last, and its classes hold less than the share.
    """
    share, records, lattice = release.study.share, release.records, release.lattice
    if share is None or not lattice.uniform:
        return True
    if release.raw_records:
        return False  # these were published at steps that nobody can tell, so what was left before the others is open
    steps: dict[int, dict[State, int]] = {}
    for released in release.classes:
        state = released.segment.state
        tied = steps.setdefault(lattice.turn(state), {})
        tied[state] = tied.get(state, 0) + released.size
    minimum = release.study.step_minimum(records)
    if not release.suppressed and any(size < minimum for tied in steps.values() for size in tied.values()):
        return False
    # What can be left, and how many states are still to come; those that tie may have gone in any order.
    left = {(records, sum(map(len, steps.values())))}
    for _, tied in sorted(steps.items()):
        for published in tied.values():
            left |= {(before - published, still - 1) for before, still in left}
    # With one state still to come there is nothing that it could have been delayed behind.
    return all(least_published(share, records, number) <= minimum for number, still in left if still > 1)
