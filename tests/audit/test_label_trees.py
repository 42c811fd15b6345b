"""Hierarchies read off released labels: what fits, what is guessed, and what cannot be one hierarchy."""

import random
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, ReleaseError, Study, StudyError, audit, read_table, recode
from cra_engine.audits.guessed_hierarchies import propose_hierarchy, recognise
from cra_engine.audits.quasi_identifiers import quasi_identifiers
from cra_engine.study.file_hierarchy import FileHierarchy
from strategies import random_case

ARX = Path(__file__).parents[1] / "data" / "arx"


def labels_of(attribute):
    return [node.label for layer in attribute.layer_nodes for node in layer]


@pytest.mark.parametrize("layers", [2, 3, 4])
@pytest.mark.parametrize(
    ("lower", "leaf", "resolution"),
    [(0, 20, 1), (-40, 5, 1), (Decimal("36.5"), Decimal("0.5"), Decimal("0.1"))],
)
def test_all_labels_of_a_hierarchy_give_it_back(layers, lower, leaf, resolution):
    attribute = Attribute("q", lower, lower + leaf * 2 ** (layers - 1), layers, 2, resolution)
    proposal = propose_hierarchy(labels_of(attribute), "q")
    assert proposal.hierarchy == attribute
    assert proposal.certain
    assert "every interval of every layer appears" in proposal.sure


def test_a_layer_that_no_label_shows_is_left_out():
    labels = ["[0, 10[", "[10, 20[", "[20, 30[", "[30, 40[", "[40, 80["]
    proposal = propose_hierarchy([*labels, "*"], "q")
    assert not proposal.certain
    widths = [node.upper - node.lower for node in (layer[0] for layer in proposal.hierarchy.layer_nodes)]
    assert widths == [10, 40, 80]
    assert "layers that no label shows are left out" in proposal.sure


def test_a_single_width_lies_right_below_the_root():
    proposal = propose_hierarchy(["[0, 10[", "[20, 30[", "[30, 40[", "*"], "q")
    assert proposal.hierarchy == Attribute("q", 0, 40, 2, 4)


def test_a_domain_is_rather_too_wide():
    # Three of four intervals are seen: * may hide the fourth.
    hierarchy = propose_hierarchy(["[600, 1000[", "[1000, 1400[", "[1400, 1800[", "*"], "q").hierarchy
    assert (hierarchy.lower, hierarchy.upper) == (600, 2200)
    # One that begins at 0 is likelier than one that begins with the labels.
    hierarchy = propose_hierarchy([f"[{at}, {at + 10}[" for at in (10, 20, 30, 40, 50, 60)] + ["*"], "q").hierarchy
    assert (hierarchy.lower, hierarchy.upper) == (0, 80)
    # Without a * nobody lies outside the labels.
    hierarchy = propose_hierarchy(["[600, 1000[", "[1000, 1400[", "[1400, 1800["], "q").hierarchy
    assert (hierarchy.lower, hierarchy.upper) == (600, 1800)


def test_raw_values_widen_the_domain():
    hierarchy = propose_hierarchy(["[0, 10[", "[10, 20[", "25"], "q").hierarchy
    assert hierarchy.reader.leaf_of("25") == 2


def test_the_root_may_be_an_interval():
    hierarchy = propose_hierarchy(["[0, 10[", "[10, 20[", "[0, 20["], "q").hierarchy
    assert hierarchy == Attribute("q", 0, 20, 2)
    assert hierarchy.parse("[0, 20[").layer == 2


def test_nested_intervals_of_any_widths():
    proposal = propose_hierarchy(["[0, 10[", "[20, 60[", "[0, 60[", "[60, 65[", "*"], "q")
    hierarchy = proposal.hierarchy
    assert isinstance(hierarchy, FileHierarchy)
    assert not proposal.certain
    assert "1 part of it that no label shows" in proposal.sure
    assert [node.label for node in hierarchy.layer_nodes[0]] == ["[0, 10[", "[10, 20[", "[20, 60[", "[60, 65["]
    assert hierarchy.parse("[0, 60[").layer == 2
    assert hierarchy.parse("[60, 65[").layer == 1


def test_every_label_is_a_node_of_what_is_proposed():
    for seed in range(150):
        case = random_case(seed)
        table = recode(case.data, case.study).frame
        for attribute in case.study.attributes:
            labels = table[attribute.name].astype(str).tolist()
            try:
                hierarchy = propose_hierarchy(labels, attribute.name).hierarchy
            except StudyError:
                assert len(set(labels) - {"*"}) <= 1  # too little to tell
                continue
            for label in set(labels):
                ours, theirs = hierarchy.parse(label), attribute.parse(label)
                assert ours is not None
                if label != "*":
                    assert (ours.lower, ours.upper) == (theirs.lower, theirs.upper)


def test_order_and_repetition_of_labels_do_not_matter():
    labels = ["[0, 10[", "[10, 20[", "[0, 20[", "[20, 40[", "*", "[60, 80["]
    expected = propose_hierarchy(labels, "q")
    rng = random.Random(1)
    for _ in range(5):
        shuffled = labels * 2
        rng.shuffle(shuffled)
        assert propose_hierarchy(shuffled, "q") == expected


def test_categories_are_leaves_below_the_root():
    proposal = propose_hierarchy(["asthma", "flu", "*", "flu"], "illness")
    assert [node.label for node in proposal.hierarchy.layer_nodes[0]] == ["asthma", "flu"]
    assert proposal.hierarchy.layers == 2
    assert not proposal.certain


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (["[0, 10[", "[20, 40[", "[5, 15[", "[30, 50["], r"\[0, 10\[ and \[5, 15\[ overlap"),
        (["[0, 10[", "[10, 20[", "tall"], "'tall'"),
        (["[10, 5["], r"\[10, 5\[ is empty"),
        (["*", "*"], "nothing but \\*"),
        (["[0, 10[", "*"], "the single interval"),
        (["12", "13"], "shows numbers and no interval"),
        (["[0, 1[", "[1000000, 1000001["], "more than 4,096"),
    ],
)
def test_labels_of_no_hierarchy(labels, says):
    with pytest.raises(StudyError, match=says):
        propose_hierarchy(labels, "q")


@pytest.mark.parametrize("cells", [["8000*"] * 6, ["8000*"] * 4 + ["*"] * 2, ["[0, 10["] * 6])
def test_a_column_with_one_label_stops_no_audit(cells):
    ages = ["[20, 40[", "[20, 40[", "[40, 60[", "[40, 60[", *(cells[4:] if "*" in cells else ["[40, 60["] * 2)]
    audited = audit(pd.DataFrame({"age": ages, "zip": cells}), time_limit=5)
    assert audited.release.study.names == ("age", "zip")
    assert audited.isolated == ()
    if cells[0] == "8000*":
        assert any("'8000*'" in text and "nothing can be read from it" in text for text in audited.warnings)


def test_columns_are_recognised_by_their_labels():
    table = pd.DataFrame(
        {
            "patient": ["1", "2", "3"],
            "age": ["[20, 40[", "*", "[40, 60["],
            "illness": ["flu", "*", "asthma"],
            "weight": ["[0, 50)", "[50, 100)", "61"],
            "note": ["[0, 1[", "see file", ""],
        }
    )
    assert recognise(table) == ("age", "illness", "weight")
    with pytest.raises(ReleaseError, match="no quasi-identifier can be recognised"):
        recognise(table[["patient", "note"]])


def test_the_domain_is_never_too_narrow_where_records_are_suppressed():
    looked = 0
    for seed in range(150):
        case = random_case(seed, count=[1, 2, 3][seed % 3])
        table = recode(case.data, case.study).frame.astype(str)
        try:
            found = quasi_identifiers(table, {}, case.study.names)
        except CRAError:
            continue  # labels that tell too little
        for attribute in found.attributes:
            true = next(one for one in case.study.attributes if one.name == attribute.name)
            if attribute.numeric and (table[attribute.name] == "*").any():
                looked += 1
                assert attribute.lower <= true.lower, f"seed {seed}"
                assert attribute.upper >= true.upper, f"seed {seed}"
    assert looked > 80


@pytest.mark.parametrize("path", sorted((ARX / "outputs").glob("*.csv")), ids=lambda path: path.stem)
def test_no_domain_of_arx_s_own_tables_is_guessed_too_narrow(path):
    study = Study.from_toml(ARX / "studies" / f"{path.name.split('.')[0]}.paper.toml")
    for attribute in quasi_identifiers(read_table(path), {}).attributes:
        true = next(one for one in study.attributes if one.name == attribute.name)
        assert attribute.lower <= true.lower
        assert attribute.upper >= true.upper
