"""ARX's project files (``.deid``): the roles, hierarchies and settings in them, read and nothing run.

A project is a zip file: ``definition.xml`` and ``config.xml`` in ``output/`` (what the output was made with) and
``input/`` (what is set now), with the hierarchies as CSV files beside them. What ARX keeps as Java objects
(``project.dat``, ``config.dat``, ..) is not looked at, nor is the data.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.beta_likeness import BetaLikeness
from cra_engine.criteria.delta_disclosure import DeltaDisclosure
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.criteria.models import PrivacyModel
from cra_engine.criteria.t_closeness import TCloseness
from cra_engine.errors import DataError, StudyError
from cra_engine.files.content import content_of
from cra_engine.files.notation import decimal_in
from cra_engine.files.xml_text import Element, read_xml
from cra_engine.files.zipped import Zipped, opened_zip
from cra_engine.patience import checkpoint
from cra_engine.study.file_hierarchy import FileHierarchy, read_hierarchy
from cra_engine.study.quality import WEIGHT
from cra_engine.study.settings import MAX_ATTRIBUTES
from cra_engine.study.study import MAX_K

MOST_XML, MOST_HIERARCHY, MOST_PROJECT = 4 * 2**20, 64 * 2**20, 2**30
MOST_LINES = 1_000_000  # of all hierarchies together; a zip file of 8 KB can hold millions
_QUASI = "QUASI_IDENTIFYING_ATTRIBUTE"
_ROLES = {
    "IDENTIFYING_ATTRIBUTE": "identifying",
    "SENSITIVE_ATTRIBUTE": "sensitive",
    "INSENSITIVE_ATTRIBUTE": "insensitive",
    _QUASI: "quasi-identifying",
}
_K = re.compile(r"^([0-9]{1,20})-anonymity$")
_LOSS = re.compile(r"^Loss \(")
_NUMBER, _OF = r"([0-9]{1,9}(?:\.[0-9]{1,15})?)", r" for attribute '(.*)'$"
_MODELS: tuple[tuple[re.Pattern[str], Callable[..., PrivacyModel]], ...] = (
    (re.compile(rf"^distinct-{_NUMBER}-diversity{_OF}"), lambda number, name: LDiversity(name, Decimal(number))),
    (
        re.compile(rf"^(?:shannon-)?entropy-{_NUMBER}-diversity{_OF}"),
        lambda number, name: LDiversity(name, Decimal(number), "entropy"),
    ),
    (
        re.compile(rf"^recursive-\({_NUMBER},\s*{_NUMBER}\)-diversity{_OF}"),
        lambda c, number, name: LDiversity(name, Decimal(number), "recursive", Decimal(c)),
    ),
    (
        re.compile(rf"^{_NUMBER}-closeness with (equal|ordered) distance{_OF}"),
        lambda t, distance, name: TCloseness(name, Decimal(t), distance),
    ),
    (re.compile(rf"^{_NUMBER}-basic likeness{_OF}"), lambda beta, name: BetaLikeness(name, Decimal(beta))),
    (
        re.compile(rf"^enhanced-{_NUMBER}-likeness{_OF}"),
        lambda beta, name: BetaLikeness(name, Decimal(beta), "enhanced"),
    ),
    (re.compile(rf"^{_NUMBER}-disclosure privacy{_OF}"), lambda delta, name: DeltaDisclosure(name, Decimal(delta))),
    (re.compile(rf"^\({_NUMBER}\)-avg-reidentification-risk$"), lambda risk: AverageRisk(Decimal(risk))),
)


@dataclass(frozen=True)
class ArxProject:
    """The settings by which an ARX project made a table, for a study.

    Attributes:
        roles: per column ``"quasi-identifying"``, ``"identifying"``, ``"sensitive"`` or ``"insensitive"``.
        hierarchies: of the quasi-identifiers that have one.
        k: of k-anonymity; None where the project does not ask for it.
        minimum: per quasi-identifier the lowest level that may be published; 0 is the raw value.
        privacy: the privacy models besides k.
        weights: per quasi-identifier its weight in the quality model, where it is not 0.5.
        notes: sentences on what of the project does not fit the attack, or was not read.
    """

    roles: Mapping[str, str]
    hierarchies: Mapping[str, FileHierarchy]
    k: int | None
    minimum: Mapping[str, int]
    privacy: tuple[PrivacyModel, ...] = ()
    weights: Mapping[str, Decimal] = field(default_factory=dict)
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
    """The part of an ARX project's settings that concerns a released table.

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
    lines = 0
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
        checkpoint()  # a hierarchy can be long
        minimum[name] = _level(entry.child("min"))
        content = _hierarchy_file(packed, prefix, name)
        lines += content.count(b"\n")
        if lines > MOST_LINES:
            raise DataError(
                f"{packed.name}: its hierarchies hold more than {MOST_LINES:,} lines together; take coarser ones."
            )
        hierarchy = _hierarchy(content, f"{packed.name}: hierarchies/{name}.csv", name, minimum[name], notes)
        if hierarchy is not None:
            hierarchies[name] = hierarchy
        if entry.child("microAggregationFunction") is not None:
            notes.append(f"The project microaggregates {name!r}, which this attack does not read.")
    if len(roles) > 10_000 or len(minimum) > MAX_ATTRIBUTES:
        raise DataError(f"{packed.name} names {len(roles):,} columns, more than any table here has.")
    if not minimum:
        raise DataError(f"{packed.name} names no quasi-identifier; set them in ARX and save the project again.")
    k, privacy, more = _models(config)
    weights, others = _quality(config, list(minimum))
    notes += [*more, *others]
    shown = {name for name, tree in hierarchies.items() if not tree.finest}
    raw = [name for name, level in minimum.items() if level == 0 and name not in shown]
    if raw:
        notes.append(f"The project lets {_listed(raw[:5])} be published as raw values (minimum level 0).")
    if prefix == "input/":
        notes.append(
            "The project holds no output, so what was read is what is set now, not what a table was made with."
        )
    return ArxProject(roles, hierarchies, k, minimum, privacy, weights, tuple(notes))


def _hierarchy_file(packed: Zipped, prefix: str, name: str) -> bytes:
    """The file of a column's hierarchy, empty without one; those of an output stand beside its definition."""
    file = next(
        (f for f in (f"{prefix}hierarchies/{name}.csv", f"input/hierarchies/{name}.csv") if f in packed.files), ""
    )
    return packed.read(file, MOST_HIERARCHY) if file else b""


def _hierarchy(content: bytes, called: str, name: str, lowest: int, notes: list[str]) -> FileHierarchy | None:
    """The hierarchy of a column, its lowest level the finest."""
    if not content:
        notes.append(f"The project has no hierarchy for {name!r}; it is guessed from the labels.")
        return None
    if not any(b in content.split(b"\n", 1)[0] for b in (b";", b",", b"\t")):
        notes.append(f"The project's hierarchy of {name!r} has one level only; it is guessed from the labels.")
        return None
    try:
        return read_hierarchy(content, name, name=called, finest=lowest or None)
    except StudyError as error:
        notes.append(f"The project's hierarchy of {name!r} was not read: {error}")
        return None


def _level(text: str | None) -> int:
    """A lowest level; ``All`` is 0."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 4 else 0


def _models(config: Element) -> tuple[int | None, tuple[PrivacyModel, ...], list[str]]:
    """k, the other models, and which are not known here."""
    texts = [" ".join(criterion.text.split()) for criterion in config.all("criterion")]
    ks = [int(match[1]) for match in map(_K.match, texts) if match]
    found, unknown = list[PrivacyModel](), list[str]()
    for text in [text for text in texts if not _K.match(text)]:
        made = _model(text)
        if made is None:
            unknown.append(text)
        else:
            found.append(made)
    notes = []
    if unknown:
        notes.append(
            f"The project asks for {', '.join(unknown[:3])[:120]} besides k-anonymity: then other classes were formed, "
            "and what is called certain need not be so."
        )
    k = ks[-1] if ks and 2 <= ks[-1] <= MAX_K else None
    return k, tuple(found), notes


def _model(text: str) -> PrivacyModel | None:
    """A privacy model as ARX writes it; None for one that is not known here."""
    for pattern, kind in _MODELS:
        match = pattern.match(text)
        if match:
            try:
                return kind(*match.groups())
            except StudyError:
                return None
    return None


def _quality(config: Element, names: Sequence[str]) -> tuple[dict[str, Decimal], list[str]]:
    """The weights that are not as usual, and what of the quality model does not fit the attack."""
    metric = next((metric.text for metric in config.all("metric")), "")
    notes = []
    if metric and not _LOSS.match(metric):
        notes.append(
            f"The project's quality model is {metric[:60]!r}, not Loss: the order of the states is another, and what "
            "is called certain need not be so."
        )
    weights = {}
    for table in config.all("attributeWeight"):
        name, weight = table.child("attribute"), decimal_in(table.child("weight") or "")
        if name in names and weight is not None and 0 <= weight <= 1 and weight != WEIGHT:
            weights[str(name)] = weight
    if len({weights.get(name, WEIGHT) for name in names}) == 1:
        weights = {}  # only their ratios count
    return weights, notes
