"""The tables a session can start from: built in, synthesized, or read from an uploaded file."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cra_dashboard.places import ROOT
from cra_dashboard.session import state
from cra_dashboard.session.uploads import File, uploaded_study
from cra_engine import Study, StudyError, read_table, synthesize
from cra_engine.choices import DecimalSign
from cra_engine.files.notation import rewritten, with_decimal
from cra_engine.files.table_faults import below_a_title
from cra_engine.files.tables import read_noted
from cra_engine.raw.nameless import first_line_apart, first_line_as_row, names_like_cells
from cra_engine.raw.spellings import read_as
from cra_engine.raw.written import rows_left
from cra_engine.words import how_many

SAMPLES = ROOT / "sample_data"
NO_LINE_OF_NAMES = (
    "The file may stay as it is. As it has no line of names, what pages call row 7 is its line 7, in a spreadsheet, "
    "too."
)


@dataclass(frozen=True)
class Example:
    """A built-in table for sessions; its files are ``sample_data/KEY.csv`` and ``sample_data/KEY.toml``.

    Attributes:
        key: its short name.
        title: what it is called.
        text: one sentence on what is in it.
        source: one sentence on where it comes from; starts with "Synthetic" or "Real".
        icon: a Material symbol beside the title.
    """

    key: str
    title: str
    text: str
    source: str
    icon: str


EXAMPLES = {
    example.key: example
    for example in (
        Example(
            "toy",
            "Toy",
            "36 people: age, weight.",
            "Synthetic: no row is a real person.",
            ":material/toys:",
        ),
        Example(
            "ward",
            "Ward",
            "The toy, with illnesses.",
            "Synthetic: no row is a real person.",
            ":material/sick:",
        ),
        Example(
            "clinic",
            "Clinic",
            "500 visits: weight, blood pressure, patient number.",
            "Synthetic: no row is a real person. Shaped like a table of the paper.",
            ":material/stethoscope:",
        ),
        Example(
            "hospitals",
            "Hospitals",
            "1,013 hospitals: costs, charges.",
            "Synthetic: no row is a real hospital. Shaped like a table of the paper.",
            ":material/local_hospital:",
        ),
        Example(
            "diabetes",
            "Diabetes",
            "442 patients: age, body mass index, blood pressure.",
            "Real: Efron, Hastie, Johnstone and Tibshirani, Least Angle Regression, Annals of Statistics 32 (2004). "
            "Published without names; this copy comes from scikit-learn (BSD 3-Clause licence).",
            ":material/bloodtype:",
        ),
    )
}


def example(key: str) -> tuple[state.Dataset, Study]:
    """Load a built-in table with its study into a dataset of the session."""
    chosen = EXAMPLES[key]
    frame, study = read_table(SAMPLES / f"{key}.csv"), Study.from_toml(SAMPLES / f"{key}.toml")
    return state.make_dataset(chosen.title, chosen.source, "built-in", frame, state.Recipe(key), study), study


def synthetic(kind: str, records: int, seed: int, correlation: float) -> tuple[state.Dataset, Study]:
    """Synthesize a table with its study for the session.

    Raises:
        CRAError: see :func:`cra_engine.synthesis.synthesize`.
    """
    made = synthesize(kind, records, seed, correlation=correlation)
    name = f"Synthetic {EXAMPLES[kind].title.lower()}"
    recipe = state.Recipe(kind, records, seed, correlation)
    return state.make_dataset(name, made.label, "synthetic", made.data, recipe, made.study), made.study


def remade(recipe: state.Recipe) -> tuple[state.Dataset, Study]:
    """Make the table of a recipe with its study again for the session.

    Raises:
        CRAError: see :func:`cra_engine.synthesis.synthesize`.
    """
    if recipe.records is None or recipe.seed is None or recipe.correlation is None:
        return example(recipe.kind)
    return synthetic(recipe.kind, recipe.records, recipe.seed, recipe.correlation)


def uploaded(name: str, content: bytes) -> state.Dataset:
    """Read the uploaded table of a session.

    A first line that is no names, for cells are blank or the same in it, may be a person's like any other.

    Raises:
        DataError: the file is not a table; see :func:`cra_engine.read_table`.
    """
    note = "Uploaded: it stays in the memory of this session and is written nowhere."
    first, frame, notes = first_line_apart(content, name)
    like_a_person = names_like_cells(frame.set_axis(list(first), axis=1))
    if first != tuple(frame.columns) and not like_a_person:
        read_noted(content, name)  # says why this line names no columns
    if len(first) == 1 and (titled := below_a_title(name, frame.iloc[:, 0].astype(str).tolist())) is not None:
        raise titled
    read = state.make_dataset(name, note, "uploaded", frame)
    digest = hashlib.sha256(content).hexdigest()
    return replace(read, notes=notes, first_line=first if like_a_person else (), sha256=digest)


def with_names(data: state.Dataset, names: Sequence[str]) -> state.Dataset:
    """Return the session's table after a person has named its columns: the first line of its file is a row.

    Raises:
        DataError: a name is blank or twice there.
    """
    named = first_line_as_row(data.frame, data.first_line, names, data.name)
    made = state.make_dataset(data.name, data.note, data.origin, named)
    return replace(made, notes=(*data.notes, NO_LINE_OF_NAMES), named=tuple(names), sha256=data.sha256)


def can_be_named(data: state.Dataset) -> bool:
    """Return whether the names of the session's table are a line of its file, as text has it, or were given here."""
    return data.uploaded and not any(map(pd.api.types.is_numeric_dtype, data.whole.dtypes))


def as_given(data: state.Dataset) -> state.Dataset:
    """Return the session's table as its file has it: with every row, and no cell read as a person said."""
    whole = data.whole.assign(**data.written | data.given)
    return _read(replace(data, written={}, decimals={}, read_as={}, given={}, left_out={}), whole)


def without_names(data: state.Dataset) -> state.Dataset:
    """Return the session's table as its file has it, with the first line apart, until somebody says what it is."""
    rows = as_given(data).frame
    first = tuple(map(str, rows.iloc[0] if data.named else rows.columns))
    if data.named:
        names = first if len(set(first)) == len(first) and all(first) else [str(place) for place in range(len(first))]
        rows = rows.iloc[1:].reset_index(drop=True).set_axis(list(names), axis=1)
    made = state.make_dataset(data.name, data.note, data.origin, rows)
    notes = tuple(note for note in data.notes if note != NO_LINE_OF_NAMES)
    return replace(made, notes=notes, first_line=first, sha256=data.sha256)


def readings(cell: str) -> dict[DecimalSign, str]:
    """Return what a cell's number is where a comma, or a point, marks the decimals: the answers to choose from."""
    signs: dict[DecimalSign, str] = {"comma": "A comma", "point": "A point"}
    read = {sign: rewritten(pd.Series([cell]), sign).iloc[0] for sign in signs}
    return {sign: f"{name}: {cell} is {read[sign]}" for sign, name in signs.items()}


def with_decimals_decided(data: state.Dataset, names: Sequence[str], decimal: DecimalSign) -> state.Dataset:
    """Return the session's table after a person has said what marks the decimals in some of its columns."""
    written, decimals = {name: data.whole[name] for name in names}, dict.fromkeys(names, decimal)
    said = replace(data, written=written | data.written, decimals=decimals | data.decimals)
    return _read(said, with_decimal(data.whole, names, decimal))


def with_cells_read_as(data: state.Dataset, name: str, meant: Mapping[str, str]) -> state.Dataset:
    """Return the session's table after a person has said that cells of a column mean others, or nothing."""
    written = {
        one: read_as(pd.DataFrame({one: column}), one, meant)[one] if one == name else column
        for one, column in data.written.items()
    }
    # Said of cells as they are read by now: what an earlier answer made of a cell of the file is meant, too.
    earlier = {cell: meant.get(other, other) for cell, other in data.read_as.get(name, {}).items()}
    told = data.read_as | {name: dict(meant) | earlier}
    given = {name: data.written.get(name, data.whole[name])} | data.given
    return _read(replace(data, written=written, read_as=told, given=given), read_as(data.whole, name, meant))


def with_cells_as_given(data: state.Dataset, name: str) -> state.Dataset:
    """Return the session's table with the cells of a column as the file has them, whatever a person said they mean."""
    column, decimal = data.given[name], data.decimals.get(name)
    whole = data.whole.assign(**{name: column})
    if decimal is not None:
        whole = with_decimal(whole, [name], decimal)
    written = {one: column if one == name else kept for one, kept in data.written.items()}
    told = {one: of for one, of in data.read_as.items() if one != name}
    given = {one: kept for one, kept in data.given.items() if one != name}
    return _read(replace(data, written=written, read_as=told, given=given), whole)


def with_rows_left_out(data: state.Dataset, left_out: dict[str, tuple[int, ...]]) -> state.Dataset:
    """Return the session's table without the rows of its file, counted from 1, that a person left out, by reason."""
    return _read(replace(data, left_out=left_out), data.whole)


def _read(said: state.Dataset, whole: pd.DataFrame) -> state.Dataset:
    kept = np.ones(len(whole), dtype=bool)
    for rows in said.left_out.values():
        kept[np.array(rows, dtype=np.int64) - 1] = False
    made = state.make_dataset(said.name, said.note, said.origin, rows_left(whole, kept))
    return replace(said, frame=made.frame, digest=made.digest, with_all=whole if said.left_out else None)


def read_as_before(before: state.Dataset, data: state.Dataset) -> state.Dataset:
    """Return a table of the same columns as the session's, read as was said of that one."""
    for sign in dict.fromkeys(before.decimals.values()):
        data = with_decimals_decided(data, [name for name, of in before.decimals.items() if of == sign], sign)
    for name, meant in before.read_as.items():
        data = with_cells_read_as(data, name, meant)
    return data


def study_for(data: state.Dataset, files: Sequence[File]) -> Study:
    """Read an uploaded study for the session's table, with the hierarchy files that it names.

    Raises:
        CRAError: it is no study, lacks a file, or is of another table.
    """
    studies = [file for file in files if file.name.lower().endswith(".toml")]
    if len(studies) != 1:
        raise StudyError(f"{len(studies)} of these files end in .toml; give one study file, with the files it names.")
    study = uploaded_study(studies[0], {file.name: file.content for file in files if file is not studies[0]})
    have = [str(column) for column in data.frame.columns]
    for name in (*study.names, *study.roles.named):
        if name not in have:
            raise StudyError(
                f"{studies[0].name} names {name!r}, a column that {data.name} does not have: {', '.join(have)}."
            )
    if study.k > len(data.frame):
        raise StudyError(f"{studies[0].name}: {too_few(study.k, len(data.frame))}")
    return study


def too_few(k: int, records: int) -> str:
    """Return the sentence for a k that the session's table cannot serve."""
    return f"k = {k} is more than the {how_many(records, 'record')} of the table; take a smaller k."
