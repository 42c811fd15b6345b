"""Tables of one state whose labels stand in several layers: nothing false is called certain of them."""

import random
from collections import Counter

import pandas as pd
import pytest

from cra_engine import Study, attack, audit, check, compose, global_recode, tight_attack
from cra_engine.release import Release
from cra_engine.study.common_states import common_states
from cra_engine.study.file_hierarchy import FileHierarchy

# The ward r is labelled like its only child.
WARDS = (("p", "p", "pqs", "*"), ("q", "q", "pqs", "*"), ("s", "s", "pqs", "*"), ("r", "r", "r", "*"))


def study(k: int = 2) -> Study:
    return Study([FileHierarchy("ward", WARDS)], k)


def published() -> tuple[pd.DataFrame, Release]:
    """With all leaves the single q would be suppressed, so all records are published one layer up."""
    data = pd.DataFrame({"ward": ["p", "p", "q", "r", "r"]})
    made = global_recode(data, study(), suppression_limit=0)
    assert set(made.frame["ward"]) == {"pqs", "r"}
    return data, Release(study(), made.frame.astype(str))


def test_labels_of_two_layers_may_be_of_one_state():
    _, release = published()
    assert {c.segment.state for c in release.classes} == {(1,), (2,)}
    assert common_states(release.attributes, [release.grid.nodes(c.segment) for c in release.classes]) == [(2,)]


def test_a_check_calls_nobody_certain_whom_local_recoding_alone_would_show():
    """Read as local recoding each of p, q and s holds one of three; two were in p."""
    data, release = published()
    assert tight_attack(release).isolated
    told = check(data, study(), release.table).assessment
    assert (told.recoding, told.certain.value) == ("global", 0)


def test_every_attack_says_that_the_table_may_be_global():
    _, release = published()
    for result in (attack(release), tight_attack(release), compose([release]), audit(release.table, study())):
        assert any("One state fits all classes" in warning for warning in result.warnings)


@pytest.mark.parametrize("start", [0, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_what_a_check_calls_certain_of_a_global_recoding_is_so(start):
    """Random trees with only children, random tables, published in one state."""
    looked = 0
    for seed in range(40 * start, 40 * (start + 1) if start == 0 else 400):
        rng = random.Random(seed)
        names = "pqstuvwx"[: rng.randint(3, 8)]
        group = {name: rng.choice("ABC") for name in names}
        sizes = Counter(group.values())
        label = {name: group[name] if sizes[group[name]] > 1 else name for name in names}
        own = Study([FileHierarchy("ward", tuple((n, n, label[n], "*") for n in sorted(names, key=group.get)))], 2)
        data = pd.DataFrame({"ward": rng.choices(names, k=rng.randint(5, 14))})
        made = global_recode(data, own, suppression_limit=0.3)
        told = check(data, own, made.frame.astype(str)).assessment
        if told is not None and told.certain.value:
            assert told.certain.value <= sum(count == 1 for count in Counter(data["ward"]).values())
        looked += len({c.segment.state for c in Release(own, made.frame.astype(str)).classes}) > 1
    assert looked
