"""The shapes of what ``experiment --simulate`` prints."""

from pydantic import BaseModel

from cra_engine.cli.answer import Answer
from cra_engine.experiments.downcoding import LadderRun


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
