"""Files with settings that are allowed and that no field was made for: every page shows them, or says a sentence."""

from pathlib import Path

import pytest
from visitor import DATA, ROOT

from cra_engine import Rule, Study, recode, synthesize
from cra_engine.checks.project import Project
from shares import first

TOY = synthesize("toy", seed=1)
TEXT = (ROOT / "sample_data" / "toy.toml").read_text(encoding="utf-8")
PAGES = [f"pages/{path.name}" for path in sorted(Path(ROOT, "pages").glob("*.py"))]
PROJECT = "Open a project (TOML)"
NO_K = '[[privacy]]\nmodel = "l-diversity"\nattribute = "illness"\nl = 2\n'
ODD = {
    "a k of no table": TEXT.replace("k = 3", f"k = {10**15}"),
    "no k": TEXT.replace("k = 3", "k = 1") + NO_K,
    "a large share": TEXT.replace('profile = "paper"', "profile = 0.99999999"),
    "a k beyond the fields": TEXT.replace("k = 3", "k = 2000000"),
    "a tiny share": TEXT.replace('profile = "paper"', "profile = 1e-9"),
}
RULES = (Rule(k=10**15, l=10**15), Rule(k=1, l=1, t=0, highest_risk=1), Rule(k=2_000_000, l=1001, t=1))


@pytest.fixture
def toy(session):
    return session.open(DATA).press("data-toy")


@pytest.mark.parametrize("text", first(2, ODD.values()), ids=ODD)
def test_every_page_holds_an_odd_study(toy, text):
    """A project takes a study that the page Hierarchies would refuse for this table."""
    odd = Study.from_toml_text(text)
    toy.open("pages/check.py")
    toy.upload("p.toml", Project("t", toy.dataset.digest, odd, RULES[0]).to_toml_text().encode(), PROJECT)
    assert toy.study == odd, toy.says("error")
    for page in PAGES:
        toy.open(page)


@pytest.mark.parametrize("rule", RULES)
def test_the_check_holds_an_odd_rule(toy, rule):
    toy.open("pages/check.py")
    toy.upload("p.toml", Project("t", "00", toy.study, rule).to_toml_text().encode(), PROJECT)
    toy.run()
    assert "a table with other content" in toy.says("warning")
    for page in ("pages/compare.py", "pages/check.py"):
        toy.open(page)


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_a_release_comes_with_an_odd_study(toy, text):
    release = recode(TOY.data, TOY.study).release.to_csv_text().encode()
    toy.open("pages/audit.py").upload("old.csv", release, "ZIP of a release, or its table (CSV) with its study")
    toy.upload("old.toml", text.encode(), "ZIP of a release, or its table (CSV) with its study")
    assert toy.at.get("number_input"), toy.says("error")
    toy.open("pages/together.py").upload_all(
        {"old.csv": release, "old.toml": text.encode()},
        "ZIP of each release, or tables (CSV) with their studies (TOML)",
    )
    toy.run()
