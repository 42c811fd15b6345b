"""The number of records that a step of ARX must publish, with the rounding of ARX."""

import math
from fractions import Fraction


def suppression_limit(share: Fraction | None, records: int, left: int) -> float:
    """Return the share of the remaining records that a study lets an ARX step leave unpublished.

    Args:
        share: of all records that a step must publish; None where a single class is enough.
        records: in the table.
        left: not published yet.
    """
    part = 1 / records if share is None else float(share)
    return 1.0 - (part if left == records else min(part * records / left, 1.0))


def least_published(share: Fraction | None, records: int, left: int) -> int:
    """Return how many records an ARX step must publish by the study: through floats at times one more.

    Args:
        share: of all records that a step must publish; None where a single class is enough.
        records: in the table.
        left: not published yet.
    """
    return left - math.floor(suppression_limit(share, records, left) * left)
