"""What came of the search: tables that may go out, what each step to them cost, or what stands in the way."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.checks.findings import outsiders
from cra_engine.checks.outcome import Check, Finding
from cra_engine.checks.rule import Rule
from cra_engine.counting.cp_sat import solver_there
from cra_engine.publishable.choice import Choice, Decided
from cra_engine.publishable.gone import GoneGroups
from cra_engine.publishable.space import Space
from cra_engine.results import Json, Result, plain
from cra_engine.study.study import Study
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, listed, percent, rows_text

MOST_OUTCOMES = 3
MOST_NAMED = 20  # rows that are left out
MOST_KNOWN = 3  # columns that rows with * in them are told by
BY_ROLE = "removed beforehand"  # of a column: it would not have gone out, so that nothing of it is counted
# Of a column, what is lost of it otherwise than by being made coarser: with its rows, or before there was a search.
GONE, HIDDEN = ", but no row shows ", " hidden as decided"
LITTLE_MORE = 0.05  # of all detail, that more of what has to stay may cost for its table to stand first
_ALIKE = 1e-9  # costs that differ by less are one
FOUND_BY_LOOKING = (
    "Epsilon of safe recoding bounds what its draw tells; that these settings were found by looking at the table is "
    "not part of it."
)


@dataclass(frozen=True)
class Step:
    """One step to a publishable table: what becomes of a column, or of rows, and what of the detail that costs.

    Attributes:
        column: its name; empty for rows.
        text: what becomes of it, in words that begin small: ``groups of 20 years``.
        cost: the share of all detail that it costs, 0 to 1.
        rows: how many rows it leaves out.
        why: why it does, in words that follow their number: ``repeating another``.
    """

    column: str
    text: str
    cost: float
    rows: int = field(default=0, compare=False)
    why: str = field(default="", compare=False)

    @property
    def lost(self) -> str:
        """What of the detail a step loses: ``15.5 %``, ``nothing``; empty where what becomes of the column says it."""
        if not self.cost and (GONE in self.text or HIDDEN in self.text or self.text == BY_ROLE):
            return ""
        return percent(self.cost, 1) if self.cost else "nothing"

    @property
    def said(self) -> str:
        """What becomes of it and what that loses, in the one form of command line, report and settings."""
        lost = f"{self.lost} lost" if self.lost else "not counted" if self.text == BY_ROLE else ""
        return f"{self.text}; {lost}" if lost else self.text


@dataclass(frozen=True, eq=False, repr=False)
class Outcome(Result):
    """A table as one choice publishes it, with its verdict.

    Attributes:
        choice: how it was published.
        counts: what it keeps, in numbers: columns, rows, and the share of the detail.
        how: how it was published, in plain words.
        study: by which it was published.
        checked: all that the check says of it; its ``frame`` is the table.
        data: the raw rows of the table, in its order.
        cost: the share of all detail that is lost, 0 to 1: GCP over all columns that would have gone out, age (or a
            date of birth) and sex counted threefold, where a column that is removed, a row that is left out and a cell
            that is hidden are lost entirely; a row that only repeats another is not counted.
        steps: what becomes of every column of the raw table, and of rows, with what of the cost comes of it; together
            they are the cost.
        suppressed: number of rows that show nothing in any quasi-identifier.
        left_out: number of rows that are left out.
        seed: of all that was drawn: the order of the rows, and the coins of safe recoding.
        gone: columns that would have gone out and of which nothing is shown, removed or the same in every row.
        decided: what was decided that the study does not tell, to publish it so again.
        best_at: what it does better than the others that were found; empty where nobody compared.
        suppressed_rows: the rows of the raw table that are suppressed, counted from 1; none while rows that are alike
            are counted.
        left_out_rows: the same of those that are left out.
        repeating: those of them that repeat another; nothing is lost with them.
        weights: per column that would have gone out what it counts of all detail; 1 together.
        basic: the columns that count most: age, dates of birth and sex.
        gone_groups: of a table to hand out the groups of people by two columns that stand in no row.
        hardly: columns that go out and hardly show anything: one group alone, or ``*`` in half of the rows or more.
    """

    choice: Choice
    counts: str
    how: str
    study: Study
    checked: Check
    data: pd.DataFrame
    cost: float
    steps: tuple[Step, ...]
    suppressed: int
    left_out: int
    seed: int
    gone: tuple[str, ...]
    decided: Decided
    best_at: str = ""
    suppressed_rows: tuple[int, ...] = ()
    left_out_rows: tuple[int, ...] = ()
    repeating: tuple[int, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    basic: tuple[str, ...] = ()
    gone_groups: GoneGroups = field(default_factory=GoneGroups)
    hardly: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """What an outcome keeps, in numbers, and how it was published."""
        return f"{self.counts}: {self.how}"

    @property
    def frame(self) -> pd.DataFrame:
        """The outcome's table as it would go out."""
        return self.checked.frame

    @property
    def gone_values(self) -> tuple[str, ...]:
        """What stands in no row of an outcome's table any more, values of few rows and a group, a sentence each."""
        found = ((step.column, step.text.partition(GONE)[2]) for step in self.steps)
        values = tuple(f"In {column} no row shows {values}." for column, values in found if values)
        return (*values, *filter(None, [self.gone_groups.told, self.gone_groups.smaller_told]))

    @property
    def stars_told(self) -> str:
        """In how many rows of an outcome's table each column is hidden, whoever hid it; empty for none."""
        rows = len(self.frame)
        stars = {str(name): int(_hidden(self.frame[name]).sum()) for name in self.frame.columns}
        told = [f"{'all' if many == rows else f'{many:,}'} in {name}" for name, many in stars.items() if many]
        return f"Rows that show {ROOT_LABEL} in place of a value: {listed(told)}." if told else ""

    @property
    def suppressed_told(self) -> str:
        """What becomes of an outcome's suppressed rows: what others may know, and what else all of them hide."""
        return suppressed_told(self.frame, self.study.names)

    @property
    def asked_for(self) -> list[str]:
        """The columns that matter most: age, dates of birth, sex, and what has to stay."""
        pins = [pin.name for pin in self.decided.pins]
        return [name for name in self.costs if name in self.basic or name in pins]

    @property
    def not_shown(self) -> tuple[str, ...]:
        """The columns of which an outcome shows nothing, or hardly anything."""
        return (*self.gone, *self.hardly)

    @property
    def asked_for_lost(self) -> float:
        """What an outcome costs in the columns that matter most."""
        return round(sum(self.costs[name] for name in self.asked_for), 9)

    @property
    def costs(self) -> dict[str, float]:
        """What an outcome costs in each column, by its name."""
        return {step.column: step.cost for step in self.steps if step.column}

    @property
    def pins_kept(self) -> dict[str, float]:
        """What share of its detail an outcome keeps of each column that has to stay, 0 to 1; none in rows left out."""
        costs, names = self.costs, [pin.name for pin in self.decided.pins]
        shown = 1 - sum(step.cost for step in self.steps if not step.column)
        return {name: shown - costs.get(name, 0.0) / self.weights[name] for name in names if name in self.weights}

    @property
    def pins_lost(self) -> float:
        """What an outcome costs in the columns that have to stay, rows that are left out among it."""
        return round(sum(self.weights[name] * (1 - kept) for name, kept in self.pins_kept.items()), 9)

    def groups_of(self, name: str) -> int:
        """Return how many different groups, or values, an outcome's table shows of a column."""
        return groups_shown(self.frame[name])

    @property
    def lost_rows(self) -> int:
        """Number of rows of an outcome that show nothing, or nothing in any quasi-identifier."""
        return self.suppressed + self.left_out

    @property
    def ready(self) -> bool:
        """Whether the check says Ready of an outcome."""
        return self.checked.verdict == "ready"

    @property
    def chosen_out(self) -> bool:
        """Whether no choice leaves the check less to ask of an outcome: Ready, or but for columns called sensitive.

        These go out whatever is chosen; where others may know them all the same, a person has to look.
        """
        asked = {(one.level, one.code) for one in self.checked.findings if one.level != "note"}
        doubted = {("attention", "known-to-others")} if self.checked.unique.asks else set()
        return asked <= doubted and not outsiders(self.checked.columns)

    def summary(self) -> dict[str, object]:
        """The verdict of an outcome, what it keeps, and how many rows are suppressed."""
        return {
            "verdict": self.checked.verdict,
            "kept": f"{1 - self.cost:.4g}",
            "suppressed": self.suppressed,
            "way": self.choice.way.label,
        }

    def to_frame(self) -> pd.DataFrame:
        """A row per column, and for what becomes of rows: what was done, and what it cost."""
        return pd.DataFrame(self._steps_told(), columns=["column", "text", "cost"])

    def _steps_told(self) -> list[dict[str, object]]:
        return [{"column": step.column, "text": step.text, "cost": step.cost} for step in self.steps]

    def to_dict(self) -> Json:
        """As plain data, without a record of the table."""
        return plain(
            {
                "label": self.label,
                "best_at": self.best_at,
                "verdict": self.checked.verdict,
                "kept": 1 - self.cost,
                "steps": self._steps_told(),
                "records": self.checked.records,
                "suppressed": self.suppressed,
                "left_out": self.left_out,
                "k": self.study.k,
                "way": self.choice.way.name,
                "findings": [one.to_dict() for one in self.checked.findings],
            }
        )


def suppressed_told(frame: pd.DataFrame, known: Sequence[str]) -> str:
    """Returns what becomes of the rows of a table that show nothing of what others may know, as the page says it.

    Named besides is what all of these rows hide, though others show it.

    >>> suppressed_told(pd.DataFrame({"age": ["*", "1"], "ill": ["*", "no"], "plan": ["*", "*"]}), ["age"])
    'with * in age and ill'
    """
    known = [name for name in known if name in frame]
    rows = frame
    for name in known:  # few are left after the first, of however many
        rows = rows[_hidden(rows[name])]
    others = [str(name) for name in frame.columns if name not in known]
    besides = [name for name in others if _hidden(rows[name]).all() and not _hidden(frame[name]).all()]
    named = known if len(known) <= MOST_KNOWN else ["all that others may know"]
    return f"with {ROOT_LABEL} in {listed([*named, *besides])}"


def groups_shown(column: "pd.Series[Any]") -> int:
    """Returns how many different groups, or values, a column of a table shows."""
    return len(set(map(str, column.unique())) - {ROOT_LABEL})


def _hidden(column: "pd.Series[Any]") -> NDArray[np.bool_]:
    return (column.astype(object) == ROOT_LABEL).to_numpy()


# What makes an outcome worth a look, in the order in which outcomes are chosen; the less the better.
_MEASURES: tuple[Callable[[Outcome], float], ...] = (
    lambda one: one.cost,
    lambda one: len(one.not_shown),
    lambda one: one.asked_for_lost,
    lambda one: one.lost_rows,
)


def unproven() -> tuple[str, ...]:
    """Returns what a search for a publishable table lacks where the solver is not installed, as a sentence."""
    if solver_there():
        return ()
    lacks = (
        "The library ortools is not installed (pip install 'cra-explorer[solver]'): a table of which only a solver "
        "proves that nobody is certain is not taken, so that what is found keeps less, or nothing is found."
    )
    return (lacks,)


def best_of(ready: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Returns the outcomes that are best at something, the recommended one first, each with what that is.

    That is the least costly, or, where something has to stay, what keeps most detail of that and costs at most
    ``LITTLE_MORE`` more; the others follow by their cost. Where the least costly does not show age or sex, and another
    does, that is one of them, and where something has to stay, what keeps most of that, and of age and sex. Where these
    are few, others follow that show other columns. Of each is said what is true of it against the others that are
    returned, and of nothing that was found more so, or as much at less cost: what is found later never makes a table
    with the same words worse. What keeps nothing better than one of them is not returned.
    """
    left: list[Outcome] = []
    for one in sorted(ready, key=lambda one: (one.cost, one.left_out, one.lost_rows)):
        if not any(_nowhere_better(one, other) for other in left):
            left.append(one)
    first = _recommended(left) if left else None
    chosen = list(dict.fromkeys([*left[:1], *([first] if first else [])]))
    if left:  # beside what leaves rows out stands the best that leaves out as few as may be
        chosen.append(_first(left, lambda one: one.left_out))
    for name in left[0].basic if left else ():
        showing = [one for one in left if not _hides(name, one)]
        if showing and all(_hides(name, one) for one in chosen):
            chosen.append(showing[0])
    if left and left[0].decided.pins:
        chosen.append(_first(left, lambda one: one.asked_for_lost))
    best = [_first(left, measure) for measure in _MEASURES if left]
    chosen = list(dict.fromkeys((*chosen, *best)))
    for one in left:
        if all(set(one.not_shown) != set(other.not_shown) for other in chosen):
            chosen.append(one)
    # The first of them stay; of the others the last chosen goes first, for want of words or of room.
    while len(chosen) > MOST_OUTCOMES:
        chosen.pop()
    while unsaid := [one for one in chosen if not _best_at(one, chosen, left)]:
        chosen.remove(unsaid[-1])
    chosen.sort(key=lambda one: (one is not first, one.cost))
    return tuple(replace(one, best_at=_best_at(one, chosen, left)) for one in chosen)


def _recommended(found: Sequence[Outcome]) -> Outcome:
    """Of outcomes that cost little more than the least costly what keeps most of what has to stay; else that itself."""
    most = min(one.cost for one in found) + LITTLE_MORE + _ALIKE
    return _first([one for one in found if one.cost <= most], lambda one: one.pins_lost)


def _first(found: Sequence[Outcome], measure: Callable[[Outcome], float]) -> Outcome:
    """The outcome of which a measure is least; of several the least costly."""
    return min(found, key=lambda one: (measure(one), one.cost))


def _cost_in(name: str, one: Outcome) -> float:
    return round(one.costs[name], 9)


def _hides(name: str, one: Outcome) -> bool:
    return name in one.not_shown


def _nowhere_better(one: Outcome, other: Outcome) -> bool:
    """Whether an outcome shows no column finer than another one, and no more rows."""
    costs = other.costs
    return (
        one.left_out >= other.left_out
        and one.lost_rows >= other.lost_rows
        and all(cost >= costs.get(name, 0.0) - _ALIKE for name, cost in one.costs.items())
    )


def _best_at(one: Outcome, chosen: Sequence[Outcome], found: Sequence[Outcome] = ()) -> str:
    """What an outcome does better than every other one that is shown, and than any found; empty for nothing."""
    others = [other for other in chosen if other is not one]

    def best(measure: Callable[[Outcome], float]) -> bool:
        return all(measure(one) < measure(other) - _ALIKE for other in others) and _first([one, *found], measure) is one

    if all(one.cost < other.cost for other in others):
        return "keeps most detail"
    if best(lambda other: len(other.not_shown)):
        return "keeps most columns"
    first = _first([one, *others, *found], lambda other: other.left_out)  # another may leave out as few at less detail
    if first is one and any(one.left_out < other.left_out for other in others):
        return f"leaves out fewest rows{f'; {one.suppressed:,} say little' if one.suppressed else ''}"
    # Of two groups the finer ones may still say little.
    numbers = [column.name for column in one.study.attributes if column.numeric]
    finest = [
        name for name in one.costs if name in one.basic and not _hides(name, one) and best(partial(_cost_in, name))
    ]
    groups = {name: one.groups_of(name) for name in finest if name in numbers}
    cheaper = [other for other in found if other.cost < one.cost]
    finest = [
        name
        for name in finest
        if name not in groups
        or all(other.groups_of(name) < groups[name] for other in cheaper if name not in other.gone)
    ]
    if finest:
        counted = [f" ({how_many(groups[name], 'group')})" if name in groups else "" for name in finest]
        return f"keeps {listed([f'{name}{count}' for name, count in zip(finest, counted, strict=True)])} finest"
    if best(lambda other: other.asked_for_lost):
        return f"keeps most detail in {listed([name for name in one.asked_for if not _hides(name, one)])}"
    if best(lambda other: other.lost_rows):
        return "leaves fewest rows without detail"
    cheapest = min(others, key=lambda other: (other.cost, -other.pins_lost))
    if one is _recommended([one, *found]) and one.pins_lost < cheapest.pins_lost:
        return "keeps more of what has to stay, for little less detail"
    alone = [name for name in one.costs if not _hides(name, one) and best(partial(_hides, name))]
    return f"shows {listed(alone)}" if alone else ""


@dataclass(frozen=True)
class KeptAway:
    """A column that an outcome does not show because of a few people, as far as counting them tells.

    Attributes:
        column: its name.
        rows: the rows of these people in the raw table, counted from 1.
        stays: whether it has to stay, so that with these people nothing passes.
    """

    column: str
    rows: tuple[int, ...]
    stays: bool = False

    def __str__(self) -> str:
        """Returns it as a sentence."""
        people = how_many(len(self.rows), "person", "people")
        if self.stays:
            are = "stands" if len(self.rows) == 1 else "stand"
            return f"{people} {are} in groups too small or too much alike, for what has to stay: {self.column}."
        return f"{self.column} goes because of {people} in {rows_text(self.rows, len(self.rows))}, as it seems."


@dataclass(frozen=True, eq=False, repr=False)
class Publishable(Result):
    """The tables that may go out at the least cost, or why there is none.

    Attributes:
        space: what there was to choose.
        rule: what was demanded.
        outcomes: tables of which the check says Ready, in the order of :func:`best_of`; each is better than all others
            at something: it keeps most detail, of all columns or of age, sex and what has to stay, most columns, age or
            sex finest, more of what has to stay, leaves out or suppresses fewest rows, or shows a column.
        tried: number of choices that were published or seen to be in vain; of columns that cannot go out together all
            at once.
        complete: whether nothing that costs less passes, or, without an outcome, nothing at all.
        end: where that is not known, what ended the search: ``the time ran out``; else empty.
        nearest: without an outcome what comes closest to passing; None where nothing could be published.
        hindrances: without an outcome what stands in the way there: what the check found, the gravest first.
        without: columns of the nearest that put people into groups too small or too much alike, each with how
            many people would be left there without it, the fewest first.
        why_not: the same as a sentence with the rule and the column; empty where there is an outcome.
        attention: a table that keeps more detail than all outcomes, and of which the check says Attention: somebody has
            to look at what it found, and may let it go out with a reason. None where none was found.
        dropped: other tables that keep more detail than all outcomes, and than ``attention``, and do not pass, the
            least costly first, each with what the check found; a few of those that were tried.
        kept_away: columns that the first outcome does not show because of a few people, the fewest first; without an
            outcome the people who stand in the way of what has to stay.
        seconds: how long it took, that of searches before it that it went on from among them.
        searches: what :func:`search_on` goes on from; None where all was tried.
    """

    COME_BY: ClassVar = "search first: publishable(data, study)"

    space: Space
    rule: Rule
    outcomes: tuple[Outcome, ...]
    tried: int
    complete: bool
    end: str
    nearest: Outcome | None
    hindrances: tuple[Finding, ...]
    without: tuple[tuple[str, int], ...]
    why_not: str
    attention: Outcome | None
    dropped: tuple[Outcome, ...]
    kept_away: tuple[KeptAway, ...]
    seconds: float
    searches: object = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to know of the search for a publishable table, as sentences."""
        sentences = [*self.space.notes]
        if told := self.left_out_told:
            sentences.append(told)
        if any(one.choice.way.name == "safe" for one in self.outcomes):
            sentences.append(FOUND_BY_LOOKING)
        if not self.complete:
            sentences.append(self.thoroughness)
        return (*sentences, *unproven())

    @property
    def left_out_told(self) -> str:
        """Which rows the search for a publishable table left out, of which outcomes, and why; empty for none."""
        places: dict[tuple[int, ...], list[str]] = {}
        for place, one in enumerate(self.outcomes, 1):
            if one.decided.in_the_way:
                places.setdefault(one.decided.in_the_way, []).append(str(place))
        if not places:
            return ""
        told = [
            f"of outcome{'s' * (len(of) > 1)} {listed(of)}: {rows_text(rows, MOST_NAMED)}, "
            f"{percent(len(rows) / self.space.records)} of all"
            for rows, of in places.items()
        ]
        several = sum(map(len, places.values())) > 1
        pins = listed([pin.name for pin in self.space.decided.pins])
        least = min((one for one in self.outcomes if one.decided.in_the_way), key=lambda one: one.cost)
        much = f"as much as outcome {self.outcomes.index(least) + 1}" if several else "as much"
        return (
            f"Left out {'; '.join(told)}. With {'it' if list(map(len, places)) == [1] else 'them'} nothing was "
            f"found that passes{f', shows {pins}' if pins else ''} and keeps {much}."
        )

    @property
    def thoroughness(self) -> str:
        """Whether the search for a publishable table tried all, and what ended it, as sentences."""
        if self.complete:
            rows = " with every row in it" if self.left_out_told else ""
            return f"All was tried: nothing{rows} that keeps more than what was found passes."
        more = "Something may pass all the same; with fewer columns more of it can be tried."
        if self.outcomes:
            more = "Something that keeps more may pass, too; what was found passes all the same."
        return f"Not all was tried: {self.end}. {more}"

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
                "nearest": self.nearest and self.nearest.to_dict(),
                "attention": self.attention and self.attention.to_dict(),
                "dropped": [one.to_dict() for one in self.dropped],
                "kept_away": [asdict(one) for one in self.kept_away],
                "without": [{"column": name, "people": people} for name, people in self.without],
                "findings": [one.to_dict() for one in self.hindrances],
                "rule": self.rule.settings(),
                "demands": self.rule.demands(self.space.study.k),
                "warnings": self.warnings,
            }
        )
