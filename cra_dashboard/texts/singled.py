"""How many people an attack singles out: one sentence for every page, with how sure each number is."""

from cra_engine.assess.assessment import Assessment
from cra_engine.assess.attacked import not_all_looked_at
from cra_engine.assess.figure import figure_text, people_text
from cra_engine.attacks.prior import in_short
from cra_engine.words import how_many

SINGLED = (
    "Finest intervals of the quasi-identifiers that hold exactly one person: in every table that the release leaves "
    "possible, and on average over them. Other weights of tables stand in the settings of Attack; how many there are "
    "in this very table on Attack, Who stands alone. In brackets is the yardstick: somebody who reads the intervals "
    "and knows nothing of the attack."
)


def singled_out(assessment: Assessment | None) -> str:
    """Say to readers how many people the attack singles out, certain and expected; a bound for what is not known."""
    if assessment is None or assessment.contradiction:
        return "not known; a finding says why"
    certain, alone = assessment.certain, assessment.by_intervals.value
    text = f"{'' if assessment.complete else 'at least '}{certain.value or 0:,.0f} for certain"
    if not certain.value and not assessment.complete:
        text = "nobody known for certain"
        if certain.sure == "timeout":
            text = "nobody for certain in the time given"
    before = "" if alone is None else f" (by the intervals alone, without the attack: {alone:.1f})"
    beside = f"{before}, {in_short(assessment.prior)}"
    expected = assessment.expected
    if expected.value is not None or expected.lower is not None:
        counted = ", the certain among them" if certain.value else ""
        return f"{text}, {figure_text(expected)} expected{counted}{beside}"
    most = certain.upper
    bound = "" if most is None or assessment.complete else f", at most {most:,.0f} in any possible table"
    return f"{text}{bound}; the expected number was not counted{before}"


ALONE = (
    "Who stands alone is the only one of their kind: nobody else in the table is like them in all that others may "
    "know, as fine as the finest groups of every column. Proven: in every table that this file may come from; a "
    "stranger then knows that exactly one such person is in it. Likely: on average over these tables, {supposed}. "
    "With many columns nearly everybody is the only one of their kind, and the groups hide it: a row shows its "
    "group. {numbers}Look at it where others hold such details of people themselves; coarser groups, or fewer "
    "columns, leave fewer, as they make kinds coarser too: two such numbers compare only with the same finest groups."
)


def alone_help(assessment: Assessment | None) -> str:
    """Say to people what it means to be alone, and how much of it the attack adds."""
    if assessment is None or assessment.contradiction:
        return SINGLED
    attacked, before = people_text(assessment.expected), assessment.by_intervals.value
    numbers = "" if attacked is None or before is None else f"Without the attack it is about {before:,.0f}, with it "
    return ALONE.format(supposed=in_short(assessment.prior), numbers=numbers and f"{numbers}{attacked}. ")


def alone_in_words(assessment: Assessment | None) -> str:
    """Say to people who would be alone: of how many that is proven, and of how many likely."""
    if assessment is None or assessment.contradiction or people_text(assessment.expected) is None:
        return singled_out(assessment)
    certain = int(assessment.certain.value or 0)
    sure = f"proven of {how_many(certain, 'person', 'people') if certain else 'nobody'}{not_all_looked_at(assessment)}"
    of = how_many(assessment.release.records, "person", "people") + (", the proven among them" if certain else "")
    return f"{sure}; likely, hidden inside the groups: {people_text(assessment.expected)} of {of}"
