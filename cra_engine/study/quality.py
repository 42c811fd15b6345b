"""The quality model by which local recoding chooses among states, as ARX offers it, and how attributes weigh in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Literal, get_args

from cra_engine.errors import StudyError
from cra_engine.files.notation import decimal_in
from cra_engine.study.coding_model import GsFactor, gs_factor_of

QualityModel = Literal[
    "loss", "precision", "height", "entropy", "normalized-entropy", "aecs", "discernibility", "ambiguity"
]
Aggregate = Literal["geometric-mean", "arithmetic-mean", "sum", "maximum", "rank"]
QUALITY_MODELS: tuple[str, ...] = get_args(QualityModel)
AGGREGATES: tuple[str, ...] = get_args(Aggregate)
OF_A_TABLE = ("aecs", "discernibility", "ambiguity")  # one number for all attributes together: nothing to aggregate
WEIGHS_SUPPRESSION = ("loss", "precision", "entropy", "aecs")
WEIGHT = Decimal("0.5")


@dataclass(frozen=True)
class Quality:
    """The quality model of ARX's local recoding, as a study states it.

    Attributes:
        model: what a state loses: ``"loss"`` (the paper's), ``"precision"``, ``"height"``, ``"entropy"`` (non-uniform),
            ``"normalized-entropy"``, ``"aecs"``, ``"discernibility"``, ``"ambiguity"``.
        aggregate: how the attributes' losses become one number; of ``rank`` the largest decides, then the next.
        gs_factor: how suppression weighs against generalization, 0 to 1. ARX's desktop program takes 0 for local
            transformation. The models that know none count suppression in their own way.
        weights: per attribute how much it weighs, 0 to 1; 0.5 where it is left out. Only their ratios count.

    Raises:
        StudyError: a word or a number is none of these.

    >>> Quality("precision", "sum", weights={"age": "0.9"}).weight("age")
    Decimal('0.9')
    """

    model: QualityModel
    aggregate: Aggregate
    gs_factor: Decimal
    weights: Mapping[str, Decimal]

    def __init__(
        self,
        model: str = "loss",
        aggregate: str = "geometric-mean",
        gs_factor: GsFactor = 0,
        weights: Mapping[str, Any] | None = None,
    ) -> None:
        """Check the settings."""
        for what, given, known in (("model", model, QUALITY_MODELS), ("aggregate", aggregate, AGGREGATES)):
            if given not in known:
                raise StudyError(f"The quality model's {what} is {str(given)[:60]!r}; take {', '.join(known)}.")
        if model in OF_A_TABLE and aggregate != "geometric-mean":
            raise StudyError(f"The quality model {model!r} is one number, which no aggregate changes; leave it out.")
        factor = gs_factor_of(gs_factor)
        if factor and model not in WEIGHS_SUPPRESSION:
            raise StudyError(f"The quality model {model!r} knows no g/s factor; leave gs_factor out.")
        kept = {name: _weight(name, given) for name, given in (weights or {}).items()}
        kept = {name: weight for name, weight in sorted(kept.items()) if weight != WEIGHT}
        for key, setting in (("model", model), ("aggregate", aggregate), ("gs_factor", factor)):
            object.__setattr__(self, key, setting)
        object.__setattr__(self, "weights", MappingProxyType(kept))

    def __hash__(self) -> int:
        """Hash of all settings."""
        return hash((self.model, self.aggregate, self.gs_factor, *self.weights.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        """For workers of other processes: a read-only mapping cannot be sent to them."""
        return Quality, (self.model, self.aggregate, self.gs_factor, dict(self.weights))

    @property
    def usual(self) -> bool:
        """True where states go by the loss of the paper (equation (2)), whatever the g/s factor."""
        return self.model == "loss" and self.aggregate == "geometric-mean" and not self.weights

    @property
    def plain(self) -> bool:
        """True where states go by the loss of the paper alone, in an order that is known without the data."""
        return self.usual and not self.gs_factor

    def weight(self, name: str) -> Decimal:
        """The weight of an attribute."""
        return self.weights.get(name, WEIGHT)

    def of(self, names: Sequence[str]) -> "Quality":
        """The same without the weights of other attributes."""
        return Quality(
            self.model, self.aggregate, self.gs_factor, {n: w for n, w in self.weights.items() if n in names}
        )

    def settings(self) -> dict[str, Any]:
        """What a study file writes under ``[quality]``: what is not as usual."""
        usual, names = Quality(), ("model", "aggregate", "gs_factor")
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(usual, name)}

    def __str__(self) -> str:
        """As a report names it: ``loss, geometric mean``."""
        words = [self.model.replace("-", " ")]
        if self.model not in OF_A_TABLE:
            words.append(self.aggregate.replace("-", " "))
        if self.gs_factor:
            words.append(f"g/s factor {self.gs_factor.normalize():f}")
        return ", ".join([*words, *(f"{name} weighs {weight.normalize():f}" for name, weight in self.weights.items())])


def _weight(name: str, given: Any) -> Decimal:
    found = decimal_in(str(given))
    if found is None or not 0 <= found <= 1:
        raise StudyError(f"The weight of {name[:60]!r} is {str(given)[:40]!r}; give a number from 0 to 1.")
    return found
