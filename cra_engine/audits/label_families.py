"""Categories that hold one another by how they are written: ``81***`` holds ``8166*``, ``{a, b}`` holds ``a``."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cra_engine.errors import StudyError

_MASK = re.compile(r"^([^*{}]*[^*{}\s])(\*+)$")
_SET = re.compile(r"^\{(.*)\}$", re.DOTALL)


@dataclass(frozen=True)
class LabelPiece:
    """A leaf of an audited column: a label that holds no other, or what one holds besides those that are shown.

    Attributes:
        name: as it is called.
        chain: the labels that hold it, the smallest first; a label that is a leaf is the first of its own.
        values: number of different values in it, as far as the writing tells.
    """

    name: str
    chain: tuple[str, ...]
    values: int


@dataclass(frozen=True)
class _Label:
    text: str
    prefix: str | None
    length: int
    members: frozenset[str]

    @property
    def values(self) -> int:
        return len(self.members) if self.prefix is None else 10 ** (self.length - len(self.prefix))

    def holds(self, other: "_Label") -> bool:
        if self.text == other.text:
            return False
        if self.prefix is None:
            return other.prefix is None and other.members < self.members
        start = other.text if other.prefix is None else other.prefix
        return self.length == other.length and len(start) > len(self.prefix) and start.startswith(self.prefix)

    def crosses(self, other: "_Label") -> bool:
        shared = self.members & other.members
        return bool(shared) and not (self.members <= other.members or other.members <= self.members)


def _label(text: str) -> _Label:
    if match := _MASK.match(text):
        return _Label(text, match[1], len(text), frozenset())
    if match := _SET.match(text):
        return _Label(text, None, len(text), frozenset(part.strip() for part in match[1].split(",")))
    return _Label(text, None, len(text), frozenset({text}))


def is_group(text: str) -> bool:
    """Return whether an audited label says by itself that it stands for several values.

    >>> [is_group(text) for text in ("81***", "{a, b}", "81667", "*")]
    [True, True, False, False]
    """
    return _MASK.match(text) is not None or _SET.match(text) is not None


def family(texts: Sequence[str], where: str) -> tuple[tuple[LabelPiece, ...], dict[str, int]] | None:
    """Return the leaves of an audited column's labels from left to right, and how many layers lie below each label.

    Args:
        texts: the labels of a column.
        where: names the column.

    Returns:
        The leaves and each label's height, 1 for a leaf; None where no label holds another.

    Raises:
        StudyError: two sets overlap and neither lies inside the other.

    >>> pieces, height = family(["81***", "8166*", "90***"], "zip")
    >>> [piece.name for piece in pieces]
    ['8166*', 'others in 81***', '90***']
    >>> height
    {'8166*': 1, '81***': 2, '90***': 1}
    """
    if not any(map(is_group, texts)):
        return None
    labels = sorted(map(_label, texts), key=lambda one: (one.values, one.text))
    for position, one in enumerate(labels):
        crossing = next((other for other in labels[:position] if one.crosses(other)), None)
        if crossing is not None:
            raise StudyError(
                f"{where}: {crossing.text[:60]!r} and {one.text[:60]!r} overlap and neither lies inside the other, so "
                "they are of two different hierarchies; take one release at a time."
            )
    parent = {one.text: next((other.text for other in labels if other.holds(one)), None) for one in labels}
    if not any(parent.values()):
        return None
    inside: dict[str | None, list[_Label]] = {}
    for one in sorted(labels, key=lambda label: label.text):
        inside.setdefault(parent[one.text], []).append(one)
    height: dict[str, int] = {}
    for one in labels:
        height[one.text] = 1 + max((height[child.text] for child in inside.get(one.text, [])), default=0)
    pieces: list[LabelPiece] = []

    def add(one: _Label, above: tuple[str, ...]) -> None:
        chain = (one.text, *above)
        children = inside.get(one.text, [])
        if not children:
            pieces.append(LabelPiece(one.text, chain, max(1, one.values)))
            return
        for child in children:
            add(child, chain)
        rest = one.values - sum(child.values for child in children)
        if rest > 0:
            pieces.append(LabelPiece(f"others in {one.text}", chain, rest))

    for one in inside[None]:
        add(one, ())
    return tuple(pieces), height
