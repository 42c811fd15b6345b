"""Global recoding: against every state of the lattice, and what it tells against every possible table."""

import math
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import pandas as pd
import pytest

from cra_engine import Attribute, DataError, Study, StudyError, TooLargeError
from cra_engine.attacks import full_domain as reader
from cra_engine.attacks.full_domain import global_view
from cra_engine.publish.full_domain import recoding as module
from cra_engine.publish.full_domain.least_loss import least_loss
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.lattice import Lattice
from strategies import domain_size, random_case

LIMITS = (0, "0.1", "0.34", 1)


def interval(attribute, layer, value):
    """The interval of a value at a layer, by the attribute's definition."""
    width = (Fraction(attribute.upper) - Fraction(attribute.lower)) / attribute.fanout ** (attribute.layers - layer)
    return (value - Fraction(attribute.lower)) // width


def by_hand(case, limit):
    """All states that suppress few enough, and the best of them, straight from the definition."""
    attributes, k = case.study.attributes, case.study.k
    feasible, best = {}, None
    lattice = Lattice(attributes)
    with localcontext() as context:
        context.prec = 60
        for state in product(*(range(1, a.layers + 1) for a in attributes)):
            boxes = Counter(
                tuple(interval(a, layer, v) for a, layer, v in zip(attributes, state, record, strict=True))
                for record in case.records
            )
            suppressed = sum(size for size in boxes.values() if size < k)
            if suppressed > Fraction(str(limit)) * len(case.records):
                continue
            feasible[state] = suppressed
            grown = Decimal(1)
            for attribute, layer in zip(attributes, state, strict=True):
                everything = domain_size(attribute)
                length = everything // attribute.fanout ** (attribute.layers - layer)
                grown *= 1 + Decimal(length - 1) / (everything - 1)
            lost = (len(case.records) - suppressed) * (grown ** (1 / Decimal(len(attributes))) - 1) + suppressed
            place = lattice.states.index(state)
            if (
                best is None
                or lost < best[0] - Decimal(10) ** -40
                or (lost < best[0] + Decimal(10) ** -40 and place < best[1])
            ):
                best = lost, place, state, suppressed
    return feasible, best


@pytest.mark.parametrize("seed", range(60))
def test_against_every_state(seed):
    case = random_case(seed)
    for limit in LIMITS:
        feasible, (lost, _, state, suppressed) = by_hand(case, limit)
        found = least_loss(case.data, case.study, Decimal(str(limit)))
        assert dict(found.feasible) == feasible
        assert (found.state, found.suppressed) == (state, suppressed)
        assert found.loss.value == pytest.approx(float(lost) / len(case.records), abs=1e-12)
        assert sum(size for _, size in found.classes) == len(case.records) - suppressed
        assert all(size >= case.study.k for _, size in found.classes)


def test_the_first_of_equals():
    # The quarters of the grid hold 2, 1, 1 and 2 records, its halves 3 each, by either attribute: (1, 2) and (2, 1)
    # lose exactly the same, and (1, 2) is first in the lattice.
    data = pd.DataFrame([(0, 0), (1, 2), (3, 7), (5, 3), (4, 4), (7, 6)], columns=["a", "b"])
    found = least_loss(data, Study([Attribute("a", 0, 8, 2), Attribute("b", 0, 8, 2)], 3))
    assert dict(found.feasible) == {(1, 2): 0, (2, 1): 0, (2, 2): 0}
    assert found.state == (1, 2)


def test_categories_of_unequal_size():
    # North lists 3 values, South 1. Per value: loss 0; per region (3/4 - 1/4) / (3/4) = 2/3 and 0; for all 1.
    tree = FileHierarchy("town", tuple((t, r, "*") for t, r in [("A", "N"), ("B", "N"), ("C", "N"), ("D", "S")]))
    data = pd.DataFrame({"town": ["A", "A", "B", "C", "D", "D", "D"]})
    found = least_loss(data, Study([tree], 2))
    assert dict(found.feasible) == {(1,): 0, (2,): 0}
    assert (found.state, found.suppressed) == ((1,), 0)
    assert found.loss.value == pytest.approx((4 * 2 / 3 + 3 * 0) / 7)
    alone = least_loss(data.iloc[:5], Study([tree], 2), Decimal("0.2"))
    assert (dict(alone.feasible), alone.suppressed) == ({(1,): 1, (2,): 0}, 1)
    assert alone.loss.value == pytest.approx((4 * 2 / 3 + 1) / 5)


# ---------------------------------------------------------------- what it tells


def view_by_hand(study, found, draw):
    """Of all tables that give this release at this state: their number, cells with one person, certain cells."""
    grid = Grid(study.attributes)
    published = dict(found.classes)
    cell_of = {}
    for cell in product(*(range(size) for size in grid.shape)):
        nodes = grid.nodes(grid.cell_segment(cell))
        for place in product(*(range(int(n.lower), int(n.upper)) for n in nodes)):
            cell_of[place] = cell
    worlds, total, always = 0, 0, None
    most = Counter()
    for world in draw(sorted(cell_of), found.records):
        held = Counter(cell_of[place] for place in world)
        boxes = Counter()
        for cell, count in held.items():
            ranks = tuple(
                int(a.ranks[layer - 1][leaf])
                for a, layer, leaf in zip(study.attributes, found.state, cell, strict=True)
            )
            boxes[Segment(found.state, ranks)] += count
        if {box: size for box, size in boxes.items() if size >= study.k} != published:
            continue
        worlds += 1
        alone = {cell for cell, count in held.items() if count == 1}
        total += len(alone)
        most.update(alone)
        always = alone if always is None else always & alone
    return worlds, total / worlds, max(most.values(), default=0) / worlds, always


@pytest.mark.parametrize(
    ("values", "layers", "k", "limit"),
    [
        ([0, 1, 5, 9], 3, 2, "0.5"),
        ([0, 1, 2, 9, 13], 3, 3, "0.4"),
        ([0, 1, 2, 3, 8], 3, 4, "0.2"),
        ([0, 1, 6, 9, 10, 15], 3, 2, "0.34"),
        ([0, 5, 9, 13], 3, 2, 1),
        ([0, 5, 9, 13], 3, 2, 0),
    ],
)
def test_against_every_table(values, layers, k, limit):
    study = Study([Attribute("a", 0, 16, layers)], k)
    found = least_loss(pd.DataFrame({"a": values}), study, Decimal(str(limit)))
    view = global_view(found.release)
    worlds, expected, likeliest, _ = view_by_hand(study, found, combinations)
    assert 10**view.log10_left == pytest.approx(worlds)
    promised = math.prod(math.comb(16 // 2 ** (layers - found.state[0]), size) for _, size in found.classes)
    assert 10**view.log10_promised == pytest.approx(promised * math.comb(16, found.suppressed))
    assert view.expected == pytest.approx(expected)
    assert view.likeliest == pytest.approx(likeliest)
    *_, always = view_by_hand(study, found, combinations_with_replacement)
    assert view.certain == len(always)


def test_two_attributes_against_every_table():
    study = Study([Attribute("a", 0, 4, 2), Attribute("b", 0, 4, 3)], 2)
    found = least_loss(pd.DataFrame({"a": [0, 1, 0, 3], "b": [0, 1, 1, 3]}), study, Decimal("0.25"))
    assert (found.state, found.suppressed) == ((1, 2), 1)
    view = global_view(found.release)
    worlds, expected, likeliest, _ = view_by_hand(study, found, combinations)
    assert (10**view.log10_left, view.expected, view.likeliest) == pytest.approx((worlds, expected, likeliest))


def test_certain_by_hand():
    # Four leaves, k = 2: the two suppressed records fill the two boxes that are not published, one each.
    study = Study([Attribute("a", 0, 16, 3)], 2)
    found = least_loss(pd.DataFrame({"a": [0, 1, 4, 5, 9, 13]}), study, Decimal("0.34"))
    assert (found.state, found.suppressed) == ((1,), 2)
    view = global_view(found.release)
    assert (view.certain, view.likeliest, view.expected) == (2, 1, 2)
    # Four people in [0, 8[ and [8, 16[ each: all that is known of one of its two quarters is a chance.
    wider = global_view(least_loss(pd.DataFrame({"a": [0, 1, 4, 9, 12, 13]}), study).release)
    assert wider.certain == 0


def test_records_that_must_be_alike():
    # Three people on the two values of [0, 2[: each value holds one in 6 of 8 ways; no table of distinct records.
    study = Study([Attribute("a", 0, 4, 3), Attribute("b", 0, 2, 1)], 5)
    data = pd.DataFrame({"a": [0, 0, 0, 1, 1, 1], "b": [0, 1, 1, 0, 0, 1]})
    view = global_view(least_loss(data, study).release)
    assert view.alike == 1
    assert view.expected > 0
    # Suppressed: three records in one box of two values, at most four in a box.
    alone = least_loss(pd.DataFrame({"a": [0] * 5 + [3] * 3}), Study([Attribute("a", 0, 4, 2)], 5), Decimal("0.5"))
    assert (alone.suppressed, global_view(alone.release).alike) == (3, 1)


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize("limit", [-0.1, 1.5, "some", float("nan")])
def test_limits_that_are_none(limit):
    with pytest.raises(StudyError, match="suppression limit"):
        least_loss(pd.DataFrame({"a": [0, 1]}), Study([Attribute("a", 0, 4, 2)], 2), limit)


def test_k_above_the_records():
    with pytest.raises(DataError, match="k = 3 is more than the 2 records"):
        least_loss(pd.DataFrame({"a": [0, 1]}), Study([Attribute("a", 0, 4, 2)], 3))


def test_too_large(monkeypatch):
    data, study = pd.DataFrame({"a": [0, 3, 2]}), Study([Attribute("a", 0, 4, 2)], 2)
    found = least_loss(data, study, Decimal("0.5"))
    monkeypatch.setattr(reader, "MOST_SUPPRESSED", 0)
    with pytest.raises(TooLargeError, match="Take a smaller suppression limit"):
        global_view(found.release)
    monkeypatch.setattr(module, "MOST_WORK", 1)
    with pytest.raises(TooLargeError, match="take fewer quasi-identifiers"):
        least_loss(data, study)
