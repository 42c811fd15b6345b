"""Compound singling out: many predicates at once, each of small weight, each true of one record (Cohen 2022, 5.2)."""

from dataclasses import dataclass
from fractions import Fraction
from math import log10

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from cra_engine.attacks.downcoding.attack import Downcoding
from cra_engine.errors import DataError
from cra_engine.expected import expect
from cra_engine.raw.matched_rows import matched_rows, no_assignment
from cra_engine.raw.placement import locate
from cra_engine.results import Json, Result, plain
from cra_engine.study.boxes import Leaves, Nodes, Space, classes_of, labelled
from cra_engine.words import how_many


@dataclass(frozen=True, eq=False, repr=False)
class CompoundPredicates(Result):
    """The risk of a downcoding's predicates: how rarely they are true, and of how many records.

    Attributes:
        predicates: per predicate the labels that a record must lie in.
        weights: per predicate the chance that it is true of a record whose values are drawn independently and evenly
            from the domains. What people are really like is not known here; a predicate's weight for them can be more.
        disjoint: whether no record can satisfy two of them.
        isolating: how many are true of exactly one record of the data; None without data.
        generalizes: whether the refined table still generalizes the data, the rows of a class in some order; None
            without data.
        records: rows of the release.
    """

    predicates: list[list[str]]
    weights: tuple[Fraction, ...]
    disjoint: bool
    isolating: int | None
    generalizes: bool | None
    records: int

    def summary(self) -> dict[str, object]:
        """Returns how many predicates there are, and what the data say of them."""
        said = {"isolating": self.isolating, "generalizes": self.generalizes}
        return {"predicates": len(self.predicates), "disjoint": self.disjoint, **said}

    def to_frame(self) -> pd.DataFrame:
        """A row per predicate: its labels, and the decimal logarithm of its weight."""
        labels = [", ".join(labels) for labels in self.predicates]
        return pd.DataFrame({"predicate": labels, "log10_weight": self.log10_weights})

    def to_dict(self) -> Json:
        """As plain data; ``generalizes`` and ``isolating`` where the data are known."""
        told = {"predicates": self.predicates, "log10_weights": self.log10_weights, "disjoint": self.disjoint}
        if self.isolating is not None:
            told |= {"generalizes": self.generalizes, "isolating": self.isolating}
        return plain(told)

    @cached_property
    def log10_weights(self) -> list[float]:
        """The weights' decimal logarithms."""
        return [log10(w.numerator) - log10(w.denominator) for w in self.weights]

    @cached_property
    def baselines(self) -> list[float]:
        """Per predicate the chance that one of its weight, chosen without the release, isolates a record.

        ``n w (1 - w)^(n - 1)``: about ``n w`` for small weights, and never above about 37 %.
        """
        found = []
        for weight in self.weights:
            share = float(weight)
            found.append(self.records * share * (1 - share) ** (self.records - 1))
        return found


def compound_predicates(downcoding: Downcoding, data: pd.DataFrame | None = None) -> CompoundPredicates:
    """Return the risk that the predicates of a downcoding amount to (Cohen 2022, Definition 5.2).

    Args:
        downcoding: the attack's result.
        data: the raw table, its rows in the release's order; None for the attacker's own view.

    Raises:
        DataError: the data are not those of the release.

    >>> from cra_engine import Attribute, Study, downcode
    >>> steps = [("0", "0", "0-1", "*"), ("1", "1", "0-1", "*"), ("2", "2", "2", "*")]
    >>> study = Study([Attribute.from_hierarchy(name, steps) for name in "ab"], k=2)
    >>> found = downcode(pd.DataFrame([("*", "0-1")] * 2, columns=["a", "b"]), study)
    >>> truth = pd.DataFrame([("2", "0"), ("1", "1")], columns=["a", "b"])
    >>> compound = compound_predicates(found, truth)
    >>> compound.isolating, compound.generalizes, [str(weight) for weight in compound.weights]
    (2, True, ['2/9', '1/9'])
    """
    expect(downcoding, Downcoding, "compound_predicates(downcoding)")
    if data is not None:
        expect(data, pd.DataFrame, "compound_predicates(data)")
    space = downcoding.space
    predicates = downcoding.boxes[list(downcoding.predicate_rows)]
    isolating = generalizes = None
    if data is not None:
        leaves = _leaves(downcoding, data)
        isolating = isolated(space, predicates, leaves)
        generalizes = still_generalizes(space, downcoding.published, downcoding.boxes, leaves)
    return CompoundPredicates(
        downcoding.predicates,
        _weights(downcoding, predicates),
        disjoint(space, predicates),
        isolating,
        generalizes,
        len(downcoding.boxes),
    )


def isolated(space: Space, predicates: Nodes, leaves: Leaves) -> int:
    """Count a downcoding's predicates that are true of exactly one record."""
    return sum(int(space.holds(box, leaves).sum()) == 1 for box in predicates)


def still_generalizes(space: Space, published: Nodes, refined: Nodes, leaves: Leaves) -> bool:
    """Return whether each published class's records fit into the refined boxes, one into each."""
    for rows in classes_of(published):
        if (refined[rows] == published[rows]).all():
            continue
        fits = csr_array(space.holds(refined[rows][None, :], leaves[rows][:, None]))
        if (maximum_bipartite_matching(fits) < 0).any():
            return False
    return True


def disjoint(space: Space, predicates: Nodes) -> bool:
    """Return whether no record satisfies two of a downcoding's predicates."""
    start, stop = space.start(predicates), space.stop(predicates)
    for place in range(len(predicates) - 1):
        meet = (start[place] < stop[place + 1 :]) & (start[place + 1 :] < stop[place])
        if meet.all(axis=1).any():
            return False
    return True


def _weights(downcoding: Downcoding, predicates: Nodes) -> tuple[Fraction, ...]:
    shares: list[dict[int, Fraction]] = []
    for place, attribute in enumerate(downcoding.study.attributes):
        tree = downcoding.space.tree(place)
        values = {(n.start, n.stop): Fraction(n.values, attribute.values) for ns in attribute.layer_nodes for n in ns}
        runs = zip(tree.start.tolist(), tree.stop.tolist(), strict=True)
        shares.append({node: values[run] for node, run in enumerate(runs)})
    weights = []
    for box in predicates.tolist():
        weight = Fraction(1)
        for place, node in enumerate(box):
            weight *= shares[place][node]
        weights.append(weight)
    return tuple(weights)


def _leaves(downcoding: Downcoding, data: pd.DataFrame) -> NDArray[np.int64]:
    located = locate(data, downcoding.study)
    data = located.data
    if len(data) != len(downcoding.boxes):
        raise DataError(
            f"The raw table has {how_many(len(data), 'row')} and the release {how_many(len(downcoding.boxes), 'row')}; "
            "they must be the same records."
        )
    leaves = located.leaves.astype(np.int64)
    if downcoding.space.holds(downcoding.published, leaves).all():
        return leaves
    published = labelled(downcoding.frame, downcoding.study, downcoding.space, downcoding.published)
    order = matched_rows(data, published, downcoding.study)  # its rows stand in an order of their own
    if order is None:
        raise no_assignment()
    return leaves[order]
