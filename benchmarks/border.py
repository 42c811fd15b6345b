"""Which classes are counted exactly, and which lie between two numbers: the table of docs/priors.md.

    python benchmarks/border.py        some minutes

Suppressed records of a grid of two layers, all cells alike, as many as the bounds admit: by the sum over orthants alone
(before) and with sets of children where that is refused (now).
"""

import math
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cra_engine.counting.inclusion import SetSum
from cra_engine.counting.sums import OrthantSum, placements
from cra_engine.errors import TooLargeError


def row(attributes: int, fanout: int, k: int) -> str:
    """One class: how it is counted, and how wide the bracket is."""
    fanouts, size = (fanout,) * attributes, min(3 * k, fanout * (k - 1))
    volumes = [100] * fanout**attributes
    started = time.perf_counter()
    try:
        _ = OrthantSum(fanouts, placements(volumes), size, k - 1).total
        before, now = "exact", "exact"
    except TooLargeError:
        before = "refused"
        found = SetSum(fanouts, volumes, math.comb, size, k - 1).bracket()
        logs = [math.log10(end) if end else -math.inf for end in (found.lower, found.upper)]
        now = "exact" if found.exact else f"10^{logs[0]:.2f} to 10^{logs[1]:.2f}"
    return (
        f"| {attributes} | {fanout} | {k} | {size} | {before} | {now} | {time.perf_counter() - started:.1f} |".replace(
            "10^-inf", "0"
        )
    )


def main() -> None:
    """Print the table."""
    print("| attributes | fanout | k | records | before | now | seconds |\n|---|---|---|---|---|---|---|")
    for attributes in range(2, 7):
        for fanout in range(2, 5):
            for k in (5, 20, 50):
                print(row(attributes, fanout, k), flush=True)


if __name__ == "__main__":
    main()
