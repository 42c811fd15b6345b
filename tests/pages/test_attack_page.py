"""The Attack page in every state a session can reach; what it must show is worked out by hand."""

import pandas as pd
import pytest
from support import go_to, look, open_page, shown, two

from cra_dashboard.session import state
from cra_dashboard.session.attacks import toy
from cra_engine import Attribute, Study
from cra_engine.counting import inclusion
from cra_engine.counting import sums as counting
from cra_engine.raw.synthesis import synthesize

# [0, 8) in quarters of 2, k = 3. Three records in cell (0,0); three in [0,4) x [0,4), one in each of its other cells;
# one far away. Box [0,4) x [0,4) has 16 value combinations, C(16,3) = 560; the attack leaves 112 of them, 5 times
# fewer, in 3 fillings (1,1,1), (1,2,0), (2,1,0) of the cells (0,1), (1,0), (1,1). Suppressed: 64 places, 16 - 4 = 12
# free cells of 4: 48 left.
SMALL = pd.DataFrame({"a": [0, 1, 1, 0, 2, 3, 7], "b": [0, 0, 1, 2, 1, 3, 7]})
# Two classes whose states tie exactly; only the raw data tell that the row b in [200, 300) went first. Both hold (1,2).
TIED = pd.DataFrame({"a": [135, 290, 115, 245, 125, 155], "b": [370, 290, 150, 260, 95, 215]})


def opened(frame=None, study=None, **session):
    """The page with the paper's tables, which is what is worked out by hand."""
    return open_page("attack", frame, study, cra_weighing=state.Weighing("distinct"), **session)


def class_table(app):
    return next(table.value for table in app.dataframe if "Times fewer" in table.value)


def choose(app, position):
    box = next(box for box in app.selectbox if box.label == "Class")
    return box.set_value(position).run()


def test_without_a_study_the_page_says_where_to_get_one():
    app = opened(SMALL)
    assert not app.exception
    assert "Nobody has said which columns others may know" in shown(app)


@pytest.mark.parametrize("study", [two(8), Study([Attribute("other", 0, 8, 3)], 3), two(3, upper=4)])
def test_a_study_that_does_not_fit_is_a_sentence(study):
    app = opened(SMALL, study)
    assert not app.exception
    assert len(app.error) == 1
    assert not app.dataframe


def test_the_small_case_by_hand():
    app = opened(SMALL, two())
    assert not app.exception
    text = shown(app)
    # The deepest cut is chosen to begin with.
    # First of all: what the picture shows, and what to press.
    assert "Class 1 is a box of 3 people.** They can be only where ✔ stands. Choose another class" in text
    assert "Class 1: of every 5 tables that the intervals seem to allow, 1 is left (112 of 560)." in text
    table = class_table(app)
    assert list(table["Class"]) == ["0", "1", "suppressed"]
    assert list(table["Records"]) == [3, 3, 1]
    assert list(table["Free cells"]) == [1, 3, 12]
    assert list(table["All cells"]) == [1, 4, 16]
    assert list(table["Times fewer"]) == pytest.approx([1, 5, 4 / 3])
    assert list(table["Fillings"]) == [1, 3, 12]
    assert list(table["Kind"]) == ["basic", "compound", "suppressed"]
    assert list(table["Box"])[1:] == ["a from 0 to under 4 and b from 0 to under 4", "everything"]
    assert "3 records share the box a from 0 to under 4 and b from 0 to under 4." in text
    assert "1 of 4 cells belongs to earlier classes, and there are 3 ways to spread the records over 3 cells." in text
    assert "class 0 was formed earlier and took everybody there" in text
    # 64 + 24 of 112 for either of two cells: 11/14.
    assert "is 79 % likely to hold exactly one person (as 1 other cell is)" in text
    assert r"\binom{4 \cdot 4}{3} = \binom{16}{3} = 560" in sums_of(app)
    assert "All 3 fillings that satisfy the constraints." in shown(look(app, "A filling", "Show"))
    look(app, "The whole release")
    text = shown(app)
    assert "This release has 2 classes, 1 of them wider than one cell, and 1 suppressed record." in text
    assert (
        "cuts deepest in class 1: of every 5 tables that the intervals seem to allow, 1 is left (112 of 560)." in text
    )
    # (1 + 5) / 2 over all classes, 5 over the wider one.
    assert [(metric.label, metric.value) for metric in app.metric] == [
        ("Mean ratio, wider classes", "5"),
        ("Mean ratio, all classes", "3"),
    ]
    assert r"\frac{1 + 5}{2} = 3" in sums_of(app)


def sums_of(app):
    return "\n".join(formula.value.replace(r"\\ & ", "") for formula in app.latex)


def test_up_to_three_conclusions_are_read_without_opening_anything():
    app = open_page("attack")
    conclusions = [one.value for one in app.markdown if one.value.startswith("- ")]
    assert conclusions[0].count("\n- ") == 2
    assert len(conclusions) == 1
    assert not [one for one in app.get("popover") if "more conclusion" in one.proto.popover.label]


def test_the_exact_numbers_of_the_small_case():
    app = opened(SMALL, two())
    sums = "\n".join(formula.value.replace(r"\\ & ", "") for formula in app.latex)
    for told in (
        r"\binom{4 \cdot 4}{3} = \binom{16}{3} = 560",
        "= 112",
        r"\frac{560}{112} = 5",
    ):
        assert told in sums


def test_fillings_to_leaf_through():
    app = look(opened(SMALL, two()), "A filling", "Show")
    previous, following = (next(b for b in app.button if b.label == label) for label in ("Previous", "Next"))
    assert previous.disabled
    assert not following.disabled
    seen = []
    for turn in range(3):
        assert f"**{turn + 1} of 3**" in shown(app)
        filling = next(table.value for table in app.dataframe if list(table.value.columns) == ["Records", "Cell"])
        seen.append(tuple(filling.sort_index()["Records"]))
        if turn < 2:
            next(b for b in app.button if b.label == "Next").click().run()
    assert sorted(seen) == [(1, 1, 1), (1, 2, 0), (2, 1, 0)]
    assert next(b for b in app.button if b.label == "Next").disabled
    app.number_input[0].set_value(1).run()
    assert "**1 of 3**" in shown(app)


def test_probabilities_of_other_numbers():
    app = look(opened(SMALL, two()), "How likely", "Show")

    def probabilities():
        table = next(t.value for t in app.dataframe if list(t.value.columns) == ["Probability", "Cell"])
        return sorted(table["Probability"])

    assert probabilities() == pytest.approx([4 / 7, 11 / 14, 11 / 14])
    chooser = next(box for box in app.selectbox if box.label == "A cell holds exactly")
    assert list(chooser.options) == ["nobody", "1 person", "2 people"]
    chooser.set_value(0).run()
    # Only (1,1) can be empty: in (1,2,0) and (2,1,0), 48 of 112.
    assert probabilities() == pytest.approx([0, 0, 3 / 7])
    assert "holds **nobody**" in shown(app)


def test_suppressed_records_and_single_cell_classes_can_be_chosen():
    app = choose(opened(SMALL, two()), 2)
    assert (
        "1 record is suppressed: published without any interval. Going by that alone, 64 tables are possible."
        in shown(app)
    )
    assert "4 of 16 cells belong to earlier classes" in shown(app)
    choose(app, 0)
    assert "the finest that the hierarchies have: the attack adds nothing" in shown(app)
    assert not app.exception


def test_the_chosen_class_survives_a_visit_to_another_page():
    app = choose(opened(SMALL, two()), 2)
    go_to(app, "single_out")
    go_to(app, "attack")
    assert "1 record is suppressed: published without" in shown(app)


def test_the_box_of_a_class_stands_below_the_field_which_would_cut_it():
    long = SMALL.rename(columns={"a": "Aufnahmegewicht", "b": "Entlassungsgewicht"})
    study = Study([Attribute(name, 0, 8, 3) for name in long.columns], 3)
    app = opened(long, study)
    said = [one.value for one in app.caption if one.value.startswith("Aufnahmegewicht from")]
    assert [text.replace("\\", "") for text in said] == [
        "Aufnahmegewicht from 0 to under 4 and Entlassungsgewicht from 0 to under 4"
    ]
    # What the field shows is short, and is not said twice.
    (field,) = [box for box in app.selectbox if box.label == "Class"]
    assert field.options == ["Class 0: 3 people", "Class 1: 3 people", "The suppressed records: 1 person"]


def test_the_whole_release_on_the_map():
    app = look(opened(SMALL, two()), "The whole release")
    assert not app.exception
    assert "The number in a cell is the class that owns it" in shown(app)


def owners(app):
    return next(table.value for table in app.dataframe if "Owner" in table.value)


def test_the_map_is_a_table_too():
    app = opened(SMALL, two())
    table = owners(app)
    assert list(table["Class 1"]) == ["taken", "its own", "its own", "its own"]
    assert list(table["Owner"]) == ["class 0", "class 1", "class 1", "class 1"]
    assert list(table["Cell"])[1] == "a from 0 to under 2 and b from 2 to under 4"
    assert list(owners(choose(app, 2))["The suppressed records"]).count("taken") == 4
    table = owners(look(app, "The whole release"))
    assert list(table.columns) == ["Cell", "Owner"]
    assert sorted(table["Owner"]) == ["class 0"] + 3 * ["class 1"] + 12 * ["no class"]
    # In the paper's tie both classes may own (1,2).
    tied = opened(TIED, Study([Attribute("a", 0, 400, 3), Attribute("b", 0, 400, 3)], 3))
    (row,) = owners(tied).loc[lambda table: table["Owner"] == "class 0 or class 1"].to_numpy().tolist()
    assert row == ["left open by a tie", "a from 100 to under 200 and b from 200 to under 300", "class 0 or class 1"]


def test_the_table_of_the_map_follows_the_slice():
    made = synthesize("hospitals")
    app = opened(made.data, made.study)
    choose(app, len(class_table(app)) - 1)
    for box in [box for box in app.selectbox if box.label in ("GAPICC", "WI_X")]:
        box.set_value(0)
    app.run()
    sizes = [a.leaves for a in made.study.attributes if a.name not in ("GAPICC", "WI_X")]
    assert len(owners(app)) == sizes[0] * sizes[1]


def test_ties_sound_and_paper():
    study = Study([Attribute("a", 0, 400, 3), Attribute("b", 0, 400, 3)], 3)
    app = opened(TIED, study)
    assert not app.exception
    assert list(class_table(app)["Free cells"]) == [4, 4]
    assert list(class_table(app)["Fillings"]) == [12, 12]
    assert "both settings give the same result" not in shown(app)
    app.radio[0].set_value("paper").run()
    assert not app.exception
    # The first one formed is the one that the sorted order takes for the later one.
    assert list(class_table(app)["Free cells"]) == [3, 4]
    assert list(class_table(app)["Fillings"]) == [5, 12]
    # The choice holds on the other page too, and back again.
    go_to(app, "single_out")
    assert app.radio[0].value == "paper"
    go_to(app, "attack")
    assert list(class_table(app)["Free cells"]) == [3, 4]


def test_without_ties_the_setting_says_that_it_changes_nothing():
    study = Study([Attribute("a", 0, 8, 3), Attribute("b", 0, 16, 3)], 3)
    assert "both settings give the same result" in shown(opened(SMALL, study))


def test_one_attribute():
    # Quarters of 5, k = 3. 0, 1, 5 share [0, 10), halves of 1 and 2; 12 is left. C(10, 3) = 120; 2 * 5 * C(5, 2) = 100.
    app = opened(pd.DataFrame({"age": [0, 1, 5, 12]}), Study([Attribute("age", 0, 20, 3, unit="years")], 3))
    assert not app.exception
    assert "Class 0: of every 1.2 tables that the intervals seem to allow, 1 is left (100 of 120)." in shown(app)
    assert "3 records share the box age from 0 to under 10 years." in shown(app)


def test_four_attributes():
    made = synthesize("hospitals")
    app = opened(made.data, made.study)
    assert not app.exception
    assert "A tile stands for several cells here" in shown(app)
    # Of a box on a single cell no tile stands for several.
    table = class_table(app)
    opening = next(box for box in app.selectbox if box.label == "Class").value
    choose(app, list(table["Kind"]).index("basic"))
    assert "1/1: the cell of its box there is free" in shown(app)
    assert "Its box has one cell behind each tile." in shown(app)
    assert "A tile stands for several cells here" not in shown(app)
    choose(app, opening)
    # Slices down to single cells: the other two attributes get one interval each.
    for box in [box for box in app.selectbox if box.label in ("GAPICC", "WI_X")]:
        box.set_value(0)
    app.run()
    assert not app.exception
    assert "A tile stands for several cells here" not in shown(app)
    # The suppressed records can be filled in more ways than are listed, and the page says so.
    look(choose(app, len(class_table(app)) - 1), "A filling", "Show")
    assert "The first 1,000 fillings of" in shown(app)
    assert "counted, not estimated" in shown(app)


def test_everything_suppressed():
    app = opened(pd.DataFrame({"a": [0, 7, 3], "b": [0, 7, 5]}), Study([Attribute("a", 0, 8, 1)], 3))
    assert not app.exception
    # A hierarchy of one layer: its only state is the top, which is never published. C(8, 3) = 56 tables.
    assert "Going by that alone" not in shown(app)  # a single cell: nothing to refine
    look(app, "The whole release")
    assert "This release has no class: every record is suppressed." in shown(app)
    assert list(class_table(app)["Class"]) == ["suppressed"]


def test_no_suppressed_records_and_single_cells_only():
    app = opened(pd.DataFrame({"a": [0, 1, 0], "b": [0, 0, 1]}), two())
    assert not app.exception
    look(app, "The whole release")
    assert "This release has 1 class, each on a single cell." in shown(app)
    assert "The attack cuts nothing here" in shown(app)
    assert list(class_table(app)["Kind"]) == ["basic"]


def test_records_that_must_be_alike_are_not_counted_and_the_page_says_so():
    # [0, 4) in quarters of one value: three records on the two values of [0, 2), two of them alike. Counts of distinct
    # records are 0; the fillings (1,2) and (2,1) are there all the same, each likely.
    app = opened(pd.DataFrame({"a": [0, 0, 1]}), Study([Attribute("a", 0, 4, 3)], 3))
    assert not app.exception
    assert any("some of its records must be alike in every quasi-identifier" in w.value for w in app.warning)
    assert "All 2 fillings that satisfy the constraints." in shown(look(app, "A filling", "Show"))
    look(app, "How likely", "Show")
    table = next(t.value for t in app.dataframe if list(t.value.columns) == ["Probability", "Cell"])
    assert list(table["Probability"]) == [0.5, 0.5]
    assert "its records alike where they must be" in shown(app)


def test_equal_records_on_a_single_cell_are_nothing_to_warn_of():
    app = opened(pd.DataFrame({"sex": [0, 0, 0, 1]}), Study([Attribute("sex", 0, 2, 2)], 3))
    assert not app.exception
    assert not app.warning


def test_the_first_sentence_names_cells_that_a_tie_leaves_open():
    whole = toy()
    app = open_page("attack", whole.data.frame, whole.study)
    # Class 7 of the toy is formed before or after class 6: nobody outside knows who owns the corner.
    assert "Class 6 is a box of 3 people.** They can be only where ✔ or ? stands." in shown(app)


def test_a_class_that_is_too_large_to_count_is_a_sentence_and_the_page_goes_on(monkeypatch):
    # A limit that the small case passes too; set after the first page has opened, which counts an example of its own.
    app = opened(SMALL)
    monkeypatch.setattr(counting, "MAX_TABLE_BYTES", 1)
    monkeypatch.setattr(inclusion, "MAX_SETS", 0)
    app.session_state[state._STUDY] = two()
    app.run()
    assert not app.exception
    assert any("Class 1: Counting this class exactly" in w.value.replace("\\", "") for w in app.warning)
    assert list(class_table(app)["Class"]) == ["0", "1", "suppressed"]
    choose(app, 1)
    assert not app.exception
    assert r"\binom{16}{3} = 560" in app.latex[-1].value
    assert "Remaining and fillings are not counted here." in shown(app)
    for shows in ("A filling", "How likely"):
        look(app, shows, "Show")
        assert sum("Counting this class exactly" in info.value for info in app.info) == 1, shows


@pytest.mark.parametrize("kind", ["toy", "clinic"])
def test_built_in_studies_open(kind):
    made = synthesize(kind)
    app = opened(made.data, made.study)
    assert not app.exception
    assert len(class_table(app)) > 1


@pytest.mark.parametrize(
    ("looked", "told"),
    [
        ("This class", "A *table* here is one way to fill in the exact values of a class's records"),
        ("The whole release", "One table: one way to give the people of this class exact values."),
    ],
)
def test_what_one_table_is_stands_beside_how_many_there_are(looked, told):
    app = look(opened(SMALL, two()), looked)
    beside = [one.help for one in app.markdown if one.value.startswith("Class 1: ") and "(112 of 560)" in one.value]
    assert len(beside) == 1
    assert beside[0].startswith(told)
