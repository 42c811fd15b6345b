"""Numbers that are no age of a person, and columns whose numbers are not ages in years."""

import pandas as pd
import pytest

from cra_engine.raw.ages import no_ages

USUAL = [str(20 + row % 60) for row in range(100)]


@pytest.mark.parametrize("name", ["Alter", "age", "Age at admission", "edad", "Alter (Jahre)"])
@pytest.mark.parametrize("cells", [["212"], ["123"], ["-3"], ["212", "-1", "2000"], ["-99"] * 30])
def test_what_no_person_can_be_is_found(name, cells):
    assert no_ages(pd.Series([*USUAL, *cells], name=name)).tolist() == [False] * 100 + [True] * len(cells)


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("age", ["0", "1", "119", "122", "", "unknown"]),
        ("Alter in Tagen", ["212"]),
        ("age (months)", ["212"]),
        ("weight", ["212", "-3"]),
        ("stage", ["212"]),
        ("age", [str(130 + row) for row in range(30)]),  # counted otherwise than in years
        ("age", [f"-{row}.5" for row in range(30)]),  # from the mean
    ],
)
def test_ages_and_what_is_not_counted_in_years_are_left_alone(name, cells):
    assert not no_ages(pd.Series([*USUAL, *cells], name=name)).any()
