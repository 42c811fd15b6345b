"""The commands that attack: ``attack``, ``enumerate`` and ``single-out``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.cli.files import decided, note, print_json, prior_of, release_of
from cra_engine.cli.options import (
    DecimalOption,
    JsonOption,
    KOption,
    PopulationOption,
    PriorOption,
    ReleaseArgument,
    StudyOption,
    TiesOption,
)
from cra_engine.cli.text import mean_ratios, print_chances, print_singled, print_tight, ratio, span
from cra_engine.errors import CRAError

if TYPE_CHECKING:
    from cra_engine.attacks.refinement.class_attack import ClassAttack


def attack(
    release: ReleaseArgument,
    study: StudyOption,
    k: KOption = None,
    ties: TiesOption = "sound",
    tight: Annotated[bool, typer.Option("--tight", help="Also attack all classes together.")] = False,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0.0, help="Seconds for the tight attack; 60 if not given.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="SEED", help="Of the tight attack's estimate, 0 or more; 0 if not given.")
    ] = None,
    prior: PriorOption = None,
    population: PopulationOption = None,
    as_json: JsonOption = False,
) -> None:
    """Attack a release with nothing but the release and its study."""
    from cra_engine import attack as attacked
    from cra_engine import tight_attack
    from cra_engine.reports.plain_data import attack_json, tight_json

    published = release_of(release, study, k)
    weighed, known = prior_of(prior, population, published.study)
    result = attacked(published, ties=ties, prior=weighed, population=known)
    together = None
    unused = (("--time-limit", time_limit is not None), ("--seed", seed is not None))
    if tight:
        seconds = 60.0 if time_limit is None else time_limit
        together = tight_attack(published, time_limit=seconds, seed=seed or 0, prior=weighed, population=known)
    else:
        note(*(f"{name} is for the attack with --tight; here it does nothing." for name, given in unused if given))
    note(*dict.fromkeys((*result.warnings, *(() if together is None else together.warnings))))
    if as_json:
        print_json(attack_json(result) | ({} if together is None else {"tight": tight_json(together)}))
        return
    typer.echo(f"{'class':>8} {'size':>5} {'free cells':>10} {'combinations':>14} {'ratio':>12}  box")
    for part in result.parts:
        name = "suppressed" if part.index is None else str(part.index)
        typer.echo(
            f"{name:>8} {part.size:>5} {len(part.free_cells):>10} {span(*part.combinations_bounds):>14} "
            f"{ratio(part):>12}  {part.release.grid.describe(part.segment)}"
        )
    typer.echo(mean_ratios(result))
    if together is not None:
        print_tight(together)


def list_assignments(
    release: ReleaseArgument,
    study: StudyOption,
    index: Annotated[
        int, typer.Option("--class", metavar="INDEX", help="Index of the class, from 0; -1: suppressed records.")
    ],
    k: KOption = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="List at most this many assignments.")] = 1000,
    time_limit: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.0, help="Stop listing after this many seconds.")
    ] = 60.0,
    ties: TiesOption = "sound",
    as_json: JsonOption = False,
) -> None:
    """List the feasible assignments of one class."""
    from cra_engine import attack as attacked
    from cra_engine.reports.plain_data import enumeration_json

    result = attacked(release_of(release, study, k), ties=ties)
    part = _pick(result.classes, result.suppressed, index)
    listing = part.assignments(limit, time_limit)
    if as_json:
        print_json(enumeration_json(part, listing))
        return
    grid = part.release.grid
    for number, cell in enumerate(listing.cells):
        typer.echo(f"cell {number}: {grid.describe(cell)}")
    for counts in listing.assignments:
        typer.echo(" ".join(map(str, counts)))
    extent = "all of them" if listing.complete else "not all: the listing was cut short"
    typer.echo(f"{len(listing.assignments)} of {listing.combinations} feasible assignments ({extent}).")


def single_out(
    release: ReleaseArgument,
    study: StudyOption,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DATA.csv", help="The raw table, rows in the release's order.")
    ] = None,
    k: KOption = None,
    ties: TiesOption = "sound",
    decimal: DecimalOption = None,
    prior: PriorOption = None,
    population: PopulationOption = None,
    time_limit: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.0, help="Seconds for the probabilities, without DATA.csv.")
    ] = 60.0,
    as_json: JsonOption = False,
) -> None:
    """Find the cells that isolate one person: checked against the raw data, or as probabilities without them."""
    from cra_engine import SinglingChances, read_table
    from cra_engine import attack as attacked
    from cra_engine import single_out as singled
    from cra_engine.reports.plain_data import singling_json

    published = release_of(release, study, k)
    raw = None if data is None else decided(read_table(data), published.study, decimal)
    weighed, known = prior_of(prior, population, published.study)
    result = attacked(published, ties=ties, prior=weighed, population=known)
    found = singled(result, time_limit=time_limit) if raw is None else singled(result, raw)
    if as_json:
        print_json(singling_json(found))
    elif isinstance(found, SinglingChances):
        print_chances(found)
    else:
        print_singled(found)


def _pick(classes: "tuple[ClassAttack, ...]", suppressed: "ClassAttack | None", index: int) -> "ClassAttack":
    if index == -1 and suppressed is not None:
        return suppressed
    if not 0 <= index < len(classes):
        also = ", or -1 for the suppressed records" if suppressed is not None else ""
        span = f"give 0 to {len(classes) - 1}{also}" if classes else f"there is none{also}"
        raise CRAError(f"There is no class {index}; {span}.")
    return classes[index]
