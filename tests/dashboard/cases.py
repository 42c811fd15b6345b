"""Small releases worked out by hand, for the tests of charts and texts."""

import pandas as pd

from cra_engine import Attribute, Release, Study, attack

# Quarters of 2 on [0, 8), k = 3. Class 0 is the cell (0,0), class 1 the box [0,4) x [0,4) of four cells, and one record
# is suppressed. Class 1 lost its cell (0,0) to class 0: C(16,3) = 560 tables promised, 112 left, 5 times fewer, in the
# fillings (1,1,1), (1,2,0), (2,1,0) of (0,1), (1,0), (1,1). Suppressed: 64 promised, 12 free cells of 4: 48 left, in
# 12 fillings.
STOLEN = [("[0, 2[", "[0, 2[")] * 3 + [("[0, 4[", "[0, 4[")] * 3 + [("*", "*")]
# Quarters of 100 on [0, 400), k = 3. The column a in [200, 300) (class 0) and the row b in [100, 200) (class 1) have
# states that tie exactly, and share the cell (2,1).
TIED = [("[200, 300[", "*")] * 3 + [("*", "[100, 200[")] * 3


def attacked(rows=STOLEN, upper=8, k=3, ties="sound", names="ab", **settings):
    attributes = [Attribute(name, 0, upper, 3) for name in names]
    return attack(Release(Study(attributes, k, **settings), pd.DataFrame(rows, columns=list(names))), ties=ties)
