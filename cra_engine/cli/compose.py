"""``cra-engine compose``: several releases of the same people, attacked together."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.cli.files import print_json, release_of
from cra_engine.cli.options import JsonOption, PriorOption
from cra_engine.cli.text import print_composition
from cra_engine.errors import CRAError, StudyError

if TYPE_CHECKING:
    from cra_engine import Release


def compose(
    releases: Annotated[
        list[Path], typer.Argument(metavar="RELEASE.csv ...", help="The published tables, an earlier one first.")
    ],
    study: Annotated[
        list[Path],
        typer.Option("--study", metavar="STUDY.toml", help="Study file: one for all, or repeated, one for each."),
    ],
    k: Annotated[
        list[int] | None, typer.Option("--k", help="Instead of the studies': one for all, or repeated, one for each.")
    ] = None,
    grown: Annotated[
        bool, typer.Option("--grown", help="Each release is of part of the people of the next one.")
    ] = False,
    linked_rows: Annotated[
        bool, typer.Option("--linked-rows", help="Row i of each release is of the same person.")
    ] = False,
    id_column: Annotated[
        str | None,
        typer.Option("--id-column", metavar="NAME", help="A column that names the person, in every release."),
    ] = None,
    time_limit: Annotated[float, typer.Option(min=0.0, help="Seconds for all of it.")] = 60.0,
    seed: Annotated[int, typer.Option(help="Of the estimate; 0 or more.")] = 0,
    prior: PriorOption = None,
    as_json: JsonOption = False,
) -> None:
    """Attack several releases of the same people together: what all of them leave possible at once."""
    from cra_engine import compose as composed
    from cra_engine.reports.plain_data import composition_json

    together = composed(
        _read(releases, study, k or []),
        grown=grown,
        linked_rows=linked_rows,
        id_column=id_column,
        time_limit=time_limit,
        seed=seed,
        prior=prior or "distinct",
    )
    for warning in together.warnings:
        typer.echo(f"Note: {warning}", err=True)
    if as_json:
        print_json(composition_json(together))
    else:
        print_composition(together)


def _read(releases: list[Path], studies: list[Path], ks: list[int]) -> "list[Release]":
    """Each release by its own study and k, or by the one that is for all."""
    for what, given in (("studies", len(studies)), ("values of k", len(ks))):
        if given not in (0, 1, len(releases)):
            raise StudyError(
                f"{given} {what} for {len(releases)} releases; give one for all, or one for each in their order."
            )
    by_release = studies * len(releases) if len(studies) == 1 else studies
    k_of: Sequence[int | None] = ks * len(releases) if len(ks) == 1 else ks or [None] * len(releases)
    return [_named(path, study, k) for path, study, k in zip(releases, by_release, k_of, strict=True)]


def _named(path: Path, study: Path, k: int | None) -> "Release":
    """A release, and where it cannot be one the name of its file: there are several."""
    try:
        return release_of(path, study, k)
    except CRAError as error:
        said = str(error)
        raise type(error)(said if path.name in said else f"{path.name}: {said}") from None
