"""The privacy models that a study asks for besides k, as they are written.

Their parameters are judged where they are used: :mod:`cra_engine.criteria`.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from cra_engine.study.checked import Number
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.words import number_text

Model = Literal["l-diversity", "t-closeness", "d-presence"]


class _LDiversity(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: Literal["l-diversity"]
    attribute: str
    variant: Literal["distinct", "entropy", "recursive"] = "distinct"
    l: Number  # noqa: E741 - the field's name for it
    c: Number | None = None


class _TCloseness(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: Literal["t-closeness"]
    attribute: str
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    t: Number
    hierarchy: str | None = None


class _DPresence(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: Literal["d-presence"]
    attribute: str
    value: bool | int | Decimal | str
    lower: Number
    upper: Number


PrivacySettings = Annotated[_LDiversity | _TCloseness | _DPresence, Field(discriminator="model")]


@dataclass(frozen=True)
class PrivacyModel:
    """One ``[[privacy]]`` of a study.

    Attributes:
        model: ``"l-diversity"``, ``"t-closeness"`` or ``"d-presence"``.
        attribute: the sensitive column, or the one that marks the records to publish.
        variant: of l-diversity: ``"distinct"``, ``"entropy"`` or ``"recursive"``.
        l: of l-diversity.
        c: of recursive l-diversity.
        distance: of t-closeness: ``"equal"``, ``"ordered"`` or ``"hierarchical"``.
        t: of t-closeness.
        hierarchy: of hierarchical t-closeness.
        value: of d-presence: what marked records show.
        lower: of d-presence.
        upper: of d-presence.
    """

    model: Model
    attribute: str
    variant: str | None = None
    l: Decimal | None = None  # noqa: E741 - the field's name for it
    c: Decimal | None = None
    distance: str | None = None
    t: Decimal | None = None
    hierarchy: FileHierarchy | None = None
    value: str | None = None
    lower: Decimal | None = None
    upper: Decimal | None = None

    @classmethod
    def of(cls, settings: BaseModel, hierarchy: Callable[[str, str], FileHierarchy]) -> "PrivacyModel":
        """From a study file; ``hierarchy`` reads a file of that name for a column."""
        given = {name: value for name, value in settings.model_dump().items() if value is not None}
        if "hierarchy" in given:
            given["hierarchy"] = hierarchy(given["hierarchy"], given["attribute"])
        if "value" in given:
            given["value"] = text_of(given["value"])
        return cls(**given)

    def settings(self) -> dict[str, Any]:
        """What is set, in the order that a study file has; numbers as :class:`decimal.Decimal`."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in found.items() if value is not None}


def text_of(value: object) -> str:
    """What a cell shows as text: ``true``, ``1``, ``0.5`` or as it is."""
    if isinstance(value, bool):
        return str(value).lower()
    return number_text(value) if isinstance(value, Decimal) else str(value)
