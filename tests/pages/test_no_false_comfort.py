"""No sentence of a page or of the documentation says that a table is anonymous or safe."""

import json
import re
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict
from visitor import Session

ROOT = Path(__file__).parents[2]
COMFORT = re.compile(
    r"\b(anonymous|anonymi[sz]ed|safe|safely|secure|harmless|risk-free|no risk|unidentifiable)\b",
    re.IGNORECASE,
)

# Each place where such a word may stand, read and judged: what it says is a definition, a denial, or of other things.
REVIEWED = [
    r"(k|\{k\})-anonymous",  # the property, which the glossary defines without comfort
    r"does not show that a table is anonymous",
    r"does not make (a|the) table anonymous",
    r"Nothing here shows that a table is anonymous",
    r"never shown as safe",
    r"does not mean that the class is safe",
    r"Does a ratio of 1 for every class mean that a table is safe\?",
    r"was supposed to make k-anonymity safe",
    r"does not make k-anonymity safe",
    r'are not "safe"',
    r"Why intervals feel safe|It feels safe\. But",
    # full-domain recoding's own word for a state that suppresses few enough, defined where it stands
    r"A state is anonymous if|seek anonymous states|states are anonymous without suppression|\| anonymous \| how many",
    r"A release that fulfils a model is not safe",
    r"never called safe|they are not safe|nothing says that the cell is safe",
    r"the rules call that safe, because|then the cell is absolutely safe",
    # the name of a way to recode, whose promise and whose limits stand where it is defined
    r"safe[- ]?recod(e|ing|ings)|safe ladders?|safe releases?|profile = .?safe.?",
    r"safe-(knob|losses|question|picture|second)",  # parts of its page
    r"\| safe \| the page",  # its room
    r"published this table safely before\?",  # asks for a release of safe recoding
    r"how an option publishes: local, safe, repaired|local \(profile\), safe \(epsilon\), repaired",
    r"\$\$ID-\w+-safe-[\w-]+",  # keys of widgets, which nobody sees
    r'"legendgroup":"safe"',  # of a chart, which nobody sees
    r"Minimal is the opposite of safe|are not anonymous by the definition",
]


def plain(text):
    """Words in a row: without Markdown's stars and escapes, on one line."""
    return re.sub(r"\s+", " ", re.sub(r"[*_`\\]", "", text))


def comforting(text):
    """The surroundings of each word that nobody has reviewed."""
    text = plain(text)
    rest = re.sub("|".join(REVIEWED), lambda found: "·" * len(found[0]), text, flags=re.IGNORECASE)
    return [text[max(0, found.start() - 60) : found.end() + 60] for found in COMFORT.finditer(rest)]


@pytest.mark.parametrize(
    "text",
    [
        "This table is anonymous.",
        "Your release is **safe**.",
        "Nothing found: *safe* to publish",
        "It is anonymised now.",
    ],
)
def test_comfort_is_found(text):
    assert comforting(text)


@pytest.mark.parametrize(
    "text", ["A table can be *k*-anonymous.", "**Nothing here shows that a table is\nanonymous.**"]
)
def test_a_definition_and_a_denial_are_let_through(text):
    assert not comforting(text)


# docs/security.md and docs/server.md are about the server, not about tables.
DOCS = [path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in {"security.md", "server.md"}]
FILES = [ROOT / "README.md", *DOCS, *sorted((ROOT / "lessons").glob("*.toml"))]
WORDS = [*sorted((ROOT / "cra_engine").glob("*.j2"))]


@pytest.mark.parametrize("path", [*FILES, *WORDS], ids=lambda path: path.name)
def test_no_document_gives_false_comfort(path):
    text = path.read_text(encoding="utf-8")
    assert comforting(text) == []


@pytest.mark.parametrize("example", [None, "toy"])
def test_no_page_gives_false_comfort(session, example, monkeypatch):
    # Full-domain recoding's marks say which states are anonymous, in its own sense of the word.
    monkeypatch.setattr("cra_dashboard.global_recode.run.start_once", lambda *_: None)
    if example is not None:
        session.press(f"start-{example}")
    for path in sorted((ROOT / "pages").glob("*.py")):
        session.open(f"pages/{path.name}")
        assert comforting(everything(session)) == [], path.name


def everything(session: Session):
    """All that the server has sent of a page: texts, labels, help, tables, what is read out of charts."""

    def texts(value):
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            for inner in value.values() if isinstance(value, dict) else value:
                yield from texts(inner)

    elements = [element.proto for element in session.at._tree if getattr(element, "proto", None) is not None]
    found = "\n".join(text for proto in elements for text in texts(MessageToDict(proto)))
    assert session.title in found
    return found + json.dumps([table.value.to_csv() for table in session.at.dataframe])
