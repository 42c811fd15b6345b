"""Whether frequencies fit probabilities."""

from collections import Counter
from collections.abc import Hashable, Mapping


def assert_fits(observed: Mapping[Hashable, int], expected: Mapping[Hashable, float], draws: int) -> None:
    """A generous chi-square test: a right sampler fails one seed in millions, and seeds are fixed."""
    assert sum(observed.values()) == draws
    assert {outcome for outcome, times in observed.items() if times} <= {o for o, p in expected.items() if p > 0}
    common = {outcome: float(p) * draws for outcome, p in expected.items() if p * draws >= 5}
    seen = Counter(observed)
    rest = draws - sum(common.values())
    statistic = sum((seen[outcome] - mean) ** 2 / mean for outcome, mean in common.items())
    if rest >= 5:
        statistic += (draws - sum(seen[outcome] for outcome in common) - rest) ** 2 / rest
    freedom = len(common) + (rest >= 5) - 1
    assert statistic <= freedom + 6 * (2 * freedom) ** 0.5 + 12
