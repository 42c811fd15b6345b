"""Where the names of options stand in their picture: beside their marks, none over another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from textwrap import wrap


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
RING = 1.6 * MARK  # half a ring
BREADTH = 20  # characters of a line of a name
SIDES = {
    f"{row} {column}": (across, up)
    for row, up in (("top", 1), ("bottom", -1), ("middle", 0))
    for column, across in (("center", -0.5), ("right", 0.0), ("left", -1.0))
    if up or across != -0.5
}


def worth_naming(
    wanted: Sequence[tuple[int, str]],
    places: Mapping[int, tuple[float, float]],
    letters: Sequence[Letter] = (),
    frontier: Sequence[tuple[float, float]] = (),
    down: int = 1,
) -> dict[int, tuple[str, str]]:
    """Choose what is written beside which mark on Other ways, and on which side of it.

    No name lies over a mark, another name, a letter or the frontier.

    Args:
        wanted: numbers of marks, each with what may be written there; what comes first has the first choice, and of
            a mark the first that has room is written.
        places: of all marks.
        letters: what is written besides.
        frontier: the corners of its line.
        down: -1 where the axis is turned round.
    """
    part = partial(_part, _spans(places), down)
    taken: list[Box] = [_around(part(place)) for place in places.values()]
    taken += [(min(a, c), max(a, c), min(b, d), max(b, d)) for (a, b), (c, d) in pairwise(map(part, frontier))]
    for one in letters:
        taken += [_written(one, part(places[one.number])), _around(part(places[one.number]), RING)]
    named: dict[int, tuple[str, str]] = {}
    for number, text in wanted:
        if number in named:
            continue
        (x, y), (long, tall) = part(places[number]), _extent(text)
        for side, (across, up) in SIDES.items():
            start = x + across * long + 1.1 * MARK * (1 + 2 * across)
            middle = y + up * (1.1 * MARK + tall / 2)
            box = start, start + long, middle - tall / 2, middle + tall / 2
            if (
                _inside(box)
                and (down * box[2] >= -0.03 or down < 0)
                and not any(_overlap(box, other) for other in taken)
            ):
                named[number] = text, side
                taken.append(box)
                break
    return named


def is_readable(
    one: Letter, places: Mapping[int, tuple[float, float]], besides: Sequence[Letter] = (), down: int = 1
) -> bool:
    """Return whether a letter on Other ways with its name stands inside the picture, also on a telephone, over nothing.

    Args:
        one: the letter.
        places: of all marks.
        besides: other letters.
        down: -1 where the axis is turned round.
    """
    part = partial(_part, _spans(places), down)
    box = _written(one, part(places[one.number]))
    taken = [_around(part(place)) for place in places.values()]
    taken += [_written(other, part(places[other.number])) for other in besides]
    return _inside(box) and not any(_overlap(box, other) for other in taken)


def _part(spans: tuple[tuple[float, float], tuple[float, float]], down: int, place: tuple[float, float]) -> Place:
    (least, lowest), (wide, high) = spans
    return (place[0] - least) / wide, down * (place[1] - lowest) / high


def in_lines(name: str) -> str:
    """Break a long name on Other ways into lines, so that it has room on a telephone.

    >>> in_lines("safe recoding \u03b5 1, age 40 years, weight 40 kg")
    'safe recoding \u03b5 1,<br>age 40 years,<br>weight 40 kg'
    """
    return "<br>".join(wrap(name, BREADTH))


def _extent(text: str) -> tuple[float, float]:
    """How wide and tall a text is."""
    lines = text.split("<br>")
    return LETTER * max(map(len, lines)), LINE * len(lines)


def _written(one: Letter, place: Place) -> Box:
    (x, y), (long, tall) = place, _extent(f"{one.letters} {one.name}")
    long *= 1.25
    start, low = (x + 2 * MARK if one.left else x - 2 * MARK - long), (y + 0.065 if one.above else y - 0.055 - tall)
    return start, start + long, low, low + tall


def _inside(box: Box) -> bool:
    return box[0] >= -0.1 and box[1] <= 1.1


def _spans(places: Mapping[int, tuple[float, float]]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where the marks begin, across and upwards, and how far they reach."""
    across, upwards = zip(*places.values(), strict=True) if places else ((0.0,), (0.0,))
    wide, high = max(across) - min(across), max(upwards) - min(upwards)
    return (min(across), min(upwards)), (wide or 1.0, high or 1.0)


def _around(place: tuple[float, float], half: float = MARK) -> Box:
    return place[0] - half, place[0] + half, place[1] - half, place[1] + half


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]
