"""Safe recoding by its definition, on grids small enough to look at every table, every coin and every move.

A table is its records per cell. A release is the set of its regions, each with its label, its cells and its people. Its
chance is a product of factors ``1 - exp(-a)`` for boxes that were published and ``exp(-b)`` for boxes that were not;
both kinds of exponents are kept as exact fractions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import exp, inf, log, prod
from operator import itemgetter

Table = tuple[int, ...]
Label = tuple[int, int]  # rung, and number of the box on it; of the whole grid, one past the last rung, and 0
Region = tuple[Label, frozenset[int], int]
Release = tuple[Region, ...]
Chance = tuple[tuple[Fraction, ...], Fraction]


@dataclass(frozen=True)
class Steps:
    """A ladder taken literally: per rung and cell the number of the box that holds it."""

    boxes: tuple[tuple[int, ...], ...]

    @property
    def cells(self) -> int:
        return len(self.boxes[0])

    def inside(self, rung: int, box: int) -> frozenset[int]:
        return frozenset(cell for cell in range(self.cells) if self.boxes[rung][cell] == box)

    def start(self, people: int) -> Release:
        """What is known before anything is published."""
        return (((len(self.boxes), 0), frozenset(range(self.cells)), people),)


def steps_of(heights: Sequence[int], fanout: int) -> Steps:
    """The ladder of attributes with equal domains' shares, straight from its description.

    Each attribute has ``fanout ** (height - 1)`` leaves of 10 values; the loss of a layer is (length - 1)/(domain - 1).
    """
    sizes = [fanout ** (height - 1) for height in heights]

    def growth(state: tuple[int, ...]) -> Fraction:
        factors = []
        for layer, size in zip(state, sizes, strict=True):
            factors.append(1 + Fraction(10 * fanout ** (layer - 1) - 1, 10 * size - 1))
        return prod(factors, start=Fraction(1))

    state, chain = (1,) * len(heights), []
    while state != tuple(heights):
        chain.append(state)
        above = []
        for i, height in enumerate(heights):
            if state[i] < height:
                above.append((*state[:i], state[i] + 1, *state[i + 1 :]))
        state = min(above, key=lambda s: (growth(s), s))
    boxes = []
    for own in chain:
        numbers: dict[tuple[int, ...], int] = {}
        row = []
        for cell in product(*(range(size) for size in sizes)):
            at = tuple(leaf // fanout ** (layer - 1) for leaf, layer in zip(cell, own, strict=True))
            row.append(numbers.setdefault(at, len(numbers)))
        boxes.append(tuple(row))
    return Steps(tuple(boxes))


def tables(cells: int, records: int) -> Iterator[Table]:
    """Every way to put some records into cells."""
    if cells == 1:
        yield (records,)
        return
    for here in range(records + 1):
        for rest in tables(cells - 1, records - here):
            yield (here, *rest)


def path(steps: Steps, region: Region) -> list[int]:
    """The rungs below a region's own that cut it, each otherwise than the one before."""
    (height, _), cells, _ = region
    found, last = [], 0
    for rung in range(height):
        parts = len({steps.boxes[rung][cell] for cell in cells})
        if parts > 1 and parts != last:
            found.append(rung)
        last = parts
    return found


def rate(epsilon: Fraction, k: int, rungs: int, done: list[tuple[Fraction, int]], left: int) -> Fraction:
    """The ledger, as it is written down."""
    spent = sum((r * (2 if 2 * left >= after + 2 * k else 1) for r, after in done), Fraction(0))
    weights = [Fraction(85, 100) ** place for place in range(rungs)]
    own = weights[len(done)] / sum(weights[len(done) :])
    return min(Fraction(3, 4) * (epsilon - spent) * own, (epsilon - spent) / 2)


def fixed(epsilon: Fraction, rungs: int, place: int) -> Fraction:
    weights = [Fraction(85, 100) ** at for at in range(rungs)]
    return epsilon * weights[place] / sum(weights)


def refine(
    steps: Steps, table: Table, region: Region, k: int, epsilon: Fraction, mistake: str = ""
) -> dict[Release, Chance]:
    """Every way to draw inside a region, with its chance; by the definition, or with a mistake that breaks it.

    ``"plain"`` is the law without a floor, as it once was.
    """
    label, cells, people = region
    counts = {cell: table[cell] for cell in cells}
    rungs = path(steps, region)
    if mistake == "path of the table" and counts and max(counts.values()) >= 2 * k:
        rungs = rungs[1:]
    if mistake == "k of the table" and counts and max(counts.values()) >= 2 * k:
        k += 1
    if mistake == "epsilon of the table" and counts and max(counts.values()) >= 2 * k:
        epsilon *= 2
    one_sided = mistake in ("plain", "hard rest")
    found: dict[Release, Chance] = {}

    def climb(at: int, rest: dict[int, int], done: list[tuple[Fraction, int]], shown: Release, chance: Chance) -> None:
        left = sum(rest.values())
        if at == len(rungs) or (left < 2 * k and mistake != "plain"):
            found[tuple(sorted((*shown, (label, frozenset(rest), left)), key=itemgetter(0)))] = chance
            return
        own = rate(epsilon, k, len(rungs), done, left)
        if mistake in ("plain", "no ledger", "hard rest"):
            own = fixed(epsilon, len(rungs), at)
        if mistake == "undivided":
            own = epsilon
        begun, rung = left, rungs[at]
        boxes = sorted({steps.boxes[rung][cell] for cell in rest})

        def box(turn: int, rest: dict[int, int], shown: Release, chance: Chance) -> None:
            left = sum(rest.values())
            if turn == len(boxes):
                climb(at + 1, rest, [*done, (own, left)], shown, chance)
                return
            inside = steps.inside(rung, boxes[turn]) & set(rest)
            n = sum(rest[cell] for cell in inside)
            there = begun if mistake == "side by side" else left
            over = n - k + 1 if one_sided else min(n, there - n) - k + 1
            if mistake == "hard rest" and left - n < k:
                over = 0
            if over < 1 or n < k:
                box(turn + 1, rest, shown, chance)
                return
            if mistake == "full counts":
                held = sum(counts[cell] for cell in steps.inside(rung, boxes[turn]) & cells)
                over = max(1, min(held, people - held) - k + 1)
            exponent = own * over
            kept = tuple(sorted([*chance[0], exponent])), chance[1]
            taken = {cell: count for cell, count in rest.items() if cell not in inside}
            box(turn + 1, taken, (*shown, ((rung, boxes[turn]), inside, n)), kept)
            if not (mistake == "hard from 2k" and n >= 2 * k and left - n >= 2 * k):
                box(turn + 1, rest, shown, (chance[0], chance[1] + exponent))

        box(0, rest, shown, chance)

    climb(0, counts, [], (), ((), Fraction(0)))
    return found


def later(
    steps: Steps, table: Table, before: Release, k: int, epsilon: Fraction, mistake: str = ""
) -> dict[Release, Chance]:
    """Every release drawn inside the regions of the one before, with its chance; a first one inside the whole grid."""
    found: dict[Release, Chance] = {(): ((), Fraction(0))}
    for region in before:
        drawn = refine(steps, table, region, k, epsilon, mistake)
        found = {
            tuple(sorted((*one, *other), key=itemgetter(0))): times(chance, more)
            for (one, chance), (other, more) in product(found.items(), drawn.items())
        }
    return found


def times(one: Chance, other: Chance) -> Chance:
    return tuple(sorted([*one[0], *other[0]])), one[1] + other[1]


Drawn = tuple[int, Fraction]  # k and epsilon of one of the releases
Sequences = dict[tuple[Release, ...], dict[Table, Chance]]


def sequences(steps: Steps, people: int, draws: Sequence[Drawn], mistake: str = "") -> Sequences:
    """Every sequence of releases, each inside the one before, with the tables that give it and their chances.

    With the mistake ``"two draws"`` each is drawn as if it were the first.
    """
    found: Sequences = {(): {table: ((), Fraction(0)) for table in tables(steps.cells, people)}}
    for k, epsilon in draws:
        more: Sequences = {}
        for said, given in found.items():
            before = said[-1] if said and mistake != "two draws" else steps.start(people)
            for table, chance in given.items():
                for release, own in later(steps, table, before, k, epsilon, mistake).items():
                    more.setdefault((*said, release), {})[table] = times(chance, own)
        found = more
    return found


def fits(release: Release, table: Table) -> bool:
    return all(sum(table[cell] for cell in cells) == people for _, cells, people in release)


def fitting(said: Iterable[Release], every: Iterable[Table]) -> list[Table]:
    return [table for table in every if all(fits(release, table) for release in said)]


def moves(cells: frozenset[int], table: Table) -> Iterator[Table]:
    """Every move of one person to another of some cells."""
    for here, there in product(cells, cells):
        if table[here] and here != there:
            other = list(table)
            other[here] -= 1
            other[there] += 1
            yield tuple(other)


def logarithm(chance: Chance) -> float:
    return sum(log(1 - exp(-float(e))) for e in chance[0]) - float(chance[1])


def as_float(chance: Chance) -> float:
    return prod(1 - exp(-float(e)) for e in chance[0]) * exp(-float(chance[1]))


def largest_gain(logs: Mapping[Table, float], said: Sequence[Release], every: Sequence[Table]) -> float:
    """The largest log-ratio over moves of one person inside a region of each release; infinite for an exclusion."""
    possible, worst = set(fitting(said, every)), 0.0
    regions = {frozenset.intersection(*(region[1] for region in some)) for some in product(*said)}
    for table in logs:
        for cells in regions:
            for other in moves(cells, table):
                if other in possible:
                    worst = max(worst, abs(logs[table] - logs.get(other, -inf)))
    return worst


def settled(possible: Sequence[Table], k: int) -> bool:
    """Whether some set of cells holds the same 1 to k - 1 people in every table that fits."""
    cells = range(len(possible[0]))
    for number in range(1, len(cells) + 1):
        for some in combinations(cells, number):
            held = {sum(table[cell] for cell in some) for table in possible}
            if len(held) == 1 and 0 < held.pop() < k:
                return True
    return False
