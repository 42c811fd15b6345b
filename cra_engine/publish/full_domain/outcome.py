"""The result of global recoding: the release, its losses, and what was found out about each state."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isnan

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.criteria.k_anonymity import KAnonymity
from cra_engine.criteria.models import Criterion
from cra_engine.publish.full_domain.classes import State
from cra_engine.publish.full_domain.coded import CodedTable
from cra_engine.publish.full_domain.search import Looks
from cra_engine.published import Categories, Extent, Extents, Interval, Published
from cra_engine.release import FullDomainRelease, ReleasedClass
from cra_engine.results import Json, Result, plain
from cra_engine.study.grid import Segment
from cra_engine.study.study import Study
from cra_engine.utility.entropy import EntropyLoss
from cra_engine.utility.loss import MeanLoss
from cra_engine.words import digits


@dataclass(frozen=True)
class Measures:
    """The losses of a global recoding; less is better in each.

    Attributes:
        aecs: average size of a class; see :func:`cra_engine.utility.class_sizes.aecs`.
        discernibility: see :func:`cra_engine.utility.class_sizes.discernibility`.
        precision: see :func:`cra_engine.utility.precision.precision`.
        entropy: non-uniform entropy in bits; see :class:`cra_engine.utility.entropy.EntropyLoss`.
    """

    aecs: Fraction
    discernibility: int
    precision: Fraction
    entropy: EntropyLoss

    def value(self, utility: str) -> float:
        """One of them as a number to show."""
        loss = getattr(self, utility)
        return float(loss.value if isinstance(loss, EntropyLoss) else loss)


@dataclass(frozen=True, eq=False, repr=False)
class GlobalRecoding(Result):
    """A table published by global recoding, with one state for all records.

    Attributes:
        study: the hierarchies and k.
        criteria: what each published class passes.
        records: number of records to publish: the marked ones, where a column marks some.
        limit: the most records that may be suppressed.
        utility: the loss that the state was chosen by.
        search: ``"flash"``, ``"ola"``, ``"incognito"`` or ``"exhaustive"``.
        looks: what was found out about each state, and from which.
        state: the published one, a layer per quasi-identifier: 0 for the value as it stands, then the study's layers.
        measures: the losses of the published table.
        groups: rows of ``frame``, from 0, of each published class, the classes by their first row.
        hidden: rows of ``frame``, from 0, whose class failed a criterion: the suppressed records.
        frame: the published table, rows in the input's order.
        warnings: findings in the table that did not stop the recoding.
        table: the raw table in numbers.
    """

    study: Study
    criteria: tuple[Criterion, ...]
    records: int
    limit: int
    utility: str
    search: str
    looks: Looks
    state: State
    measures: Measures
    groups: tuple[NDArray[np.int64], ...]
    hidden: NDArray[np.int64]
    frame: pd.DataFrame
    warnings: tuple[str, ...]
    table: CodedTable

    @property
    def suppressed(self) -> int:
        """Number of suppressed records."""
        return len(self.hidden)

    @cached_property
    def classes(self) -> tuple[ReleasedClass, ...]:
        """The published classes, by their ranks; where a raw value is shown its rank is that of its leaf."""
        place = self.table.row_of_record[[int(rows[0]) for rows in self.groups]]
        named = [max(layer, 1) for layer in self.state]
        ranks = np.stack([shown[place] for shown in self.table.of_state(named)], axis=1)
        boxes = zip(ranks.tolist(), map(len, self.groups), strict=True)
        return tuple(
            ReleasedClass(*box) for box in sorted((Segment(self.state, tuple(own)), size) for own, size in boxes)
        )

    @property
    def no_release(self) -> str:
        """Returns why no attack reads the table; empty where one does."""
        if 0 in self.state:
            raw = self.study.names[self.state.index(0)]
            return f"The state shows the raw values of {raw!r}; what that gives away is not counted here."
        if any(not isinstance(criterion, KAnonymity) for criterion in self.criteria):
            return "Models beside k-anonymity decide what is suppressed; what that gives away is not counted here."
        return ""

    @cached_property
    def release(self) -> FullDomainRelease | None:
        """What is published and nothing more, as an attack on one state reads it; None as ``no_release`` says."""
        if self.no_release:
            return None
        classes = tuple((formed.segment, formed.size) for formed in self.classes)
        return FullDomainRelease(self.study, self.state, classes, self.suppressed)

    @cached_property
    def loss(self) -> float | None:
        """The mean loss of a record, from 0 to 1; a suppressed one loses 1. None where raw values are shown."""
        if 0 in self.state:
            return None
        classes = [(formed.segment, formed.size) for formed in self.classes]
        return MeanLoss.of(self.study.attributes, classes, self.suppressed).value

    @cached_property
    def published(self) -> Published:
        """The same as every way to publish has it; see docs/published.md."""
        return Published(
            self.frame,
            {name: self._extents(position) for position, name in enumerate(self.study.names)},
            self.groups,
            self.hidden,
            self.release,
            self.no_release,
            self.loss,
            self.warnings,
        )

    def summary(self) -> dict[str, object]:
        """Records, k, the state, classes, suppressed."""
        return {
            "records": self.records,
            "k": self.study.k,
            "state": self.state,
            "classes": len(self.groups),
            "suppressed": self.suppressed,
        }

    def to_frame(self) -> pd.DataFrame:
        """The classes as a table: what each shows, and its size; suppressed records last."""
        return self.published.classes_table()

    def to_dict(self) -> Json:
        """As plain data: the state, what is lost there, and how it was found."""
        return plain(
            {
                "records": self.records,
                "k": self.study.k,
                "limit": self.limit,
                "utility": self.utility,
                "states": self.looks.states,
                "anonymous": self.looks.anonymous.sum(),
                "checked": self.looks.checked,
                "pruned": self.looks.pruned,
                "state": self.state,
                "suppressed": self.suppressed,
                "classes": len(self.groups),
                "measures": {
                    "aecs": self.measures.aecs,
                    "discernibility": digits(self.measures.discernibility),
                    "precision": self.measures.precision,
                    "entropy": self.measures.value("entropy"),
                },
                "warnings": self.warnings,
            }
        )

    def _extents(self, position: int) -> Extents:
        attribute, layer = self.study.attributes[position], self.state[position]
        whole = attribute.layer_nodes[-1][0]
        if layer:
            nodes = attribute.layer_nodes[layer - 1]
        extents: list[Extent] = []
        if not attribute.numeric:
            leaves = attribute.reader.listed
            if layer:
                for node in nodes:
                    inside = frozenset(value for value, leaf in leaves.items() if node.start <= leaf < node.stop)
                    extents.append(Categories(inside))
            else:
                extents += [Categories(frozenset({text})) for text in self.table.texts[position]]
            extents.append(Categories(frozenset(leaves)))
        else:
            if layer:
                extents += [Interval(Fraction(node.lower), Fraction(node.upper)) for node in nodes]
            else:
                for number in self.table.numbers[position]:
                    if isnan(number):  # a gap that is a value of its own
                        node = attribute.layer_nodes[0][attribute.missing_leaf or 0]
                        extents.append(Interval(Fraction(node.lower), Fraction(node.upper)))
                    else:
                        extents.append(Interval(Fraction(number), Fraction(number), closed=True))
            extents.append(Interval(Fraction(whole.lower), Fraction(whole.upper)))
        of_row = self.table.shown[position][layer][self.table.row_of_record].astype(np.int64)
        of_row[self.hidden] = len(extents) - 1
        return Extents(tuple(extents), of_row)

    @cached_property
    def lattice(self) -> pd.DataFrame:
        """The figures of every state that was looked at; see :func:`lattice_table`. ``every_figure`` looks at each."""
        return lattice_table(self.study.names, self.looks)


def lattice_table(names: Sequence[str], looks: Looks) -> pd.DataFrame:
    """Return the figures of every state that global recoding looked at: layers, suppressed, classes, losses."""
    places = np.flatnonzero(looks.looked.ravel() & (looks.suppressed.ravel() >= 0))
    layers = np.stack(np.unravel_index(places, looks.looked.shape), axis=1)
    suppressed, classes, squares = (of.ravel()[places] for of in (looks.suppressed, looks.classes, looks.squares))
    climbed = (layers / np.array(looks.heights)).mean(axis=1)
    return pd.DataFrame(
        {name: layers[:, position] for position, name in enumerate(names)}
        | {
            "suppressed": suppressed,
            "classes": classes,
            "anonymous": looks.anonymous.ravel()[places].astype(int),
            "aecs": looks.records / np.maximum(classes + (suppressed > 0), 1),
            "discernibility": squares + looks.records * suppressed,
            "precision": ((looks.records - suppressed) * climbed + suppressed) / looks.records,
            "entropy": looks.entropy.ravel()[places],
        }
    )
