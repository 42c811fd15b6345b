"""The number of a class on the pages: 0, 1, .. as the classes were formed, where somebody knows.

The engine counts classes in the attacker's order, and an attacker cannot know which of two tied states went first.
Whoever holds the recoding knows, and on every page of it a class has one number and one colour. A number is a name:
nothing is concluded from it.
"""

from collections.abc import Iterable
from weakref import WeakKeyDictionary

import pandas as pd

from cra_dashboard import palette
from cra_dashboard.texts import words
from cra_engine import Recoding, Release, SafeRecoding, Study, recode, safe_recode
from cra_engine.sentences import Sentence
from cra_engine.words import spoken

_FORMED: WeakKeyDictionary[Release, tuple[int, ...]] = WeakKeyDictionary()


def recoded(frame: pd.DataFrame, study: Study) -> Recoding:
    """Publish a table by ARX-LR for the pages, its classes numbered as they were formed.

    Args:
        frame: the table.
        study: its quasi-identifiers and k.

    Raises:
        CRAError: the table does not fit the study.
    """
    made = recode(frame, study)
    number_as_formed(made)
    return made


def safely_recoded(frame: pd.DataFrame, study: Study, seed: int | None = None) -> SafeRecoding:
    """Publish a table by safe recoding for the pages, its classes numbered as they were formed.

    Args:
        frame: the table.
        study: its quasi-identifiers, k and epsilon.
        seed: of coins that everybody knows; such a table is never handed out.

    Raises:
        CRAError: the table does not fit the study.
    """
    made = safe_recode(frame, study, seed=seed)
    number_as_formed(made)
    return made


def number_as_formed(recoding: Recoding | SafeRecoding) -> None:
    """Let pages number a recoding's classes as they were formed, those of one iteration as the attacker does."""
    formed = recoding.classes
    order = sorted(range(len(formed)), key=lambda index: formed[index].iteration)
    _FORMED[recoding.release] = tuple(order.index(index) for index in range(len(order)))


def number_alike(release: Release, other: Release) -> None:
    """Let pages number a release's boxes as those of another one, where they are the same boxes."""
    by_box = {other.grid.describe(one.segment): number_of(other, index) for index, one in enumerate(other.classes)}
    boxes = [release.grid.describe(one.segment) for one in release.classes]
    if set(boxes) == by_box.keys():
        _FORMED[release] = tuple(by_box[box] for box in boxes)


def number_of(release: Release, index: int) -> int:
    """Return the number of a class as pages write it.

    Args:
        release: that the class is in.
        index: the class's place in the attacker's order, which is its number where nobody knows better.
    """
    numbers = _FORMED.get(release)
    return index if numbers is None else numbers[index]


def in_order(release: Release, indices: Iterable[int]) -> list[int]:
    """Sort classes by the numbers that pages write."""
    return sorted(indices, key=lambda index: number_of(release, index))


def name_of(release: Release, index: int | None) -> str:
    """Return what sentences call a class or the suppressed records; see :func:`.words.name_of`."""
    return words.name_of(None if index is None else number_of(release, index))


def numbered(text: str, *releases: Release) -> str:
    """Write a sentence of the engine as pages say it: its intervals in words, each class by its number there.

    Args:
        text: the sentence.
        releases: those that its classes are of, in their order.
    """
    return spoken(Sentence(text).with_numbers(lambda one: number_of(releases[one.release], one.index)))


def colour_of(release: Release, index: int | None) -> str:
    """Return the colour of a class by its number on pages; for None, and below 0, that of the suppressed."""
    return palette.of_class(index if index is None or index < 0 else number_of(release, index))
