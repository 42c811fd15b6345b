"""The shapes of what commands print that publish a table, search for one or repair it."""

from typing import Literal

from pydantic import BaseModel

from cra_engine.cli.answer import Answer, Box, Digits, Share, Verdict
from cra_engine.publishable.outcome import KeptAway, Step


class Losses(BaseModel):
    aecs: float | None
    discernibility: Digits
    precision: float | None


class FormedClass(BaseModel):
    state: list[int]
    box: Box
    size: int


class NumberedClass(FormedClass):
    iteration: int


class RungClass(FormedClass):
    rung: int
    gain: float | None


class LocalRecoding(Answer):
    records: int
    k: int
    suppressed: int
    left_out: list[int]
    loss: float | None
    measures: Losses
    warnings: list[str]


class Recode(LocalRecoding):
    classes: list[NumberedClass]
    iterations: int


class Spent(BaseModel):
    k: int
    epsilon: float


class Rung(BaseModel):
    state: list[int]
    epsilon: float


class SafeRecode(LocalRecoding):
    classes: list[RungClass]
    epsilon: float
    epsilon_of_all: float
    earlier: list[Spent]
    rungs: list[Rung]
    suppressed_gain: float | None
    gain: float | None
    gain_all_tables: float | None


class GlobalLosses(Losses):
    entropy: float | None


class GlobalRecode(Answer):
    records: int
    k: int
    limit: int
    utility: Literal["entropy", "precision", "discernibility", "aecs"]
    states: int
    anonymous: int
    checked: int
    pruned: Share
    state: list[int]
    suppressed: int
    classes: int
    measures: GlobalLosses
    warnings: list[str]


class Members(BaseModel):
    rows: list[int]
    size: int


class RuleCells(BaseModel):
    rule: Literal["dominance", "p"]
    n: int | None
    value: str
    sensitive: int
    undefined: int
    cells: list[list[int | str]]


class Estimate(BaseModel):
    cell: list[int | str]
    who: int
    whom: int
    lower: float
    upper: float
    error: float | None


class CellsJudged(Answer):
    records: int
    columns: list[str]
    cells: int
    rules: list[RuleCells]
    alone: list[list[int | str]]
    estimates: list[Estimate]
    warnings: list[str]


class Microaggregate(CellsJudged):
    k: int
    method: Literal["mdav", "mondrian"]
    standardize: bool
    clusters: list[Members]
    loss: float | None
    clusters_unmerged: int
    loss_unmerged: float | None
    hidden_cells: list[list[int | str]] | None = None
    secondary_cells: list[list[int | str]] | None = None
    hidden_share: Share | None = None


class SensitiveCells(CellsJudged):
    classes: list[Members]


class Side(BaseModel):
    max_beta: float | None
    over: float | None
    repeated: float


class Guessed(BaseModel):
    classic: float
    laplace: float


class Query(BaseModel):
    estimate: float
    exact: int


class Heterogeneous(Answer):
    records: int
    rows: int
    dummies: int
    buckets: int
    bucket_size: int
    l: int | None
    beta: float | None
    beta_bound: float | None
    method: Literal["HG", "SG", "GR"]
    extraction: Literal["permutation", "paper"]
    partitions: int
    gcp: Share
    published: Side
    original: Side
    warnings: list[str]
    naive_bayes: Guessed
    queries: list[Query]


class Minimal(Answer):
    records: int
    k: int
    classes: int
    minimal: bool | None
    warnings: list[str]
    releases: list[list[list[str]]] | None = None


class Finding(BaseModel):
    level: Literal["stop", "attention", "note"]
    code: str
    text: str


class RuleSettings(BaseModel):
    k: int | None
    l: int | None
    t: float | None
    highest_risk: float | None
    alone: float | None
    nobody_certain: bool


class MayGoOut(BaseModel):
    label: str
    best_at: str
    verdict: Verdict
    kept: float
    steps: list[Step]
    records: int
    suppressed: int
    left_out: int
    k: int
    way: str
    findings: list[Finding]


class Without(BaseModel):
    column: str
    people: int


class Publishable(Answer):
    outcomes: list[MayGoOut]
    tried: int
    complete: bool
    why_not: str
    attention: MayGoOut | None
    dropped: list[MayGoOut]
    kept_away: list[KeptAway]
    nearest: MayGoOut | None
    without: list[Without]
    findings: list[Finding]
    rule: RuleSettings
    demands: list[str]
    warnings: list[str]


class PublishedAgain(Answer, MayGoOut):
    """What ``publishable --settings`` prints: one table, made again."""


class ReadTogether(BaseModel):
    certain_before: int
    certain: int
    likeliest_before: float | None
    likeliest: float | None
    exact: bool


class Repair(Answer):
    records: int
    k: int
    met: bool
    steps: list[str]
    certain_before: int
    certain: int
    all_classes: bool
    likeliest_before: float | None
    likeliest: float | None
    together: ReadTogether | None
    suppressed_before: int
    suppressed: int
    loss_before: float | None
    loss: float | None
    limits: str
