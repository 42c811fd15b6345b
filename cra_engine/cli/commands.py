"""The command line: ``cra-engine``, also ``python -m cra_engine``."""

import json
import math
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pandas as pd
import typer

from cra_engine.attacks.refinement.attack import attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.tight.attack import tight_attack
from cra_engine.audit.audit import audit
from cra_engine.audit.report import audit_json, report_html
from cra_engine.cli.options import (
    AttackTies,
    DecimalOption,
    DecimalSign,
    JsonOption,
    Kind,
    KOption,
    RecodeTies,
    ReleaseArgument,
    StudyOption,
    TiesOption,
    WorkBackend,
)
from cra_engine.cli.progress import Progress
from cra_engine.cli.text import _print_audit, _print_chances, _print_singled, _print_tight, _print_what_if, _short
from cra_engine.cli.what_if_options import grid_of
from cra_engine.errors import CRAError, DataError, StudyError
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.report import report_files
from cra_engine.experiments.results import Results
from cra_engine.experiments.run import run_experiment
from cra_engine.experiments.workers import workers
from cra_engine.files.csv_text import formulas
from cra_engine.files.notation import with_decimal
from cra_engine.files.tables import read_noted, read_table
from cra_engine.files.whole import PARQUET, write_whole
from cra_engine.publish.check import check_release
from cra_engine.publish.local.recoding import Recoding, recode
from cra_engine.raw.synthesis import synthesize
from cra_engine.release import Release, read_release, read_release_table
from cra_engine.reports.plain_data import attack_json, enumeration_json, recoding_json, singling_json, tight_json
from cra_engine.risk.singling import SinglingChances, single_out
from cra_engine.study.hierarchy_files import FileHierarchy, read_hierarchy
from cra_engine.study.study import Study
from cra_engine.what_if.report import what_if_html, what_if_json
from cra_engine.what_if.run import together, what_if
from cra_engine.what_if.words import together_text

if TYPE_CHECKING:
    from cra_engine.publish.local.streaming import FileRecoding

LARGE = 100_000_000  # bytes from which a file is recoded block by block unless somebody says otherwise

app = typer.Typer(
    name="cra-engine",
    help="Publish a table with ARX's local recoding, attack the release, and see whom it singles out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.command("synthesize")
def synthesize_command(
    kind: Annotated[Kind, typer.Argument(help="What the data look like.")],
    output: Annotated[Path, typer.Option("--output", metavar="DATA.csv", help="Where the table goes.")],
    study: Annotated[Path, typer.Option("--study", metavar="STUDY.toml", help="Where its study goes.")],
    records: Annotated[int | None, typer.Option(help="Number of records; each kind has its own default.")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same table.")] = 0,
) -> None:
    """Make a synthetic table and its study."""
    made = synthesize(kind.value, records, seed)
    _write((output, made.to_csv_text()), (study, made.study.to_toml_text()))
    typer.echo(f"{len(made.data)} synthetic records in {output}, their study in {study}.")


@app.command("recode")
def recode_command(
    data: Annotated[Path, typer.Argument(metavar="DATA.csv", help="The raw table.")],
    study: StudyOption,
    output: Annotated[Path, typer.Option("--output", metavar="RELEASE.csv", help="Where the release goes.")],
    k: KOption = None,
    ties: Annotated[
        RecodeTies, typer.Option(help="paper: exact ties by the paper's third criterion. arx: exactly ARX's choices.")
    ] = RecodeTies.paper,
    decimal: DecimalOption = None,
    streaming: Annotated[
        bool | None,
        typer.Option(
            "--streaming/--in-memory",
            help="Block by block, for a table larger than the memory. Large files and Parquet need not be told.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Publish a table with ARX-LR: CSV, or Parquet where the files are named .parquet."""
    publisher = _study(study, k)
    recoding: Recoding | FileRecoding  # one or the other, with the same to tell
    if _streams(streaming, data, output):
        _apart(output, inputs=(data, study))
        recoding = _recode_file()(data, publisher, output, ties=ties.value, decimal=decimal and decimal.value)
        notes, defused = recoding.notes, recoding.formulas
    else:
        table, notes = read_noted(data)
        raw = _decided(table, publisher, decimal)
        recoding = recode(raw, publisher, ties=ties.value)
        check_release(raw, publisher, recoding.frame)
        _write((output, recoding.release.to_csv_text()), inputs=(data, study))
        defused = formulas(recoding.frame)
    if defused:
        notes += (f"{defused} cells that a spreadsheet would run as a formula begin with an apostrophe in {output}.",)
    for warning in (*notes, *recoding.warnings):
        typer.echo(f"Note: {warning}", err=True)
    if as_json:
        _print_json(recoding_json(recoding))
        return
    basic = sum(c.segment.basic for c in recoding.classes)
    typer.echo(
        f"{recoding.records} records, k = {recoding.study.k}: {len(recoding.classes)} classes ({basic} on a single "
        f"cell) in "
        f"{len(recoding.iterations)} iterations, {recoding.outliers} records suppressed. Release in {output}."
    )


@app.command("attack")
def attack_command(
    release: ReleaseArgument,
    study: StudyOption,
    k: KOption = None,
    ties: TiesOption = AttackTies.sound,
    tight: Annotated[bool, typer.Option("--tight", help="Also attack all classes together.")] = False,
    time_limit: Annotated[float, typer.Option(min=0.0, help="Seconds for the tight attack.")] = 60.0,
    seed: Annotated[int, typer.Option(help="Of the tight attack's estimate; 0 or more.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Attack a release with nothing but the release and its study."""
    published = _release(release, study, k)
    result = attack(published, ties=ties.value)
    together = tight_attack(published, time_limit=time_limit, seed=seed) if tight else None
    for warning in result.warnings:
        typer.echo(f"Note: {warning}", err=True)
    if as_json:
        _print_json(attack_json(result) | ({} if together is None else {"tight": tight_json(together)}))
        return
    typer.echo(f"{'class':>8} {'size':>5} {'free cells':>10} {'combinations':>14} {'ratio':>12}  box")
    for part in result.parts:
        name = "outliers" if part.index is None else str(part.index)
        typer.echo(
            f"{name:>8} {part.size:>5} {len(part.free_cells):>10} {_short(part.combinations):>14} "
            f"{part.ratio:>12.6g}  {part.release.grid.describe(part.segment)}"
        )
    typer.echo(
        f"Mean ratio {result.mean_ratio:.6g} over all classes, {result.mean_ratio_compound:.6g} over the compound ones."
    )
    if together is not None:
        _print_tight(together)


@app.command("enumerate")
def enumerate_command(
    release: ReleaseArgument,
    study: StudyOption,
    index: Annotated[int, typer.Option("--class", metavar="INDEX", help="Index of the class, from 0; -1: outliers.")],
    k: KOption = None,
    limit: Annotated[int, typer.Option(min=1, help="List at most this many assignments.")] = 1000,
    time_limit: Annotated[float, typer.Option(min=0.0, help="Stop listing after this many seconds.")] = 60.0,
    ties: TiesOption = AttackTies.sound,
    as_json: JsonOption = False,
) -> None:
    """List the feasible assignments of one class."""
    result = attack(_release(release, study, k), ties=ties.value)
    part = _pick(result.classes, result.outliers, index)
    listing = part.assignments(limit, time_limit)
    if as_json:
        _print_json(enumeration_json(part, listing))
        return
    grid = part.release.grid
    for number, cell in enumerate(listing.cells):
        typer.echo(f"cell {number}: {grid.describe(grid.cell_segment(cell))}")
    for counts in listing.assignments:
        typer.echo(" ".join(map(str, counts)))
    extent = "all of them" if listing.complete else "not all: the listing was cut short"
    typer.echo(f"{len(listing.assignments)} of {listing.combinations} feasible assignments ({extent}).")


@app.command("single-out")
def single_out_command(
    release: ReleaseArgument,
    study: StudyOption,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DATA.csv", help="The raw table, rows in the release's order.")
    ] = None,
    k: KOption = None,
    ties: TiesOption = AttackTies.sound,
    decimal: DecimalOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the cells that isolate one person: checked against the raw data, or as probabilities without them."""
    published = _release(release, study, k)
    raw = None if data is None else _decided(read_table(data), published.study, decimal)
    result = single_out(attack(published, ties=ties.value), raw)
    if as_json:
        _print_json(singling_json(result))
    elif isinstance(result, SinglingChances):
        _print_chances(result)
    else:
        _print_singled(result)


@app.command("audit")
def audit_command(
    release: ReleaseArgument,
    output: Annotated[Path, typer.Option("--output", metavar="REPORT.html", help="Where the report goes.")],
    study: Annotated[
        Path | None, typer.Option("--study", help="Study file (TOML), if there is one; nothing is guessed then.")
    ] = None,
    hierarchies: Annotated[
        Path | None,
        typer.Option(
            "--hierarchies",
            metavar="DIR",
            help="Folder of ARX hierarchy files, named COLUMN.csv or ANYTHING_COLUMN.csv.",
        ),
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", help="k of the release; the study's, else the size of the smallest class.")
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", help="paper, arx-gui, or the share of records per step; arx-gui if nobody says."),
    ] = None,
    time_limit: Annotated[float, typer.Option(min=0.0, help="Seconds for the attack on all classes together.")] = 60.0,
    seed: Annotated[int, typer.Option(help="Of the estimate.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Write a report on what a released table gives away; no raw data, and no study, are needed."""
    table = read_release_table(release)
    if study is not None and hierarchies is not None:
        raise StudyError("Give the study or the hierarchies, not both: the study names its own hierarchies.")
    trees = None if hierarchies is None else _hierarchies(hierarchies, list(table.columns))
    audited = audit(
        table,
        None if study is None else Study.from_toml(study),
        trees,
        k=k,
        profile=None if profile is None else _profile(profile),
        time_limit=time_limit,
        seed=seed,
    )
    _write((output, report_html(audited, release.name)), inputs=[release, *([] if study is None else [study])])
    if as_json:
        _print_json(audit_json(audited))
        return
    _print_audit(audited, output)


@app.command("experiment")
def experiment_command(
    plan: Annotated[Path, typer.Argument(metavar="PLAN.toml", help="What to run; see plans/paper.toml.")],
    output: Annotated[
        Path, typer.Option("--output", metavar="RESULTS.csv", help="Where rows go; a run that was stopped goes on.")
    ],
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="Workers; as many as there are by default.")] = None,
    backend: Annotated[
        WorkBackend, typer.Option(help="loky: processes of this machine. dask: a cluster, which then gets the data.")
    ] = WorkBackend.loky,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler: tcp://HOST:PORT.")
    ] = None,
    timings: Annotated[
        Path | None, typer.Option("--timings", metavar="TIMINGS.csv", help="Another file for how long each step took.")
    ] = None,
) -> None:
    """Publish and attack many samples, as the paper's evaluation does, into one table."""
    planned = Plan.from_toml(plan)
    _apart(output, timings, inputs=(plan, *planned.files))
    for warning in planned.warnings:
        typer.echo(f"Note: {warning}", err=True)
    progress = Progress(sys.stderr)
    try:
        with workers(backend.value, jobs, scheduler):
            already = run_experiment(planned, output, timings=timings, progress=progress.show)
    except KeyboardInterrupt:
        progress.end()
        raise CRAError(f"Stopped; run the same command again to go on with {output}.") from None
    finally:
        progress.end()
    there = f", {already} of them from before" if already else ""
    typer.echo(f"{planned.size} rows in {output}{there}.")


@app.command("report")
def report_command(
    results: Annotated[Path, typer.Argument(metavar="RESULTS.csv", help="What `experiment` wrote.")],
    output: Annotated[Path, typer.Option("--output", metavar="FOLDER", help="Where the report's files go.")],
) -> None:
    """Write the paper's tables from an experiment's results: Markdown, HTML, CSV, and a figure."""
    made = report_files(Results(results))
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"The folder {output} cannot be made: {error.strerror}.") from None
    _write(*((output / name, text) for name, text in made.items()), inputs=(results,))
    typer.echo(f"{len(made)} files in {output}; start with {output / 'report.html'}.")


@app.command("what-if")
def what_if_command(
    data: Annotated[Path, typer.Argument(metavar="DATA.csv", help="The raw table.")],
    study: StudyOption,
    output: Annotated[Path, typer.Option("--output", metavar="REPORT.html", help="Where the report goes.")],
    ks: Annotated[str | None, typer.Option("--k", metavar="NUMBERS", help="3-7 or 3,5; around the study's.")] = None,
    layers: Annotated[
        list[str] | None,
        typer.Option("--layers", metavar="NAME=NUMBERS", help="An attribute's layers, such as age=3-4; repeat it."),
    ] = None,
    profile: Annotated[
        list[str] | None, typer.Option("--profile", help="Local recoding: paper, arx-gui, a share, or none; repeat it.")
    ] = None,
    suppression: Annotated[
        str | None,
        typer.Option("--suppression", metavar="SHARES", help="Global recoding: suppression limits, or none."),
    ] = None,
    choose: Annotated[
        list[int] | None, typer.Option("--choose", metavar="NUMBER", help="Show this choice in full; one or two.")
    ] = None,
    tight: Annotated[bool, typer.Option("--tight", help="Attack all classes of what is chosen together.")] = False,
    time_limit: Annotated[float, typer.Option(min=0.0, help="Seconds for each such attack.")] = 60.0,
    seed: Annotated[int, typer.Option(help="Of its estimate.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Compare choices of k, layers and recoding: what each keeps and what it gives away."""
    base, table = Study.from_toml(study), read_table(data)
    if choose and len(choose) > 2:
        raise CRAError(f"--choose is given {len(choose)} times; the report shows one or two choices side by side.")
    grid = grid_of(base, len(table), ks, layers or (), profile or (), suppression)
    progress = Progress(sys.stderr)
    try:
        result = what_if(table, base, grid, progress=progress.show)
    finally:
        progress.end()
    chosen = [result.point(number).number for number in choose or ()]
    full = chosen or ([] if result.present is None else [result.present.number])
    deeper = {
        number: together(table, base, result.point(number).choice, time_limit=time_limit, seed=seed)
        for number in full
        if tight and result.point(number).choice.local
    }
    _write((output, what_if_html(result, data.name, chosen, deeper)), inputs=(data, study))
    for warning in result.warnings:
        typer.echo(f"Note: {warning}", err=True)
    if as_json:
        _print_json(what_if_json(result, full, deeper))
        return
    _print_what_if(result, chosen)
    for number, found in deeper.items():
        typer.echo(f"Number {number}. {together_text(found)}")
    typer.echo(f"Report in {output}.")


@app.command("dashboard")
def dashboard_command() -> None:
    """Serve the dashboard on this machine."""
    root = Path(__file__).resolve().parent.parent
    if not (root / "app.py").is_file():
        raise CRAError("The dashboard is part of the project's folder; run this there, after `make run` or a clone.")
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    # As `make run` does: the system's allocator gives back what closed sessions leave.
    environment = os.environ | {"PYTHONMALLOC": "malloc"}
    served = subprocess.run(command, cwd=root, env=environment, check=False)  # noqa: S603 - every word is ours
    raise typer.Exit(served.returncode)


def _study(path: Path, k: int | None) -> Study:
    study = Study.from_toml(path)
    return study if k is None else study.with_k(k)


def _decided(table: pd.DataFrame, study: Study, decimal: DecimalSign | None) -> pd.DataFrame:
    """The table with the quasi-identifiers' numbers in plain notation, where somebody said how they are written."""
    return table if decimal is None else with_decimal(table, study.names, decimal.value)


def _streams(asked: bool | None, *files: Path) -> bool:
    """Whether a table is recoded block by block."""
    parquet = any(path.suffix.lower() in PARQUET for path in files)
    if asked is False and parquet:
        raise DataError("Parquet is read and written block by block only; leave out --in-memory, or take CSV.")
    if asked is not None or parquet:
        return asked is not False
    return files[0].is_file() and files[0].stat().st_size > LARGE and find_spec("pyarrow") is not None


def _recode_file() -> "Callable[..., FileRecoding]":
    try:
        from cra_engine.publish.local.streaming import recode_file  # noqa: PLC0415 - needs an optional package
    except ImportError:
        raise CRAError(
            "Reading a table block by block needs a package that is not installed; run: "
            "pip install 'cra-explorer[streaming]'."
        ) from None
    return recode_file


def _release(path: Path, study: Path, k: int | None) -> Release:
    return read_release(path, _study(study, k))


def _profile(text: str) -> str | float:
    try:
        share = float(text)
    except ValueError:
        return text
    return share if math.isfinite(share) else text


def _hierarchies(folder: Path, columns: Sequence[str]) -> dict[str, FileHierarchy]:
    """The hierarchy files of a folder by the column that they are named for."""
    if not folder.is_dir():
        raise StudyError(f"{folder} is no folder; give the one that holds the hierarchy files.")
    files: dict[str, Path] = {}
    for path in sorted(folder.glob("*.csv")):
        # The longest name: x_max_age.csv is of max_age where there is such a column, not of age.
        fits = [name for name in columns if path.stem == name or path.stem.endswith(f"_{name}")]
        if fits:
            name = max(fits, key=len)
            if name in files:
                raise StudyError(
                    f"Both {files[name].name} and {path.name} could be the hierarchy of {name!r}; keep one."
                )
            files[name] = path
    if not files:
        raise StudyError(
            f"No file in {folder} is named for a column of the release; name them COLUMN.csv or ANYTHING_COLUMN.csv, "
            f"COLUMN being one of: {', '.join(map(repr, columns[:12]))}."
        )
    return {name: read_hierarchy(path, name) for name, path in files.items()}


def _pick(classes: tuple[ClassAttack, ...], outliers: ClassAttack | None, index: int) -> ClassAttack:
    if index == -1 and outliers is not None:
        return outliers
    if not 0 <= index < len(classes):
        also = ", or -1 for the outliers" if outliers is not None else ""
        span = f"give 0 to {len(classes) - 1}{also}" if classes else f"there is none{also}"
        raise CRAError(f"There is no class {index}; {span}.")
    return classes[index]


def _print_json(result: dict[str, Any]) -> None:
    typer.echo(json.dumps(result, ensure_ascii=False, allow_nan=False))


def _apart(*outputs: Path | None, inputs: Sequence[Path]) -> None:
    """Refuse outputs that would overwrite an input or each other."""
    seen = {path.resolve() for path in inputs}
    for path in outputs:
        if path is not None and path.resolve() in seen:
            raise DataError(f"{path} is named twice; give the output a file of its own.")
        seen |= set() if path is None else {path.resolve()}


def _write(*outputs: tuple[Path, str], inputs: Sequence[Path] = ()) -> None:
    """Write all texts to their files, each whole, or none of them; never over an input."""
    named = [*inputs, *(path for path, _ in outputs)]
    for position, (path, _) in enumerate(outputs, start=len(inputs)):
        if path.resolve() in [other.resolve() for other in named[:position]]:
            raise DataError(f"{path} is named twice; give the output a file of its own.")
    write_whole(*outputs)


def main() -> None:
    """Run the command line; whatever goes wrong is one sentence on stderr: exit status 2, or 70 for our own fault."""
    try:
        app()
    except CRAError as error:
        typer.echo(" ".join(str(error).split()), err=True)  # on one line, whatever the names in it hold
        sys.exit(2)
    except MemoryError:
        typer.echo("There is not enough memory; take fewer records or fewer attributes.", err=True)
        sys.exit(2)
    except Exception as error:
        if "CRA_TRACEBACK" in os.environ:
            raise
        # Its own text may quote a record.
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}"
        typer.echo(
            f"The program broke off ({place}); this is a fault of the program. "
            "With CRA_TRACEBACK=1 it shows more, which may quote the data.",
            err=True,
        )
        sys.exit(70)


if __name__ == "__main__":
    main()
