"""``cra-engine compose``: several releases of the same people, attacked together."""

from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.cli.app import ATTACK, app
from cra_engine.cli.clock import left
from cra_engine.cli.files import note, print_json, prior_of, releases_of
from cra_engine.cli.options import BackendOption, JsonOption, PopulationOption, PriorOption, SchedulerOption
from cra_engine.cli.text import print_composition
from cra_engine.errors import CRAError
from cra_engine.words import how_many, number_text

if TYPE_CHECKING:
    from cra_engine import Release


@app.command("compose", panel=ATTACK, limited="all of it, reading included; 60 if not given")
def compose_command(
    releases: Annotated[
        list[Path], typer.Argument(metavar="RELEASE.csv ...", help="The published tables, an earlier one first.")
    ],
    study: Annotated[
        list[Path] | None,
        typer.Option(
            "--study",
            metavar="STUDY.toml",
            help="Study file: one for all, or repeated, one for each; hierarchies are guessed from the labels without.",
        ),
    ] = None,
    k: Annotated[
        list[int] | None, typer.Option("--k", help="Instead of the studies': one for all, or repeated, one for each.")
    ] = None,
    grown: Annotated[
        bool, typer.Option("--grown", help="Each release is of part of the people of the next one.")
    ] = False,
    linked_rows: Annotated[
        bool, typer.Option("--linked-rows", help="Row i of each release is of the same person, new rows last.")
    ] = False,
    id_column: Annotated[
        str | None,
        typer.Option("--id-column", metavar="NAME", help="A column that names the person, in every release."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the estimate; 0 or more.")] = 0,
    prior: PriorOption = None,
    population: PopulationOption = None,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Attack several releases of the same people together: what all of them leave possible at once."""
    from cra_engine import compose as composed
    from cra_engine.assess.attacked import suggested_prior

    linked = grown or linked_rows or id_column
    each_row = linked_rows or id_column is not None
    published = releases_of(releases, study or [], k or [], backend, scheduler, each_row=each_row)
    if len(published) > 1 and all(release.study.safe for release in published) and not linked:
        if prior or population:
            raise CRAError("What the counts of safe releases settle holds in every table; leave out the prior.")
        _compose_safe(published, as_json=as_json)
        return
    weighed, known = prior_of(prior, population, published[0].study)
    if known is None:
        weighed = weighed or suggested_prior(published)
    together = composed(
        published,
        grown=grown,
        linked_rows=linked_rows,
        id_column=id_column,
        time_limit=left(SECONDS),
        seed=seed,
        prior=weighed or "distinct",
        population=known,
    )
    note(*together.warnings)
    if not linked:
        note(*_linkable(published))
    if as_json:
        print_json(together.to_dict())
    else:
        print_composition(together)


MOST_SHOWN = 10
SECONDS = 60.0  # if no limit is given


def _compose_safe(releases: "list[Release]", *, as_json: bool) -> None:
    """Say what the counts of several safe releases settle."""
    from cra_engine.attacks.composition.safe_together import compose_safe

    found, grid = compose_safe(releases, time_limit=left(SECONDS)), releases[0].grid
    if as_json:
        sets = [{"cells": [grid.describe(cell) for cell in one.cells], "people": one.people} for one in found.settled]
        certain = [grid.describe(cell) for cell in found.certain]
        size = {"releases": len(releases), "records": releases[0].records, "k": min(one.k for one in releases)}
        told = {"nested": found.nested, "complete": found.complete, "certain": certain, "settled": sets}
        print_json(size | told)
        return
    typer.echo(
        f"{len(releases)} safe releases of {how_many(releases[0].records, 'record')}: their choices exclude no table, "
        f"their counts settle {how_many(len(found.settled), 'set')} of cells at fewer people than k, and "
        f"{how_many(len(found.certain), 'cell')} at exactly one person."
    )
    for one in found.settled[:MOST_SHOWN]:
        more = f" and {how_many(len(one.cells) - 1, 'more cell')}" if len(one.cells) > 1 else ""
        typer.echo(f"  {how_many(one.people, 'person', 'people')}: {grid.describe(one.cells[0])}{more}")
    if len(found.settled) > MOST_SHOWN:
        typer.echo(f"  ... and {len(found.settled) - MOST_SHOWN:,} more (--json lists all)")
    if not found.complete:
        typer.echo("The time did not suffice for all cells; more may be settled.")
    if not found.nested:
        typer.echo(
            "By these studies none was drawn inside another, so that their counts can be subtracted; a later release "
            "that is drawn by safe-recode --earlier settles nothing, and has a study of its own, which names the "
            "earlier ones. Supposed: that all are of the same people. There can be more sets than are looked for."
        )
        return
    floor = all(release.study.floor for release in releases)
    settled = ", and no set of cells is settled at fewer people than k" if floor else ""
    spent = number_text(max(release.study.epsilon_of_all or Decimal(0) for release in releases))
    typer.echo(
        f"Each was drawn inside the one before: their choices together tell {spent} at most about one person{settled}."
    )


def _linkable(releases: "list[Release]") -> tuple[str, ...]:
    """Say that the rows of all releases can be of the same people row by row, where chance does not explain it."""
    from cra_engine.attacks.order import LEVEL, chance_that_rows_fit

    if any(release.counted is not None for release in releases):
        return ()  # of rows that were counted nobody knows the order
    chances = [chance_that_rows_fit(one, other) for one, other in pairwise(releases)]
    if not chances or any(chance is None or chance > LEVEL for chance in chances):
        return ()
    said = (
        "Row i of each release can be of the same person, which rows in random order would hardly show: the releases "
        "seem to keep the table's order; if they do, --linked-rows says more."
    )
    return (said,)
