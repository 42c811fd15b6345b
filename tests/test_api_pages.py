"""The pages of the Python interface show what one needs: inherited attributes, and attributes as attributes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("api")
    subprocess.run([sys.executable, ROOT / "tools" / "api_pages.py", folder], check=True, cwd=ROOT)
    return (folder / "cra_engine.html").read_text()


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("ClassAttack", ["segment", "size", "title", "free_cells"]),
        ("Recoding", ["release", "frame", "warnings", "left_out"]),
        ("SafeRecoding", ["release", "frame", "warnings", "left_out"]),
        ("TightAttack", ["fixed_cells", "isolated", "expected_isolated"]),
        ("Composition", ["fixed_cells", "isolated", "expected_isolated"]),
        ("Attribute", ["leaves", "lower"]),
    ],
)
def test_a_class_shows_what_can_be_asked_of_it(page, name, members):
    for member in members:
        assert f'<div id="{name}.{member}" class="classattr">' in page


def test_cached_properties_are_attributes_with_their_type(page):
    (leaves,) = re.findall(r'<div id="Attribute\.leaves".*?<a class="headerlink"', page, re.DOTALL)
    assert '<div class="attr variable">' in leaves
    assert re.search(r"leaves\s*:\s*int", re.sub(r"<[^>]+>", "", leaves))
