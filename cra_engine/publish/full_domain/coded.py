"""A raw table in numbers: for each attribute and layer what each different row shows, and how often each row occurs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import counted as counted_by
from cra_engine.criteria.groups import Spread
from cra_engine.files.tables import column_of
from cra_engine.raw.placement import Located
from cra_engine.raw.sensitive import SensitiveCounts
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.periods import period_text
from cra_engine.study.study import Study

Codes = NDArray[np.signedinteger[Any]]
_LARGEST = 2**62


def row_keys(columns: Sequence[Codes], sizes: Sequence[int]) -> tuple[NDArray[np.int64], int]:
    """Return for a global recoding one number per row from several columns, and how many there can be.

    Equal rows get equal numbers and others do not, however many columns there are.
    """
    keys = np.zeros(len(columns[0]), dtype=np.int64)
    space = 1
    for column, size in zip(columns, sizes, strict=True):
        if space * size >= _LARGEST:
            found, keys = np.unique(keys, return_inverse=True)
            space = len(found)
        keys = keys * size + column
        space *= size
    return keys, space


@dataclass(frozen=True, eq=False)
class CodedTable:
    """A raw table as global recoding sees it: its different rows, by the quasi-identifiers' raw values.

    Attributes:
        study: the hierarchies.
        shown: per attribute and layer, the different row's value or node; arrays of shape (rows,).
        sizes: per attribute and layer, how many values or nodes there are.
        texts: per attribute the raw values as they are shown at layer 0.
        numbers: per attribute the raw values, where they are numbers.
        lowest: the finest layer: 0 where raw values may be shown, else 1. Positions in ``shown`` count from it.
        counts: records to publish per different row.
        population: all records per different row, where only marked ones are published; else None.
        sensitive: per column that criteria read, how its values spread over the different rows.
        row_of_record: per record to publish its different row.
        published: the rows of the raw table to publish, from 0.
        warnings: findings in the table that did not stop anything.
    """

    study: Study
    shown: tuple[tuple[Codes, ...], ...]
    sizes: tuple[tuple[int, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    numbers: tuple[tuple[float, ...], ...]
    lowest: int
    counts: NDArray[np.int64]
    population: NDArray[np.int64] | None
    sensitive: Mapping[str, Spread]
    row_of_record: NDArray[np.int64]
    published: NDArray[np.int64]
    warnings: tuple[str, ...]

    @property
    def heights(self) -> tuple[int, ...]:
        """The layer of the root, per attribute."""
        return tuple(attribute.layers for attribute in self.study.attributes)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of layers per attribute that a state may have: the shape of an array over the lattice."""
        return tuple(len(layers) for layers in self.shown)

    @property
    def states(self) -> int:
        """Number of states of the lattice."""
        return math.prod(self.shape)

    @property
    def records(self) -> int:
        """Number of records to publish."""
        return int(self.counts.sum())

    def of_state(self, place: Sequence[int]) -> list[Codes]:
        """Per attribute what the different rows show, layers counted from the finest."""
        return [layers[layer] for layers, layer in zip(self.shown, place, strict=True)]

    @classmethod
    def of(
        cls,
        located: Located,
        study: Study,
        sensitive: Mapping[str, bool],
        marked: NDArray[np.bool_] | None,
        *,
        lowest: int = 0,
    ) -> "CodedTable":
        """Code a table.

        Args:
            located: the raw table, placed on the leaves: one row per record of the population, or different rows,
                counted.
            study: the hierarchies.
            sensitive: the columns that criteria read, and whether to read them as numbers where all of them are.
            marked: the records to publish; None for all.
            lowest: the finest layer that may be shown, 0 or 1.

        Raises:
            DataError: a sensitive cell is empty.
        """
        data = located.data
        shown, sizes, texts, points, values = [], [], [], [], []
        for position, attribute in enumerate(study.attributes):
            column, leaves = column_of(data, attribute.name), located.leaves[:, position].astype(np.int64)
            codes, of_value, text, number = _different(column, attribute, located.columns[position].raw_values, leaves)
            if lowest:  # then values of one leaf are alike
                codes, of_value = leaves, np.arange(attribute.leaves)
            values.append(codes)
            texts.append(text)
            points.append(number)
            layers = [np.arange(len(of_value)), *(ranks[of_value] for ranks in attribute.ranks)]
            many = [len(of_value), *(attribute.nodes_in(layer + 1) for layer in range(attribute.layers))]
            shown.append(layers[lowest:])
            sizes.append(tuple(many[lowest:]))
        keys, _ = row_keys(values, [of_layers[0] for of_layers in sizes])
        _, first, row_of = np.unique(keys, return_index=True, return_inverse=True)
        rows = len(first)
        keep, times = np.arange(len(data)) if marked is None else np.flatnonzero(marked), located.complete.times
        own = None if times is None else times[keep]
        row_of_record = row_of[keep].astype(np.int64)
        counted = SensitiveCounts(sensitive)
        counted.add(data.iloc[keep], row_of_record, located.complete.rows[keep], own)
        return cls(
            study,
            tuple(
                tuple(_small(layer[codes[first]], size) for layer, size in zip(layers, of_layers, strict=True))
                for layers, of_layers, codes in zip(shown, sizes, values, strict=True)
            ),
            tuple(sizes),
            tuple(texts),
            tuple(points),
            lowest,
            counted_by(row_of_record, rows, own),
            None if marked is None else counted_by(row_of, rows, times),
            counted.spreads(),
            row_of_record,
            keep,
            located.warnings,
        )


def _small(codes: Codes, size: int) -> Codes:
    return codes.astype(np.min_scalar_type(-size))


def _different(
    column: "pd.Series[Any]", attribute: Hierarchy, values: NDArray[Any], leaves: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[str, ...], tuple[float, ...]]:
    """Per record its value's code, per value its leaf, how it is shown, and its number.

    A value is shown as it is first written, a date as the period that the study counts: all days of it are one value.
    """
    different, first, codes = np.unique(values, return_index=True, return_inverse=True)
    if attribute.dates:
        texts = tuple("" if np.isnan(number) else period_text(int(number), attribute.unit) for number in different)
    else:
        texts = tuple(str(cell).strip() for cell in column.iloc[first])
    return (
        codes.astype(np.int64),
        leaves[first].astype(np.int64),
        texts,
        tuple(different.tolist()) if attribute.numeric else (),
    )
