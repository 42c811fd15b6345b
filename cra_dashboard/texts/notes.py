"""What a release tells although its demands are met, as pages say it beside its verdict."""

from cra_dashboard.texts import words
from cra_engine import Check
from cra_engine.checks import demands_of, notes_of
from cra_engine.checks.demands import NAMES
from cra_engine.words import how_many, listed, spoken

MOST_NOTES = 2  # that stand beside a verdict; all are with their demands


def notes_told(checked: Check) -> str:
    """Say on pages, in Markdown, what a release tells although its demands are met: the gravest, and where more is."""
    notes = notes_of(checked)
    titles = {finding.text: one.title for one in demands_of(checked) for finding in one.findings}
    left = [f"“{titles.get(note, NAMES['l-diversity'])}”" for note in notes[MOST_NOTES:]]
    where = f"the demand{'s' * (len(set(left)) > 1)} {listed(list(dict.fromkeys(left)))}"
    more = [f"{how_many(len(left), 'more note')} with {where}."] if left else []
    return words.plain(" ".join([*map(spoken, notes[:MOST_NOTES]), *more]))


def more_notes(checked: Check) -> str:
    """Say on pages, in Markdown, all that a release tells besides the gravest; empty where there is no more."""
    return "\n".join(f"- {words.plain(spoken(one))}" for one in notes_of(checked)[MOST_NOTES:])
