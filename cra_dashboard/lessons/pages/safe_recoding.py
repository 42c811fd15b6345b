"""The question of the page Safe recode."""

from collections.abc import Sequence
from math import exp, isfinite

import streamlit as st

from cra_dashboard.lessons.hooks import Hooks, Opening, Setting, by_key
from cra_dashboard.lessons.question import Question
from cra_dashboard.session import keys

WITHOUT = "without any bound"
NOTHING = "not at all"


def safe_gain(gains: Sequence[float | None], knob: str) -> Question | None:
    """How far the choices can move somebody who knows everybody but Anna; None where it is not known.

    Args:
        gains: per class, then for the suppressed records.
        knob: an epsilon, or ARX-LR.
    """
    known = [gain for gain in gains if gain is not None]
    most = max(known, default=0.0)
    if not gains or (len(known) < len(gains) and isfinite(most)):
        return None
    bounds = sorted({1.0, 2.0, most} if isfinite(most) and most > 0 else {1.0, 2.0})
    options = (NOTHING, *(_times(gain) for gain in bounds), WITHOUT)
    right = WITHOUT if not isfinite(most) else _times(most) if most > 0 else NOTHING
    why = (
        f"Moving Anna changes the chance of this very release by a factor of e^{most:.2f} = {exp(most):.2f} at most."
        f" No place that it leaves open is excluded (knob at {knob})."
    )
    if right == WITHOUT:
        why = (
            "One of the boxes that were not published would hold k people if Anna were there; then it would have been "
            "published. So she is not there: the odds of that place fall to nothing."
        )
    against = {0: "What was published is the same wherever she is, but what was **not** published tells something."}
    return Question(
        "Somebody knows the method, this release, and where everybody is but Anna. How far can what was published, and "
        "what was not, change the odds between two places of Anna that the release leaves open?",
        options,
        options.index(right),
        (why,),
        {} if right == NOTHING else against,
    )


def _times(gain: float) -> str:
    return f"{exp(gain):.2f} times at most"


# ---------------------------------------------------------------- what lessons know of the page


def _begin(opening: Opening) -> None:
    if "knob" in opening.wanted:
        st.session_state[keys.EPSILON] = opening.wanted["knob"]


HOOKS = Hooks(
    "safe_recoding",
    "Safe recode",
    views={
        "gain-figure": (by_key("stage"), "the picture of what the choices tell"),
        "safe-knob": (by_key("safe-controls"), "the knob"),
        "safe-picture": (by_key("safe-picture"), "the picture of what the choices tell"),
    },
    settings={"knob": Setting(keys.EPSILON)},
    begins=("knob",),
    begin=_begin,
)
