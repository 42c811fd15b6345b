"""The search for a table that may go out: first some answer, then cheaper ones, then the proof that none is cheaper.

Every choice has a cost that no table by it is below: what the columns that it removes, and the finest intervals of the
others, lose by themselves. Publishing a choice gives its own cost, which is no lower. So where choices are taken in the
order of what is known of their costs, the first that passes costs least: nothing cheaper is left. That alone would look
at what keeps everything first, which seldom passes; so before it the search counts who would be in the way, begins with
what leaves nobody there, and climbs on from that.
"""

import heapq
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from itertools import count

import numpy as np
import pandas as pd

from cra_engine.attacks.intervals import expected_isolated
from cra_engine.checks import findings as found_by
from cra_engine.checks.check import column_roles
from cra_engine.checks.outcome import CheckedColumn, Finding
from cra_engine.checks.rule import MOST_EXPECTED, Rule
from cra_engine.errors import CRAError
from cra_engine.expected import expect, expect_each, expect_seconds
from cra_engine.patience import Deadline, Stopped
from cra_engine.publishable.crowds import Crowds
from cra_engine.publishable.making import Maker, Table
from cra_engine.publishable.outcome import KeptAway, Outcome, Publishable, best_of
from cra_engine.publishable.space import AS_IT_IS, REMOVED, Choice, Decided, Heights, Pin, Space
from cra_engine.publishable.words import why_not
from cra_engine.release import Release
from cra_engine.risk.uniques import cell_codes, unique_records
from cra_engine.study.study import Study
from cra_engine.words import listed

SECONDS = 120.0
MOST_COUNTED, FEWEST_COUNTED, ROWS_COUNTED = 4000, 100, 4_000_000  # combinations that are counted, and rows in them
MOST_BEGUN, MOST_JOINED = 8, 60  # of these how many are published and checked
MOST_PROVED = 3_000  # combinations of all choices up to which the search goes on until nothing cheaper is left
FOR_FIRST, FOR_ONE = 1 / 4, 1 / 8  # of the time that is left, for one table until something passes, and from then on
MOST_FOR_ONE = 60.0  # seconds, once something passes
MOST_NAMED, MOST_DROPPED = 5, 3  # people who are named for a column, and tables that do not pass
WORTH_A_LOOK = 0.02  # of the detail that a table has to keep more for somebody to be asked to look at it
FEW_IN_THE_WAY = 0.05  # of all people, whom the search leaves out itself for what has to stay
MOST_IN_THE_WAY = 0.5  # likewise up to which leaving them out is offered
STOPPED = "the search was stopped"
ALIKE = 1e-9  # costs that differ by less are one
_LATE = "attack-out-of-time"  # what a check without the attack says of itself
_LATER = {_LATE, "attack-not-looked-at"}

Told = Callable[[int, int, float | None], None]


def publishable(
    data: pd.DataFrame,
    study: Study,
    rule: Rule | None = None,
    *,
    pins: Sequence[Pin] = (),
    without_rows: Sequence[int] = (),
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
        without_rows: rows that are left out whatever they say, counted from 1.
        time_limit: seconds for all of it. What was found until then is the result.
        progress: told how many choices were tried, of how many (0 while nobody knows), and how many seconds are left.
        found: told every table that passes.
        cancelled: asked several times a second; when it answers True what was found so far is returned.

    Raises:
        DataError: the table does not fit the study, or lacks a row that is to be left out.
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
    space = Space.of(data, study, asked, pins, Decided(without_rows=tuple(sorted(set(without_rows)))))
    search = _Search(space.alike(), asked, deadline, progress, found)
    complete = search.run()
    search.show_more()
    hindering = search.hindering() if pins else ()
    if 0 < len(hindering) <= FEW_IN_THE_WAY * space.people and not deadline.passed:
        without_rows = tuple(sorted({*space.decided.without_rows, *hindering}))
        fewer = Space.of(data, study, asked, pins, Decided(without_rows=without_rows, in_the_way=hindering))
        again = _Search(fewer.alike(), asked, deadline, progress, found)
        again.tried = search.tried
        again.run()
        if again.worth < search.worth or (again.asks and not search.ready):
            space, search, complete, hindering = fewer, again, False, ()
    attention = search.attention()
    outcomes = best_of(search.ready)
    nearest = None if outcomes else search.nearest
    hindrances = () if nearest is None else _hindrances(nearest.checked.findings, search.expected)
    without = () if nearest is None else search.without(nearest.choice)
    why = "" if outcomes else search.why_not(hindrances, without, complete=complete)
    dropped = tuple(one for one in search.dropped() if attention is None or one.choice != attention.choice)
    kept_away = search.kept_away(outcomes[0].choice) if outcomes else ()
    if 0 < len(hindering) <= MOST_IN_THE_WAY * space.people:
        kept_away = (KeptAway(listed([pin.name for pin in pins]), hindering, stays=True), *kept_away)
    if search.space is not space:
        maker = Maker(space, asked)
        outcomes, dropped = (tuple(map(maker.with_every_row, ones)) for ones in (outcomes, dropped))
        nearest, attention = (None if one is None else maker.with_every_row(one) for one in (nearest, attention))
    return Publishable(
        space,
        asked,
        outcomes,
        search.tried,
        complete,
        "" if complete else search.end(),
        nearest,
        hindrances,
        without,
        why,
        attention,
        dropped,
        kept_away,
        time.monotonic() - began,
    )


class _Search:
    """One search, with what it knows so far."""

    def __init__(
        self, space: Space, rule: Rule, deadline: Deadline, progress: Told, found: Callable[[Outcome], None]
    ) -> None:
        self.space, self.rule, self.deadline = space, rule, deadline
        self.progress, self.found = progress, found
        self.maker, self.crowds = Maker(space, rule), Crowds(space, rule)
        self.tried = 0
        self.nearest: Outcome | None = None
        self.expected = 0.0  # people whom the intervals of the nearest alone let expect to be singled out
        self.problem = ""  # why the last choice could not be published at all
        self.ready: list[Outcome] = []
        self._failed: list[tuple[Table, Outcome]] = []
        self._asks: tuple[Table, Outcome] | None = None  # what costs least of what asks for attention alone
        self._near: set[tuple[Heights, str]] = set()  # combinations that leave people in the way whom recoding joins
        self._costs: dict[Choice, float | None] = {}  # of published ones; None where a choice cannot be published
        self._judged: set[Choice] = set()
        self._passed: set[Choice] = set()
        self._vain: dict[tuple[int, ...], tuple[str, ...]] = {}
        self._timed_out = False

    @property
    def worth(self) -> float:
        """The cost from which on a choice changes nothing of what the search found."""
        return min((one.cost for one in self.ready), default=math.inf) - ALIKE

    @property
    def asks(self) -> bool:
        """Whether some table was found that asks for attention alone."""
        return self._asks is not None

    # ------------------------------------------------------------ the parts

    def run(self) -> bool:
        """Search; returns whether nothing is left that could cost less."""
        try:
            self.approach()
            return self.space.size <= MOST_PROVED and self._prove() and not self._timed_out
        except Stopped:
            return False

    def approach(self) -> None:
        """Searches without a proof that nothing costs less.

        Raises:
            Stopped: the time ran out, or somebody lost patience.
        """
        self._begin()
        self._come_near()
        self._join()
        self._climb()

    def show_more(self) -> None:
        """Searches what shows age, or sex, where nothing that was found does."""
        for name in self.space.basic if self.ready else ():
            if all(name in one.gone for one in self.ready) and (space := self.space.showing(name)) is not None:
                other = _Search(space, self.rule, self.deadline, self.progress, self.found)
                other.tried = self.tried
                with suppress(Stopped):
                    other.approach()
                self.tried = other.tried
                self.ready += other.ready

    def end(self) -> str:
        """What ended a search that did not try all."""
        if self.deadline.cancelled():
            return STOPPED
        if self.deadline.passed:
            return "the time ran out"
        if self.space.size > MOST_PROVED:
            return f"there are {self.space.size:,} combinations, and only promising ones were looked at"
        if self.space.decided.in_the_way:
            return "which other rows to leave out was not looked at"
        return "some tables took too long to check, and were passed over"

    def _begin(self) -> None:
        """Finds what passes and leaves nothing to be joined: what keeps most detail, most columns, age and sex finest.

        What keeps age at all, and what keeps sex, is sought by itself: of two tables with neither none is of much use.

        Where counting promises what the check does not keep, the next best is tried, and a larger k in the end.
        """
        space = self.space
        looked = min(MOST_COUNTED, max(FEWEST_COUNTED, ROWS_COUNTED // len(space.data)))
        basic = [place for place, column in enumerate(space.columns) if column.name in space.basic]

        def detail(heights: Heights, gaps: str) -> tuple[float, float]:
            return 0.0, space.bound(heights, gaps)

        def columns(heights: Heights, gaps: str) -> tuple[float, float]:
            return float(heights.count(REMOVED)), space.bound(heights, gaps)

        def finest(heights: Heights, gaps: str) -> tuple[float, float]:
            lost = sum(space.least_cost(place, heights[place], gaps) for place in basic)
            return lost, space.bound(heights, gaps)

        def shown(heights: Heights, gaps: str, place: int) -> tuple[float, float]:
            return float(heights[place] == REMOVED), space.bound(heights, gaps)

        values: list[Callable[..., tuple[float, float]]] = [detail, columns, *([finest] if basic else [])]
        values += [partial(shown, place=place) for place in basic]
        for value in values:
            found = [
                (value(heights, gaps), heights, gaps)
                for gaps in space.gaps
                for heights in self.crowds.clear(gaps, partial(value, gaps=gaps), looked, partial(self._noted, gaps))
            ]
            choices = [
                Choice(heights, k, space.ways[0], space.gaps_for(heights, gaps))
                for k in space.ks
                for _, heights, gaps in sorted(found)[:MOST_BEGUN]
            ]
            for choice in choices:
                if space.fits(choice.heights) and not self._vain_columns(choice.heights) and self._looked_at(choice):
                    break

    def _noted(self, gaps: str, heights: Heights) -> None:
        self.deadline_checked()
        if not self.crowds.stuck(heights, gaps):
            self._near.add((heights, gaps))

    def _join(self) -> None:
        """Tries what leaves a few people in the way, whom recoding may join with others.

        What seems to cost least comes first; until something passes, what leaves fewest.
        """
        records, tried = self.space.people, 0

        def promising(one: tuple[Heights, str]) -> tuple[float, float, Heights, str]:
            people, least = self.crowds.in_the_way(*one), self.space.bound(*one)
            guess = least + (1 - least) * people / records / 2
            return (guess if self.ready else people, least, *one)

        while self._near and tried < MOST_JOINED:
            some = bool(self.ready)
            for one in sorted(self._near, key=promising):
                if bool(self.ready) != some or tried >= MOST_JOINED or (some and promising(one)[0] >= self.worth):
                    break
                heights, gaps = one
                self._near.remove(one)
                if self._vain_columns(heights):
                    continue
                tried += 1
                own = self.space.gaps_for(heights, gaps)
                self._passes(Choice(heights, self.space.ks[0], self.space.ways[0], own), hopeful=True)
            else:
                return
            if bool(self.ready) == some:
                return

    def _climb(self) -> None:
        """Takes a step that costs less from the best, as long as there is one."""
        while self.ready:
            best = min(self.ready, key=lambda one: one.cost)
            if not any(self._passes(choice, hopeful=True) for choice in self._cheaper(best.choice)):
                return

    def _prove(self) -> bool:
        """Takes choices in the order of what is known of their cost; returns whether all were looked at that matter."""
        numbers = count()
        start = tuple(column.heights[0] for column in self.space.columns)
        queue: list[tuple[float, int, Heights, int, Choice | None]] = []

        def push(heights: Heights, first: int) -> None:
            least = min(self.space.bound(heights, gaps) for gaps in self.space.gaps_of(heights))
            heapq.heappush(queue, (least, next(numbers), heights, first, None))

        push(start, 0)
        while queue:
            cost, _, heights, first, choice = heapq.heappop(queue)
            if cost >= self.worth:
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
        return self.space.bound(choice.heights, choice.gaps) if known is None else known

    def _come_near(self) -> None:
        """Tries the coarsest table there may be, where nothing passes: how far it misses is then known.

        Where something has to stay, it is tried by every k and way: nothing else leaves fewer people in the way.
        """
        stays = any(height > 0 for height in self.space.coarsest)
        for choice in sorted(self.space.choices_with(self._near_heights()), key=lambda one: one.k):
            if self.ready or (self.nearest is not None and not stays):
                return
            self._looked_at(choice)

    def hindering(self) -> tuple[int, ...]:
        """Rows of the raw table that stand in the way of the coarsest table with what has to stay, from 1."""
        heights, crowds = self._near_heights(), self._every
        found = [crowds.rows_in_the_way(heights, gaps) for gaps in crowds.space.gaps_of(heights)]
        return tuple(crowds.space.rows[min(found, key=len)].tolist())

    @cached_property
    def _every(self) -> Crowds:
        """Counts by every row, where rows that are alike are counted."""
        every = self.space.every
        return self.crowds if every is None else Crowds(every, self.rule)

    def without(self, choice: Choice) -> tuple[tuple[str, int], ...]:
        """Columns that put people in the way of a choice, with how many are left there without, the fewest first."""
        heights, gaps = choice.heights, choice.gaps
        people, found = self.crowds.in_the_way(heights, gaps), []
        for place, (column, height) in enumerate(zip(self.space.columns, heights, strict=True)):
            if height != REMOVED:
                left = self.crowds.in_the_way((*heights[:place], REMOVED, *heights[place + 1 :]), gaps)
                found += [(column.name, left)] if left < people else []
        return tuple(sorted(found, key=lambda one: one[1]))

    def why_not(self, hindrances: Sequence[Finding], without: Sequence[tuple[str, int]], *, complete: bool) -> str:
        """Why nothing passes, as :func:`cra_engine.publishable.words.why_not` says it."""
        near = self.nearest
        people = 0 if near is None else self.crowds.in_the_way(near.choice.heights, near.choice.gaps)
        return why_not(self.space, hindrances, self.problem, people, without, complete=complete)

    def dropped(self) -> tuple[Outcome, ...]:
        """Tables that cost less than all that pass, and do not pass, looked at as these were."""
        cheaper = [one for one in self._failed if one[1].cost < self.worth] if self.ready else []
        return tuple(self._seen(*one) or one[1] for one in cheaper)

    def attention(self) -> Outcome | None:
        """The table that costs least of what asks for attention alone, attacked as those that pass; None for none."""
        if self._asks is None or self._asks[1].cost >= self.worth - WORTH_A_LOOK:
            return None
        outcome = self._seen(*self._asks)
        return outcome if outcome is not None and outcome.checked.verdict == "attention" else None

    def _seen(self, table: Table, outcome: Outcome) -> Outcome | None:
        """A table that does not pass with all that the check says of it; None where there was no time for all."""
        if any(one.code in _LATER for one in outcome.checked.findings):
            try:
                with self.deadline.limit():
                    outcome = self.maker.outcome(table, self.maker.checked(table, self._for_one()))
            except Stopped:
                return None
        return None if any(one.code in _LATER for one in outcome.checked.findings) else outcome

    def kept_away(self, choice: Choice) -> tuple[KeptAway, ...]:
        """Columns that a choice removes because of a few people, as far as counting them tells, the fewest first."""
        heights, gaps = choice.heights, choice.gaps
        space, crowds = self._every.space, self._every
        before, found = crowds.rows_in_the_way(heights, gaps), []
        for place, (column, height) in enumerate(zip(space.columns, heights, strict=True)):
            for finer in column.heights if height == REMOVED else ():
                shown = (*heights[:place], finer, *heights[place + 1 :])
                if finer == REMOVED:
                    continue
                rows = np.setdiff1d(crowds.rows_in_the_way(shown, space.gaps_for(shown, gaps)), before)
                if 0 < len(rows) <= MOST_NAMED:
                    found.append(KeptAway(column.name, tuple(space.rows[rows].tolist())))
                    break
        return tuple(sorted(found, key=lambda one: len(one.rows)))

    def _near_heights(self) -> Heights:
        """The columns that have to stay as coarse as they may be; else of the others the one that counts most."""
        coarsest = self.space.coarsest
        if any(height > 0 for height in coarsest):
            return coarsest
        able = [place for place, column in enumerate(self.space.columns) if any(h > 0 for h in column.heights)]
        if not able:
            return coarsest
        most = max(able, key=lambda place: self.space.weights[self.space.columns[place].name])
        height = min(h for h in self.space.columns[most].heights if h > 0)
        return (*coarsest[:most], height, *coarsest[most + 1 :])

    # ------------------------------------------------------------ neighbours

    def _cheaper(self, choice: Choice) -> Iterator[Choice]:
        """Choices that are one step from another and may cost less."""
        finer = self._stepped(choice.heights, -1)
        yield from self._with_heights(choice, finer)
        for other in sorted(self.space.choices_with(choice.heights), key=lambda one: one.k):
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
        """The same choice with other columns, what may cost least first; none that seems to cost as much."""
        space, records = self.space, self.space.people
        own = [(heights, space.gaps_for(heights, choice.gaps)) for heights in set(wanted)]
        for least, heights, gaps in sorted((space.bound(*one), *one) for one in own):
            if self.crowds.stuck(heights, gaps):
                continue
            guess = least + (1 - least) * self.crowds.in_the_way(heights, gaps) / records / 2
            if guess < self.worth and not self._vain_columns(heights):
                yield replace(choice, heights=heights, gaps=gaps)

    # ------------------------------------------------------------ one choice

    def _vain_columns(self, heights: Heights) -> tuple[str, ...]:
        """Columns that go out so that nothing passes, whatever else is chosen; none where that is not known."""
        kinds = tuple(min(height, 1) for height in heights)
        if kinds not in self._vain:
            self.deadline_checked()
            self._vain[kinds] = self._found_vain(heights)
        return self._vain[kinds]

    def _found_vain(self, heights: Heights) -> tuple[str, ...]:
        """People alone by the columns that go out as they stand are alone in every release with these columns."""
        space = self.space
        shown = {column.name: height for column, height in zip(space.columns, heights, strict=True)}
        names = [name for name, height in shown.items() if height > 0]
        kept = [name for name, height in shown.items() if height == AS_IT_IS]
        if not names:
            return tuple(kept)
        base = space.base(heights, space.gaps_of(heights)[0])
        columns = column_roles(space.data, base, proposed=space.proposed(base))
        offending = [*_asking(columns), *found_by.outsiders(columns)]
        if offending:
            return tuple(offending)
        plain = [column.name for column in columns if column.name in kept and not column.direct]
        # Rows that are left out for missing values are not counted: others may be alone without them, never fewer.
        if "leave-out" not in space.gaps_of(heights):
            codes = [cell_codes(space.data[name]) for name in plain]
            # Ready is only what leaves nobody alone but, by the intervals, a single suppressed record.
            if codes and int((unique_records(codes, len(space.data)) & (space.often == 1)).sum()) > 1:
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
        own = Deadline(self._for_one(), self.deadline.cancelled)
        try:
            with own.limit():
                return self.maker.make(choice)
        except CRAError as error:
            self.problem = str(error)
        except Stopped:
            self.deadline_checked()
            self._timed_out, self.problem = True, "The time for one table ran out."
        return None

    def _passes(self, choice: Choice, *, hopeful: bool = False) -> bool:
        """Whether a choice passes the check and costs less than all that passed; it is kept then.

        Args:
            choice: the choice.
            hopeful: whether to leave it for later where its intervals alone let expect that people are singled out.
        """
        if choice in self._judged or self._vain_columns(choice.heights):
            return False
        known = self._costs.get(choice, self.space.bound(choice.heights, choice.gaps))
        if known is None or known >= self.worth:
            return False
        return self._looked_at(choice, self.worth, hopeful=hopeful)

    def _looked_at(self, choice: Choice, below: float = math.inf, *, hopeful: bool = False) -> bool:
        """Publishes a choice and, where it costs less than that, has it checked; whether it passes."""
        if choice in self._judged:
            return choice in self._passed
        self.tried += 1
        table = self._made(choice)
        self._costs[choice] = None if table is None else table.cost
        if table is None or table.cost >= below or (hopeful and _singled_out(table) >= MOST_EXPECTED):
            return False
        outcome = self._judge(table)
        self._judged.add(choice)
        if outcome.ready:
            self._passed.add(choice)
            self.ready.append(outcome)
            self.found(outcome)
            return True
        self._failed = sorted((*self._failed, (table, outcome)), key=lambda one: one[1].cost)[:MOST_DROPPED]
        asks = outcome.checked.verdict == "attention" and outcome.checked.classes > 0  # what shows nothing asks in vain
        if asks and (self._asks is None or outcome.cost < self._asks[1].cost):
            self._asks = table, outcome
        if self.nearest is None or _distance(outcome) < _distance(self.nearest):
            self.nearest, self.expected = outcome, _singled_out(table)
        return False

    def _judge(self, table: Table) -> Outcome:
        """The table with its verdict; the attack is asked only where all else passes."""
        limit, choice = self._for_one(), table.choice
        clear = not self.crowds.in_the_way(choice.heights, choice.gaps)
        with self.deadline.limit():
            checked = self.maker.checked(table, limit if clear else 0.0)
        if not clear and not any(one.level != "note" and one.code not in _LATER for one in checked.findings):
            with self.deadline.limit():
                checked = self.maker.checked(table, limit)
        self._timed_out |= {one.code for one in checked.findings if one.level != "note"} == {_LATE}
        return self.maker.outcome(table, checked)

    def _for_one(self) -> float:
        """How many seconds one table may take."""
        left = self.deadline.left
        return min(MOST_FOR_ONE, FOR_ONE * left) if self.ready else FOR_FIRST * left

    def deadline_checked(self) -> None:
        """Ends the search where no time is left."""
        if self.deadline.passed:
            raise Stopped

    def _tell(self) -> None:
        self.deadline_checked()
        left = self.deadline.left
        self.progress(self.tried, 0, left if math.isfinite(left) else None)


def _singled_out(table: Table) -> float:
    """How many people the intervals of a table alone let expect to be singled out; the attack seldom expects fewer."""
    release = table.made.release
    return expected_isolated(release) if isinstance(release, Release) else 0.0


def _asking(columns: Sequence[CheckedColumn]) -> list[str]:
    """Columns because of which the check asks for something, whatever is published of the others."""
    return [
        column.name
        for column in columns
        if any(finding.level != "note" and finding.code != "no-sensitive" for finding in found_by.of_columns([column]))
    ]


def _hindrances(findings: Sequence[Finding], expected: float) -> tuple[Finding, ...]:
    """What keeps a table from going out; that the attack was not looked at to its end is none where anything else does.

    Args:
        findings: what the check found.
        expected: people whom the intervals alone let expect to be singled out.
    """
    asking = tuple(one for one in findings if one.level != "note")
    known = tuple(one for one in asking if one.code not in _LATER)
    if not known and expected >= MOST_EXPECTED:
        text = (
            f"By its groups alone {expected:.1f} people are expected to be singled out, each the only one in a group "
            "as fine as the table shows any."
        )
        return (Finding("attention", "expected", text),)
    return known or asking


def _distance(outcome: Outcome) -> tuple[bool, int, int, float]:
    """How far an outcome is from being publishable; a table that shows nothing is farther than any other."""
    levels = [finding.level for finding in outcome.checked.findings]
    return not outcome.checked.classes, levels.count("stop"), levels.count("attention"), outcome.cost
