"""CRA_UPLOADS=off: a server for a class takes no file, neither through a page nor past the pages."""

import ast
import re
import shlex

import pytest
from streamlit.testing.v1 import AppTest

import serving
from cra_dashboard.session import uploads
from talk import Talk
from visits import PROGRAM, ROOT, UPLOAD, table

PAGES = sorted(path for folder in ("pages", "cra_dashboard") for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_upload_field_is_the_one_that_heeds_the_switch(path):
    takes_files = {"file_uploader", "chat_input", "camera_input", "audio_input"}
    named = {
        node.attr for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Attribute)
    }
    assert not named & takes_files or path.name == "uploads.py"


@pytest.mark.parametrize(
    ("value", "allowed"),
    [(None, True), ("", True), ("on", True), ("ON", True), ("off", False), ("of", False), ("0", False)],
)
def test_anything_but_on_is_off(monkeypatch, value, allowed):
    monkeypatch.delenv("CRA_UPLOADS", raising=False)
    if value is not None:
        monkeypatch.setenv("CRA_UPLOADS", value)
    assert uploads.allowed() is allowed


@pytest.mark.parametrize("switch", ["on", "off"])
def test_a_sentence_stands_in_place_of_every_field(monkeypatch, switch):
    monkeypatch.setenv("CRA_UPLOADS", switch)
    app = AppTest.from_file(ROOT / "app.py", default_timeout=300).run()
    app.button(key="start-at-once").click().run()
    for path in sorted((ROOT / "pages").glob("*.py")):
        for place in range(8):  # where the field stands on Hierarchies: one of the parts that are folded away
            app.session_state[f"hierarchy-folded-{place}"] = True
        app.switch_page(f"pages/{path.name}").run()
        if path.name == "data.py":
            app.radio(key="data-from").set_value("Upload a table").run()
        assert not app.exception
        fields, sentences = len(app.file_uploader), [info.value for info in app.info].count(uploads.OFF)
        assert not (sentences if switch == "on" else fields), path
        if path.name in {"data.py", "hierarchies.py", "audit.py"}:
            assert fields if switch == "on" else sentences


def test_the_server_refuses_a_file_that_comes_past_the_pages(tmp_path):
    # As docs/server.md has it for a server behind a proxy.
    text = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^    (STREAMLIT_.*) make run$", text, re.MULTILINE)
    environment = dict(word.split("=", 1) for word in shlex.split(command))
    assert environment["CRA_UPLOADS"] == "off"
    with (
        serving.running(PROGRAM, ROOT, tmp_path, environment=environment) as server,
        Talk(server.url, host="cra.example.org") as talk,
    ):
        talk.run().open("Data").choose(*UPLOAD)
        assert uploads.OFF in talk.text()
        urls = talk.urls_for("table.csv")
        assert talk.put(urls.upload_url, "table.csv", table("nobody")).status_code == 413
