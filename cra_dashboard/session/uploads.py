"""File uploads that leave nothing behind: a file is read once, then its bytes are dropped.

With ``CRA_UPLOADS=off`` in the environment nobody can upload anything: for a server that a class shares.
"""

import os
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit import config
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from cra_dashboard.session.server import running_server
from cra_engine import CRAError, DataError, Study, StudyError
from cra_engine.files.delimited import read_rows
from cra_engine.files.zipped import opened_zip
from cra_engine.publishable.archive import SETTINGS
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import listed

MOST_UNPACKED = 200 * 2**20  # bytes in an uploaded zip file
OFF = (
    "Uploads are switched off on this server. The examples and synthetic tables show everything; for a table of your "
    "own, run CRA Explorer on your own computer."
)
AS_ZIP = "Hierarchy files of one name differ between releases: give each release as the ZIP that Recode hands out."


class IncompleteError(StudyError):
    """What was uploaded is not whole: more of it may still come."""


@dataclass(frozen=True)
class File:
    """A file that was uploaded in a session: its name and its bytes."""

    name: str
    content: bytes


def allowed() -> bool:
    """Return whether files may be uploaded: yes, unless ``CRA_UPLOADS`` is set to anything but ``on``."""
    return os.environ.get("CRA_UPLOADS", "").strip().lower() in {"", "on"}


def heed_the_switch() -> None:
    """Let the server itself refuse every upload where uploads are off, also from other programs."""
    if running_server() is not None and not allowed():
        config.set_option("server.maxUploadSize", 0)


def uploader(
    name: str,
    label: str,
    on_files: Callable[[list[File]], None],
    *,
    several: bool = False,
    help_text: str | None = None,
) -> None:
    """Show an upload field that hands what it gets to ``on_files`` once and forgets it.

    Streamlit keeps the bytes of an upload for as long as the session lives and gives them to every run of the script.
    Here the field is a new one after each upload, so coming back to the page reads nothing again, and the bytes are
    gone from the server's memory as soon as they are read.

    Where uploads are off, a sentence stands in its place.

    Args:
        name: of the field, the same in every run.
        label: what stands above the field.
        on_files: gets the files before the page runs again; a single one unless ``several``.
        several: take several files at once.
        help_text: shown at the label's question mark.
    """
    if not allowed():
        st.info(OFF, icon=":material/block:")
        return
    key = st.session_state.setdefault(f"{name}-field", f"{name}-{uuid.uuid4().hex}")
    # Any type: a file of another kind gets the sentence that says what to do, not a silent refusal.
    if several:
        st.file_uploader(
            label, accept_multiple_files=True, key=key, on_change=_take, args=(name, key, on_files), help=help_text
        )
    else:
        st.file_uploader(label, key=key, on_change=_take, args=(name, key, on_files), help=help_text)


def _take(name: str, key: str, on_files: Callable[[list[File]], None]) -> None:
    given = st.session_state.get(key)
    # A page that has not heard yet that its field is a new one tells of the old file again; its bytes are gone.
    uploads = [each for each in (given if isinstance(given, list) else [given]) if isinstance(each, UploadedFile)]
    if not uploads:
        return
    files = [File(upload.name, upload.getvalue()) for upload in uploads]
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        for upload in uploads:
            context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=upload.file_id)
    st.session_state[f"{name}-field"] = f"{name}-{uuid.uuid4().hex}"
    on_files(files)


@dataclass(frozen=True)
class Parted:
    """What was uploaded together, told apart.

    Attributes:
        tables: released tables.
        studies: by name.
        files: per study the names of the files that it came in.
        unused: hierarchy files that no study names.
    """

    tables: list[File]
    studies: dict[str, Study]
    files: dict[str, tuple[str, ...]]
    unused: list[str]


def uploaded_study(file: File, contents: Mapping[str, bytes], used: list[str] | None = None) -> Study:
    """Read a study that was uploaded, with its hierarchy files among what was uploaded beside it.

    Args:
        file: the study.
        contents: of all files, by name.
        used: gets the names of the hierarchy files.

    Raises:
        CRAError: it is no study, or names a file that is not there.
    """

    def find(name: str) -> bytes:
        if name not in contents:
            raise IncompleteError(
                f"{file.name} names the hierarchy file {name!r}; upload it together with the study, or the whole ZIP "
                "that they came in."
            )
        if used is not None:
            used.append(name)
        return contents[name]

    try:
        text = file.content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise StudyError(f"The study file {file.name} is not UTF-8 text; save it as a TOML file in UTF-8.") from None
    return Study.from_toml_text(text, file.name, find)


def tables_and_studies(files: Sequence[File]) -> Parted:
    """Part what was uploaded together: tables, studies and the files of their hierarchies.

    A ZIP that Recode or Check handed out is the table and the study of its own name.

    Raises:
        CRAError: as :func:`uploaded_study`, or a ZIP cannot be unpacked, or two files of one name differ.
    """
    archives = [file for file in files if _zipped(file)]
    loose = list(dict.fromkeys(file for file in files if file not in archives))
    given = [file for file in loose if file.name.lower().endswith(".toml")]
    known = [file.name for file in loose if file in given or is_hierarchy(file)]
    if twice := [name for name in dict.fromkeys(known) if known.count(name) > 1]:
        raise DataError(f"More than one file is called {listed(twice)}. {AS_ZIP}")
    contents = {file.name: file.content for file in loose}
    studies, used, files_of = {}, set(), {}
    for file in given:
        trees: list[str] = []
        studies[stem(file.name)] = uploaded_study(file, contents, trees)
        files_of[stem(file.name)] = (file.name, *trees)
        used |= {*trees}
    others = [file for file in loose if file not in given and file.name not in used]
    unused = [file.name for file in others if is_hierarchy(file)]
    tables = [file for file in others if file.name not in unused]
    if unused and not (tables or given or archives):
        what = "is a hierarchy file" if len(unused) == 1 else "are hierarchy files"
        raise IncompleteError(f"{listed(unused)} {what}: give the table and its study, too, best the ZIP of all.")
    for archive in archives:
        inside = [File(*one) for one in unpacked(archive) if one[0].endswith((".csv", ".toml")) and one[0] != SETTINGS]
        own = tables_and_studies(inside)
        tables += [File(f"{stem(archive.name)}.csv", table.content) for table in own.tables]
        studies |= {stem(archive.name): study for study in own.studies.values()}
        files_of |= {stem(archive.name): (archive.name, *names) for names in own.files.values()}
    return Parted(tables, studies, files_of, unused)


def is_hierarchy(file: File) -> bool:
    """Return whether an uploaded file is an ARX hierarchy: it has no header, so that * ends its first line."""
    return first_line(file)[-1:] == [ROOT_LABEL]


def first_line(file: File) -> list[str]:
    """Return the cells of an uploaded file's first line; none where it is no text, which reading all of it says."""
    try:
        return read_rows(file.content.partition(b"\n")[0])[0][0]
    except (CRAError, IndexError):
        return []


def unpacked(file: File) -> list[tuple[str, bytes]]:
    """Return files that were uploaded: one by its name, or those in a zip file.

    Raises:
        DataError: it cannot be unpacked, or holds too much.
    """
    if not _zipped(file):
        return [(file.name, file.content)]
    with opened_zip(file.content, file.name) as zipped:
        if sum(info.file_size for info in zipped.files.values()) > MOST_UNPACKED:
            raise DataError(f"{file.name} holds more than {MOST_UNPACKED // 2**20} MB; unpack it and take less.")
        named = [(name.rpartition("/")[2], name) for name in zipped.files]
        # What macOS packs beside each file is none of its own.
        return [(own, zipped.read(name, MOST_UNPACKED)) for own, name in named if not own.startswith("._")]


def folders_in(file: File) -> set[str]:
    """Return the folders in which files of an uploaded zip file are; none of another file."""
    if not _zipped(file):
        return set()
    with opened_zip(file.content, file.name) as zipped:
        return {folder for name in zipped.files for folder in name.split("/")[:-1]}


def _zipped(file: File) -> bool:
    return file.name.lower().endswith(".zip")


def stem(name: str) -> str:
    """Return the name of a file that was uploaded, without its ending."""
    return name.rsplit(".", 1)[0]
