"""Columns of exact numbers, which the page Data asks about together before any of them goes out as it stands."""

import random

import pytest
from publishing import CHECK, archive, last_found, take_with_reason
from visitor import DATA

QUESTION = "Could anybody have a person's exact number from elsewhere, such as a pay slip, a bill or another table?"
ILLNESSES = ("flu", "gout", "cold", "asthma")


def people(**columns):
    """Of 120 people age, sex, some columns by their cells per row, and an illness."""
    draw = random.Random(4)
    rows = [
        [20 + row * 7 % 60, draw.choice("mf"), *(of(row) for of in columns.values()), ILLNESSES[row % 4]]
        for row in range(120)
    ]
    return "\n".join(";".join(map(str, row)) for row in [["age", "sex", *columns, "illness"], *rows]).encode()


def income(row):
    """Three in four have a number of their own."""
    return 20_000 + 137 * row if row % 4 else 30_000


def asked(page):
    return [one.value for one in page.at.caption if one.value.startswith(("Question ", "One question"))]


def primary(page):
    return [one.key for one in page.at.button if one.proto.type == "primary"]


@pytest.mark.parametrize(
    ("name", "cell", "advised"),
    [
        ("income", income, "data-known-"),
        ("Rechnungsbetrag", lambda row: f"{income(row)},5", "data-known-"),
        ("steps", income, "data-known-"),
        ("Laborkosten", income, "data-known-"),
        ("ferritin", income, "data-only-here-"),
        ("Kreatinin", lambda row: f"{row * 7 % 113},{row % 9}", "data-only-here-"),
        ("value one (mmol/l)", lambda row: f"{row * 7 % 113},{row % 9}", "data-only-here-"),
        ("value two", lambda row: f"{row * 7 % 100},5 mg/dl", "data-only-here-"),
    ],
)
def test_what_is_advised_follows_from_what_a_column_looks_like(uploading, name, cell, advised):
    uploading.upload("people.csv", people(**{name: cell}))
    said = uploading.says("markdown")
    assert QUESTION in said
    assert f"**{name}** holds exact numbers, and " in said
    assert primary(uploading) == [f"{advised}{name}"]
    assert "nearly says who somebody is" not in said
    uploading.press(f"{advised}{name}")
    assert not asked(uploading)
    assert (name in uploading.study.names) == (advised == "data-known-")


def test_all_such_columns_are_one_question_and_each_is_named_with_its_people(uploading):
    uploading.upload("people.csv", people(income=income, wage=lambda row: row * 31 + 500 if row % 4 < 2 else 7))
    assert len(asked(uploading)) == 1
    said = uploading.says("markdown")
    assert "**income** (90 of 120 people have one that nobody else has) and **wage** (60 of 120). Could" in said
    assert primary(uploading) == ["data-all-known"]
    assert "Yes: publish wage in groups" in {one.label for one in uploading.at.button}
    uploading.press("data-only-here-wage")
    assert "**income** holds exact numbers, and 90 of 120 people" in uploading.says("markdown")
    uploading.press("data-removed-income")
    assert uploading.study.roles.remove == ("income",)
    assert uploading.study.roles.only_here == ("wage",)
    assert not asked(uploading)


def test_a_number_that_others_may_have_goes_out_in_groups_alone(session):
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    page = session.upload("people.csv", people(income=income)).press("data-known-income")
    assert page.study.names == ("age", "sex", "income")
    page = page.open(CHECK).press("publishable-start")
    exact = {str(income(row)) for row in range(120)}
    tables = last_found(page).outcomes
    assert tables
    assert any("income" in one.frame.columns for one in tables)
    for one in tables:
        assert "income" not in one.frame.columns or not exact & set(one.frame["income"].astype(str))


@pytest.mark.parametrize("name", ["ferritin", "income", "steps"])
def test_that_only_this_clinic_has_a_number_stands_in_what_goes_out_against_the_advice_with_a_reason(session, name):
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    page = session.upload("people.csv", people(**{name: income}))
    advised = name == "ferritin"
    assert ("against the advice, Check asks for a reason" in page.says("caption")) != advised
    page.press(f"data-only-here-{name}")
    assert page.study.roles.sensitive == ("illness", name)
    page = page.open(CHECK).press("publishable-start")
    assert ("publishable-accept-why" not in {one.key for one in page.at.text_input}) == advised
    assert ("publishable-take-0" in {one.key for one in page.at.button}) == advised
    if advised:
        page.press("publishable-take-0")
    else:
        take_with_reason(page, "No bill names it", "R. Meier")
    files = archive(page)
    told = {path: " ".join(files.read(path).decode().split()) for path in files.namelist() if ".xlsx" not in path}
    assert f"{name} is sensitive, and nobody has its exact numbers from elsewhere" in told["keep/verdict.html"]
    assert "asks for no signature" not in told["keep/verdict.html"]
    assert (
        f"{name}: the publisher decided that nobody has exact values of it from elsewhere."
        in told["hand-out/how-to-read.txt"]
    )
    assert ("No bill names it, decided by R. Meier" in told["keep/verdict.html"]) != advised
    assert ("No bill names it" in told["hand-out/how-to-read.txt"]) != advised
    assert f'only_here = ["{name}"]' in next(text for path, text in told.items() if path.endswith("study.toml"))


def test_the_answer_is_asked_again_and_holds_no_longer(uploading):
    uploading.upload("people.csv", people(income=income)).press("data-only-here-income")
    (change,) = [one.key for one in uploading.at.button if one.label == "Change"]
    uploading.press(change)
    assert QUESTION in uploading.says("markdown")
    assert uploading.study.roles.only_here == ()
    assert "income" not in uploading.study.roles.named
    uploading.press("data-known-income")
    assert "income" in uploading.study.names


@pytest.mark.parametrize("name", ["smoker", "Raucherstatus", "glasses", "schwanger", "Behinderung"])
def test_what_people_see_of_each_other_is_asked_about_and_advised_as_known(uploading, name):
    uploading.upload("people.csv", people(**{name: lambda row: row // 3 % 2}))
    assert len(asked(uploading)) == 1
    assert "something that others see or hear of a person" in uploading.says("markdown")
    assert primary(uploading) == [f"data-known-{name}"]
    uploading.press(f"data-known-{name}")
    assert name in uploading.study.names


@pytest.mark.parametrize("name", ["Größe", "Körpergewicht", "Familienstand", "body height"])
def test_what_was_seen_before_is_known_without_a_question(uploading, name):
    uploading.upload("people.csv", people(**{name: lambda row: 60 + row // 3 % 40}))
    assert name in uploading.study.names
    assert not asked(uploading)


@pytest.mark.parametrize(("name", "advised"), [("income", "known"), ("ferritin", "sensitive")])
def test_numbers_that_tell_people_apart_beside_an_age_are_advised_alike(uploading, name, advised):
    """By itself each is shared by two people or more; beside an age they are one person's."""
    uploading.upload("people.csv", people(**{name: lambda row: 20_000 + 500 * ((row + row // 60) % 60)}))
    uploading.fill("multiselect", "data-sensitive", ["illness"])  # as it looks by itself no more
    assert "beside age it is shown by nobody else" in uploading.says("markdown")
    assert primary(uploading) == [f"data-{advised}-{name}"]
