"""Pages and the dashboard take names of the engine from its top where they are there, else from where they are made."""

import ast
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import cra_engine

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
DASHBOARD = sorted((ROOT / "cra_dashboard").rglob("*.py"))
# The package and those of its rooms that list public names: what one of them lists is taken from it.
ROOMS = [f"cra_engine.{room.name}" for room in pkgutil.iter_modules(cra_engine.__path__) if room.ispkg]
LISTED = ["cra_engine", *(room for room in ROOMS if hasattr(import_module(room), "__all__"))]
PUBLIC = {module: frozenset(import_module(module).__all__) for module in LISTED}


def engine_imports(path: Path) -> list[tuple[str, str]]:
    """Module and name of everything that a file takes of the engine."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [(node.module, alias.name) for alias in node.names]
    return [(module, name) for module, name in found if module.split(".")[0] == "cra_engine"]


def better_place(module: str, name: str) -> str | None:
    """The module to take a name of the engine from instead, if there is one."""
    held = getattr(import_module(module), name, None)
    for public, names in PUBLIC.items():
        if name in names and getattr(import_module(public), name) is held:
            return None if public == module else public
    made = getattr(held, "__module__", module)
    return None if made == module or not made.startswith("cra_engine") else made


def test_the_checks_see_what_they_are_to_see(tmp_path: Path) -> None:
    script = tmp_path / "page.py"
    script.write_text("def late():\n    from cra_engine.study.grid import Cell, Grid\nimport cra_engine.raw.cells\n")
    assert engine_imports(script) == [
        ("cra_engine.raw.cells", ""),
        ("cra_engine.study.grid", "Cell"),
        ("cra_engine.study.grid", "Grid"),
    ]
    assert better_place("cra_engine.publish.local.recoding", "recode") == "cra_engine"
    assert better_place("cra_engine.study.lattice", "Lattice") is None
    # A module that has it from elsewhere is no better a place.
    assert better_place("cra_engine.experiments.run", "recode") == "cra_engine"
    assert better_place("cra_engine.study.lattice", "Hierarchy") == "cra_engine.study.hierarchy"


@pytest.mark.parametrize("module", [*PAGES, *DASHBOARD], ids=lambda path: str(path.relative_to(ROOT)))
def test_names_are_taken_from_where_they_are_public(module: Path) -> None:
    taken = engine_imports(module)
    assert [place for place in taken if place[1].startswith("_")] == []
    assert [place for place in taken if better_place(*place) is not None] == []


@pytest.mark.parametrize("module", LISTED)
def test_every_public_name_is_there(module: str) -> None:
    names = import_module(module).__all__
    assert [name for name in names if not hasattr(import_module(module), name)] == []
    assert len(set(names)) == len(names)
