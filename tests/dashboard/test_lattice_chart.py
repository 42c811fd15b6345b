"""The drawn lattice: where states stand, what they are called, and what became of them."""

import pandas as pd
import pytest
from hand_recodings import nothing_works, three_decide

from cra_dashboard.charts.lattice import lattice_figure, level_summary, levels_figure, positions, statuses
from cra_dashboard.texts.states import LOOKS
from cra_engine import Attribute, Study, recode
from cra_engine.study.lattice import Lattice


def found(recoding, index):
    return statuses(recoding, index, recoding.candidates(max(index, 1)))


def by_status(status):
    result = {}
    for state, what in status.items():
        result.setdefault(what, set()).add(state)
    return result


def lattice_of(*heights):
    return Lattice([Attribute(f"q{i}", 0, 2**h, h) for i, h in enumerate(heights)])


CHEAP = {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_what_became_of_each_state_step_by_step():
    recoding, _ = three_decide()
    # Raw table: weight's upper half and pressure's lower half hold 4 each.
    assert by_status(found(recoding, 0)) == {
        "waiting": CHEAP,
        "feasible": {(1, 3), (3, 1), (2, 3), (3, 2)},
        "top": {(3, 3)},
    }
    assert by_status(found(recoding, 1)) == {
        "passed": CHEAP,
        "chosen": {(1, 3)},
        "feasible": {(3, 1), (2, 3), (3, 2)},
        "top": {(3, 3)},
    }
    # Left: weights 370, 150, 95 (halves of 1 and 2), pressures 135, 115, 125 (one leaf).
    assert by_status(found(recoding, 2)) == {
        "passed": CHEAP,
        "published": {(1, 3)},
        "chosen": {(3, 1)},
        "feasible": {(3, 2)},
        "waiting": {(2, 3)},
        "top": {(3, 3)},
    }
    # Nobody left: the sweep went no further than (3, 1).
    assert by_status(found(recoding, 3)) == {
        "passed": CHEAP,
        "published": {(1, 3), (3, 1)},
        "waiting": {(2, 3), (3, 2)},
        "top": {(3, 3)},
    }


def test_a_sweep_that_ran_out_of_states_has_passed_them_all():
    recoding, _ = nothing_works()
    assert by_status(found(recoding, 1)) == {"passed": set(recoding.lattice.states) - {(3, 3)}, "top": {(3, 3)}}


def test_levels_are_sums_and_states_are_centred():
    places = positions(lattice_of(2, 3).states)
    # Levels 2 to 5 hold 1, 2, 2 and 1 states.
    assert {state: y for state, (_, y) in places.items()} == {state: sum(state) for state in places}
    assert places[1, 1] == (0, 2)
    assert {places[1, 2][0], places[2, 1][0]} == {-0.5, 0.5}


@pytest.mark.parametrize("heights", [(1,), (4,), (3, 3), (2, 3, 4)])
def test_every_state_has_one_mark_and_every_line_goes_one_level_up(heights):
    lattice = lattice_of(*heights)
    status = dict.fromkeys(lattice.states, "waiting") | {lattice.top: "top"}
    figure = lattice_figure(lattice, status, {state: f"hover {state}" for state in lattice.states})
    # The legend explains what is drawn, and nothing else.
    seen = [mark.name for mark in figure.legend if not mark.unseen]
    assert seen == [LOOKS[what][0] for what in LOOKS if what in status.values()]
    assert {mark.name for mark in figure.legend} == {name for name, *_ in LOOKS.values()}  # the room of all is kept
    assert sorted(mark.layers for mark in figure.states) == sorted(lattice.states)
    assert all(mark.told == f"hover {mark.layers}" for mark in figure.states)
    ends = [(low, high) for (_, low), (_, high) in figure.edges]
    assert len(ends) == sum(len(lattice.coverers(state)) for state in lattice.states)
    assert all(high == low + 1 for low, high in ends)


def test_each_status_has_its_own_symbol_and_name():
    recoding, _ = three_decide()
    status = found(recoding, 2)
    figure = lattice_figure(recoding.lattice, status, dict.fromkeys(status, ""))
    for mark in figure.states:
        assert (mark.symbol, mark.colour) == LOOKS[status[mark.layers]][1:3]
    assert len({symbol for _, symbol, _, _ in LOOKS.values()}) == len(LOOKS)


def test_stepping_moves_nothing_but_what_it_changes():
    recoding, _ = three_decide()
    steps = [
        lattice_figure(recoding.lattice, found(recoding, i), dict.fromkeys(recoding.lattice.states, ""))
        for i in range(4)
    ]
    for figure in steps[1:]:
        for before, after in zip(steps[0].states, figure.states, strict=True):
            assert (before.x, before.y, before.layers) == (after.x, after.y, after.layers)
        assert (figure.across, figure.upwards, figure.edges) == (steps[0].across, steps[0].upwards, steps[0].edges)


def test_in_a_crowded_lattice_only_the_chosen_state_and_the_top_are_named():
    lattice = lattice_of(4, 4, 4)
    status = dict.fromkeys(lattice.states, "waiting") | {(2, 1, 1): "chosen", (4, 4, 4): "top"}
    figure = lattice_figure(lattice, status, dict.fromkeys(status, ""))
    assert {mark.text for mark in figure.states} == {"", "(2, 1, 1)", "(4, 4, 4)"}


def test_levels_of_a_huge_lattice_are_counted():
    recoding, _ = three_decide()
    summary = level_summary(found(recoding, 2))
    assert list(summary.index) == [2, 3, 4, 5, 6]
    assert summary.loc[4].to_dict() == {
        "chosen now": 1,
        "could publish": 0,
        "published earlier": 1,
        "cannot publish": 1,
        "not reached": 0,
        "top, never published": 0,
    }
    assert summary.to_numpy().sum() == 9
    figure = levels_figure(found(recoding, 2))
    assert {bar.name: sum(bar.x) for bar in figure.data} == summary.sum().to_dict()
    assert len({bar.marker.pattern.shape for bar in figure.data}) == len(figure.data)


def test_a_lattice_of_one_state_is_only_its_top():
    recoding = recode(pd.DataFrame({"a": [1, 2, 3]}), Study([Attribute("a", 0, 4, 1)], 2))
    assert found(recoding, 1) == {(1,): "top"}
