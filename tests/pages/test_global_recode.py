"""The page Global recode: models, the run, Flash step by step, the pictures and the published table."""

from decimal import Decimal

import pandas as pd
import pytest
from support import let_run, look, open_page, shown

from cra_dashboard.global_recode import replay, run, story
from cra_dashboard.lessons.pages import global_recoding as questions
from cra_engine import Attribute, LDiversity, Study, TCloseness, global_recode
from cra_engine.files.row_order import release_text
from cra_engine.publish.full_domain.search import UTILITIES

FRAME = pd.DataFrame(
    {
        "age": [21, 21, 34, 36, 45, 47, 52, 58, 63, 66, 66, 69],
        "weight": [60, 61, 75, 74, 80, 82, 60, 64, 71, 70, 77, 79],
        "diagnosis": ["flu", "cold", "flu", "flu", "cold", "gout", "flu", "flu", "cold", "gout", "flu", "cold"],
    }
)
STUDY = Study([Attribute("age", 0, 80, 4), Attribute("weight", 40, 120, 4)], 2)
DIVERSE = LDiversity("diagnosis", variant="distinct", l=Decimal(2))


def press(app, label):
    # What begins by itself comes to its end first.
    if next(button for button in app.button if button.label == label).disabled:
        let_run(app)
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception, app.exception
    return app


def opened(study=STUDY, frame=FRAME):
    app = open_page("global_recoding", frame, study)
    assert not app.exception, app.exception
    return app


def recoded(study=STUDY):
    return let_run(press(opened(study), "Recode globally"))


def test_a_grid_of_any_size_is_taken():
    wide = [Attribute(name, 0, 512, 10) for name in ("age", "weight", "steps")]
    app = opened(Study(wide, 2), FRAME.assign(steps=range(12)))
    assert any(button.label == "Recode globally" for button in app.button)


def test_before_there_is_a_study():
    assert "Nobody has said which columns others may know" in open_page("global_recoding", FRAME).info[0].value


def test_the_whole_path():
    app = recoded()
    expected = global_recode(FRAME, STUDY, suppression_limit=Decimal("0.05"))
    text = shown(app)
    looks = expected.looks
    assert f"**Published: state ({expected.state[0]}, {expected.state[1]}), " in text
    predicted = looks.states - looks.checked
    assert f"{looks.checked} states checked + {predicted} predicted = 25: no state is better" in app.success[0].value
    tables = [table.value for table in app.dataframe]
    assert any(len(table) == 25 and set(table["settled"]) <= {"checked", "predicted"} for table in tables)
    pd.testing.assert_frame_equal(
        next(table for table in tables if "diagnosis" in table).astype(str).reset_index(drop=True),
        expected.frame.astype(str).reset_index(drop=True),
    )
    # Other settings: the result stays and says that it is for others.
    app.select_slider[0].set_value(Decimal("0.5")).run()
    assert "result for other settings" in "".join(info.value for info in app.info)
    app = let_run(press(app, "Recode globally"))
    assert "result for other settings" not in "".join(info.value for info in app.info)


def test_a_model_can_be_added_and_left_out_again():
    app = opened()
    next(box for box in app.selectbox if box.label == "Column").set_value("diagnosis").run()
    press(app, "Add this model")
    assert "distinct 2-diversity of diagnosis" in shown(app)
    app = let_run(press(app, "Recode globally"))
    assert app.session_state["cra_global_recode"][1].settings.study.privacy == (DIVERSE,)
    assert "What each model costs" in shown(app)
    press(app, "Remove")
    assert "distinct 2-diversity of diagnosis" not in [m.value for m in app.markdown]


def test_the_models_of_the_study_are_there_to_begin_with():
    app = recoded(Study(STUDY.attributes, 2, privacy=[DIVERSE]))
    assert app.session_state["cra_global_recode"][1].recoding.criteria[1].attribute == "diagnosis"
    costs = [table.value for table in app.table if "Anonymous states" in table.value]
    assert list(costs[0].index) == ["2-anonymity", "2-anonymity, distinct 2-diversity of diagnosis"]


def test_what_cannot_be_done_is_said():
    impossible = LDiversity("diagnosis", variant="distinct", l=Decimal(5))
    app = let_run(press(opened(Study(STUDY.attributes, 2, privacy=[impossible])), "Recode globally"))
    assert "No state is anonymous" in app.error[0].value
    # Before there is a picture, too: elsewhere layer 1 is the finest.
    assert "Here layer 0 are the exact values, which local recoding never publishes." in shown(app)


@pytest.mark.parametrize("search", replay.SEARCHES)
@pytest.mark.parametrize("limit", ["0", "0.3"])
def test_the_replay_ends_where_the_search_ended(limit, search):
    found = run.compute(FRAME, run.Settings(STUDY, Decimal(limit), "entropy"), run.Progress())
    result, looks = found.recoding, run.searched(found, search)
    assert looks.best("aecs") == result.looks.best("aecs")
    last = replay.last_step(looks)
    settled = -1
    for step in range(last + 1):
        now = replay.moment(looks, step, result.state)
        open_now = now.count("waiting")
        phase_2 = step > len(looks.steps)
        assert looks.states - open_now > settled or phase_2
        settled = looks.states - open_now
        assert replay.SEARCHES[search] in replay.search_told(looks, 0, 2, search)
        assert replay.search_told(looks, step, 2, search)
    assert settled == looks.states
    assert now.count("chosen") == 1
    anonymous = now.count("chosen") + now.count("looked") + now.count("implied")
    assert anonymous == int(looks.anonymous.sum())
    assert now.count("implied") + now.count("implied_no") == looks.states - looks.checked
    reasons = [replay.status_reason(looks, now, place) for place in range(looks.states)]
    assert sum(text.startswith("predicted from") for text in reasons) == looks.states - looks.checked


@pytest.mark.parametrize("utility", UTILITIES)
def test_the_run_compares_with_every_state(utility):
    found = run.compute(FRAME, run.Settings(STUDY, Decimal("0.2"), utility), run.Progress())
    assert found.every.checked == found.every.states
    assert found.every.best(utility) == found.recoding.state
    assert release_text(found.recoding.frame).splitlines()[0] == "age;weight;diagnosis"


def drawn_people(figure):
    """The values of the people in a picture of a small table, by what the legend calls them."""
    return {trace["name"]: [int(x) for x in trace["x"]] for trace in figure.to_plotly_json()["data"]}


def boxes(figure, dash):
    """The extents of the boxes in it that have such a border."""
    shapes = figure.to_plotly_json()["layout"]["shapes"]
    return {(shape["x0"], shape["x1"]) for shape in shapes if shape["line"]["dash"] == dash}


def test_the_papers_figures_as_questions():
    loses = questions.coarser_loses()
    assert loses.options[loses.right] == "The tens"
    # 6 / (1 + 1) and 6 / 3, as the paper prints them.
    assert "Exact ages keep 1 class and suppress 4 people," in loses.why[0]
    assert "in two classes, 3 each. Tens keep 3 and suppress 0: 2 each." in loses.why[0]
    assert drawn_people(loses.drawn(False)) == {"a person": [21, 21, 34, 36, 45, 47] * 2}
    assert drawn_people(loses.drawn(True)) == {
        "a person": [21, 21, 34, 36, 45, 47, 21, 21],  # in tens, below, everybody
        "a person, suppressed": [34, 36, 45, 47],
    }
    assert boxes(loses.drawn(True), "solid") == {(20, 30), (30, 40), (40, 50), (21, 22)}
    assert boxes(loses.drawn(True), "dot") == {(34, 35), (36, 37), (45, 46), (47, 48)}
    assert boxes(loses.drawn(False), "dot") == set()
    fails = questions.coarser_fails()
    assert fails.options[fails.right].startswith("That fails")
    assert (
        "In tens 10 people are suppressed. All ages together, twelve flus beside two colds fail, and 14 people"
        in fails.why[0]
    )
    assert drawn_people(fails.drawn(True)) == {
        "flu": [21, 33],
        "cold": [25, 38],
        "flu, suppressed": [21, 33, *range(40, 50), *range(40, 50)],
        "cold, suppressed": [25, 38],
    }
    assert boxes(fails.drawn(True), "solid") == {(20, 30), (30, 40)}
    assert boxes(fails.drawn(True), "dot") == {(0, 80), (40, 50)}


def test_what_follows_from_a_look():
    found = run.compute(FRAME, run.Settings(STUDY, Decimal("0.3"), "entropy"), run.Progress()).recoding.looks
    assert questions.what_follows(found, 0) is None
    for step, step_look in enumerate(found.steps, start=1):
        question = questions.what_follows(found, step)
        assert question.options[question.right] == f"All {'coarser' if step_look.fits else 'finer'} states are settled"


@pytest.mark.parametrize(
    ("search", "where"),
    [("Flash", "on a path of"), ("OLA", "between ("), ("Incognito", "quasi-identifiers. State")],
)
def test_each_search_is_replayed(search, where):
    app = recoded()
    look(app, search, "Search")
    press(app, "Back")
    said = shown(app)
    assert "Look " in said
    assert where in said
    # Whatever searched, the proof on the page and the published state stay.
    assert "no state is better" in app.success[0].value


def test_predict_first():
    app = opened()
    app.toggle[0].set_value(True).run()
    app = let_run(press(app, "Recode globally"))
    asked = next(radio for radio in app.radio if "The tens" in radio.options)
    asked.set_value(1).run()
    press(app, "Reveal")
    assert any("Right\\: The tens" in success.value for success in app.success)


def test_without_a_model_k_of_1_asks_for_nothing():
    close = TCloseness("diagnosis", t=Decimal("0.5"))
    app = opened(Study(STUDY.attributes, 1, privacy=[close]))
    assert "0.5-closeness of diagnosis (equal distance)" in shown(app)
    press(app, "Remove")
    assert "k is 1; it must be 2 or more" in app.error[0].value


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ((0, 0), "age and weight as they stand"),
        ((0, 2), "age as it stands; weight by layer 2"),
        ((4, 1), "weight by layer 1; age not at all"),
        ((4, 4), "age and weight not at all"),
    ],
)
def test_a_state_in_words(state, said):
    assert story.state_shows(STUDY, state) == said


def test_every_state_can_be_asked_for_in_words():
    found = run.compute(FRAME, run.Settings(STUDY, Decimal("0.3"), "precision"), run.Progress())
    looks = found.recoding.looks
    now = replay.moment(looks, replay.last_step(looks), found.recoding.state)
    table = run.states(found)
    for place, row in enumerate(table.to_dict("records")):
        told = story.state_told(STUDY, found.every, looks, now, "precision", place)
        assert told.startswith(f"**({row['age']}, {row['weight']})** shows ")
        assert f"{row['suppressed']} record" in told
        assert ("too many to publish it" in told) == (row["suppressed"] > 3)
        assert ("predicted" in told) == (row["settled"] == "predicted")
        assert told.endswith("published.") == ((row["age"], row["weight"]) == found.recoding.state)


def test_before_it_is_recoded_there_is_the_table_to_look_at(monkeypatch):
    monkeypatch.setattr(run, "start_once", lambda *_: None)
    app = open_page("global_recoding", FRAME, STUDY)
    assert "The table before" in shown(app)
    pd.testing.assert_frame_equal(app.dataframe[0].value, FRAME[list(STUDY.names)], check_dtype=False)
