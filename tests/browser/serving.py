"""Starting the dashboard as a person does, in a process of its own, and ending it with all its children."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 300.0  # seconds until a start is given up: no machine in use is so slow


@dataclass(frozen=True)
class Server:
    """A dashboard that is being served.

    Attributes:
        url: its address.
        process: the process that was started.
        log: the file that gets what it prints.
    """

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def printed(self) -> str:
        """What it has printed so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(
    command: Sequence[str],
    folder: Path,
    home: Path,
    *,
    before: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    port_option: str | None = None,
) -> Iterator[Server]:
    """Run a command that serves the dashboard until the block is left.

    Args:
        command: what to run; it is given a free port.
        folder: where to run it.
        home: its home directory; its output goes there too.
        before: a program that runs the command, such as strace with its options.
        environment: variables to set; of the caller's own, those for Streamlit and for this program are left out.
        port_option: the command's option that takes the port; without one, Streamlit's variable says it.
    """
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    log = home / "streamlit.log"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STREAMLIT_", "CRA_UPLOADS"))}
    option = [] if port_option is None else [port_option, str(port)]
    variable = {"STREAMLIT_SERVER_PORT": str(port)} if port_option is None else {}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*before, *command, *option],
            cwd=folder,
            env=kept | {"HOME": str(home)} | variable | dict(environment or {}),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a process group of its own, so that its children end with it
        )
        server = Server(url, process, log)
        try:
            _until_healthy(server)
            yield server
        finally:
            end(process)


@contextmanager
def serve(folder: Path, home: Path) -> Iterator[str]:
    """Serve the dashboard of a checkout as `make run` does, on a free port; yields its address."""
    with running([sys.executable, "-m", "cra_dashboard.program", "--no-browser"], folder, home) as server:
        yield server.url


def _until_healthy(server: Server) -> None:
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up and server.process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=1) as answer:  # noqa: S310 - own server
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(f"The dashboard did not start:\n{server.printed}")


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started with a group of its own, and everything that it started."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(timeout=10)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
    process.wait(timeout=10)
