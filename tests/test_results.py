"""How every result shows itself: one line, a view for notebooks with what weakens it above the table, plain data."""

import json
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from cra_engine.results import Result, plain


@dataclass(frozen=True, eq=False, repr=False)
class Weighing(Result):
    """A result as a room would write one."""

    grams: tuple[int, ...]
    warnings: tuple[str, ...] = ()

    def summary(self):
        return {"things": len(self.grams), "heaviest": max(self.grams)}

    def to_frame(self):
        return pd.DataFrame({"grams": self.grams})

    def to_dict(self):
        return plain({"grams": self.grams})


def test_one_line_names_the_result_and_its_few_numbers():
    assert repr(Weighing((3, 7))) == "Weighing(things=2, heaviest=7)"


def test_notebooks_show_what_weakens_a_result_above_its_table_and_no_markup_of_the_data():
    shown = Weighing((3, 7), ("a <b> too few",))._repr_html_()
    assert shown.index("things=2") < shown.index("a &lt;b&gt; too few") < shown.index("<table")


def test_a_long_table_is_cut_in_a_notebook_and_whole_as_a_frame():
    many = Weighing(tuple(range(1000, 6000)))
    assert len(many.to_frame()) == 5000
    assert many._repr_html_().count("<tr") < 100


def test_plain_data_is_json():
    given = {
        "text": "a",
        "yes": True,
        "none": None,
        "counts": (1, np.int64(2)),
        "sums": np.array([[1, 2], [3, 4]]),
        "exact": [Fraction(1, 2), Decimal("0.25")],
        "past": [float("nan"), float("inf"), np.float64("-inf"), Decimal("NaN")],
    }
    expected = {
        "text": "a",
        "yes": True,
        "none": None,
        "counts": [1, 2],
        "sums": [[1, 2], [3, 4]],
        "exact": [0.5, 0.25],
        "past": [None] * 4,
    }
    assert plain(given) == expected
    assert json.loads(json.dumps(plain(given), allow_nan=False)) == expected


@pytest.mark.parametrize("given", [object(), {1, 2}, pd.DataFrame({"a": [1]})])
def test_what_is_no_data_is_refused(given):
    with pytest.raises(TypeError, match="no plain data"):
        plain({"inside": [given]})
