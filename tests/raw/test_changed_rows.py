"""What a corrected file changed: rows that went, came, or hold other cells."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.raw.changed_rows import changed_rows

TABLE = pd.DataFrame({"age": ["34", "51", "28", "34"], "sex": ["w", "m", "w", "w"], "town": ["a", "b", "c", "a"]})


def test_a_repeated_row_that_went_is_one_row_gone():
    found = changed_rows(TABLE, TABLE.iloc[:3])
    assert (found.gone, found.new, found.changed) == (1, 0, {})


def test_rows_that_have_little_in_common_are_gone_and_new():
    other = TABLE.assign(age=["34", "51", "77", "34"], sex=["w", "m", "x", "w"])
    found = changed_rows(TABLE, other)
    assert (found.gone, found.new, found.changed) == (1, 1, {})
    assert str(found) == "Since then: 1 row gone; 1 row new."


def test_cells_are_named_by_the_new_rows_and_gaps_are_cells_too():
    other = TABLE.iloc[[2, 1, 0, 3]].reset_index(drop=True)
    other.loc[1, "town"] = np.nan
    assert changed_rows(TABLE, other).changed == {"town": (2,)}
    assert str(changed_rows(TABLE, TABLE.iloc[::-1])) == "Since then: the same rows in another order."


@given(st.lists(st.sampled_from(range(4)), max_size=8), st.lists(st.sampled_from(range(4)), max_size=8))
def test_the_rows_add_up(first, second):
    one, two = TABLE.iloc[first], TABLE.iloc[second]
    found = changed_rows(one, two)
    assert len(one) - found.gone == len(two) - found.new
