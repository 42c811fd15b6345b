"""Counts of more than 4,300 digits, which Python itself refuses to write, in the engine's and the dashboard's texts."""

import math
from fractions import Fraction

import pandas as pd
import pytest

from cra_engine import Attribute, Study, attack, recode
from cra_engine.audits.audit import audit
from cra_engine.audits.report import audit_html
from cra_engine.words import exactly, exponent_of, fewer, ten_to


def test_probabilities_of_cells_with_volumes_of_twelve_digits():
    # 600 records in a class of two halves, at most 599 in each: C(10**11, n) has thousands of digits.
    half, size = 25 * 10**10, 600
    data = pd.DataFrame({"a": [*range(300), *(half + i for i in range(300)), 10**12 - 1]})
    release = recode(data, Study([Attribute("a", 0, 10**12, 3)], size)).release
    attacked = attack(release)
    part = attacked.classes[0]
    assert part.lr_solutions == math.comb(2 * half, size)
    assert part.lr_solutions > 10**4300
    # The paper's count: all placements but those with every record in one half.
    assert part.cra_solutions == math.comb(2 * half, size) - 2 * math.comb(half, size)
    for j, probability in ((0, 0), (size, 0), (1, None), (300, None), (299, None)):
        exact = Fraction(math.comb(half, j) * math.comb(half, size - j), part.cra_solutions)
        expected = float(exact) if probability is None else probability
        assert part.cell_probabilities(j) == pytest.approx([expected] * 2, rel=1e-12)
    assert fewer(part.lr_solutions, part.cra_solutions)
    assert exactly(part.lr_solutions).endswith(ten_to(exponent_of(part.lr_solutions)))
    audited = audit(release.table.astype(str), release.study, time_limit=1)
    assert "600" in " ".join(audited.findings)
    assert audit_html(audited, "release.csv")
