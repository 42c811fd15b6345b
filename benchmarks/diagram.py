"""A reliability diagram: what was said beside what came true."""

from collections.abc import Sequence
from dataclasses import dataclass

SIZE, MARGIN, LEGEND = 420, 64, 96


@dataclass(frozen=True)
class Point:
    """A tenth of the probabilities: their mean, the share of cells with exactly one person, its standard error."""

    said: float
    found: float
    error: float
    cells: int


@dataclass(frozen=True)
class Way:
    """Points of one kind.

    Attributes:
        name: as the legend has it; empty for none.
        colour: of its points.
        shape: ``circle``, ``square``, ``diamond`` or ``dot``.
        points: those to draw.
    """

    name: str
    colour: str
    shape: str
    points: Sequence[Point]


def _mark(shape: str, x: float, y: float, colour: str) -> str:
    if shape in ("circle", "dot"):
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{5 if shape == "circle" else 3}" fill="{colour}"/>'
    turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if shape == "diamond" else ""
    return f'<rect x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9" fill="{colour}"{turn}/>'


def svg(ways: Sequence[Way], within: float = 0.0) -> str:
    """The diagram as SVG; with ``within`` two lines that far above and below the diagonal."""

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
    for off in (within, -within) if within else ():
        ends = (max(0, -off), max(0, off), min(1, 1 - off), min(1, 1 + off))
        lines.append(
            f'<line x1="{x(ends[0]):.1f}" y1="{y(ends[1]):.1f}" x2="{x(ends[2]):.1f}" y2="{y(ends[3]):.1f}" '
            'stroke="#bbb" stroke-dasharray="2 4"/>'
        )
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
    for row, way in enumerate(way for way in ways if way.name):
        lines.append(_mark(way.shape, MARGIN + 8, 22 + 24 * row, way.colour))
        lines.append(f'<text x="{MARGIN + 22}" y="{27 + 24 * row}">{way.name}</text>')
    for way in ways:
        for point in way.points:
            low, high = y(max(0, point.found - 2 * point.error)), y(min(1, point.found + 2 * point.error))
            if point.error:
                lines.append(
                    f'<line x1="{x(point.said):.1f}" y1="{low:.1f}" x2="{x(point.said):.1f}" y2="{high:.1f}" '
                    f'stroke="{way.colour}" stroke-width="2"/>'
                )
            lines.append(_mark(way.shape, x(point.said), y(point.found), way.colour))
    return "\n".join([*lines, "</svg>\n"])
