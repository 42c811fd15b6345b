"""Files for download that are made only when they are asked for, in the middle of what a session does."""

import pytest
from streamlit.runtime import media_file_manager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from cra_dashboard.session import downloads as module
from cra_dashboard.session.downloads import Downloads


@pytest.fixture
def downloads(monkeypatch):
    """A manager whose pages belong to the session ``"one"``."""
    monkeypatch.setattr(media_file_manager, "_get_session_id", lambda: "one")
    return Downloads(MemoryMediaFileStorage("/media"))


def name(address):
    return address.rsplit("/", 1)[-1].split(".", 1)[0]


def test_what_is_made_belongs_to_the_session_that_asked(downloads):
    made = name(downloads.execute_deferred(downloads.add_deferred(lambda: "a;b\n", "text/csv", "0.1")))
    assert made in downloads.held_by("one")
    assert made not in downloads.held_by("other")
    downloads.keep_only([])
    assert not downloads._file_metadata


def test_it_can_be_had_when_the_page_has_run_again_meanwhile(downloads):
    def slow():
        downloads.clear_session_refs("one")  # the next run begins
        downloads.add_deferred(slow, "text/csv", "0.1")
        downloads.remove_orphaned_files()
        return "a;b\n"

    made = name(downloads.execute_deferred(downloads.add_deferred(slow, "text/csv", "0.1")))
    assert made in downloads.held_by("one")


def test_what_is_finished_after_the_end_of_its_session_is_gone(downloads):
    def slow():
        downloads.clear_session_refs("one")
        downloads.remove_orphaned_files()
        downloads.keep_only(["other"])
        return "a;b\n"

    asked = downloads.add_deferred(slow, "text/csv", "0.1")
    downloads.execute_deferred(asked)
    assert not downloads._file_metadata
    assert not downloads.held_by("one")


def test_the_same_bytes_of_another_session_stay(downloads, monkeypatch):
    def slow():
        downloads.clear_session_refs("one")
        downloads.keep_only(["other"])
        monkeypatch.setattr(media_file_manager, "_get_session_id", lambda: "other")
        downloads.add(b"a;b\n", "text/csv", "0.1", is_for_static_download=True)
        return "a;b\n"

    made = name(downloads.execute_deferred(downloads.add_deferred(slow, "text/csv", "0.1")))
    assert made in downloads.held_by("other")
    assert made in downloads._file_metadata


def test_of_a_session_that_has_ended_nobody_asks_for_a_context_that_is_gone(downloads, monkeypatch):
    monkeypatch.setattr(module, "get_script_run_ctx", lambda **_: pytest.fail("Streamlit would warn of it in the log"))
    downloads.clear_session_refs("ended")
    assert downloads.held_by("ended") == set()
