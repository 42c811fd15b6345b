"""Who may import whom: the contracts of pyproject.toml see what they are for, and no module imports itself in the end.

`make check` holds the contracts; here forbidden imports are planted in a copy, and must be found.
"""

import ast
import graphlib
import shutil
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("cra_engine", "cra_dashboard")
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"

ATTACK = "an attack reaches neither the raw data nor a publisher, not even through others"
PUBLISHER = "a publisher reaches no attack"
PUBLIC = "only the command line uses the public names, which load a room when they are used and so hide it here"
PAGES = "the dashboard's rooms; those of single pages never import each other"


# ---------------------------------------------------------------- the contracts


@pytest.fixture
def copy(tmp_path):
    """A copy of both packages with their contracts."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def broken(folder):
    """What import-linter says of a copy: whether all is well, and its words on one line each."""
    done = subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "Contracts: " in done.stdout, done.stdout + done.stderr
    return done.returncode != 0, " ".join(done.stdout.split())


# The contract that an import breaks, with the imports that are planted, and the way that the message names.
PLANTED = {
    "an attack imports a publisher": (
        ATTACK,
        {"attacks/intervals.py": "from cra_engine.publish.local.recoding import recode"},
        "cra_engine.attacks.intervals -> cra_engine.publish.local.recoding",
    ),
    "an attack imports a publisher inside a function": (
        ATTACK,
        {"attacks/intervals.py": "def _hidden():\n    from cra_engine.publish.local import recoding"},
        "cra_engine.attacks.intervals -> cra_engine.publish.local.recoding",
    ),
    "an attack imports a publisher behind another module": (
        ATTACK,
        {
            "attacks/intervals.py": "import cra_engine.words",
            "words.py": "def _hidden():\n    from cra_engine.publish.local import recoding",
        },
        "cra_engine.words -> cra_engine.publish.local.recoding",
    ),
    "an attack imports the raw data behind two others": (
        ATTACK,
        {
            "attacks/intervals.py": "import cra_engine.words",
            "words.py": "import cra_engine.patience",
            "patience.py": "import cra_engine.raw.cells",
        },
        "cra_engine.patience -> cra_engine.raw.cells",
    ),
    "an attack imports a publisher through the public names": (
        PUBLIC,
        {"attacks/intervals.py": "from cra_engine import recode"},
        "cra_engine.attacks.intervals -> cra_engine ",
    ),
    "a publisher imports an attack": (
        PUBLISHER,
        {"publish/check.py": "import cra_engine.attacks.intervals"},
        "cra_engine.publish.check -> cra_engine.attacks.intervals",
    ),
    "one page's room imports another's": (
        PAGES,
        {"../cra_dashboard/together/state.py": "import cra_dashboard.audit.run"},
        "cra_dashboard.together.state -> cra_dashboard.audit.run",
    ),
}


@pytest.mark.parametrize("case", PLANTED)
def test_an_import_across_a_border_is_found(copy, case):
    contract, planted, way = PLANTED[case]
    for module, line in planted.items():
        with (copy / "cra_engine" / module).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    fails, said = broken(copy)
    assert fails
    assert f"{contract} BROKEN" in said
    assert way in said


def test_the_contracts_hold_and_every_room_has_its_place(copy):
    fails, said = broken(copy)
    assert not fails, said
    # A new room that no contract names is found too.
    for package in PACKAGES:
        (copy / package / "attic.py").write_text("")
    fails, said = broken(copy)
    assert fails
    assert "cra_engine.attic" in said
    assert "cra_dashboard.attic" in said


# ---------------------------------------------------------------- circles


def circle(graph):
    """Modules that import each other in a ring, the first one last again; none if there is no ring."""
    try:
        graphlib.TopologicalSorter({m: graph.find_modules_directly_imported_by(m) for m in graph.modules}).prepare()
    except graphlib.CycleError as found:
        return found.args[1]
    return []


def test_no_module_imports_itself_in_the_end():
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    assert len(graph.modules) > 100
    assert circle(graph) == []
    # Planted: from the bottom of the house to its top.
    graph.add_import(importer="cra_engine.errors", imported="cra_engine.attacks.intervals")
    assert {"cra_engine.errors", "cra_engine.attacks.intervals"} <= set(circle(graph))


# ---------------------------------------------------------------- what the contracts cannot see


def test_no_module_of_the_engine_imports_what_only_the_run_would_show():
    hidden = {"__import__", "import_module", "exec_module", "run_module", "run_path", "exec", "eval"}
    found = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in (ROOT / "cra_engine").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in hidden
    }
    assert not found


def test_the_engine_needs_no_dashboard_when_all_of_it_is_loaded():
    # Nor do the libraries that it loads.
    code = """
import importlib, pkgutil, sys
import cra_engine
names = [module.name for module in pkgutil.walk_packages(cra_engine.__path__, "cra_engine.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names), [name for name in ("streamlit", "plotly", "cra_dashboard") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    number, loaded = done.stdout.split(maxsplit=1)
    assert int(number) > 60
    assert loaded.strip() == "[]"
