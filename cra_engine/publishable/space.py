"""What may be chosen: how each column goes out, k, the way to publish, and what becomes of missing values."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.checks.columns import column_roles
from cra_engine.checks.findings import outsiders
from cra_engine.checks.labels import as_text, said_in
from cra_engine.checks.rule import Rule
from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.criteria.models import PrivacyModel
from cra_engine.criteria.t_closeness import Distance, TCloseness
from cra_engine.errors import CRAError, DataError, StudyError
from cra_engine.options.detail import BASIC_WEIGHT, basic_in, column_detail_lost, detail_weights, extent_detail_lost
from cra_engine.options.option import LIKELIEST, Way, with_layers
from cra_engine.publish.published_rows import extent_of
from cra_engine.publishable.choice import AS_IT_IS, REMOVED, Choice, Decided, Heights, Pin
from cra_engine.publishable.columns import ChosenColumn, kept, quasi_identifier
from cra_engine.published import Extents
from cra_engine.raw.alike_rows import AlikeRows
from cra_engine.raw.column_looks import Look
from cra_engine.raw.columns import gaps_in, read_column
from cra_engine.raw.contents import inspect
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import LEFT_OUT, locate
from cra_engine.raw.proposed_roles import ProposedRole, looks_of, roles_by_looks
from cra_engine.raw.written import rows_left
from cra_engine.risk.uniques import cell_codes
from cra_engine.study.grid import MAX_CELLS
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import MAX_STATES, Lattice
from cra_engine.study.roles import Role
from cra_engine.study.study import Study
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import listed, rows_text

TIMES_K = (1, 2, 4)
GLOBAL_LIMITS = (Decimal(0), Decimal("0.05"))
MOST_DIFFERENT = 0.5  # of all rows, up to which different ones are counted
GAPS = ("category", "*", "leave-out")


@dataclass(frozen=True, eq=False)
class ShownLayers:
    """What the records of a table may show of one column, layer by layer.

    Attributes:
        ranks: per layer and record the number of what it shows on that layer.
        lost: the same of the share of the column's detail that it loses by showing it.
    """

    ranks: NDArray[np.int64]
    lost: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Space:
    """All that may be chosen to make a table publishable.

    Attributes:
        data: the raw table, without the rows that were decided to be left out.
        study: the publisher's, its roles confirmed.
        columns: those about which there is something to choose, in the order of the study and then of the table.
        sensitive: the sensitive columns, which go out as they are.
        ks: the k to try, the smallest first.
        ways: the ways to publish.
        gaps: what may become of missing values.
        privacy: what each class has to fulfil besides k: the study's models, and those that the rule comes to.
        notes: what was taken for decided, as sentences.
        decided: what was decided besides, with what has to stay.
        raw: the raw table, with every row.
        repeating: those rows that were decided to be left out and repeat another in every column: nothing is lost
            with them.
        rows: per row of ``data`` its row in the raw table, counted from 1.
        looks: what the columns of all rows that are not left out look like.
        counted: rows that are alike, which ``data`` holds once; None where it holds all.
        every: the same with every row, where rows that are alike are counted; see :meth:`alike`.
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
    decided: Decided
    raw: pd.DataFrame
    repeating: tuple[int, ...]
    rows: NDArray[np.int64]
    looks: tuple[Look, ...]
    counted: AlikeRows | None = None
    every: "Space | None" = None

    @classmethod
    def of(
        cls, data: pd.DataFrame, study: Study, rule: Rule, pins: Sequence[Pin] = (), decided: Decided | None = None
    ) -> "Space":
        """Returns what may be chosen to make a table publishable.

        Args:
            data: the raw table.
            study: quasi-identifiers with hierarchies as fine as may be, k, and roles of the other columns.
            rule: what the check demands.
            pins: what has to stay.
            decided: what was decided before, where the study is that of an outcome.

        Raises:
            DataError: the table lacks a column, or has no record that is not left out.
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
        looks, said = looks_of(data), study.roles
        study, notes = _roles_decided(data, study, roles_by_looks(looks, study.names))
        before, records, raw = decided or Decided(), len(data), data
        data, rows = _left_in(data, before)
        looks = looks if len(data) == records else looks_of(data)
        again = raw.duplicated().to_numpy() if before.without_rows else np.zeros(records, dtype=bool)
        repeating = tuple(row for row in before.without_rows if again[row - 1])
        pinned = {pin.name: pin for pin in pins}
        for name in pinned:
            if name not in map(str, data.columns) or name in study.roles.remove:
                raise StudyError(f"The column {name[:60]!r} does not go out, so that nothing of it can stay.")
        proposed = {column.name: column.hierarchy for column in inspect(data[list(study.roles.keep)])}
        seen = column_roles(data, study, proposed=roles_by_looks(looks, study.names))
        never = {one.name for one in seen if one.direct or (one.untold and said.of(one.name) == "undecided")}
        never |= set(outsiders(seen))
        columns = [
            *(quasi_identifier(data, attribute, pinned.get(attribute.name)) for attribute in study.attributes),
            *(
                kept(data, name, proposed[name], pinned.get(name), as_it_is=name not in never)
                for name in study.roles.keep
            ),
            *(ChosenColumn(name, None, (REMOVED,), open_gaps=False, known=False) for name in before.removed),
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
        besides = replace(before, pins=tuple(pins))
        sensitive = study.roles.sensitive
        return cls(
            data,
            study,
            tuple(columns),
            sensitive,
            ks,
            ways,
            gaps,
            privacy,
            notes,
            besides,
            raw,
            repeating,
            rows,
            looks,
        )

    def alike(self) -> "Space":
        """Returns the same with rows counted together that no choice tells apart; itself where hardly any are alike.

        Rows are alike whose cells stand on the same leaves of the finest hierarchies; where a column may go out as it
        is, and in sensitive columns, they hold the same.
        """
        if not self._by_counts:
            return self
        keys = np.zeros(len(self.data), dtype=np.int64)
        for codes in (
            *map(self._finest, range(len(self.columns))),
            *(cell_codes(self.data[n]) for n in self.sensitive),
        ):
            keys = pd.factorize(keys * (int(codes.max(initial=0)) + 1) + codes)[0]
        _, first, row_of, times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        if len(first) > len(keys) * MOST_DIFFERENT:
            return self
        data = self.data.iloc[first].reset_index(drop=True)
        values = {one.hierarchy.name: self._different(one.hierarchy) for one in self.columns if one.hierarchy}
        counted = AlikeRows(data, times.astype(np.int64), first, (), row_of.astype(np.int64), values)
        return replace(self, data=data, rows=self.rows[first], counted=counted, every=self)

    def showing(self, names: Sequence[str], least: int = 1) -> "Space | None":
        """Returns the same where some columns may not be removed; None where one cannot go out, or all have to anyway.

        Args:
            names: the columns.
            least: how many layers of its hierarchy each goes out by at least.
        """
        columns = tuple(
            replace(one, heights=tuple(height for height in one.heights if height == AS_IT_IS or height >= least))
            if one.name in names
            else one
            for one in self.columns
        )
        before = [one.heights for one in self.columns]
        if not all(one.heights for one in columns) or [one.heights for one in columns] == before:
            return None
        return replace(self, columns=columns, every=None if self.every is None else self.every.showing(names, least))

    @property
    def _by_counts(self) -> bool:
        """Whether what is published depends on counts alone, not on which row comes first; ARX's own order does."""
        hierarchies = [column.hierarchy for column in self.columns if column.hierarchy is not None]
        uniform = all(Lattice([one]).uniform for one in hierarchies)
        return uniform and self.study.quality.plain and not any(isinstance(m, AverageRisk) for m in self.privacy)

    def _different(self, hierarchy: Hierarchy) -> NDArray[np.int64]:
        """Per row the number of its value of a column, a gap being one."""
        cells = self.data[hierarchy.name]
        values = read_column(cells, hierarchy, every=False, gaps=gaps_in(cells, hierarchy)).raw_values
        return np.asarray(pd.factorize(values, use_na_sentinel=False)[0], dtype=np.int64)

    def _finest(self, place: int) -> NDArray[np.int64]:
        """Per row a number, from 0, for what is told apart of a column by the finest that may be published of it."""
        column = self.columns[place]
        if column.hierarchy is None or AS_IT_IS in column.heights:
            return cell_codes(self.data[column.name]) if column.heights != (REMOVED,) else np.zeros_like(self.rows)
        codes = self.codes(place, column.hierarchy.layers, "leave-out").astype(np.int64) + 1
        # Where no cell could be placed the cells themselves are told apart.
        return codes if codes.any() and len(np.unique(codes)) > 1 else cell_codes(self.data[column.name])

    @property
    def records(self) -> int:
        """Number of rows of the raw table."""
        return len(self.raw)

    @property
    def repeats(self) -> int:
        """Number of rows that are left out and repeat another."""
        return len(self.repeating)

    @property
    def people(self) -> int:
        """Number of records that are not left out."""
        return int(self.often.sum())

    @cached_property
    def often(self) -> NDArray[np.int64]:
        """How many records each row stands for."""
        return np.ones(len(self.data), dtype=np.int64) if self.counted is None else self.counted.records

    @cached_property
    def _proposed(self) -> dict[tuple[tuple[str, ...], bytes], tuple[ProposedRole, ...]]:
        return {}

    def proposed(self, study: Study, rows: NDArray[np.int64] | None = None) -> tuple[ProposedRole, ...]:
        """Returns what is proposed for all columns of the raw table beside the quasi-identifiers of a study.

        Rows that are alike hold one cell of several different ones: proposals are made by those of every record.

        Args:
            study: of the quasi-identifiers.
            rows: the rows of ``data`` that are left, where a choice leaves some out.
        """
        left = np.zeros(len(self.data), dtype=bool)
        left[slice(None) if rows is None else rows] = True
        key = study.names, np.packbits(left).tobytes()
        if key not in self._proposed:
            records = left if self.counted is None else left[self.counted.row_of]
            looks = self.looks if records.all() else tuple(look.among(records) for look in self.looks)
            self._proposed[key] = roles_by_looks(looks, study.names)
        return self._proposed[key]

    @cached_property
    def varying(self) -> frozenset[str]:
        """The columns to choose about in which not all records are alike."""
        data = self.data if self.every is None else self.every.data
        return frozenset(column.name for column in self.columns if len(data[column.name].dropna().unique()) > 1)

    def told(self, name: str) -> Mapping[str, int]:
        """Returns how many people have each value of a column that goes out as it is, read once.

        Many tables are published by one space, and each says which values are in none of its rows. A word that says
        that nobody knows is a value where a hierarchy lists it, as somebody decided.
        """
        if name not in self._told:
            cells = as_text(self.everybody[name])
            hierarchy = next((one.hierarchy for one in self.columns if one.name == name), None)
            values = self.study.roles.as_values
            said = said_in(cells, values) if hierarchy is None else ~gaps_in(cells, hierarchy)
            counts = cells[said | (cells == ROOT_LABEL).to_numpy()].value_counts()
            self._told[name] = dict(zip(map(str, counts.index), map(int, counts), strict=True))
        return self._told[name]

    @cached_property
    def _told(self) -> dict[str, Mapping[str, int]]:
        return {}

    @cached_property
    def everybody(self) -> pd.DataFrame:
        """The raw table without the rows that repeat another, as was decided: a row per person."""
        return self.raw[~np.isin(np.arange(1, len(self.raw) + 1), self.repeating)] if self.repeating else self.raw

    @cached_property
    def own_category(self) -> Mapping[str, int]:
        """Number of missing values per column in which they were decided to be a category of their own."""
        asked = [one for one in self.study.attributes if one.missing == "category"]
        return {one.name: int(gaps_in(self.everybody[one.name], one).sum()) for one in asked}

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """What each column that goes out by the confirmed roles counts: age, a date of birth and sex most."""
        names = [*(column.name for column in self.columns), *self.sensitive]
        return detail_weights(names, basic_in(self.looks))

    @cached_property
    def basic(self) -> tuple[str, ...]:
        """The columns to choose about that count most: age, dates of birth and sex."""
        return tuple(column.name for column in self.columns if self.weights[column.name] == BASIC_WEIGHT)

    @cached_property
    def whole(self) -> float:
        """What all columns that go out by the confirmed roles count together."""
        return sum(self.weights.values())

    @cached_property
    def coarsest(self) -> Heights:
        """Every column removed, and what has to stay as coarse as it may be."""
        return tuple(
            REMOVED if REMOVED in column.heights else min(column.heights, key=lambda height: (height < 0, height))
            for column in self.columns
        )

    @property
    def size(self) -> int:
        """Number of all combinations that the search may choose."""
        return math.prod(len(column.heights) for column in self.columns) * self.per_heights

    @property
    def per_heights(self) -> int:
        """Number of combinations of k, way and missing values."""
        return len(self.ks) * len(self.ways) * len(self.gaps)

    def choices(self) -> Iterator[Choice]:
        """All combinations that the search may choose."""
        for heights in product(*(column.heights for column in self.columns)):
            yield from self.choices_with(heights)

    def choices_with(self, heights: Heights) -> Iterator[Choice]:
        """All combinations in which each column goes out so; none where no quasi-identifier would be left, or too many.

        More quasi-identifiers than the engine takes are never published: what they come to is not looked at.
        """
        if not self.fits(heights):
            return
        for gaps in self.gaps_of(heights):
            for way in self.ways:
                if not (
                    gaps == "*" and way.name == "safe"
                ):  # safe recoding knows no cells that are open from the start
                    for k in self.ks:
                        yield Choice(heights, k, way, gaps)

    def gaps_of(self, heights: Heights) -> tuple[str, ...]:
        """Returns what may become of missing values: one and the same where these columns have none left open."""
        open_gaps = any(c.open_gaps for c, height in zip(self.columns, heights, strict=True) if height > 0)
        return self.gaps if open_gaps else ("",)

    def gaps_for(self, heights: Heights, wanted: str) -> str:
        """Returns what becomes of missing values: as wanted, where these columns leave that open."""
        able = self.gaps_of(heights)
        return wanted if wanted in able else able[0]

    def left_out_by(self, heights: Heights, gaps: str) -> list[str]:
        """Returns the columns whose missing values leave rows out: a column that is not shown leaves none out."""
        return [
            column.name
            for column, height in zip(self.columns, heights, strict=True)
            if height > 0 and (column.leaves_out or (column.open_gaps and gaps == LEFT_OUT))
        ]

    def fits(self, heights: Heights) -> bool:
        """Whether some quasi-identifier is left, and no more than the engine takes."""
        grouped = [
            (with_layers(column.hierarchy, height), column.open_gaps)  # missing values may get a leaf of their own
            for column, height in zip(self.columns, heights, strict=True)
            if height > 0 and column.hierarchy is not None
        ]
        leaves = math.prod(one.leaves + gaps for one, gaps in grouped)
        return bool(grouped) and leaves <= MAX_CELLS and math.prod(one.layers for one, _ in grouped) <= MAX_STATES

    def base(self, heights: Heights, gaps: str) -> Study:
        """Returns the study whose options the choices with these columns are: every hierarchy as fine as may be."""
        shown = dict(zip((column.name for column in self.columns), heights, strict=True))
        attributes = [
            column.hierarchy.with_missing(gaps) if column.open_gaps and gaps else column.hierarchy
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
            replace(roles, remove=tuple(dict.fromkeys((*roles.remove, *removed))), keep=tuple(kept)),
            self.study.epsilon,
            self.study.quality.of([attribute.name for attribute in attributes]),
        )

    @cached_property
    def domains(self) -> Mapping[str, "pd.Series[Any]"]:
        """Per column that may be made coarser its values; see :class:`ChosenColumn`."""
        return {column.name: column.domain for column in self.columns if column.domain is not None}

    def least_cost(self, place: int, height: int, gaps: str) -> float:
        """Returns what a column that goes out so costs at least, whatever else is chosen."""
        return self.weights[self.columns[place].name] / self.whole * self._shown(place, height, gaps)[1]

    def bound(self, heights: Heights, gaps: str) -> float:
        """Returns a cost that no choice with these columns is below."""
        cost = sum(self.least_cost(place, height, gaps) for place, height in enumerate(heights))
        records = self.records - self.repeats
        return (cost * self.people + records - self.people) / records

    def codes(self, place: int, height: int, gaps: str) -> NDArray[np.int32]:
        """Returns per record a number for what a column shows at its finest; -1 where the record is left out."""
        return self._shown(place, height, gaps)[0]

    @cached_property
    def _held(self) -> dict[tuple[int, int, str], tuple[NDArray[np.int32], float]]:
        return {}

    def _shown(self, place: int, height: int, gaps: str) -> tuple[NDArray[np.int32], float]:
        key = place, height, gaps if self.columns[place].open_gaps else ""
        if key not in self._held:  # of a large table these are most of what is held
            codes, lost = self._placed(self.columns[place], height, gaps)
            self._held[key] = codes.astype(np.int32), lost
        return self._held[key]

    def raw_leaves(self, place: int, height: int, gaps: str, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns of rows of the raw table, from 1, the finest group of a column that goes out so; -1 for none."""
        hierarchy = self._coarser(self.columns[place], height, gaps)
        if hierarchy is None or not len(rows):
            return np.full(len(rows), -1, dtype=np.int64)
        cells = self.raw[hierarchy.name].iloc[rows - 1].reset_index(drop=True)
        missing, column = gaps_in(cells, hierarchy), read_column(cells, hierarchy)
        strange = [row - 1 for problem in column.problems if problem.fatal for row in problem.rows]
        leaves = column.leaves.astype(np.int64)
        leaves[strange] = -1
        leaves[missing] = -1 if hierarchy.missing_leaf is None else hierarchy.missing_leaf
        return leaves

    def layers(self, place: int, height: int, gaps: str) -> ShownLayers | None:
        """Returns what each record may show of a column that is made coarser; None where it cannot be published so."""
        key = place, height, gaps if self.columns[place].open_gaps else ""
        if key not in self._laid:
            self._laid[key] = self._all_layers(self.columns[place], height, gaps, self.codes(place, height, gaps))
        return self._laid[key]

    @cached_property
    def _laid(self) -> dict[tuple[int, int, str], ShownLayers | None]:
        return {}

    def _all_layers(self, column: ChosenColumn, height: int, gaps: str, codes: NDArray[np.int32]) -> ShownLayers | None:
        hierarchy = self._coarser(column, height, gaps)
        if hierarchy is None:
            return None
        leaves, root = len(hierarchy.layer_nodes[0]), hierarchy.layer_nodes[-1][0]
        ranks, lost = [], []
        for nodes, of_leaf in zip(hierarchy.layer_nodes, hierarchy.ranks, strict=True):
            extents = Extents(tuple(extent_of(hierarchy, node) for node in (*nodes, root)), np.arange(len(nodes) + 1))
            rank = np.where(codes < leaves, np.asarray(of_leaf)[np.minimum(codes, leaves - 1)], len(nodes))
            ranks.append(rank.astype(np.int64))
            lost.append(extent_detail_lost(extents, self.domains[column.name])[rank])
        # A cell that shows nothing from the start shows the root, as others may.
        ranks[-1][:] = 0
        return ShownLayers(np.array(ranks), np.array(lost))

    def _coarser(self, column: ChosenColumn, height: int, gaps: str) -> Hierarchy | None:
        """The hierarchy by which a column goes out so; None for one that it does not go out by."""
        if height <= 0 or column.hierarchy is None:
            return None
        return with_layers(
            column.hierarchy.with_missing(gaps) if column.open_gaps and gaps else column.hierarchy, height
        )

    def _placed(self, column: ChosenColumn, height: int, gaps: str) -> tuple[NDArray[np.int64], float]:
        if height == AS_IT_IS:
            return cell_codes(self.data[column.name]), 0.0
        nothing = np.zeros(len(self.data), dtype=np.int64)
        hierarchy = self._coarser(column, height, gaps)
        if hierarchy is None:
            return nothing, 1.0
        study = Study([hierarchy], 2)
        try:
            located = locate(self.data[[column.name]], study)
        except CRAError:
            return nothing, 1.0  # it cannot be published so, and who tries is told why
        nodes = [*hierarchy.layer_nodes[0], hierarchy.layer_nodes[-1][0]]
        hidden = located.complete.gaps.get(column.name)
        codes = located.leaves[:, 0].astype(np.int64)
        if hierarchy.missing == "*" and hidden is not None:
            codes = np.where(hidden, len(nodes) - 1, codes)
        rows, shown = pd.factorize(codes)
        extents = Extents(tuple(extent_of(hierarchy, nodes[code]) for code in shown), rows)
        own = self.often[located.complete.rows]
        lost, shown_of = column_detail_lost(extents, self.domains[column.name], own), int(own.sum())
        whole = np.full(len(self.data), -1, dtype=np.int64)
        whole[located.complete.rows] = codes
        return whole, (lost * shown_of + self.people - shown_of) / self.people


def _left_in(data: pd.DataFrame, decided: Decided) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """The rows that were not decided to be left out, and their numbers.

    Raises:
        DataError: no row is left, or the table lacks one that is to be left out.
    """
    if any(not 1 <= row <= len(data) for row in decided.without_rows):
        raise DataError(
            f"The table has {len(data):,} rows; {rows_text([max(decided.without_rows)])} cannot be left out."
        )
    shown = np.ones(len(data), dtype=bool)
    shown[np.array(decided.without_rows, dtype=np.int64) - 1] = False
    if not shown.any():
        raise DataError("Every row is to be left out; leave some in.")
    return rows_left(data, shown), np.flatnonzero(shown) + 1


def _roles_decided(data: pd.DataFrame, study: Study, proposed: Sequence[ProposedRole]) -> tuple[Study, tuple[str, ...]]:
    """The study with roles for columns of which nobody said anything, and sentences on what was supposed."""
    roles, notes = study.roles, []
    taken: dict[str, list[str]] = {}
    for column in column_roles(data, study, proposed=proposed):
        if column.role != "undecided":
            if column.role == "sensitive" != roles.of(column.name):  # by a privacy model
                roles = roles.given(column.name, "sensitive")
            continue
        role: Role = "removed" if column.direct else "sensitive" if column.proposed == "sensitive" else "kept"
        roles = roles.given(column.name, role)
        known = role == "kept" and column.proposed == "quasi-identifier"
        words = "known to others" if known else "kept, coarser or not" if role == "kept" else str(role)
        taken.setdefault(words, []).append(column.name)
    for said, names in taken.items():
        notes.append(f"Nobody decided about {listed([repr(name) for name in names])}: taken as {said}, as proposed.")
    return study.with_roles(roles), tuple(notes)


def _demanded(data: pd.DataFrame, study: Study, rule: Rule) -> Iterator[PrivacyModel]:
    """The models by which local and global recoding heed what the rule demands of sensitive columns.

    A model is told nothing by an empty cell, so that recoding by it refuses such columns; of them the check decides. A
    word for nothing that is a value is one for a model; the check, which counts what is known, asks for more.
    """
    for name in study.roles.sensitive:
        if not said_in(data[name], study.roles.as_values).all():
            continue
        if rule.l > 1:
            yield LDiversity(name, rule.l)
        if rule.t is not None:
            distance: Distance = "ordered" if np.isfinite(numbers(data[name])[0]).all() else "equal"
            yield TCloseness(name, rule.t, distance)
