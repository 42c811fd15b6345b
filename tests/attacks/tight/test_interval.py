"""The interval of an estimate against the exact number."""

import pandas as pd
import pytest

from cra_engine import Attribute, Study, recode, tight_attack
from drawn import count_nothing


def made():
    """A release whose parts can be counted."""
    study = Study([Attribute("a", 0, 20, 3), Attribute("b", 0, 24, 3)], 3)
    records = [
        (1, 2),
        (3, 20),
        (4, 11),
        (6, 7),
        (8, 15),
        (9, 1),
        (11, 22),
        (13, 5),
        (14, 18),
        (16, 9),
        (18, 13),
        (19, 3),
    ]
    return recode(pd.DataFrame(records, columns=["a", "b"]), study).release


@pytest.mark.parametrize("prior", ["distinct", "independent", "assignments"])
def test_an_estimate_is_near_the_exact_number_whatever_the_prior(prior, monkeypatch):
    exact = tight_attack(made(), prior=prior)
    assert exact.status == "exact"
    count_nothing(monkeypatch)
    drawn = tight_attack(made(), prior=prior)
    assert drawn.status == "estimate"
    assert abs(drawn.log10_worlds - exact.log10_worlds) < 5 * drawn.log10_worlds_stderr


def test_the_interval_holds_the_exact_number_as_often_as_it_says(monkeypatch):
    release = made()
    exact = tight_attack(release)
    assert exact.log10_worlds_interval == (exact.log10_worlds, exact.log10_worlds)
    count_nothing(monkeypatch)
    held = 0
    for seed in range(20):
        estimate = tight_attack(release, seed=seed)
        assert estimate.status == "estimate"
        lower, upper = estimate.log10_worlds_interval
        assert lower < estimate.log10_worlds < upper
        held += lower <= exact.log10_worlds <= upper
    assert held >= 17  # with 19 of 20 expected, fewer happen once in sixty times
