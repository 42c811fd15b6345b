"""One search for a table that may go out, with what it knows so far.

Its public methods are its parts: it begins with what leaves nobody in the way, goes on from that, and may prove that
nothing costs less. :mod:`cra_engine.publishable.search` says why in this order.
"""

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from itertools import count

import numpy as np

from cra_engine.checks.outcome import Finding
from cra_engine.patience import Deadline, Stopped
from cra_engine.publishable.choice import REMOVED, Choice, Heights
from cra_engine.publishable.crowds import Crowds
from cra_engine.publishable.least import LeastCosts
from cra_engine.publishable.making import Maker
from cra_engine.publishable.outcome import KeptAway, Outcome
from cra_engine.publishable.trials import WORTH_A_LOOK, Trials
from cra_engine.publishable.words import why_not

MOST_COUNTED, FEWEST_COUNTED, ROWS_COUNTED = 4000, 100, 4_000_000  # combinations that are counted, and rows in them
MOST_BEGUN, MOST_JOINED = 8, 60  # of these how many are published and checked
MOST_PROVED = 3_000  # combinations of all choices up to which the search goes on until nothing cheaper is left
MOST_NAMED = 5  # people who are named for a column
FEW_IN_THE_WAY = 0.05  # of all people, whom the search may leave out itself
STOPPED = "the search was stopped"


class Search(Trials):
    """One search, with what it knows so far."""

    _begun = False

    @cached_property
    def _others(self) -> dict[tuple[tuple[str, ...], int], "Search"]:
        """The searches for what shows columns, at least as finely as by so many layers."""
        return {}

    @cached_property
    def near(self) -> set[tuple[Heights, str]]:
        """Combinations that leave people in the way whom recoding joins."""
        return set()

    @cached_property
    def least(self) -> LeastCosts:
        """What choices cost at least."""
        return LeastCosts(self.space)

    @property
    def _looked(self) -> int:
        """How many combinations are counted at a time."""
        return min(MOST_COUNTED, max(FEWEST_COUNTED, ROWS_COUNTED // len(self.space.data)))

    # ------------------------------------------------------------ the parts

    def begin(self, *, by_detail: bool = False) -> None:
        """Looks, as long as there is time, at what leaves nobody in the way by counting; again if time was short.

        Args:
            by_detail: whether to look for what keeps most detail alone.
        """
        with suppress(Stopped):
            if self.hurried or not self._begun:
                self._begin(by_detail=by_detail)
            self._begun = True

    def go_on(self) -> None:
        """Goes on from where it began, as long as there is time, without a proof that nothing costs less.

        Who searches on has all tried that was counted and seems to cost less.
        """
        with suppress(Stopped):
            self._come_near()
            joined = self._join()
            self._climb()
            while joined and self.times > 1:
                joined = self._join()
                self._climb()

    def prove(self) -> bool:
        """Goes on where few combinations are left, or it searches on; returns whether none of them could cost less."""
        with suppress(Stopped):
            few = self.space.size <= MOST_PROVED or self.times > 1
            return few and self._proven() and not self.timed_out
        return False

    def show_more(self, names: Sequence[str]) -> None:
        """Searches what shows some columns, all of them, where nothing that was found does."""
        if not self.ready or not all({*names} & {*one.gone} for one in self.ready):
            return
        if (other := self.showing(names)) is not None:
            other.begin()
            other.go_on()
            self.tried = other.tried
            self.ready += [one for one in other.ready if one not in self.ready]

    def showing(self, names: Sequence[str], least: int = 1, deadline: Deadline | None = None) -> "Search | None":
        """The search for what shows columns, as finely at least, started like this one; see :meth:`Space.showing`."""
        space = self.space.showing(names, least)
        if space is None:
            return None
        other = self._others.setdefault((tuple(names), least), Search(space, self.rule, failed=0))
        other.start(deadline or self.deadline, self.progress, self.found)
        other.settled, other.tried = self.settled, self.tried
        return other

    def end(self) -> str:
        """What ended a search that did not try all."""
        if self.deadline.cancelled():
            return STOPPED
        if self.deadline.passed:
            return "the time ran out"
        if self.space.size > MOST_PROVED:
            return f"there are {self.space.size:,} combinations, and only promising ones were looked at"
        return "some tables took too long to check, and were passed over"

    def _begin(self, *, by_detail: bool) -> None:
        """Finds what passes and leaves nothing to be joined: what keeps most detail, most columns, age and sex finest.

        What keeps age at all, and what keeps sex, is sought by itself: of two tables with neither none is of much use.

        Where counting promises what the check does not keep, the next best is tried, and a larger k in the end.
        """
        space = self.space
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
        for value in values[:1] if by_detail else values:
            found = [
                (value(heights, gaps), heights, gaps)
                for gaps in space.gaps
                for heights in self.crowds.clear(
                    gaps, partial(value, gaps=gaps), self._looked, partial(self._noted, gaps)
                )
            ]
            choices = [
                Choice(heights, k, space.ways[0], space.gaps_for(heights, gaps))
                for k in space.ks
                for _, heights, gaps in sorted(found)[:MOST_BEGUN]
            ]
            for choice in choices:
                if (
                    space.fits(choice.heights)
                    and not self.vain_columns(choice.heights)
                    and self.looked_at(choice, self.most)
                ):
                    break

    def _noted(self, gaps: str, heights: Heights) -> None:
        self.deadline_checked()
        if self.space.fits(heights) and not self.crowds.stuck(heights, gaps):
            self.near.add((heights, gaps))

    def _join(self) -> int:
        """Tries what leaves a few people in the way, whom recoding may join with others; returns how many it tried.

        What seems to cost least comes first; until something passes, what leaves fewest.
        """
        records, tried = self.space.people, 0

        def promising(one: tuple[Heights, str]) -> tuple[float, float, Heights, str]:
            people, least = self.crowds.in_the_way(*one), self.space.bound(*one)
            guess = least + (1 - least) * people / records / 2
            return (guess if self.ready else people, least, *one)

        while self.near and tried < MOST_JOINED:
            some = bool(self.ready)
            for one in sorted(self.near, key=promising):
                if bool(self.ready) != some or tried >= MOST_JOINED or (some and promising(one)[0] >= self.worth):
                    break
                heights, gaps = one
                if not self.vain_columns(heights):
                    tried += 1
                    own = self.space.gaps_for(heights, gaps)
                    self.passes(Choice(heights, self.space.ks[0], self.space.ways[0], own), hopeful=True)
                self.near.remove(one)  # afterwards: who searches on begins with what was not done with
            else:
                return tried
            if bool(self.ready) == some:
                return tried
        return tried

    def _climb(self) -> None:
        """Takes a step that costs less from the best, as long as there is one."""
        while self.ready:
            best = min(self.ready, key=lambda one: one.cost)
            if not any(self.passes(choice, hopeful=True) for choice in self._cheaper(best.choice)):
                return

    def _proven(self) -> bool:
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
            if self.vain_columns(heights):
                self.tried += 1
                self.tell()
                continue
            for one in self.space.choices_with(heights):
                heapq.heappush(queue, (self._known_cost(one), next(numbers), heights, first, one))
        return True

    def _taken(self, choice: Choice, cost: float) -> float | None:
        """Looks at a choice whose turn has come at a cost; returns a higher cost at which it is to have its turn again.

        It is checked once nothing that is left may cost less.
        """
        if choice.way.name == "repaired":
            if self._plain(choice) in self.passed:
                return None  # nothing was to be repaired
            if (known := self._known_cost(choice)) > cost:
                return known
        own = self.cost(choice)
        if own is not None and own <= cost:
            self.passes(choice)
            return None
        return own

    def _plain(self, choice: Choice) -> Choice:
        """The same choice without a repair, which only adds to what it loses."""
        local = next(way for way in self.space.ways if way.name == "local")
        return replace(choice, way=local)

    def _known_cost(self, choice: Choice) -> float:
        """What is known of a cost: the choice's own, or one that it is not below."""
        known = self.costs.get(choice)
        if known is None and choice.way.name == "repaired":
            known = self.costs.get(self._plain(choice))
        return self.least.of(choice) if known is None else known

    def _come_near(self) -> None:
        """Tries the coarsest table there may be, where nothing passes: how far it misses is then known.

        Where something has to stay, it is tried by every k and way: nothing else leaves fewer people in the way.
        """
        stays = any(height > 0 for height in self.space.coarsest)
        for choice in sorted(self.space.choices_with(self._near_heights()), key=lambda one: one.k):
            if self.worth < math.inf or (self.nearest is not None and not stays):
                return
            self.looked_at(choice)

    def few_in_the_way(self, worth: float = math.inf) -> tuple[int, ...]:
        """Rows of a few people without whom much more detail is kept, as far as counting tells, from 1; else none.

        Args:
            worth: a cost than which it has to be much less, too.
        """
        space, crowds, most = self.space, self.crowds, int(FEW_IN_THE_WAY * self.space.people)

        def value(heights: Heights, gaps: str) -> float:
            return 1 - (1 - space.bound(heights, gaps)) * (1 - crowds.in_the_way(heights, gaps) / space.people)

        found: list[tuple[float, Heights, str]] = []
        with suppress(Stopped):
            for gaps in space.gaps if most else ():
                lost = partial(value, gaps=gaps)
                clear = crowds.clear(gaps, lost, self._looked, lambda _: self.deadline_checked(), most)
                found += [(lost(heights), heights, gaps) for heights in clear if space.fits(heights)]
        for cost, heights, gaps in sorted(found)[:1]:
            if cost < min(self.worth, worth) - WORTH_A_LOOK:
                return self._rows_in_the_way(heights, gaps)
        return ()

    def in_the_way_of(self, choice: Choice) -> tuple[int, ...]:
        """Rows of the raw table that stand in the way of a choice's columns, from 1, by what they leave open here."""
        return self._rows_in_the_way(choice.heights, self.space.gaps_for(choice.heights, choice.gaps))

    def _rows_in_the_way(self, heights: Heights, gaps: str) -> tuple[int, ...]:
        every = self._every
        return tuple(every.space.rows[every.rows_in_the_way(heights, gaps)].tolist())

    def with_every_row(self, outcome: Outcome) -> Outcome:
        """The same outcome with every row of its table, where rows that are alike are counted."""
        every = self.space.every
        return outcome if every is None else Maker(every, self.rule).with_every_row(outcome)

    def hindering(self) -> tuple[int, ...]:
        """Rows of the raw table that stand in the way of the coarsest table with what has to stay, from 1."""
        heights = self._near_heights()
        return min((self._rows_in_the_way(heights, gaps) for gaps in self.space.gaps_of(heights)), key=len)

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

    def why_not(
        self,
        near: Outcome | None,
        hindrances: Sequence[Finding],
        without: Sequence[tuple[str, int]],
        *,
        complete: bool,
    ) -> str:
        """Why nothing passes, as :func:`cra_engine.publishable.words.why_not` says it of the nearest."""
        people = 0 if near is None else self.crowds.in_the_way(near.choice.heights, near.choice.gaps)
        return why_not(self.space, hindrances, self.problem, people, without, complete=complete)

    def kept_away(self, choice: Choice) -> tuple[KeptAway, ...]:
        """Columns that a choice removes because of a few people, as far as counting them tells, the fewest first."""
        heights, gaps = choice.heights, choice.gaps
        space, crowds = self._every.space, self._every
        before, found = crowds.rows_in_the_way(heights, gaps), []
        for place, (column, height) in enumerate(zip(space.columns, heights, strict=True)):
            for finer in column.heights if height == REMOVED else ():
                shown = (*heights[:place], finer, *heights[place + 1 :])
                if finer == REMOVED or not space.fits(shown):
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
            if not space.fits(heights) or self.crowds.stuck(heights, gaps):
                continue
            guess = least + (1 - least) * self.crowds.in_the_way(heights, gaps) / records / 2
            if guess < self.worth and not self.vain_columns(heights):
                yield replace(choice, heights=heights, gaps=gaps)
