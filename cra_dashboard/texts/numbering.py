"""The number of a class on the pages: 0, 1, .. as the classes were formed, where somebody knows.

The engine counts classes in the attacker's order, and an attacker cannot know which of two tied states went first.
Whoever holds the recoding knows, and on every page of it a class has one number and one colour. A number is a name:
nothing is concluded from it.
"""

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from cra_dashboard import palette
from cra_dashboard.texts import words
from cra_engine import Recoding, Release, SafeRecoding
from cra_engine.sentences import Sentence

_FORMED: WeakKeyDictionary[Release, tuple[int, ...]] = WeakKeyDictionary()


def number_as_formed(recoding: Recoding | SafeRecoding) -> None:
    """Number the classes of its release as they were formed, those of one iteration as the attacker does."""
    formed = recoding.classes
    order = sorted(range(len(formed)), key=lambda index: formed[index].iteration)
    _FORMED[recoding.release] = tuple(order.index(index) for index in range(len(order)))


def number_of(release: Release, index: int) -> int:
    """The number of a class.

    Args:
        release: that the class is in.
        index: the class's place in the attacker's order, which is its number where nobody knows better.
    """
    numbers = _FORMED.get(release)
    return index if numbers is None else numbers[index]


def in_order(release: Release, indices: Iterable[int]) -> list[int]:
    """Classes by their numbers."""
    return sorted(indices, key=lambda index: number_of(release, index))


def name_of(release: Release, index: int | None) -> str:
    """How sentences call a class or the suppressed records; see :func:`.words.name_of`."""
    return words.name_of(None if index is None else number_of(release, index))


def named(text: Sentence, *releases: Release) -> str:
    """A sentence of the engine, in which each class has the number that it has on the pages.

    Args:
        text: the sentence.
        releases: those that its classes are of, in their order.
    """
    return text.with_numbers(lambda one: number_of(releases[one.release], one.index))


def colour_of(release: Release, index: int | None) -> str:
    """The colour of a class; that of the suppressed records for None, and for what is in no class (below 0)."""
    return palette.of_class(index if index is None or index < 0 else number_of(release, index))
