"""What privacy models besides k tell a reader: how many records a box can have held without passing all of them.

A class's own records in a finer box did not pass when the class was formed, whatever the models ask, since a finer
state goes first (docs/method.md, 18). The release shows each record's sensitive values, so the reader knows which
records a class has; which of them lie in the box is open. What is used here is how many can: the largest number of the
class's records that do not pass together.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.counting.kinds import Fillings
from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.beta_likeness import BetaLikeness
from cra_engine.criteria.delta_disclosure import DeltaDisclosure
from cra_engine.criteria.groups import Groups, Spread
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.criteria.models import PrivacyModel
from cra_engine.criteria.t_closeness import TCloseness
from cra_engine.files.notation import decimal_in, notation, plain
from cra_engine.release import Owner, Release
from cra_engine.study.tree import ROOT_LABEL

MOST_PARTS = 20_000  # ways to choose some of a class's records by their values that are tried
CLEARLY = Fraction(1, 10**9)  # beyond a limit by so much, relative to it, ARX's doubles decide as exact numbers do


@dataclass(frozen=True, eq=False)
class ShownModels:
    """The privacy models of a study on the values that an attacked release shows.

    Attributes:
        k: smallest number of records that may share a class.
        models: besides k.
        columns: the sensitive columns that the release shows.
        places: per model the place of its column among these; None where the release does not show it.
        kinds: the different combinations of sensitive values that rows show; ``*`` is any, which the release hides.
        held: per class, and last for the suppressed records, how many records show each of ``kinds``.
        totals: of the whole table, how many records show each of ``kinds``.
    """

    k: int
    models: tuple[PrivacyModel, ...]
    columns: tuple[str, ...]
    places: tuple[int | None, ...]
    kinds: tuple[tuple[object, ...], ...]
    held: NDArray[np.int64]
    totals: NDArray[np.int64]

    @classmethod
    def of(cls, release: Release, columns: Sequence[str] = ()) -> "ShownModels | None":
        """Reads a release; None where its study asks for k alone, or publishes by safe recoding, which does.

        Args:
            release: the release.
            columns: more sensitive columns to read.
        """
        models = () if release.study.safe else release.study.privacy
        names = list(dict.fromkeys([*(name for model in models for name in model.columns), *columns]))
        if not models and not names:
            return None
        shown = [name for name in names if name in release.table.columns]
        rows = list(zip(*(_read(release.table[name].tolist()) for name in shown), strict=True))
        place: dict[tuple[object, ...], int] = {}
        kinds = np.array([place.setdefault(row, len(place)) for row in rows or [()] * len(release.table)])
        held = np.zeros((len(release.classes) + 1, len(place)), dtype=np.int64)
        known = release.class_of_row != Owner.RAW
        weights = np.ones(len(kinds), dtype=np.int64) if release.weights is None else release.weights
        np.add.at(held, (release.class_of_row[known], kinds[known]), weights[known])
        places = tuple(next((shown.index(name) for name in m.columns if name in shown), None) for m in models)
        totals = np.zeros(len(place), dtype=np.int64)
        np.add.at(totals, kinds, weights)
        return cls(release.k, tuple(models), tuple(shown), places, tuple(place), held, totals)

    @cached_property
    def closed(self) -> bool:
        """True where a group that passes keeps passing when records are added: k and distinct l-diversity.

        The average risk asks for groups of ``1 / risk`` records on the whole: some box passes exactly where the largest
        has so many, and no box that fails beside larger ones has.
        """
        return all(
            isinstance(model, AverageRisk) or (model.monotone and place is not None)
            for model, place in zip(self.models, self.places, strict=True)
        )

    @property
    def least(self) -> int:
        """Fewer records than this never pass where nobody else is looked at."""
        risks = [model.risk for model in self.models if isinstance(model, AverageRisk)]
        return max([self.k, *(math.ceil(1 / risk) for risk in risks)])

    @cached_property
    def values(self) -> list[tuple[NDArray[np.int64], list[object]]]:
        """Per model, per kind the place of its value among the values of the model's column, and these in order."""
        results = []
        for column in self.places:
            own = [kind[column] if column is not None else None for kind in self.kinds]
            values: list[object] = sorted(set(own), key=_ordered)
            place = {value: at for at, value in enumerate(values)}
            results.append((np.array([place[value] for value in own], dtype=np.int64), values))
        return results

    def most_failing(self, held: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of groups of records, the most of them that together need not pass, for models that are closed.

        Args:
            held: per group how many records show each kind; shape (groups, kinds).
        """
        most = np.full(len(held), self.least - 1, dtype=np.int64)
        for model, (place, values) in zip(self.models, self.values, strict=True):
            if isinstance(model, AverageRisk):
                continue
            by_value = np.zeros((len(held), len(values)), dtype=np.int64)
            np.add.at(by_value.T, place, held.T)
            unknown = [at for at, value in enumerate(values) if value == ROOT_LABEL]
            any_of_these = by_value[:, unknown].sum(axis=1)
            by_value[:, unknown] = 0
            fewer = int(model.least) - 1  # so many values do not pass, however many records show them
            np.maximum(most, any_of_these - np.sort(-by_value, axis=1)[:, :fewer].sum(axis=1), out=most)
        return most

    def cap(self, index: int | None) -> int:
        """The most records of a class, or of the suppressed for None, that one box finer than its own can hold."""
        held = self.held[-1 if index is None else index]
        if self.closed:
            return int(self.most_failing(held[np.newaxis])[0])
        present = np.flatnonzero(held)
        ways = 1
        for count in held[present].tolist():
            ways *= count + 1
        if ways > MOST_PARTS:
            return int(held.sum())
        parts = np.zeros((ways, len(held)), dtype=np.int64)
        parts[:, present] = list(product(*(range(count + 1) for count in held[present].tolist())))
        return int(parts.sum(axis=1)[~self.surely_pass(parts)].max())

    def fillings(self, index: int | None) -> Fillings:
        """The ways to take some of the records of a class, or of the suppressed for None, by the values they show.

        Raises:
            TooLargeError: they are too many.
        """
        held = self.held[-1 if index is None else index]
        return Fillings(held[held > 0].tolist())

    def shown(self, index: int | None) -> list[int]:
        """The places among ``kinds`` of what the records of a class, or of the suppressed for None, show."""
        return np.flatnonzero(self.held[-1 if index is None else index]).tolist()

    def ways(self, index: int | None) -> int:
        """In how many ways the values that a class shows can be dealt to its records."""
        held = self.held[-1 if index is None else index].tolist()
        return math.factorial(sum(held)) // math.prod(map(math.factorial, held))

    def surely_pass(self, held: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Of groups of records, which pass all models, however ARX rounds.

        Args:
            held: per group how many records show each kind; shape (groups, kinds).
        """
        sure = np.asarray(held.sum(axis=1) >= self.least)
        groups = np.flatnonzero(sure)
        for model, column, (place, values) in zip(self.models, self.places, self.values, strict=True):
            if isinstance(model, AverageRisk):
                continue
            strict = None if column is None else _stricter(model)
            if strict is None:
                return np.zeros(len(held), dtype=bool)
            by_value = np.zeros((len(groups), len(values)), dtype=np.int64)
            np.add.at(by_value.T, place, held[groups].T)
            if ROOT_LABEL in values:
                unknown = values.index(ROOT_LABEL)
                if not isinstance(strict, LDiversity):  # these look at the shares in the whole table
                    return np.zeros(len(held), dtype=bool)
                known = by_value[:, unknown] == 0
                if strict.variant == "distinct":
                    known |= (np.delete(by_value, unknown, axis=1) > 0).sum(axis=1) >= strict.least
                sure[groups[~known]] = False
                groups, by_value = groups[known], by_value[known]
            totals = np.zeros(len(values), dtype=np.int64)
            np.add.at(totals, place, self.totals)
            group, value = np.nonzero(by_value)
            numeric = not any(isinstance(one, str) for one in values)
            spread = Spread(values, totals, group, value, by_value[group, value], numeric)
            if isinstance(strict, TCloseness) and strict.distance == "ordered" and not numeric:
                return np.zeros(len(held), dtype=bool)
            passing = strict.passes(Groups(by_value.sum(axis=1), dict.fromkeys(strict.columns, spread)))
            sure[groups[~passing]] = False
            groups = groups[passing]
        return sure


def _stricter(model: PrivacyModel) -> PrivacyModel | None:
    """A model that asks for a hair more: who passes it passes ARX's in doubles, too. None where it is not known."""
    if isinstance(model, LDiversity):
        if model.variant == "entropy":
            return LDiversity(model.attribute, model.l * (1 + CLEARLY), "entropy")
        if model.variant == "recursive" and model.c is not None:
            return LDiversity(model.attribute, model.l, "recursive", model.c * (1 - CLEARLY))
        return model
    if isinstance(model, TCloseness) and model.distance != "hierarchical" and model.t > CLEARLY:
        return TCloseness(model.attribute, model.t * (1 - CLEARLY), model.distance)
    if isinstance(model, BetaLikeness) and model.variant == "basic":
        return BetaLikeness(model.attribute, model.beta * (1 - CLEARLY))
    if isinstance(model, DeltaDisclosure):
        return DeltaDisclosure(model.attribute, model.delta * (1 - CLEARLY))
    return None


def _read(cells: Sequence[object]) -> list[object]:
    """The cells of a sensitive column: numbers where all of them are, as recoding reads them, else texts."""
    texts = [str(cell).strip() for cell in cells]
    numbers = {text: decimal_in(text) for text in Counter(texts) if text != ROOT_LABEL}
    if None in numbers.values() and (decimal := notation(numbers).decimal):
        numbers = {text: decimal_in(plain(text, decimal) or text) for text in numbers}  # 1,5 and 1,50 are one value
    whole = all(number is not None for number in numbers.values())
    return [numbers.get(text, text) if whole else text for text in texts]


def _ordered(value: object) -> tuple[str, object]:
    return type(value).__name__, value
