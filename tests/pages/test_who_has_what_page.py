"""The page Who has what: which study it speaks of, by which prior, and more time where it is needed."""

from dataclasses import replace

import pandas as pd
from support import let_run, open_page, shown

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


def test_the_prior_stands_beside_what_is_likely():
    page = open_page("who_has_what", PEOPLE, STUDY)
    assert "Exactly one person has age from 0 to under 20, and that person has HIV." in shown(page).replace("\\", "")
    assert "a table being an assignment of numbers of records to cells (prior assignments)." in shown(page)


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
