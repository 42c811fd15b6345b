"""Recoding a table in memory: its records are put into cells, the cells are published, the rows get their labels."""

from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.blocks import all_looked_up, looked_up
from cra_engine.choices import RecodeTies
from cra_engine.expected import expect, expect_choice
from cra_engine.patience import tell
from cra_engine.publish.local.rounds import PublishedCells
from cra_engine.publish.local.sweep import CellRecoding, recode_cells
from cra_engine.publish.published_rows import published_rows
from cra_engine.published import Published
from cra_engine.raw.alike_rows import AlikeRows
from cra_engine.raw.placement import Complete, complete, place
from cra_engine.release import LabelGroups, Release
from cra_engine.study.grid import Grid
from cra_engine.study.study import Study


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PublishedTable(PublishedCells):
    """The outcome of local recoding on a table in memory.

    Attributes:
        frame: the published table, rows in the input's order, other columns as they were. Quasi-identifiers are
            categories, so that a label is held once and a row costs one or two bytes.
        release: what is published and nothing more.
        number_of_record: per published record the number of its cell, see :class:`cra_engine.raw.cells.CellCounts`.
        left_out: as in :class:`PublishedCells`: ``data.iloc[row - 1]``. The frame and the release hold the others
            alone, in their order.
    """

    frame: pd.DataFrame
    release: Release
    number_of_record: NDArray[np.signedinteger[Any]]

    @cached_property
    def undecided(self) -> tuple[str, ...]:
        """Sentences on columns that say who somebody is, or nearly, and that nobody decided about; read when asked."""
        from cra_engine.raw.proposed_roles import undecided  # noqa: PLC0415 - lists of names and words take their time

        return undecided(self.frame, self.study.roles, self.study.names)

    @cached_property
    def published(self) -> Published:
        """The same as every way to publish has it; see docs/published.md."""
        return published_rows(self.frame, self.study, release=self.release, loss=self.loss, notes=self.warnings)

    @property
    def iteration_of_record(self) -> NDArray[np.signedinteger[Any]]:
        """Per record the round that published it; 0 for suppressed ones."""
        return looked_up(self.cells.by_number(self.taken), self.number_of_record)


@dataclass(frozen=True, eq=False, repr=False)
class Recoding(PublishedTable, CellRecoding):
    """The outcome of ARX-LR on a table: what is published, and how it came about; fields as :class:`PublishedTable`."""


def labelled_table(
    data: pd.DataFrame, swept: PublishedCells, number_of_record: NDArray[np.signedinteger[Any]]
) -> tuple[pd.DataFrame, Release]:
    """Return the locally recoded table, labels in place of the quasi-identifiers, and its release."""
    columns = swept.published_labels()
    shown = all_looked_up([swept.cells.by_number(codes) for _, codes in columns], number_of_record)
    labels = {
        name: pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(own))
        for name, (own, _), codes in zip(swept.study.names, columns, shown, strict=True)
    }
    published = {
        name: labels[name] if name in labels else _apart(data.iloc[:, position].array)
        for position, name in enumerate(data.columns)
    }
    frame = pd.DataFrame(published, index=data.index.copy(), columns=data.columns, copy=False)

    def spread(per_cell: NDArray[np.int32]) -> NDArray[np.int32]:
        return looked_up(swept.cells.by_number(per_cell), number_of_record)

    return frame, Release(swept.study, frame, groups=LabelGroups(columns, swept.cells.counts, spread))


def _apart(column: "pd.api.extensions.ExtensionArray") -> "pd.api.extensions.ExtensionArray":
    """A column in new memory: one that shares it with the raw table would carry the quasi-identifiers along."""
    # An Arrow column's copy() still shares, take() does not.
    return column.take(np.arange(len(column))) if hasattr(column, "__arrow_array__") else column.copy()


def recode(data: pd.DataFrame, study: Study, *, ties: RecodeTies = "paper") -> Recoding:
    """Publish a table with ARX-LR (paper, Algorithms 1 and 2).

    Args:
        data: one row per person; the study's quasi-identifiers are columns of numbers, other columns are kept but for
            those that the study's roles remove.
        study: hierarchies, k and roles.
        ties: which of several equally good states forms its classes first: ``"paper"`` by the third criterion c3 on the
            remaining records, ``"arx"`` the one that ARX's own code takes, with ARX's rounding of losses and limits.
            Hierarchies whose nodes differ in share within a layer, which the paper does not know, are always recoded as
            ARX does.

    Raises:
        DataError: the table does not fit the study, or k exceeds the number of records.
        TooLargeError: the lattice or the grid is larger than the engine admits.

    >>> import pandas as pd
    >>> from cra_engine import Attribute, Study
    >>> study = Study([Attribute("weight", 0, 400, layers=3), Attribute("pressure", 0, 400, layers=3)], k=3)
    >>> people = [(370, 135), (290, 290), (150, 115), (260, 245), (95, 125), (215, 155)]
    >>> data = pd.DataFrame(people, columns=["weight", "pressure"])
    >>> published = recode(data, study)
    >>> published
    Recoding(records=6, k=3, classes=2, suppressed=0, iterations=2)
    >>> published.frame
           weight    pressure
    0           *  [100, 200[
    1  [200, 300[           *
    2           *  [100, 200[
    3  [200, 300[           *
    4           *  [100, 200[
    5  [200, 300[           *
    """
    expect(data, pd.DataFrame, "recode(data)")
    expect(study, Study, "recode(study)")
    expect_choice(ties, get_args(RecodeTies), "ties")
    return recode_complete(complete(study.roles.published(data), study), study, ties)


def recode_complete(
    table: Complete, study: Study, ties: RecodeTies = "paper", alike: AlikeRows | None = None
) -> Recoding:
    """Publish with ARX-LR a table without gaps but those the study knows, or columns to remove; as :func:`recode`.

    Args:
        table: without gaps.
        study: hierarchies, k and roles.
        ties: as for :func:`recode`.
        alike: the rows that the table's stand for, where one stands for several that are written otherwise.
    """
    tell("recoding")
    located = place(table, study)
    warnings = (*table.notes, *located.warnings)
    cells, number_of_record = located.count_cells(Grid(study.attributes))
    sensitive = partial(located.sensitive, number_of_record)
    raw_values = partial(located.raw_values, number_of_record)
    if alike is not None:
        raw_values = partial(alike.raw_values, located, number_of_record)
    swept = recode_cells(study, ties, cells, raw_values, sensitive, warnings)
    del located  # its leaves and values take as much room as the table
    frame, release = labelled_table(table.data, swept, number_of_record)
    return Recoding(
        *swept.base_fields,
        table.left_out,
        ties=swept.ties,
        passing=swept.passing,
        frame=frame,
        release=release,
        number_of_record=number_of_record,
    )
