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

from cra_engine.attacks.refinement.class_counts import MANY, QUICK_SECONDS
from cra_engine.counting.inclusion import Bracket, SetSum
from cra_engine.counting.sums import OrthantSum
from cra_engine.errors import TooLargeError


def row(attributes: int, fanout: int, k: int) -> str:
    """One class: whether the sum over orthants counts it, and what the engine says of it now."""
    fanouts, size = (fanout,) * attributes, min(3 * k, fanout * (k - 1))
    volumes = [100] * fanout**attributes
    started = time.process_time()
    try:
        orthants: OrthantSum | None = OrthantSum(fanouts, volumes, math.comb, size, k - 1)
    except TooLargeError:
        orthants = None
    sets = SetSum(fanouts, volumes, math.comb, size, k - 1)
    found = sets.bracket(QUICK_SECONDS) if size >= MANY * k else Bracket(0, 1)
    if not found.exact:
        found = sets.bracket() if orthants is None else Bracket(orthants.total, orthants.total)
    logs = [math.log10(end) if end else -math.inf for end in (found.lower, found.upper)]
    now = "exact" if found.exact else f"10^{logs[0]:.2f} to 10^{logs[1]:.2f}".replace("10^-inf", "0")
    before = "refused" if orthants is None else "exact"
    return f"| {attributes} | {fanout} | {k} | {size} | {before} | {now} | {time.process_time() - started:.1f} |"


def main() -> None:
    """Print the table."""
    print("| attributes | fanout | k | records | before | now | seconds |\n|---|---|---|---|---|---|---|")
    for attributes in range(2, 7):
        for fanout in range(2, 5):
            for k in (5, 10, 20, 50):
                print(row(attributes, fanout, k), flush=True)


if __name__ == "__main__":
    main()
