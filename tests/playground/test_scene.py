"""Scenes as texts, and the raw tables they stand for."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_dashboard.playground.challenges import toy
from cra_dashboard.playground.scene import MOST_ADDED, Scene, base_of, frame_of, people, read
from cra_dashboard.session import datasets
from cra_engine import Attribute, CRAError, Study, recode
from cra_engine.study.file_hierarchy import read_hierarchy

BASE = toy()


@st.composite
def scenes(draw):
    gone = draw(st.frozensets(st.integers(0, 35), max_size=5))
    home = {number: BASE.number(person.cell) for number, person in enumerate(BASE.people)}
    moved = draw(st.dictionaries(st.integers(0, 35), st.integers(0, 15), max_size=8))
    return Scene(
        "toy",
        draw(st.integers(2, 20)),
        {who: cell for who, cell in moved.items() if who not in gone and home[who] != cell},
        gone,
        tuple(draw(st.lists(st.integers(0, 15), max_size=5))),
    )


@given(scenes())
def test_a_text_gives_its_scene_back(scene):
    assert read(scene.text, BASE) == scene


@given(scenes())
def test_everybody_stands_in_their_cell_and_keeps_their_place(scene):
    frame = frame_of(BASE, scene)
    found = people(BASE, scene)
    assert len(frame) == 36 - len(scene.gone) + len(scene.added) == len(found)
    for (number, (across, upwards), place), (age, weight) in zip(found, frame.itertuples(index=False), strict=True):
        assert ((age - 20) // 20, (weight - 40) // 20) == (across, upwards)
        assert ((age - 20) % 20, (weight - 40) % 20) == place
        if number < 36:
            assert place == BASE.people[number].place
            assert BASE.number((across, upwards)) == scene.moved.get(number, BASE.number(BASE.people[number].cell))


def test_the_untouched_scene_is_the_table():
    table = datasets.example("toy")[0].frame.astype(int)
    pd.testing.assert_frame_equal(frame_of(BASE, Scene("toy", 3)), table)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("toy-k1", "k = 1"),
        ("toy-k99", "k = 99"),
        ("toy-k3-m36.1", "not in its table"),
        ("toy-k3-d99", "not in its table"),
        ("toy-k3-m1.16", "cell that is not there"),
        ("toy-k3-a16", "cell that is not there"),
        ("toy-k3-x", "means nothing"),
        ("other-k3", "begins with"),
        ("toy-k3" + "-a1" * (MOST_ADDED + 1), "adds more"),
        ("toy-k3" + "-m1.1" * 401, "more than 400"),
        ("toy-k3-m1." + "9" * 40, "means nothing"),
    ],
)
def test_a_text_without_sense_is_refused_in_words(text, said):
    with pytest.raises(CRAError, match=said):
        read(text, BASE)


def test_own_values_stay_as_they_are_until_somebody_moves():
    study = Study([Attribute("x", 0, 4, 3, resolution=0.5), Attribute("y", 0, 8, 2)], 2)
    frame = pd.DataFrame({"x": [0.25, 1.5, 3.75], "y": ["7", "0", "3"]})
    base = base_of("own0.1", frame, study, ["Row 1", "Row 2", "Row 3"], keep_values=True)
    home, away = frame_of(base, Scene(base.name, 2)), frame_of(base, read("own0.1-k2-m0.7", base))
    assert home.to_numpy().tolist() == frame.to_numpy().tolist()
    assert away.iloc[0].tolist() == [3, 7]  # the first step of the last leaf; the fourth of the upper one
    assert away.iloc[1:].to_numpy().tolist() == frame.iloc[1:].to_numpy().tolist()


def test_categories_move_to_a_value_of_the_other_leaf(tmp_path):
    file = tmp_path / "place.csv"
    file.write_text("a;north;*\nb;north;*\nc;south;*\nd;south;*\ne;south;*\n", encoding="utf-8")
    study = Study([read_hierarchy(file, "place"), Attribute("y", 0, 8, 2)], 2)
    frame = pd.DataFrame({"place": ["a", "e", "b"], "y": [0, 1, 7]})
    base = base_of("own0.1", frame, study, ["1", "2", "3"], keep_values=True)
    for number in range(3):
        for cell in range(base.shape[0] * base.shape[1]):
            moved = frame_of(base, Scene(base.name, 2, {number: cell}))
            recode(moved, study)
            assert people(base, Scene(base.name, 2, {number: cell}))[number][1] == base.cell(cell)


def test_what_would_not_stay_live_is_refused():
    study = Study([Attribute("x", 0, 16, 5), Attribute("y", 0, 16, 5)], 2)
    with pytest.raises(CRAError, match="16 x 16 = 256 cells"):
        base_of("own0.1", pd.DataFrame({"x": [1], "y": [1]}), study, ["1"])
    wide = pd.DataFrame({"x": [1] * 1501, "y": [1] * 1501})
    with pytest.raises(CRAError, match="1,501 records"):
        base_of("own0.1", wide, Study([Attribute("x", 0, 4, 2), Attribute("y", 0, 4, 2)], 2), [])
