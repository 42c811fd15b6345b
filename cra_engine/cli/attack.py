"""The commands that attack: ``attack``, with ``--list`` for the assignments of a class, and ``single-out``."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cra_engine.cli.app import ATTACK, app
from cra_engine.cli.clock import left
from cra_engine.cli.files import note, print_json, prior_of, raw_table, release_of
from cra_engine.cli.options import (
    BackendOption,
    DecimalOption,
    JsonOption,
    KOption,
    PopulationOption,
    PriorOption,
    ReleaseArgument,
    SchedulerOption,
    StudyOption,
    TiesOption,
)
from cra_engine.cli.text import (
    print_assignments,
    print_attack,
    print_chances,
    print_singled,
    print_sorted,
    print_tight,
    print_values,
)
from cra_engine.errors import CRAError
from cra_engine.words import digits

if TYPE_CHECKING:
    from cra_engine import Attack
    from cra_engine.attacks.refinement.class_attack import ClassAttack
    from cra_engine.counting.enumeration import Enumeration
    from cra_engine.study.grid import Grid

SECONDS = 60.0  # of what goes on until it is stopped, where no limit is given


@app.command("attack", panel=ATTACK, limited="all of it; of --tight and a list 60 if not given")
def attack_command(
    release: ReleaseArgument,
    study: StudyOption,
    k: KOption = None,
    ties: TiesOption = "sound",
    tight: Annotated[
        bool, typer.Option("--tight", help="Also attack all classes together; [solver] proves more.")
    ] = False,
    listed: Annotated[
        int | None,
        typer.Option(
            "--list",
            metavar="CLASS",
            help="Instead list the feasible assignments of this class, from 0; -1: suppressed records. Needs [solver].",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="With --list: list at most so many; 1000 if not given.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="SEED", help="Of the tight attack's estimate, 0 or more; 0 if not given.")
    ] = None,
    sorted_by: Annotated[
        str | None,
        typer.Option(
            "--sorted-by",
            metavar="NAME",
            help="With --tight: suppose that the rows stand in the order of a table sorted by this quasi-identifier.",
        ),
    ] = None,
    descending: Annotated[bool, typer.Option("--descending", help="With --sorted-by: its values fall.")] = False,
    prior: PriorOption = None,
    population: PopulationOption = None,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Attack a release with nothing but the release and its study."""
    from cra_engine import attack as attacked
    from cra_engine import tight_attack
    from cra_engine.assess.attacked import attack_both, attack_by_class
    from cra_engine.attacks.tight.sorted_rows import narrow_by_order

    each_row = tight and sorted_by is not None
    published = release_of(release, study, k, backend, scheduler, each_row=each_row)
    if listed is not None:
        apart = {"--tight": tight, "--seed": seed is not None, "--prior": prior, "--population": population}
        apart |= {"--sorted-by": bool(sorted_by), "--descending": descending}
        note(*(f"{name} plays no part with --list." for name, given in apart.items() if given))
        part = _pick(attacked(published, ties=ties), listed)
        assignments = part.assignments(limit or 1000, left(SECONDS))
        if as_json:
            print_json(_listed(part.release.grid, assignments))
        else:
            print_assignments(part.release.grid, assignments)
        return
    needed: dict[str, tuple[object, str]] = {"--limit": (limit, "--list")}
    if not tight:
        needed |= {"--seed": (seed, "--tight"), "--sorted-by": (sorted_by, "--tight")}
    if sorted_by is None:
        needed["--descending"] = (descending or None, "--sorted-by")
    idle = {name: option for name, (given, option) in needed.items() if given is not None}
    note(*(f"{name} is for the attack with {option}; here it does nothing." for name, option in idle.items()))
    weighed, known = prior_of(prior, population, published.study)
    together = in_order = None
    if not tight:
        result = attack_by_class(published, weighed, known, ties)
    else:
        result, together = attack_both(
            published,
            weighed,
            known,
            partial(tight_attack, published, time_limit=left(SECONDS), seed=seed or 0),
            ties,
        )
        if sorted_by is not None:
            in_order = narrow_by_order(together, sorted_by, descending=descending, time_limit=left(SECONDS))
    note(*dict.fromkeys((*result.warnings, *(() if together is None else together.warnings))))
    if as_json:
        told = result.to_dict() | ({} if together is None else {"tight": together.to_dict()})
        print_json(told | ({} if in_order is None else {"sorted": in_order.to_dict()}))
        return
    print_attack(result)
    if together is not None:
        print_tight(together)
    if in_order is not None:
        print_sorted(in_order)


@app.command("single-out", panel=ATTACK, limited="all of it; of the probabilities 60 if not given")
def single_out_command(
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
    values: Annotated[
        bool, typer.Option("--values", help="Instead who has what: the sensitive values of each cell's people.")
    ] = False,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the cells that isolate one person: checked against the raw data, or as probabilities without them."""
    from cra_engine import SinglingChances, who_has_what
    from cra_engine import single_out as singled
    from cra_engine.assess.attacked import attack_by_class

    each_row = data is not None and not values
    published = release_of(release, study, k, backend, scheduler, each_row=each_row)
    raw = None if data is None else raw_table(data, published.study, decimal, backend, scheduler)[0]
    weighed, known = prior_of(prior, population, published.study)
    result = attack_by_class(published, weighed, known, ties)
    if values:
        note(*(["DATA.csv plays no part with --values."] if raw is not None else []))
        who = who_has_what(result, time_limit=left(SECONDS))
        note(*who.warnings)
        if as_json:
            print_json(who.to_dict())
        else:
            print_values(who)
        return
    singled_out = singled(result, time_limit=left(SECONDS)) if raw is None else singled(result, raw)
    if as_json:
        print_json(singled_out.to_dict())
    elif isinstance(singled_out, SinglingChances):
        print_chances(singled_out)
    else:
        print_singled(singled_out)


def _listed(grid: "Grid", listing: "Enumeration") -> dict[str, Any]:
    from cra_engine.results import plain

    return plain(
        {
            "cells": [grid.box(grid.cell_segment(cell)) for cell in listing.cells],
            "assignments": listing.assignments,
            "complete": listing.complete,
            "combinations": digits(listing.combinations),
        }
    )


def _pick(result: "Attack", index: int) -> "ClassAttack":
    classes, suppressed = result.classes, result.suppressed
    if index == -1 and suppressed is not None:
        return suppressed
    if not 0 <= index < len(classes):
        also = ", or -1 for the suppressed records" if suppressed is not None else ""
        span = f"give 0 to {len(classes) - 1}{also}" if classes else f"there is none{also}"
        raise CRAError(f"There is no class {index}; {span}.")
    return classes[index]
