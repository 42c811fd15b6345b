"""Classes that are possible one by one but not together."""

import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, Release, Study, tight_attack


def test_a_release_that_nothing_gives_as_a_whole_is_refused():
    # Each class fits its own bounds; the boxes that straddle them leave no data set for all three.
    study = Study([Attribute("a", 0, 36, 3), Attribute("b", 0, 44, 3)], 3)
    sizes = {("[27, 36[", "[0, 22["): 4, ("[18, 27[", "[0, 22["): 3, ("[9, 18[", "*"): 4, ("*", "*"): 3}
    rows = [box for box, size in sizes.items() for _ in range(size)]
    release = Release(study, pd.DataFrame(rows, columns=["a", "b"]))
    with pytest.raises(CRAError, match="No data set of distinct records gives this release as a whole"):
        tight_attack(release)
