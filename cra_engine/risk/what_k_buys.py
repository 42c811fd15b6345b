"""Says what a larger k buys under the rules for sensitive cells: the paper's Table 2 for one's own table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cra_engine.choices import ClusterMethod
from cra_engine.criteria.cells import CellRule
from cra_engine.criteria.concentration import USUAL
from cra_engine.patience import checkpoint
from cra_engine.publish.microaggregation.microaggregate import (
    NotCompliantError,
    complying,
    formed_clusters,
    refuse_hopeless,
    squared_error,
)
from cra_engine.raw.exact_columns import ExactColumns
from cra_engine.risk.sensitive_cells import sensitive_cells


@dataclass(frozen=True)
class Bought:
    """The risk that is left, and the loss, with one k of microaggregation.

    Attributes:
        k: the smallest size of a cluster.
        clusters: how many there are.
        cells: clusters times columns.
        sensitive: how many cells each rule calls sensitive, in the order of the rules.
        undefined: how many cells hold a negative contribution, of which no rule says anything.
        loss: squared error within clusters over that of one cluster of all.
        clusters_complying: how many are left once they were merged until no cell is sensitive; None where none comply.
        loss_complying: their loss; None where none comply.
    """

    k: int
    clusters: int
    cells: int
    sensitive: tuple[int, ...]
    undefined: int
    loss: float
    clusters_complying: int | None
    loss_complying: float | None


def what_k_buys(
    columns: ExactColumns,
    ks: Iterable[int],
    rules: Sequence[CellRule] = USUAL,
    *,
    method: ClusterMethod = "mdav",
    standardize: bool = False,
) -> tuple[Bought, ...]:
    """Count with several k of microaggregation the cells at risk (Torra and Navarro-Arribas 2023, Table 2).

    Args:
        columns: the columns, exact.
        ks: values of k, each 2 to the number of records.
        rules: whose sensitive cells to count.
        method: ``"mdav"`` or ``"mondrian"``.
        standardize: as for :func:`cra_engine.microaggregate`.

    Raises:
        DataError: a k does not fit.

    >>> from cra_engine.raw.exact_columns import exact_columns
    >>> import pandas as pd
    >>> columns = exact_columns(pd.DataFrame({"income": [10, 12, 11, 30, 70, 75, 72, 31]}))
    >>> [(one.k, one.cells, one.sensitive) for one in what_k_buys(columns, [2, 3, 4])]
    [(2, 4, (4, 4)), (3, 2, (2, 0)), (4, 2, (1, 0))]
    """
    possible = True
    try:
        refuse_hopeless(columns, rules)
    except NotCompliantError:
        possible = False
    bought = []
    for k in ks:
        checkpoint()
        clusters = formed_clusters(columns, k, method, standardize=standardize)
        cells = sensitive_cells(clusters, columns, rules)
        better = complying(columns, clusters, rules, standardize=standardize) if possible else None
        bought.append(
            Bought(
                k,
                len(clusters),
                cells.cells,
                tuple(len(one.sensitive) for one in cells.findings),
                cells.undefined,
                squared_error(columns, clusters),
                None if better is None else len(better),
                None if better is None else squared_error(columns, better),
            )
        )
    return tuple(bought)
