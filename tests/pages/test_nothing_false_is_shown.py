"""What Check, Attack, Single out and Audit call certain of random tables is true of them, read off as text."""

import re

import pandas as pd
import pytest
from support import let_run, look, open_page

from cra_dashboard.session import runs
from cra_engine import CRAError, recode
from cra_engine.files.csv_text import csv_text
from cra_engine.raw.placement import locate
from small_tables import published

QUICK, ALL = 2, 60
SPOKEN = ("markdown", "caption", "success", "error", "warning", "info")
BOX = re.compile(r"(Q\d) (?:from (-?\d+) to under (-?\d+)|(-?\d+))")


@pytest.fixture(autouse=True)
def waiting(monkeypatch):
    monkeypatch.setattr(runs, "AT_ONCE", 120.0)


def people(box, data):
    """How many records fit a description: ``Q1 from 0 to under 4 and Q2 5``; none of it is everybody."""
    fits = pd.Series(data=True, index=data.index)
    for name, low, high, value in BOX.findall(box):
        fits &= data[name].between(int(low), int(high), inclusive="left") if low else data[name] == int(value)
    return int(fits.sum())


def of_chance(chance, box, data):
    """A chance of exactly one person says something for certain where it is 1 or 0."""
    if chance in (0, 1):
        yield f"{box}: {chance}", (people(box, data) == 1) == bool(chance)


def of_row(row, data):
    """What a row of a table on the page says of its cell."""
    box = row["Cell"]
    if row.get("Certain") == "yes":
        yield f"{box} certain", people(box, data) == 1
    elif "Certain" in row and "People" in row:
        yield f"{box}: {row['People']}", people(box, data) == row["People"]
    elif "Smallest" in row:
        low, high = re.fullmatch(r"(?:exactly )?(\d+)(?: (?:to|or) (\d+).*)?", row["People"]).groups()
        yield f"{box}: {row['People']}", int(low) <= people(box, data) <= int(high or low)
    elif "Exactly one person" in row:
        yield from of_chance(row["Exactly one person"], box, data)
    elif row.get("Kind") == "exact":
        yield from of_chance(row.iloc[0], box, data)
    elif "At least" in row:
        yield f"{box} at least", row["At least"] < 1 or people(box, data) == 1
        yield f"{box} at most", row["At most"] > 0 or people(box, data) != 1


def statements(app, data, alone=None):
    """What a page says for certain, and whether it is so; ``alone``: cells of the study's grid that hold one record."""
    assert not app.exception, app.exception
    text = "\n".join(str(element.value) for kind in SPOKEN for element in getattr(app, kind)).replace("\\", "")
    for box in re.findall(r"The cell (.*) is certain to hold exactly one person(?!.*besides)", text):
        yield box, people(box, data) == 1
    for named in re.findall(r"exactly one person for certain \((Q.*?)(?:; and more)?\); publish", text):
        for box in named.split("; "):
            yield box, people(box, data) == 1
    singled = r"(?:Singled out(?: by intervals alone)?:\*\* (?:at least )?|release alone, |proven of )(\d+) (?:for|pe)"
    for number in re.findall(singled, text):
        yield f"{number} for certain", alone is None or int(number) <= alone
    for table in (element.value for element in app.dataframe):
        for _, row in table.iterrows():
            if "Cell" in row:
                yield from of_row(row, data)
            elif row.get("True counts allowed"):
                yield f"{row['Box']}: the truth is allowed", row["True counts allowed"] == "yes"


def every_view(app):
    """The page as it opens, and by each choice of what to look at."""
    yield app
    for label in ("Look at", "Show"):
        for option in next((group.options for group in app.segmented_control if group.label == label), ()):
            yield let_run(look(app, option, label))


def false_and_said(seed):
    """The false ones among all statements about one table and one release of it, and how many statements there are."""
    data, labels, study = published(seed)
    try:
        recode(data, study)
    except CRAError:
        return [], 0
    alone = int((pd.DataFrame(locate(data, study).leaves).value_counts() == 1).sum())
    said = []
    for page in ("check", "attack", "all_classes", "single_out", "together"):
        for view in every_view(let_run(open_page(page, data, study))):
            said += statements(view, data, alone)
    audit = open_page("audit")
    field = next(
        field for field in audit.file_uploader if field.label == "ZIP of a release, or its table (CSV) with its study"
    )
    field.upload("release.csv", csv_text(labels).encode())
    audit.run()
    said += statements(let_run(audit), data)
    return [text for text, true in said if not true], len(said)


def test_nothing_false_is_shown():
    told = 0
    for seed in range(QUICK):
        false, said = false_and_said(seed)
        assert false == [], f"seed {seed}"
        told += said
    assert told > 5 * QUICK


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(QUICK, ALL))
def test_nothing_false_is_shown_of_many_tables(seed):
    assert false_and_said(seed)[0] == []
