"""A sensitive value that a release hides may be any: of its group, or one that nobody shows."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, LDiversity, Release, Study, TCloseness, attack, tight_attack, who_has_what
from cra_engine.attacks.refinement.models import ShownModels
from oracles.models import close, distinct, entropy, recursive

AGE = Attribute("age", 0, 40, 2)
TABLE = ["flu"] * 3 + ["cold"] * 2 + ["*"] * 2


def shown(model, values=tuple(TABLE)):
    study = Study([AGE], 2, privacy=[model])
    return ShownModels.of(Release(study, pd.DataFrame({"age": ["*"] * len(values), "illness": list(values)})))


def filled(flu, cold, hidden):
    """What a group can show once its hidden values are known."""
    for known in product(("flu", "cold", "gout"), repeat=hidden):
        yield ["flu"] * flu + ["cold"] * cold + list(known)


@pytest.mark.parametrize(
    ("model", "passes"),
    [
        (LDiversity("illness", 2), distinct(2)),
        (LDiversity("illness", 3), distinct(3)),
        (LDiversity("illness", 2, "entropy"), entropy(2)),
        (LDiversity("illness", 2, "recursive", 2), recursive(Fraction(2), 2)),
    ],
    ids=["2 different", "3 different", "entropy", "recursive"],
)
def test_a_group_surely_passes_where_it_does_whatever_is_hidden(model, passes):
    models = shown(model)
    sure = 0
    for group in product(range(4), range(3), range(3)):
        held = np.array([group])
        said = bool(models.surely_pass(held)[0])
        fails = any(len(own) < 2 or not passes(own) for own in filled(*group))
        assert not (said and fails), group
        sure += said and group[2] > 0
        if models.closed and fails:
            assert models.most_failing(held)[0] >= sum(group)
    assert (sure > 0) == (model == LDiversity("illness", 2))


def test_shares_of_the_whole_table_are_not_known_where_some_of_it_is_hidden():
    model = TCloseness("illness", Fraction(1, 2))
    assert shown(model, TABLE[:5]).surely_pass(np.array([[3, 2]]))[0] == close(Fraction(1, 2), TABLE[:5])(TABLE[:5])
    assert not shown(model).surely_pass(np.array([[3, 2, 0], [3, 2, 2]])).any()


def test_numbers_stay_numbers_beside_one_that_is_hidden():
    assert len(shown(LDiversity("illness", 2), ["1.5", "1.50", "*"]).kinds) == 2


def test_three_of_whom_one_hides_a_value_may_all_be_in_one_place():
    """Were the third illness known to be no flu, the two leaves would hold one and two people."""
    rows = {hidden: pd.DataFrame({"age": ["*"] * 3, "illness": ["flu", "flu", hidden]}) for hidden in ("cold", "*")}
    highest = {}
    for hidden, table in rows.items():
        release = Release(Study([AGE], 2, privacy=[LDiversity("illness", 2)]), table)
        highest[hidden] = [view.highest for view in tight_attack(release).cells]
        found = who_has_what(attack(release))
        assert all(not one.excluded and one.certain is None for one in found.cells)
    assert highest == {"cold": [2, 2], "*": [3, 3]}


def test_what_is_hidden_is_no_value_that_somebody_has():
    table = pd.DataFrame({"age": ["*"], "illness": ["*"]})
    found = who_has_what(attack(Release(Study([AGE], 2, privacy=[LDiversity("illness", 2)]), table)))
    assert not found.cells
