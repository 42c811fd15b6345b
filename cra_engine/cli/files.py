"""Reads and writes for the commands: studies, releases, JSON on stdout, and files that are whole or not there."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from cra_engine.choices import Backend, DecimalSign, Prior
from cra_engine.errors import CRAError, DataError, StudyError
from cra_engine.files.apart import check_apart
from cra_engine.files.kinds import PARQUET, READ, SPREADSHEETS, WRITTEN
from cra_engine.files.notation import decimal_in
from cra_engine.files.whole import write_whole
from cra_engine.patience import tell
from cra_engine.words import how_many

LARGE = 100_000_000  # bytes from which a file is read block by block unless somebody says otherwise
ALIKE = (
    "Rows that are alike are counted together, part by part: memory grows with the different rows, and the order in "
    "which rows stand is not looked at."
)
SCHEMA_VERSION: Literal[1] = 1
"""Of what ``--json`` prints: counted up when a key leaves or changes its meaning; new keys come without."""

if TYPE_CHECKING:
    import pandas as pd

    from cra_engine import Population, Release, Study
    from cra_engine.files.different_rows import CountedRows, Table


def study_of(path: Path, k: int | None, *, models: bool = False) -> "Study":
    """Read a command's study from its file, with another k where one is given.

    Args:
        path: of the study file.
        k: instead of the study's.
        models: whether the command heeds the study's privacy models; of others it is said that they do not.
    """
    from cra_engine import Study

    study = Study.from_toml(path)
    study = study if k is None else study.with_k(k)
    if study.privacy and not models:
        named = ", ".join(dict.fromkeys(model.model for model in study.privacy))
        asked = how_many(len(study.privacy), "privacy model")
        note(f"{path} asks for {asked} ({named}); this command looks at k alone.")
        study.refuse_small_k()
    return study


def decided(table: "pd.DataFrame", study: "Study", decimal: DecimalSign | None) -> "pd.DataFrame":
    """Return a command's table with quasi-identifiers' numbers in plain notation, where somebody said theirs."""
    from cra_engine.files.notation import with_decimal

    return table if decimal is None else with_decimal(table, study.names, decimal)


def raw_table(
    path: Path,
    study: "Study",
    decimal: DecimalSign | None,
    backend: Backend | None = None,
    scheduler: str | None = None,
) -> "tuple[pd.DataFrame, tuple[str, ...]]":
    """Read a command's raw table as :func:`table_of`, its numbers in plain notation, and what there is to note."""
    table, notes = table_of(path, backend, scheduler)
    return decided(table, study, decimal), notes


def table_of(
    path: Path, backend: Backend | None = None, scheduler: str | None = None, names: "Sequence[str]" = ()
) -> "tuple[pd.DataFrame, tuple[str, ...]]":
    """Read a command's table with all its rows, and what there is to note; of a large one each text is kept once.

    Args:
        path: of the table.
        backend: who reads its files; nobody but this process where neither this nor ``scheduler`` is given.
        scheduler: of the cluster.
        names: of its columns where the file has no line of names, in their order; a line that says them is one.
    """
    from cra_engine.files.tables import read_noted

    if names:
        from cra_engine.raw.nameless import first_line_apart, first_line_as_row

        if backend or scheduler:
            raise StudyError("--name reads the table in this process; leave out --backend and --scheduler.")
        if path.is_dir() or path.suffix.lower() in {*PARQUET, *READ} - set(SPREADSHEETS):
            raise StudyError(f"{path.name} names its columns itself; --name is for text and spreadsheets.")
        first, frame, notes = first_line_apart(path)
        return (frame if first == tuple(names) else first_line_as_row(frame, first, names, path.name)), notes
    with spread(backend, scheduler) as chosen:
        if not chosen and not streams(None, path):
            return read_noted(path)
        from cra_engine.files.stored import read_coded

        return read_coded(path)


def counts_rows(path: Path, backend: Backend | None = None, scheduler: str | None = None) -> bool:
    """Return whether a command looks at rows that are alike together: those of a folder, or of a large file."""
    return bool(backend or scheduler) or streams(None, path)


def counted_table(
    path: Path, columns: "Collection[str] | None", backend: Backend | None = None, scheduler: str | None = None
) -> "tuple[CountedRows, tuple[str, ...]]":
    """Read a command's table as its different rows, each counted, part by part, and what there is to note.

    Args:
        path: of the table.
        columns: those that are counted, as far as the table has them; None for all.
        backend: who counts; nobody but this process where neither this nor ``scheduler`` is given.
        scheduler: of the cluster.
    """
    from cra_engine.files.counted_rows import count_rows
    from cra_engine.files.stored import open_table

    tell("counting rows that are alike")
    table = open_table(path)
    with spread(backend, scheduler):
        return count_rows(table, table.columns if columns is None else columns), table.notes


def counted_release(
    path: Path, backend: Backend | None = None, scheduler: str | None = None
) -> "tuple[CountedRows, tuple[str, ...]]":
    """Read a command's released table as :func:`counted_table`, the apostrophes before formulas taken off again."""
    from cra_engine.files.csv_text import restored

    found, notes = counted_table(path, None, backend, scheduler)
    note(ALIKE)
    return found.shown(restored(found.frame)), notes


def release_table_of(path: Path, backend: Backend | None = None, scheduler: str | None = None) -> "pd.DataFrame":
    """Read a command's released table as :func:`table_of`, the apostrophes before formulas taken off again."""
    from cra_engine.files.csv_text import restored

    return restored(table_of(path, backend, scheduler)[0])


def hand_out(
    frame: "pd.DataFrame",
    output: Path,
    *beside: tuple[Path, str],
    keep_order: bool = False,
    seed: int | None = None,
) -> tuple[str, ...]:
    """Write a command's published table, in a random order unless told to keep it, and what goes beside it.

    Returns:
        What there is to note of it: cells that a spreadsheet would have run.
    """
    from cra_engine.files.csv_text import formulas
    from cra_engine.files.row_order import release_text

    write((output, release_text(frame, keep_order=keep_order, seed=seed)), *beside)
    return defused_note(formulas(frame), output)


def answer(
    told: Callable[[], dict[str, Any]], say: Callable[[], None], *, as_json: bool, undecided: Sequence[str] = ()
) -> None:
    """Print the answer of a command: one JSON object, or sentences for people.

    Args:
        told: gives the answer as plain data.
        say: prints it for people.
        as_json: which of both.
        undecided: warnings besides those of the answer, which were said already.
    """
    if not as_json:
        say()
        return
    written = told()
    print_json(written | {"warnings": [*written["warnings"], *undecided]} if undecided else written)


@contextmanager
def spread(backend: Backend | None, scheduler: str | None) -> "Iterator[bool]":
    """Let a command's tables be read by the workers that its options choose; tells whether they choose any."""
    if backend is None and scheduler is None:
        yield False
        return
    from cra_engine.experiments.workers import workers

    with workers("dask" if backend is None else backend, None, scheduler):
        yield True


def read_whole(path: Path) -> bool:
    """Return whether a command reads a file of another program, which comes whole and not block by block."""
    return path.suffix.lower() in {*READ, *WRITTEN} - {*PARQUET}


def streams(asked: bool | None, *files: Path) -> bool:
    """Return whether a command recodes its table block by block."""
    whole = next(filter(read_whole, files), None)
    if whole is not None:
        if asked:
            raise DataError(f"{whole} is read and written whole; leave out --streaming, or take CSV or Parquet.")
        return False
    try:
        folder, size = any(path.is_dir() for path in files), files[0].stat().st_size
    except OSError:
        folder, size = False, 0  # what is wrong with it is said when it is read
    parquet = folder or any(path.suffix.lower() in PARQUET for path in files)
    if asked is False and parquet:
        raise DataError("Parquet is read and written block by block only; leave out --in-memory, or take CSV.")
    if asked is not None or parquet:
        return asked is not False
    return size > LARGE and find_spec("pyarrow") is not None


def release_of(
    path: Path,
    study: Path,
    k: int | None,
    backend: Backend | None = None,
    scheduler: str | None = None,
    *,
    each_row: bool = False,
) -> "Release":
    """Read a command's release from its file or folder, by the study of another.

    A large one is counted, not kept: its different rows are few.

    Args:
        path: of the release.
        study: of the study.
        k: instead of the study's.
        backend: who counts; nobody but this process where neither this nor ``scheduler`` is given.
        scheduler: of the cluster.
        each_row: whether the command asks for each row in its place.

    Raises:
        CRAError: the table cannot be read, or is no release of the study.
    """
    from cra_engine.release import Release, count_release

    publisher = study_of(study, k, models=True)
    if each_row or not counts_rows(path, backend, scheduler):
        return Release(publisher, release_table_of(path, backend, scheduler))
    with spread(backend, scheduler):
        release, notes = count_release(path, publisher)
    note(*notes)
    return release


def earlier_release(earlier: Path | None, own: Path | None, study: Path) -> "Release | None":
    """Read a command's safe release that is out already, by its readers' study; None where none is named.

    Raises:
        CRAError: a study is given without a release, or says of no safe recoding.
    """
    if earlier is None:
        if own is not None:
            raise CRAError("--earlier-study speaks of an earlier release; name it with --earlier.")
        return None
    found = release_of(earlier, own or study, None)
    if own is None and not found.study.safe:
        raise CRAError(
            f"{study.name} does not say that the earlier release is a safe one; give the study that its readers got "
            "with --earlier-study."
        )
    return found


def releases_of(
    releases: list[Path],
    studies: list[Path],
    ks: list[int],
    backend: Backend | None = None,
    scheduler: str | None = None,
    *,
    each_row: bool = False,
) -> "list[Release]":
    """Read a command's releases as :func:`release_of`, each by its own study and k, or by the one that is for all.

    Without any study they are read by their labels.
    """
    from cra_engine.attacks.composition.same_people import refuse_many

    refuse_many(len(releases))
    for what, given in (("studies", len(studies)), ("values of k", len(ks))):
        if given not in (0, 1, len(releases)):
            raise StudyError(
                f"{given} {what} for {len(releases)} releases; give one for all, or one for each in their order."
            )
    by_release: Sequence[Path | None] = (
        studies * len(releases) if len(studies) == 1 else studies or [None] * len(releases)
    )
    k_of: Sequence[int | None] = ks * len(releases) if len(ks) == 1 else ks or [None] * len(releases)
    read = partial(_named, backend=backend, scheduler=scheduler, each_row=each_row)
    return [read(path, study, k) for path, study, k in zip(releases, by_release, k_of, strict=True)]


def _named(path: Path, study: Path | None, k: int | None, **reading: Any) -> "Release":
    """A release, and where it cannot be one the name of its file: there are several."""
    try:
        return _by_labels(path, k, **reading) if study is None else release_of(path, study, k, **reading)
    except CRAError as error:
        said = str(error)
        raise type(error)(said if path.name in said else f"{path.name}: {said}") from None


def _by_labels(
    path: Path, k: int | None, backend: Backend | None, scheduler: str | None, *, each_row: bool
) -> "Release":
    """A release that came without its study, and what of it is guessed."""
    from cra_engine.audits.guessed_release import guessed_release
    from cra_engine.audits.notes import in_doubt

    table: Table
    notes: tuple[str, ...] = ()
    if each_row or not counts_rows(path, backend, scheduler):
        table = release_table_of(path, backend, scheduler)
    else:
        table, notes = counted_release(path, backend, scheduler)
    read = guessed_release(table, k)
    doubt = f"{in_doubt(read.doubtful, read.release.study.names)} " if read.doubtful else ""
    note(*notes, f"{path.name}: {read.said} {doubt}With the study file nothing is guessed.")
    return read.release


def prior_of(prior: Prior | None, population: Path | None, study: "Study") -> "tuple[Prior | None, Population | None]":
    """Read how a command weighs tables: None where the release is to suggest it, a population's where one is given."""
    from cra_engine import read_population

    if prior is not None and population is not None:
        raise StudyError("Give a prior or a population, not both: a population is a prior of its own.")
    return prior, None if population is None else read_population(population, study)


def share_of(text: str | None, what: str) -> Decimal | None:
    """Read a command's share as it was given, exactly; None where none was."""
    share = None if text is None else decimal_in(text)
    if text is not None and share is None:
        raise StudyError(f"{what} is {text[:60]!r}; give a number from 0 to 1.")
    return share


def check_answers(output: Path | None, *, as_json: bool) -> None:
    """Refuse a command whose answer goes nowhere: neither onto a page nor, as JSON, onto stdout."""
    if output is None and not as_json:
        raise CRAError("Nothing says where the answer goes: name a page with --output, or have it printed with --json.")


def print_json(result: dict[str, Any]) -> None:
    """Print one JSON object on stdout, with the version of its shape (cra_engine/cli/shapes.py)."""
    typer.echo(json.dumps({"schema_version": SCHEMA_VERSION} | result, ensure_ascii=False, allow_nan=False))


def write(*outputs: tuple[Path, str]) -> None:
    """Write all texts of a command to their files, whole, or none of them; onto nothing that the command reads.

    A table that is named as a file of another program becomes one.
    """
    from cra_engine.files.foreign import converted

    tell("writing")
    check_apart(*(path for path, _ in outputs))
    write_whole(
        *((path, converted(text, path.name) if path.suffix.lower() in WRITTEN else text) for path, text in outputs)
    )


def note(*notes: str) -> None:
    """Print on stderr a note that stops no command."""
    for one in notes:
        typer.echo(f"Note: {one}", err=True)


def defused_note(defused: int, output: Path) -> tuple[str, ...]:
    """Note for a command's output the cells that a spreadsheet would have run."""
    if not defused:
        return ()
    return (f"{defused} cells that a spreadsheet would run as a formula begin with an apostrophe in {output}.",)
