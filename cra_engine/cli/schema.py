"""The command ``schema``, which says what the others print with ``--json``."""

import json
from typing import Annotated

import typer

from cra_engine.cli.app import RESEARCH, app
from cra_engine.errors import CRAError


@app.command("schema", panel=RESEARCH)
def schema(
    command: Annotated[
        str, typer.Argument(metavar="COMMAND", help="The command whose answer is meant, such as check.")
    ],
) -> None:
    """Print the JSON schema of what a command prints with --json."""
    from cra_engine.cli.shapes import SHAPES, schema_of

    if command not in SHAPES:
        raise CRAError(f"{command[:60]!r} prints no JSON; give one of {', '.join(sorted(SHAPES))}.")
    typer.echo(json.dumps(schema_of(command), indent=2))
