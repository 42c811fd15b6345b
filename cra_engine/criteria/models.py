"""The criteria that a study may ask for besides k, as its file writes them: a ``[[privacy]]`` table each.

A criterion is a frozen dataclass made from those of ``criterion.py``, with these names: ``model``, what a study file
calls it; ``forms``, how a page asks for it; ``columns``, the columns that it reads and whether as numbers; ``marking``,
the column and the value that mark the records to publish, or None; ``monotone``, whether a group that passes still does
with more records in it; ``least``, the fewest records of a group that passes; ``passes`` and ``holds``. To add one,
write its module, name it here, and give its table a shape in ``shapes.py``.
"""

from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from typing import Any, get_args

from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.beta_likeness import BetaLikeness
from cra_engine.criteria.d_presence import DPresence
from cra_engine.criteria.delta_disclosure import DeltaDisclosure
from cra_engine.criteria.k_anonymity import KAnonymity
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.criteria.t_closeness import TCloseness

PrivacyModel = LDiversity | TCloseness | BetaLikeness | DeltaDisclosure | AverageRisk | DPresence
MODELS: tuple[type[PrivacyModel], ...] = get_args(PrivacyModel)
Criterion = KAnonymity | PrivacyModel


def settings_of(model: PrivacyModel) -> dict[str, Any]:
    """Return what a study file writes of a criterion, in order; numbers whole or as :class:`decimal.Decimal`."""
    given = {field.name: getattr(model, field.name) for field in fields(model)}
    return {"model": model.model} | {name: _written(value) for name, value in given.items() if value is not None}


def _written(value: Any) -> Any:
    return Decimal(value.numerator) / value.denominator if isinstance(value, Fraction) else value
