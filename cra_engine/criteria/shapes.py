"""The settings of criteria as ``[[privacy]]`` tables of a study file, their types checked."""

from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from cra_engine.criteria.beta_likeness import Likeness
from cra_engine.criteria.l_diversity import Variant
from cra_engine.criteria.models import MODELS, PrivacyModel
from cra_engine.criteria.t_closeness import Distance, ListedValues
from cra_engine.files.checked import Number


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _LDiversity(_Table):
    model: Literal["l-diversity"]
    attribute: str
    variant: Variant = "distinct"
    l: Number  # noqa: E741 - the field's name for it
    c: Number | None = None


class _TCloseness(_Table):
    model: Literal["t-closeness"]
    attribute: str
    distance: Distance = "equal"
    t: Number
    hierarchy: str | None = None


class _BetaLikeness(_Table):
    model: Literal["beta-likeness"]
    attribute: str
    variant: Likeness = "basic"
    beta: Number


class _DeltaDisclosure(_Table):
    model: Literal["delta-disclosure"]
    attribute: str
    delta: Number


class _AverageRisk(_Table):
    model: Literal["average-risk"]
    risk: Number


class _DPresence(_Table):
    model: Literal["d-presence"]
    attribute: str
    value: bool | int | Decimal | str
    lower: Number
    upper: Number


PrivacySettings = Annotated[
    _LDiversity | _TCloseness | _BetaLikeness | _DeltaDisclosure | _AverageRisk | _DPresence,
    Field(discriminator="model"),
]


def read_model(settings: BaseModel, read_hierarchy: Callable[[str, str], ListedValues]) -> PrivacyModel:
    """Read a criterion from its table in a study file.

    Args:
        settings: the table.
        read_hierarchy: reads the hierarchy file of a name for a column.

    Raises:
        StudyError: a parameter is unusable.
    """
    given: dict[str, Any] = {name: value for name, value in settings.model_dump().items() if value is not None}
    kind = next(kind for kind in MODELS if kind.model == given["model"])
    del given["model"]
    if "hierarchy" in given:
        given["hierarchy"] = read_hierarchy(given["hierarchy"], given["attribute"])
    return kind(**given)
