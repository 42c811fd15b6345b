"""An unforeseen error: neither its page nor the log quotes what it stumbled over."""

import shutil

import pytest

import serving
from talk import Talk
from visits import ROOT, STREAMLIT

CANARY = "qzx7"
BROKEN = f"""
import threading
import streamlit as st
from cra_dashboard.session.discreet_log import keep_log_discreet

keep_log_discreet()

def in_a_callback():
    float("{CANARY[:2]}" + "{CANARY[2:]} in a callback")

def for_a_download():
    return float("{CANARY[:2]}" + "{CANARY[2:]} for a download")

@st.fragment
def in_a_fragment():
    if st.button("Fragment"):
        float("{CANARY[:2]}" + "{CANARY[2:]} in a fragment")

st.button("Callback", on_click=in_a_callback)
st.download_button("Download", for_a_download)
in_a_fragment()
if st.button("Page"):
    try:
        float("{CANARY[:2]}" + "{CANARY[2:]} first")
    except ValueError as error:
        raise RuntimeError(str(error)) from error
if st.button("Thread"):
    thread = threading.Thread(target=in_a_callback)
    thread.start()
    thread.join()
"""


@pytest.fixture(params=["none", "full"])
def broken(request, tmp_path):
    """A page that breaks off in every way there is, served with the project's settings, or as for work on it."""
    app = tmp_path / "app"
    shutil.copytree(ROOT / ".streamlit", app / ".streamlit")
    (app / "broken.py").write_text(BROKEN, encoding="utf-8")
    environment = {"PYTHONPATH": str(ROOT), "STREAMLIT_CLIENT_SHOW_ERROR_DETAILS": request.param}
    with serving.running([*STREAMLIT, "broken.py"], app, tmp_path, environment=environment) as server:
        yield request.param, server


def test_an_error_names_its_place_and_quotes_nothing(broken):
    details, server = broken
    shown = []
    with Talk(server.url) as talk:
        talk.run()
        for label in ("Page", "Callback", "Fragment", "Thread"):
            talk.run().press(label)
            shown += [str(element) for element in talk.on_page("exception")]
        shown.append(str(talk.run().ask_for_download("Download")))
    assert "RuntimeError" in server.printed
    assert server.printed.count("in in_a_callback") == 2
    assert "in in_a_fragment" in server.printed
    assert "in for_a_download" in server.printed
    assert (CANARY in server.printed) is (details == "full")
    assert len(shown) >= 3
    assert any(CANARY in text for text in shown) is (details == "full")
