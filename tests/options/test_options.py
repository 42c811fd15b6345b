"""Options tried: a case worked out by hand and by its steps one by one, early ends, what cannot be done."""

import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from importlib import import_module

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_grids import DATA, STUDY, grid

from cra_engine import Attribute, CRAError, DataError, OptionGrid, Study, Way, attack, compare, recode, tight_attack
from cra_engine.options import verdict_text, with_layers
from cra_engine.options.measures import OUT_OF_TIME
from cra_engine.patience import checkpoint
from cra_engine.publish.full_domain.least_loss import least_loss
from cra_engine.raw.synthesis import synthesize
from cra_engine.study.file_hierarchy import read_hierarchy
from cra_engine.study.hierarchy_files import hierarchy_text
from strategies import cases


def test_a_table_of_four_by_hand():
    result = compare(DATA, STUDY, grid(ks=(2, 3, 5), layers=((3, 2),), limits=("0", "0.5")))
    assert result.complete
    assert [point.number for point in result.points] == list(range(1, 19))
    found = {(p.option.k, p.option.layers[0], p.option.way.name, p.option.way.setting): p for p in result.points}

    # Published: [4, 6[ with two records, a single value losing 0 and all eight 1: (2 - 1) / 7; then [0, 4[, 3 / 7.
    own = found[2, 3, "local", "paper"]
    assert own is result.present
    assert own.loss.growths == {Fraction(8, 7): 2, Fraction(10, 7): 2}
    assert own.value("loss") == pytest.approx(2 / 7)
    assert (own.value("class_size"), own.value("suppressed")) == (2, 0)
    # Had both people of [0, 4[ been in one half, it had been published: each half holds one. 2 * 2 of C(4, 2) tables,
    # times one for [4, 6[. Four people on eight values may be alike: then numbers of people per cell count alike,
    # and of these one is left, one person in each half. The intervals leave three, (2, 0), (1, 1) and (0, 2).
    assert (own.value("certain"), own.value("expected"), own.value("likeliest")) == (2, 2, 1)
    assert own.value("expected_intervals") == pytest.approx(2 / 3)
    assert own.value("left") == 0
    assert (own.value("alone"), own.value("prosecutor"), own.value("gain")) == (2, 0.5, math.inf)
    assert (own.verdict, own.findings[0].code) == ("stop", "certain")

    # Leaves of four values: two classes on single cells.
    coarse = found[2, 2, "local", "paper"]
    assert coarse.value("loss") == pytest.approx(3 / 7)
    assert [coarse.value(key) for key in ("certain", "expected", "alone")] == [0, 0, 0]
    assert coarse.value("left") == 0
    assert coarse.verdict == "ready"
    assert result.recommended is coarse

    # k = 3: no box below the root holds three, so all are suppressed, two in each half: three ways each.
    none = found[3, 3, "local", "paper"]
    assert (none.value("loss"), none.value("suppressed")) == (1, 4)
    assert 10 ** none.value("left") == pytest.approx(9)

    # Globally: at layer 1 two of four are suppressed, which loses (2 / 7 + 2) / 4; at layer 2 nobody, 3 / 7: better.
    for limit in (Decimal(0), Decimal("0.5")):
        point = found[2, 3, "global", limit]
        assert (point.state, point.value("suppressed")) == ((2,), 0)
        assert point.value("loss") == pytest.approx(3 / 7)
        # Two records on four values each: a quarter holds one of them with 2 * 2 / 6, four quarters.
        assert point.value("expected") == pytest.approx(8 / 3)
        assert point.value("alone") == 2
    assert found[3, 3, "global", Decimal(0)].state == (3,)

    for point in result.points:
        if point.option.k == 5:
            assert (
                point.problem
                == "k = 5 is more than the 4 records of the table; take a smaller k, or wait for more records."
            )


@pytest.mark.exhaustive
@settings(max_examples=8)
@given(cases(fanouts=(2,)), st.data())
def test_every_point_is_recoding_attack_and_singling_out(case, data):
    study, table = case.study, case.data
    lower = tuple(data.draw(st.integers(max(1, a.layers - 1), a.layers)) for a in study.attributes)
    profile, limit = data.draw(st.sampled_from(["paper", Decimal("0.2")])), data.draw(st.sampled_from(["0", "0.3"]))
    ks = (study.k + data.draw(st.integers(0, 1)),)
    tried = grid(ks, [(height,) for height in lower], (profile,), (limit,))
    result = compare(table, study, tried)
    for point in data.draw(st.lists(st.sampled_from(result.points), max_size=6, unique_by=id)):
        option = point.option
        heights = [with_layers(a, n) for a, n in zip(study.attributes, option.layers, strict=True)]
        if option.k > len(table):
            assert point.problem
        elif option.way.name == "local":
            check_local(point, table, Study(heights, option.k, option.way.setting))
        else:
            check_global(point, table, Study(heights, option.k))
    sizes = Counter(point.option for point in result.points)
    assert set(sizes) == set(tried.planned(study))
    assert max(sizes.values()) == 1


def check_local(point, table, study):
    recoding = recode(table, study)
    sizes = [c.size for c in recoding.classes]
    assert point.value("suppressed") == recoding.suppressed
    states = [recoding.lattice.loss(c.segment.state) for c in recoding.classes]
    lost = sum(s * loss for s, loss in zip(sizes, states, strict=True)) + recoding.suppressed
    assert point.value("loss") == pytest.approx(lost / len(table))
    # What is said to be certain, and what is said to be alone, is so in the table.
    held = recoding.cell_counts(1)
    assert point.value("alone") == (held == 1).sum()
    if point.value("certain") is None:
        assert point.notes
    else:
        assert point.value("certain") <= point.value("alone")
    if len({released.segment.state for released in recoding.release.classes}) > 1:
        certain = set(attack(recoding.release, prior="independent").isolated)
        assert point.value("certain") is None or len(certain) <= point.value("certain")


def check_global(point, table, study):
    found = least_loss(table, study, point.option.way.setting)
    assert point.state == found.state
    assert point.loss == found.loss
    everything = found.state == tuple(a.layers for a in study.attributes)  # then all rows show * throughout
    assert point.value("suppressed") == (len(table) if everything else found.suppressed)
    if point.value("certain") is not None:
        assert point.value("certain") <= point.value("alone")


def test_a_sorted_table_is_judged_as_it_is_handed_out():
    toy = synthesize("toy")
    data = toy.data.sort_values(list(toy.study.names)).reset_index(drop=True)
    point = compare(data, toy.study, OptionGrid.of(toy.study, [Way("local", "paper")])).present
    codes = {finding.code for finding in point.findings}
    assert codes
    assert "order" not in codes


def test_who_is_certain_is_said_of_all_classes_together():
    made = synthesize("toy")
    point = compare(made.data, made.study, OptionGrid.of(made.study, [Way("local", "paper")])).present
    tight = tight_attack(recode(made.data, made.study).release, time_limit=600)
    assert (point.value("certain"), point.figures["certain"].sure) == (len(tight.isolated), "exact") == (2, "exact")


def test_the_studys_own_option_is_always_tried():
    result = compare(DATA, STUDY, grid(ks=(3,)))
    assert [(p.number, p.option.k) for p in result.points] == [(1, 2), (2, 3)]
    assert result.present is result.points[0]
    with pytest.raises(CRAError, match="numbered 1 to 2"):
        result.point(3)


def test_a_hierarchy_file_of_the_same_tree_gives_the_same():
    made = synthesize("toy")
    trees = [read_hierarchy(hierarchy_text(a).encode(), a.name, a.unit, "tree.csv") for a in made.study.attributes]
    study = Study(trees, made.study.k)
    tried = grid((3, 4), ((2, 3), (2, 3)), limits=("0",))
    for mine, theirs in zip(
        compare(made.data, made.study, tried).points, compare(made.data, study, tried).points, strict=True
    ):
        assert mine.option == theirs.option
        assert (mine.loss, mine.state, mine.verdict) == (theirs.loss, theirs.state, theirs.verdict)
        assert mine.value("expected") == pytest.approx(theirs.value("expected"))
        assert mine.value("left") == pytest.approx(theirs.value("left"))


def test_progress_and_an_early_end():
    told = []
    result = compare(
        DATA, STUDY, grid(ks=(2, 3, 4)), progress=lambda *now: told.append(now), cancelled=lambda: len(told) == 2
    )
    assert [(done, total) for done, total, _ in told] == [(1, 3), (2, 3)]
    assert (len(result.points), result.complete) == (2, False)
    whole = compare(DATA, STUDY, grid(ks=(2, 3, 4)), progress=lambda *now: told.append(now))
    assert (told[-1][:2], told[-1][2], whole.complete) == ((3, 3), 0, True)


def test_an_option_that_was_done_when_the_comparison_is_cancelled_is_kept(monkeypatch):
    compared, done = import_module("cra_engine.options.compare"), []
    figures = compared.figures
    monkeypatch.setattr(compared, "figures", lambda *args: (figures(*args), done.append(True))[0])
    result = compare(DATA, STUDY, grid(ks=(2, 3, 4)), cancelled=lambda: len(done) == 2)
    assert (len(done), len(result.points), result.complete) == (2, 2, False)


def test_a_check_of_an_option_ends_where_the_comparison_is_cancelled(monkeypatch):
    """Not only once it is done: a check may take a minute."""
    made = synthesize("toy")
    checking = []

    def slow_check(*_, **__):
        checking.append(True)
        checkpoint()
        pytest.fail("the check went on")

    monkeypatch.setattr(import_module("cra_engine.options.compare"), "check", slow_check)
    result = compare(made.data, made.study, cancelled=lambda: bool(checking))
    assert (len(checking), result.complete, result.points) == (1, False, ())


def test_an_option_that_takes_too_long_says_so():
    made = synthesize("clinic")
    layers = [(a.layers,) for a in made.study.attributes]
    result = compare(made.data, made.study, grid((5,), layers, limits=("0.1",)), time_limit=0)
    for point in result.points:
        assert point.problem == OUT_OF_TIME or OUT_OF_TIME in point.notes
        assert (point.value("expected"), point.value("certain")) == (None, None)
        assert point.verdict != "ready"
        assert not point.problem or verdict_text(point) == "out of time"
    assert not result.frontier()
    assert result.recommended is None


def test_what_is_too_large_stays_in_the_table():
    study = Study([Attribute(name, 0, 256, 9) for name in "abc"], 2)
    data = pd.DataFrame({name: [0, 1, 252, 253] for name in "abc"})  # hardly a count query fits one of these
    local, whole = compare(data, study, grid((2,), ((9,), (9,), (9,)), limits=(0,))).points
    for point in (local, whole):
        assert not point.problem
        assert "the grid has 16,777,216 cells, more than 4,000,000;" in point.notes[0]
        assert point.value("class_size") == 2
        assert (point.value("expected"), point.value("certain"), point.verdict) == (None, None, "attention")


def test_columns_of_0_and_1_are_compared():
    study = Study([Attribute(name, 0, 2, 2) for name in "ab"], 2)
    data = pd.DataFrame({"a": [0, 0, 1, 1] * 3, "b": [0, 1] * 6})
    (point,) = compare(data, study, grid(layers=((2,), (2,)))).points
    assert not point.problem
    assert point.value("query_error") is not None


def test_layers_that_a_hierarchy_cannot_have_stay_in_the_table():
    result = compare(DATA, STUDY, grid(layers=((3, 7),)))
    assert [bool(point.problem) for point in result.points] == [False, True]
    assert "cannot be split into 64 equal leaves" in result.points[1].problem


def test_a_table_that_does_not_fit_stops_everything():
    with pytest.raises(DataError, match="no column 'a'"):
        compare(pd.DataFrame({"b": [1, 2]}), STUDY)
