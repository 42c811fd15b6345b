"""How many releases of ARX's local recoding are minimal (Cohen 2022, Definition 3.3): python benchmarks/minimal.py.

100 tables each of toy and clinic (synthetic) and diabetes (300 of its 442 records), 20 for each k from 3 to 7, each
published in two ways: a step may publish a single class, or must publish 1 % of all records (ARX's desktop program).
"""

import argparse
from collections import Counter
from pathlib import Path

import pandas as pd

from cra_engine import Study, is_minimal, minimal_release, read_table, recode, synthesize

SAMPLES = Path(__file__).resolve().parents[1] / "sample_data"
TABLES, RECORDS = 20, 300
COLUMNS = ("releases", "minimal", "suppressed apart", "1 to k - 1 suppressed", "unknown", "ours minimal")


def drawn(kind: str, seed: int) -> tuple[pd.DataFrame, Study]:
    """A table of a kind with its study."""
    if kind != "diabetes":
        made = synthesize(kind, seed=seed)
        return made.data, made.study
    everybody = read_table(SAMPLES / "diabetes.csv")
    return everybody.sample(RECORDS, random_state=seed, ignore_index=True), Study.from_toml(SAMPLES / "diabetes.toml")


def counted(kind: str, profile: str) -> Counter[str]:
    """How many of the releases of a kind are minimal."""
    found: Counter[str] = Counter()
    for k in range(3, 8):
        for seed in range(TABLES):
            data, given = drawn(kind, seed)
            study = Study(given.attributes, k, profile)
            recoding = recode(data, study)
            strict, apart = (is_minimal(data, recoding.frame, study, suppressed_apart=apart) for apart in (False, True))
            ours = minimal_release(data, study, seed).frame if profile == "paper" else None
            found["releases"] += 1
            found["minimal"] += strict is True
            found["suppressed apart"] += apart is True
            found["1 to k - 1 suppressed"] += 0 < recoding.suppressed < k
            found["unknown"] += strict is None or apart is None
            found["ours minimal"] += ours is not None and is_minimal(data, ours, study) is True
    return found


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print(" | ".join(("profile", "table", *COLUMNS)))
    for profile in ("paper", "arx-gui"):
        for kind in ("toy", "clinic", "diabetes"):
            found = counted(kind, profile)
            print(" | ".join((profile, kind, *(str(found[column]) for column in COLUMNS))), flush=True)


if __name__ == "__main__":
    main()
