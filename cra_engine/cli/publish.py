"""The commands that publish: ``synthesize`` and ``recode``."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.choices import DecimalSign, Kind, RecodeTies
from cra_engine.cli.app import PUBLISH, app
from cra_engine.cli.files import answer, defused_note, hand_out, note, raw_table, spread, streams, study_of, write
from cra_engine.cli.options import (
    BackendOption,
    DataArgument,
    DecimalOption,
    JsonOption,
    KeepOrderOption,
    KOption,
    ReleaseOutput,
    SchedulerOption,
    StreamingOption,
    StudyOption,
)
from cra_engine.cli.verdict import say_undecided
from cra_engine.errors import DataError
from cra_engine.words import how_many

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    import pandas as pd

    from cra_engine import Recoding, SafeRecoding, Study
    from cra_engine.publish.local.distributed import FolderRecoding
    from cra_engine.publish.local.streaming import FileRecoding, SafeFileRecoding

    R = TypeVar("R", bound=Recoding | SafeRecoding)
    W = TypeVar("W", bound=FileRecoding | SafeFileRecoding)
    Said = tuple[str, ...]


@app.command("synthesize", panel=PUBLISH, writes=("output", "study"), tables=("output",))
def synthesize_command(
    kind: Annotated[Kind, typer.Argument(help="What the data look like.")],
    output: Annotated[Path, typer.Option("--output", metavar="DATA.csv", help="Where the table goes.")],
    study: Annotated[Path, typer.Option("--study", metavar="STUDY.toml", help="Where its study goes.")],
    records: Annotated[
        int | None, typer.Option(metavar="N", help="Number of records; each kind has its own default.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="SEED", help="Same seed, same table.")] = 0,
) -> None:
    """Make a synthetic table and its study."""
    from cra_engine import synthesize as synthesized

    made = synthesized(kind, records, seed)
    write((output, made.to_csv_text()), (study, made.study.to_toml_text()))
    typer.echo(f"{len(made.data)} synthetic records in {output}, their study in {study}.")


@app.command("recode", panel=PUBLISH, tables=("output",))
def recode_command(
    data: DataArgument,
    study: StudyOption,
    output: ReleaseOutput,
    k: KOption = None,
    ties: Annotated[
        RecodeTies, typer.Option(help="paper: exact ties by the paper's third criterion. arx: exactly ARX's choices.")
    ] = "paper",
    decimal: DecimalOption = None,
    keep_order: KeepOrderOption = False,
    streaming: StreamingOption = None,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Publish a table with ARX-LR: CSV, or Parquet where the files are named .parquet, or a folder of such parts."""
    from cra_engine import recode as recoded

    publisher = study_of(study, k, models=True)
    recoding: Recoding | FileRecoding | FolderRecoding  # one or the other, with the same to tell
    if backend is not None or scheduler is not None:
        if decimal is not None or streaming is not None:
            raise DataError("--decimal, --streaming and --in-memory are for single files; leave them out.")
        from cra_engine.publish.local.distributed import recode_folder

        with spread(backend, scheduler):
            in_parts = recode_folder(data, publisher, output, ties=ties, keep_order=keep_order)
        unseen = named_in(data / in_parts.parts_written[0], publisher)
        recoding, notes = in_parts, in_parts.notes
    elif data.is_dir() and not output.suffix:
        raise DataError(
            f"{data} is a folder; name the release .csv or .parquet for one file, or, for a folder of parts, add "
            "--backend loky for this machine, or --backend dask --scheduler ADDRESS for a cluster."
        )
    elif streams(streaming, data, output):
        from cra_engine.publish.local.streaming import recode_file

        recoding, notes, unseen = in_blocks(
            recode_file, data, publisher, output, ties=ties, decimal=decimal, keep_order=keep_order
        )
    else:
        recoding, notes, unseen = at_once(
            partial(recoded, ties=ties), data, publisher, output, decimal, keep_order=keep_order
        )
    note(*notes, *recoding.warnings)
    answer(recoding.to_dict, lambda: _tell(recoding, output), as_json=as_json, undecided=unseen)


def _tell(recoding: "Recoding | FileRecoding | FolderRecoding", output: Path) -> None:
    basic = sum(c.segment.basic for c in recoding.classes)
    typer.echo(
        f"{recoding.records} records, k = {recoding.study.k}: {len(recoding.classes)} classes ({basic} on a single "
        f"cell) in {len(recoding.iterations)} iterations, {how_many(recoding.suppressed, 'record')} suppressed. "
        f"Release in {output}."
    )


def at_once(
    recoder: "Callable[[pd.DataFrame, Study], R]",
    data: Path,
    study: "Study",
    output: Path,
    decimal: DecimalSign | None,
    *,
    keep_order: bool = False,
    seed: int | None = None,
) -> "tuple[R, Said, Said]":
    """Recode for the command line a file that is read whole, check the release and write it.

    Returns:
        The recoding; what there is to note of reading and writing; the columns that identify and have no role.
    """
    from cra_engine.publish.check import check_release

    raw, notes = raw_table(data, study, decimal)
    recoding = recoder(raw, study)
    check_release(raw, study, recoding.frame)
    notes += hand_out(recoding.frame, output, keep_order=keep_order, seed=seed)
    return recoding, notes, say_undecided(raw, study.roles, study.names)


def in_blocks(
    recoder: "Callable[..., W]", data: Path, study: "Study", output: Path, **options: object
) -> "tuple[W, Said, Said]":
    """Recode for the command line a file block by block; as :func:`at_once`, but it judges columns by one block."""
    written = recoder(data, study, output, **options)
    unseen = named_in(data, study)
    return written, (*written.notes, *defused_note(written.formulas, output)), unseen


def named_in(data: Path, study: "Study") -> tuple[str, ...]:
    """Return the columns of a command's large file that identify and have no role, by its first block."""
    from cra_engine.files.stored import open_table

    table = open_table(data)
    for block in table.blocks():
        return say_undecided(table.frame(block), study.roles, study.names)
    return ()
