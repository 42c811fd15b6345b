"""Spellings of one value are asked about, and what a person answers is read the same by page and command line."""

import pandas as pd
import pytest

from cra_engine import StudyError
from cra_engine.options.detail import basic_in, detail_weights
from cra_engine.raw.proposed_roles import looks_of
from cra_engine.raw.spellings import as_options, as_told, read_as, spellings


def test_capitals_blanks_accents_and_hyphens_are_spellings_and_nothing_else_is():
    counted = [("Süd-Ost", 9), ("sud ost", 4), ("SÜD  OST", 1), ("Süd-West", 3), ("West", 2)]
    assert spellings("ward", counted) == {"sud ost": "Süd-Ost", "SÜD  OST": "Süd-Ost"}


def test_words_for_a_sex_count_in_a_column_of_sexes_only():
    counted = [("w", 40), ("m", 38), ("W", 3), ("weiblich", 2), ("männlich", 1), ("divers", 1)]
    assert spellings("Geschlecht", counted) == {"W": "w", "weiblich": "w", "männlich": "m"}
    assert spellings("ward", counted) == {"W": "w"}
    assert spellings("sex", [("male", 3), ("female", 2)]) == {}


def test_signs_are_no_spellings_of_each_other():
    assert spellings("result", [("+", 5), ("-", 4), ("--", 2), ("?", 1)]) == {}


def test_what_is_told_on_the_command_line_is_what_was_read_on_the_page():
    data = pd.DataFrame({"sex": ["w", "W ", None, "odd"], "age": ["1", "2", "3", "4"]})
    meant = {"W": "w", "odd": ""}
    once = read_as(data, "sex", meant)
    assert once["sex"].tolist() == ["w", "w", "", ""]
    again = data
    for told in as_options("sex", meant):
        again = as_told(again, told)
    pd.testing.assert_frame_equal(once, again)


def test_an_empty_cell_may_mean_a_text():
    read = as_told(pd.DataFrame({"illness": ["flu", "", "  "]}), "illness==no entry")
    assert read["illness"].tolist() == ["flu", "no entry", "no entry"]


@pytest.mark.parametrize("told", ["sex", "sex=W", "who=W=w", "sex==", ""])
def test_what_names_no_cell_is_refused(told):
    with pytest.raises(StudyError, match="--read-as"):
        as_told(pd.DataFrame({"sex": ["w"]}), told)


@pytest.mark.parametrize("name", ["Geschl.", "x", "Patient sex"])
def test_a_column_of_sexes_counts_threefold_by_its_cells_or_its_name(name):
    """And what is no age, birth or sex counts once, though few letters stand in it."""
    data = pd.DataFrame(
        {name: ["w", "m", "d", "w"], "group": ["a", "b", "b", "a"], "Jahrgang": [1950, 1961, 1972, 1983]}
    )
    assert detail_weights(data.columns, basic_in(looks_of(data))) == {name: 3.0, "group": 1.0, "Jahrgang": 3.0}


@pytest.mark.parametrize("name", ["Geschl.", "x"])
def test_a_column_of_sexes_is_found_by_its_cells_or_its_name_where_one_sex_is_written_in_two_ways(name):
    assert spellings(name, [("w", 30), ("m", 20), ("weiblich", 5)]) == {"weiblich": "w"}
