"""The release that the Audit page looks at, kept in this session's memory only, apart from the study of the others."""

import hashlib
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from pathlib import PurePath

import pandas as pd
import streamlit as st

from cra_dashboard.session import state
from cra_dashboard.session.runs import soon_over
from cra_dashboard.session.uploads import File, tables_and_studies, uploaded_study
from cra_engine import CRAError, Study, StudyError, read_hierarchy
from cra_engine.audits.guessed_hierarchies import GuessedHierarchy
from cra_engine.audits.quasi_identifiers import QuasiIdentifiers, quasi_identifiers
from cra_engine.choices import Prior
from cra_engine.release import read_release_table
from cra_engine.reports.filed import CheckedFile
from cra_engine.study.arx_project import ArxProject, read_arx_project
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.words import how_many, listed

_SUBJECT, _FORGOTTEN = "cra_audit", "cra_audit_forgotten"


@dataclass(frozen=True, eq=False)
class Subject:
    """A released table that the page Audit looks at, with what was given about it.

    Attributes:
        name: of the file.
        frame: the table.
        digest: of the file and of everything given with it.
        hierarchies: per column the hierarchy file that was given.
        study: the study that was given.
        population: a file of shares that was given.
        files: what was given, with its SHA-256.
        project: ARX's project file that was given.
        said: what there is to know of it.
        own: what of the session it was published from, table and study; None for one that was given.
    """

    name: str
    frame: pd.DataFrame
    digest: str
    hierarchies: dict[str, FileHierarchy] = field(default_factory=dict)
    study: Study | None = None
    population: File | None = None
    files: tuple[CheckedFile, ...] = ()
    project: ArxProject | None = None
    said: tuple[str, ...] = ()
    own: Hashable = None


@dataclass(frozen=True)
class Settings:
    """The settings that a person chose on Audit; None where one is to be guessed."""

    k: int | None
    profile: str | float | None
    time_limit: float
    prior: Prior | None = None
    qi: tuple[str, ...] = ()
    gs_factor: float | None = None


def subject() -> Subject | None:
    """Return the release that the page Audit looks at, None before there was one or once an own one is out of date."""
    found = st.session_state.get(_SUBJECT)
    return found if isinstance(found, Subject) and found.own in (None, _published_from()) else None


def use_release(file: File, study: Study | None = None, own: Hashable = None) -> Subject:
    """Let the page Audit look at another release from now on, with its study where that is at hand.

    What the page Recode publishes here is known again, and has its study, so that Check and Audit say the same of it.

    Raises:
        CRAError: the file is no table.
    """
    frame = read_release_table(file.content, file.name)
    given, text = [CheckedFile.of("release", file.content, file.name)], ""
    if study is None and _made_here(frame):
        study, own = state.study(), _published_from()
    if study is not None:
        text = study.to_toml_text()
        given.append(CheckedFile.of("study", text.encode(), "study.toml"))
    chosen = Subject(file.name, frame, _digest(text, file), study=study, files=tuple(given), own=own)
    st.session_state[_SUBJECT] = chosen
    return chosen


def use_given(files: list[File]) -> str:
    """Let the page Audit look at a release that came with its study or without; a study alone is of the release there.

    Returns:
        What each file was taken for, where that is not plain: a sentence or more.

    Raises:
        CRAError: there is no table among them, or more than one, or a file is neither table nor study.
    """
    tables, studies = tables_and_studies(files)
    if not tables and studies and subject() is not None:
        return " ".join(use_files(files))
    if len(tables) != 1 or len(studies) > 1:
        raise CRAError(
            "Give one released table, with the files of one study or without; hierarchy files that no study names are "
            "given under Columns once the table is there."
        )
    study = next(iter(studies.values()), None)
    found = use_release(tables[0], study)
    if study is not None:
        return f"{found.name}: the released table; beside it the study of {listed(study.names)}."
    return "" if found.study is None else "This is what Recode publishes here, so its study is used, as Check uses it."


def _made_here(frame: pd.DataFrame) -> bool:
    """Whether these are the rows that the page Recode publishes, in any order."""
    data = state.dataset()
    if data is None or state.study() is None or len(frame) != len(state.to_recode()):
        return False
    try:
        own = read_release_table(state.release_csv(state.recoding()).encode())
    except CRAError:  # the table does not fit its study
        return False
    names = list(own.columns)
    return names == list(frame.columns) and Counter(own.itertuples(index=False)) == Counter(
        frame.itertuples(index=False)
    )


def use_own() -> None:
    """Let the page Audit look at what the page Recode publishes, with its study.

    Raises:
        CRAError: the session's table does not fit its study.
    """
    data, study = state.dataset(), state.study()
    if data is not None and study is not None:
        text = state.release_csv(state.recoding())
        use_release(File(f"release of {PurePath(data.name).stem}.csv", text.encode()), study, _published_from())


def own_at_once() -> bool:
    """Return whether Audit looks at the session's release unasked: a small one, where none was given or forgotten."""
    data, study = state.dataset(), state.study()
    wanted = subject() is None and st.session_state.get(_FORGOTTEN) != _published_from()
    return wanted and data is not None and study is not None and soon_over(study.attributes, len(data.frame))


def _published_from() -> Hashable:
    data = state.dataset()
    return None if data is None else (data.digest, state.study())


def use_files(files: list[File]) -> list[str]:
    """Take hierarchy files and a study for the release on Audit; what was given before stays.

    Returns:
        A sentence per file on what it was taken for.

    Raises:
        CRAError: a file is neither, or its name names no column.
    """
    found = subject()
    if found is None:
        raise CRAError("Give the released table first.")
    # TOML files last: a study may name the CSV files.
    contents = {file.name: file.content for file in files}
    said = []
    for file in sorted(files, key=lambda one: one.name.lower().endswith(".toml")):
        digest = _digest(found.digest, file)
        if file.name.lower().endswith(".deid"):
            found, sentence = _with_project(found, file, digest)
            said.append(sentence)
            continue
        if file.name.lower().endswith(".toml"):
            study = uploaded_study(file, contents)
            given = CheckedFile.of("study", file.content, file.name)
            found = replace(found, study=study, digest=digest, files=(*found.files, given))
            said.append(f"{file.name}: the study of {', '.join(study.names)}.")
            continue
        name = _column(file.name, list(map(str, found.frame.columns)))
        tree = read_hierarchy(file.content, name, name=file.name).as_shown_by(found.frame[name])
        given = CheckedFile.of("hierarchy", file.content, file.name)
        trees = {**found.hierarchies, name: tree}
        found = replace(found, hierarchies=trees, digest=digest, files=(*found.files, given))
        said.append(f"{file.name}: the hierarchy of {name}.")
    st.session_state[_SUBJECT] = found
    return said


def _with_project(found: Subject, file: File, digest: str) -> tuple[Subject, str]:
    """The release with the quasi-identifiers, hierarchies and k of an ARX project."""
    project = read_arx_project(file.content, file.name)
    columns = project.for_table(list(map(str, found.frame.columns)))
    given = CheckedFile.of("project", file.content, file.name)
    chosen = replace(
        found,
        hierarchies={**found.hierarchies, **columns.hierarchies},
        project=project,
        said=columns.notes,
        digest=digest,
        files=(*found.files, given),
    )
    hierarchies = how_many(len(columns.hierarchies), "hierarchy", "hierarchies")
    k = "" if project.k is None else f" and k = {project.k}"
    return chosen, f"{file.name}: ARX's project with {hierarchies}{k}. Nothing in it was run."


def use_population(file: File) -> None:
    """Let the page Audit weigh tables by a file of shares; whether it fits shows when the release is audited.

    Raises:
        CRAError: there is no release yet.
    """
    found = subject()
    if found is None:
        raise CRAError("Give the released table first.")
    st.session_state[_SUBJECT] = replace(found, population=file, digest=_digest(found.digest, file))


def drop_population() -> None:
    """Let the page Audit weigh tables without a file of shares again."""
    found = subject()
    if found is not None:
        st.session_state[_SUBJECT] = replace(found, population=None, digest=f"{found.digest} without shares")


def forget_subject() -> None:
    """Drop the release on Audit, and what was given with it."""
    st.session_state[_FORGOTTEN] = _published_from()
    st.session_state.pop(_SUBJECT, None)


def proposed_quasi_identifiers(found: Subject) -> tuple[str, ...]:
    """Propose quasi-identifiers of the release on Audit, by looks or hierarchy files; none where unclear."""
    try:
        if found.project is not None:
            return found.project.for_table(list(map(str, found.frame.columns))).quasi_identifiers
        return tuple(a.name for a in quasi_identifiers(found.frame, found.hierarchies).attributes)
    except CRAError:
        return tuple(found.hierarchies)


def known_hierarchies(found: Subject, named: tuple[str, ...] = ()) -> tuple[list[GuessedHierarchy], QuasiIdentifiers]:
    """Return the hierarchies that the page Audit attacks with, each with how sure it is; and what is in doubt.

    Args:
        found: the release.
        named: the columns that are quasi-identifiers; proposed where empty.

    Raises:
        CRAError: no column looks like a quasi-identifier, or its labels are of no hierarchy.
    """
    if found.study is not None:
        trees = [GuessedHierarchy(a, "Given by the study.", certain=True) for a in found.study.attributes]
        return trees, QuasiIdentifiers(found.frame, found.study.attributes, (), named=True)
    given = {name: tree for name, tree in found.hierarchies.items() if not named or name in named}
    columns = quasi_identifiers(found.frame, given, named)
    guessed = {proposal.hierarchy.name: proposal for proposal in columns.proposals}
    trees = [
        guessed.get(attribute.name, GuessedHierarchy(attribute, "Given by its file.", certain=True))
        for attribute in columns.attributes
    ]
    return trees, columns


def _digest(before: str, file: File) -> str:
    return hashlib.blake2b(before.encode() + file.name.encode() + b"\0" + file.content, digest_size=16).hexdigest()


def _column(file: str, columns: list[str]) -> str:
    stem = file.rsplit(".", 1)[0]
    fits = [name for name in columns if stem == name or stem.endswith(f"_{name}")]
    if not fits:
        raise StudyError(
            f"{file[:80]} names no column of the release; call it COLUMN.csv or ANYTHING_COLUMN.csv, COLUMN being one "
            f"of {', '.join(map(repr, columns[:12]))}."
        )
    return max(fits, key=len)
