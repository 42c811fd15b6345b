"""Hiding sensitive cells of a microaggregated table, and others so that the columns' totals do not give them back."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from cra_engine.criteria.cells import CellRule, ClassCells
from cra_engine.errors import DataError
from cra_engine.patience import Deadline
from cra_engine.publish.microaggregation.microaggregate import Microaggregation
from cra_engine.publish.suppression import SECONDS, hidden_cells, need_of
from cra_engine.results import Json, plain
from cra_engine.study.tree import ROOT_LABEL

Place = tuple[int, int]


@dataclass(frozen=True, eq=False)
class HiddenCells:
    """The cells of a microaggregated table that are hidden.

    Attributes:
        sensitive: those that a rule calls sensitive, each as cluster and number of the column.
        secondary: those that are hidden for their sake.
        frame: the table as handed out: ``*`` in hidden cells.
        share: the share of all numbers (records times columns) that are hidden.
    """

    sensitive: tuple[Place, ...]
    secondary: tuple[Place, ...]
    frame: pd.DataFrame
    share: Fraction

    def to_dict(self, columns: Sequence[str]) -> Json:
        """As plain data, with the columns' names."""
        cells = {"hidden_cells": (*self.sensitive, *self.secondary), "secondary_cells": self.secondary}
        named = {name: [(cluster, columns[column]) for cluster, column in sorted(own)] for name, own in cells.items()}
        return plain(named | {"hidden_share": self.share})


def with_hidden_cells(made: Microaggregation, rules: Sequence[CellRule]) -> HiddenCells:
    """Hide the sensitive cells of a microaggregated table, and in each column what protects them from its total.

    A reader is supposed to know each column's total (microaggregation keeps the means), each cluster's size, and
    nothing of other columns. What is hidden besides holds the fewest numbers that do, which is proven.

    Args:
        made: the table.
        rules: what makes a cell sensitive.

    Raises:
        DataError: a column holds negative numbers, of which the rules say nothing.
        NotProtectedError: a column in which hiding everything would not do.
        CRAError: the time ran out.
    """
    cells = ClassCells(made.clusters, made.columns.whole)
    if cells.negative.any():
        name = made.columns.names[int(np.flatnonzero(cells.negative.any(axis=0))[0])]
        raise DataError(f"Column {name!r} holds negative numbers, of which the rules say nothing; leave it out.")
    deadline = Deadline(SECONDS)
    frame = made.frame.astype(dict.fromkeys(made.columns.names, object))
    sensitive: list[Place] = []
    secondary: list[Place] = []
    sizes = [len(rows) for rows in made.clusters]
    for column, name in enumerate(made.columns.names):
        numbers = [made.columns.whole[rows, column].tolist() for rows in made.clusters]
        asked = {place: need for place, own in enumerate(numbers) if (need := need_of(rules, own)) is not None}
        hidden = hidden_cells(
            cells.total[:, column].tolist(), [range(len(sizes))], asked, sizes, max(deadline.left, 0.01)
        )
        sensitive += [(place, column) for place in asked]
        secondary += [(place, column) for place in sorted(hidden - set(asked))]
        for place in hidden:
            frame.loc[frame.index[made.clusters[place]], name] = ROOT_LABEL
    numbers_hidden = sum(sizes[place] for place, _ in (*sensitive, *secondary))
    share = Fraction(numbers_hidden, len(made.columns) * len(made.columns.names))
    return HiddenCells(tuple(sorted(sensitive)), tuple(sorted(secondary)), frame, share)
