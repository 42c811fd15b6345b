"""Public docstrings teach: each public function shows a worked example, and every example in the engine holds."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import cra_engine

MODULES = ["cra_engine"] + [
    found.name
    for found in pkgutil.walk_packages(cra_engine.__path__, "cra_engine.")
    if not found.name.endswith("__main__")
]
FUNCTIONS = [name for name in cra_engine.__all__ if inspect.isfunction(getattr(cra_engine, name))]


def test_there_are_public_functions():
    assert {"attack", "audit", "recode", "single_out", "tight_attack", "compare"} <= set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_shows_an_example(name):
    assert ">>>" in (inspect.getdoc(getattr(cra_engine, name)) or "")


@pytest.mark.parametrize("name", cra_engine.__all__)
def test_a_public_name_says_what_it_is(name):
    found = getattr(cra_engine, name)
    assert not (inspect.isclass(found) or inspect.isfunction(found)) or inspect.getdoc(found)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_hold(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert not result.failed
