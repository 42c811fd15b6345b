"""Borders that no single module can hold: what pages build on, what an attacker may reach, what leaves the machine.

Who may import whom is in test_rooms.py.
"""

import ast
import gc
import itertools
import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

import numpy as np
import pandas as pd
import pytest
import streamlit.config
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from contrast import contrast
from cra_engine import Attribute, Recoding, Study, attack, recode

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def imports(path: Path) -> set[str]:
    """The dotted names that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


# ---------------------------------------------------------------- what pages build on


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_pages_build_on_the_dashboard_and_not_on_each_other(script: Path) -> None:
    assert not {name for name in imports(script) if name.split(".")[0] in {"pages", "app"}}


# ---------------------------------------------------------------- the border of trust


def reachable(root: object) -> Iterator[object]:
    """Every object that can be reached from another by following references, code left out."""
    seen = {id(root)}
    todo = [root]
    while todo:
        current = todo.pop()
        yield current
        for referent in gc.get_referents(current):
            code = isinstance(referent, type | ModuleType | FunctionType | BuiltinFunctionType | MethodType)
            if not code and id(referent) not in seen:
                seen.add(id(referent))
                todo.append(referent)


@pytest.fixture(scope="module")
def published() -> tuple[pd.DataFrame, Recoding]:
    rng = random.Random(7)
    data = pd.DataFrame({name: [str(rng.randrange(64)) for _ in range(120)] for name in ("age", "weight")})
    study = Study([Attribute("age", 0, 64, 4), Attribute("weight", 0, 64, 4)], k=3)
    return data, recode(data, study)


@pytest.mark.parametrize("side", ["release", "attack"])
def test_no_raw_record_can_be_reached_from_the_attackers_side(
    published: tuple[pd.DataFrame, Recoding], side: str
) -> None:
    data, recoding = published
    root = recoding.release if side == "release" else attack(recoding.release)
    class_of_row = recoding.release.class_of_row
    # The case must be able to show a leak: some class holds records that differ.
    assert any(len(rows) > 1 for rows in data.groupby(class_of_row)["age"].unique())

    frames = 0
    for found in reachable(root):
        assert found is not data
        assert not isinstance(found, Recoding)
        if isinstance(found, pd.DataFrame):
            frames += 1
            labels = found[["age", "weight"]].astype(str).groupby(class_of_row)
            assert (labels.min() == labels.max()).all(axis=None)
        elif isinstance(found, np.ndarray) and len(data) in found.shape:
            # Whatever is kept per record must not tell the records of one class apart.
            per_record = np.moveaxis(found, found.shape.index(len(data)), 0).reshape(len(data), -1)
            assert all(len(np.unique(per_record[class_of_row == i], axis=0)) <= 1 for i in np.unique(class_of_row))
    assert frames


# ---------------------------------------------------------------- what leaves the machine


def test_streamlit_serves_this_machine_only_and_reports_nothing() -> None:
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["server"]["address"] == "127.0.0.1"
    assert set(CONFIG["server"]["allowedHosts"]) == {"127.0.0.1", "localhost"}
    assert CONFIG["server"]["enableCORS"] is True
    assert CONFIG["server"]["enableXsrfProtection"] is True
    assert CONFIG["server"]["headless"] is True
    assert CONFIG["client"]["showErrorDetails"] == "none"
    assert CONFIG["client"]["showErrorLinks"] is False


def options(section: dict[str, object], prefix: str = "") -> Iterator[str]:
    for name, value in section.items():
        if isinstance(value, dict):
            yield from options(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def test_streamlit_knows_every_option_of_the_config() -> None:
    # It only warns about a name that a later version dropped, and would then be unsafe again.
    assert not set(options(CONFIG)) - streamlit.config.get_config_options().keys()


def test_nothing_in_the_config_is_loaded_from_the_network() -> None:
    assert "://" not in (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")


def test_the_icon_in_the_browsers_tab_is_not_loaded_from_the_network() -> None:
    # Streamlit fetches a Material symbol for the tab from Google, and takes the page's where the app names none.
    calls = [
        node
        for node in ast.walk(ast.parse((ROOT / "app.py").read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.set_page_config"
    ]
    icons = [ast.unparse(k.value) for call in calls for k in call.keywords if k.arg == "page_icon"]
    assert len(icons) == 1
    assert "page_icon" in ast.unparse(calls[0])  # the first, before Streamlit hears of pages
    assert ":material/" not in icons[0]
    assert "://" not in icons[0]


# ---------------------------------------------------------------- the files


def own_files() -> list[Path]:
    """The project's text files; what tools and installations leave in the checkout is not its own."""
    folders = (
        "cra_engine",
        "cra_dashboard",
        "pages",
        "tests",
        "benchmarks",
        "docs",
        "sample_data",
        ".streamlit",
        ".ci",
    )
    candidates = [*ROOT.glob("*"), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    suffixes = {".py", ".md", ".toml", ".txt", ".csv", ".json", ".html", ""}
    return [path for path in candidates if path.is_file() and path.suffix in suffixes and path.name != ".git"]


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    # a path that starts with such a folder, not a web address that contains its name
    place = re.compile(r"(?<![\w.:/-])(/(home|Users|root|work|mnt|tmp)/\w|[A-Z]:\\Users)")
    found = {
        str(path.relative_to(ROOT)): match.group()
        for path in own_files()
        if (match := place.search(path.read_text(encoding="utf-8", errors="replace")))
    }
    assert not found


def test_every_dependency_is_pinned_inside_its_range() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split(" ")[0].split("==") for line in lines if "==" in line and line[0].isalnum())
    pinned = {canonicalize_name(name): version for name, version in pins.items()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for text in itertools.chain(project["dependencies"], *project["optional-dependencies"].values()):
        needed = Requirement(text)
        if needed.name != project["name"]:
            assert needed.specifier.contains(pinned[canonicalize_name(needed.name)]), text


def test_the_citation_names_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = re.findall(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited == [project["version"]]


# ---------------------------------------------------------------- colours


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_and_charts_stand_out_from_the_background(mode: str) -> None:
    theme = CONFIG["theme"] | CONFIG["theme"][mode]
    for background in (theme["backgroundColor"], theme["secondaryBackgroundColor"]):
        assert contrast(theme["textColor"], background) >= 4.5
        assert contrast(theme["linkColor"], background) >= 4.5
        assert contrast(theme["primaryColor"], background) >= 3
    assert contrast(theme["primaryColor"], "#FFFFFF") >= 4.5  # a button's label is white in both modes
    for colour in theme["chartCategoricalColors"]:
        assert contrast(colour, theme["backgroundColor"]) >= 3


def test_plotly_gets_as_many_colours_as_it_takes() -> None:
    # Streamlit fills a shorter list with undefined entries, upon which Plotly drops all of them.
    assert len(CONFIG["theme"]["chartCategoricalColors"]) == 10
    assert len(CONFIG["theme"]["chartSequentialColors"]) == 10
