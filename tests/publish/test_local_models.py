"""Local recoding under privacy models beside k: against definitions taken literally, and against ARX's own outputs."""

import json
import random
import re
from fractions import Fraction
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, DataError, LDiversity, Release, Study, StudyError, TCloseness, global_recode, recode
from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.beta_likeness import BetaLikeness
from cra_engine.criteria.d_presence import DPresence
from cra_engine.criteria.delta_disclosure import DeltaDisclosure
from cra_engine.files import block_files
from cra_engine.files.tables import read_table
from cra_engine.publish.check import check_release
from cra_engine.publish.local.arx_prices import Boxes, Prices
from cra_engine.publish.local.distributed import recode_folder
from cra_engine.publish.local.streaming import recode_file
from cra_engine.raw.cells import CellCounts, OccupiedCells
from cra_engine.study.grid import Grid
from cra_engine.study.quality import AGGREGATES, OF_A_TABLE, QUALITY_MODELS, Quality
from oracles import models as plain
from oracles.literal import LiteralARXLR
from shares import first
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


WEIGHTS = {"k5": ("0.9", "0.3"), "k3_l2": ("0.2", "0.8")}  # of the first two columns
CALLED = {"disc": "discernibility", "amb": "ambiguity", "nentropy": "normalized-entropy"}


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
    settings, quality = re.fullmatch(r"(.*?)(?:\.([a-z].*))?", settings).groups()
    attributes = [Attribute(name, 0, size, layers) for name, (size, layers) in TABLES[table].items()]
    parts = re.findall(r"([a-z]+)([0-9.]*)", settings)
    k = next((int(number) for letters, number in parts if letters == "k"), 1)
    models = [model_of(letters, number) for letters, number in parts if letters not in ("k", "gui")]
    profile = "arx-gui" if "gui" in settings else "paper"
    return Study(attributes, k, profile, models, quality=quality_of(quality or "loss", settings, attributes))


def quality_of(text, settings, attributes):
    if text == "weights":
        return Quality(weights=dict(zip([a.name for a in attributes], WEIGHTS[settings], strict=False)))
    model, aggregate, factor = re.fullmatch(r"([a-z]+)(?:_([a-z_]+?))?(?:_([0-9.]+))?", text).groups()
    aggregate = aggregate or ("sum" if model == "entropy" else "geometric_mean")
    return Quality(CALLED.get(model, model), aggregate.replace("_", "-"), factor or 0)


def published_by_arx(name, study, data):
    """Per row the labels that ARX published, and the step, -1 for suppressed."""
    steps = [int(step) for step in OUTPUTS[name]["steps"].split()]
    columns = {}
    for position, attribute in enumerate(study.attributes):
        leaves = attribute.reader.locate(data[attribute.name].to_numpy())
        layers = [attribute.layers if step < 0 else OUTPUTS[name]["states"][step][position] for step in steps]
        columns[attribute.name] = [
            attribute.node(layer, int(attribute.ranks[layer - 1][leaf])).label
            for layer, leaf in zip(layers, leaves, strict=True)
        ]
    return pd.DataFrame(columns), steps


# ARX's last step of this one publishes what is left at the state of nothing but roots: rows of *, as suppressed ones.
LAST_AT_THE_TOP = {"four800.k5_l2_gui"}


@pytest.mark.parametrize("name", OUTPUTS)
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
    assert len(OUTPUTS) == 120
    assert len({str(study_of(name).quality) for name in OUTPUTS}) == 16


def test_equal_weights_change_nothing_so_that_the_whole_search_ends_where_the_short_one_does():
    steps = 0
    for seed in range(60):
        case = random_case(seed)
        even = case.study.changed(quality=Quality(weights=dict.fromkeys(case.study.names, "0.4")))
        assert not even.quality.plain
        short, whole = recode(case.data, case.study, ties="arx"), recode(case.data, even, ties="arx")
        assert [i.state for i in whole.iterations] == [i.state for i in short.iterations], case
        steps += len(short.iterations)
    assert steps > 60


def test_with_a_g_s_factor_each_step_takes_a_state_of_least_weighed_loss():
    steps = 0
    for seed in range(60):
        case, factor = random_case(seed, count=2), Fraction(seed % 4 + 1, 4)
        study = case.study.changed(quality=Quality(gs_factor=float(factor)))
        literal = LiteralARXLR(study.attributes, study.k, case.records, factor=factor)
        left = list(range(len(case.records)))
        for iteration in recode(case.data, study).iterations:
            fitting = [state for state in literal.lattice if literal.feasible(state, left)]
            least = min(literal.growth(state, left) for state in fitting)
            # ARX cuts losses after the tenth decimal.
            assert float(literal.growth(iteration.state, left) / least) < 1 + 1e-9, (case, iteration)
            gone = {row for rows in literal.anonymous(iteration.state, left).values() for row in rows}
            left = [row for row in left if row not in gone]
            steps += 1
    assert steps > 60


def test_an_output_that_arx_made_with_half_a_g_s_factor():
    folder = ARX.parent
    study = Study.from_toml(folder / "studies" / "toy40b.paper.toml").changed(k=3, quality=Quality(gs_factor=0.5))
    published = read_table(folder / "outputs" / "toy40b.gs05.k3.csv")[list(study.names)].astype(str)
    recoding = recode(read_table(folder / "raw" / "toy40b.csv"), study)
    pd.testing.assert_frame_equal(recoding.frame[list(study.names)].astype(str), published, check_dtype=False)


def test_the_entropies_by_hand():
    # Ages 0 and 1 lie in one leaf, 2 in the other: per record of the first leaf log2 of its share there.
    study = Study([Attribute("age", 0, 4, layers=2), Attribute("sex", 0, 2, layers=2)], 2)
    cells = CellCounts(Grid(study.attributes))
    cells.add(np.array([0, 0, 0, 2, 2]))
    occupied = OccupiedCells.of(cells)
    ages = np.array([0, 1, 2]), np.array([0, 0, 1]), np.array([2, 1, 2])
    sexes = np.array([0, 0]), np.array([0, 1]), np.array([3, 2])
    prices = Prices(
        Quality("entropy", "sum", gs_factor=0), study.attributes, occupied, [0, 1], lambda i: (ages, sexes)[i]
    )
    filled = occupied.filled((1, 1), 2)
    boxes = Boxes.of(occupied, (1, 1), [0, 1], filled)
    first_leaf = -2 * np.log2(2 / 3) - np.log2(1 / 3)
    assert prices.price((0, 0), boxes) == (pytest.approx(first_leaf, abs=1e-9),)
    root = -2 * np.log2(2 / 5) - np.log2(1 / 5) - 2 * np.log2(2 / 5)
    boxes = Boxes.of(occupied, (2, 1), [0, 1], occupied.filled((2, 1), 2))
    assert prices.price((1, 0), boxes) == (pytest.approx(root, abs=1e-9),)


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


@pytest.mark.parametrize("batch", first(5, range(10)))
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


@pytest.mark.parametrize("settings", ["k5_l2", "k5_t0.2", "k5.entropy", "k5.aecs"])
def test_blocks_and_parts_give_the_rows_of_the_whole_table(tmp_path, monkeypatch, settings):
    monkeypatch.setattr(block_files, "ROWS", 70)
    study, table = study_of(f"two300.{settings}"), pd.read_csv(ARX / "two300.csv", sep=";")
    whole = recode(table, study, ties="arx").frame.astype(str).reset_index(drop=True)
    (tmp_path / "parts").mkdir()
    for number, start in enumerate(range(0, 300, 100)):
        table[start : start + 100].to_parquet(tmp_path / "parts" / f"{number}.parquet", index=False)
    table.to_parquet(tmp_path / "one.parquet", index=False)
    recode_file(tmp_path / "one.parquet", study, tmp_path / "out.parquet", ties="arx", keep_order=True)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        recode_folder(tmp_path / "parts", study, tmp_path / "out", ties="arx", keep_order=True)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "out.parquet").astype(str), whole, check_dtype=False)
    parts = [pd.read_parquet(path).astype(str) for path in sorted((tmp_path / "out").iterdir())]
    pd.testing.assert_frame_equal(pd.concat(parts, ignore_index=True), whole, check_dtype=False)


def test_an_empty_sensitive_cell_is_named_by_its_row_block_by_block_too(tmp_path, monkeypatch):
    monkeypatch.setattr(block_files, "ROWS", 2)
    study = Study([Attribute("age", 0, 8, layers=3, missing="leave-out")], 2, privacy=[LDiversity("illness", 2)])
    table = pd.DataFrame({"age": [0, None, 1, 4, 6, 7], "illness": ["a", None, "b", "a", None, "b"]})
    said = "The sensitive column 'illness' has 1 missing value, in row 5 "
    with pytest.raises(DataError, match=said):
        recode(table, study)
    with pytest.raises(DataError, match=said):
        global_recode(table, study)
    table.to_parquet(tmp_path / "one.parquet", index=False)
    with pytest.raises(DataError, match=said):
        recode_file(tmp_path / "one.parquet", study, tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet").exists()
    (tmp_path / "parts").mkdir()
    filled = table.fillna({"age": 0, "illness": "a"}).astype({"age": int})
    filled.loc[4, "illness"] = None
    for start in (0, 2, 4):
        filled[start : start + 2].to_parquet(tmp_path / "parts" / f"{start}.parquet", index=False)
    study = Study([Attribute("age", 0, 8, layers=3)], 2, privacy=study.privacy)  # of folders no gap is left out
    with joblib.parallel_config(backend="threading", n_jobs=2), pytest.raises(DataError, match=said):
        recode_folder(tmp_path / "parts", study, tmp_path / "out")


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


@pytest.mark.parametrize("model", QUALITY_MODELS)
@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_every_quality_model_recodes_with_every_aggregate(model, aggregate):
    """ARX's bound of the entropy is below zero, where its geometric mean is no number."""
    if model in OF_A_TABLE:
        aggregate = "geometric-mean"
    draw = random.Random(7)
    table = pd.DataFrame([[draw.randrange(80), draw.randrange(80)] for _ in range(120)], columns=["age", "weight"])
    attributes = [Attribute("age", 0, 80, layers=4, above=True), Attribute("weight", 0, 80, layers=4)]
    study = Study(attributes, 3, "arx-gui", quality=Quality(model, aggregate), privacy=[AverageRisk(0.2)])
    recoding = recode(table, study)
    check_release(table, study, recoding.frame)
    kept = recoding.records - recoding.suppressed
    assert 0 < 5 * len(recoding.classes) <= kept  # each step keeps the average risk
