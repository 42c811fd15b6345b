"""The records that a half can hold, against all feasible assignments listed one by one."""

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, Study, attack, recode
from cra_engine.attacks.refinement.half_range import half_range

SHAPES = [((3, 3), 2), ((3, 2), 2), ((2, 3), 3), ((2, 2, 2), 2)]


@pytest.mark.parametrize(("layers", "fanout"), SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_the_range_is_that_of_the_listed_assignments(layers, fanout, seed):
    width = 81 if fanout == 3 else 64
    attributes = [Attribute(name, 0, width, layer, fanout) for name, layer in zip("abc", layers, strict=False)]
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({a.name: rng.permutation(int(a.upper))[:40] for a in attributes})
    checked = 0
    for part in attack(recode(frame, Study(attributes, 4)).release).parts:
        if part.basic or part.combinations > 3000:
            continue
        listed = part.assignments(5000, 30)
        assert listed.complete
        grid = part.release.grid
        for split in part.bounded_attributes:
            for half in split.children:
                inside = [grid.contains(half, grid.cell_segment(cell)) for cell in listed.cells]
                sums = [sum(n for n, take in zip(z, inside, strict=True) if take) for z in listed.assignments]
                assert half_range(part, half) == (min(sums), max(sums))
                checked += 1
    assert checked
