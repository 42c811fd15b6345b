"""A repair asks who is certain, not who has what: that took as long as all else."""

import pandas as pd

from cra_engine import Attribute, LDiversity, Study, recode, repair
from cra_engine.assess import attacked


def test_a_repair_asks_no_sensitive_values(monkeypatch):
    data = pd.DataFrame({"age": [1, 11, 18, 22, 33, 38] * 2, "ill": [*"ababab"] * 2})
    release = recode(data, Study([Attribute("age", 0, 40, 3)], 3, privacy=[LDiversity("ill", 2)])).release
    asked = []
    honest = attacked.who_has_what
    monkeypatch.setattr(attacked, "who_has_what", lambda *given, **how: asked.append(1) or honest(*given, **how))
    attacked.assess(release, local=True)
    assert asked.pop()
    assert repair(release).all_classes
    assert not asked
