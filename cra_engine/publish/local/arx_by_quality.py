"""The state that ARX takes under another quality model than the paper's loss, or where it weighs suppression."""

from collections.abc import Sequence

import numpy as np

from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.publish.flash import Flash, Place
from cra_engine.publish.local.arx_prices import Boxes, Prices, ValueCounts
from cra_engine.publish.local.arx_search import ArxSearch, Looked, Price
from cra_engine.publish.local.passing import Passing
from cra_engine.raw.cells import OccupiedCells, RawValues
from cra_engine.study.lattice import State
from cra_engine.study.step_rule import least_published, suppression_limit
from cra_engine.study.study import Study


class ArxByQuality:
    """ARX's choice of states in one run of local recoding, by the study's quality model.

    Args:
        study: the hierarchies, the quality model, and how much a step must publish.
        raw: the raw values.
        values: per attribute the number of different ones in the table.
        cells: all cells that hold records.
        passing: the test on boxes.
    """

    def __init__(
        self, study: Study, raw: RawValues, values: Sequence[int], cells: OccupiedCells, passing: Passing
    ) -> None:
        self._study, self._raw, self._passing, self._records = study, raw, passing, cells.records
        self._columns = raw.order
        self._attributes = [study.attributes[column] for column in self._columns]
        self._top = tuple(attribute.layers - 1 for attribute in self._attributes)
        distinct = [
            [len(np.unique(ranks[cells.leaves[:, column]])) / values[column] for ranks in attribute.ranks]
            for column, attribute in zip(self._columns, self._attributes, strict=True)
        ]
        heights = [attribute.layers for attribute in self._attributes]
        self._flash = Flash(heights, distinct, lowest=[attribute.finest for attribute in self._attributes])
        self._numbers = cells.numbers
        self._values: dict[int, ValueCounts] = {}

    def choose(self, cells: OccupiedCells) -> State | None:
        """The state that ARX publishes next; None where too few records are left or only the top would do.

        Args:
            cells: what is left.
        """
        if cells.records < self._passing.least:
            return None
        need = least_published(self._study.share, self._records, cells.records)
        some = suppression_limit(self._study.share, self._records, cells.records) > 0
        prices = Prices(self._study.quality, self._attributes, cells, self._columns, self._of_values)

        def look(place: Place) -> Looked:
            state = self._state(place)
            large = self._passing.large(cells, state)
            filled = self._passing.filled(cells, state, large)
            boxes = Boxes.of(cells, state, self._columns, filled)
            passes = boxes.kept >= need
            price: Price = prices.price(place, boxes) if passes else ()
            return Looked(passes, int(large.sizes.sum()) >= need, price, prices.bound(place, boxes, passes=passes))

        # Without any suppression allowed ARX takes all models and prices to carry over to coarser states.
        search = ArxSearch(
            self._flash,
            look,
            prices.early_bound,
            self._of_models if some else "full",
            of_prices=prices.monotone or not some,
        )
        best = search.run()
        return None if best is None or best == self._top else self._state(best)

    @property
    def _of_models(self) -> str:
        models = [model for model in self._study.privacy if not isinstance(model, AverageRisk)]
        if all(model.monotone for model in models):
            return "full"
        sized = self._study.k > 1 or any(isinstance(model, LDiversity) for model in models)
        return "partial" if sized else "none"

    def _of_values(self, position: int) -> ValueCounts:
        if position not in self._values:
            values, numbers, counts = self._raw.counted(self._columns[position])
            self._values[position] = values, np.searchsorted(self._numbers, numbers), counts
        return self._values[position]

    def _state(self, place: Place) -> State:
        layers = [0] * len(place)
        for column, layer in zip(self._columns, place, strict=True):
            layers[column] = layer + 1
        return tuple(layers)
