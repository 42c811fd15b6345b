"""The shapes of what commands print that judge a table: the audit, the check, options, roles."""

from typing import Literal

from pydantic import BaseModel, Field

from cra_engine.checks.outcome import CheckedColumn
from cra_engine.cli.answer import Answer, Known, Share, Verdict
from cra_engine.cli.attack_answers import Attacked, Tight
from cra_engine.cli.publish_answers import Finding, GlobalLosses, RuleSettings
from cra_engine.reports.filed import CheckedFile


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
    known_though_sensitive: list[str]
    alone_if_known: int
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
