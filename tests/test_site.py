"""The site that was built: what its first page leads to, and what the page of the Python interface shows."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


pytestmark = pytest.mark.site


def built(name):
    return (ROOT / "build" / "site" / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page():
    return built("python.html")


def test_a_stranger_finds_how_to_audit_a_release_on_the_first_page():
    article = re.search(r"<article.*?</article>", built("index.html"), re.DOTALL)[0]
    assert re.search(r'href="audit\.html"[^>]*>(<[^>]+>)*Audit', article)
    assert "cra-engine audit release.csv --output report.html" in re.sub(r"<[^>]+>", "", built("audit.html"))


@pytest.mark.parametrize("name", ["index.html", "audit.html", "worked-case.html"])
def test_every_page_leads_to_the_playground_which_is_there(name):
    assert 'href="playground.html"' in built(name)
    assert 'need("file.js").open(' in built("playground.html")


def test_the_worked_case_brings_its_files():
    found = re.findall(r'href="(_downloads/[^"]+)"', built("worked-case.html"))
    assert {Path(path).name for path in found} == {path.name for path in (ROOT / "docs" / "worked-case").iterdir()}
    assert all((ROOT / "build" / "site" / path).is_file() for path in found)


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
