"""Effective anonymity: with how many records each record of a table can be confused (Cohen 2022, 3.1 and A.1).

A cell is a node of its column's hierarchy, in the finest of the layers where that node stands; a plain value is a node
of the finest layer and a missing cell is the root. Two cells meet when one holds the other, that is when they are one
node once both are raised to the higher of their layers. So records are grouped by the layers of their cells, and two
groups are joined like two tables of a database, on keys that are raised for that pair of groups.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import DataError, TooLargeError
from cra_engine.expected import expect, expect_each
from cra_engine.files.notation import decimal_in
from cra_engine.files.tables import column_of
from cra_engine.patience import checkpoint
from cra_engine.results import Json, Result, plain
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.study import Study
from cra_engine.study.tree import Node
from cra_engine.words import how_many, rows_text

MAX_WORK = 10_000_000_000  # cells that all comparisons together look at
JOIN = 3_000  # as many as one join costs besides
NOTHING = -1


@dataclass(frozen=True, eq=False, repr=False)
class EffectiveAnonymity(Result):
    """The risk by effective anonymity: with how many records each can be confused, itself included.

    Attributes:
        quasi_identifiers: the columns compared.
        ea: per record how many records have equal cells; a missing cell equals another.
        ea_amb: per record how many records it may be, a missing cell standing for every value; never below ``ea``.
    """

    quasi_identifiers: tuple[str, ...]
    ea: NDArray[np.int64]
    ea_amb: NDArray[np.int64]

    def summary(self) -> dict[str, object]:
        """Records, how many are unique, and how many whatever missing cells hold."""
        unique, surely = count_below(self.ea, 2), count_below(self.ea_amb, 2)
        return {"records": len(self.ea), "unique": unique, "unambiguously unique": surely}

    def to_dict(self, below: int = 5) -> Json:
        """As plain data: how many records are unique, and how many have less than ``below``."""
        counts = {
            name: {"unique": count_below(values, 2), "below": count_below(values, below)}
            for name, values in (("ea", self.ea), ("ea_amb", self.ea_amb))
        }
        return plain({"records": len(self.ea), "below": below} | counts)

    def to_frame(self) -> pd.DataFrame:
        """A row per record: ``ea`` and ``ea_amb``."""
        return pd.DataFrame({"ea": self.ea, "ea_amb": self.ea_amb})


def count_below(anonymity: NDArray[np.int64], limit: int) -> int:
    """Count the records with an effective anonymity below a limit; below 2 they are unique.

    >>> count_below(np.array([1, 1, 4, 5]), 5)
    3
    """
    return int((anonymity < limit).sum())


def effective_anonymity(
    table: pd.DataFrame, by: Sequence[str] | Study, *, missing: str | Sequence[str] = ()
) -> EffectiveAnonymity:
    """Return the effective anonymity of each record of a table: with how many it can be confused.

    Source: Cohen (2022), Definitions 3.1 and A.1.

    Args:
        table: one row per person.
        by: the columns that the attacker knows; or a study, whose attributes these are, so that a published label meets
            the values and labels inside it.
        missing: what stands for a missing cell, besides an empty one.

    Raises:
        DataError: no record, no column, a missing column, one named twice; with a study a cell that is neither a value
            nor a label of its hierarchy.
        TooLargeError: missing cells or layers stand in too many different patterns to compare all.

    >>> people = pd.DataFrame([("F", "1986"), ("F", "?"), ("?", "1986"), ("F", "1990")], columns=["sex", "born"])
    >>> found = effective_anonymity(people, ["sex", "born"], missing="?")
    >>> found
    EffectiveAnonymity(records=4, unique=4, unambiguously unique=0)
    >>> found.ea_amb.tolist()
    [3, 4, 3, 2]
    """
    expect(table, pd.DataFrame, "effective_anonymity(table)")
    if not isinstance(by, Study):
        by = expect_each(by, str, "effective_anonymity(by)")
    names = by.names if isinstance(by, Study) else tuple(by)
    for place, name in enumerate(names):
        if name in names[:place]:
            raise DataError(f"Column {name!r} is named twice; name each column once.")
    if not names:
        raise DataError("No column is named; name the columns that an attacker knows.")
    columns = [column_of(table, name) for name in names]
    if not len(table):
        raise DataError("The table holds no record; it needs one row per person below the column names.")
    tokens = {missing} if isinstance(missing, str) else set(missing)
    tokens = {token.strip() for token in tokens} | {""}
    if isinstance(by, Study):
        cells = [_nodes(column, attribute, tokens) for column, attribute in zip(columns, by.attributes, strict=True)]
    else:
        cells = [_values(column, tokens) for column in columns]
    kinds = np.stack([cell.code for cell in cells], axis=1)
    _, first, kind, counts = np.unique(kinds, axis=0, return_index=True, return_inverse=True, return_counts=True)
    kind = kind.reshape(-1)
    different = [_Cells(cell.code[first], cell.layer[first], cell.raised) for cell in cells]
    return EffectiveAnonymity(names, counts[kind], _ambiguous(different, counts)[kind])


@dataclass(frozen=True, eq=False)
class _Cells:
    """A column's cells.

    Attributes:
        code: per row the number of its node.
        layer: per row the layer of that node, from 0.
        raised: per layer and node the number of the node of that layer around it; anything below the node's own layer.
    """

    code: NDArray[np.int64]
    layer: NDArray[np.int64]
    raised: NDArray[np.int64]


def _texts(column: "pd.Series[Any]") -> tuple[NDArray[np.int64], list[str]]:
    """Per row the place of its text among the different texts, blanks around them taken off; gaps are empty."""
    gaps = column.isna().to_numpy(dtype=bool)
    codes, different = pd.factorize(column, use_na_sentinel=False)
    texts = ["" if pd.isna(cell) else str(cell).strip() for cell in different]
    place = {text: number for number, text in enumerate(dict.fromkeys([*texts, ""]))}
    own = np.array([place[text] for text in texts], dtype=np.int64)
    return np.where(gaps, place[""], own[codes]), list(place)


def _values(column: "pd.Series[Any]", tokens: set[str]) -> _Cells:
    """Plain values in layer 0 under a root that stands for a missing cell."""
    codes, texts = _texts(column)
    gap = np.array([text in tokens for text in texts])
    root = len(texts)
    code = np.where(gap, root, np.arange(root))[codes]
    raised = np.stack([np.arange(root + 1), np.full(root + 1, root)])
    return _Cells(code, np.asarray(code == root, dtype=np.int64), raised)


def _nodes(column: "pd.Series[Any]", attribute: Hierarchy, tokens: set[str]) -> _Cells:
    """Raw values in layer 0, labels in their layers; a missing cell is the root."""
    codes, texts = _texts(column)
    offsets = np.cumsum([0, *(attribute.nodes_in(layer) for layer in range(1, attribute.layers + 1))])
    number, layers = [], []
    leaves: list[int] = []
    raw: dict[object, int] = {}
    for place, text in enumerate(texts):
        at = _finest(attribute, attribute.node(attribute.layers, 0)) if text in tokens else _place(attribute, text)
        if at is None:
            row = int(np.flatnonzero(codes == place)[0]) + 1
            raise DataError(
                f"Column {attribute.name!r}, {rows_text([row])}: {text[:60]!r} is neither a value nor a label of its "
                "hierarchy; correct it, add it there, or say that it stands for a missing cell."
            )
        if isinstance(at, int):  # a raw value, in this leaf
            key = decimal_in(text) if attribute.numeric else text
            if key not in raw:
                raw[key] = len(leaves)
                leaves.append(at)
            number.append(int(offsets[-1]) + raw[key])
            layers.append(0)
        else:
            layer, rank = at
            number.append(int(offsets[layer - 1]) + rank)
            layers.append(layer)
    code = np.array(number, dtype=np.int64)[codes]
    return _Cells(code, np.array(layers, dtype=np.int64)[codes], _ways_up(attribute, offsets, leaves))


def _ways_up(attribute: Hierarchy, offsets: NDArray[np.int64], raw: list[int]) -> NDArray[np.int64]:
    """Per layer and cell the node around it: nodes first, layer by layer, then raw values, given by their leaves."""
    cells = int(offsets[-1]) + len(raw)
    ways = np.full((attribute.layers + 1, cells), NOTHING, dtype=np.int64)
    ways[0, offsets[-1] :] = np.arange(offsets[-1], cells)
    for layer in range(1, attribute.layers + 1):
        ranks = attribute.ranks[layer - 1]
        for below in range(1, layer + 1):
            starts = [node.start for node in attribute.layer_nodes[below - 1]]
            ways[layer, offsets[below - 1] : offsets[below]] = offsets[layer - 1] + ranks[starts]
        ways[layer, offsets[-1] :] = offsets[layer - 1] + ranks[raw]
    return ways


def _place(attribute: Hierarchy, text: str) -> tuple[int, int] | int | None:
    """The finest layer and the rank of a label's node, or the leaf of a raw value that is less than it; else None."""
    node = attribute.parse(text)
    if node is None:
        leaf = attribute.reader.leaf_of(text)
        if leaf is None or attribute.leaf_values[leaf] > 1:
            return leaf
        node = attribute.node(1, leaf)
    return _finest(attribute, node)


def _finest(attribute: Hierarchy, node: Node) -> tuple[int, int]:
    """The finest layer in which a node stands, and its rank there."""
    for layer in range(1, node.layer):
        rank = int(attribute.ranks[layer - 1][node.start])
        same = attribute.node(layer, rank)
        if (same.start, same.stop) == (node.start, node.stop):
            return layer, rank
    return node.layer, node.rank


def _ambiguous(cells: Sequence[_Cells], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Per kind of record how many records meet it; ``counts`` is how many there are of each kind."""
    layers = np.stack([cell.layer for cell in cells], axis=1)
    patterns, group = np.unique(layers, axis=0, return_inverse=True)
    by_join = JOIN * len(patterns) ** 2 + len(counts) * len(patterns) * len(cells)
    one_by_one = len(counts) ** 2 * len(cells)
    if min(by_join, one_by_one) > MAX_WORK:
        raise TooLargeError(
            f"Missing or generalized cells stand in {len(patterns):,} different patterns in "
            f"{how_many(len(counts), 'different record')}, too many to compare; name fewer columns."
        )
    if one_by_one < by_join:
        return _one_by_one(cells, layers, counts)
    members = np.split(np.argsort(group.reshape(-1), kind="stable"), np.cumsum(np.bincount(group.reshape(-1)))[:-1])
    result = np.zeros(len(counts), dtype=np.int64)
    for one in range(len(patterns)):
        checkpoint()
        for other in range(one, len(patterns)):
            rows, others = members[one], members[other]
            keys = _keys(cells, np.maximum(patterns[one], patterns[other]), np.concatenate([rows, others]))
            mine, theirs = keys[: len(rows)], keys[len(rows) :]
            size = int(keys.max()) + 1
            result[rows] += _sums(theirs, counts[others], size)[mine]
            if other > one:
                result[others] += _sums(mine, counts[rows], size)[theirs]
    return result


def _one_by_one(cells: Sequence[_Cells], layers: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same where nearly every record has a pattern of its own."""
    result = np.empty(len(counts), dtype=np.int64)
    for row in range(len(counts)):
        if row % 1000 == 0:
            checkpoint()
        meets = np.ones(len(counts), dtype=bool)
        for place, cell in enumerate(cells):
            joined = np.maximum(layers[:, place], layers[row, place])
            meets &= cell.raised[joined, cell.code] == cell.raised[joined, cell.code[row]]
        result[row] = counts[meets].sum()
    return result


def _sums(keys: NDArray[np.int64], counts: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    sums = np.zeros(size, dtype=np.int64)
    np.add.at(sums, keys, counts)
    return sums


def _keys(cells: Sequence[_Cells], layers: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Per row a number that is equal where all cells, raised to these layers, are; from 0 without many gaps."""
    result = np.zeros(len(rows), dtype=np.int64)
    size = 1
    for raised in _raised(cells, layers, rows):
        width = int(raised.max()) + 1
        if size * width > 2**62 // 2:
            _, result = np.unique(result, return_inverse=True)
            size = int(result.max()) + 1
        result = result * width + raised
        size *= width
    if size > 4 * len(rows):
        _, result = np.unique(result, return_inverse=True)
    return np.asarray(result.reshape(-1), dtype=np.int64)


def _raised(cells: Sequence[_Cells], layers: NDArray[np.int64], rows: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for cell, layer in zip(cells, layers.tolist(), strict=True):
        if layer < len(cell.raised) - 1:  # at the root all are equal
            yield cell.raised[layer][cell.code[rows]]
