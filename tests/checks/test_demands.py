"""Every finding has a few words for what it says is not so."""

import ast
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pandas as pd
import pytest

import cra_engine
from cra_engine import Attribute, Roles, Rule, Study, check, recode, synthesize
from cra_engine.assess.figure import Figure
from cra_engine.checks.demands import NAMES, NOT_LOOKED_AT, PART_OF, demand_of, demands_of, notes_of
from cra_engine.checks.findings import NO_NAMES
from cra_engine.checks.report import MEANINGS, check_html, meaning_of
from cra_engine.words import percent

NOT_OF_THE_RULE = {"instead", "single-value"}  # advice, and what is decided by itself


def codes_in(source: str) -> set[str]:
    """The codes that a module gives to findings: constants of the second argument, or the name of one."""
    found = set()
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Finding" and len(call.args) > 1:
            for part in ast.walk(call.args[1]):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    found.add(part.value)
                elif getattr(part, "id", "") == "NO_NAMES":
                    found.add(NO_NAMES)
    return found


def test_every_code_that_the_engine_gives_is_said_in_words_and_no_other():
    """A code without words would end a verdict in an error; words without a code would be dead."""
    sources = Path(cra_engine.__file__).parent.rglob("*.py")
    given = set().union(*(codes_in(path.read_text(encoding="utf-8")) for path in sources))
    assert {"certain", "attack-out-of-time"} <= given
    assert given - NOT_OF_THE_RULE == set(NAMES) | set(PART_OF)
    assert set(PART_OF.values()) <= set(NAMES)
    assert given >= NOT_LOOKED_AT


def test_a_name_has_six_words_at_most():
    assert [name for name in NAMES.values() if len(name.split()) > 6] == []


def test_each_demand_of_the_rule_has_a_row_with_its_figure_and_what_is_not_met_stands_first():
    clinic = synthesize("clinic", records=200, seed=3)
    for rule in (Rule(), Rule(l=1, nobody_certain=False), Rule(l=3, t="0.3", highest_risk="0.1")):
        checked = check(clinic.data, clinic.study, rule=rule)
        rows = demands_of(checked)
        marks = [row.mark for row in rows]
        assert marks == sorted(marks, key=lambda mark: mark == "met")
        asked = rule.asked(clinic.study.k)
        assert set(rule.demands(clinic.study.k)) <= {
            demand for row in rows for demand in asked.values() if demand[1:] in row.asked
        }
        figures = {row.name: row.figure for row in rows}
        assert all(figures[NAMES[code]] for code in asked)
        assert figures[NAMES["k"]].startswith(f"smallest group: {checked.k}, wanted {clinic.study.k}")
        assert figures[NAMES["alone"]].startswith(f"{checked.unique.people} of {checked.unique.records} people")
        # Every finding opens below the row that it belongs to, and nowhere else.
        opened = [finding for row in rows for finding in row.findings]
        assert sorted(opened, key=repr) == sorted(checked.findings, key=repr)
        assert all(row.name == demand_of(finding) for row in rows for finding in row.findings)
        page = check_html(checked)
        assert all(f"<td>{row.name}</td>" in page for row in rows)


def test_the_figures_of_a_row_are_those_of_the_table():
    # Two groups of three, in the second one illness; three of six have it.
    table = pd.DataFrame({"age": [21, 22, 23, 51, 52, 53], "illness": ["flu", "gout", "cold", "flu", "flu", "flu"]})
    study = Study([Attribute("age", 20, 60, 2)], 3, roles=Roles(sensitive=["illness"]))
    rows = {row.name: row for row in demands_of(check(table, study))}
    assert rows[NAMES["k"]].figure == "smallest group: 3, wanted 3"
    assert (rows[NAMES["k"]].mark, rows[NAMES["l-diversity"]].mark) == ("met", "not met")
    assert rows[NAMES["l-diversity"]].figure == "fewest: 1 of illness, wanted 2"
    assert rows[NAMES["risk"]].figure == "at most 1 in 3 (33.3 %), wanted 1 in 3 (33.3 %)"


def test_rows_that_show_only_stars_are_told_apart_from_the_groups():
    table = pd.DataFrame({"age": ["[20, 40["] * 3 + ["*"] * 2})
    study = Study([Attribute("age", 20, 60, 3)], 3)
    told = {row.name: row for row in demands_of(check(None, study, table))}
    assert told[NAMES["k"]].asked == "Each group has at least 3 records."
    # Such rows may show all else, as a diagnosis.
    assert (
        told[NAMES["few-suppressed"]].asked == "They are the rows in which the columns that others may know are all *."
    )
    assert told[NAMES["risk"]].mark == "met"
    assert told[NAMES["risk"]].asked.endswith(
        "in a group picks the record with more than 1 in 3 (33.3 %). "
        "It asks nothing of people suppressed, about whom “enough rows that fit no group” asks: for them the chance is "
        "1 in 2 (50 %), since whoever fits no group is in the 2 rows that show * in all that others may know."
    )
    # The higher chance of who is suppressed contradicts nothing: the figure says that it is of people in groups.
    assert told[NAMES["risk"]].figure == "of people in groups at most 1 in 3 (33.3 %), wanted 1 in 3 (33.3 %)"
    page = check_html(check(None, study, table))
    for name, chance in (
        ("Of people in groups at most", "1 in 3 (33.3 %)"),
        ("Of people suppressed", "1 in 2 (50 %)"),
    ):
        assert re.search(rf"<td[^>]*>{re.escape(name)}</td>\s*<td[^>]*>{re.escape(chance)}</td>", page)
    grouped = {row.name: row for row in demands_of(check(None, study, table.iloc[:3]))}
    assert grouped[NAMES["risk"]].figure == "at most 1 in 3 (33.3 %), wanted 1 in 3 (33.3 %)"
    assert "that show *" not in grouped[NAMES["risk"]].asked
    assert grouped[NAMES["known-to-others"]].figure == "no column outside the groups, wanted none"


@pytest.mark.parametrize(
    ("alone", "degree"),
    [(3, ""), (6, ""), (8, "more than one in ten"), (30, "more than one in ten"), (38, "more than half")],
)
def test_of_how_many_of_all_people_a_demand_does_not_hold_stands_in_its_row(alone, degree):
    codes = [*(f"c{at}" for at in range(alone)), *["x"] * (60 - alone)]  # so many codes are of one person each
    table = pd.DataFrame({"age": [25] * 60, "code": codes})
    study = Study([Attribute("age", 20, 60, 2)], 3, roles=Roles(keep=["code"]))
    checked = check(table, study, rule=Rule(alone="1"))
    assert checked.verdict == "attention"
    (row,) = [row for row in demands_of(checked) if row.name == NAMES["alone"]]
    share = f"{percent(alone / 60)}: {degree}" if degree else percent(alone / 60)
    assert row.figure == f"{alone} of 60 people ({share}), wanted 0"
    assert row.share == alone / 60
    assert row.said == f"{row.name}: {row.figure}"
    assert row.figure in check_html(checked)


@pytest.mark.parametrize(("alone", "first"), [(3, "expected"), (20, "alone")])
def test_of_demands_that_are_as_grave_that_of_more_people_stands_first(alone, first):
    toy = synthesize("toy")
    table = toy.data.assign(code=[*(f"c{at}" for at in range(alone)), *["x"] * (len(toy.data) - alone)])
    study = toy.study.with_roles(Roles(keep=["code"]))
    checked = check(table, study, rule=Rule(alone="1", nobody_certain=False))
    assert checked.verdict == "attention"
    rows = [row for row in demands_of(checked) if row.mark == "not met" and row.share is not None]
    assert rows[0].name == NAMES[first]
    assert {row.name for row in rows} == {NAMES[code] for code in ("alone", "certain", "expected")}
    assert [row.share for row in rows] == sorted((row.share for row in rows), reverse=True)
    (likely,) = [one.text for one in checked.findings if one.code == "expected"]
    assert (
        f"of 36 people ({percent(round(checked.assessment.expected.value) / 36)}: more than one in ten) would" in likely
    )


def test_what_was_not_looked_at_is_neither_met_nor_not_met_and_never_ready():
    clinic = synthesize("clinic")
    found = check(clinic.data, clinic.study, time_limit=0)
    rows = {row.name: row for row in demands_of(found)}
    assert rows[NAMES["certain"]].mark == rows[NAMES["expected"]].mark == "not known"
    assert rows[NAMES["certain"]].figure == "not looked at"
    # Beside such a figure name and sentence would be read as what was found.
    assert rows[NAMES["certain"]].said == "wanted: nobody singled out for certain: not looked at"
    assert "Wanted: the attack singles out nobody for certain." in check_html(found)
    assert "Wanted: each published row" not in check_html(found)  # which is met
    assert "not looked at. Wanted: the attack" in re.sub(r"<[^>]+>", "", check_html(found))
    assert found.verdict != "ready"


def test_rows_that_show_only_stars_are_a_demand_of_every_table_so_that_all_tables_have_one_count():
    table = pd.DataFrame({"age": [21, 22, 23, 51, 52, 53, 70]})
    study = Study([Attribute("age", 20, 80, 3)], 3)
    hidden, none = (demands_of(check(rows, study)) for rows in (table, table.head(6)))
    assert {row.name for row in hidden} == {row.name for row in none}
    marks = [
        next((row.mark, row.figure) for row in rows if row.name == NAMES["few-suppressed"]) for rows in (hidden, none)
    ]
    assert marks == [("not met", "1 row, wanted 0, or 3 and more"), ("met", "0 rows, wanted 0, or 3 and more")]


def test_what_is_told_beside_a_verdict_is_of_the_table_as_it_goes_out_the_gravest_first():
    """Of 40 people 30 have an income of their own, three of them hidden; of one group most have the flu."""
    ages = [21, 51] * 20
    incomes = [str(20000 + 137 * row) if row % 4 else "30000" for row in range(40)]
    illness = [("flu", "flu", "gout", "flu")[row // 2 % (3 if row % 2 else 4)] for row in range(40)]
    table = pd.DataFrame({"age": ages, "income": incomes, "illness": illness})
    study = Study([Attribute("age", 20, 60, 2)], 3, roles=Roles(sensitive=["income", "illness"]))
    shown = recode(table, study).frame
    shown.loc[shown.index[shown["income"].isin(incomes[1:4])], "income"] = "*"
    checked = check(table, study, shown)
    first, alike, *others = notes_of(checked)
    assert "27 of 37 records show a value that no other record shows" in first
    assert alike == "In the group most alike 15 of 20 shown values of illness are the same."
    assert all("most alike" not in one and "no other record" not in one for one in others)


def test_the_verdict_begins_with_how_many_are_likely_alone_where_they_are_more_than_one_in_ten():
    """An estimate asks, however large it is; that it never stops a table stands where it is explained."""
    draw = Random(3)
    rows = [(draw.randrange(20, 84), draw.randrange(64), ("flu", "gout", "cold")[row % 3]) for row in range(60)]
    table = pd.DataFrame(rows, columns=["age", "town", "illness"])
    found = check(
        table, Study([Attribute("age", 20, 84, 5), Attribute("town", 0, 64, 5)], 6, roles=Roles(sensitive=["illness"]))
    )
    assert found.verdict == "attention"
    row = next(one for one in demands_of(found) if one.name == NAMES["expected"])
    assert row.share > 1 / 2
    assert meaning_of(found) == f"A{row.measured[1:]} would likely be alone. {MEANINGS['attention']}"
    assert row.findings[0].text.endswith("An estimate asks, and never stops a table.")
    few = replace(found, assessment=replace(found.assessment, expected=Figure.estimate(2.0, "2 by hand")))
    assert meaning_of(few) == MEANINGS["attention"]
