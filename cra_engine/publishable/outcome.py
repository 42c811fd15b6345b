"""What came of the search: tables that may go out, what each step to them cost, or what stands in the way."""

from dataclasses import asdict, dataclass
from typing import ClassVar

import pandas as pd

from cra_engine.checks.outcome import Check, Finding
from cra_engine.checks.rule import Rule
from cra_engine.publishable.space import Choice, Space
from cra_engine.results import Json, Result, plain
from cra_engine.study.study import Study

FOUND_BY_LOOKING = (
    "Epsilon of safe recoding bounds what its draw tells; that these settings were found by looking at the table is "
    "not part of it."
)


@dataclass(frozen=True)
class Step:
    """One thing that was done to a table, and what of its detail that cost.

    Attributes:
        text: what was done, in words that begin small.
        cost: the share of all detail that it cost, 0 to 1.
    """

    text: str
    cost: float


@dataclass(frozen=True, eq=False, repr=False)
class Outcome(Result):
    """A table as one choice publishes it, with its verdict.

    Attributes:
        choice: how it was published.
        label: the same in plain words, with what it costs.
        study: by which it was published.
        checked: all that the check says of it; its ``frame`` is the table.
        data: the raw rows of the table, in its order.
        cost: the share of all detail that is lost, 0 to 1: GCP over all columns that would have gone out, where a
            column that is removed, a row that is left out and a cell that is hidden are lost entirely.
        steps: what was done, and what of the cost came of it; together they are the cost.
        suppressed: number of rows that show nothing in any quasi-identifier.
        left_out: number of rows that are left out for missing values.
        seed: of all that was drawn: the order of the rows, and the coins of safe recoding.
    """

    choice: Choice
    label: str
    study: Study
    checked: Check
    data: pd.DataFrame
    cost: float
    steps: tuple[Step, ...]
    suppressed: int
    left_out: int
    seed: int

    @property
    def frame(self) -> pd.DataFrame:
        """The table as it would go out."""
        return self.checked.frame

    @property
    def ready(self) -> bool:
        """Whether the check says Ready."""
        return self.checked.verdict == "ready"

    def summary(self) -> dict[str, object]:
        """The verdict, what is kept, and how many rows are suppressed."""
        return {
            "verdict": self.checked.verdict,
            "kept": f"{1 - self.cost:.4g}",
            "suppressed": self.suppressed,
            "way": self.choice.way.label,
        }

    def to_frame(self) -> pd.DataFrame:
        """A row per step: what was done, and what it cost."""
        return pd.DataFrame([asdict(step) for step in self.steps], columns=["text", "cost"])

    def to_dict(self) -> Json:
        """As plain data, without a record of the table."""
        return plain(
            {
                "label": self.label,
                "verdict": self.checked.verdict,
                "kept": 1 - self.cost,
                "steps": [asdict(step) for step in self.steps],
                "records": self.checked.records,
                "suppressed": self.suppressed,
                "left_out": self.left_out,
                "k": self.study.k,
                "way": self.choice.way.name,
                "findings": [one.to_dict() for one in self.checked.findings],
            }
        )


@dataclass(frozen=True, eq=False, repr=False)
class Publishable(Result):
    """The tables that may go out at the least cost, or why there is none.

    Attributes:
        space: what there was to choose.
        rule: what was demanded.
        outcomes: tables of which the check says Ready, the least costly first; each differs from those before it in the
            way to publish or in the columns that go out.
        tried: number of choices that were published or seen to be in vain; of columns that cannot go out together all
            at once.
        complete: whether nothing that costs less passes, or, without an outcome, nothing at all; else the time ran out.
        nearest: without an outcome what comes closest to passing; None where nothing could be published.
        hindrances: without an outcome what stands in the way there: what the check found, the gravest first.
        why_not: the same as a sentence with the rule and the column; empty where there is an outcome.
        seconds: how long it took.
    """

    COME_BY: ClassVar = "search first: publishable(data, study)"

    space: Space
    rule: Rule
    outcomes: tuple[Outcome, ...]
    tried: int
    complete: bool
    nearest: Outcome | None
    hindrances: tuple[Finding, ...]
    why_not: str
    seconds: float

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to know of it, as sentences."""
        sentences = [*self.space.notes]
        if any(one.choice.way.name == "safe" for one in self.outcomes):
            sentences.append(FOUND_BY_LOOKING)
        if self.outcomes and not self.complete:
            sentences.append("Not all was tried before the end: something that costs less may pass, too.")
        return tuple(sentences)

    def summary(self) -> dict[str, object]:
        """How many outcomes, what the first keeps, how many choices were tried, and whether that was all."""
        kept = f"{1 - self.outcomes[0].cost:.4g}" if self.outcomes else None
        return {"outcomes": len(self.outcomes), "kept": kept, "tried": self.tried, "complete": self.complete}

    def to_frame(self) -> pd.DataFrame:
        """A row per outcome."""
        rows = [
            {"outcome": one.label, "kept": 1 - one.cost, "suppressed": one.suppressed, "verdict": one.checked.verdict}
            for one in self.outcomes
        ]
        return pd.DataFrame(rows, columns=["outcome", "kept", "suppressed", "verdict"])

    def to_dict(self) -> Json:
        """As plain data, without a record of the table."""
        return plain(
            {
                "outcomes": [one.to_dict() for one in self.outcomes],
                "tried": self.tried,
                "complete": self.complete,
                "why_not": self.why_not,
                "findings": [one.to_dict() for one in self.hindrances],
                "rule": self.rule.settings(),
                "demands": self.rule.demands(self.space.study.k),
                "warnings": self.warnings,
            }
        )
