"""Hierarchies that are proposed for columns with codes."""

import pandas as pd
import pytest

from cra_engine.raw.proposed_kinds import propose_kind


@pytest.mark.parametrize("top", range(60, 101, 5))
def test_no_age_is_below_zero(top):
    """Whatever the code at the upper end: its leaves have whole ends, reach down to all ages, and not below 0."""
    ages = [str(3 + 7 * n % (top - 4)) for n in range(200)]
    found = propose_kind(pd.Series([*ages, f"{top}+", f"{top}+"], name="age")).attribute
    assert found.above
    assert found.upper == top
    assert 0 <= found.lower <= min(map(int, ages))
    assert (found.upper - found.lower) % (found.fanout ** (found.layers - 1)) == 0
