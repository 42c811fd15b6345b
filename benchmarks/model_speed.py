"""What a privacy model costs: k alone beside k with distinct l-diversity, in processor time of one run.

python benchmarks/model_speed.py            local recoding of 100,000 records: a minute
python benchmarks/model_speed.py attacks    the attack and the tight attack on samples with six diagnoses
"""

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from diversity import Table, tables

from cra_engine import Attribute, LDiversity, Study, attack, recode, tight_attack
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


def attacked(sample: Table, k: int, diversity: int) -> tuple[float, float]:
    """Seconds of the attack on each class, with its counts, and of that on all together; l = 1 for k alone."""
    _, data, trees, column = sample
    models = [LDiversity(column, diversity)] if diversity > 1 else []
    release = recode(data, Study(list(trees), k, privacy=models)).release
    started = time.process_time()
    by_class = attack(release)  # kept, as who attacks all classes together mostly does
    by_class.to_dict()
    between = time.process_time()
    tight_attack(release, time_limit=600)
    return between - started, time.process_time() - between


def attack_rows(sample: Table, k: int, diversities: Sequence[int] = (2, 3, 4)) -> Iterator[str]:
    """Lines of the table of attacks: seconds, and how many times those of k alone in brackets."""
    alone = attacked(sample, k, 1)
    for diversity in diversities:
        times = attacked(sample, k, diversity)
        told = " | ".join(f"{own:.2f} ({own / base:.1f})" for own, base in zip(times, alone, strict=True))
        yield f"| {sample[0]} | {k} | {diversity} | {told} | {sum(times) / sum(alone):.1f} |"


def attacks(records: int = 150) -> None:
    """Print the table of attacks."""
    attacked(next(tables(records, 1)), 3, 1)  # loads what the first attack loads
    print("| table | k | l | attack, s (ratio) | tight attack, s (ratio) | both |\n|---|---|---|---|---|---|")
    for sample in tables(records, 1):
        if sample[0] == "Adult":  # where records are alike in the quasi-identifiers
            continue
        for k in (3, 5, 10):
            for line in attack_rows(sample, k):
                print(line, flush=True)


def main(records: int = 100_000) -> None:
    """Print the table."""
    data = table(records)
    print("| ties | l | k alone, ms | with l, ms | ratio |\n|---|---|---|---|---|")
    for ties in ("paper", "arx"):
        for diversity in (2, 3):
            print(row(data, ties, diversity), flush=True)


if __name__ == "__main__":
    attacks() if sys.argv[1:] == ["attacks"] else main()
