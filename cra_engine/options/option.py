"""One option of a publisher: a way to publish, k, and how fine the hierarchies are."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, get_args

from cra_engine.criteria.models import PrivacyModel
from cra_engine.errors import StudyError
from cra_engine.study.attribute import Attribute
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.hierarchy import MAX_LEAVES, Hierarchy
from cra_engine.study.ladder import epsilon_of
from cra_engine.study.profile import FLOORED
from cra_engine.study.study import Study
from cra_engine.words import how_many, number_text

WayName = Literal["local", "safe", "repaired", "global", "microaggregated", "heterogeneous"]
WAYS: tuple[WayName, ...] = get_args(WayName)
FREE: tuple[WayName, ...] = ("microaggregated", "heterogeneous")  # these publish no nodes of the hierarchies
EPSILONS = (Decimal("0.5"), Decimal(1), Decimal(2))
LIMITS = (Decimal(0), Decimal("0.05"), Decimal("0.2"))
LIKELIEST = Decimal("0.4")
MOST_LAYERS = 12
_OF_A_YEAR = {"quarter": 4, "month": 12}


@dataclass(frozen=True)
class Way:
    """One way to publish with its setting, for an option.

    Attributes:
        name: which of the program's ways.
        setting: the profile of local recoding; epsilon of safe recoding; the largest chance of exactly one that a
            repair allows; the share of records that global recoding may suppress; the method of microaggregation.
        models: what each class of a global recoding has to fulfil besides k.
    """

    name: WayName
    setting: Decimal | str = ""
    models: tuple[PrivacyModel, ...] = ()

    @property
    def label(self) -> str:
        """The way in words: ``Safe recoding, epsilon 1``."""
        match self.name:
            case "local":
                profiles = {"paper": "ARX-LR", "arx-gui": "as the ARX desktop program"}
                return f"Local recoding, {profiles.get(str(self.setting)) or f'steps of {share_text(self.setting)}'}"
            case "safe":
                return f"Safe recoding, epsilon {number_text(Decimal(self.setting))}"
            case "repaired":
                return f"ARX-LR repaired, at most {share_text(self.setting)} likely alone"
            case "global":
                limited = f"at most {share_text(self.setting)} suppressed" if self.setting else "none suppressed"
                return f"Global recoding{''.join(f', {model}' for model in self.models)}, {limited}"
            case "microaggregated":
                return f"Microaggregation, {'MDAV' if self.setting == 'mdav' else 'Mondrian'}"
            case _:
                return "Heterogeneous"

    @property
    def short(self) -> str:
        """The way in a word or two, for a drawing: ``safe recoding ε 1``."""
        match self.name:
            case "local":
                return {"paper": "ARX-LR", "arx-gui": "ARX 1 %"}.get(str(self.setting)) or (
                    f"ARX {share_text(self.setting)}"
                )
            case "safe":
                return f"safe recoding ε {number_text(Decimal(self.setting))}"
            case "global":
                return ", ".join([f"global {share_text(self.setting)}", *map(str, self.models)])
            case "microaggregated":
                return self.label.split(", ")[1]
            case _:
                return self.name

    @classmethod
    def of(cls, study: Study) -> "Way":
        """Returns the way that a study asks for: local recoding by its profile, or safe recoding."""
        return cls("safe", study.epsilon) if study.epsilon is not None else cls("local", study.profile)


def share_text(share: Decimal | str) -> str:
    """Write a share in an option's name as a percentage: ``5 %``, ``0.5 %``."""
    return f"{format((Decimal(share) * 100).normalize() + 0, 'f')} %"


def ways_for(
    study: Study,
    names: Sequence[str] = WAYS,
    *,
    epsilons: Sequence[Decimal] = EPSILONS,
    limits: Sequence[Decimal] = LIMITS,
) -> tuple[Way, ...]:
    """Return every way that options can publish a table by, in the order of a report.

    Args:
        study: its profile says how ARX is run, and its privacy models are tried with global recoding one by one.
        names: which ways.
        epsilons: for safe recoding.
        limits: shares of records that global recoding may suppress.

    Raises:
        StudyError: a way is unknown, or an epsilon is none.
    """
    unknown = next((name for name in names if name not in WAYS), None)
    if unknown is not None:
        raise StudyError(f"The way to publish {unknown[:60]!r} is unknown; take {', '.join(WAYS)}.")
    asked = ((), *((model,) for model in study.privacy))
    every = (
        Way("local", "paper" if study.safe else study.profile),
        *(Way("safe", epsilon_of(epsilon)) for epsilon in epsilons),
        Way("repaired", LIKELIEST),
        *(Way("global", limit, models) for models in asked for limit in limits),
        *(Way("microaggregated", method) for method in ("mdav", "mondrian")),
        Way("heterogeneous"),
    )
    return tuple(way for way in every if way.name in names)


@dataclass(frozen=True)
class Option:
    """One option to publish a table: a way, k and hierarchies of some heights.

    Attributes:
        k: smallest number of records that may share a class.
        layers: per attribute the height of its hierarchy; fewer layers mean coarser finest intervals. Empty for a way
            that publishes no nodes of the hierarchies.
        way: how it is published.
    """

    k: int
    layers: tuple[int, ...]
    way: Way

    @classmethod
    def of(cls, study: Study) -> "Option":
        """Returns the option that a study stands for."""
        return cls(study.k, tuple(a.layers for a in study.attributes), Way.of(study))

    def study(self, base: Study) -> Study:
        """Returns the study that the option comes to.

        Raises:
            StudyError: a hierarchy cannot have so many layers, or k or the profile is unusable.
        """
        return Heights(base).study(self)


# ---------------------------------------------------------------- heights of hierarchies


def with_layers(attribute: Hierarchy, layers: int) -> Hierarchy:
    """Return the same attribute for an option with a hierarchy of another height: layers off, or on, below.

    Raises:
        StudyError: the hierarchy cannot have so many layers.
    """
    if layers == attribute.layers:
        return attribute
    if isinstance(attribute, Attribute):
        return attribute.changed(layers=layers - 1 + attribute.finest)
    if isinstance(attribute, FileHierarchy):
        if not 1 <= layers < attribute.layers:
            raise StudyError(
                f"The hierarchy of {attribute.name!r} has {attribute.layers} layers in its file; "
                f"it cannot have {layers}."
            )
        dropped = attribute.layers - layers
        rows = tuple((row[0], *row[attribute.finest + dropped :]) for row in attribute.rows)
        lower = FileHierarchy(attribute.name, rows, attribute.unit, missing=attribute.missing)
        if (lower.numeric, lower.values) == (attribute.numeric, attribute.values):
            return lower
        raise StudyError(
            f"The hierarchy of {attribute.name!r} cannot have {layers} layers: its coarser labels are of another kind."
        )
    raise TypeError(f"no way to change the layers of a {type(attribute).__name__}")


def possible_layers(attribute: Hierarchy) -> tuple[int, ...]:
    """Return the heights that options can give a hierarchy, ascending."""
    most = attribute.layers
    if isinstance(attribute, Attribute):
        fits = [n for n in range(1, MOST_LAYERS + 1) if attribute.fanout ** (n - 1) <= MAX_LEAVES]
        even = [n for n in fits if attribute.steps % attribute.fanout ** (n - 1) == 0]
        return tuple(n + 1 - attribute.finest for n in even if n > 1 or not attribute.coded)
    possible = [most]
    for layers in range(most - 1, 0, -1):
        try:
            with_layers(attribute, layers)
        except StudyError:
            break
        possible.append(layers)
    return tuple(reversed(possible))


class Heights:
    """The attributes of options with other numbers of layers, each made once: a hierarchy file may be long.

    Args:
        base: the study that options start from.
    """

    def __init__(self, base: Study) -> None:
        self.base = base
        self._made: dict[tuple[int, int], Hierarchy] = {}
        self._finest: dict[tuple[int, int], str] = {}

    def study(self, option: Option) -> Study:
        """Returns the study that an option comes to; raises as :meth:`Option.study`."""
        base, way = self.base, option.way
        layers = option.layers or tuple(a.layers for a in base.attributes)
        attributes = [self._attribute(*place) for place in enumerate(layers)]
        if way.name == "safe":
            # Inside the releases that are out already, whose ledger the study carries.
            return base.changed(attributes=attributes, k=option.k, profile=FLOORED, epsilon=epsilon_of(way.setting))
        profile = way.setting if way.name == "local" else "paper" if base.safe else base.profile
        return base.changed(attributes=attributes, k=option.k, profile=profile, earlier=())

    def finest(self, option: Option) -> tuple[str, ...]:
        """Returns per attribute what its finest published intervals are: ``10 years``, ``4 categories``."""
        for place in enumerate(option.layers):
            if place not in self._finest:
                self._finest[place] = self._width(*place)
        return tuple(self._finest[place] for place in enumerate(option.layers))

    def label(self, option: Option) -> str:
        """Returns an option in words; k and the heights are named where they are not the study's."""
        k, finest = self._differences(option)
        return ", ".join([option.way.label, *k]) + (f"; finest: {', '.join(finest)}" if finest else "")

    def short(self, option: Option) -> str:
        """Returns the same in a few words that no other option has, for a drawing."""
        k, finest = self._differences(option)
        return ", ".join([option.way.short, *k, *finest])

    def _differences(self, option: Option) -> tuple[list[str], list[str]]:
        """What an option's k is, and its finest intervals of each column, where they are not the study's."""
        return [] if option.k == self.base.k else [f"k = {option.k}"], [
            f"{attribute.name} {width}"
            for attribute, layers, width in zip(self.base.attributes, option.layers, self.finest(option), strict=False)
            if layers != attribute.layers
        ]

    def _attribute(self, position: int, layers: int) -> Hierarchy:
        if (position, layers) not in self._made:
            self._made[position, layers] = with_layers(self.base.attributes[position], layers)
        return self._made[position, layers]

    def _width(self, position: int, layers: int) -> str:
        try:
            attribute = self._attribute(position, layers)
        except StudyError:
            return f"{layers} layers (not possible)"
        if layers == 1:
            return "not published"
        if not attribute.numeric:
            return how_many(attribute.leaves, "category", "categories")
        widths = {node.upper - node.lower for node in attribute.layer_nodes[0] if not node.coded}
        if len(widths) > 1:
            return how_many(attribute.leaves, "interval")
        width, unit = widths.pop(), attribute.unit
        if attribute.dates and width % _OF_A_YEAR.get(unit, width + 1) == 0:
            width, unit = width / _OF_A_YEAR[unit], "year"
        return f"{number_text(width)} {unit}{'s' if attribute.dates and width != 1 else ''}".strip()


def finest(attribute: Hierarchy, layers: int) -> str:
    """Say what an option's finest intervals of a hierarchy of so many layers are; see :meth:`Heights.finest`."""
    return Heights(Study([attribute], 2)).finest(Option(2, (layers,), Way("local", "paper")))[0]
