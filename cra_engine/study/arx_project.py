"""ARX's project files (``.deid``): the roles, hierarchies and settings in them, read and nothing run.

A project is a zip file: ``definition.xml`` and ``config.xml`` in ``output/`` (what the output was made with) and
``input/`` (what is set now), with the hierarchies as CSV files beside them. What ARX keeps as Java objects
(``project.dat``, ``config.dat``, ..) is not looked at, nor is the data.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cra_engine.errors import DataError, StudyError
from cra_engine.files.content import content_of
from cra_engine.files.xml_text import Element, read_xml
from cra_engine.files.zipped import Zipped, opened_zip
from cra_engine.study.file_hierarchy import FileHierarchy, read_hierarchy
from cra_engine.study.study import MAX_ATTRIBUTES, MAX_K

MOST_XML, MOST_HIERARCHY, MOST_PROJECT = 4 * 2**20, 64 * 2**20, 2**30
_QUASI = "QUASI_IDENTIFYING_ATTRIBUTE"
_ROLES = {
    "IDENTIFYING_ATTRIBUTE": "identifying",
    "SENSITIVE_ATTRIBUTE": "sensitive",
    "INSENSITIVE_ATTRIBUTE": "insensitive",
    _QUASI: "quasi-identifying",
}
_K = re.compile(r"^([0-9]{1,20})-anonymity$")
_LOSS = re.compile(r"^Loss \(")


@dataclass(frozen=True)
class ArxProject:
    """The settings by which an ARX project made a table.

    Attributes:
        roles: per column ``"quasi-identifying"``, ``"identifying"``, ``"sensitive"`` or ``"insensitive"``.
        hierarchies: of the quasi-identifiers that have one.
        k: of k-anonymity; None where the project does not ask for it.
        minimum: per quasi-identifier the lowest level that may be published; 0 is the raw value.
        notes: sentences on what of the project does not fit the attack, or was not read.
    """

    roles: Mapping[str, str]
    hierarchies: Mapping[str, FileHierarchy]
    k: int | None
    minimum: Mapping[str, int]
    notes: tuple[str, ...] = ()

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The quasi-identifiers, in the order of the table's columns."""
        return tuple(name for name, role in self.roles.items() if role == "quasi-identifying")

    def for_table(self, columns: Sequence[str], named: Sequence[str] = ()) -> "ProjectColumns":
        """Returns the part that concerns a released table.

        Args:
            columns: the table's.
            named: the quasi-identifiers, where somebody said which they are.

        Raises:
            StudyError: the table has no quasi-identifier of the project.
        """
        chosen = tuple(named) or tuple(name for name in self.quasi_identifiers if name in columns)
        if not chosen:
            raise StudyError(
                f"The table has none of the project's quasi-identifiers ({_listed(self.quasi_identifiers[:12])}); "
                "take the table that was made with this project."
            )
        notes = self.notes
        missing = [name for name in self.quasi_identifiers if name not in columns]
        if missing:
            notes = (*notes, f"The table lacks {_listed(missing[:5])}, which the project names; was it made with it?")
        trees = {name: tree for name, tree in self.hierarchies.items() if name in chosen}
        return ProjectColumns(chosen, trees, notes)


@dataclass(frozen=True)
class ProjectColumns:
    """The part of a project that concerns a released table.

    Attributes:
        quasi_identifiers: the table's columns that are some.
        hierarchies: theirs, where the project has one.
        notes: as those of the project, and what the table lacks.
    """

    quasi_identifiers: tuple[str, ...]
    hierarchies: Mapping[str, FileHierarchy]
    notes: tuple[str, ...]


def read_arx_project(source: str | os.PathLike[str] | bytes, name: str = "") -> ArxProject:
    """Read an ARX project file.

    Args:
        source: the file's path, or its bytes.
        name: the file's name for messages, where ``source`` is bytes.

    Raises:
        DataError: it is no project file, is damaged, or is larger than any project.
        StudyError: a hierarchy in it is none.
    """
    called = name or (Path(source).name if not isinstance(source, bytes) else "The project")
    content = source if isinstance(source, bytes) else content_of(source, called, DataError, MOST_PROJECT)
    if len(content) > MOST_PROJECT:
        raise DataError(f"{called} holds more than {MOST_PROJECT // 2**20} MB; take out what is not needed.")
    with opened_zip(content, called) as packed:
        prefix = next((part for part in ("output/", "input/") if f"{part}definition.xml" in packed.files), None)
        if prefix is None:
            raise DataError(
                f"{called} is no project of ARX: it holds no definition.xml; save the project in ARX again, or give "
                "its hierarchy files."
            )
        definition = _xml(packed, f"{prefix}definition.xml")
        config = _xml(packed, f"{prefix}config.xml") if f"{prefix}config.xml" in packed.files else Element("config")
        return _project(packed, prefix, definition, config)


def _listed(names: Sequence[str]) -> str:
    """Names of columns, which can hold anything, as part of a sentence."""
    return ", ".join(repr(name[:60]) for name in names)


def _xml(packed: Zipped, file: str) -> Element:
    return read_xml(packed.read(file, MOST_XML), f"{packed.name}: {file}")


def _project(packed: Zipped, prefix: str, definition: Element, config: Element) -> ArxProject:
    roles, hierarchies, minimum, notes = dict[str, str](), dict[str, FileHierarchy](), dict[str, int](), list[str]()
    for entry in definition.all("assigment"):  # ARX's spelling
        name, kind = entry.child("name"), entry.child("type")
        if not name or kind not in _ROLES:
            raise DataError(
                f"{packed.name}: {prefix}definition.xml has a column without a name or a known type; save the project "
                "in ARX again."
            )
        if name in roles:
            raise DataError(f"{packed.name}: {prefix}definition.xml has the column {name[:60]!r} twice.")
        roles[name] = _ROLES[kind]
        if kind != _QUASI:
            continue
        minimum[name] = _level(entry.child("min"))
        hierarchy = _hierarchy(packed, prefix, name, minimum[name], notes)
        if hierarchy is not None:
            hierarchies[name] = hierarchy
        if entry.child("microAggregationFunction") is not None:
            notes.append(f"The project microaggregates {name!r}, which this attack does not read.")
    if len(roles) > 10_000 or len(minimum) > MAX_ATTRIBUTES:
        raise DataError(f"{packed.name} names {len(roles):,} columns, more than any table here has.")
    if not minimum:
        raise DataError(f"{packed.name} names no quasi-identifier; set them in ARX and save the project again.")
    k, more = _models(config)
    notes += more
    shown = {name for name, tree in hierarchies.items() if not tree.finest}
    raw = [name for name, level in minimum.items() if level == 0 and name not in shown]
    if raw:
        notes.append(f"The project lets {_listed(raw[:5])} be published as raw values (minimum level 0).")
    if prefix == "input/":
        notes.append(
            "The project holds no output, so what was read is what is set now, not what a table was made with."
        )
    return ArxProject(roles, hierarchies, k, minimum, tuple(notes))


def _hierarchy(packed: Zipped, prefix: str, name: str, lowest: int, notes: list[str]) -> FileHierarchy | None:
    """The hierarchy of a column, its lowest level the finest; those of an output stand beside its definition."""
    file = next(
        (f for f in (f"{prefix}hierarchies/{name}.csv", f"input/hierarchies/{name}.csv") if f in packed.files), ""
    )
    if not file:
        notes.append(f"The project has no hierarchy for {name!r}; it is guessed from the labels.")
        return None
    content = packed.read(file, MOST_HIERARCHY)
    if not any(b in content.split(b"\n", 1)[0] for b in (b";", b",", b"\t")):
        notes.append(f"The project's hierarchy of {name!r} has one level only; it is guessed from the labels.")
        return None
    try:
        return read_hierarchy(content, name, name=f"{packed.name}: {file}", finest=lowest or None)
    except StudyError as error:
        notes.append(f"The project's hierarchy of {name!r} was not read: {error}")
        return None


def _level(text: str | None) -> int:
    """A lowest level; ``All`` is 0."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 4 else 0


def _models(config: Element) -> tuple[int | None, list[str]]:
    """k, and what else of the settings matters."""
    texts = [criterion.text for criterion in config.all("criterion")]
    ks = [int(match[1]) for match in map(_K.match, texts) if match]
    notes = []
    others = [" ".join(text.split()) for text in texts if not _K.match(text)]
    if others:
        notes.append(
            f"The project asks for {', '.join(others[:3])[:120]} besides k-anonymity: then other classes were formed, "
            "and what is called certain need not be so."
        )
    metric = next((criterion.text for criterion in config.all("metric")), "")
    if metric and not _LOSS.match(metric):
        notes.append(
            f"The project's quality model is {metric[:60]!r}, not Loss: the order of the states is another, and what "
            "is called certain need not be so."
        )
    k = ks[-1] if ks and 2 <= ks[-1] <= MAX_K else None
    return k, notes
