"""The attack on all classes together is run where a release is judged, by its command, and by the pages' one runner."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOORS = {"cra_engine/assess/attacked.py", "cra_engine/cli/attack.py", "cra_dashboard/session/attacks.py"}


def callers(name: str) -> set[str]:
    """The files of the program that call a function, or hand it on, by its name."""
    files = [
        path for room in ("cra_engine", "cra_dashboard", "pages", "lessons") for path in (ROOT / room).rglob("*.py")
    ]
    calling = set()
    for path in (*files, ROOT / "app.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        if name in names:
            calling.add(path.relative_to(ROOT).as_posix())
    return calling


def test_only_they_run_it():
    assert callers("tight_attack") == DOORS
