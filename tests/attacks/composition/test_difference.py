"""What one release less another tells of the people whom it has besides, against who they are."""

import random
from collections import Counter

import pytest

from cra_engine import Release, compose, recode, synthesize
from cra_engine.attacks.tight import system as tight_system
from cra_engine.study.roles import Roles
from shares import first
from strategies import random_case

TOY = synthesize("toy")
STUDY = TOY.study.with_roles(Roles(sensitive=["diagnosis"]))
DATA = TOY.data.assign(diagnosis=["flu", "cold", "asthma"] * 12)


@pytest.mark.parametrize("seeds", first(1, [range(8), range(8, 400)]), ids=len)
def test_the_values_of_the_others_and_of_each_group_of_classes_are_theirs(seeds):
    assert sum(map(groups_that_differ, seeds)) > len(seeds) // 2


def groups_that_differ(seed):
    """How many groups of classes of random releases have people besides: each has these people's values.

    The order of rows is the table's here, so that each person's class is known; the attack does not look at it.
    """
    rng, case = random.Random(seed), random_case(seed, count=1 + seed % 2, most_records=20)
    k, people = case.study.k, len(case.data)
    left_out = [rng.randint(1, 3) for _ in range(rng.randint(1, 2))]
    orders = rng.choice([0, tight_system.MAX_HYPOTHESES])
    if people <= k + sum(left_out):
        return 0
    study = case.study.with_roles(Roles(sensitive=["diagnosis"]))
    data = case.data.assign(diagnosis=[rng.choice(["flu", "cold", "asthma"]) for _ in range(people)])
    order, kept, tables = rng.sample(range(people), people), people - sum(left_out), []
    for more in (0, *left_out):
        kept += more
        tables.append(data.loc[sorted(order[:kept])])
    releases = [recode(table, study.with_k(rng.randint(2, k + 1))).release for table in tables]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tight_system, "MAX_HYPOTHESES", orders)
        found = compose(releases, grown=True, prior="independent", time_limit=5)
    assert [one.earlier for one in found.differences] == list(range(len(left_out)))
    for one in found.differences:
        before, after = tables[one.earlier], tables[one.earlier + 1]
        besides = after.drop(index=before.index)
        assert one.people == Counter(besides["diagnosis"])
        owners = dict(zip(after.index, releases[one.earlier + 1].class_of_row.tolist(), strict=True))
        for classes, told in one.groups.items():
            assert told == Counter(besides["diagnosis"][[owners[row] in classes for row in besides.index]])
        assert sum(one.groups.values(), Counter()) == one.people
    return sum(len(one.groups) for one in found.differences)


@pytest.mark.parametrize("row", [0, 7])
def test_a_group_can_be_one_class_so_that_a_value_gets_its_box(row):
    """Of both rows the difference attack finds the very class of the person who was left out, at each k."""
    for k in (2, 3, 4):
        whole = recode(DATA, STUDY.with_k(k)).release
        (one,) = compose([recode(DATA.drop(index=row), STUDY.with_k(k)).release, whole], grown=True).differences
        assert one.groups == {(int(whole.class_of_row[row]),): Counter([DATA["diagnosis"][row]])}
        assert str(one) == (
            "Release 2 less release 1 gives the diagnosis of the person whom release 2 alone has: "
            f"{DATA['diagnosis'][row]}."
        )


def test_of_several_people_each_value_is_counted():
    less, whole = (recode(data, STUDY.with_k(3)).release for data in (DATA.drop(index=[0, 1, 3, 4, 6]), DATA))
    (one,) = compose([less, whole], grown=True).differences
    said = (
        "Release 2 less release 1 gives the diagnosis of the 5 people whom release 2 alone has: flu (3) and cold (2)."
    )
    assert str(one) == said


def test_nothing_is_said_of_values_that_do_not_fit_are_hidden_or_not_called_sensitive():
    less, whole = recode(DATA.drop(index=7), STUDY.with_k(3)).release, recode(DATA, STUDY.with_k(3)).release

    def told(table, study=STUDY):
        return compose([Release(study.with_k(3), table), whole], grown=True).differences

    assert told(less.table)
    for row, value in ((0, "measles"), (0, "*")):
        changed = less.table.copy()
        changed.loc[row, "diagnosis"] = value
        assert not told(changed)
    plain = Release(TOY.study.with_k(3), less.table), Release(TOY.study.with_k(3), whole.table)
    assert not compose(plain, grown=True).differences
    # Of the same people nobody is besides.
    assert not compose([whole, recode(DATA, STUDY.with_k(4)).release]).differences
