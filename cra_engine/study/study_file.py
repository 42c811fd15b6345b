"""A study file: how a study is written in TOML, and read."""

import os
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import tomlkit
from pydantic import ValidationError

from cra_engine.criteria.models import MODELS, settings_of
from cra_engine.criteria.shapes import read_model
from cra_engine.errors import CRAError, StudyError
from cra_engine.files.checked import explain
from cra_engine.files.toml_text import parse_toml
from cra_engine.study.attribute import Attribute
from cra_engine.study.file_hierarchy import FileHierarchy, read_hierarchy
from cra_engine.study.grid import Segment
from cra_engine.study.hierarchy import Hierarchy, hierarchy_file
from cra_engine.study.ladder import epsilon_of
from cra_engine.study.ledger import EarlierRelease
from cra_engine.study.profile import FLOORED, SAFE
from cra_engine.study.quality import Quality
from cra_engine.study.roles import Roles
from cra_engine.study.settings import Find, Settings, check_number
from cra_engine.study.shapes import AttributeSettings, EarlierSettings, HierarchyFileSettings, StudySettings
from cra_engine.words import number_text

_TAGS = ("settings", "file", *(model.model for model in MODELS))


def read_settings(text: str, name: str, find: Find | None) -> Settings:
    """Read the text of a study file.

    Args:
        text: the file's text.
        name: the file's name for messages.
        find: gives the path or the bytes of a hierarchy file that the study names; None where there are none.

    Raises:
        StudyError: the text is not TOML, or holds an unusable setting.
    """
    raw = parse_toml(text, name)
    for key, what in (("attribute", "attribute"), ("privacy", "privacy model")):
        if isinstance(raw.get(key), dict):
            raise StudyError(f"{name}: write [[{key}]] with two brackets on each side, once for every {what}.")
    if isinstance(raw.get("attribute"), list):
        check_number(raw["attribute"])
        _check_hierarchies(raw["attribute"], name)
    try:
        checked = StudySettings.model_validate(raw)
    except ValidationError as error:
        raise StudyError(f"{name}: {explain(error, _TAGS)}") from None

    def values_of(file: str, column: str) -> FileHierarchy:
        return read_hierarchy(_found(file, name, find), column, name=file, finest=1)

    privacy = [read_model(model, values_of) for model in checked.privacy]
    hierarchies = [_hierarchy(table, name, find) for table in checked.attribute]
    weights = {table.name: table.weight for table in checked.attribute}
    quality = Quality(**checked.quality.model_dump(), weights=weights)
    roles = Roles(**checked.roles.model_dump())
    earlier = [
        _earlier(one, hierarchies, f"{name}, earlier release {number}")
        for number, one in enumerate(checked.earlier, start=1)
    ]
    return Settings(
        hierarchies,
        checked.k,
        checked.profile,
        privacy,
        roles,
        checked.epsilon,
        quality,
        earlier,
        checked.more_suppressed,
        checked.recoding,
    )


def _check_hierarchies(tables: Sequence[Any], name: str) -> None:
    """Refuse a quasi-identifier of which nothing says how it is made coarser, by its own name.

    Raises:
        StudyError: there is one.
    """
    for table in tables:
        if isinstance(table, dict) and "name" in table and not {"hierarchy", "lower", "upper", "layers"} & set(table):
            raise StudyError(
                f"{name}: the attribute {str(table['name'])[:60]!r} has no hierarchy. For categories write hierarchy = "
                '"FILE.csv", a file beside the study with a row for each value (F;female;*); for numbers or dates '
                "lower, upper and layers. The command roles begins a study with both."
            )


def study_text(study: Settings) -> str:
    """Write a study as the text of a study file; settings at their default are left out."""
    document = tomlkit.document()
    document["k"] = study.k
    document["profile"] = _plain(study.profile)
    if study.more_suppressed:
        document["more_suppressed"] = True
    if study.recoding:
        document["recoding"] = study.recoding
    if study.epsilon is not None:
        document["epsilon"] = _plain(study.epsilon)
    tables = tomlkit.aot()
    for attribute in study.attributes:
        table = tomlkit.table()
        table.update({key: _plain(value) for key, value in attribute.definition().items()})
        if attribute.name in study.quality.weights:
            table["weight"] = _plain(study.quality.weights[attribute.name])
        tables.append(table)
    document["attribute"] = tables
    if study.privacy:
        document["privacy"] = models = tomlkit.aot()
        for model in study.privacy:
            table = tomlkit.table()
            for key, value in settings_of(model).items():
                table[key] = hierarchy_file(value) if isinstance(value, FileHierarchy) else _plain(value)
            models.append(table)
    if study.quality.settings():
        document["quality"] = {key: _plain(value) for key, value in study.quality.settings().items()}
    if study.earlier:
        document["earlier"] = ledger = tomlkit.aot()
        for one in study.earlier:
            ledger.append(_earlier_table(one, study.attributes))
    if study.roles:
        document["roles"] = study.roles.settings()
    return tomlkit.dumps(document)


def _earlier(one: EarlierSettings, attributes: Sequence[Hierarchy], where: str) -> EarlierRelease:
    """An earlier release as a study file states it.

    Raises:
        StudyError: it is none of these hierarchies.
    """
    if len(one.labels) != len(one.people) or any(size < 1 for size in one.people) or one.k < 2:
        raise StudyError(f"{where}: give k, a list of labels, and people for each; write it by safe-recode --earlier.")
    suppressed, classes = 0, dict[Segment, int]()
    top = tuple(attribute.layers for attribute in attributes)
    for labels, size in zip(one.labels, one.people, strict=True):
        nodes = [a.parse(label) for a, label in zip(attributes, labels, strict=False)]
        known = [node for node in nodes if node is not None]
        if not len(labels) == len(known) == len(attributes):
            raise StudyError(f"{where}: {', '.join(labels)[:60]!r} are no intervals of this study's hierarchies.")
        box = Segment(tuple(node.layer for node in known), tuple(node.rank for node in known))
        if box.state == top:
            suppressed += size
        else:
            classes[box] = classes.get(box, 0) + size
    return EarlierRelease(
        one.k, epsilon_of(one.epsilon), one.profile == FLOORED, tuple(sorted(classes.items())), suppressed
    )


def _earlier_table(one: EarlierRelease, attributes: Sequence[Hierarchy]) -> tomlkit.items.Table:
    """An earlier release as a study file states it."""
    shown = [*one.classes, *([(_whole(attributes), one.suppressed)] if one.suppressed else [])]
    table = tomlkit.table()
    table["k"] = one.k
    table["profile"] = FLOORED if one.floor else SAFE
    table["epsilon"] = _plain(one.epsilon)
    table["labels"] = [
        [a.node(layer, rank).label for a, layer, rank in zip(attributes, box.state, box.ranks, strict=True)]
        for box, _ in shown
    ]
    table["people"] = [size for _, size in shown]
    return table


def _whole(attributes: Sequence[Hierarchy]) -> Segment:
    return Segment(tuple(attribute.layers for attribute in attributes), (0,) * len(attributes))


def _hierarchy(table: AttributeSettings | HierarchyFileSettings, name: str, find: Find | None) -> Hierarchy:
    if isinstance(table, AttributeSettings):
        return Attribute(**table.model_dump(exclude={"weight"}))
    source = _found(table.hierarchy, name, find)
    try:
        return read_hierarchy(source, table.name, table.unit, table.hierarchy, table.finest, table.missing)
    except CRAError as error:
        raise type(error)(f"{name}, attribute {table.name!r}: {error}") from None


def _found(file: str, name: str, find: Find | None) -> str | os.PathLike[str] | bytes:
    if find is None:
        raise StudyError(f"{name} names the hierarchy file {file!r}; give that file too.")
    return find(file)


def _plain(value: str | int | Decimal | date) -> Any:
    """A setting as TOML writes it: decimals as they stand, not as the nearest binary fraction."""
    return tomlkit.value(number_text(value)) if isinstance(value, Decimal) else value
