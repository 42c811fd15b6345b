"""The bar that names the current study, and the gates in front of pages that need a table and a study."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from cra_dashboard.panels import frame, menu
from cra_dashboard.session import state
from cra_dashboard.session.state import Before
from cra_engine import Attribute, Study
from cra_engine.checks.project import Decision

ROOT = Path(__file__).parents[2]
POINTS = pd.DataFrame({"age": [21, 34, 55, 71], "a*b": [1, 2, 3, 4]})
STUDY = Study([Attribute("age", 0, 80, 3), Attribute("a*b", 0, 8, 2)], 2)


def bar(data=None, study=None):
    """The bar alone: AppTest shows the page's own elements in its place when app.py runs."""
    return run(
        AppTest.from_string("from cra_dashboard.panels import frame\nframe.study_bar()\n", default_timeout=300),
        data,
        study,
    )


def gated(data=None, study=None):
    """A page behind the gate."""
    at = AppTest.from_file(ROOT / "app.py", default_timeout=300).run()
    return run(at.switch_page("pages/recode.py"), data, study)


def run(at, data, study):
    if data is not None:
        at.session_state["cra_dataset"] = state.make_dataset("my_file.csv", "Where it is from.", "uploaded", data)
        at.session_state["cra_study"] = study
    at.run()
    assert not at.exception
    return at


def test_without_a_table_there_is_no_bar():
    assert not bar().markdown


def test_the_bar_names_table_records_attributes_k_and_profile():
    at = bar(POINTS, STUDY)
    # Names show as they are written: Markdown's own signs in them are escaped.
    assert at.markdown[0].value == r"**my\_file.csv** · 4 records · k = 2 · age, a\*b"
    assert at.caption[0].value == "Where it is from."


@pytest.mark.parametrize("page", ["heterogeneous", "experiments", "microaggregate", "downcode"])
def test_where_a_page_chooses_its_table_the_bar_does_not_name_another_as_the_pages(page):
    script = f"from cra_dashboard.panels import frame\nframe.study_bar({page!r})\n"
    at = run(AppTest.from_string(script, default_timeout=300), POINTS, STUDY)
    assert at.markdown[0].value == r"Open in this session: **my\_file.csv**"
    assert at.caption[0].value == "This page names its own table below."


@pytest.mark.parametrize(("chosen", "own"), [([], True), ([(2, None)], False)])
def test_where_only_uploaded_releases_are_looked_at_the_bar_does_not_name_the_session_s(chosen, own):
    script = (
        "import streamlit as st\nfrom cra_dashboard.panels import frame\nfrom cra_dashboard.session import keys\n"
        f"st.session_state[keys.together()] = {chosen}\nframe.study_bar('together')\n"
    )
    at = run(AppTest.from_string(script, default_timeout=300), POINTS, STUDY)
    assert at.markdown[0].value.startswith("Open in this session: ") == own
    assert (at.caption[0].value == "This page names its own table below.") == own
    assert "k = " not in at.markdown[0].value  # each release has its own, which the page names


def table_found():
    """A table as Make it publishable packs it: three rows, k = 2."""
    drawn = SimpleNamespace(frame=pd.DataFrame({"age": ["*"] * 3}), study=STUDY.with_k(2), label="by local recoding")
    return SimpleNamespace(drawn=drawn, files={}, problem="")


def test_a_table_that_was_taken_stands_beside_the_raw_one_until_something_else_is_decided():
    script = """
import streamlit as st
from cra_dashboard.panels import frame
from cra_dashboard.session import handed_out
from test_frame import table_found
if st.session_state.pop("take", False):
    handed_out.take(table_found())
frame.study_bar("check")
"""
    at = AppTest.from_string(script, default_timeout=300)
    at.session_state["take"] = True
    run(at, POINTS, STUDY)
    assert at.markdown[0].value == r"**my\_file.csv** · raw: 4 records · **taken: 3 rows, k = 2**"
    at.button(key="study-undo").click().run()
    assert at.markdown[0].value == r"**my\_file.csv** · 4 records · k = 2 · age, a\*b"
    at.session_state["take"] = True
    at.run()
    assert at.markdown[0].value.endswith("**taken: 3 rows, k = 2**")
    at.session_state["cra_study"] = STUDY.with_k(3)
    at.run()
    assert at.markdown[0].value == r"**my\_file.csv** · 4 records · k = 3 · age, a\*b"


def test_a_page_that_does_not_look_at_the_taken_table_says_so():
    script = """
from cra_dashboard.panels import frame
from cra_dashboard.session import handed_out
from test_frame import table_found
handed_out.take(table_found())
frame.study_bar("attack")
"""
    at = run(AppTest.from_string(script, default_timeout=300), POINTS, STUDY)
    assert at.markdown[0].value == r"**my\_file.csv** · 4 records · k = 2 · age, a\*b"
    said = r"Not the table taken on Check (3 rows, k = 2)\: this page looks at what Recode publishes."
    assert at.caption[0].value == said


def test_no_decision_holds_on_a_column_that_the_table_which_was_taken_is_without():
    script = """
import streamlit as st
from cra_dashboard.session import decisions, handed_out
from test_frame import table_found
out = "a*b: 1 missing value, rows without it are left out"
told = ("age is kept", "a*b is kept", out, "age: 3 cells read as missing")
for what in told:
    decisions.note(what)
st.text([one.what for one in handed_out.holding()])
handed_out.take(table_found())
st.text([one.what for one in handed_out.holding()])
decisions.note("age is removed")
handed_out.take_no_longer()
st.text([one.what for one in handed_out.holding()])
"""
    at = run(AppTest.from_string(script, default_timeout=300), POINTS, STUDY)
    before, taken, after = (ast.literal_eval(one.value) for one in at.text)
    assert len(before) == 4
    assert taken == ["age is kept", "age: 3 cells read as missing", "published as searched for: by local recoding"]
    assert after == [*before, "age is removed"]


def test_beside_a_table_that_was_taken_no_row_is_told_that_another_one_leaves_out():
    script = """
from cra_dashboard.panels import frame
from cra_dashboard.session import decisions, handed_out
from test_frame import table_found
decisions.leave_out([1, 3])
handed_out.take(table_found())
frame.study_bar("check")
"""
    at = run(AppTest.from_string(script, default_timeout=300), POINTS, STUDY)
    assert at.markdown[0].value == r"**my\_file.csv** · raw: 4 records · **taken: 3 rows, k = 2**"
    assert at.caption[0].value == "Where it is from."


def test_before_there_is_a_study_the_bar_names_the_table():
    assert bar(POINTS).markdown[0].value == r"**my\_file.csv** · 4 records"


@pytest.mark.parametrize(
    ("data", "study", "kind", "sentence"),
    [
        (POINTS, None, "info", "Nobody has said which columns others may know"),
        (POINTS, STUDY.with_k(5), "error", "k = 5 is more than the 4 records"),
        (POINTS[["age"]], STUDY, "error", "has no column"),
        (POINTS + 100, STUDY, "error", "outside the domain"),
    ],
)
def test_the_gate_says_what_is_missing(data, study, kind, sentence):
    at = gated(data, study)
    assert sentence in getattr(at, kind)[0].value.replace("\\", "")
    # What is behind the gate has not run: no chart, no result.
    assert not at.get("plotly_chart")
    assert "recoding" not in at.session_state.get("cra_results", {})


def test_the_gate_opens():
    at = gated(POINTS, STUDY)
    assert not at.info
    assert not at.error
    assert at.session_state["cra_results"]["recoding"][1].study == STUDY


def test_changes_of_the_study_are_taken_back_one_by_one():
    at = bar(POINTS, STUDY)
    assert at.button(key="study-undo").disabled
    other = STUDY.with_k(3)
    data = at.session_state["cra_dataset"]
    at.session_state["cra_before"] = [Before(data, STUDY), Before(data, other)]
    at.session_state["cra_study"] = STUDY.with_k(4)
    at.run()
    for expected, named in ((other, "k = 4"), (STUDY, "k = 3")):
        assert at.button(key="study-undo").label == f"Undo: {named}"
        at.button(key="study-undo").click().run()
        assert at.session_state["cra_study"] == expected
    assert "cra_decisions" not in at.session_state  # nothing had been noted, so nothing is taken back there
    assert at.button(key="study-undo").disabled


def test_merges_and_rows_that_are_left_out_are_taken_back():
    script = """
from cra_dashboard.panels import frame
from cra_dashboard.session import datasets, decisions, state
if not state.changes() and "done" not in st.session_state:
    st.session_state["done"] = True
    state.read_otherwise(datasets.with_cells_read_as(state.dataset(), "a*b", {"1": "2"}), state.study())
    decisions.leave_out([1, 3])
frame.study_bar("data")
"""
    at = run(AppTest.from_string("import streamlit as st\n" + script, default_timeout=300), POINTS, STUDY)
    assert "2 of 4 records" in at.markdown[0].value
    assert at.caption[0].value.replace("\\", "") == "Left out: 2 rows, repeating another. Where it is from."
    at.button(key="study-undo").click().run()
    assert " · 4 records" in at.markdown[0].value
    assert at.session_state["cra_dataset"].read_as
    assert at.button(key="study-undo").label == "Undo: how cells are read"
    at.button(key="study-undo").click().run()
    assert at.session_state["cra_dataset"].frame.equals(POINTS)
    assert at.button(key="study-undo").disabled


def test_undo_takes_back_that_a_table_took_the_place_of_another_also_by_going_back():
    """Who went back by mistake looks for what was left where all else is taken back."""
    script = """
import streamlit as st
from cra_dashboard.panels import frame
from cra_dashboard.session import datasets, decisions, state
from cra_engine.raw.contents import proposed_study
def use(name, first_age):
    lines = [f"{first_age + row % 30},{row % 2}" for row in range(60)]
    data = datasets.uploaded(name, "\\n".join(["age,arm", *lines]).encode())
    state.use_dataset(data, proposed_study(state.columns_of(data)))
if "done" not in st.session_state:
    st.session_state["done"] = True
    use("people.csv", 20)
    decisions.decide("arm is kept")
    use("others.csv", 30)
st.button("back", on_click=state.go_back, key="back")
st.button("decide", on_click=decisions.decide, args=("ward is kept",), key="decide")
st.button("corrected", on_click=use, args=("others.csv", 40), key="corrected")
frame.study_bar("data")
"""
    at = AppTest.from_string(script, default_timeout=300).run()

    def undo():
        return at.button(key="study-undo")

    assert undo().label == "Undo: others.csv in place of people.csv"
    at.button(key="back").click().run()
    assert at.session_state["cra_dataset"].name == "people.csv"
    assert [one.what for one in at.session_state["cra_decisions"][1]] == ["arm is kept"]
    assert undo().label == "Undo: people.csv in place of others.csv"
    undo().click().run()
    assert at.session_state["cra_dataset"].name == "others.csv"
    assert at.caption[0].value.replace("\\", "") == "Taken back: people.csv in place of others.csv."
    # What is decided about the table that is there comes first, and lets no row of the other one stay.
    at.button(key="decide").click().run()
    assert undo().label == "Undo: ward is kept"
    undo().click().run()
    assert (undo().label, undo().disabled) == ("Undo", True)
    assert at.session_state["cra_dataset"].name == "others.csv"
    # Of the same name it is not said to stand in place of itself.
    at.button(key="corrected").click().run()
    assert undo().label == "Undo: others.csv in place of the one before"


def test_rows_that_are_left_out_for_several_reasons_are_counted_once_and_add_up():
    script = """
import streamlit as st
from cra_dashboard.panels import frame
from cra_dashboard.session import decisions, state
if not state.changes():
    decisions.leave_out([1])
    decisions.leave_out([1, 3], "with a missing")
st.text(frame.left_out_said(state.dataset(), state.study()))
st.text(decisions.left_out_text())
"""
    at = run(AppTest.from_string(script, default_timeout=300), POINTS, STUDY)
    assert [one.value for one in at.text] == [
        "Left out 2 rows: 1 row, repeating another; 1 row, with a missing.",
        "2 rows: row 1 (2 in a spreadsheet), repeating another; row 3 (4 in a spreadsheet), with a missing",
    ]


def test_undo_names_what_it_takes_back_and_what_was_decided_holds_it_no_longer():
    at = bar(POINTS, STUDY)
    data = at.session_state["cra_dataset"]
    first, last = Decision("2026-11-22", "ward is kept"), Decision("2026-11-22", "sex is known to others")
    at.session_state["cra_before"] = [Before(data, STUDY), Before(data, STUDY, (data.digest, (first,)))]
    at.session_state["cra_study"] = STUDY.with_k(4)
    at.session_state["cra_decisions"] = (data.digest, (first, last))
    assert at.run().button(key="study-undo").label == "Undo: sex is known to others"
    # However long, all of it: the button wraps (tests/browser).
    long = Decision("2026-11-22", "weight: 5 missing values, rows without it are left out")
    at.session_state["cra_decisions"] = (data.digest, (first, long, last))
    assert at.run().button(key="study-undo").label.replace("\\", "") == f"Undo: {long.what}; {last.what}"
    at.session_state["cra_decisions"] = (data.digest, (first, last))
    at.run()
    at.button(key="study-undo").click().run()
    assert at.session_state["cra_decisions"] == (data.digest, (first,))
    assert at.caption[0].value.replace("\\", "") == "Taken back: sex is known to others."
    assert at.button(key="study-undo").label == "Undo: ward is kept"
    at.button(key="study-undo").click().run()
    assert "cra_decisions" not in at.session_state


@pytest.mark.parametrize(
    ("page", "before", "after"),
    [
        ("start", None, None),
        ("story", "start", None),
        ("playground", "story", "lessons"),
        ("lessons", "playground", None),
        ("data", "start", "hierarchies"),
        ("hierarchies", "data", "recode"),
        ("recode", "hierarchies", "attack"),
        ("attack", "recode", "all_classes"),
        ("together", "all_classes", "single_out"),
        ("single_out", "together", "who_has_what"),
        ("who_has_what", "single_out", "check"),
        ("check", "who_has_what", "audit"),
        ("audit", "check", "compare"),
        ("safe_recoding", "compare", None),
        ("glossary", None, None),
        ("downcode", "heterogeneous", "effective_anonymity"),
        ("experiments", "effective_anonymity", None),
    ],
)
def test_the_way_leads_to_the_question_whether_the_table_may_go_out(page, before, after):
    assert menu.before_and_after(page) == (before, after)


@pytest.mark.parametrize(
    ("page", "before", "after"),
    [
        ("start", None, None),
        ("data", "start", "check"),
        ("check", "data", None),
        ("recode", "hierarchies", "attack"),
        ("attack", "recode", "check"),
        ("single_out", "attack", "check"),
        ("audit", "check", None),
        ("lessons", "playground", None),
        ("downcode", "heterogeneous", "effective_anonymity"),
    ],
)
def test_a_table_of_ones_own_goes_from_data_to_check(page, before, after):
    assert menu.before_and_after(page, own=True) == (before, after)


def test_the_menu_has_about_nine_entries_and_every_page_is_reached_from_it():
    entries = [name for names in menu.MENU.values() for name in names]
    assert len(entries) + 1 <= 9  # with More methods
    views = [name for of_one in menu.VIEWS.values() for name in of_one]
    files = {file.stem for file in ROOT.glob("pages/*.py")}
    assert files == set(menu.PAGES) == {*entries, *views, *menu.MORE, "glossary"}
    assert set(menu.VIEWS) <= set(entries)


def test_the_bar_says_how_many_records_are_left_to_publish():
    gaps = POINTS.assign(age=["21", "", "55", "71"])
    left_out = STUDY.changed(attributes=[STUDY.attributes[0].with_missing("leave-out"), STUDY.attributes[1]])
    assert " · 3 of 4 records · " in bar(gaps, left_out).markdown[0].value
    assert " · 4 records · " in bar(POINTS, left_out).markdown[0].value
    # Where nothing would be left the page itself says so.
    assert " · 4 records · " in bar(gaps.assign(age=""), left_out).markdown[0].value


def test_fragments_that_a_page_no_longer_shows_are_forgotten_though_it_stops(monkeypatch):
    """A late look of one would write where something else stands now, and leave the browser with an empty page."""
    held = MemoryFragmentStorage()
    for name in ("shown", "gone"):
        held.register(name, lambda: None)
    shown = SimpleNamespace(new_fragment_ids=SimpleNamespace(snapshot=lambda: {"shown"}))
    monkeypatch.setattr(frame, "get_script_run_ctx", lambda: SimpleNamespace(fragment_storage=held, shared=shown))

    def stops():
        raise StopException

    with pytest.raises(StopException):
        frame.run(SimpleNamespace(run=stops))
    assert (held.contains("shown"), held.contains("gone")) == (True, False)
