"""Questions on global recoding: where a prediction holds, and the two small tables on which it does not (002)."""

from collections.abc import Hashable
from decimal import Decimal
from typing import Any

import pandas as pd
import streamlit as st

from cra_dashboard.lessons.hooks import Doing, Hooks, Opening, Setting, by_key, clear
from cra_dashboard.lessons.question import Question
from cra_dashboard.lessons.small_table import Way, small_table_figure
from cra_dashboard.session import keys
from cra_dashboard.texts import words
from cra_engine import Attribute, LDiversity, Study, global_recode
from cra_engine.publish.full_domain.search import Looks
from cra_engine.words import how_many

AGES = (21, 21, 34, 36, 45, 47)
_DECADES = Attribute("age", 0, 80, layers=4)


def _states(study: Study, table: pd.DataFrame, records: int) -> dict[int, dict[Hashable, Any]]:
    """The figures of each state of one quasi-identifier, by its layer."""
    found = global_recode(table, study, suppression_records=records, utility="aecs", every_figure=True).lattice
    return {int(row["age"]): row for row in found.to_dict("records")}


def _kept(study: Study, table: pd.DataFrame, records: int) -> list[bool]:
    """Whether each person is published by the state that loses least by precision."""
    return list(global_recode(table, study, suppression_records=records, utility="precision").frame["age"] != "*")


def coarser_loses() -> Question:
    """Let the learner predict on Global recode whether a coarser table always loses more (002, Figure 5)."""
    table = pd.DataFrame({"age": AGES})
    states = _states(Study([_DECADES], 2), table, 4)
    exact, tens = states[0], states[1]
    # Where only all ages together are coarser, exact ages lose less: the table as it is published with them.
    exactly = _kept(Study([Attribute("age", 0, 80, layers=1)], 2), table, 4)
    ways = (
        Way("Exact ages", 0, exactly, _sizes(exact)),
        Way("Tens", 1, _kept(Study([_DECADES], 2), table, 4), _sizes(tens)),
    )
    options = ("The exact ages: they are finer", "The tens", "Both the same")
    right = 2 if exact["aecs"] == tens["aecs"] else int(tens["aecs"] < exact["aecs"])
    why = (
        f"Exact ages keep {how_many(int(exact['classes']), 'class', 'classes')} and suppress "
        f"{how_many(int(exact['suppressed']), 'person', 'people')}, who count as one class more: "
        f"six people in two classes, {exact['aecs']:g} each. Tens keep {int(tens['classes'])} and suppress "
        f"{int(tens['suppressed'])}: {tens['aecs']:g} each."
    )
    lesson = (
        "Getting coarser can save people from suppression. So where something may be suppressed, a loss can fall on "
        "the way up, and nobody may stop at the first state that does."
    )
    return Question(
        f"Six people are {', '.join(map(str, AGES[:-1]))} and {AGES[-1]}. k = 2, and up to four of them may be "
        "suppressed. Publish exact ages or tens of years: **which loses less, by the average size of a class?**",
        options,
        right,
        (why, lesson),
        drawn=lambda answered: small_table_figure(_DECADES, AGES, ["a person"] * 6, ways, answered=answered),
    )


def _sizes(state: dict[Hashable, Any]) -> str:
    return f"{int(state['suppressed'])} suppressed, {state['aecs']:g} people a class on average"


def coarser_fails() -> Question:
    """Let the learner predict on Global recode whether a coarser table stays anonymous (002, Figure 4)."""
    ages, diagnoses = [21, 25, 33, 38, *range(40, 50)], ["flu", "cold", "flu", "cold", *["flu"] * 10]
    diverse = LDiversity("diagnosis", variant="entropy", l=Decimal(2))
    study, table = Study([_DECADES], 1, privacy=[diverse]), pd.DataFrame({"age": ages, "diagnosis": diagnoses})
    states = _states(study, table, 10)
    tens, root = states[1], states[4]
    ways = (
        Way("Tens", 1, _kept(study, table, 10), f"{int(tens['suppressed'])} suppressed, which is allowed"),
        Way("All ages", 4, [False] * len(ages), f"{int(root['suppressed'])} suppressed, which is too many"),
    )
    options = ("That works too: a coarser table protects more", "That fails, and cannot be suppressed either")
    why = (
        f"In tens {int(tens['suppressed'])} people are suppressed. All ages together, twelve flus beside two colds "
        f"fail, and {int(root['suppressed'])} people are more than ten."
    )
    lesson = (
        "A class that was suppressed drags a good one down. Only the number of people in classes that are **too "
        "small** cannot grow on the way up, so only from that may a search conclude."
    )
    return Question(
        "Of two people in their twenties one has flu and one a cold; likewise of two in their thirties. Ten in their "
        "forties all have flu. Each class needs two diagnoses of equal weight (entropy 2-diversity), and ten people "
        "may be suppressed. In tens of years that works: the forties go. **And all ages as one class?**",
        options,
        int(not root["anonymous"]),
        (why, lesson),
        drawn=lambda answered: small_table_figure(_DECADES, ages, diagnoses, ways, answered=answered),
    )


def what_follows(looks: Looks, step: int, search: str = "Flash") -> Question | None:
    """Let the learner predict what a search concludes from a step's look; None before the first and after the last."""
    if not 0 < step <= len(looks.steps):
        return None
    look = looks.steps[step - 1]
    what = "suppressed" if looks.sought == "anonymous" else "in classes that are too small"
    few = "no more" if look.fits else "more"
    then = "all states above have no more" if look.fits else "all states below have as many"
    return Question(
        f"{search} looks at {words.state(look.state)}: {how_many(look.short, 'record')} {what}, {few} than the "
        f"{looks.limit:,} allowed. What follows?",
        ("All coarser states are settled", "All finer states are settled", "Only this state is settled"),
        0 if look.fits else 1,
        (f"Coarser classes are made of whole finer ones, so this number cannot grow on the way up: {then}.",),
    )


# ---------------------------------------------------------------- what lessons know of the page


def recoded_globally(doing: Doing, share: str) -> bool:
    """Tell whether a lesson's step is done: the table was recoded, with at most this share suppressed."""
    return share in doing.now.settings["recoded"][len(doing.began.settings["recoded"]) :]


def _begin(opening: Opening) -> None:
    if "share" in opening.wanted:
        clear(keys.GLOBAL)
        st.session_state[keys.SHARE] = Decimal(opening.wanted["share"])
        if "look" in opening.wanted:
            st.session_state[keys.LOOK] = opening.wanted["look"]


HOOKS = Hooks(
    "global_recoding",
    "Global recode",
    views={
        "global-figure": (by_key("stage"), "the picture of the search"),
        "global-controls": (by_key("gr-controls"), "the settings, and the button below them"),
        "global-start": (by_key("gr-start"), "the button"),
    },
    settings={
        "share": Setting(keys.SHARE),
        "recoded": Setting(keys.RECODED, lambda shares: tuple(shares or ()), kept=False),
    },
    conditions=(recoded_globally,),
    begins=("share", "look"),
    begin=_begin,
)
