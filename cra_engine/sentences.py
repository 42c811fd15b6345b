"""Sentences that name classes: text with the attacker's numbers, and the classes themselves as data.

Whoever counts classes in another way, as they were formed, says the same sentence with other numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self


@dataclass(frozen=True)
class ClassNumber:
    """A class that a sentence names.

    Attributes:
        index: its place in the attacker's order.
        release: the position of its release among several.
    """

    index: int
    release: int = 0


Piece = str | ClassNumber


class Sentence(str):
    """A sentence of the engine, made of text and of the classes that it names.

    >>> told = Sentence("Class ", ClassNumber(3), ": 4 records.")
    >>> told, told.with_numbers(lambda named: 10 + named.index)
    ('Class 3: 4 records.', 'Class 13: 4 records.')
    """

    __slots__ = ("pieces",)
    pieces: tuple[Piece, ...]

    def __new__(cls, *pieces: Piece) -> Self:
        """The pieces in a row; those of a sentence among them as its own."""
        flat: list[Piece] = []
        for piece in pieces:
            flat += piece.pieces if isinstance(piece, Sentence) else [piece]
        made = super().__new__(cls, _text(flat, lambda named: named.index))
        made.pieces = tuple(flat)
        return made

    def with_numbers(self, number_of: Callable[[ClassNumber], int]) -> str:
        """The same with other numbers of classes."""
        return _text(self.pieces, number_of)

    def of_release(self, release: int) -> "Sentence":
        """The same of another of several releases."""
        return Sentence(*(replace(p, release=release) if isinstance(p, ClassNumber) else p for p in self.pieces))

    def __reduce__(self) -> tuple[type["Sentence"], tuple[Piece, ...]]:
        """By its pieces."""
        return Sentence, self.pieces


def _text(pieces: Sequence[Piece], number_of: Callable[[ClassNumber], int]) -> str:
    return "".join(str(number_of(piece)) if isinstance(piece, ClassNumber) else piece for piece in pieces)


def listed_classes(indices: Sequence[int], others: Sequence[str] = ()) -> Sentence:
    """List in a sentence classes, and what is no class.

    >>> listed_classes([0, 4], ["the suppressed ones"])
    'class 0, class 4 and the suppressed ones'
    """
    names = [*(Sentence("class ", ClassNumber(index)) for index in indices), *map(Sentence, others)]
    gaps = ["", *[", "] * (len(names) - 2), " and "][: len(names)]
    return Sentence(*(piece for gap, name in zip(gaps, names, strict=True) for piece in (gap, name)))
