"""The search for a table that may go out: first some answer, then cheaper ones, then the proof that none is cheaper.

Every choice has a cost that no table by it is below: what the columns that it removes, and the finest intervals of the
others, lose by themselves. Publishing a choice gives its own cost, which is no lower. So where choices are taken in the
order of what is known of their costs, the first that passes costs least: nothing cheaper is left. That alone would look
at what keeps everything first, which seldom passes; so before it the search counts who would be in the way, begins with
what leaves nobody there, and climbs on from that. The best may show little of age, sex or what has to stay: what shows
more of one of these is counted likewise, as where a pin asks for it; and where nothing shows age and sex together, what
does is searched by itself.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import pandas as pd

from cra_engine.checks.outcome import Finding
from cra_engine.checks.rule import MOST_EXPECTED, Rule
from cra_engine.errors import StudyError
from cra_engine.expected import expect, expect_each, expect_seconds
from cra_engine.patience import Deadline, Stopped
from cra_engine.publishable.choice import REMOVED, Decided, Pin
from cra_engine.publishable.one_search import Search
from cra_engine.publishable.outcome import KeptAway, Outcome, Publishable, best_of
from cra_engine.publishable.space import Space
from cra_engine.publishable.trials import ALIKE, LATER, WORTH_A_LOOK
from cra_engine.study.study import Study
from cra_engine.words import listed

SECONDS = 120.0
MOST_IN_THE_WAY = 0.5  # of all people, up to which it is offered to leave those in the way out


def publishable(
    data: pd.DataFrame,
    study: Study,
    rule: Rule | None = None,
    *,
    pins: Sequence[Pin] = (),
    without_rows: Sequence[int] | Mapping[int, str] = (),
    removed: Sequence[str] = (),
    time_limit: float = SECONDS,
    progress: Callable[[int, int, float | None], None] = lambda *_: None,
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
        without_rows: rows that are left out whatever they say, counted from 1; or by the row the reason for it, in
            words that follow "left out", which what is found says then.
        removed: columns that are removed as others know too many of them; their detail counts as lost, unlike that of
            other columns that the study removes.
        time_limit: seconds for all of it. What was found until then is the result.
        progress: told how many choices were tried, of how many (0 while nobody knows), and how many seconds are left.
        found: told every table that passes.
        cancelled: asked several times a second; when it answers True what was found so far is returned.

    Raises:
        DataError: the table does not fit the study, or lacks a row that is to be left out.
        StudyError: k is more than the records, a pin leaves nothing to choose, or the study does not remove a column
            of ``removed``.

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
    asked = Rule() if rule is None else rule
    given = without_rows if isinstance(without_rows, Mapping) else {}
    said = {row: " ".join(why.split()) for row, why in given.items()}  # a line each in the script that repeats it
    if others := [name for name in removed if name not in study.roles.remove]:
        raise StudyError(f"The study does not remove {listed([repr(name[:60]) for name in others])}.")
    before = Decided(removed=tuple(removed), without_rows=tuple(sorted(set(without_rows))), why=said)
    began = time.monotonic()
    searches = _Searches(data, study, asked, tuple(pins), before)
    return searches.searched(began, time_limit, progress, found, cancelled)


def search_on(
    publishable: Publishable,
    *,
    time_limit: float = SECONDS,
    progress: Callable[[int, int, float | None], None] = lambda *_: None,
    found: Callable[[Outcome], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Publishable:
    """Search on where a search for a publishable table ended before all was tried, from what it knows.

    What took too long is tried again; where there are many combinations they have their turns now, too, until nothing
    that is left may cost less.

    Args:
        publishable: what that search found; as it is where it tried all.
        time_limit: seconds from now.
        progress: as for :func:`publishable`; what was tried before counts.
        found: likewise.
        cancelled: likewise.

    >>> from cra_engine import synthesize
    >>> toy = synthesize("toy")
    >>> first = publishable(toy.data, toy.study, time_limit=0)
    >>> first.complete, search_on(first).complete
    (False, True)
    """
    expect(publishable, Publishable, "search_on(publishable)")
    expect_seconds(time_limit)
    if not isinstance(publishable.searches, _Searches):
        return publishable
    return publishable.searches.searched(time.monotonic(), time_limit, progress, found, cancelled)


class _Searches:
    """The searches for one table: with every row, and without a few people who are in the way; with what they know."""

    def __init__(self, data: pd.DataFrame, study: Study, rule: Rule, pins: tuple[Pin, ...], before: Decided) -> None:
        self.data, self.study, self.rule, self.pins, self.before = data, study, rule, pins, before
        self.space = Space.of(data, study, rule, pins, before)
        self.every = Search(self.space.alike(), rule)
        self.without: Search | None = None
        self._by_rows: dict[tuple[int, ...], Search] = {(): self.every}
        self.finer: list[Outcome] = []  # without people in the way, what shows a column finer than what keeps more
        self.shown_without = False  # whether a table without people in the way was shown, which then stays
        self.seconds = 0.0

    def searched(
        self,
        began: float,
        time_limit: float,
        progress: Callable[[int, int, float | None], None],
        found: Callable[[Outcome], None],
        cancelled: Callable[[], bool],
    ) -> Publishable:
        """Searches, or searches on, until the time is over; returns all that is known then."""
        deadline = Deadline(time_limit - (time.monotonic() - began), cancelled)

        def told(tried: int) -> None:  # of the whole search: a part of it has less time left
            progress(tried, 0, deadline.left if math.isfinite(deadline.left) else None)

        search = self.every
        search.start(deadline, told, found)
        search.begin()
        self._leave_out(deadline, told, found)
        finer = self._finer(deadline, told)
        search.go_on()
        for name in search.space.basic:
            search.show_more([name])
        complete = search.prove()
        if len(search.space.basic) > 1:
            search.show_more(search.space.basic)  # a proof comes to those that cost less
        again = self.without
        if again is not None and not self.shown_without:
            # With every row something may have been found by now that keeps as much as the best without these people.
            if all(one.cost >= search.worth - WORTH_A_LOOK for one in again.ready):
                again.ready = []
            for one in again.ready:
                self._show_without(one, found)
        for one in finer:
            if one not in self.finer and one.cost < search.worth - WORTH_A_LOOK:
                self.finer.append(one)
                if one.ready:
                    found(one)
        self.seconds += time.monotonic() - began
        return self._result(complete=complete)

    def _leave_out(self, deadline: Deadline, told: Callable[[int], None], found: Callable[[Outcome], None]) -> None:
        """Searches without the few people in the way, where that keeps much more detail."""
        search, again = self.every, self.without
        if again is None and (fewer := search.few_in_the_way()):
            again = self.without = self._without(fewer)
            again.settled = self._with_all_who_fit
        if again is not None:
            again.most = search.worth - WORTH_A_LOOK
            # What is shown stays, so that nothing worse takes its place: it has to be worth it in the end, too.
            early = self.shown_without or not search.ready
            shown = partial(self._show_without, found=found) if early else lambda _: None
            # Neither is to wait until the other has tried all.
            again.start(Deadline(deadline.left / 2, deadline.cancelled), told, shown)
            again.tried = search.tried
            again.begin()
            again.go_on()
            search.tried = again.tried

    def _finer(self, deadline: Deadline, told: Callable[[int], None]) -> list[Outcome]:
        """Searches what shows age, sex or what has to stay finer than the best so far, as where that is pinned.

        Returns what leaves a few people in the way out for that.
        """
        search, again, finer = self.every, self.without, list[Outcome]()
        best = min([*search.ready, *(again.ready if again else ())], key=lambda one: one.cost, default=None)
        names = {*search.space.basic, *(pin.name for pin in self.pins)}
        part = Deadline(deadline.left / 4, deadline.cancelled)
        for column, height in zip(search.space.columns, best.choice.heights if best else (), strict=False):
            for least in sorted(one for one in column.heights if column.name in names and one > height >= REMOVED):
                other = search.showing((column.name,), least, part)
                if other is None:
                    continue
                other.begin(by_detail=True)
                search.ready += [one for one in other.ready if one not in search.ready]
                search.tried, found = other.tried, bool(other.ready)
                if fewer := other.few_in_the_way(search.worth):
                    left = self._without(fewer)
                    left.start(part, told, lambda _: None)
                    left.settled, left.tried = self._with_all_who_fit, search.tried
                    if (without := left.showing((column.name,), least)) is not None:
                        without.most = min(search.worth, other.worth) - WORTH_A_LOOK
                        without.begin(by_detail=True)
                        finer += without.ready
                        search.tried, found = without.tried, found or bool(without.ready)
                if not found:
                    break
        return finer

    def _show_without(self, outcome: Outcome, found: Callable[[Outcome], None]) -> None:
        self.shown_without = True
        if outcome.ready:
            found(outcome)

    def _without(self, fewer: tuple[int, ...]) -> Search:
        """The search without so many rows of people in the way; that with every row without none."""
        if fewer not in self._by_rows:
            rows = tuple(sorted({*self.space.decided.without_rows, *fewer}))
            left = replace(self.before, without_rows=rows, in_the_way=fewer)
            smaller = Space.of(self.data, self.study, self.rule, self.pins, left)
            self._by_rows[fewer] = Search(smaller.alike(), self.rule, failed=0)
        return self._by_rows[fewer]

    def _with_all_who_fit(self, outcome: Outcome) -> Outcome:
        """The same columns with all who are in the way of none of them, where that is no worse; else as it is."""
        out, choice = outcome.decided.in_the_way, outcome.choice
        there = set(self.every.in_the_way_of(choice))
        needed = tuple(row for row in out if row in there)
        if len(needed) == len(out):
            return outcome
        again, other = self._without(out), self._without(needed)
        if other is not self.every:
            other.start(again.deadline, again.progress, again.found)
        other.tried = again.tried
        own = replace(choice, gaps=other.space.gaps_for(choice.heights, choice.gaps))
        asks = None
        with suppress(Stopped):
            if other.looked_at(own, outcome.cost + ALIKE) == outcome.chosen_out:
                asks = other.attention(math.inf)
        again.tried = other.tried
        return next((one for one in (*other.ready, asks) if one is not None and one.choice == own), outcome)

    def _result(self, *, complete: bool) -> Publishable:
        search, again = self.every, self.without
        passing = [*search.ready, *(again.ready if again else ()), *self.finer]
        outcomes = best_of([one for one in passing if one.ready])
        asks = [one for one in (search, again) if one is not None and one.asks]
        main = again if again is not None and not search.ready and (again.ready or asks == [again]) else search
        least = min((one.cost for one in outcomes), default=math.inf)
        attention = next(filter(None, (one.attention(least) for one in asks)), None)
        attention = attention and self._with_all_who_fit(attention)
        # What asks nothing but what no choice settles goes before what others ask, too.
        asking = [one for one in passing if one.cost < least - WORTH_A_LOOK]
        attention = min(asking, key=lambda one: one.cost, default=attention)
        nearest = None if outcomes else attention if attention in passing else main.nearest
        main = search if nearest is None else self._without(nearest.decided.in_the_way)
        hindrances = () if nearest is None else _hindrances(nearest.checked.findings, main.expected)
        without_columns = () if nearest is None else main.without(nearest.choice)
        none = complete and nearest not in passing  # of coarser tables one may leave nothing to be looked at
        why = "" if outcomes else main.why_not(nearest, hindrances, without_columns, complete=none)
        dropped = search.dropped(attention.cost if outcomes and attention else least)
        kept_away: tuple[KeptAway, ...] = ()
        if best := outcomes[0] if outcomes else nearest if nearest in passing else None:
            kept_away = self._without(best.decided.in_the_way).kept_away(best.choice)
        hindering = search.hindering() if self.pins and not (again and again.ready) else ()
        if 0 < len(hindering) <= MOST_IN_THE_WAY * self.space.people:
            kept_away = (KeptAway(listed([pin.name for pin in self.pins]), hindering, stays=True), *kept_away)

        def whole(outcome: Outcome) -> Outcome:
            return self._without(outcome.decided.in_the_way).with_every_row(outcome)

        return Publishable(
            self.space,
            self.rule,
            tuple(map(whole, outcomes)),
            search.tried,
            complete,
            "" if complete else search.end(),
            nearest and whole(nearest),
            hindrances,
            without_columns,
            why,
            attention and whole(attention),
            tuple(map(whole, dropped)),
            kept_away,
            self.seconds,
            None if complete else self,
        )


def _hindrances(findings: Sequence[Finding], expected: float) -> tuple[Finding, ...]:
    """What keeps a table from going out; that the attack was not looked at to its end is none where anything else does.

    Args:
        findings: what the check found.
        expected: people whom the intervals alone let expect to be singled out.
    """
    asking = tuple(one for one in findings if one.level != "note")
    known = tuple(one for one in asking if one.code not in LATER)
    if not known and expected >= MOST_EXPECTED:
        text = (
            f"By its groups alone {expected:.1f} people are expected to be singled out, each the only one in a group "
            "as fine as the table shows any."
        )
        return (Finding("attention", "expected", text),)
    return known or asking
