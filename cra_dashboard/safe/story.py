"""What the page Safe recode says."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite

import pandas as pd

from cra_dashboard.charts.published import Shown
from cra_dashboard.safe.later import Together
from cra_dashboard.safe.state import ARX, detail, detail_lost
from cra_dashboard.session.keys import ANEW, BOTH
from cra_dashboard.texts import words
from cra_dashboard.texts.weighing import detail_counted
from cra_engine import Study
from cra_engine.checks.demands import Mark
from cra_engine.defences.small_world import WORLD, WayGain
from cra_engine.options import SEED
from cra_engine.study.regions import NOTHING_TO_CHOOSE, Regions
from cra_engine.words import how_many, number_text, odds_factor, percent, spanned

PROMISED = """**Promised.** Somebody may know the method, the release, and *everybody else* in the table. Between any \
two places that the release leaves open for one person, the choices change the odds at most as \
epsilon says: 2.72 times with 1. Every table that fits is possible. For a group of g people it is g times epsilon. \
And no set of cells is ever settled at 1 to k - 1 people. Later releases that are drawn inside this one keep that, \
and their epsilons add up."""

NOT_PROMISED = """**Not promised.** Who is in the table. The counts of the boxes. In which region somebody is: boxes \
that were published earlier are openly left out of later ones. Readers whose belief ties people together. It is not \
differential privacy of the table. Read `*` as: in the unpublished area."""

HOW = """States have their turns on a ladder: the leaves first, then always the coarser neighbour of least loss. On \
each rung a box with n of the m people left is published with a chance of 1 - exp(-e (min(n, m - n) - k + 1)), where \
that is above 0; what the rungs spend stays within epsilon. ARX-LR publishes it always, so that a box that is *not* \
published is known to hold fewer than k."""

EPSILON = """How much the coins may tell about one person: a reader's odds grow at most 1.28 times \
with 0.25, 2.72 times with 1, 7.39 times with 2. Smaller tells less and blurs more; ARX-LR tosses no coin."""

SMALL_WORLD = f"""**Measured, not argued**: on {WORLD}. *Excluded* are places where a person could be by what is \
published, but not by how it was made. Safe recoding alone excludes none; its epsilon is how far it moves the odds. A \
repair excludes places for whoever knows of it."""

ONCE = """The release is **the one in the picture**: drawn from the system's randomness, once per epsilon, and kept \
for as long as this session has the table. Choose epsilon by what may be told, not by the picture: the best of several \
draws keeps no promise."""

OF_SEED = """The same seed draws the same release again, for a class; an example alone has one."""

KNOWN = """Whoever knows the seed knows the coins, so this draw keeps no promise. Empty the field *Seed*: then one is \
drawn that may be handed out."""

AGAIN = """**The same people a second time**: a release that knows nothing of this one can be subtracted from it, and \
settle who is alone. Draw it inside this one: upload this release with its study above, under *Already published*; or \
see now what both would say."""

UPLOAD = """You have published this table safely before? Load that release with the study of its readers: the next one \
is drawn inside its regions, and the epsilons add up."""

LEDGER = """Epsilon is what the choices of a release may tell about one person, and adds up. The study for readers \
carries this ledger, so the next release needs no more than the last table and its study. A person who knew all \
releases and everybody else could change the odds between two places of one person by e to the sum, at most."""

CAPTION = "For a reader who knows everybody else; 1\u00d7 is not at all, \u221e without bound."

REGION = (
    "A region is a box's own cells, or what no box took. Excluded is a place of a table that fits what was published."
)

ODDS, GAIN, EXCLUDED = "A reader's odds grow at most", "That is e to the", "Places excluded"

TOLD_OF = {
    BOTH: (
        "At a box stands how many people are in it. No region has fewer than k, and nothing smaller can be worked "
        "out. Point at a cell for the smallest region behind it: any of its people may be there, or nobody."
    ),
    ANEW: (
        "A second draw that knows nothing of the first one, and is never handed out. In a cell stands what is left, "
        "where it is fewer than k, when counts of one release are taken off counts of the other."
    ),
}


def drawn(seed: int | None) -> str:
    """Say how Safe recode's release was drawn."""
    if seed is None:
        told = "Drawn by chance, once, and without a seed: whoever knew that would know the coins."
        return f"{told} Other ways draws with seed {SEED}, to compare: its figures may differ."
    return f"Drawn by chance with the seed {seed}; your own table has none, as whoever knows it knows the coins."


def spent(study: Study) -> str:
    """Say on Safe recode what the releases of the same people have spent of epsilon; empty for a first one."""
    before = [number_text(one.epsilon) for one in study.earlier]
    if not before or study.epsilon is None or study.epsilon_of_all is None:
        return ""
    return (
        f"Spent: {' + '.join([*before, number_text(study.epsilon)])} = {number_text(study.epsilon_of_all)} in all, "
        "with this release."
    )


def ledger_table(study: Study, own: Regions) -> pd.DataFrame:
    """Return for Safe recode a row per release of the same people with what it spent, and one for all of them."""
    rows = [
        (str(number), one.k, one.epsilon, len(one.classes), one.suppressed)
        for number, one in enumerate([*study.earlier], start=1)
    ]
    rows.append((f"{len(rows) + 1}: this one", study.k, study.epsilon or Decimal(0), len(own.classes), own.suppressed))
    told = [(name, f"{k:,}", number_text(epsilon), f"{boxes:,}", f"{left:,}") for name, k, epsilon, boxes, left in rows]
    told.append(("all", "", number_text(study.epsilon_of_all or Decimal(0)), "", ""))
    return pd.DataFrame(told, columns=["Release", "k", "Epsilon", "Boxes", "Suppressed"])


def together(said: Together, *, inside: bool) -> str:
    """Say on Safe recode what all releases together tell of how many people there are."""
    below = "exactly one person" if said.k == 2 else f"{spanned(1, said.k - 1)} people"
    which = "Both releases" if len(said.regions) == 2 else f"All {len(said.regions)} releases"
    sure = "" if said.complete else ", in the time given"
    if said.settled:
        few = sorted({one.people for one in said.settled})
        held = how_many(few[0], "person", "people") if len(few) == 1 else f"{spanned(few[0], few[-1])} people"
        why = ": an earlier one was made without a floor" if inside else ", though none of them does alone"
        parts = how_many(len(said.settled), "part")
        return f"Together they settle {parts} of the grid at {held}, below k = {said.k}{why}."
    if not inside:
        return f"No part of the grid is settled at {below} by this draw{sure}. That is chance: toss again."
    last = said.regions[-1]
    least = min(size for size in map(last.size, last.regions) if size)
    return f"{which} together settle no part of the grid at {below}{sure}: the smallest region holds {least:,}."


def headline(study: Study, gains: tuple[float | None, ...]) -> str:
    """Say what Safe recode's picture shows in one sentence: what this release tells, and what epsilon allows it to."""
    most = max((gain for gain in gains if gain is not None), default=0.0)
    if not isfinite(most):
        return "ARX-LR's choices exclude tables that fit, so there is no bound on what they tell."
    if None in gains:
        return "Of ARX-LR's choices no excluded table is known, and not what they tell."
    if not most:
        return f"The choices tell nothing of where one person is: {NOTHING_TO_CHOOSE}."
    allowed = study.epsilon_of_all or Decimal(0)
    return (
        f"A reader's odds of where one person is grow at most {odds_factor(most)} times here; epsilon "
        f"{number_text(allowed)} allows up to {odds_factor(Fraction(allowed))} times."
    )


def figures(knob: str, suppressed: int, gains: tuple[float | None, ...]) -> dict[str, str | None]:
    """Return Safe recode's figures in Markdown, each with its help: what is excluded, and what that costs."""
    excluded = sum(gain is not None and not isfinite(gain) for gain in gains)
    mark: Mark = "not met" if excluded else "not known" if None in gains else "met"
    beside = "" if knob == ARX else f" ({ARX}: {percent(detail_lost(ARX), 1)})"
    return {
        f"{words.MARKS[mark]} **{EXCLUDED}**: {excluded} of {how_many(len(gains), 'region')}": REGION,
        f"**Detail lost**: {percent(detail_lost(knob), 1)}{beside}": detail_counted(detail().weights),
        suppressed_told(suppressed): None,
    }


def suppressed_told(number: int) -> str:
    """Say beside Safe recode's picture how many people are in no box."""
    return f"**Suppressed**, in no box: {how_many(number, 'person', 'people')}"


def classes_table(shown: Shown, suppressed: int) -> pd.DataFrame:
    """Return Safe recode's classes as a table, the suppressed records last where there are any."""
    classes = zip(shown.numbers, shown.classes, strict=True)
    named = [(str(number), size, words.box(shown.grid, segment)) for number, (segment, size) in classes]
    rows = [*named, ("", suppressed, "suppressed")][: len(shown.gains)]
    table = pd.DataFrame(rows, columns=["Class", "People", "Box"])
    table.insert(2, ODDS, list(map(_odds, shown.gains)))  # before the box, whose words are longer than a telephone
    return table


def _odds(gain: float | None) -> str:
    return "not known" if gain is None else f"{odds_factor(gain)}\u00d7" if isfinite(gain) else "\u221e"


def ways_table(ways: Sequence[WayGain], knob: str) -> pd.DataFrame:
    """Return how far each way to publish moves a reader's odds in Safe recode's small world; the knob's is named."""
    here = [" (the knob)" if knob in (way.epsilon, way.label) else "" for way in ways]
    return pd.DataFrame(
        {
            "Way to publish": [f"{way.label}{mark}" for way, mark in zip(ways, here, strict=True)],
            ODDS: [_odds(way.gains.person) for way in ways],
            GAIN: [way.gains.person if isfinite(way.gains.person) else None for way in ways],
            EXCLUDED: [float(way.gains.excluded_moves) for way in ways],
        }
    )
