"""Every public result stays as it was made: no attribute of it can be set, whoever holds it."""

import dataclasses
import json

import pandas as pd
import pytest

import cra_engine
from cra_engine import (
    Attribute,
    Study,
    attack,
    audit,
    check,
    compose,
    compound_predicates,
    downcode,
    effective_anonymity,
    global_recode,
    heterogeneous,
    microaggregate,
    minimal_release,
    recode,
    repair,
    safe_recode,
    sensitive_cells,
    single_out,
    synthesize,
    tight_attack,
    who_has_what,
)
from cra_engine.experiments.downcoding import simulate_clusters, simulate_ladder
from cra_engine.results import Result

TOY = synthesize("toy")
ILL = TOY.data.assign(illness=[("flu", "gout", "cold")[row % 3] for row in range(len(TOY.data))])
STEPS = Study(
    [Attribute.from_hierarchy(name, [("0", "0-1", "*"), ("1", "0-1", "*"), ("2", "2", "*")]) for name in "ab"], 2
)
DOWNCODED = downcode(pd.DataFrame({"a": ["*", "*"], "b": ["0-1", "0-1"]}), STEPS)


def release():
    return recode(TOY.data, TOY.study).release


RESULTS = {
    "recode": lambda: recode(TOY.data, TOY.study),
    "safe_recode": lambda: safe_recode(TOY.data, TOY.study, epsilon=1, seed=1),
    "global_recode": lambda: global_recode(TOY.data, TOY.study, suppression_limit=0.2),
    "microaggregate": lambda: microaggregate(TOY.data, 4),
    "heterogeneous": lambda: heterogeneous(ILL, TOY.study.names, "illness", l=2, seed=1),
    "minimal_release": lambda: minimal_release(TOY.data, TOY.study, seed=1),
    "repair": lambda: repair(release()),
    "release": release,
    "attack": lambda: attack(release()),
    "tight_attack": lambda: tight_attack(release()),
    "compose": lambda: compose([release(), recode(TOY.data, TOY.study.with_k(7)).release]),
    "downcode": lambda: DOWNCODED,
    "compound_predicates": lambda: compound_predicates(DOWNCODED),
    "single_out": lambda: single_out(attack(release())),
    "single_out with data": lambda: single_out(attack(release()), TOY.data),
    "who_has_what": lambda: who_has_what(attack(recode(ILL, TOY.study).release), ["illness"], time_limit=1),
    "check": lambda: check(TOY.data, TOY.study),
    "audit": lambda: audit(release().table, TOY.study),
    "sensitive_cells": lambda: sensitive_cells(microaggregate(TOY.data, 4).clusters, TOY.data),
    "effective_anonymity": lambda: effective_anonymity(TOY.data, TOY.study.names),
    "simulated clusters": lambda: simulate_clusters(runs=1, seed=1),
    "simulated ladder": lambda: simulate_ladder(runs=1, seed=1),
}


@pytest.mark.parametrize("name", RESULTS)
def test_no_attribute_of_a_result_can_be_set(name):
    result = RESULTS[name]()
    told = dataclasses.fields(result) if dataclasses.is_dataclass(result) else ()
    names = [field.name for field in told] or [own for own in vars(result) if not own.startswith("_")]
    assert names
    for attribute in names:
        before = getattr(result, attribute)
        with pytest.raises(AttributeError):
            setattr(result, attribute, None)
        assert getattr(result, attribute) is before


def test_each_public_class_of_results_is_tried():
    tried = {type(make()).__name__ for make in RESULTS.values()}
    named = {name for name in dir(cra_engine) if isinstance(getattr(cra_engine, name), type)}
    given = {
        "Attribute",
        "Study",
        "Roles",
        "LDiversity",
        "TCloseness",
        "DPresence",
        "Population",
        "Dominance",
        "PRule",
        "RepairTargets",
        "Rule",
        "Option",
        "OptionGrid",
        "Way",
    }
    wholes = {"Comparison"}  # made in its own tests, since it takes a while
    failures = {name for name in named if issubclass(getattr(cra_engine, name), Exception)}
    assert named - tried - given - wholes - failures == set()


# What a check and an audit print names their files and day too, and is written by their reports.
@pytest.mark.parametrize("name", sorted(set(RESULTS) - {"check", "audit"}))
def test_a_result_shows_itself_in_a_line_a_table_and_plain_data(name):
    result = RESULTS[name]()
    assert isinstance(result, Result)
    assert repr(result).startswith(type(result).__name__ + "(")
    assert len(repr(result)) < 200
    assert "<table" in result._repr_html_()
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))
