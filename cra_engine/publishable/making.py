"""What one choice of the search makes of a table, and what that costs."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.checks.check import looked_at
from cra_engine.checks.classes import Classes
from cra_engine.checks.columns import column_roles
from cra_engine.checks.labels import ColumnValues, Read, as_text
from cra_engine.checks.lost import utility_of
from cra_engine.checks.outcome import Check
from cra_engine.checks.rule import Rule
from cra_engine.errors import CRAError
from cra_engine.files.different_rows import CountedRows
from cra_engine.options.detail import column_detail_lost, hidden_share
from cra_engine.options.option import Option
from cra_engine.options.ways import SEED, Made, Publisher
from cra_engine.patience import Deadline
from cra_engine.publish.published_rows import published_rows
from cra_engine.publishable.choice import AS_IT_IS, REMOVED, Choice, Decided
from cra_engine.publishable.gone import GoneGroups, GroupedColumn, gone_alone, gone_together
from cra_engine.publishable.outcome import BY_ROLE, GONE, Outcome, Step, groups_shown, suppressed_told
from cra_engine.publishable.space import Space
from cra_engine.publishable.words import (
    IN_THE_WAY,
    REPEATS,
    counts_kept,
    gap_text,
    hidden_text,
    label_of,
    less_text,
    pin_text,
    shown_text,
    single_values,
)
from cra_engine.raw.proposed_roles import ProposedRole
from cra_engine.release import Release
from cra_engine.study.coded import NULL
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, listed

MOST_VALUES = 12  # of a column up to which those are named that no row shows any more
MOST_GROUPS = 3  # of numbers that are named so


@dataclass(frozen=True, eq=False)
class Table:
    """A table as a choice publishes it, not checked yet.

    Attributes:
        choice: the choice.
        made: how it was published.
        frame: what goes out: the same, but for sensitive values that few suppressed records would show.
        data: the raw rows, in its order.
        rows: per row its row in the raw table, counted from 1.
        often: how many records each row stands for.
        left_out: number of rows that are left out for missing values.
        cost: see :attr:`Outcome.cost`.
    """

    choice: Choice
    made: Made
    frame: pd.DataFrame
    data: pd.DataFrame
    rows: NDArray[np.int64]
    often: NDArray[np.int64]
    left_out: int
    cost: float

    @property
    def suppressed(self) -> int:
        """Number of records that show nothing in any quasi-identifier."""
        return int(self.often[self.made.table.suppressed].sum())

    def stars(self, frame: pd.DataFrame, name: str) -> int:
        """The number of records that show ``*`` in a column of a frame that has this table's rows."""
        return int(self.often[(as_text(frame[name]) == ROOT_LABEL).to_numpy(dtype=bool)].sum())

    @property
    def suppressed_rows(self) -> tuple[int, ...]:
        """The rows of the raw table that are suppressed, ascending; none where some stand for several records."""
        each = bool((self.often == 1).all())
        return tuple(np.sort(self.rows[self.made.table.suppressed]).tolist()) if each else ()

    @property
    def left_out_rows(self) -> tuple[int, ...]:
        """The rows of the raw table that are left out, ascending; none where some stand for several records."""
        records = int(self.often.sum()) + self.left_out
        out = np.setdiff1d(np.arange(1, records + 1), self.rows)
        return tuple(out.tolist()) if len(out) == self.left_out else ()


class Maker:
    """Publishes a table by one choice after the other.

    Args:
        space: what there is to choose.
        seed: of all that is drawn.
    """

    def __init__(self, space: Space, rule: Rule, seed: int = SEED) -> None:
        self.space, self.rule, self.seed = space, rule, seed
        self._publisher: tuple[object, Publisher] | None = None

    def make(self, choice: Choice) -> Table:
        """Returns the table as a choice publishes it.

        Raises:
            CRAError: it cannot be published so, or not with all that has to stay.
            Stopped: somebody lost patience.
        """
        publisher = self._publisher_of(choice)
        layers = tuple(height for height in choice.heights if height > 0)
        made = publisher.publish(Option(choice.k, layers, choice.way))
        # It is checked by the study that its readers get, so that whoever audits it comes to the same figures.
        made = self._pinned(replace(made, study=made.study_told), choice)
        frame = self._hidden(made, publisher.times)
        often = np.ones(len(frame), dtype=np.int64) if publisher.times is None else publisher.times
        left_out = self.space.records - int(often.sum())
        cost = self._cost(choice, made, frame, often, left_out - self.space.repeats)
        rows = self.space.rows[publisher.rows]
        return Table(choice, made, frame, publisher.data, rows, often, left_out, cost)

    def checked(self, table: Table, time_limit: float) -> Check:
        """Returns what the check says of a table that a choice made."""
        return self.looked_at(table)(time_limit)

    def looked_at(self, table: Table) -> Callable[[float], Check]:
        """Returns what checks a table that a choice made within so many seconds, once or again with more of them."""
        study, publisher = table.made.study, self._publisher_of(table.choice)
        within = looked_at(
            publisher.counted(table.data),
            study,
            publisher.counted(table.frame),
            rule=self.rule,
            proposed=self._proposed(table),
        )

        def checked(time_limit: float) -> Check:
            found = within(Deadline(time_limit))
            if table.choice.way.name == "local":
                publisher.assessed = found.assessment
            return found

        return checked

    def with_every_row(self, outcome: Outcome) -> Outcome:
        """Returns an outcome whose rows that are alike were counted with every row of its table, told as it was."""
        table = self.make(outcome.choice)
        names = table.made.study.names
        classes, read = Classes.of(table.frame, names), Read.of(table.frame, table.made.study)
        raw = [ColumnValues.of(table.data, attribute) for attribute in table.made.study.attributes]
        utility = utility_of(None if read.strange else read, classes, raw)
        columns = column_roles(table.data, table.made.study, list(table.frame.columns), self._proposed(table))
        checked = replace(outcome.checked, columns=columns, frame=table.frame, groups=classes.groups, utility=utility)
        return replace(
            outcome,
            checked=checked,
            data=table.data,
            suppressed_rows=table.suppressed_rows,
            left_out_rows=table.left_out_rows,
        )

    def _proposed(self, table: Table) -> tuple[ProposedRole, ...]:
        """What is proposed for the columns of the records that a choice does not leave out."""
        return self.space.proposed(table.made.study, self._publisher_of(table.choice).rows)

    def outcome(self, table: Table, checked: Check) -> Outcome:
        """Returns what came of a choice: its checked table with what it costs, in words."""
        steps = tuple(self._steps(table))
        suppressed = table.suppressed
        known = table.made.study.names
        silent = self._silent(table.choice, table.frame)
        shown = zip(self.space.columns, table.choice.heights, strict=True)
        out = {column.name for column, height in shown if height == REMOVED or column.name in silent}
        gone = tuple(name for name in map(str, self.space.raw.columns) if name in out)
        weights = {name: weight / self.space.whole for name, weight in self.space.weights.items()}
        told = suppressed_told(table.frame, known) if suppressed else ""
        counts = counts_kept(table.cost, suppressed, told, table.left_out, self.space.records, gone, len(weights))
        return Outcome(
            table.choice,
            counts,
            label_of(self.space, table.choice, silent),
            table.made.study,
            checked,
            table.data,
            table.cost,
            steps,
            suppressed,
            table.left_out,
            self.seed,
            gone,
            self._decided(table.choice),
            suppressed_rows=table.suppressed_rows,
            left_out_rows=table.left_out_rows,
            repeating=self.space.repeating,
            weights=weights,
            basic=self.space.basic,
            hardly=tuple(name for name in weights if name not in gone and self._hardly(table, name)),
        )

    def gone_groups(self, table: Table) -> GoneGroups:
        """Returns the groups of people by two columns that no row of a table shows, whoever is left out among them.

        It is of what is handed out: a search, which makes many tables, need not look for it.
        """
        rows, often = self._everybody(table)
        names = [c.name for c, height in zip(self.space.columns, table.choice.heights, strict=True) if height > 0]
        columns = [self._grouped(table, name, rows) for name in names]
        return gone_together(columns, often, table.made.study.k, np.arange(len(rows)) < len(table.rows))

    def _everybody(self, table: Table) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows of the raw table, those of a table first, that repeat no other, and how many people each stands for.

        These are what is left out for missing values, and what somebody decided to leave out.
        """
        space = self.space
        with_gaps = np.setdiff1d(np.arange(len(space.data)), self._publisher_of(table.choice).rows)
        decided = np.setdiff1d(np.array(space.decided.without_rows, dtype=np.int64), space.repeating)
        rows = np.concatenate([table.rows, space.rows[with_gaps], decided])
        return rows, np.concatenate([table.often, space.often[with_gaps], np.ones_like(decided)])

    def _grouped(self, table: Table, name: str, rows: NDArray[np.int64]) -> GroupedColumn:
        """A column that a table shows in groups, of its rows and of those that are left out."""
        space, choice, many = self.space, table.choice, len(table.rows)
        hierarchy = next(one for one in table.made.study.attributes if one.name == name)
        place = next(place for place, column in enumerate(space.columns) if column.name == name)
        own = space.codes(place, choice.heights[place], choice.gaps)[self._publisher_of(choice).rows].astype(np.int64)
        own[own >= hierarchy.leaves] = -1  # a cell that shows nothing from the start
        out = space.raw_leaves(place, choice.heights[place], choice.gaps, rows[many:])
        hidden = np.arange(len(rows)) >= many
        hidden[:many] = as_text(table.frame[name]) == hierarchy.layer_nodes[-1][0].label
        return GroupedColumn(hierarchy, np.concatenate([own, out]), hidden)

    def _decided(self, choice: Choice) -> Decided:
        removed = [c.name for c, height in zip(self.space.columns, choice.heights, strict=True) if height == REMOVED]
        return replace(self.space.decided, removed=tuple(removed))

    def _publisher_of(self, choice: Choice) -> Publisher:
        key = tuple(min(height, 1) for height in choice.heights), choice.gaps
        if self._publisher is None or self._publisher[0] != key:
            base = self.space.base(choice.heights, choice.gaps)
            data = self.space.data if self.space.counted is None else self.space.counted
            self._publisher = key, Publisher(data, base, seed=self.seed)
        return self._publisher[1]

    def _pinned(self, made: Made, choice: Choice) -> Made:
        """The table of a choice with all that has to stay: rows that show a column wider than that are suppressed.

        Raises:
            CRAError: something that has to stay would not.
        """
        frame, attributes = made.table.frame, {one.name: one for one in made.study.attributes}
        widest = [pin for pin in self.space.decided.pins if pin.widest is not None and pin.name in attributes]
        wide = {pin: ~frame[pin.name].astype(str).isin(pin.allowed(attributes[pin.name])).to_numpy() for pin in widest}
        rows = np.logical_or.reduce([*wide.values(), np.zeros(len(frame), dtype=bool)])
        rows[made.table.suppressed] = False
        if rows.any():
            if choice.way.name not in ("local", "repaired"):
                broken = next(pin for pin, those in wide.items() if (those & rows).any())
                raise CRAError(f"What has to stay became wider: {pin_text(broken, made.study)}.")
            frame, study = frame.copy(), made.study.changed(more_suppressed=True)
            for name, attribute in attributes.items():
                frame[name] = frame[name].astype(object).mask(rows, attribute.layer_nodes[-1][0].label)
            release = made.release
            if isinstance(release, Release):
                own = self._publisher_of(choice).counted(frame)
                counted = own if isinstance(own, CountedRows) else None
                guessed, factor = release.guessed, release.gs_factor
                release = Release(study, frame, guessed=guessed, gs_factor=factor, counted=counted)
            made = replace(made, study=study, table=published_rows(frame, study), release=release)
        for name in self._silent(choice, frame):
            if any(pin.name == name for pin in self.space.decided.pins):
                raise CRAError(f"Of {name!r}, which has to stay, no row would tell anything.")
        return made

    def _hidden(self, made: Made, times: NDArray[np.int64] | None) -> pd.DataFrame:
        """The table of a choice, in which suppressed records lose their sensitive values where they have to.

        Who fits no class is one of them: where they are few, or alike, these values are known of that person.
        """
        frame, suppressed = made.table.frame, made.table.suppressed
        names = [name for name in self.space.sensitive if name in frame.columns]
        many = len(suppressed) if times is None else int(times[suppressed].sum())
        few = 0 < many < self.rule.least(made.study.k)
        alike = any(len(set(frame[name].iloc[suppressed].astype(str))) == 1 for name in names)
        if not names or not (few or alike):
            return frame
        frame = frame.copy()
        for name in names:
            shown = frame[name].astype(object)
            shown.iloc[suppressed] = ROOT_LABEL
            frame[name] = shown
        return frame

    def _cost(self, choice: Choice, made: Made, frame: pd.DataFrame, often: NDArray[np.int64], left_out: int) -> float:
        rows = int(often.sum())
        lost = sum(self._lost(choice, made, frame, often).values())
        return float((rows * lost / self.space.whole + left_out) / (rows + left_out))

    def _lost(self, choice: Choice, made: Made, frame: pd.DataFrame, often: NDArray[np.int64]) -> dict[str, float]:
        """What is lost of each column that goes out or might: of what it counts, over shown rows.

        Of one that goes out as it is these are its hidden cells, whoever hid them.
        """
        space, lost = self.space, {}
        for column, height in zip(space.columns, choice.heights, strict=True):
            if height > 0:
                lost[column.name] = column_detail_lost(
                    made.table.extents[column.name], space.domains[column.name], often
                )
            else:
                lost[column.name] = 1.0 if height == REMOVED else hidden_share(frame[column.name], often)
        lost |= {name: hidden_share(frame[name], often) for name in space.sensitive if name in frame}
        return {name: space.weights[name] * share for name, share in lost.items()}

    def _silent(self, choice: Choice, frame: pd.DataFrame) -> list[str]:
        """Columns of a choice that go out and show the same in every row, though the table does not."""
        names = [c.name for c, height in zip(self.space.columns, choice.heights, strict=True) if height > 0]
        return [name for name in names if len(frame[name].unique()) == 1 and name in self.space.varying]

    def _hardly(self, table: Table, name: str) -> bool:
        """Whether a column that goes out shows one group alone, of several, or ``*`` in half of the rows or more."""
        alike = name in self.space.varying and groups_shown(table.frame[name]) == 1
        return alike or 2 * table.stars(table.frame, name) >= table.often.sum()

    def _steps(self, table: Table) -> list[Step]:
        """What a choice costs, step by step: every column with what becomes of it, then what becomes of rows."""
        space, choice, rows = self.space, table.choice, int(table.often.sum())
        records = space.records - space.repeats
        shown, silent = rows / records, self._silent(choice, table.frame)
        lost = self._lost(choice, table.made, table.frame, table.often)
        heights = {column.name: (column, height) for column, height in zip(space.columns, choice.heights, strict=True)}
        steps = []
        for name in map(str, space.data.columns):
            cost = shown * lost.get(name, 0.0) / space.whole
            if name in space.sensitive:
                text = hidden_text(table.stars(table.frame, name), table.stars(table.data, name))
                steps.append(Step(name, text + self._vanished(table, name), cost))
            elif name in heights:
                column, height = heights[name]
                shown_at_all = height != REMOVED and name not in silent
                stars = table.stars(table.frame, name) if shown_at_all else 0
                wider = self._wider(table, name) - stars if shown_at_all and height > 0 else 0
                along = table.suppressed if height > 0 and len(table.made.study.names) > 1 else 0
                less, groups = less_text(wider, stars, along), groups_shown(table.frame[name]) if shown_at_all else 0
                text = shown_text(column, height, less, silent=name in silent, groups=groups)
                if shown_at_all:
                    numbers = height > 0 and column.hierarchy is not None and column.hierarchy.numeric
                    values = not numbers and (height == AS_IT_IS or single_values(column, height))
                    text += self._vanished(table, name, values=values, numbers=numbers)
                steps.append(Step(name, text, cost))
            else:
                steps.append(Step(name, BY_ROLE, 0.0))
        decided, repeats = space.decided, space.repeats
        if repeats:
            steps.append(_left_out(repeats, REPEATS, 0.0))
        for why, out in decided.by_reason(space.repeating).items():
            steps.append(_left_out(len(out), why, len(out) / records))
        if gaps := table.left_out - len(decided.without_rows):
            nothing = listed(space.left_out_by(choice.heights, choice.gaps), "or")
            steps.append(_left_out(gaps, f"where {nothing} says nothing", gaps / records))
        if hindering := len(decided.in_the_way):
            steps.append(_left_out(hindering, IN_THE_WAY, hindering / records))
        if choice.gaps in ("category", "*"):
            steps.append(Step("", gap_text(choice.gaps), 0.0))
        return steps

    def _vanished(self, table: Table, name: str, *, values: bool = True, numbers: bool = False) -> str:
        """What stands in no row of a column that goes out: missing values, and its few values, or groups of numbers."""
        shown, gone = set(as_text(table.frame[name]).unique()), []
        if values:
            there = self.space.told(name).keys() - {ROOT_LABEL}
            if len(there) <= MOST_VALUES and shown & there:
                cells, often = as_text(table.data[name]).to_numpy(), self.space.told(name)
                gone += [
                    f"“{value}” ({_lost_whom(often[value], int(table.often[cells == value].sum()))})"
                    for value in sorted(there - shown)
                ]
        if numbers:
            rows, people = self._everybody(table)
            found = gone_alone(self._grouped(table, name, rows), people, np.arange(len(rows)) < len(table.rows))
            gone += [f"{group} ({_lost_whom(many, hidden)})" for group, many, hidden in found[:MOST_GROUPS]]
            gone += [how_many(len(found) - MOST_GROUPS, "more group")] if len(found) > MOST_GROUPS else []
        missing = self.space.own_category.get(name, 0)
        if missing and NULL not in shown:
            gone.append(f"{NULL} ({how_many(missing, 'missing value')})")
        return f"{GONE}{listed(gone, 'or')}" if gone else ""

    def _wider(self, table: Table, name: str) -> int:
        """The number of rows that a choice shows less of a column in than its finest intervals, ``*`` being less."""
        attribute = next(one for one in table.made.study.attributes if one.name == name)
        finest = {node.label for node in attribute.layer_nodes[0]} - {attribute.layer_nodes[-1][0].label}
        return int(table.often[~table.frame[name].astype(str).isin(finest).to_numpy(dtype=bool)].sum())


def _lost_whom(people: int, hidden: int) -> str:
    """How all people with a value went, of whom so many are in the table, with the value hidden."""
    how = "left out" if not hidden else "hidden" if hidden == people else f"left out, or hidden for {hidden:,}"
    return f"{'' if people == 1 else 'all '}{how_many(people, 'person', 'people')} {how}"


def _left_out(rows: int, why: str, cost: float) -> Step:
    """A step that leaves rows out, with why in words that follow."""
    return Step(
        "", f"{how_many(rows, 'row')} left out{' ' if why.startswith('where ') else ', '}{why}", cost, rows, why
    )
