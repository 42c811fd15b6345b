"""Global recoding by the loss of local recoding, so that both can be compared: the state with the least mean loss.

Raw values are never shown: the finest that a state publishes is the study's layer 1, as in local recoding.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor

import numpy as np
import pandas as pd

from cra_engine.criteria.k_anonymity import KAnonymity
from cra_engine.criteria.models import Criterion
from cra_engine.criteria.parameters import share
from cra_engine.errors import DataError
from cra_engine.files.different_rows import Table
from cra_engine.publish.full_domain.classes import State
from cra_engine.publish.full_domain.recoding import FullDomain
from cra_engine.publish.full_domain.search import Searcher
from cra_engine.release import FullDomainRelease
from cra_engine.study.grid import Segment
from cra_engine.study.lattice import Lattice
from cra_engine.study.study import Study
from cra_engine.utility.loss import MeanLoss


@dataclass(frozen=True)
class LeastLoss:
    """The global recoding of a table that loses least.

    Attributes:
        study: hierarchies and k; the profile plays no part.
        limit: the largest share of all records that may be suppressed.
        records: number of records.
        feasible: the states at which no more than that has to be suppressed, each with its number of suppressed
            records, in the lattice's order.
        state: the one whose table loses least, suppressed records counted as losing all; the first of exact equals.
        classes: its boxes that pass, with their records.
        suppressed: number of records in its other boxes.
        loss: of the published table.
    """

    study: Study
    limit: Fraction
    records: int
    feasible: tuple[tuple[State, int], ...]
    state: State
    classes: tuple[tuple[Segment, int], ...]
    suppressed: int
    loss: MeanLoss

    @property
    def release(self) -> FullDomainRelease:
        """Returns what is published and nothing more."""
        return FullDomainRelease(self.study, self.state, self.classes, self.suppressed)


class LeastLossSearch:
    """The search of global recoding for the state of least loss; serves any k and any limit.

    Args:
        data: the raw table, or its different rows, counted.
        study: the hierarchies; k is given later.
        criteria: what classes must pass besides k-anonymity.

    Attributes:
        records: number of records to publish.
        alone: number of records that are alone in their cell.

    Raises:
        StudyError: the criteria do not fit the study.
        DataError: the table does not fit the study or the criteria.
        TooLargeError: the lattice is larger than the engine admits.
    """

    def __init__(self, data: Table, study: Study, criteria: Sequence[Criterion] = ()) -> None:
        self.study = study
        self.lattice = Lattice(study.attributes)
        self._criteria = tuple(criteria)
        self._whole = FullDomain(data, study, criteria, lowest=1)
        self.records = self._whole.table.records
        self.alone = int((self._whole.table.counts == 1).sum())

    def recode(self, k: int, limit: float | Decimal | Fraction = 0) -> LeastLoss:
        """The best state for a k, with at most a share of all records suppressed.

        Raises:
            StudyError: k or the limit is unusable.
            DataError: k exceeds the number of records, or no state is anonymous.
        """
        part = share(limit, "The suppression limit")
        study = self.study.with_k(k)
        if k > self.records:
            raise DataError(
                f"k = {k} is more than the {self.records} records of the table; take a smaller k, or wait for more "
                "records."
            )
        allowed = floor(part * self.records)
        searcher = self._whole.searcher([KAnonymity(k), *self._criteria], allowed, entropies=False)
        looks = searcher.exhaustive()
        feasible = tuple(
            (state, int(looks.suppressed[_place(state)]))
            for state in self.lattice.states
            if looks.anonymous[_place(state)]
        )
        if not feasible:
            raise self._whole.nothing([KAnonymity(k), *self._criteria], allowed)
        state, suppressed = min(feasible, key=lambda candidate: self._loss(searcher, *candidate))  # the first of equals
        classes = self._classes(searcher, state)
        loss = MeanLoss.of(study.attributes, classes, suppressed)
        return LeastLoss(study, part, self.records, feasible, state, classes, suppressed, loss)

    def _loss(self, searcher: Searcher, state: State, suppressed: int) -> MeanLoss:
        if not self.lattice.uniform:
            return MeanLoss.of(self.lattice.attributes, self._classes(searcher, state), suppressed)
        # All boxes of a state lose the same: no need to look at them.
        kept = self.records - suppressed
        any_box = Segment(state, (0,) * len(state))
        return MeanLoss.of(self.lattice.attributes, [(any_box, kept)] if kept else [], suppressed)

    def _classes(self, searcher: Searcher, state: State) -> tuple[tuple[Segment, int], ...]:
        """The boxes of a state that pass, in the order of the boxes."""
        classes, passes = searcher.passing(_place(state))
        rows = classes.row[passes]
        ranks = np.stack(
            [of_layer[rows] for of_layer in self._whole.table.of_state(_place(state))], axis=1, dtype=np.int64
        )
        return tuple(
            (Segment(state, tuple(row)), size)
            for row, size in zip(ranks.tolist(), classes.sizes[passes].tolist(), strict=True)
        )


def _place(state: State) -> State:
    return tuple(layer - 1 for layer in state)


def least_loss(
    data: pd.DataFrame,
    study: Study,
    limit: float | Decimal | Fraction = 0,
) -> LeastLoss:
    """Publish a table by global recoding, one state for all records, by the loss of local recoding.

    Among all states at which at most ``limit`` of the records lie in boxes that fail, the one is taken whose published
    table loses least, compared exactly; suppressed records count as losing all.

    Args:
        data: one row per person; the study's quasi-identifiers are columns.
        study: hierarchies and k.
        limit: largest share of all records that may be suppressed, 0 to 1.

    Raises:
        StudyError: the limit is unusable.
        DataError: the table does not fit the study, k exceeds the number of records, or no state is anonymous.
        TooLargeError: the lattice is larger than the engine admits.
    """
    return LeastLossSearch(data, study).recode(study.k, limit)
