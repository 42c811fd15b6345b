"""The labels of a release by its hierarchies: which layer each shows, how wide it is, which raw values it covers."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import counted
from cra_engine.checks.classes import Classes
from cra_engine.files.tables import column_of
from cra_engine.raw.columns import read_column
from cra_engine.raw.missing_words import gap_words, nobody_knows
from cra_engine.raw.written import Written
from cra_engine.study.coded import NO_ENTRY
from cra_engine.study.common_states import common_states
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.study import Study
from cra_engine.study.tree import ROOT_LABEL, Node
from cra_engine.utility.loss import MeanLoss
from cra_engine.utility.precision import precision


@dataclass(frozen=True, eq=False)
class Labelled:
    """One quasi-identifier of a checked release.

    Attributes:
        attribute: its hierarchy.
        labels: the different labels, as texts.
        nodes: per label its node; None for a raw value, and for what is no label.
        leaves: per label that is a raw value its leaf; -1 for all others.
        codes: per record the place of its label.
    """

    attribute: Hierarchy
    labels: tuple[str, ...]
    nodes: tuple[Node | None, ...]
    leaves: tuple[int, ...]
    codes: NDArray[np.int64]

    @classmethod
    def of(cls, frame: pd.DataFrame, attribute: Hierarchy) -> "Labelled":
        """A column of a release, read."""
        column = column_of(frame, attribute.name)
        codes, shown = pd.factorize(column.astype("object"), use_na_sentinel=False)
        labels = tuple("" if pd.isna(label) else str(label).strip() for label in shown)
        nodes = tuple(map(attribute.parse, labels))
        leaves = [
            attribute.reader.leaf_of(label) if node is None else None for label, node in zip(labels, nodes, strict=True)
        ]
        return cls(attribute, labels, nodes, tuple(-1 if leaf is None else leaf for leaf in leaves), codes)

    @property
    def strange(self) -> str | None:
        """A label that is neither a node's nor a raw value; None where there is none."""
        labels = zip(self.labels, self.nodes, self.leaves, strict=True)
        return next((label for label, node, leaf in labels if node is None and leaf < 0), None)

    def layer(self, place: int) -> int:
        """The layer of a label: 0 for a raw value."""
        node = self.nodes[place]
        return 0 if node is None else node.layer

    def growth(self, place: int) -> Fraction:
        """``1 + Q_loss`` of a label: 1 for a single value, 2 for the root."""
        node = self.nodes[place]
        if node is None:
            return Fraction(1)
        least = self.attribute.least_share
        return 1 + (self.attribute.shares(node.layer)[node.rank] - least) / (1 - least)

    def covers(self, place: int, values: "ColumnValues") -> NDArray[np.bool_]:
        """Which of some raw values a label covers."""
        node = self.nodes[place]
        if node is None:
            return values.equal(self.labels[place])
        if node.layer == self.attribute.layers:
            return np.ones(len(values.leaves), dtype=bool)
        return np.asarray((values.leaves >= node.start) & (values.leaves < node.stop))

    def covers_rows(self, values: "ColumnValues") -> NDArray[np.bool_]:
        """Which records' raw values their own labels cover."""
        begins, ends = np.zeros((2, len(self.labels)), dtype=np.int64)
        same = np.full(len(self.labels), -1, dtype=np.int64)  # per raw label the place of the value that it is
        for place, node in enumerate(self.nodes):
            if node is None:
                same[place] = next(iter(np.flatnonzero(values.equal(self.labels[place]))), -1)
            elif node.layer == self.attribute.layers:
                begins[place], ends[place] = -1, np.iinfo(np.int64).max
            else:
                begins[place], ends[place] = node.start, node.stop
        leaves = values.leaves[values.codes]
        inside = (leaves >= begins[self.codes]) & (leaves < ends[self.codes])
        return np.asarray(inside | (values.codes == same[self.codes]))


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """The different raw values of one quasi-identifier that the check compares with a release.

    Attributes:
        attribute: its hierarchy.
        different: numbers, or stripped texts.
        leaves: the leaf of each; -1 where the hierarchy has none for it.
        codes: per record the place of its value.
    """

    attribute: Hierarchy
    different: NDArray[Any]
    leaves: NDArray[np.int64]
    codes: NDArray[np.int64]

    @classmethod
    def of(cls, data: pd.DataFrame, attribute: Hierarchy) -> "ColumnValues":
        """Reads a column of a raw table."""
        column = read_column(column_of(data, attribute.name), attribute)
        leaves = column.leaves.astype(np.int64)
        for problem in column.problems:
            if problem.fatal:
                leaves[np.array(problem.rows, dtype=np.int64) - 1] = -1
        codes, different = pd.factorize(column.raw_values, use_na_sentinel=False)
        first = np.unique(codes, return_index=True)[1]
        return cls(attribute, np.asarray(different), leaves[first], codes)

    def equal(self, label: str) -> NDArray[np.bool_]:
        """Returns which of the values a raw label is."""
        written = read_column(pd.Series([label], name=self.attribute.name), self.attribute).raw_values
        return np.asarray(self.different == written[0])


@dataclass(frozen=True, eq=False)
class Read:
    """A checked release, read by its hierarchies.

    Attributes:
        study: whose hierarchies they are.
        labelled: one per quasi-identifier.
        strange: why the labels are not of these hierarchies, as words that begin with the column; empty where they are.
    """

    study: Study
    labelled: tuple[Labelled, ...]
    strange: str

    @classmethod
    def of(cls, frame: pd.DataFrame, study: Study) -> "Read":
        """A release, read; raises DataError where a column is missing."""
        labelled = tuple(Labelled.of(frame, attribute) for attribute in study.attributes)
        odd = next(((one.attribute.name, one.strange) for one in labelled if one.strange is not None), None)
        strange = "" if odd is None else f"column {odd[0]!r} shows {(odd[1] or '')[:60]!r}"
        return cls(study, labelled, strange)

    def places(self, row: int) -> tuple[int, ...]:
        """The labels of one row, by their places."""
        return tuple(int(one.codes[row]) for one in self.labelled)

    def states(self, groups: Sequence[NDArray[np.int64]]) -> list[tuple[int, ...]]:
        """The state that each class shows."""
        return [
            tuple(one.layer(place) for one, place in zip(self.labelled, self.places(int(rows[0])), strict=True))
            for rows in groups
        ]

    def common_states(self, groups: Sequence[NDArray[np.int64]]) -> list[tuple[int, ...]]:
        """The states that fit the labels of all classes, layer 0 for raw values; empty where none does."""
        states = set(self.states(groups))
        if any(0 in state for state in states):
            return sorted(states) if len(states) == 1 else []
        places = [self.places(int(rows[0])) for rows in groups]
        boxes = [[one.nodes[at] for one, at in zip(self.labelled, row, strict=True)] for row in places]
        known = [[node for node in box if node is not None] for box in boxes]
        return common_states([one.attribute for one in self.labelled], known)

    def loss(self, classes: Classes) -> float:
        """The mean loss of the table."""
        growths: Counter[Fraction] = Counter()
        for rows, size in zip(classes.groups, classes.sizes, strict=True):
            growth = Fraction(1)
            for one, place in zip(self.labelled, self.places(int(rows[0])), strict=True):
                growth *= one.growth(place)
            growths[growth] += size
        if classes.hidden:
            growths[Fraction(2) ** len(self.labelled)] += classes.hidden
        return MeanLoss(growths, len(self.labelled)).value

    def precision(self, classes: Classes) -> Fraction:
        """How far up its hierarchies the table stands."""
        heights = [one.attribute.layers for one in self.labelled]
        layers = zip(self.states(classes.groups), classes.sizes, strict=True)
        return precision(list(layers), heights, classes.hidden)

    def people(
        self, groups: Sequence[NDArray[np.int64]], population: pd.DataFrame, times: NDArray[np.int64] | None = None
    ) -> list[int]:
        """How many people of a population fit each class, of which a row may stand for several.

        Raises:
            DataError: the population lacks a column.
        """
        values = [ColumnValues.of(population, one.attribute) for one in self.labelled]
        kinds = np.stack([v.codes for v in values], axis=1)
        different, kind = np.unique(kinds, axis=0, return_inverse=True)
        people = counted(kind.reshape(-1), len(different), times)
        covered: dict[tuple[int, int], NDArray[np.bool_]] = {}
        fits = []
        for rows in groups:
            fit = np.ones(len(different), dtype=bool)
            for position, place in enumerate(self.places(int(rows[0]))):
                if (position, place) not in covered:
                    covered[position, place] = self.labelled[position].covers(place, values[position])
                fit &= covered[position, place][different[:, position]]
            fits.append(int(people[fit].sum()))
        return fits

    def uncovered(self, columns: Sequence[ColumnValues]) -> tuple[str, int] | None:
        """Returns a quasi-identifier and a row (from 0) whose label does not cover its raw value; None where all do."""
        for one, values in zip(self.labelled, columns, strict=True):
            beside = ~one.covers_rows(values)
            if beside.any():
                return one.attribute.name, int(beside.argmax())
        return None


def as_text(column: "pd.Series[Any]") -> "pd.Series[str]":
    """Return a checked column's cells as stripped texts, gaps empty."""
    read = Written.of(column)
    return pd.Series(read.texts, dtype="str").take(read.codes).reset_index(drop=True)


def records_that_say(column: "pd.Series[Any]", values: Collection[str] = ()) -> dict[str, int]:
    """Return how many cells of a checked column hold each text that says anything; see :func:`said_in`."""
    read = Written.of(column)
    times = np.bincount(read.codes, minlength=len(read.texts))
    each = zip(read.texts, times.tolist(), _texts_that_say(read, values), strict=True)
    return {text: many for text, many, says in each if many and says}


def said_in(column: "pd.Series[Any]", values: Collection[str] = ()) -> NDArray[np.bool_]:
    """Return per cell of a whole column whether the check takes it to say anything: not hidden, empty or unknown.

    Args:
        column: as it is published, or raw.
        values: the texts that say that nobody knows and that somebody decided to be values; see
            :class:`cra_engine.Roles`.
    """
    read = Written.of(column)
    return np.array(_texts_that_say(read, values), dtype=bool)[read.codes]


def known_in(column: "pd.Series[Any]") -> NDArray[np.bool_]:
    """Return per cell of a whole column whether it keeps others of its class apart: it says what somebody has.

    A word that says that nobody knows does not, be it a value as somebody decided or what missing values were called:
    where all others of a class share a value, everybody there of whom anything is known has it.

    Args:
        column: as it is published, or raw.
    """
    return said_in(column) & (as_text(column) != NO_ENTRY).to_numpy()


def _texts_that_say(read: Written, values: Collection[str]) -> list[bool]:
    nothing = nobody_knows(read.texts) | gap_words(read.texts) | {ROOT_LABEL}
    return [text in values or text.lower() not in nothing for text in read.texts]
