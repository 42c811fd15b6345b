"""What one choice makes of a table, and what that costs."""

from dataclasses import dataclass

import pandas as pd

from cra_engine.checks.check import check
from cra_engine.checks.outcome import Check
from cra_engine.checks.rule import Rule
from cra_engine.options.option import Option
from cra_engine.options.ways import SEED, Made, Publisher
from cra_engine.publishable.outcome import Outcome, Step
from cra_engine.publishable.space import AS_IT_IS, REMOVED, Choice, Space
from cra_engine.publishable.words import gap_text, label_of, removed_text, share_kept, width_text
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.utility.certainty_penalty import certainty_penalty
from cra_engine.words import how_many


@dataclass(frozen=True, eq=False)
class Table:
    """A table as a choice publishes it, not checked yet.

    Attributes:
        choice: the choice.
        made: how it was published.
        frame: what goes out: the same, but for sensitive values that few suppressed records would show.
        data: the raw rows, in its order.
        hidden: number of records whose sensitive values are hidden.
        left_out: number of rows that are left out for missing values.
        cost: see :attr:`Outcome.cost`.
    """

    choice: Choice
    made: Made
    frame: pd.DataFrame
    data: pd.DataFrame
    hidden: int
    left_out: int
    cost: float


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
            CRAError: it cannot be published so.
            Stopped: somebody lost patience.
        """
        publisher = self._publisher_of(choice)
        layers = tuple(height for height in choice.heights if height > 0)
        made = publisher.publish(Option(choice.k, layers, choice.way))
        frame, hidden = self._hidden(made)
        left_out = len(self.space.data) - len(frame)
        return Table(choice, made, frame, publisher.data, hidden, left_out, self._cost(choice, made, hidden, left_out))

    def checked(self, table: Table, time_limit: float) -> Check:
        """Returns what the check says of a table."""
        return check(table.data, table.made.study, table.frame, rule=self.rule, time_limit=time_limit)

    def outcome(self, table: Table, checked: Check) -> Outcome:
        """Returns a checked table with what it costs, in words."""
        steps = tuple(self._steps(table))
        suppressed = len(table.made.table.suppressed)
        lost = share_kept(table.cost, suppressed, table.left_out, len(self.space.data))
        label = f"{label_of(self.space, table.choice)}: {lost}"
        return Outcome(
            table.choice,
            label,
            table.made.study,
            checked,
            table.data,
            table.cost,
            steps,
            suppressed,
            table.left_out,
            self.seed,
        )

    def _publisher_of(self, choice: Choice) -> Publisher:
        key = tuple(min(height, 1) for height in choice.heights), choice.gaps
        if self._publisher is None or self._publisher[0] != key:
            base = self.space.base(choice.heights, choice.gaps)
            self._publisher = key, Publisher(self.space.data, base, seed=self.seed)
        return self._publisher[1]

    def _hidden(self, made: Made) -> tuple[pd.DataFrame, int]:
        """The table, and how many suppressed records had to lose their sensitive values.

        Who fits no class is one of them: where they are few, or alike, these values are known of that person.
        """
        frame, suppressed = made.table.frame, made.table.suppressed
        names = [name for name in self.space.sensitive if name in frame.columns]
        few = 0 < len(suppressed) < self.rule.least(made.study.k)
        alike = any(len(set(frame[name].iloc[suppressed].astype(str))) == 1 for name in names)
        if not names or not (few or alike):
            return frame, 0
        frame = frame.copy()
        for name in names:
            shown = frame[name].astype(object)
            shown.iloc[suppressed] = ROOT_LABEL
            frame[name] = shown
        return frame, len(suppressed)

    def _cost(self, choice: Choice, made: Made, hidden: int, left_out: int) -> float:
        names = made.study.names
        lost = len(names) * certainty_penalty(made.table, self.space.domains, names)
        lost += choice.heights.count(REMOVED)
        rows = len(made.table.frame)
        lost += len(self.space.sensitive) * hidden / max(rows, 1)
        return float((rows * lost / self.space.published + left_out) / (rows + left_out))

    def _steps(self, table: Table) -> "list[Step]":
        space, choice = self.space, table.choice
        least, rows = space.least_costs(choice.gaps), len(table.frame)
        shown = rows / (rows + table.left_out)
        steps = []
        for column, height, costs in zip(space.columns, choice.heights, least, strict=True):
            if height == REMOVED:
                steps.append(Step(removed_text(column.name), shown / space.published))
            elif height != AS_IT_IS and column.hierarchy is not None:
                own = max(costs[height] - (table.left_out / (rows + table.left_out)), 0.0) / space.published
                steps.append(Step(width_text(column, height), own))
        if choice.gaps:
            steps.append(Step(gap_text(choice.gaps), table.left_out / (rows + table.left_out)))
        if table.hidden:
            share = shown * len(space.sensitive) * table.hidden / max(rows, 1) / space.published
            of = how_many(table.hidden, "suppressed row")
            steps.append(Step(f"the sensitive values of {of} hidden", share))
        joined = table.cost - sum(step.cost for step in steps)
        joining = f"rows joined until at least {table.made.study.k} look alike ({choice.way.label})"
        return [*steps, Step(joining, joined)]
