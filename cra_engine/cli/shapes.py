"""The shape of what each command prints with ``--json``; pydantic makes the JSON schemas of it, the tests hold it.

What a key is stands in docs/json.md. Whole numbers of any length are text (``Digits``); null is None.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from cra_engine.checks.outcome import CheckedColumn
from cra_engine.experiments.downcoding import LadderRun
from cra_engine.publishable.outcome import KeptAway, Step
from cra_engine.reports.filed import CheckedFile

Digits = Annotated[str, Field(pattern=r"^\d+$")]
Share = Annotated[float, Field(ge=0, le=1)]
Box = list[list[float | str]]
Known = Literal["exact", "bound", "estimate", "timeout", "unknown"]
Verdict = Literal["ready", "attention", "stop"]


class Answer(BaseModel):
    """What every command prints."""

    schema_version: Literal[1]


# ---------------------------------------------------------------- publish


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


# ---------------------------------------------------------------- attack


class AttackedClass(FormedClass):
    free_cells: int
    lr_solutions: Digits | None
    cra_solutions: Digits | None
    cra_bounds: list[Digits | None]
    ratio: float | None
    log10_ratio: float | None
    combinations: Digits | None
    combinations_bounds: list[Digits | None]


class CertainCell(BaseModel):
    box: Box
    records: int


class CellLimits(BaseModel):
    box: Box
    lowest: int
    highest: int
    lowest_seen: int | None
    highest_seen: int | None
    probabilities: list[float] | None
    exact: bool


class Tight(BaseModel):
    status: Literal["exact", "estimate", "timeout"]
    worlds: Digits | None
    log10_worlds: float | None
    log10_worlds_stderr: float | None
    log10_worlds_interval: list[float] | None
    log10_worlds_per_class: float | None
    log10_worlds_intervals: float | None
    fixed_cells: list[CertainCell]
    fixed_cells_complete: bool
    upper_bound: bool
    why_upper_bound: str | None
    isolated: list[Box]
    expected_isolated: float | None
    cells: list[CellLimits]
    warnings: list[str]
    refused: str | None


class Narrowed(BaseModel):
    lower: float | str
    upper: float | str
    rows: list[int]


class Sorted(BaseModel):
    supposed: list[str]
    log10_chance: float | None
    refuted: bool
    complete: bool
    narrowed: list[Narrowed]
    fixed_cells: list[CertainCell]
    isolated: list[Box]


class Attacked(Answer):
    records: int
    k: int
    ties: Literal["sound", "paper"]
    prior: str
    attributes: list[str]
    classes: list[AttackedClass]
    suppressed: AttackedClass | None
    mean_ratio: float | None
    mean_ratio_compound: float | None
    warnings: list[str]


class Attack(Attacked):
    tight: Tight | None = None
    sorted: Sorted | None = None


class Listed(Answer):
    """What ``attack --list`` prints."""

    cells: list[Box]
    assignments: list[list[int]]
    complete: bool
    combinations: Digits | None


class ReleaseAlone(BaseModel):
    records: int
    k: int
    fixed: int
    isolated: int
    log10_worlds: float | None


class Wider(CertainCell):
    release: int


class Compose(Answer, Tight):
    records: int
    attributes: list[str]
    grown: bool
    linked_rows: bool
    prior: str
    releases: list[ReleaseAlone]
    wider: list[Wider]


class Settled(BaseModel):
    cells: list[str]
    people: int


class ComposeSafe(Answer):
    """What ``compose`` prints of safe releases."""

    releases: int
    records: int
    k: int
    nested: bool
    complete: bool
    certain: list[str]
    settled: list[Settled]


class SingledClass(BaseModel):
    index: int | None
    outcome: Literal["failed", "one", "many"]
    valid: bool
    isolating: list[Box]


class Outcomes(BaseModel):
    failed: int
    one: int
    many: int


class SinglingOut(Answer):
    """What ``single-out --data`` prints."""

    classes: list[SingledClass]
    suppressed: SingledClass | None
    summary: Outcomes
    summary_compound: Outcomes


class CellChance(BaseModel):
    box: Box
    probability: Share | None
    probability_bounds: list[Share]
    classes: list[int | None]


class SinglingChances(Answer):
    cells: list[CellChance]
    assumption: str | None
    prior: str
    expected_isolated: float | None
    expected_isolated_bounds: list[float]
    complete: bool


class CellValues(BaseModel):
    box: Box
    classes: list[int | None]
    alone: bool
    possible: list[str | list[str]]
    excluded: list[str | list[str]]
    shares: dict[str, float]
    likelihoods: dict[str, float | None]
    alone_with: dict[str, float | None]
    why_unknown: str | None
    likelihood_gain: float | None


class WhoHasWhat(Answer):
    """What ``single-out --values`` prints."""

    columns: list[str]
    cells: list[CellValues]
    certain: int
    narrowed: int
    mean_gain: float | None
    prior: str
    together: bool
    finished: bool
    warnings: list[str]


class Downcode(Answer):
    attack: Literal["clusters", "ladder"]
    refined: int
    delta_d: int
    why_not: str | None
    predicates: list[list[str]]
    log10_weights: list[float]
    disjoint: bool
    generalizes: bool | None = None
    isolating: int | None = None


class ForcedBox(BaseModel):
    rows: list[int]
    attribute: str
    label: str
    least: int


class Forced(Answer):
    """What ``downcode --supposing`` prints."""

    supposing: Literal["minimal", "arx"]
    refined: int
    records: int
    forced: list[ForcedBox]


# ---------------------------------------------------------------- check


class Identifying(BaseModel):
    column: str
    reason: str


class Audit(Attacked):
    tight: Tight | None
    findings: list[str]
    supposed: list[str]
    contradicted: bool
    verdict: Verdict
    k_guessed: bool
    gs_factor: str
    gs_factor_supposed: bool
    doubtful: list[str]
    identifying: list[Identifying]


class KnownSet(BaseModel):
    columns: list[str]
    smallest: int
    below: int
    alone: int


class KnownTogether(KnownSet):
    by_number_of_columns: list[int]


class Risk(BaseModel):
    prosecutor_max: Share
    prosecutor_mean: Share
    marketer: Share
    records_above: int
    threshold: Share
    journalist_max: Share | None
    journalist_mean: Share | None


class AloneBy(BaseModel):
    columns: list[str]
    alone: int


class Unique(AloneBy):
    alone_by_quasi_identifiers: int
    alone_by_columns: int
    alone_by_gaps: int | None
    alone_with_sensitive: int
    removed_to_meet_the_rule: list[str]
    by_column: dict[str, int]
    by_number_of_columns: list[int]
    smallest_sets: list[AloneBy]


class WholeRows(BaseModel):
    columns: list[str]
    smallest: int
    below: int
    fewest_values: dict[str, int]
    groups_alike: dict[str, int]


class Spread(BaseModel):
    distinct_l: int
    entropy_l: float | None
    t: float | None
    distance: str


class ClassRead(BaseModel):
    box: str = Field(alias="class")
    size: int
    ratio: float | None
    certain: int


class AttackOfCheck(BaseModel):
    certain: int | None
    certain_sure: Known
    expected_isolated: float | None
    expected_sure: Known
    expected_isolated_intervals: float | None
    mean_ratio: float | None
    recoding: Literal["local", "global"]
    complete: bool
    classes: list[ClassRead]


class Kept(GlobalLosses):
    loss: float | None


class Instead(BaseModel):
    recommended: str | None
    reason: str


class Check(Answer):
    verdict: Verdict
    findings: list[Finding]
    columns: list[CheckedColumn]
    records: int
    suppressed: int
    classes: int
    k: int | None
    risk: Risk | None
    unique: Unique
    whole_rows: WholeRows | None
    also: list[KnownSet] | None
    also_together: KnownTogether | None
    diversity: dict[str, Spread]
    attack: AttackOfCheck | None
    utility: Kept
    instead: Instead | None
    rule: RuleSettings
    demands: list[str]
    date: str
    version: str
    files: list[CheckedFile]
    warnings: list[str]


class Figure(BaseModel):
    value: float | Literal["infinite"] | None
    lower: float | Literal["infinite"] | None
    upper: float | Literal["infinite"] | None
    sure: Known
    note: str


class OptionTried(BaseModel):
    number: int
    label: str
    way: str
    setting: str | None
    k: int
    layers: list[int] | None
    finest: list[str] | None
    state: list[int] | None
    verdict: Verdict | None
    findings: list[Finding]
    on_frontier: bool
    same_as: int | None
    why: str | None
    problem: str | None
    notes: list[str]
    kept: dict[str, Figure]
    given_away: dict[str, Figure]


class Compare(Answer):
    records: int
    k: int
    attributes: list[str]
    sensitive: str | None
    complete: bool
    present: int | None
    chosen: list[int]
    recommended: int | None
    nearest: int | None
    reason: str
    frontier: list[int]
    options: list[OptionTried]
    warnings: list[str]


class RoleOf(BaseModel):
    name: str
    role: str
    proposed: str
    distinct: int
    identifying: bool
    reason: str


class Roles(Answer):
    columns: list[RoleOf]


class FewEquals(BaseModel):
    unique: int
    below: int


class Mistaken(BaseModel):
    lowest: float
    highest: float
    average: float


class EffectiveAnonymity(Answer):
    records: int
    below: int
    ea: FewEquals
    ea_amb: FewEquals
    mistaken: Mistaken | None = None


# ---------------------------------------------------------------- research


class Expected(BaseModel):
    refined_share: float
    correct_share: float


class Clusters(Answer):
    """What ``experiment --simulate clusters`` prints."""

    runs: int
    fired_clusters: int
    correct_clusters: int
    refined_share: float
    predicates: int
    isolating: int
    minimal: int
    log10_weight: float | None
    expected: Expected


class Ladder(Answer):
    """What ``experiment --simulate ladder`` prints."""

    domain: int
    strict_share: float
    expected_share: float
    collision_free_chance: float
    results: list[LadderRun]


SHAPES: dict[str, Any] = {
    "recode": Recode,
    "safe-recode": SafeRecode,
    "global-recode": GlobalRecode,
    "microaggregate": Microaggregate,
    "heterogeneous": Heterogeneous,
    "minimal": Minimal,
    "publishable": Publishable | PublishedAgain,
    "repair": Repair,
    "attack": Attack | Listed,
    "compose": Compose | ComposeSafe,
    "single-out": SinglingOut | SinglingChances | WhoHasWhat,
    "downcode": Downcode | Forced,
    "audit": Audit,
    "check": Check,
    "compare": Compare,
    "roles": Roles,
    "effective-anonymity": EffectiveAnonymity,
    "sensitive-cells": SensitiveCells,
    "experiment": Clusters | Ladder,
}
"""By the name of each command what it prints; several shapes where its options decide."""


class _Untitled(GenerateJsonSchema):
    """Names no key twice."""

    def field_title_should_be_set(self, _: Any) -> bool:
        """Never: the key says it."""
        return False


def schema_of(command: str) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of what a command prints with ``--json``.

    Raises:
        KeyError: the command prints no JSON, or there is none of that name.
    """
    schema = TypeAdapter(SHAPES[command]).json_schema(mode="serialization", schema_generator=_Untitled)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": f"cra-engine {command} --json",
    }
