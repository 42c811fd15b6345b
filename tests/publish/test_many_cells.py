"""Recoding where the grid has too many cells for arrays over it: what recoding with such arrays publishes, in less."""

import tracemalloc
from decimal import Decimal
from random import Random

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cra_engine import Attribute, LDiversity, Roles, Study, TooLargeError, attack, check, recode, safe_recode
from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.files import block_files
from cra_engine.publish.local.distributed import recode_folder
from cra_engine.publish.local.streaming import recode_file
from cra_engine.raw.cells import CellCounts
from cra_engine.study import grid
from cra_engine.study.grid import Grid
from cra_engine.study.quality import Quality

WIDE = Study([Attribute(f"a{place}", 0, 80, 2, fanout=10) for place in range(8)], 5)  # 100,000,000 cells
ENTROPY = Quality("normalized-entropy")


def people(seed, rows=60):
    random = Random(seed)
    drawn = [(random.randrange(80), random.choice((0, 3, 9, 31)), random.randrange(4)) for _ in range(rows)]
    return pd.DataFrame(drawn, columns=["age", "weight", "illness"]).astype({"illness": str})


def study(**more):
    return Study([Attribute("age", 0, 80, 4), Attribute("weight", 0, 32, 3)], 3, **more)


def few_arrays(monkeypatch):
    """Lets no grid have an array over it."""
    monkeypatch.setattr(grid, "MAX_CELLS", 1)


@pytest.mark.parametrize("ties", ["paper", "arx"])
@pytest.mark.parametrize(
    "more",
    [{}, {"privacy": [LDiversity("illness", 2)]}, {"privacy": [AverageRisk(Decimal("0.2"))]}, {"quality": ENTROPY}],
    ids=["k", "l-diversity", "average-risk", "entropy"],
)
def test_the_same_is_published_whether_or_not_all_cells_have_an_array(monkeypatch, ties, more):
    for seed in range(8):
        data = people(seed)
        known = recode(data, study(**more), ties=ties)
        with monkeypatch.context() as patched:
            few_arrays(patched)
            found = recode(data, study(**more), ties=ties)
            pd.testing.assert_frame_equal(found.frame, known.frame)
            assert found.release.classes == known.release.classes
            assert found.classes == known.classes
            assert [(one.state, one.codes.tolist()) for one in found.steps] == [
                (one.state, one.codes.tolist()) for one in known.steps
            ]
            assert found.iteration_of_record.tolist() == known.iteration_of_record.tolist()


def test_cells_are_counted_alike_in_blocks_in_parts_and_at_once(monkeypatch):
    cells = Grid(study().attributes)
    codes = np.random.default_rng(1).integers(0, cells.size, 100)
    known = CellCounts(cells)
    known.add(codes)
    few_arrays(monkeypatch)
    for cut in (0, 1, 37, 100):
        found, later = CellCounts(cells), CellCounts(cells)
        found.add(codes[:cut])
        later.add(codes[cut:])
        found.join(later)
        later = CellCounts(cells)
        for block in np.split(codes, [cut]):
            later.add(block)
        for counted in (found, later):
            assert counted.held.tolist() == sorted(set(codes.tolist()))
            assert counted.counts.tolist() == known.counts[counted.held].tolist()
            assert counted.first_rows.tolist() == known.first_rows[counted.held].tolist()
            assert counted.records == 100


def test_files_and_folders_are_recoded_alike(monkeypatch, tmp_path):
    monkeypatch.setattr(block_files, "ROWS", 7)
    data = people(3)
    asked = study(privacy=[LDiversity("illness", 2)])
    data.to_csv(tmp_path / "data.csv", index=False)
    (tmp_path / "parts").mkdir()
    for part in range(3):
        rows = pa.Table.from_pandas(data.iloc[20 * part : 20 * part + 20], preserve_index=False)
        pq.write_table(rows, tmp_path / "parts" / f"{part}.parquet")

    def made(name):
        recode_file(tmp_path / "data.csv", asked, tmp_path / f"{name}.csv", keep_order=True)
        with joblib.parallel_config(backend="sequential"):
            recode_folder(tmp_path / "parts", asked, tmp_path / name, keep_order=True)
        parts = [pq.read_table(tmp_path / name / f"{part}.parquet") for part in range(3)]
        return (tmp_path / f"{name}.csv").read_bytes(), [part.to_pylist() for part in parts]

    known = made("known")
    few_arrays(monkeypatch)
    assert made("found") == known


def test_billions_of_cells_take_the_room_of_the_records():
    data = pd.DataFrame(np.random.default_rng(2).integers(0, 80, (3000, 8)), columns=WIDE.names)
    data.iloc[:1500, 1:] = 0  # so that something is published of all that
    tracemalloc.start()
    published = recode(data, WIDE)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert published.grid.size == 10**8
    assert len(published.classes) >= 10
    assert most < 100_000_000


def test_what_goes_through_all_cells_says_that_these_are_too_many():
    data = pd.DataFrame(np.random.default_rng(2).integers(0, 80, (60, 8)), columns=WIDE.names)
    published = recode(data, WIDE)
    for asked in (
        lambda: attack(published.release),
        lambda: published.cell_counts(1),
        lambda: safe_recode(data, WIDE, epsilon=1),
    ):
        with pytest.raises(TooLargeError, match=r"^The grid has 100,000,000 cells, more than 4,000,000; take fewer"):
            asked()


def test_a_check_judges_the_classes_and_says_what_it_did_not_look_at():
    data = pd.DataFrame(np.random.default_rng(2).integers(0, 80, (300, 8)), columns=WIDE.names)
    data.iloc[:, 1:] = 0
    data["illness"] = ["flu", "gout"] * 150
    checked = check(data, WIDE.with_roles(Roles(sensitive=["illness"])))
    assert checked.classes == 10
    (late,) = [one for one in checked.findings if one.code == "attack-not-looked-at"]
    assert "100,000,000 cells" in late.text
    assert checked.verdict == "attention"
