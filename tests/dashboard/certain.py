"""A small table on which only all classes together make cells certain, worked out by hand."""

import pandas as pd

from cra_engine import Attribute, Study

# Quarters of 2 on [0, 8), k = 3. Ten cells hold three records each and become classes of their own. One record lies in
# each cell of the column a in [0, 2), which becomes a class of 4 with state (1, 3); one is left in the cell (3,3).
#
# The attacker of single classes: neither half of the column can hold 3 of the 4, so both hold 2: C(8, 2) in each
# half, 784 of C(16, 4) = 1820 tables. The suppressed record is in (1,0) or (3,3), the cells that no class covers: 8 of
# 64 tables. Ten classes of C(4, 3) = 4 tables each.
#
# All together: at the turn of (2, 2), before that of (1, 3), the box [0, 4) x [0, 4) held 2 of the 4, so with a record
# in (1,0) it would have been a class. So that record is in (3,3), for certain: 4 tables, 2 times fewer.
_OPEN = [(0, 0), (0, 1), (0, 2), (0, 3), (3, 3)]
_EMPTY = [(1, 0)]
_FULL = [(x, y) for x in range(4) for y in range(4) if (x, y) not in _OPEN + _EMPTY]
FRAME = pd.DataFrame(
    [(2 * x + dx, 2 * y + dy) for x, y in _FULL for dx, dy in ((0, 0), (1, 0), (0, 1))]
    + [(2 * x, 2 * y) for x, y in _OPEN],
    columns=["a", "b"],
)
STUDY = Study([Attribute("a", 0, 8, 3), Attribute("b", 0, 8, 3)], 3)
BY_INTERVALS = 1820 * 64 * 4**10
BY_CLASS = 784 * 8 * 4**10
TOGETHER = 784 * 4 * 4**10
NEWLY = {(3, 3): 1, (1, 0): 0}
