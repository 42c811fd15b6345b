"""Rows of a release beside the records of its raw table, when the release stands in an order of its own.

A release is handed out in a random order, and only its publisher knows whose row is which. To measure a release against
the raw table some assignment is needed that fits: each row's labels cover its record, and all other columns agree.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from cra_engine.blocks import counted
from cra_engine.errors import DataError
from cra_engine.raw.columns import read_column
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
    sides = [_labels_and_leaves(data, frame, attribute) for attribute in study.attributes]
    growths = [growth for *_, growth in sides]
    before, after = _same_codes(data, frame, kept)
    own, of_record = _kinds([*(leaves for leaves, *_ in sides), *before])
    shown, of_row = _kinds([*(codes for _, codes, *_ in sides), *after])
    ends = [ends for _, _, ends, _ in sides]
    wide = len(ends)
    open_ = [(column == _ANY).any() for column in after]
    shut = [wide + place for place, is_open in enumerate(open_) if not is_open]
    pairs: list[NDArray[np.int64]] = []
    total = 0
    for some_records, some_rows in _alike(own[:, shut], shown[:, shut]):
        total += len(some_records) * len(some_rows)
        if total > MOST_PAIRS:
            return None
        fits = np.ones((len(some_records), len(some_rows)), dtype=bool)
        for place, spans in enumerate(ends):
            leaf, span = own[some_records, place, None], spans[shown[some_rows, place]]
            fits &= (leaf >= span[:, 0]) & (leaf < span[:, 1])
        for place in (wide + at for at, is_open in enumerate(open_) if is_open):
            cells = shown[some_rows, place]
            fits &= (cells == _ANY) | (own[some_records, place, None] == cells)
        one, other = np.nonzero(fits)
        pairs.append(np.stack([some_records[one], some_rows[other]]))
    between = np.concatenate(pairs, axis=1) if pairs else np.empty((2, 0), dtype=np.int64)
    loss = np.prod([growth[shown[:, place]] for place, growth in enumerate(growths)], axis=0)
    least = np.full(len(own), np.inf)
    np.minimum.at(least, between[0], loss[between[1]])
    first = between[:, loss[between[1]] <= least[between[0]] * (1 + 1e-9)]
    both = (of_record, records), (of_row, rows)
    assigned = _assigned(first, *both)
    return _assigned(between, *both) if assigned is None else assigned


_ANY = -1  # a cell of the release that shows nothing


def _labels_and_leaves(
    data: pd.DataFrame, frame: pd.DataFrame, attribute: Hierarchy
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Of an attribute the leaf of each record, the code of each row's label, and per label its leaves and its loss.

    Leaves as the first and the one after the last; the loss as 1 for a raw value and more for wider nodes.
    """
    leaves = read_column(data[attribute.name], attribute, every=False).leaves.astype(np.int64)
    codes, labels = pd.factorize(frame[attribute.name].astype("object"), use_na_sentinel=False)
    ends = np.zeros((len(labels), 2), dtype=np.int64)  # of a label that is none: no leaf at all
    growth = np.ones(len(labels))
    for place, label in enumerate(labels):
        text = "" if pd.isna(label) else str(label).strip()
        node, leaf = attribute.parse(text), attribute.reader.leaf_of(text)
        if node is not None:
            ends[place] = node.start, node.stop
            growth[place] = 1 + float(attribute.loss(node.layer))
        elif leaf is not None:
            ends[place] = leaf, leaf + 1
    return leaves, codes.astype(np.int64), ends, growth


def _same_codes(
    data: pd.DataFrame, frame: pd.DataFrame, kept: list[str]
) -> tuple[list[NDArray[np.int64]], list[NDArray[np.int64]]]:
    """The columns besides as codes, equal where the cells say the same; a cell that shows ``*`` says nothing."""
    before, after = [], []
    for name in kept:
        both = pd.concat([data[name].astype("object"), frame[name].astype("object")], ignore_index=True)
        texts = both.map(lambda cell: "" if pd.isna(cell) else str(cell).strip())
        numbers = pd.to_numeric(texts, errors="coerce")
        codes = pd.factorize(texts.where(numbers.isna(), numbers.map(repr)))[0].astype(np.int64)
        own, shown = codes[: len(data)], codes[len(data) :]
        hidden = (texts == ROOT_LABEL).to_numpy()
        if hidden[len(data) :].any() and not hidden[: len(data)].any():
            shown = np.where(hidden[len(data) :], _ANY, shown)
        before.append(own)
        after.append(shown)
    return before, after


def _kinds(columns: list[NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different rows of some columns, and per row which of them it is."""
    kinds, of = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    return kinds, of.reshape(-1)


def _alike(
    records: NDArray[np.int64], rows: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The kinds of records and of rows that agree in the columns that every row shows."""
    if not records.shape[1]:
        yield np.arange(len(records)), np.arange(len(rows))
        return
    _, code = np.unique(np.concatenate([records, rows]), axis=0, return_inverse=True)
    own, shown = code.reshape(-1)[: len(records)], code.reshape(-1)[len(records) :]
    by_own, by_shown = (pd.Series(np.arange(len(side))).groupby(side).indices for side in (own, shown))
    for value, places in by_own.items():
        if value in by_shown:
            yield np.asarray(places), np.asarray(by_shown[value])


def _assigned(
    between: NDArray[np.int64],
    before: tuple[NDArray[np.int64], NDArray[np.int64]],
    after: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
    """Pairs of rows before and after and their records, by a maximum flow from the kinds before to the kinds after.

    Of either side is given the kind of each row, and how many records it stands for.
    """
    have, need = (counted(of, int(of.max(initial=-1)) + 1, times) for of, times in (before, after))
    first, last = len(have) + len(need), len(have) + len(need) + 1
    tail = np.concatenate([np.full(len(have), first), between[0], len(have) + np.arange(len(need))])
    head = np.concatenate([np.arange(len(have)), len(have) + between[1], np.full(len(need), last)])
    most = np.concatenate([have, np.minimum(have[between[0]], need[between[1]]), need]).astype(np.int32)
    flow = maximum_flow(csr_array((most, (tail, head)), shape=(last + 1, last + 1)), first, last)
    if flow.flow_value != have.sum():
        return None
    moved = flow.flow.tocoo()
    used = (moved.data > 0) & (moved.row < len(have)) & (moved.col < first)
    one, other, count = moved.row[used], moved.col[used] - len(have), moved.data[used].astype(np.int64)
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
    ends = np.union1d(these, those)
    return np.searchsorted(these, ends), np.searchsorted(those, ends), np.diff(ends, prepend=0)
