"""What is proposed for columns whose meaning is known, and false alarms that there were."""

import random
from functools import cache

import pandas as pd
import pytest
from known_columns import COLUMNS, TABLE

from cra_engine.raw.medical_codes import medical_code
from cra_engine.raw.proposed_roles import propose_roles


@cache
def proposed_for():
    return {found.name: found for found in propose_roles(TABLE, ["age"])}


@pytest.mark.parametrize(("name", "right"), [(name, right) for name, _, right in COLUMNS])
def test_the_role_of_each_column_whose_meaning_is_known(name, right):
    assert proposed_for()[name].role in right, proposed_for()[name]


@pytest.mark.parametrize("name", ["Allergie", "allergies", "Asthma", "COVID-19", "Impfstatus", "Unverträglichkeit"])
def test_a_yes_or_no_on_health_is_sensitive(name):
    cells = ["ja", "nein", "nein", None] * 10
    (proposed,) = propose_roles(pd.DataFrame({name: cells}))
    assert proposed.role == "sensitive"


def test_twins_are_named_also_where_both_are_known_to_others():
    sex = ["m", "w", "w"] * 20
    table = pd.DataFrame({"Geschlecht": sex, "female": [int(cell == "w") for cell in sex], "Alter": range(60)})
    reasons = {proposed.name: proposed.reason for proposed in propose_roles(table)}
    assert "says much the same as female" in reasons["Geschlecht"]
    assert "says much the same as Geschlecht" in reasons["female"]
    assert "same" not in reasons["Alter"]


def test_a_number_with_a_decimal_sign_is_no_telephone_number():
    rng = random.Random(1)
    for cells in (
        [f"0.{rng.randrange(10**6):06}" for _ in range(60)],
        [f"0,{rng.randrange(10**6):06}" for _ in range(60)],
        [f"{rng.randrange(10**6)}" for _ in range(60)],
    ):
        (found,) = propose_roles(pd.DataFrame({"cell value": cells}))
        assert "telephone" not in found.reason
    (found,) = propose_roles(pd.DataFrame({"cell": [f"079.{rng.randrange(10**6):06}.1" for _ in range(60)]}))
    assert found.reason == "its cells are telephone numbers"


@pytest.mark.parametrize(
    "values",
    [
        ["B10", "B11", "B12", "B13"],  # rooms of one floor
        ["1-23", "4-56", "7-89"],
        ["A+", "B-", "0+", "AB+"],
        ["2024-01-02", "2024-02-03", "2024-03-04"],
        ["12.5", "13.75", "9.0"],
        ["Type 2", "Type 1", "Other"],
        ["E11", "I10"],  # too few to be told by their cells
    ],
)
def test_what_is_no_code_of_a_diagnosis_a_procedure_or_a_drug(values):
    assert medical_code(values) == ""


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("town", ["New York", "San Jose", "Santa Maria", "Los Angeles", "Palo Alto", "Daly City"]),
        ("unit", ["Lung Cancer", "Heart Failure", "Renal Failure", "Hip Fracture", "Sleep Apnea", "Back Pain"]),
        ("hospital", ["Sankt Anna", "Marien Stift", "Sankt Josef", "Maria Hilf", "Paul Gerhardt", "Elisabeth Haus"]),
    ],
)
def test_what_are_no_names_of_people(name, cells):
    (found,) = propose_roles(pd.DataFrame({name: cells * 10}))
    assert "names of people" not in found.reason
