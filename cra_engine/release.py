"""The release: what is published and nothing more. It is the border of trust between publisher and attacker."""

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.blocks import combined, counted, looked_up
from cra_engine.errors import DataError, ReleaseError, StudyError
from cra_engine.expected import SOURCE, expect
from cra_engine.files.csv_text import restored
from cra_engine.files.row_order import release_text
from cra_engine.files.tables import column_of, no_column, read_table
from cra_engine.files.whole import write_whole
from cra_engine.results import Frozen, Json, Result, plain
from cra_engine.study.coding_model import GsFactor, gs_factor_of
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import Lattice, State
from cra_engine.study.ledger import EarlierRelease
from cra_engine.study.regions import Regions, regions_of
from cra_engine.study.study import Study
from cra_engine.study.tree import Node
from cra_engine.words import how_many, rows_text

if TYPE_CHECKING:
    from cra_engine.files.different_rows import CountedRows


class Owner(IntEnum):
    """Who has a record or a cell of a release where it is no class: a class is given by its index, 0 or more."""

    SUPPRESSED = -1  # the suppressed records
    UNDECIDED = -2  # a cell that classes of tied states may each own
    RAW = -3  # a record that shows a raw value


MAX_COUNTED = 1 << 20  # more combinations of labels than this are sorted, not counted


@dataclass(frozen=True)
class ReleasedClass:
    """An equivalence class as a release shows it: its segment and how many records share it."""

    segment: Segment
    size: int


@dataclass(frozen=True)
class FullDomainRelease:
    """A full-domain release, read from the published table: one state, its boxes, what is suppressed.

    Attributes:
        study: the hierarchies and k that the publisher states; the profile plays no part.
        state: the state of every published box.
        classes: the published boxes with their records.
        suppressed: number of suppressed records.
    """

    study: Study
    state: State
    classes: tuple[tuple[Segment, int], ...]
    suppressed: int

    @property
    def records(self) -> int:
        """Number of records of a full-domain release, suppressed ones included."""
        return sum(records for _, records in self.classes) + self.suppressed


@dataclass(frozen=True, eq=False)
class LabelGroups:
    """A release's rows by groups that show the same labels, so that not every row has to be read.

    Attributes:
        columns: per attribute the labels of its hierarchy that are shown, and per group of rows the place of its label
            among them; groups may show the same as others.
        sizes: rows per group.
        spread: gives, of what is so per group, what is so per row.
    """

    columns: Sequence[tuple[Sequence[str], NDArray[Any]]]
    sizes: NDArray[np.int64]
    spread: Callable[[NDArray[np.int32]], NDArray[np.int32]]


class Release(Frozen, Result):
    """A published table, read the way an attacker reads it (paper, section 4.1).

    Args:
        study: the hierarchies, k and profile that the publisher states.
        table: the published table: quasi-identifiers as interval labels, the root and suppressed records as ``*``.
        guessed: True when the hierarchies are guesses, so that the loss of a state is not known.
        groups: what the publisher knows of groups of rows; None to read every row.
        counted: where ``table`` holds each different row once, how many records show it.
        gs_factor: how ARX weighed suppression against generalization, 0 to 1; the study's where it is left out. With 0,
            as in local transformation unless somebody changed it, the loss of a state does not depend on what it leaves
            unpublished.

    Attributes:
        counted: as given; None where each row of ``table`` is a record, and stands where it was published.
        grid: the segment grid of the hierarchies.
        lattice: the generalization lattice; how much of its order of formation is certain, the attack works out.
        guessed: as given.
        gs_factor: as given, as an exact number.
        classes: the equivalence classes in the attacker's order: ascending (loss, c1, c2), then state, then rank.
        suppressed: number of suppressed records.
        raw_records: records published with a raw value in some quasi-identifier (ARX's layer 0).
        raw_classes: what they form: classes below the grid's cells, layer 0 with the rank of the leaf where a value is
            raw. They are in no ``classes``; an attack counts their records in where they can lie.
        class_of_row: per row of the table, the index of its class; or ``Owner.SUPPRESSED``, ``Owner.RAW``.
        warnings: sentences on what makes the attack weaker than it could be.

    Raises:
        ReleaseError: a label is no node of its hierarchy, a column is missing, a class is smaller than k.
        StudyError: the g/s factor is none, or the table is said to be a safe release, which knows none.
        TooLargeError: the grid or the lattice is larger than the engine admits.
    """

    COME_BY: ClassVar = "a file is read with read_release(path, study), a table with Release(study, table)"

    study: Study
    table: pd.DataFrame
    guessed: bool
    gs_factor: Decimal
    counted: "CountedRows | None"
    grid: Grid
    lattice: Lattice
    suppressed: int
    raw_records: int
    raw_classes: tuple[ReleasedClass, ...]
    class_of_row: NDArray[np.int32]
    _formed: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]

    def __init__(
        self,
        study: Study,
        table: pd.DataFrame,
        *,
        guessed: bool = False,
        gs_factor: GsFactor | None = None,
        groups: LabelGroups | None = None,
        counted: "CountedRows | None" = None,
    ) -> None:
        expect(study, Study, "Release(study)")
        expect(table, pd.DataFrame, "Release(table)")
        factor = study.quality.gs_factor if gs_factor is None else gs_factor_of(gs_factor)
        if study.safe and factor:
            raise StudyError("A g/s factor is given, but safe recoding knows none; leave it out.")
        if not len(table):
            raise ReleaseError("The release holds no record.")
        vars(self).update(
            study=study,
            table=table.reset_index(drop=True),  # an index may hold the raw values of a column, and is not published
            guessed=guessed,
            gs_factor=factor,
            counted=counted,
            grid=Grid(study.attributes),
            lattice=study.lattice,
        )
        if groups is None:
            named = [_nodes(table, attribute, self._place) for attribute in study.attributes]
        else:
            named = [
                _named(attribute, labels, codes, self._place)
                for attribute, (labels, codes) in zip(study.attributes, groups.columns, strict=True)
            ]
        codes, nodes = zip(*named, strict=True)
        of_group = self._read(codes, nodes, self.weights if groups is None else groups.sizes)
        vars(self)["class_of_row"] = of_group if groups is None else groups.spread(of_group)
        self._check()

    def _read(
        self, codes: Sequence[NDArray[Any]], nodes: Sequence[Sequence[Node]], weights: NDArray[np.int64] | None
    ) -> NDArray[np.int32]:
        """Find the classes; per row, or per group of rows with these weights, the index of its class or an owner."""
        shape = tuple(len(options) for options in nodes)
        numbers = combined(codes, shape)
        present, sizes = _grouped(numbers, math.prod(shape), weights)
        picked = np.unravel_index(present, shape)
        states, ranks = (
            np.stack([np.array([kind(n) for n in own])[pick] for own, pick in zip(nodes, picked, strict=True)], axis=1)
            for kind in (_LAYER, _RANK)
        )
        raw = (states == 0).any(axis=1)
        last = (states == self.lattice.top).all(axis=1)
        formed = np.flatnonzero(~raw & ~last)
        turns = self.lattice.places[tuple((states[formed] - 1).T)]
        order = formed[np.lexsort((*ranks[formed].T[::-1], turns))]
        raw_classes = _released(states[raw], ranks[raw], sizes[raw])
        vars(self).update(
            _formed=(states[order], ranks[order], sizes[order]),
            suppressed=int(sizes[last].sum()),
            raw_classes=raw_classes,
            raw_records=int(sizes[raw].sum()),
        )
        place = np.full(len(present), Owner.SUPPRESSED, dtype=np.int32)
        place[order] = np.arange(len(order))
        place[raw] = Owner.RAW
        return _per_row(numbers, math.prod(shape), present, place)

    def _check(self) -> None:
        """Whatever is no release of this study.

        Raises:
            ReleaseError: it is none.
        """
        if self.raw_records == self.records:
            column = self.study.names[self.raw_classes[0].segment.state.index(0)]
            raise ReleaseError(
                f"Every record shows raw values ({column!r} among them), no record "
                "intervals only; this is a raw table, or ARX ran with minimum level 0: publish with minimum level 1."
            )
        small = np.flatnonzero(self._formed[2] < self.k)
        if len(small):
            released = self.classes[small[0]]
            place = self._place(int(np.flatnonzero(self.class_of_row == small[0])[0]))
            raise ReleaseError(
                f"The class {self.grid.describe(released.segment)} of {place}, has "
                f"{how_many(released.size, 'record')}, fewer than k = {self.k}; "
                "this is not a release with that k, or not of this study."
            )
        if self.study.safe:
            self._refuse_unsafe()

    @cached_property
    def raw_cells(self) -> NDArray[np.bool_]:
        """The cells that records of ``raw_classes`` may lie in, as an array over the grid.

        Raises:
            TooLargeError: the grid has too many cells for one.
        """
        self.grid.check_whole()
        result = np.zeros(self.grid.shape, dtype=bool)
        for released in self.raw_classes:
            result[self.grid.slices(touched_segment(released.segment))] = True
        return result

    @cached_property
    def classes(self) -> tuple[ReleasedClass, ...]:
        """See the class; named only when somebody asks, since a large table has thousands."""
        return _released(*self._formed)

    def _refuse_unsafe(self) -> None:
        """Whatever safe recoding does not publish.

        Raises:
            ReleaseError: there is something of that kind.
        """
        if self.raw_records:
            raise ReleaseError(
                f"{self.raw_records:,} records show raw values, which safe recoding never publishes; "
                "take the study by which this release was made."
            )
        straying = self.regions.straying
        if straying is not None:
            raise ReleaseError(
                f"The class {self.grid.describe(straying)} stands on no rung of the ladder, so this is no safe release "
                "of this study; take the study by which it was made, with its own profile."
            )
        if self.regions.torn:
            raise ReleaseError(
                f"This was not drawn inside the releases that its study names as earlier ones: {self.regions.torn}; "
                "take the study by which it was made."
            )
        if self.study.floor and not self.study.earlier and self.suppressed < self.k:
            raise ReleaseError(
                f"{how_many(self.suppressed, 'record')} of it suppressed, fewer than k = {self.k}, which safe recoding "
                "with a floor never leaves; take the study by which this release was made."
            )

    @property
    def entry(self) -> EarlierRelease:
        """What the ledger of a later release says of a safe one.

        Raises:
            StudyError: the study is not one of safe recoding.
        """
        if self.study.epsilon is None:
            raise StudyError("Only safe releases stand in a ledger, and this was not published by safe recoding.")
        classes = tuple(sorted((released.segment, released.size) for released in self.classes))
        return EarlierRelease(self.k, self.study.epsilon, self.study.floor, classes, self.suppressed)

    @cached_property
    def regions(self) -> Regions:
        """The regions of a safe release.

        Raises:
            StudyError: the study is not one of safe recoding.
        """
        classes = tuple((released.segment, released.size) for released in self.classes)
        return regions_of(self.study, self.grid, classes, self.suppressed)

    def summary(self) -> dict[str, object]:
        """Records, k, classes, suppressed."""
        classes = len(self._formed[2])
        return {"records": self.records, "k": self.k, "classes": classes, "suppressed": self.suppressed}

    def to_frame(self) -> pd.DataFrame:
        """The classes in the attacker's order, a row each, suppressed records last: box and number of records."""
        rows = [(self.grid.describe(formed.segment), formed.size) for formed in self.classes]
        if self.suppressed:
            rows.append(("suppressed", self.suppressed))
        return pd.DataFrame(rows, columns=["box", "size"])

    def to_dict(self) -> Json:
        """As plain data: the classes, and how many records are suppressed."""
        classes = [{"state": c.segment.state, "box": self.grid.box(c.segment), "size": c.size} for c in self.classes]
        told = {"records": self.records, "k": self.k, "classes": classes, "suppressed": self.suppressed}
        return plain(told | {"warnings": self.warnings})

    @property
    def warnings(self) -> tuple[str, ...]:
        """See the class."""
        if not self.raw_records:
            return ()
        text = (
            f"{self.raw_records:,} record{' shows' if self.raw_records == 1 else 's show'} raw values: "
            "ARX ran with minimum level 0. These records are not attacked but counted in where they can lie; "
            "ask for minimum level 1, which hides raw values."
        )
        return (text,)

    @property
    def k(self) -> int:
        """Smallest number of records that may share a class."""
        return self.study.k

    @property
    def attributes(self) -> tuple[Hierarchy, ...]:
        """The quasi-identifiers with their hierarchies."""
        return self.study.attributes

    @property
    def records(self) -> int:
        """Number of published records, suppressed ones included."""
        return int(self._formed[2].sum()) + self.suppressed + self.raw_records

    @property
    def weights(self) -> NDArray[np.int64] | None:
        """How many records each row of the table stands for; None where each is one."""
        return None if self.counted is None else self.counted.records

    def _place(self, row: int) -> str:
        return rows_text([row + 1]) if self.counted is None else self.counted.place(row)

    def refuse_counted(self) -> None:
        """Refuse what needs every row in its place.

        Raises:
            ReleaseError: the table holds each different row once.
        """
        if self.counted is not None:
            raise ReleaseError("The rows of this release were counted; what asks for each by itself reads it whole.")

    def rows_of(self, index: int) -> NDArray[np.int64]:
        """The rows (from 0) of a class, or of the suppressed records for ``Owner.SUPPRESSED``."""
        return np.flatnonzero(self.class_of_row == index)

    def to_csv_text(self, *, keep_order: bool = False, seed: int | None = None) -> str:
        """Returns the published table as CSV text, its rows in a random order; see :func:`release_text`.

        Args:
            keep_order: True to leave the rows in the raw table's order, which tells of a sorted table what was
                generalized.
            seed: of the order, for teaching; None for the randomness of the system.
        """
        self.refuse_counted()
        return release_text(self.table, keep_order=keep_order, seed=seed)

    def to_csv(self, path: str | os.PathLike[str], *, keep_order: bool = False, seed: int | None = None) -> None:
        """Writes the published table to ``path`` as CSV, its rows in a random order: all of it, or nothing.

        Args:
            path: of the file.
            keep_order: as for :meth:`to_csv_text`.
            seed: as for :meth:`to_csv_text`.

        Raises:
            DataError: the file cannot be written.
        """
        write_whole((Path(path), self.to_csv_text(keep_order=keep_order, seed=seed)))


_LAYER, _RANK = attrgetter("layer"), attrgetter("rank")


def _released(
    states: NDArray[np.int64], ranks: NDArray[np.int64], sizes: NDArray[np.int64]
) -> tuple[ReleasedClass, ...]:
    """Classes by name, from their states and ranks (classes x attributes) and their records."""
    boxes = zip(map(tuple, states.tolist()), map(tuple, ranks.tolist()), sizes.tolist(), strict=True)
    return tuple(ReleasedClass(Segment(state, own), size) for state, own, size in boxes)


def _nodes(
    table: pd.DataFrame, attribute: Hierarchy, place: Callable[[int], str]
) -> tuple[NDArray[Any], Sequence[Node]]:
    try:
        column = column_of(table, attribute.name)
    except DataError as error:
        raise _other_columns(error) from None
    codes, labels = _labels(column)
    return _named(attribute, labels, codes, place)


def _other_columns(error: DataError) -> ReleaseError:
    return ReleaseError(f"This is not a release of this study: {error}")


def _named(
    attribute: Hierarchy, labels: Sequence[Any], codes: NDArray[Any], stands: Callable[[int], str]
) -> tuple[NDArray[Any], Sequence[Node]]:
    """Per row the place of its node among the nodes that the labels name, and these."""
    known: dict[Node, int] = {}
    nodes: list[int] = []
    for code, label in enumerate(labels):
        node = (attribute.parse(label) or _raw_node(attribute, label)) if isinstance(label, str) else None
        if node is None:
            place = stands(int(np.flatnonzero(codes == code)[0]))
            leaf = attribute.node(1, 0).label
            raise ReleaseError(
                f"Column {attribute.name!r}, {place}: {str(label)[:60]!r} is no interval of this study's hierarchy "
                f"(its finest are like {leaf!r}); take the study that belongs to this release."
            )
        nodes.append(known.setdefault(node, len(known)))  # several labels may name one node
    if len(known) < len(nodes):
        codes = np.array(nodes, dtype=np.int64)[codes]
    return codes, list(known)


def _labels(column: "pd.Series[Any]") -> tuple[NDArray[Any], Sequence[Any]]:
    """A column's labels, each once, and per row the place of its label among them."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
        if not len(codes) or codes.min() >= 0:
            used = np.flatnonzero(counted(codes, len(column.cat.categories)))
            if len(used) == len(column.cat.categories):
                return codes, column.cat.categories.to_list()
    codes, labels = pd.factorize(column, use_na_sentinel=False)
    return codes, list(labels)


def _grouped(
    numbers: NDArray[Any], size: int, weights: NDArray[np.int64] | None
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The numbers below ``size`` that occur, and how often each does, or the sum of their weights."""
    if weights is not None:
        present, place = np.unique(numbers, return_inverse=True)
        return present, np.bincount(place.reshape(-1), weights).astype(np.int64)
    if size > MAX_COUNTED:
        return np.unique(numbers, return_counts=True)
    counts = counted(numbers, size)
    present = np.flatnonzero(counts)
    return present, counts[present]


def _per_row(numbers: NDArray[Any], size: int, present: NDArray[Any], given: NDArray[np.int32]) -> NDArray[np.int32]:
    """Per row what is given for its number."""
    if size > MAX_COUNTED:
        return looked_up(given, np.searchsorted(present, numbers))
    by_number = np.zeros(size, dtype=given.dtype)
    by_number[present] = given
    return looked_up(by_number, numbers)


def _raw_node(attribute: Hierarchy, label: str) -> Node | None:
    """A raw value as a node of layer 0 below its leaf; None where the label is no value of the domain."""
    leaf = attribute.reader.leaf_of(label)
    if leaf is None:
        return None
    at = attribute.node(1, leaf)
    return Node(0, leaf, at.start, at.stop, at.lower, at.upper, 1, label, category=True)


def touched_segment(segment: Segment) -> Segment:
    """Return the segment of a release's grid that one with raw values lies in: each raw value counts as its leaf."""
    return Segment(tuple(max(layer, 1) for layer in segment.state), segment.ranks)


def hidden(release: Release, released: ReleasedClass) -> int:
    """Return how many combinations of a cell's values there are to each that a released class can have."""
    raw = zip(release.attributes, released.segment.state, released.segment.ranks, strict=True)
    return math.prod(attribute.leaf_values[rank] for attribute, layer, rank in raw if layer == 0)


def read_release(path: str | os.PathLike[str] | bytes, study: Study, name: str = "") -> Release:
    r"""Read a release from CSV: ``,`` ``;`` or tab, quoted or not, with or without BOM.

    Args:
        path: the file's path, or its bytes.
        study: the study that the publisher states.
        name: the file's name for messages, where ``path`` is bytes.

    Raises:
        DataError: the file is no table.
        ReleaseError: the table is no release of this study.

    >>> from cra_engine import Attribute, Study
    >>> study = Study([Attribute("age", 0, 80, layers=3)], k=2)
    >>> read_release(b"age\n[0, 40[\n[0, 40[\n*\n", study)
    Release(records=3, k=2, classes=1, suppressed=1)
    """
    expect(path, SOURCE, "read_release(path)")
    expect(study, Study, "read_release(study)")
    return Release(study, read_release_table(path, name))


def count_release(path: Path, study: Study) -> tuple[Release, tuple[str, ...]]:
    """Read a release from a CSV file, a Parquet file or a folder of either as its different rows, each counted.

    Attacks need no more of it. The memory grows with the different rows of what the study names: quasi-identifiers and
    sensitive columns. Who counts is for the caller to say; see :mod:`cra_engine.files.counted_rows`.

    Args:
        path: of the table.
        study: the study that the publisher states.

    Returns:
        The release, and sentences on what of the table was not read or was guessed.

    Raises:
        DataError: it is no table.
        ReleaseError: the table is no release of this study.
    """
    from cra_engine.files.counted_rows import count_rows  # noqa: PLC0415 - Arrow is an optional extra
    from cra_engine.files.stored import open_table  # noqa: PLC0415

    table = open_table(path)
    for name in study.names:
        if name not in table.columns:
            raise _other_columns(no_column(name, table.columns))
    models = (name for model in study.privacy for name in model.columns)
    counted = count_rows(table, {*study.names, *models, *study.roles.sensitive})
    return Release(study, restored(counted.frame), counted=counted), table.notes


def read_release_table(source: str | os.PathLike[str] | bytes, name: str = "") -> pd.DataFrame:
    """Read a released table as :func:`read_table` does, the apostrophes before formulas taken off again.

    Raises:
        DataError: the file is no table.
    """
    return restored(read_table(source, name))
