"""The question of the page Heterogeneous."""

from fractions import Fraction

import streamlit as st

from cra_dashboard.lessons.hooks import Hooks, Opening, Setting, by_key
from cra_dashboard.lessons.question import Question
from cra_dashboard.session import keys
from cra_engine.words import how_many


def other_side(l: int | None, records: int, twice: Fraction) -> Question | None:  # noqa: E741 - its name in the field
    """Let the learner predict how many people see a value twice, where no row does (paper 001, Theorem 3)."""
    if l is None:
        return None
    options = ("nobody", "less than 1 in 20", "between 1 in 20 and 1 in 4", "more than 1 in 4")
    right = 0 if not twice else 1 if twice < Fraction(1, 20) else 2 if twice < Fraction(1, 4) else 3
    return Question(
        f"Behind each row stand {l} different values: no two of its people share one. Now take a person, and the {l} "
        f"rows that the person matches. How many of the {records:,} people see some value twice on their rows?",
        options,
        right,
        (
            f"{how_many(round(twice * records), 'person', 'people')} of {records:,}.",
            "A row takes one match from each bucket, so the values **behind** it differ.",
            "But which of them a row **shows** is drawn row by row: two rows of a person may show the same value.",
        ),
        {0: "The proof speaks of the values behind a row. Nothing in it looks at a person's rows."} if right else {},
    )


# ---------------------------------------------------------------- what lessons know of the page


def _begin(opening: Opening) -> None:
    for name, key in (("drawn", keys.DRAWN), ("looked", keys.LOOKED)):
        if name in opening.wanted:
            st.session_state[key] = opening.wanted[name]


HOOKS = Hooks(
    "heterogeneous",
    "Heterogeneous",
    views={
        "heterogeneous-figure": (by_key("stage"), "the picture of the buckets"),
        "heterogeneous-drawn": (by_key(keys.DRAWN), "how values are drawn"),
        "heterogeneous-look": (by_key(keys.LOOKED), "the choice of what the picture is about"),
    },
    settings={"drawn": Setting(keys.DRAWN), "looked": Setting(keys.LOOKED)},
    begins=("drawn", "looked"),
    begin=_begin,
)
