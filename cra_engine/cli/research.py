"""The commands that do the paper's evaluation: ``experiment`` and ``report``."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cra_engine.choices import Backend
from cra_engine.cli.files import note, write
from cra_engine.cli.progress import Progress
from cra_engine.errors import CRAError, DataError
from cra_engine.files.apart import check_apart


def experiment(
    plan: Annotated[Path, typer.Argument(metavar="PLAN.toml", help="What to run; see plans/paper.toml.")],
    output: Annotated[
        Path, typer.Option("--output", metavar="RESULTS.csv", help="Where rows go; a run that was stopped goes on.")
    ],
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", min=1, help="Workers; as many as there are by default.")
    ] = None,
    backend: Annotated[
        Backend, typer.Option(help="loky: processes of this machine. dask: a cluster, which then gets the data.")
    ] = "loky",
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler: tcp://HOST:PORT.")
    ] = None,
    timings: Annotated[
        Path | None, typer.Option("--timings", metavar="TIMINGS.csv", help="Another file for how long each step took.")
    ] = None,
) -> None:
    """Publish and attack many samples, as the paper's evaluation does, into one table."""
    from cra_engine.experiments.plan import Plan
    from cra_engine.experiments.run import run_experiment
    from cra_engine.experiments.workers import workers

    planned = Plan.from_toml(plan)
    note(*planned.warnings)
    try:
        with Progress(sys.stderr) as progress, workers(backend, jobs, scheduler):
            already = run_experiment(planned, output, timings=timings, progress=progress.show)
    except KeyboardInterrupt:
        raise CRAError(f"Stopped; run the same command again to go on with {output}.") from None
    there = f", {already} of them from before" if already else ""
    typer.echo(f"{planned.size} rows in {output}{there}.")


def report(
    results: Annotated[Path, typer.Argument(metavar="RESULTS.csv", help="What `experiment` wrote.")],
    output: Annotated[Path, typer.Option("--output", metavar="FOLDER", help="Where the report's files go.")],
) -> None:
    """Write the paper's tables from an experiment's results: Markdown, HTML, CSV, and a figure."""
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
