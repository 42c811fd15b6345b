"""Whoever calls a public function with a thing of the wrong kind reads a sentence, never a failure of the inside."""

import inspect
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import cra_engine
from cra_engine import (
    Attribute,
    CRAError,
    DataError,
    Dominance,
    Release,
    Study,
    attack,
    audit,
    check,
    compare,
    compose,
    microaggregate,
    read_release,
    recode,
    safe_recode,
    single_out,
    synthesize,
    tight_attack,
)
from cra_engine.publish.full_domain.recoding import allowed

AGE = Attribute("age", 0, 120, layers=4)
STUDY = Study([AGE], k=3)
DATA = pd.DataFrame({"age": range(20, 50)})
RECODED = recode(DATA, STUDY)
RELEASE = RECODED.release
ATTACKED = attack(RELEASE)

PUBLIC = [name for name in cra_engine.__all__ if inspect.isfunction(getattr(cra_engine, name))]
# What the other parameters get, so that nothing but the first is wrong.
GIVEN = {
    "attribute": AGE,
    "beta": 1,
    "cell": (0,),
    "data": DATA,
    "exact": 3,
    "frame": RECODED.frame,
    "k": 3,
    "quasi_identifiers": ["age"],
    "release": RELEASE,
    "sensitive": "age",
    "study": STUDY,
    "by": ["age"],
    "l": 2,
}
WRONG = {
    "text": "release.csv",
    "a table": RECODED.frame,
    "a dict": {"age": [1, 2]},
    "None": None,
    "a number": 5,
    "a list": [[1], [2]],
    "an attack": ATTACKED,
    "a recoding": RECODED,
    "a release": RELEASE,
    "a study": STUDY,
}


def call(function, first):
    name, *others = inspect.signature(function).parameters.values()
    needed = {one.name: GIVEN[one.name] for one in others if one.default is one.empty}
    return function(first, **needed) if name.kind is not name.KEYWORD_ONLY else function(**{name.name: first})


@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_first_argument_is_refused_in_a_sentence(name, wrong):
    function, given = getattr(cra_engine, name), WRONG[wrong]
    try:
        call(function, given)
    except CRAError as error:
        assert str(error).endswith(".")  # noqa: PT017 - whether it fails depends on the function
        return
    # What goes through is what the signature promises.
    taken = str(next(iter(inspect.signature(function).parameters.values())).annotation)
    wider = {"int": "float", "list": "Sequence", "NoneType": "None"}.get(type(given).__name__, type(given).__name__)
    assert type(given).__name__ in taken or wider in taken, f"{name} took {wrong}"


@pytest.mark.parametrize("study", [None, "study.toml", DATA, RELEASE])
@pytest.mark.parametrize(
    "name", [name for name in PUBLIC if "study" in inspect.signature(getattr(cra_engine, name)).parameters]
)
def test_a_wrong_study_is_refused_in_a_sentence(name, study):
    if study is None and name in {"audit", "playground"}:  # which do without one
        return
    function = getattr(cra_engine, name)
    parameters = inspect.signature(function).parameters
    given = {one.name: GIVEN.get(one.name) for one in parameters.values() if one.default is one.empty}
    for first, good in (("source", b"age\n"), ("path", b"age\n"), ("release_table", RECODED.frame)):
        if first in given:
            given[first] = good
    if name == "downcode":
        given["release"] = RECODED.frame
    with pytest.raises(CRAError, match="needs a Study"):
        function(**given | {"study": study})


# What people do, and what the sentence tells them to do.
MISTAKES = [
    (lambda: attack(RECODED), "attack(release) needs a Release, and a Recoding was given; give its .release."),
    (lambda: tight_attack(RECODED), "give its .release."),
    (lambda: tight_attack(ATTACKED), "an Attack was given; give its .release."),
    (lambda: attack(RELEASE.table), "a DataFrame was given; a file is read with read_release(path, study)"),
    (lambda: attack("release.csv"), "read_release(path, study)"),
    (lambda: single_out(RELEASE), "attack first: attack(release)."),
    (lambda: compose(RELEASE), "needs a list, and a Release was given; write brackets around it."),
    (lambda: compose([RELEASE, RECODED]), "each of compose(releases) needs a Release"),
    (lambda: Study(AGE, k=5), "needs a list, and an Attribute was given; write brackets around it."),
    (lambda: Study(["age"], k=5), "needs an Attribute, and 'age' was given; make one with Attribute(name,"),
    (lambda: recode({"age": [1]}, STUDY), "a dict was given"),
    (lambda: recode([[1]], STUDY), "a list was given"),
    (lambda: recode("messy.csv", STUDY), "a file is read with read_table(path)."),
    (lambda: audit("release.csv"), "a file is read with read_table(path)."),
    (lambda: recode(DATA, "study.toml"), "read a file with Study.from_toml(path)."),
    (lambda: recode(STUDY, DATA), "recode(data) needs a pandas DataFrame, and a Study was given"),
    (lambda: Release(RELEASE.table, STUDY), "Release(study) needs a Study, and a DataFrame was given"),
    (lambda: check(DATA, STUDY, RELEASE), "check(release) needs a pandas DataFrame, and a Release was given"),
    (lambda: compare(DATA, STUDY, grid={"k": [3]}), "make one with OptionGrid("),
    (lambda: tight_attack(RELEASE, time_limit="5"), "The time limit is '5'; give a number of seconds"),
    (lambda: read_release(RELEASE.table, STUDY), "needs a file's path or its bytes, and a DataFrame was given"),
    (lambda: recode(DATA, STUDY, ties="sound"), "ties is 'sound'; take 'paper' or 'arx'."),
    (lambda: audit(RELEASE.table, qi="age"), "write brackets around it: ['age']."),
    (lambda: attack(RELEASE, prior=DATA), "prior is"),
    (lambda: tight_attack(RELEASE, population=DATA), "needs a Population"),
    (lambda: tight_attack(RELEASE).explain(0), "explain(cell) needs a tuple of 1 whole number, as in fixed_cells"),
    (lambda: tight_attack(RELEASE).explain((99,)), "There is no cell (99,)"),
    (lambda: tight_attack(RELEASE).explain((0, 0)), "explain(cell) needs a tuple of 1 whole number, as in fixed_cells"),
]


@pytest.mark.parametrize(("mistake", "advice"), MISTAKES)
def test_the_sentence_says_what_to_do(mistake, advice):
    with pytest.raises(CRAError) as refused:
        mistake()
    assert advice in str(refused.value)


@pytest.mark.parametrize("k", [np.int64(5), np.uint8(5), 5])
def test_whole_numbers_of_any_kind_are_a_k(k):
    study = Study([AGE], k=k)
    assert study == Study([AGE], k=5) == STUDY.with_k(k)
    assert type(study.k) is int
    assert allowed(30, None, k) == 5
    assert len(microaggregate(DATA, k).clusters) == 6
    assert len(synthesize("toy", records=k, seed=k).data) == 5
    assert Dominance(n=k, r=1).n == 5
    assert Attribute("age", 0, 64, layers=k, fanout=2).layers == 5
    assert safe_recode(DATA, STUDY, 1, seed=k).classes == safe_recode(DATA, STUDY, 1, seed=5).classes


@pytest.mark.parametrize(
    "k", [True, np.bool(True), 5.0, np.float64(5), 5.5, np.float64("nan"), float("inf"), "5", None, Decimal("5.5")]
)
def test_what_is_no_whole_number_is_no_k(k):
    with pytest.raises(CRAError, match="give a whole number of 2 or more"):
        Study([AGE], k=k)
    with pytest.raises(DataError, match="give a whole number from 0 on"):
        synthesize("toy", seed=k)


def test_a_study_file_takes_the_numbers_that_a_study_takes():
    text = 'k = {}\n[[attribute]]\nname = "age"\nlower = 0\nupper = 120\nlayers = {}\n'
    assert Study.from_toml_text(text.format(3, 4)) == STUDY
    for k, layers in (("3.0", "4"), ("3", "4.0"), ("3.5", "4")):
        with pytest.raises(CRAError, match="a whole number is needed, without a decimal point"):
            Study.from_toml_text(text.format(k, layers))
    with pytest.raises(CRAError, match="a whole number is needed, without a decimal point"):
        Attribute("age", 0, 120, layers=4.0)
