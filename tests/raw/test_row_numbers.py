"""A row is called by one number, that of the file it came in, whatever was left out before."""

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, DataError, Roles, Study
from cra_engine.checks.rule import Rule
from cra_engine.publishable.choice import Decided
from cra_engine.publishable.space import Space
from cra_engine.raw.columns import read_column
from cra_engine.raw.dates import days_in
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import complete, locate
from cra_engine.raw.written import row_numbers, rows_left

WRONG = 14  # the row with a cell that nobody can place


def table(wrong: str) -> pd.DataFrame:
    ages = [str(30 + row) for row in range(20)]
    ages[1] = ages[4] = ""  # rows 2 and 5
    ages[WRONG - 1] = wrong
    return pd.DataFrame({"age": ages, "sex": ["m", "w"] * 10})


STUDY = Study([Attribute("age", 0, 80, layers=3, missing="leave-out")], k=2, roles=Roles(keep=("sex",)))


@pytest.mark.parametrize("wrong", ["old", "99", "40+"])
def test_every_way_to_a_cell_calls_its_row_alike(wrong: str) -> None:
    data = table(wrong)
    (whole,) = read_column(data["age"], STUDY.attributes[0]).problems
    assert whole.rows == (WRONG,)
    with pytest.raises(DataError, match=rf"row {WRONG} \({WRONG + 1} in a spreadsheet\)[,;.]"):
        locate(data, STUDY)
    kept = np.ones(len(data), dtype=bool)
    kept[[0, 2, 7]] = False  # three more, left out before
    with pytest.raises(DataError, match=rf"row {WRONG} \({WRONG + 1} in a spreadsheet\)[,;.]"):
        locate(rows_left(data, kept), STUDY)


def test_what_is_said_of_gaps_names_rows_of_the_file() -> None:
    data = table("44")
    kept = np.ones(len(data), dtype=bool)
    kept[[0, 3]] = False
    found = complete(rows_left(data, kept), STUDY)
    assert found.notes[0].startswith("Column 'age': 2 missing values in rows 2 and 5 (3, 6 in a spreadsheet), ")
    assert found.notes[1].startswith("2 rows of 18 left out for missing values: rows 2 and 5 (3, 6 in a spreadsheet); ")
    assert row_numbers(found.data).tolist() == [row for row in range(1, 21) if row not in (1, 2, 4, 5)]


def test_readings_of_a_part_name_rows_of_the_file() -> None:
    cells = pd.DataFrame({"day": ["2024-01-01"] * 9 + ["soon"], "code": [1.0] * 9 + [-999.0]})
    left = rows_left(cells, np.arange(10) > 3)
    (problem,) = days_in(left["day"])[1]
    assert problem.rows == (10,)
    assert "'soon' in row 10" in problem.text
    assert [one.rows for one in numbers(left["code"])[1]] == [(10,)]


def test_a_table_with_an_index_of_its_own_is_counted_by_its_rows() -> None:
    data = pd.DataFrame({"age": ["34", "x"]}, index=[70, 80])
    assert numbers(data["age"])[1][0].rows == (2,)


def test_the_search_names_rows_of_the_file_after_some_were_left_out() -> None:
    space = Space.of(table("44"), STUDY, Rule(), decided=Decided(without_rows=(1, 3)))
    assert row_numbers(space.data).tolist() == space.rows.tolist() == [2, *range(4, 21)]
