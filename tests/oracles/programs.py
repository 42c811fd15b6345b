"""Algorithms 3 and 4 word for word: one integer programme per class, every constraint the text names, every solution.

Nothing is reduced: the sparse bound is written for every sub-segment, the overlap for every earlier class, and all
solutions are listed, by CP-SAT or by trying every vector of counts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, prod

from ortools.sat.python import cp_model

from cra_engine.study.attribute import Attribute
from oracles import literal

Cell = tuple[int, ...]
Nodes = tuple[tuple[int, int], ...]  # (layer, rank) per attribute


@dataclass(frozen=True)
class Published:
    """A class as the attacker reads it in the release."""

    state: tuple[int, ...]
    ranks: tuple[int, ...]
    size: int

    @property
    def nodes(self) -> Nodes:
        return tuple(zip(self.state, self.ranks, strict=True))


def inside(attribute: Attribute, inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    """Whether one node's interval lies within another's."""
    small, large = attribute.node(*inner), attribute.node(*outer)
    return large.lower <= small.lower and small.upper <= large.upper


def below(attribute: Attribute, node: tuple[int, int]) -> list[tuple[int, int]]:
    """The node itself and all its descendants."""
    return [
        (layer, rank)
        for layer in range(1, node[0] + 1)
        for rank in range(attribute.fanout ** (attribute.layers - layer))
        if inside(attribute, (layer, rank), node)
    ]


def cells_of(attributes: Sequence[Attribute], nodes: Nodes) -> frozenset[Cell]:
    """The basic segments inside a segment."""
    leaves = (
        [rank for layer, rank in below(attribute, node) if layer == 1]
        for attribute, node in zip(attributes, nodes, strict=True)
    )
    return frozenset(product(*leaves))


def contained(attributes: Sequence[Attribute], nodes: Nodes) -> list[Nodes]:
    """Every segment contained in a segment, itself included."""
    return list(product(*(below(attribute, node) for attribute, node in zip(attributes, nodes, strict=True))))


def halves(attributes: Sequence[Attribute], nodes: Nodes) -> list[Nodes]:
    """The half-segments: one node swapped for one of its children (Definition of section 4.4)."""
    return [
        (*nodes[:i], child, *nodes[i + 1 :])
        for i, attribute in enumerate(attributes)
        for child in below(attribute, nodes[i])
        if child[0] == nodes[i][0] - 1
    ]


def volume(attributes: Sequence[Attribute], nodes: Nodes) -> int:
    """``volume(S)`` of section 4.1: raw value combinations inside a segment."""
    lengths = (
        Fraction(attribute.node(*node).upper - attribute.node(*node).lower) / Fraction(attribute.resolution)
        for attribute, node in zip(attributes, nodes, strict=True)
    )
    result = prod(lengths, start=Fraction(1))
    assert result.denominator == 1
    return int(result)


@dataclass(frozen=True)
class Program:
    """Counts over ``cells``: a total, cells that must be 0, sums that are at least 1, sums that are at most k - 1."""

    cells: tuple[Cell, ...]
    zero: frozenset[Cell]
    total: int
    at_least_one: tuple[frozenset[Cell], ...]
    sparse: tuple[frozenset[Cell], ...]
    k: int

    @property
    def free(self) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.cells if cell not in self.zero)

    def holds(self, counts: dict[Cell, int]) -> bool:
        """Whether counts (0 where absent) satisfy every constraint."""
        return (
            all(cell in self.cells and count >= 0 for cell, count in counts.items())
            and sum(counts.values()) == self.total
            and all(counts.get(cell, 0) == 0 for cell in self.zero)
            and all(sum(counts.get(cell, 0) for cell in half) >= 1 for half in self.at_least_one)
            and all(sum(counts.get(cell, 0) for cell in segment) <= self.k - 1 for segment in self.sparse)
        )

    def cp_sat(self) -> list[tuple[int, ...]]:
        """All solutions by CP-SAT's exhaustive search, as counts over the free cells, sorted."""
        model = cp_model.CpModel()
        z = {cell: model.new_int_var(0, self.total, str(cell)) for cell in self.cells}
        model.add(sum(z.values()) == self.total)
        if self.zero:
            model.add(sum(z[cell] for cell in self.zero) == 0)
        for half in self.at_least_one:
            model.add(sum(z[cell] for cell in half) >= 1)
        for segment in self.sparse:
            model.add(sum(z[cell] for cell in segment) <= self.k - 1)
        solver = cp_model.CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = 1
        collector = _Collector([z[cell] for cell in self.free])
        status = solver.solve(model, collector)
        assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE), solver.status_name(status)
        assert len(set(collector.found)) == len(collector.found)
        return sorted(collector.found)

    def brute_force(self) -> list[tuple[int, ...]]:
        """All solutions by trying every way to spread the records over the cells, sorted."""
        return sorted(
            tuple(counts[self.cells.index(cell)] for cell in self.free)
            for counts in spreads(self.total, len(self.cells))
            if self.holds(dict(zip(self.cells, counts, strict=True)))
        )


class _Collector(cp_model.CpSolverSolutionCallback):
    """Keeps every solution that the search reports."""

    def __init__(self, variables: list[cp_model.IntVar]) -> None:
        super().__init__()
        self.variables = variables
        self.found: list[tuple[int, ...]] = []

    def on_solution_callback(self) -> None:
        self.found.append(tuple(self.value(variable) for variable in self.variables))


def spreads(total: int, places: int) -> Iterator[tuple[int, ...]]:
    """Every tuple of ``places`` counts that sums to ``total``."""
    if places == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in spreads(total - first, places - 1):
            yield (first, *rest)


def order(attributes: Sequence[Attribute], published: Published) -> tuple[Fraction, int, Fraction]:
    """What Algorithm 3 sorts by: loss, c1, c2 (the loss in its exact, monotone form)."""
    state = published.state
    return literal.growth(attributes, state, 1), literal.c1(state), literal.c2(attributes, state)


def class_program(
    attributes: Sequence[Attribute], k: int, classes: Sequence[Published], index: int, *, ties: str = "sound"
) -> Program:
    """The programme of Algorithm 3 for one class.

    With ``ties="sound"`` only classes of a smaller loss take their cells away, since nobody outside knows how the
    publisher broke ties; with ``"paper"`` ties are sorted by c1, c2 and the state.
    """
    this = classes[index]

    def before(other: Published) -> bool:
        mine, theirs = order(attributes, this), order(attributes, other)
        if ties == "sound":
            return theirs[0] < mine[0]
        return (theirs, other.state) < (mine, this.state)

    box = cells_of(attributes, this.nodes)
    taken = frozenset().union(
        *(cells_of(attributes, other.nodes) for other in classes if other is not this and before(other))
    )
    # Inference 1(1) is true for two children only: with three, one can be empty.
    lower = [
        cells_of(attributes, half)
        for half in halves(attributes, this.nodes)
        if all(a.fanout == 2 for a, old, new in zip(attributes, this.nodes, half, strict=True) if old != new)
    ]
    active = {other.nodes for other in classes}
    sparse = [cells_of(attributes, segment) for segment in contained(attributes, this.nodes) if segment not in active]
    return Program(tuple(sorted(box)), box & taken, this.size, tuple(lower), tuple(sparse), k)


def suppressed_program(
    attributes: Sequence[Attribute], k: int, classes: Sequence[Published], suppressed: int
) -> Program:
    """The programme of Algorithm 4; the bound on the whole grid is left out, where the total stands instead."""
    root: Nodes = tuple((attribute.layers, 0) for attribute in attributes)
    grid = cells_of(attributes, root)
    taken = frozenset().union(*(cells_of(attributes, other.nodes) for other in classes))
    lower = [
        cells_of(attributes, half)
        for half in halves(attributes, root)
        if suppressed >= k
        and all(a.fanout == 2 for a, old, new in zip(attributes, root, half, strict=True) if old != new)
    ]
    active = {other.nodes for other in classes} | {root}
    sparse = [cells_of(attributes, segment) for segment in contained(attributes, root) if segment not in active]
    return Program(tuple(sorted(grid)), grid & taken, suppressed, tuple(lower), tuple(sparse), k)


@dataclass(frozen=True)
class Counted:
    """What the solutions of a programme add up to (section 4.5)."""

    solutions: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...]

    @property
    def combinations(self) -> int:
        return len(self.solutions)

    @cached_property
    def cra_solutions(self) -> int:
        return sum(self.weights)

    @cached_property
    def _having(self) -> Counter[tuple[int, int]]:
        having: Counter[tuple[int, int]] = Counter()
        for z, weight in zip(self.solutions, self.weights, strict=True):
            for position, records in enumerate(z):
                having[position, records] += weight
        return having

    def cell_probability(self, position: int, j: int) -> Fraction:
        """Share of the raw data sets in which the cell holds exactly ``j`` records."""
        return Fraction(self._having[position, j], self.cra_solutions)

    def distribution(self) -> dict[tuple[int, ...], Fraction]:
        """The probability of each solution when every raw data set is equally likely."""
        return {z: Fraction(w, self.cra_solutions) for z, w in zip(self.solutions, self.weights, strict=True)}


def count(solutions: Sequence[tuple[int, ...]], volumes: Sequence[int]) -> Counted:
    """Weigh each solution by the raw data sets behind it: ``prod C(volume, z)``."""
    weights = tuple(prod(comb(place, records) for place, records in zip(volumes, z, strict=True)) for z in solutions)
    return Counted(tuple(solutions), weights)


def cell_volumes(attributes: Sequence[Attribute], cells: Sequence[Cell]) -> list[int]:
    """The volume of each basic segment."""
    return [volume(attributes, tuple((1, leaf) for leaf in cell)) for cell in cells]


def published(recoding: literal.LiteralRecoding) -> list[Published]:
    """The release of a literal recoding: boxes and sizes, no records."""
    return [Published(found.state, found.ranks, len(found.rows)) for found in recoding.classes]


def true_counts(
    attributes: Sequence[Attribute], records: Sequence[literal.Record], rows: Sequence[int]
) -> dict[Cell, int]:
    """The counts that some records leave in the cells."""
    counts: dict[Cell, int] = defaultdict(int)
    for row in rows:
        counts[tuple(literal.rank_of(a, 1, value) for a, value in zip(attributes, records[row], strict=True))] += 1
    return dict(counts)
