"""Roles of columns: in the study, in its file, and in what is published."""

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine import Attribute, DataError, Roles, Study, StudyError, global_recode, recode
from cra_engine.publish.check import ReleaseCheckError, check_release

AGE = Attribute("age", 0, 80, layers=3)
TABLE = pd.DataFrame(
    {
        "name": ["Ada", "Bob", "Cid", "Dot"],
        "age": [21, 22, 61, 62],
        "illness": ["flu", "gout", "flu", "gout"],
        "ward": ["A", "A", "B", "B"],
    }
)
ROLES = Roles(remove=["name"], sensitive=["illness"], keep=["ward"])
NAMES = st.lists(st.text(min_size=1, max_size=5).filter(lambda name: name != "age"), unique=True, max_size=6)


@given(NAMES, st.lists(st.sampled_from(["remove", "sensitive", "keep"]), min_size=6, max_size=6))
def test_a_study_file_keeps_them(names, kinds):
    lists = {"remove": [], "sensitive": [], "keep": []}
    for name, kind in zip(names, kinds, strict=False):
        lists[kind].append(name)
    study = Study(
        [AGE],
        2,
        roles=Roles(**lists, as_values=[name for name in names[:2] if name.strip()], only_here=lists["sensitive"][:1]),
    )
    assert Study.from_toml_text(study.to_toml_text()) == study
    for name, kind in zip(names, kinds, strict=False):
        assert study.roles.of(name) == {"remove": "removed", "sensitive": "sensitive", "keep": "kept"}[kind]
    assert study.with_k(3).roles == study.roles


def test_a_study_without_roles_writes_none():
    assert "roles" not in Study([AGE], 2).to_toml_text()


def test_a_role_is_given_and_taken():
    moved = replace(ROLES, as_values=["unknown"]).given("name", "kept").given("ward", "undecided")
    assert moved.as_values == ("unknown",)
    assert (moved.remove, moved.sensitive, moved.keep) == ((), ("illness",), ("name",))
    assert moved.of("ward") == "undecided"


def test_a_column_is_only_here_as_long_as_it_is_sensitive():
    own = replace(ROLES, only_here=["illness"])
    assert own.given("ward", "removed").only_here == ("illness",)
    assert own.given("illness", "kept").only_here == own.without(["illness"]).only_here == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('remove = ["a"]\nkeep = ["a"]', "'a' stands under roles.remove and roles.keep"),
        ('remove = ["a", "a"]', "'a' stands under roles.remove twice"),
        ('remove = "a"', "'roles.remove' is 'a'"),
        ("remove = [3]", "'roles.remove.1' is 3"),
        ('keep = [""]', "roles.keep names ''"),
        ('as_values = "unknown"', "'roles.as_values' is 'unknown'"),
        ('as_values = [" "]', "roles.as_values is [' ']; give a list of texts"),
        ('only_here = ["a"]', "roles.only_here is ['a']; give a list of columns that are under roles.sensitive"),
        ('keep = ["a"]\nonly_here = ["a"]', "roles.only_here is ['a']; give a list of columns"),
        ('hide = ["a"]', "'roles.hide' is not a setting"),
        ('sensitive = ["age"]', "'age' is a quasi-identifier, and under roles it is sensitive"),
    ],
)
def test_what_is_wrong_is_one_sentence(text, sentence):
    with pytest.raises(StudyError) as caught:
        Study.from_toml_text(f"{Study([AGE], 2).to_toml_text()}\n[roles]\n{text}\n")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("publish", [recode, global_recode])
def test_removed_columns_are_in_no_release(publish):
    study = Study([AGE], 2, roles=ROLES)
    frame = publish(TABLE, study).frame
    assert list(frame.columns) == ["age", "illness", "ward"]
    # What is published else is the same as without.
    plain = publish(TABLE.drop(columns="name"), Study([AGE], 2)).frame
    pd.testing.assert_frame_equal(frame, plain)


@pytest.mark.parametrize("publish", [recode, global_recode])
def test_a_role_of_no_column_is_refused(publish):
    with pytest.raises(DataError, match="roles name 'nmae', which the table does not have; it has: 'name'"):
        publish(TABLE, Study([AGE], 2, roles=Roles(remove=["nmae"])))


def test_the_last_check_sees_a_column_that_should_be_gone():
    study = Study([AGE], 2, roles=ROLES)
    check_release(TABLE, study, recode(TABLE, study).frame)
    with pytest.raises(ReleaseCheckError, match="its columns are not those"):
        check_release(TABLE, study, recode(TABLE, Study([AGE], 2)).frame)
