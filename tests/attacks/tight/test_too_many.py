"""Whether all groups of a release can be attacked together is known before anything is attacked."""

import pytest

from cra_engine import recode, synthesize
from cra_engine.attacks.tight import system
from cra_engine.errors import TooLargeError


@pytest.mark.parametrize("key", ["toy", "clinic"])
def test_what_is_told_beforehand_is_what_the_attack_then_says(key, monkeypatch):
    made = synthesize(key)
    release = recode(made.data, made.study).release
    refused = []
    for most in (10**power for power in range(8)):
        monkeypatch.setattr(system, "MAX_LOOKS", most)
        try:
            system.TightSystem(release)
        except TooLargeError:
            refused.append(True)
        else:
            refused.append(False)
        assert system.too_many_combinations(release) == refused[-1]
    assert len(set(refused)) == 2
