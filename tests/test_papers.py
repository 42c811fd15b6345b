"""The page that lists the five papers, against what they number and against what the program has."""

import importlib
import re
from pathlib import Path

import pytest
import typer

from cra_dashboard.panels import menu
from cra_dashboard.texts import papers
from cra_engine.cli.commands import app

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands
STATES = {"built", "reproduced", "other data", "not"}


def numbered(kind, *numbers):
    return {f"{kind} {number}" for number in numbers}


# What the papers number, copied from them by hand; and what they propose or name without a number.
PAPERS = {
    "000": numbered("Definition", "2.1", "4.1", "4.2")
    | numbered("Equation", 1, 2, 3)
    | numbered("Inference", 1, 2, 3)
    | numbered("Algorithm", 1, 2, 3, 4)
    | numbered("Table", *range(1, 8))
    | numbered("Figure", *range(1, 7))
    | numbered("Section", "5, domains", "5.2, overlap", "6", "7, other recoders"),
    "001": numbered("Definition", *range(1, 7))
    | numbered("Problem", 1, 2, 3)
    | numbered("Lemma", 1, 2)
    | numbered("Theorem", *range(1, 8))
    | numbered("Corollary", 1)
    | numbered("Algorithm", 1, 2, 3)
    | numbered("Table", *range(1, 11))
    | numbered("Figure", *range(1, 12))
    | numbered("Section", "5, BuReL", "7, several sensitive attributes"),
    "002": numbered("Algorithm", "Flash2P") | numbered("Table", *range(1, 12)) | numbered("Figure", *range(1, 8)),
    "003": numbered("Equation", 1, 2)
    | numbered("Algorithm", "MDAV", "Mondrian")
    | numbered("Table", 1, 2)
    | numbered("Figure", *range(1, 6))
    | numbered("Proposal", 1, 2, 3, 4),
    "004": numbered("Definition", "3.1", "3.2", "3.3", "4.1", "5.1", "5.2", "A.1")
    | numbered("Observation", "4.1")
    | numbered("Theorem", "4.2", "4.3", "5.1", "5.2")
    | numbered("Claim", "B.1", "B.3", "B.4")
    | numbered("Example", "B.2")
    | numbered("Algorithm", 1, 2)
    | numbered("Table", 1)
    | numbered("Figure", *range(1, 6))
    | numbered("Section", "6.2", "6.3", "7"),
}


def rows(paper):
    (body,) = re.findall(rf"^## {paper}: .*?(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    cells = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in body.splitlines() if line[:1] == "|"]
    return cells[2:]


EVERY = [(paper, *row) for paper in PAPERS for row in rows(paper)]


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_numbered_is_missing_and_nothing_stands_twice(paper):
    items = [item for item, *_ in rows(paper)]
    assert set(items) == PAPERS[paper]
    assert len(items) == len(set(items))


@pytest.mark.parametrize("row", EVERY, ids=lambda row: " ".join(row[:2]))
def test_a_row_says_what_is_there(row):
    _, _, what, state, where = row
    assert what
    assert state in STATES
    named = re.findall(r"`([^`]+)`", where)
    assert state == "not" or named or "](" in where
    for name in named:
        check(name)


def check(name):
    """A command with its options, a script, a function or class, a test, or a file."""
    if name.startswith("cra-engine "):
        command, *rest = name.split()[1:]
        known = {option for parameter in COMMANDS[command].params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= known, name
        for word in rest:
            assert not word.endswith(".toml") or (ROOT / word).is_file(), name
    elif name.startswith("cra_engine."):
        module, _, last = name.rpartition(".")
        assert hasattr(importlib.import_module(module), last), name
    elif name.startswith("python "):
        assert (ROOT / name.split()[1]).is_file(), name
    else:
        path, _, test = name.partition("::")
        assert (ROOT / path).is_file(), name
        assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8"), name


@pytest.mark.parametrize(
    "name",
    [
        "cra-engine gone",
        "cra-engine recode --gone",
        "cra-engine experiment plans/gone.toml",
        "cra_engine.release.gone",
        "python benchmarks/gone.py",
        "tests/gone.py",
        "tests/test_papers.py::test_gone",
    ],
)
def test_what_is_gone_is_noticed(name):
    with pytest.raises((AssertionError, KeyError)):
        check(name)


def test_the_dashboard_names_the_papers_that_the_page_lists():
    plain = " ".join(PAGE.replace("*", "").split())
    assert len(papers.PAPERS) == len(PAPERS)
    for paper in papers.PAPERS:
        authors, title, _ = paper.split("*")
        assert authors.strip() in plain
        assert title.split(": Combinatorial")[0] in plain
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert papers.ATTACK.split("*")[1] in " ".join(cited.split())
    assert papers.ATTACK.endswith(", 2025")
    assert "year: 2025" in cited


def test_every_other_method_says_from_which_paper_it_is():
    assert set(papers.OF_PAGE) == set(menu.MORE)
    assert set(papers.METHODS) == {*menu.MORE} - {"experiments"}
    assert all(paper in papers.ABOUT for paper in papers.PAPERS)
    assert "http" not in papers.ABOUT
