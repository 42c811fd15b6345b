"""The bounds of the tight attack in words."""

from cra_engine.attacks.solver.bounds import Bound, Hypothesis
from cra_engine.release import Owner, Release
from cra_engine.words import how_many, listed


def describe_bound(release: Release, hypothesis: Hypothesis, bound: Bound) -> str:
    """A bound of the tight system in words, with its numbers."""
    grid = release.grid
    held, cells = how_many(bound.upper, "record"), how_many(len(bound.cells), "open cell")
    if bound.part is not None:
        who = "The suppressed records" if bound.part == Owner.SUPPRESSED else f"Class {bound.part}"
        return f"{who}: {held} in {cells}."
    state = ", ".join(map(str, bound.state or ()))
    if bound.boxes:
        return (
            f"State ({state}) was skipped: those of its boxes that held {release.k} records or more "
            f"held at most {bound.upper} together ({len(bound.boxes)} boxes could)."
        )
    owners = sorted({int(hypothesis.owner[cell]) for cell in bound.cells})
    names = [f"class {owner}" for owner in owners if owner != -1]
    names += ["the suppressed ones"] if -1 in owners else []
    if release.gs_factor:
        return (
            f"{grid.describe(bound.segment)}, of state ({state}), held at most {held} of "
            f"{listed(names)} taken together ({cells}): with more it would have been published, or have made its state "
            "lose less than the one that was."
        )
    return (
        f"When state ({state}) had its turn, {grid.describe(bound.segment)} did not become a class: "
        f"it held at most {held}, those of {listed(names)} taken together ({cells})."
    )
