"""What results show of themselves in a notebook, and how they name rows and cells."""

import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, Study, attack, audit, compose, recode, single_out, synthesize, tight_attack

TOY = synthesize("toy")
RELEASE = recode(TOY.data, TOY.study).release


def test_every_result_has_a_table_for_notebooks():
    both = compose([recode(TOY.data, TOY.study.with_k(k)).release for k in (4, 7)])
    for result in (RELEASE, attack(RELEASE), tight_attack(RELEASE), both, audit(RELEASE.table, TOY.study)):
        assert len(result.to_frame())
        assert "<table" in result._repr_html_()
    assert RELEASE.to_frame()["size"].sum() == RELEASE.records
    cells = both.to_frame()
    certain = cells[cells["lowest"] == cells["highest"]]
    assert len(certain) == len(both.fixed_cells)
    assert cells["newly"].sum() == len(both.newly) > 0
    assert (cells["status"] == "certain").sum() == len(both.fixed_cells)


def test_a_class_shows_its_box_without_counting():
    study = Study([Attribute("age", 0, 80, layers=3)], k=2)
    (part,) = attack(recode(pd.DataFrame({"age": [3, 25]}), study).release).classes
    assert repr(part) == "ClassAttack(Class 0: age in [0, 40[; size=2, free_cells=2)"


def test_a_cell_is_told_in_words():
    grid = RELEASE.grid
    for cell in tight_attack(RELEASE).isolated:
        assert grid.describe(cell) == grid.describe(grid.cell_segment(cell))
    with pytest.raises(CRAError, match="There is no cell"):
        grid.describe((0, 99))


def test_rows_are_named_by_the_index_of_the_table_also_where_some_are_left_out():
    study = Study([Attribute("age", 0, 80, layers=3, missing="leave-out"), Attribute("bmi", 0, 80, layers=3)], k=2)
    people = [(None, 5), (5, 5), (25, 5), (None, 5), (45, 45), (70, 70), (50, 70), (65, 45)]
    data = pd.DataFrame(people, columns=["age", "bmi"], index=list("abcdefgh"))
    recoded = recode(data, study)
    assert [data.index[row - 1] for row in recoded.left_out] == ["a", "d"]
    everybody = single_out(attack(recoded.release), data).to_frame()
    assert set(everybody["row"]) == set("bcefgh")  # each is alone in a cell
    for predicate, row in zip(everybody["predicate"], everybody["row"], strict=True):
        low = int(data.loc[row, "age"]) // 20 * 20
        assert f"age in [{low}, {low + 20}[" in predicate
    others = single_out(attack(recoded.release), data.drop(index=["a", "d"])).to_frame()
    pd.testing.assert_frame_equal(everybody, others)
