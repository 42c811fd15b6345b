"""One word per thing in what people read: pages, lessons, reports and messages say none of its other names."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A name that is not said, and what is said in its place.
INSTEAD = {
    r"outliers?": "suppressed",
    r"isolat(e|es|ed|ing)": "single out, stand alone",
    r"squares?": "cell",
    r"frames?": "box; a lesson's dashed frame points at a part of the page",
    r"data ?sets?": "table",
    r"(data )?subjects?|individuals?|users?": "person",
    r"intruders?|hackers?": "attacker",
    r"generali[sz]ation levels?|levels?": "layer; a lattice has levels, and so has a file of ARX",
    r"de-?identified|pseudonymi[sz]ed": "published",
    r"iterations?": "step; ARX's desktop program asks for a number of iterations",
    r"gsFactor": "g/s factor; the Glossary says what ARX calls it",
    r"e\^epsilon": "so many times: the number itself",
}
# What has such a word in another sense, or quotes what another program calls it.
MEANT = re.compile(
    r"dashed frame|has a frame of its own|squares of their shares|^data set$|one level of a hierarchy|\[\[dataset\]\]"
    r"|levels? of the lattice|per level|ARX's level 0|each level|divided by the number of iterations"
)
MARKUP = re.compile(
    r"<style.*?</style>|\{[%#{].*?[%#}]\}|\{\w+\}|^(question|done|view|figure|page|study) = .*?$|^\w+ = |<[^>]+>",
    re.DOTALL | re.MULTILINE,
)
# A string of a script.
SCRIPTED = re.compile(r"""(?<=["`])[^"`\n]*(?=["`])""")


@cache
def sentences(file: Path) -> list[str]:
    """What a file says to people: its strings with a blank in them, without docstrings; all of a lesson or template."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".js":
        spoken = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(("//", "*", "/*")))
        return [said for said in SCRIPTED.findall(spoken) if re.search(r"[a-z]{2} [a-z]{2}", said)]
    if file.suffix != ".py":
        return [MARKUP.sub(" ", text)]
    tree = ast.parse(text)
    documented = [ast.Module, ast.ClassDef, ast.FunctionDef]
    docstrings = {
        id(n.body[0].value) for n in ast.walk(tree) if type(n) in documented and isinstance(n.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
        if re.search(r"[a-z]{2} [a-z]{2}", node.value)
    ]


FILES = [
    file
    for pattern in (
        "pages/*.py",
        "cra_dashboard/**/*.py",
        "cra_dashboard/**/*.js",
        "lessons/*.toml",
        "lessons/*.j2",
        "cra_engine/**/*.j2",
        "cra_engine/**/*.js",
    )
    for file in sorted(ROOT.glob(pattern))
]


@pytest.mark.parametrize("word", INSTEAD)
def test_a_thing_has_one_name(word):
    found = [
        f"{file.relative_to(ROOT).as_posix()}: {said[max(0, at.start() - 40) : at.end() + 40]!r}"
        for file in FILES
        for said in (MEANT.sub("", text) for text in sentences(file))
        for at in re.finditer(rf"\b({word})\b", said, re.IGNORECASE)
    ]
    assert not found, f"{INSTEAD[word]} instead: {found}"


def test_the_engine_calls_suppressed_records_suppressed_and_a_factor_as_the_pages_do():
    for file in sorted(ROOT.glob("cra_engine/**/*.py")):
        said = [text for text in sentences(file) if re.search(r"\boutliers?\b|gsFactor", text, re.IGNORECASE)]
        assert not said, file


def test_the_sentences_are_found():
    """The test would pass on nothing."""
    said = [text for file in FILES for text in sentences(file)]
    assert len(FILES) > 150
    assert any("Which columns may others know" in text for text in said)
    assert any("stand alone" in text for text in said)


TAUGHT = [
    file
    for file in FILES
    if re.search(r"lessons|scripts/|scenes/component", file.relative_to(ROOT).as_posix()) and file.suffix != ".py"
]


def test_who_learns_reads_of_boxes_and_of_the_classes_in_them():
    """The paper's word for a box stands where the paper is read."""
    said = [(file.name, text) for file in TAUGHT if file.name != "paper.toml" for text in sentences(file)]
    assert {"story.toml", "panel.js", "why.js"} <= {name for name, _ in said}
    assert [name for name, text in said if re.search(r"\b(segments?|groups?)\b", text, re.IGNORECASE)] == []


def test_who_is_proven_to_be_the_only_one_in_a_cell_stands_alone_and_everybody_is_a_person():
    """From Start over the story and the playground to lesson 9, which says that the papers call it singled out."""
    first = [file for file in TAUGHT if not re.match("1[0-9]-|paper|handout", file.name)]
    first.append(ROOT / "cra_dashboard/panels/start_picture.py")
    assert {"story.toml", "09-singling-out.toml", "challenges.js", "outcome.js"} <= {file.name for file in first}
    said = [(file.name, text) for file in first for text in sentences(file)]
    assert [name for name, text in said if re.search(r"\bknown for certain\b|\brecords?\b(?!\")", text)] == []
    assert [name for name, text in said if re.search(r"\bsingle[sd]?\b.{0,20}\bout\b", text)] == [
        "09-singling-out.toml"
    ]


# What stands on the way from Data to the archive, before anything is opened; each of these words is one click away.
ON_THE_WAY = [
    "cra_dashboard/roles/cells.py",
    "cra_dashboard/roles/known.py",
    "cra_dashboard/roles/lists.py",
    "cra_dashboard/roles/missing.py",
    "cra_dashboard/roles/names.py",
    "cra_dashboard/roles/questions.py",
    "cra_dashboard/table/source.py",
    "cra_dashboard/publishable/cards.py",
    "cra_dashboard/publishable/panel.py",
    "cra_dashboard/publishable/pins.py",
    "cra_dashboard/publishable/search.py",
    "cra_dashboard/publishable/singles.py",
    "cra_dashboard/publishable/taken.py",
    "cra_engine/publishable/words.py",
    "cra_engine/publishable/outcome.py",
    "cra_engine/publishable/making.py",
    "cra_engine/publishable/choice.py",
    "cra_engine/publishable/columns.py",
    "cra_engine/publishable/space.py",
    "cra_engine/publishable/search.py",
    "cra_engine/publishable/trials.py",
    "pages/data.py",
    "pages/check.py",
    "cra_dashboard/check/advice.py",
    "cra_dashboard/check/chart.py",
    "cra_dashboard/check/state.py",
    "cra_engine/checks/findings.py",
    "cra_engine/checks/rule.py",
]
# A cell of a spreadsheet, empty, every one, or what a name looks like, is people's word; a cell of the grid is not.
SPECIALISTS = (
    r"\b(grids?|(?<!empty )(?<!every )(?<!like )(?<!like the )cells?"
    r"|finest (box|interval)(es|s)?|gains?|log(arithm)?s? (of )?odds|lattices?"
    # Help may name the field's word for what it tells of: "Quasi-identifiers: columns that ...".
    r"|quasi-identifiers?(?!:)|priors?|distinct|as \* from|generali[sz]e[ds]?"
    r"|class(es)?|prosecutors?|discernib\w*|segments?"
    # The field's word may follow people's in parentheses.
    r"|(?<!\()(l-diversity|t-closeness))\b"
)


@pytest.mark.parametrize("file", ON_THE_WAY)
def test_the_way_from_data_to_the_archive_is_told_in_peoples_words(file):
    said = [at.group() for text in sentences(ROOT / file) for at in re.finditer(SPECIALISTS, text, re.IGNORECASE)]
    assert said == []
