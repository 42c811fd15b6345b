"""The program ``cra-explorer``: serves the dashboard on this machine, from any folder, with the same safe settings."""

import os
import socket
import sys
import threading
import time
import tomllib
import urllib.request
import webbrowser
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from cra_dashboard.places import ROOT

SETTINGS = ROOT / ".streamlit" / "config.toml"
PORT = 8501
_PATIENCE = 60.0  # seconds until the browser is opened all the same

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def settings() -> dict[str, Any]:
    """The settings in force: those of the one list, but for what an environment variable of Streamlit's decides.

    Returns:
        Dotted names with values, as ``st.App.run`` takes them.
    """
    listed = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
    return {name: value for name, value in _flat(listed) if _variable(name) not in os.environ}


def _flat(section: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in section.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _variable(name: str) -> str:
    """The environment variable that Streamlit reads an option from: ``STREAMLIT_SERVER_MAX_UPLOAD_SIZE``."""
    spaced = "".join(f"_{letter}" if letter.isupper() else letter for letter in name.replace(".", "_"))
    return f"STREAMLIT_{spaced.upper()}"


@app.command()
def serve(
    port: Annotated[int | None, typer.Option(min=1, max=65535, help=f"Port to listen on; {PORT} if left out.")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser at the first page.")] = True,
    demo: Annotated[bool, typer.Option("--demo", help="Begin with the toy table loaded.")] = False,
) -> None:
    """Open the dashboard: served to this machine only, nothing sent, nothing kept. End it with Ctrl-C."""
    chosen = settings()
    if port is not None:
        chosen["server.port"] = port
    listening = int(chosen.get("server.port") or os.environ.get("STREAMLIT_SERVER_PORT") or PORT)
    host = str(chosen.get("server.address") or os.environ.get("STREAMLIT_SERVER_ADDRESS"))
    if _taken(host, listening):
        typer.echo(f"Port {listening} is in use, perhaps by this program; choose another with --port.", err=True)
        raise typer.Exit(2)
    _with_the_systems_allocator()
    url = f"http://{host}:{listening}"
    start = f"{url}/?example=toy" if demo else url
    if browser:
        threading.Thread(target=_open, args=(url, start), daemon=True).start()
    typer.echo(f"CRA Explorer: {start}  (Ctrl-C ends it)")
    import streamlit  # noqa: PLC0415 - takes a second, which a wrong option need not wait for

    script = ROOT / "app.py"
    sys.argv = [str(script)]  # what Streamlit takes for the name of the program and its arguments
    streamlit.App(script).run(config=chosen)


def _taken(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def _with_the_systems_allocator() -> None:
    """Start again with the system's allocator: Python's own keeps much of what closed sessions leave."""
    if os.name == "posix" and "PYTHONMALLOC" not in os.environ:
        os.execve(  # noqa: S606 - this very program, with its own arguments
            sys.executable,
            # With -P, no module is taken from the folder that it was started from.
            [sys.executable, "-P", "-m", "cra_dashboard.program", *sys.argv[1:]],
            os.environ | {"PYTHONMALLOC": "malloc"},
        )


def _open(url: str, start: str) -> None:
    """Open the browser once the server answers."""
    give_up = time.monotonic() + _PATIENCE
    while time.monotonic() < give_up:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):  # noqa: S310 - our own server
                break
        except OSError:
            time.sleep(0.1)
    webbrowser.open(start)


if __name__ == "__main__":
    app()
