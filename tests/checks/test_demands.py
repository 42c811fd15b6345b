"""Every finding has a few words for what it says is not so."""

import ast
from pathlib import Path

import cra_engine
from cra_engine.checks.demands import DEMANDS
from cra_engine.checks.findings import NO_NAMES

NOT_OF_THE_RULE = {"instead"}  # advice, never in the way


def codes_in(source: str) -> set[str]:
    """The codes that a module gives to findings: constants of the second argument, or the name of one."""
    found = set()
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Finding" and len(call.args) > 1:
            for part in ast.walk(call.args[1]):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    found.add(part.value)
                elif getattr(part, "id", "") == "NO_NAMES":
                    found.add(NO_NAMES)
    return found


def test_every_code_that_the_engine_gives_is_said_in_words_and_no_other():
    """A code without words would end a verdict in an error; words without a code would be dead."""
    sources = Path(cra_engine.__file__).parent.rglob("*.py")
    given = set().union(*(codes_in(path.read_text(encoding="utf-8")) for path in sources))
    assert {"certain", "attack-out-of-time"} <= given
    assert given - NOT_OF_THE_RULE == set(DEMANDS)
