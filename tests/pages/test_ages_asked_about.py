"""Ages that no person has, which the page Data asks about."""

import io
import random

import pandas as pd
import pytest

from cra_dashboard.session import state


def people(*ages, rows=150, between=";"):
    """A German clinic's table, whose first people have these ages."""
    draw = random.Random(2)
    lines = [
        [
            ages[row] if row < len(ages) else draw.randrange(18, 90),
            draw.choice("mw"),
            draw.choice(["67061", "67062", "67063", "67065"]),
            f"{draw.gauss(76, 12):.1f}".replace(".", ","),
            draw.choice(["Grippe", "Asthma", "Gicht", "Migräne"]),
        ]
        for row in range(rows)
    ]
    names = ["Alter", "Geschlecht", "PLZ", "Gewicht", "Diagnose"]
    return "\n".join(between.join(map(str, line)) for line in [names, *lines]).encode()


def labels(page):
    """What a release may show of Alter."""
    (attribute,) = [one for one in page.study.attributes if one.name == "Alter"]
    return {node.label for layer in attribute.layer_nodes for node in layer}


def decided(page):
    return [one.what for one in page.at.session_state[state.DECIDED][1]]


def asks_of_ages(page):
    return "no person has such an age" in page.says("markdown")


def test_an_age_that_nobody_has_is_a_slip_and_nothing_of_it_is_left(uploading):
    page = uploading.upload("people.csv", people(45, 212))
    assert ">=90" in labels(page)
    said = "**Alter** is 212 in row 2 (3 in a spreadsheet): no person has such an age. A slip of the pen?"
    assert said in page.says("markdown")
    assert [one.key for one in page.at.button if one.proto.type == "primary"] == ["data-ages-missing"]
    page.press("data-ages-missing")
    assert not asks_of_ages(page)
    assert not any(label.startswith(">=") for label in labels(page))
    assert "**Alter** has 1 missing value. What becomes of it?" in page.says("markdown")
    assert not any("212" in str(line) for line in decided(page))
    page.press("data-missing-leave-out-Alter")
    assert "All questions are answered" in page.says("markdown")
    # And it can be asked again, as it was.
    page.press(next(one.key for one in page.at.button if one.label == "Change"))
    assert asks_of_ages(page)
    assert ">=90" in labels(page)


def test_its_row_is_left_out_and_comes_back_when_it_is_asked_again(uploading):
    page = uploading.upload("people.csv", people(45, 212)).press("data-ages-out")
    assert "All questions are answered" in page.says("markdown")
    assert len(page.dataset.frame) == 149
    assert not any(label.startswith(">=") for label in labels(page))
    assert any("with an age in Alter that no person has" in line for line in decided(page))
    page.press(next(one.key for one in page.at.button if one.label == "Change"))
    assert len(page.dataset.frame) == 150
    assert asks_of_ages(page)
    assert ">=90" in labels(page)


def test_who_says_that_it_is_right_is_not_asked_again(uploading):
    page = uploading.upload("people.csv", people(45, 212)).press("data-ages-right")
    assert not asks_of_ages(page)
    assert ">=90" in labels(page)
    assert decided(page) == ["Alter: ages that no person has are right"]
    page.press(next(one.key for one in page.at.button if one.label == "Change"))
    assert asks_of_ages(page)


def test_several_are_one_question_and_those_below_zero_are_asked_about(uploading):
    page = uploading.upload("people.csv", people(212, -3, 212))
    said = "**Alter** is 212 and -3 in rows 1, 2 and 3 (2, 3, 4 in a spreadsheet): no person has such an age."
    assert said in page.says("markdown")
    page.press("data-ages-missing")
    assert "3 missing values" in page.says("markdown")


@pytest.mark.parametrize("ages", [(118, 19), (0, 90)])
def test_an_age_that_a_person_can_have_is_not_asked_about(uploading, ages):
    assert not asks_of_ages(uploading.upload("people.csv", people(*ages)))


def test_numbers_of_a_file_that_knows_them_are_asked_about_too(uploading):
    table = pd.read_csv(io.BytesIO(people(45, 212)), sep=";", decimal=",")
    packed = io.BytesIO()
    table.to_parquet(packed)
    page = uploading.upload("people.parquet", packed.getvalue())
    assert asks_of_ages(page)
    page.press("data-ages-missing")
    assert "1 missing value" in page.says("markdown")
    assert not any(label.startswith(">=") for label in labels(page))


def test_a_weight_far_from_others_is_not_asked_about(uploading):
    content = people(45).decode().splitlines()
    content[1] = ";".join([*content[1].split(";")[:3], "180,5", "Gicht"])
    page = uploading.upload("people.csv", "\n".join(content).encode())
    assert "All questions are answered" in page.says("markdown")
