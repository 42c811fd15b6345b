"""The difference attack: what the columns beside the quasi-identifiers tell of people whom one release has besides.

Where each release is of part of the people of the next and their other columns stand as they are, the values that the
larger one shows more often are those of the people whom it has besides. That holds of the whole table, and of each
group of classes whose people are the same in both but for these: classes that can own a common cell in which people of
the smaller release can lie belong to one group, and nobody of it lies elsewhere.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from cra_engine.attacks.composition.system import JointSystem
from cra_engine.attacks.solver.parts import Limits
from cra_engine.files.tables import column_of
from cra_engine.release import Release
from cra_engine.words import how_many, listed

HIDDEN = "*"
MOST_NAMED = 6


@dataclass(frozen=True)
class Difference:
    """What two releases of tables that grow differ by in one column.

    Attributes:
        earlier: position of the smaller release; the next one is the larger.
        column: the column.
        people: per value how many of the people whom the larger release has besides have it.
        groups: the same per group of classes that has people besides, by the classes of the larger release.
    """

    earlier: int
    column: str
    people: Counter[str]
    groups: dict[tuple[int, ...], Counter[str]]

    def __str__(self) -> str:
        """What it says, in a sentence."""
        number, who = self.people.total(), f"whom release {self.earlier + 2} alone has"
        whose = f"person {who}" if number == 1 else f"{number:,} people {who}"
        values = {
            value or "(empty)": f" ({count:,})" if number > 1 else "" for value, count in self.people.most_common()
        }
        named = [f"{value}{count}" for value, count in values.items()][:MOST_NAMED]
        if (more := len(self.people) - MOST_NAMED) > 0:
            named.append(how_many(more, "more value"))
        return (
            f"Release {self.earlier + 2} less release {self.earlier + 1} gives the {self.column} of the {whose}: "
            f"{listed(named)}."
        )


def differences(system: JointSystem, limits: Limits) -> tuple[Difference, ...]:
    """Subtract the sensitive columns of each release from those of the next, where tables grow.

    A column whose values do not fit says nothing: they have changed, or the people are not part of the others.

    Args:
        system: the joint system.
        limits: per count the least and the most that it can be, as was proven.
    """
    releases = [tight.release for tight in system.alone]
    if not system.grown or any(release.counted is not None for release in releases):
        return ()
    found = []
    for earlier, (one, other) in enumerate(pairwise(releases)):
        if one.records == other.records:
            continue
        groups = _groups(system, limits, earlier)
        for column in _shown(one, other):
            less, more = _by_class(one, column), _by_class(other, column)
            besides = {}
            for before, after in groups:
                values = sum((more[own] for own in after), Counter[str]())
                values.subtract(sum((less[own] for own in before), Counter[str]()))
                besides[after] = values
            if all(number >= 0 for values in besides.values() for number in values.values()):
                told = {tuple(sorted(after)): +values for after, values in besides.items() if +values}
                found.append(Difference(earlier, column, sum(told.values(), Counter[str]()), told))
    return tuple(found)


def _shown(one: Release, other: Release) -> list[str]:
    """The sensitive columns that both releases show, with no cell of them hidden."""
    named = dict.fromkeys(name for release in (one, other) for name in release.study.roles_by_models.sensitive)
    both = [name for name in named if name in one.table.columns and name in other.table.columns]
    return [name for name in both if not any(HIDDEN in _values(release, name) for release in (one, other))]


def _values(release: Release, column: str) -> list[str]:
    return column_of(release.table, column).astype(str).str.strip().tolist()


def _by_class(release: Release, column: str) -> dict[int, Counter[str]]:
    """Per class, or owner, how many of its records show each value."""
    held: dict[int, Counter[str]] = {}
    for owner, value in zip(release.class_of_row.tolist(), _values(release, column), strict=True):
        held.setdefault(owner, Counter())[value] += 1
    return held


def _groups(system: JointSystem, limits: Limits, earlier: int) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Groups of classes of two releases in which the same people lie, but for those whom the larger has besides."""
    sides = [{int(owner) for owner in system.alone[at].release.class_of_row} for at in (earlier, earlier + 1)]
    if any(tight.release.study.safe for tight in system.alone):
        return [(frozenset(sides[0]), frozenset(sides[1]))]
    owners = system.possible_owners()
    group: dict[tuple[int, int], tuple[int, int]] = {(side, own): (side, own) for side in (0, 1) for own in sides[side]}

    def head(node: tuple[int, int]) -> tuple[int, int]:
        while group[node] != node:
            node = group[node]
        return node

    for cell in range(len(system.cells)):
        if not any(limits[system.variable(cell, time)][1] for time in system.seen(earlier)):
            continue  # nobody of the smaller release is here, so that nothing here hangs together
        here = [(side, own) for side in (0, 1) for own in owners[earlier + side][cell] & sides[side]]
        for node in here[1:]:
            group[head(node)] = head(here[0])
    made: dict[tuple[int, int], tuple[set[int], set[int]]] = {}
    for side, own in group:
        made.setdefault(head((side, own)), (set(), set()))[side].add(own)
    return [(frozenset(before), frozenset(after)) for before, after in made.values()]
