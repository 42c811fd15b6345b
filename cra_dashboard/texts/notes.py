"""What a release tells although its demands are met, as pages say it beside its verdict."""

from cra_dashboard.texts import words
from cra_engine import Check
from cra_engine.checks import notes_of
from cra_engine.words import how_many, spoken

MOST_NOTES = 2  # that stand beside a verdict; all are with their demands


def notes_told(checked: Check) -> str:
    """Say on pages, in Markdown, what a release tells although its demands are met: the gravest, and how many more."""
    notes = [words.plain(spoken(one)) for one in notes_of(checked)]
    left = len(notes) - MOST_NOTES
    more = [f"And {how_many(left, 'more note')} with the demands."] if left > 0 else []
    return " ".join([*notes[:MOST_NOTES], *more])
