"""What columns look like: one table of each kind, what must not be taken for it, and no table that breaks it."""

import random
from collections import Counter
from datetime import date, timedelta

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.raw.column_words import folded
from cra_engine.raw.contents import inspect
from cra_engine.raw.proposed_roles import propose_roles, roles_of

DRAW = random.Random(11)
FIRST = ["Anna", "Peter", "María", "Jürg", "Zoë", "Li", "Noah", "Ida", "Jean-Luc", "Fatima"]
LAST = ["Müller", "O'Brien", "von Arx", "Smith", "García", "Keller", "Nguyen", "Weber", "Rossi", "Dubois"]
SIZE = 120


def many(make):
    return [make(number) for number in range(SIZE)]


def born(_):
    return date(1930, 1, 1) + timedelta(days=DRAW.randrange(30_000))


DIRECT = {
    "names": ("Name", many(lambda _: f"{DRAW.choice(LAST)}, {DRAW.choice(FIRST)}"), "names of people"),
    "names under no such name": ("who", [f"{first} {last}" for first in FIRST for last in LAST], "names of people"),
    "surnames that repeat": ("Nachname", many(lambda _: DRAW.choice(LAST)), "names of people"),
    "Swiss insurance": (
        "AHV",
        many(lambda _: f"756.{DRAW.randrange(10**4):04}.{DRAW.randrange(10**4):04}.{DRAW.randrange(100):02}"),
        "insurance",
    ),
    "German insurance": ("KVNR", many(lambda _: f"{DRAW.choice('ABCD')}{DRAW.randrange(10**9):09}"), "insurance"),
    "American insurance": (
        "code",
        many(lambda _: f"{DRAW.randrange(1000):03}-{DRAW.randrange(100):02}-{DRAW.randrange(10**4):04}"),
        "insurance",
    ),
    "patient numbers": ("PatientID", many(lambda n: str(40_000 + 7 * n)), "patient"),
    "codes": ("record", many(lambda n: f"MRN-{n:06}"), "insurance, patient"),
    "counter": ("lfd", many(lambda n: str(n + 1)), "all 120 values differ"),
    "e-mail": ("contact", many(lambda n: f"p{n}@example.org"), "e-mail"),
    "telephone": ("Tel.", many(lambda _: f"0{DRAW.randrange(40, 80)} {DRAW.randrange(10**6):06}"), "telephone"),
    "telephone abroad": ("number", many(lambda _: f"+41 44 {DRAW.randrange(10**7):07}"), "telephone"),
    "birth, German": ("Geb.Datum", many(lambda n: born(n).strftime("%d.%m.%Y")), "dates of birth"),
    "birth, ISO": ("dob", many(lambda n: born(n).isoformat()), "dates of birth"),
    "birth by its years": ("when", many(lambda n: born(n).strftime("%m/%d/%Y")), "dates of birth"),
    "free text": (
        "x",
        many(lambda n: f"Came in at {n % 24} o'clock with her {n}th complaint about sleep"),
        "free text",
    ),
    "network": ("host", many(lambda n: f"10.0.{n}.{n % 7}"), "addresses"),
    "street": ("Strasse", many(lambda n: f"Seeweg {n}"), "addresses"),
}


@pytest.mark.parametrize("kind", DIRECT)
def test_what_says_who_somebody_is(kind):
    name, cells, why = DIRECT[kind]
    (found,) = propose_roles(pd.DataFrame({name: cells}))
    assert (found.role, found.identifying) == ("removed", "directly")
    assert why in found.reason


HARMLESS = {
    "age": many(lambda n: str(20 + n % 50)),
    "sex": many(lambda n: "FM"[n % 2]),
    "diagnosis": many(lambda n: ["Type 2 Diabetes", "Asthma", "HIV"][n % 3]),
    "town": many(lambda n: ["Bern", "Ulm", "Graz", "St. Gallen"][n % 4]),
    "hospital name": many(lambda n: ["Inselspital", "Charité", "Mayo Clinic"][n % 3]),
    "visit date": many(lambda n: f"2024-0{1 + n % 9}-1{n % 3}"),
    "pressure": many(lambda _: str(110 + DRAW.randrange(30))),
    "arm": many(lambda n: str(n // 3 % 2)),
    "group id": many(lambda n: str(n % 4)),
    "points": many(lambda _: f"{DRAW.randrange(12) / 10}"),
    "empty": [""] * SIZE,
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_does_not_say_so(name):
    (found,) = propose_roles(pd.DataFrame({name: HARMLESS[name]}))
    assert found.identifying == "no"
    assert found.role != "removed"


def test_the_roles_of_what_is_harmless():
    found = {one.name: one.role for one in propose_roles(pd.DataFrame(HARMLESS), ["age"])}
    # Numbers with decimals are never called harmless, however few there are.
    assert found["age"] == found["sex"] == found["town"] == found["points"] == "quasi-identifier"
    assert found["diagnosis"] == "sensitive"
    assert found["pressure"] == "quasi-identifier"  # thirty values in small groups leave nearly everybody alone
    assert found["arm"] == found["empty"] == "kept"


def test_a_measurement_that_nearly_identifies():
    ages = many(lambda n: 20 + n % 40)
    ratio = many(lambda _: f"{DRAW.gauss(26, 4):.2f}")
    found = {one.name: one for one in propose_roles(pd.DataFrame({"age": ages, "ratio": ratio}), ["age"])}
    assert (found["ratio"].identifying, found["ratio"].role) == ("nearly", "quasi-identifier")
    alone = sum(ratio.count(value) == 1 for value in ratio)
    told = "records show a value that no other record shows, and whoever knows it of a person finds the row"
    assert found["ratio"].reason == f"{alone} of 120 {told}"


def test_a_measurement_that_identifies_beside_another_column():
    # Each value is shown four times, each pair of value and age once.
    ratio = [f"{20 + value / 10}" for value in range(100) for _ in range(4)]
    ages = [str(30 + time) for _ in range(100) for time in range(4)]
    table = pd.DataFrame({"age": ages, "ratio": ratio})
    found = {one.name: one for one in propose_roles(table, ["age"])}
    assert found["ratio"].identifying == "nearly"
    told = "beside age it is shown by nobody else for 100 % of the records, and whoever knows both of a person may "
    assert found["ratio"].reason == f"{told}find the row"
    assert {one.name: one for one in propose_roles(table)}["ratio"].identifying == "no"


def test_what_is_taken_without_asking():
    table = pd.DataFrame(HARMLESS | {"mail": DIRECT["e-mail"][1], "bmi": many(lambda _: f"{DRAW.gauss(26, 4):.3f}")})
    proposals = propose_roles(table, ["age"])
    roles = roles_of(proposals)
    assert (roles.remove, roles.sensitive, roles.keep) == (("mail",), ("diagnosis",), ())
    kept = roles_of(proposals, keep=True).keep
    assert "arm" in kept
    assert "pressure" not in kept
    assert "bmi" not in kept
    assert "town" not in kept


@given(st.lists(st.tuples(st.text(min_size=1, max_size=8), st.lists(st.text(max_size=12), min_size=3, max_size=3))))
def test_no_table_breaks_it(columns):
    frame = pd.DataFrame(dict(columns), index=range(3), dtype=str)
    found = propose_roles(frame, list(frame.columns)[:1])
    assert [one.name for one in found] == list(frame.columns)
    assert all(one.reason for one in found)


@pytest.mark.parametrize(
    "name",
    [
        "Schmerz vorher",
        "Schmerzstärke",
        "Ruheschmerz",
        "VAS_1",
        "NRS",
        "Barthel-Index",
        "pain score",
        "Skala 2",
        "Schweregrad",
    ],
)
def test_what_a_practice_scores_itself_is_taken_as_what_it_measures(name):
    table = pd.DataFrame({"age": many(lambda n: 20 + n % 50), name: many(lambda _: str(DRAW.randrange(11)))})
    found = propose_roles(table, ["age"])[1]
    assert (found.role, found.numbers, found.identifying) == ("sensitive", "measured", "no")


@pytest.mark.parametrize(
    "name",
    [
        "underscore",
        "Grad der Behinderung",
        "grade",
        "index",
        "credit score",
        "test score",
        "Schmerzensgeld",
        "painter",
        "upscale",
    ],
)
def test_what_others_grade_or_score_is_not(name):
    table = pd.DataFrame({"age": many(lambda n: 20 + n % 50), name: many(lambda _: str(DRAW.randrange(11)))})
    assert propose_roles(table, ["age"])[1].numbers == "others"


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("complication", "sensitive"),
        ("Wundkomplikationen", "sensitive"),
        ("adverse event", "sensitive"),
        ("Rauchen", "quasi-identifier"),
        ("Nichtraucher", "quasi-identifier"),
        ("Gebrauch", None),
        ("Verbraucher", None),
    ],
)
def test_what_a_column_is_called_tells_who_knows_it(name, role):
    table = pd.DataFrame({"age": many(lambda n: 20 + n % 50), name: many(lambda n: "abc"[n % 3])})
    found, nothing = (propose_roles(one, ["age"])[1] for one in (table, table.rename(columns={name: "thing"})))
    if role:
        assert found.role == role
    else:
        assert (found.role, found.reason) == (nothing.role, nothing.reason)


def test_names_of_columns_are_folded():
    assert folded("Geb.-Datum") == "geb datum"
    assert folded("patientID") == "patient id"
    assert folded("Größe (cm)") == "grosse cm"


def test_numbers_are_counted_as_they_are_read_with_and_without_their_unit():
    weights = [f"{50 + row},{row % 10}" for row in range(38)] + ["75,0", "75 kg", "90 kg", "90,0", "unbekannt"]
    table = pd.DataFrame({"age": ["30", "40"] * 21 + ["50"], "Gewicht": weights})
    (found,) = [column for column in inspect(table) if column.name == "Gewicht"]
    numbers = Counter(float(cell.replace(" kg", "").replace(",", ".")) for cell in weights[:-1])
    assert found.distinct == found.looks.distinct == len(numbers)
    alone = sum(times == 1 for times in numbers.values())
    assert f"{alone} of 42 records show a value that no other record shows" in found.looks.reason
