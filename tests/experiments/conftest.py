"""What the tests of experiments share; what takes long is made once."""

import pytest
from small_plans import HAND_DATA, HAND_PLAN, HAND_STUDY, SMALL, write

from cra_engine.experiments.plan import Plan
from cra_engine.experiments.run import run_experiment


@pytest.fixture
def small(tmp_path):
    return Plan.from_toml(write(tmp_path, SMALL))


@pytest.fixture(scope="session")
def expected(tmp_path_factory):
    """What a single worker writes for the small plan."""
    folder = tmp_path_factory.mktemp("expected")
    run_experiment(Plan.from_toml(write(folder, SMALL)), folder / "results.csv")
    return (folder / "results.csv").read_bytes()


@pytest.fixture
def by_hand(tmp_path):
    write(tmp_path, HAND_DATA, "hand.csv")
    write(tmp_path, HAND_STUDY, "hand_study.toml")
    run_experiment(Plan.from_toml(write(tmp_path, HAND_PLAN)), tmp_path / "results.csv")
    return tmp_path / "results.csv"
