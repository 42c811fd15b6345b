"""The release that the Audit page looks at, kept in this session's memory only, apart from the study of the others."""

import hashlib
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

import pandas as pd
import streamlit as st

from cra_dashboard.session import handed_out, state
from cra_dashboard.session.runs import soon_over
from cra_dashboard.session.uploads import File, first_line, folders_in, is_hierarchy, stem, unpacked, uploaded_study
from cra_engine import CRAError, Study, StudyError, read_hierarchy
from cra_engine.audits.guessed_hierarchies import GuessedHierarchy
from cra_engine.audits.quasi_identifiers import QuasiIdentifiers, quasi_identifiers
from cra_engine.checks.demands import NOT_MET
from cra_engine.choices import Prior
from cra_engine.publishable import Packed
from cra_engine.publishable.archive import HOW_TO_READ, KEEP, RELEASE, SETTINGS
from cra_engine.release import read_release_table
from cra_engine.reports.filed import CheckedFile
from cra_engine.study.arx_project import ArxProject, read_arx_project
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.words import how_many, listed

_SUBJECT, _FORGOTTEN = "cra_audit", "cra_audit_forgotten"
_HOW_TO_READ = PurePath(HOW_TO_READ).name
KINDS = (".csv", ".tsv", ".toml", ".deid")


@dataclass(frozen=True, eq=False)
class Subject:
    """A released table that the page Audit looks at, with what was given about it.

    Attributes:
        name: of the file, with that of the ZIP that it came in.
        frame: the table.
        digest: of the file and of everything given with it.
        hierarchies: per column the hierarchy file that was given.
        study: the study that was given.
        population: a file of shares that was given.
        files: what was given, with its SHA-256.
        project: ARX's project file that was given.
        said: what there is to know of it.
        own: what of the session it was published from, table and study, and its seed where it was taken on Check; None
            for one that was given.
        secret: whether it came in a ZIP with the publisher's own folder.
        accepted: what its publisher accepted, and why, as how-to-read beside it says; empty for nothing.
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
    secret: bool = False
    accepted: str = ""

    @property
    def rows_alone(self) -> bool:
        """Whether nothing was given of the release beside its rows."""
        return len(self.files) == 1 and self.population is None

    def with_file(self, role: str, file: File, **known: object) -> "Subject":
        """Return the release with another file that was given for it, and what is known by that."""
        given = CheckedFile.of(role, file.content, file.name)
        return replace(self, digest=_digest(self.digest, file), files=(*self.files, given), **known)  # type: ignore[arg-type]


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


def use_given(files: list[File]) -> str:
    """Let the page Audit look at a release, with what belongs to it; files without a table are of the release there.

    Args:
        files: the table, a study with its files, hierarchy files and ARX's project, in any order, packed or not.

    Returns:
        What each file was taken for, where that is not plain, and which were not used.

    Raises:
        CRAError: there is no table, or more than one, or a file is damaged or belongs to no column.
    """
    parts = [(File(*one), file) for file in files for one in unpacked(file)]
    given = [one for one, _ in parts]
    known = [file for file in given if _ending(file) in KINDS and file.name != SETTINGS]
    if len(given) == 1:
        known = known or given  # whatever is wrong with it is said
    studies, projects = ([file for file in known if _ending(file) == kind] for kind in (".toml", ".deid"))
    releases, trees = _parted([file for file in known if file not in [*studies, *projects]])
    found = subject()
    if len(releases) > 1 or len(studies) > 1 or (found is None and not releases):
        names = listed([file.name for file in [*releases, *studies]] or ["none"])
        raise CRAError(f"Give one released table (CSV), and with it one study or none; here: {names}.")
    if found is None or releases:
        (packed,) = (file for one, file in parts if one is releases[0])
        found = _release(releases[0], "" if packed.name == releases[0].name else packed.name)
    read = [one.content.decode(errors="replace") for one in given if one.name == _HOW_TO_READ]
    lines = (line for text in read for line in text.splitlines())
    accepted = next((line for line in lines if line.startswith(NOT_MET)), found.accepted)
    found = replace(found, accepted=accepted, secret=found.secret or any(KEEP in folders_in(file) for file in files))
    made_by = _made_by(found.frame) if releases and not studies else None
    if made_by is not None:
        found = _with_study(found, made_by)
    said = [f"{file.name}: the released table" for file in releases]
    for file in studies:
        study = uploaded_study(file, {one.name: one.content for one in trees})
        found = found.with_file("study", file, study=study)
        said.append(f"{file.name}: the study of {listed(study.names)}")
    for file in projects:
        found, sentence = _with_project(found, file)
        said.append(sentence)
    of_study = {one.name for one in (*found.study.attributes, *found.study.trees_of_models)} if found.study else set()
    for file in trees:
        if found.study is None:
            name = _column(file.name, found)
            tree = read_hierarchy(file.content, name, name=file.name).as_shown_by(found.frame[name])
            found = found.with_file("hierarchy", file, hierarchies={**found.hierarchies, name: tree})
            said.append(f"{file.name}: the hierarchy of {name}")
        elif studies and stem(file.name) in of_study:
            said.append(f"{file.name}: a hierarchy of that study")
        else:
            known.remove(file)
    st.session_state[_SUBJECT] = found
    unused = [file.name for file in given if file not in known]
    told = [f"{'; '.join(said)}."] if said and (len(said) > len(releases) or unused) else []
    if made_by is not None:
        data = state.dataset()
        example = "" if data is None or data.uploaded else f"Recognized as the example {data.name}"
        told.append(f"{example or 'This is what Recode publishes here'}, so its study is used, as Check uses it.")
    return " ".join([*told, *([f"Not used: {listed(unused)}."] if unused else [])])


def _ending(file: File) -> str:
    return PurePath(file.name.lower()).suffix


def _parted(files: list[File]) -> tuple[list[File], list[File]]:
    """Released tables, and hierarchy files: they have no header, so * ends their first line; or their name tells."""
    heads = {file: first_line(file) for file in files}
    there = subject()
    columns = [
        *(map(str, there.frame.columns) if there is not None else ()),
        *(one for head in heads.values() for one in head),
    ]
    trees = [
        file
        for file, head in heads.items()
        if is_hierarchy(file) or _columns_named(file.name, [one for one in columns if one not in head])
    ]
    return [file for file in files if file not in trees], trees


def _release(file: File, archive: str = "") -> Subject:
    frame = read_release_table(file.content, file.name)
    given = CheckedFile.of("release", file.content, file.name)
    name = f"{file.name} in {archive}" if archive else file.name  # each archive's table is called alike
    return Subject(name, frame, _digest("", file), files=(given,))


def _with_study(found: Subject, study: Study) -> Subject:
    """A release with the study of the session, which Recode publishes it by."""
    return found.with_file("study", File("study.toml", study.to_toml_text().encode()), study=study)


def _made_by(frame: pd.DataFrame) -> Study | None:
    """The session's study, where these are the rows that the page Recode publishes by it, in any order."""
    study = state.study()
    if state.dataset() is None or study is None or len(frame) != len(state.to_recode()):
        return None
    try:
        made = state.recoding()
        own = read_release_table(state.release_csv(made).encode())
    except CRAError:  # the table does not fit its study
        return None
    rows, others = (Counter(one.itertuples(index=False)) for one in (own, frame))
    return made.study_told if list(own.columns) == list(frame.columns) and rows == others else None


def own_called() -> str:
    """Return what the session hands out, as Audit names it: the table taken on Check, or else what Recode publishes."""
    data = state.dataset()
    return f"{'release' if _taken() is None else 'table taken'} of {PurePath(data.name if data else '').stem}"


def own_instead(found: Subject) -> str:
    """Return what the session hands out of its upload, as Audit names it, where a release is not that; else nothing."""
    data, taken = state.dataset(), _taken()
    if found.own is not None or data is None or not data.uploaded or state.study() is None:
        return ""

    def is_own() -> bool:
        if taken is None:
            return _made_by(found.frame) is not None
        own = str(taken.files[RELEASE]).encode()
        return CheckedFile.of("release", own, RELEASE).sha256 == found.files[0].sha256

    return "" if state.once("audited own", (found.digest, _published_from()), is_own) else own_called()


def use_own() -> None:
    """Let the page Audit look at what the session hands out, with its study.

    Raises:
        CRAError: the session's table does not fit its study.
    """
    taken = _taken()
    if state.dataset() is not None and state.study() is not None:
        if taken is None:
            made = state.recoding()
            text, by = state.release_csv(made), made.study_told
        else:
            text, by = str(taken.files[RELEASE]), taken.drawn.study
        own = _with_study(_release(File(f"{own_called()}.csv", text.encode())), by)
        st.session_state[_SUBJECT] = replace(own, own=_published_from())


def _taken() -> Packed | None:
    taken = handed_out.taken()
    return taken if taken is not None and taken.files else None


def own_at_once() -> bool:
    """Return whether Audit looks at the session's release unasked: a small one, where none was given or forgotten."""
    data, study = state.dataset(), state.study()
    wanted = subject() is None and st.session_state.get(_FORGOTTEN) != _published_from()
    return wanted and data is not None and study is not None and soon_over(study.attributes, len(data.frame))


def _published_from() -> Hashable:
    data = state.dataset()
    taken = _taken()
    return None if data is None else (data.digest, state.study(), taken and taken.drawn.seed)


def _with_project(found: Subject, file: File) -> tuple[Subject, str]:
    """The release with the quasi-identifiers, hierarchies and k of an ARX project, and what was taken of it."""
    project = read_arx_project(file.content, file.name)
    columns = project.for_table(list(map(str, found.frame.columns)))
    hierarchies = {**found.hierarchies, **columns.hierarchies}
    chosen = found.with_file("project", file, hierarchies=hierarchies, project=project, said=columns.notes)
    counted = how_many(len(columns.hierarchies), "hierarchy", "hierarchies")
    k = "" if project.k is None else f" and k = {project.k}"
    return chosen, f"{file.name}: ARX's project with {counted}{k}, nothing in it was run"


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


def known_hierarchies(found: Subject, named: tuple[str, ...]) -> tuple[list[GuessedHierarchy], QuasiIdentifiers]:
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


def _column(file: str, found: Subject) -> str:
    columns = list(map(str, found.frame.columns))
    fits = _columns_named(file, columns)
    if not fits:
        raise StudyError(
            f"{file[:80]} names no column of the release; call it COLUMN.csv or ANYTHING_COLUMN.csv, COLUMN being one "
            f"of {', '.join(map(repr, columns[:12]))}."
        )
    return max(fits, key=len)


def _columns_named(file: str, columns: Sequence[str]) -> list[str]:
    return [name for name in columns if stem(file) == name or stem(file).endswith(f"_{name}")]
