"""Proposals for columns that no name tells: by their cells; what nobody can tell is never called harmless."""

import random
from datetime import date, timedelta

import pandas as pd
import pytest

from cra_engine.raw.contents import inspect, proposed_study
from cra_engine.raw.nameless import guessed_names
from cra_engine.raw.proposed_roles import UNTOLD, propose_roles
from cra_engine.raw.spellings import are_sexes

DRAW = random.Random(7)
SIZE = 120


def pick(*values: str) -> list[str]:
    """So many records, each value shown by some of them."""
    return [*values, *(DRAW.choice(values) for _ in range(SIZE - len(values)))]


def days(first: int, years: int, form: str) -> list[str]:
    """Days from the first of January of a year on."""
    return [(date(first, 1, 1) + timedelta(DRAW.randrange(365 * years))).strftime(form) for _ in range(SIZE)]


KNOWN = {
    "English sexes": pick("female", "male", "other", "unknown"),
    "German sexes": pick("weiblich", "männlich", "divers"),
    "German letters": pick("m", "w", "d", "unbekannt"),
    "French letters": pick("H", "F"),
    "French sexes": pick("homme", "femme"),
    "Swiss postcodes": pick(*(str(8001 + 37 * place) for place in range(30))),
    "German postcodes": pick(*(str(67063 + 11 * place) for place in range(30)), "unbekannt"),
    "French postcodes": pick("01000", "13001", "75011", "69003"),
    "British postcodes": pick("SW1A 1AA", "M1 1AE", "LS2 9JT", "B33 8TH", "n/a"),
    "Dutch postcodes": pick("1012 AB", "3511 LX", "9711 AA"),
    "Canadian postcodes": pick("K1A 0B1", "V6B 4Y8", "H2X 1Y4"),
    "with a country": pick("D-67063", "CH-8001", "A-1010"),
    "years of birth": [str(1930 + DRAW.randrange(70)) for _ in range(SIZE)],
    "admissions": days(2023, 1, "%d.%m.%Y"),
}


@pytest.mark.parametrize("name", ["column 2", "Spalte 3", "V4", "Unnamed: 5", "xyz"])
@pytest.mark.parametrize("kind", KNOWN)
def test_what_others_know_is_told_by_its_cells(kind, name):
    (proposed,) = propose_roles(pd.DataFrame({name: KNOWN[kind]}))
    assert proposed.role == "quasi-identifier"
    if name != "xyz" or kind != "years of birth":  # a count may look like a year where somebody named it
        assert proposed.known_to_others, proposed


UNTELLABLE = {
    "wards": pick("Innere", "Chirurgie", "Neurologie", "Urologie"),
    "towns": pick("Bern", "Goldstein", "Altenbruch", "Krebsow", "Bad Homburg", "Rom", "Delft", "Cancún"),
    "jobs": pick("Gastronom", "Matrose", "Diabetesberaterin", "Krebsforscher", "Maurer", "asthma nurse", "Koch"),
    "surnames of doctors": pick("Krebs", "Stein", "Rose", "Ohm", "Strom", "Weiss"),
    "wards for illnesses": pick("Urologie", "Stroke Unit", "Brustkrebszentrum", "Pneumologie", "Diabetologie"),
    "schools": pick("Akademie", "Gymnasium", "Realschule", "keine"),
    "yes or no": pick("oui", "non"),
    "rarely the same": [f"code {DRAW.randrange(80)}" for _ in range(SIZE)],
}


@pytest.mark.parametrize("kind", UNTELLABLE)
@pytest.mark.parametrize("name", ["column 2", "Merkmal 3", "xyz"])
def test_a_text_that_nobody_can_tell_is_never_proposed_as_kept(kind, name):
    (proposed,) = propose_roles(pd.DataFrame({name: UNTELLABLE[kind]}))
    assert (proposed.role, proposed.known_to_others) == ("quasi-identifier", False)


@pytest.mark.parametrize("cells", [pick("1", "2"), pick(*map(str, range(9))), [str(n % 90) for n in range(SIZE)]])
def test_a_number_without_a_name_is_never_proposed_as_kept(cells):
    (proposed,) = propose_roles(pd.DataFrame({"column 3": cells}))
    assert proposed.role == "quasi-identifier"
    (named,) = propose_roles(pd.DataFrame({"item 3": [str(n % 7) for n in range(SIZE)]}))
    assert named.role == "kept"


def test_it_is_said_where_nothing_tells_what_a_column_is():
    (proposed,) = propose_roles(pd.DataFrame({"column 4": UNTELLABLE["wards"]}))
    assert proposed.reason.startswith(UNTOLD)


@pytest.mark.parametrize("codes", [("E11.9", "I10", "C50.4", "J44.1"), ("5-470.11", "1-632.0", "3-200")])
def test_codes_of_diagnoses_are_sensitive_without_a_name(codes):
    (proposed,) = propose_roles(pd.DataFrame({"column 5": pick(*codes)}))
    assert proposed.role == "sensitive"


ILLNESSES = {
    "German": pick("Lungenentzündung", "Gallensteine", "Diabetes Typ 2", "Schenkelhalsbruch", "Schlaganfall", "Ödeme"),
    "English": pick("pneumonia", "Type 2 diabetes", "hip fracture", "heart failure", "breast cancer", "none"),
    "French": pick("pneumonie", "diabète de type 2", "infarctus", "appendicite", "fracture du col"),
    "Spanish": pick("neumonía", "diabetes", "infarto", "cáncer de mama", "fractura"),
    "Italian": pick("polmonite", "diabete", "infarto", "frattura", "insufficienza cardiaca"),
    "Dutch": pick("longontsteking", "suikerziekte", "hartinfarct", "galstenen", "borstkanker"),
    "of Greek": pick("Arthrose", "Bronchitis", "Leukämie", "Melanom", "Hypertonie", "Anaemia"),
}


@pytest.mark.parametrize("language", ILLNESSES)
@pytest.mark.parametrize("name", ["column 5", "xyz"])
def test_illnesses_in_words_are_sensitive_without_a_name(language, name):
    table = pd.DataFrame({name: ILLNESSES[language]})
    (proposed,) = propose_roles(table)
    assert proposed.role == "sensitive", proposed
    assert guessed_names(table) == ("diagnosis",)


def test_a_ward_that_its_name_tells_is_known_to_others_whatever_it_is_called_by():
    (proposed,) = propose_roles(pd.DataFrame({"Station": pick("Schlaganfall", "Diabetes", "Brustkrebs")}))
    assert (proposed.role, proposed.known_to_others) == ("quasi-identifier", True)


def test_notes_that_name_illnesses_stay_free_text():
    notes = [f"Frau {n} kam mit Asthma und Diabetes, der Mann wartet draussen" for n in range(SIZE)]
    (proposed,) = propose_roles(pd.DataFrame({"column 6": notes}))
    assert proposed.role == "removed"


@pytest.mark.parametrize(
    ("cells", "role"),
    [(days(1931, 75, "%d/%m/%Y"), "removed"), (days(2022, 2, "%Y-%m-%d"), "quasi-identifier")],
)
def test_a_birth_is_told_from_an_admission(cells, role):
    (proposed,) = propose_roles(pd.DataFrame({"champ 1": cells}))
    assert proposed.role == role


@pytest.mark.parametrize("cells", [pick("75", "8001", "120"), pick("1.5", "2.5"), [str(1000 + n) for n in range(SIZE)]])
def test_what_are_no_postal_codes(cells):
    (proposed,) = propose_roles(pd.DataFrame({"column 1": cells}))
    assert "postal" not in proposed.reason


def test_an_h_is_a_sex_beside_an_f_or_an_m_alone():
    assert are_sexes(["h", "m"])
    assert are_sexes(["F", "H"])
    assert not are_sexes(["h", "m", "f"])
    assert not are_sexes(["h", "d"])


def test_a_table_without_names_begins_with_what_its_cells_tell():
    table = pd.DataFrame(
        {
            "0": days(1930, 80, "%d.%m.%Y"),
            "1": KNOWN["German letters"],
            "2": KNOWN["Swiss postcodes"],
            "3": UNTELLABLE["wards"],
            "4": pick("E11.9", "I10", "C50.4"),
            "5": days(2023, 1, "%d.%m.%Y"),
        }
    )
    names = guessed_names(table)
    assert names == ("Geburtsdatum", "Geschlecht", "PLZ", "Spalte 4", "Diagnose", "Datum")
    english = guessed_names(table.assign(**{"1": table["1"].str.replace("w", "f")}))
    assert english == ("date of birth", "sex", "postal code", "column 4", "diagnosis", "date")
    for called in (names, english, [f"column {place}" for place in range(6)]):
        study = proposed_study(inspect(table.set_axis(list(called), axis=1)))
        assert study is not None
        assert set(study.names) == {called[1], called[2], called[5]}
        assert study.roles.sensitive == (called[4],)
        assert study.roles.remove == (called[0],)


@pytest.mark.parametrize(
    ("cells", "rows"),
    [
        (KNOWN["British postcodes"], {("SW1A 1AA", "SW1A", "SW", "*"), ("M1 1AE", "M1", "M", "*")}),
        (KNOWN["Swiss postcodes"], {("8001", "80**", "8***", "*")}),
    ],
)
def test_postal_codes_without_a_name_lose_their_ends(cells, rows):
    (column,) = inspect(pd.DataFrame({"column 1": cells}))
    assert column.flat is not None
    assert rows <= set(column.flat.rows)
