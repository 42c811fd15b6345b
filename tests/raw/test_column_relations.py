"""Columns that say the same, and the parts of dates: by hand, and what must not be taken for it."""

import random

import pandas as pd
import pytest

from cra_engine.raw.column_looks import Look
from cra_engine.raw.column_relations import date_parts, determines, twin_of

DRAW = random.Random(5)


def look(name, cells):
    return Look.of(pd.Series([str(cell) for cell in cells], name=name))


SEX = [DRAW.choice("fm") for _ in range(200)]
AGE = [DRAW.randrange(20, 80) for _ in range(200)]


def test_a_twin_and_a_coarser_copy_are_determined_and_a_finer_one_determines():
    sex, female = look("sex", SEX), look("x", [int(cell == "f") for cell in SEX])
    age, group = look("age", AGE), look("g", [cell // 10 for cell in AGE])
    assert determines(sex, female)
    assert determines(female, sex)
    assert determines(age, group)
    assert not determines(group, age)
    assert twin_of(group, [sex, age]) == "age"
    assert twin_of(age, [sex, group]) == "g"
    assert twin_of(sex, [sex, age, group]) == ""


def test_two_mistakes_in_two_hundred_are_mistakes_and_ten_are_none():
    def with_mistakes(many):
        return look("x", [int((cell == "f") != (place < many)) for place, cell in enumerate(SEX)])

    assert determines(look("sex", SEX), with_mistakes(2))
    assert not determines(look("sex", SEX), with_mistakes(10))


@pytest.mark.parametrize("seed", range(20))
def test_columns_that_have_nothing_to_do_with_each_other_are_no_twins(seed):
    rng = random.Random(seed)
    drawn = [rng.choice("abc") for _ in range(200)]
    rare = ["yes" if place < 2 else "no" for place in range(200)]
    many = [rng.randrange(10**6) for _ in range(200)]
    for other in (rare, many, ["one"] * 200, [rng.choice("xy") for _ in range(200)]):
        assert not determines(look("a", drawn), look("b", other))
        assert not determines(look("b", other), look("a", drawn))


def test_the_parts_of_a_date_belong_together_by_what_stands_beside_the_part():
    days, months, years = [1, 30, 31], [1, 2, 12], [1980, 2001, 1999]
    looks = [
        look("admit_year", years),
        look("admit_month", months),
        look("Geburtsjahr", years),
        look("Geburtsmonat", ["Jan", "Mrz", "Dezember"]),
        look("Geburtstag", days),
        look("year of birth", years),
        look("day of birth", days),
        look("year", years),  # a year alone is no date
        look("discharge_month", [1, 13, 40]),  # no months
        look("discharge_day", days),
    ]
    assert date_parts(looks) == {
        "admit_year": (("admit_year", "admit_month"), "year", False),
        "admit_month": (("admit_year", "admit_month"), "month", False),
        "Geburtsjahr": (("Geburtsjahr", "Geburtsmonat", "Geburtstag"), "year", True),
        "Geburtsmonat": (("Geburtsjahr", "Geburtsmonat", "Geburtstag"), "month", True),
        "Geburtstag": (("Geburtsjahr", "Geburtsmonat", "Geburtstag"), "day", True),
        "year of birth": (("year of birth", "day of birth"), "year", True),
        "day of birth": (("year of birth", "day of birth"), "day", True),
    }
