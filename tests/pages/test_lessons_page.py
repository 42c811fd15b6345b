"""The lessons' list, the panel above every page, and predictions, without a browser."""

import re
from decimal import Decimal
from types import SimpleNamespace

import pandas as pd
import pytest
from streamlit.elements.lib import policies
from streamlit.testing.v1 import AppTest
from support import let_run, open_page
from visitor import ROOT, Session

from cra_dashboard.classroom import serving
from cra_dashboard.classroom.room import Rooms
from cra_dashboard.lessons import asking as predict_panel
from cra_dashboard.lessons import browser
from cra_dashboard.lessons import progress as lessons
from cra_dashboard.lessons.files import all_lessons
from cra_dashboard.lessons.markup import html
from cra_dashboard.lessons.registry import VIEWS
from cra_dashboard.panels import menu
from cra_dashboard.session import keys as keys_of_session
from cra_dashboard.session import state
from cra_dashboard.session.datasets import example, uploaded
from cra_dashboard.session.link import Link

# What app.py does, in a way that AppTest can follow: the panel, then the page that the session is on.
SCRIPT = f"""
import runpy
from unittest.mock import patch
import streamlit as st
from cra_dashboard.lessons import panel as lesson_panel
page = st.session_state.get(lesson_panel._GO_TO) or st.session_state.get("on", "lessons")
st.session_state["on"] = page
with patch("streamlit.page_link"):
    lesson_panel.show(page)
    runpy.run_path(f"{ROOT}/pages/{{page}}.py")
"""


class Learner(Session):
    """A session that sees the panel above the page."""

    def __init__(self):
        self.at = AppTest.from_string(SCRIPT, default_timeout=300)
        self.at.session_state["frame-begun"] = True
        self.run()

    def open(self, page):
        self.at.session_state["on"] = page
        return self.run()

    def click(self, label):
        (button,) = [button for button in self.at.button if button.label == label]
        button.click()
        return self.run()


LESSONS, RECODE, ATTACK = "lessons", "recode", "attack"


@pytest.fixture
def learner():
    return Learner()


def keys(session):
    return {button.key for button in session.at.button}


def done(session, name):
    held = session.at.session_state
    return {place for (lesson, place), step in held.get(lessons._KNOWN, {}).items() if lesson == name and step.done}


@pytest.fixture
def first(learner):
    """The first lesson, just begun."""
    return learner.press("lesson-start-intervals")


def test_starting_opens_the_lessons_study_on_its_page(first):
    assert first.title == "Recode"
    assert first.dataset.recipe == state.Recipe("toy")
    assert "Lesson 1" in first.says("markdown")
    assert "Do this:" in first.says("markdown")


def test_a_step_is_done_by_doing_only(first):
    # Looking around does nothing, and there is nothing to press that goes on.
    for page in (ATTACK, "hierarchies", RECODE):
        first.open(page)
        assert "lesson-next" not in keys(first)
        assert done(first, "intervals") == set()
    step = first.at.session_state[lessons._AT]
    assert step == ("intervals", 0)
    first.click("Forward")
    assert done(first, "intervals") == {0}
    first.press("lesson-next")
    assert "step 2 of 3" in first.says("markdown")
    assert "lesson-next" not in keys(first)


def labels(session):
    """All that can be read around a page's pictures, folded or not."""
    at = session.at
    said = [session.says("title", "subheader", "markdown", "caption")]
    said += [
        one.label for kind in ("button", "expander", "selectbox", "toggle", "number_input") for one in at.get(kind)
    ]
    return [*said, *(one.proto.popover.label for one in at.get("popover"))]


def test_the_first_lesson_shows_nothing_of_later_ones(first):
    """A state is explained in lesson 2, and no lesson chooses how a table is published on Recode."""
    for _ in range(3):
        said = "\n".join(labels(first))
        for later in ("state", "candidates", "arithmetic", "Privacy models", "Quality model", "Predict first", "\nk\n"):
            assert later not in said, later
        assert "Classes formed so far" in said
        first.click("Forward")
    assert "Step 3 of 5" in first.says("subheader")
    first.press("lesson-leave").open(RECODE)
    said = "\n".join(labels(first))
    assert all(
        own in said for own in ("Step 3 of 5: state (", "All 9 states", "Quality model", "Predict first", "\nk\n")
    )


def test_after_a_last_step_that_was_skipped_comes_the_next_lesson(first):
    for _ in range(3):
        first.press("lesson-skip")
    assert first.title.startswith("Lessons")
    assert done(first, "intervals") == set()
    assert "Start: lesson 2" in [button.label for button in first.at.button]
    # A lesson that is left in its midst comes first again.
    first.press("lesson-start-intervals").press("lesson-leave")
    first.open(LESSONS)
    assert "Start: lesson 1" in [button.label for button in first.at.button]


def test_what_was_skipped_does_not_count(first):
    first.press("lesson-skip")
    first.press("lesson-skip")
    assert first.title == "Attack"
    (pick,) = [box for box in first.at.selectbox if box.label == "Class"]
    pick.set_value(5)
    first.run()
    assert done(first, "intervals") == {2}
    # Whoever skipped with a purpose goes on.
    assert {"lesson-following", "lesson-end"} <= set(keys(first))
    # Back to where something is still to be done.
    first.press("lesson-back-to-open")
    assert first.title == "Recode"
    assert "step 1 of 3" in first.says("markdown")
    first.open(LESSONS)
    assert f"0 of {len(all_lessons())} lessons done" in first.at.get("progress")[0].proto.text
    assert "1 of 3 steps done" in first.says("caption")


def test_after_the_answer_the_text_is_one_press_away_and_back_finds_a_step_as_it_was_left(learner):
    """The definition was gone with the answer, and only the browser led back."""
    learner.press("lesson-start-suppressed")
    text, found = "the grey dot among the boxes", "So far: "
    assert text in learner.says("markdown")
    assert "lesson-previous" not in keys(learner)
    reveal(learner, 0)
    assert text not in learner.says("markdown")
    learner.press("lesson-unfold")
    assert text in learner.says("markdown")
    answered = [one.value for kind in ("success", "error") for one in getattr(learner.at, kind)]
    learner.press("lesson-unfold")
    learner.press("lesson-next")
    assert "Do this:" in learner.says("markdown")
    learner.press("lesson-previous")
    assert "step 1 of 3" in learner.says("markdown")
    assert found in learner.says("caption")
    assert [one.value for kind in ("success", "error") for one in getattr(learner.at, kind)] == answered
    # What a later step has chosen on the pages is not there yet.
    assert "The picture has moved on since." not in learner.says("caption")
    # Whoever goes on finds the next step as it was left, too.
    learner.press("lesson-next")
    reveal(learner, 0)
    learner.press("lesson-previous")
    learner.press("lesson-next")
    assert "step 2 of 3" in learner.says("markdown")
    assert "Done." in learner.says("markdown")


def linked(name, step, **values):
    """A new session that a link to a lesson has opened, with what else the link says of the picture."""
    learner = Learner()
    held = learner.at.session_state
    held[state._DATASET], held[state._STUDY] = example(all_lessons()[name].study)
    learner.at.session_state["link-options"] = Link(lesson=name, lesson_step=step)
    for key, value in values.items():
        learner.at.session_state[key] = value
    return learner.open(all_lessons()[name].step[step].page)


def test_a_link_begins_at_its_step_and_it_can_be_done():
    learner = linked("stealing", 1)
    (pick,) = [box for box in learner.at.selectbox if box.label == "Class"]
    assert "choose class 6" in learner.says("markdown")
    # Not the class that is to be chosen.
    assert pick.value == 0
    pick.set_value(7)
    learner.run()
    assert done(learner, "stealing") == {1}


def test_a_step_that_was_done_elsewhere_begins_anew_where_its_picture_does():
    at_its_beginning = linked("intervals", 0)
    (step,) = (
        key
        for key in at_its_beginning.at.session_state._state.filtered_state
        if re.fullmatch(r"recode-step--?\d+", key)
    )
    as_it_was_left = linked("intervals", 0, **{step: 1})
    for learner, found in ((at_its_beginning, False), (as_it_was_left, True)):
        learner.at.session_state[lessons._KNOWN]["intervals", 0].done = True
        learner.run()
        assert ("The first step publishes" in learner.says("markdown")) == found
        assert ("Do this:" in learner.says("markdown")) != found
    # The frame takes no room, or the page would move once the step is done and the frame is gone.
    framed = f"{VIEWS['stepper'].css} {{outline: 3px dashed"
    assert framed in styles(at_its_beginning)
    at_its_beginning.click("Forward")
    assert "The first step publishes" in at_its_beginning.says("markdown")
    # How it ends stands at the end.
    assert "equivalence classes" not in at_its_beginning.says("markdown")
    while "equivalence classes" not in at_its_beginning.says("markdown"):
        at_its_beginning.click("Forward")
    assert at_its_beginning.at.session_state[step] == len(at_its_beginning.at.select_slider[0].options) - 1
    assert framed not in styles(at_its_beginning)


def closed(session):
    """Whether a question waits, and nothing of what was found or of what comes next is told."""
    said = session.says("markdown")
    return "#### :material/psychology_alt: Predict" in said and "Done." not in said and "were left when" not in said


def test_a_question_that_was_answered_in_another_session_is_asked_before_anything_is_told():
    """After a reload the browser tells that the step was done: what was found stood below the open question."""
    learner = linked("singling-out", 0)
    learner.at.session_state[lessons._KNOWN]["singling-out", 0].done = True
    assert closed(learner.run())
    assert "lesson-next" not in keys(learner)
    # Nor does it tell when somebody comes back to it.
    learner.press("lesson-skip")
    learner.press("lesson-previous")
    assert closed(learner)
    assert done(learner, "singling-out") == {0}
    reveal(learner, 0)
    assert "were left when" in learner.says("markdown")
    assert "lesson-next" in keys(learner)
    # Answered in this session it stays so.
    learner.press("lesson-next")
    learner.press("lesson-previous")
    assert "were left when" in learner.says("markdown")


def test_a_presentation_begins_with_no_answer_though_the_lecturer_has_tried_the_lesson_before():
    learner = linked("singling-out", 0)
    reveal(learner, 0)
    learner.press("lesson-next")
    reveal(learner, 0)
    learner.press("lesson-previous")
    assert not closed(learner)
    learner.at.session_state[browser._KEY] = {"presenting": True}
    assert closed(learner.run())
    learner.click("Show the answer")
    learner.press("lesson-next")
    assert "step 2 of 3" in learner.says("markdown")
    assert closed(learner)
    # What was shown to others stays shown in the presentation.
    learner.press("lesson-previous")
    assert "were left when" in learner.says("markdown")


def styles(session):
    return "".join(one.proto.body for one in session.at.get("html"))


def test_a_link_without_a_table_brings_the_lessons_study():
    learner = Learner()
    learner.at.session_state["link-options"] = Link(lesson="limits", lesson_step=0)
    learner.open(RECODE)
    assert learner.dataset.recipe == state.Recipe("hospitals")
    assert "How many steps will there be then?" in learner.says("markdown")
    # In a lesson a question is answered, or its step is skipped.
    assert [button.label for button in learner.at.button if button.label == "Show without predicting"] == []


def test_leaving_takes_the_panel_away(first):
    assert "Lesson 1" in first.says("markdown")
    first.press("lesson-leave")
    assert first.title.startswith("Lessons")
    assert not {"lesson-leave", "lesson-skip"} & keys(first)
    # From every page, and another lesson's, too.
    first.press("lesson-start-singling-out").press("lesson-leave")
    assert first.title.startswith("Lessons")


def test_a_lesson_that_was_done_begins_anew(learner):
    lesson = all_lessons()["intervals"]
    learner.at.session_state[lessons._KNOWN] = {
        ("intervals", place): lessons.Known(done=True) for place in range(len(lesson.step))
    }
    learner.run()
    assert f"1 of {len(all_lessons())} lessons done" in learner.at.get("progress")[0].proto.text
    learner.press("lesson-start-intervals")
    assert done(learner, "intervals") == set()
    assert "Do this:" in learner.says("markdown")


def test_an_uploaded_table_is_replaced_only_when_asked(learner):
    rows = "\n".join(f"{20 + i},{50 + i}" for i in range(20))
    mine = uploaded("mine.csv", f"x,y\n{rows}\n".encode())
    learner.at.session_state[state._DATASET] = mine
    learner.press("lesson-start-intervals")
    assert "Your table is then dropped from this session." in learner.says("markdown")
    assert learner.dataset.digest == mine.digest
    learner.press("lesson-leave")
    assert learner.dataset.digest == mine.digest
    learner.open("lessons")
    learner.press("lesson-start-intervals")
    assert learner.dataset.digest == mine.digest
    learner.press("lesson-open")
    assert learner.dataset.recipe == state.Recipe("toy")
    assert "Do this:" in learner.says("markdown")


def test_another_table_is_noticed(first):
    mine = uploaded("mine.csv", b"x,y\n1,2\n3,4\n")
    first.at.session_state[state._DATASET] = mine
    first.open(LESSONS)
    assert "This lesson is about the table **Toy**" in first.says("markdown")
    assert "Your table is then dropped" in first.says("markdown")
    assert first.dataset.digest == mine.digest
    first.press("lesson-open")
    assert first.dataset.recipe == state.Recipe("toy")
    assert "Do this:" in first.says("markdown")


# ---------------------------------------------------------------- predict, then reveal


def question(session):
    (radio,) = [radio for radio in session.at.radio if radio.label == "Your prediction"]
    return radio


def reveal(session, option):
    question(session).set_value(option)
    session.run()
    (button,) = [button for button in session.at.button if button.label == "Reveal"]
    assert not button.disabled
    button.click()
    return session.run()


@pytest.fixture
def asked(learner):
    """The toy on the page Recode, with the switch on."""
    learner.open("start")
    learner.at.session_state[predict_panel._SWITCH] = True
    learner.at.session_state[state._DATASET], learner.at.session_state[state._STUDY] = example("toy")
    return learner.open(RECODE)


def test_a_right_and_a_wrong_prediction_make_the_score(asked):
    assert "**Which state is taken next**" in asked.says("markdown")
    # In the toy (1, 1) publishes first: it is the first of the answers.
    reveal(asked, 0)
    assert "Right: (1, 1)" in asked.says("success")
    assert "1 of 1 prediction right" in asked.says("caption")
    asked.click("Forward")
    reveal(asked, 0)
    assert "You said: (1, 1). The answer: (2, 1), and also (1, 2)." in asked.says("error")
    assert "1 of 2 predictions right" in asked.says("caption")
    assert asked.at.session_state[predict_panel._SCORE] is not None


def test_the_number_of_steps_does_not_answer_which_state_comes_next():
    """At the last step it would say that none does."""
    learner = linked("suppressed", 0)
    heading = [told.value for told in learner.at.subheader]
    assert "Step 5: state (1, 3)" in heading
    assert "which state is taken next" in learner.says("markdown").lower()
    assert "All boxes are published" not in learner.says("markdown")
    reveal(learner, len(question(learner).options) - 1)
    assert "Step 5 of 5: state (1, 3)" in [told.value for told in learner.at.subheader]


def test_nothing_is_revealed_without_a_prediction(asked):
    (button,) = [button for button in asked.at.button if button.label == "Reveal"]
    assert button.disabled


def test_the_attack_waits_for_the_prediction(asked):
    asked.open(ATTACK)
    assert "What the attacker concludes" not in asked.says("markdown")
    (passed,) = [button for button in asked.at.button if button.label == "Show without predicting"]
    for _ in range(6):
        passed.click()
        asked.run()
        found = [button for button in asked.at.button if button.label == "Show without predicting"]
        if not found:
            break
        (passed,) = found
    assert "What the attacker concludes" in asked.says("markdown")
    assert predict_panel._SCORE not in asked.at.session_state


def test_the_lesson_on_the_other_side_can_be_done(learner):
    learner.press("lesson-start-other-side")
    reveal(learner, 3)
    assert "The proof is right, but it is about rows." in learner.says("markdown")
    for label, value, found in (
        ("Look at", "A row's people", "So there is never a diamond"),
        ("Values drawn", "permutation", "hardly anybody sees an occupation twice"),
    ):
        learner.click("Next step")
        (control,) = [one for one in learner.at.get("button_group") if one.label == label]
        control.set_value(value)
        assert found in learner.run().says("markdown")


def test_the_lesson_on_the_other_side_shows_the_controls_that_it_uses_and_says_what_a_bucket_is(learner):
    def chosen_among():
        kinds = ("button_group", "selectbox", "multiselect", "slider", "toggle", "popover")
        return {
            one.label if kind != "popover" else one.proto.popover.label
            for kind in kinds
            for one in learner.at.get(kind)
        }

    learner.press("lesson-start-other-side")
    before = learner.says("markdown")
    assert before.index("5 **buckets** of the same size") < before.index("one per bucket")
    assert {"Promise", "Matches", "Columns"}.isdisjoint(chosen_among())
    assert not [one for one in learner.at.number_input if one.label == "Seed"]
    assert {"Look at", "Values drawn"} <= chosen_among()
    learner.press("lesson-leave").open("heterogeneous")
    assert {"Promise", "Matches", "Columns", "Look at", "Values drawn"} <= chosen_among()


def test_the_lesson_on_l_diversity_can_be_done(learner):
    learner.press("lesson-start-diversity")
    # Under k alone those over 80 share a row, and all three have migraine.
    assert "3 people of this ward would share a row that shows one illness only" in learner.says("markdown")
    # The suppressed row with its migraine, and those of 80 and more below 60 kg.
    assert "cells settle" not in learner.says("markdown")
    # What each row shows can be read while it is asked: without it nobody could tell.
    values = learner.at.dataframe[0].value.set_index("Class")["illness"]
    assert values["suppressed"] == "1 migraine"
    ward = pd.read_csv(ROOT / "sample_data/ward.csv")
    everybody = re.findall(r"(\d+) (\w+)", ", ".join(values))
    for illness, number in ward["illness"].value_counts().items():
        assert sum(int(count) for count, name in everybody if name == illness) == number
    reveal(learner, 1)
    assert "Right: 2." in learner.says("success")
    assert "2 cells settle the value" in learner.says("markdown")
    learner.click("Next step")
    assert "cells settle" not in learner.says("markdown")
    reveal(learner, 2)
    assert "Right: Of more." in learner.says("success")
    learner.click("Next step")
    reveal(learner, 0)
    assert "Right: Of fewer, and more detail is lost." in learner.says("success")
    # The picture is that of the release that the question was about.
    assert "With distinct 3-diversity of illness: from the release alone" in learner.says("markdown")
    assert "2 cells settle the value" not in learner.says("markdown")
    assert done(learner, "diversity") == {0, 1, 2}


def test_the_suppressed_person_is_found_on_the_page_that_finds_them():
    learner = linked("suppressed", 2)
    let_run(learner.at)
    (why,) = [box for box in learner.at.selectbox if box.label == "Why is it certain?"]
    elsewhere = next(cell for cell in why.options if "(already" in cell)
    why.select(elsewhere)
    learner.run()
    assert done(learner, "suppressed") == set()
    # The two cells that no box covers: ages from 40 and from 60, weights from 40.
    (why,) = [box for box in learner.at.selectbox if box.label == "Why is it certain?"]
    why.select(next(cell for cell in why.options if "age from 60 to under 80 years and weight from 40" in cell))
    learner.run()
    assert done(learner, "suppressed") == {2}


def test_a_lesson_that_is_resumed_finds_what_it_speaks_of(monkeypatch):
    for name, place in (("larger-k", 2), ("hierarchies", 1), ("two-releases", 2)):
        monkeypatch.setattr(lessons, "first_open", lambda _, place=place: place)
        learner = Learner().press(f"lesson-start-{name}")
        study = learner.at.session_state[state._STUDY]
        if name == "larger-k":
            assert study.k == 5
        elif name == "hierarchies":
            assert [attribute.layers for attribute in study.attributes] == [3, 4]
        else:
            (releases,) = [part for part in learner.at.get("button_group") if part.proto.label.startswith("Releases")]
            assert releases.value == [(4, None), (7, None)]


def test_the_coins_of_the_lesson_on_coins_fall_alike_for_everybody_and_are_never_handed_out():
    drawn = []
    for _ in range(2):
        learner = linked("defend-anna", 1)
        (knob,) = [slider for slider in learner.at.get("select_slider") if slider.label == "Epsilon"]
        knob.set_value("1")
        learner.run()
        assert done(learner, "defend-anna") == {1}
        (made,) = [one for key, one in learner.at.session_state[state._DRAWS].items() if key[1].epsilon == 1]
        drawn.append([(one.segment, one.size) for one in made.classes])
        assert "Hand it out" not in [tab.label for tab in learner.at.tabs]
    assert drawn[0] == drawn[1]


def test_the_lesson_on_coins_shows_two_releases_that_settle_one_person():
    learner = linked("defend-anna", 2)
    assert "**The first release**" in learner.says("markdown")
    assert "**The second release**" in learner.says("markdown")
    reveal(learner, 0)
    assert "You said: No" in learner.says("error")
    assert "Together they settle 1 part of the grid at 1 person, below k = 3" in learner.says("markdown")
    assert "A box of the first release holds 7 people" in learner.says("markdown")
    # Another draw is a real one, and the next time the lesson is opened its own two are back.
    learner.click("Toss again")
    assert keys_of_session.BESIDE.name not in learner.at.session_state


def recoded(learner):
    """The table recoded on the page Global recode; the run goes on beside the page."""
    learner.click("Recode globally")
    let_run(learner.at)
    return learner


def test_the_lesson_on_pruning_can_be_done(learner):
    learner.press("lesson-start-pruning")
    assert "there are 16 states" in learner.says("markdown")
    assert done(learner, "pruning") == set()
    recoded(learner)
    # What the page says below of the same search.
    (checked,) = re.findall(r"([0-9]+) states checked \+ ([0-9]+) predicted = 16", learner.says("success"))
    assert f"Only {checked[0]} states were looked at. For the other {checked[1]} it follows" in learner.says("markdown")
    learner.click("Next step")
    # The page says nothing of what follows before the question is answered.
    assert "Flash looks at (3, 0)" in learner.says("markdown")
    assert "So no finer state can do" not in learner.says("markdown")
    # Weight in one interval, age as it stands, suppresses somebody: so does everything finer.
    reveal(learner, 1)
    assert "Right: All finer states are settled." in learner.says("success")
    assert "So no finer state can do" in learner.says("markdown")
    for wrong, found in ((0, "it saves people from suppression"), (0, "can break the promise")):
        learner.click("Next step")
        # Beside the question stand its own people: neither the table in use nor its states.
        assert "the question's own people" in learner.says("markdown")
        assert not learner.at.dataframe
        assert "Recode globally" not in [button.label for button in learner.at.button]
        assert len(learner.at.get("plotly_chart")) == 1
        reveal(learner, wrong)
        assert "You said" in learner.says("error")
        assert found in learner.says("markdown")
    learner.click("Next step")
    recoded(learner)
    assert done(learner, "pruning") == {0, 1, 2, 3}
    (slider,) = [one for one in learner.at.select_slider if one.label == "Suppressed records, at most"]
    slider.set_value(Decimal("0.5"))
    learner.run()
    assert done(learner, "pruning") == {0, 1, 2, 3}
    recoded(learner)
    assert done(learner, "pruning") == {0, 1, 2, 3, 4}
    assert "The finer state (1, 1) may be published too" in learner.says("markdown")


@pytest.mark.parametrize("skipped", [True, False])
def test_a_question_about_a_search_has_its_picture_though_nobody_recoded(learner, skipped):
    if skipped:
        learner.press("lesson-start-pruning")
        learner.press("lesson-skip")
    else:
        learner = linked("pruning", 1)
    let_run(learner.at)
    assert "step 2 of 5" in learner.says("markdown")
    assert "What follows?" in learner.says("markdown")
    assert "Flash looks at (3, 0)" in learner.says("markdown")
    # What it takes to be done is still the person's.
    assert done(learner, "pruning") == set()
    if skipped:  # where the person begins, the picture that is there already does not count
        learner.press("lesson-previous")
        let_run(learner.at)
        assert done(learner, "pruning") == set()


BEGUN = [
    pytest.param(name, place, marks=() if (name, place) == ("pruning", 0) else pytest.mark.exhaustive)
    for name, lesson in all_lessons().items()
    for place, step in enumerate(lesson.step)
    if step.begin
]


@pytest.mark.parametrize(("name", "place"), BEGUN)
def test_what_a_lesson_begins_with_is_no_second_default_of_a_field(name, place, monkeypatch, caplog):
    """Streamlit warns of a field that has a default and a value that was set, once in the life of a server."""
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)
    monkeypatch.setattr(policies, "runtime", SimpleNamespace(exists=lambda: True))
    linked(name, place)
    assert not [record.getMessage() for record in caplog.records if "default value" in record.getMessage()]


# ---------------------------------------------------------------- a class on its telephones

ASKED = [
    pytest.param(name, place, marks=() if (name, place) in {("halves", 0), ("greedy", 0)} else pytest.mark.exhaustive)
    for name, lesson in all_lessons().items()
    for place, step in enumerate(lesson.step)
    if step.question is not None
]


@pytest.mark.parametrize(("name", "place"), ASKED)
def test_a_class_is_asked_what_the_lesson_asks(monkeypatch, name, place):
    rooms = Rooms()
    monkeypatch.setattr(serving, "_served", [rooms])
    room = rooms.open(())
    seat = room.join()
    lesson = all_lessons()[name]
    learner = linked(name, place, **{browser._CLASS: room.key})
    if (name, place) == ("pruning", 1):
        learner.click("Recode globally")  # which the step before has done
    assert not [radio for radio in learner.at.radio if radio.label == "Your prediction"]
    told = room.shown(seat)
    assert (told["open"], told["title"]) == (True, str(html(lesson.step[place].title)))
    assert told["count"] == f"Lesson {lesson.number} · step {place + 1} of {len(lesson.step)}"
    options = re.findall(r'data-choice="(o\d)">([^<]+)<', told["picture"])
    assert 2 <= len(options) <= 6
    assert ("<svg" in told["picture"]) == (lesson.step[place].page in {"attack", "single_out"})
    assert not {"right", "found", "against"} & set(told)
    # A wrong guess is told why, and what is right; nobody can guess any more.
    learner.click("Show the answer")
    right = room.shown(seat)["right"]
    assert right
    assert set(right) < {choice for choice, _ in options}
    found = room.shown(seat)["found"]
    assert found.startswith("<strong>The answer: ")
    assert all(dict(options)[one] in found.partition("</strong>")[0] for one in right)
    assert not room.guess(seat, told["step"], right[0])
    # What is asked again is the same question; who leaves the lesson asks nothing more.
    learner.run()
    assert room.shown(seat)["step"] == told["step"]
    learner.press("lesson-leave")
    assert room.shown(seat)["step"] is None


def test_the_list_opens_a_lesson_with_one_press_and_asks_where_to_begin_only_once(learner, monkeypatch):
    shown = learner.open(LESSONS)
    assert shown.at.title[0].value == "Lessons: where to begin?"
    labels = [button.label for button in shown.at.button]
    assert "**9.** Singling out, and without raw data" in labels
    assert "lesson-start-singling-out" in keys(shown)
    # What is for teachers alone is named so, and is one closed line at the top; the solutions are closed inside it.
    folds = [fold.label for fold in shown.at.expander]
    assert folds == ["For teachers: 45 minutes in class, handouts and solutions", "Exercises: the paper's errors"]
    teachers = open_page("lessons", **{"lesson-teachers-0": True})
    assert "Solutions" in [fold.label for fold in teachers.expander[0].expander]
    papers = [one.proto.id for one in teachers.get("download_button")]
    assert [any(name in one for one in papers) for name in ("lesson-print", "lesson-key")] == [True, False]
    labels = [one.proto.label for one in teachers.get("download_button")]
    assert {"All handouts", "1. Why intervals feel safe"} <= set(labels)
    # How it reaches the devices of a class: as files that ask no server, or from this computer.
    assert {"Story as one file", "Playground as one file"} <= set(labels)
    assert any("`cra-explorer --class`" in one.value for one in teachers.markdown)
    monkeypatch.setattr(lessons, "complete", lambda lesson: lesson.id == "intervals")
    assert learner.open(LESSONS).at.title[0].value == "Lessons: which comes next?"


def test_the_list_has_the_plan_of_an_hour_in_class_as_the_guide_has_it_and_says_what_a_number_is(learner):
    shown = learner.open(LESSONS)
    guide = (ROOT / "docs/lecturers.md").read_text("utf-8").split("## A lesson in 45 minutes")[1].split("\n## ")[0]
    listed = [" ".join(part.split()) for part in re.split(r"\n\d\. ", guide)[1:]]
    opened = open_page("lessons", **{"lesson-teachers-0": True})
    (plan,) = [one.value for one in opened.markdown if one.value.startswith("1. *The story")]
    assert plan.split("\n") == [f"1. {part}" for part in listed]
    assert sum(int(minutes) for minutes in re.findall(r"\((\d+) min\)", plan)) == 45
    (other,) = [one for one in shown.at.markdown if one.value == "**Other papers: 15 minutes**"]
    assert "A number names a lesson" in other.help


def test_each_other_method_names_its_lesson():
    begun = {lesson.step[0].page: (lesson.number, lesson.id) for lesson in all_lessons().values()}
    assert {page: lesson for page, lesson in begun.items() if page in menu.MORE} == menu.LESSONS
