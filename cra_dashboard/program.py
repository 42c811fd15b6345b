"""The program ``cra-explorer``: serves the dashboard on this machine, from any folder, with the same safe settings."""

import _thread
import logging
import os
import re
import socket
import sys
import threading
import time
import tomllib
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.exceptions import TyperException

from cra_dashboard.places import ROOT
from cra_engine import CRAError
from cra_engine.cli.usage import not_understood
from cra_engine.errors import MissingLibraryError
from cra_engine.files.whole import write_whole

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

SETTINGS = ROOT / ".streamlit" / "config.toml"
PORT = 8501
DEMO = "demo"  # CRA_PROFILE: for everybody, with nobody's data
EVERYWHERE = "0.0.0.0"  # noqa: S104 - of a demo, and to see whether a port is free
_FRAMER = re.compile(r"'self'|https?://[A-Za-z0-9.*-]+(?::[0-9*]{1,5})?")  # a page that may show ours inside its own
_CLASS = re.compile(r"https?://[A-Za-z0-9.:-]+(?:/[A-Za-z0-9._-]+)*/class/")
_PATIENCE = 60.0  # seconds until the browser is opened all the same
_CLOSED = 60.0  # seconds without a page after which --until-closed ends: a page that is loaded again needs fewer
_UNSEEN = 600.0  # seconds from its start after which it ends where no page was ever open

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


def settings() -> dict[str, Any]:
    """Return the server's settings in force: those of the one list, but for what environment variables decide.

    Returns:
        Dotted names with values, as ``st.App.run`` takes them.
    """
    from streamlit import config  # noqa: PLC0415 - half a second, which --version need not wait for

    chosen = dict(_flat(tomllib.loads(SETTINGS.read_text(encoding="utf-8"))))
    # Only ``streamlit run`` reads its variables by itself.
    for name, option in config.get_config_options().items():
        text = None if option.sensitive else os.environ.get(option.env_var)
        if text is not None:
            kind = option.type if option.type in (int, float, bool) else str
            chosen[name] = text.split() if option.multiple else _read(option.env_var, text, kind)
    return chosen


def _flat(section: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in section.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def framers(text: str) -> str:
    """Return which pages may show the dashboard inside theirs, as the header ``frame-ancestors`` lists them.

    Args:
        text: origins with blanks between, such as ``https://moodle.example.org``.

    Raises:
        ValueError: one of them is no origin.
    """
    for source in text.split():
        if not _FRAMER.fullmatch(source):
            raise ValueError(
                f"CRA_FRAME_ANCESTORS names {source[:60]!r}; give origins such as https://moodle.example.org, "
                "with blanks between."
            )
    return " ".join(text.split())


def _refuse(said: str) -> NoReturn:
    """End with a sentence on what cannot be done."""
    typer.echo(said, err=True)
    raise typer.Exit(2)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(version("cra-explorer"))
        raise typer.Exit


@app.command()
def serve(
    port: Annotated[
        int | None, typer.Option(metavar="PORT", min=1, max=65535, help=f"Where to listen; {PORT} if left out.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser at the first page.")] = True,
    demo: Annotated[bool, typer.Option("--demo", help="Begin with the toy table loaded.")] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write playground.html or story.html, a page of its own that needs no server, and end; no network.",
        ),
    ] = None,
    handed_in: Annotated[
        Path | None,
        typer.Option(
            "--handed-in",
            metavar="FOLDER",
            help="Print what stands in the pages that students handed in, a line each, as CSV, and end.",
        ),
    ] = None,
    classroom: Annotated[
        bool,
        typer.Option(
            "--class",
            help="Let a class guess on its telephones: everybody in your network reaches one page of this computer, "
            "the questions of the class; the dashboard stays here.",
        ),
    ] = False,
    until_closed: Annotated[
        bool,
        typer.Option(
            "--until-closed",
            help="End a minute after the last page was closed, or ten without any; take the next free port.",
        ),
    ] = False,
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version of the program.")
    ] = False,
) -> None:
    """Start the server of the dashboard, for this machine only, nothing sent, nothing kept. End it with Ctrl-C."""
    for library in ("streamlit", "plotly", "segno", "starlette"):
        if find_spec(library) is None:
            _refuse(str(MissingLibraryError(library)))
    if export is not None:
        _export(export)
        return
    if handed_in is not None:
        _print_handed_in(handed_in)
        return
    profile = os.environ.get("CRA_PROFILE", "")
    if profile not in {"", DEMO}:
        _refuse(f"CRA_PROFILE is {profile[:60]!r}; the one profile there is is {DEMO}.")
    try:
        allowed = framers(os.environ.get("CRA_FRAME_ANCESTORS", ""))
    except ValueError as error:
        _refuse(str(error))
    given = os.environ.get("CRA_CLASS_ADDRESS", "")  # a reverse proxy's, with the path /class/ at its end
    if given and not _CLASS.fullmatch(given):
        _refuse(f"CRA_CLASS_ADDRESS is {given[:60]!r}; give one such as https://cra.example.org/class/.")
    _with_the_systems_allocator()  # before Streamlit is loaded, which would have to be loaded again
    chosen = settings()
    if profile:
        if "STREAMLIT_SERVER_ADDRESS" not in os.environ:
            chosen["server.address"] = EVERYWHERE  # a demo's host stands before it, and reaches it from outside
        os.environ["CRA_UPLOADS"] = "off"
        browser = False
    if port is not None:
        chosen["server.port"] = port
    listening = int(chosen.get("server.port") or PORT)
    host = str(chosen["server.address"])
    if until_closed:  # whoever opens it twice gets two
        listening = next((one for one in range(listening, 65536) if not _taken(host, one)), listening)
    chosen["server.port"] = listening
    if _taken(host, listening):
        _refuse(f"Port {listening} is in use, perhaps by this program; choose another with --port.")
    url = f"http://{host}:{listening}"
    start = f"{url}/?example=toy" if demo else url
    if browser:
        threading.Thread(target=_open, args=(url, start), daemon=True).start()
    if until_closed:
        threading.Thread(target=_end_when_closed, daemon=True).start()
    typer.echo(f"CRA Explorer: {start}  (Ctrl-C ends it)")
    _serve(chosen, allowed, _class_routes(given, None if given else listening) if classroom else [])


def _class_routes(given: str, listening: int | None) -> "list[BaseRoute]":
    """What the dashboard serves of a class; the telephones reach the next free port, unless their address is given."""
    from cra_dashboard.classroom.serving import own_address, serve_class  # noqa: PLC0415 - only a class needs it
    from cra_dashboard.lessons.argument import argument  # noqa: PLC0415
    from cra_dashboard.lessons.story.steps import class_questions  # noqa: PLC0415
    from cra_dashboard.lessons.telephones import telephone_page  # noqa: PLC0415

    after = range((listening or 0) + 1, 65536)
    port = None if listening is None else next((one for one in after if not _taken(EVERYWHERE, one)), None)
    if listening is not None and port is None:
        _refuse(f"No port after {listening} is free, and a class needs one; choose a smaller --port.")
    address = given or f"http://{own_address()}:{port}/"
    typer.echo(f"Class: everybody in your network reaches {address}, the class's questions alone.")
    typer.echo("Present the Story or a lesson.")
    return [serve_class(address, port, telephone_page(), lambda: class_questions(argument()))]


def _export(path: Path) -> None:
    """Write one of the pages that need no server."""
    from cra_dashboard.lessons.story.file import story_file  # noqa: PLC0415 - Streamlit takes seconds to load
    from cra_dashboard.playground.file import playground_file  # noqa: PLC0415

    files = {"playground.html": playground_file, "story.html": story_file}
    if path.name not in files:
        _refuse(f"{path.name!r} is no page of its own; name the file {' or '.join(files)}.")
    try:
        write_whole((path, files[path.name]()))
    except CRAError as error:
        _refuse(str(error))
    typer.echo(f"{path}: {path.stat().st_size:,} bytes; it opens in any browser, with or without a network.")


def _print_handed_in(folder: Path) -> None:
    """Print what students handed in, as a table."""
    from cra_dashboard.lessons.handed_in import table_of_pages  # noqa: PLC0415 - Streamlit takes seconds to load
    from cra_engine.files.csv_text import csv_text  # noqa: PLC0415

    # What begins with a dot is the system's own, not a student's.
    paths = sorted(path for path in folder.iterdir() if path.name[0] != ".") if folder.is_dir() else []
    if not paths:
        _refuse(f"{str(folder)!r} is no folder with pages that were handed in (.html).")
    typer.echo(csv_text(table_of_pages(paths)), nl=False)


def _read(variable: str, text: str, kind: type) -> Any:
    """What an environment variable says, as the type of its option."""
    try:
        if kind is not bool:
            return kind(text)
        return ("false", "true").index(text.strip().lower()) == 1
    except ValueError:
        _refuse(f"{variable} is {text[:60]!r}; give a value of type {kind.__name__}.")


def _serve(chosen: Mapping[str, Any], allowed: str, routes: "Sequence[BaseRoute]") -> None:
    # These take a second, which a wrong option need not wait for.
    import streamlit  # noqa: PLC0415
    from starlette.middleware import Middleware  # noqa: PLC0415
    from streamlit.runtime.pages_manager import PagesManager  # noqa: PLC0415
    from streamlit.web.server.starlette import starlette_server  # noqa: PLC0415

    from cra_dashboard.panels.start_picture import picture  # noqa: PLC0415
    from cra_dashboard.session import doors  # noqa: PLC0415
    from cra_dashboard.session.closed_sessions import load_for_good  # noqa: PLC0415

    # Reading the environment made Streamlit read its settings once before ours are there; it would ask for a restart.
    logging.getLogger("streamlit.config").addFilter(lambda said: "please restart" not in said.getMessage())
    script = ROOT / "app.py"
    sys.argv = [str(script)]  # what Streamlit takes for the name of the program and its arguments
    # Else the first page that is opened by its address shows the files' names as a menu.
    PagesManager.uses_pages_directory = False
    picture()  # before a class asks for it all at once
    load_for_good()
    sys.setswitchinterval(0.001)  # a click waits for a calculation to let go, each time that it goes on
    # Uploads are off in a demo, so a download holds nobody's data; inside another site's frame there is no cookie.
    demo = os.environ.get("CRA_PROFILE") == DEMO
    guarded = Middleware(doors.Doors, frame_ancestors=allowed or doors.NOBODY, open_downloads=demo)
    config = {**chosen, **doors.SETTINGS}
    # Nobody can make a number of theirs: 127.0.0.1 in an address always means the visitor's own machine.
    own = str(config["server.address"])
    config["server.allowedHosts"] = [*config["server.allowedHosts"], "127.0.0.1" if own == EVERYWHERE else own]
    starlette_server._bind_socket = _sending_at_once(starlette_server._bind_socket)  # noqa: SLF001 - no other way to it
    streamlit.App(script, middleware=[guarded], routes=routes).run(config=config)


def _sending_at_once(bind: Callable[..., socket.socket]) -> Callable[..., socket.socket]:
    """Streamlit's way to its socket, with small messages sent without delay; a connection takes that over from it.

    It leaves out ``TCP_NODELAY``: of several messages in a row the second then waits some 40 ms for the browser to
    confirm the first.
    """

    def bound(*where: Any) -> socket.socket:
        made = bind(*where)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    return bound


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


def _end_when_closed() -> None:
    """End the server, as Ctrl-C does, when no page has been open for a minute, or none for ten from the start."""
    end = time.monotonic() + _UNSEEN
    while time.monotonic() < end:
        time.sleep(1)
        if _a_page_is_open():
            end = time.monotonic() + _CLOSED
    _thread.interrupt_main()


def _a_page_is_open() -> bool:
    from streamlit import runtime  # noqa: PLC0415 - takes a second to load

    connected = runtime.RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED
    return runtime.exists() and runtime.get_instance().state == connected


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


def main() -> None:
    """Run ``cra-explorer``; of an option that cannot be understood one sentence is said."""
    try:
        sys.exit(app(standalone_mode=False))
    except TyperException as error:
        typer.echo(not_understood(error, "cra-explorer"), err=True)
        sys.exit(2)
    except typer.Abort:
        sys.exit(1)


if __name__ == "__main__":
    main()
