"""How heterogeneous generalization scales: the whole table against a bare assignment solver on the same costs.

Processor time, so that other programs on the machine do not count. The table has the shape of the paper's CENSUS: seven
quasi-identifiers with as many values, 51 sensitive values by Zipf's law with theta 0.5, l = 10.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measure import Result

from cra_engine import heterogeneous
from cra_engine.publish.heterogeneous import matches
from cra_engine.publish.heterogeneous.assignments import assign

SHAPE = {"age": 79, "sex": 2, "education": 17, "marital": 6, "race": 9, "work class": 10, "country": 83}
NUMERIC = {"age", "education"}
RECORDS, L, PARTS_OF, PART = 10_000, 10, 100_000, 5_000


def census(records: int) -> pd.DataFrame:
    """Uneven values, each column by itself."""
    rng = np.random.default_rng(7)
    columns: dict[str, Any] = {}
    for name, many in SHAPE.items():
        codes = np.floor(rng.beta(1, 3, records) * many).astype(np.int64)
        columns[name] = codes if name in NUMERIC else np.char.add(f"{name} ", codes.astype(str)).astype(object)
    weights = 1 / np.arange(1, 52) ** 0.5
    columns["occupation"] = [f"work {value}" for value in rng.choice(51, records, p=weights / weights.sum())]
    return pd.DataFrame(columns)


def whole_tables() -> Iterator[Result]:
    """HG, SG and GR on 10,000 records; the baseline solves HG's cost matrices, each as it came, and nothing else."""
    data, spent = census(RECORDS), [0.0]

    def solved_too(costs: Any, method: Any) -> Any:
        began = time.process_time()
        for matrix in costs:
            linear_sum_assignment(matrix)
        spent[0] += time.process_time() - began
        return assign(costs, method)

    for method in ("HG", "SG", "GR"):
        bare = spent[0]
        with patch.object(matches, "assign", solved_too if method == "HG" else assign):
            began = time.process_time()
            made = heterogeneous(data, list(SHAPE), "occupation", l=L, method=method, seed=1)
            taken = time.process_time() - began
        taken -= spent[0] - bare
        yield Result(
            f"heterogeneous {method}, {RECORDS:,} records, l = {L} : linear_sum_assignment on HG's costs",
            taken,
            spent[0],
            note=f"GCP {made.gcp:.4f}; {made.buckets} buckets of {made.bucket_size}. One run.",
        )


def in_parts() -> Iterator[Result]:
    """100,000 records in parts: what --partition is for."""
    data = census(PARTS_OF)
    began = time.process_time()
    made = heterogeneous(data, list(SHAPE), "occupation", l=L, method="HG", seed=1, partition=PART)
    yield Result(
        f"heterogeneous HG, {PARTS_OF:,} records in parts of {PART:,}, l = {L}",
        time.process_time() - began,
        note=f"GCP {made.gcp:.4f}; {len(made.parts)} parts, each anonymized by itself. One run.",
    )
