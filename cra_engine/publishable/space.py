"""What may be chosen: how each column goes out, k, the way to publish, and what becomes of missing values."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from cra_engine.checks.check import column_roles
from cra_engine.checks.labels import said_in
from cra_engine.checks.rule import Rule
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.criteria.models import PrivacyModel
from cra_engine.criteria.t_closeness import Distance, TCloseness
from cra_engine.errors import CRAError, DataError, StudyError
from cra_engine.options.measures import as_numbers
from cra_engine.options.option import LIKELIEST, Way, possible_layers, with_layers
from cra_engine.publish.published_rows import published_rows
from cra_engine.raw.columns import gaps_in
from cra_engine.raw.contents import inspect
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.study.attribute import Attribute
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.grid import MAX_CELLS
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import MAX_STATES
from cra_engine.study.roles import Role, Roles
from cra_engine.study.study import Study
from cra_engine.utility.certainty_penalty import certainty_penalty
from cra_engine.words import listed

AS_IT_IS, REMOVED = -1, 0
TIMES_K = (1, 2, 4)
GLOBAL_LIMITS = (Decimal(0), Decimal("0.05"))
GAPS = ("category", "*", "leave-out")


@dataclass(frozen=True)
class Pin:
    """What has to stay of a column.

    Attributes:
        name: the column; it may not be removed.
        widest: the widest that its finest intervals may become: 10 keeps an age in tens. None: as wide as need be.
    """

    name: str
    widest: Decimal | None = None

    @classmethod
    def of(cls, text: str) -> "Pin":
        """Returns a pin as people write it: ``age`` or ``age=10``.

        Raises:
            StudyError: what follows ``=`` is no number above 0.

        >>> Pin.of("age=10")
        Pin(name='age', widest=Decimal('10'))
        """
        name, equals, width = text.rpartition("=")
        if not equals:
            return cls(text)
        try:
            widest = Decimal(width)
        except ArithmeticError:
            widest = Decimal(0)
        if not widest > 0:
            raise StudyError(f"{text[:60]!r} keeps nothing: give a column, or a column and a width, such as age=10.")
        return cls(name, widest)


@dataclass(frozen=True)
class Choice:
    """One of all combinations.

    Attributes:
        heights: per column of the space how it goes out: ``AS_IT_IS``, ``REMOVED``, or the layers of its hierarchy;
            fewer layers are coarser finest intervals.
        k: smallest number of records that may share a class.
        way: how the table is published.
        gaps: what becomes of missing values that nobody decided about.
    """

    heights: tuple[int, ...]
    k: int
    way: Way
    gaps: str


@dataclass(frozen=True, eq=False)
class ChosenColumn:
    """A column about which there is something to choose.

    Attributes:
        name: of the column.
        hierarchy: what it is published by where it is made coarser, as fine as may be; None where it cannot be.
        heights: how it may go out, what costs least first.
        open_gaps: True where it has missing values that nobody decided about.
        known: True where it is a quasi-identifier of the study.
    """

    name: str
    hierarchy: Hierarchy | None
    heights: tuple[int, ...]
    open_gaps: bool
    known: bool


@dataclass(frozen=True, eq=False)
class Space:
    """All that may be chosen for a table.

    Attributes:
        data: the raw table.
        study: the publisher's, its roles confirmed.
        columns: those about which there is something to choose, in the order of the study and then of the table.
        sensitive: the sensitive columns, which go out as they are.
        ks: the k to try, the smallest first.
        ways: the ways to publish.
        gaps: what may become of missing values.
        privacy: what each class has to fulfil besides k: the study's models, and those that the rule comes to.
        notes: what was taken for decided, as sentences.
    """

    data: pd.DataFrame
    study: Study
    columns: tuple[ChosenColumn, ...]
    sensitive: tuple[str, ...]
    ks: tuple[int, ...]
    ways: tuple[Way, ...]
    gaps: tuple[str, ...]
    privacy: tuple[PrivacyModel, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, data: pd.DataFrame, study: Study, rule: Rule, pins: Sequence[Pin] = ()) -> "Space":
        """Returns what may be chosen for a table.

        Args:
            data: the raw table.
            study: quasi-identifiers with hierarchies as fine as may be, k, and roles of the other columns.
            rule: what the check demands.
            pins: what has to stay.

        Raises:
            DataError: the table lacks a column, or has no record.
            StudyError: a pin names no column that could go out, or leaves nothing to choose.
        """
        if not len(data):
            raise DataError("The table holds no record; it needs one row per person below the column names.")
        study.roles.check(list(data.columns))
        if study.earlier:
            raise StudyError(
                "The study names a release of the same people that is out already, inside which the next one has to be "
                "drawn: take safe recoding with the earlier release, not a search for other settings."
            )
        study, notes = _decided(data, study)
        pinned = {pin.name: pin for pin in pins}
        for name in pinned:
            if name not in map(str, data.columns) or name in study.roles.remove:
                raise StudyError(f"The column {name[:60]!r} does not go out, so that nothing of it can stay.")
        proposed = {column.name: column.hierarchy for column in inspect(data[list(study.roles.keep)])}
        direct = {column.name for column in column_roles(data, study) if column.direct}
        columns = [
            *(_quasi_identifier(data, attribute, pinned.get(attribute.name)) for attribute in study.attributes),
            *(
                _kept(data, name, None if name in direct else proposed[name], pinned.get(name), direct=name in direct)
                for name in study.roles.keep
            ),
        ]
        least = max(study.k, rule.least(study.k), math.ceil(1 / rule.risk(study.k)) if rule.risk(study.k) else 2)
        ks = tuple(k for k in (least * times for times in TIMES_K) if k <= len(data))
        if not ks:
            raise StudyError(f"k = {least} is more than the {len(data):,} records of the table; take a smaller k.")
        privacy = (*study.privacy, *(one for one in _demanded(data, study, rule) if one not in study.privacy))
        ways = (
            *((Way.of(study),) if study.safe else (Way("local", study.profile), Way("safe", Decimal(1)))),
            *(Way("global", limit, privacy) for limit in GLOBAL_LIMITS),
            *(() if study.safe else (Way("repaired", LIKELIEST),)),
        )
        gaps = GAPS if any(column.open_gaps for column in columns) else ("",)
        return cls(data, study, tuple(columns), study.roles.sensitive, ks, ways, gaps, privacy, notes)

    @cached_property
    def published(self) -> int:
        """Number of columns that go out by the confirmed roles."""
        return len(self.columns) + len(self.sensitive)

    @property
    def size(self) -> int:
        """Number of all combinations."""
        return math.prod(len(column.heights) for column in self.columns) * self.per_heights

    @property
    def per_heights(self) -> int:
        """Number of combinations of k, way and missing values."""
        return len(self.ks) * len(self.ways) * len(self.gaps)

    def choices(self) -> Iterator[Choice]:
        """All combinations."""
        for heights in product(*(column.heights for column in self.columns)):
            yield from self.choices_with(heights)

    def choices_with(self, heights: tuple[int, ...]) -> Iterator[Choice]:
        """All combinations in which each column goes out so; none where no quasi-identifier would be left, or too many.

        More quasi-identifiers than the engine takes are never published: what they come to is not looked at.
        """
        grouped = [
            with_layers(column.hierarchy, height)
            for column, height in zip(self.columns, heights, strict=True)
            if height > 0 and column.hierarchy is not None
        ]
        if (
            not grouped
            or math.prod(one.leaves + 1 for one in grouped) > MAX_CELLS
            or math.prod(one.layers for one in grouped) > MAX_STATES
        ):
            return
        for gaps in self.gaps:
            for way in self.ways:
                if not (
                    gaps == "*" and way.name == "safe"
                ):  # safe recoding knows no cells that are open from the start
                    for k in self.ks:
                        yield Choice(heights, k, way, gaps)

    def base(self, heights: tuple[int, ...], gaps: str) -> Study:
        """Returns the study whose options the choices with these columns are: every hierarchy as fine as may be."""
        shown = dict(zip((column.name for column in self.columns), heights, strict=True))
        attributes = [
            column.hierarchy.with_missing(gaps) if column.open_gaps else column.hierarchy
            for column in self.columns
            if shown[column.name] > 0 and column.hierarchy is not None
        ]
        roles = self.study.roles
        removed = [name for name, height in shown.items() if height == REMOVED]
        kept = [name for name in roles.keep if shown[name] == AS_IT_IS]
        return Study(
            attributes,
            self.study.k,
            self.study.profile,
            self.privacy,
            Roles((*roles.remove, *removed), roles.sensitive, kept),
            self.study.epsilon,
            self.study.quality.of([attribute.name for attribute in attributes]),
        )

    @cached_property
    def domains(self) -> Mapping[str, "pd.Series[Any]"]:
        """Per column that may be made coarser its values, missing ones left out; what is lost is a share of these."""
        return {
            column.name: _filled(self.data, column.hierarchy)[column.name]
            for column in self.columns
            if column.hierarchy is not None
        }

    def least_costs(self, gaps: str) -> list[dict[int, float]]:
        """Returns per column, and per way that it may go out, a cost that no choice with it is below."""
        return [{height: self._least(column, height, gaps) for height in column.heights} for column in self.columns]

    def _least(self, column: ChosenColumn, height: int, gaps: str) -> float:
        if height == AS_IT_IS:
            return 0.0
        if height == REMOVED or column.hierarchy is None:
            return 1.0
        hierarchy = with_layers(column.hierarchy.with_missing(gaps) if column.open_gaps else column.hierarchy, height)
        study = Study([hierarchy], 2)
        try:
            located = locate(self.data[[column.name]], study)
        except CRAError:
            return 1.0  # it cannot be published so, and who tries is told why
        labels = np.array([node.label for node in hierarchy.layer_nodes[0]], dtype=object)
        hidden = located.complete.gaps.get(column.name)
        shown = labels[located.leaves[:, 0]]
        if hierarchy.missing == "*" and hidden is not None:
            shown = np.where(hidden, hierarchy.layer_nodes[-1][0].label, shown)
        frame = pd.DataFrame({column.name: shown})
        lost = certainty_penalty(published_rows(frame, study), self.domains, [column.name])
        left_out = len(located.complete.left_out)
        return (lost * len(frame) + left_out) / (len(frame) + left_out)


def _decided(data: pd.DataFrame, study: Study) -> tuple[Study, tuple[str, ...]]:
    """The study with roles for columns of which nobody said anything, and sentences on what was supposed."""
    roles, notes = study.roles, []
    taken: dict[str, list[str]] = {}
    for column in column_roles(data, study):
        if column.role != "undecided":
            continue
        role: Role = "removed" if column.direct else "sensitive" if column.proposed == "sensitive" else "kept"
        roles = roles.given(column.name, role)
        taken.setdefault("kept, coarser or not" if role == "kept" else role, []).append(column.name)
    for said, names in taken.items():
        notes.append(f"Nobody decided about {listed([repr(name) for name in names])}: taken as {said}, as proposed.")
    return study.with_roles(roles), tuple(notes)


def _quasi_identifier(data: pd.DataFrame, attribute: Hierarchy, pin: Pin | None) -> ChosenColumn:
    missing = bool(gaps_in(data[attribute.name], attribute).any()) and not attribute.missing
    return ChosenColumn(attribute.name, attribute, _heights(attribute, pin), missing, known=True)


def _kept(data: pd.DataFrame, name: str, hierarchy: Hierarchy | None, pin: Pin | None, *, direct: bool) -> ChosenColumn:
    """A column that may stay as it is, become coarser, or go; what says who somebody is can only go."""
    if hierarchy is not None:
        try:
            _filled(data, hierarchy)
        except CRAError:  # some cells are none of it; nobody asked for it, so nobody is told
            hierarchy = None
    coarser = _heights(hierarchy, pin) if hierarchy is not None else () if pin else (REMOVED,)
    heights = (*(() if direct and pin is None else (AS_IT_IS,)), *coarser)
    missing = hierarchy is not None and bool(gaps_in(data[name], hierarchy).any())
    return ChosenColumn(name, hierarchy, heights, missing, known=False)


def _filled(data: pd.DataFrame, hierarchy: Hierarchy) -> pd.DataFrame:
    """The rows in which one column says something, its numbers as numbers."""
    gaps = gaps_in(data[hierarchy.name], hierarchy)
    return as_numbers(data.loc[~gaps, [hierarchy.name]], Study([hierarchy], 2))


def _heights(hierarchy: Hierarchy, pin: Pin | None) -> tuple[int, ...]:
    """Heights of at least two layers that a hierarchy may have, the finest first, and to be removed unless pinned.

    Raises:
        StudyError: a pin asks for finer intervals than the hierarchy has.
    """
    may_change = isinstance(hierarchy, Attribute | FileHierarchy)
    most = hierarchy.layers
    heights = [n for n in possible_layers(hierarchy) if 2 <= n <= most][::-1] if may_change else [most]
    if pin is None:
        return (*heights, REMOVED)
    if pin.widest is not None:
        heights = [n for n in heights if _width(hierarchy, n) <= pin.widest]
        if not heights:
            raise StudyError(
                f"{pin.name!r} is to stay in intervals of {pin.widest}, and the finest of its hierarchy are of "
                f"{_width(hierarchy, most)}; give a hierarchy with finer ones."
            )
    return tuple(heights)


def _width(hierarchy: Hierarchy, layers: int) -> Decimal:
    if not hierarchy.numeric:
        raise StudyError(f"{hierarchy.name!r} holds categories, which have no width; keep it without one.")
    nodes = with_layers(hierarchy, layers).layer_nodes[0]
    return max(Decimal(node.upper) - Decimal(node.lower) for node in nodes if not node.coded)


def _demanded(data: pd.DataFrame, study: Study, rule: Rule) -> Iterator[PrivacyModel]:
    """The models by which local and global recoding heed what the rule demands of sensitive columns.

    A model is told nothing by an empty cell, so that recoding by it refuses such columns; of them the check decides.
    """
    for name in study.roles.sensitive:
        if not said_in(data[name]).all():
            continue
        if rule.l > 1:
            yield LDiversity(name, rule.l)
        if rule.t is not None:
            distance: Distance = "ordered" if np.isfinite(numbers(data[name])[0]).all() else "equal"
            yield TCloseness(name, rule.t, distance)
