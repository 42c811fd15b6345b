"""Choices tried one by one: each published, checked where it may pass, and remembered with what came of it."""

import math
from collections.abc import Callable, Sequence

from cra_engine.attacks.intervals import expected_isolated
from cra_engine.checks import findings as found_by
from cra_engine.checks.columns import column_roles
from cra_engine.checks.outcome import CheckedColumn
from cra_engine.checks.rule import MOST_EXPECTED, Rule
from cra_engine.errors import CRAError
from cra_engine.patience import Deadline, Stopped
from cra_engine.publishable.choice import AS_IT_IS, Choice, Heights
from cra_engine.publishable.crowds import Crowds
from cra_engine.publishable.making import Maker, Table
from cra_engine.publishable.outcome import Outcome
from cra_engine.publishable.space import Space
from cra_engine.release import Release
from cra_engine.risk.uniques import cell_codes, unique_records

FOR_FIRST, FOR_ONE = 1 / 4, 1 / 8  # of the time that is left, for one table until something passes, and from then on
MOST_FOR_ONE = 60.0  # seconds, once something passes
MOST_DROPPED = 3  # tables that are kept that do not pass
WORTH_A_LOOK = (
    0.02  # of the detail that a table has to keep more for somebody to look at it, or for rows to be left out
)
ALIKE = 1e-9  # costs that differ by less are one
LATE = "attack-out-of-time"  # what a check without the attack says of itself
LATER = {LATE, "attack-not-looked-at"}
KNOWN = "known-to-others"


class Trials:
    """What a search has tried.

    Args:
        space: what there is to choose.
        rule: what is demanded.
        failed: how many tables that do not pass are kept, of those that cost least; each is as large as the raw table.
    """

    def __init__(
        self,
        space: Space,
        rule: Rule,
        failed: int = MOST_DROPPED,
    ) -> None:
        self.space, self.rule = space, rule
        self.most = math.inf  # cost from which on a table is of no use
        self.settled: Callable[[Outcome], Outcome] = lambda one: one  # what is kept of a table that passes
        self.times = 0  # how often it was started
        self.hurried = False  # whether it passed something over the last time
        self.maker, self.crowds = Maker(space, rule), Crowds(space, rule)
        self.tried = 0
        self.nearest: Outcome | None = None
        self.expected = 0.0  # people whom the intervals of the nearest alone let expect to be singled out
        self.problem = ""  # why the last choice could not be published at all
        self.ready: list[Outcome] = []  # of these no choice leaves less to be looked at; most are Ready
        self._kept = failed
        self._failed: list[tuple[Table, Outcome]] = []
        self._asks: tuple[Table, Outcome] | None = None  # what costs least of what asks for attention alone
        self.costs: dict[Choice, float | None] = {}  # of published ones; None where a choice cannot be published
        self._judged: set[Choice] = set()
        self._singled: set[Choice] = set()  # what was left for later, as people are expected to be singled out
        self._late: set[Choice] = set()  # what was passed over for want of time
        self.passed: set[Choice] = set()
        self._vain: dict[tuple[int, ...], tuple[str, ...]] = {}
        self.timed_out = False

    def start(self, deadline: Deadline, progress: Callable[[int], None], found: Callable[[Outcome], None]) -> None:
        """Begins, or goes on with what is known; what was passed over for want of time has its turn again.

        Args:
            deadline: when the time is over.
            progress: told how many choices were tried.
            found: told every table that passes.
        """
        self.deadline, self.progress, self.found = deadline, progress, found
        self.times += 1
        self.hurried = bool(self._late)
        for choice in self._late:
            self._judged.discard(choice)
            self.costs.pop(choice, None)
        self._late, self.timed_out = set(), False

    @property
    def worth(self) -> float:
        """The cost from which on a choice changes nothing of what the search found."""
        return min([self.most, *(one.cost for one in self.ready)]) - ALIKE

    @property
    def asks(self) -> bool:
        """Whether some table was found that asks for attention alone."""
        return self._asks is not None

    def vain_columns(self, heights: Heights) -> tuple[str, ...]:
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
        if not any(space.left_out_by(heights, gaps) for gaps in space.gaps_of(heights)):
            codes = [cell_codes(space.data[name]) for name in plain]
            # Ready is only what leaves nobody alone but, by the intervals, a single suppressed record.
            if codes and int((unique_records(codes, len(space.data)) & (space.often == 1)).sum()) > 1:
                return tuple(sorted(plain, key=lambda name: -space.data[name].nunique()))
        return ()

    def cost(self, choice: Choice) -> float | None:
        """What a choice costs once it is published; None where it cannot be."""
        if choice not in self.costs:
            table = self._made(choice)
            self.costs[choice] = None if table is None else table.cost
        return self.costs[choice]

    def _made(self, choice: Choice) -> Table | None:
        self.tell()
        own = Deadline(self._for_one(), self.deadline.cancelled)
        try:
            with own.limit():
                return self.maker.make(choice)
        except CRAError as error:
            self.problem = str(error)
        except Stopped:
            self.deadline_checked()
            self.timed_out, self.problem = True, "The time for one table ran out."
            self._late.add(choice)
        return None

    def passes(self, choice: Choice, *, hopeful: bool = False) -> bool:
        """Whether a choice passes the check and costs less than all that passed; it is kept then.

        Args:
            choice: the choice.
            hopeful: whether to leave it for later where its intervals alone let expect that people are singled out.
        """
        if choice in self._judged or self.vain_columns(choice.heights):
            return False
        known = self.costs.get(choice, self.space.bound(choice.heights, choice.gaps))
        if known is None or known >= self.worth:
            return False
        return self.looked_at(choice, self.worth, hopeful=hopeful)

    def looked_at(self, choice: Choice, below: float = math.inf, *, hopeful: bool = False) -> bool:
        """Publishes a choice and, where it costs less than that, has it checked; whether it passes."""
        if choice in self._judged:
            return choice in self.passed
        known = self.costs.get(choice, 0.0)
        if known is None or known >= below or (hopeful and choice in self._singled):
            return False
        self.tried += 1
        table = self._made(choice)
        self.costs[choice] = None if table is None else table.cost
        if table is None or table.cost >= below:
            return False
        if hopeful and _singled_out(table) >= MOST_EXPECTED:
            self._singled.add(choice)
            return False
        outcome = self._judge(table)
        self._judged.add(choice)
        if outcome.chosen_out:
            self.passed.add(choice)
            self.ready.append(self.settled(outcome))
            if outcome.ready and self.ready[-1] is outcome:  # else it was told already
                self.found(outcome)
            return True
        self._failed = sorted((*self._failed, (table, outcome)), key=lambda one: one[1].cost)[: self._kept]
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
            within = self.maker.looked_at(table)
            checked = within(limit if clear else 0.0)
            grave = {one.code for one in checked.findings if one.level != "note"}
            if not clear and grave <= LATER | ({KNOWN} if checked.unique.asks else set()):
                checked = within(limit)
                grave = {one.code for one in checked.findings if one.level != "note"}
        if LATE in grave <= {LATE, KNOWN}:
            self.timed_out = True
            self._late.add(choice)
        return self.maker.outcome(table, checked)

    def _for_one(self) -> float:
        """How many seconds one table may take."""
        left = self.deadline.left
        return min(MOST_FOR_ONE, FOR_ONE * left) if self.ready else FOR_FIRST * left

    def deadline_checked(self) -> None:
        """Ends the search where no time is left."""
        if self.deadline.passed:
            raise Stopped

    def tell(self) -> None:
        """Tells how far it is, and ends the search where no time is left."""
        self.deadline_checked()
        self.progress(self.tried)

    def dropped(self, least: float) -> tuple[Outcome, ...]:
        """Tables that cost less than what passes, and do not pass, looked at as that was."""
        cheaper = [one for one in self._failed if one[1].cost < least] if math.isfinite(least) else []
        return tuple(self._seen(*one) or one[1] for one in cheaper)

    def attention(self, least: float) -> Outcome | None:
        """The table that costs least of what asks for attention alone, attacked as those that pass; None for none."""
        if self._asks is None or self._asks[1].cost >= least - WORTH_A_LOOK:
            return None
        outcome = self._seen(*self._asks)
        return outcome if outcome is not None and outcome.checked.verdict == "attention" else None

    def _seen(self, table: Table, outcome: Outcome) -> Outcome | None:
        """A table that does not pass with all that the check says of it; None where there was no time for all."""
        if any(one.code in LATER for one in outcome.checked.findings):
            try:
                with self.deadline.limit():
                    outcome = self.maker.outcome(table, self.maker.checked(table, self._for_one()))
            except Stopped:
                return None
        return None if any(one.code in LATER for one in outcome.checked.findings) else outcome


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


def _distance(outcome: Outcome) -> tuple[bool, int, int, float]:
    """How far an outcome is from being publishable; a table that shows nothing is farther than any other."""
    levels = [finding.level for finding in outcome.checked.findings]
    return not outcome.checked.classes, levels.count("stop"), levels.count("attention"), outcome.cost
