"""Synthetic tables: what each promises, over many seeds, and the files that are committed."""

import math
import re
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes

from cra_engine.attacks.refinement.attack import attack
from cra_engine.errors import CRAError, DataError, StudyError
from cra_engine.files.tables import read_table
from cra_engine.publish.local.recoding import recode
from cra_engine.raw.synthesis import DEFAULT_RECORDS, KINDS, MAX_RECORDS, synthesize, synthetic_study
from cra_engine.risk.singling import SinglingOut, single_out
from cra_engine.study.grid import Grid
from cra_engine.study.lattice import Lattice
from cra_engine.study.study import Study
from oracles.literal import LiteralARXLR, c1, c2, c3, growth

SAMPLES = Path(__file__).parents[2] / "sample_data"
DRAWN = ("clinic", "hospitals")
TOY_SEEDS = range(200)


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_same_bytes(kind):
    first, again, other = (synthesize(kind, seed=seed) for seed in (3, 3, 4))
    assert first.to_csv_text() == again.to_csv_text()
    assert first.study == again.study
    assert first.to_csv_text() != other.to_csv_text()


def test_unpacks_as_data_and_study():
    data, study = synthesize("clinic", 40, 1)
    assert isinstance(data, pd.DataFrame)
    assert isinstance(study, Study)
    assert len(data) == 40


def test_label_says_synthetic_and_how_to_get_it_again():
    assert synthesize("clinic", 1200, 9).label == (
        "Synthetic data (clinic, 1,200 records, seed 9): no row is a real person."
    )
    assert synthesize("hospitals", 1, 0).label == (
        "Synthetic data (hospitals, 1 record, seed 0): no row is a real hospital."
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("records", [None, 1, 2, 37, 800])
def test_has_as_many_records_as_asked(kind, records):
    data, study = synthesize(kind, records, 5)
    assert len(data) == (DEFAULT_RECORDS[kind] if records is None else records)
    assert set(study.names) <= set(data.columns)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: synthesize("hospital"), StudyError, "toy, clinic, hospitals"),
        (lambda: synthesize("clinic", 0), DataError, "is 0; give a whole number from 1"),
        (lambda: synthesize("clinic", -5), DataError, "is -5"),
        (lambda: synthesize("clinic", 2.5), DataError, "is 2.5"),
        (lambda: synthesize("toy", MAX_RECORDS + 1), DataError, "10,000,000"),
        (lambda: synthesize("clinic", seed=-1), DataError, "seed is -1"),
        (lambda: synthesize("clinic", seed=True), DataError, "seed is True"),
        (lambda: synthesize("clinic", correlation=1.01), DataError, "correlation is 1.01"),
        (lambda: synthesize("clinic", correlation=-0.1), DataError, "correlation is -0.1"),
        (lambda: synthesize("toy", correlation=math.nan), DataError, "correlation is nan"),
        (lambda: synthetic_study("clinic", 4), StudyError, "2 or 3 quasi-identifiers, not 4"),
        (lambda: synthetic_study("hospitals", 1), StudyError, "2 or 3 or 4 quasi-identifiers, not 1"),
        (lambda: synthetic_study("toy", 3), StudyError, "2 quasi-identifiers, not 3"),
        (lambda: synthetic_study("clinic", 2, 1), StudyError, "k is 1"),
    ],
)
def test_bad_arguments_get_a_sentence(call, error, says):
    with pytest.raises(CRAError) as caught:
        call()
    assert type(caught.value) is error
    assert says in str(caught.value)
    assert str(caught.value).endswith(".")


# What the paper's Table 1 says, and the toy's two equal hierarchies.
@pytest.mark.parametrize(
    ("kind", "attributes", "names", "layers", "k"),
    [
        ("hospitals", 2, ("hosp_id", "APICC"), (3, 3), 5),
        ("hospitals", 3, ("hosp_id", "APICC", "GAPICC"), (3, 3, 3), 5),
        ("hospitals", 4, ("hosp_id", "APICC", "GAPICC", "WI_X"), (3, 3, 3, 3), 5),
        ("clinic", 2, ("weight", "bp_systolic"), (4, 3), 5),
        ("clinic", 3, ("weight", "bp_systolic", "patient_id"), (4, 3, 3), 5),
        ("toy", 2, ("age", "weight"), (3, 3), 3),
    ],
)
def test_studies_are_table_1(kind, attributes, names, layers, k):
    study = synthetic_study(kind, attributes)
    assert study.names == names
    assert tuple(attribute.layers for attribute in study.attributes) == layers
    assert study.k == k
    assert all(attribute.fanout == 2 for attribute in study.attributes)
    assert synthetic_study(kind, attributes, 7) == study.with_k(7)


@pytest.mark.parametrize("kind", KINDS)
def test_default_study_takes_all_quasi_identifiers(kind):
    assert synthesize(kind).study == synthetic_study(kind, {"toy": 2, "clinic": 3, "hospitals": 4}[kind])


@pytest.mark.parametrize(("kind", "records"), list(product(DRAWN, [1, 500, 501, 1013, 100_000])))
def test_no_two_states_tie_but_in_the_toy(kind, records):
    for attributes in {"clinic": (2, 3), "hospitals": (2, 3, 4)}[kind]:
        study = synthetic_study(kind, attributes, records=records)
        assert all(len(group) == 1 for group in Lattice(study.attributes).groups)
    assert ((1, 2), (2, 1)) in Lattice(synthetic_study("toy").attributes).groups


@pytest.mark.parametrize("kind", DRAWN)
def test_cells_hold_many_values(kind):
    # The paper counts 10^9 possibilities and more for a class of k = 3; a cell alone must allow for that.
    for attributes in {"clinic": (2, 3), "hospitals": (2, 3, 4)}[kind]:
        grid = Grid(synthetic_study(kind, attributes).attributes)
        assert math.comb(grid.volume(grid.cell_segment((0,) * attributes)), 3) > 10**9


def assert_in_domain(data, study):
    for attribute in study.attributes:
        for value in data[attribute.name].unique():
            steps = (Decimal(str(value)) - attribute.lower) / attribute.resolution
            assert steps == int(steps), (attribute.name, value)
            assert 0 <= steps < attribute.values, (attribute.name, value)  # noqa: PD011 - not a data frame


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("correlation", [0.0, 1.0])
def test_values_lie_in_the_domain_and_are_distinct_at_the_default_size(kind, correlation):
    for seed in range(25):
        data, study = synthesize(kind, seed=seed, correlation=correlation)
        assert_in_domain(data, study)
        for name in study.names:
            assert data[name].is_unique, (seed, name)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("records", [1, 2, 7, 100, 533, 534, 1334, 5_000, 20_000])
def test_values_lie_in_the_domain_at_any_size(kind, records):
    for seed in range(3):
        data, study = synthesize(kind, records, seed)
        assert_in_domain(data, study)


@pytest.mark.parametrize("kind", DRAWN)
@pytest.mark.parametrize("records", [400, 4_000, 20_000])
def test_nothing_piles_up(kind, records):
    data, study = synthesize(kind, records, 11)
    for attribute in study.attributes:
        values = data[attribute.name]
        most = 1 if attribute.name.endswith("_id") else math.ceil(3 * records / attribute.values)  # noqa: PD011
        assert values.value_counts().max() <= most
        # Drawn columns stay off the ends of their domain, where clipping would show.
        if not attribute.name.endswith("_id"):
            margin = 0.01 * float(attribute.upper - attribute.lower)
            assert float(attribute.lower) + margin < values.min()
            assert values.max() < float(attribute.upper) - margin


def test_moving_equal_values_apart_hardly_moves_them():
    # 500 systolic pressures on 1,600 values: the median of the distribution is 125 mmHg by construction.
    medians = [synthesize("clinic", seed=seed).data["bp_systolic"].median() for seed in range(40)]
    assert abs(np.mean(medians) - 125) < 2


def test_a_hundred_thousand_records():
    for kind in DRAWN:
        data, study = synthesize(kind, 100_000, 1)
        identifier = next(name for name in study.names if name.endswith("_id"))
        assert data[identifier].is_unique
        recoding = recode(data, study)
        assert recoding.release.records == 100_000
        assert recoding.warnings == ()


def test_clinic_readings_are_plausible():
    for seed, correlation in product(range(10), (0.0, 1.0)):
        data = synthesize("clinic", seed=seed, correlation=correlation).data
        assert list(data.columns) == [
            "patient_id", "weight", "bp_systolic", "bp_diastolic", "o2_sat", "temperature"
        ]  # fmt: skip
        assert (data["bp_systolic"] >= data["bp_diastolic"] + 10).all()
        assert data["bp_diastolic"].between(40, 110).all()
        assert data["o2_sat"].between(88, 100).all()
        assert data["temperature"].between(96, 100.5).all()
        assert data["weight"].between(40, 399).all()


def related(kind, first, second, correlation):
    """Correlation of two columns; logarithms, since the skewed ones are log-normal."""
    data = np.log(synthesize(kind, 20_000, 2, correlation=correlation).data)
    return data[first].corr(data[second])


@pytest.mark.parametrize("correlation", [0.0, 0.4, 1.0])
@pytest.mark.parametrize(
    ("kind", "first", "second", "full"),
    [
        ("clinic", "weight", "bp_systolic", 0.35),
        ("hospitals", "APICC", "GAPICC", 0.75),
        ("hospitals", "GAPICC", "WI_X", -0.30),
    ],
)
def test_correlation_scales_the_dependence(kind, first, second, full, correlation):
    # Cutting off at three standard deviations takes a little from each; 20,000 pairs leave a standard error of 0.007.
    assert related(kind, first, second, correlation) == pytest.approx(correlation * full, abs=0.03)


def test_pressures_go_together_only_as_far_as_asked():
    # With no dependence, only the rule that the diastolic pressure is the lower one is left.
    assert abs(related("clinic", "bp_systolic", "bp_diastolic", 0.0)) < 0.1
    assert related("clinic", "bp_systolic", "bp_diastolic", 1.0) > 0.6


def test_patient_numbers_tell_nothing():
    data = synthesize("clinic", 20_000, 2).data
    others = data.drop(columns="patient_id").corrwith(data["patient_id"])
    assert others.abs().max() < 0.03


# The toy, with Algorithms 1 and 2 taken literally.


@pytest.mark.parametrize("first", range(0, len(TOY_SEEDS), 25))
def test_toy_shows_what_it_promises(first):
    for seed in TOY_SEEDS[first : first + 25]:
        data, study = synthesize("toy", seed=seed)
        assert 30 <= len(data) <= 40
        records = [tuple(Fraction(int(value)) for value in row) for row in data.itertuples(index=False)]
        literal = LiteralARXLR(study.attributes, study.k, records)
        recoding = literal.local_recoding()
        cells = [tuple(literal.boxes((1, 1), [row])) for row in range(len(records))]
        assert recoding.suppressed, seed

        left, ties, earlier = set(range(len(records))), 0, set()
        stealing, isolating = 0, 0
        for iteration in recoding.iterations:
            chosen = iteration[0].state
            ties += decided_by_c3_alone(literal, sorted(left), chosen)
            for found in iteration:
                # A cell of the box that an earlier class covers: stolen from this one.
                box = covered(study, found)
                stealing += bool(box & earlier)
                inside = [cells[row] for row in found.rows]
                isolating += len(box) > 1 and any(inside.count(cell) == 1 for cell in inside)
                earlier |= box
                left -= set(found.rows)
        assert ties >= 1, seed
        assert stealing >= 1, seed
        assert isolating >= 1, seed


def covered(study, found):
    nodes = [
        attribute.node(layer, rank)
        for attribute, layer, rank in zip(study.attributes, found.state, found.ranks, strict=True)
    ]
    return set(product(*(range(node.start, node.stop) for node in nodes)))


def decided_by_c3_alone(literal, rows, chosen):
    """True where another feasible state ties with the chosen one in (loss, c1, c2) and has a higher c3."""
    attributes = literal.attributes
    remaining = [literal.records[row] for row in rows]

    def before_c3(state):
        return growth(attributes, state, len(rows)), c1(state), c2(attributes, state)

    rivals = [
        state
        for state in literal.lattice
        if state != chosen and before_c3(state) == before_c3(chosen) and literal.anonymous(state, rows)
    ]
    assert all(c3(attributes, chosen, remaining) < c3(attributes, rival, remaining) for rival in rivals)
    return bool(rivals)


def test_toy_under_attack():
    for seed in TOY_SEEDS:
        data, study = synthesize("toy", seed=seed)
        recoding = recode(data, study)
        sound = single_out(attack(recoding.release), data)
        assert isinstance(sound, SinglingOut)
        assert all(found.valid for found in sound.classes)
        assert all(count for count in sound.outcomes_compound.values()), seed  # nobody, one person, several
        # Sorting tied states by their layers, as the paper does, excludes the truth here.
        paper = single_out(attack(recoding.release, ties="paper"), data)
        assert isinstance(paper, SinglingOut)
        assert not all(found.valid for found in paper.classes), seed


def test_toy_seeds_give_different_pictures():
    pictures = {tuple(recode(*synthesize("toy", seed=seed)).cell_counts(1).ravel().tolist()) for seed in range(60)}
    assert len(pictures) > 20


def test_toy_rows_do_not_come_cell_by_cell():
    data = synthesize("toy").data
    cells = list(zip((data["age"] - 20) // 20, (data["weight"] - 40) // 20, strict=True))
    changes = sum(one != other for one, other in pairwise(cells))
    assert changes >= len(set(cells))  # in order it would be one less


# The committed files.


def commands():
    text = (SAMPLES / "README.md").read_text(encoding="utf-8")
    return re.findall(r"`cra-engine synthesize (\w+) --records (\d+) --seed (\d+) --output (\S+) --study (\S+)`", text)


def test_readme_names_a_command_for_every_synthetic_file():
    assert [(kind, data, study) for kind, _, _, data, study in commands()] == [
        (kind, f"{kind}.csv", f"{kind}.toml") for kind in KINDS
    ]
    assert [int(records) for _, records, *_ in commands()] == [DEFAULT_RECORDS[kind] for kind in KINDS]


@pytest.mark.parametrize(("kind", "records", "seed", "data", "study"), commands())
def test_committed_files_are_what_the_command_gives(kind, records, seed, data, study):
    made = synthesize(kind, int(records), int(seed))
    assert (SAMPLES / data).read_bytes() == made.to_csv_text().encode()
    assert (SAMPLES / study).read_bytes() == made.study.to_toml_text().encode()
    assert Study.from_toml(SAMPLES / study) == made.study


@pytest.mark.parametrize("name", [*KINDS, "diabetes"])
def test_committed_tables_recode_without_a_finding(name):
    recoding = recode(read_table(SAMPLES / f"{name}.csv"), Study.from_toml(SAMPLES / f"{name}.toml"))
    assert recoding.warnings == ()
    # The study of diabetes gives no roles, so that its laboratory values are undecided.
    assert bool(recoding.undecided) == (name == "diabetes")
    compound = [found for found in recoding.classes if not found.segment.basic]
    assert compound


def test_diabetes_is_scikit_learns_table():
    expected = load_diabetes(scaled=False, as_frame=True).frame
    pd.testing.assert_frame_equal(pd.read_csv(SAMPLES / "diabetes.csv", dtype=float), expected, check_exact=True)
    text = (SAMPLES / "diabetes.csv").read_text(encoding="utf-8")
    assert max(len(cell) for line in text.splitlines() for cell in line.split(",")) == len("target")
