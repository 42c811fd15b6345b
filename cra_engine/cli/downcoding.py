"""Minimal releases, downcoding and effective anonymity: ``minimal``, ``downcode``, ``effective-anonymity``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.choices import Publisher
from cra_engine.cli.app import ATTACK, CHECK, PUBLISH, app
from cra_engine.cli.files import decided, hand_out, note, print_json, raw_table, study_of, write
from cra_engine.cli.options import (
    DataArgument,
    DecimalOption,
    JsonOption,
    KeepOrderOption,
    KOption,
    ReleaseArgument,
    ReleaseOutput,
    StudyOption,
)
from cra_engine.errors import DataError
from cra_engine.words import how_many, percent

if TYPE_CHECKING:
    import pandas as pd

    from cra_engine.study.study import Study

MOST_SHOWN = 10

SeedOption = Annotated[int | None, typer.Option("--seed", help="Same seed, same choices; at random without.")]


@app.command("minimal", panel=PUBLISH, tables=("output",))
def minimal_command(
    data: DataArgument,
    study: StudyOption,
    output: ReleaseOutput,
    k: KOption = None,
    seed: SeedOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="List every minimal release besides; for tables of a few records.")
    ] = False,
    decimal: DecimalOption = None,
    keep_order: KeepOrderOption = False,
    as_json: JsonOption = False,
) -> None:
    """Publish by minimal local recoding: nothing is more general than k needs, which is what downcoding uses."""
    from cra_engine import minimal_release, minimal_releases
    from cra_engine.publish.check import check_release

    publisher = study_of(study, k)
    raw, notes = raw_table(data, publisher, decimal)
    listed = minimal_releases(raw, publisher) if every else None
    result = minimal_release(raw, publisher, seed)
    check_release(raw, publisher, result.frame)
    notes += hand_out(result.frame, output, keep_order=keep_order, seed=seed)
    if result.minimal is None:
        notes += ("No single move refines the release, but it is too large to exclude that several at once do.",)
    note(*notes, *result.warnings)
    shown = None if listed is None else [one.frame[list(publisher.names)].to_numpy().tolist() for one in listed]
    if as_json:
        written = result.to_dict()
        print_json(written if shown is None else written | {"releases": shown})
        return
    typer.echo(
        f"{how_many(len(raw), 'record')}, k = {publisher.k}: {how_many(len(result.classes), 'class', 'classes')}. "
        f"Release in {output}."
    )
    for number, rows in enumerate(shown or (), start=1):
        typer.echo(f"Minimal release {number} of {len(shown or ())}:")
        for row in rows:
            typer.echo("  " + "  ".join(row))


@app.command("downcode", panel=ATTACK, tables=("output",))
def downcode_command(
    release: ReleaseArgument,
    study: StudyOption,
    output: Annotated[Path, typer.Option("--output", metavar="Z.csv", help="Where the refined table goes.")],
    k: KOption = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DATA.csv", help="The raw table, to check the attack against.")
    ] = None,
    supposing: Annotated[
        Publisher | None,
        typer.Option(
            "--supposing",
            help="Refine any release, whatever its hierarchies, by what holds for certain: of every minimal release, "
            "or of ARX's local recoding.",
        ),
    ] = None,
    decimal: DecimalOption = None,
    as_json: JsonOption = False,
) -> None:
    """Refine a minimal release from nothing but its hierarchies, and single out whom that betrays."""
    from cra_engine import compound_predicates, read_table
    from cra_engine import downcode as downcoded
    from cra_engine.files.csv_text import csv_text
    from cra_engine.release import read_release_table

    publisher = study_of(study, k)
    if supposing is not None:
        if data is not None:
            raise DataError("With --supposing what is written holds for certain; leave out --data.")
        _refine_for_certain(read_release_table(release), publisher, supposing, output, as_json=as_json)
        return
    downcoding = downcoded(read_release_table(release), publisher)
    raw = None if data is None else decided(read_table(data), publisher, decimal)
    compound = compound_predicates(downcoding, raw)
    write((output, csv_text(downcoding.frame)))
    if as_json:
        print_json(downcoding.to_dict() | compound.to_dict())
        return
    if not downcoding.refined:
        typer.echo(f"{downcoding.why_not} The copied table is in {output}.")
        return
    typer.echo(
        f"The attack on {downcoding.attack} refines {how_many(downcoding.refined, 'record')} of "
        f"{len(downcoding.frame):,}, each in {how_many(downcoding.delta_d, 'attribute')} at least. "
        f"Refined table in {output}."
    )
    for predicate, weight in list(zip(compound.predicates, compound.log10_weights, strict=True))[:MOST_SHOWN]:
        shown = "  ".join(f"{name} {label}" for name, label in zip(publisher.names, predicate, strict=True))
        typer.echo(f"weight 10^{weight:.2f}: {shown}")
    if len(compound.predicates) > MOST_SHOWN:
        typer.echo(f"... and {len(compound.predicates) - MOST_SHOWN:,} more predicates (--json lists all)")
    if compound.isolating is None:
        typer.echo("Whether that is right the release does not tell; --data checks it.")
        return
    right = "still generalizes" if compound.generalizes else "does not generalize"
    typer.echo(
        f"The refined table {right} the data; {how_many(compound.isolating, 'predicate')} of "
        f"{len(compound.predicates):,} true of exactly one record."
    )


def _refine_for_certain(
    release: "pd.DataFrame", study: "Study", supposing: Publisher, output: Path, *, as_json: bool
) -> None:
    """Writes what holds in every possible table."""
    from cra_engine.attacks.downcoding.forced import forced_refinement
    from cra_engine.files.csv_text import csv_text

    found = forced_refinement(release, study, supposing=supposing)
    write((output, csv_text(found.frame)))
    if as_json:
        print_json(found.to_dict())
        return
    if not found.refined:
        typer.echo(f"No class by itself must be finer anywhere. The copied table is in {output}.")
        return
    typer.echo(
        f"This release can be downcoded: {how_many(found.refined, 'record')} of {len(found.boxes):,} are finer in "
        f"every table that gives it. Refined table in {output}."
    )


@app.command("effective-anonymity", panel=CHECK, tables=("output",))
def effective_anonymity_command(
    table: Annotated[Path, typer.Argument(metavar="TABLE.csv", help="A table, raw or published.")],
    qi: Annotated[
        list[str] | None, typer.Option("--qi", metavar="NAME", help="A column that the attacker knows; repeat it.")
    ] = None,
    study: Annotated[
        Path | None, typer.Option("--study", help="Or a study file: its attributes, with labels that hold values.")
    ] = None,
    missing: Annotated[
        list[str] | None,
        typer.Option(
            "--missing", metavar="TOKEN", help="What stands for a missing cell, besides an empty one; repeat."
        ),
    ] = None,
    below: Annotated[int, typer.Option("--below", help="Count the records with less than this.")] = 5,
    withheld: Annotated[
        int | None,
        typer.Option("--withheld", metavar="N", help="People of the table who are not in the release, with --apart."),
    ] = None,
    apart: Annotated[
        str | None,
        typer.Option(
            "--apart", metavar="NAME", help="Of the columns the one that does not hang on the others; see --withheld."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="EACH.csv",
            help="Where the table with ea and ea_amb goes; of a raw table for the publisher alone.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say with how many records each record can be confused, and what missing cells leave open."""
    from cra_engine import effective_anonymity as measured
    from cra_engine.files.csv_text import csv_text
    from cra_engine.files.tables import read_noted

    if (study is None) == (not qi):
        raise DataError("Name columns with --qi, or give a study with --study; one of both.")
    if below < 2:
        raise DataError(f"--below is {below}; give 2 or more, since no record has less than 1.")
    if (withheld is None) != (apart is None) or (withheld is not None and not qi):
        raise DataError("--withheld and --apart go together, with the columns named by --qi.")
    read, notes = read_noted(table)
    by = qi or [] if study is None else study_of(study, None, models=True)
    anonymity = measured(read, by, missing=missing or ())
    mistaken = None
    if withheld is not None and apart is not None:
        from cra_engine.risk.withheld import withheld_matches

        alone = anonymity.ea_amb == 1
        mistaken = withheld_matches(read, qi or [], apart, withheld, missing=missing or ())[alone]
    if output is not None:
        twice = [name for name in ("ea", "ea_amb") if name in read.columns]
        if twice:
            raise DataError(f"The table has a column {twice[0]!r} already; rename it, or leave out --output.")
        write((output, csv_text(read.assign(ea=anonymity.ea, ea_amb=anonymity.ea_amb))))
    note(*notes)
    counts = anonymity.to_dict(below)
    if mistaken is not None and len(mistaken):
        ends = {"lowest": float(mistaken.min()), "highest": float(mistaken.max())}
        counts["mistaken"] = {**ends, "average": float(mistaken.mean())}
    if as_json:
        print_json(counts)
        return
    typer.echo(f"{how_many(len(read), 'record')}; columns: {', '.join(anonymity.quasi_identifiers)}.")
    for name, what in (("ea", "equal cells"), ("ea_amb", "a missing cell may be anything")):
        unique, few = counts[name]["unique"], counts[name]["below"]
        typer.echo(
            f"Effective anonymity, {what}: {unique:,} unique ({percent(unique / len(read), 1)}), {few:,} below {below} "
            f"({percent(few / len(read), 1)})."
        )
    if "mistaken" in counts:
        ends = counts["mistaken"]
        typer.echo(
            "Who finds one that is unique whatever missing cells hold may mean one of "
            f"{how_many(withheld or 0, 'person', 'people')} who {'is' if withheld == 1 else 'are'} left out: a chance "
            f"of at most {percent(ends['lowest'], 2)} to {percent(ends['highest'], 2)}, "
            f"{percent(ends['average'], 2)} on average (r p q)."
        )
    if output is not None:
        typer.echo(f"Each record's in {output}.")
