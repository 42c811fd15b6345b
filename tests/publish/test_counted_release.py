"""Publishing different rows, counted: the same classes as of every row."""

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_engine import Attribute, Study, recode, safe_recode
from cra_engine.files.different_rows import CountedRows
from cra_engine.publish.full_domain.least_loss import LeastLossSearch
from cra_engine.publish.local.safe import publish_locally


def people(seed: int, records: int) -> tuple[pd.DataFrame, CountedRows]:
    """A table of which many rows are alike, and its different rows, in another order."""
    rng = np.random.default_rng(seed)
    data = pd.DataFrame({"age": rng.integers(0, 16, records) * 5, "weight": rng.integers(0, 4, records) * 20})
    counts = data.groupby(["weight", "age"]).size()
    frame = counts.index.to_frame(index=False)[["age", "weight"]]
    return data, CountedRows(frame, counts.to_numpy(np.int64), np.arange(len(frame)), ())


def study(k: int, profile: str) -> Study:
    return Study([Attribute("age", 0, 80, layers=4), Attribute("weight", 0, 80, layers=3)], k, profile)


def labels(frame: pd.DataFrame, records: np.ndarray) -> dict[tuple[str, ...], int]:
    """How many records show each combination of labels."""
    shown: dict[tuple[str, ...], int] = {}
    for row, many in zip(frame[["age", "weight"]].astype(str).itertuples(index=False), records, strict=True):
        shown[tuple(row)] = shown.get(tuple(row), 0) + int(many)
    return shown


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(20, 400), st.sampled_from([2, 3, 7]), st.sampled_from(["paper", "arx-gui"]))
def test_local_recoding(seed: int, records: int, k: int, profile: str) -> None:
    data, counted = people(seed, records)
    whole, few = recode(data, study(k, profile)), publish_locally(counted, study(k, profile))
    assert few.classes == whole.classes
    assert few.mean_loss == whole.mean_loss
    assert labels(few.frame, counted.records) == labels(whole.frame, np.ones(records))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(20, 400))
def test_safe_recoding_with_the_same_coins(seed: int, records: int) -> None:
    data, counted = people(seed, records)
    whole = safe_recode(data, study(3, "paper"), 1, seed=seed)
    few = publish_locally(counted, whole.study, seed)
    assert few.classes == whole.classes
    assert few.suppressed == whole.suppressed


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(20, 400), st.sampled_from([0, 0.1]))
def test_global_recoding(seed: int, records: int, limit: float) -> None:
    data, counted = people(seed, records)
    whole, few = (LeastLossSearch(table, study(3, "paper")).recode(3, limit) for table in (data, counted))
    assert (few.state, few.classes, few.suppressed, few.loss) == (
        whole.state,
        whole.classes,
        whole.suppressed,
        whole.loss,
    )
    assert few.feasible == whole.feasible
