"""The criteria that a study may ask for besides k, as its file writes them: a ``[[privacy]]`` table each.

A criterion is a frozen dataclass with these names: ``model``, what a study file calls it; ``forms``, how a page asks
for it; ``columns``, the columns that it reads and whether as numbers; ``marking``, the column and the value that mark
the records to publish, or None; ``monotone``, whether a group that passes still does with more records in it;
``least``, the fewest records of a group that passes; ``passes`` and ``holds``. Its module has the shape of its table,
too. To add one, write its module and name it here.
"""

from collections.abc import Callable
from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, get_args

from pydantic import BaseModel, Field

from cra_engine.criteria.average_risk import AverageRisk, AverageRiskSettings
from cra_engine.criteria.beta_likeness import BetaLikeness, BetaLikenessSettings
from cra_engine.criteria.d_presence import DPresence, DPresenceSettings
from cra_engine.criteria.delta_disclosure import DeltaDisclosure, DeltaDisclosureSettings
from cra_engine.criteria.k_anonymity import KAnonymity
from cra_engine.criteria.l_diversity import LDiversity, LDiversitySettings
from cra_engine.criteria.t_closeness import ListedValues, TCloseness, TClosenessSettings

PrivacyModel = LDiversity | TCloseness | BetaLikeness | DeltaDisclosure | AverageRisk | DPresence
PrivacySettings = Annotated[
    LDiversitySettings
    | TClosenessSettings
    | BetaLikenessSettings
    | DeltaDisclosureSettings
    | AverageRiskSettings
    | DPresenceSettings,
    Field(discriminator="model"),
]

MODELS: tuple[type[PrivacyModel], ...] = get_args(PrivacyModel)
Criterion = KAnonymity | PrivacyModel


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


def settings_of(model: PrivacyModel) -> dict[str, Any]:
    """Return what a study file writes of a criterion, in order; numbers whole or as :class:`decimal.Decimal`."""
    given = {field.name: getattr(model, field.name) for field in fields(model)}
    return {"model": model.model} | {name: _written(value) for name, value in given.items() if value is not None}


def _written(value: Any) -> Any:
    return Decimal(value.numerator) / value.denominator if isinstance(value, Fraction) else value
