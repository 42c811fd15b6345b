"""Running what was installed, and asking the process that serves what is in force in it."""

import json
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import serving

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def run(*command: object, **options: Any) -> str:
    """Run a command that must succeed; what it printed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=plain_environment(), **options)
    assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def plain_environment() -> dict[str, str]:
    """This environment without what would let another Python find the checkout."""
    return {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}


@dataclass(frozen=True)
class Served:
    """A dashboard that is served, with what its process says of itself.

    Attributes:
        server: the process.
        settings: every Streamlit option by its dotted name, as in force.
        files: where its packages were loaded from.
        path: where it looks for modules.
    """

    server: serving.Server
    settings: dict[str, Any]
    files: dict[str, str]
    path: list[str]


@contextmanager
def asked(command: list[str], folder: Path, home: Path) -> Iterator[Served]:
    """Serve the dashboard from a folder, on a port given by ``--port``, and ask its process what is in force."""
    answer = home / "settings.json"
    environment = {"PYTHONPATH": str(HERE / "probe"), "CRA_SETTINGS": str(answer)}
    with serving.running(command, folder, home, environment=environment, port_option="--port") as server:
        os.kill(server.process.pid, signal.SIGUSR1)
        give_up = time.monotonic() + serving.PATIENCE
        while not answer.exists():
            assert time.monotonic() < give_up, f"no answer from the process: {server.printed}"
            time.sleep(0.1)
        said = json.loads(answer.read_text(encoding="utf-8"))
        yield Served(server, said["settings"], said["files"], said["path"])
