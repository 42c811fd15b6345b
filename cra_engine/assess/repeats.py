"""Says whether a released table's records surely repeat, so that a prior of distinct ones misleads."""

from cra_engine.attacks.refinement.attack import Attack

OFTEN = 100  # records per pair that is alike, at most, where values are said to repeat


def expected_repeats(attack: Attack) -> float:
    """Return how many pairs of records of a release are alike on average, each at random in its box.

    >>> import pandas as pd
    >>> from cra_engine import Attribute, Release, Study, attack
    >>> study = Study([Attribute("age", 0, 40, layers=3)], k=2)
    >>> expected_repeats(attack(Release(study, pd.DataFrame({"age": ["[0, 20["] * 5}))))
    0.5
    """
    return sum(part.size * (part.size - 1) / 2 / part.box_volume for part in (*attack.parts, *attack.raw))


def values_repeat(attack: Attack) -> bool:
    """Return whether an assessment supposes records alike: pairs are expected among a hundred, or some must be."""
    often = OFTEN * expected_repeats(attack) >= attack.release.records
    return often or any(part.coincident for part in attack.parts if not part.basic)
