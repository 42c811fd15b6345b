"""Questions on downcoding: what a minimal release tells of the records behind it (004)."""

import streamlit as st

from cra_dashboard.lessons.hooks import Hooks, Opening, Setting, by_key, clear
from cra_dashboard.lessons.question import Question
from cra_dashboard.session import keys
from cra_engine.words import how_many


def far_records(k: int, whole: int, attributes: int, far: int) -> Question | None:
    """Let the learner predict on Downcode how many records of a cluster are far from its centre, by their box."""
    if not whole:
        return None
    options = ("Exactly one", "Two or more, but not all", "All of them", "The release does not tell")
    right = 0 if far == 1 else 2 if far == k else 1
    alike = (
        f"{how_many(k, 'record')} of one cluster are published alike: in {whole} of {attributes} attributes as "
        "anywhere in the cluster, in the others as near its centre. Nothing was made more general than needed."
    )
    wide = "Few records are wide, and a wide record is far from the centre in about half of its attributes."
    why = (
        "An attribute shows the whole cluster only because somebody is far there. Two wide records would show it in "
        "about three quarters of the attributes, three in seven eighths."
    )
    return Question(
        f"{alike} {wide} **How many of them are far from the centre in some attribute?**",
        options,
        right,
        (f"{how_many(far, 'record is', 'records are')} far from the centre in some attribute.", why),
        {3: "Being minimal tells: every general value has a reason."},
    )


# ---------------------------------------------------------------- what lessons know of the page


def _begin(opening: Opening) -> None:
    if "downcode" in opening.wanted:
        clear(keys.DOWNCODE)
        st.session_state[keys.DOWNCODE_ATTRIBUTES] = opening.wanted["downcode"]
        st.session_state[keys.DOWNCODE_STAGE] = keys.PUBLISHED


HOOKS = Hooks(
    "downcode",
    "Downcode",
    views={
        "downcode-figure": (by_key("stage"), "the picture of a cluster"),
        "downcode-attributes": (by_key(keys.DOWNCODE_ATTRIBUTES), "the slider Attributes"),
        "downcode-stage": (by_key(keys.DOWNCODE_STAGE), "the choice of what is shown"),
    },
    settings={"stage": Setting(keys.DOWNCODE_STAGE), "attributes": Setting(keys.DOWNCODE_ATTRIBUTES)},
    begins=("downcode",),
    begin=_begin,
)
