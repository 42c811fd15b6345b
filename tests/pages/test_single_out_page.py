"""The page Who stands alone in every state a session can reach; what it must show is worked out by hand."""

from collections import Counter

import pandas as pd
import pytest
from support import go_to, let_run, look, open_page, pictures, shown, two

from cra_dashboard.session import keys, state
from cra_engine import Attribute, Roles, Study
from cra_engine.counting import inclusion
from cra_engine.counting import sums as counting
from cra_engine.raw.synthesis import synthesize

# As on the Attack page: class 0 on the cell (0,0), class 1 with one person in each of (0,1), (1,0), (1,1), one
# suppressed. The names are what must not be seen before somebody asks.
SMALL = pd.DataFrame(
    {
        "name": ["Ada", "Bea", "Cleo", "Dora", "Eve", "Fay", "Gina"],
        "a": [0, 1, 1, 0, 2, 3, 7],
        "b": [0, 0, 1, 2, 1, 3, 7],
    }
)
# The true order of two tied classes is not the paper's: sorted, the one formed first needs a record in (0,2), where
# there is none.
TIED = pd.DataFrame({"a": [135, 290, 115, 245, 125, 155], "b": [370, 290, 150, 260, 95, 215]})
TIED_STUDY = Study([Attribute("a", 0, 400, 3), Attribute("b", 0, 400, 3)], 3)


DISTINCT = state.Weighing("distinct")  # what is worked out by hand is of the paper's tables


def opened(frame, study, **session):
    """The page as it checks against the raw table."""
    return open_page("single_out", frame, study, **{keys.SINGLED: keys.CHECKED}, **session)


def press(app, label):
    return next(button for button in app.button if button.label == label).click().run()


def everything(app):
    """Whatever was sent to the browser, hidden or not."""
    return "\n".join(str(element.proto) for element in app.main if hasattr(element, "proto")) + shown(app)


SHOW, HIDE = "Show the raw record (this is personal data)", "Hide the raw record"


def test_what_is_looked_at_has_no_default_beside_what_a_lesson_sets():
    """Streamlit writes a warning into the server's log for a field that has both."""
    for session, held in (({}, keys.FOR_CERTAIN), ({keys.SINGLED: keys.CHECKED}, keys.CHECKED)):
        group = next(one for one in open_page("single_out", SMALL, two(), **session).button_group)
        assert (group.label, group.value, list(group.proto.default)) == ("Look at", held, [])


def test_without_a_study_the_page_says_what_is_missing():
    app = open_page("single_out", SMALL)
    assert not app.exception
    assert "Nobody has said which columns others may know" in shown(app)
    assert not app.dataframe


def test_a_study_that_does_not_fit_is_a_sentence():
    app = opened(SMALL, two(8))
    assert not app.exception
    assert len(app.error) == 1


def test_both_numbers_say_which_they_are_beside_what_a_trivial_attacker_has():
    # The 3 people of class 1 lie in 4 of its cells, of 4 values each, the suppressed one in any of 16. In (0,0) nobody
    # can be alone: class 0 is there. Each of the 3 others: .4714 * 15/16 + .3929 / 16; the other 12 cells: 1/16 each.
    by_hand = 3 * (4 * 66 / 560 * 15 / 16 + 220 / 560 / 16) + 12 / 16
    assert f"{by_hand:.1f}" == "2.1"
    app = opened(SMALL, two(), cra_weighing=DISTINCT)
    assert "Counted in this raw table" in shown(app)
    assert "over all tables that fit, a trivial attacker, who reads the intervals alone, expects 2.1." in shown(app)
    app = look(look(app, "How likely"), "Each class by itself", "Reading")
    # (0,1), (1,0), (1,1) and the suppressed record's.
    assert "On average over all tables that fit the release; this raw table holds 4." in shown(app)
    assert "A trivial attacker, who reads the intervals alone, expects 2.1." in shown(app)
    assert "this raw table holds 4." in shown(look(app, "All classes together", "Reading"))


def test_the_small_case_by_hand():
    app = opened(SMALL, two())
    assert not app.exception
    text = shown(app)
    assert (
        "In 1 of 2 classes (50 %) a description singles out exactly one person: in 1 of 1 wider than one cell, "
        "in none of 1 on a single cell. Of 7 people, 4 stand alone in a cell."
    ) in text
    assert [(metric.label, metric.value) for metric in app.metric[:3]] == [
        ("Failed", "1"),
        ("One", "0"),
        ("More than one", "1"),
    ]
    table = outcomes(app)
    assert list(table["Outcome"]) == ["failed", "more than one", "one"]
    assert list(table["Descriptions"]) == [0, 3, 1]
    assert list(table["Records"]) == [3, 3, 1]
    assert list(table["True counts allowed"]) == ["yes"] * 3
    # One predicate at a time stands beside the picture; the others are folded, and open beside it, not over it.
    assert "All 4 descriptions" in [part.label for part in app.expander]
    for box in (
        "a from 0 to under 2 and b from 2 to under 4",
        "a from 2 to under 4 and b from 0 to under 2",
        "a from 2 to under 4 and b from 2 to under 4",
    ):
        assert f"Exactly one person has {box} (class 1)." in text
    assert "Exactly one person has a from 6 to under 8 and b from 6 to under 8 (the suppressed records)." in text


def test_checked_says_of_how_many_the_release_is_a_proof():
    toy = synthesize("toy")
    # The finest intervals of the toy are 20 wide and begin at multiples of 20.
    held = Counter(zip(toy.data["age"] // 20, toy.data["weight"] // 20, strict=True))
    alone = sum(count == 1 for count in held.values())
    app = opened(toy.data, toy.study)
    assert f"{alone} people stand alone in truth; 2 of them can be proven from the release." in shown(app)
    assert "The attack on all classes together expects 5.1." in shown(app)


def outcomes(app):
    return next(table.value for table in app.dataframe if "Outcome" in table.value)


def test_what_the_release_alone_tells_comes_first():
    """A newcomer is not shown the raw table's answer before that of the attack."""
    app = open_page("single_out", SMALL, two())
    let_run(app)
    assert "From the release alone" in shown(app)
    assert "Counted in this raw table" not in shown(app)
    assert not any(name in everything(app) for name in SMALL["name"])


def test_the_attackers_own_view_by_hand():
    app = look(look(opened(SMALL, two(), cra_weighing=DISTINCT), "How likely"), "Each class by itself", "Reading")
    # 11/14 + 11/14 + 4/7 for class 1, and the suppressed record is somewhere for certain: 15/7 + 1 = 3.14.
    # The other pages say what all classes together lead to expect, so this one says whose number it is.
    assert ("People expected to stand alone", "3.1") in [(m.label, m.value) for m in app.metric]
    assert ("Cells that may hold exactly one person", "15") in [(m.label, m.value) for m in app.metric]
    table = next(t.value for t in app.dataframe if "Exactly one person" in t.value)
    assert list(table["Exactly one person"]) == pytest.approx([11 / 14, 11 / 14, 4 / 7] + [1 / 12] * 12)
    assert list(table["Class"]) == ["1"] * 3 + ["suppressed"] * 12
    assert "by itself as in the paper, if all tables that are left are equally likely" in shown(app)
    assert "All classes together know more: what is open here can be certain there." in shown(app)


def test_how_likely_agrees_with_for_certain_where_both_are_there_at_once():
    """Who is certain under For certain is not likely by half beside it."""
    toy = synthesize("toy")
    app = let_run(open_page("single_out", toy.data, toy.study))
    certain = [said for said in shown(app).splitlines() if "For certain exactly one person has" in said]
    app = let_run(look(app, "How likely"))
    (reading,) = [group for group in app.segmented_control if group.label == "Reading"]
    assert reading.value == "All classes together"
    chances = next(table.value for table in app.dataframe if "All classes together" in table.value)
    sure = chances[chances["All classes together"] == 1]
    assert len(sure) == 2
    assert all(any(cell in said for said in certain) for cell in sure["Cell"])
    assert (sure["Each class by itself"] < 1).all()


def test_the_raw_record_is_nowhere_before_it_is_asked_for():
    app = opened(SMALL, two())
    assert not any(name in everything(app) for name in SMALL["name"])
    press(app, SHOW)
    assert "This is raw data about one person." in shown(app)
    # The first predicate of class 1 is the cell (0,1): a in [0, 2), b in [2, 4), which is Dora and nobody else.
    record = next(t.value for t in app.dataframe if "name" in t.value)
    assert record.to_dict("records") == [{"name": "Dora", "a": 0, "b": 2}]
    assert [name for name in SMALL["name"] if name in everything(app)] == ["Dora"]
    press(app, HIDE)
    assert not any(name in everything(app) for name in SMALL["name"])
    assert SHOW in [button.label for button in app.button]


def test_another_predicate_hides_the_record_again():
    app = press(opened(SMALL, two()), SHOW)
    next(box for box in app.selectbox if box.label == "Description").set_value(3).run()
    assert not any(name in everything(app) for name in SMALL["name"])
    press(app, SHOW)
    assert [name for name in SMALL["name"] if name in everything(app)] == ["Gina"]
    next(box for box in app.selectbox if box.label == "Class").set_value(1).run()
    assert not any(name in everything(app) for name in SMALL["name"])


def test_a_visit_to_another_page_hides_the_record_from_it():
    app = press(opened(SMALL, two()), SHOW)
    go_to(app, "attack")
    assert not any(name in everything(app) for name in SMALL["name"])


def test_one_class_only():
    app = opened(SMALL, two())
    next(box for box in app.selectbox if box.label == "Class").set_value(2).run()
    assert not app.exception
    text = shown(app)
    assert "(the suppressed records)" in text
    assert "(class 1)" not in text


def test_a_class_whose_truth_is_excluded_is_shown_as_such():
    app = opened(TIED, TIED_STUDY)
    assert not app.exception
    assert list(outcomes(app)["True counts allowed"]) == ["yes", "yes"]
    assert not app.warning
    app.radio[0].set_value("paper").run()
    assert not app.exception
    assert list(outcomes(app)["True counts allowed"]) == ["no", "yes"]
    assert list(outcomes(app)["Records"]) == [3, 3]
    (warning,) = app.warning
    assert "The true counts of class 0 are not among the fillings that the attack allows" in warning.value


def test_single_cells_only_isolate_nobody():
    app = opened(pd.DataFrame({"a": [0, 1, 0], "b": [0, 0, 1]}), two())
    assert not app.exception
    text = shown(app)
    assert "In none of 1 class does a description single out exactly one person. Of 3 people, 0 stand alone" in text
    assert "No cell holds exactly one person" in text
    assert not app.button
    assert "No cell can hold exactly one person." in shown(look(app, "How likely"))
    assert "no cell can hold exactly one person" in shown(look(app, "Each class by itself", "Reading"))


def test_everything_suppressed():
    app = opened(pd.DataFrame({"a": [0, 3, 7]}), Study([Attribute("a", 0, 8, 1)], 3))
    assert not app.exception
    assert "This release has no class. Of 3 people, 0 stand alone in a cell." in shown(app)


def test_one_attribute():
    # Quarters of 5: 0 and 1 in the first, 5 in the second, published as [0, 10); 12 in the third, suppressed.
    frame, study = pd.DataFrame({"age": [0, 1, 5, 12]}), Study([Attribute("age", 0, 20, 3, unit="years")], 3)
    app = opened(frame, study)
    assert not app.exception
    assert "Exactly one person has age from 5 to under 10 years (class 0)." in shown(app)
    assert "Exactly one person has age from 10 to under 15 years (the suppressed records)." in shown(app)


@pytest.mark.parametrize("kind", ["toy", "clinic", "hospitals"])
def test_built_in_studies_open(kind):
    made = synthesize(kind)
    app = opened(made.data, made.study)
    assert not app.exception
    assert app.dataframe


def test_a_class_that_is_too_large_to_count_leaves_the_checked_part_and_limits(monkeypatch):
    app = open_page("single_out", SMALL, **{keys.SINGLED: keys.CHECKED})
    monkeypatch.setattr(counting, "MAX_TABLE_BYTES", 1)
    monkeypatch.setattr(inclusion, "MAX_SETS", 0)
    app.session_state[state._STUDY] = two()
    app.run()
    assert not app.exception
    assert list(outcomes(app)["Outcome"]) == ["failed", "more than one", "one"]
    look(look(app, "How likely"), "Each class by itself", "Reading")
    assert "of classes that are too large to count" in shown(app)
    (limits,) = [table.value for table in app.dataframe if "At most" in table.value]
    assert (limits["At least"] < limits["At most"]).all()
    (metric,) = [one for one in app.metric if one.label == "People expected to stand alone"]
    assert " to " in metric.value


def test_records_that_agree_in_everything_leave_the_checked_part():
    app = opened(pd.DataFrame({"sex": [0, 0, 0, 1]}), Study([Attribute("sex", 0, 2, 2)], 3))
    assert not app.exception
    assert "Exactly one person has sex from 1 to under 2.** (the suppressed records)" in shown(app)


def test_who_has_what_is_said_where_a_column_is_sensitive():
    # Both in [2, 4[ make a class; the suppressed one can only be in [0, 2[, and its value stands beside it.
    people = pd.DataFrame({"a": [0, 2, 3], "illness": ["HIV", "flu", "cold"]})
    study = Study([Attribute("a", 0, 4, 2)], 2, roles=Roles(sensitive=["illness"]))
    app = open_page("who_has_what", people, study)
    assert not app.exception
    assert "that person has HIV" in shown(app)
    assert "1 cell settles the value of whoever is there; 1 person stands alone for certain, there." in shown(app)
    (told,) = pictures(app)
    assert "HIV" in str(told["figure"])
    without = open_page("who_has_what", people[["a"]], Study(study.attributes, 2))
    assert "no column that is called sensitive" in shown(without)
    (release,) = pictures(without)  # the boxes alone, as there is nothing to have
    assert "HIV" not in str(release["figure"])
    assert "2 people" in str(release["figure"])


def test_one_sentence_and_one_number_come_first_the_rest_opens():
    toy = synthesize("toy")
    app = opened(toy.data, toy.study)
    for name in ("", "-likely", "-together", "-certain"):
        for place in range(4):
            app.session_state[f"single-out{name}-folded-{place}"] = False
    text = shown(app.run())
    assert "6 people stand alone in truth; 2 of them can be proven from the release." in text
    for folded in ("classes (38 %)", "expects"):
        assert folded not in text
    app = look(app, "How likely")
    assert len(app.metric) == 1
    app = look(app, "For certain")
    assert "2 people are singled out for certain" in shown(app)
    assert "the certain among them" not in shown(app)
