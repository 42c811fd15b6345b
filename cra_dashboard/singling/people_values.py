"""From the release alone: who has what."""

import streamlit as st

from cra_dashboard.panels.stage import listed
from cra_dashboard.panels.tables import MOST_ROWS
from cra_dashboard.session import state
from cra_dashboard.singling.shown import Shown
from cra_dashboard.texts import words
from cra_engine import who_has_what
from cra_engine.words import how_many
from cra_engine.words import listed as in_words

MOST_SENTENCES, SECONDS = 10, 5.0


def shows_values(shown: Shown) -> bool:
    """True where the release shows a column that the study calls sensitive, or that a privacy model of it reads."""
    release, models = shown.attack.release, shown.attack.models
    named = any(name in release.table.columns for name in release.study.roles.sensitive)
    return named or (models is not None and bool(models.columns))


def values_of_people(shown: Shown) -> None:
    """Shows which sensitive values people of single cells can have, as far as it is more than their class shows."""
    found = state.once(
        "who has what",
        state.attack_key(),
        lambda: state.in_turn(lambda: who_has_what(shown.attack, time_limit=SECONDS)),
    )
    told = [one for one in found.cells if one.alone or one.excluded or one.gain]
    people, cells = how_many(len(found.certain), "person", "people"), how_many(len(found.narrowed), "cell")
    st.caption(
        f"From the release alone, in {in_words(list(found.columns))}: {people} whose value is certain, {cells} in "
        "which nobody has some value that its class shows. What is likely is beside the share in the class."
        + ("" if found.finished else " The time did not suffice to settle all: more may be certain.")
    )
    if told:
        listed([words.plain(found.sentence(one)) for one in told[:MOST_ROWS]], MOST_SENTENCES, "More of them")
    elif found.finished:
        st.write("Of nobody more is known than the class shows.")
