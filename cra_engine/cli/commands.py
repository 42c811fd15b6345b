"""The command line: ``cra-engine``, also ``python -m cra_engine``.

Each command imports what it needs when it runs, so that ``--help`` and a wrong option answer at once.
"""

import io
import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from cra_engine.cli import (  # noqa: F401 - each registers its commands
    attack,
    check,
    compose,
    defences,
    downcoding,
    global_recode,
    heterogeneous,
    microaggregation,
    publish,
    publishable,
    research,
    safe_recode,
    verdict,
)
from cra_engine.cli.app import app
from cra_engine.cli.usage import not_understood
from cra_engine.errors import EXTRAS, CRAError, MissingLibraryError

MOST_SAID = 1000  # characters of a sentence


def _version(asked: bool) -> None:
    if asked:
        from cra_engine import __version__

        typer.echo(__version__)
        raise typer.Exit


def _schema(command: str | None) -> None:
    if command is None:
        return
    from cra_engine.cli.shapes import SHAPES, schema_of

    if command not in SHAPES:
        raise CRAError(f"{command[:60]!r} prints no JSON; give one of {', '.join(sorted(SHAPES))}.")
    typer.echo(json.dumps(schema_of(command), indent=2))
    raise typer.Exit


@app.callback()
def engine(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version of the program.")
    ] = False,
    schema: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            callback=_schema,
            is_eager=True,
            help="Print the JSON schema of what a command prints with --json.",
        ),
    ] = None,
) -> None:
    """Read the options that every command has."""


def _say(text: str) -> None:
    """A sentence on stderr, on one line of bearable length whatever the names in it hold."""
    line = "".join(character if character.isprintable() else "?" for character in " ".join(text.split()))
    if len(line) > MOST_SAID:  # a name may hold a whole file; what to do stands at the end
        line = f"{line[: MOST_SAID // 2]} .. {line[-MOST_SAID // 2 :]}"
    typer.echo(line if line.endswith((".", "?")) else f"{line}.", err=True)


def _ended(number: int, _: object) -> None:
    """Asked to end: whatever was being written is taken back on the way out."""
    raise SystemExit(128 + number)


def main() -> None:
    """Run the command line; whatever goes wrong is one sentence on stderr: exit status 2, or 70 for our own fault."""
    for stream in (sys.stdout, sys.stderr):  # a file's name need not be UTF-8
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _ended)
    try:
        sys.exit(app(sys.argv[1:] or ["--help"], standalone_mode=False))
    except CRAError as error:
        _say(str(error))
        sys.exit(2)
    except TyperException as error:  # an option that is wrong, or missing
        _say(not_understood(error, str(app.info.name)))
        sys.exit(2)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:  # whoever read what is printed has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except OSError as error:
        _say(f"{error.filename or 'A file'} cannot be used: {error.strerror or type(error).__name__}.")
        sys.exit(2)
    except MemoryError:
        typer.echo("There is not enough memory; take fewer records or fewer attributes.", err=True)
        sys.exit(2)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in EXTRAS:
            _say(str(MissingLibraryError(str(error.name))))
            sys.exit(2)
        if "CRA_TRACEBACK" in os.environ:
            raise
        # Its own text may quote a record.
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}"
        typer.echo(
            f"The program broke off ({place}); this is a fault of the program. "
            "With CRA_TRACEBACK=1 it shows more, which may quote the data.",
            err=True,
        )
        sys.exit(70)


if __name__ == "__main__":
    main()
