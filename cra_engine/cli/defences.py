"""The commands that say what to publish instead: ``compare`` and ``repair``."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.cli.app import CHECK, PUBLISH, app
from cra_engine.cli.files import decided, print_json, release_of, releases_of, study_of, write
from cra_engine.cli.options import DataArgument, DecimalOption, JsonOption, KOption, ReleaseArgument, StudyOption
from cra_engine.cli.progress import Progress
from cra_engine.errors import CRAError
from cra_engine.words import how_many

if TYPE_CHECKING:
    pass


@app.command("compare", panel=CHECK)
def compare(
    data: DataArgument,
    study: StudyOption,
    output: Annotated[Path, typer.Option("--output", metavar="COMPARE.html", help="Where the report goes.")],
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            help="local, safe, repaired, global, microaggregated, heterogeneous; repeat it. All by default.",
        ),
    ] = None,
    k: KOption = None,
    sensitive: Annotated[str | None, typer.Option(help="The column that l and t are of.")] = None,
    decimal: DecimalOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare every way to publish a table: what each keeps and what it gives away."""
    from cra_engine import WaySettings, read_table
    from cra_engine import compare as compared
    from cra_engine.defences.comparison import shown
    from cra_engine.defences.figures import MEASURES
    from cra_engine.defences.report import comparison_html, comparison_json

    publisher = study_of(study, k, models=True)
    settings = WaySettings(sensitive=sensitive) if not method else WaySettings(tuple(method), sensitive=sensitive)
    table = decided(read_table(data), publisher, decimal)
    try:
        with Progress(sys.stderr, "ways") as progress:
            found = compared(table, publisher, settings, progress=progress.show)
    except KeyboardInterrupt:
        raise CRAError("Stopped; nothing was written.") from None
    write((output, comparison_html(found, data.name)))
    if as_json:
        print_json(comparison_json(found))
        return
    told = [m for m in MEASURES if m.key in ("loss", "query_error", "certain", "expected", "gain")]
    typer.echo("  ".join(f"{m.title:>12}" for m in told) + "  way")
    for row in found.rows:
        if row.problem:
            typer.echo(f"Not possible: {row.label}. {row.problem}", err=True)
            continue
        typer.echo("  ".join(f"{shown(row.figures.get(m.key)):>12}" for m in told) + f"  {row.label}")
    typer.echo(found.recommended[1])
    typer.echo(f"Report in {output}.")


@app.command("repair", panel=PUBLISH)
def repair(
    release: ReleaseArgument,
    study: StudyOption,
    output: Annotated[Path, typer.Option("--output", metavar="REPAIRED.csv", help="Where the repaired release goes.")],
    k: KOption = None,
    likeliest: Annotated[
        float | None, typer.Option(help="Largest chance of exactly one person that a cell may have, such as 0.4.")
    ] = None,
    earlier: Annotated[
        list[Path] | None,
        typer.Option(
            "--with",
            metavar="EARLIER.csv",
            help="A release of the same people that is out already, so that it holds beside it too; repeat it.",
        ),
    ] = None,
    with_study: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="STUDY2.toml", help="Study of the earlier releases: one for all, or one each; that of --study."
        ),
    ] = None,
    with_k: Annotated[
        list[int] | None, typer.Option(metavar="K", help="Their k, instead of the studies': one for all, or one each.")
    ] = None,
    time_limit: Annotated[float, typer.Option(min=0.0, help="Seconds for reading all classes together.")] = 120.0,
    keep_order: Annotated[
        bool,
        typer.Option("--keep-order", help="Leave the rows in the order of RELEASE.csv, so that they can be linked."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Merge or suppress classes of a release until nobody stands alone for certain, nor (--likeliest) too likely."""
    from cra_engine import RepairTargets
    from cra_engine import repair as repaired

    if (with_study or with_k) and not earlier:
        raise CRAError("--with-study and --with-k speak of earlier releases; name these with --with.")
    before = releases_of(earlier, with_study or [study], with_k or []) if earlier else []
    found = repaired(
        release_of(release, study, k), RepairTargets(likeliest=likeliest), earlier=before, time_limit=time_limit
    )
    if not found.met:
        raise CRAError(found.why_not)
    write((output, found.release.to_csv_text(keep_order=keep_order)))
    if as_json:
        print_json(found.to_dict())
        return
    for step in found.steps:
        typer.echo(step)
    if not found.steps:
        typer.echo("Nothing had to be changed: the targets held before.")
    now, then = len(found.reading.certain), len(found.reading_before.certain)
    typer.echo(f"Cells with exactly one person for certain: {then} before, {now} now.")
    if not found.all_classes:
        typer.echo("All classes together were not read to the end; what they tell is not known.")
    typer.echo(
        f"Likeliest cell with exactly one person: {found.reading_before.likeliest:.3g} before, "
        f"{found.reading.likeliest:.3g} now; loss {found.loss_before:.3f} before, {found.loss:.3f} now."
    )
    if found.together is not None and found.together_before is not None:
        sure = "" if found.together.exact else " (estimated)"
        typer.echo(
            f"Beside {how_many(len(before), 'earlier release')}: {len(found.together_before.certain)} certain before, "
            f"{len(found.together.certain)} now; likeliest {found.together_before.likeliest:.3g} before, "
            f"{found.together.likeliest:.3g} now{sure}. Supposed: that all are of the same people."
        )
    typer.echo(f"{found.limits} Release in {output}.")
