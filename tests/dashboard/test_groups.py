"""Categories put into groups by hand: whatever is grouped, every value stays, and a group holds what was put there."""

from hypothesis import given
from hypothesis import strategies as st

from cra_dashboard.hierarchy.groups import grouped, groups_of, layers_of, plain_rows
from cra_engine.study.file_hierarchy import FileHierarchy

CODES = FileHierarchy(
    "code", tuple((f"{a}{b}{c}", f"{a}{b}.", f"{a}..", "*") for a in "ABC" for b in "12" for c in "xy"), "", 0
)


@given(st.lists(st.tuples(st.integers(0, 3), st.sets(st.integers(0, 11), min_size=1)), max_size=5))
def test_any_labels_of_any_layer_can_be_put_together(changes):
    now = CODES
    for turn, (highest, places) in enumerate(changes):
        layer = min(highest, layers_of(now) - 1)
        labels = sorted(groups_of(now, layer))
        chosen = [labels[place] for place in places if place < len(labels)]
        after = grouped(now, chosen, f"group {turn}", layer)
        assert [row[0] for row in after.rows] == [row[0] for row in now.rows]
        held = {row[0] for row in plain_rows(now) if row[layer] in chosen}
        assert {row[0] for row in plain_rows(after) if f"group {turn}" == row[layer + 1]} == held
        # Who was together farther up, and is in no group that was made now, still is.
        for place in range(layer + 1, layers_of(now)):
            for one in plain_rows(now):
                for other in plain_rows(now):
                    if {one[0], other[0]}.isdisjoint(held) and one[place] == other[place]:
                        paths = {row[0]: row for row in plain_rows(after)}
                        assert paths[one[0]][place] == paths[other[0]][place]
        now = after


def test_a_group_that_is_taken_apart_leaves_what_was_there():
    apart = grouped(grouped(CODES, ["A1x", "B2y"], "mine"), ["A1x", "B2y"], "")
    assert {row[0]: row[1:] for row in apart.rows}["A1x"] == ("A1x", "A1x", "*")
    assert {row[0]: row[1:] for row in apart.rows}["A1y"] == ("A1.", "A..", "*")


def test_what_joins_a_group_goes_where_the_group_goes():
    joined = grouped(CODES, ["B1x"], "A1.")
    paths = {row[0]: row[1:] for row in joined.rows}
    # A1. lies in A.., B1x in B..: together they lie in neither, and stand for themselves up to the root.
    assert {paths[value] for value in ("A1x", "A1y", "B1x")} == {("A1.", "A1.", "*")}
    assert paths["B1y"] == ("B1.", "B..", "*")
