"""How many people an attack singles out: one sentence for every page, with how sure each number is."""

from cra_engine.assess.assessment import Assessment
from cra_engine.assess.figure import figure_text
from cra_engine.attacks.prior import in_short
from cra_engine.checks.demands import Mark
from cra_engine.checks.findings import highest_expected
from cra_engine.checks.rule import MOST_EXPECTED

SINGLED = (
    "Counted are finest intervals of the quasi-identifiers that hold exactly one person.\n\n**For certain**: in every "
    "table that the release leaves possible.\n\n**Expected**: on average over these tables{}. The settings of Attack "
    "weigh them otherwise.\n\nHow many there are in this very table stands on Attack, Who stands alone."
)
YARDSTICK = "Somebody who reads the intervals and knows nothing of the attack expects {:.1f}."


def singled_out(assessment: Assessment | None) -> str:
    """Say to readers how many people the attack singles out, certain and expected; a bound for what is not known."""
    if assessment is None or assessment.contradiction:
        return "not known; a finding says why"
    certain, expected = assessment.certain, assessment.expected
    text = f"{'' if assessment.complete else 'at least '}{certain.value or 0:,.0f} for certain"
    if not certain.value and not assessment.complete:
        text = "nobody known for certain"
        if certain.sure == "timeout":
            text = "nobody for certain in the time given"
    if expected.value is not None or expected.lower is not None:
        counted = ", the certain among them" if certain.value else ""
        return f"{text}, {figure_text(expected)} expected{counted}"
    most = certain.upper
    bound = "" if most is None or assessment.complete else f", at most {most:,.0f} in any possible table"
    return f"{text}{bound}; the expected number was not counted"


def singled_told(assessment: Assessment) -> str:
    """Say to readers who is singled out, what the expected number supposes, and what it stands beside."""
    alone = assessment.by_intervals.value
    told = SINGLED.format(f" ({in_short(assessment.prior)})")
    return told if alone is None else f"{told}\n\n{YARDSTICK.format(alone)}"


def mark_of(assessment: Assessment) -> Mark:
    """Return whether nobody is singled out, neither for certain nor as expected."""
    most = highest_expected(assessment)
    if assessment.certain.value or (most is not None and most >= MOST_EXPECTED):
        return "not met"
    return "met" if assessment.complete and most is not None else "not known"
