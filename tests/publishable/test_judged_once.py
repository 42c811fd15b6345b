"""A search looks at each table once, however often it asks for the attack."""

import pytest

from cra_engine import synthesize
from cra_engine.checks import check
from cra_engine.publishable import publishable
from cra_engine.publishable.trials import Trials


def test_what_is_checked_again_with_the_attack_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looked, judged = [], []
    measured, judge = check.utility_of, Trials._judge
    monkeypatch.setattr(check, "utility_of", lambda *given: looked.append(1) or measured(*given))
    monkeypatch.setattr(Trials, "_judge", lambda *given: judged.append(1) or judge(*given))
    toy = synthesize("toy")
    assert publishable(toy.data, toy.study).outcomes
    assert 0 < len(looked) == len(judged)
