"""A scene of the playground: a starting table, and what a person has changed of it.

A scene is written as a short text such as ``toy-k3-m12.7-d4-a9``: the starting table, k, person 12 in cell 7, person 4
gone, somebody new in cell 9. The same text names the scene in the page's script, in the questions that the page asks,
in caches, and in the address. A person keeps the place inside the cell wherever they go, so the text says everything.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from cra_dashboard.playground.names import NAMES
from cra_engine import CRAError, Study
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import number

MOST_PEOPLE = 1500
MOST_CELLS = 64
MOST_CHANGES = 400
LARGEST_K = 50
MOST_ADDED = 60

Cell = tuple[int, int]


@dataclass(frozen=True)
class Person:
    """Somebody in a starting table.

    Attributes:
        name: what the page calls them; made up, or the number of a row.
        cell: where they are: the leaf across and the leaf upwards.
        place: which of the cell's values they have, across and upwards, counted from 0.
    """

    name: str
    cell: Cell
    place: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Base:
    """A starting table on two attributes.

    Attributes:
        name: in the scene's text.
        study: the two attributes, k and the profile.
        people: everybody in it.
        raw: per person the raw values as the table has them, used while a person is at home; empty where the places
            say everything.
    """

    name: str
    study: Study
    people: tuple[Person, ...]
    raw: tuple[tuple[Any, Any], ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        """Cells across and upwards."""
        across, upwards = self.study.attributes
        return across.leaves, upwards.leaves

    def number(self, cell: Cell) -> int:
        """The number of a cell: row by row, the first attribute outside, as the engine counts cells."""
        return cell[0] * self.shape[1] + cell[1]

    def cell(self, number: int) -> Cell:
        """The cell of a number."""
        return divmod(number, self.shape[1])


@dataclass(frozen=True)
class Scene:
    """A starting table with what was changed of it.

    Attributes:
        base: name of the starting table.
        k: smallest class.
        moved: per person that is not at home, the number of the cell.
        gone: who was taken out.
        added: the cells of those who were put in; they are numbered on from those of the starting table.
    """

    base: str
    k: int
    moved: Mapping[int, int] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()
    added: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The scene as a text; :func:`read` gives it back."""
        parts = [self.base, f"k{self.k}"]
        parts += [f"m{person}.{cell}" for person, cell in sorted(self.moved.items())]
        parts += [f"d{person}" for person in sorted(self.gone)]
        parts += [f"a{cell}" for cell in self.added]
        return "-".join(parts)


_PART = re.compile(r"(?:k(?P<k>\d{1,4})|m(?P<who>\d{1,6})\.(?P<to>\d{1,6})|d(?P<gone>\d{1,6})|a(?P<added>\d{1,6}))")


def read(text: str, base: Base) -> Scene:
    """A scene from its text.

    Args:
        text: as :attr:`Scene.text` writes it, with or without the changes in order.
        base: the starting table that the text names.

    Raises:
        CRAError: the text is no scene of this table.
    """
    name, *parts = text.split("-")
    if name != base.name:
        raise CRAError(f"The scene begins with {name[:20]!r}, not with {base.name!r}.")
    if len(parts) > MOST_CHANGES:
        raise CRAError(f"The scene changes more than {MOST_CHANGES} things; start again from the table.")
    cells = base.shape[0] * base.shape[1]
    k, moved, gone, added = base.study.k, {}, set(), []
    for part in parts:
        found = _PART.fullmatch(part)
        if found is None:
            raise CRAError(f"The scene holds {part[:20]!r}, which means nothing.")
        if found["k"]:
            k = int(found["k"])
        elif found["who"]:
            moved[int(found["who"])] = int(found["to"])
        elif found["gone"]:
            gone.add(int(found["gone"]))
        else:
            added.append(int(found["added"]))
    if not 2 <= k <= LARGEST_K:
        raise CRAError(f"The scene has k = {k}; it can be 2 to {LARGEST_K}.")
    if len(added) > MOST_ADDED:
        raise CRAError(f"The scene adds more than {MOST_ADDED} people.")
    if any(person >= len(base.people) for person in (*moved, *gone)):
        raise CRAError("The scene speaks of somebody who is not in its table.")
    if any(cell >= cells for cell in (*moved.values(), *added)):
        raise CRAError(f"The scene speaks of a cell that is not there; there are {cells}.")
    home = {person: cell for person, cell in moved.items() if base.number(base.people[person].cell) != cell}
    return Scene(name, k, {p: c for p, c in home.items() if p not in gone}, frozenset(gone), tuple(added))


def name_of_added(base: Base, position: int) -> str:
    """What somebody who was put in is called: the next free name, then a number."""
    free = [name for name in NAMES if all(person.name != name for person in base.people)]
    return free[position] if position < len(free) else f"New {position + 1}"


def place_of_added(base: Base, position: int) -> tuple[int, int]:
    """Where inside the cell somebody stands who was put in: near the middle, each a little elsewhere."""
    across, upwards = (min(attribute.leaf_values) for attribute in base.study.attributes)
    return (across * (3 + position * 2 % 5) // 10, upwards * (3 + position * 3 % 5) // 10)


def people(base: Base, scene: Scene) -> list[tuple[int, Cell, tuple[int, int]]]:
    """Everybody in a scene: number, cell, and place inside it."""
    found = [
        (number, base.cell(scene.moved[number]) if number in scene.moved else person.cell, person.place)
        for number, person in enumerate(base.people)
        if number not in scene.gone
    ]
    for position, cell in enumerate(scene.added):
        found.append((len(base.people) + position, base.cell(cell), place_of_added(base, position)))
    return found


def study_of(base: Base, scene: Scene) -> Study:
    """The study of a scene: that of its starting table with the scene's k."""
    return base.study if scene.k == base.study.k else base.study.with_k(scene.k)


def frame_of(base: Base, scene: Scene) -> pd.DataFrame:
    """The raw table of a scene, a row per person in order of their numbers."""
    rows = []
    for number_, cell, place in people(base, scene):
        if number_ < len(base.raw) and number_ not in scene.moved:
            rows.append(base.raw[number_])
        else:
            pairs = zip(base.study.attributes, cell, place, strict=True)
            rows.append(tuple(_value(attribute, leaf, at) for attribute, leaf, at in pairs))
    return pd.DataFrame(rows, columns=list(base.study.names))


def _value(attribute: Hierarchy, leaf: int, place: int) -> Any:
    """The raw value at a place inside a leaf; the last one where the leaf has fewer."""
    if not attribute.numeric:
        inside = [value for value, of in attribute.leaf_of_value.items() if of == leaf]
        return inside[min(place, len(inside) - 1)]
    node = attribute.node(1, leaf)
    return number(node.lower + min(place, attribute.leaf_values[leaf] - 1) * attribute.resolution)


# ---------------------------------------------------------------- starting tables


def base_of(name: str, frame: pd.DataFrame, study: Study, names: Iterable[str], *, keep_values: bool = False) -> Base:
    """A starting table from a raw table.

    Args:
        name: in the scene's text.
        frame: the raw table.
        study: of two attributes.
        names: what the people are called.
        keep_values: True to keep the raw values, for a table whose values need not be whole steps.

    Raises:
        CRAError: the table does not fit the study, or is too large to stay live.
    """
    limit(frame, study)
    leaves = locate(frame, study).leaves
    places = [_places(frame[a.name], a, leaves[:, i]) for i, a in enumerate(study.attributes)]
    found = tuple(
        Person(called, (int(leaf[0]), int(leaf[1])), (across, upwards))
        for called, leaf, across, upwards in zip(names, leaves, *places, strict=False)
    )
    raw = tuple(frame[list(study.names)].itertuples(index=False, name=None)) if keep_values else ()
    return Base(name, study, found, raw)


def limit(frame: pd.DataFrame, study: Study) -> None:
    """Refuse what would not stay live.

    Raises:
        CRAError: too many people or too many cells.
    """
    if len(frame) > MOST_PEOPLE:
        raise CRAError(
            f"The table has {len(frame):,} records; up to {MOST_PEOPLE:,} can be followed while they are moved."
        )
    cells = int(np.prod([attribute.leaves for attribute in study.attributes]))
    if cells > MOST_CELLS:
        shape = " x ".join(str(attribute.leaves) for attribute in study.attributes)
        raise CRAError(
            f"The two hierarchies cut the table into {shape} = {cells:,} cells; up to {MOST_CELLS} can be followed "
            "while people are moved."
        )


def _places(column: "pd.Series[Any]", attribute: Hierarchy, leaves: Any) -> list[int]:
    """Per person the place of the value inside its leaf, in whole steps."""
    if not attribute.numeric:
        order = {leaf: [v for v, of in attribute.leaf_of_value.items() if of == leaf] for leaf in set(leaves.tolist())}
        texts = [str(value).strip() for value in column]
        return [order[leaf].index(text) for text, leaf in zip(texts, leaves.tolist(), strict=True)]
    result = []
    for value, leaf in zip(numbers(column)[0].tolist(), leaves.tolist(), strict=True):
        node = attribute.node(1, leaf)
        steps = (Decimal(repr(value)) - node.lower) / attribute.resolution
        result.append(max(0, min(int(steps), attribute.leaf_values[leaf] - 1)))
    return result


def renamed(base: Base, names: Mapping[int, str]) -> Base:
    """The same table with some people called otherwise."""
    return replace(
        base, people=tuple(replace(p, name=names.get(number_, p.name)) for number_, p in enumerate(base.people))
    )
