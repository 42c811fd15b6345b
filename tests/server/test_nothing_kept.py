"""Nothing of an upload outlives its session: not in memory, not in the log, not in a file, not with somebody else."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import psutil
import pytest

import serving
from talk import Talk
from visits import ROOT, TEMPORARY, UPLOAD, table, upload

CANARY = "qzx7"
SHOWING = {"Playground", "Recode", "Attack", "Global recode", "Heterogeneous", "Microaggregate"}  # the table's results
MOST_LOOKS = 1000  # at what runs beside a page


class Watched:
    """A dashboard that can be asked what it still holds of the canary's table."""

    def __init__(self, server, answer):
        self.server, self.answer = server, answer

    def holds(self):
        self.answer.unlink(missing_ok=True)
        os.kill(self.server.process.pid, signal.SIGUSR1)
        return patiently(lambda: json.loads(self.answer.read_text(encoding="utf-8")) if self.answer.exists() else None)

    def frees_what_was_closed(self):
        """Whether, its time being over, nothing of a closed tab is left; until then it may be taken up again."""
        os.kill(self.server.process.pid, signal.SIGUSR2)
        return patiently(self.holds, lambda found: not found) == []


def patiently(what, wanted=lambda found: found is not None):
    """Ask again and again until the answer is as wanted; the last answer."""
    give_up = time.monotonic() + serving.PATIENCE
    while not wanted(found := what()) and time.monotonic() < give_up:
        time.sleep(0.2)
    return found


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    answer = home / "answer.json"
    environment = {
        "CRA_CANARY": CANARY,
        "CRA_ANSWER": str(answer),
        "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "3600",  # no machine is so slow; its clock can jump
        "STREAMLIT_LOGGER_LEVEL": "debug",
        "PYTHONMALLOC": "malloc",  # as the program has it, which would start itself again otherwise
    }
    command = [sys.executable, str(Path(__file__).parent / "watched.py")]
    with serving.running(command, ROOT, home, environment=environment) as server:
        yield Watched(server, answer)


def open_everything(talk, *, take=False):
    """Every page there is, also one that is added later, and what runs beside it until it is done.

    Args:
        talk: the session.
        take: whether to take every download that a page offers.
    """
    for page in list(talk.pages):
        open_page(talk, page)
        for label in [button.label for button in talk.on_page("download_button")] if take and page != "Lessons" else []:
            assert talk.download(label), (page, label)
    talk.open("Data")


def open_page(talk, page):
    talk.open(page)
    if page == "Playground":
        tables = talk.find("radio", "Table").options
        talk.choose("radio", "Table", tables[-1])
    for _ in range(MOST_LOOKS):
        if talk.repeating is None:
            break
        time.sleep(talk.repeating[1])
        talk.repeat()
    assert not talk.failed, page


def test_forget_my_data_frees_the_memory_while_the_tab_stays_open(watched):
    with Talk(watched.server.url) as talk:
        open_everything(upload(talk, CANARY))
        held = watched.holds()
        assert len(held) > 100  # it can be found
        # The file itself was dropped as soon as it was read.
        assert not [found for found in held if f"age {CANARY},weight {CANARY}" in found]
        talk.press("Forget it all")
        assert patiently(watched.holds, lambda found: not found) == []


def test_a_closed_tab_frees_the_memory_also_when_no_other_session_comes(watched):
    with Talk(watched.server.url) as talk:
        open_everything(upload(talk, CANARY), take=True)
    assert len(watched.holds()) > 100  # a broken connection may be taken up again
    assert watched.frees_what_was_closed()
    assert CANARY not in watched.server.printed
    # Every page was open and every run beside one was done: no thread asked Streamlit for a page that it has not.
    assert "ScriptRunContext" not in watched.server.printed


def test_a_tab_closed_in_the_middle_of_a_run_frees_the_memory(watched):
    with Talk(watched.server.url) as talk:
        upload(talk, CANARY, records=5_000)
        talk.leave_for("Attack")
    assert watched.holds()
    assert watched.frees_what_was_closed()


def test_a_broken_connection_is_taken_up_again_and_freed_after_all(watched):
    with Talk(watched.server.url) as talk:
        session = upload(talk, CANARY).session_id
    with Talk(watched.server.url, resume=talk) as again:
        again.run()
        assert again.session_id == session
        assert f"{CANARY}.csv" in again.text()
    assert watched.frees_what_was_closed()


def test_the_log_quotes_nothing_of_an_upload_at_its_most_talkative(watched):
    with Talk(watched.server.url) as talk:
        upload(talk, CANARY).open("Hierarchies").open("Recode").open("Attack").open("Check").open("Data")
        talk.choose(*UPLOAD).upload("File with the table", f"{CANARY}.csv", b"PK\x03\x04" + CANARY.encode() * 9)
        talk.upload("File with the table", f"{CANARY}.csv", f"{CANARY},{CANARY}\n1,2,3,4\n".encode())
        assert CANARY in talk.text()
    assert "Running script" in watched.server.printed  # it does talk
    assert CANARY not in watched.server.printed


def test_a_large_upload_leaves_no_file(dashboard, talk):
    # More than 1 MiB goes through a temporary file.
    home = dashboard.log.parent
    upload(talk, CANARY, records=60_000)
    assert list((home / TEMPORARY).iterdir()) == []
    files = psutil.Process(dashboard.process.pid).open_files()
    assert not [file for file in files if file.path.startswith(str(home / TEMPORARY))]
    assert {path.name for path in home.rglob("*") if path.is_file()} == {"streamlit.log"}


def test_no_session_sees_anothers_data(dashboard):
    canaries = ("qaa1", "qbb2")
    talks = {canary: Talk(dashboard.url) for canary in canaries}
    for canary, talk in talks.items():
        upload(talk, canary)
    pages = list(talks[canaries[0]].pages)
    assert {"Global recode", "Heterogeneous", "Microaggregate", "Playground"} <= set(pages)
    for page in pages:
        for canary, talk in talks.items():
            before = len(talk.received)
            open_page(talk, page)
            shown = any(canary.encode() in data for data in talk.received[before:])
            assert shown or page not in SHOWING, page
    for canary, talk in talks.items():
        assert not talk.failed
        assert [other for other in canaries if talk.has_received(other)] == [canary]
        assert not talk.query
        talk.close()


def test_the_tables_can_be_told_apart():
    assert b"qaa1" in table("qaa1")
    assert b"qbb2" not in table("qaa1")
