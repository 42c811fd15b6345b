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
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cra_engine import Attribute, Release, Study, attack, recode, single_out, tight_attack
from cra_engine.attacks.tight import attack as tight
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


@dataclass(frozen=True)
class Point:
    """A tenth of the probabilities: their mean, the share of cells with exactly one person, its standard error."""

    said: float
    found: float
    error: float
    cells: int


def points(way: str) -> list[Point]:
    """The reliability of one way to read a release; cells of one release hang together, so releases are the units."""
    found: dict[int, list[tuple[float, float, int]]] = defaultdict(list)
    most = tight.MAX_STATES
    tight.MAX_STATES = 0 if way == ESTIMATED else most
    for release, alone in worlds(WORLDS[way]):
        tenths: dict[int, list[Pair]] = defaultdict(list)
        for pair in pairs(way, release, alone):
            tenths[min(int(TENTHS * pair[0]), TENTHS - 1)].append(pair)
        for tenth, own in tenths.items():
            found[tenth].append((sum(p for p, _ in own), sum(one for _, one in own), len(own)))
    tight.MAX_STATES = most
    result = []
    for _, rows in sorted(found.items()):
        cells = sum(number for *_, number in rows)
        error = math.sqrt(sum((one - said) ** 2 for said, one, _ in rows)) / cells
        result.append(Point(sum(s for s, *_ in rows) / cells, sum(o for _, o, _ in rows) / cells, error, cells))
    return result


# ---------------------------------------------------------------- the picture

SIZE, MARGIN, LEGEND = 420, 64, 96
STYLES = {EXACT: ("#0072B2", "circle"), ESTIMATED: ("#009E73", "square"), ALONE: ("#D55E00", "diamond")}


def _mark(shape: str, x: float, y: float, colour: str) -> str:
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>'
    turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if shape == "diamond" else ""
    return f'<rect x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9" fill="{colour}"{turn}/>'


def svg(ways: dict[str, list[Point]]) -> str:
    """The reliability diagram."""

    def x(share: float) -> float:
        return MARGIN + SIZE * share

    def y(share: float) -> float:
        return LEGEND + SIZE * (1 - share)

    width, height = SIZE + 2 * MARGIN, SIZE + LEGEND + MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" fill="#222">',
        "<title>Of the cells given the probability p of holding exactly one person, the share that does</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<rect x="{x(0)}" y="{y(1)}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#888"/>',
        f'<line x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}" stroke="#888" stroke-dasharray="5 5"/>',
    ]
    for tick in range(0, 11, 2):
        share = tick / 10
        lines.append(f'<text x="{x(share)}" y="{y(0) + 20}" text-anchor="middle">{share:.1f}</text>')
        lines.append(f'<text x="{x(0) - 10}" y="{y(share) + 5}" text-anchor="end">{share:.1f}</text>')
    lines.append(
        f'<text x="{x(0.5)}" y="{y(0) + 46}" text-anchor="middle">probability that the attack gives a cell</text>'
    )
    lines.append(
        f'<text x="18" y="{y(0.5)}" text-anchor="middle" transform="rotate(-90 18 {y(0.5)})">'
        "share of cells with exactly one person</text>"
    )
    for row, (way, found) in enumerate(ways.items()):
        colour, shape = STYLES[way]
        lines.append(_mark(shape, MARGIN + 8, 22 + 24 * row, colour))
        lines.append(f'<text x="{MARGIN + 22}" y="{27 + 24 * row}">{way} ({WORLDS[way]:,} tables)</text>')
        for point in found:
            if point.cells < FEWEST:
                continue
            low, high = y(max(0, point.found - 2 * point.error)), y(min(1, point.found + 2 * point.error))
            lines.append(
                f'<line x1="{x(point.said):.1f}" y1="{low:.1f}" x2="{x(point.said):.1f}" y2="{high:.1f}" '
                f'stroke="{colour}" stroke-width="2"/>'
            )
            lines.append(_mark(shape, x(point.said), y(point.found), colour))
    return "\n".join([*lines, "</svg>\n"])


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
    output.write_text(svg(ways), encoding="utf-8")


if __name__ == "__main__":
    main()
