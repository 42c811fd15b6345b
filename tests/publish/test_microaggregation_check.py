"""The last check of a microaggregated table: it lets a right one pass and refuses every kind of wrong one."""

import numpy as np
import pandas as pd
import pytest

from cra_engine import microaggregate
from cra_engine.publish.check import ReleaseCheckError
from cra_engine.publish.microaggregation.check import check_microaggregation

RAW = pd.DataFrame(
    {"name": list("abcdef"), "weight": ["70.5", "71", "69", "90", "92.25", "91"], "age": [30, 31, 29, 60, 61, 62]}
)
COLUMNS = ("weight", "age")


@pytest.fixture
def release():
    return microaggregate(RAW, 3).frame


def test_a_right_table_passes(release) -> None:
    check_microaggregation(RAW, release, COLUMNS, 3)
    check_microaggregation(RAW, release, COLUMNS, 2)


def test_tables_of_all_sizes_of_numbers_pass() -> None:
    rng = np.random.default_rng(0)
    for scale in (1e-6, 1.0, 1e12):
        raw = pd.DataFrame(rng.normal(0, scale, (60, 3)).round(9), columns=list("abc"))
        check_microaggregation(raw, microaggregate(raw, 4).frame, ("a", "b", "c"), 4)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        (lambda table: table.iloc[:-1], "rows or columns"),
        (lambda table: table[["name", "age", "weight"]], "rows or columns"),
        (lambda table: table.assign(name=list("abcdeX")), "'name' was changed"),
        (lambda table: table.assign(age=[30.0, 30.0, 30.0, 61.0, 61.0, 61.5]), "fewer than k = 3"),
        (
            lambda table: table.assign(age=[30.5] * 3 + [61.0] * 3),
            r"'age', row 1 \(2 in a spreadsheet\), is not the mean",
        ),
        (lambda table: table.assign(weight=table["weight"][::-1].to_numpy()), "is not the mean"),
    ],
    ids=["rows", "order", "other column", "small group", "other mean", "swapped"],
)
def test_a_wrong_table_is_refused(release, wrong, match) -> None:
    with pytest.raises(ReleaseCheckError, match=match):
        check_microaggregation(RAW, wrong(release), COLUMNS, 3)


def test_a_group_below_k_is_refused(release) -> None:
    with pytest.raises(ReleaseCheckError, match="fewer than k = 4"):
        check_microaggregation(RAW, release, COLUMNS, 4)
