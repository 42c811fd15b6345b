"""Two small tables of people with their studies, and what a check finds of them."""

import pandas as pd

from cra_engine import (
    Attribute,
    Roles,
    Study,
    recode,
)

AGE = Attribute("age", 20, 60, layers=3)
STUDY = Study([AGE], 3, roles=Roles(remove=["name"], sensitive=["illness"], keep=["arm"]))
# Three people to each ten years.
TABLE = pd.DataFrame(
    {
        "name": ["Ada Lo", "Bo Ray", "Cy Fox", "Di Orr", "Ed Poe", "Fay Wu"],
        "age": [21, 23, 25, 51, 53, 55],
        "illness": ["flu", "gout", "flu", "HIV", "HIV", "HIV"],
        "arm": ["A", "A", "A", "B", "B", "B"],
    }
)

WARDS = pd.DataFrame(
    {
        "age": [21, 23, 25, 51, 53, 55] * 4,
        "arm": ["A", "A", "B", "B", "A", "B"] * 3 + ["A", "A", "B", "B", "C", "C"],
        "shift": ["day"] * 18 + ["day", "day", "night", "night", "day", "day"],
        "illness": [f"illness {place}" for place in range(24)],
    }
)
WARDS_STUDY = Study([AGE], 3, roles=Roles(sensitive=["illness"], keep=["arm", "shift"]))


def codes(found, level=None):
    return [one.code for one in found.findings if level in (None, one.level)]


def text(found, code):
    (finding,) = [one for one in found.findings if one.code == code]
    return finding.text


def published():
    return recode(TABLE, STUDY).frame.astype(str)
