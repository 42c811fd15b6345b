"""The bounds of the tight attack in words."""

from cra_engine.attacks.solver.bounds import Bound, Hypothesis
from cra_engine.release import Owner, Release
from cra_engine.sentences import ClassNumber, Sentence, listed_classes
from cra_engine.words import how_many


def describe_bound(release: Release, hypothesis: Hypothesis, bound: Bound, *, boxed: bool = False) -> Sentence:
    """Say a bound of the tight attack's system in words, with its numbers.

    Args:
        release: whose bound it is.
        hypothesis: the order of tied states under which it holds.
        bound: the bound.
        boxed: True to name a class with its box, where it is one of several releases.
    """
    grid = release.grid
    held, cells = how_many(bound.upper, "record"), how_many(len(bound.cells), "open cell")
    if bound.part == Owner.SUPPRESSED:
        return Sentence(f"The suppressed records: {held} in {cells}.")
    if bound.part is not None:
        box = f" ({grid.describe(bound.segment)})" if boxed else ""
        return Sentence("Class ", ClassNumber(bound.part), f"{box}: {held} in {cells}.")
    state = ", ".join(map(str, bound.state or ()))
    if bound.boxes:
        return Sentence(
            f"State ({state}) was skipped: those of its boxes that held {release.k} records or more "
            f"held at most {bound.upper} together ({len(bound.boxes)} boxes could)."
        )
    owners = sorted({int(hypothesis.owner[cell]) for cell in bound.cells})
    others = ["the suppressed ones"] if Owner.SUPPRESSED in owners else []
    whose = listed_classes([owner for owner in owners if owner != Owner.SUPPRESSED], others)
    if release.gs_factor:
        return Sentence(
            f"{grid.describe(bound.segment)}, of state ({state}), held at most {held} of ",
            whose,
            f" taken together ({cells}): with more it would have been published, or have made its state "
            "lose less than the one that was.",
        )
    if release.study.recoding == "repaired":
        return Sentence(
            f"When state ({state}) had its turn, {grid.describe(bound.segment)} held at most {held} of ",
            whose,
            f" taken together ({cells}): with more it would have become a class and taken them all.",
        )
    return Sentence(
        f"When state ({state}) had its turn, {grid.describe(bound.segment)} did not become a class: "
        f"it held at most {held}, those of ",
        whose,
        f" taken together ({cells}).",
    )
