"""Pages and the dashboard take what is public of the engine from where it is public."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
DASHBOARD = sorted((ROOT / "cra_dashboard").rglob("*.py"))
# A module whose public names are listed in a stub, and one that is public as it stands.
LISTED, OPEN = ("cra_engine", "cra_engine.checks", "cra_engine.what_ifs"), ("cra_engine.words",)
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


def is_public(module: str, name: str) -> bool:
    return module in OPEN or name in PUBLIC.get(module, ())


def where_public(module: str, name: str) -> list[str]:
    """The modules that show to everybody what another one holds under a name."""
    held = getattr(import_module(module), name, None)
    return [
        public for public, names in PUBLIC.items() if name in names and getattr(import_module(public), name) is held
    ]


def test_the_checks_see_what_they_are_to_see(tmp_path: Path) -> None:
    script = tmp_path / "page.py"
    script.write_text("def late():\n    from cra_engine.study.grid import Cell, Grid\nimport cra_engine.raw.cells\n")
    assert engine_imports(script) == [
        ("cra_engine.raw.cells", ""),
        ("cra_engine.study.grid", "Cell"),
        ("cra_engine.study.grid", "Grid"),
    ]
    assert where_public("cra_engine.study.grid", "Grid") == ["cra_engine"]
    assert where_public("cra_engine.patience", "stoppable") == []
    # A module that has it from elsewhere is no better a place.
    assert where_public("cra_engine.experiments.run", "recode") == ["cra_engine"]
    assert where_public("cra_engine.what_ifs.words", "comparison") == ["cra_engine.what_ifs"]
    assert not is_public("cra_engine.study.grid", "Grid")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_pages_take_public_names_only(page: Path) -> None:
    assert [found for found in engine_imports(page) if not is_public(*found)] == []


@pytest.mark.parametrize("module", DASHBOARD, ids=lambda path: str(path.relative_to(ROOT / "cra_dashboard")))
def test_what_is_public_is_not_taken_from_where_it_is_made(module: Path) -> None:
    deep = [found for found in engine_imports(module) if not is_public(*found)]
    assert [found for found in deep if where_public(*found)] == []


@pytest.mark.parametrize("module", LISTED)
def test_every_public_name_is_there(module: str) -> None:
    names = import_module(module).__all__
    assert [name for name in names if not hasattr(import_module(module), name)] == []
    assert len(set(names)) == len(names)
