"""The bounds of the tight attack in words."""

from collections.abc import Sequence

from cra_engine.attacks.tight.components import Option
from cra_engine.attacks.tight.system import Bound, TightSystem
from cra_engine.release import Owner


def describe_bound(system: TightSystem, option: Option, bound: Bound) -> str:
    """A bound of the tight system in words, with its numbers."""
    grid = system.grid
    if bound.part is not None:
        who = "The suppressed records" if bound.part == Owner.OUTLIERS else f"Class {bound.part}"
        return f"{who}: {bound.upper} record{'' if bound.upper == 1 else 's'} in {_cells(len(bound.cells))}."
    state = ", ".join(map(str, bound.state or ()))
    if bound.boxes:
        return (
            f"State ({state}) was skipped: those of its boxes that held {system.k} records or more "
            f"held at most {bound.upper} together ({len(bound.boxes)} boxes could)."
        )
    owners = sorted({int(option.hypothesis.owner[cell]) for cell in bound.cells})
    names = [f"class {owner}" for owner in owners if owner != -1]
    names += ["the suppressed ones"] if -1 in owners else []
    one = bound.upper == 1
    if system.release.gs_factor:
        return (
            f"{grid.describe(bound.segment)}, of state ({state}), held at most {bound.upper} "
            f"record{'' if one else 's'} of {_listed(names)} taken together ({_cells(len(bound.cells))}): with more it "
            "would have been published, or have made its state lose less than the one that was."
        )
    return (
        f"When state ({state}) had its turn, {grid.describe(bound.segment)} did not become a class: "
        f"it held at most {bound.upper} record{'' if one else 's'}, those of {_listed(names)} taken together"
        f" ({_cells(len(bound.cells))})."
    )


def _cells(count: int) -> str:
    return f"{count} open cell{'' if count == 1 else 's'}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
