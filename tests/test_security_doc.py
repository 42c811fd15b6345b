"""docs/security.md: every promise names the test that holds it, and that test exists."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def promises(text):
    """The rows of the tables: the guarantee and the tests that it names."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [
        (row[0].strip(), re.findall(r"`([^`]+)`", row[-1]))
        for row in rows
        if not set("".join(row)) <= set("- ") and row[0].strip() != "guarantee"
    ]


def functions_in(path):
    """The names of the test functions of a file that pytest would collect."""
    if not path.is_file() or not path.name.startswith("test_") or path.suffix != ".py":
        return set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def missing(text):
    """What is named as a test and is none, and guarantees without a test."""
    wrong = []
    for guarantee, named in promises(text):
        if not named:
            wrong.append(guarantee)
        for name in named:
            path, _, function = name.partition("::")
            if path.split("/")[0] != "tests" or function not in functions_in(ROOT / path):
                wrong.append(name)
    return wrong


def test_every_promise_names_tests_that_exist():
    assert promises(TEXT)
    assert missing(TEXT) == []


@pytest.mark.parametrize(
    "row",
    [
        "| a promise | |",
        "| a promise | none yet |",
        "| a promise | `tests/test_security_doc.py` |",
        "| a promise | `tests/test_security_doc.py::test_that_is_not_there` |",
        "| a promise | `tests/test_nowhere.py::test_every_promise_names_tests_that_exist` |",
        "| a promise | `tests/test_security_doc.py::missing` |",
        "| a promise | `tests/test_security_doc.py::test_every_promise_names_tests_that_exist`, `tests/truth.py::t` |",
    ],
)
def test_a_promise_without_its_test_is_found(row):
    assert len(missing(f"| guarantee | test |\n|---|---|\n{row}\n")) == 1
