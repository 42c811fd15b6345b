"""The page What if: choose what to try, look at the frontier, compare two choices, put one into use."""

import json
import re
import time

import pandas as pd
import pytest
from support import go_to, let_run, look, open_page, shown, two

from cra_dashboard.session import state
from cra_dashboard.what_if import run as what_if_run
from cra_dashboard.what_if import state as what_if_state
from cra_engine import CRAError, Study, attack, recode
from cra_engine.raw.synthesis import synthesize
from cra_engine.what_ifs.choices import Choice
from cra_engine.what_ifs.measures import GIVEN, KEPT, better, frontier, same_table
from cra_engine.what_ifs.run import what_if
from cra_engine.what_ifs.words import recommendation

FRAME = pd.DataFrame({"a": [0, 3, 4, 5, 1, 6, 7, 2], "b": [0, 3, 4, 5, 2, 6, 1, 7]})
BUTTON = "Try them"


@pytest.fixture(scope="module")
def toy():
    return synthesize("toy")


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception, app.exception
    return app


def open_toy(toy, **choices):
    """The page with the toy; ``choices`` are lists for the fields by the beginning of their labels."""
    app = open_page("what_if", toy.data, toy.study)
    assert not app.exception, app.exception
    for label, values in choices.items():
        multi(app, label).set_value(values)
    if choices:
        app.run()
    return app


def multi(app, label):
    return next(box for box in app.multiselect if box.label.lower().startswith(label))


def box(app, label):
    return next(box for box in app.selectbox if box.label == label)


def held(app):
    return app.session_state[what_if_state._HELD]


def side_by_side(app):
    """The table of the two choices: per row's name its values, and the columns' names."""
    table = app.table[0].value
    return {name: list(row) for name, row in table.iterrows()}, list(table.columns)


def test_before_there_is_a_table():
    app = open_page("what_if")
    assert not app.exception
    assert "There is no table yet" in app.info[0].value


def test_the_choices_start_around_the_study(toy):
    app = open_toy(toy)
    assert app.slider[0].value == (2, 5)
    assert multi(app, "age").value == [2, 3]
    # [20, 100) years in 4 leaves, 2 with a layer less.
    assert multi(app, "age").options == [
        "40 years (2 layers)",
        "20 years (3 layers, now)",
        "10 years (4 layers)",
        "5 years (5 layers)",
    ]
    assert any(re.match(r"48 choices\. About \d+ s\.", caption.value) for caption in app.caption)
    assert "Two choices side by side" not in shown(app)


def test_the_whole_path(toy):
    app = let_run(press(open_toy(toy), BUTTON))
    result = held(app).result
    assert result.complete
    assert len(result.points) == 48
    present = result.find(Choice.of(toy.study))
    kept, given = KEPT["loss"], GIVEN["expected"]
    on = [p for p in result.points if p.choice.local and p.number in frontier(result.points, kept, given)]
    tables = {n for n in same_table(result.points).values() if result.point(n).choice.local}
    alike = "" if len(tables) == 16 else f" ({len(tables)} different tables)"
    assert f"Of 16 choices with local recoding{alike}, {len(on)} are on the frontier" in shown(app)
    advised, _, because = recommendation(result, present).partition(". ")
    assert advised in shown(app)
    # The reason stands behind the question mark.
    assert because in [element.proto.help.replace("\\", "") for element in app.markdown]

    # A is the choice in use; compare it with another by the field, which is the keyboard's way.
    assert box(app, "A").value == present.number
    other = next(p for p in on if p is not present)
    box(app, "B").set_value(other.number).run()
    rows, columns = side_by_side(app)
    assert columns[0] == f"A: number {present.number}"
    assert f"B: number {other.number}" in columns
    assert rows["k"][0] == str(toy.study.k)
    assert rows["Information lost"][0] == f"{100 * present.kept.loss.value:.1f} %"
    assert rows["Suppressed records"][0] == str(present.kept.suppressed)
    assert f"Number {present.number} loses {rows['Information lost'][0]} of the information" in shown(app)

    # Put B into use: it becomes the session's study, and the comparison stays.
    press(app, "Use choice B")
    chosen = other.choice.study(toy.study)
    assert app.session_state[state._STUDY] == chosen
    assert f"Number {other.number} is in use now" in "".join(s.value for s in app.success)
    assert held(app).result is result
    assert next(b for b in app.button if b.label == "Use choice B").disabled
    look(go_to(app, "attack"), "The whole release")
    released = attack(recode(toy.data, chosen).release)
    assert f"This release has {len(released.classes)} classes" in shown(app)

    # Back on the page the first study can still be taken up, with the layers that it had.
    app.switch_page("pages/what_if.py").run()
    assert not app.exception
    press(app, "Use choice A")
    assert app.session_state[state._STUDY] == toy.study


def test_global_recoding_stands_beside(toy):
    app = let_run(press(open_toy(toy), BUTTON))
    result, present = held(app).result, held(app).result.present
    rows, columns = side_by_side(app)
    same = [
        p
        for p in result.points
        if not p.choice.local and (p.choice.k, p.choice.layers) == (present.choice.k, present.choice.layers)
    ]
    best = min(same, key=KEPT["loss"].value)
    assert columns[1] == f"A, globally: number {best.number}"
    assert rows["State"][:2] == ["each class its own", f"({best.state[0]}, {best.state[1]})"]
    box(app, "B").set_value(best.number).run()
    use = next(b for b in app.button if b.label == "Use choice B")
    assert use.disabled
    assert "set global recoding up in ARX" in shown(app)
    expander = next(e for e in app.expander if e.label.startswith("Why this attack does not touch"))
    assert "there is no such order" in "".join(m.value for m in expander.markdown)


def test_every_mark_of_the_picture_carries_its_number(toy):
    # A click is tried in tests/browser: AppTest cannot click a chart.
    app = let_run(press(open_toy(toy), BUTTON))
    (chart,) = [json.loads(c.proto.spec) for c in app.get("plotly_chart")]
    numbers = [n[0] for trace in chart["data"] if "customdata" in trace for n in trace["customdata"]]
    assert sorted(numbers) == [p.number for p in held(app).result.points]
    (alt,) = [c.proto.alt for c in app.get("plotly_chart")]
    assert alt in shown(app)


def test_a_beaten_choice_meets_the_one_that_beats_it():
    study = two(k=3)
    app = let_run(press(open_page("what_if", FRAME, study), BUTTON))
    result = held(app).result
    rivals = list(better(result.points, result.present, KEPT["loss"], GIVEN["expected"]))
    assert ("is beaten" in shown(app)) == bool(rivals)
    assert (box(app, "B").value in {p.number for p in rivals}) == bool(rivals)


def test_all_classes_of_a_choice_together(toy):
    app = let_run(press(open_toy(toy), BUTTON))
    number = box(app, "A").value
    let_run(press(app, f"Attack all classes of number {number} together"))
    assert f"Number {number}. All classes together, exact: 2 people are singled out for certain" in shown(app)
    assert list(held(app).together) == [number]


def test_a_run_can_be_stopped_and_says_that_it_was(toy, monkeypatch):
    real, told = what_if_run.what_if, []

    def slow(*arguments, progress, cancelled, **options):
        def tell(*now):
            told.append(now)
            while len(told) > 3 and not cancelled():
                time.sleep(0.01)
            progress(*now)

        return real(*arguments, progress=tell, cancelled=cancelled, **options)

    monkeypatch.setattr(what_if_run, "what_if", slow)
    app = press(open_toy(toy), BUTTON)
    while len(told) < 4:
        time.sleep(0.01)
    app.run()
    assert "of 48 choices** tried" in shown(app)
    assert next(b for b in app.button if b.label == BUTTON).disabled
    let_run(press(app, "Stop"))
    assert len(held(app).result.points) < 48
    assert "The run was stopped: " in app.warning[0].value
    assert "of 48 choices were tried, and only these are compared" in app.warning[0].value


def test_what_cannot_be_tried_is_a_sentence(toy, monkeypatch):
    app = open_toy(toy, age=[])
    assert "There is nothing to try" in app.error[0].value
    assert next(b for b in app.button if b.label == BUTTON).disabled

    def fail(*_, **__):
        raise CRAError("The lattice of a*b is too large.")

    monkeypatch.setattr(what_if_run, "what_if", fail)
    app = let_run(press(open_toy(toy), BUTTON))
    assert [error.value for error in app.error] == ["The lattice of a\\*b is too large."]


def test_a_choice_that_cannot_be_published_keeps_its_sentence():
    app = open_page("what_if", FRAME.iloc[:4], two(k=3))
    app.slider[0].set_value((3, 5)).run()
    let_run(press(app, BUTTON))
    failed = next(p for p in held(app).result.points if p.choice.k == 5)
    box(app, "B").set_value(failed.number).run()
    assert not app.exception
    problem = "k = 5 is more than the 4 records of the table; take a smaller k."
    assert f"Number {failed.number} cannot be published: {problem}" in shown(app)
    assert next(b for b in app.button if b.label == "Use choice B").disabled
    rows, _ = side_by_side(app)
    assert rows["Classes"][-1] == "not possible"


@pytest.mark.parametrize("how", ["another table", "other hierarchies", "forget"])
def test_a_comparison_goes_with_what_it_belongs_to(toy, how):
    app = let_run(press(open_toy(toy), BUTTON))
    assert "Two choices side by side" in shown(app)
    if how == "another table":
        app.session_state[state._DATASET] = state.make_dataset("Other", "", "synthetic", toy.data.iloc[1:])
    elif how == "other hierarchies":
        app.session_state[state._STUDY] = two(upper=8)
        app.session_state[state._DATASET] = state.make_dataset("Other", "", "synthetic", FRAME)
    else:
        app.switch_page("pages/data.py").run()
        press(app, "Forget my data")
        assert what_if_state._HELD not in app.session_state
        app.switch_page("pages/what_if.py")
    app.run()
    assert not app.exception
    assert "Two choices side by side" not in shown(app)


def test_it_never_calls_a_table_safe(toy):
    app = let_run(press(open_toy(toy), BUTTON))
    assert not re.search(r"\b(safe|anonymous)\b", shown(app).lower())


def test_names_of_columns_are_shown_as_text():
    odd = "a*b$[x]"
    frame = FRAME.rename(columns={"a": odd})
    study = two(k=2)
    first = study.attributes[0]
    renamed = type(first)(odd, first.lower, first.upper, first.layers)
    app = open_page("what_if", frame, Study([renamed, study.attributes[1]], 2))
    assert not app.exception
    let_run(press(app, BUTTON))
    rows, _ = side_by_side(app)
    assert r"Finest a\*b\$\[x\]" in rows


def test_privacy_models_bind_global_recoding():
    frame = FRAME.assign(what=list("xyxyxxxx"))
    app = open_page("what_if", frame, two(k=2))
    assert not app.exception, app.exception
    press(app, "Add this model")  # distinct 2-diversity of the only other column
    let_run(press(app, BUTTON))
    result = held(app).result
    assert [model.attribute for model in result.study.privacy] == ["what"]
    local = [point for point in result.points if point.choice.local]
    strict = [point for point in result.points if point.choice.limit == 0 and point.choice.k == 2]
    plain = {p.choice: p for p in what_if(frame, two(k=2), result.grid).points}
    assert all(plain[p.choice].kept.loss == p.kept.loss for p in local if p.kept)
    assert any(plain[p.choice].kept.loss < p.kept.loss for p in strict)
