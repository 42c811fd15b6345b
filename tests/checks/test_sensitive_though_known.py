"""A column that is called sensitive and that others may know all the same: counted, said, never passed over."""

from collections import Counter
from random import Random

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_engine import Attribute, Roles, Rule, Study, audit, check
from cra_engine.checks.columns import column_roles
from cra_engine.checks.demands import NAMES, accepted_told, demands_of
from cra_engine.checks.signed import signed
from cra_engine.publishable import packed, publishable

AGE = Attribute("age", 20, 100, 4)


def stays(seed=3, rows=200):
    """Patients with an age, the days that they stayed, how they fared, and an illness."""
    random = Random(seed)
    table = [
        (
            random.randrange(20, 100),
            10 + int(random.expovariate(1 / 9)),
            random.choice(["better", "worse"]),
            random.choice(["I61.9", "I63.4", "Z96.6", "M16.1", "G20.9"]),
        )
        for _ in range(rows)
    ]
    return pd.DataFrame(table, columns=["age", "nights", "outcome", "icd"])


def study(*, k=5, **roles):
    return Study([AGE], k, roles=Roles(**roles))


def alone_by(frame, *names):
    """People whose cells in some columns nobody else has, counted one by one."""
    rows = list(frame[list(names)].astype(str).itertuples(index=False, name=None))
    often = Counter(rows)
    return sum(often[row] == 1 for row in rows)


def known(checked):
    (row,) = [row for row in demands_of(checked) if row.name == NAMES["known-to-others"]]
    return row


@pytest.mark.parametrize("shared", [False, True])
def test_exact_numbers_are_attended_to_where_most_are_one_person_s_and_else_noted(shared):
    """Of the first Data asks whether anybody has them from elsewhere, of the others nobody was asked."""
    ages = [20 + row % 20 for row in range(400)]
    income = [30_000 + (row // 4 if shared else row) * 370 for row in range(400)]
    table = pd.DataFrame({"age": ages, "income": income})
    assert alone_by(table, "income") == (0 if shared else 400)
    found = check(table, Study([AGE], 5, roles=Roles(sensitive=["income"])))
    assert ("income" in known(found).figure) is not shared


def test_what_others_may_know_is_attended_to_though_it_was_called_sensitive_with_how_many_would_be_alone():
    table = stays()
    found = check(table, study(sensitive=["icd", "nights"], keep=["outcome"]))
    people = alone_by(found.frame, "age", "nights")
    assert people > 10
    assert found.verdict == "attention"
    row = known(found)
    assert row.mark == "not met"
    assert f"{people} of 200 people" in row.figure
    assert row.figure.endswith("alone if others know nights, wanted none")
    (finding,) = row.findings
    assert finding.level == "attention"
    assert finding.text.startswith(f"If others know 'nights', {people} of 200 people")
    assert not any("'icd'" in one.text for one in found.findings if one.code == "known-to-others")
    assert found.to_dict()["unique"]["alone_if_known"] == people


def test_the_advice_that_was_followed_is_not_given_again():
    table = stays()
    followed = Study([AGE, Attribute("nights", 10, 74, 3)], 5, roles=Roles(sensitive=["icd"], keep=["outcome"]))
    assert known(check(table, followed)).mark == "met"
    removed = study(sensitive=["icd"], keep=["outcome"], remove=["nights"])
    assert known(check(table, removed)).mark == "met"


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("icd 2", [("I61.9", "G20.9")[row % 2] for row in range(200)]),  # proposed as sensitive
        ("ferritin", [str(1000 + 7 * row) for row in range(200)]),  # likewise, by its name, though nearly all differ
        ("remark", [("soso", "lala", "naja")[row % 3] for row in range(200)]),  # of which nothing tells what it is
        ("points", [str(row % 3) for row in range(200)]),  # proposed to be kept
    ],
)
def test_of_a_column_that_no_advice_speaks_against_a_word_that_it_is_sensitive_holds(name, cells):
    table = stays().assign(**{name: cells}).drop(columns="nights")
    row = known(check(table, study(sensitive=["icd", name], keep=["outcome"])))
    assert (row.mark, row.findings) == ("met", ())


def test_what_somebody_decided_that_nobody_has_from_elsewhere_is_noted_with_the_decision():
    # By its unit a laboratory measures it; its name tells nothing, so that others may know it until somebody decides.
    table = stays().drop(columns="nights").assign(value=[f"{row % 150}.5 mg/dl" for row in range(200)])
    found = check(table, study(sensitive=["icd", "value"], keep=["outcome"], only_here=["value"]))
    assert (known(found).mark, known(found).findings) == ("met", ())
    (note,) = [one.text for one in found.findings if one.code == "nearly-identifying-kept"]
    assert note.startswith("The column 'value' goes out as it stands (sensitive): 100 of 200 records show a value")
    assert note.endswith("finds the row; somebody decided that nobody has it from elsewhere.")
    asked = check(table, study(sensitive=["icd", "value"], keep=["outcome"]))
    assert known(asked).mark == "not met"
    assert not any("decided" in one.text for one in asked.findings if one.code == "nearly-identifying-kept")


@pytest.mark.parametrize("decided", [False, True])
@pytest.mark.parametrize("name", ["income", "Rechnungsbetrag", "nights"])
def test_exact_numbers_that_others_may_have_ask_whatever_was_answered_until_a_reason_is_given(name, decided):
    table = stays().drop(columns="nights").assign(**{name: [str(1000 + 7 * (row % 150)) for row in range(200)]})
    found = check(table, study(sensitive=["icd", name], keep=["outcome"], only_here=[name] * decided))
    assert found.verdict == "attention"
    (finding,) = known(found).findings
    people = alone_by(found.frame, "age", name)
    assert people >= 100  # of whom nobody else has the number
    assert finding.text.startswith(f"If others know {name!r}, {people} of 200 people")
    why = signed("Nobody else writes it down.", "R. Meier")
    accepted = found.accepting({one.text: why for one in found.findings})
    assert accepted.all_accepted
    assert why in accepted_told(accepted)


def test_what_is_known_by_its_name_is_attended_to_whoever_is_alone():
    table = stays().assign(ward=[("north", "south")[row % 2] for row in range(200)]).drop(columns="nights")
    found = check(table, study(sensitive=["icd", "ward"], keep=["outcome"]))
    people = alone_by(found.frame, "age", "ward")
    assert known(found).findings[0].text.startswith(f"If others know 'ward', {people} of 200 people")


@pytest.mark.parametrize(("few", "said"), [(0, False), (1, True), (10, True), (11, False)])
def test_why_a_few_who_would_be_alone_ask_for_attention_is_said_of_as_many_as_the_rule_lets_be(few, said):
    table = stays().drop(columns="nights").assign(age=[20 + 20 * (row // 2 % 4) for row in range(200)])
    table["ward"] = [f"room {row}" if row < few else ("north", "south")[row % 2] for row in range(200)]
    found = check(table, study(sensitive=["icd", "ward"], keep=["outcome"]))
    assert alone_by(found.frame, "age", "ward") == found.unique.by_doubted == few
    (finding,) = known(found).findings
    assert finding.level == "attention"
    assert ("few, too, ask for attention: a person who is found is found" in finding.text) == said


def test_where_the_groups_leave_few_alone_by_values_that_few_share_the_word_holds():
    # Two groups of a hundred; of their values one is of a single person.
    table = stays().assign(age=[20 + 60 * (row % 2) for row in range(200)])
    table["nights"] = [str(row // 2 % 12) for row in range(200)]
    table.loc[7, "nights"] = "40"
    sensitive = study(sensitive=["icd", "nights"], keep=["outcome"])
    found = check(table, sensitive)
    assert alone_by(found.frame, "age", "nights") == 1
    assert known(found).mark == "met"
    assert known(found).figure == "1 of 200 people (0.50 %) alone if others know nights, wanted at most 5.0 %"
    (note,) = known(found).findings
    assert note.level == "note"
    assert note.text == (
        "If others know 'nights', 1 of 200 people (0.50 %) would be alone, and the rule allows 5.0 %: called "
        "sensitive, it goes out as in the table."
    )
    strict = check(table, sensitive, rule=Rule(alone=0))
    assert known(strict).figure == "1 of 200 people (0.50 %) alone if others know nights, wanted none"


def before_and_after():
    """Patients with two scores from 0 to 10 that few share in groups of twelve years; together they tell people."""
    random = Random(8)
    table = []
    for row in range(420):
        before = round(random.triangular(0, 10, 6))
        after = min(10, max(0, before + random.randint(-4, 3)))
        illness = random.choice(["I61.9", "I63.4", "Z96.6", "M16.1", "G20.9"])
        table.append((1929 + row % 72, "mw"[row % 2], before, after, illness))
    return pd.DataFrame(table, columns=["Geburtsjahr", "Geschlecht", "Laune vorher", "Laune nachher", "Diagnose"])


BORN = Attribute("Geburtsjahr", 1929, 2001, 2, 6)


def test_two_columns_that_few_share_are_harmless_only_where_they_are_so_together():
    table = before_and_after()
    both = ["Laune vorher", "Laune nachher"]

    def found(*sensitive):
        others = [name for name in ("Geschlecht", *both) if name not in sensitive]
        return check(table, Study([BORN], 5, roles=Roles(sensitive=["Diagnose", *sensitive], remove=others)))

    for name in both:
        one = found(name)
        assert [column.few_share for column in one.columns if column.name == name] == [True]
        assert 0 < alone_by(one.frame, "Geburtsjahr", name) <= 21
        assert one.verdict == "ready"
    together = found(*both)
    people = alone_by(together.frame, "Geburtsjahr", *both)
    assert people > 80
    assert together.verdict == "attention"
    (finding,) = known(together).findings
    assert finding.text.startswith(f"If others know 'Laune vorher' and 'Laune nachher', {people} of 420 people")
    assert known(together).mark == "not met"


def test_beside_a_column_that_is_known_by_its_name_those_that_few_share_are_counted():
    table = before_and_after().assign(ward=[("north", "south")[row // 2 % 2] for row in range(420)])
    sensitive = ["Diagnose", "ward", "Laune vorher"]
    found = check(table, Study([BORN], 5, roles=Roles(sensitive=sensitive, remove=["Geschlecht", "Laune nachher"])))
    people = alone_by(found.frame, "Geburtsjahr", "ward", "Laune vorher")
    assert f"{people} of 420 people" in known(found).figure
    assert "ward" in known(found).figure
    assert "Laune vorher" in known(found).figure


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_no_table_is_ready_without_a_reason_where_too_many_are_alone_by_what_check_was_said_to_ask_about(data):
    random, rows = data.draw(st.randoms(use_true_random=True)), data.draw(st.integers(60, 200))
    groups = data.draw(st.sampled_from([1, 2, 4]))
    table = pd.DataFrame({"age": [20 + 80 // groups * (row % groups) for row in range(rows)]})
    names = st.sampled_from(["mood", "nights", "sum", "ward", "value"])
    for name in data.draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        most = data.draw(st.sampled_from([2, 6, 10, 14, 200]))
        cells = [round(random.triangular(0, most, most / 2)) for _ in range(rows)]
        table[name] = [f"{cell} mg/dl" for cell in cells] if name == "value" else cells
    table["icd"] = [("I61.9", "G20.9", "M16.1")[row // groups % 3] for row in range(rows)]
    open_ = [one.name for one in column_roles(table, study(sensitive=["icd"])) if one.found_by and one.name != "age"]
    others = [name for name in table.columns if name not in (*open_, "age", "icd")]
    found = check(table, study(sensitive=["icd", *open_], remove=others))
    if alone_by(found.frame, "age", *open_) > len(table) / 20 and open_:
        assert found.verdict != "ready"
        assert known(found).mark == "not met"


def test_how_many_are_alone_for_whoever_knows_what_is_sensitive_is_said_where_it_was_believed_that_nobody_does():
    table = stays().rename(columns={"nights": "ferritin"})
    found = check(table, study(sensitive=["icd", "ferritin"], keep=["outcome"]))
    (row,) = [row for row in demands_of(found) if row.name == NAMES["alone"]]
    people = alone_by(found.frame, "age", "outcome", "icd", "ferritin")
    assert people > alone_by(found.frame, "age", "outcome")
    assert f"For somebody who knows the sensitive columns, too, {people} (" in row.asked


def test_the_release_by_its_study_is_judged_as_beside_its_table():
    """Also where values are hidden, by whose stars a column looks like another than it is."""
    table = stays()
    whole = study(sensitive=["icd", "nights"], keep=["outcome"])
    frame = check(table, whole).frame.copy()
    frame["nights"] = frame["nights"].astype(str).where(frame.index >= 30, "*")
    beside, alone = check(table, whole, frame), audit(frame, whole)
    assert known(beside).figure == known(alone.checked).figure
    assert known(beside).findings == known(alone.checked).findings
    assert beside.verdict == alone.verdict == "attention"


def test_the_search_offers_what_it_found_with_that_one_demand_open():
    table = stays(rows=60)
    found = publishable(table, study(sensitive=["icd", "nights"], keep=["outcome"]), time_limit=120)
    assert not found.outcomes
    one = found.attention
    asked = [finding for finding in one.checked.findings if finding.level != "note"]
    assert [finding.code for finding in asked] == ["known-to-others"]
    assert "'nights'" in asked[0].text
    assert "nights" in one.frame.columns
    assert "nights" in found.why_not
    assert found.nearest.choice == one.choice
    why = signed("Nobody counts the nights.", "R. Meier")
    made = packed(one, "stays.csv", table, "stays.csv", search=found.thoroughness, why=why)
    assert not made.problem
    verdict = str(made.files["keep/verdict.html"])
    assert why in verdict
    assert "If others know" in verdict
    # Without the column it is Ready: the search did not stop at what it could not mend.
    other = publishable(table, study(sensitive=["icd"], keep=["outcome"], remove=["nights"]), time_limit=120)
    assert [outcome.checked.verdict for outcome in other.outcomes[:1]] == ["ready"]


@pytest.mark.parametrize("width", [1, 20])
def test_who_is_alone_beside_a_column_is_counted_as_the_release_shows_it(width):
    """HbA1c beside an age is most people's own in the raw table; groups of 20 years leave few alone."""
    random = Random(5)
    rows = [(random.randrange(20, 80), f"{random.randrange(45, 110) / 10}") for _ in range(300)]
    table = pd.DataFrame(rows, columns=["age", "HbA1c"])
    frame = table.assign(age=[age if width == 1 else f"[{age // 20 * 20}, {age // 20 * 20 + 20}[" for age, _ in rows])
    alone = alone_by(frame, "age", "HbA1c")
    assert (alone < 150) is (width == 20)
    ages = Study([Attribute("age", 20, 80, 1, resolution=width, finest=0)], k=2, roles=Roles(sensitive=["HbA1c"]))
    notes = [one.text for one in check(table, ages, frame).findings if one.code == "nearly-identifying-kept"]
    told = f"(sensitive): beside age it is shown by nobody else for {alone / 3:.0f} % of the records"
    assert [told in note for note in notes] == [True] * (width == 1)
