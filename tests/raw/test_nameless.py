"""Files without a line of names: found whatever stands in them, and tables with names let be."""

import random
from datetime import date, timedelta

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from cra_engine import synthesize
from cra_engine.files.tables import LARGE
from cra_engine.raw.nameless import first_line_apart, names_like_cells

NAMES = ("Patientennr", "Geburtsdatum", "Geschlecht", "PLZ", "Gewicht", "Station", "ICD-10", "2019")


def people(seed: int, number: int) -> list[list[str]]:
    """Rows of patients as a clinic's export has them."""
    draw = random.Random(seed)
    born = [date(1930, 1, 1) + timedelta(draw.randrange(25_000)) for _ in range(number)]
    return [
        [
            str(4000 + row),
            day.strftime("%d.%m.%Y"),
            draw.choice("mw"),
            f"{draw.randrange(1067, 1900):05d}",
            f"{draw.uniform(45, 120):.1f}".replace(".", ","),
            draw.choice(["Innere 1", "Innere 2", "Chirurgie"]),
            f"{draw.choice('ACEIJ')}{draw.randrange(10, 99)}.{draw.randrange(10)}",
            str(draw.randrange(30)),
        ]
        for row, day in enumerate(born)
    ]


@given(st.integers(0, 10**6), st.integers(25, 60))
def test_a_first_record_that_stands_as_names_is_found(seed: int, number: int) -> None:
    """Whatever patient stands first; numbers of rows and dates need not repeat."""
    first, *others = people(seed, number)
    assert len(names_like_cells(pd.DataFrame(others, columns=first))) >= 4


@given(st.integers(0, 10**6), st.integers(1, 60))
def test_names_are_no_record(seed: int, number: int) -> None:
    """Though one of them is a year, and another has digits."""
    assert names_like_cells(pd.DataFrame(people(seed, number), columns=NAMES)) == ()


def test_the_examples_have_names() -> None:
    """None of what the program brings along is taken for a file without names."""
    for kind in ("toy", "clinic", "hospitals"):
        assert names_like_cells(synthesize(kind).data) == ()


def test_a_first_record_with_blanks_stands_apart_in_a_large_file_too() -> None:
    """Of text by the megabyte Arrow would take the first line for names, blank or not."""
    first, *others = people(1, 25_000)
    first[3] = ""
    content = "\n".join(";".join(row) for row in (first, *others)).encode()
    assert len(content) > LARGE
    found, frame, _ = first_line_apart(content, "people.csv")
    assert (list(found), frame.to_numpy().tolist()) == (first, others)


def test_no_rows_tell_nothing() -> None:
    """A table of names alone."""
    assert names_like_cells(pd.DataFrame(columns=["13.03.1954", "m"])) == ()
