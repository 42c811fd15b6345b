"""A question of the page Data, and how its answers are noted."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from cra_dashboard.session import decisions
from cra_engine.words import how_many

ADVISED = "Advised: "  # how the price of an answer begins that is the primary button
NAMED = 5  # columns or texts that a sentence names
# How answers are noted.
APART, TWICE = "{}: spellings that are alike stay apart", "rows that seem to be of the same people stay in"
RECORD = "the first and the last row are records"
AGES = "{}: ages that no person has are right"
KNOWN = "“{}” stays a value"
SEARCHED = "which of too many columns that others know go out is left to Make it publishable"
EMPTY = "{}: missing values of a sensitive column go out empty"
_ONLY_NOTED = (*(text.split("{}")[-1] for text in (APART, EMPTY, AGES, decisions.STAYS_OUT)), TWICE, SEARCHED, RECORD)


@dataclass(frozen=True)
class Question:
    """A question of the page Data.

    Attributes:
        name: what tells it from the others, whatever was answered before.
        ask: shows it with its answers; the one that is advised, where there is one, is the only primary button.
        column: the first that it is about; empty where it is about rows.
        more: whether an answer may raise others.
    """

    name: str
    ask: Callable[[], None]
    column: str = ""
    more: bool = False


def leave_out_label(rows: Collection[int], what: str = "row") -> str:
    """Return what a button of Data says that leaves rows out: as many as no answer leaves out already."""
    left = decisions.still_in(rows)
    if not left:
        return f"Leave the {what}{'s' * (len(rows) > 1)} out, as already"
    return f"Leave {how_many(len(left), what if len(left) == len(rows) else f'more {what}')} out"


def noted() -> set[str]:
    """Return what was decided about the table on Data, as noted."""
    return {one.what for one in decisions.noted()}


def is_only_noted(what: str) -> bool:
    """Return whether a decision of Data is an answer that changed nothing else: without it the question is asked."""
    return what.endswith(_ONLY_NOTED)
