"""The commands that say what to publish instead: ``compare`` and ``repair``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.cli.app import CHECK, PUBLISH, app
from cra_engine.cli.clock import counting, left
from cra_engine.cli.files import (
    check_answers,
    earlier_release,
    note,
    print_json,
    raw_table,
    release_of,
    releases_of,
    study_of,
    write,
)
from cra_engine.cli.options import (
    BackendOption,
    DataArgument,
    DecimalOption,
    EarlierOption,
    EarlierStudyOption,
    JsonOption,
    KOption,
    ReleaseArgument,
    SchedulerOption,
    StudyOption,
)
from cra_engine.cli.text import print_comparison
from cra_engine.errors import CRAError
from cra_engine.words import how_many, percent

if TYPE_CHECKING:
    pass


@app.command("compare", panel=CHECK, limited="all options together, reading included; 600 if not given")
def compare_command(
    data: DataArgument,
    study: StudyOption,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="COMPARE.html",
            help="Where the report goes, for the publisher alone; with --json it may be left out.",
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            help="local, safe, repaired, global, microaggregated, heterogeneous; repeat it. All by default.",
        ),
    ] = None,
    ks: Annotated[
        str | None, typer.Option("--k", metavar="NUMBERS", help="3-7 or 3,5; the study's if left out.")
    ] = None,
    layers: Annotated[
        list[str] | None,
        typer.Option("--layers", metavar="NAME=NUMBERS", help="An attribute's layers, such as age=3-4; repeat it."),
    ] = None,
    profile: Annotated[
        list[str] | None,
        typer.Option("--profile", metavar="PROFILE", help="Local recoding: paper, arx-gui or a share; repeat it."),
    ] = None,
    epsilon: Annotated[
        str | None, typer.Option("--epsilon", metavar="NUMBERS", help="Safe recoding: what it may tell, 0.5,1.")
    ] = None,
    suppression: Annotated[
        str | None, typer.Option("--suppression", metavar="SHARES", help="Global recoding: suppression limits, 0,0.05.")
    ] = None,
    around: Annotated[
        bool,
        typer.Option(
            "--around", help="Try k and layers around the study's, by local and global recoding; not every way."
        ),
    ] = False,
    sensitive: Annotated[str | None, typer.Option(help="The column that l and t are of.")] = None,
    choose: Annotated[
        list[int] | None, typer.Option("--choose", metavar="NUMBER", help="Show this option in full; one or two.")
    ] = None,
    earlier: EarlierOption = None,
    earlier_study: EarlierStudyOption = None,
    decimal: DecimalOption = None,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare ways to publish, k and layers: what each keeps, what it gives away, and whether it passes the check."""
    from cra_engine import compare as compared
    from cra_engine.cli.compare_options import grid_of
    from cra_engine.options.grid import OptionGrid
    from cra_engine.options.report import comparison_html, comparison_json
    from cra_engine.options.ways import too_many
    from cra_engine.publish.local.safe import safe_study

    check_answers(output, as_json=as_json)
    if choose and len(choose) > 2:
        raise CRAError(f"--choose is given {len(choose)} times; the report shows one or two options side by side.")
    publisher = study_of(study, None, models=True)
    before = earlier_release(earlier, earlier_study, study)
    if before is not None:
        publisher = safe_study(publisher, publisher.epsilon or 1, before)
    table, notes = raw_table(data, publisher, decimal, backend, scheduler)
    note(*notes)
    grid = None
    if any((ks, layers, method, profile, epsilon, suppression, around)):
        asked = (method or (), profile or (), epsilon, suppression)
        grid = grid_of(publisher, len(table), ks, layers or (), *asked, around=around)
    planned = (OptionGrid.of(publisher) if grid is None else grid).planned(publisher)
    note(*dict.fromkeys(filter(None, (too_many(option, len(table)) for option in planned))))
    comparison = compared(
        table,
        publisher,
        grid,
        sensitive=sensitive,
        progress=counting("options"),
        cancelled=lambda: not left(600.0),
    )
    if not comparison.points:
        raise CRAError("Within the time limit no option was measured; allow more with --time-limit.")
    chosen = [comparison.point(number).number for number in choose or ()]
    if output is not None:
        write((output, comparison_html(comparison, data.name, chosen)))
    over = "The time limit was over before all options were tried; those that are not listed were not looked at."
    note(*comparison.warnings, *([] if comparison.complete else [over]))
    if as_json:
        print_json(comparison_json(comparison, chosen))
        return
    print_comparison(comparison, chosen)
    typer.echo(f"Report in {output}.")


@app.command("repair", panel=PUBLISH, tables=("output",), limited="all of it, reading included; 120 if not given")
def repair_command(
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
    repair = repaired(
        release_of(release, study, k, each_row=True),
        RepairTargets(likeliest=likeliest),
        earlier=before,
        time_limit=left(120.0),
    )
    if not repair.met:
        raise CRAError(repair.why_not)
    write((output, repair.release.to_csv_text(keep_order=keep_order)))
    if as_json:
        print_json(repair.to_dict())
        return
    for step in repair.steps:
        typer.echo(step)
    if not repair.steps:
        typer.echo("Nothing had to be changed: the targets held before.")
    now, then = len(repair.reading.certain), len(repair.reading_before.certain)
    typer.echo(f"Cells with exactly one person for certain: {then} before, {now} now.")
    if not repair.all_classes:
        typer.echo("All classes together were not read to the end; what they tell is not known.")
    typer.echo(
        f"Likeliest cell with exactly one person: {repair.reading_before.likeliest:.3g} before, "
        f"{repair.reading.likeliest:.3g} now; information lost {percent(repair.loss_before, 1)} before, "
        f"{percent(repair.loss, 1)} now."
    )
    if repair.together is not None and repair.together_before is not None:
        sure = "" if repair.together.exact else " (estimated)"
        typer.echo(
            f"Beside {how_many(len(before), 'earlier release')}: {len(repair.together_before.certain)} certain before, "
            f"{len(repair.together.certain)} now; likeliest {repair.together_before.likeliest:.3g} before, "
            f"{repair.together.likeliest:.3g} now{sure}. Supposed: that all are of the same people."
        )
    if repair.steps:
        typer.echo('The study that goes out with it has to say recoding = "repaired": else readers rule out the truth.')
    typer.echo(f"{repair.limits} Release in {output}.")
