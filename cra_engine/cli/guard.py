"""No command writes onto a file that it reads: held here for every command, so that none can forget it.

Whatever paths a command is given, it reads, but for those that it is registered to write. A study or a plan names
further files, and so do the files that it names; a folder stands for the tables in it. What a command writes besides,
:mod:`cra_engine.files.whole` holds to the same rule. All files of a command appear together when it has nothing left to
do but to print what it says, and none does after an error: who sees one may run the command again, and has not drawn
a safe release twice.
"""

import inspect
import io
import sys
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from cra_engine.cli.clock import TimeOverError, running
from cra_engine.errors import CRAError, MissingLibraryError
from cra_engine.files.apart import Identity, check_apart, identity, while_reading
from cra_engine.files.content import setting_text
from cra_engine.files.folders import check_there
from cra_engine.files.kinds import READ, WRITTEN
from cra_engine.files.toml_text import parse_toml
from cra_engine.files.whole import all_or_nothing, check_place
from cra_engine.patience import Stopped

DASH = Path("-")
IN_FOLDERS = {".csv", ".json", ".parquet", ".pq", ".toml"}  # what commands read of a folder


class Commands(typer.Typer):
    """The commands, none of which writes onto what it reads; checked before the work, and again when it writes."""

    def command(  # type: ignore[override]
        self,
        name: str,
        *,
        panel: str | None = None,
        writes: Sequence[str] = ("output",),
        tables: Sequence[str] = (),
        limited: str = "",
        **settings: Any,
    ) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Register a command, which takes a time limit and can be quiet.

        Args:
            name: of the command.
            panel: under which ``--help`` lists it.
            writes: its parameters that name what it writes.
            tables: those of them that are tables, of the kind that the ending of the name asks for.
            limited: what its help says of the time limit, of a command that ends there by itself with what it found.
            settings: as :meth:`typer.Typer.command` takes them.
        """
        register = super().command(name, rich_help_panel=panel, **settings)

        def registered(function: Callable[..., None]) -> Callable[..., None]:
            register(_guarded(name, function, writes, tables, limited))
            return function

        return registered


def _guarded(
    name: str, function: Callable[..., None], writes: Sequence[str], tables: Sequence[str], limited: str
) -> Callable[..., None]:
    @wraps(function)
    def command(*, time_limit: float | None, quiet: bool, **given: Any) -> None:
        inputs = [path for name, value in given.items() if name not in writes for path in _paths(value)]
        of_tables = [path for name in tables for path in _paths(given.get(name))]
        outputs = [path for name in writes for path in _paths(given.get(name))]
        said, left = io.StringIO(), None
        with while_reading(everything_read(inputs)):
            for path in outputs:
                _check_kind(path, table=path in of_tables)
            check_apart(*outputs)
            for path in outputs:
                if path.suffix:  # without one it may be a folder that is made
                    check_place(path)
            try:
                # Time stops before the files appear, so that none is cut off while it gets its name.
                with (
                    all_or_nothing(),
                    redirect_stdout(said),
                    running(time_limit, hands_over=bool(limited), quiet=quiet),
                ):
                    try:
                        function(**given)
                    except typer.Exit as leaving:  # a verdict, which is written like every other
                        left = leaving
            except (MissingLibraryError, ModuleNotFoundError):
                for path in inputs:
                    if path != DASH:
                        check_there(path)
                if (given.get("scheduler") or given.get("backend") == "dask") and not find_spec("distributed"):
                    raise MissingLibraryError("distributed") from None  # [cluster] brings [streaming] along
                raise
            except (TimeOverError, Stopped):
                raise CRAError(
                    f"The {time_limit:g} s of --time-limit were over before {name} was done; nothing was written, and "
                    "nothing is known. Allow more time, or take fewer records."
                ) from None
            except KeyboardInterrupt:
                raise CRAError("Stopped; nothing was written.") from None
        sys.stdout.write(said.getvalue())
        if left is not None:
            raise left

    signature = inspect.signature(function, eval_str=True)
    help_of_limit = f"Seconds for {limited or 'all of it; nothing is written when they are over'}."
    more = {
        "time_limit": (Annotated[float | None, typer.Option(metavar="SECONDS", min=0.0, help=help_of_limit)], None),
        "quiet": (Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing of how far it is.")], False),
    }
    parameters = [
        inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
        for word, (annotation, default) in more.items()
    ]
    command.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *parameters]
    )
    return command


def _check_kind(path: Path, *, table: bool) -> None:
    """Refuse a kind of file that cannot be written, before any work."""
    if path == DASH:
        raise CRAError("- names no file; name the output. Where a command has --json, that goes to standard output.")
    ending = path.suffix.lower()
    if ending in WRITTEN and not table:
        raise CRAError(f"{path} is to be a table, which this command does not write there; take another ending.")
    if ending in READ and ending not in WRITTEN:
        raise CRAError(f"{path}: {ending} is read, not written; take .csv, or one of {', '.join(WRITTEN)}.")
    if ending in WRITTEN and find_spec(WRITTEN[ending]) is None:
        raise MissingLibraryError(WRITTEN[ending])


def _paths(value: Any) -> list[Path]:
    return [path for path in (value if isinstance(value, list | tuple) else [value]) if isinstance(path, Path)]


def everything_read(paths: Iterable[Path]) -> dict[Identity, Path | None]:
    """Return all files that a command reads: given ones, and those that these name, as a plan its studies.

    Each with the folder that it lies in, or the file that names it; None where it is given itself.
    """
    read: dict[Identity, Path | None] = {}
    waiting = deque[tuple[Path, Path | None]]((path, None) for path in paths)
    while waiting:
        path, reason = waiting.popleft()  # what is given comes before what it leads to
        place = identity(path)
        if place in read:
            continue
        read[place] = reason
        try:
            if path.is_dir():
                waiting += [(inner, path) for inner in path.iterdir() if inner.suffix.lower() in IN_FOLDERS]
            else:
                named = _texts(parse_toml(setting_text(path, ""), ""))
                waiting += [(inner, path) for inner in {path.parent / text for text in named} if _is_file(inner)]
        except (CRAError, OSError, ValueError):
            continue  # no TOML, or nothing that can be read; what is wrong with it is said when it is read
    return read


def _texts(document: Any) -> Iterable[str]:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            waiting += value.values() if isinstance(value, dict) else value


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
