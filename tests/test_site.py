"""The page of the Python interface on the site shows what a class has from its bases, and attributes as such."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


pytestmark = pytest.mark.site


@pytest.fixture(scope="module")
def page():
    return (ROOT / "build" / "site" / "python.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("MinimalRelease", ["published", "frame", "classes"]),
        ("Recoding", ["release", "frame", "warnings", "left_out"]),
        ("SafeRecoding", ["release", "frame", "warnings", "left_out"]),
        ("TightAttack", ["fixed_cells", "isolated", "expected_isolated"]),
        ("Composition", ["fixed_cells", "isolated", "expected_isolated"]),
        ("Attribute", ["leaves", "lower"]),
    ],
)
def test_a_class_shows_what_can_be_asked_of_it(page, name, members):
    body = page.split(f'id="cra_engine.{name}">', 1)[1]
    body = re.split(r'<dl class="py (?:class|function|exception|data)">', body, maxsplit=1)[0]
    for member in members:
        # what a dataclass lists under "Attributes" stands in a list of the class, all else for itself
        assert f'id="cra_engine.{name}.{member}"' in body or f"<strong>{member}</strong>" in body


def test_cached_properties_are_attributes_with_their_type(page):
    leaves = page.split('id="cra_engine.Attribute.leaves">', 1)[1].split("</dt>", 1)[0]
    assert "(" not in re.sub(r"<[^>]+>", "", leaves)
    assert ": int" in re.sub(r"<[^>]+>", "", leaves)
