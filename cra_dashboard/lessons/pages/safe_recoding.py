"""The questions of the page Safe recode."""

from collections.abc import Sequence
from math import isfinite, log

import streamlit as st

from cra_dashboard.lessons.facts import two_draws
from cra_dashboard.lessons.hooks import Hooks, Opening, Setting, by_key
from cra_dashboard.lessons.question import Question
from cra_dashboard.session import keys, state
from cra_engine.words import odds_factor

WITHOUT = "without any bound: a place can be ruled out"
NOTHING = "they stay equally likely"


def safe_gain(gains: Sequence[float | None], knob: str) -> Question | None:
    """Let the learner predict how far the choices can move somebody who knows everybody but one; None if unknown.

    Args:
        gains: per class, then for the suppressed records.
        knob: an epsilon, or ARX-LR.
    """
    known = [gain for gain in gains if gain is not None]
    most = max(known, default=0.0)
    if not gains or (len(known) < len(gains) and isfinite(most)):
        return None
    bounds = sorted({log(2), log(10), most} if isfinite(most) and most > 0 else {log(2), log(10)})
    options = (NOTHING, *(_times(gain) for gain in bounds), WITHOUT)
    right = WITHOUT if not isfinite(most) else _times(most) if most > 0 else NOTHING
    why = (
        f"Were the person at the other place, the coins would give this very table at most {odds_factor(most)} times "
        f"as often, or as rarely. No place that it leaves open is excluded (epsilon {knob})."
    )
    if right == WITHOUT:
        why = (
            "With the person there, one of the boxes that were not published would have held k people. Then it would "
            "have been published. So the person is not there: the odds of that place fall to nothing."
        )
    against = {0: "What was published is the same at either place; what was not published tells something."}
    return Question(
        "A reader knows the method, this published table, and where everybody is, except one person. Two places are "
        "open for that person, equally likely at first. How many times likelier than the other can one get, by what "
        "was published and what was not?",
        options,
        options.index(right),
        (why,),
        {} if right == NOTHING else against,
    )


def safe_two(k: int) -> Question:
    """Let the learner predict on Safe recode whether two draws that know nothing of each other keep both floors."""
    why = (
        "Counts can be subtracted: from a box of one release take the boxes of the other that lie inside. What is left "
        "was shown by neither, and may be one person."
    )
    return Question(
        f"From one release alone, nobody can work out a part of the grid that holds some people, but fewer than {k}. "
        "A reader has both releases. Can such a part be worked out now?",
        (f"No: each release keeps to {k} or more", "Yes, even a single person"),
        1,
        (why,),
        {0: "Each keeps to it by its own counts; nobody looked at the other's."},
    )


def _times(gain: float) -> str:
    return f"{odds_factor(gain)} times at most"


# ---------------------------------------------------------------- what lessons know of the page


def _begin(opening: Opening) -> None:
    if "knob" not in opening.wanted:
        return
    keys.EARLIER.drop()
    keys.BESIDE.drop()
    st.session_state[keys.EPSILON] = knob = opening.wanted["knob"]
    if "safe_shown" in opening.wanted:
        digest, study = state.results_key()
        first, second = (made.release for made in two_draws(state.to_recode(), study.with_epsilon(knob)))
        keys.EARLIER.keep(digest, ("the first release", first))
        keys.BESIDE.keep((digest, knob), second)
        st.session_state[keys.SAFE_SHOWN] = opening.wanted["safe_shown"]


HOOKS = Hooks(
    "safe_recoding",
    "Safe recode",
    views={
        "gain-figure": (by_key("stage"), "the picture of what the choices tell"),
        "safe-knob": (by_key(keys.EPSILON), "the slider Epsilon"),
        "safe-second": (by_key("safe-second"), "what the picture shows"),
    },
    settings={"knob": Setting(keys.EPSILON), "safe_shown": Setting(keys.SAFE_SHOWN)},
    begins=("knob", "safe_shown"),
    begin=_begin,
)
