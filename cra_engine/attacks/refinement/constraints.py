"""The constraints on one class in words, with their numbers (paper, sections 4.2 to 4.4)."""

from dataclasses import dataclass
from typing import Literal

from cra_engine.attacks.refinement.bounds import BoundedAttribute, ClassBounds
from cra_engine.sentences import ClassNumber, Sentence
from cra_engine.study.grid import Segment
from cra_engine.words import all_of, how_many, listed, number_text


@dataclass(frozen=True)
class Constraint:
    """One constraint that the attack finds on one class.

    Attributes:
        kind: ``"total"`` (total sum), ``"overlap"`` (cells that an earlier class emptied), ``"halves"`` (sparse and
            halves constraints of one attribute), ``"none"`` (why a bound does not apply), ``"weights"`` (safe recoding:
            how tables differ in how likely they are).
        text: the sentence; it names classes as data, too.
        segments: the boxes it speaks of.
        at_least: smallest number of records that each of the segments holds.
        at_most: largest number of records that each of the segments holds.
    """

    kind: Literal["total", "overlap", "halves", "none", "weights"]
    text: Sentence
    segments: tuple[Segment, ...]
    at_least: int
    at_most: int


def describe_constraints(part: ClassBounds) -> list[Constraint]:
    """Return all constraints that the attack finds on one class or the suppressed records, in words."""
    own = ("suppressed record", "") if part.index is None else ("record of this class", "records of this class")
    who = all_of(part.size, *own)
    cells = len(part.free_cells)
    total = Constraint(
        "total",
        Sentence(f"{who[0].upper()}{who[1:]} {'lies' if part.size == 1 else 'lie'} in {how_many(cells, 'free cell')}."),
        (part.segment,),
        part.size,
        part.size,
    )
    return [total, *_overlaps(part), *_halves(part, who)]


def _overlaps(part: ClassBounds) -> list[Constraint]:
    grid = part.release.grid
    result = []
    for index, segment in part.earlier:
        nodes = [
            max(a, b, key=lambda node: (-node.layer, node.rank))
            for a, b in zip(grid.nodes(part.segment), grid.nodes(segment), strict=True)
        ]
        shared = Segment(tuple(node.layer for node in nodes), tuple(node.rank for node in nodes))
        result.append(
            Constraint(
                "overlap",
                Sentence(
                    f"None of them has {grid.describe(shared)}: class ",
                    ClassNumber(index),
                    " was formed earlier and took everybody there.",
                ),
                (shared,),
                0,
                0,
            )
        )
    return result


def _halves(part: ClassBounds, who: str) -> list[Constraint]:
    if part.coding is not None and not part.bounded_attributes and not part.basic:
        text = (
            f"ARX weighed suppression (g/s factor {number_text(part.coding.factor)}), so a coarser state can have gone "
            "before finer ones: no half is bounded."
        )
        return [Constraint("none", Sentence(text), (part.segment,), part.size, part.size)]
    if part.size <= part.cap and part.bounded_attributes:
        if part.size >= part.release.k and not part.as_formed:
            reason = "which may have been merged or suppressed after their classes had formed"
        elif part.size < part.release.k:
            reason = f"fewer than k = {part.release.k}"
        elif part.models is not None:
            reason = f"which {_named(part)} may have let lie in one half"
        else:
            reason = f"no more than the {part.cap} that a skipped state may leave together"
        return [
            Constraint(
                "none",
                Sentence(
                    f"There {'is 1 record' if part.size == 1 else f'are {part.size} records'}, {reason}, "
                    "so no half is bounded."
                ),
                (part.segment,),
                part.size,
                part.size,
            )
        ]
    return [_half(part, bounded, who) for bounded in part.bounded_attributes]


def _named(part: ClassBounds) -> str:
    """The models that a published class passes."""
    return listed([str(criterion) for criterion in part.release.study.criteria])


def _half(part: ClassBounds, bounded: BoundedAttribute, who: str) -> Constraint:
    i = bounded.attribute
    attribute = part.release.attributes[i]
    intervals = [attribute.node(child.state[i], child.ranks[i]).interval for child in bounded.children]
    least = max(0, part.size - part.cap * (len(intervals) - 1))
    if len(intervals) == 2:
        most = f"at most {part.cap} in {attribute.name} {intervals[0]}"
        rest = f"so at least {least} in {intervals[1]}, and the other way round"
    else:
        most = f"at most {part.cap} in each of {attribute.name} {', '.join(intervals)}"
        rest = f"so at least {least} in each" if least else "so none of these alone holds them all"
    needed = part.release.k if part.cap < part.release.k else part.cap + 1
    why = f"one with {needed} would have been published first"
    if part.models is not None:
        why = f"{needed} of them pass {_named(part)}, whichever they are, and would have been published first"
    if part.coding is not None and part.index is not None:
        why = "with more, the finer state would have lost less"
    return Constraint(
        "halves",
        Sentence(f"{who[0].upper()}{who[1:]}: {most}, {rest} ({why})."),
        bounded.children,
        least,
        part.cap,
    )
