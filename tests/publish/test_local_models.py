"""Local recoding under privacy models beside k: against definitions taken literally, and against ARX's own outputs."""

import json
import random
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, LDiversity, Release, Study, StudyError, TCloseness, recode
from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.beta_likeness import BetaLikeness
from cra_engine.criteria.d_presence import DPresence
from cra_engine.criteria.delta_disclosure import DeltaDisclosure
from oracles import models as plain
from strategies import random_case

ARX = Path(__file__).parents[1] / "data" / "arx" / "models"
TABLES = {
    "two40": {"age": (64, 4), "bmi": (32, 3)},
    "two300": {"age": (64, 4), "bmi": (32, 3)},
    "three500": {"age": (96, 3), "bmi": (64, 4), "sbp": (128, 3)},
    "four800": {"age": (128, 3), "bmi": (64, 3), "bp": (256, 3), "zip": (512, 4)},
}
OUTPUTS = {
    f"{table}.{name}": found
    for table in TABLES
    for name, found in json.loads((ARX / f"{table}.json").read_text(encoding="utf-8")).items()
}
UNDER_MODELS = [name for name in OUTPUTS if "." not in re.sub(r"(?<=[0-9])\.(?=[0-9])", "", name.split(".", 1)[1])]


def model_of(letters, number):
    match letters:
        case "l":
            return LDiversity("diagnosis", int(number))
        case "entl":
            return LDiversity("diagnosis", int(number), "entropy")
        case "recl":
            return LDiversity("diagnosis", int(number[0]), "recursive", c=int(number[1]))
        case "t":
            return TCloseness("diagnosis", Fraction(number))
        case "beta" | "ebeta":
            return BetaLikeness("diagnosis", Fraction(number), "basic" if letters == "beta" else "enhanced")
        case "dd":
            return DeltaDisclosure("diagnosis", Fraction(number))
        case "avg":
            return AverageRisk(Fraction(number))
    raise AssertionError(letters)


def study_of(name):
    """The study of one of ARX's outputs by its name."""
    table, settings = name.split(".", 1)
    attributes = [Attribute(name, 0, size, layers) for name, (size, layers) in TABLES[table].items()]
    parts = re.findall(r"([a-z]+)([0-9.]*)", settings)
    k = next((int(number) for letters, number in parts if letters == "k"), 1)
    models = [model_of(letters, number) for letters, number in parts if letters not in ("k", "gui")]
    return Study(attributes, k, "arx-gui" if "gui" in settings else "paper", models)


def published_by_arx(name, study, data):
    """Per row the labels that ARX published, and the step, -1 for suppressed."""
    steps = [int(step) for step in OUTPUTS[name]["steps"].split()]
    columns = {}
    for position, attribute in enumerate(study.attributes):
        leaves = attribute.locate(data[attribute.name].to_numpy())
        layers = [attribute.layers if step < 0 else OUTPUTS[name]["states"][step][position] for step in steps]
        columns[attribute.name] = [
            attribute.node(layer, int(attribute.ranks[layer - 1][leaf])).label
            for layer, leaf in zip(layers, leaves, strict=True)
        ]
    return pd.DataFrame(columns), steps


# ARX's last step of this one publishes what is left at the state of nothing but roots: rows of *, as suppressed ones.
LAST_AT_THE_TOP = {"four800.k5_l2_gui"}


@pytest.mark.parametrize("name", UNDER_MODELS)
def test_every_output_of_arx_row_by_row_and_step_by_step(name):
    study, data = study_of(name), pd.read_csv(ARX / f"{name.split('.')[0]}.csv", sep=";")
    rows, steps = published_by_arx(name, study, data)
    recoding = recode(data, study, ties="arx")
    pd.testing.assert_frame_equal(recoding.frame[list(study.names)].astype(str), rows.astype(str))
    own = np.asarray(recoding.iteration_of_record, dtype=int) - 1
    if name in LAST_AT_THE_TOP:
        assert OUTPUTS[name]["states"][-1] == list(study.lattice.top)
        steps = [-1 if step == len(OUTPUTS[name]["states"]) - 1 else step for step in steps]
    assert own.tolist() == steps


def test_these_are_many():
    assert len(UNDER_MODELS) == 4 * 15


def random_models(rng, values):
    """A few models and their plain counterparts, and a risk or none."""
    c, t = Fraction(rng.randint(1, 8), 2), Fraction(rng.randint(1, 9), 10)
    b, d = Fraction(rng.randint(1, 12), 4), Fraction(rng.randint(2, 9), 4)
    many = rng.choice([1, 2, 2, 3])
    known = [
        (LDiversity("illness", many), plain.distinct(many)),
        (LDiversity("illness", many, "entropy"), plain.entropy(many)),
        (LDiversity("illness", many, "recursive", c=c), plain.recursive(c, many)),
        (TCloseness("illness", t), plain.close(t, values)),
        (TCloseness("illness", t, "ordered"), plain.close_in_order(t, values)),
        (BetaLikeness("illness", b), plain.beta(b, values)),
        (BetaLikeness("illness", b, "enhanced"), plain.enhanced_beta(b, values)),
        (DeltaDisclosure("illness", d), plain.disclosure(float(d), values)),
    ]
    chosen = rng.sample(known, rng.choice([0, 1, 1, 1, 2]))
    risk = Fraction(1, rng.randint(2, 9)) if not chosen or rng.random() < 0.2 else None
    return chosen, risk


@pytest.mark.parametrize("batch", range(10))
def test_any_models_publish_what_their_definitions_say(batch):
    rng, published = random.Random(f"models {batch}"), 0
    for _ in range(25):
        case = random_case(rng.randrange(10**9))
        values = [rng.choice("1112234") for _ in case.records]
        chosen, risk = random_models(rng, values)
        k = rng.choice([1, case.study.k])
        models = [model for model, _ in chosen] + ([] if risk is None else [AverageRisk(risk)])
        study = case.study.changed(k=k, privacy=models)
        if k > len(values):
            continue
        literal = plain.LiteralModels(
            study.attributes, k, case.records, values, [test for _, test in chosen], risk=risk
        ).local_recoding()
        recoding = recode(case.data.assign(illness=values), study)
        found = [[(s.state, s.ranks, size) for s, size in sorted(i.classes)] for i in recoding.iterations]
        assert found == [[(c.state, c.ranks, len(c.rows)) for c in step] for step in literal.iterations], (study, case)
        assert recoding.suppressed == len(literal.suppressed)
        published += len(found)
    assert published > 10


def test_boxes_that_are_too_far_from_the_table_are_no_classes():
    # At layer 1 the box [0, 2[ holds a a a b and [2, 4[ a b b b: both too far from half and half. Layer 2 holds both.
    study = Study([Attribute("age", 0, 8, layers=3)], 2, privacy=[TCloseness("illness", Fraction(1, 5))])
    table = pd.DataFrame({"age": [0, 0, 1, 1, 2, 2, 3, 3], "illness": list("aaababbb")})
    recoding = recode(table, study)
    assert [iteration.state for iteration in recoding.iterations] == [(2,)]
    assert recoding.candidates(1)[0].boxes == 0
    assert (recoding.candidates(1)[0].largest, recoding.candidates(1)[1].boxes) == (4, 1)


@pytest.mark.parametrize("ties", ["paper", "arx"])
def test_a_state_that_failed_is_looked_at_again_once_records_are_taken(ties):
    attributes = [Attribute("age", 0, 300, layers=2, fanout=3), Attribute("sex", 0, 2, layers=2)]
    study = Study(attributes, 4, privacy=[TCloseness("illness", Fraction(1, 5))])
    # Sex 0 holds 8 a and 2 b, so that (2, 1), which loses less, can publish nothing. The young hold 6 of each. Without
    # them sex 0 holds 2 of each.
    people = [(0, 0, "a")] * 6 + [(0, 1, "b")] * 6 + [(age, 0, illness) for age in (100, 200) for illness in "ab"]
    recoding = recode(pd.DataFrame(people, columns=["age", "sex", "illness"]), study, ties=ties)
    assert [iteration.state for iteration in recoding.iterations] == [(1, 2), (2, 1)]
    assert study.lattice.order((2, 1)) < study.lattice.order((1, 2))
    assert recoding.suppressed == 0


def test_k_of_1_is_taken_where_a_model_bounds_classes():
    study = Study([Attribute("age", 0, 8, layers=3)], 1, privacy=[LDiversity("illness", 2)])
    table = pd.DataFrame({"age": [0, 1, 4, 6, 7], "illness": list("abaaa")})
    recoding = recode(table, study)
    assert [(str(c.segment.ranks), c.size) for c in recoding.classes] == [("(0,)", 2)]
    assert Release(study, recoding.frame).suppressed == 3


def test_what_is_not_asked_of_local_recoding_is_refused_by_name():
    attributes = [Attribute("age", 0, 8, layers=3)]
    table = pd.DataFrame({"age": [0, 1, 4, 6, 7], "illness": list("abaaa")})
    with pytest.raises(StudyError, match="Local recoding knows no d-presence"):
        recode(table, Study(attributes, 2, privacy=[DPresence("illness", "a", 0, 1)]))
    with pytest.raises(StudyError, match="'age' is a quasi-identifier"):
        recode(table, Study(attributes, 2, privacy=[LDiversity("age", 2)]))
