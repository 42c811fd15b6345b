"""The program of the command line, with which each command registers itself where it is written."""

from typing import Any

from typer.core import TyperCommand, TyperGroup

from cra_engine.cli.guard import Commands

PANELS = PUBLISH, ATTACK, CHECK, RESEARCH = "Publish", "Attack", "Check", "Research"


class _Grouped(TyperGroup):
    """Lists the commands by what they are for."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Called for ``--help``; the types are those of the parser that Typer brings along."""
        panels: dict[str, list[tuple[str, str]]] = {panel: [] for panel in PANELS}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if isinstance(command, TyperCommand):
                panels[str(command.rich_help_panel)].append((name, command.get_short_help_str(limit=300)))
        for panel, rows in panels.items():  # each in the order of the alphabet
            with formatter.section(panel):
                formatter.write_dl(sorted(rows))


app = Commands(
    name="cra-engine",
    cls=_Grouped,
    help="Publish a table, attack the release, check what it gives away, and repeat the papers' experiments. What "
    "needs more than the engine says which part, such as [solver]: pip install 'cra-explorer[solver]' brings it.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
