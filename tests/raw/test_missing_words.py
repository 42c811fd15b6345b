"""Words that stand for a missing value: those of programs, and those of people however they are spelled."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas._libs.parsers import STR_NA_VALUES

from cra_engine import Roles, Study
from cra_engine.checks.labels import said_in
from cra_engine.raw.columns import find_gaps
from cra_engine.raw.contents import carried_over, hierarchies, inspect
from cra_engine.raw.missing_words import MISSING, NOBODY_KNOWS, nobody_knows
from cra_engine.study.file_hierarchy import FileHierarchy


def test_all_that_pandas_reads_as_missing_is_but_for_its_codes_with_digits():
    wordy = [word for word in STR_NA_VALUES if not any(letter.isdigit() for letter in word)]
    assert len(wordy) > 10
    assert MISSING.issuperset(word.lower() for word in wordy)


@given(
    st.sampled_from(["NB", "KA", "OA", "NA"]),
    st.sampled_from([".", ". "]),
    st.sampled_from([".", ""]),
    st.sampled_from(["{}", "{}?", "({})"]),
    st.booleans(),
)
def test_an_abbreviation_is_one_word_however_it_is_spelled(letters, between, end, around, small):
    word = around.format(between.join(letters) + end)
    cells = pd.Series([word.lower() if small else word, "1", "2"])
    assert find_gaps(cells).tolist() == [True, False, False]
    assert said_in(pd.Series([cells[0], "flu"])).tolist() == [False, True]


@pytest.mark.parametrize("word", ["99", "999", "-9", "none", "keine", "NE", "Na ja", "nein"])
def test_numbers_and_what_may_be_a_value_protect_as_values(word):
    assert word.lower() not in NOBODY_KNOWS
    assert said_in(pd.Series([word, "flu"])).tolist() == [True, True]


@pytest.mark.parametrize("word", ["nb", "ka", "nd"])
@pytest.mark.parametrize("spelled", [str.upper, str.lower, str.title])
def test_two_letters_are_a_value_among_codes_of_their_kind_and_nothing_among_other_cells(word, spelled):
    def said(*others):
        return said_in(pd.Series([spelled(word), *others]))[0]

    codes, states = [spelled(code) for code in ("hd", "ma")], [spelled(code) for code in ("ca", "ny", "tx")]
    assert said(*states)
    assert said(*codes, "S", "M", "FR 1", "Freiburg", "Ulm")  # a quarter of all, and two
    assert not said(*codes, *"ABCDEFGHI")
    assert not said(codes[0])
    assert not said("m", "w")
    assert not said("150", "161", "172")
    assert not said("flu", "cold", "gout", "measles")
    assert not said(*(code.swapcase() for code in states))
    # With dots it is an abbreviation, whatever stands beside it.
    assert ".".join(word) in nobody_knows([".".join(word), *states])


def test_a_word_for_nothing_among_texts_is_listed_once_a_person_says_that_it_is_a_value():
    (column,) = inspect(pd.DataFrame({"ward": ["A", "B", "?", "A", "B", "?"]}))
    assert column.hierarchy is not None
    assert set(column.hierarchy.reader.listed) == {"A", "B"}
    assert column.hierarchy_with(["unknown"]) == column.hierarchy
    listed = column.hierarchy_with(["?"])
    assert listed is not None
    assert set(listed.reader.listed) == {"A", "B", "?"}
    # So does a hierarchy that somebody edited, or gave, which keeps all else.
    edited = FileHierarchy("ward", (("A", "A or B", "*"), ("B", "A or B", "*")), "", 1, "category")
    whole = column.listed_in(edited, ["?", "unknown"])
    assert whole == FileHierarchy("ward", (*edited.rows, ("?", "?", "*")), "", 1, "category")
    assert column.listed_in(whole, ["?"]) == whole
    assert column.listed_in(edited, ["unknown"]) == edited
    study = Study([edited], k=2, roles=Roles(as_values=["?"]))
    assert carried_over(study, hierarchies([column], study), [column]).attributes == (whole,)
    # Among numbers it can be none.
    (numbers,) = inspect(pd.DataFrame({"height": ["150", "161", "?", "172", "183", "190"]}))
    assert numbers.hierarchy_with(["?"]) == numbers.hierarchy
