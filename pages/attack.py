"""Attack: what the published table still allows, class by class, as one picture."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from cra_dashboard.attack.all_classes import all_classes
from cra_dashboard.attack.chosen import Chosen
from cra_dashboard.attack.one_class import one_class
from cra_dashboard.lessons import asking, progress
from cra_dashboard.lessons.pages import attack as questions
from cra_dashboard.panels import evidence
from cra_dashboard.panels.attack_settings import require_attack, settings, show_problems
from cra_dashboard.panels.frame import require_dataset
from cra_dashboard.panels.stage import Stage, one_of, stage
from cra_dashboard.session import fields, keys, state
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import glossary, words
from cra_dashboard.texts.class_rows import ClassRow, by_number, deepest
from cra_engine import Attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.words import how_many

LESSON_AT = "attack-lesson-at"  # the step of a lesson whose part of this page the figure shows


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Attack: what is still possible?", help=glossary.of_page("attack"))
    attack, rows = require_attack()
    place = place_of_class(rows)
    asked = questions_on(attack, attack.parts[place])
    about = (state.attack_key(), place)
    # Everything below gives the answer away, so a lesson asks first.
    lesson = progress.question()
    # A larger k is asked of the whole release: no class stands out.
    chosen = None if lesson is not None and lesson.kind == "larger_k" else attack.parts[place].index
    seen = partial(evidence.on_telephones, attack.release, chosen)
    if asking.ask_for_lesson(asked, about, hold=True, picture=seen):
        evidence.of_release(stage(), attack.release, "attack", chosen)
        st.stop()
    show_what_the_lesson_speaks_of()
    sentence = st.container(key="attack-sentence")
    figure, controls = stage(5, 3)
    with controls:
        looked = one_of("Look at", [keys.THIS_CLASS, keys.WHOLE_RELEASE], keys.MAP)
        choose_class(attack, rows)
    screen = Stage(sentence, figure, controls.container(), st.container())
    with controls:
        settings(attack)
        asking.switch()
    if looked == keys.THIS_CLASS and asking.ask_first(asked, about, ["owner", "half"], hold=True):
        st.stop()
    with screen.below:
        view = choose_view(attack.release.grid, "attack")
    shown = Chosen(attack, rows, place, view)
    (all_classes if looked == keys.WHOLE_RELEASE else one_class)(shown, screen)
    with sentence:
        show_problems(attack, rows)


def place_of_class(rows: Sequence[ClassRow]) -> int:
    """Returns the place of the class that is looked at: at first the one that loses most."""
    chosen = keys.chosen_class()
    if st.session_state.get(chosen) not in range(len(rows)):
        best = deepest([row for row in rows if row.index is not None])
        st.session_state[chosen] = rows.index(best) if best else 0
    return int(st.session_state[chosen])


def questions_on(attack: Attack, part: ClassAttack) -> asking.Questions:
    """Returns what can be asked here, of a class and of the whole release."""
    release = attack.release
    return {
        "compound": lambda: questions.compound(part),
        "owner": lambda: questions.owner(part, attack),
        "free_cells": lambda: questions.free_cells(part),
        "half": lambda: questions.half(part),
        "ratio": lambda: questions.ratio(part),
        "larger_k": lambda: questions.larger_k(require_dataset().frame, release.study, release.k + 2),
    }


def show_what_the_lesson_speaks_of() -> None:
    """Turns the figure to what a step of a lesson speaks of, where the step begins."""
    lesson = progress.current()
    if lesson is not None and st.session_state.get(LESSON_AT) != (at := (lesson[0].id, lesson[1])):
        st.session_state[LESSON_AT] = at
        leafs = lesson[0].step[lesson[1]].view == "attack-fillings"
        st.session_state[keys.SHOWN] = keys.A_FILLING if leafs else keys.OWNERS


def choose_class(attack: Attack, rows: Sequence[ClassRow]) -> None:
    """Asks which class is looked at."""
    with st.container(key="attack-one-class"):
        place = fields.selectbox(
            "Class",
            by_number(rows),
            # Its box stands below, in full: here it would be cut short.
            format_func=lambda place: words.sentence(
                f"{rows[place].title}: {how_many(rows[place].size, 'person', 'people')}"
            ),
            key=keys.chosen_class(),
        )
        st.caption(words.plain(words.box(attack.release.grid, rows[place].segment)))


page()
