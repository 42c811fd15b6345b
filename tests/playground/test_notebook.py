"""The playground in notebooks, Python's side: what it begins with, the table that it hands back, what it refuses."""

import subprocess
import sys
from datetime import date

import pandas as pd
import pytest
import traitlets

from cra_engine import (
    Attribute,
    CRAError,
    DataError,
    LDiversity,
    ReleaseError,
    Study,
    StudyError,
    playground,
    recode,
    synthesize,
)
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.quality import Quality

STUDY = Study([Attribute("a", 0, 8, layers=3), Attribute("b", 0, 4, layers=2)], 2)
FRAME = pd.DataFrame(
    {"b": [0, 1, 2, 3, 3], "name": list("uvwxy"), "a": [0, 3, 2, 3, 7]}, index=["p", "q", "r", "s", "t"]
)


def test_it_begins_with_the_table_and_hands_back_what_became_of_it():
    shown = playground(FRAME, STUDY)
    seen = []
    shown.observe(lambda change: seen.append(change["new"]), "frame")
    pd.testing.assert_frame_equal(shown.frame, FRAME)
    assert shown.scene == "table-k2"
    # Person 1 (a 3, b 1) to the cell of a 6 to 8, b 2 to 4, on the upper place in both; 4 out; one into the first.
    shown.scene = "table-k2-m1.7-d4-a0"
    assert len(seen) == 1
    assert list(shown.frame.index) == ["p", "q", "r", "s", "New 1"]
    assert shown.frame["a"].tolist()[:4] == [0, 7, 2, 3]
    assert shown.frame["b"].tolist()[:4] == [0, 3, 2, 3]
    assert shown.frame["name"].tolist()[:4] == list("uvwx")
    assert pd.isna(shown.frame["name"].iloc[-1])
    assert 0 <= shown.frame["a"].iloc[-1] < 2
    assert 0 <= shown.frame["b"].iloc[-1] < 2
    assert recode(shown.frame, STUDY).records == 5
    shown.scene = "table-k2"
    pd.testing.assert_frame_equal(shown.frame, FRAME)


def test_text_dates_and_categories_stay_what_they_are():
    ward = FileHierarchy("ward", (("A1", "A", "*"), ("A2", "A", "*"), ("B1", "B", "*"), ("B2", "B", "*")))
    when = Attribute("when", date(2020, 1, 1), date(2024, 1, 1), layers=2, unit="year")
    frame = pd.DataFrame({"ward": ["A1", "A2", "B2"], "when": ["2020", "2023", "2021"]})
    shown = playground(frame, Study([ward, when], 2))
    shown.scene = "table-k2-m1.2"
    assert shown.frame["ward"].tolist() == ["A1", "B2", "B2"]
    assert shown.frame["when"].tolist() == ["2020", "2021", "2021"]
    assert recode(shown.frame, Study([ward, when], 2)).records == 3


@pytest.mark.parametrize(
    "scene", ["table", "table-k2-m9.0", "table-k2-m0.8", "table-k2-d5", "table-k2-a8", "table-k2<script>", "x" * 5000]
)
def test_a_scene_that_makes_no_sense_is_refused_and_changes_nothing(scene):
    shown = playground(FRAME, STUDY)
    with pytest.raises(traitlets.TraitError):
        shown.scene = scene
    assert shown.scene == "table-k2"
    pd.testing.assert_frame_equal(shown.frame, FRAME)


def test_of_a_release_a_table_is_shown_that_gives_it():
    toy = synthesize("toy")
    release = recode(toy.data, toy.study).release
    shown = playground(release)
    again = recode(shown.frame, toy.study).release
    assert sorted((c.segment, c.size) for c in again.classes) == sorted((c.segment, c.size) for c in release.classes)
    assert not shown.frame.equals(toy.data)


@pytest.mark.parametrize(
    ("given", "kind", "said"),
    [
        ((FRAME,), DataError, "needs its study"),
        ((42,), CRAError, "DataFrame"),
        ((FRAME, Study(STUDY.attributes[:1], 2)), DataError, "two quasi-identifiers"),
        ((FRAME, STUDY.changed(privacy=[LDiversity("ill", 2)])), StudyError, "asks for distinct 2-diversity of ill; a"),
        ((FRAME, STUDY.changed(quality=Quality("precision"))), StudyError, "asks for precision, geometric mean; a"),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_sentence(given, kind, said):
    with pytest.raises(kind, match=said):
        playground(*given)


def test_a_release_of_more_quasi_identifiers_is_refused():
    hospitals = synthesize("hospitals", 60)
    with pytest.raises(ReleaseError, match="this release has"):
        playground(recode(hospitals.data, hospitals.study).release)


def test_without_the_library_the_command_is_said_that_brings_it():
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import cra_engine\n"
        "try: cra_engine.playground()\n"
        "except cra_engine.CRAError as error: print(error)\n"
        "assert 'ipywidgets' not in sys.modules and 'streamlit' not in sys.modules and 'plotly' not in sys.modules"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == (
        "The library anywidget, which shows the playground in notebooks, is not installed; run: pip install "
        "'cra-explorer[notebook]'.\n"
    )


def test_the_engine_brings_no_notebook_along():
    code = "import sys, cra_engine; cra_engine.recode; assert not {'anywidget', 'traitlets'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code], check=True)
