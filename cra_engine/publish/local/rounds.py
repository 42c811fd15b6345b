"""What local recoding leaves of the counts of the cells: the classes of each round, and whose records they took."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.errors import DataError
from cra_engine.publish.lost_columns import lost_columns
from cra_engine.raw.cells import CellCounts, Filled, OccupiedCells
from cra_engine.results import Json, Result, plain
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.lattice import Lattice, State
from cra_engine.study.study import Study
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.utility.class_sizes import aecs, discernibility
from cra_engine.utility.loss import MeanLoss
from cra_engine.utility.precision import precision
from cra_engine.words import digits


@dataclass(frozen=True)
class Candidate:
    """A state as one iteration of local recoding sees it.

    Attributes:
        state: its layers.
        loss: information loss (equation (2)).
        c1: sum of layers; c2: mean of layer / height (equation (3)).
        c3: third criterion on the remaining records, where it had to be computed to break a tie, else None.
        boxes: number of its boxes that hold at least k of the remaining records and pass the study's privacy models.
        records: remaining records inside those boxes.
        largest: remaining records in its fullest box.
        feasible: True when there is such a box and, under ``arx-gui``, these boxes hold the required share.
    """

    state: State
    loss: float
    c1: int
    c2: Fraction
    c3: Fraction | None
    boxes: int
    records: int
    largest: int
    feasible: bool


@dataclass(frozen=True)
class Iteration:
    """One round of local recoding (Algorithm 2): the state it chose and the classes it published.

    Attributes:
        index: counted from 1.
        state: the chosen state.
        loss: its information loss.
        tied: feasible states that tied exactly in (loss, c1, c2), the chosen one included, with their c3; empty if
            none, and with ``ties="arx"``, where c3 has no say.
        classes: the published segments with their sizes.
        before: records left when the round began; after: when it ended.
    """

    index: int
    state: State
    loss: float
    tied: tuple[Candidate, ...]
    classes: tuple[tuple[Segment, int], ...]
    before: int
    after: int


@dataclass(frozen=True, eq=False)
class Step:
    """A round of local recoding as it was run; :class:`Iteration` names its classes.

    Attributes:
        state: the chosen state.
        tied: the states that it was chosen from, as in an iteration.
        codes: per published box the code of its first cell.
        sizes: records per published box.
        before: records left when the round began.
    """

    state: State
    tied: tuple[Candidate, ...]
    codes: NDArray[np.int64]
    sizes: NDArray[np.int64]
    before: int

    @property
    def after(self) -> int:
        """Records left when the round ended."""
        return self.before - int(self.sizes.sum())


@dataclass(frozen=True)
class RecodedClass:
    """An equivalence class with the iteration of local recoding that formed it (which a release does not tell)."""

    segment: Segment
    size: int
    iteration: int


@dataclass(frozen=True, eq=False, repr=False)
class PublishedCells(Result):
    """The outcome of local recoding on the counts of the cells: what is published, and how it came about.

    Attributes:
        study: the study it was run with.
        lattice: the generalization lattice.
        cells: the cells that hold records.
        taken: per such cell the iteration that published its records; 0 where they are suppressed.
        steps: the rounds as they were run.
        iterations: the rounds, to step through.
        warnings: findings in the table that did not stop the recoding.
        left_out: the rows of the input, counted from 1 as in messages, that are left out for missing values.
    """

    study: Study
    lattice: Lattice
    cells: OccupiedCells
    taken: NDArray[np.int64]
    steps: tuple[Step, ...]
    warnings: tuple[str, ...]
    left_out: tuple[int, ...] = ()

    @property
    def base_fields(self) -> tuple[Study, Lattice, OccupiedCells, NDArray[np.int64], tuple[Step, ...], tuple[str, ...]]:
        """Its first fields, in their order: what an outcome on the same cells that has more to tell begins with."""
        return self.study, self.lattice, self.cells, self.taken, self.steps, self.warnings

    @property
    def grid(self) -> Grid:
        """The segment grid."""
        return self.cells.grid

    @cached_property
    def records(self) -> int:
        """Number of records."""
        return self.cells.records

    @cached_property
    def iterations(self) -> tuple[Iteration, ...]:
        """See the class; a large table has thousands of classes, which are named only when somebody asks."""
        iterations = []
        for index, step in enumerate(self.steps, start=1):
            ranks = self.grid.ranks_of(step.state, step.codes).tolist()
            boxes = zip(ranks, step.sizes.tolist(), strict=True)
            classes = tuple((Segment(step.state, tuple(own)), size) for own, size in boxes)
            loss = self.lattice.loss(step.state)
            iterations.append(Iteration(index, step.state, loss, step.tied, classes, step.before, step.after))
        return tuple(iterations)

    @cached_property
    def classes(self) -> tuple[RecodedClass, ...]:
        """The classes in the attacker's order, with the iteration that formed each."""
        formed = [RecodedClass(*published, step.index) for step in self.iterations for published in step.classes]
        return tuple(sorted(formed, key=lambda one: (self.lattice.order(one.segment.state), one.segment)))

    @property
    def suppressed(self) -> int:
        """Number of suppressed records."""
        return self.steps[-1].after if self.steps else self.records

    @property
    def study_told(self) -> Study:
        """The study as it goes with the release: it says how that was made, where epsilon does not."""
        return self.study.changed(recoding="" if self.study.safe else "local")

    def study_for_readers(self, published: pd.DataFrame | None = None) -> Study:
        """The study that readers of the release need: it names nothing that the release does not show.

        Args:
            published: the published table, whose sensitive values are shown; None for a table that nobody holds.
        """
        shown = {name: {ROOT_LABEL} for name in self.study.names}
        for formed in self.classes:
            for name, node in zip(self.study.names, self.grid.nodes(formed.segment), strict=True):
                shown[name].add(node.label)
        if published is not None:
            for column in published.columns:
                shown.setdefault(column, set()).update(published[column].astype(str).unique())
        return self.study_told.for_readers(shown)

    @cached_property
    def mean_loss(self) -> MeanLoss:
        """The mean loss of a record, from 0 to 1; a suppressed one loses 1."""
        parts = [(formed.segment, formed.size) for formed in self.classes]
        return MeanLoss.of(self.study.attributes, parts, self.suppressed)

    @property
    def loss(self) -> float:
        """The mean loss of a record, from 0 to 1; a suppressed one loses 1."""
        return self.mean_loss.value

    def summary(self) -> dict[str, object]:
        """Records, k, classes, suppressed."""
        return {
            "records": self.records,
            "k": self.study.k,
            "classes": len(self.classes),
            "suppressed": self.suppressed,
        }

    def to_frame(self) -> pd.DataFrame:
        """The classes as a table: state, box, size and the iteration that formed each."""
        return pd.DataFrame(
            {
                "state": [formed.segment.state for formed in self.classes],
                "box": [self.grid.describe(formed.segment) for formed in self.classes],
                "size": [formed.size for formed in self.classes],
                "iteration": [formed.iteration for formed in self.classes],
            }
        )

    def to_dict(self) -> Json:
        """As plain data: the classes, what is suppressed and left out, and the losses that every recoding reports."""
        sizes = [formed.size for formed in self.classes]
        heights = [attribute.layers for attribute in self.study.attributes]
        climbed = precision([(c.segment.state, c.size) for c in self.classes], heights, self.suppressed)
        return plain(
            {
                "records": self.records,
                "k": self.study.k,
                "classes": [
                    {"state": c.segment.state, "box": self.grid.box(c.segment), "size": c.size} for c in self.classes
                ],
                "suppressed": self.suppressed,
                "left_out": self.left_out,
                "loss": self.loss,
                "measures": {
                    "aecs": aecs(sizes, self.suppressed),
                    "discernibility": digits(discernibility(sizes, self.suppressed)),
                    "precision": climbed,
                },
                "warnings": self.warnings,
            }
        )

    def cell_counts(self, iteration: int) -> NDArray[np.int64]:
        """Records per cell that are left when an iteration begins, as an array over the grid.

        Args:
            iteration: counted from 1; one past the last leaves the suppressed records.

        Raises:
            TooLargeError: the grid has too many cells for an array over it.
        """
        self.grid.check_whole()
        counts = np.zeros(self.grid.size, dtype=np.int64)
        left = (self.taken == 0) | (self.taken >= iteration)
        counts[self.cells.codes[left]] = self.cells.counts[left]
        return counts.reshape(self.grid.shape)

    def published_labels(self) -> list[tuple[list[str], NDArray[np.signedinteger[Any]]]]:
        """Per attribute the labels that the release shows, and per occupied cell the index of its label there."""
        states = np.array([self.lattice.top, *(step.state for step in self.steps)])
        result: list[tuple[list[str], NDArray[np.signedinteger[Any]]]] = []
        for i, attribute in enumerate(self.study.attributes):
            labels = [node.label for layer in attribute.layer_nodes for node in layer]
            offsets = np.cumsum([0] + [len(layer) for layer in attribute.layer_nodes])
            layers = states[self.taken, i]
            ranks = np.stack(attribute.ranks)[layers - 1, self.cells.leaves[:, i]]
            used, position = np.unique(offsets[layers - 1] + ranks, return_inverse=True)
            shown = list(dict.fromkeys(labels[node] for node in used))  # a node may be labelled like its only child
            place = np.array([shown.index(labels[node]) for node in used])
            kind = np.min_scalar_type(-len(shown))  # signed, as pandas keeps the codes of categories
            result.append((shown, place[position].astype(kind)))
        return result


class Rounds:
    """Local recoding under way: what remains, who took what, and the rounds so far.

    Args:
        study: hierarchies and k.
        cells: all records, counted.

    Raises:
        DataError: k exceeds the number of records.
        TooLargeError: the lattice is larger than the engine admits.
    """

    def __init__(self, study: Study, cells: CellCounts) -> None:
        if study.k > cells.records:
            raise DataError(
                f"k = {study.k} is more than the {cells.records} records of the table; take a smaller k, or wait for "
                "more records."
            )
        self.study = study
        self.lattice = study.lattice
        self.cells = self.remaining = OccupiedCells.of(cells)
        self.taken = np.zeros(len(self.cells.counts), dtype=np.int64)
        self.steps: list[Step] = []

    @property
    def loss_warnings(self) -> tuple[str, ...]:
        """Sentences on the columns of which nothing is published."""
        return lost_columns(self.study.attributes, [step.state for step in self.steps])

    def publish(self, state: State, boxes: Filled, tied: tuple[Candidate, ...] = ()) -> None:
        """Publish these boxes of a state, as one more of the rounds.

        Args:
            state: its layers.
            boxes: what is published.
            tied: the states that it was chosen from.
        """
        self.steps.append(Step(state, tied, boxes.codes, boxes.sizes, self.remaining.records))
        self.taken[self.remaining.places[boxes.inside]] = len(self.steps)
        self.remaining = self.remaining.without(boxes.inside)
