"""The Recode page from every state a session can be in: what it shows, and what stepping does."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support import open_page, pictures

from cra_dashboard.session import state
from cra_engine import Attribute, Recoding, Study, read_release, read_table

SAMPLES = Path(__file__).resolve().parents[2] / "sample_data"
TIE = pd.DataFrame(
    [(370, 135), (290, 290), (150, 115), (260, 245), (95, 125), (215, 155)], columns=["weight", "pressure"]
)
# Worked out in tests/dashboard/hand_recodings.py: (1, 3) publishes three, then (3, 1) the other three.
TIE_STUDY = Study([Attribute("weight", 0, 400, 3, unit="lb"), Attribute("pressure", 0, 400, 3)], 3)


def recode_page(frame=None, study=None):
    app = open_page("recode", frame, study)
    assert not app.exception
    return app


def press(app, label):
    (button,) = [button for button in app.button if button.label == label]
    assert not button.disabled
    button.click().run()
    assert not app.exception


def heading(app):
    return app.subheader[0].value


def text(app):
    return "\n".join(element.value for element in (*app.markdown, *app.caption))


def figures(app):
    """The specifications of the charts, lattice first."""
    charts = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    return charts + [told["figure"] for told in pictures(app)]


def alts(app):
    return [chart.proto.alt for chart in app.get("plotly_chart")] + [told["alt"] for told in pictures(app)]


def toy():
    return read_table(SAMPLES / "toy.csv"), Study.from_toml(SAMPLES / "toy.toml")


# --- Nothing to show yet ---------------------------------------------------------------------------------------------


def test_without_a_study_the_page_says_where_to_get_one():
    app = recode_page(TIE)
    assert "Nobody has said which columns others may know" in app.info[0].value
    assert not figures(app)


@pytest.mark.parametrize(
    ("study", "message"),
    [
        (Study([Attribute("weight", 0, 400, 3)], 7), "k = 7 is more than the 6 records"),
        (Study([Attribute("height", 0, 400, 3)], 3), "no column 'height'"),
        (Study([Attribute("weight", 0, 200, 3)], 3), "outside the domain"),
    ],
)
def test_a_study_that_does_not_fit_is_explained(study, message):
    app = recode_page(TIE, study)
    assert message in app.error[0].value
    assert not figures(app)


# --- Stepping --------------------------------------------------------------------------------------------------------


def test_the_first_view_is_the_raw_table_with_a_question():
    app = recode_page(TIE, TIE_STUDY)
    assert heading(app) == "Before the first step: the raw table"
    assert "4 states of 9 could publish now" in text(app)
    assert alts(app)[1] == "Grid: 6 people not published yet, 0 published now, 0 earlier."


def test_forward_shows_each_state_with_its_reason():
    app = recode_page(TIE, TIE_STUDY)
    press(app, "Forward")
    assert heading(app) == "Step 1 of 2: state (1, 3)"
    assert "is the cheapest state that still has a box with at least k = 3 of the 6 remaining people" in text(app)
    assert "their fullest box holds only 2" in text(app)
    assert ") loses exactly as much: the smaller share of different values lost (**c3**) decides." in text(app)
    assert "An attacker who has only the release cannot compute c3." in text(app)  # in what opens below
    assert "3 people not published yet, 3 published now, 0 earlier" in alts(app)[1]
    press(app, "Forward")
    assert heading(app) == "Step 2 of 2: state (3, 1)"
    assert "0 people not published yet, 3 published now, 3 earlier" in alts(app)[1]
    press(app, "Forward")
    assert heading(app) == "The end: nothing is left"
    assert "6 of 6 people published, 0 suppressed" in alts(app)[1]
    press(app, "Back")
    assert heading(app) == "Step 2 of 2: state (3, 1)"


def test_the_slider_goes_anywhere():
    app = recode_page(TIE, TIE_STUDY)
    # One numbering: that of the iterations, as in the heading.
    assert app.select_slider[0].options == ["raw table", "1", "2", "end"]
    app.select_slider[0].set_value(2).run()
    assert heading(app) == "Step 2 of 2: state (3, 1)"


def test_play_starts_and_a_step_by_hand_pauses():
    app = recode_page(TIE, TIE_STUDY)
    press(app, "Play")
    assert heading(app).startswith("Step 1")
    press(app, "Forward")
    assert heading(app).startswith("Step 2")
    assert "Play" in [button.label for button in app.button]


def test_the_step_is_kept_on_the_way_to_another_page_but_not_for_another_study():
    app = recode_page(TIE, TIE_STUDY)
    press(app, "Forward")
    app.switch_page("pages/data.py").run()
    app.switch_page("pages/recode.py").run()
    assert heading(app).startswith("Step 1 ")
    app.session_state[state._STUDY] = TIE_STUDY.with_k(4)
    app.run()
    assert heading(app).startswith("Before the first step")


def test_states_and_classes_are_in_tables_too():
    app = recode_page(TIE, TIE_STUDY)
    app.select_slider[0].set_value(1).run()
    near, every, classes, tiles, _ = (frame.value for frame in app.dataframe)
    assert list(near["state"])[:5] == ["(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)", "(1, 3)"]
    assert list(near["can publish"])[:5] == ["no", "no", "no", "no", "yes"]
    assert len(every) == 9
    assert classes[["class", "records"]].to_numpy().tolist() == [[0, 3]]
    assert tiles["not published yet"].sum() == tiles["published now"].sum() == 3


def test_records_are_dots_or_numbers():
    app = recode_page(TIE, TIE_STUDY)
    assert len(figures(app)[1]["dots"]) == 6
    next(group for group in app.segmented_control if group.label == "Show records as").set_value("numbers").run()
    assert not app.exception
    assert not figures(app)[1]["dots"]
    assert sorted(text for _, _, _, text, *_ in figures(app)[1]["tiles"] if text) == ["1", "1", "1", "1", "2"]


# --- All sorts of studies --------------------------------------------------------------------------------------------


def step_through(app):
    last = len(app.select_slider[0].options) - 1
    for index in sorted({0, 1, last // 2, last}):
        app.select_slider[0].set_value(index).run()
        assert not app.exception
        assert figures(app)
    return last


def random_table(columns, records=120):
    rng = np.random.default_rng(5)
    return pd.DataFrame({f"q{i}": rng.integers(0, 64, records) for i in range(columns)})


@pytest.mark.parametrize(
    ("columns", "layers"),
    [(1, 4), (1, 1), (2, 1), (2, 7), (3, 3), (4, 3)],
    ids=["one", "one flat", "two flat", "two fine", "three", "four"],
)
def test_any_number_of_attributes_can_be_stepped_through(columns, layers):
    study = Study([Attribute(f"q{i}", 0, 64, layers, unit="kg") for i in range(columns)], 3)
    app = recode_page(random_table(columns), study)
    step_through(app)
    other = ("State", "Model", "Attributes together")
    assert len([box for box in app.selectbox if box.label not in other]) == (0 if columns <= 2 else columns)
    shown = json.dumps(figures(app)[1])
    assert "q0 (kg)" in shown
    assert ("q1 (kg)" in shown) == (columns > 1)


def test_a_fine_grid_is_folded_and_says_so():
    table = pd.DataFrame({"q0": range(500), "q1": range(500)})
    app = recode_page(table, Study([Attribute("q0", 0, 1024, 11), Attribute("q1", 0, 1024, 9)], 3))
    step_through(app)
    assert "too many to draw: a tile joins neighbouring ones" in text(app)
    assert figures(app)[1]["across"]["ends"] == figures(app)[1]["upwards"]["ends"] == [0, 64]


def test_a_slice_shows_only_its_records():
    table = random_table(3)
    app = recode_page(table, Study([Attribute(f"q{i}", 0, 64, 3) for i in range(3)], 3))
    assert "120 people not published yet" in alts(app)[1]
    app.selectbox[2].set_value(1).run()
    inside = int(table["q2"].between(16, 31).sum())
    assert f"{inside} people not published yet" in alts(app)[1]


def test_a_huge_lattice_is_shown_level_by_level():
    app = recode_page(random_table(4), Study([Attribute(f"q{i}", 0, 64, 5) for i in range(4)], 3))
    app.select_slider[0].set_value(2).run()
    assert not app.exception
    assert "625 states, too many to draw one by one" in text(app)
    assert "States per level" in alts(app)[0]
    assert {trace["type"] for trace in figures(app)[0]["data"]} == {"bar"}


def test_when_everything_is_suppressed_the_page_says_so_and_what_to_do():
    table = pd.DataFrame({"a": [1, 20, 40, 60, 80, 90], "b": [1, 90, 20, 50, 70, 3]})
    app = recode_page(table, Study([Attribute("a", 0, 96, 3), Attribute("b", 0, 96, 3)], 6))
    assert step_through(app) == 1
    (said,) = (warning.value for warning in app.warning if "Every record is suppressed" in warning.value)
    assert "Take a smaller k" in said
    assert "6 people are left and suppressed" in text(app)
    assert "0 of 6 people published, 6 suppressed" in alts(app)[1]


def test_a_share_per_step_is_explained():
    app = recode_page(pd.DataFrame({"age": [*range(398), 0]}), Study([Attribute("age", 0, 512, 10)], 2, "arx-gui"))
    press(app, "Forward")
    assert "one step must publish at least 4" in text(app)


def test_findings_in_the_table_are_shown():
    app = recode_page(pd.DataFrame({"age": ["1.5", "2", "3", "4"]}), Study([Attribute("age", 0, 8, 2)], 2))
    assert "age" in app.warning[0].value


def test_a_name_with_markup_is_shown_as_it_is():
    table = TIE.rename(columns={"weight": "a*b*<i>$x$"})
    study = Study([Attribute("a*b*<i>$x$", 0, 400, 3), TIE_STUDY.attributes[1]], 3)
    app = recode_page(table, study)
    step_through(app)
    assert figures(app)[1]["across"]["title"] == "a*b*<i>$x$"


# --- The result ------------------------------------------------------------------------------------------------------


def test_the_result_is_counted_and_shown():
    frame, study = toy()
    frame["name"] = [f"person {i}" for i in range(len(frame))]
    app = recode_page(frame, study)
    recoding = app.session_state[state._RESULTS]["recoding"][1]
    basic = sum(c.segment.basic for c in recoding.classes)
    boxes = f"**{len(recoding.classes)} boxes** (equivalence classes)"
    assert "equivalence classes" not in text(app)  # nobody has seen a step yet
    app.select_slider[0].set_value(1).run()
    assert f"{36 - recoding.suppressed} of 36 people in {boxes}: {basic} of" in text(app)
    assert f"**{recoding.suppressed} suppressed**" in text(app)
    published = app.dataframe[-1].value
    assert list(published.columns) == ["age", "weight", "name"]
    assert len(published) == 36
    assert list(published["name"]) == list(frame["name"])


def test_what_5_plus_stands_for_is_said_once_a_class_is_drawn():
    study = Study((*toy()[1].attributes, Attribute("sex", 0, 2, 2)), 3)
    app = recode_page(toy()[0].assign(sex=[row % 2 for row in range(36)]), study)
    said = "5+ stands for class 5"
    assert said not in text(app)
    press(app, "Forward")
    assert said in text(app)


def test_the_downloads_are_a_release_that_can_be_read_again():
    frame, study = toy()
    app = recode_page(frame, study)
    release, toml = (app.session_state[state._RESULTS]["release-csv"][1], study.to_toml_text())
    labels = [button.label for button in app.get("download_button")]
    assert labels == ["Release and study (ZIP)", "Published table (CSV)", "Study (TOML)"]
    again = read_release(release.encode(), Study.from_toml_text(toml))
    assert again.records == 36
    assert again.k == study.k


# --- Other models ----------------------------------------------------------------------------------------------------


def ill():
    frame, study = toy()
    return frame.assign(illness=["flu", "gout", "cold"] * (len(frame) // 3)), study


def test_no_line_ends_inside_a_state():
    app = recode_page(*toy())
    press(app, "Forward")
    assert re.search("\\(\\d,\N{NO-BREAK SPACE}\\d\\)", text(app))
    said = "\n".join(one.value for one in app.markdown)
    assert not re.search(r"\(\d, \d\)", said), said


def test_k_is_chosen_where_its_effect_is_seen():
    app = recode_page(*toy())
    k = app.number_input(key="hierarchy-k")
    assert k.value == app.session_state[state._STUDY].k == 3
    k.set_value(6).run()
    assert app.session_state[state._STUDY].k == 6
    assert "at least k = 6" in text(app)
    profile = app.session_state[state._STUDY].profile
    app.number_input(key="hierarchy-k").set_value(37).run()
    assert "k = 6 stays in use" in app.error[0].value
    assert (app.session_state[state._STUDY].k, app.session_state[state._STUDY].profile) == (6, profile)


def test_a_privacy_model_is_asked_for_and_left_out_again():
    app = recode_page(*ill())
    before = heading(app)
    app.selectbox(key="recode-model-kind").select("distinct l-diversity").run()
    app.selectbox(key="recode-model-column").select("illness").run()
    app.number_input(key="recode-model-l").set_value(3).run()
    press(app, "Add this model")
    assert "distinct 3-diversity of illness" in text(app)
    app.button(key="recode-model-add").run()
    press(app, "Remove")
    assert "distinct 3-diversity of illness" not in text(app)
    assert heading(app) == before


def test_a_model_with_numbers_that_fail_says_so_and_changes_nothing():
    app = recode_page(*ill())
    kinds = app.selectbox(key="recode-model-kind").options
    assert "average re-identification risk" in kinds
    assert "d-presence" not in kinds
    app.selectbox(key="recode-model-kind").select("t-closeness, hierarchical distance").run()
    press(app, "Add this model")
    assert any("needs a hierarchy file" in told.value for told in app.error)


def test_another_quality_model_is_followed_as_arx_does_and_no_reason_of_the_paper_is_given():
    app = recode_page(*ill())
    (model,) = [box for box in app.selectbox if (box.key or "").startswith("recode-quality-")]
    model.select("precision").run()
    press(app, "Recode so")
    app.select_slider[0].set_value(1).run()
    assert "is what ARX's search takes, by precision, geometric mean" in text(app)
    assert "is the cheapest state" not in text(app)


def test_what_readers_get_is_not_written_anew_at_each_step(monkeypatch):
    written, study_for_readers = [], Recoding.study_for_readers

    def counted(recoding, published):
        written.append(recoding)
        return study_for_readers(recoding, published)

    monkeypatch.setattr(Recoding, "study_for_readers", counted)
    app = recode_page(*toy())
    press(app, "Forward")
    assert len(written) == 1
    app.session_state[state._STUDY] = app.session_state[state._STUDY].changed(k=4)
    app.run()
    assert [one.study.k for one in written] == [3, 4]
