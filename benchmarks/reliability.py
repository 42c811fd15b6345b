"""Are the probabilities calibrated? Tables drawn uniformly at random are published and attacked from the release alone.

    python benchmarks/reliability.py            one minute or two; writes docs/figures/reliability.svg

Of the cells that the attack gives the probability p of holding exactly one person, a share p should hold exactly one.
That must hold for all classes together, exact and estimated; each class by itself leaves out what the others tell.
"""

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from diagram import Point, Way, svg

from cra_engine import Attribute, Release, Study, attack, recode, single_out, tight_attack
from cra_engine.attacks.solver import solving
from cra_engine.attacks.solver.layers import TooManyStates
from cra_engine.raw.placement import locate

ROOT = Path(__file__).resolve().parents[1]
# No two states tie, so that whoever draws tables uniformly draws uniformly among those of a release.
STUDY = Study([Attribute("a", 0, 20, 3), Attribute("b", 0, 24, 3)], 3)
RECORDS, SEED, TENTHS = 14, 11, 10
EXACT, ESTIMATED, ALONE = "all classes together, exact", "all classes together, estimated", "each class by itself"
FEWEST = 40  # cells that a point of the picture stands for
WORLDS = {EXACT: 2000, ALONE: 2000, ESTIMATED: 200}

Pair = tuple[float, bool]


def worlds(count: int) -> Iterator[tuple[Release, set[tuple[int, ...]]]]:
    """Releases of tables drawn uniformly, each with the cells that hold exactly one person."""
    rng = np.random.default_rng(SEED)
    for _ in range(count):
        drawn = rng.choice(20 * 24, size=RECORDS, replace=False)
        data = pd.DataFrame({"a": drawn // 24, "b": drawn % 24})
        cells, held = np.unique(locate(data, STUDY).leaves, axis=0, return_counts=True)
        yield recode(data, STUDY).release, {tuple(cell) for cell in cells[held == 1].tolist()}


def pairs(way: str, release: Release, alone: set[tuple[int, ...]]) -> list[Pair]:
    """Per cell the probability that the attack gives it, and whether exactly one person is there."""
    if way == ALONE:
        chances = {chance.cell: chance.probability for chance in single_out(attack(release)).cells}
    else:
        chances = tight_attack(release).cell_probabilities(1)
    return [(p, cell in alone) for cell, p in chances.items() if 0 < p < 1]


def points(way: str) -> list[Point]:
    """The reliability of one way to read a release; cells of one release hang together, so releases are the units."""
    found: dict[int, list[tuple[float, float, int]]] = defaultdict(list)
    with patch.object(solving, "count_part", side_effect=TooManyStates) if way == ESTIMATED else nullcontext():
        for release, alone in worlds(WORLDS[way]):
            tenths: dict[int, list[Pair]] = defaultdict(list)
            for pair in pairs(way, release, alone):
                tenths[min(int(TENTHS * pair[0]), TENTHS - 1)].append(pair)
            for tenth, own in tenths.items():
                found[tenth].append((sum(p for p, _ in own), sum(one for _, one in own), len(own)))
    result = []
    for _, rows in sorted(found.items()):
        cells = sum(number for *_, number in rows)
        error = math.sqrt(sum((one - said) ** 2 for said, one, _ in rows)) / cells
        result.append(Point(sum(s for s, *_ in rows) / cells, sum(o for _, o, _ in rows) / cells, error, cells))
    return result


# ---------------------------------------------------------------- the picture

STYLES = {EXACT: ("#0072B2", "circle"), ESTIMATED: ("#009E73", "square"), ALONE: ("#D55E00", "diamond")}


def main() -> None:
    """Draw the tables, print the numbers, write the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "figures" / "reliability.svg")
    output = parser.parse_args().output
    ways = {way: points(way) for way in (EXACT, ESTIMATED, ALONE)}
    for way, found in ways.items():
        print(way)
        for point in found:
            off = (point.found - point.said) / point.error if point.error else 0.0
            print(
                f"    said {point.said:.3f}  found {point.found:.3f} +- {point.error:.3f}  "
                f"({off:+.1f} standard errors, {point.cells} cells)"
            )
    drawn = [
        Way(f"{way} ({WORLDS[way]:,} tables)", *STYLES[way], [point for point in found if point.cells >= FEWEST])
        for way, found in ways.items()
    ]
    output.write_text(svg(drawn), encoding="utf-8")


if __name__ == "__main__":
    main()
