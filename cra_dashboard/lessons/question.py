"""A question with several answers, and how its answers are put in order."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import plotly.graph_objects as go

MOST_OPTIONS = 5
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Question:
    """A question for predictions with several answers, of which one is right.

    Attributes:
        text: the question.
        options: the answers in an order that gives nothing away.
        right: position of the right one.
        why: the reason, as sentences.
        against: what speaks against an answer that is not right, by its position; where there is something to say.
        also: answers that are as good as the right one, by position, with what is said of them.
        drawn: a picture of what it is about, where that is not the table in use; told whether the answer is in front.
    """

    text: str
    options: tuple[str, ...]
    right: int
    why: tuple[str, ...]
    against: dict[int, str] = field(default_factory=dict)
    also: dict[int, str] = field(default_factory=dict)
    drawn: Callable[[bool], go.Figure] | None = field(default=None, compare=False)

    def said(self, place: int, begins: str = "The answer") -> str:
        """Return an answer after a colon, where a number, a name and a whole sentence all stand rightly."""
        return f"{begins}: {self.options[place].rstrip('.')}."

    @property
    def answer(self) -> str:
        """What is right, with all that is right as well."""
        others = (f", and also {self.options[place].rstrip('.')}" for place in self.also)
        return f"{self.said(self.right).rstrip('.')}{''.join(others)}."


def among(
    text: str, right: str, others: Sequence[tuple[str, str]], why: Sequence[str], also: Mapping[str, str] | None = None
) -> Question | None:
    """Return a question to predict; None where nothing competes. Answers go by their numbers, none of these last.

    Args:
        text: the question.
        right: the right answer.
        others: those that are wrong, each with what speaks against it.
        why: the reason, as sentences.
        also: those that are right as well, with what is said of them.
    """
    against = {option: reason for option, reason in reversed(others) if option != right}
    if not against:
        return None
    # The order of writing, numbers by their size: it does not depend on which answer is right.
    options = sorted([right, *against, *(also or {})], key=_by_numbers)
    places, as_good = (
        {options.index(option): reason for option, reason in of.items() if reason} for of in (against, also or {})
    )
    return Question(text, tuple(options), options.index(right), tuple(why), places, as_good)


def _by_numbers(text: str) -> tuple[bool, list[float], str]:
    return text.startswith("None "), [float(number.replace(",", "")) for number in _NUMBER.findall(text)], text


def compared(
    text: str, options: tuple[str, str, str], before: int | Fraction, after: int | Fraction, said: str
) -> Question:
    """Return a question to predict whether a number falls, stays or grows; the answers in this order."""
    right = 0 if after < before else 1 if after == before else 2
    return Question(text, options, right, (said,))
