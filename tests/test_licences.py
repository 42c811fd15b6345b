"""What the program needs to run: each package is listed, may be used under Apache-2.0, and is pinned."""

import re
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import licences  # noqa: E402

# Permissive ones; and two that reach no further than the package itself, which is installed beside this program.
PERMISSIVE = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-CMU",
    "PSF-2.0",
    "Zlib",
}
OF_THE_PACKAGE_ALONE = {"LGPL-3.0-or-later", "MPL-2.0"}


def listed():
    rows = re.findall(r"^\| ([\w.-]+) \| (.+) \|$", licences.LISTING.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(rows[1:])


def names(expression):
    return set(re.split(r"\s+(?:AND|OR|WITH)\s+|[()]", expression)) - {""}


@pytest.mark.parametrize(("name", "package"), licences.needed(*licences.PROJECT).items())
def test_each_package_is_listed_with_its_licence(name, package):
    assert listed()[name] == licences.licence(package), "run `make licences`"


@pytest.mark.parametrize(("name", "licence"), listed().items())
def test_each_licence_goes_together_with_ours(name, licence):
    assert names(licence) <= PERMISSIVE | OF_THE_PACKAGE_ALONE, name


def test_a_licence_that_would_bind_the_whole_program_is_found():
    assert not names("MIT AND GPL-3.0-only") <= PERMISSIVE | OF_THE_PACKAGE_ALONE
    assert not names("unknown") <= PERMISSIVE | OF_THE_PACKAGE_ALONE


def test_what_is_needed_is_followed_to_the_end():
    needed = licences.needed(*licences.PROJECT)
    assert {"numpy", "streamlit"} <= needed.keys()  # named by the project
    assert "starlette" in needed  # by Streamlit
    assert "pytest" not in needed  # only to work on it


@pytest.mark.parametrize("name", licences.needed("cra-explorer", ("dev",)))
def test_everything_that_is_installed_for_the_tests_is_pinned(name):
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [Requirement(line.removesuffix(" \\")) for line in lines if "==" in line and line[0].isalnum()]
    here = {canonicalize_name(pin.name): pin for pin in pinned if pin.marker is None or pin.marker.evaluate()}
    assert here[name].specifier.contains(version(name))
