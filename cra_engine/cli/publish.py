"""The commands that publish: ``synthesize`` and ``recode``."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.choices import Kind, RecodeTies
from cra_engine.cli.files import apart, decided, print_json, read_with, study_of, write
from cra_engine.cli.options import DecimalOption, JsonOption, KOption, StudyOption
from cra_engine.errors import CRAError, DataError
from cra_engine.files.whole import PARQUET

if TYPE_CHECKING:
    from cra_engine import Recoding
    from cra_engine.publish.local.streaming import FileRecoding

LARGE = 100_000_000  # bytes from which a file is recoded block by block unless somebody says otherwise


def synthesize(
    kind: Annotated[Kind, typer.Argument(help="What the data look like.")],
    output: Annotated[Path, typer.Option("--output", metavar="DATA.csv", help="Where the table goes.")],
    study: Annotated[Path, typer.Option("--study", metavar="STUDY.toml", help="Where its study goes.")],
    records: Annotated[int | None, typer.Option(help="Number of records; each kind has its own default.")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same table.")] = 0,
) -> None:
    """Make a synthetic table and its study."""
    from cra_engine import synthesize as synthesized

    made = synthesized(kind, records, seed)
    write((output, made.to_csv_text()), (study, made.study.to_toml_text()))
    typer.echo(f"{len(made.data)} synthetic records in {output}, their study in {study}.")


def recode(
    data: Annotated[Path, typer.Argument(metavar="DATA.csv", help="The raw table.")],
    study: StudyOption,
    output: Annotated[Path, typer.Option("--output", metavar="RELEASE.csv", help="Where the release goes.")],
    k: KOption = None,
    ties: Annotated[
        RecodeTies, typer.Option(help="paper: exact ties by the paper's third criterion. arx: exactly ARX's choices.")
    ] = "paper",
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
    from cra_engine import recode as recoded
    from cra_engine.files.csv_text import formulas
    from cra_engine.files.tables import read_noted
    from cra_engine.publish.check import check_release
    from cra_engine.reports.plain_data import recoding_json

    apart(output, inputs=(data, *read_with(study)))
    publisher = study_of(study, k)
    recoding: Recoding | FileRecoding  # one or the other, with the same to tell
    if _streams(streaming, data, output):
        recoding = _recode_file()(data, publisher, output, ties=ties, decimal=decimal)
        notes, defused = recoding.notes, recoding.formulas
    else:
        table, notes = read_noted(data)
        raw = decided(table, publisher, decimal)
        recoding = recoded(raw, publisher, ties=ties)
        check_release(raw, publisher, recoding.frame)
        write((output, recoding.release.to_csv_text()))
        defused = formulas(recoding.frame)
    if defused:
        notes += (f"{defused} cells that a spreadsheet would run as a formula begin with an apostrophe in {output}.",)
    for warning in (*notes, *recoding.warnings):
        typer.echo(f"Note: {warning}", err=True)
    if as_json:
        print_json(recoding_json(recoding))
        return
    basic = sum(c.segment.basic for c in recoding.classes)
    typer.echo(
        f"{recoding.records} records, k = {recoding.study.k}: {len(recoding.classes)} classes ({basic} on a single "
        f"cell) in "
        f"{len(recoding.iterations)} iterations, {recoding.outliers} records suppressed. Release in {output}."
    )


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
        from cra_engine.publish.local.streaming import recode_file
    except ImportError:
        raise CRAError(
            "Reading a table block by block needs a package that is not installed; run: "
            "pip install 'cra-explorer[streaming]'."
        ) from None
    return recode_file
