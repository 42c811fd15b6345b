"""What the tight attack found, in sentences that always say how sure they are."""

import math

import pandas as pd

from cra_dashboard.texts import weighing, words
from cra_engine import TightAttack
from cra_engine.attacks.solver.views import CellView, Explanation
from cra_engine.words import NOISE, count, listed, percent, power, spanned, times_fewer

FEWER = "Times fewer, log10"
INTERVALS, BY_ITSELF, TOGETHER = "Intervals alone", "Each class by itself", "All classes together"


def _two_digits(log10: float) -> float:
    """The logarithm of a number rounded to two digits."""
    return math.log10(float(f"{10 ** (log10 % 1):.1f}")) + math.floor(log10)


def relative_error(tight: TightAttack) -> float:
    """Return the standard error of the number of tables as a share of it, to be told; 0 where it is exact."""
    return (tight.log10_worlds_stderr or 0.0) * math.log(10)


def how_sure(tight: TightAttack, seconds: float, *, stopped: bool = False) -> str:
    """Say to readers what kind of result the tight attack has: exact, an estimate, or cut short."""
    took = "less than a second" if seconds < 1 else f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    if tight.refused:
        return (
            f"How many tables are left is not known. {tight.refused} What is said below of single cells is proven all "
            "the same."
        )
    if tight.status == "timeout":
        ended = f"You stopped the run after {took}" if stopped else f"The time ran out after {took}"
        return (
            f"{ended}, so this is not finished: what follows is only what was found until then, and cells that are not "
            "named here may be certain all the same."
        )
    if tight.status == "exact" and tight.relaxed:
        return (
            f"An upper bound ({took}), since {tight.why_relaxed}: some of the tables that are counted are impossible. "
            "Cells that are called certain are proven."
        )
    if tight.status == "exact":
        return f"Exact: every possible table is counted. It took {took}."
    drawn = f"the tables are too many to count, so random ones were drawn ({took})"
    if stopped:
        drawn += ". You stopped the run, so fewer were drawn than it takes for a small standard error"
    return (
        f"An estimate: {drawn}. The standard error says how far off the number may be; cells that are called certain "
        "are proven, not estimated."
    )


def icon_of(tight: TightAttack) -> str:
    """Return the icon before that: a tick stands for exact, and an upper bound is none."""
    return "casino" if tight.status != "exact" else "vertical_align_top" if tight.relaxed else "check"


def comparison(tight: TightAttack) -> str:
    """Say to readers how many tables each way of reading the release leaves."""
    intervals, alone, together = tight.log10_worlds_intervals, tight.log10_worlds_per_class, tight.log10_worlds
    most = "at most " if tight.relaxed else ""
    start = f"The intervals alone allow {weighing.tables(tight, power(intervals))}. "
    if alone is None:
        if together is None:
            why = "the classes are too large to count" if tight.refused else "the run did not finish"
            return f"{start}How many are left is not known: {why}."
        about = "" if tight.relaxed or tight.counted else "about "
        return f"{start}All classes together leave {most}{about}{power(together)}."
    start += f"Each class by itself, the paper's attack, leaves {most}{power(alone)}: {times_fewer(intervals, alone)}. "
    if together is None:
        why = "the classes are too large to count" if tight.refused else "the run did not finish"
        return f"{start}How many all classes together leave is not known: {why}."
    error = relative_error(tight)
    number = power(together)
    if error and not tight.counted:
        number = f"about {number} (an estimate, standard error {percent(error)})"
    if tight.relaxed:
        gain = f", at least {times_fewer(alone, together)}" if together < alone - NOISE else ""
        own = ", the number of the classes by themselves; of all together more are counted" if tight.of_classes else ""
        return f"{start}All classes together leave at most {number}{gain}{own}. {RELAXED}"
    if together > alone - 2 * (tight.log10_worlds_stderr or 0) and not tight.counted:
        return f"{start}All classes together leave {number}: no fewer, as far as the estimate can tell."
    again = " again" if together < alone - NOISE else ""
    if not tight.counted:
        # No more digits than the standard error bears out.
        rounded = _two_digits(alone - together)
        return f"{start}All classes together leave {number}: about {times_fewer(rounded, 0)} again."
    return f"{start}All classes together leave {number}: {times_fewer(alone, together)}{again}."


def tables_left(tight: TightAttack) -> pd.DataFrame:
    """Return for pages how many tables each way of reading leaves, and how many times fewer than the intervals."""
    promised, most = tight.log10_worlds_intervals, "at most " if tight.relaxed else ""
    estimated = "" if tight.counted else f" (estimate, standard error {percent(relative_error(tight))})"
    rows = [
        (INTERVALS, promised, "", ""),
        (BY_ITSELF, tight.log10_worlds_per_class, most, ""),
        (TOGETHER, tight.log10_worlds, most, estimated),
    ]
    return pd.DataFrame(
        {
            "Read by": [name for name, *_ in rows],
            FEWER: [None if left is None else promised - left for _, left, *_ in rows],
            "Times fewer": ["" if left is None else times_fewer(promised, left) for _, left, *_ in rows],
            "Tables left": [
                "not known" if left is None else f"{limit}{power(left)}{error}" for _, left, limit, error in rows
            ],
        }
    )


RELAXED = (
    "This is an upper bound: some tables are counted that are impossible. What is called certain is certain all the "
    "same."
)


def order_of(explanation: Explanation) -> str:
    """Write for pages the order of tied states of an explanation: ``(1, 2) before (2, 1)``; empty without ties."""
    return listed([" before ".join(map(words.state, order)) for order in explanation.order])


def distinct(explanations: list[Explanation]) -> list[Explanation]:
    """Return the explanations to tell, without those that say the same; each order without one is kept."""
    return list({e.texts or e.order: e for e in explanations}.values())


def between(view: CellView) -> str:
    """Write for pages how many people a cell can hold: ``0 to 4``, ``0 or 1``, ``exactly 1``; what is only a limit."""
    if view.fixed:
        return f"exactly {view.lowest:,}"
    proven = spanned(view.lowest, view.highest)
    if view.closed:
        return proven
    if view.seen is None:
        return f"{proven} at most"
    return f"{proven} at most; {spanned(*view.seen)} seen"


def holds(people: int) -> str:
    """Write for pages what a cell holds: ``nobody``, ``exactly one person``, ``exactly 2 people``."""
    return "nobody" if people == 0 else "exactly one person" if people == 1 else f"exactly {count(people)} people"


def lead_in(tight: TightAttack) -> str:
    """Say to readers how many people are singled out for certain, in a sentence that claims no more than was proven."""
    number = len(tight.isolated)
    if number:
        people = "one person is" if number == 1 else f"{count(number)} people are"
        found = f"From the release alone, {people} singled out for certain."
    elif tight.complete:
        return (
            "From the release alone nobody is singled out for certain. That is no protection: a cell can still be "
            "likely to hold exactly one person."
        )
    else:
        return "From the release alone nobody was found to be singled out for certain; there may be somebody."
    if tight.complete:
        return found
    why = "the run did not finish" if tight.status == "timeout" else tight.why_relaxed or "some is not known"
    return f"{found} There may be more: {why}."
