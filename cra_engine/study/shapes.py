"""The settings of a study as its file writes them, their types checked.

Loaded where an attribute is made or a file read, not with the engine: pydantic takes its time.
"""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Tag, ValidationError

from cra_engine.criteria.shapes import PrivacySettings
from cra_engine.errors import StudyError
from cra_engine.files.checked import End, Number, Whole, explain
from cra_engine.study.quality import WEIGHT, Aggregate, QualityModel
from cra_engine.study.settings import Recoded


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AttributeSettings(_Table):
    """The settings of an attribute as a study file writes them, with their types checked."""

    name: str
    lower: End
    upper: End
    layers: Whole
    fanout: Whole = 2
    resolution: Number = Decimal(1)
    unit: str = ""
    finest: Literal[0, 1] = 1
    missing: Literal["", "leave-out", "category", "*"] = ""
    below: bool = False
    above: bool = False


def checked(given: dict[str, Any]) -> AttributeSettings:
    """Check the types of an attribute's settings.

    Raises:
        StudyError: one is of another type.
    """
    try:
        return AttributeSettings.model_validate(given)
    except ValidationError as error:
        raise StudyError(f"Attribute {given['name']!r}: {explain(error)}") from None


class _Domain(AttributeSettings):
    """One ``[[attribute]]`` with its domain."""

    weight: Number = WEIGHT


class HierarchyFileSettings(_Table):
    """One ``[[attribute]]`` that names an ARX hierarchy file instead of a domain."""

    name: str
    hierarchy: str
    unit: str = ""
    finest: Literal[0, 1] | None = None
    missing: Literal["", "leave-out", "category", "*"] = ""
    weight: Number = WEIGHT


def _kind(table: Any) -> str:
    return "file" if isinstance(table, dict) and "hierarchy" in table else "settings"


class _Quality(_Table):
    """The table ``[quality]``."""

    model: QualityModel = "loss"
    aggregate: Aggregate = "geometric-mean"
    gs_factor: Number = Decimal(0)


class _Roles(_Table):
    """The table ``[roles]``."""

    remove: list[str] = []
    sensitive: list[str] = []
    keep: list[str] = []
    as_values: list[str] = []
    only_here: list[str] = []


class EarlierSettings(_Table):
    """One ``[[earlier]]``: a safe release of the same people that was out before, its labels with their people."""

    k: Whole
    profile: Literal["floored", "safe"] = "floored"
    epsilon: Number
    labels: list[list[str]]
    people: list[Whole]


class StudySettings(_Table):
    """The shape of a study file."""

    k: Whole
    profile: str | Number = "paper"
    more_suppressed: bool = False
    recoding: Recoded = ""
    epsilon: Number | None = None
    attribute: list[
        Annotated[
            Annotated[_Domain, Tag("settings")] | Annotated[HierarchyFileSettings, Tag("file")], Discriminator(_kind)
        ]
    ]
    privacy: list[PrivacySettings] = []
    quality: _Quality = _Quality()
    earlier: list[EarlierSettings] = []
    roles: _Roles = _Roles()
