"""The attack on all classes together, on the pages Attack and Single out."""

import json
import time
from types import SimpleNamespace

import pandas as pd
import pytest
from support import go_to, let_run, look, shown, two
from support import open_page as opened

from cra_dashboard.panels import tight_run, tight_view
from cra_dashboard.session import attacks, keys, state
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import number_as_formed, numbered
from cra_engine import Attribute, CRAError, Study, recode, tight_attack
from cra_engine.attacks.solver import reasons
from cra_engine.attacks.solver.views import Explanation
from cra_engine.attacks.tight import system
from cra_engine.raw.synthesis import synthesize
from cra_engine.sentences import Sentence

# Worked out in tests/dashboard/certain.py: a class along the column a in [0, 2) and, for certain, one person in the
# cell (3,3); single classes leave (1,0) or (3,3).
OPEN = [(0, 0), (0, 1), (0, 2), (0, 3), (3, 3)]
FULL = [(x, y) for x in range(4) for y in range(4) if (x, y) not in [*OPEN, (1, 0)]]
CERTAIN = pd.DataFrame(
    [(2 * x + dx, 2 * y + dy) for x, y in FULL for dx, dy in ((0, 0), (1, 0), (0, 1))]
    + [(2 * x, 2 * y) for x, y in OPEN],
    columns=["a", "b"],
)
PAGES = ["all_classes", "single_out"]


def open_page(page, frame, study):
    """Open a page where it shows what all classes say together."""
    # What is worked out by hand is of the paper's tables.
    chosen = {keys.SINGLED: keys.FOR_CERTAIN, "cra_weighing": state.Weighing("distinct")}
    return opened(page, frame, study, **chosen)


def open_example(page, kind):
    made = synthesize(kind)
    return open_page(page, made.data, made.study)


def press(app, label):
    return next(button for button in app.button if button.label == label).click().run()


def headline(app):
    """Return the sentence above the picture of All together, whose help says how many tables are left."""
    (above,) = [one for one in app.markdown if (one.help or "").startswith("The intervals alone allow ")]
    return above


def endless(monkeypatch):
    """Let the run on the pages begin in earnest only once it is cancelled, however quick this computer is."""
    attack = attacks.tight_attack

    def waits(release, *, cancelled, **how):
        while not cancelled():
            time.sleep(0.01)
        return attack(release, cancelled=cancelled, **how)

    monkeypatch.setattr(attacks, "tight_attack", waits)


def labels(app):
    return [button.label for button in app.button]


def job(app):
    ((_, started),) = app.session_state[state._JOBS].values()
    return started


def alts(app):
    return [json.loads(chart.proto.spec) and chart.proto.alt for chart in app.get("plotly_chart")]


def test_what_becomes_certain_by_hand():
    app = let_run(open_page("all_classes", CERTAIN, two()))
    assert not app.exception
    text = shown(app)
    assert "Exact: every possible table is counted." in text
    above = headline(app)
    told = above.help
    # 784 * 8 = 6272 of 1820 * 64 = 116480, and half of it together; times 4 for each of ten classes on single cells.
    assert "Each class by itself, the paper's attack, leaves 6.6 × 10⁹: 18.6 times fewer." in told
    assert "All classes together leave 3.3 × 10⁹: 2 times fewer again." in told
    # What a lay person can use stands in sight, the powers of ten beside it, where somebody asks for them.
    assert above.value.endswith("people are in 2 more cells, and 1 of them holds exactly one person.**")
    assert "10⁹" not in text
    why = next(box for box in app.selectbox if box.label == "Why is it certain?")
    assert list(why.options) == [
        "Exactly one person: a from 6 to under 8 and b from 6 to under 8",
        "Nobody: a from 2 to under 4 and b from 0 to under 2",
    ]
    # Reasons are looked for once somebody asks.
    assert "Together these say" not in text
    text = shown(let_run(why.set_value((3, 3)).run()))
    assert "Together these say that the cell holds exactly one person:" in text
    # Class 10 is the one along the column: ten on single cells came before it.
    assert "Class 10: 4 records in 4 open cells." in text
    assert "When state (2, 2) had its turn, a from 0 to under 4 and b from 0 to under 4 did not become a class" in text
    assert "Nothing can be left out" in text
    let_run(next(box for box in app.selectbox if box.label == "Why is it certain?").set_value((1, 0)).run())
    assert "Together these say that the cell holds nobody:" in shown(app)
    table = next(t.value for t in app.dataframe if "Certain" in t.value)
    assert list(table["People"]) == [1, 0]
    # Two people in each half of the column, in either of its cells.
    held = next(t.value for t in app.dataframe if "Largest" in t.value)
    assert list(zip(held["Cell"], held["People"], strict=True)) == [
        *((f"a from 0 to under 2 and b from {2 * y} to under {2 * y + 2}", "0 to 2") for y in range(4)),
        ("a from 2 to under 4 and b from 0 to under 2", "exactly 0"),
        ("a from 6 to under 8 and b from 6 to under 8", "exactly 1"),
    ]
    assert "All of these are proven, and some table reaches each." in shown(app)
    look(app, "Tables left", "Show")
    left = next(t.value for t in app.dataframe if "Tables left" in t.value)
    assert left["Read by"].tolist() == ["Intervals alone", "Each class by itself", "All classes together"]


def test_who_is_singled_out_for_certain_by_hand():
    app = let_run(open_page("single_out", CERTAIN, two()))
    assert not app.exception
    text = shown(app)
    assert "From the release alone, one person is singled out for certain." in text
    assert "For certain exactly one person has a from 6 to under 8 and b from 6 to under 8." in text
    look(look(app, "How likely"), "All classes together", "Reading")
    table = next(t.value for t in app.dataframe if "All classes together" in t.value)
    first = table.iloc[0]
    # By itself the suppressed record is in one of two equal cells.
    assert (first["All classes together"], first["Each class by itself"], first["Kind"]) == (1, 0.5, "exact")
    metrics = {metric.label: metric.value for metric in app.metric}
    # In each half of the column both cells hold one person or one of them two: 2 * 4 * 4 of C(8, 2) = 28. Together:
    # 4 * 16 / 28 + 1 cells; by itself the same number, but not where.
    assert metrics["People expected to stand alone (exact)"] == "3.3"
    assert metrics["Each class by itself"] == "3.3"
    assert "Intervals alone" in metrics


@pytest.mark.parametrize("page", PAGES)
def test_numbers_that_count_cells_are_not_called_people(page):
    study = Study([*two().attributes, Attribute("sex", 0, 2, 2)], 3)
    app = let_run(open_page(page, CERTAIN.assign(sex=[row % 2 for row in range(len(CERTAIN))]), study))
    assert not app.exception
    told = (
        "How many cells behind each tile become certain, not how many people. A tile stands for several cells here: "
        "sex is not drawn. Choose a slice to see single ones."
    )
    assert told in [caption.value for caption in app.caption]
    assert "how few and how many people each cell can hold" not in shown(app)
    next(box for box in app.selectbox if box.label == "sex").set_value(1).run()
    assert told not in shown(app)


@pytest.mark.parametrize("page", PAGES)
def test_the_toy_needs_no_button(page):
    app = let_run(open_example(page, "toy"))
    assert "Exact: every possible table is counted." in shown(app)
    assert "Attack all classes together" not in labels(app)


def test_each_possible_order_of_the_toys_ties_has_its_reason():
    made = synthesize("toy")
    recoding = recode(made.data, made.study)
    release = recoding.release
    cell = tight_attack(release).isolated[0]
    app = let_run(open_page("all_classes", made.data, made.study))
    let_run(next(box for box in app.selectbox if box.label == "Why is it certain?").set_value(cell).run())
    text = shown(app)
    found = tight_attack(release).explain(cell)
    explanations = {explanation.texts for explanation in found}
    assert len(explanations) > 1
    assert f"so {len(explanations)} orders of the classes are open. In each there is a reason" in text
    # How many tables are left, what one is, and what is supposed, opens beside the sentence.
    above = headline(app)
    assert above.value.startswith("**All classes together make certain")
    assert "One table: one way to give all people exact" in above.help
    assert "Supposed: these hierarchies and k, and a g/s factor of 0" in above.help
    never = {explanation.texts for explanation in found if not explanation.possible}
    assert text.count("so this order did not happen:\n") == len(never) > 0
    tabs = [tab.label for tab in app.tabs]
    assert tabs == [f"Order {number + 1}" for number in range(len(explanations))]
    # The page calls classes by when they were formed, the engine by the attacker's order.
    number_as_formed(recoding)
    for line in {line for texts in explanations for line in texts}:
        assert numbered(line, release) in text


def test_an_order_without_a_reason_in_time_is_shown(monkeypatch):
    made = synthesize("toy")
    cell = tight_attack(recode(made.data, made.study).release).isolated[0]
    explained, searched, orders = reasons._reason, reasons.minimal_set, []

    def explain(*arguments):
        orders.append(1)
        return explained(*arguments)

    monkeypatch.setattr(reasons, "_reason", explain)
    monkeypatch.setattr(reasons, "minimal_set", lambda *given: None if len(orders) == 2 else searched(*given))
    app = let_run(open_page("all_classes", made.data, made.study))
    let_run(next(box for box in app.selectbox if box.label == "Why is it certain?").set_value(cell).run())
    text = shown(app)
    assert "Not for each of" in text
    assert "No reason was found within 10 seconds. That it is certain is proven." in text


def test_the_toys_certain_people_are_really_there():
    made = synthesize("toy")
    app = let_run(open_page("single_out", made.data, made.study))
    release = recode(made.data, made.study).release
    certain = tight_attack(release).isolated
    assert certain
    for cell in certain:
        nodes = release.grid.nodes(release.grid.cell_segment(cell))
        inside = [
            made.data[attribute.name].astype(float).between(float(node.lower), float(node.upper), inclusive="left")
            for attribute, node in zip(release.attributes, nodes, strict=True)
        ]
        assert (inside[0] & inside[1]).sum() == 1
        predicate = words.isolates(release.grid, release.grid.cell_segment(cell))
        assert f"For certain e{predicate[1:]}" in shown(app)


@pytest.mark.parametrize("page", PAGES)
def test_a_larger_release_waits_for_the_button_and_runs_out_of_time(page, monkeypatch):
    monkeypatch.setattr(tight_run, "LIMITS", {"1 minute": 0.01})
    app = open_example(page, "clinic")
    assert not app.exception
    assert "Exact:" not in shown(app)
    let_run(press(app, "Attack all classes together"))
    (warning,) = [w.value for w in app.warning if "time ran out" in w.value]
    assert "this is not finished" in warning
    text = shown(app)
    assert "Exact:" not in text
    assert "An estimate:" not in text
    if page == "all_classes":
        assert "is not known: the run did not finish." in headline(app).help
    else:
        assert "there may be somebody." in text
    # Whoever wants to know more gives it twice the time, as often as wanted.
    for seconds in (0.02, 0.04):
        (longer,) = [label for label in labels(app) if label.startswith("Look longer")]
        let_run(press(app, longer))
        assert job(app).limit == pytest.approx(seconds)
    monkeypatch.setattr(tight_run, "MOST_SECONDS", 0.04)
    app.run()
    assert not [label for label in labels(app) if label.startswith("Look longer")]
    assert "Run again" in labels(app)


def test_a_run_can_be_cancelled_and_one_run_serves_both_pages(monkeypatch):
    endless(monkeypatch)
    app = press(open_example("all_classes", "clinic"), "Attack all classes together")
    assert "Cancel" in labels(app)
    started = job(app)
    go_to(app, "single_out")
    assert job(app) is started
    let_run(press(app, "Cancel"))
    assert started.done
    assert any("You stopped the run" in said.value for said in [*app.warning, *app.info])
    go_to(app, "all_classes")
    assert any("You stopped the run" in said.value for said in [*app.warning, *app.info])


@pytest.mark.parametrize("how", ["another study", "another table", "forget"])
def test_a_run_ends_with_what_it_belongs_to(how, monkeypatch):
    endless(monkeypatch)
    app = press(open_example("all_classes", "clinic"), "Attack all classes together")
    started = job(app)
    if how == "another study":
        app.switch_page("pages/hierarchies.py").run()
        app.number_input[0].set_value(app.number_input[0].value + 1).run()
    else:
        app.switch_page("pages/start.py" if how == "another table" else "pages/data.py").run()
        press(app, "Open Toy" if how == "another table" else "Forget it all")
    assert not app.exception
    assert started.cancelled
    assert started.wait(60)


@pytest.mark.parametrize("page", PAGES)
def test_a_failure_is_a_sentence(page, monkeypatch):
    def fail(*_, **__):
        raise CRAError("No order explains a*b.")

    monkeypatch.setattr(attacks, "tight_attack", fail)
    app = let_run(open_page(page, CERTAIN, two()))
    assert not app.exception
    assert [error.value for error in app.error] == ["No order explains a\\*b."]
    assert "Try again" in labels(app)


def test_an_upper_bound_is_said_to_be_one(monkeypatch):
    # With no order of ties tried, only bounds that hold in every order are left.
    monkeypatch.setattr(system, "MAX_HYPOTHESES", 0)
    app = let_run(open_page("all_classes", CERTAIN, two()))
    told = headline(app).help
    assert "All classes together leave at most" in told
    assert "This is an upper bound" in told


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("frame", "study"),
    [
        (pd.DataFrame({"a": [0, 7, 3], "b": [0, 7, 5]}), two(k=3, layers=1)),  # everything suppressed
        (pd.DataFrame({"a": [0, 1, 0], "b": [0, 0, 1]}), two()),  # a single class on a single cell
        (pd.DataFrame({"a": [0, 0, 1, 7], "b": [0, 0, 1, 7]}), two()),  # two records alike
    ],
)
def test_odd_releases_show_something(page, frame, study):
    app = let_run(open_page(page, frame, study))
    assert not app.exception
    assert not app.error
    assert "Exact: every possible table is counted." in shown(app)


def test_a_reason_without_bounds_is_told(monkeypatch):
    told = []
    alone = [Explanation((), (Sentence("Its region has no other cell."),), minimal=True)]
    monkeypatch.setattr(tight_view, "looked_for", lambda *_: alone)
    monkeypatch.setattr(tight_view.st, "markdown", told.append)
    tight_view.reasons(SimpleNamespace(fixed_cells={(0, 0): 3}), "a release", (0, 0))
    assert told == ["Together these say that the cell holds exactly 3 people:", "- Its region has no other cell."]
