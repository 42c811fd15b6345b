"""Twenty quasi-identifiers among a hundred columns: what works, and what is refused before any work, and why."""

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, Study

WIDE = 20
REFUSED = {
    "recode": "--output out.csv",
    "safe-recode": "--epsilon 1 --output out.csv --study-output safe.toml",
    "global-recode": "--output out.csv",
    "check": "--output out.html",
}


@pytest.fixture
def wide():
    """Writes the table, and its study with so many layers."""

    def written(layers: int) -> None:
        rng = np.random.default_rng(1)
        names = [f"q{place}" for place in range(WIDE)] + [f"c{place}" for place in range(100 - WIDE)]
        pd.DataFrame(rng.integers(0, 80, (60, len(names))), columns=names).to_csv("data.csv", index=False)
        Study([Attribute(name, 0, 80, layers=layers) for name in names[:WIDE]], 5).to_toml("study.toml")

    return written


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("layers", [2, 3])
def test_what_grid_or_lattice_cannot_hold_is_refused_in_a_sentence(name, layers, wide, run):
    wide(layers)
    status, out, err = run(name, "data.csv", "--study", "study.toml", *REFUSED[name].split())
    assert (status, out) == (2, "")
    # Two leaves or four each: 2^20 or 3^20 states, 4^20 cells; global recoding knows the raw values as one layer more.
    cells = name == "safe-recode" and layers == 3
    states = (layers + (name == "global-recode")) ** WIDE
    assert ("The grid has 1,099,511,627,776" if cells else f"The lattice has {states:,} states") in err
    assert "; take fewer " in err


def test_clusters_and_roles_need_neither(wide, run):
    wide(2)
    assert run("roles", "data.csv")[0] == 0
    assert run("microaggregate", "data.csv", "--study", "study.toml", "--k", 5, "--output", "out.csv")[0] == 0
    assert pd.read_csv("out.csv", sep=None, engine="python").shape == (60, 100)
