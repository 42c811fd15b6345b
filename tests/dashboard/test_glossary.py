"""The glossary: one meaning per term, no dead ends, the same words in the guide and on the page."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from cra_dashboard.texts import glossary
from cra_dashboard.texts.faq import FAQ

ROOT = Path(__file__).parents[2]


def test_every_term_that_is_referred_to_is_there():
    for name, term in glossary.GLOSSARY.items():
        assert name not in term.see
        assert set(term.see) <= set(glossary.GLOSSARY), name


def test_no_name_is_used_for_two_terms():
    names = [name for name, term in glossary.GLOSSARY.items() for name in (name, *term.also)]
    assert len(names) == len({name.lower() for name in names})


@pytest.mark.parametrize("name", glossary.GLOSSARY)
def test_a_meaning_is_one_short_sentence(name):
    text = glossary.GLOSSARY[name].meaning
    assert 20 < len(text) < 200
    assert not text.endswith(".")
    assert glossary.meaning(name)[0] == text[0].upper()
    assert not re.search(r"\b(is|are) (safe|anonymous)\b", text)


def test_the_guide_uses_the_same_words():
    guide = (ROOT / "docs" / "start.md").read_text()
    rows = re.findall(
        r"^\| ([a-z-]+) \| (.*) \|$", guide.split("A few words are used throughout:")[1].split("##")[0], re.MULTILINE
    )
    assert len(rows) >= 7
    for name, text in rows[1:]:
        assert text == glossary.GLOSSARY[name].meaning


def test_every_page_with_terms_shows_them_beside_its_title():
    for page, names in glossary.PAGES.items():
        assert set(names) <= set(glossary.GLOSSARY)
        text = (ROOT / "pages" / f"{page}.py").read_text()
        title = rf'^ *st\.title\("[^"]+", help=glossary\.of_page\("{page}"\)[),]'
        assert len(re.findall(title, text, re.MULTILINE)) == 1
        assert all(f"**{name}**: " in glossary.of_page(page) for name in names)


@pytest.mark.parametrize(
    ("page", "rooms"),
    [
        ("check", ["cra_dashboard/publishable"]),
        ("compare", ["cra_engine/options/measures.py"]),
        ("safe_recoding", ["cra_dashboard/safe"]),
        ("together", ["cra_dashboard/together"]),
        ("recode", ["pages/recode.py"]),
    ],
)
def test_a_page_that_tells_what_is_lost_explains_which_of_the_two_figures_it_is(page, rooms):
    """Information lost and detail lost are told in percent of the same table, and differ."""
    files = [file for room in rooms for file in ([ROOT / room] if room.endswith(".py") else (ROOT / room).glob("*.py"))]
    text = "".join(file.read_text("utf-8") for file in files).lower()
    told = {name for name in ("information los", "detail lost", "detail kept", "of the detail") if name in text}
    shown = {"information loss" if name == "information los" else "detail lost" for name in told}
    assert shown
    assert shown <= set(glossary.PAGES[page])
    detail, information = (glossary.GLOSSARY[name] for name in ("detail lost", "information loss"))
    assert "threefold" in detail.meaning
    assert ("information loss" in detail.see, "detail lost" in information.see) == (True, True)
    assert glossary.found("detail kept")[0].startswith("- **detail lost**")


def test_a_text_finds_the_terms_that_it_occurs_in():
    (found,) = glossary.found("LR sol")
    assert found.startswith("- **promised**: ")
    assert len(glossary.found("")) == len(glossary.GLOSSARY) + len(FAQ)
    assert not glossary.found("no such word")
    # Who asks for a term reads it before all that only mention it.
    assert glossary.found("Ratio")[0].startswith("- **ratio**")
    # So does who asks by another of its names.
    assert glossary.found("k-anonymity")[0].startswith("- **k-anonymous**")
    assert glossary.found("unique")[0].startswith("- **singled out**")
    assert glossary.found("Loss")[0].startswith("- **information loss**")


def test_no_answer_calls_a_table_safe():
    for question, answer in FAQ.items():
        assert question.endswith("?")
        assert not re.search(r"(?<!not show that a )table is (safe|anonymous)", answer)


def test_the_page_lists_every_term_and_question_and_finds():
    at = AppTest.from_file(ROOT / "app.py", default_timeout=300).run()
    at.session_state["glossary-folded-0"] = True
    at.switch_page("pages/glossary.py").run()
    assert not at.exception
    everything = "\n".join(text.value for text in at.markdown)
    for name in glossary.GLOSSARY:
        assert f"- **{name}**: " in everything
    for question in FAQ:
        assert f"- **{question}** " in everything
    at.text_input[0].set_value("stealing").run()
    assert "\n".join(text.value for text in at.markdown).count("- **") == 1
    at.text_input[0].set_value("<b>").run()
    assert "No term has" in at.info[0].value
    # Whoever knows no word chooses one of those that are shown.
    at.text_input[0].set_value("").run()
    (shown,) = at.get("button_group")
    assert len(shown.options) == len(glossary.GLOSSARY)
    shown.set_value("k").run()
    assert glossary.found("k")[0] in [text.value for text in at.markdown]
    assert not at.exception
