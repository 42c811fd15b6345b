"""The bounds of several releases in words."""

from cra_engine.attacks.composition.system import JointBound, JointSystem
from cra_engine.attacks.tight.components import Option
from cra_engine.attacks.tight.words import describe_bound


def describe_joint(system: JointSystem, bound: JointBound) -> str:
    """A bound in words: which release says so, and what it says."""
    if bound.release is None:
        return f"Linked rows: {bound.text}"
    text = bound.text
    if bound.bound is not None and bound.hypothesis is not None:
        own = system.systems[bound.release]
        text = describe_bound(own, Option(bound.hypothesis, (), ()), bound.bound)
        if bound.bound.part is not None and bound.bound.part >= 0:
            # Class 3 of which release? Its box says it.
            text = text.replace(":", f" ({own.grid.describe(bound.bound.segment)}):", 1)
    return f"Release {bound.release + 1}: {text}"
