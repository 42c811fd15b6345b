"""Questions on who has what: what l-diversity keeps from a reader, and what it does not."""

from fractions import Fraction

import pandas as pd

from cra_dashboard.lessons.hooks import Hooks, by_key
from cra_dashboard.lessons.question import Question, among, compared
from cra_dashboard.session.attacks import run_tight_attack
from cra_dashboard.texts.numbering import recoded
from cra_engine import LDiversity, Release, Study, WhoHasWhat, who_has_what
from cra_engine.assess.attacked import attack_by_class
from cra_engine.words import how_many, percent, spoken

SECONDS = 5.0


def alone_despite(data: pd.DataFrame, study: Study) -> Question | None:
    """Ask of how many people a release under a privacy model says that they stand alone, beside k alone."""
    if not study.privacy:
        return None
    before, after = (_alone(recoded(data, one).release) for one in (study.changed(privacy=()), study))
    if before is None or after is None:
        return None
    return compared(
        "l-diversity does not ask who is the only one in a cell. Of how many people does the release now say **for "
        "certain** that they stand alone, compared with k alone?",
        ("Of fewer", "Of as many", "Of more"),
        before,
        after,
        f"Of {before} under k alone, of {after} now. A row with too few illnesses gets wider: its people lie in more "
        "cells, not in fuller ones.",
    )


def _alone(release: Release) -> int | None:
    found = run_tight_attack(release, SECONDS)
    return None if found.status == "timeout" else len(found.isolated)


def settled_values(found: WhoHasWhat) -> Question | None:
    """Ask in how many cells the release settles what somebody there has."""
    if not found.finished:
        return None
    settled = [one for one in found.cells if len(one.possible) == 1]
    each = "Each class by itself shows several values, so in most cells they stay open."
    return among(
        "In how many cells does the release settle what whoever is there has?",
        str(len(settled)),
        [
            ("0", "A suppressed row shows its value, too; and where many must lie together, few values are left."),
            (
                str(sum(one.alone for one in found.cells)),
                "So many stand alone for certain, not each with one value left.",
            ),
            (str(len(found.attack.classes)), each),
            (str(len(found.cells)), each),
        ],
        [spoken(found.sentence(one)) for one in settled],
    )


def one_more_value(data: pd.DataFrame, study: Study) -> Question | None:
    """Ask what happens when every class must show one value more."""
    wider = one_more(study)
    if wider is None:
        return None
    settled, lost = [], []
    for one in (study, wider):
        made = recoded(data, one)
        settled.append(len(_found(made.release).certain))
        lost.append(percent(float(Fraction(made.loss))))
    return compared(
        f"{' and '.join(map(str, wider.privacy)).capitalize()} is asked for then. Of how many people does the release "
        "say for certain where they are and what they have? And at what price?",
        ("Of fewer, and more detail is lost", "Of as many", "Of more"),
        settled[0],
        settled[1],
        f"Of {how_many(settled[0], 'person', 'people')} before, of {settled[1]} then. "
        f"The loss grows from {lost[0]} to {lost[1]}.",
    )


def one_more(study: Study) -> Study | None:
    """Return a study that asks on Who has what for one value more in every class; None without distinct l-diversity."""
    asked = next((one for one in study.privacy if isinstance(one, LDiversity) and one.variant == "distinct"), None)
    if asked is None:
        return None
    more = LDiversity(asked.attribute, asked.l + 1)
    return study.changed(privacy=[more if model is asked else model for model in study.privacy])


def with_one_more(data: pd.DataFrame, study: Study) -> WhoHasWhat | None:
    """Return who has what where every class must show one value more; None without distinct l-diversity."""
    wider = one_more(study)
    return None if wider is None else _found(recoded(data, wider).release)


def _found(release: Release) -> WhoHasWhat:
    return who_has_what(attack_by_class(release, None, None), time_limit=SECONDS)


# ---------------------------------------------------------------- what lessons know of the page


HOOKS = Hooks(
    "who_has_what",
    "Who has what",
    views={"who-has-what-figure": (by_key("stage"), "the picture of who has what")},
)
