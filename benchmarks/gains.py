"""What newer algorithms gain over the former ones, as ratios in one run, and how time grows with the rows."""

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from unittest.mock import patch

import numpy as np
import pandas as pd
from measure import Result, median_seconds
from tight_bench import release_of

from cra_engine import Attribute, Release, Study, attack, recode, single_out
from cra_engine.attacks.prior import DISTINCT
from cra_engine.attacks.solver import proofs
from cra_engine.attacks.solver.branching import Branching
from cra_engine.attacks.solver.counting import count_by_layers
from cra_engine.attacks.solver.layers import TooManyStates
from cra_engine.attacks.solver.parts import SystemPart, split
from cra_engine.attacks.solver.proofs import Ranges, close_ranges, known_ranges
from cra_engine.attacks.tight.sampler import Sampler
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.counting.inclusion import SetSum
from cra_engine.counting.sums import OrthantSum
from cra_engine.errors import TooLargeError
from cra_engine.publish.local import recoding, sweep
from cra_engine.raw.cells import CellCounts, OccupiedCells
from cra_engine.raw.placement import locate
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.lattice import Lattice, State
from cra_engine.study.leaf_reader import NumberLeaves

SIZES = (10_000, 100_000, 1_000_000)
LEAST = 5
DOMAINS = {"a": 800, "b": 560, "c": 1000, "d": 480}  # no two states tie


def table(records: int, seed: int, names: str = "abcd") -> pd.DataFrame:
    """Records of uneven density."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame({name: (rng.beta(2, 3, records) * DOMAINS[name]).astype(int) for name in names})


def study(k: int, names: str = "abcd") -> Study:
    """Attributes of four layers."""
    return Study([Attribute(name, 0, DOMAINS[name], 4) for name in names], k)


def branching() -> Iterator[Result]:
    """The largest parts of releases of two attributes: branching against one atom after the other."""
    for records, k, seed in ((200, 5, 1), (200, 5, 5), (100, 8, 4)):
        release = recode(table(records, seed, "ab"), study(k, "ab")).release
        part = largest(TightSystem(release))
        ours, theirs = Branching(part, 10**6), by_layers(part)
        if theirs is not None and theirs != ours.total:
            raise RuntimeError(f"branching counts {ours.total} data sets, one atom after the other {theirs}")
        yield Result(
            "count the largest part of all classes together : one atom after the other",
            median_seconds(lambda found: Branching(found, 10**6), lambda found=part: found, 3),
            None if theirs is None else median_seconds(by_layers, lambda found=part: found, 3),
            note=f"{records} records, 2 attributes of 4 layers, k = {k}, {len(part.atoms)} atoms, "
            f"{ours.parts:,} parts: "
            + ("too many states one after the other." if theirs is None else "the same number of tables."),
        )


def largest(system: TightSystem) -> SystemPart:
    """The part of most atoms."""
    return max(split(system, system.limits), key=lambda part: len(part.atoms))


def by_layers(part: SystemPart) -> int | None:
    """A part counted one atom after the other; None where that takes too many states."""
    try:
        found = count_by_layers(part, DISTINCT)
    except TooManyStates:
        return None
    return 0 if found is None else found.total


def by_sets() -> Iterator[Result]:
    """Classes with several children over their bound: sets of children against the sum over orthants."""
    for fanouts, size, cap in (((4, 4), 30, 9), ((4, 4), 41, 19)):
        volumes = [100] * math.prod(fanouts)
        now = SetSum(fanouts, volumes, math.comb, size, cap)
        found = now.bracket(60)

        def before(_: object, fanouts: tuple[int, ...] = fanouts, size: int = size, cap: int = cap) -> int:
            return OrthantSum(fanouts, [100] * math.prod(fanouts), math.comb, size, cap).total

        try:
            same = found.exact and found.lower == before(None)
            baseline = median_seconds(before, lambda: None, 3)
            said = "the same number" if same else "a bracket, since the sets of children are too many"
        except TooLargeError:
            baseline, said = None, "refused by the sum over orthants"
        yield Result(
            "count a class by sets of children : by the sum over orthants",
            median_seconds(lambda counted: counted.bracket(60), lambda counted=now: counted, 3),
            baseline,
            note=f"{len(fanouts)} attributes of {fanouts[0]} children, {size} records, at most {cap} in a child: "
            f"{said}.",
        )


def ordering() -> Iterator[Result]:
    """All states of four attributes in order: by whole numbers against fractions."""

    def by_fractions(lattice: Lattice) -> object:
        states = product(*(range(1, height + 1) for height in lattice.top))
        return sorted(states, key=lambda state: (lattice.key(state), state))

    yield Result(
        "order the states of a lattice : by fractions",
        median_seconds(lambda lattice: lattice.states, lambda: Lattice(study(5).attributes)),
        median_seconds(by_fractions, lambda: Lattice(study(5).attributes)),
        note=f"{Lattice(study(5).attributes).size} states; every recoding and every release begins with this.",
    )


def boxes() -> Iterator[Result]:
    """Boxes of enough records in every state: counted against sorted."""
    cells = CellCounts(Grid(study(5).attributes))
    cells.add(cells.grid.codes(locate(table(10_000, 7), study(5)).leaves))
    occupied, states = OccupiedCells.of(cells), study(5).lattice.states

    def sorted_boxes(state: State) -> np.ndarray:
        present, position = np.unique(occupied.grid.box_numbers(state, occupied.leaves), return_inverse=True)
        totals = np.zeros(len(present), dtype=np.int64)
        np.add.at(totals, position, occupied.counts)
        return totals[totals >= LEAST]

    for state in states:
        if occupied.filled(state, LEAST).sizes.tolist() != sorted_boxes(state).tolist():
            raise RuntimeError(f"the boxes of {state} hold other records when they are counted")
    yield Result(
        "boxes of enough records in every state, counted : by sorting the boxes",
        median_seconds(lambda every: [occupied.filled(state, LEAST) for state in every], lambda: states),
        median_seconds(lambda every: [sorted_boxes(state) for state in every], lambda: states),
        note=f"{len(occupied.counts):,} cells with records, {len(states)} states; recoding does this state by state.",
    )


def shortcuts() -> Iterator[Result]:
    """Recoding with whole numbers looked up, many states looked at together and the release known by its cells."""

    def long_way(data: pd.DataFrame) -> list[tuple[Segment, int]]:
        with (
            patch.object(NumberLeaves, "locate_whole", lambda *_: None),
            patch.object(sweep, "FEW_CELLS", 0),
            patch.object(recoding, "LabelGroups", lambda *_: None),
        ):
            return classes(data)

    def classes(data: pd.DataFrame) -> list[tuple[Segment, int]]:
        return [(found.segment, found.size) for found in recode(data, chosen).release.classes]

    for records in SIZES:
        data, chosen = table(records, 7), study(5)
        if long_way(data) != classes(data):
            raise RuntimeError("the short ways give another release")
        yield Result(
            f"recode {records:,} rows : each value compared, each state by itself, each label read back",
            median_seconds(classes, lambda data=data: data),
            median_seconds(long_way, lambda data=data: data),
            note="4 attributes of 4 layers, k = 5, with the classes named; the same release.",
        )


def ends() -> Iterator[Result]:
    """What each cell can hold at least and at most, in the tight attack on the tables of the paper's size."""
    for kind, records in (("clinic", 500), ("hospitals", 800)):
        system = TightSystem(release_of(kind, records, None, 5))
        part = largest(system)
        met = Sampler(system, part).estimate(0).seen

        def fresh(part: SystemPart = part, met: tuple[tuple[int, int], ...] | None = met) -> Ranges:
            ranges = known_ranges(part)
            ranges.seen = None if met is None else ([low for low, _ in met], [high for _, high in met])
            return ranges

        def proven(ranges: Ranges, part: SystemPart = part) -> Ranges:
            close_ranges(part, ranges, lambda: math.inf, certain_only=False)
            return ranges

        def searched(ranges: Ranges, proven: Callable[[Ranges], Ranges] = proven) -> Ranges:
            with patch.object(proofs, "at_the_ends", lambda *_: iter(())):
                return proven(ranges)

        if proven(fresh()) != searched(fresh()):
            raise RuntimeError("the ranges differ")
        yield Result(
            f"prove the ranges of {kind} with linear programs first : by CP-SAT alone",
            median_seconds(proven, fresh, 3),
            median_seconds(searched, fresh, 1),
            note=f"{records} records, k = 5, {len(part.atoms)} atoms; the same ranges.",
        )


def every_ratio(release: Release) -> list[float]:
    """The paper's attack on every class."""
    return [part.ratio for part in attack(release).classes]


def growth() -> Iterator[Result]:
    """Recode, attack and single out tables of ten thousand to a million rows; time as a power of the rows."""
    taken: dict[str, list[float]] = {"recode": [], "attack": [], "single out": []}
    for records in SIZES:
        data, chosen = table(records, 7), study(5)
        recode(data, chosen)  # warm
        frame = recode(data, chosen).frame
        release = Release(chosen, frame)

        taken["recode"].append(_seconds(partial(recode, data, chosen)))
        taken["attack"].append(_seconds(partial(every_ratio, release)))
        taken["single out"].append(_seconds(partial(single_out, attack(release), data)))
    for what, seconds in taken.items():
        for place, records in enumerate(SIZES):
            grown = ""
            if place:
                power = math.log(seconds[place] / seconds[place - 1]) / math.log(records / SIZES[place - 1])
                grown = f"; from {SIZES[place - 1]:,} rows on time grew as their number to the power {power:.2f}"
            yield Result(
                f"{what} {records:,} rows",
                seconds[place],
                note=f"4 attributes of 4 layers, k = 5, processor time, least of 5{grown}.",
            )


def _seconds(action: Callable[[], object]) -> float:
    """The least processor time of five runs."""
    best = math.inf
    for _ in range(5):
        started = time.process_time()
        action()
        best = min(best, time.process_time() - started)
    return best
