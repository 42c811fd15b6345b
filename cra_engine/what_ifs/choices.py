"""The choices that a publisher really has, and a grid of them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from cra_engine.criteria.parameters import share
from cra_engine.errors import StudyError, TooLargeError
from cra_engine.study.attribute import Attribute
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.hierarchy import MAX_LEAVES, Hierarchy
from cra_engine.study.study import Study
from cra_engine.words import number_text

MOST_POINTS = 2000
MOST_LAYERS = 12

Profile = str | Decimal


@dataclass(frozen=True)
class Choice:
    """One way to publish a table.

    Attributes:
        k: smallest number of records that may share a class.
        layers: per attribute the height of its hierarchy; fewer layers mean coarser finest intervals.
        profile: how local recoding is run; None for global recoding.
        limit: largest share of records that global recoding may suppress; None for local recoding.
    """

    k: int
    layers: tuple[int, ...]
    profile: Profile | None
    limit: Decimal | None = None

    @property
    def local(self) -> bool:
        """True for local recoding, each class with a state of its own; False for one state for all records."""
        return self.limit is None

    def study(self, base: Study) -> Study:
        """The study that the choice comes to.

        Raises:
            StudyError: a hierarchy cannot have so many layers, or k or the profile is unusable.
        """
        return Heights(base).study(self)

    @classmethod
    def of(cls, study: Study) -> "Choice":
        """The choice that a study stands for."""
        return cls(study.k, tuple(a.layers for a in study.attributes), study.profile)


@dataclass(frozen=True)
class ChoiceGrid:
    """Choices to compare: every k with every number of layers, each published locally and globally.

    Args:
        ks: the k to try.
        layers: per attribute the numbers of layers to try.
        profiles: how local recoding is run, one after the other; none leaves local recoding out.
        limits: suppression limits of global recoding, shares of all records; none leaves global recoding out.

    Raises:
        StudyError: nothing to try, or a k, profile or limit is unusable.
        TooLargeError: more than 2,000 choices.
    """

    ks: tuple[int, ...]
    layers: tuple[tuple[int, ...], ...]
    profiles: tuple[Profile, ...]
    limits: tuple[Decimal, ...] = ()

    def __post_init__(self) -> None:
        """See the class."""
        for name in ("ks", "profiles", "limits"):
            object.__setattr__(self, name, tuple(dict.fromkeys(getattr(self, name))))
        object.__setattr__(self, "layers", tuple(tuple(dict.fromkeys(counts)) for counts in self.layers))
        for limit in self.limits:
            share(limit, "The suppression limit")
        if not self.ks or not self.layers or not all(self.layers) or not (self.profiles or self.limits):
            raise StudyError(
                "There is nothing to try: give at least one k, one number of layers per attribute, and one way to "
                "recode."
            )
        if self.size > MOST_POINTS:
            raise TooLargeError(
                f"That makes {self.size:,} choices, more than {MOST_POINTS:,}; "
                "take fewer k, fewer numbers of layers or fewer rules."
            )

    @property
    def size(self) -> int:
        """Number of choices."""
        ways = len(self.profiles) + len(self.limits)
        return len(self.ks) * math.prod(len(counts) for counts in self.layers) * ways

    def choices(self) -> Iterator[Choice]:
        """All choices: layers by layers, then by k, local before global."""
        for layers in product(*self.layers):
            for k in self.ks:
                for profile in self.profiles:
                    yield Choice(k, layers, profile)
                for limit in self.limits:
                    yield Choice(k, layers, None, limit)


def default_grid(study: Study, records: int) -> ChoiceGrid:
    """Choices around a study: k up to two less and more, each attribute as it is and one layer lower, and globally.

    An attribute of two layers keeps them: with one layer nothing of it is published. Where that makes too many choices
    only the attributes with the most layers get lower ones.
    """
    ks = tuple(k for k in range(study.k - 2, study.k + 3) if 2 <= k <= max(records, study.k))
    layers = [(a.layers,) for a in study.attributes]
    limits = (Decimal(0), Decimal("0.05"))
    for position in sorted(range(len(layers)), key=lambda i: -study.attributes[i].layers)[:4]:
        attribute = study.attributes[position]
        lower = attribute.layers - 1
        if lower >= 2 and lower in possible_layers(attribute):
            layers[position] = (lower, attribute.layers)  # type: ignore[assignment]
    return ChoiceGrid(ks, tuple(layers), (study.profile,), limits)


def with_layers(attribute: Hierarchy, layers: int) -> Hierarchy:
    """The same attribute with a hierarchy of another height: layers are taken off, or put on, below.

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
    """The heights that a hierarchy can be given, ascending."""
    most = attribute.layers
    if isinstance(attribute, Attribute):
        fits = [n for n in range(1, MOST_LAYERS + 1) if attribute.fanout ** (n - 1) <= MAX_LEAVES]
        even = [n for n in fits if attribute.steps % attribute.fanout ** (n - 1) == 0]
        return tuple(n + 1 - attribute.finest for n in even if n > 1 or not attribute.coded)
    found = [most]
    for layers in range(most - 1, 0, -1):
        try:
            with_layers(attribute, layers)
        except StudyError:
            break
        found.append(layers)
    return tuple(reversed(found))


class Heights:
    """The attributes of a study with other numbers of layers, each made once: a hierarchy file may be long.

    Args:
        base: the study that choices start from.
    """

    def __init__(self, base: Study) -> None:
        self.base = base
        self._made: dict[tuple[int, int], Hierarchy] = {}
        self._finest: dict[tuple[int, int], str] = {}

    def study(self, choice: Choice) -> Study:
        """The study that a choice comes to; raises as :meth:`Choice.study`."""
        attributes = [self._attribute(*place) for place in enumerate(choice.layers)]
        profile = self.base.profile if choice.profile is None else choice.profile
        return self.base.changed(attributes=attributes, k=choice.k, profile=profile)

    def finest(self, choice: Choice) -> tuple[str, ...]:
        """Per attribute what its finest published intervals are: ``10 years``, ``4 categories``."""
        for place in enumerate(choice.layers):
            if place not in self._finest:
                self._finest[place] = self._width(*place)
        return tuple(self._finest[place] for place in enumerate(choice.layers))

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
            return f"{attribute.leaves} categories"
        widths = {node.upper - node.lower for node in attribute.layer_nodes[0] if not node.coded}
        if len(widths) > 1:
            return f"{attribute.leaves} intervals"
        width = number_text(widths.pop())
        return f"{width} {attribute.unit}s" if attribute.dates and width != "1" else f"{width} {attribute.unit}".strip()


def finest(attribute: Hierarchy, layers: int) -> str:
    """What the finest published intervals of a hierarchy of so many layers are; see :meth:`Heights.finest`."""
    return Heights(Study([attribute], 2)).finest(Choice(2, (layers,), None))[0]
