"""Rows of a release beside the records of its raw table, when the release stands in an order of its own.

A release is handed out in a random order, and only its publisher knows whose row is which. To measure a release against
the raw table some assignment is needed that fits: each row's labels cover its record, and all other columns agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from cra_engine.blocks import counted
from cra_engine.errors import DataError
from cra_engine.patience import checkpoint
from cra_engine.raw.columns import read_column
from cra_engine.raw.written import Written
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.study import Study
from cra_engine.study.tree import ROOT_LABEL

MOST_PAIRS = 20_000_000


def no_assignment() -> DataError:
    """Say what is wrong with a raw table none of whose assignments to a release fits."""
    return DataError(
        "No assignment of the raw table's records to the release's rows fits; raw table and release must hold the same "
        "records, each row with the labels of its record."
    )


def matched_rows(data: pd.DataFrame, frame: pd.DataFrame, study: Study) -> NDArray[np.int64] | None:
    """Find for each row of a release a record of the raw table that it can be of, each record once.

    A maximum flow between the kinds of records and the kinds of rows, so that an assignment is found where there is
    one. Local recoding publishes a record with the first box that holds it, which is the one of least loss: where an
    assignment of that kind fits it is taken. Which of several is found says nothing more of the truth.

    Args:
        data: the raw table, rows that the study leaves out for missing values left out.
        frame: the release; its quasi-identifiers show labels of the study's hierarchies, or raw values.
        study: the hierarchies.

    Returns:
        Per row of the release the place of its record, from 0; None where no assignment fits, or where more than
        20 million pairs of kinds would have to be weighed.

    >>> from cra_engine import Attribute
    >>> study = Study([Attribute("age", 0, 80, layers=3)], k=2)
    >>> people = pd.DataFrame({"age": [12, 50, 61, 19]})
    >>> matched_rows(people, pd.DataFrame({"age": ["[40, 80[", "[0, 40[", "*", "[40, 80["]}), study).tolist()
    [1, 0, 3, 2]
    """
    ones = np.ones(len(data), dtype=np.int64), np.ones(len(frame), dtype=np.int64)
    found = matched_kinds(data, frame, study, *ones)
    if found is None:
        return None
    record_of = np.empty(len(frame), dtype=np.int64)
    record_of[found[1]] = found[0]
    return record_of


def matched_kinds(
    data: pd.DataFrame, frame: pd.DataFrame, study: Study, records: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
    """Find an assignment as :func:`matched_rows` does where rows of both tables stand for several records each.

    Args:
        data: the raw table.
        frame: the release.
        study: the hierarchies.
        records: how many records each row of the raw table stands for.
        rows: how many each row of the release stands for.

    Returns:
        Pairs of a raw row and a row of the release, and how many records each pair has; None as there.
    """
    if records.sum() != rows.sum():
        return None
    kept = [name for name in frame.columns if str(name) not in study.names]
    if any(name not in data.columns for name in kept):
        return None
    sides = [_Shown.of(data, frame, attribute) for attribute in study.attributes]
    before, after = _same_codes(data, frame, kept)
    own, of_record = _kinds([*(side.leaves for side in sides), *before])
    shown, of_row = _kinds([*(side.codes for side in sides), *after])
    wide = len(sides)
    layers = [side.layers[shown[:, place]] for place, side in enumerate(sides)]
    hidden = [shown[:, wide + place] == _ANY for place in range(len(kept))]
    states, state_of = _kinds([*layers, *hidden])
    pairs: list[NDArray[np.int64]] = []
    total = 0
    # Rows that show one state: a record lies in one box of it at most.
    for number, state in enumerate(states):
        checkpoint()
        rows_here = np.flatnonzero(state_of == number)
        of_records, of_rows = [], []
        for place, side in enumerate(sides):
            boxes = side.boxes(int(state[place]))
            of_records.append(boxes[own[:, place]])
            of_rows.append(side.places[shown[rows_here, place]])
        for place in (np.flatnonzero(state[wide:] == 0) + wide).tolist():
            of_records.append(own[:, place])
            of_rows.append(shown[rows_here, place])
        some, other = _joined(of_records, of_rows)
        total += len(some)
        if total > MOST_PAIRS:
            return None
        pairs.append(np.stack([some, rows_here[other]]))
    between = np.concatenate(pairs, axis=1) if pairs else np.empty((2, 0), dtype=np.int64)
    loss = np.prod([side.growth[shown[:, place]] for place, side in enumerate(sides)], axis=0)
    least = np.full(len(own), np.inf)
    np.minimum.at(least, between[0], loss[between[1]])
    first = between[:, loss[between[1]] <= least[between[0]] * (1 + 1e-9)]
    both = (of_record, records), (of_row, rows)
    assigned = _assigned(first, *both)
    return _assigned(between, *both) if assigned is None else assigned


_ANY = -1  # a cell of the release that shows nothing


@dataclass(frozen=True, eq=False)
class _Shown:
    """An attribute's values in a raw table, and what a release shows of them.

    Attributes:
        leaves: the leaf of each record.
        codes: per row of the release the place of its label.
        layers: per label its layer: 0 for a raw value; -1 for one that is no label, and covers nothing.
        places: per label its number; those that name the same leaves in the same layer have the same.
        ends: per label the first leaf and the one after the last.
        growth: per label 1 for a raw value, and more for nodes that lose more.
    """

    leaves: NDArray[np.int16]
    codes: NDArray[np.int64]
    layers: NDArray[np.int64]
    places: NDArray[np.int64]
    ends: NDArray[np.int64]
    growth: NDArray[np.float64]

    @classmethod
    def of(cls, data: pd.DataFrame, frame: pd.DataFrame, attribute: Hierarchy) -> Self:
        """Of both tables' columns."""
        leaves = read_column(data[attribute.name], attribute, every=False).leaves
        written = Written.of(frame[attribute.name])
        layers, growth = np.full(len(written.texts), -1, dtype=np.int64), np.ones(len(written.texts))
        ends = np.zeros((len(written.texts), 2), dtype=np.int64)
        for place, text in enumerate(written.texts):
            node, leaf = attribute.parse(text), attribute.reader.leaf_of(text)
            if node is not None:
                layers[place], ends[place] = node.layer, (node.start, node.stop)
                growth[place] = 1 + float(attribute.loss(node.layer))
            elif leaf is not None:
                layers[place], ends[place] = 0, (leaf, leaf + 1)
        places = np.unique(np.column_stack([layers, ends]), axis=0, return_inverse=True)[1].reshape(-1)
        return cls(leaves, written.codes, layers, places, ends, growth)

    def boxes(self, layer: int) -> NDArray[np.int64]:
        """Per leaf the number of the label of a layer that holds it; -1 where none does."""
        leaves = max(int(self.ends.max(initial=0)), int(self.leaves.max(initial=-1)) + 1)
        result = np.full(leaves + 1, -1, dtype=np.int64)  # the last for a value that has no leaf, which is -1
        for label in np.flatnonzero(self.layers == layer):
            result[self.ends[label, 0] : self.ends[label, 1]] = self.places[label]
        return result


def _same_codes(
    data: pd.DataFrame, frame: pd.DataFrame, kept: list[str]
) -> tuple[list[NDArray[np.int64]], list[NDArray[np.int64]]]:
    """The columns besides as codes, equal where the cells say the same; a cell that shows ``*`` says nothing."""
    before, after = [], []
    for name in kept:
        own, shown = Written.of(data[name]), Written.of(frame[name])
        texts = pd.Series([*own.texts, *shown.texts], dtype=object)
        numbers = pd.to_numeric(texts, errors="coerce")
        codes = pd.factorize(texts.where(numbers.isna(), numbers.map(repr)))[0].astype(np.int64)
        of_own, of_shown = codes[: len(own.texts)], codes[len(own.texts) :]
        if ROOT_LABEL in shown.texts and ROOT_LABEL not in own.texts:
            of_shown[shown.texts.index(ROOT_LABEL)] = _ANY
        before.append(of_own[own.codes])
        after.append(of_shown[shown.codes])
    return before, after


def _kinds(columns: Sequence[NDArray[Any]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different rows of some columns, and per row which of them it is."""
    of = _keys(columns)
    first = np.unique(of, return_index=True)[1]
    return np.stack([column[first].astype(np.int64) for column in columns], axis=1), of


def _keys(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """One number per row of some columns of whole numbers, from 0; in the order of the rows, column by column."""
    keys = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        lowest = int(column.min(initial=0))
        keys = keys * (int(column.max(initial=0)) - lowest + 1) + column - lowest
        keys = np.unique(keys, return_inverse=True)[1].reshape(-1)
    return keys


def _joined(
    records: Sequence[NDArray[np.int64]], rows: Sequence[NDArray[np.int64]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pairs of records and rows that agree in all of some columns, in none of which a number is below 0."""
    inside = np.flatnonzero(np.logical_and.reduce([column >= 0 for column in records]))
    both = [np.concatenate([one[inside], other]) for one, other in zip(records, rows, strict=True)]
    keys = _keys(both)
    own, shown = keys[: len(inside)], keys[len(inside) :]
    order = np.argsort(shown, kind="stable")
    start, stop = (np.searchsorted(shown[order], own, side) for side in ("left", "right"))
    many = stop - start
    within = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    return np.repeat(inside, many), order[np.repeat(start, many) + within]


def _assigned(
    between: NDArray[np.int64],
    before: tuple[NDArray[np.int64], NDArray[np.int64]],
    after: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
    """Pairs of rows before and after and their records, by a maximum flow from the kinds before to the kinds after.

    Of either side is given the kind of each row, and how many records it stands for.
    """
    have, need = (counted(of, int(of.max(initial=-1)) + 1, times) for of, times in (before, after))
    if (counted(between[0], len(have)) == 1).all():  # nothing to choose
        moved = have[between[0]]
        if (counted(between[1], len(need), moved) != need).any():
            return None
        return _spread(between[0], between[1], moved, before, after)
    first, last = len(have) + len(need), len(have) + len(need) + 1
    tail = np.concatenate([np.full(len(have), first), between[0], len(have) + np.arange(len(need))])
    head = np.concatenate([np.arange(len(have)), len(have) + between[1], np.full(len(need), last)])
    most = np.concatenate([have, np.minimum(have[between[0]], need[between[1]]), need]).astype(np.int32)
    flow = maximum_flow(csr_array((most, (tail, head)), shape=(last + 1, last + 1)), first, last)
    if flow.flow_value != have.sum():
        return None
    moved = flow.flow.tocoo()
    used = (moved.data > 0) & (moved.row < len(have)) & (moved.col < first)
    count = moved.data[used].astype(np.int64)
    return _spread(moved.row[used], moved.col[used] - len(have), count, before, after)


def _spread(
    one: NDArray[Any],
    other: NDArray[Any],
    count: NDArray[np.int64],
    before: tuple[NDArray[np.int64], NDArray[np.int64]],
    after: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of rows from pairs of their kinds; see :func:`_assigned`."""
    by_record, by_row = (np.argsort(of, kind="stable") for of, _ in (before, after))
    order = np.argsort(one, kind="stable")
    piece, record, count = _cut(count[order], before[1][by_record])
    other = other[order][piece]
    order = np.argsort(other, kind="stable")
    piece, row, count = _cut(count[order], after[1][by_row])
    return by_record[record[order][piece]], by_row[row], count


def _cut(
    one: NDArray[np.int64], other: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Two divisions of one length, cut where either is: of each piece its part in both, and its length."""
    these, those = np.cumsum(one), np.cumsum(other)
    ends = np.sort(np.concatenate([these, those]), kind="stable")
    ends = ends[np.diff(ends, prepend=0) > 0]
    return np.searchsorted(these, ends), np.searchsorted(those, ends), np.diff(ends, prepend=0)
