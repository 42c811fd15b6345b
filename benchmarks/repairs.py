"""Repair on random releases: how often the targets are met, beside earlier releases too, and what it costs.

python benchmarks/repairs.py [SEEDS]

The cases and the judgement are those of tests/defences: each repair is read anew, the least loss found by trying all.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "defences")]

import test_repair  # noqa: E402
import test_repair_beside  # noqa: E402


def main() -> None:
    """Print the three figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds", metavar="TABLES", nargs="?", type=int, default=230)
    seeds = parser.parse_args().seeds
    alone = Counter(test_repair.look(seed) for seed in range(seeds))
    print(f"by itself: {dict(alone)}", flush=True)
    costs = test_repair.beside_the_smallest(range(max(8, seeds // 4)))  # of fewer tiny tables none needs a repair
    same = sum(made <= least + 1e-9 for made, least in costs)
    ratio = sum(made / least for made, least in costs) / len(costs)
    print(
        f"cost on {len(costs)} tiny tables: {same} times the least possible loss, {ratio:.3f} times it on average, "
        f"{max(made / least for made, least in costs):.3f} times at most",
        flush=True,
    )
    together = Counter(test_repair_beside.look(seed) for seed in range(seeds))
    print(f"beside an earlier release: {dict(together)}", flush=True)


if __name__ == "__main__":
    main()
