"""The page Who has what: which study it speaks of, by which prior, and more time where it is needed."""

import re
from dataclasses import replace
from itertools import product

import pandas as pd
from support import let_run, open_page, pictures, shown

import cra_engine
from cra_dashboard.panels.frame import asked
from cra_engine import Attribute, LDiversity, Roles, Study
from cra_engine.study.quality import Quality

# As worked out by hand for the release: the suppressed one has HIV, and is alone in the other leaf.
PEOPLE = pd.DataFrame({"age": [5, 25, 30], "illness": ["HIV", "flu", "cold"]})
STUDY = Study([Attribute("age", 0, 40, 2)], 2, privacy=[LDiversity("illness", 2)], roles=Roles(sensitive=["illness"]))


def test_the_line_on_every_page_names_the_models_that_are_asked_for():
    assert asked(STUDY) == ["k = 2", "distinct 2-diversity of illness"]
    assert asked(STUDY.changed(privacy=(), profile="arx-gui")) == ["k = 2", "recoded as the ARX desktop program"]
    assert asked(STUDY.changed(privacy=()).with_epsilon(1)) == ["k = 2", "recoded safely"]
    assert asked(STUDY.changed(privacy=(), quality=Quality("precision"))) == ["k = 2", "quality model precision"]


def test_the_prior_stands_beside_what_is_likely_and_only_there():
    page = open_page("who_has_what", PEOPLE, STUDY)
    assert "Exactly one person has age from 0 to under 20, and that person has HIV." in shown(page).replace("\\", "")
    assert "how likely" not in shown(page)
    likely = pd.DataFrame({"age": [25, 65, 5, 5, 5, 45], "illness": ["cold", "HIV", "cold", "HIV", "HIV", "HIV"]})
    page = open_page("who_has_what", likely, STUDY.changed(attributes=[Attribute("age", 0, 80, 3)]))
    assert re.search(r"has HIV with \d+ %, where the class shows 67 %\.", shown(page))  # four of the six
    assert "Where a sentence has a percentage: how likely, if all tables that are left" in shown(page)
    assert "a table being an assignment of numbers of records to cells (prior assignments)." in shown(page)


def test_a_picture_without_a_number_is_that_of_the_boxes():
    """Two columns are drawn of three, and no class excludes a value anywhere: the grid would be empty."""
    study = Study([Attribute(name, 0, 8, 3) for name in ("age", "bmi", "sex")], 2, roles=Roles(sensitive=["illness"]))
    people = pd.DataFrame(
        {"age": [0, 2, 4, 6], "bmi": [0, 2, 4, 6], "sex": [0, 0, 4, 4], "illness": ["flu", "HIV", "flu", "HIV"]}
    )
    page = open_page("who_has_what", people, study)
    assert "no cell settles the value of whoever is there" in shown(page)
    (told,) = pictures(page)
    assert "2 people" in str(told["figure"])
    assert "No cell settles or excludes a value, so nothing more than this is drawn." in shown(page)
    assert "What everybody can read: each box with the number of its class" in shown(page)


def test_what_stands_in_a_cell_that_is_not_filled_is_in_the_legend():
    (told,) = pictures(open_page("who_has_what"))  # with the example Ward
    figure = told["figure"]
    signs = {mark["sign"] for mark in figure["legend"] if mark["sign"]}
    bare = {text for _, _, fill, text, *_ in figure["tiles"] if text and not fill}
    assert bare == {"2 of 2", "3 of 3", "="}
    assert signs == {"2 of 2", "="}  # one of them stands for all
    (own,) = (mark["name"] for mark in figure["legend"] if mark["sign"] == "=")
    assert own == "a box of one cell: what its rows show"


def test_numbers_behind_tiles_are_said_to_be_of_cells():
    # Two people in each cell but the last, where the one that is left over must be.
    cells = [cell for cell in product((0, 1), repeat=3) for _ in range(2)][:-1]
    people = pd.DataFrame(cells, columns=["age", "bmi", "sex"]).assign(illness=["flu", "cold"] * 7 + ["HIV"])
    study = Study([Attribute(name, 0, 2, 2) for name in ("age", "bmi", "sex")], 2, roles=Roles(sensitive=["illness"]))
    page = open_page("who_has_what", people, study)
    assert "that person has HIV" in shown(page)
    assert (
        "How many cells behind each tile settle or exclude a value. Without a number, none does. A tile stands for "
        "several cells here: sex is not drawn."
    ) in shown(page)


def test_more_time_is_offered_where_it_did_not_suffice(monkeypatch):
    settled = cra_engine.who_has_what
    given = []

    def hurried(attack, *, time_limit):
        given.append(time_limit)
        return replace(settled(attack), finished=time_limit > 10)

    monkeypatch.setattr(cra_engine, "who_has_what", hurried)
    page = open_page("who_has_what", PEOPLE, STUDY)
    assert "The time did not suffice to settle all: more may be certain." in shown(page)
    (limit,) = [field for field in page.selectbox if field.label == "For at most"]
    limit.set_value("5 minutes").run()
    next(button for button in page.button if button.label == "Look longer").click().run()
    let_run(page)
    assert given == [5.0, 300.0]
    assert "The time did not suffice" not in shown(page)
    assert not [button for button in page.button if button.label == "Look longer"]
