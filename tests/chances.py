"""Whether what was drawn fits what it was drawn from."""

from collections import Counter


def assert_fits(observed: Counter, expected: dict, draws: int) -> None:
    """A generous chi-square test: a right sampler fails one seed in millions, and the seeds are fixed."""
    assert set(observed) <= {outcome for outcome, probability in expected.items() if probability}
    common = {outcome: float(p) * draws for outcome, p in expected.items() if p * draws >= 5}
    rest = draws - sum(common.values())
    statistic = sum((observed[outcome] - mean) ** 2 / mean for outcome, mean in common.items())
    if rest >= 5:
        seen = draws - sum(observed[outcome] for outcome in common)
        statistic += (seen - rest) ** 2 / rest
    freedom = len(common) + (rest >= 5) - 1
    assert statistic <= freedom + 6 * (2 * freedom) ** 0.5 + 12
