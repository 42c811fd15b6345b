"""The command ``experiment``: the paper's evaluation by a plan, its tables, and simulations of downcoding."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cra_engine.choices import Backend, DowncodingAttack
from cra_engine.cli.app import RESEARCH, app
from cra_engine.cli.clock import counting
from cra_engine.cli.files import note, print_json, write
from cra_engine.cli.options import JsonOption, SchedulerOption
from cra_engine.errors import CRAError, DataError
from cra_engine.files.apart import check_apart
from cra_engine.words import how_many, percent

if TYPE_CHECKING:
    from cra_engine.experiments.downcoding import ClusterSimulation, LadderSimulation

MOST_SHOWN = 10


@app.command("experiment", panel=RESEARCH, writes=("output", "timings"))
def experiment_command(
    plan: Annotated[
        Path | None, typer.Argument(metavar="[PLAN.toml]", help="What to run; see plans/paper.toml.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="RESULTS.csv",
            help="Where rows go, a run that was stopped goes on; with --report the folder of the report.",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="RESULTS.csv",
            help="Instead of a plan: write the paper's tables from these results, as Markdown, HTML, CSV and a figure.",
        ),
    ] = None,
    simulate: Annotated[
        DowncodingAttack | None,
        typer.Option(
            "--simulate",
            help="Instead of a plan: try downcoding on made-up tables. clusters: people around a few centres; ladder: "
            "most have 0, the others a value of their own, and the hierarchy is 0, 0-1, 0-2, ..",
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", min=1, help="Workers; as many as there are by default.")
    ] = None,
    backend: Annotated[
        Backend | None,
        typer.Option(
            help="loky, the default: processes of this machine. dask: a cluster, which gets the data; needs [cluster]."
        ),
    ] = None,
    scheduler: SchedulerOption = None,
    timings: Annotated[
        Path | None, typer.Option("--timings", metavar="TIMINGS.csv", help="Another file for how long each step took.")
    ] = None,
    k: Annotated[int | None, typer.Option("--k", help="Simulated: smallest class; 10, for a ladder 2.")] = None,
    records: Annotated[int | None, typer.Option(help="Simulated: records of a table; 100, for a ladder 20.")] = None,
    clusters: Annotated[int | None, typer.Option(help="Simulated: number of clusters; 10.")] = None,
    dimensions: Annotated[int | None, typer.Option(help="Simulated: attributes; 64, for a ladder 128.")] = None,
    alpha: Annotated[
        float | None, typer.Option(help="Simulated ladder: values go up to records^2 / alpha; 0.05.")
    ] = None,
    runs: Annotated[int | None, typer.Option(help="Simulated: tables that are drawn; 300, for a ladder 20.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Simulated: same seed, same tables.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Publish and attack many samples, as the paper's evaluation does; write its tables; simulate downcoding."""
    if sum(way is not None for way in (plan, report, simulate)) != 1:
        raise DataError("Give a plan, or --report RESULTS.csv, or --simulate clusters or ladder: one of the three.")
    running = {"--jobs": jobs, "--backend": backend, "--scheduler": scheduler, "--timings": timings}
    drawing: dict[str, Any] = {"k": k, "records": records, "clusters": clusters, "dimensions": dimensions}
    drawing |= {"alpha": alpha, "runs": runs, "seed": seed}
    if plan is None:
        _note_idle(running, "a plan")
    if simulate is None:
        _note_idle({f"--{name}": value for name, value in drawing.items()} | {"--json": as_json or None}, "--simulate")
    else:
        _note_idle({"--output": output}, "a plan or a report")
        _simulate(simulate, drawing, as_json=as_json)
        return
    if output is None:
        raise DataError("Say with --output where the results go.")
    if report is not None:
        _write_report(report, output)
    elif plan is not None:
        _run_plan(plan, output, jobs, backend or "loky", scheduler, timings)


def _note_idle(given: dict[str, Any], needed: str) -> None:
    note(*(f"{name} is for {needed}; here it does nothing." for name, value in given.items() if value is not None))


def _run_plan(
    plan: Path, output: Path, jobs: int | None, backend: Backend, scheduler: str | None, timings: Path | None
) -> None:
    from cra_engine.experiments.plan import Plan
    from cra_engine.experiments.run import run_experiment
    from cra_engine.experiments.workers import workers

    planned = Plan.from_toml(plan)
    note(*planned.warnings)
    try:
        with workers(backend, jobs, scheduler):
            already = run_experiment(planned, output, timings=timings, progress=counting("runs"))
    except KeyboardInterrupt:
        raise CRAError(f"Stopped; run the same command again to go on with {output}.") from None
    there = f", {already} of them from before" if already else ""
    typer.echo(f"{planned.size} rows in {output}{there}.")


def _write_report(results: Path, output: Path) -> None:
    from cra_engine.experiments.report import report_files
    from cra_engine.experiments.results import Results

    made = report_files(Results(results))
    check_apart(*(output / name for name in made))
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"The folder {output} cannot be made: {error.strerror}.") from None
    write(*((output / name, text) for name, text in made.items()))
    typer.echo(f"{len(made)} files in {output}; start with {output / 'report.html'}.")


def _simulate(attack: DowncodingAttack, drawing: dict[str, Any], *, as_json: bool) -> None:
    from cra_engine.experiments.downcoding import simulate_clusters, simulate_ladder

    idle = "clusters" if attack == "ladder" else "alpha"
    if drawing.pop(idle) is not None:
        note(f"--{idle} plays no part for {attack}.")
    given = {name: value for name, value in drawing.items() if value is not None}
    count = counting("tables")
    if attack == "ladder":
        ladder = simulate_ladder(**given, progress=count)
    else:
        drawn = simulate_clusters(**given, progress=count)
    if as_json:
        print_json((ladder if attack == "ladder" else drawn).to_dict())
    elif attack == "ladder":
        _print_ladder(ladder)
    else:
        _print_clusters(drawn)


def _print_clusters(drawn: "ClusterSimulation") -> None:
    right = percent(drawn.correct_clusters / drawn.fired_clusters, 1) if drawn.fired_clusters else "none"
    typer.echo(
        f"{how_many(drawn.runs, 'made-up table')}, published and attacked; {drawn.minimal:,} of the releases are "
        "proven minimal."
    )
    typer.echo(
        f"The attack concluded something of {how_many(drawn.fired_clusters, 'cluster')}, rightly of "
        f"{drawn.correct_clusters:,}: {right} (theory: {percent(drawn.expected.correct_share, 1)})."
    )
    typer.echo(
        f"It made {percent(drawn.refined_share, 2)} of all records finer than published (theory: "
        f"{percent(drawn.expected.refined_share, 2)}); {drawn.isolating:,} of its {drawn.predicates:,} descriptions of "
        "one record fit exactly one."
    )


def _print_ladder(drawn: "LadderSimulation") -> None:
    free = [run for run in drawn.results if run.collision_free]
    typer.echo(
        f"{how_many(len(drawn.results), 'made-up table')} with values up to {drawn.domain:,}; in {len(free):,} all "
        f"records have values of their own (theory: {percent(drawn.collision_free_chance)} of the tables). The attack "
        f"makes a record finer in {percent(drawn.strict_share, 1)} of the attributes (theory: "
        f"{percent(drawn.expected_share, 1)})."
    )
    for number, run in enumerate(drawn.results[:MOST_SHOWN], start=1):
        kind = "all values differ" if run.collision_free else "two records share a value"
        right = "what it concludes holds" if run.generalizes else "what it concludes does not hold for all"
        typer.echo(f"Table {number}: {kind}; {how_many(run.recovered, 'record')} singled out, {right}.")
    if len(drawn.results) > MOST_SHOWN:
        typer.echo(f"... and {len(drawn.results) - MOST_SHOWN:,} more tables (--json lists all)")
