"""Grids of options: every k with every height of the hierarchies, each published in several ways."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from cra_engine.criteria.parameters import share
from cra_engine.errors import StudyError, TooLargeError
from cra_engine.options.option import FREE, Option, Way, possible_layers, ways_for
from cra_engine.study.study import Study

MOST_OPTIONS = 2000
MOST_WIDER = 8
AROUND_LIMITS = (Decimal(0), Decimal("0.05"))


@dataclass(frozen=True)
class OptionGrid:
    """Options to compare: every k with every height of the hierarchies, each published in every way.

    Args:
        ks: the k to try.
        layers: per attribute the numbers of layers to try.
        ways: the ways to publish.

    Raises:
        StudyError: nothing to try, or a suppression limit is no share.
        TooLargeError: more than 2,000 options.
    """

    ks: tuple[int, ...]
    layers: tuple[tuple[int, ...], ...]
    ways: tuple[Way, ...]

    def __post_init__(self) -> None:
        """See the class."""
        for name in ("ks", "ways"):
            object.__setattr__(self, name, tuple(dict.fromkeys(getattr(self, name))))
        object.__setattr__(self, "layers", tuple(tuple(dict.fromkeys(counts)) for counts in self.layers))
        for way in self.ways:
            if way.name == "global":
                share(Decimal(way.setting), "The suppression limit")
        if not self.ks or not self.layers or not all(self.layers) or not self.ways:
            raise StudyError(
                "There is nothing to try: give at least one k, one number of layers per attribute, and one way to "
                "publish."
            )
        if self.size > MOST_OPTIONS:
            raise TooLargeError(
                f"That makes {self.size:,} options, more than {MOST_OPTIONS:,}; "
                "take fewer k, fewer numbers of layers or fewer ways."
            )

    @classmethod
    def of(cls, study: Study, ways: Sequence[Way] | None = None) -> "OptionGrid":
        """Returns every way to publish with a study's own k and hierarchies."""
        return cls((study.k,), tuple((a.layers,) for a in study.attributes), tuple(ways or ways_for(study)))

    @property
    def size(self) -> int:
        """Number of options."""
        free = sum(way.name in FREE for way in self.ways)
        heights = math.prod(len(counts) for counts in self.layers)
        return len(self.ks) * (heights * (len(self.ways) - free) + free)

    def options(self) -> Iterator[Option]:
        """All options: heights by heights, then by k, then way by way; those of no hierarchy come last."""
        by_nodes = [way for way in self.ways if way.name not in FREE]
        for layers in product(*self.layers):
            for k in self.ks:
                yield from (Option(k, layers, way) for way in by_nodes)
        for k in self.ks:
            yield from (Option(k, (), way) for way in self.ways if way.name in FREE)

    def planned(self, study: Study) -> list[Option]:
        """Returns the options, with the study's own in front where they do not hold it."""
        options, own = list(self.options()), Option.of(study)
        return options if own in options else [own, *options]


def grid_around(study: Study, records: int) -> OptionGrid:
    """Return options around a study: k up to two less and more, attributes a layer lower, locally and globally.

    An attribute of two layers keeps them: with one layer nothing of it is published. Where that makes too many options
    only the attributes with the most layers get lower ones.
    """
    ks = tuple(k for k in range(study.k - 2, study.k + 3) if 2 <= k <= max(records, study.k))
    layers = [(a.layers,) for a in study.attributes]
    for position in sorted(range(len(layers)), key=lambda i: -study.attributes[i].layers)[:4]:
        attribute = study.attributes[position]
        lower = attribute.layers - 1
        if lower >= 2 and lower in possible_layers(attribute):
            layers[position] = (lower, attribute.layers)  # type: ignore[assignment]
    ways = (Way.of(study), *(Way("global", limit, tuple(study.privacy)) for limit in AROUND_LIMITS))
    return OptionGrid(ks, tuple(layers), ways)


def wider_options(study: Study, records: int) -> list[Option]:
    """Return as options safe recodings, coarser or with a larger k, nearest first, and global ones in the end.

    They are tried where nothing of a comparison passes the check.
    """
    way = Way("safe", Decimal(1))
    heights = [tuple(a.layers for a in study.attributes)]
    while True:
        lower = tuple(
            n - 1 if n > 2 and n - 1 in possible_layers(a) else n
            for a, n in zip(study.attributes, heights[-1], strict=True)
        )
        if lower == heights[-1]:
            break
        heights.append(lower)
    ks = [k for k in (study.k, 2 * study.k, 4 * study.k) if k <= records]
    near = sorted((up + many, up, many) for up in range(len(heights)) for many in range(len(ks)))[1:]
    safe = [Option(ks[many], heights[up], way) for _, up, many in near][:MOST_WIDER]
    return [*safe, *(Option(k, heights[-1], Way("global", Decimal(0), tuple(study.privacy))) for k in ks)]
