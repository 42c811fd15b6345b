"""Privacy models in a study: read, written, kept, and k = 1 only beside one."""

import copy
import re
from decimal import Decimal

import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, Release, Study, StudyError, check, recode
from cra_engine.study.quality import Quality

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
    assert [str(criterion) for criterion in study.criteria] == [
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
    assert "0.2-closeness of diagnosis" in repr(study)


def test_k_of_1_asks_for_no_k_anonymity(study):
    alone = study.with_k(1)
    assert str(alone.criteria[0]) == "recursive (2.5, 3)-diversity of diagnosis"
    with pytest.raises(StudyError, match="k is 1; it must be 2 or more"):
        Study(study.attributes, 1)
    with pytest.raises(StudyError, match="k is 0"):
        study.with_k(0)
    with pytest.raises(StudyError, match="Local recoding knows no d-presence"):
        recode(pd.DataFrame({"age": [1, 2, 3]}), alone)
    assert Release(alone, pd.DataFrame({"age": ["[0, 4["] * 3})).k == 1


def test_a_study_takes_criteria_and_nothing_else():
    with pytest.raises(CRAError, match=r"each of Study\(privacy\) needs a privacy model"):
        Study([Attribute("age", 0, 8, 3)], 2, privacy=["t-closeness"])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "'privacy.1.t' is missing; add it."),
        ("t = 2", "t of the t-closeness of 'diagnosis' is 2; give a number from 0 to 1."),
        ("t = 0.1\nl = 2", "'privacy.1.l' is not a setting that is known here"),
        ('t = 0.1\ndistance = "far"', "'privacy.1.distance' is 'far'"),
    ],
)
def test_a_table_that_is_no_criterion_is_refused_where_it_is_read(line, said):
    with pytest.raises(StudyError, match=re.escape(said)):
        Study.from_toml_text(BASE + f'[[privacy]]\nmodel = "t-closeness"\nattribute = "diagnosis"\n{line}\n')


def test_the_hierarchy_file_must_be_given():
    with pytest.raises(StudyError, match=r"names the hierarchy file 'kinds\.csv'; give that file too"):
        Study.from_toml_text(ALL)


QUALITY = """
[quality]
model = "precision"
aggregate = "sum"
gs_factor = 0.25
"""


def test_quality_and_weights_are_read_written_and_kept_for_readers():
    text = BASE + 'weight = 0.9\n[[attribute]]\nname = "bmi"\nlower = 0\nupper = 8\nlayers = 3\n' + QUALITY
    study = Study.from_toml_text(text)
    assert study.quality == Quality("precision", "sum", "0.25", {"age": "0.9"})
    assert study.quality.weight("bmi") == Decimal("0.5")
    assert Study.from_toml_text(study.to_toml_text()) == study
    assert study.for_readers({}).quality == study.quality
    assert str(study.quality) == "precision, sum, g/s factor 0.25, age weighs 0.9"
    assert study.changed(attributes=study.attributes[1:]).quality.weights == {}
    assert copy.deepcopy(study.quality) == study.quality
    assert not Quality(weights={"age": "0.9"}).usual
    assert Quality(weights={"age": "0.5"}) == Quality()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('model = "best"', "'quality.model' is 'best'"),
        ('model = "aecs"\naggregate = "sum"', "'aecs' is one number, which no aggregate changes"),
        ('model = "height"\ngs_factor = 0.5', "'height' knows no g/s factor"),
        ("gs_factor = 2", "The g/s factor is '2'; give a number from 0 to 1"),
        ("factor = 2", "'quality.factor' is not a setting that is known here"),
    ],
)
def test_a_quality_model_that_is_none_is_refused_where_it_is_read(settings, said):
    with pytest.raises(StudyError, match=re.escape(said)):
        Study.from_toml_text(BASE + "[quality]\n" + settings + "\n")


def test_weights_of_other_columns_or_sizes_are_refused():
    with pytest.raises(StudyError, match="A weight is given for 'town', which is no quasi-identifier"):
        Study([Attribute("age", 0, 8, 3)], 2, quality=Quality(weights={"town": 1}))
    with pytest.raises(StudyError, match="The weight of 'age' is '2'; give a number from 0 to 1"):
        Study.from_toml_text(BASE + "weight = 2\n")


def test_a_check_attacks_with_the_factor_of_the_study():
    study = Study([Attribute("age", 0, 16, 3)], 2, quality=Quality(gs_factor="0.5"))
    checked = check(pd.DataFrame({"age": [1, 2, 9, 10, 12, 13]}), study)
    assert checked.assessment is not None
    assert checked.assessment.release.gs_factor == Decimal("0.5")
