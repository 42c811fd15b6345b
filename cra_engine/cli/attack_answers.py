"""The shapes of what commands print that attack a release."""

from typing import Literal

from pydantic import BaseModel

from cra_engine.cli.answer import Answer, Box, Digits, Share
from cra_engine.cli.publish_answers import FormedClass


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


class DifferenceGroup(BaseModel):
    classes: list[int]
    people: dict[str, int]


class Difference(BaseModel):
    releases: tuple[int, int]
    column: str
    people: dict[str, int]
    groups: list[DifferenceGroup]


class Compose(Answer, Tight):
    records: int
    attributes: list[str]
    grown: bool
    linked_rows: bool
    prior: str
    releases: list[ReleaseAlone]
    wider: list[Wider]
    differences: list[Difference]


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
    complete: bool
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
