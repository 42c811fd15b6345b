"""Safe recoding by its definition, on grids small enough to look at every table, every coin and every move.

A table is its records per cell. The chance of a release is a product of factors ``1 - exp(-a)`` for boxes that were
published and ``exp(-b)`` for boxes that were not; both kinds of exponents are kept as exact fractions.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import exp, inf, log, prod

Table = tuple[int, ...]
Box = tuple[int, int]  # rung, and number of the box on it
Release = tuple[tuple[tuple[Box, int], ...], int]  # published boxes with their records, and the suppressed
Chance = tuple[tuple[Fraction, ...], Fraction]


@dataclass(frozen=True)
class Steps:
    """A ladder taken literally.

    Attributes:
        boxes: per rung and cell the number of the box that holds it.
        spent: per rung its part of epsilon.
        k: smallest size of a class.
    """

    boxes: tuple[tuple[int, ...], ...]
    spent: tuple[Fraction, ...]
    k: int

    @property
    def cells(self) -> int:
        return len(self.boxes[0])


def steps_of(heights: Sequence[int], fanout: int, k: int, epsilon: Fraction) -> Steps:
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
    weights = [Fraction(85, 100) ** place for place in range(len(chain))]
    spent = tuple(epsilon * weight / sum(weights) for weight in weights)
    return Steps(tuple(boxes), spent, k)


def tables(cells: int, records: int) -> Iterator[Table]:
    """Every way to put some records into cells."""
    if cells == 1:
        yield (records,)
        return
    for here in range(records + 1):
        for rest in tables(cells - 1, records - here):
            yield (here, *rest)


Coin = Callable[[Fraction, int], "Fraction | None"]
"""Of a rung's part of epsilon and a box's records the exponent of not publishing it; None where that is certain."""


def soft(k: int) -> Coin:
    return lambda spent, n: spent * (n - k + 1) if n >= k else None


def law(steps: Steps, table: Table, coin: Coin | None = None, *, full_counts: bool = False) -> dict[Release, Chance]:
    """Every release of a table with its chance.

    Args:
        steps: the ladder.
        table: records per cell.
        coin: the threshold; the right one where nothing is said.
        full_counts: the mistake of tossing for all records of a box instead of those that are left.
    """
    coin = coin or soft(steps.k)
    found: dict[Release, Chance] = {}

    def climb(rung: int, left: Table, classes: tuple[tuple[Box, int], ...], chance: Chance) -> None:
        if rung == len(steps.spent):
            found[classes, sum(left)] = chance
            return
        held: dict[int, int] = {}
        whole: dict[int, int] = {}
        for cell, box in enumerate(steps.boxes[rung]):
            held[box] = held.get(box, 0) + left[cell]
            whole[box] = whole.get(box, 0) + table[cell]
        options = []
        for box, n in sorted(held.items()):
            exponent = coin(steps.spent[rung], whole[box] if full_counts else n) if n >= steps.k else None
            options.append([(box, n, False, exponent)] + ([(box, n, True, exponent)] if exponent is not None else []))
        for choice in product(*options):
            taken = {box: n for box, n, yes, _ in choice if yes}
            after = tuple(0 if steps.boxes[rung][cell] in taken else count for cell, count in enumerate(left))
            kept = tuple(sorted([*chance[0], *(e for _, _, yes, e in choice if yes and e is not None)]))
            missed = chance[1] + sum((e for _, _, yes, e in choice if not yes and e is not None), Fraction(0))
            climb(rung + 1, after, (*classes, *(((rung, box), n) for box, n in taken.items())), (kept, missed))

    climb(0, table, (), ((), Fraction(0)))
    return found


def regions(steps: Steps, release: Release) -> tuple[int, ...]:
    """Per cell the place of its class in the release; -1 for the suppressed."""
    owner = [-1] * steps.cells
    for cell in range(steps.cells):
        for place, ((rung, box), _) in enumerate(release[0]):  # in the order of the rungs
            if steps.boxes[rung][cell] == box:
                owner[cell] = place
                break
    return tuple(owner)


def fits(owner: Sequence[int], release: Release, table: Table) -> bool:
    held: dict[int, int] = {}
    for cell, count in enumerate(table):
        held[owner[cell]] = held.get(owner[cell], 0) + count
    wanted = {place: n for place, (_, n) in enumerate(release[0])} | {-1: release[1]}
    return all(held.get(place, 0) == n for place, n in wanted.items())


def moves(owner: Sequence[int], table: Table) -> Iterator[tuple[int, Table]]:
    """Every move of one person to another cell of the region, with the region."""
    for here, count in enumerate(table):
        for there in range(len(table)):
            if count and here != there and owner[here] == owner[there]:
                other = list(table)
                other[here] -= 1
                other[there] += 1
                yield owner[here], tuple(other)


def largest_gains(
    steps: Steps, laws: Mapping[Table, Mapping[Release, float]], release: Release
) -> tuple[dict[int, float], float]:
    """Per region the largest log-ratio over moves of one person, and that over any two tables that fit.

    Args:
        steps: the ladder, for what the release says of the cells.
        laws: per table, every table of as many records, the chances of its releases.
        release: the release.
    """
    owner = regions(steps, release)
    fitting = [table for table in laws if fits(owner, release, table)]
    logs = {table: log(laws[table][release]) if laws[table].get(release) else -inf for table in fitting}
    best = dict.fromkeys({-1, *range(len(release[0]))}, 0.0)
    for table in fitting:
        for place, other in moves(owner, table):
            if logs[table] != logs[other]:
                best[place] = max(best[place], abs(logs[table] - logs[other]))
    return best, max(logs.values()) - min(logs.values())


def as_float(chance: Chance) -> float:
    return prod(1 - exp(-float(e)) for e in chance[0]) * exp(-float(chance[1]))
