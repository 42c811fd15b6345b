"""When the attacker does not know the order in which the states had their turns, and what is known all the same.

A state that is nowhere coarser than another loses less on any data, so it had its turn earlier whatever the hierarchies
count and however ARX rounds. That much always holds.
"""

from functools import cached_property

from cra_engine.arx_order import least_published
from cra_engine.lattice import Lattice, State
from cra_engine.release import Release


class PartialLattice(Lattice):
    """The lattice for somebody who does not know the loss of a state: only what is nowhere coarser comes earlier."""

    @cached_property
    def uniform(self) -> bool:
        """Never: the shares of the nodes are not known."""
        return False


def order_known(release: Release) -> bool:
    """True when classes surely formed in the order of their states' loss, even with ARX's rounding.

    A step must publish a share of all records. ARX turns it into a number of records with floats, and for some numbers
    of records that are left it asks for one more. A state that was skipped for that one record can have its turn later,
    after states of higher loss. It cannot when none of the steps began with such a number of records: then, step by
    step, the state of least loss that was ever able to publish enough was taken first.
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
    # What can be left, and how many states are still to come; those that tie may have gone in any order.
    left = {(records, sum(map(len, steps.values())))}
    for _, tied in sorted(steps.items()):
        for published in tied.values():
            left |= {(before - published, still - 1) for before, still in left}
    minimum = release.study.step_minimum(records)
    # With one state still to come there is nothing that it could have been delayed behind.
    return all(least_published(share, records, number) <= minimum for number, still in left if still > 1)
