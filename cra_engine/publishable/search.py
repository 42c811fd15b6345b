"""The search for a table that may go out: first some answer, then cheaper ones, then the proof that none is cheaper.

Every choice has a cost that no table by it is below: what the columns that it removes, and the finest intervals of the
others, lose by themselves. Publishing a choice gives its own cost, which is no lower. So where choices are taken in the
order of what is known of their costs, the first that passes costs least: nothing cheaper is left. That alone would look
at what keeps everything first, which seldom passes; so before it the search climbs down from the coarsest columns.
"""

import heapq
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count

import pandas as pd

from cra_engine.checks import findings as found_by
from cra_engine.checks.check import column_roles
from cra_engine.checks.outcome import CheckedColumn, Finding
from cra_engine.checks.rule import Rule
from cra_engine.errors import CRAError
from cra_engine.expected import expect, expect_each, expect_seconds
from cra_engine.patience import Deadline, Stopped
from cra_engine.publishable.making import Maker, Table
from cra_engine.publishable.outcome import Outcome, Publishable
from cra_engine.publishable.space import AS_IT_IS, REMOVED, Choice, ChosenColumn, Pin, Space
from cra_engine.publishable.words import why_not
from cra_engine.risk.uniques import cell_codes, unique_records
from cra_engine.study.study import Study

SECONDS = 120.0
MOST_OUTCOMES = 3
FOR_ONE = 1 / 8  # of the time that is left, for the check of one table
MOST_FOR_ONE = 60.0
ALIKE = 1e-9  # costs that differ by less are one
_LATER = {"attack-not-looked-at"}  # what a check without the attack says of itself

Heights = tuple[int, ...]
Told = Callable[[int, int, float | None], None]


def publishable(
    data: pd.DataFrame,
    study: Study,
    rule: Rule | None = None,
    *,
    pins: Sequence[Pin] = (),
    time_limit: float = SECONDS,
    progress: Told = lambda *_: None,
    found: Callable[[Outcome], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Publishable:
    """Search what to change of a table so that the check says Ready of it, at the least cost.

    What may change: k upward, how fine hierarchies are and whether a quasi-identifier goes out at all, columns that are
    kept (coarser, by a proposed hierarchy, or removed), what becomes of missing values that nobody decided about, and
    the way to publish. Sensitive columns stay; where a class needs them more diverse, it is recoded so.

    Args:
        data: one row per person.
        study: quasi-identifiers with hierarchies as fine as they may be, k, and the roles of the other columns as
            somebody confirmed them; columns without a role are taken as proposed, and the result says so.
        rule: what the check demands; ``Rule()`` when left out.
        pins: what has to stay.
        time_limit: seconds for all of it. What was found until then is the result.
        progress: told how many choices were tried, of how many (0 while nobody knows), and how many seconds are left.
        found: told every table that passes and costs less than those before.
        cancelled: asked several times a second; when it answers True what was found so far is returned.

    Raises:
        DataError: the table does not fit the study.
        StudyError: k is more than the records, or a pin leaves nothing to choose.

    >>> from cra_engine import synthesize
    >>> toy = synthesize("toy")
    >>> published = publishable(toy.data, toy.study)
    >>> [one.checked.verdict for one in published.outcomes[:1]], published.complete
    (['ready'], True)
    """
    expect(data, pd.DataFrame, "publishable(data)")
    expect(study, Study, "publishable(study)")
    if rule is not None:
        expect(rule, Rule, "publishable(rule)")
    expect_each(pins, Pin, "publishable(pins)")
    expect_seconds(time_limit)
    study.refuse_small_k()
    began = time.monotonic()
    deadline = Deadline(time_limit, cancelled)
    asked = Rule() if rule is None else rule
    search = _Search(Space.of(data, study, asked, pins), asked, deadline, progress, found)
    complete = search.run()
    outcomes = search.outcomes()
    nearest = None if outcomes else search.nearest
    hindrances = () if nearest is None else _hindrances(nearest.checked.findings)
    return Publishable(
        search.space,
        asked,
        outcomes,
        search.tried,
        complete,
        nearest,
        hindrances,
        "" if outcomes else why_not(search.space, hindrances, search.problem, search.in_vain, complete=complete),
        time.monotonic() - began,
    )


class _Search:
    """One search, with what it knows so far."""

    def __init__(
        self, space: Space, rule: Rule, deadline: Deadline, progress: Told, found: Callable[[Outcome], None]
    ) -> None:
        self.space, self.rule, self.deadline = space, rule, deadline
        self.progress, self.found = progress, found
        self.maker = Maker(space, rule)
        self.tried = 0
        self.nearest: Outcome | None = None
        self.problem = ""  # why the last choice could not be published at all
        self.in_vain: tuple[str, ...] = ()  # columns for which the last heights were in vain
        self._ready: list[Outcome] = []
        self._costs: dict[Choice, float | None] = {}  # of published ones; None where a choice cannot be published
        self._judged: set[Choice] = set()
        self._passed: set[Choice] = set()
        self._vain: dict[tuple[int, ...], tuple[str, ...]] = {}
        self._bounds = {gaps: space.least_costs(gaps) for gaps in space.gaps}
        self._timed_out = False

    # ------------------------------------------------------------ what is known

    @property
    def best(self) -> float:
        """The least cost of what passes."""
        return min((one.cost for one in self._ready), default=math.inf)

    def outcomes(self) -> tuple[Outcome, ...]:
        """The least costly outcomes that differ in the way to publish or in the columns that go out."""
        chosen: dict[object, Outcome] = {}
        for one in sorted(self._ready, key=lambda one: one.cost):
            if not any(one.frame.equals(other.frame) for other in chosen.values()):
                chosen.setdefault(_kind(one.choice), one)
        return tuple(chosen.values())[:MOST_OUTCOMES]

    def bound(self, heights: Heights, gaps: str) -> float:
        """A cost that no choice with these columns is below."""
        least = self._bounds[gaps]
        return sum(costs[height] for costs, height in zip(least, heights, strict=True)) / self.space.published

    # ------------------------------------------------------------ the three parts

    def run(self) -> bool:
        """Search; returns whether nothing is left that could cost less."""
        try:
            self._begin()
            self._climb()
            return self._prove() and not self._timed_out
        except Stopped:
            return False

    def _begin(self) -> None:
        """Finds something that passes: the study's columns as coarse as may be, then without one after the other.

        First by one choice for each, since what fails there mostly fails by its columns.
        """
        for few in (1, None):
            heights: Heights | None = self._coarsest(self._without_vain())
            while heights is not None:
                for choice in list(self._in_turn(heights))[:few]:
                    if self._passes(choice):
                        return
                heights = self._without_one(heights)

    def _climb(self) -> None:
        """Takes a step that costs less from the best, as long as there is one."""
        while self._ready:
            best = min(self._ready, key=lambda one: one.cost)
            if not any(self._passes(choice) for choice in self._cheaper(best.choice)):
                return

    def _prove(self) -> bool:
        """Takes choices in the order of what is known of their cost; returns whether all were looked at that matter."""
        numbers = count()
        start = tuple(column.heights[0] for column in self.space.columns)
        queue: list[tuple[float, int, Heights, int, Choice | None]] = []

        def push(heights: Heights, first: int) -> None:
            least = min(self.bound(heights, gaps) for gaps in self.space.gaps)
            heapq.heappush(queue, (least, next(numbers), heights, first, None))

        push(start, 0)
        while queue:
            cost, _, heights, first, choice = heapq.heappop(queue)
            if cost >= self._worth():
                return True
            if choice is not None:
                if (own := self._taken(choice, cost)) is not None:
                    heapq.heappush(queue, (own, next(numbers), heights, first, choice))
                continue
            for coarser in self._stepped(heights, 1):
                place = next(at for at, (one, other) in enumerate(zip(heights, coarser, strict=True)) if one != other)
                if place >= first:  # each combination is come to once
                    push(coarser, place)
            if self._vain_columns(heights):
                self.tried += 1
                self._tell()
                continue
            for one in self.space.choices_with(heights):
                heapq.heappush(queue, (self._known_cost(one), next(numbers), heights, first, one))
        return True

    def _taken(self, choice: Choice, cost: float) -> float | None:
        """Looks at a choice whose turn has come at a cost; returns a higher cost at which it is to have its turn again.

        It is checked once nothing that is left may cost less.
        """
        if self._worth(choice) <= cost:
            return None
        if choice.way.name == "repaired":
            if self._plain(choice) in self._passed:
                return None  # nothing was to be repaired
            if (known := self._known_cost(choice)) > cost:
                return known
        own = self._cost(choice)
        if own is not None and own <= cost:
            self._passes(choice)
            return None
        return own

    def _plain(self, choice: Choice) -> Choice:
        """The same choice without a repair, which only adds to what it loses."""
        local = next(way for way in self.space.ways if way.name == "local")
        return replace(choice, way=local)

    def _known_cost(self, choice: Choice) -> float:
        """What is known of a cost: the choice's own, or one that it is not below."""
        known = self._costs.get(choice)
        if known is None and choice.way.name == "repaired":
            known = self._costs.get(self._plain(choice))
        return self.bound(choice.heights, choice.gaps) if known is None else known

    def _worth(self, choice: Choice | None = None) -> float:
        """The cost from which on a choice changes nothing: there are enough outcomes, or a better one of its kind."""
        kinds: dict[object, float] = {}
        for one in self._ready:
            kind = _kind(one.choice)
            kinds[kind] = min(one.cost, kinds.get(kind, math.inf))
        enough = sorted(kinds.values())[MOST_OUTCOMES - 1] if len(kinds) >= MOST_OUTCOMES else math.inf
        own = math.inf if choice is None else kinds.get(_kind(choice), math.inf)
        return min(enough, own) - ALIKE

    # ------------------------------------------------------------ neighbours

    def _without_vain(self) -> Heights:
        """The finest columns that are not in vain by themselves."""
        heights = tuple(column.heights[0] for column in self.space.columns)
        while vain := self._vain_columns(heights):
            coarser = next(filter(None, (self._next(heights, name) for name in vain)), None)
            if coarser is None:
                return heights
            heights = coarser
        return heights

    def _next(self, heights: Heights, name: str) -> Heights | None:
        """The same with one column a step coarser; None where that is not to be had, as of a sensitive column."""
        places = [at for at, column in enumerate(self.space.columns) if column.name == name]
        stepped = self._stepped(heights, 1)
        return next((one for one in stepped for place in places if one[place] != heights[place]), None)

    def _coarsest(self, heights: Heights) -> Heights:
        """The same columns, quasi-identifiers as coarse as may be; other columns that are made coarser are left out."""
        return tuple(
            height
            if height <= 0
            else REMOVED
            if self._may_go(column)
            else min(own for own in column.heights if own > 0)
            for column, height in zip(self.space.columns, heights, strict=True)
        )

    def _may_go(self, column: ChosenColumn) -> bool:
        return not column.known and REMOVED in column.heights

    def _without_one(self, heights: Heights) -> Heights | None:
        """The same without one column more: that of most different values, which tells most; None where none may go."""
        may_go = [
            place
            for place, (column, height) in enumerate(zip(self.space.columns, heights, strict=True))
            if height != REMOVED and REMOVED in column.heights
        ]
        grouped = sum(height > 0 for height in heights)
        may_go = [place for place in may_go if heights[place] == AS_IT_IS or grouped > 1]
        if not may_go:
            return None
        gone = max(may_go, key=lambda place: self._distinct[place])
        return (*heights[:gone], REMOVED, *heights[gone + 1 :])

    @cached_property
    def _distinct(self) -> list[int]:
        return [self.space.data[column.name].nunique() for column in self.space.columns]

    def _in_turn(self, heights: Heights) -> Iterator[Choice]:
        """The choices with these columns, larger k last."""
        yield from sorted(self.space.choices_with(heights), key=lambda one: one.k)

    def _cheaper(self, choice: Choice) -> Iterator[Choice]:
        """Choices that are one step from another and may cost less."""
        finer = self._stepped(choice.heights, -1)
        yield from self._with_heights(choice, finer)
        for other in self._in_turn(choice.heights):
            if sum((other.k != choice.k, other.way != choice.way, other.gaps != choice.gaps)) == 1:
                yield other
        coarser = self._stepped(choice.heights, 1)
        yield from self._with_heights(choice, [two for one in coarser for two in self._stepped(one, -1)])
        yield from self._with_heights(choice, [two for one in finer for two in self._stepped(one, -1)])

    def _stepped(self, heights: Heights, by: int) -> list[Heights]:
        """The same, one column each time so many steps coarser."""
        stepped = []
        for place, (column, height) in enumerate(zip(self.space.columns, heights, strict=True)):
            at = column.heights.index(height) + by
            if 0 <= at < len(column.heights):
                stepped.append((*heights[:place], column.heights[at], *heights[place + 1 :]))
        return stepped

    def _with_heights(self, choice: Choice, wanted: Sequence[Heights]) -> Iterator[Choice]:
        """The same choice with other columns, what may cost least first; none that costs as much for certain."""
        ordered = sorted((self.bound(heights, choice.gaps), heights) for heights in set(wanted))
        for least, heights in ordered:
            if least < self.best and not self._vain_columns(heights):
                yield replace(choice, heights=heights)

    # ------------------------------------------------------------ one choice

    def _vain_columns(self, heights: Heights) -> tuple[str, ...]:
        """Columns that go out so that nothing passes, whatever else is chosen; none where that is not known."""
        kinds = tuple(min(height, 1) for height in heights)
        if kinds not in self._vain:
            self.deadline_checked()
            self._vain[kinds] = self._found_vain(heights)
        self.in_vain = self._vain[kinds] or self.in_vain
        return self._vain[kinds]

    def _found_vain(self, heights: Heights) -> tuple[str, ...]:
        """People alone by the columns that go out as they stand are alone in every release with these columns."""
        space = self.space
        shown = {column.name: height for column, height in zip(space.columns, heights, strict=True)}
        names = [name for name, height in shown.items() if height > 0]
        kept = [name for name, height in shown.items() if height == AS_IT_IS]
        if not names:
            return tuple(kept)
        base = space.base(heights, space.gaps[0])
        columns = column_roles(space.data, base)
        offending = [*_asking(columns), *found_by.outsiders(columns)]
        if offending:
            return tuple(offending)
        plain = [column.name for column in columns if column.name in kept and not column.direct]
        # Rows that are left out for missing values are not counted: others may be alone without them, never fewer.
        if "leave-out" not in space.gaps and not any(one.missing == "leave-out" for one in base.attributes):
            codes = [cell_codes(space.data[name]) for name in plain]
            # Ready is only what leaves nobody alone but, by the intervals, a single suppressed record.
            if codes and int(unique_records(codes, len(space.data)).sum()) > 1:
                return tuple(sorted(plain, key=lambda name: -space.data[name].nunique()))
        return ()

    def _cost(self, choice: Choice) -> float | None:
        """What a choice costs once it is published; None where it cannot be."""
        if choice not in self._costs:
            table = self._made(choice)
            self._costs[choice] = None if table is None else table.cost
        return self._costs[choice]

    def _made(self, choice: Choice) -> Table | None:
        self._tell()
        try:
            with self.deadline.limit():
                return self.maker.make(choice)
        except CRAError as error:
            self.problem = str(error)
            return None

    def _passes(self, choice: Choice) -> bool:
        """Whether a choice passes the check and costs less than all that passed; it is kept then."""
        if choice in self._judged or self._vain_columns(choice.heights):
            return False
        known = self._costs.get(choice, 0.0)
        if known is None or known >= self._worth(choice):
            return False
        if self.bound(choice.heights, choice.gaps) >= self._worth(choice):
            return False
        self.tried += 1
        table = self._made(choice)
        self._costs[choice] = None if table is None else table.cost
        if table is None or table.cost >= self._worth(choice):
            return False
        before = self.best
        outcome = self._judge(table)
        self._judged.add(choice)
        if outcome.ready:
            self._passed.add(choice)
            self._ready.append(outcome)
            if outcome.cost < before:
                self.found(outcome)
        elif self.nearest is None or _distance(outcome) < _distance(self.nearest):
            self.nearest = outcome
        return outcome.ready and outcome.cost < before - ALIKE

    def _judge(self, table: Table) -> Outcome:
        """The table with its verdict; the attack is asked only where all else passes."""
        with self.deadline.limit():
            checked = self.maker.checked(table, 0.0)
        if not any(one.level != "note" and one.code not in _LATER for one in checked.findings):
            limit = min(MOST_FOR_ONE, FOR_ONE * self.deadline.left)
            with self.deadline.limit():
                checked = self.maker.checked(table, limit)
            asked = [one for one in checked.findings if one.level != "note"]
            self._timed_out |= all(one.code in _LATER for one in asked) and any(
                "time ran out" in one.text for one in asked
            )
        return self.maker.outcome(table, checked)

    def deadline_checked(self) -> None:
        """Ends the search where no time is left."""
        if self.deadline.passed:
            raise Stopped

    def _tell(self) -> None:
        self.deadline_checked()
        left = self.deadline.left
        self.progress(self.tried, 0, left if math.isfinite(left) else None)


def _kind(choice: Choice) -> object:
    """What tells outcomes apart: the way to publish, and which columns go out."""
    return choice.way.name, tuple(height == REMOVED for height in choice.heights)


def _asking(columns: Sequence[CheckedColumn]) -> list[str]:
    """Columns because of which the check asks for something, whatever is published of the others."""
    return [
        column.name
        for column in columns
        if any(finding.level != "note" and finding.code != "no-sensitive" for finding in found_by.of_columns([column]))
    ]


def _hindrances(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """What keeps a table from going out; that the attack was not asked where anything else did is none."""
    asking = tuple(one for one in findings if one.level != "note")
    return tuple(one for one in asking if one.code not in _LATER) or asking


def _distance(outcome: Outcome) -> tuple[bool, int, int, float]:
    """How far an outcome is from passing; a table that shows nothing is farther than any other."""
    levels = [finding.level for finding in outcome.checked.findings]
    return not outcome.checked.classes, levels.count("stop"), levels.count("attention"), outcome.cost
