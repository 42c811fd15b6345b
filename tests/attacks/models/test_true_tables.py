"""The truth under privacy models besides k: no attack excludes it, and nothing that is called certain is false."""

import random
import re
from collections import Counter
from math import prod

import pandas as pd
import pytest

from cra_engine import Release, Study, attack, compose, tight_attack, who_has_what
from cra_engine.raw.placement import locate
from cra_engine.study.quality import QUALITY_MODELS, Quality
from oracles.models import FAMILIES, random_release
from publish.test_local_models import ARX, OUTPUTS, TABLES, published_by_arx, study_of
from truth import excluded

FULLY = ("two40.k3_entl2", "two40.k5_t0.2", "two40.l3", "two300.k5_recl22", "two300.k5_l3", "three500.k5_l2_gui")


def quality_of(name: str) -> Quality:
    """The quality model of one of ARX's outputs by the end of its name."""
    found = re.search(r"\.([a-z]+)(?:_([a-z_]+?))?(?:_(0\.5))?$", name)
    if found is None:
        return Quality()
    model, aggregate, factor = found.groups()
    if model == "weights":
        some = ("0.2", "0.8") if ".k3_l2." in name else ("0.9", "0.3")
        return Quality(weights=dict(zip(TABLES[name.split(".", maxsplit=1)[0]], some, strict=False)))
    named = {"nentropy": "normalized-entropy", "disc": "discernibility", "amb": "ambiguity"}
    return Quality(named.get(model, model), (aggregate or "geometric-mean").replace("_", "-"), factor or 0)


def of_arx(name: str) -> tuple[Release, pd.DataFrame]:
    """A release that ARX made, and its raw table."""
    table, settings = name.split(".", 1)
    models = re.split(r"\.(?=[a-z])", settings)[0]
    data = pd.read_csv(ARX / f"{table}.csv", sep=";")
    study = study_of(f"{table}.{models}").changed(quality=quality_of(name))
    shown, _ = published_by_arx(name, study, data)
    return Release(study, shown.assign(diagnosis=data["diagnosis"])), data


def refuted(release: Release, data: pd.DataFrame) -> list[str]:
    """What the attacks say that is not so of the true table."""
    held = Counter(map(tuple, locate(data, release.study).leaves.tolist()))
    wrong = excluded(release, data)
    attacked, together = attack(release), tight_attack(release, time_limit=20, prior="assignments")
    wrong += refuted_values(release, data)
    wrong += [f"isolated {cell}" for cell in attacked.isolated if held[cell] != 1]
    wrong += [f"{view.cell}" for view in together.cells if not view.lowest <= held[view.cell] <= view.highest]
    return wrong


def refuted_values(release: Release, data: pd.DataFrame) -> list[str]:
    """What is said of people's values that is not so; cut short by time, it says less."""
    column = release.table.columns[-1]
    found = who_has_what(attack(release, prior="assignments"), [column], time_limit=2)
    true: dict[tuple[int, ...], list[str]] = {}
    for cell, value in zip(map(tuple, locate(data, release.study).leaves.tolist()), data[column], strict=True):
        true.setdefault(cell, []).append(value)
    wrong = []
    for one in found.cells:
        own = true.get(one.cell, [])
        if not set(own) <= set(one.possible) or (one.alone and len(own) != 1):
            wrong.append(f"values of {one.cell}")
        if one.certain is not None and own != [one.certain]:
            wrong.append(f"certain value of {one.cell}")
    return wrong


@pytest.mark.parametrize("name", OUTPUTS)
def test_no_attack_excludes_the_table_that_arx_published(name):
    release, data = of_arx(name)
    assert not excluded(release, data)


@pytest.mark.parametrize("name", ["two40.k3_entl2", "two40.k5_t0.2", "two40.l3"])
def test_all_together_never_leave_more_tables_than_the_classes_one_by_one(name):
    release, _ = of_arx(name)
    found = tight_attack(release, prior="assignments")
    own = [part.lr_solutions if part.basic else part.cra_bounds[1] for part in found.parts]
    assert found.of_classes  # numbers alone, of which more are counted
    assert found.worlds == prod(own)
    assert any("that of the classes" in warning for warning in found.warnings)


def test_these_are_all_models_quality_models_and_weights():
    assert len(OUTPUTS) == 120
    assert {quality_of(name).model for name in OUTPUTS} == set(QUALITY_MODELS)
    assert sum(bool(quality_of(name).weights) for name in OUTPUTS) == 8


@pytest.mark.parametrize("name", FULLY)
def test_nothing_certain_of_what_arx_published_is_false(name):
    release, data = of_arx(name)
    assert not refuted(release, data)
    # With k alone in the study the same release is misread: these bounds are what makes the difference.
    if "entl2" in name or "t0.2" in name:
        alone = Study(release.study.attributes, release.k)
        assert excluded(Release(alone, release.table), data)


@pytest.mark.parametrize("names", [("two40.l3", "two40.k5_recl22"), ("two40.k3_l2", "two40.k5.aecs")])
def test_releases_of_the_same_people_leave_their_true_table_together(names):
    (one, data), (other, _) = map(of_arx, names)
    together = compose([one, other], prior="assignments", time_limit=5)
    held = Counter(map(tuple, locate(data, one.study).leaves.tolist()))  # of equal hierarchies the cells are common
    for view in together.cells:
        assert view.lowest <= held[view.cell] <= view.highest, view.cell


def check(seed):
    rng = random.Random(f"models {seed}")
    data, labels, study = random_release(rng, FAMILIES[seed % len(FAMILIES)])
    assert not refuted(Release(study, labels), data), seed


@pytest.mark.parametrize("seed", range(20))
def test_random_releases_leave_their_true_tables(seed):
    check(seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("start", range(20, 2000, 20))
def test_two_thousand_random_releases_leave_their_true_tables(start):
    for seed in range(start, start + 20):
        check(seed)
