"""Privacy models in a study: read, written, kept, and k = 1 only beside one."""

from decimal import Decimal

import pandas as pd
import pytest

from cra_engine import Attribute, PrivacyModel, Release, Study, StudyError, recode
from cra_engine.criteria.of_study import criteria_of

BASE = 'k = 3\n[[attribute]]\nname = "age"\nlower = 0\nupper = 8\nlayers = 3\n'
ALL = (
    BASE
    + """
[[privacy]]
model = "l-diversity"
attribute = "diagnosis"
variant = "recursive"
l = 3
c = 2.5
[[privacy]]
model = "l-diversity"
attribute = "diagnosis"
l = 2
[[privacy]]
model = "t-closeness"
attribute = "diagnosis"
distance = "hierarchical"
t = 0.2
hierarchy = "kinds.csv"
[[privacy]]
model = "d-presence"
attribute = "marked"
value = true
lower = 0.05
upper = 0.15
"""
)


@pytest.fixture
def study(tmp_path):
    (tmp_path / "study.toml").write_text(ALL)
    (tmp_path / "kinds.csv").write_text("flu;infection;*\ncold;infection;*\ngout;other;*\n")
    return Study.from_toml(tmp_path / "study.toml")


def test_read_as_written(study):
    assert [str(criterion) for criterion in criteria_of(study)] == [
        "3-anonymity",
        "recursive (2.5, 3)-diversity of diagnosis",
        "distinct 2-diversity of diagnosis",
        "0.2-closeness of diagnosis (hierarchical distance)",
        "(0.05, 0.15)-presence by marked",
    ]
    assert study.privacy[0].c == Decimal("2.5")
    assert study.privacy[3].value == "true"


def test_written_as_read(study, tmp_path):
    (tmp_path / "copy").mkdir()
    study.to_toml(tmp_path / "copy" / "study.toml")
    assert {path.name for path in (tmp_path / "copy").iterdir()} == {"study.toml", "diagnosis.csv"}
    assert Study.from_toml(tmp_path / "copy" / "study.toml") == study


def test_models_are_part_of_a_study(study):
    plain = Study(study.attributes, 3)
    assert study != plain
    assert len({study, plain, study.with_k(3)}) == 2
    assert study.with_k(4).privacy == study.privacy
    assert "t-closeness of diagnosis" in repr(study)


def test_k_of_1_asks_for_no_k_anonymity(study):
    alone = study.with_k(1)
    assert str(criteria_of(alone)[0]) == "recursive (2.5, 3)-diversity of diagnosis"
    with pytest.raises(StudyError, match="k is 1; it must be 2 or more"):
        Study(study.attributes, 1)
    with pytest.raises(StudyError, match="k is 0"):
        study.with_k(0)
    with pytest.raises(StudyError, match="k is 1"):
        recode(pd.DataFrame({"age": [1, 2, 3]}), alone)
    with pytest.raises(StudyError, match="k is 1"):
        Release(alone, pd.DataFrame({"age": ["[0, 4["] * 3}))


def test_a_model_without_its_parameter():
    study = Study([Attribute("age", 0, 8, 3)], 2, privacy=[PrivacyModel("t-closeness", "diagnosis")])
    with pytest.raises(StudyError, match="needs t"):
        criteria_of(study)


def test_the_hierarchy_file_must_be_given():
    with pytest.raises(StudyError, match=r"names the hierarchy file 'kinds\.csv'; give that file too"):
        Study.from_toml_text(ALL)
