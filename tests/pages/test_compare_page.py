"""The page Other ways: choose what to try, look at the frontier, compare two options, put one into use."""

import json
import re
import time
from dataclasses import replace

import pandas as pd
import pytest
from support import go_to, let_run, look, open_page, shown, two

from cra_dashboard.options import panels
from cra_dashboard.options import state as options
from cra_dashboard.session import state
from cra_dashboard.texts import words
from cra_dashboard.texts.weighing import detail_counted
from cra_engine import Attribute, CRAError, OptionGrid, Study, attack, recode
from cra_engine.assess.figure import Figure
from cra_engine.options import GIVEN, KEPT, Publisher, name_of, recommendation
from cra_engine.raw.synthesis import synthesize
from cra_engine.study.file_hierarchy import FileHierarchy

FRAME = pd.DataFrame({"a": [0, 3, 4, 5, 1, 6, 7, 2], "b": [0, 3, 4, 5, 2, 6, 1, 7]})
BUTTON = "Try other ways"


@pytest.fixture(autouse=True)
def asked_for(request, monkeypatch):
    """Nothing begins by itself, but where a test is about that."""
    if "by_itself" not in request.node.name:
        monkeypatch.setattr(options, "start_if_small", lambda *_: False)


def test_a_small_table_begins_by_itself_and_not_again_once_stopped(monkeypatch):
    begun = []
    monkeypatch.setattr(options, "start", lambda *_, **__: begun.append(1))
    monkeypatch.setattr(options.RUNS.__class__, "cancelled", lambda *_: bool(begun))
    app = open_page("compare", FRAME, two())
    app.run()
    assert begun == [1]
    open_page("compare", FRAME.loc[FRAME.index.repeat(10)], two())
    assert begun == [1]


@pytest.fixture(scope="module")
def toy():
    return synthesize("toy")


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception, app.exception
    return app


def multi(app, label):
    return next(box for box in app.multiselect if box.label.lower().startswith(label))


def box(app, label):
    return next(box for box in app.selectbox if box.label == label)


def open_toy(toy, k=(3, 3), **choices):
    """The page with the toy at k = 3; ``choices`` are lists for the fields by the beginning of their labels."""
    app = open_page("compare", toy.data, toy.study)
    assert not app.exception, app.exception
    app.slider[0].set_value(k)
    for label, values in choices.items():
        multi(app, label).set_value(values)
    return app.run()


def tried(toy):
    return let_run(press(open_toy(toy), BUTTON))


def helps(app):
    """What opens beside the texts of the page."""
    return [one.help for one in app.markdown]


def held(app):
    return app.session_state["cra_options"][1]


@pytest.fixture(scope="module")
def comparison(toy):
    """What the page finds of the toy, made once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(options, "start_if_small", lambda *_: False)
        return held(tried(toy))


@pytest.fixture
def at_once(comparison, monkeypatch):
    """A comparison of the toy is there at once."""
    monkeypatch.setattr(options, "compare", lambda *_, **__: comparison)


def test_the_options_start_around_the_study(toy):
    app = open_page("compare", toy.data, toy.study)
    assert app.slider[0].value == (2, 5)
    assert multi(app, "age").value == [2, 3]
    # [20, 100) years in 4 leaves, 2 with a layer less.
    assert multi(app, "age").options == [
        "40 years (2 layers)",
        "20 years (3 layers, now)",
        "10 years (4 layers)",
        "5 years (5 layers)",
    ]
    assert any(caption.value.startswith("48 options.") for caption in app.caption)
    assert BUTTON in {button.label for button in app.button}


def test_the_whole_path(toy):
    app = tried(toy)
    result = held(app)
    assert result.complete
    tried_now = {point.option for point in result.points}
    assert len([*result.around.options()]) == 12
    assert tried_now >= {*OptionGrid.of(toy.study).options(), *result.around.options()}
    advice = recommendation(result).partition(". ")[0]
    assert advice in shown(app)
    present = result.present
    assert box(app, "A").value == present.number
    assert result.point(box(app, "B").value) is result.recommended
    counted = "Alone is counted in each option's own finest intervals."
    assert result.recommended.option.layers != present.option.layers
    assert counted in helps(app)
    alike = next(p for p in result.points if p.option.way.name == "safe" and p.option.layers == present.option.layers)
    assert counted not in helps(box(app, "B").set_value(alike.number).run())
    other = next(p for p in result.points if p.option.way.name == "local" and p is not present)
    box(app, "B").set_value(other.number).run()
    rows = {name: list(row) for name, row in app.table[0].value.iterrows()}
    assert rows["k"] == [str(toy.study.k), str(other.option.k)]
    assert rows["Information lost"][0] == f"{100 * present.value('loss'):.1f} %"
    assert rows["Check"][0] == present.verdict.capitalize()

    # Put B into use: it becomes the session's study, and the comparison stays.
    press(app, "Use option B")
    chosen = other.option.study(toy.study)
    assert app.session_state[state._STUDY] == chosen
    assert f"Number {other.number} is in use now" in "".join(s.value for s in app.success)
    assert held(app) is result
    assert next(b for b in app.button if b.label == "Use option B").disabled
    for letter, called in (("A", False), ("B", True)):
        # The browser shows what is sent, and what it was sent before where nothing is.
        sent = box(app, letter).proto
        assert sent.set_value
        assert ("in use" in sent.raw_value) == called
    look(go_to(app, "attack"), "The whole release")
    released = attack(recode(toy.data, chosen).release)
    assert f"This release has {len(released.classes)} classes" in shown(app)

    # Back on the page the first study can still be taken up, with the layers that it had.
    app.switch_page("pages/compare.py").run()
    assert not app.exception
    press(app, "Use option A")
    assert app.session_state[state._STUDY] == toy.study


@pytest.mark.usefixtures("at_once")
def test_check_advises_nothing_instead_once_the_best_is_in_use(toy):
    app = tried(toy)
    best = held(app).recommended
    assert box(app, "B").value == best.number
    let_run(go_to(app, "check"))
    assert "**What to publish instead**" in shown(app)
    app.switch_page("pages/compare.py").run()
    press(app, "Use option B")
    let_run(go_to(app, "check"))
    assert "**Nothing to publish instead: the best is in use**" in shown(app)
    assert f"Best is {best.label}" in shown(app)
    assert "check-use-option" not in [button.key for button in app.button]


@pytest.mark.usefixtures("at_once")
def test_boxes_side_by_side_have_the_numbers_that_they_have_on_every_page(toy, monkeypatch):
    drawn, draw = [], panels.published_figure
    monkeypatch.setattr(panels, "published_figure", lambda shown, view: drawn.append(shown) or draw(shown, view))
    app = tried(toy)
    safe = next(p for p in held(app).points if p.option.way.name == "safe")
    drawn.clear()
    box(app, "B").set_value(safe.number).run()
    assert "Drawn with seed 5 to be compared" in shown(app)
    drawn_safely = Publisher(toy.data, toy.study).publish(safe.option).formed
    for shown_here, made in zip(drawn, (recode(toy.data, toy.study), drawn_safely), strict=True):
        formed = [one.segment for one in sorted(made.classes, key=lambda one: one.iteration)]
        numbered = {number: box for (box, _), number in zip(shown_here.classes, shown_here.numbers, strict=True)}
        assert [numbered[number] for number in range(len(formed))] == formed
    # Another option's boxes are drawn on its own grid.
    coarser = next(p for p in held(app).points if p.option.way.name == "local" and p.option.layers == (2, 2))
    box(app, "B").set_value(coarser.number).run()
    made = recode(toy.data, coarser.option.study(toy.study))
    assert drawn[-1].grid.shape == (2, 2)
    assert {box for box, _ in drawn[-1].classes} == {one.segment for one in made.classes}
    assert drawn[0].numbers != tuple(range(len(drawn[0].numbers)))  # the attacker would count otherwise


def test_boxes_of_a_global_recoding_have_the_numbers_that_attack_gives_them(monkeypatch):
    """A ward is a group by itself on two layers: read, its box is of the finer one, which comes first there."""
    rows = (("b", "b", "b and c", "*"), ("c", "c", "b and c", "*"), ("a", "a", "a", "*"))
    study = Study([FileHierarchy("ward", rows), Attribute("age", 0, 4, 2)], 4)
    table = pd.DataFrame({"ward": list("aaaabbcc"), "age": [1, 2, 3, 1, 2, 3, 1, 2]})
    formed = recode(table, study).release
    drawn, draw = [], panels.published_figure
    monkeypatch.setattr(panels, "published_figure", lambda shown, view: drawn.append(shown) or draw(shown, view))
    app = let_run(press(open_page("compare", table, study), BUTTON))
    recoded = next(p for p in held(app).points if p.option.way.name == "global" and p.state == (2, 2))
    drawn.clear()
    box(app, "B").set_value(recoded.number).run()
    told = {number: box for (box, _), number in zip(drawn[-1].classes, drawn[-1].numbers, strict=True)}
    assert [formed.grid.describe(told[0]), formed.grid.describe(told[1])] == ["ward is a", "ward is b and c"]
    assert [formed.grid.describe(one.segment) for one in formed.classes] == ["ward is a", "ward is b and c"]
    assert drawn[-1].gains == (0.0, 0.0)


@pytest.mark.usefixtures("at_once")
def test_every_mark_of_the_picture_carries_the_numbers_that_lie_there(toy):
    # A click is tried in tests/browser: AppTest cannot click a chart.
    app = tried(toy)
    chart = next(json.loads(c.proto.spec) for c in app.get("plotly_chart") if "options-chart" in c.proto.id)
    piles = [pile for trace in chart["data"] if "customdata" in trace for pile in trace["customdata"]]
    numbers = [number for pile in piles for number in pile]
    drawn = [
        p for p in held(app).points if p.rank(KEPT["detail"]) is not None and p.rank(GIVEN["expected"]) is not None
    ]
    assert sorted(numbers) == [p.number for p in drawn]
    # Of a mark that was touched the others on its spot are named.
    many = max(piles, key=len)
    assert len(many) > 1
    run = box(app, "B").key.removeprefix("options-B-")
    assert "On the spot that was touched" not in shown(app)
    app.session_state[f"options-touched-{run}"] = many[0]
    box(app, "B").set_value(many[0]).run()
    (said,) = (one.value for one in app.caption if "On the spot that was touched" in one.value)
    assert all(words.plain(name_of(held(app).point(number))) in said for number in many)
    # A global recoding cannot be put into use here, and that is said.
    globally = next(p for p in held(app).points if p.option.way.name == "global")
    box(app, "B").set_value(globally.number).run()
    assert next(b for b in app.button if b.label == "Use option B").disabled
    assert "follow local and safe recoding" in shown(app)
    assert not re.search(r"\banonymous\b", shown(app).lower())


def test_options_that_are_not_drawn_are_counted_by_way_with_their_reason_and_named_where_somebody_asks(
    toy, comparison, monkeypatch
):
    first, *others = comparison.points
    unknown = tuple(replace(p, figures=p.figures | {"expected": Figure.unknown()}) for p in others)
    monkeypatch.setattr(options, "compare", lambda *_, **__: replace(comparison, points=(first, *unknown)))
    app = tried(toy)
    (caption,) = (one for one in app.caption if "Filled: Ready" in one.value)
    assert f"**Detail lost**: {detail_counted(comparison.weights)}" in box(app, "What is lost").help
    told = caption.value.partition("Not drawn: ")[2]
    # Means have no nodes, so that no detail is counted either; the toy has no sensitive column to protect by matching.
    assert "2 microaggregated (both unknown)" in told
    assert "1 heterogeneous (not possible)" in told
    (one_unknown,) = re.findall(r"(?:^|, )([^()]*) \(“Singled out, expected” not known\)", told)
    assert f"{sum(p.option.way.name == 'global' for p in others)} global" in one_unknown
    assert sum(map(int, re.findall(r"(\d+) (?:[a-zA-Z]|ARX)", told))) == len(others)
    assert all(words.plain(name_of(point)) in caption.help for point in others)


def test_what_cannot_be_tried_is_a_sentence(toy, monkeypatch):
    app = open_toy(toy, age=[])
    assert "There is nothing to try" in app.error[0].value
    assert next(b for b in app.button if b.label == BUTTON).disabled

    def fail(*_, **__):
        raise CRAError("The lattice of a*b is too large.")

    monkeypatch.setattr(options, "compare", fail)
    app = let_run(press(open_toy(toy), BUTTON))
    assert [error.value for error in app.error] == ["The lattice of a\\*b is too large."]


def test_an_option_that_cannot_be_published_keeps_its_sentence():
    app = open_page("compare", FRAME.iloc[:4], two(k=3))
    app.slider[0].set_value((5, 5)).run()
    let_run(press(app, BUTTON))
    failed = next(p for p in held(app).points if p.option.k == 5)
    box(app, "B").set_value(failed.number).run()
    assert not app.exception
    problem = "k = 5 is more than the 4 records of the table; take a smaller k, or wait for more records."
    assert f"Number {failed.number}, not possible: {problem}" in shown(app)
    assert next(b for b in app.button if b.label == "Use option B").disabled


def test_a_run_can_be_stopped_and_says_that_it_was(toy, monkeypatch):
    real, told = options.compare, []

    def slow(*arguments, progress, cancelled, **settings):
        def tell(*now):
            told.append(now)
            while len(told) > 3 and not cancelled():
                time.sleep(0.01)
            progress(*now)

        return real(*arguments, progress=tell, cancelled=cancelled, **settings)

    monkeypatch.setattr(options, "compare", slow)
    app = press(open_toy(toy), BUTTON)
    while len(told) < 4:
        time.sleep(0.01)
    app.run()
    assert next(b for b in app.button if b.label == BUTTON).disabled
    let_run(press(app, "Stop"))
    tried_now = len(held(app).points)
    assert not held(app).complete
    assert f"The run was stopped: {tried_now} options were tried" in app.warning[0].value


def test_names_of_columns_are_shown_as_text():
    odd = "a*b$[x]"
    study = two(k=2)
    first = study.attributes[0]
    renamed = type(first)(odd, first.lower, first.upper, first.layers)
    app = open_page("compare", FRAME.rename(columns={"a": odd}), Study([renamed, study.attributes[1]], 2))
    assert not app.exception
    app.slider[0].set_value((2, 2)).run()
    let_run(press(app, BUTTON))
    assert r"Finest a\*b\$\[x\]" in app.table[0].value.index


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("how", ["another table", "other roles", "forget"])
def test_a_comparison_goes_with_what_it_belongs_to(toy, how):
    app = tried(toy)
    assert "From A to B" in shown(app)
    if how == "another table":
        app.session_state[state._DATASET] = state.make_dataset("Other", "", "synthetic", toy.data.iloc[1:])
    elif how == "other roles":
        app.session_state[state._STUDY] = two(upper=8)
        app.session_state[state._DATASET] = state.make_dataset("Other", "", "synthetic", FRAME)
    else:
        app.switch_page("pages/data.py").run()
        press(app, "Forget it all")
        assert "cra_options" not in app.session_state
        app.switch_page("pages/compare.py")
    app.run()
    assert not app.exception
    assert "From A to B" not in shown(app)
