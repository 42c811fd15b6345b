"""What hidden cells of Adult still say after local suppression: the table of docs/local-suppression.md.

    python benchmarks/local_suppression.py        a minute

Samples of 300 records (seeds 0 to 4) of sex, race, marital status and workclass, cells hidden by the literal program of
tests/oracles, columns of most values first, and read from the published table alone.
"""

import argparse
import lzma
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import pandas as pd  # noqa: E402

from cra_engine.attacks.local_suppression import hidden_values  # noqa: E402
from cra_engine.files.tables import read_table  # noqa: E402
from oracles.local_suppression import GAP, suppressed  # noqa: E402

NAMES = ["sex", "race", "marital-status", "workclass"]
RECORDS, SAMPLES = 300, 5


def row(data: pd.DataFrame, k: int, samples: int = SAMPLES, records: int = RECORDS) -> str:
    """Records with hidden cells, of how many something or all but one is excluded, and how well a reader guesses."""
    domains = {name: sorted(set(data[name])) for name in NAMES}
    order = sorted(range(len(NAMES)), key=lambda place: -len(domains[NAMES[place]]))
    found: Counter[str] = Counter()
    for seed in range(samples):
        table = [tuple(one) for one in data[NAMES].sample(records, random_state=seed).to_numpy()]
        release = suppressed(table, k, order)
        for one in hidden_values(pd.DataFrame(release, columns=NAMES), NAMES, k, domains).rows:
            places = [NAMES.index(name) for name in one.columns]
            truth = tuple(table[one.row][place] for place in places)
            shown = [other for other in release if GAP not in other]
            alike = Counter(
                tuple(other[place] for place in places)
                for other in shown
                if all(a in (b, GAP) for a, b in zip(release[one.row], other, strict=True))
            )
            found["hidden"] += 1
            found["narrowed"] += one.excluded > 0
            found["certain"] += len(one.possible) == 1
            found["by those alike"] += bool(alike) and max(alike, key=lambda value: (alike[value], value)) == truth
    numbers = (found[name] for name in ("hidden", "narrowed", "certain", "by those alike"))
    return f"| {k} | " + " | ".join(str(number) for number in numbers) + " |"


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    data = read_table(lzma.decompress((ROOT / "tests/data/adult/adult.csv.xz").read_bytes()), "adult.csv")
    print("| k | records with hidden cells | something excluded | one value left | right by those alike |")
    print("|---:|---:|---:|---:|---:|")
    for k in (2, 3, 5, 10):
        print(row(data, k), flush=True)


if __name__ == "__main__":
    main()
