"""Recodings small enough to follow with a pencil; the arithmetic stands beside each."""

import pandas as pd

from cra_engine import Attribute, Study, recode


def three_decide():
    """Six records, two domains of four leaves each 100 wide, k = 3.

    Cells: (3,1) (2,2) (1,1) (2,2) (0,1) (2,1). Fullest boxes: (1,1) 2; (1,2) 2; (2,1) 2; (2,2) 2. Then (1,3) and (3,1)
    tie in loss, c1 = 4 and c2 = 2/3. c3 of (1,3): the six weights fall into 4 leaves, the six pressures into 1 root:
    1 - (4/6 + 1/6) / 2 = 7/12. c3 of (3,1): 1 - (1/6 + 2/6) / 2 = 3/4. So (1,3) publishes weight leaf 2 (3 records),
    and of the other three, all with pressure leaf 1, (3,1) makes the second class. Nobody is left.
    """
    data = pd.DataFrame(
        [(370, 135), (290, 290), (150, 115), (260, 245), (95, 125), (215, 155)], columns=["weight", "pressure"]
    )
    return recode(data, Study([Attribute("weight", 0, 400, 3, unit="lb"), Attribute("pressure", 0, 400, 3)], 3)), data


def c1_decides():
    """k = 2; a has 4 leaves below its root, b three layers; both domains [0, 8), so (2,1) and (1,3) lose the same.

    Widths: (2,1) is 8 x 2, (1,3) is 2 x 8. c1 is 3 and 4. Records (0,0), (2,0) share b's first leaf; (4,2), (5,6) share
    a's third leaf, but neither a half nor a leaf of b. So both states can publish, (1,1) and (1,2) cannot.
    """
    data = pd.DataFrame([(0, 0), (2, 0), (4, 2), (5, 6)], columns=["a", "b"])
    return recode(data, Study([Attribute("a", 0, 8, 2, fanout=4), Attribute("b", 0, 8, 3)], 2)), data


def c2_decides():
    """k = 2, both domains [0, 8); a has leaves of 2 (3 layers), b leaves of 1 (4 layers).

    (1,3) is 2 x 4, (2,2) is 4 x 2: the same loss, c1 = 4. c2: (1/3 + 3/4) / 2 = 13/24 and (2/3 + 2/4) / 2 = 14/24.
    (0,0), (1,2) share a's first leaf and b's first half; (4,4), (6,5) share a's second half and b's [4, 6).
    All four values of b differ, and no two share a leaf of a and a pair of b: nothing cheaper can publish.
    """
    data = pd.DataFrame([(0, 0), (1, 2), (4, 4), (6, 5)], columns=["a", "b"])
    return recode(data, Study([Attribute("a", 0, 8, 3), Attribute("b", 0, 8, 4)], 2)), data


def share_decides():
    """399 records, k = 2, profile arx-gui: a step must publish ceil(3.99) = 4 records.

    The ages 0 to 397 and 0 once more: state (1) has one box of two. In state (2) the pairs fill 199 boxes: all 399.
    """
    data = pd.DataFrame({"age": [*range(398), 0]})
    return recode(data, Study([Attribute("age", 0, 512, 10)], 2, "arx-gui")), data


def nothing_works():
    """Six records on a diagonal, k = 6: no box below the top holds them all; the fullest hold 3 (a half)."""
    data = pd.DataFrame({"a": [1, 20, 40, 60, 80, 90], "b": [1, 90, 20, 50, 70, 3]})
    return recode(data, Study([Attribute("a", 0, 96, 3), Attribute("b", 0, 96, 3)], 6)), data
