"""The pages Safe recode and Other ways, and what the other pages make of a study that asks for safe recoding."""

import math
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from support import go_to, let_run, look, open_page, shown, two

from cra_dashboard.lessons.pages.safe_recoding import WITHOUT, safe_gain
from cra_dashboard.options import state as options
from cra_dashboard.options.state import _shown
from cra_dashboard.panels import download as panel
from cra_dashboard.safe.state import ARX, EPSILONS, KNOB
from cra_dashboard.safe.story import ODDS, ways_table
from cra_dashboard.session import keys, runs, state
from cra_dashboard.session.attacks import toy
from cra_dashboard.session.datasets import example
from cra_dashboard.texts.numbering import number_of
from cra_engine import Attribute, Study, attack, read_release, recode, safe_recode
from cra_engine.assess.choice_gains import choice_gains
from cra_engine.defences.small_world import small_world
from cra_engine.files.csv_text import csv_text
from cra_engine.options import Option, Publisher
from cra_engine.words import spoken

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame(
    {"a": RNG.integers(0, 8, 40), "b": RNG.integers(0, 8, 40), "illness": RNG.choice(["flu", "gout"], 40)}
)
STUDY = two(k=3, layers=3)


def control(app, label):
    kinds = ("select_slider", "button_group", "selectbox", "button")
    return next(found for kind in kinds for found in app.get(kind) if found.label == label)


def turn(app, knob):
    app.session_state[keys.EPSILON] = knob
    app.run()
    assert not app.exception, app.exception
    return app


def tab(app, name):
    app.session_state["safe-tab"] = name
    app.run()
    assert not app.exception, app.exception
    return app


def words_before(app):
    """Words that can be read before a tab is looked into."""
    inside = {id(part) for tab in app.tabs for part in [*tab.markdown, *tab.caption]}
    told = [str(part.value) for part in [*app.main.markdown, *app.main.caption] if id(part) not in inside]
    return len(" ".join(told).split())


def of_class(app, at):
    control(app, "Class").select_index(at).run()
    assert not app.exception, app.exception
    return shown(app)


def odds(table):
    return [float(told.removesuffix("×")) for told in table[ODDS]]


def test_the_knob_goes_from_a_bound_to_none():
    app = open_page("safe_recoding", FRAME, STUDY)
    assert not app.exception, app.exception
    text = shown(app)
    told = re.search(r"odds of where one person is grow at most ([\d.]+) times here; epsilon 1 (.*)\.", text)
    assert 1 < float(told[1]) <= 2.72
    assert told[2] == "allows up to 2.72 times"  # e, whatever the release tells
    regions = len(app.dataframe[-1].value)
    assert f"✓ **Places excluded**: 0 of {regions} regions" in text
    assert re.search(r"\n\*\*Detail lost\*\*: [\d.]+ % \(ARX-LR: [\d.]+ %\)\n", text)
    assert "It is not differential privacy" in shown(tab(app, "What is promised"))  # what is not promised is said
    tab(app, "Each class")
    table = app.dataframe[-1].value
    # e and e^0.25, rounded as they are said.
    assert 1 <= max(odds(table)) <= 2.72
    turn(app, "0.25")
    assert 1 <= max(odds(app.dataframe[-1].value)) <= 1.28
    turn(app, ARX)
    assert "there is no bound on what they tell" in shown(app)
    assert "∞" in set(app.dataframe[-1].value[ODDS])
    assert KNOB[-1] == ARX


def test_the_gain_of_arx_is_one_on_both_pages_and_in_the_lesson():
    study = Study([Attribute("a", 0, 12, 3)], k=3)
    frame = pd.DataFrame({"a": [0, 4, 5, 7, 9, 10, 11]})
    release = recode(frame, study).release
    gains = [part.value for part in choice_gains(attack(release)).parts]
    assert {math.inf, None} <= set(gains)  # what excludes nothing by itself is not known, and is no gain of 0
    app = turn(open_page("safe_recoding", frame, study), ARX)
    said = {math.inf: "∞", None: "not known", 0.0: "1×"}
    assert list(app.dataframe[-1].value[ODDS]) == [said[gain] for gain in gains]
    compared = _shown(Publisher(frame, study).publish(Option.of(study)), math.inf)
    assert list(compared.gains) == gains
    # Nobody may say that the choices tell nothing where that is not known.
    assert safe_gain([0.0, None], ARX) is None
    asked = safe_gain(gains, ARX)
    assert asked.options[asked.right] == WITHOUT


def test_safe_recode_excludes_what_all_together_excludes_and_other_ways_does_too():
    app = turn(open_page("safe_recoding", toy().data.frame, toy().study), ARX)
    assert "✗ **Places excluded**: 5 of 9 regions" in shown(app)
    assert (
        list(app.dataframe[-1].value[ODDS])[-1] == "∞"
    )  # the suppressed person, whom the story proves to be in one cell
    compared = _shown(Publisher(toy().data.frame, toy().study).publish(Option.of(toy().study)), math.inf)
    nobody = [
        cell for cell, held in toy().tight.fixed_cells.items() if not held and toy().attack.suppressed.may_fill(cell)
    ]
    assert nobody
    assert all(compared.of_cells[cell] == math.inf for cell in nobody)
    assert not np.isnan(compared.of_cells).any()


def test_where_a_larger_table_was_not_attacked_as_a_whole_the_page_says_where_that_is_done(monkeypatch):
    monkeypatch.setattr(runs, "SMALL_RECORDS", 0)
    app = turn(open_page("safe_recoding", toy().data.frame, toy().study), ARX)
    assert "✗ **Places excluded**: 4 of 9 regions" in shown(app)
    (link,) = [one for one in app.get("page_link") if "Where ? stands" in one.label]
    go_to(app, link.page)
    control(app, "Attack all classes together").click().run()
    let_run(app)
    go_to(app, "safe_recoding")
    assert "✗ **Places excluded**: 5 of 9 regions" in shown(app)
    assert not [one for one in app.get("page_link") if "Where ? stands" in one.label]


def test_a_gain_of_nothing_says_why():
    # Twenty people in each of four finest intervals, each published on the first rung: none of them has parts.
    full = pd.DataFrame({"a": [0, 2, 4, 6] * 20})
    study = Study([Attribute("a", 0, 8, 3)], 3)
    app = open_page("safe_recoding", full, study)
    assert set(app.dataframe[-1].value[ODDS]) == {"1×"}
    assert "The choices tell nothing of where one person is: every region is a single finest box" in shown(app)
    assert "1 times" not in shown(app)
    # With more to tell the odds are said as before.
    assert "The choices tell nothing" not in shown(open_page("safe_recoding", FRAME, STUDY))


@pytest.fixture
def handed_out(monkeypatch):
    """What stands behind the buttons for files, by their labels."""
    files, draw = {}, panel.download

    def download(label, data, *args, **kwargs):
        files[label] = data() if callable(data) else data
        draw(label, data, *args, **kwargs)

    monkeypatch.setattr(panel, "download", download)
    return files


def boxes(release):
    """The classes of a release, as the page lists them."""
    return [(spoken(release.grid.describe(part.segment)), part.size) for part in release.classes]


def listed(app):
    """The classes that the page Safe recode lists."""
    rows = tab(app, "Each class").dataframe[-1].value
    assert [*rows] == ["Class", "People", ODDS, "Box"]  # on a telephone what ends the line is outside
    return [row for row in zip(rows["Box"], rows["People"], strict=True) if row[0] != "suppressed"]


def test_the_release_that_is_handed_out_is_the_one_shown_and_can_be_read(handed_out):
    app = open_page("safe_recoding", FRAME, STUDY)
    for knob in ("2", "0.5", "1"):
        turn(tab(app, "Hand it out"), knob)
        release = read_release(handed_out["Download the release"].encode(), STUDY.with_epsilon(knob))
        assert release.records == len(FRAME)
        assert release.regions.gain <= Fraction(knob)
        assert boxes(release) == listed(app)
    # Another look is not another draw, and the other pages have the same.
    before = listed(app), handed_out["Download the release"]
    turn(turn(tab(app, "Hand it out"), "4"), "1")
    assert listed(app) == before[0]
    assert sorted(handed_out["Download the release"].splitlines()) == sorted(before[1].splitlines())


def example_page():
    made, study = example("toy")
    return open_page("safe_recoding", **{state._DATASET: made, state._STUDY: study})


def seed_of(app):
    return next((field for field in app.number_input if field.label == "Seed"), None)


def test_an_example_is_drawn_alike_by_its_seed_and_handed_out_without_one_alone(handed_out):
    one, other = example_page(), example_page()
    assert seed_of(one).value == 5
    first = listed(one)
    assert first == listed(other)
    assert "Drawn by chance with the seed 5" in shown(one)
    # The very draw that whoever has the seed makes by the command line.
    assert first == boxes(safe_recode(toy().data.frame, toy().study, 1, seed=5).release)
    # And the one that Other ways measures.
    compared = Publisher(toy().data.frame, toy().study).publish(Option.of(toy().study.with_epsilon("1")))
    assert first == boxes(compared.release)
    assert compared.notes == ("Drawn with seed 5 to be compared; draw anew, once, for what is handed out.",)
    draws = [listed(seed_of(one).set_value(seed).run()) for seed in range(6, 12)]
    assert any(draw != first for draw in draws)
    detail = [re.search(r"Detail lost\*\*: ([\d.]+)", shown(seed_of(one).set_value(seed).run()))[1] for seed in (5, 27)]
    assert detail[0] != detail[1]  # each of its own release
    tab(one, "Hand it out")
    assert "this draw keeps no promise" in "\n".join(told.value for told in one.info)
    assert not handed_out
    seed_of(one).set_value(None).run()
    assert "Drawn by chance, once, and without a seed" in shown(one)
    assert "Other ways draws with seed 5, to compare" in shown(one)
    assert "Download the release" in handed_out


def test_a_table_of_ones_own_has_no_seed():
    app = open_page("safe_recoding", FRAME, STUDY)
    assert seed_of(app) is None
    assert "without a seed: whoever knew that would know the coins" in shown(app)


def test_two_sessions_draw_different_releases():
    def draws():
        app = open_page("safe_recoding", FRAME, STUDY)
        return [listed(turn(app, knob)) for knob in ("0.5", "1", "2")]

    # Of 300 draws per epsilon less than 1 % of the pairs are alike, so that all three are with less than 10^-6.
    assert draws() != draws()


def test_the_other_pages_have_the_release_that_is_shown(handed_out):
    app = open_page("safe_recoding", FRAME, STUDY)
    before = listed(app)
    control(tab(app, "Hand it out"), "Attack this release on the other pages").click().run()
    look(go_to(app, "attack"), "The whole release")
    assert not app.exception, app.exception
    assert f"{len(before)} classes" in shown(app)
    let_run(go_to(app, "check"))
    assert not app.exception, app.exception
    _, job = app.session_state["cra_jobs"]["check"]
    release = read_release(csv_text(job.result.frame).encode(), STUDY.with_epsilon("1"))
    assert boxes(release) == before
    offered = [text for label, text in handed_out.items() if label.startswith("The release")]
    assert len(offered) == (job.result.verdict == "ready")  # which one draw is, and another is not
    assert all(boxes(read_release(text.encode(), STUDY.with_epsilon("1"))) == before for text in offered)


@pytest.mark.parametrize(
    "page", ["attack", "single_out", "compare", "hierarchies", "playground", "lessons", "experiments"]
)
def test_pages_behave_on_a_study_that_asks_for_safe_recoding(page):
    app = open_page(page, FRAME, STUDY.with_epsilon(1))
    assert not app.exception, app.exception
    assert not [found.value for found in app.error]
    text = shown(app)
    if page == "attack":
        # The draw is chance, and so is whether the class that is shown first is wider than a cell.
        classes = range(len(control(app, "Class").options))
        text = next(text for at in classes if "on a single cell" not in (text := of_class(app, at)))
        assert "None of these is excluded" in text or "All of them fit" in text
        assert "had" not in text or "would have been published first" not in text  # no bound of ARX-LR's is claimed
    if page == "single_out":
        assert "if tables weigh what safe recoding gives them" in shown(look(app, "How likely"))


def test_recode_sends_to_the_page_of_safe_recoding():
    app = open_page("recode", FRAME, STUDY.with_epsilon(1))
    assert not app.exception, app.exception
    assert "safe recoding, which takes no such steps" in shown(app)


def test_compare_draws_every_way_and_two_side_by_side():
    app = open_page("compare", FRAME, STUDY)
    assert not app.exception, app.exception
    app = let_run(app)
    assert not app.exception, app.exception
    assert "passes the check" in shown(app)
    assert {"Check", "Gain"} <= set(app.table[0].value.index)
    assert words_before(app) < 200
    app.session_state["options-tabs"] = "All numbers"
    app.run()
    table = next(found.value for found in app.dataframe if "Option" in found.value)
    assert len(table) >= 8
    assert "Safe recoding, epsilon 1" in set(table["Option"])
    app.session_state["options-tabs"] = "What it means"
    app.run()
    assert "A repaired table is measured for readers who know that it was repaired" in shown(app)


def test_a_stopped_comparison_of_all_ways_can_be_run_again_and_says_what_was_seen(monkeypatch):
    real, made = options.compare, []

    def stopped(*arguments, **settings):
        made.append(real(*arguments, **settings))
        return replace(made[0], points=made[0].points[:3], complete=False, warnings=("The column 'a*b' is odd.",))

    monkeypatch.setattr(options, "compare", stopped)
    app = open_page("compare", FRAME, STUDY)
    let_run(app)
    said = [warning.value for warning in app.warning]
    assert said[0] == "The run was stopped: 3 options were tried, and only these are compared."
    assert said[1] == r"The column 'a\*b' is odd."
    monkeypatch.setattr(options, "compare", lambda *_, **__: made[0])
    control(app, "Try other ways").click().run()
    let_run(app)
    assert app.session_state["cra_options"][1].complete
    assert not app.warning


def test_pages_without_a_study_say_where_to_get_one():
    for page in ("safe_recoding", "compare"):
        app = open_page(page, FRAME)
        assert not app.exception, app.exception
        assert "Nobody has said which columns others may know" in app.info[0].value
        assert not app.get("plotly_chart")


def test_the_gain_of_each_way_is_measured():
    app = open_page("safe_recoding", FRAME, STUDY)
    app.session_state["safe-tab"] = "What each way tells"
    app.run()
    assert not app.exception, app.exception
    (ways,) = (frame for frame in app.dataframe if "Way to publish" in frame.value)
    alt = ways.proto.alt
    assert "ARX-LR: 48 % of the places" in alt
    assert "Safe, epsilon 0.5: Nobody's place is excluded; odds change by e^0.5 at most." in alt
    assert "every table of 6 people in 4 cells" in shown(app)
    table = ways_table(small_world(), "2").set_index("Way to publish")
    safely = [f"Safe, epsilon {epsilon}{' (the knob)' * (epsilon == '2')}" for epsilon in EPSILONS]
    assert list(table.index) == [*safely, "Global recoding", "ARX-LR repaired", ARX]
    assert table.loc[safely, "That is e to the"].tolist() == pytest.approx(list(map(float, EPSILONS)))
    assert table.loc[ARX].tolist()[:1] == ["\N{INFINITY}"]
    assert round(table.loc[ARX, "Places excluded"], 2) == 0.48
    assert table.loc["Safe, epsilon 1", "A reader's odds grow at most"] == "2.72\N{MULTIPLICATION SIGN}"
    named = ways_table(small_world(), ARX)["Way to publish"]
    assert named[named.str.contains("knob")].tolist() == [f"{ARX} (the knob)"]


def test_arx_lr_numbers_the_toys_boxes_as_every_other_page():
    whole = toy()
    app = turn(open_page("safe_recoding", whole.data.frame, whole.study), ARX)
    _, made = app.session_state[state._RESULTS]["safe-made-arx"]
    boxes = [one.segment for one in whole.recoding.classes]
    assert [one.segment for one in made.classes] == boxes
    assert [number_of(made.release, index) for index, _ in enumerate(boxes)] == [
        number_of(whole.recoding.release, index) for index, _ in enumerate(boxes)
    ]
