"""Downloads that are made when they are asked for: by a thread that belongs to no session, and may keep nothing."""

import threading
from hashlib import sha256

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.state import session_state_proxy
from support import let_run, open_page

from cra_dashboard.session import state
from cra_engine import synthesize

TOY = synthesize("toy", seed=1)


@pytest.fixture
def made_later(monkeypatch):
    """What the pages of a test offer so: functions by the name of their file."""
    offered = {}
    honest = MediaFileManager.add_deferred

    def add(self, make, mimetype, coordinates, file_name=None, **how):
        offered[file_name] = make
        return honest(self, make, mimetype, coordinates, file_name, **how)

    monkeypatch.setattr(MediaFileManager, "add_deferred", add)
    return offered


def outside(make, monkeypatch):
    """Make a file as the server does: in a thread without a session, where Streamlit would lend one that never ends."""
    made = []

    def lent():
        raise AssertionError("the state of a session is asked for outside of it")

    with monkeypatch.context() as there:
        there.setattr(session_state_proxy, "get_session_state", lent)
        thread = threading.Thread(target=lambda: made.append(make()))
        thread.start()
        thread.join()
    return made


def test_a_minimal_release(made_later, monkeypatch):
    open_page("downcode", TOY.data, TOY.study, **{"downcode-tab": "Your release"})
    (made,) = outside(made_later["minimal.csv"], monkeypatch)
    assert made.startswith("age;weight\n")


def test_each_record_of_a_release(made_later, monkeypatch):
    app = open_page("effective_anonymity", TOY.data, TOY.study)
    app.selectbox(key="anonymity-table").select_index(1).run()
    (made,) = outside(made_later["effective_anonymity.csv"], monkeypatch)
    assert made.startswith("age;weight;ea;ea_amb\n")
    assert "[" in made


def test_a_comparison(made_later, monkeypatch):
    app = open_page("compare", TOY.data, TOY.study)
    while "compare.html" not in made_later:
        app.run()
    (made,) = outside(made_later["compare.html"], monkeypatch)
    assert "Example" in made  # the table's name


@pytest.mark.parametrize("in_order", [False, True])
def test_the_verdict_of_check_is_of_the_release_that_is_handed_out(made_later, monkeypatch, in_order):
    app = let_run(open_page("check", TOY.data, TOY.study, **{state.KEEP_ORDER: in_order}))
    app.button(key="check-who").click().run()
    app.text_input(key="decided-by").set_value("Ms Ito")
    app.button(key="decided-take").click().run()
    assert not app.exception
    (made,) = outside(made_later["verdict.html"], monkeypatch)
    assert "Ms Ito" in made
    _, release = app.session_state["cra_results"]["release-csv"]
    assert sha256(release.encode()).hexdigest() in made
