"""Where labels stand in the picture of Other ways: beside their marks, over no other mark, ring or label."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

Place = tuple[float, float]  # across and upwards
Box = tuple[float, float, float, float]  # left, right, lower, upper

# Pixels. The outermost marks are at least so far apart on a telephone; labels keep clear there and wherever they are
# further apart.
APART: Place = (210.0, 150.0)
EDGE: Box = (-20.0, 40.0, -32.0, 24.0)  # room around the outermost marks
HALF, RING = 8.0, 15.0  # of a mark, of a ring
ASIDE, UP = 15.0, 9.0  # from the middle of a mark to its label
CHARACTER, LINE = 8.5, 20.0
SIDES = ((1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0))


@dataclass(frozen=True)
class Label:
    """What is written beside a mark of Other ways.

    Attributes:
        number: of the mark's option.
        text: in Plotly's markup.
        across: 1 to the right of the mark, -1 to its left.
        up: 1 above, -1 below, 0 beside it.
    """

    number: int
    text: str
    across: int
    up: int

    @property
    def box(self) -> Box:
        """What it covers, seen from the middle of its mark."""
        far = ASIDE + CHARACTER * len(self.text.replace("<b>", "").replace("</b>", ""))
        left, right = (ASIDE, far) if self.across > 0 else (-far, -ASIDE)
        middle = self.up * (UP + LINE / 2)
        return left, right, middle - LINE / 2, middle + LINE / 2


def place_labels(
    texts: Mapping[int, str], ringed: Collection[int], places: Mapping[int, Place], *, turned: bool = False
) -> list[Label]:
    """Choose on which side of its mark each label of Other ways stands: the first where it covers the least.

    Args:
        texts: what is written beside marks, by their numbers.
        ringed: numbers of the marks that are ringed.
        places: of all marks, in the units of the axes.
        turned: whether the axis upwards is turned round.
    """
    at = in_pixels(places, turned=turned)
    found: list[Label] = []
    for number, text in texts.items():
        taken = [(at[other], box_of_mark(ring=other in ringed)) for other in at if other != number]
        taken += [(at[one.number], one.box) for one in found]
        tried = [Label(number, text, *side) for side in SIDES]
        found.append(min(tried, key=partial(_covered, at[number], taken)))
    return found


def _covered(place: Place, taken: Sequence[tuple[Place, Box]], label: Label) -> int:
    """How much a label at a place would cover; leaving the picture counts as one."""
    (x, y), (left, right, low, high) = place, label.box
    leaves = x + left < EDGE[0] or x + right > APART[0] + EDGE[1] or y + low < EDGE[2] or y + high > APART[1] + EDGE[3]
    return leaves + sum(
        meet(one[0] - x, left - box[1], right - box[0]) and meet(one[1] - y, low - box[3], high - box[2])
        for one, box in taken
    )


def meet(apart: float, least: float, most: float) -> bool:
    """Return whether things on Other ways meet, so far apart or further; they do between ``least`` and ``most``."""
    return apart < most if apart > 0 else apart > least if apart < 0 else least < 0 < most


def in_pixels(places: Mapping[int, Place], apart: Place = APART, *, turned: bool = False) -> dict[int, Place]:
    """Return where the marks of Other ways stand, the lowest and leftmost at zero, the outermost ``apart``."""
    if not places:
        return {}
    across, upwards = zip(*places.values(), strict=True)
    left, low = min(across), max(upwards) if turned else min(upwards)
    wide, high = (max(across) - left) or 1.0, (max(upwards) - min(upwards)) or 1.0
    return {number: (apart[0] * (x - left) / wide, apart[1] * abs(y - low) / high) for number, (x, y) in places.items()}


def box_of_mark(*, ring: bool) -> Box:
    """Return what a mark of Other ways covers, seen from its middle."""
    half = RING if ring else HALF
    return -half, half, -half, half
