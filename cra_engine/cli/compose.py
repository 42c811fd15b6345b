"""``cra-engine compose``: several releases of the same people, attacked together."""

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.cli.app import ATTACK, app
from cra_engine.cli.files import note, print_json, prior_of, releases_of
from cra_engine.cli.options import JsonOption, PopulationOption, PriorOption
from cra_engine.cli.text import print_composition

if TYPE_CHECKING:
    from cra_engine import Release


@app.command("compose", panel=ATTACK)
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
    population: PopulationOption = None,
    as_json: JsonOption = False,
) -> None:
    """Attack several releases of the same people together: what all of them leave possible at once."""
    from cra_engine import compose as composed

    published = releases_of(releases, study, k or [])
    weighed, known = prior_of(prior, population, published[0].study)
    together = composed(
        published,
        grown=grown,
        linked_rows=linked_rows,
        id_column=id_column,
        time_limit=time_limit,
        seed=seed,
        prior=weighed,
        population=known,
    )
    note(*together.warnings)
    if not (grown or linked_rows or id_column):
        note(*_linkable(published))
    if as_json:
        print_json(together.to_dict())
    else:
        print_composition(together)


def _linkable(releases: "list[Release]") -> tuple[str, ...]:
    """Say that the rows of all releases can be of the same people row by row, where chance does not explain it."""
    from cra_engine.attacks.order import LEVEL, chance_that_rows_fit

    chances = [chance_that_rows_fit(one, other) for one, other in pairwise(releases)]
    if not chances or any(chance is None or chance > LEVEL for chance in chances):
        return ()
    said = (
        "Row i of each release can be of the same person, which rows in random order would hardly show: the releases "
        "seem to keep the table's order; if they do, --linked-rows says more."
    )
    return (said,)
