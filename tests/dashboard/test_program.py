"""cra-explorer: one list of settings, a port that is free, and the same from cra-engine."""

import os
import re
import socket
import subprocess
import sys
import tomllib
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from cra_dashboard import program


@pytest.fixture(autouse=True)
def begun_again(monkeypatch):
    """As the program has it, which would otherwise begin again in place of this process."""
    monkeypatch.setenv("PYTHONMALLOC", "malloc")


def test_every_line_of_the_one_list_is_in_force():
    listed = tomllib.loads(program.SETTINGS.read_text(encoding="utf-8"))
    given = program.settings()
    assert given["server.address"] == listed["server"]["address"] == "127.0.0.1"
    assert given["theme.light.primaryColor"] == listed["theme"]["light"]["primaryColor"]

    def leaves(section):
        return sum(leaves(value) if isinstance(value, dict) else 1 for value in section.values())

    assert len(given) == leaves(listed)


@pytest.mark.parametrize(
    ("option", "variable", "text", "value"),
    [
        (
            "server.allowedHosts",
            "STREAMLIT_SERVER_ALLOWED_HOSTS",
            "cra.example.org 10.0.0.7",
            ["cra.example.org", "10.0.0.7"],
        ),
        ("server.port", "STREAMLIT_SERVER_PORT", "8555", 8555),
        ("server.disconnectedSessionTTL", "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL", "7", 7),
        ("server.enableCORS", "STREAMLIT_SERVER_ENABLE_CORS", "False", False),
    ],
)
def test_what_an_environment_variable_says_comes_before_the_list(monkeypatch, option, variable, text, value):
    assert program.settings().get(option) != value
    monkeypatch.setenv(variable, text)
    assert program.settings()[option] == value


@pytest.mark.skipif(os.name != "posix", reason="the system's allocator is chosen on POSIX alone")
def test_it_starts_again_before_streamlit_is_loaded(monkeypatch):
    begun = []

    def begin(_, __, environment):
        begun.append(environment["PYTHONMALLOC"])
        sys.exit()

    monkeypatch.delenv("PYTHONMALLOC")
    monkeypatch.setattr(program, "settings", lambda: pytest.fail("Streamlit was loaded, and will be again"))
    monkeypatch.setattr(program.os, "execve", begin)
    CliRunner().invoke(program.app, ["--no-browser"])
    assert begun == ["malloc"]


def test_a_variable_that_cannot_be_read_is_refused(monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_PORT", "eighty")
    done = CliRunner().invoke(program.app, ["--no-browser"])
    assert done.exit_code == 2
    assert "STREAMLIT_SERVER_PORT is 'eighty'; give a value of type int." in done.output


def test_a_port_in_use_is_a_sentence():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = CliRunner().invoke(program.app, ["--port", str(port), "--no-browser"])
    assert done.exit_code == 2
    assert f"Port {port} is in use" in done.output


def test_pages_of_their_own_are_written_and_other_names_refused(tmp_path):
    for name in ("playground.html", "story.html"):
        done = CliRunner().invoke(program.app, ["--export", str(tmp_path / name)])
        assert done.exit_code == 0, done.output
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert text.startswith("<!doctype html>")
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in text
    done = CliRunner().invoke(program.app, ["--export", str(tmp_path / "page.html")])
    assert done.exit_code == 2
    assert "name the file playground.html or story.html" in done.output
    done = CliRunner().invoke(program.app, ["--export", str(tmp_path / "none" / "story.html")])
    assert done.exit_code == 2
    assert "cannot be written" in done.output


@pytest.mark.parametrize("port", ["0", "65536", "x"])
def test_a_port_that_is_none_is_refused(port):
    assert CliRunner().invoke(program.app, ["--port", port]).exit_code == 2


def test_what_cannot_be_understood_is_one_sentence(monkeypatch, capsys):
    for word, said in (("--bogus", "No such option: --bogus"), ("--port=x", "Invalid value for '--port'")):
        monkeypatch.setattr(sys, "argv", ["cra-explorer", word])
        with pytest.raises(SystemExit) as ended:
            program.main()
        assert ended.value.code == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(said)
        assert re.search("; see .* --help\\.$", line)


def test_both_commands_say_the_version_of_the_project():
    project = tomllib.loads((program.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for module in ("cra_dashboard.program", "cra_engine"):
        done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == project["version"]


@pytest.mark.parametrize("given", ["cra.example.org/class/", "https://cra.example.org/", "https://a.org/class/?a", "x"])
def test_an_address_of_a_class_that_is_none_is_refused(monkeypatch, given):
    monkeypatch.setenv("CRA_CLASS_ADDRESS", given)
    done = CliRunner().invoke(program.app, ["--class", "--no-browser", "--port", "20011"])
    assert done.exit_code == 2
    assert "give one such as https://cra.example.org/class/" in done.output


def test_until_closed_ends_a_minute_after_the_last_page(monkeypatch):
    """Not while one is loaded again, and within ten minutes of the start not before a page was open."""
    now, ended = [0.0], []
    open_at = {*range(300, 310), *range(360, 370)}
    clock = SimpleNamespace(sleep=lambda seconds: now.__setitem__(0, now[0] + seconds), monotonic=lambda: now[0])
    monkeypatch.setattr(program, "time", clock)
    monkeypatch.setattr(program, "_a_page_is_open", lambda: now[0] in open_at)
    monkeypatch.setattr(program._thread, "interrupt_main", lambda: ended.append(now[0]))
    program._end_when_closed()
    assert ended == [369 + 60]
    # Nobody sees a program whose browser never opened: it ends, too, but not while a page may still come.
    for first, end in ((None, 600), (599, 599 + 60)):
        open_at.clear()
        open_at.update({first} - {None})
        now[0] = 0.0
        program._end_when_closed()
        assert ended.pop() == end


def test_until_closed_takes_the_next_free_port(monkeypatch):
    served = []
    monkeypatch.setattr(program, "_serve", lambda chosen, *_: served.append(chosen["server.port"]))
    monkeypatch.setattr(program, "_end_when_closed", lambda: None)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = CliRunner().invoke(program.app, ["--no-browser", "--until-closed", "--port", str(port)])
    assert result.exit_code == 0, result.output
    assert served[0] > port
