"""Each criterion that a study may ask for is complete: its form, its table in a study file, its words, its docs."""

from pathlib import Path

import pytest

from cra_dashboard.texts.glossary import GLOSSARY
from cra_engine import Attribute, Study
from cra_engine.criteria.models import MODELS, settings_of
from cra_engine.study.file_hierarchy import made_hierarchy
from cra_engine.study.hierarchy_files import hierarchy_text

FORMS = [(kind, form) for kind in MODELS for form in kind.forms]
DOCS = Path(__file__).parents[2] / "docs" / "global-recoding.md"
KINDS = made_hierarchy("diagnosis", [["flu", "cold", "*"], ["gout", "other", "*"]], "kinds", finest=1)


def asked_by(kind, form):
    """The criterion that somebody gets who leaves a form as it is."""
    return made(kind, form, {number.name: number.usual for number in form.numbers})


def made(kind, form, numbers):
    more = {"value": {"value": "yes"}, "hierarchy": {"hierarchy": KINDS}}.get(form.asks, {})
    column = [] if form.asks == "nothing" else ["diagnosis"]
    return kind(*column, **form.fixed, **numbers, **more)


@pytest.mark.parametrize(("kind", "form"), FORMS, ids=[form.label for _, form in FORMS])
def test_a_form_left_as_it_is_makes_a_criterion_that_a_study_file_keeps(kind, form):
    model = asked_by(kind, form)
    study = Study([Attribute("age", 0, 80, 4)], 2, privacy=[model])
    again = Study.from_toml_text(study.to_toml_text(), find=lambda _: hierarchy_text(KINDS).encode())
    assert again == study
    assert again.privacy == (model,)
    assert settings_of(again.privacy[0])["model"] == kind.model
    assert str(study.criteria[1]) == str(model)
    assert model.least >= 1


@pytest.mark.parametrize(("kind", "form"), FORMS, ids=[form.label for _, form in FORMS])
def test_a_form_lets_nothing_be_asked_for_that_cannot_be(kind, form):
    for number in form.numbers:
        assert number.lowest <= number.usual <= number.highest
        lowest = {other.name: other.lowest for other in form.numbers}
        highest = {other.name: other.highest for other in form.numbers}
        for given in (lowest, highest):
            assert made(kind, form, given).model == kind.model


@pytest.mark.parametrize("kind", MODELS, ids=[kind.model for kind in MODELS])
def test_a_criterion_reads_a_column_or_marks_records_and_is_explained(kind):
    model = asked_by(kind, kind.forms[0])
    assert bool(model.columns) + bool(model.marking) == (kind.forms[0].asks != "nothing")
    assert kind.model in GLOSSARY
    assert f'model = "{kind.model}"' in DOCS.read_text(encoding="utf-8")
