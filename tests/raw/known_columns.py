"""A made-up export of a hospital whose columns have a known meaning, in English and German, and what to propose."""

import random
from datetime import date, timedelta

import pandas as pd

SIZE = 300
DRAW = random.Random(30)
FIRST = ["Ana", "Ben", "Carla", "David", "Eva", "Felix", "Greta", "Hans", "Ines", "Jonas"]
LAST = ["Abel", "Brandt", "Costa", "Diaz", "Ernst", "Fuchs", "Gomez", "Huber", "Iten", "Jung"]
NEUROPATHIES = ["E11.9", "E11.40", "I10.00", "I25.13", "B20", "C50.4", "J44.1", "F32.2", "M54.5", "N18.3", "K35.8"]
PROCEDURES = ["5-470.11", "5-511.11", "1-632.0", "8-980.10", "3-200", "9-984.7", "5-820.00", "8-854.2", "1-275.1"]
DRUGS = ["A10BA02", "C09AA05", "N02BE01", "B01AC06", "C07AB02", "A02BC01", "N06AB06", "C10AA05", "R03AC02"]
TOWNS = ["Bern", "Ulm", "Graz", "Köln", "Linz", "Chur", "Jena", "Trier"]
PARTS = ["Nordend", "Westend", "Altstadt", "Seefeld", "Bornheim", "Wiedikon", "Gohlis", "Plagwitz"]
WARDS = ["Innere 1", "Innere 2", "Chirurgie", "Neurologie"]


def cells(make):
    return [make(number) for number in range(SIZE)]


def pick(values):
    return cells(lambda _: DRAW.choice(values))


SEX = pick(["f", "m"])
BORN = cells(lambda _: date(1931, 1, 1) + timedelta(days=DRAW.randrange(29_000)))
CAME = cells(lambda _: date(2019, 1, 1) + timedelta(days=DRAW.randrange(1400)))
REMOVED, SENSITIVE, QUASI, KEPT = {"removed"}, {"sensitive"}, {"quasi-identifier"}, {"kept"}

# Name, cells, the roles that are right, and whether somebody has to be asked before the column goes out.
COLUMNS = [
    ("patient", cells(lambda _: f"{DRAW.choice(FIRST)} {DRAW.choice(LAST)}"), REMOVED),
    ("attending", cells(lambda _: f"Dr. {DRAW.choice(FIRST)} {DRAW.choice(LAST[:6])}"), REMOVED),
    ("Nachname", pick(LAST), REMOVED),
    ("phone", cells(lambda _: f"0{DRAW.randrange(40, 80)} {DRAW.randrange(10**6):06}"), REMOVED),
    ("Versichertennummer", cells(lambda _: f"{DRAW.choice('ABCD')}{DRAW.randrange(10**9):09}"), REMOVED),
    ("Bemerkung", cells(lambda n: f"kam um {n % 24} Uhr mit {DRAW.choice(LAST)}, klagt seit {n} Tagen"), REMOVED),
    ("main_code", pick(NEUROPATHIES), SENSITIVE),
    ("Hauptdiagnose", pick(["B20", "B20", "C50", "E11", "I10"]), SENSITIVE),
    ("Nebendiagnosen", cells(lambda _: "; ".join(DRAW.sample(NEUROPATHIES, 2))), SENSITIVE),
    ("x1", cells(lambda _: f"{DRAW.choice(NEUROPATHIES)}G"), SENSITIVE),
    ("procedure", pick(PROCEDURES), SENSITIVE),
    ("Code 2", pick(PROCEDURES), SENSITIVE),
    ("Wirkstoff", pick(DRUGS), SENSITIVE),
    ("rx", pick(DRUGS), SENSITIVE),
    ("hiv_positive", pick(["yes", "no"]), SENSITIVE),
    ("HbA1c", cells(lambda _: f"{DRAW.gauss(7, 1):.1f}"), SENSITIVE),
    ("Kreatinin", cells(lambda _: f"{DRAW.gauss(1, 0.3):.2f}"), SENSITIVE),
    ("hemoglobin", cells(lambda _: f"{DRAW.gauss(14, 1):.1f}"), SENSITIVE),
    ("Bruttoeinkommen", cells(lambda _: str(100 * DRAW.randrange(200, 900))), SENSITIVE),
    ("monthly_income", cells(lambda _: str(DRAW.randrange(1000, 9000))), SENSITIVE),
    ("tax", cells(lambda _: f"0.{DRAW.randrange(10**6):06}"), SENSITIVE | QUASI),
    ("Raucher", pick(["ja", "nein"]), QUASI),
    ("latitude", cells(lambda _: f"{46.9 + DRAW.random() / 10:.8f}"), QUASI),
    ("Längengrad", cells(lambda _: f"{7.4 + DRAW.random() / 10:.2f}"), QUASI),
    ("birthplace", pick(TOWNS), QUASI),
    ("Geburtsort", pick(TOWNS), QUASI),
    ("neighborhood", pick(PARTS), QUASI),
    ("Stadtteil", pick(PARTS), QUASI),
    ("sex", SEX, QUASI),
    ("female", [str(int(cell == "f")) for cell in SEX], QUASI),
    ("Anrede", ["Frau" if cell == "f" else "Herr" for cell in SEX], QUASI),
    ("age", [str(2024 - day.year) for day in BORN], QUASI),
    ("age_group", [f"{(2024 - day.year) // 10}0s" for day in BORN], QUASI),
    ("admit_year", [str(day.year) for day in CAME], QUASI),
    ("admit_month", [str(day.month) for day in CAME], QUASI),
    ("admit_day", [str(day.day) for day in CAME], QUASI),
    ("Geb_Monat", [str(day.month) for day in BORN], REMOVED | QUASI),
    ("Geb_Tag", [str(day.day) for day in BORN], REMOVED | QUASI),
    ("Geb_Jahr", [str(day.year) for day in BORN], QUASI),
    ("Beruf", pick(["Lehrer", "Koch", "Pilot", "Bäcker"]), QUASI),
    ("Station", pick(WARDS), QUASI),
    ("ward", pick(WARDS), QUASI),
    ("Fachabteilung", pick(WARDS), QUASI),
    ("department", pick(WARDS), QUASI),
    ("Klinik", pick(["Nord", "Süd"]), QUASI),
    ("clinic", pick(["north", "south"]), QUASI),
    ("Hb", cells(lambda _: f"{DRAW.gauss(14, 1):.1f}"), SENSITIVE),
    # What a practice scores.
    ("Schweregrad", pick(["1", "2", "3"]), SENSITIVE),
    # What nothing tells is others' until a person says what it is.
    ("shift", pick(["day", "night"]), QUASI),
    ("room", cells(lambda _: f"B{DRAW.randrange(10, 20)}"), QUASI),
    # Beside ages groups are small: as they stand these would leave people alone in theirs.
    ("visit_count", cells(lambda _: str(DRAW.randrange(1, 9))), QUASI),
    ("times_above_5", pick(["0", "1"]), KEPT),
]
TABLE = pd.DataFrame({name: made for name, made, _ in COLUMNS})
