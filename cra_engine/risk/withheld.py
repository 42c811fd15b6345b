"""How sure a match is where some people of the table are not in the release: r p q (Cohen 2022, section 6.3).

Whoever finds exactly one record that fits a person may be wrong: the person may be one of the r people whose records
were left out. As in the paper two things are supposed: that it was chance who was left out, and that the values of one
column do not hang on the others. Then a record left out fits with a chance of p q, p being the chance that somebody
fits in all other columns and q in that one, each bounded from what the release shows.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import betaincinv

from cra_engine.errors import DataError
from cra_engine.risk.effective_anonymity import effective_anonymity

CONFIDENCE = 0.995  # of each of the two bounds, as in the paper


def withheld_matches(
    table: pd.DataFrame,
    by: Sequence[str],
    apart: str,
    withheld: int,
    *,
    missing: str | Sequence[str] = (),
    confidence: float = CONFIDENCE,
) -> NDArray[np.float64]:
    """Return per record a bound on the risk that somebody who is left out fits it too: ``r p q``, 1 at most.

    Args:
        table: the published table.
        by: the columns that are compared, ``apart`` among them.
        apart: the column that does not hang on the others; the paper takes the number of certificates.
        withheld: how many people of the table are not in the release, r.
        missing: what stands for a missing cell, besides an empty one; it fits every value.
        confidence: of the upper bounds for p and for q (Clopper and Pearson, one-sided), each by itself.

    Raises:
        DataError: ``apart`` is not among the columns or the only one, nobody or fewer are withheld, no confidence
            between 0 and 1.

    >>> people = pd.DataFrame({"born": [1986] * 999 + [1990], "courses": [1] * 500 + [2] * 500})
    >>> found = withheld_matches(people, ["born", "courses"], "courses", 20)
    >>> round(float(found[-1]), 3), round(float(found[0]), 3)
    (0.08, 1.0)
    """
    others = [name for name in by if name != apart]
    if len(others) == len(by) or not others:
        raise DataError(
            f"The column {apart[:60]!r} has to be one of the columns that are compared, and not the only one."
        )
    if withheld < 1:
        raise DataError(f"{withheld} people are withheld; give their number, 1 or more.")
    if not 0 < confidence < 1:
        raise DataError(f"The confidence is {confidence}; give a number between 0 and 1.")
    bounds = []
    for names in (others, [apart]):
        fit = effective_anonymity(table, names, missing=missing).ea_amb
        rest = len(table) - fit
        bounds.append(np.where(rest > 0, betaincinv(fit + 1, np.maximum(rest, 1), confidence), 1.0))
    return np.asarray(np.minimum(withheld * bounds[0] * bounds[1], 1.0), dtype=np.float64)
