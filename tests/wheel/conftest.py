"""The wheel, built once and installed once into an empty environment away from the checkout."""

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chromium import browser, chromium
from install import ROOT, Served, asked, run

__all__ = ["browser", "chromium"]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the pinned build backend."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="session")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment with nothing but the dashboard in it, as people do it."""
    return programs_of(f"{wheel}[app]", tmp_path_factory.mktemp("installed") / "venv")


@pytest.fixture(scope="session")
def lean_programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same of the engine alone."""
    return programs_of(str(wheel), tmp_path_factory.mktemp("lean") / "venv")


def programs_of(wanted: str, folder: Path) -> Path:
    run(sys.executable, "-m", "venv", folder)
    # The versions alone: with hashes beside them, pip would want one of the wheel too.
    pins = re.findall(r"^[\w.-]+==[^\\\n]+", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(pins) + "\n", encoding="utf-8")
    run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "-c", constraints, wanted, cwd=folder)
    return folder / "bin"


# What somebody who starts the program in this folder would not expect to matter.
HOSTILE = """
[server]
address = "0.0.0.0"
allowedHosts = ["*"]
enableXsrfProtection = false
maxUploadSize = 5000
[browser]
gatherUsageStats = true
[client]
showErrorDetails = "full"
"""


@pytest.fixture(scope="session")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to start the programs from, with unsafe settings and modules of names that the program imports."""
    folder = tmp_path_factory.mktemp("trap")
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(HOSTILE, encoding="utf-8")
    for name in ("streamlit", "cra_dashboard", "cra_engine", "typer", "pages"):
        (folder / f"{name}.py").write_text("raise RuntimeError('the folder that it was started from was searched')\n")
    return folder


@pytest.fixture(scope="session")
def installed(programs: Path, trap: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The installed program, started from a folder full of traps."""
    command = [str(programs / "cra-explorer"), "--no-browser"]
    with asked(command, trap, tmp_path_factory.mktemp("home")) as served:
        yield served


@pytest.fixture(scope="session")
def made_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The dashboard of the checkout, started by the very command of ``make run``."""
    command = shlex.split(run("make", "--silent", "--dry-run", "run", cwd=ROOT).splitlines()[-1])
    command[0] = str(ROOT / command[0])
    with asked(command, ROOT, tmp_path_factory.mktemp("home")) as served:
        yield served
