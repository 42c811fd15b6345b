"""What a privacy model costs local recoding: k alone beside k with distinct l-diversity, in processor time of one run.

python benchmarks/model_speed.py        a minute
"""

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cra_engine import Attribute, LDiversity, Study, recode
from cra_engine.choices import RecodeTies

ATTRIBUTES = [
    Attribute(name, 0, upper, layers=4) for name, upper in (("age", 128), ("bmi", 64), ("bp", 256), ("zip", 512))
]
RUNS = 7


def table(records: int) -> pd.DataFrame:
    """Bell-shaped columns, and six values of a diagnosis, the rarest 3 %."""
    rng = np.random.default_rng(0)
    found = {
        a.name: np.clip((rng.normal(0.5, 0.18, records) * int(a.upper)).astype(int), 0, int(a.upper) - 1)
        for a in ATTRIBUTES
    }
    return pd.DataFrame(found).assign(diagnosis=rng.choice(list("abcdef"), records, p=[0.5, 0.2, 0.1, 0.1, 0.07, 0.03]))


def seconds(data: pd.DataFrame, study: Study, ties: RecodeTies) -> float:
    """The shortest of some runs."""
    times = []
    for _ in range(RUNS):
        started = time.process_time()
        recode(data, study, ties=ties)
        times.append(time.process_time() - started)
    return min(times)


def row(data: pd.DataFrame, ties: RecodeTies, diversity: int, k: int = 5) -> str:
    """One line of the table."""
    alone = seconds(data, Study(ATTRIBUTES, k), ties)
    both = seconds(data, Study(ATTRIBUTES, k, privacy=[LDiversity("diagnosis", diversity)]), ties)
    return f"| {ties} | {diversity} | {1000 * alone:.0f} | {1000 * both:.0f} | {both / alone:.2f} |"


def main(records: int = 100_000) -> None:
    """Print the table."""
    data = table(records)
    print("| ties | l | k alone, ms | with l, ms | ratio |\n|---|---|---|---|---|")
    for ties in ("paper", "arx"):
        for diversity in (2, 3):
            print(row(data, ties, diversity), flush=True)


if __name__ == "__main__":
    main()
