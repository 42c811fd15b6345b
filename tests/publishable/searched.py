"""Small tables that the search is tried on, and the archive of what it found."""

from random import Random

import pandas as pd

from cra_engine import Attribute, Roles, Rule, Study
from cra_engine.publishable import Choice, Space, archive_files, published_by, settings_of
from cra_engine.publishable.making import Maker
from cra_engine.study.file_hierarchy import FileHierarchy


def small_table(seed):
    """Some people with age and weight, a ward that is kept and a diagnosis; now and then a missing age."""
    random = Random(seed)
    gaps = seed % 3 == 2
    rows = [
        (
            "" if gaps and random.random() < 0.1 else random.randrange(20, 60),
            random.randrange(40, 120),
            random.choice(["north", "south", "east"][: 2 + seed % 2]),
            random.choice(["flu", "gout", "ulcer"]),
        )
        for _ in range(random.randrange(14, 26))
    ]
    data = pd.DataFrame(rows, columns=["age", "weight", "ward", "diagnosis"]).astype(str)
    study = Study([Attribute("age", 20, 60, 3), Attribute("weight", 40, 120, 2 + seed % 2)], k=2)
    return data, study.with_roles(Roles(sensitive=["diagnosis"], keep=["ward"]))


def with_gaps():
    """Forty people, ten without postal code, who are decided to be left out where it is shown."""
    rows = [
        (21 + row % 4, "" if row < 10 else 1000 + row * 131 % 4000, ("flu", "gout")[row // 2 % 2]) for row in range(40)
    ]
    data = pd.DataFrame(rows, columns=["age", "plz", "illness"]).astype(str)
    study = Study([Attribute("age", 20, 60, 3), Attribute("plz", 0, 8192, 7, missing="leave-out")], k=5)
    return data, study.with_roles(Roles(sensitive=["illness"]))


def without_codes(data, study):
    """The table in which no postal code is shown, as the search has it."""
    space = Space.of(data, study, Rule())
    maker = Maker(space, Rule())
    table = maker.make(Choice((space.columns[0].heights[0], 0), 5, space.ways[0], ""))
    return maker.outcome(table, maker.checked(table, 10.0))


def with_plans(number, own):
    """Four people have each plan, two of each age: too few for a group, so that plans go out as they are or not at all.

    Some have a plan of their own, by their rows from 1.
    """
    plans = [f"plan {place} {'ab'[place % 2]}" for place in range(number) for _ in range(4)]
    for row in own:
        plans.insert(row - 1, f"own {row}")
    rows = [((21, 45)[row % 2], plan, ("flu", "gout")[row // 2 % 2]) for row, plan in enumerate(plans)]
    data = pd.DataFrame(rows, columns=["age", "plan", "illness"]).astype(str)
    return data, Study([Attribute("age", 20, 60, 2)], k=5).with_roles(Roles(sensitive=["illness"], keep=["plan"]))


def clinic(outlier="1914"):
    """People of three decades and two sexes, two of whom are older than all others; in some nobody knows the status."""
    rows = [
        (str(1950 + 10 * (row % 3) + row % 7), "mf"[row // 3 % 2], ("flu", "gout", "")[row // 6 % 3])
        for row in range(72)
    ]
    data = pd.DataFrame([*rows, (outlier, "m", "flu")], columns=["birth year", "sex", "status"])
    study = Study([Attribute("birth year", 1940, 1980, 3, below=True), sexes()], k=5)
    return data, study.with_roles(Roles(sensitive=["status"]))


def sexes():
    return FileHierarchy("sex", (("m", "m", "*"), ("f", "f", "*")))


def archive_of(outcome, data, noted=()):
    settings = settings_of(outcome, Rule(), "people.csv", data, noted=noted)
    return archive_files(published_by(data, settings, outcome.choice.way, 3, outcome.decided), settings, "people.csv")


def with_gaps_in_two_columns():
    """Sixty-four people whose ward leaves room for two groups of age alone, one without age and one without ward.

    Each of these two is alone with its gap, which is a category of its own.
    """
    rows = [
        (
            str(20 + 10 * (row % 4) + row * 7 % 10),
            "mf"[row // 4 % 2],
            "ns"[row // 8 % 2],
            ("flu", "gout")[row // 16 % 2],
        )
        for row in range(64)
    ]
    data = pd.DataFrame([*rows, ("", "m", "n", "flu"), ("22", "m", "", "gout")], columns=["age", "sex", "ward", "ill"])
    wards = FileHierarchy("ward", (("n", "*"), ("s", "*")), finest=0, missing="category")
    study = Study([Attribute("age", 20, 60, 3, missing="category"), sexes(), wards], k=5)
    return data, study.with_roles(Roles(sensitive=["ill"]))


def with_few_of_an_age():
    """People of four decades, two sexes and four wards, in groups too small for all of these.

    One has no age, and two are neither m nor f: in the way of any table with age and sex. Of men of 50 and more there
    are two: in the way of decades alone, as with men of 40 they are enough.
    """
    rows = [
        (str(decade + 7 * row % 10), sex, ward, ("flu", "gout")[row % 2])
        for decade in (20, 30, 40, 50)
        for sex in "mf"
        for ward in "nsew"
        for row in range({(50, "m"): int(ward in "ns"), (40, "m"): 5}.get((decade, sex), 4))
    ]
    rows += [("", "m", "n", "flu"), ("22", "d", "s", "gout"), ("47", "d", "e", "flu")]
    data = pd.DataFrame(rows, columns=["age", "sex", "ward", "illness"])
    three = FileHierarchy("sex", (("m", "*"), ("f", "*"), ("d", "*")), finest=0)
    wards = FileHierarchy("ward", tuple((ward, "*") for ward in "nsew"), finest=0)
    study = Study([Attribute("age", 20, 60, 3, missing="category"), three, wards], k=5)
    return data, study.with_roles(Roles(sensitive=["illness"]))
