"""The page Heterogeneous: a person's rows, a row's people, the promise on both sides, and the tabs beside them."""

import re

import pandas as pd
import pytest
from support import let_run, open_page, shown

from cra_dashboard.heterogeneous import story
from cra_dashboard.heterogeneous.chart import buckets_figure
from cra_dashboard.session import state
from cra_engine import heterogeneous

FRAME = pd.DataFrame(
    {
        "age": [str(20 + n % 37) for n in range(60)],
        "town": [f"town {n % 4}" for n in range(60)],
        "illness": [f"illness {n % 5}" for n in range(60)],
    }
)


def control(app, label):
    kinds = ("button_group", "selectbox", "multiselect", "slider", "number_input")
    return next(found for kind in kinds for found in app.get(kind) if found.label == label)


def choose(app, label, value):
    control(app, label).set_value(value).run()
    assert not app.exception, app.exception
    return app


@pytest.fixture
def adult():
    app = open_page("heterogeneous")
    assert not app.exception, app.exception
    return app


def test_the_page_tells_its_story_untouched(adult):
    text = shown(adult)
    of = int(re.search(r"Of ([\d,]+) people", text)[1].replace(",", ""))
    counts, shares = zip(
        *((int(n), float(share)) for n, share in re.findall(r"(\d+) \((\d+\.\d) %\)", text)), strict=True
    )
    assert of == 1000
    assert [round(100 * count / of, 1) for count in counts] == list(shares)
    assert "Behind each row stand 5 different values" in text
    assert shares[0] > 25 > shares[1]  # the paper's extraction, then ours
    assert re.search(r"Person \d+ matches 5 rows, one per bucket; they show .*(twice|times)", text)
    assert len(adult.dataframe[0].value) == 5
    # Before anything is opened no more than 200 words are to be read.
    assert len(" ".join(str(part.value) for part in adult.markdown if "Buckets." not in str(part.value)).split()) < 200


def test_the_values_of_the_matches_stand_below_their_buckets_off_the_dots():
    made = heterogeneous(FRAME.astype({"age": int}), ["age", "town"], "illness", l=4, seed=1)
    looked = story.person(made, 0)
    drawn = buckets_figure(made, looked, rows=True)
    lowest = min(y for trace in drawn.data if "markers" in trace.mode for y in trace.y)
    below = [note for note in drawn.layout.annotations if note.y < lowest]
    assert [note.text.replace("<br>", " ") for note in below] == list(looked.values)
    assert {note.yanchor for note in below} == {"top"}
    assert not any("text" in trace.mode for trace in drawn.data)


@pytest.mark.parametrize("longer", ["", "-and-what-follows"])
def test_a_value_that_stands_lower_than_others_for_want_of_room_has_a_line_to_its_bucket(longer):
    frame = FRAME.astype({"age": int})
    frame["illness"] = frame["illness"].str[-1] + longer
    made = heterogeneous(frame, ["age", "town"], "illness", l=4, seed=1)
    drawn = buckets_figure(made, story.person(made, 0), rows=True)
    lowest = min(y for trace in drawn.data if "markers" in trace.mode for y in trace.y)
    below = [note for note in drawn.layout.annotations if note.y < lowest]
    assert len({note.y for note in below}) == 1  # the ends of lines, and texts without one
    assert [(note.showarrow, note.ay is not None and note.ay > 0) for note in below] == [
        (bool(longer and at % 2),) * 2 for at in range(4)
    ]


def test_the_table_is_named_and_every_load_says_the_same(adult):
    def headline(app):
        return next(part.value for part in app.markdown if "Behind each row stand" in part.value)

    # What was found, in bold; then the method and the table.
    assert headline(adult).startswith("**Behind each row stand 5 different values, as promised.** Of 1,000 people who")
    ended = "Heterogeneous generalization: every row has a box of its own. The table: Adult, 1,000 people."
    assert headline(adult).replace("\\", "").endswith(ended)
    assert control(adult, "Seed").value == 1
    assert headline(open_page("heterogeneous")) == headline(adult)
    assert "Download this release" in [part.proto.label for part in adult.get("download_button")]
    # Another seed is another draw, and the first one comes back with its seed.
    again = headline(choose(adult, "Seed", 5))
    assert headline(choose(adult, "Seed", 1)) != again
    assert headline(choose(adult, "Seed", 5)) == again


def test_a_table_of_ones_own_is_drawn_without_a_seed_and_given_out_so_only():
    mine = state.make_dataset("mine.csv", "Made for a test.", "uploaded", FRAME)
    app = open_page("heterogeneous", **{state._DATASET: mine})
    assert control(app, "Seed").value is None
    assert "mine.csv" in shown(app)
    choose(app, "Seed", 7)
    assert "To publish this table, clear the seed." in shown(app)
    assert "Download this release" not in [part.proto.label for part in app.get("download_button")]


def test_each_tab_shows_its_numbers(adult):
    for tab, said in (
        ("Both sides", "Before a person, ours"),
        ("What is lost", "Groups that publish alike"),
        ("What an attack learns", "Nothing: always the most frequent value,"),
        ("Count queries", "Half of 200 random count queries"),
    ):
        adult.session_state["het-tab"] = tab
        adult.run()
        assert not adult.exception, adult.exception
        assert said in shown(adult)


def test_what_is_guessed_right_is_counted_too(adult):
    adult.session_state["het-tab"] = "What an attack learns"
    adult.run()
    guessed = adult.dataframe[0].value
    assert (guessed["Of 1,000 people"] / 1000 == guessed["Guesses right"]).all()
    assert guessed["Of 1,000 people"].gt(0).all()


def test_what_is_not_nothing_never_reads_as_nothing():
    assert [story.counted(*of) for of in ((0, 5000), (1, 5000), (5, 5000), (5000, 5000), (None, 3))] == [
        "0 (0.0 %)", "1 (less than 0.1 %)", "5 (0.1 %)", "5,000 (100.0 %)", "none",
    ]  # fmt: skip


def test_a_row_has_five_people_with_five_values(adult):
    choose(adult, "Look at", "A row's people")
    choose(adult, "Row", 7)
    table = adult.dataframe[0].value
    assert len(set(table["occupation"])) == 5
    assert "Behind row 7 may be any of 5 people" in shown(adult)


def test_likeness_is_kept_before_a_person_by_ours(adult):
    choose(adult, "Promise", "Likeness")
    assert "before 0 (0.0 %) with ours" in shown(adult)
    choose(adult, "Largest gain, beta", 900.0)
    assert "900 times" in shown(adult)


def test_another_draw_is_another_table(adult):
    before = shown(adult)
    next(button for button in adult.button if button.label == "Draw again").click().run()
    assert not adult.exception, adult.exception
    assert shown(adult) != before


def test_a_table_of_ones_own_is_offered_and_its_columns_can_be_chosen():
    app = open_page("heterogeneous", FRAME)
    assert not app.exception, app.exception
    choose(app, "Table", True)
    assert control(app, "Sensitive attribute").value == "illness"
    choose(app, "Quasi-identifiers", ["age"])
    assert list(app.dataframe[0].value.columns) == ["Bucket", "Row", "illness", "age"]
    assert "'town'" in shown(app)
    choose(app, "Quasi-identifiers", [])
    assert "Choose a quasi-identifier" in shown(app)


def test_a_gap_is_told_in_a_sentence():
    app = open_page("heterogeneous", FRAME.assign(age=["", *FRAME["age"][1:]]))
    choose(app, "Table", True)
    assert "'age': 1 missing value" in shown(app)


def test_a_table_without_a_column_to_protect_says_so():
    app = open_page("heterogeneous", pd.DataFrame({"number": [str(n) for n in range(99)]}))
    assert "5 different values" in shown(app)  # the example
    choose(app, "Table", True)
    assert "no column with a few different values" in shown(app)


def test_a_large_table_is_matched_beside_the_page(monkeypatch):
    monkeypatch.setattr("cra_dashboard.heterogeneous.state.AT_ONCE", 20)
    app = open_page("heterogeneous", FRAME)
    choose(app, "Table", True)
    assert "takes a while" in shown(app)
    next(button for button in app.button if button.label == "Match the records").click().run()
    let_run(app)
    assert "Behind each row stand 5 different values" in shown(app)
    app.session_state["het-tab"] = "What is lost"
    app.run()
    assert "left to the command line" in shown(app)


def test_whoever_wants_to_is_asked_first(adult):
    next(toggle for toggle in adult.toggle if toggle.label == "Predict first").set_value(True).run()
    assert "How many of the 1,000 people see some value twice" in shown(adult)
    assert "matches 5 rows, one per bucket" not in shown(adult)
    adult.radio[0].set_value(0).run()
    next(button for button in adult.button if button.label == "Reveal").click().run()
    assert not adult.exception, adult.exception
    assert "You said: nobody. The answer: more than 1 in 4." in shown(adult)
    assert "matches 5 rows, one per bucket" in shown(adult)
