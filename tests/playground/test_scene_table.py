"""What the playground's script gets of a table, and what it refuses."""

import json

import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, Study
from cra_engine.scenes.table import named, table_of
from cra_engine.study.file_hierarchy import FileHierarchy

STUDY = Study([Attribute("a", 0, 8, layers=3), Attribute("b", 0, 4, layers=2)], 2)
FRAME = pd.DataFrame({"a": [0, 3, 3.5, 3.5, 7], "b": [0, 1, 2, 3, 3], "name": list("uvwxy")})


def test_people_are_in_their_cells_and_nothing_else_of_the_table_is_told():
    table = table_of(FRAME, STUDY, named(5, {1: "Anna"}))
    assert table["shape"] == [4, 2]
    assert [person["cell"] for person in table["people"]] == [0, 2, 3, 3, 7]
    assert [person["place"] for person in table["people"]] == [[0, 0], [1, 1], [1, 0], [1, 1], [1, 1]]
    # 3.5 lies between the steps: that two have it matters, which number it is does not.
    assert [person["raw"] for person in table["people"]] == [[None, None]] * 2 + [["other 0", None]] * 2 + [
        [None, None]
    ]
    assert table["people"][1]["name"] == "Anna"
    text = json.dumps(table)
    assert "3.5" not in text
    assert '"u"' not in text


def test_what_a_layer_multiplies_the_loss_by_is_in_whole_numbers_of_one_unit():
    table = table_of(FRAME, STUDY, named(5))
    # a: 8 values in nodes of 2, 4, 8: (sum of squared shares - 1/8) / (1 - 1/8) is 1/7, 3/7, 1.
    assert table["attributes"][0]["grown"] == ["8", "10", "14"]


def test_a_row_that_is_left_out_has_no_name():
    study = Study([Attribute("a", 0, 8, layers=3, missing="leave-out"), Attribute("b", 0, 4, layers=2)], 2)
    table = table_of(FRAME.assign(a=[0, None, 3, 3, 7]), study, [f"Row {number}" for number in range(1, 6)])
    assert [person["name"] for person in table["people"]] == ["Row 1", "Row 3", "Row 4", "Row 5"]


def test_nodes_of_unequal_share_and_labels_of_several_layers_are_told():
    frame = FRAME.assign(a=[0, 3, 3, 3, 7])
    uneven = table_of(frame, Study([UNEVEN, STUDY.attributes[1]], 2), named(5))
    assert uneven["uneven"]
    assert [node["share"] for node in uneven["attributes"][0]["layers"][0]] == [3 / 8, 5 / 8]
    assert uneven["attributes"][0]["least"] == [1, 8]
    chain = table_of(frame[["b", "a"]], Study([CHAIN, STUDY.attributes[1]], 2), named(5))
    assert not chain["uneven"]
    assert chain["columns"] == [1, 0]
    reads = [[node["reads"] for node in nodes] for nodes in chain["attributes"][0]["layers"]]
    assert reads == [[[1, 2], [1, 2]], [[1, 2], [1, 2]], [[3, 3]]]


UNEVEN = FileHierarchy("a", tuple((str(n), "low" if n < 3 else "high", "*") for n in range(8)))
CHAIN = FileHierarchy("a", tuple((str(n), f"{n // 4}", f"{n // 4}", "*") for n in range(8)))


@pytest.mark.parametrize(
    ("study", "said"),
    [
        (STUDY.with_k(51), "k is 51; up to 50"),
        (Study([Attribute("a", 0, 128, layers=7), STUDY.attributes[1]], 2), "64 x 2 = 128 cells"),
    ],
)
def test_what_cannot_be_followed_is_refused_in_a_sentence(study, said):
    with pytest.raises(CRAError, match=said):
        table_of(FRAME.assign(a=[0, 3, 3, 3, 7]), study, named(5))
