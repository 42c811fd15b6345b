"""Where the names of options stand in their picture: beside their marks, none over another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from cra_engine.options import Point


@dataclass(frozen=True)
class Letter:
    """What is written beside a mark of Other ways that was chosen, or is in use.

    Attributes:
        number: of its option.
        letters: of it.
        name: after these.
        left: whether the mark is on the left, so that it stands to its right.
        above: whether it stands above the mark, else below.
    """

    number: int
    letters: str
    name: str = ""
    left: bool = True
    above: bool = False


Place = tuple[float, float]  # across and upwards, in such parts
Box = tuple[float, float, float, float]  # left, right, lower, upper, in parts of what the marks span
LETTER, LINE, MARK = 0.029, 0.07, 0.035  # of a name, and half a mark, on a telephone: such parts
SIDES = {
    f"{row} {column}": (across, up)
    for row, up in (("top", 1), ("bottom", -1), ("middle", 0))
    for column, across in (("center", -0.5), ("right", 0.0), ("left", -1.0))
    if up or across != -0.5
}


def worth_naming(
    points: Sequence[Point],
    best: frozenset[int],
    places: Mapping[int, tuple[float, float]],
    letters: Sequence[Letter] = (),
    frontier: Sequence[tuple[float, float]] = (),
    down: int = 1,
) -> dict[int, str]:
    """Choose which marks on Other ways are named, those on the frontier first, and on which side of a mark.

    No name lies over a mark, another name, a letter or the frontier; of marks on one spot one is named.

    Args:
        points: what can be named.
        best: numbers of those on the frontier.
        places: of all marks.
        letters: what is written besides.
        frontier: the corners of its line.
        down: -1 where the axis is turned round.
    """
    part = partial(_part, _spans(places), down)
    taken: list[Box] = [_around(part(place)) for place in places.values()]
    taken += [(min(a, c), max(a, c), min(b, d), max(b, d)) for (a, b), (c, d) in pairwise(map(part, frontier))]
    taken += [_written(one, part(places[one.number])) for one in letters]
    named: dict[int, str] = {}
    for point in sorted(points, key=lambda p: (p.number not in best, p.number)):
        if places[point.number] in [places[number] for number in named]:
            continue
        (x, y), long = part(places[point.number]), LETTER * len(point.short)
        for side, (across, up) in SIDES.items():
            start = x + across * long + 1.1 * MARK * (1 + 2 * across)
            middle = y + up * (1.1 * MARK + LINE / 2)
            box = start, start + long, middle - LINE / 2, middle + LINE / 2
            if (
                _inside(box)
                and (down * box[2] >= -0.03 or down < 0)
                and not any(_overlap(box, other) for other in taken)
            ):
                named[point.number] = side
                taken.append(box)
                break
    return named


def is_readable(one: Letter, places: Mapping[int, tuple[float, float]], down: int = 1) -> bool:
    """Return whether a letter on Other ways with its name stands inside the picture, also on a telephone, over no mark.

    Args:
        one: the letter.
        places: of all marks.
        down: -1 where the axis is turned round.
    """
    part = partial(_part, _spans(places), down)
    box = _written(one, part(places[one.number]))
    return _inside(box) and not any(_overlap(box, _around(part(place))) for place in places.values())


def _part(spans: tuple[tuple[float, float], tuple[float, float]], down: int, place: tuple[float, float]) -> Place:
    (least, lowest), (wide, high) = spans
    return (place[0] - least) / wide, down * (place[1] - lowest) / high


def _written(one: Letter, place: Place) -> Box:
    (x, y), long = place, 1.25 * LETTER * len(f"{one.letters} {one.name}")
    start, middle = (x + 2 * MARK if one.left else x - 2 * MARK - long), (y + 0.1 if one.above else y - 0.09)
    return start, start + long, middle - LINE / 2, middle + LINE / 2


def _inside(box: Box) -> bool:
    return box[0] >= -0.1 and box[1] <= 1.1


def _spans(places: Mapping[int, tuple[float, float]]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where the marks begin, across and upwards, and how far they reach."""
    across, upwards = zip(*places.values(), strict=True) if places else ((0.0,), (0.0,))
    wide, high = max(across) - min(across), max(upwards) - min(upwards)
    return (min(across), min(upwards)), (wide or 1.0, high or 1.0)


def _around(place: tuple[float, float]) -> Box:
    return place[0] - MARK, place[0] + MARK, place[1] - MARK, place[1] + MARK


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def crowded(number: int, places: Mapping[int, tuple[float, float]], *, right: bool, up: int) -> bool:
    """Return whether on Other ways another mark stands where a letter beside this one would be written.

    Args:
        number: of the mark.
        places: of all marks.
        right: whether the letter would stand to the right.
        up: 1 where it would stand at larger numbers, -1 at smaller ones.
    """
    _, (wide, high) = _spans(places)
    side, (x, y) = 1 if right else -1, places[number]
    return any(0 < side * (at - x) <= 0.35 * wide and 0 <= up * (to - y) <= 0.25 * high for at, to in places.values())
