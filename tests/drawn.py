"""For tests of estimates: nothing is counted, so that everything is drawn."""

import pytest

from cra_engine.attacks.solver import solving
from cra_engine.attacks.solver.layers import TooManyStates


def count_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every exact count give up."""

    def refuse(*_: object) -> None:
        raise TooManyStates

    monkeypatch.setattr(solving, "count_part", refuse)
