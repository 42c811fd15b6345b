"""Listing assignments: complete only when everything is listed, and never called so when it is not."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model

from cra_engine.attacks.refinement.attack import attack
from cra_engine.counting.enumeration import build_model, enumerate_assignments
from cra_engine.publish.local.recoding import recode
from cra_engine.release import Release
from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study
from strategies import cases

# Three records on a row of four cells, two children of two cells, at most 2 in a child: (1,2) and (2,1).
ROW = [(0,), (1,), (2,), (3,)]
CHILDREN = [[[0, 1], [2, 3]]]
TWELVE = {
    *[(1, 0, 2, 0), (1, 0, 1, 1), (1, 0, 0, 2), (0, 1, 2, 0), (0, 1, 1, 1), (0, 1, 0, 2)],
    *[(2, 0, 1, 0), (1, 1, 1, 0), (0, 2, 1, 0), (2, 0, 0, 1), (1, 1, 0, 1), (0, 2, 0, 1)],
}


def listed(limit=1000, time_limit=60.0, combinations=12, cap=2):
    return enumerate_assignments(ROW, 3, CHILDREN, cap, combinations, limit=limit, time_limit=time_limit)


def test_all_of_a_small_class():
    found = listed()
    assert set(found.assignments) == TWELVE
    assert len(found.assignments) == 12  # none twice
    assert found.complete
    assert (found.cells, found.combinations) == (ROW, 12)


@pytest.mark.parametrize("limit", [1, 5, 11, 12, 13])
def test_a_limit_cuts_the_list_and_says_so(limit):
    found = listed(limit)
    assert len(found.assignments) == min(limit, 12)
    assert set(found.assignments) <= TWELVE
    assert len(set(found.assignments)) == len(found.assignments)
    assert found.complete == (limit >= 12)
    assert found.combinations == 12  # whatever was listed


def test_no_time_is_no_complete_list():
    found = listed(time_limit=0.0)
    assert not found.complete
    assert len(found.assignments) < 12


def test_limit_zero_lists_nothing():
    found = listed(limit=0)
    assert (found.assignments, found.complete) == ([], False)


def test_nothing_feasible_is_complete_and_empty():
    # At most one in each of two children cannot hold three.
    found = listed(cap=1, combinations=0)
    assert (found.assignments, found.complete) == ([], True)


def test_the_model_word_for_word():
    model, variables = build_model(4, 3, CHILDREN, 2)
    solver = cp_model.CpSolver()
    assert len(variables) == 4
    assert solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    counts = [solver.value(variable) for variable in variables]
    assert tuple(counts) in TWELVE
    model.add(variables[0] + variables[1] == 3)
    assert solver.solve(model) == cp_model.INFEASIBLE


def test_a_class_too_large_to_list_is_counted_all_the_same():
    # 256 cells and twelve records: more assignments than anybody lists, of which ten are shown.
    study = Study([Attribute(name, 0, 12, 3) for name in "abcd"], 7)
    release = Release(study, pd.DataFrame([["*"] * 4] * 12, columns=list("abcd")))
    found = attack(release).suppressed.assignments(limit=10)
    assert len(found.assignments) == 10
    assert not found.complete
    assert found.combinations > 10**17


@settings(max_examples=40)
@given(cases(), st.integers(1, 40))
def test_every_listed_assignment_is_feasible(case, limit):
    for part in attack(recode(case.data, case.study).release).parts:
        found = part.assignments(limit=limit)
        assert len(found.assignments) == min(limit, part.combinations)
        assert found.complete == (part.combinations <= limit)
        assert len(set(found.assignments)) == len(found.assignments)
        assert all(part.feasible(counts) for counts in found.assignments)
