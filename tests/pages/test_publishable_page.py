"""Make it publishable, on the page Check: outcomes side by side, what has to stay, one archive."""

import io
import zipfile

import pytest
from visitor import DATA

from cra_dashboard.publishable import panel
from cra_engine import check, read_table
from cra_engine.checks.project import Project
from cra_engine.release import read_release_table

CHECK = "pages/check.py"
PEOPLE = "age;illness\n" + "".join(f"{20 + row * 7 % 60};{('flu', 'gout', 'cold')[row % 3]}\n" for row in range(60))


@pytest.fixture
def page(session, monkeypatch):
    monkeypatch.setattr(panel, "SECONDS", 60.0)
    session.open(DATA).fill("radio", "data-from", "Upload a CSV file").upload("people.csv", PEOPLE.encode())
    return session.open(CHECK)


def archive(page):
    taken = page.at.session_state["cra_publishable_taken"][1]
    return zipfile.ZipFile(io.BytesIO(taken.archive))


def test_one_of_the_outcomes_is_taken_and_its_archive_passes(page):
    page.press("publishable-start")
    kept = [line for line in page.says("markdown").splitlines() if "of the detail kept" in line]
    assert 1 <= len(kept) <= 3
    for word in ("grid", "cell", "finest", "log odds"):
        assert not any(word in line for line in kept)
    page.press("publishable-take-0")
    assert "**Ready.**" in page.says("success")
    packed = archive(page)
    assert set(packed.namelist()) == {
        "hand-out/release.csv",
        "hand-out/study/study.toml",
        "keep/verdict.html",
        "keep/settings.toml",
        "keep/repeat.sh",
    }
    settings = Project.from_toml_text(packed.read("keep/settings.toml").decode())
    release = read_release_table(packed.read("hand-out/release.csv"), "release.csv")
    assert check(read_table(PEOPLE.encode()), settings.study, release, rule=settings.rule).verdict == "ready"
    # What is taken belongs to what was searched for: other roles, another search.
    page.fill("multiselect", "publishable-pins", ["age"])
    assert "publishable-zip" not in [button.proto.id for button in page.at.get("download_button")]
    assert page.at.number_input(key="publishable-width-age").value == 0


def test_a_width_that_no_hierarchy_has_is_said_in_a_sentence(page):
    page.press("publishable-start").fill("multiselect", "publishable-pins", ["age"]).fill(
        "number_input", "publishable-width-age", 0.5
    )
    page.press("publishable-start")
    assert "finer ones" in page.says("error")


def test_where_nothing_passes_the_page_names_rule_and_column(session, monkeypatch):
    monkeypatch.setattr(panel, "SECONDS", 60.0)
    same = "age;illness\n" + "".join(f"{20 + row * 7 % 60};flu\n" for row in range(30))
    session.open(DATA).fill("radio", "data-from", "Upload a CSV file").upload("people.csv", same.encode())
    session.open(CHECK).press("publishable-start")
    assert "column illness" in session.says("error")
    assert "publishable-take-0" not in [button.key for button in session.at.button]
