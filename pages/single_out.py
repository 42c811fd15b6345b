"""Single out: which predicates are true of exactly one person, checked against the raw data or guessed without."""

from functools import partial

import streamlit as st

from cra_dashboard.lessons import asking
from cra_dashboard.lessons.pages import single_out as questions
from cra_dashboard.lessons.question import Question
from cra_dashboard.panels import evidence
from cra_dashboard.panels.attack_settings import require_attack, settings
from cra_dashboard.panels.stage import Stage, one_of, stage
from cra_dashboard.panels.tight_run import small
from cra_dashboard.session import keys, messages, state
from cra_dashboard.session.attacks import assess_tightly
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.singling.certain import for_certain
from cra_dashboard.singling.checked import checked
from cra_dashboard.singling.likely import likely
from cra_dashboard.singling.shown import Shown
from cra_dashboard.texts import glossary
from cra_engine import Attack, SinglingOut

CERTAIN_SECONDS = 60.0  # of a lesson's small table; a fraction of one where the server has nothing else to do


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Who stands alone?", help=glossary.of_page("single_out"))
    attack, rows = require_attack()
    with messages.or_stop():
        singled = state.singled()
    asked, key = questions_on(attack, singled), state.attack_key()
    seen = partial(evidence.on_telephones, attack.release)
    if asking.ask_for_lesson(asked, key, hold=True, picture=seen):
        evidence.of_release(stage(), attack.release, "single-out")
        st.stop()
    if asking.ask_first(asked, key, ["isolating"], hold=True):
        asking.switch()
        st.stop()
    sentence = st.container(key="single-out-sentence")
    figure, controls = stage()
    with controls:
        looked = one_of(
            "Look at",
            [keys.FOR_CERTAIN, keys.LIKELY, keys.CHECKED],
            keys.SINGLED,
            # What the release alone tells for certain comes first; where it takes long, what is there at once.
            first=keys.FOR_CERTAIN if small(attack.release) else keys.CHECKED,
            hint="The last uses the raw table of this session, the others the release alone, as an attacker does.",
        )
    screen = Stage(sentence, figure, controls.container(), st.container())
    with controls:
        settings(attack)
        asking.switch()
    with screen.below:
        view = choose_view(attack.release.grid, "single-out")
    shown = Shown(attack, rows, singled, view)
    {keys.FOR_CERTAIN: for_certain, keys.LIKELY: likely}.get(looked, checked)(shown, screen)


def questions_on(attack: Attack, singled: SinglingOut) -> asking.Questions:
    """Returns what can be asked here."""
    key, how = state.attack_key(), state.weighing()

    def certain() -> Question | None:
        together = state.once(
            "certain people", key, lambda: assess_tightly(attack.release, CERTAIN_SECONDS, weighing=how).tight
        )
        return None if together is None else questions.certain(together)

    return {"isolating": lambda: questions.isolating(singled, state.recoding()), "certain": certain}


page()
